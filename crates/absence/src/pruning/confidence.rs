//! How sure it is that a step made the right value, from the correct outputs that depend on it (value profiles).
//!
//! An *alternative* of a value is one with which, the run's choices and addresses being what they were, every correct output
//! would have been the same, and every choice that led to a correct output too. Alternatives go backwards from the outputs,
//! instruction by instruction ([`super::preimage`]). A value without an alternative but itself is right: nothing that is wrong
//! came through it.
//!
//! Where a value reaches the same output on two ways, what each way alone would exclude may cancel out, so such an output
//! is no evidence for it. Alternatives may be more than there are, never fewer.

use program::Op;

use super::alternatives::Alternatives;
use super::preimage::preimage;

/// Values and how they flow; those that use others come before them.
#[derive(Default)]
pub struct Network<'m> {
    pub vertices: Vec<Vertex<'m>>,
}

/// One value.
#[derive(Default)]
pub struct Vertex<'m> {
    /// Its bits and what it was; nothing where alternatives make no sense.
    pub value: Option<(u32, u64)>,
    /// How it was made, from which values.
    pub op: Option<&'m Op>,
    pub operands: Vec<u64>,
    pub users: Vec<(usize, Through)>,
    pub pins: Vec<Pin>,
}

/// How a user takes a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Through {
    /// As it is.
    Same,
    /// As the operand at this position.
    Operand(usize),
    /// Who knows.
    Opaque,
}

/// A correct output, or a choice that led to one, allows these values only.
pub struct Pin {
    pub allowed: Alternatives,
    pub evidence: Evidence,
}

/// A set of outputs and choices. Of many, several are taken for the same one, which only makes them count less.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Evidence {
    outputs: u128,
    choices: u128,
}

impl Evidence {
    pub fn output(number: usize) -> Evidence {
        Evidence { outputs: 1 << (number % 128), choices: 0 }
    }

    pub fn choice(number: usize) -> Evidence {
        Evidence { outputs: 0, choices: 1 << (number % 128) }
    }

    fn or(self, other: Evidence) -> Evidence {
        Evidence { outputs: self.outputs | other.outputs, choices: self.choices | other.choices }
    }

    fn and(self, other: Evidence) -> Evidence {
        Evidence { outputs: self.outputs & other.outputs, choices: self.choices & other.choices }
    }

    fn is_none(self) -> bool {
        self == Evidence::default()
    }
}

/// What is known of one value.
struct Known {
    alternatives: Option<Alternatives>,
    /// What that stands on.
    evidence: Evidence,
    /// Every output and choice it flows to.
    reach: Evidence,
}

/// The alternatives of each value; `None` where nothing is known.
pub fn alternatives(network: &Network<'_>) -> Vec<Option<Alternatives>> {
    let mut known: Vec<Known> = Vec::with_capacity(network.vertices.len());
    for vertex in &network.vertices {
        let found = of_vertex(network, &known, vertex);
        known.push(found);
    }
    known.into_iter().map(|known| known.alternatives).collect()
}

fn of_vertex(network: &Network<'_>, known: &[Known], vertex: &Vertex<'_>) -> Known {
    let (mut once, mut twice) = (Evidence::default(), Evidence::default());
    let mut reaches = |reach: Evidence| {
        twice = twice.or(once.and(reach));
        once = once.or(reach);
    };
    for pin in &vertex.pins {
        reaches(pin.evidence);
    }
    for &(user, _) in &vertex.users {
        // A user that comes later in the list could be anything.
        let all = Evidence { outputs: u128::MAX, choices: u128::MAX };
        reaches(known.get(user).map_or(all, |user| user.reach));
    }
    let mut found: Option<Alternatives> = None;
    let mut evidence = Evidence::default();
    let constraints = vertex.pins.iter().map(|pin| (pin.allowed.clone(), pin.evidence));
    let by_users = vertex.users.iter().filter_map(|&(user, through)| {
        let of = known.get(user)?;
        let result = of.alternatives.as_ref()?;
        let allowed = match through {
            Through::Same => Some(result.clone()),
            Through::Operand(at) => {
                let maker = &network.vertices[user];
                preimage(maker.op?, at, &maker.operands, result)
            }
            Through::Opaque => None,
        };
        Some((allowed?, of.evidence))
    });
    for (allowed, by) in constraints.chain(by_users) {
        let Some((bits, value)) = vertex.value else { break };
        // What does not allow the value that was there is about something else.
        let is_about_it = allowed.bits == bits && allowed.contains(value) && !allowed.is_any();
        if !is_about_it || !by.and(twice).is_none() {
            continue;
        }
        found = Some(found.map_or_else(|| allowed.clone(), |found| found.and(&allowed)));
        evidence = evidence.or(by);
    }
    Known { alternatives: found, evidence, reach: once }
}

/// Between 0 (nothing speaks for the value) and 1 (it is right): `1 - log |alternatives| / log |range|`. The range is that of
/// the values seen at the same place, if there are several, else that of the type.
pub fn confidence(alternatives: Option<&Alternatives>, seen: &[u64]) -> f64 {
    /// Values that merely were not seen could have been there.
    const NOT_PROVEN: f64 = 0.99;
    let Some(alternatives) = alternatives else { return 0.0 };
    if alternatives.single().is_some() {
        return 1.0;
    }
    let (count, range) = match seen.len() {
        0 | 1 => (alternatives.count() as f64, (alternatives.bits as f64).exp2()),
        all => (seen.iter().filter(|value| alternatives.contains(**value)).count().max(1) as f64, all as f64),
    };
    (1.0 - count.ln() / range.ln()).clamp(0.0, NOT_PROVEN)
}

#[cfg(test)]
mod tests;
