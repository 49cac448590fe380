//! What a technique is given: the failing run, understood, and the lab to try things in.

use std::cell::OnceCell;
use std::time::Instant;

use execution::Run;
use execution::dependence::graph::Builder;
use execution::dependence::{Follow, Mark, Walk};
use execution::failure::{self, Failure, FailureError, Question};
use execution::nearness::Nearness;
use execution::slice::{SliceError, slice_within, walk_back_within};
use execution::sources::Sources;
use execution::unexamined::{self, FIRST_THREAD, failing_thread};
use experiment::{End, Lab, LabError, Test};
use program::potential::Potential;
use recording::{ReadError, Recording};
use replay::{Image, ReplayError, Where};

use crate::Remedy;
use crate::rank::RankError;
use crate::right_lines::{RightLines, right_lines};

/// Cheap to copy, so that one technique can be given less time than another.
#[derive(Clone, Copy)]
pub struct Subject<'a, 'r> {
    pub lab: &'a Lab,
    pub run: &'a Run<'r>,
    pub sources: &'a Sources<'a, 'r>,
    pub question: &'a Question,
    /// Tests of the same program; there may be none.
    pub tests: &'a [Test],
    pub effort: Effort,
    /// When to come to an end.
    pub deadline: Instant,
    pub progress: &'a dyn Progress,
    /// What is known to make the run right, the likeliest first; `None` if nobody has looked for it.
    pub remedies: Option<&'a [Remedy]>,
    /// What is not known of the failure, in sentences.
    pub shortcomings: &'a [String],
    /// Made when first asked for.
    potential: &'a dyn PotentialOnce,
    nearness: &'a OnceCell<Nearness>,
    right_lines: &'a OnceCell<RightLines>,
}

/// What could have been defined where, computed when first asked for.
trait PotentialOnce {
    fn get(&self) -> Result<&Potential<'_>, TechniqueError>;
}

/// Behind a trait, since a cell is of one lifetime only, and subjects are used for shorter ones.
struct OfRun<'a, 'r> {
    run: &'a Run<'r>,
    known: OnceCell<Potential<'r>>,
}

impl PotentialOnce for OfRun<'_, '_> {
    fn get(&self) -> Result<&Potential<'_>, TechniqueError> {
        if let Some(known) = self.known.get() {
            return Ok(known);
        }
        let potential = self.run.potential()?;
        Ok(self.known.get_or_init(|| potential))
    }
}

/// What may be spent on an answer.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    pub deadline: Instant,
    pub effort: Effort,
    pub tests: &'a [Test],
    pub progress: &'a dyn Progress,
}

/// When a technique has tried enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// When there is nothing left to try.
    Everything,
    /// When more experiments have brought nothing new for long.
    UntilSettled,
}

/// Who wants to know what is being tried.
pub trait Progress: Sync {
    /// So many of so many experiments of a kind are done.
    fn tried(&self, what: &str, done: usize, of: usize);

    /// Somebody wants the best that is known by now.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Nobody does.
pub struct Quiet;

impl Progress for Quiet {
    fn tried(&self, _: &str, _: usize, _: usize) {}
}

#[derive(Debug, thiserror::Error)]
pub enum TechniqueError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error(transparent)]
    Failure(#[from] FailureError),
    #[error(transparent)]
    Slice(#[from] SliceError),
    #[error(transparent)]
    Lab(#[from] LabError),
    #[error(transparent)]
    Rank(#[from] RankError),
}

impl TechniqueError {
    /// As a person is told. Where a replay departs, what it expected is of no use to anybody but us.
    pub fn spoken(&self) -> String {
        let replay = match self {
            TechniqueError::Replay(error)
            | TechniqueError::Failure(FailureError::Replay(error))
            | TechniqueError::Slice(SliceError::Replay(error)) => error,
            TechniqueError::Rank(RankError::Replay { error, .. }) => error,
            other => return other.to_string(),
        };
        match replay {
            ReplayError::Departed { place, .. } => departed(place),
            other => other.to_string(),
        }
    }
}

/// That a run cannot be replayed, and whose fault that is.
pub fn departed(place: &Where) -> String {
    let line = place.source.as_ref().map_or_else(String::new, |source| format!(" at {source}"));
    format!(
        "the run could not be replayed exactly from `{}`{line} on. That is a fault of faultline, not of your program; \
         `faultline record` and `faultline replay` show the details to report",
        place.function
    )
}

/// Why no experiments are made.
pub const OTHER_THREAD: &str =
    "experiments can change only the first thread, and the failure is in another: none were made";

impl<'a> Means<'a> {
    /// All there is to try until then, without tests, unobserved.
    pub fn until(deadline: Instant) -> Means<'a> {
        Means { deadline, effort: Effort::Everything, tests: &[], progress: &Quiet }
    }
}

/// Steps of the graph, at most: the latest. More would take long to build and to look at.
const MOST_STEPS: usize = 300_000;
/// Steps of a slice of whose potential dependences a graph is made: each use of a variable is compared with all others
/// that wait for the same definition, which takes long where a loop of many turns uses it.
const MOST_POTENTIAL: u64 = 20_000;

impl<'a, 'r> Subject<'a, 'r> {
    /// The same with less time.
    pub fn until(&self, deadline: Instant) -> Subject<'a, 'r> {
        Subject { deadline: deadline.min(self.deadline), ..*self }
    }

    /// The same with what is known to make the run right.
    pub fn with_remedies<'b>(&self, remedies: Option<&'b [Remedy]>) -> Subject<'b, 'r>
    where
        'a: 'b,
    {
        Subject { remedies, ..*self }
    }

    /// Whether experiments can change the thread that the failure is in.
    pub fn reaches_failure(&self) -> bool {
        self.run.stream == FIRST_THREAD
    }

    /// Whether the oracle wants something in particular, not just that the failure goes away.
    pub fn is_hard_to_satisfy(&self) -> bool {
        let oracle = self.lab.oracle();
        let has_ended = matches!(self.lab.baseline().ran.end, End::Exited(_));
        has_ended && (oracle.output.is_some() || oracle.check.is_some())
    }

    /// Whether there is no more time.
    pub fn is_over(&self) -> bool {
        self.progress.is_interrupted() || Instant::now() >= self.deadline
    }

    /// What the right lines of the output depend on.
    pub fn right_lines(&self) -> Result<&'a RightLines, TechniqueError> {
        if let Some(known) = self.right_lines.get() {
            return Ok(known);
        }
        let right = right_lines(self)?;
        Ok(self.right_lines.get_or_init(|| right))
    }

    /// What could have been defined where.
    pub fn potential(&self) -> Result<&'a Potential<'a>, TechniqueError> {
        self.potential.get()
    }

    /// What the failure depends on, and how far away that is; what it potentially depends on is in it unless that is much.
    pub fn nearness(&self) -> Result<&'a Nearness, TechniqueError> {
        if let Some(known) = self.nearness.get() {
            return Ok(known);
        }
        let criterion = &self.question.criterion;
        let root = criterion.step(self.run);
        let potential = self.potential()?;
        let relevant = Follow::Relevant(potential);
        let reach = self.question.reach();
        let is_small = slice_within(self.run, criterion, relevant, 0, reach)?.steps <= MOST_POTENTIAL;
        let follow = if is_small { relevant } else { Follow::DataAndControl };
        let builder = Builder::new(&self.run.functions, MOST_STEPS);
        let walk = Walk::new(&self.run.functions, follow, builder);
        let mark = |builder: &mut Builder<'_>| root.map_or(Mark::NOBODY, |at| builder.root(at));
        let graph = walk_back_within(self.run, criterion, walk, mark, reach)?.demand.graph;
        let mut nearness = Nearness::of(&self.run.functions, graph);
        nearness.is_relevant = is_small;
        Ok(self.nearness.get_or_init(|| nearness))
    }
}

/// Opens the recording of a lab's failing run.
pub fn with_subject<T>(
    lab: &Lab,
    means: Means<'_>,
    look: impl FnOnce(&Subject<'_, '_>) -> Result<T, TechniqueError>,
) -> Result<T, TechniqueError> {
    let recording = Recording::open(&lab.baseline().recording)?;
    let image = Image::new(&recording);
    // How it ended may be another thread's doing; what it wrote is looked for in the first.
    let is_about_end = lab.oracle().output.is_none() || !matches!(lab.baseline().ran.end, End::Exited(_));
    let thread = if is_about_end { failing_thread(&image)? } else { FIRST_THREAD };
    let run = Run::new(&image, thread)?;
    let sources = Sources::new(&image)?;
    let (question, shortcoming) = question(lab, &run)?;
    let mut shortcomings = unexamined::limits(&run);
    shortcomings.extend(shortcoming);
    let Means { deadline, effort, tests, progress } = means;
    let nearness = OnceCell::new();
    let (run, sources, question) = (&run, &sources, &question);
    let (shortcomings, nearness, right_lines) = (&shortcomings[..], &nearness, &OnceCell::new());
    let potential = &OfRun { run, known: OnceCell::new() };
    look(&Subject {
        lab,
        run,
        sources,
        question,
        tests,
        effort,
        deadline,
        progress,
        remedies: None,
        shortcomings,
        potential,
        nearness,
        right_lines,
    })
}

/// What is wrong with the failing run: that it was killed, what it wrote, or how it ended; and what is not known of that.
fn question(lab: &Lab, run: &Run<'_>) -> Result<(Question, Option<String>), FailureError> {
    let failing = &lab.baseline().ran;
    let End::Exited(status) = failing.end else { return Ok((failure::by_itself(run)?, None)) };
    if let Some(expected) = &lab.oracle().output {
        match failure::wrong_output(run, &failing.output, expected) {
            Err(FailureError::AsExpected) => {}
            Err(unknown @ (FailureError::NoWriter { .. } | FailureError::NobodyToWrite)) => {
                // Experiments need no criterion; what the end of the run depends on must do for the rest.
                let byte = failing.output.iter().zip(expected).take_while(|(a, b)| a == b).count();
                let failure = Failure::WrongByte {
                    byte: byte as u64,
                    found: failing.output.get(byte).copied(),
                    expected: expected.get(byte).copied(),
                };
                let question = Question { failure, ..failure::status_of(run, status)? };
                let limit =
                    format!("{unknown}; so what the wrong output depends on is not known, only the end of the run");
                return Ok((question, Some(limit)));
            }
            other => return Ok((other?, None)),
        }
    }
    let question = match lab.oracle().status {
        None if status == 0 && !failing.output.is_empty() => {
            // Only a check knows what is wrong; the last thing written is what it has seen.
            failure::output_byte(run, failing.output.len() as u64 - 1)
        }
        _ => failure::status_of(run, status),
    };
    Ok((question?, None))
}
