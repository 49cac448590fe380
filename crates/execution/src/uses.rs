//! What each instruction of a function uses and defines, in a form that is quick to walk backwards.

use std::collections::HashMap;

use abi::{BlockId, InstructionId, MemoryIntrinsic};
use program::{Call, CallKind, Callee, Function, Intrinsic, Module, Op, Operand, Storage, Type};

use crate::library_call::LibraryCall;

/// A value of a frame: the result of an instruction (for a register-resident local: its contents), or a parameter.
/// Instructions come first, parameters after them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Register(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Defines nothing anybody can depend on.
    Nothing,
    /// The result comes from the operands alone.
    Pure,
    /// Takes its value on the way into its block.
    Phi,
    /// Reads this many bytes; the operands make the address.
    Load {
        size: u32,
    },
    LoadLocal {
        local: Register,
    },
    /// Reads, of a list of variable arguments, where these lie.
    LoadArea {
        area: Area,
    },
    /// Writes this many bytes; the first `values` operands are what is stored, the others make the address.
    Store {
        size: u32,
        values: u16,
    },
    StoreLocal {
        local: Register,
    },
    /// `memcpy`, `memmove`.
    Copy,
    /// `memset`.
    Fill,
    /// Reads and writes this many bytes.
    Atomic {
        size: u32,
    },
    /// `va_start`: makes variable arguments readable.
    StartList,
    /// `va_copy`.
    CopyList,
    /// Enters a function, or outside code. The operands are the arguments' registers, one after the other.
    Call,
    /// A call that ends its block.
    Invoke,
    /// Ends its block.
    Jump,
    /// Ends its block, with a choice.
    Branch,
    Return,
    /// Ends its block and leaves by going on with an exception, or never.
    Leave,
}

/// Where variable arguments lie, by the System V ABI for x86-64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Area {
    /// Six integer registers of 8 bytes, then eight vector registers of 16.
    Registers,
    /// Those that found no register, in words of 8 bytes.
    Stack,
}

/// Bytes of a list of variable arguments: two counters, then the addresses of the two areas.
pub const LIST: u64 = 24;

#[derive(Clone, Copy, Debug)]
pub struct Use {
    pub action: Action,
    pub ticks: bool,
    first: u32,
    count: u32,
}

/// A function as the dependence analyses see it.
pub struct Uses {
    pub instructions: Vec<Use>,
    operands: Vec<Register>,
    /// The block of each instruction.
    pub block_of: Vec<BlockId>,
    pub first_of: Vec<InstructionId>,
    pub end_of: Vec<InstructionId>,
    /// The phis each block begins with.
    pub phis: Vec<Vec<InstructionId>>,
    /// How many registers a frame has.
    pub registers: usize,
    pub ticks_on_entry: bool,
    /// Parameters that are copies in memory: position and size.
    pub by_value: Vec<(u32, u64)>,
    /// Calls of functions that the tables of the library know.
    pub library_calls: HashMap<InstructionId, LibraryCall>,
}

impl Uses {
    pub fn of(module: &Module, function: &Function) -> Uses {
        let mut block_of = vec![BlockId(0); function.instructions.len()];
        let mut phis = Vec::with_capacity(function.blocks.len());
        for (block, position) in function.blocks.iter().zip(0..) {
            let range = block.first.index()..block.end.index();
            block_of[range.clone()].fill(BlockId(position));
            let is_phi = |i: &usize| matches!(function.instructions[*i].op, Op::Phi { .. });
            phis.push(range.take_while(is_phi).map(|i| InstructionId(i as u32)).collect());
        }
        let mut uses = Uses {
            instructions: Vec::with_capacity(function.instructions.len()),
            operands: Vec::new(),
            block_of,
            first_of: function.blocks.iter().map(|b| b.first).collect(),
            end_of: function.blocks.iter().map(|b| b.end).collect(),
            phis,
            registers: function.instructions.len() + function.parameters.len(),
            ticks_on_entry: function.ticks_on_entry,
            by_value: (0..)
                .zip(&function.parameters)
                .filter(|(_, p)| p.by_value)
                .map(|(position, p)| (position, p.by_value_size))
                .collect(),
            library_calls: HashMap::new(),
        };
        for (id, instruction) in (0..).map(InstructionId).zip(&function.instructions) {
            let first = uses.operands.len() as u32;
            let mut action = uses.read(module, function, &instruction.op);
            if let Action::Load { size } = &mut action {
                *size = instruction.ty.store_size() as u32;
            }
            if let (Action::Call | Action::Invoke, Op::Call(call) | Op::Invoke { call, .. }) = (action, &instruction.op)
                && let Some(known) = LibraryCall::of(module, function, call)
            {
                uses.library_calls.insert(id, known);
            }
            let count = uses.operands.len() as u32 - first;
            uses.instructions.push(Use { action, ticks: instruction.ticks, first, count });
        }
        uses
    }

    pub fn operands(&self, of: &Use) -> &[Register] {
        &self.operands[of.first as usize..(of.first + of.count) as usize]
    }

    /// Notes the registers an instruction uses.
    fn read(&mut self, module: &Module, function: &Function, op: &Op) -> Action {
        let registers = function.instructions.len() as u32;
        let mut note = |operand: &Operand| self.operands.extend(register(registers, operand));
        match op {
            // Which way control came decides which of them it uses.
            Op::Phi { .. } => {}
            Op::Alloca { storage: Storage::Local | Storage::Frame(_), .. } | Op::Load { local: Some(_), .. } => {}
            Op::Store { value, local: Some(_), .. } => note(value),
            Op::Call(call) | Op::Invoke { call, .. } => {
                call.arguments.iter().for_each(&mut note);
                if let Callee::Pointer(pointer) = &call.callee {
                    note(pointer);
                }
            }
            _ => op.for_each_operand(note),
        }
        action(module, function, op)
    }
}

/// What an instruction does.
fn action(module: &Module, function: &Function, op: &Op) -> Action {
    match op {
        Op::Binary { .. }
        | Op::ICmp { .. }
        | Op::FCmp { .. }
        | Op::FNeg { .. }
        | Op::Cast { .. }
        | Op::Freeze { .. }
        | Op::Select { .. }
        | Op::ElementPointer { .. }
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::ExtractElement { .. }
        | Op::InsertElement { .. }
        | Op::Shuffle { .. }
        | Op::Alloca { storage: Storage::Dynamic, .. } => Action::Pure,
        Op::Alloca { storage: Storage::Local | Storage::Frame(_), .. } | Op::Fence | Op::LandingPad => Action::Nothing,
        Op::Phi { .. } => Action::Phi,
        Op::Load { local: Some(local), .. } => Action::LoadLocal { local: Register(local.0) },
        Op::Load { address, local: None, .. } => match area(function, address) {
            Some(area) => Action::LoadArea { area },
            // The size is that of the result; whoever called fills it in.
            None => Action::Load { size: 0 },
        },
        Op::Store { local: Some(local), .. } => Action::StoreLocal { local: Register(local.0) },
        Op::Store { value, value_type, local: None, .. } => {
            let values = u16::from(!matches!(value, Operand::Constant(_)));
            Action::Store { size: value_type.store_size() as u32, values }
        }
        Op::ReadModifyWrite { value_type, .. } | Op::CompareExchange { value_type, .. } => {
            Action::Atomic { size: value_type.store_size() as u32 }
        }
        Op::Call(call) => call_action(module, call),
        Op::Invoke { .. } => Action::Invoke,
        Op::Jump { .. } => Action::Jump,
        Op::Branch { .. } | Op::Switch { .. } => Action::Branch,
        Op::Return { .. } => Action::Return,
        Op::Resume { .. } | Op::Unreachable => Action::Leave,
    }
}

fn call_action(module: &Module, call: &Call) -> Action {
    match call.kind {
        CallKind::Open | CallKind::Closed | CallKind::Setjmp => Action::Call,
        CallKind::Computed | CallKind::Logged => Action::Pure,
        CallKind::Ignored => match module.intrinsic(&call.callee) {
            Some(Intrinsic::StartList) => Action::StartList,
            Some(Intrinsic::CopyList) => Action::CopyList,
            _ => Action::Nothing,
        },
        CallKind::Memory => match module.intrinsic(&call.callee) {
            Some(Intrinsic::Memory(MemoryIntrinsic::Fill)) => Action::Fill,
            _ => Action::Copy,
        },
    }
}

/// The register an operand names; constants name none.
pub fn register(instructions: u32, operand: &Operand) -> Option<Register> {
    match operand {
        Operand::Result(id) => Some(Register(id.0)),
        Operand::Parameter(position) => Some(Register(instructions + position)),
        Operand::Constant(_) => None,
    }
}

/// The area whose address a load from here tells, if the address is that of a field of a list of variable arguments. A
/// structure of the program's that is laid out like a list is taken for one, which costs a word in the trace.
fn area(function: &Function, address: &Operand) -> Option<Area> {
    let Operand::Result(id) = address else { return None };
    let Op::ElementPointer { stepped: Type::Struct { fields, size: LIST }, offset, indices, .. } =
        &function.instruction(*id).op
    else {
        return None;
    };
    let is_list = fields[..] == [(Type::Int(32), 0), (Type::Int(32), 4), (Type::Pointer, 8), (Type::Pointer, 16)];
    match offset {
        8 if is_list && indices.is_empty() => Some(Area::Stack),
        16 if is_list && indices.is_empty() => Some(Area::Registers),
        _ => None,
    }
}
