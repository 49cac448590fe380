//! Calls of instrumented functions: arguments, copies of structures, and what comes back.

use program::{Call, Callee, Op};
use replay::Observed;

use super::Shadow;
use super::frames::Calling;
use super::registers::Held;
use super::step::number;
use super::strings::is_of_strings;
use crate::lost::Reason;
use execution::Register;
use execution::library_call::called_name;

impl Shadow<'_> {
    /// A call is about to be made.
    pub(super) fn call(&mut self, step: &Observed<'_>) {
        self.came_back = None;
        if self.alert & (super::concern::REGISTERS | super::concern::MEMORY) == 0 {
            if let Some(frame) = self.frames.last_mut() {
                frame.calls = None;
            }
            return;
        }
        let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
        if let Callee::Pointer(pointer) = &call.callee
            && let Some(term) = self.symbolic(step, pointer)
        {
            self.pin(step, term, Reason::PinnedSize);
        }
        self.compare_texts(step, call);
        self.string_before = None;
        if let Some(name) = called_name(step.module(), call).filter(|name| is_of_strings(name)) {
            let words: Vec<u64> = call.arguments.iter().map(|operand| number(step.operand(operand)) as u64).collect();
            self.note_string(step, name, &words);
        }
        let Some(frame) = self.frames.last() else { return };
        let has_copies = !call.by_value.is_empty() && self.memory.count() != 0;
        let wanted = frame.part.live != 0 || has_copies;
        let calling = wanted.then(|| Box::new(self.calling(step, call)));
        if let Some(frame) = self.frames.last_mut() {
            frame.calls = calling;
            frame.call.add(step.id());
        }
    }

    fn calling(&self, step: &Observed<'_>, call: &Call) -> Calling {
        Calling {
            at: step.step(),
            arguments: call.arguments.iter().map(|operand| self.held(step, operand).cloned()).collect(),
            words: call.arguments.iter().map(|operand| number(step.operand(operand)) as u64).collect(),
        }
    }

    /// The function entered last begins: its parameters are what its caller handed over.
    pub(super) fn take_arguments(&mut self, step: &Observed<'_>) {
        let function = step.function();
        let depth = self.frames.len();
        let Some(frame) = self.frames.last() else { return };
        if frame.from_outside {
            if function.name == "main" {
                self.take_command_line(step);
            }
            return;
        }
        let instructions = function.instructions.len() as u32;
        let Some(caller) = depth.checked_sub(2).and_then(|at| self.frames.get(at)) else { return };
        let Some(calling) = &caller.calls else { return };
        let arguments = calling.arguments.clone();
        let words = calling.words.clone();
        let site = calling.at.site;
        if function.is_variadic {
            self.hand_over_variable(site, &arguments, &words, function.parameters.len());
        }
        for ((position, parameter), held) in (0..).zip(&function.parameters).zip(arguments) {
            let address = number(step.operand(&program::Operand::Parameter(position))) as u64;
            if parameter.by_value {
                // The callee sees a copy, elsewhere.
                if let Some(&from) = words.get(position as usize) {
                    self.memory.copy(address, from, parameter.by_value_size);
                }
                continue;
            }
            let fits = match &held {
                Some(Held::Term(term)) => {
                    let width = self.domain.width(*term);
                    u64::from(width.div_ceil(8)) == parameter.ty.store_size()
                        && self.domain.value(*term)
                            == super::step::cut(number(step.operand(&program::Operand::Parameter(position))), width)
                }
                Some(Held::Bytes(cells)) => cells.len() as u64 == parameter.ty.store_size(),
                None => true,
            };
            match fits {
                true => self.set_register(Register(instructions + position), held),
                // The caller believes in another type.
                false => self.note_lost(site, Reason::Wrong),
            }
        }
    }
}
