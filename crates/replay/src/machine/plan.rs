//! Obeying the plan of an experiment as the runtime did (`runtime/src/plan.rs`): what an intervention can be carried out on,
//! which of several at one step prevails, and how much of a word of forced outcomes is left.
//!
//! It concerns the first thread, twins of library functions included, but no signal handler that interrupted it.

use abi::{InstructionId, StreamId, TickKind};
use program::{Instruction, Op, scalar_bits};
use recording::Stream;
use recording::plan::{Change, Intervention};
use semantics::{Domain, Word};

use crate::code::Code;
use crate::edited::Edited;
use crate::image::Image;

/// A plan that is being obeyed.
pub(super) struct Planned<'r> {
    /// What was changed in this run on purpose, in the order of clocks.
    interventions: &'r [Intervention],
    at: PlanPosition,
    /// The latest change that was made: when, and to what.
    changed: Option<(u64, u64)>,
    /// Where the plan was before each intervention that was obeyed since the latest branch, and the clock of that.
    before: Vec<(u64, PlanPosition)>,
}

/// How far a plan has been obeyed.
#[derive(Clone, Copy, Default)]
pub(super) struct PlanPosition {
    /// The next intervention.
    next: usize,
    /// The intervention whose word of outcomes is in force, and how many of them were taken.
    forced: Option<(usize, usize)>,
    /// The place that computes something else by now.
    edited: Option<Edited>,
}

impl<'r> Planned<'r> {
    pub fn new(image: &Image<'r>, stream: &Stream) -> Planned<'r> {
        let plan = image.recording.case().plan.as_ref().filter(|_| stream.id == StreamId::MAIN);
        let interventions = plan.map_or(&[][..], |plan| plan.interventions());
        Planned { interventions, at: PlanPosition::default(), changed: None, before: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.interventions.is_empty()
    }

    pub fn position(&self) -> PlanPosition {
        self.at
    }

    pub fn set_position(&mut self, position: PlanPosition) {
        self.at = position;
    }

    /// What was put in place of the value of the step at this clock.
    pub fn changed_at(&self, clock: u64) -> Option<u64> {
        self.changed.filter(|(changed, _)| *changed == clock).map(|(_, value)| value)
    }

    /// A signal handler was left by a jump: ticks after this clock were never executed. They are all in one block.
    pub fn take_back(&mut self, clock: u64) {
        while let Some((_, position)) = self.before.pop_if(|(obeyed, _)| *obeyed > clock) {
            self.at = position;
        }
    }

    #[inline]
    pub fn is_due(&self, clock: u64) -> bool {
        let is_next = self.interventions.get(self.at.next).is_some_and(|next| next.clock <= clock);
        is_next || self.at.forced.is_some() || self.at.edited.is_some()
    }

    /// The value that the step at this clock goes on with, instead of the one it had.
    pub fn obey(&mut self, clock: u64, value: u64, code: &Code, pc: usize, frame: *const u64) -> u64 {
        let (kind, bits) = kind_of(code.function().instruction(InstructionId(pc as u32)));
        let ends_block = matches!(kind, TickKind::Branch | TickKind::Switch);
        let mut made = None;
        while let Some(next) = self.interventions.get(self.at.next).filter(|next| next.clock <= clock) {
            self.before.push((next.clock, self.at));
            let position = self.at.next;
            self.at.next += 1;
            let is_now = next.clock == clock;
            match next.change {
                // It needs no value, so a tick that has none (of a copy, of a jump) can begin it. The first clock is 1.
                Change::Force(_) if next.clock > 0 => self.at.forced = Some((position, 0)),
                Change::Switch if is_now && kind == TickKind::Branch => made = Some(made.unwrap_or(value) ^ 1),
                Change::Replace(value) if is_now && kind != TickKind::Other => made = Some(value),
                Change::Edit(edit) if is_now && kind != TickKind::Other && self.at.edited.is_none() => {
                    self.at.edited = Some(Edited::new(code, pc, edit));
                }
                // The runtime refused it; or memory tells by itself what was written to it; or the recording ends here.
                Change::Force(_)
                | Change::Switch
                | Change::Replace(_)
                | Change::Edit(_)
                | Change::Write { .. }
                | Change::Stop => {}
            }
        }
        // An edited place goes by its edit, and takes nothing of the word.
        let edited = self.at.edited.and_then(|edited| edited.value(made.unwrap_or(value), code, pc, frame));
        made = match edited {
            Some(_) => edited,
            None if ends_block => self.take_forced().or(made),
            None => made,
        };
        if ends_block {
            self.before.clear();
        }
        let Some(made) = made else { return value };
        // As the program narrows what is put in its place.
        let made = Word.cut(64, bits.into(), &made);
        self.changed = Some((clock, made));
        made
    }

    /// The next outcome that is forced, if any is left.
    fn take_forced(&mut self) -> Option<u64> {
        let (intervention, taken) = self.at.forced?;
        let word = match &self.interventions.get(intervention)?.change {
            Change::Force(outcomes) => outcomes.get(taken).copied(),
            _ => None,
        };
        self.at.forced = word.map(|_| (intervention, taken + 1));
        word
    }
}

/// What the runtime knows about a step's tick, and the bits of its value.
fn kind_of(instruction: &Instruction) -> (TickKind, u8) {
    let (kind, bits) = match &instruction.op {
        Op::Store { value_type, .. } => (TickKind::Store, scalar_bits(value_type)),
        Op::Branch { .. } => (TickKind::Branch, Some(1)),
        Op::Switch { value_type, .. } => (TickKind::Switch, scalar_bits(value_type)),
        _ => (TickKind::Other, None),
    };
    bits.map_or((TickKind::Other, 64), |bits| (kind, bits))
}
