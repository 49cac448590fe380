//! What was tried.

use findings::{Count, Success, Tried};

use super::counted;
use super::difference::other;

pub fn tried(tried: &Tried) -> String {
    match tried {
        Tried::Switched { evaluations, of, ways, pairs, success: made } => {
            let ways = ways.map_or_else(String::new, |ways| format!(", {ways} ways"));
            let pairs = if *pairs > 0 { format!(", and {}", counted(*pairs, "pair")) } else { String::new() };
            let of = counted(*of, "evaluation");
            format!("switched {evaluations} of {of} of conditions{ways}{pairs}: {}", success(made))
        }
        Tried::Replaced { values, assignments, success: made } => {
            let (values, assignments) = (counted(*values, "other value"), counted(*assignments, "assignment"));
            format!("tried {values} for {assignments}: {}", success(made))
        }
        Tried::Edited { edits, places, success: made } => {
            format!("tried {} of {}: {}", counted(*edits, "small edit"), counted(*places, "place"), success(made))
        }
        Tried::EditedToAvoid { edits, places, avoided, again } => {
            let what = format!("tried {} of {}", counted(*edits, "small edit"), counted(*places, "place"));
            if *avoided == 0 {
                return format!("{what}: none kept the program from failing");
            }
            let (with, at) = (counted(again.changes, "edit"), counted(again.places, "place"));
            format!(
                "{what}: {avoided} kept the program from failing; with {with}, at {at}, it reached the same place again and \
                 continued"
            )
        }
        Tried::NoEdits => "no edits were tried: many would keep the program from failing without being right".into(),
        Tried::NoOtherValues => {
            "no other values were tried: many would keep the program from failing without being right".into()
        }
        Tried::Followed { steps, lines } => {
            format!("followed {} back from the failure, on {}", counted(*steps, "step"), counted(*lines, "line"))
        }
        Tried::Tests { run, failing, passing } => {
            format!("ran {}: {failing} failed, {passing} passed", counted(*run, "test"))
        }
        Tried::FilledLocals { is_right_with_zeros: false } => {
            "with other bytes in locals before they are assigned, the run fails in another way".into()
        }
        Tried::FilledLocals { is_right_with_zeros: true } => {
            "with zeros in locals before they are assigned, the run is right".into()
        }
        Tried::Compared { with, steps, is_shown, experiments } => {
            let shown = if *is_shown { "all shown" } else { "not all shown by experiments" };
            let (steps, experiments) = (counted(*steps, "step"), counted(*experiments, "experiment"));
            format!("compared with {}: the way to the failure has {steps}, {shown}; {experiments}", other(*with))
        }
        Tried::Omissions { steps, unsure, conditions, effective, repairs, left, said: (right, wrong) } => {
            let did = match (effective, repairs) {
                (0, _) => "and no run shows that one of them did".to_owned(),
                (count, false) => format!("and runs show that {count} did"),
                (1, true) => "and runs show that 1 did that repairs what was wrong when reversed".to_owned(),
                (count, true) => format!("and runs show that {count} did that repair what was wrong when reversed"),
            };
            let left = if *left == 1 { "1 step is".to_owned() } else { format!("{left} steps are") };
            let said = match (right, wrong) {
                (0, 0) => String::new(),
                (1, wrong) => format!("; 1 was called right, {wrong} wrong"),
                (right, wrong) => format!("; {right} were called right, {wrong} wrong"),
            };
            format!(
                "the failure depends on {}, of which {unsure} are not surely right; {} could have skipped code, {did}; {left} \
                 left to examine{said}",
                counted(*steps, "step"),
                counted(*conditions, "condition"),
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
    let said: Vec<String> = [repaired(success.run, "the run"), repaired(success.first, "what was wrong first")]
        .into_iter()
        .flatten()
        .collect();
    if said.is_empty() { "none repaired the run".into() } else { said.join("; ") }
}
