//! Whether a combination of members is polluted.

use std::collections::HashMap;

use abi::StreamId;
use execution::Run;
use experiment::{Change, Intervention};
use nesting::index::{Index, indices_of, partners_of};
use replay::{ReplayError, Step};
use symbolic::Property;

use super::explore::{Conditions, Explorer, Symbolic};
use super::goal::Goal;
use super::judge::{Judge, Proof};
use super::member::{Member, State};
use subject::trying::alternatives::alternatives;
use subject::trying::hints::Hints;
use subject::{Subject, TechniqueError};

/// Ways of all conditions of a combination together.
const MOST_WAYS: usize = 16;

pub struct Examiner<'e, 'a, 'r> {
    pub subject: &'e Subject<'a, 'r>,
    pub judge: Judge,
    /// What would have been right of the failing run.
    pub property: Option<Property>,
    hints: Hints,
    indices: HashMap<Step, Index>,
}

/// What was found out about a combination.
#[derive(Clone, Debug)]
pub struct Found {
    pub proof: Option<Proof>,
    /// Without a proof: whether there may be one all the same, since something was not followed.
    pub is_unsure: bool,
    /// What the run hinged on from its changed values on.
    pub hinged: Conditions,
}

impl Found {
    fn nothing() -> Found {
        Found { proof: None, is_unsure: false, hinged: Conditions::new() }
    }
}

impl<'e, 'a, 'r> Examiner<'e, 'a, 'r> {
    pub fn new(
        subject: &'e Subject<'a, 'r>,
        property: Option<Property>,
    ) -> Result<Examiner<'e, 'a, 'r>, TechniqueError> {
        let hints = Hints::of_failure(subject);
        Ok(Examiner { subject, judge: Judge::of(subject)?, property, hints, indices: HashMap::new() })
    }

    /// The members come in the order of execution.
    pub fn examine(&mut self, combination: &[&Member], goal: &Goal) -> Result<Found, TechniqueError> {
        let mut all = Found::nothing();
        if combination.iter().any(|member| self.judge.is_failure(member.at)) {
            return Ok(all);
        }
        for ways in ways(combination) {
            let Some(Laid { decisions, symbols }) = self.laid(combination, &ways)? else { continue };
            let found = if symbols.is_empty() {
                let repair = self.judge.repair(self.subject, &decisions, goal)?;
                let proof = repair.map(|repair| Proof { experiment: decisions, repair, range: None });
                Found { proof, ..Found::nothing() }
            } else {
                self.with_symbols(decisions, symbols, goal)?
            };
            if found.proof.is_some() {
                return Ok(found);
            }
            all.is_unsure |= found.is_unsure;
            all.hinged = found.hinged;
        }
        Ok(all)
    }

    fn with_symbols(
        &mut self,
        decisions: Vec<Intervention>,
        symbols: Vec<Symbolic>,
        goal: &Goal,
    ) -> Result<Found, TechniqueError> {
        let property = self.property.as_ref();
        let mut explorer = Explorer::new(self.subject, &mut self.judge, property, goal, decisions, symbols);
        let mut proof = explorer.explore()?;
        let (is_unsure, hinged) = (explorer.is_unsure, std::mem::take(&mut explorer.hinged));
        let (decisions, symbols) = (std::mem::take(&mut explorer.decisions), std::mem::take(&mut explorer.symbols));
        if let (None, true, [symbolic]) = (&proof, is_unsure, &symbols[..]) {
            proof = self.guessed(&decisions, symbolic, goal)?;
        }
        Ok(Found { proof, is_unsure, hinged })
    }

    /// Values that the wrong and the expected output suggest, where terms do not tell.
    fn guessed(
        &mut self,
        decisions: &[Intervention],
        symbolic: &Symbolic,
        goal: &Goal,
    ) -> Result<Option<Proof>, TechniqueError> {
        for (value, _) in alternatives(&symbolic.assignment, &[], &self.hints) {
            if self.subject.is_over() {
                break;
            }
            let change = Intervention { clock: symbolic.at.clock, change: Change::Replace(value) };
            let experiment: Vec<Intervention> = decisions.iter().cloned().chain([change]).collect();
            if let Some(repair) = self.judge.repair(self.subject, &experiment, goal)? {
                return Ok(Some(Proof { experiment, repair, range: None }));
            }
        }
        Ok(None)
    }

    /// Where each member is in a run in which those before it are changed; none if one is not executed there.
    fn laid(&mut self, combination: &[&Member], ways: &[Change]) -> Result<Option<Laid>, TechniqueError> {
        let (mut decisions, mut symbols) = (Vec::new(), Vec::new());
        let mut ways = ways.iter();
        for member in combination {
            let at = if decisions.is_empty() { Some(member.at) } else { self.partner(&decisions, member.at)? };
            let Some(at) = at else { return Ok(None) };
            match &member.state {
                State::Assigned(assignment) => symbols.push(Symbolic { at, assignment: assignment.clone() }),
                State::Decided(..) => {
                    let change = ways.next().cloned().unwrap_or(Change::Switch);
                    decisions.push(Intervention { clock: at.clock, change });
                }
            }
        }
        Ok(Some(Laid { decisions, symbols }))
    }

    /// The step of a changed run that is the same as one of the failing run.
    fn partner(&mut self, experiment: &[Intervention], step: Step) -> Result<Option<Step>, TechniqueError> {
        if !self.indices.contains_key(&step) {
            self.indices.extend(indices_of(self.subject.run, &[step].into())?);
        }
        let Some(index) = self.indices.get(&step) else { return Ok(None) };
        let wanted = HashMap::from([(step, index.clone())]);
        self.judge.runs += 1;
        let found = self.subject.examine(experiment, |_, image| {
            let run = Run::new(image, StreamId::MAIN)?;
            Ok(partners_of(&run, &wanted)?.remove(&step))
        });
        match found {
            Err(TechniqueError::Replay(ReplayError::Departed { .. })) => {
                self.judge.departed += 1;
                Ok(None)
            }
            other => other,
        }
    }
}

/// A combination, as a run is changed by it.
struct Laid {
    decisions: Vec<Intervention>,
    symbols: Vec<Symbolic>,
}

/// How the conditions of a combination may go, all of them together.
fn ways(combination: &[&Member]) -> Vec<Vec<Change>> {
    let mut all: Vec<Vec<Change>> = vec![Vec::new()];
    for member in combination {
        let State::Decided(_, ways) = &member.state else { continue };
        let longer = |before: &Vec<Change>| {
            let before = before.clone();
            ways.iter().map(move |way| before.iter().cloned().chain([way.clone()]).collect())
        };
        all = all.iter().flat_map(longer).take(MOST_WAYS).collect();
    }
    all
}
