//! The walk backwards through the traces of a run, last window first: its state, where it begins, when it is over.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use abi::InstructionId;
use budget::Budget;
use program::{Function, FunctionKey, Op, Shape, Site};
use replay::Step;

use super::frame::{At, Frame, Pending};
use super::open_uses::OpenUses;
use super::summary::Summaries;
use super::variable::Lists;
use super::wanted::WantedMemory;
use super::{Demand, Follow, Mark, Slot};
use crate::functions::Functions;
use crate::trace::Trace;
use crate::uses::{Register, Uses, register};

/// The trace is not one of this program. Our bug.
#[derive(Debug, thiserror::Error)]
#[error("the trace disagrees with the program at clock {clock}: expected {expected}")]
pub struct WalkError {
    pub clock: u64,
    pub expected: &'static str,
}

/// Blocks and calls after which the budget is asked again. One of them can take a while where many uses wait for a definition.
const ASKED_EVERY: u32 = 64;

/// What is wanted of a step that stands at the beginning of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// All it used.
    Operands,
    /// One argument of a call, or one operand, by its position.
    Argument(u32),
    /// Bytes of memory as they were before it.
    Memory { address: u64, length: u64 },
    /// The contents of a register-resident local before it.
    Local(InstructionId),
    /// That it was executed.
    Execution,
    /// The value it made; of a step that only computes or loads.
    Result,
}

#[derive(Clone)]
pub struct Root {
    pub at: Step,
    pub wishes: Vec<Wish>,
    pub mark: Mark,
}

struct Known<'f> {
    slot: Slot,
    function: &'f Function,
    uses: Arc<Uses>,
    shape: Arc<Shape>,
}

pub struct Walk<'f, D> {
    pub(super) functions: &'f Functions<'f>,
    pub demand: D,
    /// Whether choices are followed.
    pub(super) follows_control: bool,
    /// Where potential dependences are followed: the uses that wait.
    pub(super) open: Option<Box<OpenUses<'f>>>,
    /// Where summary control dependences are followed: the same.
    pub(super) summaries: Option<Box<Summaries<'f>>>,
    /// Choices on which something depends that is no value of the program's, and who.
    choices: (HashSet<Step>, Mark),
    pub(super) frames: Vec<Frame<'f>>,
    pub(super) memory: WantedMemory,
    pub(super) clock: u64,
    /// Who wants to know why control jumped to where the walk has just been.
    pub(super) jump: Mark,
    known: HashMap<FunctionKey, Known<'f>>,
    /// Functions by their slots.
    pub keys: Vec<FunctionKey>,
    /// Still to come; the last comes first.
    pub(super) roots: Vec<Root>,
    pub(super) lists: Lists,
    pub(super) spare: Vec<(Vec<Mark>, Vec<Mark>)>,
    /// Asked now and then.
    pub(crate) budget: Budget,
    /// More happened before this clock that the walk did not come to.
    pub cut: Option<u64>,
    /// No window has been walked over.
    is_new: bool,
}

impl<'f, D: Demand> Walk<'f, D> {
    pub fn new(functions: &'f Functions<'f>, follow: Follow<'f>, demand: D) -> Walk<'f, D> {
        Walk {
            functions,
            demand,
            follows_control: !matches!(follow, Follow::Data),
            open: match follow {
                Follow::Relevant(potential) => Some(Box::new(OpenUses::new(potential))),
                Follow::Data | Follow::DataAndControl | Follow::Summary(_) => None,
            },
            summaries: match follow {
                Follow::Summary(potential) => Some(Box::new(Summaries::new(potential))),
                Follow::Data | Follow::DataAndControl | Follow::Relevant(_) => None,
            },
            choices: Default::default(),
            frames: Vec::new(),
            memory: WantedMemory::default(),
            clock: 0,
            jump: Mark::NOBODY,
            known: HashMap::new(),
            keys: Vec::new(),
            roots: Vec::new(),
            lists: Lists::default(),
            spare: Vec::new(),
            budget: functions.image().budget.clone(),
            cut: None,
            is_new: true,
        }
    }

    /// Where it is.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// Begins at the end of a window: the functions on the stack, outermost first, with whether each was entered from
    /// outside. All but the innermost wait for a call; whether that does, the end of the trace will tell.
    pub fn begin(&mut self, stack: impl Iterator<Item = (Site, bool)>) {
        for (site, from_outside) in stack {
            let key = site.function;
            if let Some(below) = self.frames.last_mut() {
                below.at = At::Call(below.at.site());
            }
            self.push(key, from_outside, At::Before(site.instruction));
        }
        self.is_new = true;
    }

    /// These choices are wanted, by the mark.
    pub fn want_choices(&mut self, choices: HashSet<Step>, mark: Mark) {
        self.choices = (choices, mark);
    }

    /// Whether any branch is looked for, other than by what depends on it.
    pub(super) fn looks_for_choices(&self) -> bool {
        self.summaries.is_some() || !self.choices.0.is_empty()
    }

    pub(super) fn choice_users(&mut self, at: Step) -> Mark {
        let (choices, mark) = &mut self.choices;
        if choices.remove(&at) { *mark } else { Mark::NOBODY }
    }

    /// What the walk looks for; those of later steps come first.
    pub fn set_roots(&mut self, mut roots: Vec<Root>) {
        roots.sort_by_key(|root| root.at.clock);
        self.roots = roots;
    }

    /// Wishes for the instruction the innermost function is at, which was begun but not completed.
    pub fn want_at_top(&mut self, wishes: &[Wish], mark: Mark) {
        let Some(top) = self.frames.len().checked_sub(1) else { return };
        let at = self.frames[top].at.site();
        self.grant(top, at, wishes, mark);
    }

    /// Whether anything is still looked for.
    pub fn is_over(&self) -> bool {
        self.roots.is_empty()
            && self.choices.0.is_empty()
            && self.memory.is_empty()
            && self.jump.is_nobody()
            && self.frames.iter().all(|f| {
                f.wanted_blocks == 0
                    && f.returned.is_nobody()
                    && f.registers.iter().all(|m| m.is_nobody())
                    && f.pending.is_empty()
            })
    }

    /// What is wanted at the very beginning of the run, nobody in it has made.
    pub fn finish(&mut self) {
        let rest: Vec<(u64, Mark)> = self.memory.rest().collect();
        for (address, mark) in rest {
            self.demand.initial(address, mark);
        }
        let unmet = [self.memory.outside().take_all(), self.memory.unlooked().take_all()].concat();
        for (address, mark) in unmet {
            self.demand.initial(address, mark);
        }
    }

    /// Walks over one window, from its end to its beginning. It breaks off where the budget is spent: what was found is
    /// right, but there may be more.
    pub fn window(&mut self, trace: &Trace) -> Result<ControlFlow<()>, WalkError> {
        self.clock = trace.clock;
        let mut words = &trace.words[..];
        if std::mem::take(&mut self.is_new) {
            // A function that ran out of stack did not begin.
            self.frames.truncate(trace.depth);
            if let Some(at) = self.frames.last().map(|f| f.at.site()) {
                self.settle_place(at, words);
            }
        }
        let mut turns = 0_u32;
        while !words.is_empty() {
            turns = turns.wrapping_add(1);
            if turns.is_multiple_of(ASKED_EVERY) && self.budget.spent().is_some() {
                return Ok(ControlFlow::Break(()));
            }
            match self.frames.last().map(|f| f.at) {
                Some(At::Before(id)) => self.straight(id, &mut words)?,
                Some(At::Call(_) | At::AfterCall(_) | At::End) | None => self.event(&mut words)?,
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    pub(super) fn wrong(&self, expected: &'static str) -> WalkError {
        WalkError { clock: self.clock, expected }
    }

    pub(super) fn pop(&self, words: &mut &[u64]) -> Result<u64, WalkError> {
        let (&word, rest) = words.split_last().ok_or_else(|| self.wrong("one more word"))?;
        *words = rest;
        Ok(word)
    }

    pub(super) fn push(&mut self, key: FunctionKey, from_outside: bool, at: At) {
        let functions = self.functions;
        let keys = &mut self.keys;
        let known = self.known.entry(key).or_insert_with(|| {
            let slot = Slot(keys.len() as u32);
            keys.push(key);
            Known { slot, function: functions.function(key), uses: functions.uses(key), shape: functions.shape(key) }
        });
        let (mut registers, mut blocks) = self.spare.pop().unwrap_or_default();
        registers.resize(known.uses.registers, Mark::NOBODY);
        blocks.resize(known.uses.first_of.len(), Mark::NOBODY);
        self.frames.push(Frame {
            key,
            slot: known.slot,
            function: known.function,
            uses: known.uses.clone(),
            shape: known.shape.clone(),
            from_outside,
            at,
            registers,
            blocks,
            wanted_blocks: 0,
            pending: Pending::default(),
            returned: Mark::NOBODY,
            areas: Vec::new(),
            open_locals: Vec::new(),
            call: self.summaries.as_mut().map_or(0, |summaries| summaries.enter()),
            waiting: Vec::new(),
        });
    }

    pub(super) fn step(&self, frame: usize, instruction: InstructionId) -> Step {
        Step { clock: self.clock, depth: frame as u32 + 1, site: self.frames[frame].key.at(instruction) }
    }

    fn grant(&mut self, frame: usize, at: InstructionId, wishes: &[Wish], mark: Mark) {
        let uses = self.frames[frame].uses.clone();
        for wish in wishes {
            match *wish {
                Wish::Operands => self.want_operands(frame, &uses.instructions[at.index()], mark),
                Wish::Argument(position) => {
                    let function = self.frames[frame].function;
                    let count = function.instructions.len() as u32;
                    if let Some(operand) = argument(function, at, position)
                        && let Some(register) = register(count, operand)
                    {
                        self.want_register(frame, register, mark);
                    }
                }
                Wish::Memory { address, length } => self.want_unlooked(address, length, mark),
                Wish::Local(local) => self.want_register(frame, Register(local.0), mark),
                Wish::Execution => self.want_block(frame, uses.block_of[at.index()], mark),
                // Wanted before the step was walked over: see `results_at`.
                Wish::Result => {}
            }
        }
    }

    /// Wants the results of roots that are this step, which is walked over next.
    pub(super) fn results_at(&mut self, frame: usize, at: InstructionId) {
        let here = self.step(frame, at);
        for position in (0..self.roots.len()).rev() {
            let Root { at, wishes, mark } = &self.roots[position];
            if at.clock < here.clock {
                break;
            }
            if *at == here && wishes.contains(&Wish::Result) {
                let mark = *mark;
                self.want_register(frame, Register(here.site.instruction.0), mark);
            }
        }
    }

    /// Grants the wishes of roots that are this step.
    pub(super) fn roots_at(&mut self, frame: usize, at: InstructionId) {
        let here = self.step(frame, at);
        while self.roots.last().is_some_and(|root| root.at.clock > self.clock) {
            self.roots.pop();
        }
        let mut position = self.roots.len();
        while position > 0 && self.roots[position - 1].at.clock == self.clock {
            position -= 1;
            if self.roots[position].at == here {
                let root = self.roots.remove(position);
                self.grant(frame, at, &root.wishes, root.mark);
            }
        }
    }
}

/// An argument of a call, or the operand that stands at this position.
fn argument(function: &Function, at: InstructionId, position: u32) -> Option<&program::Operand> {
    match &function.instruction(at).op {
        Op::Call(call) | Op::Invoke { call, .. } => call.arguments.get(position as usize),
        Op::Load { address, .. } => (position == 0).then_some(address),
        Op::Store { value, address, .. } => [value, address].get(position as usize).copied(),
        _ => None,
    }
}
