//! The shadow: an observer that computes with terms what the replay computes with numbers.
//!
//! Each register and each byte of memory has a term, or none where nothing symbolic is in it. A term carries the value
//! that it had in the run, and is compared with it at every instruction: a rule that is wrong shows where it is wrong, and
//! a byte that somebody else has written is concrete from then on. Memory that no instrumented code wrote is as it was.

mod memory;
mod registers;
mod frames;
mod steps;
mod concern;
mod observe;
mod evaluation;
mod step;
mod fresh;
mod access;
mod compose;
mod call;
mod comparing;
mod variable;
mod taken;
mod outside;
mod reading;
mod ending;
mod characters;
mod number;
mod streams;
mod strings;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use abi::{BlockId, InstructionId};
use execution::{Functions, Run, Uses, Window};
use program::{Function, FunctionKey, Op, Site};
use replay::{Observed, Step};
use smt::hash::Map;
use smt::{Term, Terms};

use crate::domain::TermDomain;
use crate::input::{Files, Input, Name, Symbols};
use crate::lost::{Lost, Reason};
use crate::path::{Condition, Kind, Other, Path, Way};
use access::{Kept, Spaced};
use characters::Character;
pub use comparing::Compared;
use comparing::Comparisons;
use concern::Concerns;
pub use ending::{AtEnd, Chosen};
use evaluation::{Evaluations, context};
use frames::Frame;
use memory::{Cell, Memory};
use outside::{Parser, parsers};
use registers::{Held, Registers};
use steps::Steps;
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
    /// How many conditions of the path came before.
    pub before: usize,
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
    /// Texts of inputs that were compared with others.
    pub compared: Vec<Compared>,
    /// What the last instruction was about to work on, if that was asked for.
    pub at_end: Option<AtEnd>,
    /// Where control went at each step that was asked about.
    pub ways: HashMap<Step, Way>,
    /// Of these steps, what the choice, or what was returned, was made of, where that is symbolic.
    pub chosen: HashMap<Step, Chosen>,
    /// The symbols that steps were given, as was asked for.
    pub fresh: HashMap<Step, Term>,
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
    known: Vec<Known>,
    /// By the function's place in memory, which the image keeps.
    known_by_place: Map<usize, u32>,
    /// What was found there last, by the lowest bits.
    lately: Vec<(usize, u32)>,
    /// Those of the innermost function.
    concerns: Concerns,
    /// Which kinds of instructions concern the shadow now.
    alert: u8,
    /// From this clock on there are steps that somebody asked about.
    next_asked: u64,
    path: Path,
    /// Conditions that hold already, so that each is noted once: how many came before each.
    held: Map<Term, usize>,
    evaluations: Evaluations,
    /// Terms that were looked at: whether they are numbers as they were read from digits.
    numbers: Map<Term, bool>,
    lost: Lost,
    /// Operations that the arena of terms has given up, being full, as far as they have been noted.
    given_up: u64,
    wrote: Vec<Wrote>,
    comparisons: Comparisons,
    /// The end of the run, if what happens there is asked for.
    end: Option<Step>,
    /// Of addresses that were computed, where the object begins that they are computed from.
    bases: Map<Term, u64>,
    /// What the function left last returned, to who called it from instrumented code.
    came_back: Option<Option<Held>>,
    lists: Lists,
    /// Constant tables that an index was symbolic of; none where there is no such table.
    tables: Map<Spaced, Option<Kept>>,
    files: Files,
    /// Memory that becomes symbolic as soon as its address is known: by the address of the pointer to it.
    awaited: Map<u64, Vec<Option<Cell>>>,
    /// The characters of a string that a function outside may be changing.
    string_before: Option<Vec<Character>>,
    fresh: Steps,
    made_fresh: HashMap<Step, Term>,
    asked: Steps,
    ways: HashMap<Step, Way>,
    chosen: HashMap<Step, Chosen>,
    taken: Option<Taken>,
    stdin_at: Vec<u64>,
    /// Functions of the library that are called by their addresses, with what they make of a text.
    parsers: HashMap<u64, Parser>,
    unset: BTreeSet<String>,
}

/// A function that was met.
struct Known {
    key: FunctionKey,
    uses: Arc<Uses>,
    concerns: Concerns,
}

/// More functions at a time are looked up in a table.
const LATELY: usize = 256;

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
            known_by_place: Map::default(),
            lately: vec![(0, 0); LATELY],
            concerns: Concerns::none(),
            alert: 0,
            next_asked: u64::MAX,
            path: Path::default(),
            held: Map::default(),
            evaluations: Evaluations::default(),
            numbers: Map::default(),
            lost: Lost::default(),
            given_up: 0,
            wrote: Vec::new(),
            comparisons: Comparisons::default(),
            end: None,
            bases: Map::default(),
            came_back: None,
            lists: Lists::default(),
            tables: Map::default(),
            files: Files::new(standard),
            awaited: Map::default(),
            string_before: None,
            fresh: Steps::new(),
            made_fresh: HashMap::new(),
            asked: Steps::new(),
            ways: HashMap::new(),
            chosen: HashMap::new(),
            taken: None,
            stdin_at: functions.addresses_of("stdin"),
            parsers: parsers(functions),
            unset: BTreeSet::new(),
        };
        for address in functions.addresses_of("_ZSt3cin") {
            shadow.files.standard_stream(address);
        }
        for (site, from_outside) in stack {
            let Some(number) = shadow.known_function(functions.function(site.function), || Some(site.function)) else {
                continue;
            };
            shadow.push_frame(number, from_outside);
        }
        shadow.changed_function();
        shadow.attend();
        shadow
    }

    /// From a window of a run on. Nothing is symbolic there but what [`Shadow::make_fresh`] makes so: how far inputs have been read
    /// is not known in the middle of a run.
    pub fn from_window(run: &'f Run<'f>, window: Window, limits: Limits) -> Shadow<'f> {
        Shadow::new(&run.functions, run.stack_before(window).into_iter(), Vec::new(), limits)
    }

    /// The value that this step stores, computes, gets from a call or makes its choice by is a symbol of its own, with the
    /// run's value as its seed.
    pub fn make_fresh(&mut self, step: Step) {
        self.fresh.add(step);
        self.attend();
    }

    /// The same of many.
    pub fn make_all_fresh(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.fresh.extend(steps);
        self.attend();
    }

    /// Notes where control goes at a step that branches or switches, and by what; or what is returned, at a step that returns.
    pub fn ask(&mut self, step: Step) {
        self.asked.add(step);
        self.attend();
    }

    /// The same of many.
    pub fn ask_all(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.asked.extend(steps);
        self.attend();
    }

    /// Notes what the instruction that the run ends in is about to work on, and which objects addresses are computed from.
    pub fn ask_end(&mut self, end: Step) {
        self.end = Some(end);
    }

    /// Notes every way that control goes.
    pub fn note_ways(&mut self) {
        self.taken = Some(Taken::default());
        self.attend();
    }

    pub fn finish(self) -> Shadowed {
        let at_end = self.at_end();
        Shadowed {
            taken: self.taken.map_or_else(HashSet::new, Taken::finish),
            domain: self.domain,
            symbols: self.symbols,
            path: self.path,
            lost: self.lost,
            wrote: self.wrote,
            compared: self.comparisons.all,
            at_end,
            ways: self.ways,
            chosen: self.chosen,
            fresh: self.made_fresh,
            unset: self.unset,
        }
    }

    /// The number of a function; none if the image does not have it.
    fn known_function(&mut self, function: &Function, key: impl FnOnce() -> Option<FunctionKey>) -> Option<u32> {
        let place = std::ptr::from_ref(function) as usize;
        let slot = place / 64 % LATELY;
        if let (known, number) = self.lately[slot]
            && known == place
        {
            return Some(number);
        }
        let number = match self.known_by_place.get(&place) {
            Some(&known) => known,
            None => {
                let key = key()?;
                let uses = self.functions.uses(key);
                self.known.push(Known { key, concerns: Concerns::of(&uses), uses });
                let number = self.known.len() as u32 - 1;
                self.known_by_place.insert(place, number);
                number
            }
        };
        self.lately[slot] = (place, number);
        Some(number)
    }

    fn push_frame(&mut self, number: u32, from_outside: bool) {
        let key = self.known[number as usize].key;
        let context = context(self.frames.last(), key);
        self.frames.push(Frame::new(number, key, from_outside, context));
    }

    fn uses(&self, frame: &Frame) -> &Uses {
        &self.known[frame.uses as usize].uses
    }

    /// Finds out what concerns the shadow from now on.
    fn attend(&mut self) {
        let live = self.frames.last().is_some_and(|frame| frame.part.live != 0);
        let memory = self.memory.count() != 0 || !self.awaited.is_empty() || !self.lists.is_empty();
        let when = |holds: bool, concern: u8| if holds { concern } else { 0 };
        self.alert = concern::ALWAYS
            | when(live, concern::REGISTERS)
            | when(memory, concern::MEMORY)
            | when(self.taken.is_some(), concern::WAYS);
        self.next_asked = self.fresh.next().min(self.asked.next());
    }

    /// The innermost function is another one.
    fn changed_function(&mut self) {
        self.concerns = match self.frames.last() {
            Some(frame) => self.known[frame.uses as usize].concerns.clone(),
            None => Concerns::none(),
        };
    }

    /// Notes that something held.
    fn condition(&mut self, at: Step, kind: Kind, holds: Term, went: Way, others: Vec<Other>) {
        if self.domain.is_constant(holds) {
            return;
        }
        let evaluation = self.evaluations.count(self.frames.last_mut(), at.site, went);
        let before = self.path.conditions.len();
        if *self.held.entry(holds).or_insert(before) != before {
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

    /// Notes where memory for terms was missing.
    fn note_given_up(&mut self, step: &Observed<'_>) {
        let given_up = self.domain.given_up();
        if given_up != self.given_up {
            self.given_up = given_up;
            self.lost.note(step.site(), Reason::Full);
        }
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
    fn branched(&mut self, step: &Observed<'_>, condition: Term, taken: bool, is_asked: bool) {
        if self.domain.is_constant(condition) {
            return;
        }
        let not = self.domain.with(|terms| terms.not(condition));
        let (holds, other) = if taken { (condition, not) } else { (not, condition) };
        let others = vec![Other { holds: other, way: Way::Branch(!taken) }];
        if is_asked {
            self.note_chosen(step, holds, others.clone());
        }
        self.condition(step.step(), Kind::Branch, holds, Way::Branch(taken), others);
    }

    /// The phis of a block that control goes to: all are read before any is set.
    fn enter_block(&mut self, step: &Observed<'_>, to: BlockId) {
        let Some(frame) = self.frames.last() else { return };
        let uses = self.uses(frame);
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
