//! The values of an expression at each execution of a line.
//!
//! A *turn* is one execution of a line in one call of its function: it begins when control comes to the line and ends
//! when it goes to another, or when an instruction of the line would execute again. Straight-line code that goes back
//! and forth between lines (an argument list over several) is one turn.
//!
//! What outside code wrote is known only when the program loads it. So a turn whose value has unknown or stale bytes
//! stays open for them: a load that comes before any store to the byte, and before outside code runs again, shows what
//! was there all along.

mod watch;
mod late;

use std::collections::HashMap;

use abi::{FunctionId, InstructionId, StreamId};
use program::{BlockId, Function};
use replay::{ReplayError, Step};

use self::watch::Watcher;
use crate::source_line::SourceLine;
use crate::sources::Sources;
use crate::state::{Byte, Bytes, Frame, State};
use crate::value::{Expression, Extent, LocateError, Scene, Shape, Value, Visible, read};

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
    pub step: Step,
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
        let watcher = Watcher::new(self, stream, when, limit)?;
        let (_, watcher) = replay::replay(self.sources.image, stream, watcher)?;
        Ok(watcher.finish())
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
            Err(_) => Value { type_name: String::new(), shape: Shape::Unknown, is_stale: false },
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
