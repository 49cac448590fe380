//! The facts a program states, as text on its lines.

use anyhow::{Result, bail};
use testkit::expectations;

/// One fact, without its `//~`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// From 1.
    pub line: u32,
    pub stated: String,
}

/// What kind of fact a text states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Criterion,
    Controls,
    Slice,
    Origin,
}

impl Fact {
    /// The kind, and what follows its colon.
    pub fn parts(&self) -> Result<(Kind, &str)> {
        if matches!(self.stated.as_str(), "in slice" | "not in slice") {
            return Ok((Kind::Slice, ""));
        }
        let (word, rest) = self.stated.split_once(": ").unwrap_or((&self.stated, ""));
        let kind = match word {
            "criterion" => Kind::Criterion,
            "controls" => Kind::Controls,
            "origin" => Kind::Origin,
            _ => bail!("line {}: `{}` is no fact", self.line, self.stated),
        };
        Ok((kind, rest))
    }
}

pub fn facts(text: &str) -> Result<Vec<Fact>> {
    let mut facts = Vec::new();
    for one in expectations(text) {
        let stated = format!("{} {}", one.word, one.rest);
        let fact = Fact { line: one.line, stated: stated.trim().into() };
        fact.parts()?;
        facts.push(fact);
    }
    Ok(facts)
}

/// The lines `controls` and `origin` speak of.
pub fn lines_text(word: &str, lines: impl IntoIterator<Item = u32>) -> String {
    let numbers: Vec<String> = lines.into_iter().map(|line| line.to_string()).collect();
    if numbers.is_empty() { format!("{word}: nothing") } else { format!("{word}: {}", numbers.join(" ")) }
}

/// The program with these facts in place of those it states.
pub fn blessed(text: &str, facts: &[Fact]) -> String {
    let mut out = String::new();
    for (line, number) in text.lines().zip(1..) {
        match line.split_once("//~") {
            None => out.push_str(line),
            Some((code, _)) => {
                let here = facts.iter().filter(|fact| fact.line == number);
                let stated: Vec<String> = here.map(|fact| format!("//~ {}", fact.stated)).collect();
                out.push_str(code);
                out.push_str(&stated.join(" "));
            }
        }
        out.push('\n');
    }
    out
}
