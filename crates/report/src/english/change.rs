//! Changes, and what came of them.

use findings::{Also, Change, Deed, Edit, Expression, Location, Outcome, Value, ordinal};

use super::{instead, line_of};

/// How a run was changed, as the beginning of a sentence.
pub fn with(change: &Change, beside: &Location) -> String {
    match change {
        Change::Something => "with a change here".into(),
        Change::Condition { outcome, evaluation, also } => {
            format!(
                "with this condition {outcome} on its {} evaluation{}",
                ordinal(*evaluation),
                and(also.as_ref(), beside)
            )
        }
        Change::Case { value, evaluation, also } => {
            let which = ordinal(*evaluation);
            format!("with this switch taking case {} on its {which} evaluation{}", value.0, and(also.as_ref(), beside))
        }
        Change::Edit { edit, executions, also } => {
            let often = match (executions, edit) {
                (Some(count @ 2..), Edit::Always { .. }) => format!(" ({count} times)"),
                _ => all_times(*executions),
            };
            format!("{}{often}{}", edited(edit), and(also.as_ref(), beside))
        }
        Change::Assignment { value, instead: other, is_former: true } => {
            format!("with the old value {} kept here{}", value.0, instead(other.as_ref()))
        }
        Change::Assignment { value, instead: other, is_former: false } => {
            format!("with {} stored here{}", value.0, instead(other.as_ref()))
        }
        Change::Values { of, least, most } => {
            let of = of.as_ref().map_or_else(|| "a value".to_owned(), |Expression(of)| format!("`{of}`"));
            format!("with {of} {} here", span(least, most))
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

fn all_times(executions: Option<u64>) -> String {
    match executions {
        None | Some(0 | 1) => String::new(),
        Some(2) => " both times".into(),
        Some(count) => format!(" all {count} times"),
    }
}

/// The same of a change that has just been spoken of.
pub fn with_this(change: &Change, beside: &Location) -> String {
    match change {
        Change::Edit { executions, also, .. } => {
            format!("with this change{}{}", all_times(*executions), and(also.as_ref(), beside))
        }
        other => with(other, beside),
    }
}

/// How it would have had to be, as the beginning of a sentence that comes after what it was.
pub fn had_it_been(change: &Change, was: Option<&Deed>, beside: &Location) -> String {
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
            let of = of.as_ref().map_or_else(|| "it".to_owned(), |Expression(of)| format!("`{of}`"));
            format!("had {of} been {}", span(least, most))
        }
        // How often it was changed is said where it is shown.
        (Change::Edit { edit, .. }, _) => edited(edit),
        (change, _) => with(change, beside),
    }
}

/// What an `int` or a `long` can be at least and at most: there it is the type that ends.
const LEAST: [&str; 2] = ["-2147483648", "-9223372036854775808"];
const MOST: [&str; 2] = ["2147483647", "9223372036854775807"];

/// Which values are meant, both ends included.
fn span(Value(least): &Value, Value(most): &Value) -> String {
    match (LEAST.contains(&least.as_str()), MOST.contains(&most.as_str())) {
        _ if least == most => least.clone(),
        (true, false) => format!("at most {most}"),
        (false, true) => format!("at least {least}"),
        _ => format!("between {least} and {most}"),
    }
}

fn and(also: Option<&Also>, beside: &Location) -> String {
    match also {
        None | Some(Also::Always) => String::new(),
        Some(Also::Later { at: Some(at) }) => format!(" and the condition at {} reversed", line_of(at, beside)),
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
