//! Compiles a function of the model into [`Code`], constants resolved to the addresses of the recorded run.

use std::collections::HashMap;
use std::sync::Arc;

use abi::{Address, BlockId, FunctionId, InstructionId, MemoryIntrinsic};
use program::{
    BinaryOp, Call, CallKind, Callee, CastOp, ConstantOp, ElementIndex, FloatKind, Function, ICmp, Instruction,
    Intrinsic, Module, Op as Source, Operand, Storage, Type,
};

use rustc_hash::FxHashMap;

use crate::code::*;
use crate::loaded::Loaded;
use semantics::wide;

pub fn compile(loaded: &Loaded<'_>, module_position: usize, module: &Arc<Module>, id: FunctionId) -> Code {
    let function = module.function(id);
    let mut next = 0;
    let mut place = |words: u32| {
        let first = next;
        next += words;
        first
    };
    let parameters: Vec<_> = function
        .parameters
        .iter()
        .map(|p| {
            let words = wide::words(&p.ty) as u32;
            ParameterSide { first: place(words), words, bytes: p.ty.store_size() as u32, by_value: p.by_value }
        })
        .collect();
    let mut locals = vec![0; function.instructions.len()];
    let results: Vec<_> = function
        .instructions
        .iter()
        .enumerate()
        .map(|(i, instruction)| {
            if let Source::Alloca { storage: Storage::Local, allocated, .. } = &instruction.op {
                // It has no address, so the alloca itself has no result.
                let first = place(wide::words(allocated) as u32);
                locals[i] = first;
                return (first, 0);
            }
            let words = wide::words(&instruction.ty) as u32;
            (place(words), words)
        })
        .collect();
    let mut compiler = Compiler {
        loaded,
        module: module_position,
        function,
        locals,
        code: Code {
            module: module.clone(),
            module_position,
            id,
            ops: Vec::with_capacity(function.instructions.len()),
            constants: Vec::new(),
            frame_words: next,
            parameters,
            elements: Vec::new(),
            selects: Vec::new(),
            stores: Vec::new(),
            switches: Vec::new(),
            wides: Vec::new(),
            calls: Vec::new(),
            edges: Vec::new(),
            results,
            constant_places: FxHashMap::default(),
        },
        scalars: HashMap::new(),
    };
    for block in 0..function.blocks.len() {
        let (first, end) = (function.blocks[block].first.0, function.blocks[block].end.0);
        for i in first..end {
            let op = compiler.instruction(BlockId(block as u32), InstructionId(i));
            compiler.code.ops.push(op);
        }
    }
    compiler.code
}

struct Compiler<'a, 'r> {
    loaded: &'a Loaded<'r>,
    module: usize,
    function: &'a Function,
    /// First word of each register-resident local, by its alloca.
    locals: Vec<u32>,
    code: Code,
    scalars: HashMap<u64, Ref>,
}

impl Compiler<'_, '_> {
    fn operand(&mut self, operand: &Operand) -> Ref {
        match operand {
            Operand::Parameter(n) => Ref(self.code.parameters[*n as usize].first),
            Operand::Result(id) => Ref(self.code.results[id.index()].0),
            Operand::Constant(constant) => {
                let key = Arc::as_ptr(constant) as usize;
                if let Some(&(first, _)) = self.code.constant_places.get(&key) {
                    return Ref::constant(first as usize);
                }
                let first = self.code.constants.len();
                let words = wide::words(&constant.ty);
                self.code.constants.resize(first + words, 0);
                let addresses = self.loaded.addresses(self.module);
                let address_of = |i: u32| addresses.get(i as usize).copied().unwrap_or(0);
                wide::constant(constant, &address_of, &mut self.code.constants[first..]);
                self.code.constant_places.insert(key, (first as u32, words as u32));
                Ref::constant(first)
            }
        }
    }

    fn scalar(&mut self, value: u64) -> Ref {
        *self.scalars.entry(value).or_insert_with(|| {
            self.code.constants.push(value);
            Ref::constant(self.code.constants.len() - 1)
        })
    }

    /// How to go from one block to another.
    fn target(&mut self, from: BlockId, to: BlockId) -> Target {
        let block = self.function.block(to).clone();
        let mut copies = Vec::new();
        let mut phis = Vec::new();
        let mut first = block.first.0;
        while first < block.end.0 {
            let id = InstructionId(first);
            let Source::Phi { incoming } = &self.function.instruction(id).op else { break };
            if let Some((_, value)) = incoming.iter().find(|(b, _)| *b == from) {
                let value = self.operand(value);
                let (dst, words) = self.code.results[id.index()];
                copies.push((dst, value, words));
                phis.push(id);
            }
            first += 1;
        }
        if copies.is_empty() {
            return Target(first);
        }
        self.code.edges.push(EdgeSide { target: first, copies, phis });
        Target((self.code.edges.len() - 1) as u32 | Target::EDGE)
    }

    fn instruction(&mut self, block: BlockId, id: InstructionId) -> Op {
        let function = self.function;
        let instruction = function.instruction(id);
        let (dst, words) = self.code.results[id.index()];
        // Observers may ask for any operand, also where the replay does without: the address of a load that is always logged.
        instruction.op.for_each_operand(|operand| _ = self.operand(operand));
        match &instruction.op {
            Source::Binary { op, lhs, rhs } => self.binary(id, *op, lhs, rhs),
            Source::FNeg { value } => match instruction.ty {
                Type::Float(FloatKind::Double) => Op::Negate64 { dst, a: self.operand(value) },
                Type::Float(FloatKind::Single) => Op::Negate32 { dst, a: self.operand(value) },
                _ => self.wide(id, &[(value, &instruction.ty)]),
            },
            Source::ICmp { op, lhs, rhs, operand_type } => self.compare(id, *op, lhs, rhs, operand_type),
            Source::FCmp { op, lhs, rhs, operand_type } => {
                let (a, b) = (self.operand(lhs), self.operand(rhs));
                match operand_type {
                    Type::Float(FloatKind::Double) => Op::Compare64 { dst, a, b, op: *op },
                    Type::Float(FloatKind::Single) => Op::Compare32 { dst, a, b, op: *op },
                    _ => self.wide(id, &[(lhs, operand_type), (rhs, operand_type)]),
                }
            }
            Source::Cast { op, value, from } => self.cast(id, *op, value, from),
            Source::Select { condition, condition_type, then, otherwise }
                if words == 1 && *condition_type == Type::Int(1) =>
            {
                let side = SelectSide { then: self.operand(then), otherwise: self.operand(otherwise) };
                self.code.selects.push(side);
                let condition = self.operand(condition);
                Op::Select { dst, condition, side: (self.code.selects.len() - 1) as u32 }
            }
            Source::Select { condition, condition_type, then, otherwise } => {
                let ty = &instruction.ty;
                self.wide(id, &[(condition, condition_type), (then, ty), (otherwise, ty)])
            }
            Source::Freeze { value } => self.copy(dst, value, words),
            Source::Phi { .. } | Source::Fence => Op::Nothing,
            Source::Alloca { storage, .. } => match storage {
                Storage::Local => Op::Nothing,
                Storage::Frame(offset) => Op::FrameAddress { dst, offset: *offset as u32 },
                Storage::Dynamic => Op::Load64 { dst },
            },
            Source::Load { local: Some(local), .. } => {
                let first = self.locals[local.index()];
                if words == 1 { Op::Move { dst, a: Ref(first) } } else { Op::MoveWide { dst, a: Ref(first), words } }
            }
            Source::Load { local: None, watched: None, .. } => logged(dst, &instruction.ty),
            Source::Load { address, local: None, watched: Some(key) } => {
                watched(dst, self.operand(address), *key, &instruction.ty)
            }
            Source::Store { .. } => self.store(instruction),
            Source::ElementPointer { base, offset, indices, .. } => self.element(dst, base, *offset, indices),
            Source::ReadModifyWrite { .. } | Source::CompareExchange { .. } => {
                Op::TickLoad { dst, bytes: instruction.ty.store_size() as u32, words }
            }
            Source::ExtractValue { aggregate, aggregate_type, .. } => self.wide(id, &[(aggregate, aggregate_type)]),
            Source::InsertValue { aggregate, value, value_type, .. } => {
                self.wide(id, &[(aggregate, &instruction.ty), (value, value_type)])
            }
            Source::ExtractElement { vector, vector_type, index } => {
                let index = self.operand(index);
                self.wide_indexed(id, &[(vector, vector_type)], index)
            }
            Source::InsertElement { vector, element, index } => {
                let index = self.operand(index);
                let Type::Vector { element: element_type, .. } = &instruction.ty else { return Op::Trap };
                self.wide_indexed(id, &[(vector, &instruction.ty), (element, element_type)], index)
            }
            Source::Shuffle { left, right, operand_type, .. } => {
                self.wide(id, &[(left, operand_type), (right, operand_type)])
            }
            Source::Call(call) => self.call(id, call, None),
            Source::Invoke { call, normal, unwind } => {
                let targets = (self.target(block, *normal), self.target(block, *unwind));
                self.call(id, call, Some(targets))
            }
            Source::LandingPad => Op::Nothing,
            Source::Jump { target } => {
                let target = self.target(block, *target);
                if instruction.ticks { Op::JumpTick { target } } else { Op::Jump { target } }
            }
            Source::Branch { condition, then, otherwise } => Op::Branch {
                condition: self.operand(condition),
                then: self.target(block, *then),
                otherwise: self.target(block, *otherwise),
            },
            Source::Switch { .. } => self.switch(block, instruction),
            Source::Return { value } => match value {
                None => Op::Return { value: Ref(0), words: 0 },
                Some(value) => {
                    Op::Return { value: self.operand(value), words: wide::words(&function.return_type) as u32 }
                }
            },
            Source::Resume { .. } => Op::Resume,
            Source::Unreachable => Op::Trap,
        }
    }

    fn store(&mut self, instruction: &Instruction) -> Op {
        let Source::Store { value, value_type, address, local, shadowed } = &instruction.op else { return Op::Trap };
        // What has no bytes has no word that a plan could be asked about.
        let a = if value_type.store_size() == 0 { self.scalar(0) } else { self.operand(value) };
        let local = local.map(|l| self.locals[l.index()]);
        let address = self.operand(address);
        if instruction.hashes {
            let side = match local {
                Some(dst) => StoreSide::Local(dst),
                None if *shadowed => StoreSide::Shadowed(value_type.store_size() as u32),
                None => StoreSide::Unseen,
            };
            self.code.stores.push(side);
            return Op::StoreHashed { a, address, side: (self.code.stores.len() - 1) as u32 };
        }
        match local {
            None if !shadowed => Op::StoreUnseen { a, address },
            None => stored(a, address, value_type),
            Some(dst) if wide::words(value_type) == 1 => Op::Assign { dst, a },
            Some(dst) => Op::AssignWide { dst, a, words: wide::words(value_type) as u32 },
        }
    }

    fn switch(&mut self, block: BlockId, instruction: &Instruction) -> Op {
        let Source::Switch { value, default, cases, .. } = &instruction.op else { return Op::Trap };
        let mut cases: Vec<_> = cases.iter().map(|(v, b)| (*v, self.target(block, *b))).collect();
        cases.sort_by_key(|c| c.0);
        let default = self.target(block, *default);
        self.code.switches.push(SwitchSide { cases, default, hashes: instruction.hashes });
        let value = self.operand(value);
        Op::Switch { value, side: (self.code.switches.len() - 1) as u32 }
    }

    fn element(&mut self, dst: u32, base: &Operand, offset: i64, indices: &[ElementIndex]) -> Op {
        let base = self.operand(base);
        match indices.split_first() {
            None => Op::Add64 { dst, a: base, b: self.scalar(offset as u64) },
            Some((first, rest)) => {
                let index = self.operand(&first.index);
                let more = rest.iter().map(|i| (self.operand(&i.index), i.bits, i.stride)).collect();
                let side = ElementSide { offset: offset as u64, bits: first.bits, stride: first.stride, more };
                self.code.elements.push(side);
                Op::Element { dst, base, index, side: (self.code.elements.len() - 1) as u32 }
            }
        }
    }

    fn copy(&mut self, dst: u32, value: &Operand, words: u32) -> Op {
        let a = self.operand(value);
        if words == 1 { Op::Move { dst, a } } else { Op::MoveWide { dst, a, words } }
    }

    fn binary(&mut self, id: InstructionId, op: BinaryOp, lhs: &Operand, rhs: &Operand) -> Op {
        use BinaryOp::*;
        let ty = &self.function.instruction(id).ty;
        let dst = self.code.results[id.index()].0;
        let (a, b) = (self.operand(lhs), self.operand(rhs));
        let bits = match ty {
            Type::Int(bits) if *bits <= 64 => *bits as u8,
            Type::Float(FloatKind::Double) | Type::Float(FloatKind::Single) => 0,
            _ => return self.wide(id, &[(lhs, ty), (rhs, ty)]),
        };
        match (op, bits) {
            (Add, 32) => Op::Add32 { dst, a, b },
            (Add, 64) => Op::Add64 { dst, a, b },
            (Sub, 32) => Op::Sub32 { dst, a, b },
            (Sub, 64) => Op::Sub64 { dst, a, b },
            (Mul, 32) => Op::Mul32 { dst, a, b },
            (Mul, 64) => Op::Mul64 { dst, a, b },
            (Add | Sub | Mul | Shl, _) => Op::Narrow { dst, a, b, op, bits },
            (And, _) => Op::And { dst, a, b },
            (Or, _) => Op::Or { dst, a, b },
            (Xor, _) => Op::Xor { dst, a, b },
            (LShr, _) => Op::ShiftRight { dst, a, b },
            (AShr, _) => Op::ShiftRightSigned { dst, a, b, bits },
            (UDiv | SDiv | URem | SRem, _) => Op::Divide { dst, a, b, op, bits },
            (FAdd | FSub | FMul | FDiv | FRem, _) => match ty {
                Type::Float(FloatKind::Double) => Op::Float64 { dst, a, b, op },
                _ => Op::Float32 { dst, a, b, op },
            },
        }
    }

    fn compare(&mut self, id: InstructionId, op: ICmp, lhs: &Operand, rhs: &Operand, ty: &Type) -> Op {
        let dst = self.code.results[id.index()].0;
        let bits = match ty {
            Type::Int(bits) if *bits <= 64 => *bits as u8,
            Type::Pointer => 64,
            _ => return self.wide(id, &[(lhs, ty), (rhs, ty)]),
        };
        let (a, b) = (self.operand(lhs), self.operand(rhs));
        let greater = |a, b| match bits {
            32 => Op::Greater32 { dst, a, b },
            64 => Op::Greater64 { dst, a, b },
            _ => Op::Greater { dst, a, b, bits },
        };
        let greater_equal = |a, b| match bits {
            32 => Op::GreaterEqual32 { dst, a, b },
            64 => Op::GreaterEqual64 { dst, a, b },
            _ => Op::GreaterEqual { dst, a, b, bits },
        };
        match op {
            ICmp::Eq => Op::Equal { dst, a, b },
            ICmp::Ne => Op::NotEqual { dst, a, b },
            ICmp::Ugt => Op::Above { dst, a, b },
            ICmp::Uge => Op::AboveEqual { dst, a, b },
            ICmp::Ult => Op::Above { dst, a: b, b: a },
            ICmp::Ule => Op::AboveEqual { dst, a: b, b: a },
            ICmp::Sgt => greater(a, b),
            ICmp::Sge => greater_equal(a, b),
            ICmp::Slt => greater(b, a),
            ICmp::Sle => greater_equal(b, a),
        }
    }

    fn cast(&mut self, id: InstructionId, op: CastOp, value: &Operand, from: &Type) -> Op {
        let to = &self.function.instruction(id).ty;
        let dst = self.code.results[id.index()].0;
        let a = self.operand(value);
        match (op, from, to) {
            (CastOp::Trunc, Type::Int(_), Type::Int(bits)) if *bits <= 64 => Op::Mask { dst, a, bits: *bits as u8 },
            (CastOp::ZExt, Type::Int(_), Type::Int(bits)) if *bits <= 64 => Op::Move { dst, a },
            (CastOp::SExt, Type::Int(from), Type::Int(to)) if *to <= 64 => {
                Op::SignExtend { dst, a, from: *from as u8, to: *to as u8 }
            }
            (CastOp::PtrToInt, Type::Pointer, Type::Int(bits)) if *bits <= 64 => Op::Mask { dst, a, bits: *bits as u8 },
            (CastOp::IntToPtr, Type::Int(bits), Type::Pointer) if *bits <= 64 => Op::Move { dst, a },
            (CastOp::Bitcast, from, to) if from.is_scalar64() && to.is_scalar64() => Op::Move { dst, a },
            _ => match (scalar_kind(from), scalar_kind(to)) {
                (Some(from), Some(to)) => Op::CastFloat { dst, a, op, from, to },
                _ => self.wide(id, &[(value, from)]),
            },
        }
    }

    fn wide(&mut self, id: InstructionId, operands: &[(&Operand, &Type)]) -> Op {
        self.wide_indexed(id, operands, Ref(0))
    }

    fn wide_indexed(&mut self, id: InstructionId, operands: &[(&Operand, &Type)], index: Ref) -> Op {
        let (dst, words) = self.code.results[id.index()];
        let operands = operands.iter().map(|(o, ty)| (self.operand(o), wide::words(ty) as u32)).collect();
        self.code.wides.push(WideSide { dst, words, operands, index });
        Op::Wide { side: (self.code.wides.len() - 1) as u32 }
    }

    fn call(&mut self, id: InstructionId, call: &Call, targets: Option<(Target, Target)>) -> Op {
        let instruction = self.function.instruction(id);
        let (dst, words) = self.code.results[id.index()];
        match call.kind {
            CallKind::Ignored => return Op::Nothing,
            CallKind::Memory => return self.memory_call(call),
            CallKind::Logged if call.never_returns => return Op::Trap,
            CallKind::Logged if words == 0 => return Op::Nothing,
            CallKind::Logged => return logged(dst, &instruction.ty),
            CallKind::Computed => {
                let operands: Vec<_> = call.arguments.iter().zip(&call.argument_types).collect();
                return self.wide(id, &operands);
            }
            CallKind::Open | CallKind::Closed | CallKind::Setjmp => {}
        }
        let target = self.call_target(call);
        let callee_address = self.callee_address(call);
        let arguments = call
            .arguments
            .iter()
            .zip(&call.argument_types)
            .map(|(a, ty)| (self.operand(a), wide::words(ty) as u32))
            .collect();
        self.code.calls.push(CallSide {
            target,
            callee_address,
            type_hash: call.type_hash,
            arguments,
            dst,
            words,
            bytes: instruction.ty.store_size() as u32,
            never_returns: call.never_returns,
            may_return_twice: call.kind == CallKind::Setjmp,
            normal: targets.map(|t| t.0),
            unwind: targets.map(|t| t.1),
        });
        Op::Call { side: (self.code.calls.len() - 1) as u32 }
    }

    fn callee_address(&mut self, call: &Call) -> Result<u64, Ref> {
        let addresses = self.loaded.addresses(self.module);
        let at = |position: u32| addresses.get(position as usize).copied().unwrap_or(0);
        match &call.callee {
            Callee::Function(function) => Ok(at(function.0)),
            Callee::Symbol(position) => Ok(at(*position)),
            Callee::Assembly => Ok(0),
            Callee::Pointer(pointer) => Err(self.operand(pointer)),
        }
    }

    /// `memcpy`, `memmove`, `memset`.
    fn memory_call(&mut self, call: &Call) -> Op {
        let [to, second, length, ..] = &call.arguments[..] else { return Op::Trap };
        let (to, second, length) = (self.operand(to), self.operand(second), self.operand(length));
        match self.code.module.intrinsic(&call.callee) {
            Some(Intrinsic::Memory(MemoryIntrinsic::Fill)) => Op::Fill { to, byte: second, length },
            _ => Op::Copy { to, from: second, length },
        }
    }

    fn call_target(&mut self, call: &Call) -> CallTarget {
        let at = |address: u64| match self.loaded.entry(Address(address)) {
            Some(entry) if entry.type_hash == call.type_hash => {
                CallTarget::Inside { module: entry.module, function: entry.function }
            }
            _ => CallTarget::Outside,
        };
        let addresses = self.loaded.addresses(self.module);
        let address = |position: u32| addresses.get(position as usize).copied().unwrap_or(0);
        match (&call.callee, call.kind) {
            (_, CallKind::Setjmp) | (Callee::Assembly, _) => CallTarget::Outside,
            (Callee::Function(function), CallKind::Closed) => {
                CallTarget::Inside { module: self.module, function: *function }
            }
            (Callee::Function(function), _) => at(address(function.0)),
            (Callee::Symbol(position), _) => at(address(*position)),
            (Callee::Pointer(Operand::Constant(constant)), _) => match constant.op {
                ConstantOp::Address(position) => at(address(position)),
                _ => CallTarget::Pointer(self.operand(&Operand::Constant(constant.clone()))),
            },
            (Callee::Pointer(pointer), _) => CallTarget::Pointer(self.operand(pointer)),
        }
    }
}

/// A load whose value is compared with the shadow.
fn watched(dst: u32, address: Ref, key: u32, ty: &Type) -> Op {
    match ty.store_size() {
        1 => Op::Watch8 { dst, address, key },
        2 => Op::Watch16 { dst, address, key },
        4 => Op::Watch32 { dst, address, key },
        _ => Op::Watch64 { dst, address, key },
    }
}

/// A store to memory that has a shadow.
fn stored(a: Ref, address: Ref, ty: &Type) -> Op {
    let bytes = ty.store_size() as u32;
    match (bytes, ty.is_scalar64()) {
        (1, true) => Op::Store8 { a, address },
        (2, true) => Op::Store16 { a, address },
        (4, true) => Op::Store32 { a, address },
        (8, true) => Op::Store64 { a, address },
        _ => Op::StoreBytes { a, address, bytes },
    }
}

/// Reads a logged value of a type.
fn logged(dst: u32, ty: &Type) -> Op {
    let bytes = ty.store_size() as u32;
    match (ty.is_scalar64(), bytes) {
        (true, 1) => Op::Load8 { dst },
        (true, 2) => Op::Load16 { dst },
        (true, 4) => Op::Load32 { dst },
        (true, 8) => Op::Load64 { dst },
        _ => Op::LoadBytes { dst, bytes, words: wide::words(ty) as u32 },
    }
}

fn scalar_kind(ty: &Type) -> Option<ScalarKind> {
    match ty {
        Type::Int(bits) if *bits <= 64 => Some(ScalarKind::Int(*bits as u8)),
        Type::Float(FloatKind::Single) => Some(ScalarKind::F32),
        Type::Float(FloatKind::Double) => Some(ScalarKind::F64),
        _ => None,
    }
}
