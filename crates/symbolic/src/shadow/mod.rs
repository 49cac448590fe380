//! The shadow: an observer that computes with terms what the replay computes with numbers.
//!
//! Each register and each byte of memory has a term, or none where nothing symbolic is in it. A term carries the value
//! that it had in the run, and is compared with it at every instruction: a rule that is wrong shows where it is wrong, and
//! a byte that somebody else has written is concrete from then on. Memory that no instrumented code wrote is as it was.

mod memory;
mod registers;
mod frames;
mod evaluation;
mod step;
mod access;
mod compose;
mod call;
mod variable;
mod taken;
mod outside;
mod reading;
mod characters;
mod number;
mod streams;

use std::collections::{BTreeSet, HashMap, HashSet};

use abi::{BlockId, InstructionId};
use execution::{Action, Functions, Uses};
use program::{Function, Module, Op, Site};
use replay::{Leaving, Observed, Observer, Step};
use smt::{Term, Terms};

use crate::domain::TermDomain;
use crate::input::{Files, Input, Name, Symbols};
use crate::lost::{Lost, Reason};
use crate::path::{Condition, Kind, Other, Path, Way};
use evaluation::{Evaluations, context};
use frames::Frame;
use memory::{Cell, Memory};
use outside::{Parser, parsers};
use registers::{Held, Registers};
use taken::Taken;
use variable::Lists;

/// What a shadow may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes for terms.
    pub terms: usize,
    pub conditions: usize,
    /// Bytes of each input that become symbols.
    pub bytes: u64,
    /// Entries of a table that a symbolic index may choose from.
    pub entries: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { terms: 1 << 30, conditions: 1 << 20, bytes: 1 << 20, entries: 1024 }
    }
}

/// A call that wrote something symbolic.
#[derive(Clone, Debug)]
pub struct Wrote {
    pub at: Step,
    /// Which of the bytes it wrote, counted from its first, and what each is.
    pub bytes: Vec<(u64, Term)>,
}

/// What the shadow of a run knows at its end.
pub struct Shadowed {
    pub domain: TermDomain,
    pub symbols: Symbols,
    pub path: Path,
    pub lost: Lost,
    pub wrote: Vec<Wrote>,
    /// What the last step was about to do, if that is symbolic: an address, a divisor.
    pub at_end: Option<(Step, Term)>,
    /// Where control went at each step that was asked about.
    pub ways: HashMap<Step, Way>,
    /// Every way that control went, if that was noted.
    pub taken: HashSet<(Site, Way)>,
    /// Variables of the environment that the program asked for, and that were not set.
    pub unset: BTreeSet<String>,
}

pub struct Shadow<'f> {
    functions: &'f Functions<'f>,
    limits: Limits,
    domain: TermDomain,
    symbols: Symbols,
    memory: Memory,
    registers: Registers,
    frames: Vec<Frame>,
    known: Vec<std::sync::Arc<Uses>>,
    /// By the function's place in memory, which the image keeps.
    known_by_place: HashMap<usize, u32>,
    path: Path,
    /// Conditions that hold already, so that each is noted once.
    held: HashSet<Term>,
    evaluations: Evaluations,
    lost: Lost,
    wrote: Vec<Wrote>,
    at_end: Option<(Step, Term)>,
    /// What the function left last returned, to who called it from instrumented code.
    came_back: Option<Option<Held>>,
    lists: Lists,
    files: Files,
    /// Memory that becomes symbolic as soon as its address is known: by the address of the pointer to it.
    awaited: HashMap<u64, Vec<Option<Cell>>>,
    fresh: HashSet<Step>,
    asked: HashSet<Step>,
    ways: HashMap<Step, Way>,
    taken: Option<Taken>,
    stdin_at: Vec<u64>,
    /// Functions of the library that are called by their addresses, with what they make of a text.
    parsers: HashMap<u64, Parser>,
    unset: BTreeSet<String>,
}

impl<'f> Shadow<'f> {
    /// `stack`: the functions on the stack where the replay begins, outermost first.
    pub fn new(
        functions: &'f Functions<'f>,
        stack: impl Iterator<Item = (Site, bool)>,
        inputs: Vec<Input>,
        limits: Limits,
    ) -> Shadow<'f> {
        let standard = inputs.iter().position(|input| input.name == Name::Standard);
        let mut shadow = Shadow {
            functions,
            limits,
            domain: TermDomain::new(Terms::with_limit(limits.terms)),
            symbols: Symbols::of(inputs, limits.bytes),
            memory: Memory::new(),
            registers: Registers::default(),
            frames: Vec::new(),
            known: Vec::new(),
            known_by_place: HashMap::new(),
            path: Path::default(),
            held: HashSet::new(),
            evaluations: Evaluations::default(),
            lost: Lost::default(),
            wrote: Vec::new(),
            at_end: None,
            came_back: None,
            lists: Lists::default(),
            files: Files::new(standard),
            awaited: HashMap::new(),
            fresh: HashSet::new(),
            asked: HashSet::new(),
            ways: HashMap::new(),
            taken: None,
            stdin_at: functions.addresses_of("stdin"),
            parsers: parsers(functions),
            unset: BTreeSet::new(),
        };
        for address in functions.addresses_of("_ZSt3cin") {
            shadow.files.standard_stream(address);
        }
        for (site, from_outside) in stack {
            let uses = shadow.uses_of(functions.function(site.function), || Some(functions.uses(site.function)));
            if let Some(uses) = uses {
                let context = context(shadow.frames.last(), site.function);
                shadow.frames.push(Frame::new(uses, site.function, from_outside, context));
            }
        }
        shadow
    }

    /// The value that this step stores, or computes, is a symbol of its own.
    pub fn make_fresh(&mut self, step: Step) {
        self.fresh.insert(step);
    }

    /// Notes where control goes at a step.
    pub fn ask(&mut self, step: Step) {
        self.asked.insert(step);
    }

    /// Notes every way that control goes.
    pub fn note_ways(&mut self) {
        self.taken = Some(Taken::default());
    }

    pub fn finish(self) -> Shadowed {
        Shadowed {
            taken: self.taken.map_or_else(HashSet::new, Taken::finish),
            domain: self.domain,
            symbols: self.symbols,
            path: self.path,
            lost: self.lost,
            wrote: self.wrote,
            at_end: self.at_end,
            ways: self.ways,
            unset: self.unset,
        }
    }

    fn uses_of(&mut self, function: &Function, make: impl FnOnce() -> Option<std::sync::Arc<Uses>>) -> Option<u32> {
        let place = std::ptr::from_ref(function) as usize;
        if let Some(&known) = self.known_by_place.get(&place) {
            return Some(known);
        }
        let uses = make()?;
        self.known.push(uses);
        let number = self.known.len() as u32 - 1;
        self.known_by_place.insert(place, number);
        Some(number)
    }

    /// Notes that something held.
    fn condition(&mut self, at: Step, kind: Kind, holds: Term, went: Way, others: Vec<Other>) {
        if self.domain.is_constant(holds) {
            return;
        }
        let evaluation = self.evaluations.count(self.frames.last_mut(), at.site, went);
        if !self.held.insert(holds) {
            return;
        }
        let forced = self.domain.value(holds) == 0;
        if self.path.conditions.len() >= self.limits.conditions {
            self.path.beyond += 1;
            return;
        }
        let operation = self.domain.with(|terms| terms.operation(holds));
        self.path.identity = evaluation::mixed(
            self.path.identity,
            (evaluation.place, evaluation.count, kind as u8, went, operation as u8),
        );
        self.path.conditions.push(Condition { at, kind, holds, went, others, evaluation, forced });
    }

    /// What was given up. In a twin it is told of the program's line that calls it; but not what is wrong there.
    fn note_lost(&mut self, at: Site, reason: Reason) {
        let mut site = at;
        if reason != Reason::Wrong && self.functions.is_twin(at.function) {
            let outside = self.frames.iter().rev().skip(1).find(|frame| !self.functions.is_twin(frame.function));
            site = outside.map_or(at, |frame| frame.function.at(InstructionId(frame.call.last)));
        }
        self.lost.note(site, reason);
    }

    /// Binds a term to the value it had.
    fn pin(&mut self, step: &Observed<'_>, term: Term, reason: Reason) {
        let (width, value) = (self.domain.width(term), self.domain.value(term));
        let equal = self.domain.with(|terms| {
            let value = terms.constant(width, value);
            terms.equal(term, value)
        });
        let is_address = matches!(reason, Reason::PinnedLoad | Reason::PinnedStore);
        self.note_lost(step.site(), reason);
        let others = match is_address && width == 64 {
            true => vec![Other { holds: self.far_from(term, value), way: Way::Elsewhere }],
            false => Vec::new(),
        };
        self.condition(step.step(), Kind::Pin, equal, Way::Elsewhere, others);
    }

    /// An address is so far away that hardly anything of the program can be there.
    fn far_from(&self, address: Term, now: u128) -> Term {
        /// Bytes, to either side.
        const FAR: u128 = 1 << 26;
        self.domain.with(|terms| {
            let lowest = terms.constant(64, now.wrapping_sub(FAR));
            let distance = terms.subtract(address, lowest);
            let width = terms.constant(64, 2 * FAR);
            terms.less_unsigned(width, distance)
        })
    }

    /// A branch of a twin or of the program's went its way.
    fn branched(&mut self, step: &Observed<'_>, condition: Term, taken: bool) {
        let not = self.domain.with(|terms| terms.not(condition));
        let (holds, other) = if taken { (condition, not) } else { (not, condition) };
        let other = Other { holds: other, way: Way::Branch(!taken) };
        self.condition(step.step(), Kind::Branch, holds, Way::Branch(taken), vec![other]);
    }

    /// The phis of a block that control goes to: all are read before any is set.
    fn enter_block(&mut self, step: &Observed<'_>, to: BlockId) {
        let Some(frame) = self.frames.last() else { return };
        let uses = &self.known[frame.uses as usize];
        if frame.part.live == 0 || uses.phis[to.index()].is_empty() {
            return;
        }
        let from = uses.block_of[step.id().index()];
        let phis: Vec<InstructionId> = uses.phis[to.index()].clone();
        let values: Vec<Option<Held>> = phis
            .iter()
            .map(|&phi| match &step.function().instruction(phi).op {
                Op::Phi { incoming } => {
                    let (_, operand) = incoming.iter().find(|(block, _)| *block == from)?;
                    self.held(step, operand).cloned()
                }
                _ => None,
            })
            .collect();
        for (phi, value) in phis.into_iter().zip(values) {
            self.set_result(phi, value);
        }
    }
}

impl Observer for Shadow<'_> {
    #[inline]
    fn step(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last() else { return };
        let live = frame.part.live != 0;
        let used = self.known[frame.uses as usize].instructions[step.id().index()];
        match used.action {
            Action::Nothing => {}
            Action::Pure if live => self.pure(step),
            Action::Pure => {}
            Action::Phi if live => self.compare(step),
            Action::Phi => {}
            Action::LoadLocal { local } if live => self.load_local(step, local),
            Action::StoreLocal { local } if live => self.store_local(step, local),
            Action::LoadLocal { .. } | Action::StoreLocal { .. } => {}
            Action::Load { size } => {
                if live || self.memory.count() != 0 || !self.awaited.is_empty() {
                    self.load(step, size.into());
                }
            }
            Action::LoadArea { area } => self.load_area(step, area),
            Action::Store { size, .. } => {
                if live || self.memory.count() != 0 {
                    self.store(step, size.into());
                }
            }
            Action::Copy | Action::Fill => {
                if live || self.memory.count() != 0 {
                    self.memory_intrinsic(step, used.action == Action::Fill);
                }
            }
            Action::Atomic { size } => {
                if live || self.memory.count() != 0 {
                    self.atomic(step, size.into());
                }
            }
            Action::StartList => self.start_list(step),
            Action::CopyList => self.copy_list(step),
            Action::Call | Action::Invoke => self.call(step),
            Action::Jump => {
                if live && let Op::Jump { target } = &step.instruction().op {
                    self.enter_block(step, *target);
                }
            }
            Action::Branch => {
                if live || !self.asked.is_empty() || self.taken.is_some() {
                    self.choose_way(step);
                }
            }
            Action::Return => self.returning(step),
            Action::Leave => {}
        }
        if !self.fresh.is_empty() && self.fresh.contains(&step.step()) {
            self.refresh(step);
        }
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        let functions = self.functions;
        let Some(key) = functions.key_of(module.id, function.id) else { return };
        let Some(uses) = self.uses_of(function, || Some(functions.uses(key))) else { return };
        let context = context(self.frames.last(), key);
        self.frames.push(Frame::new(uses, key, from_outside, context));
    }

    fn begun(&mut self, step: &Observed<'_>) {
        self.take_arguments(step);
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        let Some(mut frame) = self.frames.pop() else { return };
        self.registers.leave(&frame.part);
        self.came_back = match leaving {
            Leaving::Returned if !frame.from_outside => Some(frame.returns.take()),
            Leaving::Returned | Leaving::Unwound(_) => None,
        };
    }

    fn returned(&mut self, step: &Observed<'_>) {
        match self.came_back.take() {
            Some(held) => {
                self.set_result(step.id(), held);
                self.compare(step);
            }
            None => self.came_from_outside(step),
        }
        if let Op::Invoke { normal, .. } = &step.instruction().op {
            self.enter_block(step, *normal);
        }
    }

    fn landed(&mut self, step: &Observed<'_>) {
        self.came_back = None;
        if let Op::Invoke { unwind, .. } = &step.instruction().op {
            self.enter_block(step, *unwind);
        }
    }

    fn jumped(&mut self, _: InstructionId, _: InstructionId) {
        self.came_back = None;
    }
}
