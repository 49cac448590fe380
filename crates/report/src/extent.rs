//! Which part of a source line a column means: the condition, assignment or call around it.
//!
//! The compiler tells one column for each step: the beginning of a condition or call, the operator of an assignment. The
//! rest is read off the text: up to where brackets close, or the expression ends.

use std::ops::Range;

/// The bytes of a line that belong to the expression at a column (from 1); all of its text if the column is unknown.
pub fn extent(line: &str, column: u32) -> Range<usize> {
    let text = line.as_bytes();
    let all = whole(line);
    let Some(at) = (column as usize).checked_sub(1).filter(|at| all.contains(at)) else { return all };
    if text[at].is_ascii_whitespace() || b";,{})]".contains(&text[at]) {
        return all;
    }
    if let Some(inner) = of_keyword(text, at) {
        return inner.start..inner.start + line[inner].trim_end().len();
    }
    let is_operator = b"=<>!&|+-*/%^?".contains(&text[at]);
    // A sign or a dereference has nothing to its left.
    let has_left = is_operator && text[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace()).is_some_and(is_end);
    let begin = if has_left { begin(text, at) } else { at };
    let reach = if is_operator { Reach::Statement } else { Reach::Condition };
    let end = end(text, at, reach).min(all.end).max(at + 1);
    begin..begin + line[begin..end].trim_end().len()
}

/// The condition that belongs to a keyword: what is in its brackets; of a `for`, the part in the middle.
fn of_keyword(text: &[u8], at: usize) -> Option<Range<usize>> {
    let keywords: [&[u8]; 4] = [b"while", b"for", b"if", b"switch"];
    let keyword = keywords.into_iter().find(|keyword| text[at..].starts_with(keyword))?;
    let skip_spaces = |from: usize| from + text[from..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let open = skip_spaces(at + keyword.len());
    if text.get(open) != Some(&b'(') {
        return None;
    }
    let closing = end_of(text, open + 1, |byte, _| b")]".contains(&byte));
    if keyword != b"for" {
        return Some(skip_spaces(open + 1)..closing).filter(|inner| !inner.is_empty());
    }
    let first = end_of(text, open + 1, |byte, _| byte == b';');
    let begin = skip_spaces((first + 1).min(text.len()));
    Some(begin..end_of(text, begin, |byte, _| byte == b';').min(closing)).filter(|inner| !inner.is_empty())
}

/// What ends an expression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// A semicolon, a comma, a closing bracket.
    Statement,
    /// Also `&&`, `||` and `?`: what stands behind them is another condition.
    Condition,
}

/// The line without indentation, comments and spaces at its end.
fn whole(line: &str) -> Range<usize> {
    let begin = line.len() - line.trim_start().len();
    let code = comment(line.as_bytes(), begin).unwrap_or(line.len());
    begin..begin + line[begin..code].trim_end().len()
}

/// Where a comment begins.
fn comment(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < text.len() {
        match text[at] {
            b'"' | b'\'' => at = literal_end(text, at),
            b'/' if text.get(at + 1).is_some_and(|next| b"/*".contains(next)) => return Some(at),
            _ => at += 1,
        }
    }
    None
}

fn end(text: &[u8], from: usize, reach: Reach) -> usize {
    end_of(text, from, |byte, next| match (byte, next) {
        (b')' | b']' | b';' | b',' | b'{' | b'}', _) => true,
        (b'&', b'&') | (b'|', b'|') | (b'?', _) => reach == Reach::Condition,
        _ => false,
    })
}

/// The first byte outside of brackets and literals that ends something, seen with the one behind it.
fn end_of(text: &[u8], from: usize, is_end: impl Fn(u8, u8) -> bool) -> usize {
    let mut depth = 0;
    let mut at = from;
    while at < text.len() {
        let next = text.get(at + 1).copied().unwrap_or(0);
        match text[at] {
            b'"' | b'\'' => {
                at = literal_end(text, at);
                continue;
            }
            byte if depth == 0 && is_end(byte, next) => return at,
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// Where the expression begins that an operator stands in.
fn begin(text: &[u8], from: usize) -> usize {
    let mut depth = 0;
    let mut at = from;
    while at > 0 {
        match text[at - 1] {
            b')' if depth == 0 && closes_keyword(text, at - 1) => break,
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth == 0 => break,
            b'(' | b'[' => depth -= 1,
            b';' | b',' | b'{' | b'}' if depth == 0 => break,
            _ => {}
        }
        at -= 1;
    }
    at + text[at..from].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Whether the bracket that closes here belongs to a keyword, as in `if (x) y`.
fn closes_keyword(text: &[u8], closing: usize) -> bool {
    let mut depth = 0;
    let opening = text[..closing].iter().rposition(|byte| {
        match byte {
            b')' => depth += 1,
            b'(' if depth == 0 => return true,
            b'(' => depth -= 1,
            _ => {}
        }
        false
    });
    let before = opening.map_or(&[][..], |opening| text[..opening].trim_ascii_end());
    let begin = before.iter().rposition(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').map_or(0, |at| at + 1);
    [&b"if"[..], b"for", b"while", b"switch"].contains(&&before[begin..])
}

/// The byte after a string or character that begins here.
fn literal_end(text: &[u8], from: usize) -> usize {
    let quote = text[from];
    let mut at = from + 1;
    while at < text.len() && text[at] != quote {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// Whether a byte can end an operand.
fn is_end(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_)]\"'".contains(byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line, and below it what is marked for the column of each `^`.
    #[track_caller]
    fn check(line: &str, caret: &str, marked: &str) {
        let column = caret.find('^').map_or(0, |at| at as u32 + 1);
        assert_eq!(&line[extent(line, column)], marked);
    }

    #[test]
    fn a_condition_goes_to_the_bracket_that_closes_it() {
        check("    if (year % 100 == 0) return 0;", "        ^", "year % 100 == 0");
        check("    if ((a > b) == f(x)) {", "        ^", "(a > b) == f(x)");
        check("while (scanf(\"%d)\", &x) == 1)", "       ^", "scanf(\"%d)\", &x) == 1");
        check("for (int i = 0; i < n; i++)", "                ^", "i < n");
    }

    #[test]
    fn a_keyword_means_its_condition() {
        check("    for (int i = 0; i < f(n); i++) {", "    ^", "i < f(n)");
        check("    while (scanf(\" %c\", &c) == 1) {", "    ^", "scanf(\" %c\", &c) == 1");
        check("    switch ( c ) {", "    ^", "c");
        check("    for (;;) {", "    ^", "for (;;)");
        check("    format(x);", "    ^", "format(x)");
    }

    #[test]
    fn conditions_of_one_line_are_told_apart() {
        check("if (a && b || c)", "    ^", "a");
        check("if (a && b || c)", "         ^", "b");
        check("return a > 0 ? b : c;", "       ^", "a > 0");
    }

    #[test]
    fn an_assignment_is_marked_from_its_operator() {
        check("        sum += value - last[count % 3];", "            ^", "sum += value - last[count % 3]");
        check("    int a = 1, b = 2;", "               ^", "b = 2");
        check("  for (i = 0; i < n; i++) x[i] = ' ';", "                               ^", "x[i] = ' '");
    }

    #[test]
    fn a_call_and_a_return_go_to_their_end() {
        check("  printf(\"%d;\\n\", x); // shown", "  ^", "printf(\"%d;\\n\", x)");
        check("  return x; }", "  ^", "return x");
    }

    #[test]
    fn without_a_column_all_of_the_line_is_marked() {
        check("   x = 1; // one", "", "x = 1;");
        check("   x = 1;", "           ^", "x = 1;");
        check("", "^", "");
        check("   }", "   ^", "}");
    }
}
