//! One level of an index.

use std::fmt;

use abi::{BlockId, InstructionId};
use program::FunctionKey;

/// One level of an index, or a step at its end.
///
/// Levels below the same parent are ordered as they execute. Inside one turn of everything around it control goes
/// forwards only in the order of blocks (reverse postorder), so the block's position in that order decides first, then
/// the instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level {
    /// Position of its block in [`program::Cfg::order`].
    pub position: u32,
    /// One more than the instruction it comes from; zero for turns, which begin before their block's instructions.
    pub place: u32,
    pub kind: Kind,
}

/// What a level stands for. What comes from the same instruction is executed in the order of these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A root: the how-manieth, and the function.
    Root(u32, FunctionKey),
    /// The how-manieth signal handler.
    Handler(u32),
    /// Turn of the loop or cycle whose first block stands at the level's position, counted from 1.
    Turn(u32),
    /// The execution of an instruction; only at the end of an index.
    Step,
    /// A call entered this function; not zero: the how-manieth function outside code called back.
    Call(u32, FunctionKey),
    /// A branch (or an invoke, after the call it is) went to this block.
    Outcome(BlockId),
    /// The how-manieth return to this call of the function by `longjmp`.
    Resumption(u32),
}

impl Level {
    pub(super) fn root(ordinal: u32, function: FunctionKey) -> Level {
        Level { position: 0, place: 0, kind: Kind::Root(ordinal, function) }
    }

    pub(super) fn handler(ordinal: u32) -> Level {
        Level { position: 0, place: 0, kind: Kind::Handler(ordinal) }
    }

    pub(super) fn turn(position: u32, turn: u32) -> Level {
        Level { position, place: 0, kind: Kind::Turn(turn) }
    }

    pub(super) fn at(position: u32, instruction: InstructionId, kind: Kind) -> Level {
        Level { position, place: instruction.0 + 1, kind }
    }

    /// After all the function did before.
    pub(super) fn resumption(ordinal: u32) -> Level {
        Level { position: u32::MAX, place: 0, kind: Kind::Resumption(ordinal) }
    }

    /// The instruction it comes from.
    pub fn instruction(&self) -> Option<InstructionId> {
        self.place.checked_sub(1).map(InstructionId)
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = InstructionId(self.place.saturating_sub(1));
        match self.kind {
            Kind::Root(ordinal, function) => write!(f, "root {ordinal} {}", function.function),
            Kind::Handler(ordinal) => write!(f, "handler {ordinal}"),
            Kind::Turn(turn) => write!(f, "turn {turn} at {}", self.position),
            Kind::Step => write!(f, "{from}"),
            Kind::Outcome(to) => write!(f, "{from} to {to}"),
            Kind::Call(0, function) => write!(f, "{from} calls {}", function.function),
            Kind::Call(ordinal, function) => write!(f, "{from} enters {} ({ordinal})", function.function),
            Kind::Resumption(ordinal) => write!(f, "resumption {ordinal}"),
        }
    }
}
