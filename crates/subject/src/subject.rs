//! What a technique is given: the failing run, understood, and the lab to try things in.

use std::cell::OnceCell;
use std::convert::Infallible;
use std::rc::Rc;

use abi::StreamId;
use budget::Budget;
use execution::Run;
use execution::dependence::graph::Builder;
use execution::dependence::{Follow, Mark, Walk};
use execution::nearness::Nearness;
use execution::slice::{Reach, Request};
use execution::unexamined::{self, failing_thread};
use experiment::{End, Intervention, Lab, Ran, Test};
use failure::{self, Failure, FailureError, Question};
use findings::Limit;
use program::potential::Potential;
use recording::Recording;
use replay::{Image, ReplayError, Step};
use source::sources::Sources;

use crate::memo::Memo;
use crate::notebook::noted;
use crate::place::own_location;
use crate::{Fineness, Notebook, Remedy, Repair, TechniqueError};

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
    pub budget: &'a Budget,
    pub progress: &'a dyn Progress,
    /// Where to write down what is found when it is found.
    pub notebook: &'a Notebook,
    /// What is known to make the run right, the likeliest first; `None` if nobody has looked for it.
    pub remedies: Option<&'a [Remedy]>,
    /// What is not known of the failure.
    pub shortcomings: &'a [Limit],
    /// Made when first asked for.
    potential: &'a dyn PotentialOnce,
    nearness: &'a OnceCell<Nearness>,
    /// What techniques have learned, each under its own type.
    pub(crate) memo: &'a Memo,
}

/// What could have been defined where, computed when first asked for.
trait PotentialOnce {
    /// None if there was no time for it, or no memory.
    fn get(&self, budget: &Budget) -> Result<Option<&Potential<'_>>, TechniqueError>;
}

/// Behind a trait, since a cell is of one lifetime only, and subjects are used for shorter ones.
struct OfRun<'a, 'r> {
    run: &'a Run<'r>,
    known: OnceCell<Option<Potential<'r>>>,
}

impl PotentialOnce for OfRun<'_, '_> {
    fn get(&self, budget: &Budget) -> Result<Option<&Potential<'_>>, TechniqueError> {
        if let Some(known) = self.known.get() {
            return Ok(known.as_ref());
        }
        let potential = match self.run.potential_within(budget) {
            Ok(potential) => Some(potential),
            // Whoever asks next would wait in vain, too.
            Err(ReplayError::Spent(_)) => None,
            Err(error) => return Err(error.into()),
        };
        budget.look_at_memory();
        Ok(self.known.get_or_init(|| potential).as_ref())
    }
}

/// What may be spent on an answer.
#[derive(Clone, Copy)]
pub struct Means<'a> {
    pub budget: &'a Budget,
    pub effort: Effort,
    pub tests: &'a [Test],
    pub progress: &'a dyn Progress,
    pub notebook: &'a Notebook,
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
}

/// Nobody does.
pub struct Quiet;

impl Progress for Quiet {
    fn tried(&self, _: &str, _: usize, _: usize) {}
}

impl<'a> Means<'a> {
    /// All there is to try within a budget, without tests, unobserved.
    pub fn within(budget: &'a Budget, notebook: &'a Notebook) -> Means<'a> {
        Means { budget, effort: Effort::Everything, tests: &[], progress: &Quiet, notebook }
    }
}

/// Steps of the graph, at most: the latest. More would take long to build and to look at.
const MOST_STEPS: usize = 300_000;
/// Steps of a slice of whose potential dependences a graph is made: each use of a variable is compared with all others
/// that wait for the same definition, which takes long where a loop of many turns uses it. Those in twins of library
/// functions, where no branch counts, are not among them.
const MOST_POTENTIAL: u64 = 20_000;

impl<'a, 'r> Subject<'a, 'r> {
    /// The same with less time.
    pub fn within<'b>(&self, budget: &'b Budget) -> Subject<'b, 'r>
    where
        'a: 'b,
    {
        Subject { budget, ..*self }
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
        self.run.stream == StreamId::MAIN
    }

    /// Whether the oracle wants something in particular, not just that the failure goes away.
    pub fn is_hard_to_satisfy(&self) -> bool {
        let oracle = self.lab.oracle();
        let has_ended = matches!(self.lab.baseline().ran.end, End::Exited(_));
        has_ended && (oracle.output.is_some() || oracle.check.is_some())
    }

    /// What is known of it under this type, or else what `learn` finds out: once, whoever asks.
    pub fn known_or<T: 'static>(&self, learn: impl FnOnce() -> T) -> Rc<T> {
        let Ok(known) = self.memo.known_or(|| Ok::<_, Infallible>(learn()));
        known
    }

    /// Whether there is no more time.
    pub fn is_over(&self) -> bool {
        self.budget.is_over()
    }

    /// What may be spent on preparing experiments: a part of what is left, so that some can be made.
    pub fn preparation(&self) -> Budget {
        self.budget.part(self.budget.left() / 2)
    }

    /// What may be spent on something that all techniques use: a part of all the time that is left.
    fn once_for_all(&self) -> Budget {
        let whole = &self.run.image().budget;
        whole.part(whole.left() / 4)
    }

    /// Writes down at once what an experiment at a step has shown.
    pub fn note(&self, technique: &str, at: Step, repair: Option<Repair>, fineness: Fineness) {
        let suspect = repair.and_then(|repair| Some(noted(technique, own_location(self.run, at)?, repair, fineness)));
        self.notebook.note(suspect);
    }

    /// What could have been defined where; none if the program is so large that there was no time to find out.
    pub fn potential(&self) -> Result<Option<&'a Potential<'a>>, TechniqueError> {
        self.potential.get(&self.once_for_all())
    }

    /// The dependences that are followed: potential ones, too, if they are known.
    pub fn follow(&self) -> Result<Follow<'a>, TechniqueError> {
        Ok(self.potential()?.map_or(Follow::DataAndControl, Follow::Relevant))
    }

    /// Makes a run with changes, recorded, and shows it to `look`.
    pub fn examine<T>(
        &self,
        experiment: &[Intervention],
        look: impl FnOnce(&Ran, &Image<'_>) -> Result<T, TechniqueError>,
    ) -> Result<T, TechniqueError> {
        self.lab.examine(experiment, &self.run.image().budget, look)
    }

    /// What the failure depends on, and how far away that is; what it potentially depends on is in it unless that is much.
    pub fn nearness(&self) -> Result<&'a Nearness, TechniqueError> {
        if let Some(known) = self.nearness.get() {
            return Ok(known);
        }
        let criterion = &self.question.criterion;
        let root = criterion.step(self.run);
        let relevant = self.follow()?;
        let (reach, budget) = (self.question.reach(), self.once_for_all());
        let is_small = matches!(relevant, Follow::Relevant(_)) && {
            let half = budget.part(budget.left() / 2);
            let slice = Request::of(criterion).within(reach).budget(&half).slice(self.run, relevant, 0)?;
            slice.own_steps(&self.run.functions) <= MOST_POTENTIAL && !(slice.cut.is_some() && budget.is_over())
        };
        let follow = if is_small { relevant } else { Follow::DataAndControl };
        let builder = Builder::new(&self.run.functions, MOST_STEPS);
        let walk = Walk::new(&self.run.functions, follow, builder);
        let mark = |builder: &mut Builder<'_>| root.map_or(Mark::NOBODY, |at| builder.root(at));
        let walk = Request::of(criterion).within(reach).budget(&budget).walk(self.run, walk, mark)?;
        let mut graph = walk.demand.graph;
        graph.is_cut |= walk.cut.is_some() && (reach == Reach::ALL || budget.is_over());
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
    let image = Image::within(&recording, means.budget);
    means.notebook.doing("the failing run was being replayed");
    // How it ended may be another thread's doing; what it wrote is looked for in the first.
    let is_about_end = lab.oracle().output.is_none() || !matches!(lab.baseline().ran.end, End::Exited(_));
    let thread = if is_about_end { failing_thread(&image)? } else { StreamId::MAIN };
    let run = Run::new(&image, thread)?;
    means.notebook.doing("the place where the failure appears was being searched for");
    let sources = Sources::new(&image)?;
    let (question, shortcoming) = question(lab, &run)?;
    let shortcomings = unexamined::limits(&run).into_iter().chain(shortcoming);
    let shortcomings: Vec<Limit> = shortcomings.map(|text| Limit::Stated { text }).collect();
    let Means { budget, effort, tests, progress, notebook } = means;
    let nearness = OnceCell::new();
    let (run, sources, question) = (&run, &sources, &question);
    let (shortcomings, nearness) = (&shortcomings[..], &nearness);
    let memo = &Memo::default();
    let potential = &OfRun { run, known: OnceCell::new() };
    look(&Subject {
        lab,
        run,
        sources,
        question,
        tests,
        effort,
        budget,
        progress,
        notebook,
        remedies: None,
        shortcomings,
        potential,
        nearness,
        memo,
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
