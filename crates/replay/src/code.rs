//! The compact form of a function that the interpreter runs: one operation per instruction, at the instruction's
//! own position, so that a position in the code is an instruction id.
//!
//! A frame is an array of 64-bit words: parameters first, then results and register-resident locals, each in words
//! of its own. Integers are kept zero-extended.

use std::sync::Arc;

use abi::{FunctionId, InstructionId};
use program::{BinaryOp, CastOp, FCmp, FloatKind, Function, FunctionKey, Module, Operand};
use rustc_hash::FxHashMap;
use semantics::Scalar;

/// Where an operand's first word is: in the frame, or (top bit set) in the constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ref(pub u32);

impl Ref {
    pub const CONSTANT: u32 = 1 << 31;

    pub fn constant(index: usize) -> Ref {
        Ref(index as u32 | Ref::CONSTANT)
    }
}

/// Where control goes: the position of an operation, or (top bit set) an edge that sets phis first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target(pub u32);

impl Target {
    pub const EDGE: u32 = 1 << 31;
}

/// `dst` is always a position in the frame.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// A phi (set by the edge that led here), a marker, a fence.
    Nothing,
    Move {
        dst: u32,
        a: Ref,
    },
    /// Keeps the low `bits`.
    Mask {
        dst: u32,
        a: Ref,
        bits: u8,
    },
    SignExtend {
        dst: u32,
        a: Ref,
        from: u8,
        to: u8,
    },
    Add32 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Add64 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Sub32 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Sub64 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Mul32 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Mul64 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    And {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Or {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Xor {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    /// Add, subtract, multiply, shift left of another width; the result is masked.
    Narrow {
        dst: u32,
        a: Ref,
        b: Ref,
        op: BinaryOp,
        bits: u8,
    },
    ShiftRight {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    ShiftRightSigned {
        dst: u32,
        a: Ref,
        b: Ref,
        bits: u8,
    },
    Divide {
        dst: u32,
        a: Ref,
        b: Ref,
        op: BinaryOp,
        bits: u8,
    },
    Float64 {
        dst: u32,
        a: Ref,
        b: Ref,
        op: BinaryOp,
    },
    Float32 {
        dst: u32,
        a: Ref,
        b: Ref,
        op: BinaryOp,
    },
    Negate64 {
        dst: u32,
        a: Ref,
    },
    Negate32 {
        dst: u32,
        a: Ref,
    },
    Equal {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    NotEqual {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Above {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    AboveEqual {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Greater32 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    GreaterEqual32 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    Greater64 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    GreaterEqual64 {
        dst: u32,
        a: Ref,
        b: Ref,
    },
    /// Other widths.
    Greater {
        dst: u32,
        a: Ref,
        b: Ref,
        bits: u8,
    },
    GreaterEqual {
        dst: u32,
        a: Ref,
        b: Ref,
        bits: u8,
    },
    Compare64 {
        dst: u32,
        a: Ref,
        b: Ref,
        op: FCmp,
    },
    Compare32 {
        dst: u32,
        a: Ref,
        b: Ref,
        op: FCmp,
    },
    CastFloat {
        dst: u32,
        a: Ref,
        op: CastOp,
        from: ScalarKind,
        to: ScalarKind,
    },
    Select {
        dst: u32,
        condition: Ref,
        side: u32,
    },
    /// `a + index * stride + offset`; numbers in the side table.
    Element {
        dst: u32,
        base: Ref,
        index: Ref,
        side: u32,
    },
    Load8 {
        dst: u32,
    },
    Load16 {
        dst: u32,
    },
    Load32 {
        dst: u32,
    },
    Load64 {
        dst: u32,
    },
    /// Logged values of other sizes.
    LoadBytes {
        dst: u32,
        bytes: u32,
        words: u32,
    },
    /// Loads that come from the shadow, unless they meet a surprise.
    Watch8 {
        dst: u32,
        address: Ref,
        key: u32,
    },
    Watch16 {
        dst: u32,
        address: Ref,
        key: u32,
    },
    Watch32 {
        dst: u32,
        address: Ref,
        key: u32,
    },
    Watch64 {
        dst: u32,
        address: Ref,
        key: u32,
    },
    /// Stores to memory.
    Store8 {
        a: Ref,
        address: Ref,
    },
    Store16 {
        a: Ref,
        address: Ref,
    },
    Store32 {
        a: Ref,
        address: Ref,
    },
    Store64 {
        a: Ref,
        address: Ref,
    },
    StoreBytes {
        a: Ref,
        address: Ref,
        bytes: u32,
    },
    /// A store the shadow does not follow: nothing to do but the tick. A plan may have changed the value.
    StoreUnseen {
        a: Ref,
        address: Ref,
    },
    /// A store to a register-resident local.
    Assign {
        dst: u32,
        a: Ref,
    },
    AssignWide {
        dst: u32,
        a: Ref,
        words: u32,
    },
    /// A store that joins the hash with its value and address; what else it does is in the side table.
    StoreHashed {
        a: Ref,
        address: Ref,
        side: u32,
    },
    MoveWide {
        dst: u32,
        a: Ref,
        words: u32,
    },
    /// A frame-resident local's address: frame address plus offset.
    FrameAddress {
        dst: u32,
        offset: u32,
    },
    /// Memory intrinsics.
    Copy {
        to: Ref,
        from: Ref,
        length: Ref,
    },
    Fill {
        to: Ref,
        byte: Ref,
        length: Ref,
    },
    /// Logged result after a tick: atomics.
    TickLoad {
        dst: u32,
        bytes: u32,
        words: u32,
    },
    Jump {
        target: Target,
    },
    JumpTick {
        target: Target,
    },
    Branch {
        condition: Ref,
        then: Target,
        otherwise: Target,
    },
    Switch {
        value: Ref,
        side: u32,
    },
    /// Anything on values of other types, through `wide`.
    Wide {
        side: u32,
    },
    Call {
        side: u32,
    },
    Return {
        value: Ref,
        words: u32,
    },
    /// An exception goes on: control is outside.
    Resume,
    /// The program cannot get past this: it was ended by a trap.
    Trap,
}

/// The scalars whose casts are done in place, in fewer bytes than a [`Scalar`] takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScalarKind {
    Int(u8),
    F32,
    F64,
}

impl From<ScalarKind> for Scalar {
    #[inline(always)]
    fn from(kind: ScalarKind) -> Scalar {
        match kind {
            ScalarKind::Int(bits) => Scalar::Int(bits.into()),
            ScalarKind::F32 => Scalar::Float(FloatKind::Single),
            ScalarKind::F64 => Scalar::Float(FloatKind::Double),
        }
    }
}

#[derive(Debug)]
pub struct ElementSide {
    pub offset: u64,
    pub bits: u32,
    pub stride: u64,
    /// Further indices: operand, width, stride.
    pub more: Vec<(Ref, u32, u64)>,
}

#[derive(Debug)]
pub struct SelectSide {
    pub then: Ref,
    pub otherwise: Ref,
}

/// What a hashed store does besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreSide {
    /// Assigns this word of the frame.
    Local(u32),
    /// Writes this many bytes of memory.
    Shadowed(u32),
    Unseen,
}

#[derive(Debug)]
pub struct SwitchSide {
    /// Sorted by value.
    pub cases: Vec<(u64, Target)>,
    pub default: Target,
    pub hashes: bool,
}

#[derive(Debug)]
pub struct WideSide {
    pub dst: u32,
    pub words: u32,
    /// First word and number of words of each operand, in the order the instruction names them.
    pub operands: Vec<(Ref, u32)>,
    /// Index of a dynamic element, for extract and insert of elements.
    pub index: Ref,
}

/// Who is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallTarget {
    Inside {
        module: usize,
        function: FunctionId,
    },
    Outside,
    /// Decided by the pointer's value.
    Pointer(Ref),
}

#[derive(Debug)]
pub struct CallSide {
    pub target: CallTarget,
    /// The address called, or where it is.
    pub callee_address: Result<u64, Ref>,
    pub type_hash: u32,
    /// First word and number of words of each argument.
    pub arguments: Vec<(Ref, u32)>,
    pub dst: u32,
    pub words: u32,
    /// Bytes of the result in the log.
    pub bytes: u32,
    pub never_returns: bool,
    pub may_return_twice: bool,
    /// An invoke: where it goes on.
    pub normal: Option<Target>,
    pub unwind: Option<Target>,
}

#[derive(Debug)]
pub struct EdgeSide {
    pub target: u32,
    /// First word of the phi, first word of the value, number of words.
    pub copies: Vec<(u32, Ref, u32)>,
    /// The phis set, for observers.
    pub phis: Vec<InstructionId>,
}

pub struct Code {
    pub module: Arc<Module>,
    pub module_position: usize,
    pub id: FunctionId,
    pub ops: Vec<Op>,
    pub constants: Vec<u64>,
    pub frame_words: u32,
    /// Words of each parameter, and bytes in the log.
    pub parameters: Vec<ParameterSide>,
    pub elements: Vec<ElementSide>,
    pub selects: Vec<SelectSide>,
    pub stores: Vec<StoreSide>,
    pub switches: Vec<SwitchSide>,
    pub wides: Vec<WideSide>,
    pub calls: Vec<CallSide>,
    pub edges: Vec<EdgeSide>,
    /// First word and number of words of each instruction's result.
    pub results: Vec<(u32, u32)>,
    /// Where constants of operands are, for observers: by address of the shared constant.
    pub(crate) constant_places: FxHashMap<usize, (u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
pub struct ParameterSide {
    pub first: u32,
    pub words: u32,
    pub bytes: u32,
    pub by_value: bool,
}

impl Code {
    pub fn function(&self) -> &Function {
        self.module.function(self.id)
    }

    pub fn key(&self) -> FunctionKey {
        FunctionKey { module: self.module_position as u32, function: self.id }
    }

    pub(crate) fn operand_words(&self, operand: &Operand, frame: *const u64) -> &[u64] {
        // SAFETY: `frame` points to a live frame of this code; positions were assigned by `compile` within it.
        match operand {
            Operand::Parameter(n) => {
                let p = self.parameters[*n as usize];
                // SAFETY: `compile` gave the parameter so many words within the frame.
                unsafe { std::slice::from_raw_parts(frame.add(p.first as usize), p.words as usize) }
            }
            Operand::Result(id) => self.result_words(*id, frame),
            Operand::Constant(constant) => match self.constant_places.get(&(Arc::as_ptr(constant) as usize)) {
                Some(&(first, words)) => &self.constants[first as usize..(first + words) as usize],
                None => &[],
            },
        }
    }

    pub(crate) fn result_words(&self, id: InstructionId, frame: *const u64) -> &[u64] {
        let (first, words) = self.results[id.index()];
        // SAFETY: as above.
        unsafe { std::slice::from_raw_parts(frame.add(first as usize), words as usize) }
    }
}
