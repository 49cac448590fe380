//! Parts of the failing input that do not fail.
//!
//! Tests near the failure end where it does, and often before the program has done much of what it is for. What is read line by
//! line and fails late has been right for a while: without the end, or without some lines, it is a run as its users know it.

use std::ops::ControlFlow;
use std::sync::Arc;

use budget::Budget;
use experiment::{Input, Lab, LabError, Outcome, Trial};
use subject::Passing;

/// Into how many parts the input is cut.
const PARTS: usize = 8;

/// What is left of the input without its end, or without one part, if that does not fail.
pub(super) fn passing_parts(lab: &Lab, budget: &Budget) -> Result<Vec<Passing>, LabError> {
    let whole = Input::of(lab.case(), &[])?;
    let parts = parts(&whole.stdin).into_iter();
    let trials: Vec<Trial> =
        parts.map(|stdin| Trial { input: Arc::new(whole.clone().with_stdin(stdin)), experiment: Vec::new() }).collect();
    let mut passing = Vec::new();
    lab.try_inputs(&trials, |position, shown| {
        if let (Outcome::Passes, Some(ran)) = (shown.outcome, shown.ran) {
            passing.push((position, Passing { input: trials[position].input.clone(), ran }));
        }
        if budget.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    // Several are run at a time.
    passing.sort_by_key(|(position, _)| *position);
    Ok(passing.into_iter().map(|(_, part)| part).collect())
}

/// The longest first.
fn parts(text: &[u8]) -> Vec<Vec<u8>> {
    let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
    let count = PARTS.min(lines.len());
    let cut = |part: usize| part * lines.len() / count.max(1);
    let without = (0..count).map(|part| [&lines[..cut(part)], &lines[cut(part + 1)..]].concat().concat());
    let beginnings = (1..count).rev().map(|part| lines[..cut(part)].concat());
    let mut all: Vec<Vec<u8>> = Vec::new();
    for part in without.chain(beginnings) {
        if !part.is_empty() && !all.contains(&part) {
            all.push(part);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::parts;

    fn texts(text: &str) -> Vec<String> {
        parts(text.as_bytes()).into_iter().map(|part| String::from_utf8(part).unwrap()).collect()
    }

    #[test]
    fn each_part_is_left_out_and_each_end() {
        assert_eq!(texts("a\nb\nc\n"), ["b\nc\n", "a\nc\n", "a\nb\n", "a\n"]);
        assert_eq!(texts("a\nb"), ["b", "a\n"]);
    }

    #[test]
    fn one_line_has_no_parts() {
        assert!(texts("only\n").is_empty() && texts("").is_empty());
    }

    #[test]
    fn a_long_text_is_cut_into_few() {
        let text: String = (0..1000).map(|line| format!("{line}\n")).collect();
        let all = texts(&text);
        assert_eq!(all.len(), 14);
        assert!(all.iter().all(|part| part.lines().count() >= 125));
    }
}
