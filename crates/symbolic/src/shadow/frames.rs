//! The functions on the stack.

use program::FunctionKey;
use replay::Step;
use smt::Term;

use super::memory::Cell;
use super::registers::{Held, Part};
use execution::Area;

pub(super) struct Frame {
    /// Position among the uses that are known.
    pub uses: u32,
    pub function: FunctionKey,
    pub from_outside: bool,
    pub part: Part,
    /// The call that is waited for.
    pub calls: Option<Box<Calling>>,
    /// What it returns.
    pub returns: Option<Held>,
    /// What of its variable arguments is symbolic.
    pub variable: Vec<Variable>,
    /// The call that is waited for, if its result is to be a symbol.
    pub makes_fresh: Option<Step>,
    /// A number made of the calls that led here.
    pub context: u64,
    pub call: super::evaluation::Calls,
    /// Counts the functions in which something was symbolic that control went by.
    pub serial: Option<u32>,
}

/// A call, as far as what it hands over is symbolic.
pub(super) struct Calling {
    pub at: Step,
    pub arguments: Vec<Option<Held>>,
    /// The first word of each argument.
    pub words: Vec<u64>,
}

/// A variable argument, or a part of one.
#[derive(Clone)]
pub(super) struct Variable {
    pub area: Area,
    pub offset: u64,
    pub what: Content,
}

#[derive(Clone)]
pub(super) enum Content {
    Term(Term),
    Cells(Vec<Option<Cell>>),
}

impl Frame {
    pub fn new(uses: u32, function: FunctionKey, from_outside: bool, context: u64) -> Frame {
        Frame {
            uses,
            function,
            from_outside,
            part: Part::empty(),
            calls: None,
            returns: None,
            variable: Vec::new(),
            makes_fresh: None,
            context,
            call: Default::default(),
            serial: None,
        }
    }
}
