//! Constants that have names: macros without parameters, enumerators with a value, constant variables; and where they are
//! defined.
//!
//! Compiled code has their values only. Debug information can have macros, at the price of every macro of every system
//! header; the text of the sources is as good where a name is defined once.

use std::collections::HashSet;
use std::path::Path;

use findings::Line;

use crate::lines::Texts;

/// Where a name on a line is defined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: String,
    pub value: String,
    pub defined: Line,
}

/// Headers within headers that are looked into.
const MOST_NESTED: usize = 4;

/// The names on a line that are defined once as a constant, in the same file or in a header of the program's own that it
/// includes.
pub fn named_on(texts: &mut Texts, line: &Line) -> Vec<Named> {
    let Some(text) = texts.get(line).map(String::from) else { return Vec::new() };
    let mut names: Vec<&str> = Vec::new();
    for name in tokens(&text).into_iter().filter(|token| is_name(token)) {
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
fn gather(texts: &mut Texts, file: &str, nested: usize, seen: &mut HashSet<String>, all: &mut Vec<Named>) {
    if !seen.insert(file.to_owned()) {
        return;
    }
    let mut headers = Vec::new();
    let mut code: Vec<(&str, u32)> = Vec::new();
    let mut add = |name: &str, value: &str, line: u32| {
        let defined = Line { file: file.to_owned(), line };
        all.push(Named { name: name.to_owned(), value: value.to_owned(), defined });
    };
    let mut is_comment = false;
    for (text, number) in texts.lines(file).iter().zip(1..) {
        let Some(directive) = text.trim_start().strip_prefix('#').map(str::trim_start) else {
            for token in tokens(text) {
                match token {
                    "/*" => is_comment = true,
                    "*/" => is_comment = false,
                    _ if !is_comment => code.push((token, number)),
                    _ => {}
                }
            }
            continue;
        };
        if let Some((name, value)) = directive.strip_prefix("define").and_then(definition) {
            add(name, value, number);
        } else if let Some(header) = directive.strip_prefix("include").and_then(|rest| rest.split('"').nth(1)) {
            headers.push(Path::new(file).with_file_name(header).display().to_string());
        }
    }
    for (at, (token, _)) in code.iter().enumerate() {
        match *token {
            "enum" => enumerators(&code[at + 1..], &mut add),
            "const" | "constexpr" => variable(&code[at + 1..], &mut add),
            _ => {}
        }
    }
    for header in headers.into_iter().filter(|_| nested > 0) {
        gather(texts, &header, nested - 1, seen, all);
    }
}

/// Enumerators that have a value, of what stands behind `enum`.
fn enumerators(code: &[(&str, u32)], add: &mut impl FnMut(&str, &str, u32)) {
    let Some(begin) = code.iter().position(|(token, _)| matches!(*token, "{" | ";" | ")" | "(" | "=")) else { return };
    if code[begin].0 != "{" {
        return;
    }
    let end = code.iter().position(|(token, _)| *token == "}").unwrap_or(code.len());
    for one in code[begin + 1..end.max(begin + 1)].split(|(token, _)| *token == ",") {
        if let [(name, line), ("=", _), value @ ..] = one {
            add(name, &joined(value), *line);
        }
    }
}

/// A variable, of what stands behind `const`, if it has a value that is written there.
fn variable(code: &[(&str, u32)], add: &mut impl FnMut(&str, &str, u32)) {
    let Some(equals) = code.iter().position(|(token, _)| !is_name(token)) else { return };
    let [.., (name, line)] = code[..equals] else { return };
    let value = &code[equals + 1..];
    let end = value.iter().position(|(token, _)| *token == ";" || is_name(token)).unwrap_or(value.len());
    if code[equals].0 == "=" && value.get(end).is_some_and(|(token, _)| *token == ";") {
        add(name, &joined(&value[..end]), line);
    }
}

fn joined(code: &[(&str, u32)]) -> String {
    code.iter().map(|(token, _)| *token).collect::<Vec<_>>().join(" ")
}

/// What a directive defines, if it has no parameters and stands for something.
fn definition(rest: &str) -> Option<(&str, &str)> {
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let end = rest.find(|letter: char| !is_of_name(letter))?;
    let (name, value) = rest.split_at(end);
    let value = value.strip_prefix([' ', '\t'])?;
    let end = ["//", "/*"].iter().filter_map(|comment| value.find(comment)).min().unwrap_or(value.len());
    let value = value[..end].trim();
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_name(token: &str) -> bool {
    token.starts_with(|first: char| is_of_name(first) && !first.is_ascii_digit())
}

/// The tokens of a line, as far as they are told apart here: names and numbers, literals, ends of comments, single letters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            break;
        }
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            '0'..='9' => rest.find(|letter| !is_of_name(letter) && letter != '.').unwrap_or(rest.len()),
            _ if is_of_name(first) => rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len()),
            _ if rest.starts_with("/*") || rest.starts_with("*/") || rest.starts_with("==") => 2,
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        tokens.extend(Some(token).filter(|token| !token.trim().is_empty()));
        rest = behind;
    }
    tokens
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
        let found = named_on(&mut Texts::default(), &Line { file: file.to_owned(), line });
        found.into_iter().map(|one| (one.name, one.value, one.defined.line)).collect()
    }

    fn is(name: &str, value: &str, line: u32) -> (String, String, u32) {
        (name.to_owned(), value.to_owned(), line)
    }

    #[test]
    fn macros_without_parameters_are_found_and_no_others() {
        let (_folder, file) = written(
            "a.c",
            "#define LIMIT 18 // once\n# define F(x) x\n#define EMPTY\n#define TWICE 1\n#define TWICE 2\n\
             if (n < LIMIT && F(EMPTY) != TWICE) puts(\"LIMIT\"); // LIMIT\nputs(\"\\\"LIMIT\", 'L');\n",
        );
        assert_eq!(on(&file, 6), [is("LIMIT", "18", 1)]);
        assert_eq!(on(&file, 7), []);
        assert_eq!(on(&file, 1), []);
        assert_eq!(on(&file, 70), []);
    }

    #[test]
    fn enumerators_with_a_value_and_constant_variables_are_found() {
        let (_folder, file) = written(
            "a.c",
            "enum limits {\n  NONE,\n  MOST = 5 * 2, /* MOST = 3 */\n  LAST\n};\nstatic const int least = 3;\n\
             constexpr double rate = 0.5;\nint f(const char *s, enum limits n = MOST) { const char *t = s; const int u = n; }\n\
             return n == NONE || n < MOST || n > LAST || n < least * rate || s != t || t == u;\n",
        );
        assert_eq!(on(&file, 9), [is("MOST", "5 * 2", 3), is("least", "3", 6), is("rate", "0.5", 7)]);
    }

    #[test]
    fn own_headers_are_read() {
        let (folder, file) = written("a.c", "#include \"a.h\"\n#include <stdio.h>\nint x = DEFAULT;\n");
        std::fs::write(folder.path().join("a.h"), "#include \"a.h\"\n#define DEFAULT (3 + 4)\n").unwrap();
        assert_eq!(on(&file, 3), [is("DEFAULT", "(3 + 4)", 2)]);
    }
}
