//! Claims: together as the message of a finding, and each alone as evidence.

use findings::{Brink, Change, Claim, Deed, Effect, Finding, Location, Outcome, Revealed, Share, Sign, Site, TestDeed};

use super::change::{had_it_been, is_right, name, with, with_this, would_be_right};
use super::deed::{deed, in_tests};
use super::difference::{begins_otherwise, difference, other};
use super::failure::failed;
use super::neighbour::neighbour;
use super::{condition, counted, line_of};

/// Why a place is among the findings.
pub fn message(finding: &Finding) -> String {
    let mut text = String::new();
    let mut claims = finding.claims.iter().peekable();
    let mut was: Option<&Deed> = None;
    let is_because = matches!(finding.claims.first(), Some(Claim::ExecutedBecause { .. }));
    while let Some(claim) = claims.next() {
        let said = match claim {
            Claim::Did { deed: done } => {
                was = Some(done);
                let is_choice = matches!(done, Deed::Decided { .. } | Deed::Chose { .. });
                let is_spoken_of = matches!(
                    claims.peek(),
                    Some(Claim::Repairs { .. } | Claim::Effect { .. } | Claim::Neighbour { .. })
                );
                format!("{}{}", deed(done), if is_choice && is_spoken_of { " here" } else { "" })
            }
            Claim::Repairs { change, outcome } => {
                format!("{}, {}", had_it_been(change, was, &finding.location), would_be_right(*outcome))
            }
            Claim::FailureDepends { distance: None } if !text.is_empty() => "which the failure depends on".into(),
            Claim::FirstTime if is_because => format!("which had this outcome {FIRST_TIME}"),
            Claim::FirstTime => FIRST_TIME.into(),
            Claim::LeftLoop => format!("and {}", evidence(claim, &finding.location)),
            Claim::SetOtherPart { condition: at } => {
                format!("but never the part of it that {} used", condition(at, &finding.location))
            }
            Claim::Effect { .. } if text.is_empty() => {
                format!("this condition was decided here, {}", evidence(claim, &finding.location))
            }
            Claim::UsedBy { condition: at, effect } => used(at, *effect, &finding.location),
            other => evidence(other, &finding.location),
        };
        text += match claim {
            _ if text.is_empty() => "",
            Claim::Together { .. }
            | Claim::Effect { .. }
            | Claim::LeftLoop
            | Claim::FailureDepends { distance: None } => ", ",
            Claim::FirstTime if is_because => ", ",
            Claim::FirstTime => " ",
            Claim::SetOtherPart { .. } => ", ",
            _ => "; ",
        };
        text += &said;
    }
    text
}

const FIRST_TIME: &str = "for the first time, just where the output should have been different";

/// A piece of evidence of a finding, read after its message: the edit that the message has written out is not written out again.
pub fn evidence_of(finding: &Finding, claim: &Claim) -> String {
    let edit_of = |claim: &Claim| match claim {
        Claim::Repairs { change: Change::Edit { edit, .. }, .. }
        | Claim::Reveals { change: Change::Edit { edit, .. }, .. } => Some(edit.clone()),
        _ => None,
    };
    let beside = &finding.location;
    let edit = edit_of(claim);
    let is_this = edit.is_some() && finding.claims.iter().any(|said| edit_of(said) == edit);
    match claim {
        Claim::Repairs { change, outcome } if is_this => {
            format!("{}, {}", with_this(change, beside), is_right(*outcome))
        }
        Claim::Reveals { change, revealed, outcome } if is_this => {
            format!("{}, {}", with_this(change, beside), revealed_and_right(*revealed, *outcome))
        }
        claim => evidence(claim, beside),
    }
}

/// A claim as a sentence of its own.
pub fn evidence(claim: &Claim, beside: &Location) -> String {
    let at = |place: &Location| condition(place, beside);
    match claim {
        Claim::Did { deed: done } => deed(done),
        Claim::Executed => "this was executed".into(),
        Claim::Failed { failure, deed } => failed(failure, deed.as_ref()),
        Claim::Repairs { change, outcome } => format!("{}, {}", with(change, beside), is_right(*outcome)),
        Claim::Together { places } => {
            let at: Vec<String> = places.iter().map(|place| line_of(place, beside)).collect();
            format!("only together with a change at {}", at.join(" and "))
        }
        Claim::WrongAlready => "the state was already wrong here".into(),
        Claim::MoreEvaluations { count } => format!("the same holds for {}", counted(*count, "more evaluation")),
        Claim::ReachesFailure { place: Brink::Assertion } => {
            "the program then reaches the condition that fails again, and continues".into()
        }
        Claim::ReachesFailure { place: Brink::Crash } => {
            "the program then reaches the crashing line again, and continues".into()
        }
        Claim::Explains { kind, count } => explains(*kind, *count),
        Claim::FailureDepends { distance: None } => "the failure depends on it".into(),
        Claim::FailureDepends { distance: Some(0) } => "the failure appears here".into(),
        Claim::FailureDepends { distance: Some(1) } => "the failure depends on it directly".into(),
        Claim::FailureDepends { distance: Some(distance) } => {
            format!("the failure depends on it, {distance} statements away")
        }
        Claim::RightLinesDepend { depending, examined } => right_lines_depend(*depending, *examined),
        Claim::OtherRuns { changed: 0, of: 1 } => {
            "such a change leaves the one run on another input that comes here and does not fail as it was".into()
        }
        Claim::OtherRuns { changed: 0, of } => {
            format!("such a change leaves all {of} runs on other inputs that come here and do not fail as they were")
        }
        Claim::OtherRuns { changed, of } => format!(
            "but every such change also changes runs on other inputs that do not fail, at least {changed} of {of}"
        ),
        Claim::RepairsUse { of: 1, .. } => "it affects the place where a change repairs the run".into(),
        Claim::RepairsUse { places: 2, of: 2 } => "it affects both places where a change repairs the run".into(),
        Claim::RepairsUse { places, of } if places == of => {
            format!("it affects all {of} places where a change repairs the run")
        }
        Claim::RepairsUse { places, of } => {
            format!("it affects {places} of the {of} places where a change repairs the run")
        }
        Claim::NeverAssigned { variable, line } => {
            format!("nothing is assigned to `{}` before line {line} reads it", variable.0)
        }
        Claim::ReadsUnassigned { expression, is_call: true } => {
            format!("`{}` reads a value that was never assigned", expression.0)
        }
        Claim::ReadsUnassigned { expression, is_call: false } => {
            format!("`{}` is read here, and nothing was ever assigned to it", expression.0)
        }
        Claim::UnassignedMatters { is_right_with_zeros: true } => {
            "with zeros in all locals before they are assigned, the run is right".into()
        }
        Claim::UnassignedMatters { is_right_with_zeros: false } => {
            "with other bytes in all locals before they are assigned, the run fails in another way".into()
        }
        Claim::InTests { deed, failing, passing } => in_so_many_tests(deed, failing, passing),
        Claim::Suspicion { formula, value, first, last } if first == last => {
            format!("{formula} {value:.2}, rank {first}")
        }
        Claim::Suspicion { formula, value, first, last } => {
            format!("{formula} {value:.2}, tied for ranks {first} to {last}")
        }
        Claim::Differs(found) => difference(found),
        Claim::BeginsOtherwise { variable, failing, reference, more } => {
            begins_otherwise(variable.as_ref(), failing.as_ref(), reference.as_ref(), *more)
        }
        Claim::OnlyThisDiffers { from } => {
            format!("the difference from {} begins here: what this line depends on is the same", other(*from))
        }
        Claim::BeginsToDiffer { from } => {
            format!("here the failing run first differs from {} in a way that leads to the failure", other(*from))
        }
        Claim::LeadsToFailure => "this is on the way from there to the failure".into(),
        Claim::Initial { variable, hides: false } => format!("`{}` still had its initial value", variable.0),
        Claim::Initial { variable, hides: true } => {
            format!("another variable named `{}`, which this one hides, still had its initial value", variable.0)
        }
        Claim::Effect { effect } => brought_about(*effect),
        Claim::Reveals { change, revealed, outcome } => {
            format!("{}, {}", with(change, beside), revealed_and_right(*revealed, *outcome))
        }
        Claim::LeftUnchanged { condition } => format!("this call did not change the value that {} used", at(condition)),
        Claim::SetOtherPart { condition } => format!("it set another part of what {} used", at(condition)),
        Claim::NotExecuted { condition } => format!("this did not run because of {}", at(condition)),
        Claim::ExecutedBecause { condition } => format!("this ran because of {}", at(condition)),
        Claim::UsedBy { condition, .. } => format!("{} uses the value computed here", at(condition)),
        Claim::DecidedWhatUsed { condition } => format!("it determined the value that {} used", at(condition)),
        Claim::LeftLoop => "the loop ended early".into(),
        Claim::FirstTime => format!("it had this outcome {FIRST_TIME}"),
        Claim::NoCase { line, value } => {
            let value = value.as_ref().map_or_else(String::new, |value| format!(" for {}", value.0));
            format!("the switch at line {line} has no case{value}; this is the nearest one it has")
        }
        Claim::NotSet { variable, line, sign } => not_set(&name(variable.as_ref()), *line, sign),
        Claim::Neighbour { near, evaluation } => neighbour(near, *evaluation),
        Claim::NamedConstant { name, value, line } => {
            format!("this line defines `{}` as {}, and line {line} uses it", name.0, value.0)
        }
    }
}

fn explains(kind: Site, count: u64) -> String {
    let (what, would) = match kind {
        Site::Condition => ("more condition", "would"),
        Site::Assignment => ("more assignment", "could"),
    };
    let depend = if count == 1 { "depends" } else { "depend" };
    format!("{} that {would} repair the run {depend} on it", counted(count, what))
}

fn right_lines_depend(depending: u32, examined: u32) -> String {
    match (depending, examined) {
        (0, _) => "no correct line of the output depends on it".into(),
        (_, 1) => "the only correct line of the output depends on it as well".into(),
        (1, _) => format!("1 of {examined} correct lines of the output depends on it as well"),
        (all, examined) if all == examined => format!("all {all} correct lines of the output depend on it as well"),
        _ => format!("{depending} of {examined} correct lines of the output depend on it as well"),
    }
}

fn in_so_many_tests(deed: &TestDeed, failing: &Share, passing: &Share) -> String {
    let Share { with: failing, of: all_failing } = failing;
    let Share { with: passing, of: all_passing } = passing;
    format!("{} in {failing} of {all_failing} failing and {passing} of {all_passing} passing tests", in_tests(deed))
}

/// What came of how a condition went, as the rest of a sentence.
fn brought_about(effect: Effect) -> String {
    match effect {
        Effect::Skipped { line } => format!("so {} did not run", line_or_something(line)),
        Effect::Ran { line } => format!("so {} ran", line_or_something(line)),
        Effect::Failure => "which led to the failure".into(),
        Effect::Nothing => "to no effect".into(),
    }
}

fn line_or_something(line: Option<u32>) -> String {
    line.map_or_else(|| "something".into(), |line| format!("line {line}"))
}

/// That a condition uses something, with what it brought about.
fn used(at: &Location, effect: Option<Effect>, beside: &Location) -> String {
    let at = condition(at, beside);
    match effect {
        None => format!("{at} uses it"),
        Some(Effect::Skipped { line }) => format!("{at}, which skipped {}, uses it", line_or_something(line)),
        Some(Effect::Ran { line }) => format!("{at}, which let {} run, uses it", line_or_something(line)),
        Some(Effect::Failure) => format!("{at}, which led to the failure, uses it"),
        Some(Effect::Nothing) => format!("{at}, which had no effect, uses it"),
    }
}

fn reveals(revealed: Revealed) -> String {
    match revealed {
        Revealed::Runs { line: Some(line), user: Some(user) } if line == user => format!("line {line} runs"),
        Revealed::Runs { line: Some(line), user: Some(user) } => format!("line {line} runs and affects line {user}"),
        Revealed::Runs { line: Some(line), user: None } => format!("line {line} runs and affects the failure"),
        Revealed::Runs { line: None, user: Some(user) } => format!("other code runs and affects line {user}"),
        Revealed::Runs { line: None, user: None } => "other code runs and affects the failure".into(),
        Revealed::DoesNotRun { line } => format!("line {line} does not run"),
        Revealed::NoFailure => "the failure does not occur".into(),
    }
}

fn revealed_and_right(revealed: Revealed, outcome: Option<Outcome>) -> String {
    match (revealed, outcome) {
        // That all is right says that, too.
        (Revealed::NoFailure, Some(outcome)) => is_right(outcome),
        (_, Some(outcome)) => format!("{}, and {}", reveals(revealed), is_right(outcome)),
        (_, None) => reveals(revealed),
    }
}

fn deed_of(sign: &Sign) -> Option<&Deed> {
    match sign {
        Sign::AsOftenAsTooSmall { deed, .. } | Sign::CouldHaveSet { deed } | Sign::LeftUnchanged { deed } => {
            deed.as_ref()
        }
        Sign::HasItFromHere
        | Sign::SetsWhatBelongsWithIt
        | Sign::Lasts
        | Sign::Keeps
        | Sign::FunctionEnds
        | Sign::FunctionBegins => None,
    }
}

/// Why a value that line `line` uses may have had to be set here.
fn not_set(name: &str, line: u32, sign: &Sign) -> String {
    let what = deed_of(sign).map_or_else(|| "this was executed".into(), deed);
    match sign {
        Sign::HasItFromHere => format!("{name} gets its value here, and still has it at line {line}"),
        Sign::SetsWhatBelongsWithIt => {
            format!("this sets a value that belongs with {name}, but not {name} itself, which line {line} uses")
        }
        Sign::AsOftenAsTooSmall { times: 1, .. } => {
            format!("{what} just once, and {name} is too small by one at line {line}")
        }
        Sign::AsOftenAsTooSmall { times, .. } => {
            format!("{what} {times} times, and {name} is too small by {times} at line {line}")
        }
        Sign::CouldHaveSet { .. } => format!("{what}; otherwise {name}, which line {line} uses, could have been set"),
        Sign::LeftUnchanged { .. } => format!("{what}, and did not change {name}, which line {line} uses"),
        Sign::Lasts => {
            format!(
                "this keeps its value from one call of the function to the next, and {name} still has an old value at line {line}"
            )
        }
        Sign::Keeps => format!("{name} keeps its value between calls, and still has an old one at line {line}"),
        Sign::FunctionEnds => {
            format!("the function that set {name} returns after this, and line {line} uses {name} unchanged")
        }
        Sign::FunctionBegins => {
            format!("the function that uses {name} at line {line} begins here, without setting it again")
        }
    }
}
