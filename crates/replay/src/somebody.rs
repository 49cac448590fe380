//! An observer whose type the interpreter does not know. For each type it knows, it is built once more, which takes long;
//! for this one it is built once, here, and each step costs one jump more.

use abi::InstructionId;
use program::{Function, Module};

use crate::observer::{Leaving, Observed, Observer};

pub struct Somebody<'o>(pub &'o mut dyn Watch);

/// What an observer can be told, whatever it is.
pub trait Watch {
    fn is_told_of_handlers(&self) -> bool;
    fn step(&mut self, step: &Observed<'_>);
    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool);
    fn begun(&mut self, step: &Observed<'_>);
    fn left(&mut self, function: &Function, leaving: Leaving);
    fn returned(&mut self, step: &Observed<'_>);
    fn landed(&mut self, step: &Observed<'_>);
    fn jumped(&mut self, from: InstructionId, to: InstructionId);
    fn interrupted(&mut self);
    fn resumed(&mut self);
}

impl<O: Observer> Watch for O {
    fn is_told_of_handlers(&self) -> bool {
        Observer::is_told_of_handlers(self)
    }

    fn step(&mut self, step: &Observed<'_>) {
        Observer::step(self, step);
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        Observer::entered(self, function, module, from_outside);
    }

    fn begun(&mut self, step: &Observed<'_>) {
        Observer::begun(self, step);
    }

    fn left(&mut self, function: &Function, leaving: Leaving) {
        Observer::left(self, function, leaving);
    }

    fn returned(&mut self, step: &Observed<'_>) {
        Observer::returned(self, step);
    }

    fn landed(&mut self, step: &Observed<'_>) {
        Observer::landed(self, step);
    }

    fn jumped(&mut self, from: InstructionId, to: InstructionId) {
        Observer::jumped(self, from, to);
    }

    fn interrupted(&mut self) {
        Observer::interrupted(self);
    }

    fn resumed(&mut self) {
        Observer::resumed(self);
    }
}

impl Observer for Somebody<'_> {
    fn is_told_of_handlers(&self) -> bool {
        self.0.is_told_of_handlers()
    }

    fn step(&mut self, step: &Observed<'_>) {
        self.0.step(step);
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        self.0.entered(function, module, from_outside);
    }

    fn begun(&mut self, step: &Observed<'_>) {
        self.0.begun(step);
    }

    fn left(&mut self, function: &Function, leaving: Leaving) {
        self.0.left(function, leaving);
    }

    fn returned(&mut self, step: &Observed<'_>) {
        self.0.returned(step);
    }

    fn landed(&mut self, step: &Observed<'_>) {
        self.0.landed(step);
    }

    fn jumped(&mut self, from: InstructionId, to: InstructionId) {
        self.0.jumped(from, to);
    }

    fn interrupted(&mut self) {
        self.0.interrupted();
    }

    fn resumed(&mut self) {
        self.0.resumed();
    }
}
