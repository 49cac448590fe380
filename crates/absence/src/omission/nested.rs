//! Where one switch is not enough: predicates inside the region of a switched one that depend on the same wrong value
//! (table 5(b) of the paper, which leaves this open).
//!
//! The switched run reveals them: those that could have let another definition reach the use, or could have written. Each is
//! switched together with the first.

use std::collections::{HashMap, HashSet};

use execution::Run;
use execution::dependence::flow::FlowBuilder;
use execution::dependence::{Follow, Mark, Root, Walk, Wish};
use execution::predicates::predicates_since;
use execution::slice::Request;
use experiment::{Change, Intervention, Outcome};
use failure::WritingCode;
use nesting::index::{Index, partners_of};
use nesting::region::within;
use program::Op;
use replay::Step;

use super::candidates::went_by_writing;
use super::expand::Proven;
use super::search::{Search, State, of_users};
use super::switched::{Seen, verify, with_switched};
use crate::effect::{Effect, Righted, effect};
use crate::outcome::Candidate;
use subject::TechniqueError;

/// Second switches tried with each first one.
const MOST: usize = 16;
/// Predicates of a switched run that are looked at.
const MOST_PREDICATES: usize = 10_000;
/// Steps of the walk in a switched run.
const MOST_STEPS: usize = 200_000;

/// Tries a candidate together with predicates it reveals; adds what makes the wrong output right. Whether runs were made.
pub fn nested(
    search: &Search<'_, '_>,
    state: &mut State,
    candidate: &Candidate,
    indices: &HashMap<Step, Index>,
) -> Result<bool, TechniqueError> {
    let first = candidate.experiment();
    if !state.looked_into.insert(first.clone()) {
        return Ok(false);
    }
    let subject = &search.subject;
    let uses = of_users(&candidate.users, indices);
    state.experiments += 1;
    let revealed = with_switched(subject, &first, |run, _| revealed(search, run, candidate, &uses))?;
    let Seen::Yes(revealed) = revealed else {
        state.departed += u64::from(matches!(revealed, Seen::Departed));
        return Ok(true);
    };
    for second in revealed.into_iter().take(MOST) {
        if subject.is_over() {
            break;
        }
        let both = [first.clone(), vec![Intervention { clock: second.clock, change: Change::Switch }]].concat();
        state.experiments += 1;
        let ran = subject.lab.run(&both)?;
        let effect = match subject.lab.judge(&both, &ran)? {
            Outcome::Passes => Effect::ALL,
            Outcome::FailsLater | Outcome::FailsOtherwise | Outcome::Crashes => effect(subject, &ran),
            _ => Effect::NONE,
        };
        // Of two reversals, one may have brought about a byte by chance.
        if effect.righted > Righted::Word {
            continue;
        }
        state.experiments += 1;
        state.verifications += 1;
        let seen = verify(subject, &search.inquiry(candidate, &both, &uses))?;
        let Seen::Yes(found) = seen else {
            state.departed += u64::from(matches!(seen, Seen::Departed));
            continue;
        };
        for (&user, shown) in found.uses.iter().filter(|(_, shown)| shown.is_dependence()) {
            state.proven.push(Proven {
                predicate: candidate.predicate,
                experiment: both.clone(),
                user,
                place: search.place_of(user),
                shown: shown.clone(),
                effect: found.effect,
            });
        }
        if state.proven.iter().any(Proven::is_strong) {
            break;
        }
    }
    Ok(true)
}

/// Predicates in the region of the switched one on which a use potentially depends, the first executed first.
fn revealed(
    search: &Search<'_, '_>,
    run: &Run<'_>,
    candidate: &Candidate,
    uses: &HashMap<Step, Index>,
) -> Result<Vec<Step>, TechniqueError> {
    let partners: HashSet<Step> = partners_of(run, uses)?.into_values().collect();
    let mut builder = FlowBuilder::new(MOST_STEPS, partners.clone());
    let roots =
        partners.iter().map(|&at| Root { at, wishes: vec![Wish::Result], mark: builder.root(at) }).collect::<Vec<_>>();
    let walk = Walk::new(&run.functions, Follow::Relevant(search.potential), builder);
    let flow = Request::of_roots(roots).walk(run, walk, |_| Mark::NOBODY)?.demand.flow;
    let mut found: HashSet<Step> = flow.could.into_iter().map(|could| could.predicate).collect();
    if search.silence.is_some_and(|silence| candidate.users.contains(&silence.place.user())) {
        let mut writing = WritingCode::default();
        let later = predicates_since(run, candidate.predicate.at.clock, MOST_PREDICATES)?.steps;
        found.extend(later.iter().filter(|one| went_by_writing(run, &mut writing, one)).map(|one| one.at));
    }
    let is_branch = |at: &Step| {
        let op = &run.functions.instruction(at.site).op;
        matches!(op, Op::Branch { .. })
    };
    let mut inside: Vec<Step> = within(run, candidate.predicate.at, &found)?.into_iter().filter(is_branch).collect();
    inside.sort_unstable();
    Ok(inside)
}
