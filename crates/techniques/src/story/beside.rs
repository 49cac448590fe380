//! The failing run beside one that an experiment repaired, where it matters: around the change, wherever the difference
//! went on its way to the failure, and at the end.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use abi::StreamId;
use comparison::{Ignored, Name, Pair, Sides, compare, executions};
use execution::Run;
use experiment::{Intervention, Outcome};
use findings::Limit;
use findings::story::{Cell, Row, RowKind, SideBySide};
use nesting::align::{Aligned, align};
use replay::{Image, Step};
use source::sources::Sources;
use source::told::{Told, tell};

use crate::why::Diagnosis;
use subject::place::location;
use subject::{Subject, TechniqueError};

/// Longer runs are not compared: that takes a few replays of both.
const MOST_TICKS: u64 = 30_000_000;
/// Differences looked at, and those of the chain shown.
const MOST_CAUSES: usize = 20_000;
const MOST_LINKS: usize = 40;
/// Statements before and after the change, at the end, and in all.
const BEFORE: usize = 5;
const AFTER: usize = 10;
const MOST_ROWS: usize = 120;

type Plan = Vec<Intervention>;

/// The experiment that made the run right and is nearest to the best finding: by its step, else the smallest, else the latest.
pub fn repairing<'o>(diagnosis: &Diagnosis, outcomes: &'o [(Plan, Outcome)]) -> Option<&'o Plan> {
    let best = diagnosis.steps.first().copied().flatten().map(|step| step.clock);
    let passing = outcomes.iter().filter(|(plan, outcome)| *outcome == Outcome::Passes && !plan.is_empty());
    passing.map(|(plan, _)| plan).min_by_key(|plan| {
        let clock = plan[0].clock;
        (plan.len(), best != Some(clock), std::cmp::Reverse(clock), (*plan).clone())
    })
}

pub fn beside(
    subject: &Subject<'_, '_>,
    experiment: &Plan,
    limits: &mut Vec<Limit>,
) -> Result<Option<SideBySide>, TechniqueError> {
    if subject.lab.baseline().clock > MOST_TICKS {
        limits.push(Limit::TooLongBeside);
        return Ok(None);
    }
    subject.examine(experiment, |_, image| Ok(Some(side_by_side(subject, experiment, image)?)))
}

fn side_by_side(subject: &Subject<'_, '_>, experiment: &Plan, image: &Image<'_>) -> Result<SideBySide, TechniqueError> {
    let run = Run::new(image, StreamId::MAIN)?;
    let sources = Sources::new(image)?;
    let pair = Pair {
        runs: Sides { left: subject.run, right: &run },
        sources: Sides { left: subject.sources, right: &sources },
        map: None,
    };
    let links = differences(&pair)?;
    let mut keeper = Keeper::new(subject.run, experiment, links);
    align(subject.run, &run, |aligned| keeper.visit(aligned))?;
    let kept = keeper.finish();
    let sides = |pick: fn(&Aligned) -> Option<Step>| -> BTreeSet<Step> {
        kept.iter().filter_map(|kept| if let Kept::Statement(aligned) = kept { pick(aligned) } else { None }).collect()
    };
    let told =
        Sides { left: tell(subject.run, subject.sources, &sides(left))?, right: tell(&run, &sources, &sides(right))? };
    let changed: HashSet<u64> = experiment.iter().map(|change| change.clock).collect();
    let teller = Teller { runs: pair.runs, told, changed };
    Ok(SideBySide { changes: experiment.len() as u64, rows: teller.rows(&kept) })
}

/// Where the difference went on its way to the failure: steps of the failing run, or of the other.
fn differences(pair: &Pair<'_, '_>) -> Result<Sides<HashSet<Step>>, TechniqueError> {
    let comparison = compare(pair, &Sides::<Ignored>::default(), MOST_CAUSES)?;
    let chain = &comparison.chain;
    let links = chain.iter().take(MOST_LINKS / 2).chain(chain.iter().skip(MOST_LINKS / 2).rev().take(MOST_LINKS / 2));
    let names: Vec<Name> = links.filter_map(|link| link.name).collect();
    let mut steps = Sides::<HashSet<Step>>::default();
    for execution in executions(pair, &comparison.survey.order, &names)?.into_values() {
        steps.left.extend(execution.left);
        steps.right.extend(execution.right);
    }
    Ok(steps)
}

fn left(aligned: &Aligned) -> Option<Step> {
    match aligned {
        Aligned::Both(left, _) | Aligned::Left(left) => Some(*left),
        Aligned::Right(_) => None,
    }
}

fn right(aligned: &Aligned) -> Option<Step> {
    match aligned {
        Aligned::Both(_, right) | Aligned::Right(right) => Some(*right),
        Aligned::Left(_) => None,
    }
}

enum Kept {
    Statement(Aligned),
    Gap(u64),
}

/// Keeps the statements that are shown while all go by.
struct Keeper<'a, 'r> {
    run: &'a Run<'r>,
    changed: HashSet<u64>,
    links: Sides<HashSet<Step>>,
    kept: Vec<Kept>,
    count: usize,
    /// The latest that were not kept, and how many were before them.
    before: VecDeque<Aligned>,
    skipped: u64,
    /// How many are still kept, whatever they are.
    after: usize,
}

impl<'a, 'r> Keeper<'a, 'r> {
    fn new(run: &'a Run<'r>, experiment: &Plan, links: Sides<HashSet<Step>>) -> Keeper<'a, 'r> {
        let changed = experiment.iter().map(|change| change.clock).collect();
        let (kept, before) = (Vec::new(), VecDeque::new());
        Keeper { run, changed, links, kept, count: 0, before, skipped: 0, after: 0 }
    }

    fn visit(&mut self, aligned: Aligned) {
        let (left, right) = (left(&aligned), right(&aligned));
        // Both are runs of one program.
        let Some(at) = left.or(right) else { return };
        if self.run.functions.is_twin(at.site.function) {
            return;
        }
        let is_changed = self.count < MOST_ROWS
            && left.is_some_and(|at| self.changed.contains(&at.clock))
            && is_choice(self.run, at);
        let is_link = left.is_some_and(|at| self.links.left.contains(&at))
            || right.is_some_and(|at| self.links.right.contains(&at));
        if is_changed {
            self.flush();
            self.after = AFTER;
        }
        if self.count < MOST_ROWS && (is_changed || is_link || self.after > 0) {
            self.after -= usize::from(!is_changed && self.after > 0);
            self.skipped += self.before.drain(..).count() as u64;
            self.keep(aligned);
            return;
        }
        self.before.push_back(aligned);
        if self.before.len() > BEFORE {
            self.before.pop_front();
            self.skipped += 1;
        }
    }

    fn keep(&mut self, aligned: Aligned) {
        if self.skipped > 0 {
            self.kept.push(Kept::Gap(std::mem::take(&mut self.skipped)));
        }
        self.kept.push(Kept::Statement(aligned));
        self.count += 1;
    }

    fn flush(&mut self) {
        for aligned in std::mem::take(&mut self.before) {
            self.keep(aligned);
        }
    }

    fn finish(mut self) -> Vec<Kept> {
        self.flush();
        self.kept
    }
}

/// Whether a step is one that a change of its clock is about.
fn is_choice(run: &Run<'_>, at: Step) -> bool {
    use program::Op;
    let op = &run.functions.instruction(at.site).op;
    matches!(op, Op::Branch { .. } | Op::Switch { .. } | Op::Store { .. })
}

struct Teller<'a, 'r> {
    runs: Sides<&'a Run<'r>>,
    told: Sides<HashMap<Step, Told>>,
    /// Clocks at which the other run was changed.
    changed: HashSet<u64>,
}

impl Teller<'_, '_> {
    /// What has nothing to tell in either run is left out.
    fn rows(&self, kept: &[Kept]) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for kept in kept {
            let aligned = match kept {
                Kept::Gap(count) => {
                    rows.push(Row { kind: RowKind::Gap(*count), failing: None, other: None });
                    continue;
                }
                Kept::Statement(aligned) => aligned,
            };
            let failing =
                left(aligned).and_then(|at| Some(cell(self.runs.left, at, self.told.left.get(&at)?.to_string())));
            let is_changed =
                left(aligned).is_some_and(|at| self.changed.contains(&at.clock) && is_choice(self.runs.left, at));
            let other = right(aligned).and_then(|at| {
                let told = self.told.right.get(&at)?;
                let text = if is_changed { changed(told) } else { told.to_string() };
                Some(cell(self.runs.right, at, text))
            });
            let kind = match (&failing, &other) {
                (None, None) => continue,
                _ if is_changed => RowKind::Parts,
                (Some(failing), Some(other)) if failing.text == other.text => RowKind::Same,
                (Some(_), Some(_)) => RowKind::Differs,
                _ => RowKind::Alone,
            };
            rows.push(Row { kind, failing, other });
        }
        rows
    }
}

fn cell(run: &Run<'_>, at: Step, text: String) -> Cell {
    Cell { location: location(run, at), text }
}

/// A step that the experiment changed.
fn changed(told: &Told) -> String {
    match told {
        Told::Decides { condition, outcome } => format!("{condition} is made {outcome}"),
        Told::Chooses { of, value } => format!("switch on {of} is made to go by {value}"),
        Told::Assigns { place, value } => format!("{place} is made {value}"),
        other => other.to_string(),
    }
}
