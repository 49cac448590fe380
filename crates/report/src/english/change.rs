//! Changes, and what came of them.

use findings::{Also, Change, Deed, Edit, Expression, Outcome, Value};

use super::{instead, ordinal};

/// How a run was changed, as the beginning of a sentence.
pub fn with(change: &Change) -> String {
    match change {
        Change::Something => "with a change here".into(),
        Change::Condition { outcome, evaluation, also } => {
            format!("with this condition {outcome} on its {} evaluation{}", ordinal(*evaluation), and(also.as_ref()))
        }
        Change::Case { value, evaluation, also } => {
            let which = ordinal(*evaluation);
            format!("with this switch taking case {} on its {which} evaluation{}", value.0, and(also.as_ref()))
        }
        Change::Edit { edit, executions, also } => {
            let often = match (executions, edit) {
                (None | Some(1), _) => String::new(),
                (Some(count), Edit::Always { .. }) => format!(" ({count} times)"),
                (Some(2), _) => " both times".into(),
                (Some(count), _) => format!(" all {count} times"),
            };
            format!("{}{often}{}", edited(edit), and(also.as_ref()))
        }
        Change::Assignment { value, instead: other, is_former: true } => {
            format!("with the old value {} kept here{}", value.0, instead(other.as_ref()))
        }
        Change::Assignment { value, instead: other, is_former: false } => {
            format!("with {} stored here{}", value.0, instead(other.as_ref()))
        }
        Change::Values { of, least, most } => {
            format!("with any value here such that {}", between(of.as_ref(), least, most))
        }
        Change::Variable { variable, line, value, instead } => {
            let name = name(variable.as_ref());
            match line {
                Some(line) => format!("with {} in {name} at line {line} instead of {}", value.0, instead.0),
                None => format!("with {} stored in {name} instead of {}", value.0, instead.0),
            }
        }
    }
}

/// How it would have had to be, as the beginning of a sentence that comes after what it was.
pub fn had_it_been(change: &Change, was: Option<&Deed>) -> String {
    let together = |also: &Option<Also>| match also {
        None => "",
        Some(Also::Later { .. }) => ", with a later condition reversed as well",
        Some(Also::Inside) => ", with a condition inside it reversed as well",
        Some(Also::Always) => " every time",
    };
    match (change, was) {
        (Change::Condition { also, .. }, Some(Deed::Decided { outcome, .. }))
        | (Change::Edit { also: also @ Some(Also::Always), .. }, Some(Deed::Decided { outcome, .. })) => {
            format!("had it been {}{}", !outcome, together(also))
        }
        (Change::Condition { also, .. } | Change::Case { also, .. }, Some(Deed::Chose { .. }))
        | (Change::Edit { also: also @ Some(Also::Always), .. }, Some(Deed::Chose { .. })) => {
            format!("had it gone another way{}", together(also))
        }
        (Change::Condition { also, .. } | Change::Case { also, .. }, _) => {
            format!("had this condition gone the other way{}", together(also))
        }
        (Change::Assignment { value: Value(value), is_former: true, .. }, _) => {
            format!("had it kept its old value {value}")
        }
        (Change::Assignment { value: Value(value), is_former: false, .. }, _) => format!("had it become {value}"),
        (Change::Values { of, least, most }, _) => {
            format!("with another value here, {}", between(of.as_ref(), least, most))
        }
        // How often it was changed is said where it is shown.
        (Change::Edit { edit, .. }, _) => edited(edit),
        (change, _) => with(change),
    }
}

/// That a value lies between two.
fn between(of: Option<&Expression>, least: &Value, most: &Value) -> String {
    let of = of.map_or("value", |of| of.0.as_str());
    if least == most { format!("{of} = {}", least.0) } else { format!("{} ≤ {of} ≤ {}", least.0, most.0) }
}

fn and(also: Option<&Also>) -> String {
    match also {
        None | Some(Also::Always) => String::new(),
        Some(Also::Later { at: Some(at) }) => format!(" and the condition at {}:{} reversed", at.file, at.line),
        Some(Also::Later { at: None }) => " and a later condition reversed".into(),
        Some(Also::Inside) => ", and a condition inside it reversed".into(),
    }
}

/// Something else in the source.
pub fn edited(edit: &Edit) -> String {
    match edit {
        Edit::Instead { written, other } => format!("with `{}` instead of `{}`", other.0, written.0),
        Edit::Always { condition, outcome } => format!("with `{}` always {outcome}", condition.0),
        Edit::Without { written } => format!("without `{}`", written.0),
        Edit::Unnamed => "with an edit".into(),
    }
}

/// A variable, if it has a name.
pub fn name(variable: Option<&Expression>) -> String {
    variable.map_or_else(|| "a value".into(), |Expression(name)| format!("`{name}`"))
}

/// What a changed run does.
pub fn is_right(outcome: Outcome) -> String {
    match outcome {
        Outcome::Output => "the output is right".into(),
        Outcome::ExitStatus => "the exit status is right".into(),
        Outcome::Check => "the check passes".into(),
        Outcome::Run => "the program does not fail".into(),
        Outcome::OutputLine { line } => format!("line {line} of the output is right"),
        Outcome::FirstWrong => "the first error in the output is gone".into(),
    }
}

/// The same as a consequence.
pub fn would_be_right(outcome: Outcome) -> String {
    match outcome {
        Outcome::Output => "the output would have been right".into(),
        Outcome::ExitStatus => "the exit status would have been right".into(),
        Outcome::Check => "the check would have passed".into(),
        Outcome::Run => "the program would not have failed".into(),
        Outcome::OutputLine { line } => format!("line {line} of the output would have been right"),
        Outcome::FirstWrong => "the first error in the output would not have occurred".into(),
    }
}
