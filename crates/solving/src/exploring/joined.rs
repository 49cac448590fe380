//! Inputs of which one is another's continuation: programs read the same kind of thing again and again, lines, words or records,
//! and what two inputs found apart may matter only together.

use experiment::Input;

use super::waiting::Hope;
use super::{Aims, Origin, Search};

/// Earlier inputs that one is joined with, the latest first.
const MOST_OTHERS: usize = 16;
/// Bytes of what is joined: to follow a longer one takes longer than it is worth.
const LONGEST: usize = 1 << 12;

impl Search<'_> {
    /// An input that went a new way, and each earlier one that did, one behind the other.
    pub(super) fn with_others(&mut self, input: &Input, parent: usize, batch: &mut Vec<(Input, Origin, Aims, Hope)>) {
        let others = self.found.kept.iter().rev().filter(|kept| kept.new_ways > 0).take(MOST_OTHERS);
        let others: Vec<Input> = others.map(|kept| kept.input.clone()).collect();
        let origin = Origin { parent, from: 0, turned: None, given_up: 0 };
        for other in &others {
            for joined in [joined(input, other), joined(other, input)].into_iter().flatten() {
                self.wait(batch, joined, origin, Aims::default(), Hope::AfterNewWay);
            }
        }
    }
}

/// The first input with what the other has on standard input behind its own; or in one of its files, where they differ.
fn joined(first: &Input, second: &Input) -> Vec<Input> {
    let mut all = Vec::new();
    if let Some(stdin) = behind(&first.stdin, &second.stdin) {
        all.push(Input { stdin, ..first.clone() });
    }
    for (path, content) in &first.files {
        let other = second.files.get(path).filter(|other| *other != content);
        if let Some(both) = other.and_then(|other| behind(content, other)) {
            let mut joined = first.clone();
            joined.files.insert(path.clone(), both);
            all.push(joined);
        }
    }
    all
}

fn behind(first: &[u8], second: &[u8]) -> Option<Vec<u8>> {
    let is_worth_it = !first.is_empty() && !second.is_empty() && first.len() + second.len() <= LONGEST;
    is_worth_it.then(|| [first, second].concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use super::*;

    fn input(stdin: &str, settings: &str, keys: &str) -> Input {
        let files = [("settings", settings), ("keys", keys)];
        let files = files.map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec()));
        Input {
            arguments: Vec::new(),
            stdin: stdin.as_bytes().to_vec(),
            files: files.into_iter().collect(),
            environment: BTreeMap::new(),
        }
    }

    #[test]
    fn each_stream_is_continued_for_itself() {
        let (one, other) = (input("a\n", "x=1\n", "k\n"), input("b\n", "x=1\n", "l\n"));
        assert_eq!(joined(&one, &other), [input("a\nb\n", "x=1\n", "k\n"), input("a\n", "x=1\n", "k\nl\n")]);
        assert_eq!(joined(&other, &one)[0].stdin, b"b\na\n");
    }

    #[test]
    fn nothing_is_made_of_nothing_or_of_too_much() {
        let long = "a".repeat(LONGEST);
        assert!(joined(&input("", "", ""), &input("b", "s", "k")).is_empty());
        assert!(joined(&input(&long, "", ""), &input("b", "", "")).is_empty());
    }
}
