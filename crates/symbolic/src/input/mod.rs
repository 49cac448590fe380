//! The inputs of a run, and the symbols that stand for what is in them.

mod reading;

pub use reading::{Extraction, Files, Held, Manner, Opened, manner};

use replay::Step;
use smt::Term;

use crate::domain::TermDomain;

/// An input by the name the run knows it by.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Name {
    Standard,
    /// As it was opened, relative to the directory of the run.
    File(String),
    /// An argument, counted from 1.
    Argument(usize),
    Environment(String),
}

#[derive(Clone, Debug)]
pub struct Input {
    pub name: Name,
    pub content: Vec<u8>,
}

/// What a symbol stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// A byte of an input, by the input's position among them.
    Byte { input: usize, position: u64 },
    /// How many bytes an input has.
    Length { input: usize },
    /// The value of a step.
    Fresh { step: Step },
}

/// All symbols of a run.
#[derive(Debug)]
pub struct Symbols {
    inputs: Vec<Input>,
    bytes: Vec<Vec<Option<Term>>>,
    lengths: Vec<Option<Term>>,
    /// How long each was found to be at least.
    reached: Vec<u64>,
    /// What each symbol stands for, by its number.
    origins: Vec<Symbol>,
    /// Bytes of each input that may become symbols.
    most: u64,
}

impl Symbols {
    pub fn of(inputs: Vec<Input>, most: u64) -> Symbols {
        let (bytes, lengths) = (vec![Vec::new(); inputs.len()], vec![None; inputs.len()]);
        let reached = vec![0; inputs.len()];
        Symbols { inputs, bytes, lengths, reached, origins: Vec::new(), most }
    }

    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    pub fn find(&self, name: &Name) -> Option<usize> {
        self.inputs.iter().position(|input| input.name == *name)
    }

    /// What the symbol of this number stands for.
    pub fn origin(&self, number: usize) -> Option<Symbol> {
        self.origins.get(number).copied()
    }

    pub fn length_now(&self, input: usize) -> u64 {
        self.inputs[input].content.len() as u64
    }

    /// A byte of an input, also behind its end. `None`: too far in.
    pub fn byte(&mut self, domain: &TermDomain, input: usize, position: u64) -> Option<Term> {
        if position >= self.most {
            return None;
        }
        let index = position as usize;
        let known = &mut self.bytes[input];
        if known.len() <= index {
            known.resize(index + 1, None);
        }
        if let Some(term) = known[index] {
            return Some(term);
        }
        let seed = self.inputs[input].content.get(index).copied().unwrap_or(0);
        let term = self.new_symbol(domain, 8, seed.into(), Symbol::Byte { input, position });
        self.bytes[input][index] = Some(term);
        Some(term)
    }

    /// Whether it is news that an input has so many bytes.
    pub fn is_farther(&mut self, input: usize, end: u64) -> bool {
        let reached = &mut self.reached[input];
        let is_farther = end > *reached;
        *reached = (*reached).max(end);
        is_farther
    }

    pub fn length(&mut self, domain: &TermDomain, input: usize) -> Term {
        if let Some(term) = self.lengths[input] {
            return term;
        }
        let seed = self.length_now(input);
        let term = self.new_symbol(domain, 64, seed.into(), Symbol::Length { input });
        self.lengths[input] = Some(term);
        term
    }

    pub fn fresh(&mut self, domain: &TermDomain, width: u32, seed: u128, step: Step) -> Term {
        self.new_symbol(domain, width, seed, Symbol::Fresh { step })
    }

    fn new_symbol(&mut self, domain: &TermDomain, width: u32, seed: u128, origin: Symbol) -> Term {
        self.origins.push(origin);
        domain.with(|terms| terms.symbol(width, seed))
    }
}
