//! What a patch does to a source: the faulty text, and which of its lines are the fault's.

use anyhow::{Context, Result, ensure};
use diffy::{Line, Patch};

/// Lines that stand together and were changed together, in the faulty version's numbering from 1 on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// Lines the faulty version has and the right one has not.
    Lines(Vec<u32>),
    /// Code that is missing: the nearest lines with code before and after the gap, in the same function.
    Gap(Vec<u32>),
}

impl Place {
    pub fn lines(&self) -> &[u32] {
        match self {
            Place::Lines(lines) | Place::Gap(lines) => lines,
        }
    }
}

pub struct Change {
    pub text: String,
    pub places: Vec<Place>,
}

pub fn change(right: &str, patch: &str) -> Result<Change> {
    let patch = Patch::from_str(patch).context("this is no unified patch")?;
    let text = diffy::apply(right, &patch).context("the patch does not fit the source")?;
    let lines: Vec<&str> = text.lines().collect();
    let mut places = Vec::new();
    for hunk in patch.hunks() {
        // The line that comes next in the faulty version.
        let mut next = hunk.new_range().start();
        // Lines added and number of lines removed since the last line that both have.
        let (mut added, mut removed) = (Vec::new(), 0);
        for line in hunk.lines().iter().chain([&Line::Context("")]) {
            // A patch that fits elsewhere is applied there, but then its numbers are wrong.
            if let Line::Insert(text) | Line::Context(text) = line
                && !text.is_empty()
            {
                let found = lines.get(next - 1).copied().unwrap_or_default();
                ensure!(found == text.trim_end_matches('\n'), "line {next} is not where the patch says");
            }
            match line {
                Line::Delete(_) => removed += 1,
                Line::Insert(_) => {
                    added.push(next);
                    next += 1;
                }
                Line::Context(_) => {
                    let gap_at = next;
                    let code =
                        added.iter().copied().filter(|line| lines.get(line - 1).is_some_and(|text| is_code(text)));
                    let code: Vec<u32> = code.map(|line| line as u32).collect();
                    if !code.is_empty() {
                        places.push(Place::Lines(code));
                    } else if removed > 0 {
                        places.push(Place::Gap(neighbours(&lines, gap_at - added.len(), gap_at)));
                    }
                    (added, removed) = (Vec::new(), 0);
                    next += 1;
                }
            }
        }
    }
    ensure!(!places.is_empty(), "the patch changes no code");
    Ok(Change { text, places })
}

/// Neither blank nor only a brace or a comment.
pub fn is_code(line: &str) -> bool {
    let line = line.trim();
    let comment = ["//", "/*", "* ", "*/"].iter().any(|begin| line.starts_with(begin));
    !comment && !["", "{", "}", "};", "});", "} else {", "else"].contains(&line)
}

/// The nearest lines with code before `begin` and from `end` on (numbers from 1), without leaving the function.
fn neighbours(lines: &[&str], begin: usize, end: usize) -> Vec<u32> {
    let leaves = |line: &str| line.starts_with(['{', '}']);
    let nearest = |numbers: &mut dyn Iterator<Item = usize>| {
        for number in numbers {
            let text = lines.get(number - 1)?;
            if is_code(text) {
                return Some(number as u32);
            }
            if leaves(text) {
                return None;
            }
        }
        None
    };
    let (before, after) = (nearest(&mut (1..begin).rev()), nearest(&mut (end..=lines.len())));
    before.into_iter().chain(after).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: &str = "int f(int x)\n{\n    int y = 0;\n    if (x > 0)\n        y = 1;\n\n    return y;\n}\n";

    fn places(wrong: &str) -> Vec<Place> {
        let patch = diffy::create_patch(RIGHT, wrong).to_string();
        let change = change(RIGHT, &patch).unwrap();
        assert_eq!(change.text, wrong);
        change.places
    }

    #[test]
    fn changed_lines_are_the_fault() {
        assert_eq!(places(&RIGHT.replace("x > 0", "x >= 0")), [Place::Lines(vec![4])]);
        assert_eq!(places(&RIGHT.replace("int y = 0;", "int y = 1;\n    y++;")), [Place::Lines(vec![3, 4])]);
    }

    #[test]
    fn missing_code_belongs_between_its_neighbours() {
        assert_eq!(places(&RIGHT.replace("    if (x > 0)\n        y = 1;\n", "")), [Place::Gap(vec![3, 5])]);
        // The end of the function is no place for it.
        assert_eq!(places(&RIGHT.replace("\n    return y;\n", "\n")), [Place::Gap(vec![5])]);
    }

    #[test]
    fn several_places_are_told_apart() {
        let wrong = RIGHT.replace("int y = 0;", "int y;").replace("    return y;\n", "    return x;\n");
        assert_eq!(places(&wrong), [Place::Lines(vec![3]), Place::Lines(vec![7])]);
    }

    #[test]
    fn a_patch_with_wrong_numbers_is_refused() {
        let patch = diffy::create_patch(RIGHT, &RIGHT.replace("x > 0", "x < 0")).to_string();
        let moved = format!("int before;\nint too;\n{RIGHT}");
        assert!(change(RIGHT, &patch).is_ok());
        assert!(change(&moved, &patch).is_err());
    }

    #[test]
    fn a_patch_for_another_text_is_refused() {
        let patch = diffy::create_patch(RIGHT, &RIGHT.replace("x > 0", "x < 0")).to_string();
        assert!(change("int g;\n", &patch).is_err());
        assert!(change(RIGHT, "no patch").is_err());
    }
}
