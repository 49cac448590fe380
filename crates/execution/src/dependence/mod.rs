//! Dynamic dependences, found by walking a run backwards.
//!
//! Nothing of a run is kept but what is wanted at the moment: values of live registers, bytes of memory, choices that
//! decided whether a wanted step executed. A step that satisfies a wish belongs to the result, and its own operands are
//! wanted from then on. [`walk`] knows how control and values flow; a [`Demand`] decides what is remembered of it.

mod wanted;
mod frame;
pub mod variable;
mod crowd;
mod open_uses;
mod potential;
mod summary;
mod walk;
mod want;
mod straight;
mod event;
mod enter;
mod outside;
pub mod graph;
pub mod flow;
pub mod whole;

pub use walk::{Root, Walk, WalkError, Wish};
pub use wanted::Mark;

use program::potential::Potential;
use replay::Step;

/// Where a wish ends that no step satisfies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// Memory nobody had written: initial contents of variables, memory of the system.
    Initial,
    /// Memory changed by somebody who made no call: another thread, the kernel, a signal handler.
    Unseen,
    /// The program's start: arguments of `main`.
    Start,
}

/// Why a step is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Data,
    Control,
}

/// What is remembered of dependences.
pub trait Demand {
    /// A step that only passes values on (arithmetic, a load) is wanted. Returns who wants its operands.
    fn pass(&mut self, at: Step, slot: Slot, mark: Mark) -> Mark;

    /// A step that assigns, decides, calls or returns is wanted: for the value it makes, or for the choice it made.
    /// Returns who wants its operands.
    fn meet(&mut self, at: Step, slot: Slot, data: Mark, control: Mark) -> Mark;

    /// Both want the same place.
    fn merge(&mut self, a: Mark, b: Mark) -> Mark;

    /// Nobody in the program satisfies these.
    fn end(&mut self, source: Source, mark: Mark);

    /// This byte is as it was at the beginning of the run.
    fn initial(&mut self, _address: u64, mark: Mark) {
        self.end(Source::Initial, mark);
    }

    /// Whether it is asked what this use of a place potentially depends on.
    fn asks(&self, _use: Step) -> bool {
        true
    }

    /// Uses behind the mark potentially depend on this predicate. Returns who wants it for that.
    fn could(&mut self, _at: Step, users: Mark) -> Mark {
        users
    }

    /// Nothing that comes earlier would be remembered.
    fn is_full(&self) -> bool {
        false
    }

    /// An outside function about which nothing is known may have satisfied wishes.
    fn unknown(&mut self, _at: Step, _name: &str) {}
}

/// A small number for each function met, in the order they were met.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slot(pub u32);

/// Which dependences are followed.
#[derive(Clone, Copy)]
pub enum Follow<'f> {
    Data,
    DataAndControl,
    /// Potential ones, too.
    Relevant(&'f Potential<'f>),
    /// Summary control dependences, too: inside procedures.
    Summary(&'f Potential<'f>),
}

impl std::fmt::Debug for Follow<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Follow::Data => "data",
            Follow::DataAndControl => "data and control",
            Follow::Relevant(_) => "data, control and potential",
            Follow::Summary(_) => "data, control and summary control",
        })
    }
}
