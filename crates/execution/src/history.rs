//! The values of an expression at each execution of a line.
//!
//! A *turn* is one execution of a line in one call of its function: it begins when control comes to the line and ends
//! when it goes to another, or when an instruction of the line would execute again. Straight-line code that goes back
//! and forth between lines (an argument list over several) is one turn.
//!
//! What outside code wrote is known only when the program loads it. So a turn whose value has unknown or stale bytes
//! stays open for them: a load that comes before any store to the byte, and before outside code runs again, shows what
//! was there all along.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};

use abi::{FunctionId, InstructionId, StreamId};
use program::{BlockId, Function, Module, Op, Operand};
use replay::{Leaving, Observer, ReplayError, Step};

use crate::dependence::Moment;
use crate::source_line::SourceLine;
use crate::sources::Sources;
use crate::state::{Byte, Bytes, Frame, Memory, State};
use crate::value::{Expression, Extent, LocateError, Scene, Value, Visible, read};

/// When during a turn the value is taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    /// Right before the line's first instruction executes.
    Before,
    /// After its last.
    After,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Turn {
    /// From 1, within the stream.
    pub number: u64,
    /// The first of the turn.
    pub step: Moment,
    pub value: Value,
}

#[derive(Clone, PartialEq, Debug)]
pub struct History {
    pub stream: StreamId,
    /// The first of them, as many as were asked for.
    pub turns: Vec<Turn>,
    /// How many there were.
    pub count: u64,
}

/// What is asked: an expression at a line, judged against the types of each function the line is in.
pub struct Question<'s> {
    sources: &'s Sources<'s, 's>,
    expression: Expression,
    functions: Vec<Watched>,
    by_function: HashMap<(usize, FunctionId), usize>,
}

/// A function the line is in.
struct Watched {
    visible: Visible,
    /// By instruction: what it means for a turn.
    places: Vec<Place>,
    block_of: Vec<BlockId>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    OnLine,
    Elsewhere,
    /// It has no position in the source.
    Nowhere,
}

impl<'s> Question<'s> {
    /// Functions in which the expression has no meaning are left out; if it has none in any, the first says why.
    pub fn new(
        sources: &'s Sources<'s, 's>,
        line: &SourceLine,
        expression: Expression,
    ) -> Result<Question<'s>, QuestionError> {
        let mut functions = Vec::new();
        let mut by_function = HashMap::new();
        let mut problem = None;
        for part in &line.functions {
            let visible = Visible::at(sources, part.module, part.function, part.sites.iter().copied(), line.line);
            let nothing = Nothing;
            let scene = Scene {
                sources,
                memory: &nothing,
                frame: &Frame::blank(part.module, part.function),
                visible: &visible,
                thread_locals: &HashMap::new(),
            };
            if let Err(error) = scene.locate(&expression) {
                problem.get_or_insert(error);
                continue;
            }
            let function = sources.image.module(part.module)?.function(part.function);
            by_function.insert((part.module, part.function), functions.len());
            functions.push(Watched { visible, places: places(function, &part.sites), block_of: blocks(function) });
        }
        match problem {
            Some(problem) if functions.is_empty() => Err(problem.into()),
            _ => Ok(Question { sources, expression, functions, by_function }),
        }
    }

    /// Replays a stream and gives the values at the first `limit` turns.
    pub fn ask(&self, stream: StreamId, when: When, limit: usize) -> Result<History, ReplayError> {
        let watcher = Watcher {
            question: self,
            when,
            limit,
            state: State::new(self.sources)?,
            frames: Vec::new(),
            history: History { stream, turns: Vec::new(), count: 0 },
            open: VecDeque::new(),
        };
        let (_, mut watcher) = replay::replay(self.sources.image, stream, watcher)?;
        watcher.finish();
        Ok(watcher.history)
    }

    fn value(&self, watched: usize, frame: &Frame, memory: &dyn Bytes, state: &State) -> Value {
        let scene = Scene {
            sources: self.sources,
            memory,
            frame,
            visible: &self.functions[watched].visible,
            thread_locals: &state.thread_locals,
        };
        match scene.locate(&self.expression) {
            Ok(object) => read(&scene, &object, Extent::SHOWN),
            // It was found meaningful before, whatever the state.
            Err(_) => Value { type_name: String::new(), shape: crate::value::Shape::Unknown, is_stale: false },
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    #[error(transparent)]
    Meaning(#[from] LocateError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

fn places(function: &Function, sites: &[InstructionId]) -> Vec<Place> {
    let has_line = |location: program::SourceLocation| location.line != 0;
    let mut places: Vec<Place> = function
        .instructions
        .iter()
        .map(|i| if i.location.is_some_and(has_line) { Place::Elsewhere } else { Place::Nowhere })
        .collect();
    sites.iter().for_each(|site| places[site.index()] = Place::OnLine);
    places
}

fn blocks(function: &Function) -> Vec<BlockId> {
    let mut block_of = vec![BlockId(0); function.instructions.len()];
    for (id, block) in (0..).map(BlockId).zip(&function.blocks) {
        block_of[block.first.index()..block.end.index()].fill(id);
    }
    block_of
}

/// Knows nothing.
struct Nothing;

impl Bytes for Nothing {
    fn byte(&self, _: u64) -> Byte {
        Byte::Unknown
    }
}

/// Notes what is asked for.
struct Listening<'a> {
    memory: &'a Memory,
    asked: RefCell<HashMap<u64, Byte>>,
}

impl Bytes for Listening<'_> {
    fn byte(&self, address: u64) -> Byte {
        let byte = self.memory.byte(address);
        self.asked.borrow_mut().insert(address, byte);
        byte
    }
}

/// Memory as it was at a turn, as far as it was asked for then or shown since.
struct Then<'a> {
    known: &'a HashMap<u64, Byte>,
    missed: RefCell<HashSet<u64>>,
}

impl Bytes for Then<'_> {
    fn byte(&self, address: u64) -> Byte {
        match self.known.get(&address).copied().unwrap_or(Byte::Unknown) {
            Byte::Known(byte) => Byte::Known(byte),
            other => {
                self.missed.borrow_mut().insert(address);
                other
            }
        }
    }
}

/// A turn with bytes that a later load may still show.
struct OpenTurn {
    turn: usize,
    watched: usize,
    frame: Frame,
    known: HashMap<u64, Byte>,
    wanted: HashSet<u64>,
    /// Stored to since, so that what is loaded there is newer.
    lost: HashSet<u64>,
}

/// More turns than these are not kept open; the oldest are given up.
const MOST_OPEN: usize = 64;

#[derive(Default)]
struct FrameWatch {
    watched: Option<usize>,
    turn: Option<RunningTurn>,
}

struct RunningTurn {
    /// In the history; `None` if it has enough of them.
    position: Option<usize>,
    seen: Vec<InstructionId>,
    /// Control is on another line at the moment.
    is_away: bool,
}

struct Watcher<'q, 's> {
    question: &'q Question<'s>,
    when: When,
    limit: usize,
    state: State,
    frames: Vec<FrameWatch>,
    history: History,
    open: VecDeque<OpenTurn>,
}

impl Watcher<'_, '_> {
    /// Before the step takes effect.
    fn arrive(&mut self, step: &Step<'_>, watched: usize) {
        let id = step.id();
        let place = self.question.functions[watched].places[id.index()];
        let Some(frame) = self.frames.last_mut() else { return };
        match (place, &mut frame.turn) {
            (Place::Nowhere, _) | (Place::Elsewhere, None) => {}
            (Place::Elsewhere, Some(turn)) => {
                if !std::mem::replace(&mut turn.is_away, true) {
                    self.take_after();
                }
            }
            (Place::OnLine, Some(turn)) if self.question.functions[watched].continues(turn, id) => {
                turn.is_away = false;
                turn.seen.push(id);
            }
            (Place::OnLine, turn) => {
                if turn.as_ref().is_some_and(|turn| !turn.is_away) {
                    self.take_after();
                }
                self.begin(step, watched);
            }
        }
    }

    fn begin(&mut self, step: &Step<'_>, watched: usize) {
        self.history.count += 1;
        let position = (self.history.turns.len() < self.limit).then_some(self.history.turns.len());
        if let Some(position) = position {
            let value = self.evaluate(watched, position);
            self.history.turns.push(Turn { number: self.history.count, step: Moment::of(step), value });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.turn = Some(RunningTurn { position, seen: vec![step.id()], is_away: false });
        }
    }

    /// The value now, in the topmost function.
    fn evaluate(&mut self, watched: usize, turn: usize) -> Value {
        let Some(frame) = self.state.frames.last() else {
            return Value { type_name: String::new(), shape: crate::value::Shape::Unknown, is_stale: false };
        };
        let listening = Listening { memory: &self.state.memory, asked: RefCell::default() };
        let value = self.question.value(watched, frame, &listening, &self.state);
        let known = listening.asked.into_inner();
        let wanted: HashSet<u64> =
            known.iter().filter(|(_, byte)| !matches!(byte, Byte::Known(_))).map(|(address, _)| *address).collect();
        self.open.retain(|open| open.turn != turn);
        if !wanted.is_empty() {
            if self.open.len() == MOST_OPEN {
                self.open.pop_front();
            }
            self.open.push_back(OpenTurn { turn, watched, frame: frame.clone(), known, wanted, lost: HashSet::new() });
        }
        value
    }

    /// The running turn of the topmost function is over, or interrupted by another line.
    fn take_after(&mut self) {
        if self.when == When::Before {
            return;
        }
        let Some(frame) = self.frames.last() else { return };
        let (Some(watched), Some(position)) = (frame.watched, frame.turn.as_ref().and_then(|turn| turn.position))
        else {
            return;
        };
        let value = self.evaluate(watched, position);
        self.history.turns[position].value = value;
    }

    /// Lets open turns know of an access.
    fn access(&mut self, step: &Step<'_>) {
        if self.open.is_empty() {
            return;
        }
        match &step.instruction().op {
            Op::Load { address, local: None, .. } => {
                let Some(&address) = step.operand(address).first() else { return };
                let size = step.instruction().ty.store_size();
                let bytes = step.result().iter().flat_map(|w| w.to_le_bytes()).take(size as usize);
                let bytes: Vec<(u64, u8)> = (0..).map(|i| address.wrapping_add(i)).zip(bytes).collect();
                for position in 0..self.open.len() {
                    self.shown(position, &bytes);
                }
            }
            Op::Store { value_type, address, local: None, .. } => self.written(step, address, value_type.store_size()),
            Op::ReadModifyWrite { address, value_type, .. } | Op::CompareExchange { address, value_type, .. } => {
                self.written(step, address, value_type.store_size());
            }
            Op::Call(call) | Op::Invoke { call, .. } if call.kind == program::CallKind::Memory => {
                let length = call.arguments.get(2).and_then(|l| step.operand(l).first()).copied().unwrap_or(0);
                if let Some(to) = call.arguments.first() {
                    self.written(step, to, length);
                }
            }
            _ => {}
        }
    }

    fn written(&mut self, step: &Step<'_>, address: &Operand, length: u64) {
        let Some(&address) = step.operand(address).first() else { return };
        for open in &mut self.open {
            let hit = open.wanted.iter().filter(|a| a.wrapping_sub(address) < length);
            let hit: Vec<u64> = hit.copied().collect();
            hit.iter().for_each(|a| _ = open.wanted.remove(a));
            // What is reached later may lie anywhere; a long copy is remembered by its first bytes only.
            open.lost.extend((0..length.min(LONGEST_REMEMBERED)).map(|i| address.wrapping_add(i)));
        }
        self.open.retain(|open| open.lost.len() < MOST_LOST);
    }

    fn shown(&mut self, position: usize, bytes: &[(u64, u8)]) {
        let open = &mut self.open[position];
        let mut is_new = false;
        for (address, byte) in bytes {
            if open.wanted.contains(address) && !open.lost.contains(address) {
                open.wanted.remove(address);
                open.known.insert(*address, Byte::Known(*byte));
                is_new = true;
            }
        }
        if !is_new {
            return;
        }
        let open = &self.open[position];
        let then = Then { known: &open.known, missed: RefCell::default() };
        let value = self.question.value(open.watched, &open.frame, &then, &self.state);
        let missed = then.missed.into_inner();
        if let Some(turn) = self.history.turns.get_mut(open.turn) {
            turn.value = value;
        }
        let open = &mut self.open[position];
        open.wanted = missed.into_iter().filter(|address| !open.lost.contains(address)).collect();
    }

    /// Outside code runs: what is loaded from now on may be new.
    fn outside_ran(&mut self) {
        self.open.clear();
    }

    fn finish(&mut self) {
        while !self.frames.is_empty() {
            if self.frames.last().and_then(|frame| frame.turn.as_ref()).is_some_and(|turn| !turn.is_away) {
                self.take_after();
            }
            self.frames.pop();
            self.state.frames.pop();
        }
    }

    fn follow<T>(&mut self, change: impl FnOnce(&mut State) -> T) {
        let period = self.state.memory.period();
        change(&mut self.state);
        if self.state.memory.period() != period {
            self.outside_ran();
        }
    }
}

const LONGEST_REMEMBERED: u64 = 4096;
const MOST_LOST: usize = 1 << 16;

impl Watched {
    /// Whether an instruction of the line belongs to the running turn.
    fn continues(&self, turn: &RunningTurn, id: InstructionId) -> bool {
        let same_block = turn.seen.last().is_some_and(|last| self.block_of[last.index()] == self.block_of[id.index()]);
        (!turn.is_away || same_block) && !turn.seen.contains(&id)
    }
}

impl Observer for Watcher<'_, '_> {
    fn entered(&mut self, _: &Function, _: &Module, from_outside: bool) {
        self.follow(|state| state.entered(from_outside));
        self.frames.push(FrameWatch::default());
    }

    fn begun(&mut self, step: &Step<'_>) {
        self.state.begun(step);
        let watched = self.question.by_function.get(&(step.module_position(), step.function().id));
        if let Some(frame) = self.frames.last_mut() {
            frame.watched = watched.copied();
        }
    }

    fn step(&mut self, step: &Step<'_>) {
        if let Some(watched) = self.frames.last().and_then(|frame| frame.watched) {
            self.arrive(step, watched);
        }
        self.access(step);
        self.follow(|state| state.apply(step));
        // The function will be gone before its line is left.
        let leaves = matches!(step.instruction().op, Op::Return { .. });
        if leaves && self.frames.last().and_then(|f| f.turn.as_ref()).is_some_and(|turn| !turn.is_away) {
            self.take_after();
        }
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        if matches!(leaving, Leaving::Unwound(_))
            && self.frames.last().and_then(|f| f.turn.as_ref()).is_some_and(|turn| !turn.is_away)
        {
            self.take_after();
        }
        self.frames.pop();
        self.state.left();
    }

    fn returned(&mut self, _: &Step<'_>) {
        self.follow(State::returned);
    }

    fn landed(&mut self, _: &Step<'_>) {
        self.follow(State::outside_ran);
    }

    fn jumped(&mut self, _: InstructionId, _: InstructionId) {
        self.follow(State::outside_ran);
    }

    fn interrupted(&mut self) {
        self.follow(State::outside_ran);
    }

    fn resumed(&mut self) {
        self.follow(State::outside_ran);
    }
}
