//! What becomes of one path: an input that goes it is looked for, and run; or the failing input is forced along it.

use std::collections::HashSet;

use experiment::{Input, Outcome};

use super::{Candidates, Route, Success};
use crate::paths::condition::{Answer, Conditions, Stretch, numbers_stored};
use crate::paths::course::Wanted;
use crate::paths::generate::Examined;
use crate::paths::guide::Gone;
use subject::TechniqueError;

/// Inputs that a path is forced on to find one that goes it by itself, at most.
const MOST_SEEDS: usize = 6;
/// Inputs that go one path and are run, at most.
const MOST_MODELS: usize = 4;
/// Choices of library code that are turned for one path, at most.
const MOST_TURNS: usize = 6;
/// Numbers that are taken to be any, at most.
const MOST_NUMBERS: usize = 1 << 14;

/// How a run on an input went that was made for a path.
enum Checked {
    Succeeds,
    Fails,
    /// It went another way after so many choices.
    Departs(usize),
    NotRun,
}

impl Candidates<'_, '_, '_> {
    /// Whether what a run did in a stretch cannot be done in any state of the program.
    pub(super) fn is_impossible(&mut self, gone: &Gone, stretch: Stretch) -> Result<bool, TechniqueError> {
        let budget = self.subject.budget;
        let numbers = numbers_stored(&gone.recording, stretch.from, MOST_NUMBERS, budget)?;
        let mut conditions = Conditions::of(
            (&gone.recording, &gone.course),
            &self.reading,
            &self.own_input,
            stretch,
            Some(&numbers),
            budget,
        )?;
        Ok(matches!(conditions.ask(self.reading.question, &|| budget.is_over()), Answer::Never(_)))
    }

    /// Finds out whether an input goes a route and succeeds.
    pub(super) fn on_other_inputs(&mut self, route: &mut Route) -> Result<Examined, TechniqueError> {
        let wanted = self.wanted(route);
        let budget = self.subject.budget;
        let limits = self.reading.question;
        let mut seen: HashSet<blake3::Hash> = HashSet::from([self.own_input.hash()]);
        let mut seeds = vec![self.own_input.clone()];
        // How far an input goes the way by itself.
        let mut best = route.from;
        let (mut used, mut failing) = (0, false);
        while let Some(seed) = seeds.pop().filter(|_| used < MOST_SEEDS) {
            let (is_first, before) = (used == 0, best);
            used += 1;
            let gone = match is_first {
                true => self.forced(route.from, &wanted)?,
                false => self.guide.go(Some(&seed), &wanted, None)?,
            };
            let Some(gone) = gone else { continue };
            let Some(last) = gone.agreed.checked_sub(1).and_then(|last| gone.course.choices.get(last)) else {
                continue;
            };
            let stretch = Stretch { from: 0, to: last.at.clock };
            let mut conditions =
                Conditions::of((&gone.recording, &gone.course), &self.reading, &seed, stretch, None, budget)?;
            let mut models = 0;
            while models < MOST_MODELS && !budget.is_over() {
                let found = match conditions.ask(limits, &|| budget.is_over()) {
                    Answer::Inputs(found) => found,
                    Answer::Never(clock) if is_first && models == 0 => {
                        return self.refuted(route, &gone, clock, last.at.clock, conditions.is_exact);
                    }
                    Answer::Never(_) | Answer::Unknown => break,
                };
                models += 1;
                let input = self.reading.given(&seed, &found);
                if seen.insert(input.hash()) {
                    match self.check(&input, &wanted)? {
                        Checked::Succeeds => return Ok(Examined::Succeeds),
                        Checked::Fails => failing = true,
                        Checked::Departs(agreed) => {
                            if agreed > best {
                                best = agreed;
                                seeds.push(input);
                                break;
                            }
                        }
                        Checked::NotRun => {}
                    }
                }
                if !conditions.exclude(&found) {
                    break;
                }
            }
            if best > before || failing {
                continue;
            }
            let departs = conditions.decided().or_else(|| gone.plan.first().map(|first| first.clock));
            let departs = departs.unwrap_or(last.at.clock);
            let mut level = Vec::new();
            for found in conditions.turn_library(departs, MOST_TURNS, limits, &|| budget.is_over()) {
                let input = self.reading.given(&seed, &found);
                if !seen.insert(input.hash()) {
                    continue;
                }
                match self.check(&input, &wanted)? {
                    Checked::Succeeds => return Ok(Examined::Succeeds),
                    Checked::Fails => failing = true,
                    // Where it went no further, it may have more to solve: digits where there were none.
                    Checked::Departs(agreed) if agreed == best => level.push(input),
                    Checked::Departs(agreed) if agreed > best => {
                        best = agreed;
                        seeds.push(input);
                    }
                    Checked::Departs(_) | Checked::NotRun => {}
                }
            }
            // The latest choice of library code first, but what went further before all of them.
            if best == before {
                seeds.extend(level.into_iter().rev());
            }
        }
        match failing {
            true => self.counts.failing += 1,
            false => self.counts.undecided += 1,
        }
        Ok(Examined::Stays)
    }

    /// The conditions of a route contradict each other: no path goes on from there, nor one that only begins otherwise if
    /// what comes after the first reversed branch contradicts itself whatever was before.
    fn refuted(
        &mut self,
        route: &mut Route,
        gone: &Gone,
        clock: u64,
        last: u64,
        is_exact: bool,
    ) -> Result<Examined, TechniqueError> {
        self.counts.contradictory += 1;
        self.counts.inexact += u64::from(!is_exact);
        route.is_refuted = true;
        let covered = gone.course.choices.partition_point(|choice| choice.at.clock <= clock);
        let length = covered.saturating_sub(route.from).min(route.word.len());
        if length > 0 {
            let (from, word) = Self::key(route);
            self.contradictions.insert((from, word[..length].to_vec()));
            self.lengths.entry(from).or_default().insert(length);
        }
        let Some(first) = self.failing.choices.get(route.from) else { return Ok(Examined::Stays) };
        let stretch = Stretch { from: first.at.clock, to: last };
        if self.is_impossible(gone, stretch)? {
            self.counts.impossible += 1;
            return Ok(Examined::Never);
        }
        Ok(Examined::Stays)
    }

    /// Runs an input that was made for a path.
    fn check(&mut self, input: &Input, wanted: &[Wanted]) -> Result<Checked, TechniqueError> {
        let Some((ran, _, course)) = self.guide.record(Some(input), &[])? else { return Ok(Checked::NotRun) };
        self.counts.inputs += 1;
        let agreed = course.agrees(wanted);
        if agreed < wanted.len() {
            return Ok(Checked::Departs(agreed));
        }
        self.counts.followed += 1;
        if self.subject.lab.judge_input(input, &[], &ran)? != Outcome::Passes {
            return Ok(Checked::Fails);
        }
        self.success = Some(Success { input: Some(input.clone()), course });
        Ok(Checked::Succeeds)
    }

    /// Finds out whether the failing run's own input succeeds if it is forced along a route.
    pub(super) fn on_own_input(&mut self, route: &Route) -> Result<Examined, TechniqueError> {
        let wanted = self.wanted(route);
        let Some(gone) = self.forced(route.from, &wanted)? else {
            self.counts.undecided += 1;
            return Ok(Examined::Stays);
        };
        if gone.agreed < wanted.len() {
            self.counts.lost += 1;
            return Ok(Examined::Stays);
        }
        self.counts.followed += 1;
        if self.subject.lab.judge(&gone.plan, &gone.ran)? != Outcome::Passes {
            self.counts.failing += 1;
            return Ok(Examined::Stays);
        }
        self.success = Some(Success { input: None, course: gone.course });
        Ok(Examined::Succeeds)
    }
}
