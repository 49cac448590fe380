//! Turning a path at one of its conditions: all conditions before it hold, and another one in its place. The answer is another
//! input, or the reason why there is none.

mod renumbered;
#[cfg(test)]
mod tests;

use replay::Step;
use smt::{Core, Limits, Query, SoftAnswer, Solver, Statistics, Term, Why};

use crate::input::{Input, Name, Symbol};
use crate::path::{Condition, Kind, Other};
use crate::predicted::Predicted;
use crate::shadow::Shadowed;

/// One of the other ways at a condition of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Turn {
    /// Position among the path's conditions.
    pub condition: usize,
    /// Position among its other ways.
    pub other: usize,
}

/// What became of a turn.
#[derive(Clone, Debug)]
pub enum Turned {
    To(Found),
    /// No input does that: conditions that contradict each other, by their positions.
    Never(Vec<usize>),
    /// It was not found out.
    Unknown(Why),
}

/// Another input.
#[derive(Clone, Debug)]
pub struct Found {
    pub inputs: Vec<Input>,
    /// What the steps give that were given symbols, where it is something else than in the run or was asked for.
    pub fresh: Vec<(Step, u128)>,
    /// The same with a byte more in place of a byte changed: what stood there ended something that goes on now, and ends it
    /// again one byte later.
    pub longer: Option<Vec<Input>>,
    /// How many addresses and sizes are no longer bound to their values, so that the run may go elsewhere.
    pub given_up: usize,
}

/// Asks for turns of one path. Questions about one path share a solver, which remembers.
pub struct Turner<'s> {
    shadowed: &'s Shadowed,
    solver: Solver,
    /// For guesses, whose questions do not begin as the others do.
    guesses: Solver,
    limits: Limits,
    /// What inputs must be, no longer than can be made; then what held on the path.
    known: Vec<Term>,
    /// How many of these are of the inputs.
    possible: usize,
    /// What inputs had better be, as long as they are, or not much longer; then what was bound to its value on the path.
    soft: Vec<Term>,
    better: usize,
    /// How many of both the path has before each condition.
    before: Vec<(usize, usize)>,
    /// Of what held on the path: its position among all conditions.
    positions: Vec<usize>,
    /// How long an input was found to be at least, in the order of the path: before which condition, and which input.
    reached: Vec<(usize, usize, Term)>,
}

/// Bytes that an input may become longer by.
const MOST_GROWTH: u64 = 1 << 16;

impl<'s> Turner<'s> {
    pub fn new(shadowed: &'s Shadowed, limits: Limits) -> Turner<'s> {
        let (mut possible, mut better) = (Vec::new(), Vec::new());
        for number in 0.. {
            let Some(origin) = shadowed.symbols.origin(number) else { break };
            let Some(symbol) = shadowed.domain.with(|terms| terms.term_of(smt::Symbol(number as u32))) else { break };
            match origin {
                Symbol::Length { input } => {
                    let now = shadowed.symbols.length_now(input);
                    let at_most = |length: u64| {
                        shadowed.domain.with(|terms| {
                            let end = terms.constant(64, u128::from(length) + 1);
                            terms.less_unsigned(symbol, end)
                        })
                    };
                    possible.push(at_most(now + MOST_GROWTH));
                    // The narrowest first: what contradicts is then told by it alone, and only it is given up.
                    better.push(shadowed.domain.with(|terms| {
                        let now = terms.constant(64, now.into());
                        terms.equal(symbol, now)
                    }));
                    better.extend([0, 1, 4, 16, 256].map(|more| at_most(now + more)));
                }
                Symbol::Byte { .. } | Symbol::Fresh { .. } => {}
            }
        }
        let (first, first_soft) = (possible.len(), better.len());
        let (mut known, mut soft, mut positions, mut reached) = (possible, better, Vec::new(), Vec::new());
        let mut before = Vec::with_capacity(shadowed.path.conditions.len());
        for (position, condition) in shadowed.path.conditions.iter().enumerate() {
            before.push((known.len() - first, soft.len() - first_soft));
            match condition.kind {
                Kind::Pin => soft.push(condition.holds),
                // The last one before a turn is enough.
                Kind::Reached => {
                    reached.extend(input_of(shadowed, condition.holds).map(|input| (position, input, condition.holds)))
                }
                _ => {
                    known.push(condition.holds);
                    positions.push(position);
                }
            }
        }
        let (solver, guesses) = (Solver::new(), Solver::new());
        Turner {
            shadowed,
            solver,
            guesses,
            limits,
            known,
            possible: first,
            soft,
            better: first_soft,
            before,
            positions,
            reached,
        }
    }

    /// What each question may cost from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }

    /// All turns at conditions from this one on.
    pub fn turns(&self, from: usize) -> impl Iterator<Item = Turn> + use<'s> {
        let conditions = self.shadowed.path.conditions.iter().enumerate().skip(from);
        conditions.flat_map(|(condition, at)| (0..at.others.len()).map(move |other| Turn { condition, other }))
    }

    pub fn at(&self, turn: Turn) -> Option<(&'s Condition, Other)> {
        let condition = self.shadowed.path.conditions.get(turn.condition)?;
        Some((condition, *condition.others.get(turn.other)?))
    }

    pub fn turn(&mut self, turn: Turn, stop: &dyn Fn() -> bool) -> Turned {
        match self.at(turn) {
            Some((_, other)) => self.satisfy(turn.condition, &[other.holds], stop),
            None => Turned::Never(Vec::new()),
        }
    }

    /// The way that a run on an input for this turn should go.
    pub fn predicted(&self, turn: Turn) -> Option<Predicted> {
        let (condition, other) = self.at(turn)?;
        Predicted::of(&self.shadowed.path.conditions[..turn.condition], condition, other.way)
    }

    /// All conditions hold as they did, but the symbol of this number has another value.
    pub fn vary(&mut self, number: usize, stop: &dyn Fn() -> bool) -> Turned {
        let term = self.shadowed.domain.with(|terms| terms.term_of(smt::Symbol(number as u32)));
        let Some(term) = term else { return Turned::Never(Vec::new()) };
        let differs = self.shadowed.domain.with(|terms| {
            let seed = terms.constant(terms.width(term), terms.value(term));
            let equal = terms.equal(term, seed);
            terms.not(equal)
        });
        self.satisfy(usize::MAX, &[differs], stop)
    }

    /// Asks for values under which so many of the path's first conditions hold, and all that is wanted.
    pub fn satisfy(&mut self, conditions: usize, wanted: &[Term], stop: &dyn Fn() -> bool) -> Turned {
        // All conditions are there; the first of them are the beginning.
        let begin = self.possible;
        let all = (self.known.len() - begin, self.soft.len() - self.better);
        let (hard, pins) = self.before.get(conditions).copied().unwrap_or(all);
        let known = &self.known[..begin + hard];
        let soft = &self.soft[..self.better + pins];
        let wanted: Vec<Term> = wanted.iter().copied().chain(self.reached_before(conditions)).collect();
        let query = Query { known, wanted: &wanted };
        let answer = self.shadowed.domain.with(|terms| self.solver.ask_soft(terms, query, soft, &self.limits, stop));
        match answer {
            SoftAnswer::Yes { model, dropped } => {
                let given_up = dropped.iter().filter(|at| **at >= self.better).count();
                let inputs = self.inputs(&model);
                let longer = match dropped.is_empty() {
                    true => self.longer(&model, known, &wanted),
                    false => None,
                };
                Turned::To(Found { inputs, fresh: self.fresh(&model), longer, given_up })
            }
            SoftAnswer::No(Core { known, .. }) => Turned::Never(
                known.into_iter().filter_map(|at| self.positions.get(at.checked_sub(begin)?).copied()).collect(),
            ),
            SoftAnswer::Unknown(why) => Turned::Unknown(why),
        }
    }

    fn fresh(&self, model: &smt::Model) -> Vec<(Step, u128)> {
        let step = |(symbol, value): (smt::Symbol, u128)| match self.shadowed.symbols.origin(symbol.0 as usize)? {
            Symbol::Fresh { step } => Some((step, value)),
            Symbol::Byte { .. } | Symbol::Length { .. } => None,
        };
        model.iter().filter_map(step).collect()
    }

    /// Of each input, how long it is at least.
    fn reached_before(&self, condition: usize) -> impl Iterator<Item = Term> {
        let end = self.reached.partition_point(|(position, ..)| *position < condition);
        let mut last = std::collections::BTreeMap::new();
        for (_, input, term) in &self.reached[..end] {
            last.insert(*input, *term);
        }
        last.into_values()
    }

    /// A byte that is no part of a word ended something; where only this byte is changed, another one may be put before it.
    /// `None`: that is not so, or some condition would not hold then.
    fn longer(&self, model: &smt::Model, known: &[Term], wanted: &[Term]) -> Option<Vec<Input>> {
        let symbols = &self.shadowed.symbols;
        let (symbol, value) = model.iter().next().filter(|_| model.iter().count() == 1)?;
        let Symbol::Byte { input, position } = symbols.origin(symbol.0 as usize)? else { return None };
        let old = &symbols.inputs()[input].content;
        let at = position as usize;
        let ended = *old.get(at)?;
        if ended.is_ascii_alphanumeric() || ended == value as u8 {
            return None;
        }
        let mut content = old.clone();
        content.insert(at, value as u8);
        // All bytes behind it have other values, and the length, too.
        let mut moved = smt::Model::new();
        for number in 0.. {
            match symbols.origin(number) {
                Some(Symbol::Byte { input: of, position }) if of == input => {
                    let byte = content.get(position as usize).copied().unwrap_or(0);
                    moved.set(smt::Symbol(number as u32), byte.into());
                }
                Some(Symbol::Length { input: of }) if of == input => {
                    moved.set(smt::Symbol(number as u32), content.len() as u128);
                }
                Some(_) => {}
                None => break,
            }
        }
        let holds = self.shadowed.domain.with(|terms| {
            let mut evaluation = smt::Evaluation::new(&moved);
            wanted.iter().chain(known).all(|constraint| evaluation.holds(terms, *constraint))
        });
        holds.then(|| {
            let mut inputs = symbols.inputs().to_vec();
            inputs[input].content = content;
            inputs
        })
    }

    /// An input for a turn that no input makes on this path, as if conditions that contradict it had been otherwise. Where
    /// the paths of both meet again it may be made there. Also tells the first condition that was given up.
    pub fn guess(&mut self, turn: Turn, core: &[usize], stop: &dyn Fn() -> bool) -> Option<(Found, usize)> {
        /// Contradictions that are met in turn.
        const MOST: usize = 4;
        /// Longer paths are not copied so often.
        const LONGEST: usize = 1 << 14;
        let (_, other) = self.at(turn)?;
        let conditions = &self.shadowed.path.conditions[..turn.condition];
        if conditions.len() > LONGEST {
            return None;
        }
        let mut without: std::collections::BTreeSet<usize> = core.iter().copied().collect();
        for _ in 0..MOST {
            let first = *without.first()?;
            let kept: Vec<usize> = (0..conditions.len())
                .filter(|at| !without.contains(at) && !matches!(conditions[*at].kind, Kind::Pin | Kind::Reached))
                .collect();
            let known: Vec<Term> = self.known[..self.possible]
                .iter()
                .copied()
                .chain(kept.iter().map(|at| conditions[*at].holds))
                .collect();
            let wanted = [other.holds];
            let query = Query { known: &known, wanted: &wanted };
            let soft = &self.soft[..self.better];
            let limits = self.limits;
            let answer = self.shadowed.domain.with(|terms| self.guesses.ask_soft(terms, query, soft, &limits, stop));
            match answer {
                SoftAnswer::Yes { model, .. } => {
                    let found = Found {
                        inputs: self.inputs(&model),
                        fresh: self.fresh(&model),
                        longer: None,
                        given_up: without.len(),
                    };
                    return Some((found, first));
                }
                SoftAnswer::No(Core { known, .. }) => {
                    let before = without.len();
                    without.extend(known.iter().filter_map(|at| kept.get(at.checked_sub(self.possible)?)));
                    if without.len() == before {
                        return None;
                    }
                }
                SoftAnswer::Unknown(_) => return None,
            }
        }
        None
    }

    /// The inputs of the run, with the values of a model.
    fn inputs(&self, model: &smt::Model) -> Vec<Input> {
        let symbols = &self.shadowed.symbols;
        let mut inputs = symbols.inputs().to_vec();
        let values = || model.iter().filter_map(|(symbol, value)| Some((symbols.origin(symbol.0 as usize)?, value)));
        for (origin, value) in values() {
            if let Symbol::Length { input } = origin {
                let content = &mut inputs[input].content;
                // What nobody has read yet is more of the same.
                let more = content.last().copied().unwrap_or(b'0');
                content.resize(value as usize, more);
            }
        }
        for (origin, value) in values() {
            if let Symbol::Byte { input, position } = origin {
                let Input { name, content } = &mut inputs[input];
                if is_text(name) && content.len() == position as usize {
                    content.push(0);
                }
                if let Some(byte) = content.get_mut(position as usize) {
                    *byte = value as u8;
                }
            }
        }
        for Input { name, content } in &mut inputs {
            if is_text(name)
                && let Some(end) = content.iter().position(|byte| *byte == 0)
            {
                content.truncate(end);
            }
        }
        inputs
    }
}

/// The input whose length a condition is about.
fn input_of(shadowed: &Shadowed, holds: Term) -> Option<usize> {
    let symbol = shadowed.domain.with(|terms| terms.symbols_of(holds).first().copied())?;
    match shadowed.symbols.origin(symbol.0 as usize)? {
        Symbol::Length { input } => Some(input),
        Symbol::Byte { .. } | Symbol::Fresh { .. } => None,
    }
}

/// Whether the first zero is its end.
fn is_text(name: &Name) -> bool {
    match name {
        Name::Argument(_) | Name::Environment(_) => true,
        Name::Standard | Name::File(_) => false,
    }
}
