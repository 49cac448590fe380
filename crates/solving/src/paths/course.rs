//! The course of a run: where control went at each branch of the program's own code, and which branches each of them depended
//! on. What library code decides is not a part of it: that has no text that a person could look at, and how often its loops
//! turn follows from what it was given.

use std::cell::RefCell;
use std::collections::HashMap;

use abi::{BlockId, InstructionId, StreamId};
use budget::Budget;
use execution::Functions;
use nesting::region::{Nesting, Observe, Parent, Regions};
use program::{Function, FunctionKey, Module, Op, RegionEnd, Site};
use recording::Recording;
use replay::{Image, Leaving, Observed, Observer, ReplayError, Step, replay_window_inlined};
use source::lines::line_at;

use super::distance::Event;
use subject::place::is_of_system;

/// A branch that was executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    pub at: Step,
    /// What it branched on.
    pub value: u64,
    pub to: BlockId,
    /// The choice that it is control dependent on; what is between them is left out.
    pub parent: Option<usize>,
    /// Library code decides something before the next choice.
    pub by_library: bool,
    /// By itself it would have gone another way.
    pub is_forced: bool,
}

#[derive(Clone, Default, Debug)]
pub struct Course {
    pub choices: Vec<Choice>,
    /// There are more.
    pub is_cut: bool,
}

/// A choice as it is wanted of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Wanted {
    pub site: Site,
    pub to: BlockId,
    /// One that leads there.
    pub value: u64,
    pub by_library: bool,
}

/// Choices that are looked at, at most.
const MOST_CHOICES: usize = 1 << 20;

impl Choice {
    pub fn wanted(&self) -> Wanted {
        let Choice { at, value, to, by_library, .. } = *self;
        Wanted { site: at.site, to, value, by_library }
    }
}

impl Course {
    /// That of the first thread of a recording.
    pub fn of(recording: &Recording, budget: &Budget) -> Result<Course, ReplayError> {
        let image = Image::within(recording, budget);
        let functions = Functions::new(&image);
        Course::of_image(&image, &functions)
    }

    pub fn of_image(image: &Image<'_>, functions: &Functions<'_>) -> Result<Course, ReplayError> {
        let watching = Watching {
            regions: Regions::new(functions, Parents::default()),
            own: Own::new(functions),
            course: Course::default(),
        };
        Ok(replay_window_inlined(image, StreamId::MAIN, None, None, watching)?.1.course)
    }

    /// Whether a choice depends on an earlier one, whatever is between.
    pub fn depends(&self, choice: usize, on: usize) -> bool {
        let mut at = self.choices[choice].parent;
        while let Some(parent) = at.filter(|parent| *parent >= on) {
            if parent == on {
                return true;
            }
            at = self.choices[parent].parent;
        }
        false
    }

    /// The first choice behind a choice that does not depend on it.
    pub fn end_of_region(&self, choice: usize) -> usize {
        let behind = choice + 1..self.choices.len();
        behind.into_iter().find(|one| !self.depends(*one, choice)).unwrap_or(self.choices.len())
    }

    /// As events whose distance from those of another run can be told. Under the same choice a place comes several times only
    /// where a function is called several times, in an order that is always the same.
    pub fn events(&self) -> Vec<Event<(Site, u64)>> {
        let mut counts: HashMap<(Option<usize>, Site), u64> = HashMap::new();
        let event = |choice: &Choice| {
            let count = counts.entry((choice.parent, choice.at.site)).or_default();
            *count += 1;
            Event { place: (choice.at.site, *count), parent: choice.parent, outcome: Some(choice.to.0) }
        };
        self.choices.iter().map(event).collect()
    }

    /// How many of the choices wanted were made, from the beginning on.
    pub fn agrees(&self, wanted: &[Wanted]) -> usize {
        let pairs = self.choices.iter().zip(wanted);
        pairs.take_while(|(choice, wanted)| choice.at.site == wanted.site && choice.to == wanted.to).count()
    }

    /// The how-manieth execution of its site a choice is.
    pub fn occurrence(&self, choice: usize) -> u64 {
        let site = self.choices[choice].at.site;
        self.choices[..=choice].iter().filter(|one| one.at.site == site).count() as u64
    }
}

/// Which functions are the program's own: no twins of library functions, nothing of the system's headers.
pub struct Own<'f, 'r> {
    functions: &'f Functions<'r>,
    known: RefCell<HashMap<FunctionKey, bool>>,
}

impl<'f, 'r> Own<'f, 'r> {
    pub fn new(functions: &'f Functions<'r>) -> Own<'f, 'r> {
        Own { functions, known: RefCell::default() }
    }

    pub fn has(&self, key: FunctionKey) -> bool {
        *self.known.borrow_mut().entry(key).or_insert_with(|| {
            let Ok(module) = self.functions.module(key) else { return false };
            let line = line_at(module, self.functions.function(key), InstructionId(0));
            !self.functions.is_twin(key) && line.is_none_or(|line| !is_of_system(&line.file))
        })
    }
}

/// Where a branch or switch goes with a value; none for other instructions.
pub fn target(op: &Op, value: u64) -> Option<BlockId> {
    match op {
        Op::Branch { then, otherwise, .. } => Some(if value & 1 != 0 { *then } else { *otherwise }),
        Op::Switch { default, cases, .. } => {
            Some(cases.iter().find(|(case, _)| *case == value).map_or(*default, |(_, to)| *to))
        }
        _ => None,
    }
}

/// The other ways a choice could have gone, each target once.
pub fn others(functions: &Functions<'_>, choice: Wanted) -> Vec<Wanted> {
    /// Other targets of a switch, at most.
    const MOST: usize = 16;
    let op = &functions.instruction(choice.site).op;
    let values: Vec<u64> = match op {
        Op::Branch { .. } => vec![u64::from(choice.value & 1 == 0)],
        Op::Switch { cases, .. } => {
            let none = (0..).find(|value| cases.iter().all(|(case, _)| case != value));
            cases.iter().map(|(case, _)| *case).chain(none).collect()
        }
        _ => Vec::new(),
    };
    let mut ways: Vec<Wanted> = Vec::new();
    for value in values {
        let Some(to) = target(op, value) else { continue };
        if to != choice.to && ways.iter().all(|way| way.to != to) {
            ways.push(Wanted { to, value, ..choice });
        }
    }
    ways.truncate(MOST);
    ways
}

/// Whether a branch decides on another turn of its loop: it leaves the loop or stays in it, and is where the loop's condition
/// is known. A condition that a `break` hangs on is none.
pub fn is_of_loop(functions: &Functions<'_>, site: Site) -> bool {
    let shape = functions.shape(site.function);
    let block = shape.block_of(site.instruction);
    let Some(inside) = shape.repeats.innermost(block) else { return false };
    let targets = shape.cfg.successors(block);
    let (stay, leave): (Vec<&BlockId>, Vec<&BlockId>) =
        targets.iter().partition(|to| shape.repeats.contains(inside, **to));
    if stay.is_empty() || leave.is_empty() {
        return false;
    }
    let first = shape.repeats.first(inside);
    let turns =
        |to: &&BlockId| shape.repeats.turned_by(&shape.cfg, program::Edge { from: block, to: **to }) == Some(inside);
    let is_condition = block == first || shape.post_dominators.region_end(first) == RegionEnd::Block(block);
    // A part of the condition that the loop begins with: on the same line, and with the same way out.
    let function = functions.function(site.function);
    let line = |block: BlockId| {
        let last = InstructionId(function.blocks[block.index()].end.0 - 1);
        function.instruction(last).location.map(|location| location.line)
    };
    let has_same_way_out = leave.iter().any(|to| shape.cfg.successors(first).contains(to));
    is_condition || stay.iter().any(turns) || has_same_way_out && line(block) == line(first)
}

/// Follows a run.
struct Watching<'f, 'r> {
    regions: Regions<'f, 'r, Parents>,
    own: Own<'f, 'r>,
    course: Course,
}

/// What steps depend on, as far as choices are concerned.
#[derive(Default)]
struct Parents {
    /// By depth, for executions of branches that led to something: the block, the clock when the block began that they led
    /// to, and the choice that they are, or depend on.
    led: Vec<HashMap<(BlockId, u64), Option<usize>>>,
    /// By depth: a branch that was executed, of which the next step of the function will tell where it led.
    pending: Vec<Option<(BlockId, Option<usize>)>>,
    /// By depth: what the latest call depends on.
    calls: Vec<Option<usize>>,
    /// It matters what the next step depends on.
    is_asked: bool,
    /// Of the latest step that was asked about.
    parent: Option<usize>,
    block: Option<BlockId>,
    depth: usize,
    is_in_handler: bool,
}

impl Observe for Parents {
    const EVERY_STEP: bool = true;

    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        self.is_in_handler = nesting.is_of_handler();
        if self.is_in_handler {
            return;
        }
        let depth = nesting.depth();
        if depth >= self.pending.len() {
            self.pending.resize(depth + 1, None);
            self.calls.resize(depth + 1, None);
            self.led.resize_with(depth + 1, HashMap::new);
        }
        if depth > self.depth {
            // A function was entered.
            self.led[depth].clear();
            self.pending[depth] = None;
        }
        self.depth = depth;
        if let Some((block, choice)) = self.pending[depth].take() {
            self.led[depth].insert((block, at.clock), choice);
        }
        if !self.is_asked {
            return;
        }
        self.parent = match nesting.parent() {
            Some(Parent::Branch { block, clock }) => self.led[depth].get(&(block, clock)).copied().flatten(),
            Some(Parent::Call) => depth.checked_sub(1).and_then(|caller| self.calls[caller]),
            // Where control came from by a jump, the region does not tell.
            Some(Parent::Resumption { .. }) | None => None,
        };
        if let Some((_, outline)) = nesting.outline() {
            self.block = Some(outline.shape.block_of(at.site.instruction));
        }
    }
}

impl Observer for Watching<'_, '_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        let op = &step.instruction().op;
        let (value, computed) = match op {
            Op::Branch { condition: value, .. } | Op::Switch { value, .. } => {
                (Some(step.went_on_with(value)), step.operand(value).first().copied())
            }
            _ => (None, None),
        };
        let calls = matches!(op, Op::Call(_) | Op::Invoke { .. });
        self.regions.visitor.is_asked = calls || value.is_some();
        self.regions.step(step);
        let seen = &mut self.regions.visitor;
        if seen.is_in_handler || !seen.is_asked {
            return;
        }
        let (depth, parent) = (seen.depth, seen.parent);
        if calls {
            seen.calls[depth] = parent;
        }
        let Some(&value) = value.and_then(<[u64]>::first) else { return };
        let site = step.site();
        let Some(block) = seen.block else { return };
        if !self.own.has(site.function) {
            seen.pending[depth] = Some((block, parent));
            if let Some(last) = self.course.choices.last_mut() {
                last.by_library = true;
            }
            return;
        }
        if self.course.choices.len() >= MOST_CHOICES {
            self.course.is_cut = true;
            return;
        }
        let Some(to) = target(op, value) else { return };
        let is_forced = computed.and_then(|computed| target(op, computed)) != Some(to);
        seen.pending[depth] = Some((block, Some(self.course.choices.len())));
        self.course.choices.push(Choice { at: step.step(), value, to, parent, by_library: false, is_forced });
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        self.regions.entered(function, module, from_outside);
    }

    fn left(&mut self, function: &Function, leaving: Leaving) {
        self.regions.left(function, leaving);
    }

    fn jumped(&mut self, from: InstructionId, to: InstructionId) {
        self.regions.jumped(from, to);
    }

    fn interrupted(&mut self) {
        self.regions.interrupted();
    }

    fn resumed(&mut self) {
        self.regions.resumed();
    }
}
