//! One walk along two runs side by side: where they part, and where their values differ.

use std::collections::HashMap;

use abi::{FunctionId, InstructionId};
use program::{FunctionKey, Op, Site};
use replay::{ReplayError, Step};

use super::ignore::Ignored;
use super::objects::Objects;
use super::order::{Name, Order};
use super::pair::Pair;
use super::side::{Side, Sides};
use super::terms::Terms;
use super::values::Values;
use super::word::{Maker, Makers, Note, is_same};
use execution::Run;
use nesting::align::{Aligned, align_noting};

/// Where control first goes different ways.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parting {
    pub why: Why,
    /// The last statement both executed.
    pub at: Option<Sides<Step>>,
    /// What each executes next.
    pub next: Sides<Option<Step>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// `at` is a choice that goes another way.
    Choice,
    /// This run ends, the other goes on.
    Ends(Side),
    /// A call enters another function, outside code calls back otherwise, an exception or a jump comes.
    Otherwise,
}

/// A statement that both executed with different values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Differing {
    pub first: Sides<Step>,
    /// How often.
    pub count: u64,
}

/// How often a statement was executed that only one version has, or that both have in different words.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Executed {
    /// Before anything else differed.
    pub before: u64,
    pub all: u64,
}

/// A site of one of the versions.
pub type SiteOf = (Side, FunctionKey, InstructionId);

/// Statements inside twins of library functions are not told of, but counted in the order.
#[derive(Default, Debug)]
pub struct Survey {
    pub order: Order,
    pub parting: Option<Parting>,
    /// In the order of their first execution.
    pub differing: Vec<Differing>,
    pub executed: HashMap<SiteOf, Executed>,
    /// Statements of the program's own that both executed, and that only one did.
    pub shared: u64,
    pub alone: Sides<u64>,
}

/// Walks along two runs. Memory: a bit or two for each statement, and what is proportional to the program.
pub fn survey(pair: &Pair<'_, '_>, ignored: &Sides<Ignored>) -> Result<Survey, ReplayError> {
    let terms = |side| Terms { side, map: pair.map };
    let symbols = Sides {
        left: terms(Side::Left).symbols(pair.sources.left)?,
        right: terms(Side::Right).symbols(pair.sources.right)?,
    };
    let objects = |side| Objects::new(terms(side), symbols.of(side));
    let (left, right) = (pair.runs.left, pair.runs.right);
    let (left_objects, right_objects) = (objects(Side::Left), objects(Side::Right));
    let mut surveyor = Surveyor::new(pair)?;
    let (left_windows, right_windows) = align_noting(
        (left, |regions| Values::new(regions, &left.functions, &ignored.left, left_objects)),
        (right, |regions| Values::new(regions, &right.functions, &ignored.right, right_objects)),
        pair.map,
        |aligned, left, right| {
            surveyor.visit(aligned, left.notes(), right.notes(), Sides { left: left.at, right: right.at })
        },
    )?;
    let mut survey = surveyor.finish();
    survey.order.windows = Sides { left: left_windows, right: right_windows };
    Ok(survey)
}

struct Surveyor<'a> {
    runs: Sides<&'a Run<'a>>,
    survey: Survey,
    makers: Sides<Makers>,
    by_site: HashMap<Site, usize>,
    changes: Sides<Changes>,
    /// By module: whether it has twins.
    twins: Sides<Vec<bool>>,
    /// The last statement both executed, and whether each run's latest statement is of both.
    latest: Option<Sides<Step>>,
    together: Sides<bool>,
}

/// Statements of one version that the other does not have, or in other words.
#[derive(Default)]
struct Changes {
    by_function: HashMap<FunctionKey, Vec<bool>>,
    /// Functions that the other version does not have.
    whole: Vec<FunctionKey>,
}

impl Changes {
    fn contains(&self, at: Step) -> bool {
        self.by_function.get(&at.site.function).is_some_and(|sites| sites[at.site.instruction.index()])
            || self.whole.contains(&at.site.function)
    }
}

impl<'a> Surveyor<'a> {
    fn new(pair: &Pair<'a, 'a>) -> Result<Surveyor<'a>, ReplayError> {
        let twins = |run: &Run<'_>| -> Vec<bool> {
            let modules = 0..run.image().module_count() as u32;
            modules.map(|module| run.functions.is_twin(FunctionKey { module, function: FunctionId(0) })).collect()
        };
        Ok(Surveyor {
            runs: pair.runs,
            survey: Survey::default(),
            makers: Sides::default(),
            by_site: HashMap::new(),
            changes: changes(pair)?,
            twins: Sides { left: twins(pair.runs.left), right: twins(pair.runs.right) },
            latest: None,
            together: Sides { left: true, right: true },
        })
    }

    fn is_twin(&self, side: Side, at: Step) -> bool {
        self.twins.of(side).get(at.site.function.module as usize).copied().unwrap_or(false)
    }

    fn visit(&mut self, aligned: Aligned, left: &[Note], right: &[Note], present: Sides<Option<Step>>) {
        match aligned {
            Aligned::Both(a, b) => self.both(a, left, b, right),
            Aligned::Left(a) => self.one(Side::Left, a, left, present.right),
            Aligned::Right(b) => self.one(Side::Right, b, right, present.left),
        }
    }

    fn both(&mut self, a: Step, left: &[Note], b: Step, right: &[Note]) {
        let shared = self.survey.order.differs.len();
        for (side, notes) in [(Side::Left, left), (Side::Right, right)] {
            let makers = self.makers.of_mut(side);
            notes.iter().for_each(|note| {
                if let Note::Makes(block) = note {
                    makers.set(*block, Maker::Shared(shared));
                }
            });
        }
        let differs = left.len() != right.len()
            || left.iter().zip(right).any(|pair| match pair {
                (Note::Word(a), Note::Word(b)) => !is_same(*a, &self.makers.left, *b, &self.makers.right),
                (Note::Makes(_), Note::Makes(_)) => false,
                _ => true,
            });
        self.survey.order.shared(differs);
        self.together = Sides { left: true, right: true };
        if self.is_twin(Side::Left, a) {
            return;
        }
        self.next(Side::Left, a);
        self.next(Side::Right, b);
        self.survey.shared += 1;
        let here = Sides { left: a, right: b };
        self.latest = Some(here);
        // Counted before the difference it may make.
        self.count(Side::Right, b);
        if differs {
            self.differ(here);
        }
    }

    fn differ(&mut self, here: Sides<Step>) {
        let at = here.left;
        let differing = &mut self.survey.differing;
        let known = *self.by_site.entry(at.site).or_insert(differing.len());
        match differing.get_mut(known) {
            Some(known) => known.count += 1,
            None => differing.push(Differing { first: here, count: 1 }),
        }
        let op = &self.runs.left.functions.instruction(at.site).op;
        if self.survey.parting.is_none() && matches!(op, Op::Branch { .. } | Op::Switch { .. }) {
            self.survey.parting = Some(Parting { why: Why::Choice, at: Some(here), next: Sides::default() });
        }
    }

    fn one(&mut self, side: Side, at: Step, notes: &[Note], other: Option<Step>) {
        self.survey.order.alone(side);
        for note in notes {
            if let Note::Makes(block) = note {
                self.makers.of_mut(side).set(*block, Maker::Alone);
            }
        }
        let comes_from_both = std::mem::replace(self.together.of_mut(side), false);
        if self.is_twin(side, at) {
            return;
        }
        *self.survey.alone.of_mut(side) += 1;
        if self.changes.of(side).contains(at) {
            self.count(side, at);
        } else if self.survey.parting.is_none() && comes_from_both {
            // What is alone because a changed statement led to it comes after one that is alone.
            let why = if other.is_none() { Why::Ends(side.other()) } else { Why::Otherwise };
            self.survey.parting = Some(Parting { why, at: self.latest, next: Sides::default() });
        }
        self.next(side, at);
    }

    /// What a run executes after the parting.
    fn next(&mut self, side: Side, at: Step) {
        if let Some(parting) = &mut self.survey.parting {
            parting.next.of_mut(side).get_or_insert(at);
        }
    }

    fn count(&mut self, side: Side, at: Step) {
        if !self.changes.of(side).contains(at) {
            return;
        }
        let is_first = self.survey.parting.is_none() && self.survey.differing.is_empty();
        let executed = self.survey.executed.entry((side, at.site.function, at.site.instruction)).or_default();
        executed.before += u64::from(is_first);
        executed.all += 1;
    }

    fn finish(self) -> Survey {
        self.survey
    }
}

/// Of changed statements those of the right version stand for both.
fn changes(pair: &Pair<'_, '_>) -> Result<Sides<Changes>, ReplayError> {
    let mut changes = Sides::<Changes>::default();
    let Some(map) = pair.map else { return Ok(changes) };
    for (old, new, function) in map.functions() {
        let mut set =
            |side: Side, key: FunctionKey, sites: &mut dyn Iterator<Item = InstructionId>| -> Result<(), ReplayError> {
                let mut sites = sites.peekable();
                if sites.peek().is_none() {
                    return Ok(());
                }
                let count = pair.runs.of(side).functions.module(key)?.function(key.function).instructions.len();
                let list = changes.of_mut(side).by_function.entry(key).or_insert_with(|| vec![false; count]);
                sites.for_each(|site| list[site.index()] = true);
                Ok(())
            };
        set(Side::Left, old, &mut function.removed.iter().copied())?;
        set(Side::Right, new, &mut function.added.iter().chain(function.changed.iter().map(|(_, new)| new)).copied())?;
    }
    changes.left.whole = map.removed.clone();
    changes.right.whole = map.added.clone();
    Ok(changes)
}

impl Survey {
    pub fn first_value(&self) -> Option<Sides<Step>> {
        self.differing.first().map(|differing| differing.first)
    }

    /// Whether the runs did the same with the same values.
    pub fn is_same(&self) -> bool {
        self.parting.is_none() && self.differing.is_empty() && self.alone == Sides { left: 0, right: 0 }
    }

    /// The last statement a run executed.
    pub fn last(&self, side: Side) -> Option<Name> {
        let last = self.order.count(side).checked_sub(1)?;
        Some(self.order.name(side, last))
    }
}
