//! Names that the preprocessor puts constants in the place of, and where they are defined.
//!
//! Debug information can have them, at the price of every macro of every system header; the text of the sources is as good
//! where a name is defined once.

use std::collections::HashSet;
use std::path::Path;

use crate::lines::{Line, Texts};

/// Where a name on a line is defined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Macro {
    pub name: String,
    pub body: String,
    pub defined: Line,
}

/// Headers within headers that are looked into.
const MOST_NESTED: usize = 4;

/// The names on a line that are defined without parameters, once, in the same file or in a header of the program's own that
/// it includes.
pub fn macros_on(texts: &mut Texts, line: &Line) -> Vec<Macro> {
    let Some(text) = texts.get(line).map(String::from) else { return Vec::new() };
    let mut names = Vec::new();
    for name in names_in(&text) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    gather(texts, &line.file, MOST_NESTED, &mut HashSet::new(), &mut all);
    let once = |name: &&str| {
        let mut of_name = all.iter().filter(|one| one.name == *name);
        of_name.next().filter(|_| of_name.next().is_none()).filter(|one| one.defined != *line).cloned()
    };
    names.iter().filter_map(once).collect()
}

/// All definitions of a file, and of the headers that it includes by a path beside it.
fn gather(texts: &mut Texts, file: &str, nested: usize, seen: &mut HashSet<String>, all: &mut Vec<Macro>) {
    if !seen.insert(file.to_owned()) {
        return;
    }
    let mut headers = Vec::new();
    for (text, number) in texts.lines(file).iter().zip(1..) {
        let Some(directive) = text.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        if let Some((name, body)) = directive.strip_prefix("define").and_then(definition) {
            let defined = Line { file: file.to_owned(), line: number };
            all.push(Macro { name: name.to_owned(), body: body.to_owned(), defined });
        } else if let Some(header) = directive.strip_prefix("include").and_then(|rest| rest.split('"').nth(1)) {
            headers.push(Path::new(file).with_file_name(header).display().to_string());
        }
    }
    for header in headers.into_iter().filter(|_| nested > 0) {
        gather(texts, &header, nested - 1, seen, all);
    }
}

/// What a directive defines, if it has no parameters and stands for something.
fn definition(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = rest.find(|letter: char| !is_of_name(letter))?;
    let (name, body) = rest.split_at(end);
    let body = body.strip_prefix([' ', '\t'])?.trim();
    (!name.is_empty() && !body.is_empty()).then_some((name, body))
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// The names on a line, without what stands in quotes or in a comment behind it.
fn names_in(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            _ if is_of_name(first) => rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        if is_of_name(first) && !first.is_ascii_digit() {
            names.push(token);
        }
        rest = behind;
    }
    names
}

/// How long a literal is that begins here.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(name: &str, text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let path = path.display().to_string();
        (folder, path)
    }

    fn on(file: &str, line: u32) -> Vec<(String, String, u32)> {
        let found = macros_on(&mut Texts::default(), &Line { file: file.to_owned(), line });
        found.into_iter().map(|one| (one.name, one.body, one.defined.line)).collect()
    }

    #[test]
    fn names_of_constants_are_found_and_no_others() {
        let (_folder, file) = written(
            "a.c",
            "#define LIMIT 18\n# define F(x) x\n#define EMPTY\n#define TWICE 1\n#define TWICE 2\n\
             if (n < LIMIT && F(EMPTY) != TWICE) puts(\"LIMIT\"); // LIMIT\nputs(\"\\\"LIMIT\", 'L');\n",
        );
        assert_eq!(on(&file, 6), [("LIMIT".to_owned(), "18".to_owned(), 1)]);
        assert_eq!(on(&file, 7), []);
        assert_eq!(on(&file, 1), []);
        assert_eq!(on(&file, 70), []);
    }

    #[test]
    fn own_headers_are_read() {
        let (folder, file) = written("a.c", "#include \"a.h\"\n#include <stdio.h>\nint x = DEFAULT;\n");
        std::fs::write(folder.path().join("a.h"), "#include \"a.h\"\n#define DEFAULT (3 + 4)\n").unwrap();
        assert_eq!(on(&file, 3), [("DEFAULT".to_owned(), "(3 + 4)".to_owned(), 2)]);
    }
}
