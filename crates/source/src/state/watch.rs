//! Following a replay with a state, and showing it step by step.

use abi::InstructionId;
use program::{Function, Module};
use replay::{Leaving, Observed, Observer};

use super::State;

/// What is shown the state at each step.
pub trait Watch {
    /// The state is still that before the step.
    fn before(&mut self, state: &mut State, step: &Observed<'_>);

    fn after(&mut self, _: &State, _: &Observed<'_>) {}
}

/// An observer that keeps the state.
pub struct Watched<W> {
    pub state: State,
    pub watch: W,
}

impl<W: Watch> Observer for Watched<W> {
    const IN_HANDLERS: bool = true;

    fn entered(&mut self, _: &Function, _: &Module, from_outside: bool) {
        self.state.entered(from_outside);
    }

    fn begun(&mut self, step: &Observed<'_>) {
        self.state.begun(step);
    }

    fn step(&mut self, step: &Observed<'_>) {
        self.watch.before(&mut self.state, step);
        self.state.apply(step);
        self.watch.after(&self.state, step);
    }

    fn left(&mut self, _: &Function, _: Leaving) {
        self.state.left();
    }

    fn returned(&mut self, _: &Observed<'_>) {
        self.state.returned();
    }

    fn landed(&mut self, _: &Observed<'_>) {
        self.state.outside_ran();
    }

    fn jumped(&mut self, _: InstructionId, _: InstructionId) {
        self.state.outside_ran();
    }

    fn interrupted(&mut self) {
        self.state.outside_ran();
    }

    fn resumed(&mut self) {
        self.state.outside_ran();
    }
}
