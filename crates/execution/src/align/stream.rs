//! The statements of a run with their levels, one after the other, in bounded memory.

use std::sync::mpsc::{Receiver, SyncSender};

use replay::ReplayError;

use super::translate::{Translated, Translation};
use crate::dependence::Moment;
use crate::region::{Level, Nesting, Observe, Regions};
use crate::run::{Run, Window};

/// Some statements in the order of execution.
#[derive(Default)]
pub(super) struct Batch {
    steps: Vec<Step>,
    /// The levels opened before each of them, one after the other.
    levels: Vec<Level>,
}

#[derive(Clone, Copy)]
struct Step {
    at: Moment,
    level: Level,
    /// How many levels are open still from the statement before, and how many were opened since.
    same: u32,
    opened: u32,
}

pub(super) type Sent = Result<Batch, ReplayError>;

const BATCH: usize = 1 << 13;
/// Batches made ahead.
pub(super) const AHEAD: usize = 4;

/// Replays a run and sends its statements, until nobody listens any more.
pub(super) fn send(run: &Run<'_>, sender: SyncSender<Sent>) {
    let mut regions = Regions::new(&run.functions, Collect { batch: Batch::default(), sender: Some(sender) });
    for window in (0..=run.last_window().0).map(Window) {
        let sender = regions.visitor.sender.clone();
        match run.replay(window, regions) {
            Ok(after) => regions = after,
            Err(error) => {
                // Whoever does not listen does not want to know.
                let _ = sender.map(|sender| sender.send(Err(error)));
                return;
            }
        }
        if regions.visitor.sender.is_none() {
            return;
        }
    }
    regions.visitor.flush();
}

struct Collect {
    batch: Batch,
    /// None once nobody listens.
    sender: Option<SyncSender<Sent>>,
}

impl Collect {
    fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if self.sender.as_ref().is_some_and(|sender| sender.send(Ok(batch)).is_err()) {
            self.sender = None;
        }
    }
}

impl Observe for Collect {
    fn visit(&mut self, nesting: &mut Nesting, at: Moment) {
        // A signal handler comes when it comes: its steps have no place among the others.
        if self.sender.is_none() || nesting.is_of_handler() {
            return;
        }
        let Some(level) = nesting.step(at.instruction) else { return };
        let same = nesting.settle();
        let opened = &nesting.levels()[same..];
        self.batch.levels.extend_from_slice(opened);
        self.batch.steps.push(Step { at, level, same: same as u32, opened: opened.len() as u32 });
        if self.batch.steps.len() == BATCH {
            self.flush();
        }
    }
}

/// Where a reader of the statements is.
pub(super) struct Cursor<'a> {
    translation: Option<Translation<'a>>,
    receiver: Receiver<Sent>,
    batch: Batch,
    next: usize,
    next_level: usize,
    /// The levels around the present statement, and itself.
    pub path: Vec<Level>,
    /// How long the path was before each level the run has, the step among them.
    before: Vec<usize>,
    /// The first level of the run that the other has nothing for.
    foreign: Option<usize>,
    /// The present statement; none at the end.
    pub at: Option<Moment>,
}

impl<'a> Cursor<'a> {
    /// Before the first statement.
    pub fn new(receiver: Receiver<Sent>, translation: Option<Translation<'a>>) -> Cursor<'a> {
        Cursor {
            translation,
            receiver,
            batch: Batch::default(),
            next: 0,
            next_level: 0,
            path: Vec::new(),
            before: Vec::new(),
            foreign: None,
            at: None,
        }
    }

    /// Whether the other run cannot have the present statement.
    pub fn is_foreign(&self) -> bool {
        self.foreign.is_some()
    }

    fn push(&mut self, level: Level) {
        self.before.push(self.path.len());
        let translated = match &mut self.translation {
            None => Translated::Kept(level),
            Some(translation) => translation.push(level),
        };
        match translated {
            Translated::Kept(level) => self.path.push(level),
            Translated::Dropped => {}
            Translated::Foreign => {
                self.foreign.get_or_insert(self.before.len() - 1);
                self.path.push(level);
            }
        }
    }

    /// Leaves so many of the levels the run has.
    fn cut(&mut self, length: usize) {
        if let Some(&before) = self.before.get(length) {
            self.path.truncate(before);
            self.before.truncate(length);
        }
        self.foreign = self.foreign.filter(|&first| first < length);
        if let Some(translation) = &mut self.translation {
            translation.cut(length);
        }
    }

    /// Goes to the next statement; returns how many levels of the path are as before.
    pub fn advance(&mut self) -> Result<usize, ReplayError> {
        while self.next == self.batch.steps.len() {
            match self.receiver.recv() {
                Ok(batch) => (self.batch, self.next, self.next_level) = (batch?, 0, 0),
                Err(_) => {
                    self.path.clear();
                    self.at = None;
                    return Ok(0);
                }
            }
        }
        let step = self.batch.steps[self.next];
        self.cut(step.same as usize);
        let same = self.path.len();
        for _ in 0..step.opened {
            self.push(self.batch.levels[self.next_level]);
            self.next_level += 1;
        }
        self.push(step.level);
        self.next += 1;
        self.at = Some(step.at);
        Ok(same)
    }
}
