//! Expectations on the line they are about: `x = 1; //~ values x: 0 1`.
//!
//! A line may have several, each after its own `//~`. The first word says what is expected, the rest is up to the test
//! that knows the word.

/// What is expected of one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expectation {
    /// From 1.
    pub line: u32,
    pub word: String,
    pub rest: String,
}

pub fn expectations(source: &str) -> Vec<Expectation> {
    let mut found = Vec::new();
    for (text, line) in source.lines().zip(1..) {
        for expected in text.split("//~").skip(1) {
            let (word, rest) = expected.trim().split_once(' ').unwrap_or((expected.trim(), ""));
            found.push(Expectation { line, word: word.into(), rest: rest.trim().into() });
        }
    }
    found
}

/// Values that stand one after the other: cut at spaces outside of braces and quotes.
pub fn split_values(text: &str) -> Vec<String> {
    let mut values = vec![String::new()];
    let mut depth = 0;
    let mut quote = None;
    let mut is_escaped = false;
    for c in text.chars() {
        match (c, quote) {
            (' ', None) if depth == 0 => {
                values.push(String::new());
                continue;
            }
            ('{', None) => depth += 1,
            ('}', None) => depth -= 1,
            ('"' | '\'', None) => quote = Some(c),
            (_, Some(open)) if c == open && !is_escaped => quote = None,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
        if let Some(last) = values.last_mut() {
            last.push(c);
        }
    }
    values.retain(|value| !value.is_empty());
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_may_expect_several_things() {
        let found = expectations("int x;\nx = 1; //~ values x: 0 //~ fault\n");
        let expected = |word: &str, rest: &str| Expectation { line: 2, word: word.into(), rest: rest.into() };
        assert_eq!(found, [expected("values", "x: 0"), expected("fault", "")]);
    }

    #[test]
    fn values_are_cut_outside_of_braces_and_quotes() {
        assert_eq!(
            split_values(r#"{x = 1, y = " }"} 'a' ' ' "b c" '\'' ? "#),
            [r#"{x = 1, y = " }"}"#, "'a'", "' '", r#""b c""#, r"'\''", "?"]
        );
    }
}
