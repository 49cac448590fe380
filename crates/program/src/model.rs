//! Modules, functions, blocks and instructions as plain data.

use std::sync::Arc;

pub use abi::{BlockId, FunctionId, InstructionId, ModuleId};

use crate::constant::Constant;
use crate::operator::{BinaryOp, CastOp, FCmp, ICmp, RmwOp};
use crate::types::Type;

#[derive(Debug)]
pub struct Module {
    pub id: ModuleId,
    /// As given to the compiler.
    pub source_file: String,
    /// Source files that locations of this module name.
    pub files: Vec<Arc<SourceFile>>,
    /// Defined and declared functions; position = [`FunctionId`].
    pub functions: Vec<Function>,
    /// Names of all global values in the order of the module descriptor's addresses (functions come first, so the
    /// first `functions.len()` are theirs), with the bytes a variable takes.
    pub globals: Vec<Global>,
    /// Why functions of this module are outside, in sentences.
    pub limits: Vec<String>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct SourceFile {
    pub directory: String,
    pub name: String,
}

#[derive(Debug)]
pub struct Global {
    pub name: String,
    /// Bytes in memory of a variable; zero for functions, aliases and what is only declared without a size.
    pub size: u64,
    /// A variable that nobody may write.
    pub is_constant: bool,
    /// Its address is part of the initial value of some variable, or of an alias.
    pub address_in_initializer: bool,
    /// What it holds when the program starts, if that is an array of bytes; else empty.
    pub text: Vec<u8>,
    /// The same of any other variable that nobody may write, unless it is large.
    pub initial: Option<Constant>,
}

/// How control may come into a function, and so what it logs on entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// Not instrumented, or only declared here: its inside is unknown.
    Outside,
    /// From instrumented code or from outside.
    Open,
    /// Only from instrumented code of the same module.
    Closed,
}

#[derive(Debug)]
pub struct Function {
    pub id: FunctionId,
    /// The symbol's name.
    pub name: String,
    pub linkage: Linkage,
    pub return_type: Type,
    pub parameters: Vec<Parameter>,
    pub is_variadic: bool,
    /// As `pass` computed it for `abi::call_token`.
    pub type_hash: u32,
    /// The frame's address is logged on entry.
    pub logs_frame: bool,
    /// The clock advances on entry, before the first instruction.
    pub ticks_on_entry: bool,
    pub blocks: Vec<Block>,
    /// In order of blocks; position = [`InstructionId`].
    pub instructions: Vec<Instruction>,
    /// Where the function is declared.
    pub location: Option<SourceLocation>,
}

#[derive(Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: Type,
    /// Passed by value in memory: the callee sees a copy whose address it logs on entry.
    pub by_value: bool,
    /// Bytes of that copy; zero if it is not passed so.
    pub by_value_size: u64,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub name: String,
    /// First instruction, and one past the last (the terminator is the last).
    pub first: InstructionId,
    pub end: InstructionId,
}

/// A position in the source; `file` is an index into [`Module::files`]. Line and column count from 1, 0 is unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SourceLocation {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug)]
pub struct Instruction {
    /// Type of the result; void if none.
    pub ty: Type,
    /// Name of the value in the IR; for an alloca the variable's name. Empty if none.
    pub name: String,
    pub location: Option<SourceLocation>,
    /// Advances the clock before it takes effect.
    pub ticks: bool,
    /// Joins the running hash.
    pub hashes: bool,
    pub op: Op,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A parameter of the function, by position.
    Parameter(u32),
    /// The result of an instruction.
    Result(InstructionId),
    Constant(Arc<Constant>),
}

/// Where an alloca lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// In registers: loads and stores of it are not logged and touch no memory.
    Local,
    /// At this offset of the frame.
    Frame(u64),
    /// Wherever the log says, each time it executes.
    Dynamic,
}

/// How a call behaves towards the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallKind {
    /// Instrumented or outside, by the callee's address.
    Open,
    /// The instrumented function it names.
    Closed,
    /// Outside for certain, enters nothing: the result is logged without a record (intrinsics, inline assembly).
    Logged,
    /// Outside, and may return twice.
    Setjmp,
    /// An intrinsic the replay computes.
    Computed,
    /// An intrinsic without effect on the replay.
    Ignored,
    /// `memcpy`, `memmove`, `memset`: writes memory, logs nothing.
    Memory,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Callee {
    /// A function of this module, by its position; where control really goes, the address table tells.
    Function(FunctionId),
    /// An alias or ifunc, by its position in the address table.
    Symbol(u32),
    Pointer(Operand),
    Assembly,
}

#[derive(Debug)]
pub struct Call {
    pub kind: CallKind,
    pub callee: Callee,
    pub arguments: Vec<Operand>,
    /// Types of the arguments, in order.
    pub argument_types: Vec<Type>,
    /// Arguments that are passed as copies in memory: position and bytes.
    pub by_value: Vec<(u32, u64)>,
    /// See `abi::call_token`.
    pub type_hash: u32,
    pub never_returns: bool,
}

/// Every instruction clang emits for C and C++. What cannot be modelled makes its function outside, in `pass`.
#[derive(Debug)]
pub enum Op {
    Binary {
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
    },
    FNeg {
        value: Operand,
    },
    ICmp {
        op: ICmp,
        lhs: Operand,
        rhs: Operand,
        operand_type: Type,
    },
    FCmp {
        op: FCmp,
        lhs: Operand,
        rhs: Operand,
        operand_type: Type,
    },
    Cast {
        op: CastOp,
        value: Operand,
        from: Type,
    },
    Select {
        condition: Operand,
        condition_type: Type,
        then: Operand,
        otherwise: Operand,
    },
    Freeze {
        value: Operand,
    },
    Phi {
        incoming: Vec<(BlockId, Operand)>,
    },
    /// `size` in bytes of one element; `count` elements.
    Alloca {
        storage: Storage,
        allocated: Type,
        size: u64,
        count: Operand,
    },
    /// `local` names the alloca when it is a [`Storage::Local`].
    /// `watched`: logged only where it is a surprise, under this key; otherwise a load from memory is always logged.
    Load {
        address: Operand,
        local: Option<InstructionId>,
        watched: Option<u32>,
    },
    /// `shadowed`: the program's shadow of its memory follows (see `abi`'s `watch` module).
    Store {
        value: Operand,
        value_type: Type,
        address: Operand,
        local: Option<InstructionId>,
        shadowed: bool,
    },
    /// `base + offset + Σ index * stride`; indices are sign-extended to 64 bits from their type.
    /// `stepped` is the type the base is taken to point to.
    ElementPointer {
        base: Operand,
        stepped: Type,
        offset: i64,
        indices: Vec<ElementIndex>,
    },
    /// Result logged.
    ReadModifyWrite {
        op: RmwOp,
        address: Operand,
        value: Operand,
        value_type: Type,
    },
    /// Result logged.
    CompareExchange {
        address: Operand,
        expected: Operand,
        replacement: Operand,
        value_type: Type,
    },
    Fence,
    ExtractValue {
        aggregate: Operand,
        aggregate_type: Type,
        path: Vec<u32>,
    },
    InsertValue {
        aggregate: Operand,
        value: Operand,
        value_type: Type,
        path: Vec<u32>,
    },
    ExtractElement {
        vector: Operand,
        vector_type: Type,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        element: Operand,
        index: Operand,
    },
    /// `mask` holds positions in the two vectors laid end to end; `None` is undefined (taken as zero).
    Shuffle {
        left: Operand,
        right: Operand,
        operand_type: Type,
        mask: Vec<Option<u32>>,
    },
    Call(Call),
    /// The block is ended by the call; control goes on at `normal` or lands at `unwind`.
    Invoke {
        call: Call,
        normal: BlockId,
        unwind: BlockId,
    },
    LandingPad,
    Jump {
        target: BlockId,
    },
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        value: Operand,
        value_type: Type,
        default: BlockId,
        cases: Vec<(u64, BlockId)>,
    },
    Return {
        value: Option<Operand>,
    },
    /// Goes on unwinding an exception.
    Resume {
        value: Operand,
    },
    Unreachable,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ElementIndex {
    pub index: Operand,
    /// Width of the index's integer type.
    pub bits: u32,
    pub stride: u64,
}

/// Symbols of twins, and of what they share, begin so.
const OURS: &str = "__faultline_";

impl Module {
    /// Whether this is a module of twins of library functions; it has nothing else then.
    pub fn has_twins(&self) -> bool {
        self.functions.iter().any(|f| f.linkage != Linkage::Outside && f.name.starts_with(OURS))
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }
}

/// As clang calls it.
pub(crate) const RESULT_SLOT: &str = "retval";

impl Function {
    pub fn instruction(&self, id: InstructionId) -> &Instruction {
        &self.instructions[id.index()]
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// Whether this is where clang keeps the result of a function that returns at several places. It has no name in the source.
    pub fn is_result_slot(&self, id: InstructionId) -> bool {
        let slot = self.instruction(id);
        matches!(slot.op, Op::Alloca { .. }) && &*slot.name == RESULT_SLOT
    }

    /// The last instruction of a block.
    pub fn terminator(&self, block: &Block) -> &Op {
        &self.instructions[block.end.index() - 1].op
    }
}
