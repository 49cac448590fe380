//! The nearest run that succeeds.

use findings::{InputChange, InputPlace, Near, Neighbouring, Unexamined, ordinal};

use super::counted;

/// What makes it succeed, said of one of its conditions.
pub fn neighbour(near: &Near, evaluation: u64) -> String {
    let time = match evaluation {
        0 | 1 => String::new(),
        more => format!(" on its {} evaluation", ordinal(more)),
    };
    if near.is_same_input {
        return match near.conditions {
            1 => format!("the run succeeds if only this condition is forced to go the other way{time}"),
            more => format!(
                "the run succeeds if only {more} conditions are forced to go the other way, this one among them{time}"
            ),
        };
    }
    let with = match &near.changes[..] {
        [] => "with another input".into(),
        changes => format!("with {}", changes.iter().map(change).collect::<Vec<_>>().join(" and ")),
    };
    match near.conditions {
        1 => format!("{with}, the run succeeds, and only this condition goes the other way{time}"),
        more => {
            format!("{with}, the run succeeds, and only {more} conditions go the other way, this one among them{time}")
        }
    }
}

fn change(change: &InputChange) -> String {
    let InputChange { place, line, from, to } = change;
    let whole = match place {
        InputPlace::Standard => "standard input".into(),
        InputPlace::Argument { position } => format!("argument {position}"),
        InputPlace::File { name } => name.clone(),
        InputPlace::Variable { name } => format!("the environment variable {name}"),
    };
    let place = match line {
        Some(line) => format!("line {line} of {whole}"),
        None => whole,
    };
    match (from.is_empty(), to.is_empty()) {
        (true, _) => format!("{place} `{to}` instead of nothing"),
        (_, true) => format!("nothing instead of {place} `{from}`"),
        _ => format!("{place} `{to}` instead of `{from}`"),
    }
}

/// How the search for it went.
pub fn paths(
    judged: Neighbouring,
    (paths, impossible, failing, undecided): (u64, u64, u64, u64),
    reversed: Option<u64>,
    at_most: Option<u64>,
) -> String {
    let mut said = Vec::new();
    if impossible > 0 {
        said.push(format!("no input can take {impossible}"));
    }
    if failing > 0 {
        said.push(format!("{failing} failed"));
    }
    if undecided > 0 {
        said.push(format!("for {undecided}, no input was found"));
    }
    let paths = counted(paths, "path");
    let begun = match judged {
        Neighbouring::OtherInput => format!("examined {paths} near that of the failing run, the nearest first"),
        Neighbouring::SameInput => format!("forced the failing input along {paths}, the nearest first"),
    };
    let among = match at_most {
        Some(most) => format!(" among those that reverse at most {}", counted(most, "condition")),
        None => String::new(),
    };
    let found = match reversed {
        Some(count) => format!("the nearest one that succeeds{among} reverses {}", counted(count, "condition")),
        None => "none of them succeeded".into(),
    };
    let said = if said.is_empty() { String::new() } else { format!(": {}", said.join(", ")) };
    format!("{begun}{said}; {found}")
}

pub fn unexamined(kind: Unexamined, count: u64) -> String {
    let paths = counted(count, "path");
    match kind {
        Unexamined::Undecided => format!("for {paths}, no input was found, though none was ruled out"),
        Unexamined::Lost => format!("a run could not be kept on {paths}"),
        Unexamined::TooMany => format!("too many paths reverse the same conditions: {paths} left out"),
        Unexamined::AsFarAsLibrary => {
            format!(
                "{paths} ruled out on the assumption that library code and input calls behave as in the failing run"
            )
        }
        Unexamined::NotRun => format!("{} could not be made or replayed", counted(count, "run")),
        Unexamined::OfLoops => {
            format!("{} not reversed; --loops N allows it", counted(count, "loop condition evaluation"))
        }
    }
}
