//! Conditions taken the other way at all their executions, from the first that uses potentially depend on: what one reversal cannot bring about, since the same condition
//! is asked again and again.
//!
//! Always the other way, or the other way where both sides are equal: a loop that is left one turn early each time.

use std::collections::HashMap;

use abi::{Edit, Operation, Rewrite};
use execution::predicates::Predicate;
use experiment::Change;
use program::{Function, Op, Site, making};
use replay::Step;

use super::search::Search;
use crate::outcome::Candidate;

/// Executions of a place that are told.
const MOST_OF_PLACE: usize = 4;

fn site(at: Step) -> Site {
    at.site
}

/// For each place of these candidates, its edits, each with the executions that uses potentially depend on.
pub fn throughout(search: &Search<'_, '_>, open: &[Candidate]) -> Vec<Candidate> {
    // What was decided before, uses that are right depend on.
    let mut first: HashMap<Site, Predicate> = HashMap::new();
    for candidate in open {
        let known = first.entry(site(candidate.predicate.at)).or_insert(candidate.predicate);
        if candidate.predicate.at < known.at {
            *known = candidate.predicate;
        }
    }
    let mut found: Vec<Candidate> = Vec::new();
    let mut places: HashMap<(Site, Edit), usize> = HashMap::new();
    for candidate in open {
        let (predicate, users) = (candidate.predicate, &candidate.users);
        let Some(&first) = first.get(&site(predicate.at)) else { continue };
        let function = search.subject.run.functions.function(predicate.at.site.function);
        for edit in edits(function, predicate) {
            let position = *places.entry((site(predicate.at), edit)).or_insert_with(|| {
                let change = Change::Edit(edit);
                found.push(Candidate { predicate: first, change, users: users.clone(), executions: Vec::new() });
                found.len() - 1
            });
            let executions = &mut found[position].executions;
            if executions.len() < MOST_OF_PLACE && !executions.contains(&predicate.at) {
                executions.push(predicate.at);
            }
        }
    }
    found
}

fn edits(function: &Function, predicate: Predicate) -> Vec<Edit> {
    let Op::Branch { condition, .. } = &function.instruction(predicate.at.site.instruction).op else {
        return Vec::new();
    };
    let mut edits = Vec::new();
    if let Some(made) = making(function, condition)
        && let Some(operation) = but_for_equal(made.operation)
    {
        edits.push(Edit { rewrite: Rewrite::Compute, operation, width: made.width(), bits: 1, number: 0 });
    }
    let number = u64::from(predicate.value == 0);
    edits.push(Edit { rewrite: Rewrite::Constant, operation: Operation::Equal, width: 64, bits: 1, number });
    edits
}

/// The comparison that differs only where both sides are equal.
fn but_for_equal(operation: Operation) -> Option<Operation> {
    Some(match operation {
        Operation::Less => Operation::LessOrEqual,
        Operation::LessOrEqual => Operation::Less,
        Operation::Greater => Operation::GreaterOrEqual,
        Operation::GreaterOrEqual => Operation::Greater,
        Operation::Below => Operation::BelowOrEqual,
        Operation::BelowOrEqual => Operation::Below,
        Operation::Above => Operation::AboveOrEqual,
        Operation::AboveOrEqual => Operation::Above,
        Operation::FloatLess => Operation::FloatLessOrEqual,
        Operation::FloatLessOrEqual => Operation::FloatLess,
        Operation::FloatGreater => Operation::FloatGreaterOrEqual,
        Operation::FloatGreaterOrEqual => Operation::FloatGreater,
        _ => return None,
    })
}
