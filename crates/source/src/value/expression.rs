//! Expressions of C that name an object: `x`, `p->next->v`, `a[i].y`, `*p`, `ns::x`.

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    /// With namespaces, if given.
    Name(String),
    Number(i64),
    /// `a.b`
    Member(Box<Expression>, String),
    /// `a->b`
    Arrow(Box<Expression>, String),
    Index(Box<Expression>, Box<Expression>),
    Follow(Box<Expression>),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{text}` is not an expression that names a variable: {reason} at character {at}")]
pub struct SyntaxError {
    text: String,
    reason: &'static str,
    at: usize,
}

/// Nobody writes deeper ones, and the parser is recursive.
const DEEPEST: u32 = 100;

pub fn parse(text: &str) -> Result<Expression, SyntaxError> {
    let mut parser = Parser { text, at: 0 };
    let expression = parser.prefixed(DEEPEST)?;
    parser.spaces();
    if parser.at < text.len() { Err(parser.error("unexpected text")) } else { Ok(expression) }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn error(&self, reason: &'static str) -> SyntaxError {
        let at = self.text[..self.at].chars().count() + 1;
        SyntaxError { text: self.text.into(), reason, at }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn spaces(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, token: &str) -> bool {
        self.spaces();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn prefixed(&mut self, depth: u32) -> Result<Expression, SyntaxError> {
        if depth == 0 {
            return Err(self.error("it is nested too deeply"));
        }
        if self.take("*") {
            return Ok(Expression::Follow(Box::new(self.prefixed(depth - 1)?)));
        }
        let mut expression = if self.take("(") {
            let inner = self.prefixed(depth - 1)?;
            if !self.take(")") {
                return Err(self.error("`)` is missing"));
            }
            inner
        } else {
            self.primary()?
        };
        for _ in 0..DEEPEST {
            if self.take("->") {
                expression = Expression::Arrow(Box::new(expression), self.word()?);
            } else if self.take(".") {
                expression = Expression::Member(Box::new(expression), self.word()?);
            } else if self.take("[") {
                let index = self.prefixed(depth - 1)?;
                if !self.take("]") {
                    return Err(self.error("`]` is missing"));
                }
                expression = Expression::Index(Box::new(expression), Box::new(index));
            } else {
                return Ok(expression);
            }
        }
        Err(self.error("it is too long"))
    }

    fn primary(&mut self) -> Result<Expression, SyntaxError> {
        self.spaces();
        let digits = self.rest().strip_prefix('-').unwrap_or(self.rest());
        if digits.starts_with(|c: char| c.is_ascii_digit()) {
            let sign = self.rest().len() - digits.len();
            let length = sign + digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            let number = self.rest()[..length].parse().map_err(|_| self.error("the number is too large"))?;
            self.at += length;
            return Ok(Expression::Number(number));
        }
        let mut name = if self.take("::") { String::new() } else { self.word()? };
        if name.is_empty() {
            name = self.word()?;
        }
        while self.take("::") {
            name = format!("{name}::{}", self.word()?);
        }
        Ok(Expression::Name(name))
    }

    fn word(&mut self) -> Result<String, SyntaxError> {
        self.spaces();
        let is_part = |c: char| c == '_' || c == '$' || c.is_alphanumeric();
        let rest = self.rest();
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.error("a name was expected"));
        }
        self.at += length;
        Ok(rest[..length].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Box<Expression> {
        Box::new(Expression::Name(text.into()))
    }

    #[test]
    fn operators_bind_as_in_c() {
        assert_eq!(parse("x"), Ok(*name("x")));
        assert_eq!(parse(" a::b "), Ok(*name("a::b")));
        let arrow = Expression::Arrow(name("p"), "next".into());
        assert_eq!(parse("p->next"), Ok(arrow.clone()));
        assert_eq!(parse("*p->next"), Ok(Expression::Follow(Box::new(arrow))));
        assert_eq!(
            parse("(*p).x[i]"),
            Ok(Expression::Index(
                Box::new(Expression::Member(Box::new(Expression::Follow(name("p"))), "x".into())),
                name("i")
            ))
        );
        assert_eq!(parse("a[-1]"), Ok(Expression::Index(name("a"), Box::new(Expression::Number(-1)))));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let says = |text: &str| parse(text).unwrap_err().to_string();
        assert!(says("a[1").ends_with("`]` is missing at character 4"));
        assert!(says("a + b").ends_with("unexpected text at character 3"));
        assert!(says("").contains("a name was expected"));
        assert!(says("p->").contains("a name was expected"));
        assert!(says("1x").contains("unexpected text"));
        assert!(says(&"*".repeat(5000)).contains("too deeply"));
    }
}
