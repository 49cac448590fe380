//! C and C++ in colours: comments, texts, numbers and keywords.
//!
//! Line by line, remembering only whether a comment is open; what comes before an excerpt is taken to have closed its own.

use maud::{Markup, html};

use super::visible::visible;

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Inside {
    #[default]
    Code,
    Comment,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    Comment,
    Text,
    Number,
    Keyword,
    Directive,
}

impl Kind {
    fn class(self) -> &'static str {
        match self {
            Kind::Plain => "",
            Kind::Comment => "c",
            Kind::Text => "s",
            Kind::Number => "m",
            Kind::Keyword => "k",
            Kind::Directive => "p",
        }
    }
}

const KEYWORDS: &[&str] = &[
    "auto",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "constexpr",
    "continue",
    "default",
    "delete",
    "do",
    "double",
    "else",
    "enum",
    "explicit",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "namespace",
    "new",
    "noexcept",
    "nullptr",
    "operator",
    "override",
    "private",
    "protected",
    "public",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "template",
    "this",
    "throw",
    "true",
    "try",
    "typedef",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// A line in colours.
pub fn highlight(line: &str, inside: &mut Inside) -> Markup {
    html! {
        @for (kind, text) in pieces(line, inside) {
            @if kind == Kind::Plain { (visible(text)) } @else { span class=(kind.class()) { (visible(text)) } }
        }
    }
}

/// The line in pieces; together they are the line.
fn pieces<'l>(line: &'l str, inside: &mut Inside) -> Vec<(Kind, &'l str)> {
    let mut pieces: Vec<(Kind, &str)> = Vec::new();
    let mut rest = line;
    if *inside == Inside::Code && line.trim_start().starts_with('#') {
        // The directive alone, not what it names.
        let behind_mark = &line.trim_start()[1..];
        let word = behind_mark.trim_start();
        let length = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
        let end = line.len() - word.len() + length;
        pieces.push((Kind::Directive, &line[..end]));
        rest = &line[end..];
    }
    while !rest.is_empty() {
        let (kind, length) = next(rest, inside);
        let (piece, after) = rest.split_at(length);
        match pieces.last_mut() {
            // What is alike is one piece.
            Some((Kind::Plain, last)) if kind == Kind::Plain => {
                let begin = line.len() - rest.len() - last.len();
                *last = &line[begin..begin + last.len() + length];
            }
            _ => pieces.push((kind, piece)),
        }
        rest = after;
    }
    pieces
}

/// The kind and length of the first piece of what is left of a line.
fn next(rest: &str, inside: &mut Inside) -> (Kind, usize) {
    if *inside == Inside::Comment {
        let end = rest.find("*/").map(|at| at + 2);
        *inside = if end.is_some() { Inside::Code } else { Inside::Comment };
        return (Kind::Comment, end.unwrap_or(rest.len()));
    }
    if rest.starts_with("//") {
        return (Kind::Comment, rest.len());
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        let end = comment.find("*/").map(|at| at + 4);
        *inside = if end.is_some() { Inside::Code } else { Inside::Comment };
        return (Kind::Comment, end.unwrap_or(rest.len()));
    }
    let first = rest.chars().next().unwrap_or(' ');
    if first == '"' || first == '\'' {
        return (Kind::Text, quoted(rest, first));
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if first.is_ascii_digit() {
        let length = rest.find(|c: char| !is_word(c) && c != '.').unwrap_or(rest.len());
        return (Kind::Number, length);
    }
    if is_word(first) {
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let kind = if KEYWORDS.binary_search(&&rest[..length]).is_ok() { Kind::Keyword } else { Kind::Plain };
        return (kind, length);
    }
    (Kind::Plain, first.len_utf8())
}

/// The length of a quoted text; one that is not closed goes to the end.
fn quoted(rest: &str, mark: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == mark => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str) -> Vec<(Kind, &str)> {
        pieces(line, &mut Inside::Code).into_iter().filter(|(kind, _)| *kind != Kind::Plain).collect()
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }

    #[test]
    fn pieces_have_their_kinds() {
        let line = "if (x1 == 0x1f && *s != '\\'') return \"a\\\"b\"; // so";
        assert_eq!(
            kinds(line),
            [
                (Kind::Keyword, "if"),
                (Kind::Number, "0x1f"),
                (Kind::Text, "'\\''"),
                (Kind::Keyword, "return"),
                (Kind::Text, "\"a\\\"b\""),
                (Kind::Comment, "// so"),
            ]
        );
        assert_eq!(kinds("#define MOST 6"), [(Kind::Directive, "#define"), (Kind::Number, "6")]);
        assert_eq!(kinds("  # include <a.h>"), [(Kind::Directive, "  # include")]);
    }

    #[test]
    fn comments_go_on_over_lines() {
        let mut inside = Inside::Code;
        assert_eq!(pieces("a /* b", &mut inside), [(Kind::Plain, "a "), (Kind::Comment, "/* b")]);
        assert_eq!(pieces("c", &mut inside), [(Kind::Comment, "c")]);
        assert_eq!(pieces("d */ e", &mut inside), [(Kind::Comment, "d */"), (Kind::Plain, " e")]);
    }

    #[test]
    fn pieces_together_are_the_line() {
        for line in ["#", "# ", "\"open", "'", "ü = '\\", "/*/", "a\0b#c", "#üb er 1"] {
            let mut inside = Inside::Code;
            let together: String = pieces(line, &mut inside).into_iter().map(|(_, text)| text).collect();
            assert_eq!(together, line);
        }
    }
}
