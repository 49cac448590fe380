//! Functions: signature, blocks, and what each instruction's operands and probe refer to.

use std::collections::HashMap;

use abi::Probe;

use super::{LowerError, Lowering, Problem};
use crate::{
    Block, BlockId, Function, FunctionId, Instruction, InstructionId, Linkage, Op, Operand, Parameter, SourceLocation,
    Type,
};

impl<'m> Lowering<'m> {
    pub(super) fn function(&mut self, position: u32, source: llvm::Function<'m>) -> Result<Function, LowerError> {
        let linkage = self.linkages[position as usize];
        let in_function = |problem| LowerError::Function { function: source.name(), problem };
        let mut function = Function {
            id: FunctionId(position),
            name: source.name(),
            linkage,
            return_type: self.signature_type(linkage, source.function_type().return_type()).map_err(in_function)?,
            parameters: self.parameters(linkage, source).map_err(in_function)?,
            is_variadic: source.function_type().is_variadic(),
            type_hash: 0,
            logs_frame: source.string_attribute(abi::FRAME_ATTRIBUTE).is_some(),
            ticks_on_entry: source.string_attribute(abi::ENTRY_TICK_ATTRIBUTE).is_some(),
            blocks: Vec::new(),
            instructions: Vec::new(),
            location: source.position().map(|p| self.location(p)),
        };
        if linkage == Linkage::Outside {
            return Ok(function);
        }
        function.type_hash = type_hash(source).map_err(in_function)?;
        let mut body = Body::new(self, source);
        (function.blocks, function.instructions) = body.lower()?;
        Ok(function)
    }

    fn parameters(&mut self, linkage: Linkage, source: llvm::Function<'m>) -> Result<Vec<Parameter>, Problem> {
        source
            .parameters()
            .zip(1..)
            .map(|(parameter, index)| {
                Ok(Parameter {
                    name: parameter.name(),
                    ty: self.signature_type(linkage, parameter.ty())?,
                    by_value: source.has_attribute(index, "byval"),
                    by_value_size: source.attribute_type(index, "byval").map_or(0, |ty| ty.alloc_size(self.source)),
                })
            })
            .collect()
    }

    /// Intrinsics may be declared with types no instrumented code can hold (metadata, tokens): void stands for them.
    fn signature_type(&mut self, linkage: Linkage, ty: llvm::Type<'m>) -> Result<Type, Problem> {
        match self.ty(ty) {
            Err(_) if linkage == Linkage::Outside => Ok(Type::Void),
            result => result,
        }
    }
}

pub(super) fn linkage(source: llvm::Function<'_>) -> Result<Linkage, LowerError> {
    let found = source.string_attribute(abi::FUNCTION_ATTRIBUTE);
    let linkage = match found.as_deref() {
        None => return Ok(Linkage::Outside),
        Some("open") => Linkage::Open,
        Some("closed") => Linkage::Closed,
        Some(_) => {
            let problem = Problem::Attribute { name: abi::FUNCTION_ATTRIBUTE, found };
            return Err(LowerError::Function { function: source.name(), problem });
        }
    };
    if source.is_declaration() {
        return Err(LowerError::Function { function: source.name(), problem: Problem::NoBody });
    }
    Ok(linkage)
}

fn type_hash(source: llvm::Function<'_>) -> Result<u32, Problem> {
    let found = source.string_attribute(abi::TYPE_ATTRIBUTE);
    found.as_deref().and_then(|text| text.parse().ok()).ok_or(Problem::Attribute { name: abi::TYPE_ATTRIBUTE, found })
}

/// Where the last instruction stands if it is a choice whose condition was made on another line. Compilers give the
/// branches of `a && b` the place of the operator, and the last of them that of the whole condition; a person who asks
/// about one looks at what was compared.
fn place_of_choice(instructions: &[Instruction]) -> Option<SourceLocation> {
    let choice = instructions.last()?;
    let Op::Branch { condition: Operand::Result(made), .. } = &choice.op else { return None };
    let made = instructions.get(made.index()).filter(|made| !matches!(made.op, Op::Phi { .. }))?;
    let (own, other) = (choice.location?, made.location?);
    (own.file == other.file && own.line != other.line && other.line != 0).then_some(other)
}

/// What `pass` says it did at an instruction; `Plain` without flags where it says nothing.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub probe: Probe,
    pub argument: u64,
    pub ticks: bool,
    pub hashes: bool,
    pub shadows: bool,
}

/// A function while it is lowered.
pub(super) struct Body<'a, 'm> {
    pub lowering: &'a mut Lowering<'m>,
    source: llvm::Function<'m>,
    parameters: HashMap<llvm::Value<'m>, u32>,
    instructions: HashMap<llvm::Value<'m>, InstructionId>,
    blocks: HashMap<llvm::Block<'m>, BlockId>,
}

impl<'a, 'm> Body<'a, 'm> {
    fn new(lowering: &'a mut Lowering<'m>, source: llvm::Function<'m>) -> Body<'a, 'm> {
        Body {
            lowering,
            source,
            parameters: source.parameters().zip(0..).collect(),
            instructions: source
                .instructions()
                .into_iter()
                .zip(0..)
                .map(|(instruction, id)| (instruction.value(), InstructionId(id)))
                .collect(),
            blocks: source.blocks().into_iter().zip((0..).map(BlockId)).collect(),
        }
    }

    fn lower(&mut self) -> Result<(Vec<Block>, Vec<Instruction>), LowerError> {
        let mut blocks = Vec::with_capacity(self.blocks.len());
        let mut instructions = Vec::with_capacity(self.instructions.len());
        for block in self.source.blocks() {
            let first = InstructionId(instructions.len() as u32);
            for instruction in block.instructions() {
                let site = InstructionId(instructions.len() as u32);
                let lowered = self.instruction(instruction).map_err(|problem| LowerError::Site {
                    function: self.source.name(),
                    site,
                    problem,
                })?;
                instructions.push(lowered);
            }
            // A block ends with what chooses where control goes on.
            if let Some(place) = place_of_choice(&instructions)
                && let Some(choice) = instructions.last_mut()
            {
                choice.location = Some(place);
            }
            blocks.push(Block { name: block.name(), first, end: InstructionId(instructions.len() as u32) });
        }
        Ok((blocks, instructions))
    }

    fn instruction(&mut self, source: llvm::Instruction<'m>) -> Result<Instruction, Problem> {
        let mark = self.mark(source)?;
        Ok(Instruction {
            ty: self.ty(source.ty())?,
            name: source.value().name(),
            location: source.position().map(|p| self.lowering.location(p)),
            ticks: mark.ticks,
            hashes: mark.hashes,
            op: self.op(source, mark)?,
        })
    }

    pub(super) fn mark(&self, source: llvm::Instruction<'m>) -> Result<Mark, Problem> {
        let Some(integers) = source.metadata_integers(self.lowering.probe_kind) else {
            return Ok(Mark { probe: Probe::Plain, argument: 0, ticks: false, hashes: false, shadows: false });
        };
        if let [code, argument] = integers[..]
            && let Some((probe, flags)) = u32::try_from(code).ok().and_then(Probe::decode)
            && flags & !(abi::TICKS | abi::HASHES | abi::SHADOWS) == 0
        {
            let has = |flag: u32| flags & flag != 0;
            let (ticks, hashes, shadows) = (has(abi::TICKS), has(abi::HASHES), has(abi::SHADOWS));
            return Ok(Mark { probe, argument, ticks, hashes, shadows });
        }
        Err(Problem::MalformedProbe(integers))
    }

    pub(super) fn ty(&mut self, ty: llvm::Type<'m>) -> Result<Type, Problem> {
        self.lowering.ty(ty)
    }

    pub(super) fn operand(&mut self, value: llvm::Value<'m>) -> Result<Operand, Problem> {
        if let Some(&id) = self.instructions.get(&value) {
            return Ok(Operand::Result(id));
        }
        if let Some(&position) = self.parameters.get(&value) {
            return Ok(Operand::Parameter(position));
        }
        if value.is_constant() {
            return Ok(Operand::Constant(self.lowering.shared_constant(value)?));
        }
        Err(Problem::UnknownValue)
    }

    pub(super) fn block(&self, block: llvm::Block<'m>) -> Result<BlockId, Problem> {
        self.blocks.get(&block).copied().ok_or(Problem::UnknownValue)
    }

    /// The alloca an address operand names, when it lives in registers.
    pub(super) fn local(&self, address: llvm::Value<'m>) -> Result<Option<InstructionId>, Problem> {
        let Some(alloca) = address.as_instruction().filter(|i| i.opcode() == llvm::LLVMOpcode::LLVMAlloca) else {
            return Ok(None);
        };
        if self.mark(alloca)?.probe != Probe::Local {
            return Ok(None);
        }
        self.instructions.get(&address).copied().map(Some).ok_or(Problem::UnknownValue)
    }
}
