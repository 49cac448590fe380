//! A variable that begins with other contents than in the reference: where it is declared, and what it holds.
//!
//! Debug information knows the line of the declaration. A long initialiser takes more lines than that one; which of them an
//! element stands on is read from the source, if that is plain.

use comparison::{InitialValue, Side};
use findings::{Claim, Line, Location};
use program::debug::{GlobalVariable, MemberRole, TypeShape};
use source::lines::{Texts, shown_path};
use source::sources::{Sources, TypeRef};
use source::told::value_in;

use super::differences::Differences;

/// Lines of an initialiser that are read.
const MOST_LINES: u32 = 2000;

/// Where the place is declared in the failing version. `None` for what the program has no name for.
pub fn declaration(differences: &Differences<'_, '_>, initial: &InitialValue) -> Option<Location> {
    let sources = differences.pair.sources.right;
    let variable = variable(sources, initial, Side::Right)?;
    let (module, _) = initial.variable.right;
    let file = variable.file.as_ref()?;
    let path = std::path::Path::new(&file.directory).join(&file.name).display().to_string();
    let mut texts = Texts::default();
    let element = element(sources, TypeRef { module, ty: variable.ty }, initial.offset.checked_sub(variable.offset)?);
    let line = element.and_then(|element| {
        let lines = (variable.line..variable.line.saturating_add(MOST_LINES))
            .map_while(|line| texts.get(&Line { file: path.clone(), line }).map(str::to_owned));
        let text = lines.collect::<Vec<_>>().join("\n");
        line_of_element(&text, &variable.name, element)
    });
    let function = variable.owner.and_then(|(function, _)| sources.function(module, function));
    Some(Location {
        file: shown_path(&path),
        line: variable.line + line.unwrap_or(0),
        column: 0,
        function: function.map_or_else(String::new, |function| function.name.clone()),
    })
}

/// What it holds in both versions, and in how many more places it is so.
pub fn contents(differences: &Differences<'_, '_>, initial: &InitialValue, more: u64) -> Claim {
    let held = |side: Side| {
        let held = initial.held.of(side).as_ref()?;
        Some(value_in(differences.pair.sources.of(side), &held.ty, &held.words).into())
    };
    let sources = differences.pair.sources.right;
    let name = variable(sources, initial, Side::Right).map(|variable| {
        let ty = TypeRef { module: initial.variable.right.0, ty: variable.ty };
        format!("{}{}", variable.name, path(sources, ty, initial.offset.saturating_sub(variable.offset)))
    });
    let (failing, reference) = (held(Side::Right), held(Side::Left));
    Claim::BeginsOtherwise { variable: name.map(Into::into), failing, reference, more }
}

fn variable<'s>(sources: &'s Sources<'_, '_>, initial: &InitialValue, side: Side) -> Option<&'s GlobalVariable> {
    let &(module, position) = initial.variable.of(side);
    let all = sources.debug(module).globals.iter().filter(|variable| variable.position == position);
    all.filter(|variable| variable.line > 0 && variable.offset <= initial.offset).max_by_key(|variable| variable.offset)
}

/// An element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Element {
    index: usize,
    /// Of the array.
    count: usize,
}

/// The element that a byte lies in, if the variable is an array.
fn element(sources: &Sources<'_, '_>, ty: TypeRef, offset: u64) -> Option<Element> {
    let array = sources.bare(ty);
    let TypeShape::Array { element, .. } = sources.shape(array) else { return None };
    let size = sources.size(TypeRef { module: array.module, ty: *element }).filter(|size| *size > 0)?;
    Some(Element { index: (offset / size) as usize, count: (sources.size(array)? / size) as usize })
}

/// `[3].name` for a byte of a variable of this type.
fn path(sources: &Sources<'_, '_>, ty: TypeRef, offset: u64) -> String {
    let ty = sources.bare(ty);
    let part = |inner| TypeRef { module: ty.module, ty: inner };
    match sources.shape(ty) {
        TypeShape::Array { element, .. } => match sources.size(part(*element)) {
            Some(size) if size > 0 => {
                format!("[{}]{}", offset / size, path(sources, part(*element), offset % size))
            }
            _ => String::new(),
        },
        TypeShape::Record { members, .. } => {
            let has = |first: u64, bits: u64| (first..first + bits.max(1)).contains(&(8 * offset));
            let member = members
                .iter()
                .find(|member| member.role == MemberRole::Field && has(member.offset_bits, member.size_bits));
            member.map_or_else(String::new, |member| {
                let inner = path(sources, part(member.ty), offset - member.offset_bits / 8);
                if member.name.is_empty() { inner } else { format!(".{}{inner}", member.name) }
            })
        }
        _ => String::new(),
    }
}

/// On which line of a text an element of the initialiser of this variable begins, counted from the first. `None` if the
/// text has something that only a compiler understands: designators, directives, fewer or more elements than there are.
fn line_of_element(text: &str, name: &str, element: Element) -> Option<u32> {
    let mut tokens = Tokens { rest: text, line: 0 };
    tokens.by_ref().find(|token| token.text == name)?;
    // `[]`, its size, and `=`.
    let mut brackets = 0;
    let begin = tokens.by_ref().find(|token| {
        match token.text {
            "[" | "(" => brackets += 1,
            "]" | ")" => brackets -= 1,
            _ => {}
        }
        brackets == 0 && matches!(token.text, "{" | ";" | ",")
    })?;
    if begin.text != "{" {
        return None;
    }
    let (mut depth, mut begins, mut lines) = (1, true, Vec::new());
    for token in tokens {
        match token.text {
            "#" => return None,
            "[" | "." if begins && depth == 1 => return None,
            "}" | ")" | "]" if depth == 1 => break,
            "," if depth == 1 => begins = true,
            _ => {
                if begins && depth == 1 {
                    lines.push(token.line);
                    begins = false;
                }
                match token.text {
                    "{" | "(" | "[" => depth += 1,
                    "}" | ")" | "]" => depth -= 1,
                    _ => {}
                }
            }
        }
    }
    // What is left out at the end is zero.
    if lines.len() > element.count { None } else { lines.get(element.index).copied() }
}

struct Token<'t> {
    text: &'t str,
    line: u32,
}

/// Names, numbers, literals, and single characters; without blanks and comments.
struct Tokens<'t> {
    rest: &'t str,
    line: u32,
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        loop {
            let trimmed = self.rest.trim_start();
            self.skip(self.rest.len() - trimmed.len());
            if self.rest.starts_with("//") {
                self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
            } else if self.rest.starts_with("/*") {
                self.skip(self.rest.find("*/").map_or(self.rest.len(), |end| end + 2));
            } else {
                break;
            }
        }
        let first = self.rest.chars().next()?;
        let length = match first {
            '"' | '\'' => literal(self.rest, first),
            _ if is_word(first) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
            _ => first.len_utf8(),
        };
        let token = Token { text: &self.rest[..length], line: self.line };
        self.skip(length);
        Some(token)
    }
}

impl Tokens<'_> {
    fn skip(&mut self, length: usize) {
        self.line += self.rest[..length].matches('\n').count() as u32;
        self.rest = &self.rest[length..];
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The length of a literal, with its quotes.
fn literal(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (position, c) in text.char_indices().skip(1) {
        if c == quote && !is_escaped {
            return position + 1;
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, index: usize, count: usize) -> Option<u32> {
        line_of_element(text, "table", Element { index, count })
    }

    #[test]
    fn the_line_of_an_element_is_read_where_it_is_plain() {
        let text = "static const struct entry table[] = {\n    {\"a,\\\"}\", 1}, {\"b\", ','}, /* {x}, */\n    {\"c\", 3}, // ,\n};";
        assert_eq!((0..4).map(|index| line(text, index, 3)).collect::<Vec<_>>(), [Some(1), Some(1), Some(2), None]);
        assert_eq!(line("int table[N(2, 3)] = {1,\n2,\n3};", 2, 4), Some(2));
        assert_eq!(line("int other[] = {1}, table[] = {\n1, 2};", 1, 2), Some(1));
        for unclear in
            ["int table[] = {[1] = 4,\n5};", "int table[] = {\n#include \"table.h\"\n};", "int table[] = {1, 2, 3};"]
        {
            assert_eq!(line(unclear, 1, 2), None, "{unclear}");
        }
        assert_eq!(line("int tables = 3;", 0, 1), None);
        assert_eq!(line("char table[] = \"abc\";", 0, 4), None);
    }
}
