//! The levels open at a moment of a run, and how they change as control moves on.

use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::{Edge, FunctionKey, RepeatId};

use super::level::{Kind, Level};
use super::outline::Outline;
use super::parent::Choices;

/// The levels that are open now. Cloned, it is a snapshot from which a window of the run can be followed.
#[derive(Clone)]
pub struct Nesting {
    levels: Vec<Level>,
    /// What ends each level, in the same order.
    ends: Vec<End>,
    pub(super) frames: Vec<Frame>,
    roots: u32,
    /// How many levels are the same as when [`Nesting::settle`] was last called.
    same: usize,
    /// The latest instruction of the function on top.
    pub(super) latest: Option<InstructionId>,
    /// Counts blocks entered, so that executions of branches can be compared.
    pub(super) serial: u64,
    spare: Vec<Choices>,
}

#[derive(Clone)]
pub(super) struct Frame {
    pub function: FunctionKey,
    pub outline: Arc<Outline>,
    /// How many levels there are without this call's, and with it.
    below: usize,
    floor: usize,
    pub block: Option<BlockId>,
    /// The latest call it made.
    call: InstructionId,
    /// How many functions were entered from outside during that call.
    callbacks: u32,
    resumptions: u32,
    pub choices: Choices,
}

impl Frame {
    fn call_level(&self, ordinal: u32, callee: FunctionKey) -> Level {
        let position = self.block.map_or(0, |block| self.outline.position(block));
        Level::at(position, self.call, Kind::Call(ordinal, callee))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// With the call.
    Call,
    /// Where the region of the branch at the end of this block ends.
    Branch(BlockId),
    /// Outside this loop.
    Repeat(RepeatId),
}

impl Default for Nesting {
    fn default() -> Nesting {
        Nesting::below(Vec::new())
    }
}

impl Nesting {
    /// That of a signal handler, which has its own.
    pub fn handler(ordinal: u32) -> Nesting {
        Nesting::below(vec![Level::handler(ordinal)])
    }

    fn below(levels: Vec<Level>) -> Nesting {
        let ends = vec![End::Call; levels.len()];
        Nesting { levels, ends, frames: Vec::new(), roots: 0, same: 0, latest: None, serial: 0, spare: Vec::new() }
    }

    /// The levels open now, outermost first.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Whether it is that of a signal handler.
    pub fn is_of_handler(&self) -> bool {
        self.levels.first().is_some_and(|level| matches!(level.kind, Kind::Handler(_)))
    }

    /// How many functions are on the stack.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The function on top of the stack.
    pub fn outline(&self) -> Option<(FunctionKey, &Outline)> {
        self.frames.last().map(|frame| (frame.function, &*frame.outline))
    }

    /// How many of the levels are those that were open at the last call of this.
    pub fn settle(&mut self) -> usize {
        std::mem::replace(&mut self.same, self.levels.len()).min(self.levels.len())
    }

    /// The level that names the execution of an instruction now, below all that are open.
    pub fn step(&self, instruction: InstructionId) -> Option<Level> {
        let frame = self.frames.last()?;
        Some(Level::at(frame.outline.position(frame.block?), instruction, Kind::Step))
    }

    /// A path that all steps executed so far come before; nearly all others come after it.
    pub fn boundary(&self) -> Vec<Level> {
        let mut path = self.levels.clone();
        if let Some(Frame { outline, block: Some(block), .. }) = self.frames.last()
            && let Some(latest) = self.latest
        {
            path.push(Level::at(outline.position(*block), latest, Kind::Resumption(u32::MAX)));
        }
        path
    }

    /// The function on top executes a call.
    pub fn calls(&mut self, instruction: InstructionId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.call = instruction;
            frame.callbacks = 0;
        }
    }

    /// The function on top calls another.
    pub fn enter(&mut self, function: FunctionKey, outline: Arc<Outline>) {
        match self.frames.last() {
            Some(caller) => self.open_call(caller.call_level(0, function), function, outline),
            None => self.enter_from_outside(function, outline),
        }
    }

    /// Outside code enters a function: what the function on top has called, or what runs the program.
    pub fn enter_from_outside(&mut self, function: FunctionKey, outline: Arc<Outline>) {
        let level = match self.frames.last_mut() {
            None => {
                self.roots += 1;
                Level::root(self.roots, function)
            }
            Some(caller) => {
                caller.callbacks += 1;
                caller.call_level(caller.callbacks, function)
            }
        };
        self.open_call(level, function, outline);
    }

    fn open_call(&mut self, level: Level, function: FunctionKey, outline: Arc<Outline>) {
        let below = self.levels.len();
        self.push(level, End::Call);
        self.latest = None;
        let mut choices = self.spare.pop().unwrap_or_default();
        choices.begin(&outline, self.serial);
        self.frames.push(Frame {
            function,
            outline,
            below,
            floor: below + 1,
            block: None,
            call: InstructionId(0),
            callbacks: 0,
            resumptions: 0,
            choices,
        });
    }

    /// The function on top is gone.
    pub fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.cut(frame.below);
            self.spare.push(frame.choices);
            self.latest = self.frames.last().map(|caller| caller.call);
        }
    }

    /// Control comes to the beginning of a block of the function on top, at this clock.
    pub fn begin_block(&mut self, to: BlockId, clock: u64) {
        self.serial += 1;
        let Some(frame) = self.frames.last_mut() else { return };
        let from = frame.block.replace(to);
        let outline = frame.outline.clone();
        let floor = frame.floor;
        let Some(from) = from else { return self.open_repeats(to, floor, &outline) };
        let edge = Edge { from, to };
        frame.choices.take(&outline, edge, self.serial, clock);
        self.cut_ended(edge, floor, &outline);
        let shape = &outline.shape;
        if let Some(turned) = shape.repeats.turned_by(&shape.cfg, edge) {
            if let Some(at) = self.position_of(End::Repeat(turned), floor) {
                let Level { position, kind, .. } = self.levels[at];
                let turn = if let Kind::Turn(turn) = kind { turn + 1 } else { 1 };
                self.cut(at);
                self.push(Level::turn(position, turn), End::Repeat(turned));
            }
        } else if shape.cfg.branches(from) && !shape.post_dominators.ends_region(from, edge) {
            let level = Level::at(outline.position(from), outline.terminator(from), Kind::Outcome(to));
            self.push(level, End::Branch(from));
        }
        self.open_repeats(to, floor, &outline);
    }

    /// Control comes back by `longjmp` to a call in this block of the function on top.
    pub fn resume(&mut self, block: BlockId, call: InstructionId, clock: u64) {
        self.serial += 1;
        self.latest = Some(call);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.block = Some(block);
        frame.call = call;
        frame.resumptions += 1;
        frame.choices.resume(self.serial, clock, call);
        let (floor, outline, ordinal) = (frame.floor, frame.outline.clone(), frame.resumptions);
        self.cut(floor);
        self.push(Level::resumption(ordinal), End::Call);
        self.open_repeats(block, floor, &outline);
    }

    /// Drops the levels that end where this edge leads, with all inside them.
    fn cut_ended(&mut self, edge: Edge, floor: usize, outline: &Outline) {
        let (repeats, post_dominators) = (&outline.shape.repeats, &outline.shape.post_dominators);
        let leaves = repeats.innermost(edge.from) != repeats.innermost(edge.to);
        if !leaves && !outline.ends_regions(edge.to) {
            return;
        }
        let ended = self.ends[floor..].iter().position(|end| match *end {
            End::Call => false,
            End::Branch(branch) => post_dominators.ends_region(branch, edge),
            End::Repeat(repeat) => !repeats.contains(repeat, edge.to),
        });
        if let Some(at) = ended {
            self.cut(floor + at);
        }
    }

    /// Opens a first turn of each loop around the block that is not open, outermost first.
    fn open_repeats(&mut self, block: BlockId, floor: usize, outline: &Outline) {
        let repeats = &outline.shape.repeats;
        let mut closed = Vec::new();
        let mut inner = repeats.innermost(block);
        while let Some(repeat) = inner
            && self.position_of(End::Repeat(repeat), floor).is_none()
        {
            closed.push(repeat);
            inner = repeats.parent(repeat);
        }
        for repeat in closed.into_iter().rev() {
            self.push(Level::turn(outline.position(repeats.first(repeat)), 1), End::Repeat(repeat));
        }
    }

    fn position_of(&self, end: End, floor: usize) -> Option<usize> {
        self.ends[floor..].iter().rposition(|other| *other == end).map(|at| floor + at)
    }

    fn push(&mut self, level: Level, end: End) {
        self.levels.push(level);
        self.ends.push(end);
    }

    fn cut(&mut self, length: usize) {
        self.levels.truncate(length);
        self.ends.truncate(length);
        self.same = self.same.min(length);
    }
}
