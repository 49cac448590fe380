//! No twelve equal lines of code stand twice.
//!
//! What is equal in many places for a good reason does not count as code: comments, imports, lone punctuation, attributes of
//! the command line's description, signatures of observers, alternatives of a pattern (a match over all instructions names
//! them all). Of programs that are tried or debugged only Rust counts: two
//! versions of one are alike on purpose.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// So many equal lines are too many.
const TOO_MANY: usize = 12;

/// Where lines stand again.
#[derive(Debug, PartialEq, Eq)]
struct Duplicate {
    lines: usize,
    places: [Place; 2],
}

#[derive(Debug, PartialEq, Eq)]
struct Place {
    file: PathBuf,
    first: usize,
    last: usize,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b] = &self.places;
        write!(f, "{a}: {} lines of code stand at {b}, too", self.lines)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", self.file.display(), self.first, self.last)
    }
}

pub fn duplicates(root: &Path, files: &[PathBuf]) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for file in files.iter().filter(|file| is_ours(file)) {
        let text = std::fs::read_to_string(root.join(file)).with_context(|| file.display().to_string())?;
        texts.push((file.as_path(), text));
    }
    Ok(among(&texts).iter().map(Duplicate::to_string).collect())
}

fn is_ours(file: &Path) -> bool {
    let is = |extensions: &[&str]| file.extension().is_some_and(|own| extensions.iter().any(|known| own == *known));
    is(&["rs"]) || is(&["c", "cpp", "h", "js", "css"]) && (file.starts_with("crates") || file.starts_with("twins"))
}

fn among(texts: &[(&Path, String)]) -> Vec<Duplicate> {
    let codes: Vec<Vec<(usize, &str)>> = texts.iter().map(|(_, text)| code(text)).collect();
    let equal = |(a, at_a): (usize, usize), (b, at_b): (usize, usize)| {
        let rest = |file: usize, at: usize| codes[file][at..].iter().map(|(_, line)| *line);
        rest(a, at_a).zip(rest(b, at_b)).take_while(|(a, b)| a == b).count()
    };
    // The first place of every so many lines in a row.
    let mut seen: HashMap<Vec<&str>, (usize, usize)> = HashMap::new();
    let mut found = Vec::new();
    for (file, lines) in codes.iter().enumerate() {
        let mut at = 0;
        while at + TOO_MANY <= lines.len() {
            let window = lines[at..at + TOO_MANY].iter().map(|(_, line)| *line).collect();
            let first = *seen.entry(window).or_insert((file, at));
            // A row of lines that are all the same overlaps itself.
            if first.0 == file && at < first.1 + TOO_MANY {
                at += 1;
                continue;
            }
            let count = equal(first, (file, at));
            let place = |(file, at): (usize, usize)| Place {
                file: texts[file].0.to_owned(),
                first: codes[file][at].0,
                last: codes[file][at + count - 1].0,
            };
            found.push(Duplicate { lines: count, places: [place(first), place((file, at))] });
            at += count;
        }
    }
    found
}

/// The lines that count, without what they are indented by, and their numbers.
fn code(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    // What is left out until a line that ends with one of these.
    let mut until: Option<&[char]> = None;
    // The indentation of the implementation of an observer that we are in.
    let mut observer: Option<usize> = None;
    for (number, whole) in (1..).zip(text.lines()) {
        let line = whole.trim();
        let depth = whole.len() - whole.trim_start().len();
        if observer == Some(depth) && line == "}" {
            observer = None;
        }
        let begins = |words: &[&str]| words.iter().any(|word| line.starts_with(word));
        if until.is_none() {
            if begins(&["use ", "pub use ", "pub(crate) use "]) {
                until = Some(&[';']);
            } else if begins(&["#[arg", "#[command"]) {
                until = Some(&[']']);
            } else if observer.is_some() && begins(&["fn "]) {
                until = Some(&['{', '}', ';']);
            }
        }
        if let Some(ends) = until {
            if line.ends_with(ends) {
                until = None;
            }
            continue;
        }
        if begins(&["impl"]) && line.contains("Observer for ") {
            observer = Some(depth);
            continue;
        }
        let is_comment = begins(&["//", "/*", "* ", "*/", "#include"]);
        let is_alternative = begins(&["| "]);
        let is_module = begins(&["mod ", "pub mod "]) && line.ends_with(';');
        if line.contains(|c: char| c.is_alphanumeric()) && !is_comment && !is_module && !is_alternative {
            found.push((number, line));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(count: usize, word: &str) -> String {
        (0..count).map(|number| format!("    {word}({number});\n")).collect()
    }

    #[test]
    fn what_stands_twice_is_found_however_it_is_indented_and_spaced() {
        let again = lines(TOO_MANY + 2, "f").replace("    f(5)", "\n// Why.\n  f(5)").replace("f(7);", "f(7);\n}");
        let texts = [
            (Path::new("a.rs"), format!("{}{}", lines(3, "g"), lines(TOO_MANY + 2, "f"))),
            (Path::new("b.rs"), format!("{again}{}", lines(3, "h"))),
        ];
        let found = among(&texts);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].to_string(), "a.rs:4-17: 14 lines of code stand at b.rs:1-17, too");
    }

    #[test]
    fn fewer_lines_and_rows_of_the_same_line_are_none() {
        let few = lines(TOO_MANY - 1, "f");
        assert!(among(&[(Path::new("a.rs"), few.clone()), (Path::new("b.rs"), few)]).is_empty());
        let row = "    0,\n".repeat(TOO_MANY + 5);
        assert!(among(&[(Path::new("a.rs"), row)]).is_empty());
        let within = format!("{}{}{}", lines(TOO_MANY, "f"), lines(1, "g"), lines(TOO_MANY, "f"));
        assert_eq!(among(&[(Path::new("a.rs"), within)]).len(), 1);
    }

    #[test]
    fn imports_comments_signatures_of_observers_and_alternatives_are_not_code() {
        let text = "use a::{\n    b,\n    c,\n};\n// d\n#[arg(long)]\nx: u8,\n}\n\
                    impl<'a> Observer for X<'a> {\n    fn step(\n        &mut self,\n    ) {\n        work();\n    }\n}\n| Op::A => {}\nfn f(\n";
        let found: Vec<&str> = code(text).into_iter().map(|(_, line)| line).collect();
        assert_eq!(found, ["x: u8,", "work();", "fn f("]);
    }
}
