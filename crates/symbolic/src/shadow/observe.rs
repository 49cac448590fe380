//! The shadow as an observer: what it does at each step that concerns it.

use abi::InstructionId;
use execution::Action;
use program::{Function, Module, Op};
use replay::{Leaving, Observed, Observer};

use super::Shadow;

impl Shadow<'_> {
    fn act(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last() else { return };
        let live = frame.part.live != 0;
        match self.uses(frame).instructions[step.id().index()].action {
            Action::Nothing | Action::Leave => {}
            Action::Pure if live => self.pure(step),
            Action::Phi if live => self.compare(step),
            Action::LoadLocal { local } if live => self.load_local(step, local),
            Action::StoreLocal { local } if live => self.store_local(step, local),
            Action::Pure | Action::Phi | Action::LoadLocal { .. } | Action::StoreLocal { .. } => {}
            Action::Load { size } => self.load(step, size.into()),
            Action::LoadArea { area } => self.load_area(step, area),
            Action::Store { size, .. } => self.store(step, size.into()),
            Action::Copy => self.memory_intrinsic(step, false),
            Action::Fill => self.memory_intrinsic(step, true),
            Action::Atomic { size } => self.atomic(step, size.into()),
            Action::StartList => self.start_list(step),
            Action::CopyList => self.copy_list(step),
            Action::Call | Action::Invoke => self.call(step),
            Action::Jump => {
                if live && let Op::Jump { target } = &step.instruction().op {
                    self.enter_block(step, *target);
                }
            }
            Action::Branch => self.choose_way(step),
            Action::Return => self.returning(step),
        }
    }
}

impl Observer for Shadow<'_> {
    #[inline(always)]
    fn concerns(&mut self, id: InstructionId, clock: u64) -> bool {
        self.concerns.meet(id, self.alert) || clock >= self.next_asked
    }

    #[inline(never)]
    fn step(&mut self, step: &Observed<'_>) {
        let is_asked = step.clock >= self.next_asked;
        self.act(step);
        if is_asked && self.fresh.has(step) {
            self.refresh(step);
        }
        self.note_given_up(step);
        self.attend();
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        let functions = self.functions;
        let Some(number) = self.known_function(function, || functions.key_of(module.id, function.id)) else { return };
        self.push_frame(number, from_outside);
        self.changed_function();
        self.attend();
    }

    fn begun(&mut self, step: &Observed<'_>) {
        self.take_arguments(step);
        self.attend();
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        let Some(mut frame) = self.frames.pop() else { return };
        self.registers.leave(&frame.part);
        self.came_back = match leaving {
            Leaving::Returned if !frame.from_outside => Some(frame.returns.take()),
            Leaving::Returned | Leaving::Unwound(_) => None,
        };
        self.changed_function();
        self.attend();
    }

    fn returned(&mut self, step: &Observed<'_>) {
        match self.came_back.take() {
            Some(held) => {
                self.set_result(step.id(), held);
                self.compare(step);
            }
            None => self.came_from_outside(step),
        }
        self.refresh_result(step);
        if let Op::Invoke { normal, .. } = &step.instruction().op {
            self.enter_block(step, *normal);
        }
        self.note_given_up(step);
        self.attend();
    }

    fn landed(&mut self, step: &Observed<'_>) {
        self.came_back = None;
        if let Op::Invoke { unwind, .. } = &step.instruction().op {
            self.enter_block(step, *unwind);
        }
        self.attend();
    }

    fn jumped(&mut self, _: InstructionId, _: InstructionId) {
        self.came_back = None;
        self.attend();
    }
}
