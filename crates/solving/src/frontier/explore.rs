//! Sparse symbolic exploration (algorithm 5 of the paper): which values of a combination's assignments reach the goal, on the
//! path that is there, or on one that turns away from it at one condition.
//!
//! The values of each path make a run of their own, which is judged; so values that a solver found on terms that lack
//! something do no harm.

use std::collections::{HashSet, VecDeque};

use execution::assignments::Assignment;
use experiment::{Change, Intervention};
use replay::Step;
use smt::Term;
use symbolic::{Kind, Property, Turned as Answer, Turner};

use super::goal::Goal;
use super::judge::{Judge, Proof};
use super::path::{self, Path};
use super::range::around;
use subject::{Effort, Repair, Subject, TechniqueError};

/// Paths that are followed for one combination.
fn most_paths(effort: Effort) -> usize {
    match effort {
        Effort::Everything => 24,
        Effort::UntilSettled => 8,
    }
}

/// Values that are asked for on one path, if those found before do not make the run right.
const MOST_VALUES: usize = 3;

/// Paths that are followed to make all right, once the first error is.
const MOST_FURTHER: usize = 4;

/// Conditions of one path at which it is left.
const MOST_TURNS: usize = 256;

/// An assignment that has a symbol for its value, where it is in the runs of the combination.
#[derive(Clone, Debug)]
pub struct Symbolic {
    pub at: Step,
    pub assignment: Assignment,
}

pub struct Explorer<'e, 'a, 'r> {
    pub subject: &'e Subject<'a, 'r>,
    pub judge: &'e mut Judge,
    pub property: Option<&'e Property>,
    pub goal: &'e Goal,
    /// Conditions that are reversed in all runs of the combination.
    pub decisions: Vec<Intervention>,
    pub symbols: Vec<Symbolic>,
    tried: HashSet<Vec<u64>>,
    deferred: VecDeque<(Path, usize)>,
    paths: usize,
    /// What makes only the first error right, until something is found that makes all right.
    partial: Option<Proof>,
    /// Something was not followed, or not decided: there may be values all the same.
    pub is_unsure: bool,
    /// What the first path hinged on.
    pub hinged: Conditions,
}

/// The steps that a path hinged on, in order.
pub type Conditions = Vec<Step>;

/// Values under which a condition of a path comes out otherwise.
struct Turned {
    position: usize,
    values: Vec<u64>,
    /// All other conditions stay as they are.
    is_alone: bool,
}

/// How an attempt with other values ended.
enum Attempt {
    Proved(Proof),
    /// The first error is right.
    Better(Proof),
    Failed,
}

impl<'e, 'a, 'r> Explorer<'e, 'a, 'r> {
    pub fn new(
        subject: &'e Subject<'a, 'r>,
        judge: &'e mut Judge,
        property: Option<&'e Property>,
        goal: &'e Goal,
        decisions: Vec<Intervention>,
        symbols: Vec<Symbolic>,
    ) -> Explorer<'e, 'a, 'r> {
        let own = symbols.iter().map(|symbolic| symbolic.assignment.value).collect();
        Explorer {
            subject,
            judge,
            property,
            goal,
            decisions,
            symbols,
            tried: HashSet::from([own]),
            deferred: VecDeque::new(),
            paths: 0,
            partial: None,
            is_unsure: false,
            hinged: Conditions::new(),
        }
    }

    /// A run that reaches the goal, if one is found.
    pub fn explore(&mut self) -> Result<Option<Proof>, TechniqueError> {
        let fresh: Vec<Step> = self.symbols.iter().map(|symbolic| symbolic.at).collect();
        let first = if self.decisions.is_empty() {
            Some(path::of_failing(self.subject, self.property, self.goal, &fresh)?)
        } else {
            self.judge.runs += 1;
            path::of_changed(self.subject, self.goal, &self.decisions, &fresh)?
        };
        let Some(first) = first else {
            self.is_unsure = true;
            return Ok(None);
        };
        self.hinged = first.shadowed.path.conditions.iter().map(|condition| condition.at).collect();
        if let Some(proof) = self.compatible(&first)? {
            return Ok(Some(proof));
        }
        if self.partial.is_none()
            && let Some(proof) = self.turn_away(&first, 0)?
        {
            return Ok(Some(proof));
        }
        while self.partial.is_none()
            && let Some((path, from)) = self.deferred.pop_front()
        {
            if let Some(proof) = self.turn_away(&path, from)? {
                return Ok(Some(proof));
            }
        }
        Ok(self.partial.take())
    }

    /// Where the first error is right, the next one is asked about on the path that made it so.
    fn go_on(&mut self, proof: Proof) -> Result<Option<Proof>, TechniqueError> {
        let is_new = self.partial.is_none();
        let experiment = proof.experiment.clone();
        self.partial.get_or_insert(proof);
        if !is_new || self.is_over() {
            return Ok(None);
        }
        self.paths = self.paths.max(most_paths(self.subject.effort).saturating_sub(MOST_FURTHER));
        self.judge.runs += 1;
        let fresh: Vec<Step> = self.symbols.iter().map(|symbolic| symbolic.at).collect();
        let Some(next) = path::of_changed(self.subject, self.goal, &experiment, &fresh)? else { return Ok(None) };
        match self.compatible(&next)? {
            Some(proof) => Ok(Some(proof)),
            None => self.turn_away(&next, 0),
        }
    }

    fn is_over(&mut self) -> bool {
        let is_over = self.subject.is_over() || self.paths >= most_paths(self.subject.effort);
        self.is_unsure |= is_over;
        is_over
    }

    /// Values under which the path stays what it is and the goal is reached.
    fn compatible(&mut self, path: &Path) -> Result<Option<Proof>, TechniqueError> {
        self.is_unsure |= !path.shadowed.lost.is_empty();
        let Some(stated) = path.stated else { return Ok(None) };
        let mut turner = Turner::new(&path.shadowed, question_limits());
        let mut wanted = vec![stated.holds];
        for _ in 0..MOST_VALUES {
            let found = match turner.satisfy(stated.before, &wanted, &|| self.subject.is_over()) {
                Answer::To(found) => found,
                Answer::Never(_) => return Ok(None),
                Answer::Unknown(_) => {
                    self.is_unsure = true;
                    return Ok(None);
                }
            };
            let values = self.values(path, &found.fresh);
            let (mut proof, is_all) = match self.attempt(&values)? {
                Attempt::Proved(proof) => (proof, true),
                Attempt::Better(proof) => (proof, false),
                Attempt::Failed => {
                    self.is_unsure |= found.given_up > 0;
                    wanted.push(self.others(path, &values));
                    continue;
                }
            };
            if let ([symbolic], true) = (&self.symbols[..], found.given_up == 0)
                && let Some(&symbol) = path.shadowed.fresh.get(&symbolic.at)
            {
                let ty = &symbolic.assignment.ty;
                proof.range = around(&path.shadowed, stated, symbol, values[0], ty, &question_limits());
            }
            return if is_all { Ok(Some(proof)) } else { self.go_on(proof) };
        }
        Ok(None)
    }

    /// Turns away from a path at each of its conditions, from one on. First the values are tried that a solver finds, which takes
    /// a run each; then the paths of these runs are followed, which takes a recording each.
    fn turn_away(&mut self, path: &Path, from: usize) -> Result<Option<Proof>, TechniqueError> {
        let mut turned = Vec::new();
        for turn in self.turns(path, from) {
            match self.attempt(&turn.values)? {
                Attempt::Proved(proof) => return Ok(Some(proof)),
                Attempt::Better(proof) if self.partial.is_none() => return self.go_on(proof),
                Attempt::Better(_) => {}
                Attempt::Failed => turned.push(turn),
            }
        }
        for Turned { position, values, is_alone } in turned {
            if self.is_over() {
                break;
            }
            self.paths += 1;
            self.judge.runs += 1;
            let fresh: Vec<Step> = self.symbols.iter().map(|symbolic| symbolic.at).collect();
            let Some(next) = path::of_changed(self.subject, self.goal, &self.experiment(&values), &fresh)? else {
                self.is_unsure = true;
                continue;
            };
            if !next.is_judged && is_alone {
                self.deferred.push_back((next, position + 1));
                continue;
            }
            if let Some(proof) = self.compatible(&next)? {
                return Ok(Some(proof));
            }
            if let Some(proof) = self.turn_away(&next, position + 1)? {
                return Ok(Some(proof));
            }
        }
        Ok(None)
    }

    /// For each condition of a path, from one on, values under which it comes out otherwise.
    fn turns(&mut self, path: &Path, from: usize) -> Vec<Turned> {
        let conditions = &path.shadowed.path.conditions;
        let mut turner = Turner::new(&path.shadowed, question_limits());
        let stop = || self.subject.is_over();
        let mut all: Vec<Turned> = Vec::new();
        let end = conditions.len().min(from + MOST_TURNS);
        self.is_unsure |= end < conditions.len();
        for position in from..end {
            for other in &conditions[position].others {
                if stop() {
                    break;
                }
                let rest = conditions[position + 1..].iter().filter(|condition| condition.kind != Kind::Pin);
                let alone: Vec<Term> = [other.holds].into_iter().chain(rest.map(|condition| condition.holds)).collect();
                // First this condition alone is another, then all behind it may be.
                let (mut answer, mut is_alone) = (turner.satisfy(position, &alone, &stop), true);
                if !matches!(answer, Answer::To(_)) {
                    (answer, is_alone) = (turner.satisfy(position, &[other.holds], &stop), false);
                }
                match answer {
                    Answer::To(found) => {
                        let values = self.values(path, &found.fresh);
                        if !self.tried.contains(&values) && all.iter().all(|turn| turn.values != values) {
                            all.push(Turned { position, values, is_alone });
                        }
                    }
                    Answer::Never(_) => {}
                    Answer::Unknown(_) => self.is_unsure = true,
                }
            }
        }
        all
    }

    /// The values of all symbols, where a solver has named some.
    fn values(&self, path: &Path, named: &[(Step, u128)]) -> Vec<u64> {
        let value = |symbolic: &Symbolic| {
            let found = named.iter().find(|(step, _)| *step == symbolic.at).map(|(_, value)| *value as u64);
            let of_path = path.shadowed.fresh.get(&symbolic.at).map(|term| path.shadowed.domain.value(*term) as u64);
            found.or(of_path).unwrap_or(symbolic.assignment.value)
        };
        self.symbols.iter().map(value).collect()
    }

    /// That the symbols do not have all these values.
    fn others(&self, path: &Path, values: &[u64]) -> Term {
        path.shadowed.domain.with(|terms| {
            let mut same = terms.constant(1, 1);
            for (symbolic, value) in self.symbols.iter().zip(values) {
                if let Some(&symbol) = path.shadowed.fresh.get(&symbolic.at) {
                    let value = terms.constant(terms.width(symbol), (*value).into());
                    let equal = terms.equal(symbol, value);
                    same = terms.and(same, equal);
                }
            }
            terms.not(same)
        })
    }

    fn experiment(&self, values: &[u64]) -> Vec<Intervention> {
        let replaced = self.symbols.iter().zip(values);
        let replaced = replaced
            .map(|(symbolic, value)| Intervention { clock: symbolic.at.clock, change: Change::Replace(*value) });
        self.decisions.iter().cloned().chain(replaced).collect()
    }

    fn attempt(&mut self, values: &[u64]) -> Result<Attempt, TechniqueError> {
        if !self.tried.insert(values.to_vec()) {
            return Ok(Attempt::Failed);
        }
        let experiment = self.experiment(values);
        let repair = self.judge.repair(self.subject, &experiment, self.goal)?;
        Ok(match repair {
            Some(Repair::All) => Attempt::Proved(Proof { experiment, repair: Repair::All, range: None }),
            Some(repair) => Attempt::Better(Proof { experiment, repair, range: None }),
            None => Attempt::Failed,
        })
    }
}

fn question_limits() -> smt::Limits {
    smt::Limits { conflicts: 20_000, time: std::time::Duration::from_secs(2), ..smt::Limits::default() }
}
