//! SAT solvers that are kept, each with the gates of the terms it was asked about. A search decides all variables of its
//! solver, so a question goes to a solver that knows its terms and not too much else; if there is none, to a new one.

use crate::blast::Blasted;
use crate::hash::Set;
use crate::model::Model;
use crate::sat::{Literal, Patience, Reached, Verdict};
use crate::symbols::Symbol;
use crate::term::{Term, Terms};

const MOST_CONTEXTS: usize = 6;
/// So many variables besides those a question needs, and so many times those, are still borne.
const SPARE: usize = 500;
const TIMES: usize = 3;

#[derive(Default)]
pub(super) struct Contexts {
    /// The last used first.
    contexts: Vec<Blasted>,
}

pub(super) enum Searched {
    Model(Model),
    /// Places of constraints.
    Core(Vec<usize>),
    Stopped(Reached),
}

impl Contexts {
    /// Answers by a search. Also says how many dead ends it met.
    pub fn answer(
        &mut self,
        terms: &Terms,
        constraints: &[Term],
        symbols: &[Symbol],
        patience: Patience<'_>,
    ) -> (Searched, u64) {
        self.choose(terms, constraints);
        let others: usize = self.contexts[1..].iter().map(Blasted::bytes).sum();
        let patience = Patience { bytes: patience.bytes.saturating_sub(others), ..patience };
        let context = &mut self.contexts[0];
        let before = context.sat().conflicts();
        let found = search(context, terms, constraints, symbols, patience);
        let conflicts = context.sat().conflicts() - before;
        if let Searched::Stopped(Reached::Memory) = found {
            // What is over the limit must not stay; and another question may do with less.
            self.contexts.clear();
        }
        (found, conflicts)
    }

    /// Brings a solver that suits these constraints to the front.
    fn choose(&mut self, terms: &Terms, constraints: &[Term]) {
        let cone = cone(terms, constraints);
        let suits = |context: &Blasted| {
            let needed: usize = cone.iter().filter_map(|term| context.cost(*term)).sum();
            context.variables() <= TIMES * needed + SPARE
        };
        match self.contexts.iter().position(suits) {
            Some(place) => self.contexts[..=place].rotate_right(1),
            None => {
                self.contexts.truncate(MOST_CONTEXTS - 1);
                self.contexts.insert(0, Blasted::new());
            }
        }
    }
}

/// All that constraints are made of.
fn cone(terms: &Terms, constraints: &[Term]) -> Set<Term> {
    let mut cone: Set<Term> = constraints.iter().copied().collect();
    let mut waiting = constraints.to_vec();
    while let Some(term) = waiting.pop() {
        waiting.extend(terms.operands(term).filter(|operand| cone.insert(*operand)));
    }
    cone
}

fn search(
    context: &mut Blasted,
    terms: &Terms,
    constraints: &[Term],
    symbols: &[Symbol],
    patience: Patience<'_>,
) -> Searched {
    let mut assumptions = Vec::with_capacity(constraints.len());
    for (place, &constraint) in constraints.iter().enumerate() {
        match context.bits(terms, constraint, patience) {
            Ok(&[Literal::FALSE]) => return Searched::Core(vec![place]),
            Ok(bits) => assumptions.extend_from_slice(bits),
            Err(reached) => return Searched::Stopped(reached),
        }
    }
    match context.sat().solve(&assumptions, patience) {
        Verdict::Satisfied => Searched::Model(model(context, terms, symbols)),
        Verdict::Contradicted => {
            let places = 0..constraints.len();
            Searched::Core(places.filter(|place| context.sat().is_in_core(assumptions[*place])).collect())
        }
        Verdict::Stopped(reached) => Searched::Stopped(reached),
    }
}

/// A symbol that became no bits decides nothing.
fn model(context: &mut Blasted, terms: &Terms, symbols: &[Symbol]) -> Model {
    let mut model = Vec::new();
    for &symbol in symbols {
        let bits = terms.term_of(symbol).and_then(|term| context.known(terms, term)).map(<[Literal]>::to_vec);
        let Some(bits) = bits else { continue };
        let ones = bits.iter().enumerate().filter(|(_, bit)| context.sat().value(**bit));
        model.push((symbol, ones.fold(0, |value, (at, _)| value | 1 << at)));
    }
    model.into_iter().collect()
}
