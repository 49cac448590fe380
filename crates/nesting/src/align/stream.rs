//! The statements of a run with their levels, one after the other, in bounded memory.

use std::sync::mpsc::{Receiver, SyncSender};

use replay::{Observer, ReplayError, Step};

use super::translate::{Translated, Translation};
use crate::region::{Level, Nesting, Observe, Regions};
use execution::{Run, Window};

/// Some statements in the order of execution.
pub struct Batch<T> {
    steps: Vec<Passed>,
    /// The levels opened before each of them, one after the other.
    levels: Vec<Level>,
    /// What was noted of each of them, one after the other.
    notes: Vec<T>,
}

#[derive(Clone, Copy)]
struct Passed {
    at: Step,
    level: Level,
    /// How many levels are open still from the statement before, and how many were opened since.
    same: u32,
    opened: u32,
    /// How much was noted of it.
    notes: u32,
}

impl<T> Default for Batch<T> {
    fn default() -> Batch<T> {
        Batch { steps: Vec::new(), levels: Vec::new(), notes: Vec::new() }
    }
}

pub type Sent<T> = Result<Batch<T>, ReplayError>;

const BATCH: usize = 1 << 13;
/// Batches made ahead.
pub(super) const AHEAD: usize = 4;

/// Sees a run go by: its nesting, and whatever is to be noted of statements besides.
pub trait Noting: Observer {
    type Note: Send;

    fn collect(&mut self) -> &mut Collect<Self::Note>;
}

/// Notes nothing.
impl Noting for Regions<'_, '_, Collect<()>> {
    type Note = ();

    fn collect(&mut self) -> &mut Collect<()> {
        &mut self.visitor
    }
}

/// Replays a run and sends its statements, until nobody listens any more. Returns how many there were before each window.
pub(super) fn send<'f, 'r, N: Noting>(
    run: &'f Run<'r>,
    sender: SyncSender<Sent<N::Note>>,
    begin: impl FnOnce(Regions<'f, 'r, Collect<N::Note>>) -> N,
) -> Vec<u64> {
    let collect = Collect { batch: Batch::default(), sender: Some(sender), count: 0, next: Vec::new() };
    let mut observer = begin(Regions::new(&run.functions, collect));
    let mut before = Vec::new();
    for window in (0..=run.last_window().0).map(Window) {
        before.push(observer.collect().count);
        let sender = observer.collect().sender.clone();
        match run.replay(window, observer) {
            Ok(after) => observer = after,
            Err(error) => {
                // Whoever does not listen does not want to know.
                let _ = sender.map(|sender| sender.send(Err(error)));
                return before;
            }
        }
        if observer.collect().sender.is_none() {
            return before;
        }
    }
    observer.collect().flush();
    before
}

pub struct Collect<T> {
    batch: Batch<T>,
    /// None once nobody listens.
    sender: Option<SyncSender<Sent<T>>>,
    /// How many statements there were.
    count: u64,
    /// What is noted of the next one.
    next: Vec<T>,
}

impl<T> Collect<T> {
    /// Notes something of the next statement.
    pub fn note(&mut self, note: T) {
        self.next.push(note);
    }

    /// Notes more of the latest statement.
    pub fn note_late(&mut self, note: T) {
        if let Some(step) = self.batch.steps.last_mut() {
            step.notes += 1;
            self.batch.notes.push(note);
        }
    }

    fn flush(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        if self.sender.as_ref().is_some_and(|sender| sender.send(Ok(batch)).is_err()) {
            self.sender = None;
        }
    }
}

impl<T> Observe for Collect<T> {
    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        // A signal handler comes when it comes: its steps have no place among the others.
        if self.sender.is_none() || nesting.is_of_handler() {
            return;
        }
        let Some(level) = nesting.step(at.site.instruction) else { return };
        // Not before: more may have been noted of the latest.
        if self.batch.steps.len() == BATCH {
            self.flush();
        }
        let same = nesting.settle();
        let opened = &nesting.levels()[same..];
        self.batch.levels.extend_from_slice(opened);
        let notes = self.next.len() as u32;
        self.batch.notes.append(&mut self.next);
        self.batch.steps.push(Passed { at, level, same: same as u32, opened: opened.len() as u32, notes });
        self.count += 1;
    }
}

/// Where a reader of the statements is.
pub struct Cursor<'a, T> {
    translation: Option<Translation<'a>>,
    receiver: Receiver<Sent<T>>,
    batch: Batch<T>,
    next: usize,
    next_level: usize,
    next_note: usize,
    /// The levels around the present statement, and itself.
    pub(super) path: Vec<Level>,
    /// How long the path was before each level the run has, the step among them.
    before: Vec<usize>,
    /// The first level of the run that the other has nothing for.
    foreign: Option<usize>,
    /// The present statement; none at the end.
    pub at: Option<Step>,
}

impl<'a, T> Cursor<'a, T> {
    /// Before the first statement.
    pub(super) fn new(receiver: Receiver<Sent<T>>, translation: Option<Translation<'a>>) -> Cursor<'a, T> {
        Cursor {
            translation,
            receiver,
            batch: Batch::default(),
            next: 0,
            next_level: 0,
            next_note: 0,
            path: Vec::new(),
            before: Vec::new(),
            foreign: None,
            at: None,
        }
    }

    /// What was noted of the present statement.
    pub fn notes(&self) -> &[T] {
        let count = self.next.checked_sub(1).map_or(0, |present| self.batch.steps[present].notes as usize);
        &self.batch.notes[self.next_note - count..self.next_note]
    }

    /// Whether the other run cannot have the present statement.
    pub(super) fn is_foreign(&self) -> bool {
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
    pub(super) fn advance(&mut self) -> Result<usize, ReplayError> {
        while self.next == self.batch.steps.len() {
            match self.receiver.recv() {
                Ok(batch) => (self.batch, self.next, self.next_level, self.next_note) = (batch?, 0, 0, 0),
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
        self.next_note += step.notes as usize;
        self.at = Some(step.at);
        Ok(same)
    }
}
