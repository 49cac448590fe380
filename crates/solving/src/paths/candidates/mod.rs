//! The space of paths that is searched, on the engine: how a branch of the failing run is reversed, and what becomes of a
//! path.
//!
//! A path is a word of choices. Up to the first branch that is reversed it is the failing run. What the branch then leads
//! to is found out by a run in which it is reversed, and which goes as it goes until control is where the branch matters no
//! more; other ways inside are tried by reversing what is nested there. After that come the choices of the path that this one
//! is made of, up to the failure.

mod examine;

use std::collections::{HashMap, HashSet};

use abi::BlockId;
use experiment::Input;
use program::Site;

use super::condition::Stretch;
use super::course::{Course, Wanted, is_of_loop, others};
use super::generate::{Examined, Space};
use super::guide::{Gone, Guide};
use super::{Counts, Judged, Options};
use crate::exploring::Reading;
use subject::{Subject, TechniqueError};

/// A path, by where it differs from the failing run.
#[derive(Clone)]
pub struct Route {
    /// How many choices it has in common with the failing run before the first that differs.
    pub from: usize,
    pub word: Vec<Wanted>,
    /// It was found to contradict itself.
    is_refuted: bool,
}

/// What a reversed branch leads to, up to where it matters no more.
#[derive(Clone)]
struct Part {
    choices: Vec<Wanted>,
    /// The run ended there.
    ends: bool,
}

/// The path that succeeded, as it was run.
pub struct Success {
    /// `None`: the failing run's own.
    pub input: Option<Input>,
    pub course: Course,
}

type Key = (usize, Vec<(Site, BlockId)>);

pub struct Candidates<'s, 'a, 'r> {
    subject: &'s Subject<'a, 'r>,
    options: Options,
    judged: Judged,
    reading: Reading,
    own_input: Input,
    guide: Guide<'s>,
    /// Up to the failure.
    failing: Course,
    parts: HashMap<usize, Vec<Part>>,
    /// Beginnings of paths that no input goes.
    contradictions: HashSet<Key>,
    /// Lengths of these, by their first difference from the failing run.
    lengths: HashMap<usize, HashSet<usize>>,
    known: HashMap<Key, Examined>,
    /// Branches that are being reversed, and how many paths there were for them.
    of_set: (Vec<usize>, usize),
    pub counts: Counts,
    pub success: Option<Success>,
}

/// Parts that are found out for one branch, at most.
const MOST_PARTS: usize = 12;
/// Paths in which the same branches are reversed, at most.
const MOST_OF_SET: usize = 48;
impl<'s, 'a, 'r> Candidates<'s, 'a, 'r> {
    pub fn new(
        subject: &'s Subject<'a, 'r>,
        options: Options,
        judged: Judged,
        reading: Reading,
        failing: Course,
    ) -> Result<Candidates<'s, 'a, 'r>, TechniqueError> {
        let own_input = reading.first(subject.lab)?;
        Ok(Candidates {
            subject,
            options,
            judged,
            reading,
            own_input,
            guide: Guide { lab: subject.lab, budget: subject.budget, runs: 0, failed: 0 },
            failing,
            parts: HashMap::new(),
            contradictions: HashSet::new(),
            lengths: HashMap::new(),
            known: HashMap::new(),
            of_set: (Vec::new(), 0),
            counts: Counts::default(),
            success: None,
        })
    }

    /// The failing run itself.
    pub fn failing_route(&self) -> Route {
        Route { from: self.failing.choices.len(), word: Vec::new(), is_refuted: false }
    }

    pub fn failing(&self) -> &Course {
        &self.failing
    }

    /// Runs that were made, and those of them that could not be used.
    pub fn runs(&self) -> (u64, u64) {
        (self.guide.runs, self.guide.failed)
    }

    /// Branches of the failing run that may be reversed, and those that may not, since they are of loops.
    pub fn reversible(&self) -> (u64, u64) {
        let count = self.failing.choices.len();
        let may = (0..count).filter(|branch| self.is_reversible(*branch)).count();
        (may as u64, (count - may) as u64)
    }

    fn stretch(&self, from: usize, to: usize) -> impl Iterator<Item = Wanted> + '_ {
        self.failing.choices[from..to].iter().map(|choice| choice.wanted())
    }

    fn wanted(&self, route: &Route) -> Vec<Wanted> {
        self.stretch(0, route.from).chain(route.word.iter().copied()).collect()
    }

    /// A run of the failing input along a route.
    fn forced(&mut self, from: usize, wanted: &[Wanted]) -> Result<Option<Gone>, TechniqueError> {
        let departs = self.failing.choices.get(from).map(|choice| (from, choice.at.clock));
        self.guide.go(None, wanted, departs)
    }

    /// What a branch of the failing run leads to if it goes another way. Loops inside go as they go, unless they are to be
    /// reversed as well: then as many turns more or less are tried as is allowed.
    fn parts(&mut self, branch: usize) -> Result<Vec<Part>, TechniqueError> {
        if let Some(known) = self.parts.get(&branch) {
            return Ok(known.clone());
        }
        let functions = &self.subject.run.functions;
        let before: Vec<Wanted> = self.stretch(0, branch).collect();
        let reversed = self.failing.choices[branch].wanted();
        // Beginnings, and how many conditions of loops are turned in them.
        let mut open: Vec<(Vec<Wanted>, usize)> = others(functions, reversed)
            .into_iter()
            .rev()
            .map(|way| (vec![way], usize::from(is_of_loop(functions, way.site))))
            .collect();
        let mut parts = Vec::new();
        while let Some((beginning, loops)) = open.pop() {
            if parts.len() == MOST_PARTS {
                self.counts.beyond += open.len() as u64 + 1;
                break;
            }
            let wanted: Vec<Wanted> = before.iter().chain(&beginning).copied().collect();
            let Some(gone) = self.forced(branch, &wanted)? else { continue };
            if gone.agreed < wanted.len() {
                self.counts.lost += 1;
                continue;
            }
            let end = gone.course.end_of_region(branch);
            let choices: Vec<Wanted> = gone.course.choices[branch..end].iter().map(|choice| choice.wanted()).collect();
            // What is nested and comes after what was turned already, the last first.
            for at in beginning.len()..choices.len() {
                let nested = choices[at];
                let is_loop = is_of_loop(functions, nested.site);
                if is_loop && loops >= self.options.loops {
                    continue;
                }
                for way in others(functions, nested) {
                    let turned = choices[..at].iter().copied().chain([way]).collect();
                    open.push((turned, loops + usize::from(is_loop)));
                }
            }
            parts.push(Part { choices, ends: end == gone.course.choices.len() });
        }
        self.parts.insert(branch, parts.clone());
        Ok(parts)
    }

    fn key(route: &Route) -> Key {
        (route.from, route.word.iter().map(|one| (one.site, one.to)).collect())
    }

    /// Whether it begins as a path that no input goes.
    fn begins_with_contradiction(&self, key: &Key) -> bool {
        let Some(lengths) = self.lengths.get(&key.0) else { return false };
        lengths.iter().any(|&length| {
            key.1.get(..length).is_some_and(|begin| self.contradictions.contains(&(key.0, begin.to_vec())))
        })
    }
}

impl Space for Candidates<'_, '_, '_> {
    type Path = Route;
    type Error = TechniqueError;

    fn branches(&self) -> usize {
        self.failing.choices.len()
    }

    fn is_reversible(&self, branch: usize) -> bool {
        self.options.loops > 0 || !is_of_loop(&self.subject.run.functions, self.failing.choices[branch].at.site)
    }

    fn depends(&self, branch: usize, on: usize) -> bool {
        self.failing.depends(branch, on)
    }

    fn reversed(&mut self, path: &Route, branch: usize) -> Result<Vec<Route>, TechniqueError> {
        let end = self.failing.end_of_region(branch).min(path.from);
        let between: Vec<Wanted> = self.stretch(end, path.from).collect();
        let rest: Vec<Wanted> = between.iter().chain(&path.word).copied().collect();
        let parts = self.parts(branch)?;
        let made = parts.into_iter().map(|part| {
            let mut word = part.choices;
            if !part.ends {
                word.extend_from_slice(&rest);
            }
            Route { from: branch, word, is_refuted: false }
        });
        Ok(made.collect())
    }

    fn examine(&mut self, path: &mut Route, reversed: &[usize]) -> Result<Examined, TechniqueError> {
        if self.of_set.0 != reversed {
            self.of_set = (reversed.to_vec(), 0);
        }
        self.of_set.1 += 1;
        if self.of_set.1 > MOST_OF_SET {
            self.counts.beyond += 1;
            return Ok(Examined::Never);
        }
        let key = Self::key(path);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.counts.paths += 1;
        let examined = if self.begins_with_contradiction(&key) {
            self.counts.pruned += 1;
            path.is_refuted = true;
            Examined::Stays
        } else {
            match self.judged {
                Judged::OtherInputs => self.on_other_inputs(path)?,
                Judged::SameInput => self.on_own_input(path)?,
            }
        };
        self.known.insert(key, examined);
        Ok(examined)
    }

    fn can_begin_at(&mut self, path: &Route, branch: usize) -> Result<bool, TechniqueError> {
        if !path.is_refuted {
            return Ok(true);
        }
        let wanted = self.wanted(path);
        let (Some(gone), Some(first)) = (self.forced(path.from, &wanted)?, self.failing.choices.get(branch).copied())
        else {
            return Ok(true);
        };
        let Some(last) = gone.agreed.checked_sub(1).and_then(|last| gone.course.choices.get(last)) else {
            return Ok(true);
        };
        let stretch = Stretch { from: first.at.clock, to: last.at.clock };
        let is_possible = !self.is_impossible(&gone, stretch)?;
        self.counts.impossible += u64::from(!is_possible);
        Ok(is_possible)
    }
}
