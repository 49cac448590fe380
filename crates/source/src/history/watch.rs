//! Watches a replay for turns of a line.

use abi::{InstructionId, StreamId};
use program::{Function, Module, Op};
use replay::{Leaving, Observed, Observer, ReplayError};

use super::late::{Listening, OpenTurns};
use super::{History, Place, Question, Turn, Watched, When};
use crate::state::State;
use crate::value::{Shape, Value};

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

pub(super) struct Watcher<'q, 's> {
    question: &'q Question<'s>,
    when: When,
    limit: usize,
    state: State,
    frames: Vec<FrameWatch>,
    history: History,
    open: OpenTurns,
}

impl<'q, 's> Watcher<'q, 's> {
    pub fn new(
        question: &'q Question<'s>,
        stream: StreamId,
        when: When,
        limit: usize,
    ) -> Result<Watcher<'q, 's>, ReplayError> {
        Ok(Watcher {
            question,
            when,
            limit,
            state: State::new(question.sources)?,
            frames: Vec::new(),
            history: History { stream, turns: Vec::new(), count: 0 },
            open: OpenTurns::default(),
        })
    }

    /// Before the step takes effect.
    fn arrive(&mut self, step: &Observed<'_>, watched: usize) {
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

    fn begin(&mut self, step: &Observed<'_>, watched: usize) {
        self.history.count += 1;
        let position = (self.history.turns.len() < self.limit).then_some(self.history.turns.len());
        if let Some(position) = position {
            let value = self.evaluate(watched, position);
            self.history.turns.push(Turn { number: self.history.count, step: step.step(), value });
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.turn = Some(RunningTurn { position, seen: vec![step.id()], is_away: false });
        }
    }

    /// The value now, in the topmost function.
    fn evaluate(&mut self, watched: usize, turn: usize) -> Value {
        let Some(frame) = self.state.frames.last() else {
            return Value { type_name: String::new(), shape: Shape::Unknown, is_stale: false };
        };
        let listening = Listening::new(&self.state.memory);
        let value = self.question.value(watched, frame, &listening, &self.state);
        self.open.add(turn, watched, frame, listening.asked());
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

    /// The run is over.
    pub fn finish(mut self) -> History {
        while !self.frames.is_empty() {
            if self.frames.last().and_then(|frame| frame.turn.as_ref()).is_some_and(|turn| !turn.is_away) {
                self.take_after();
            }
            self.frames.pop();
            self.state.frames.pop();
        }
        self.history
    }

    fn follow<T>(&mut self, change: impl FnOnce(&mut State) -> T) {
        let period = self.state.memory.period();
        change(&mut self.state);
        if self.state.memory.period() != period {
            self.open.close();
        }
    }
}

impl Watched {
    /// Whether an instruction of the line belongs to the running turn.
    fn continues(&self, turn: &RunningTurn, id: InstructionId) -> bool {
        let same_block = turn.seen.last().is_some_and(|last| self.block_of[last.index()] == self.block_of[id.index()]);
        (!turn.is_away || same_block) && !turn.seen.contains(&id)
    }
}

impl Observer for Watcher<'_, '_> {
    const IN_HANDLERS: bool = true;

    fn entered(&mut self, _: &Function, _: &Module, from_outside: bool) {
        self.follow(|state| state.entered(from_outside));
        self.frames.push(FrameWatch::default());
    }

    fn begun(&mut self, step: &Observed<'_>) {
        self.state.begun(step);
        let watched = self.question.by_function.get(&(step.module_position(), step.function().id));
        if let Some(frame) = self.frames.last_mut() {
            frame.watched = watched.copied();
        }
    }

    fn step(&mut self, step: &Observed<'_>) {
        if let Some(watched) = self.frames.last().and_then(|frame| frame.watched) {
            self.arrive(step, watched);
        }
        self.open.follow(step, self.question, &self.state, &mut self.history.turns);
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

    fn returned(&mut self, _: &Observed<'_>) {
        self.follow(State::returned);
    }

    fn landed(&mut self, _: &Observed<'_>) {
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
