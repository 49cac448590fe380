//! What was tried.

use findings::{Count, Generation, OtherEnd, Success, Tried};

use super::counted;
use super::difference::other;
use super::neighbour::paths;

pub fn tried(tried: &Tried) -> String {
    match tried {
        Tried::Switched { evaluations, of, ways, pairs, success: made } => {
            let ways = ways.map_or_else(String::new, |ways| format!(" in {ways} ways"));
            let pairs = if *pairs > 0 { format!(", and {}", counted(*pairs, "pair")) } else { String::new() };
            let of = match *of {
                1 => "the only evaluation of a condition".to_owned(),
                of if of == *evaluations => format!("all {of} evaluations of conditions"),
                of => format!("{evaluations} of {of} evaluations of conditions"),
            };
            format!("reversed {of}{ways}{pairs}: {}", success(made))
        }
        Tried::Replaced { assignments: 0, .. } => "there was no assignment to try other values for".into(),
        Tried::Replaced { values, assignments, success: made } => {
            let (values, assignments) = (counted(*values, "other value"), counted(*assignments, "assignment"));
            format!("tried {values} for {assignments}: {}", success(made))
        }
        Tried::Edited { edits, places, success: made } => {
            format!("tried {} at {}: {}", counted(*edits, "small edit"), counted(*places, "place"), success(made))
        }
        Tried::EditedToAvoid { edits, places, avoided, again } => {
            let what = format!("tried {} at {}", counted(*edits, "small edit"), counted(*places, "place"));
            if *avoided == 0 {
                return format!("{what}: none prevented the failure");
            }
            let (with, at) = (again.changes, counted(again.places, "place"));
            let again = if with == 0 {
                "after none of them did the program reach the same place again".into()
            } else {
                format!("after {with} of them, at {at}, the program reached the same place again and continued")
            };
            format!("{what}: {avoided} prevented the failure; {again}")
        }
        Tried::Cut { steps, turns, states, combinations, polluted, said } => {
            let found = match polluted {
                0 => "none repaired the run".to_owned(),
                1 => "1 repaired the run".to_owned(),
                count => format!("{count} repaired the run"),
            };
            let said = match said {
                (0, 0) => String::new(),
                (right, wrong) => format!("; you called {right} right and {wrong} wrong"),
            };
            format!(
                "narrowed down {} that the failure depends on by {}, and changed {} in {}: {found}{said}",
                counted(*steps, "step"),
                counted(*turns, "cut"),
                counted(*states, "value or condition").replace("value or conditions", "values and conditions"),
                counted(*combinations, "combination"),
            )
        }
        Tried::NoEdits => "no edits were tried, since many would prevent the failure without being right".into(),
        Tried::NoOtherValues => {
            "no other values were tried, since many would prevent the failure without being right".into()
        }
        Tried::Followed { steps, lines } => {
            format!("followed {} back from the failure, on {}", counted(*steps, "step"), counted(*lines, "line"))
        }
        Tried::Tests { run, failing, passing } => {
            format!("ran {}: {failing} failed, {passing} passed", counted(*run, "test"))
        }
        Tried::Generated { selection, tests, failing, passing, otherwise, undecided, questions, ended } => {
            let mut said = vec![format!("{failing} failed in the same way"), format!("{passing} passed")];
            if *otherwise > 0 {
                let count = if *otherwise == 1 { "counts" } else { "count" };
                said.push(format!("{otherwise} failed in another way and {count} as passing for this fault"));
            }
            if *undecided > 0 {
                let count = if *undecided == 1 { "does" } else { "do" };
                said.push(format!("{undecided} could not be judged and {count} not count"));
            }
            let asked = match questions {
                0 => String::new(),
                questions => format!("; you answered {}", counted(*questions, "question")),
            };
            let tests = counted(*tests, "test");
            format!(
                "generated {tests} near the failing one (selection: {selection}): {}{asked}; {}",
                said.join(", "),
                ended_by(*ended)
            )
        }
        Tried::OtherFailure { end, location, tests, example } => {
            let place = location.as_ref().map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
            let how = match end {
                OtherEnd::Signal { signal } => format!("the program crashes{place} with {}", signal.name),
                OtherEnd::Status { status } => format!("the program exits with status {status} and is wrong"),
                OtherEnd::Hang => "the program does not end".into(),
                OtherEnd::Stopped => "the program was stopped, since it used more than it was allowed".into(),
            };
            let first = if *tests == 1 {
                format!("in test {example}")
            } else {
                format!("in {tests} tests, first in {example}")
            };
            format!("found another failure on the way: {how} ({first})")
        }
        Tried::Shrunk { from, to } => {
            format!("first reduced the failing input from {from} to {}", counted(*to, "byte"))
        }
        Tried::Paths { judged, paths: examined, impossible, failing, undecided, reversed, at_most } => {
            paths(*judged, (*examined, *impossible, *failing, *undecided), *reversed, *at_most)
        }
        Tried::FilledLocals { is_right_with_zeros: false } => {
            "with other bytes in locals before they are assigned, the run fails in another way".into()
        }
        Tried::FilledLocals { is_right_with_zeros: true } => {
            "with zeros in locals before they are assigned, the run is right".into()
        }
        Tried::Compared { with, steps, is_shown, experiments } => {
            let shown = match (steps, is_shown) {
                (1, true) => "1 difference leads to the failure, as experiments confirm".to_owned(),
                (1, false) => "1 difference leads to the failure, but experiments do not fully confirm it".to_owned(),
                (steps, true) => format!("{steps} differences lead to the failure, as experiments confirm"),
                (steps, false) => {
                    format!("{steps} differences lead to the failure, but experiments do not confirm all of them")
                }
            };
            format!("compared with {} in {}: {shown}", other(*with), counted(*experiments, "experiment"))
        }
        Tried::Omissions { steps, unsure, conditions, effective, repairs, left, said: (right, wrong) } => {
            let confirmed = match (effective, repairs) {
                (0, _) => "none".to_owned(),
                (count, false) => format!("{count}"),
                (1, true) => "1, and reversing it repairs what was wrong".to_owned(),
                (count, true) => format!("{count}, and reversing one of them repairs what was wrong"),
            };
            let may_be_wrong = match (steps, unsure) {
                (1, 1) => "which may be wrong".to_owned(),
                (steps, unsure) if steps == unsure => "all of which may be wrong".to_owned(),
                (_, 0) => "none of which may be wrong".to_owned(),
                (_, unsure) => format!("{unsure} of which may be wrong"),
            };
            let left = if *left == 1 { "1 step is".to_owned() } else { format!("{left} steps are") };
            let said = match (right, wrong) {
                (0, 0) => String::new(),
                (right, wrong) => format!("; you called {right} right and {wrong} wrong"),
            };
            format!(
                "of {} that could have skipped code, experiments confirm {confirmed}; the failure depends on {}, {may_be_wrong}; \
                 {left} left to examine{said}",
                counted(*conditions, "condition"),
                counted(*steps, "step"),
            )
        }
    }
}

/// How many experiments made a run better, and at how many places of the source.
fn success(success: &Success) -> String {
    let repaired = |count: Count, what: &str| match count.changes {
        0 => None,
        1 => Some(format!("1 repaired {what}")),
        changes => Some(format!("{changes} repaired {what}, at {}", counted(count.places, "place"))),
    };
    let said: Vec<String> =
        [repaired(success.run, "the run"), repaired(success.first, "only the first error in the output")]
            .into_iter()
            .flatten()
            .collect();
    if said.is_empty() { "none repaired the run".into() } else { said.join("; ") }
}

fn ended_by(ended: Generation) -> &'static str {
    match ended {
        Generation::Settled => "the ranking no longer changed",
        Generation::Exhausted => "no condition was left to reverse",
        Generation::Enough => "that is the most it generates",
        Generation::Spent => "the time budget ran out",
    }
}
