//! What would have been right of a failing run, as a term over the symbols of its shadow: the property P.
//!
//! In three steps. [`Property::of`] finds, in the run, what the failure is about: bytes of the output, a choice, an address, a
//! divisor, a status. [`Property::watch`] tells a shadow to keep what is needed; it may begin anywhere before the failure, with
//! any symbols. [`Property::stated`], after the replay, says P in terms of these symbols, and how many conditions of the path
//! come before it. P is false of the run itself; together with these conditions a solver ([`crate::Turner::satisfy`]) finds
//! values under which it is true.
//!
//! P is what the failure shows to be needed: a program that goes on may fail later for another reason, so whoever found values
//! runs it.

mod guard;
mod objects;

use std::collections::HashMap;

use execution::Run;
use execution::criterion::Criterion;
use failure::output::{Outputs, Target};
use failure::{Failure, FailureError, Question};
use program::{BinaryOp, ConstantOp, Op, Operand};
use replay::Step;
use semantics::Scalar;
use smt::Term;

use crate::shadow::{Shadow, Shadowed, Wrote};
use guard::Guard;
use objects::Objects;

/// What the run wrote and should have done.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Standard output, as it was.
    pub found: &'a [u8],
    /// And as it should have been, if that is known.
    pub output: Option<&'a [u8]>,
    /// The status that a run which fails by its status should have ended with.
    pub status: i32,
}

/// What a failure is about.
pub struct Property {
    /// Bytes of the output that must be as expected, up to and including the first wrong one, or all that are there.
    bytes: Vec<Byte>,
    besides: Option<Besides>,
}

struct Byte {
    /// The call that wrote it, and which byte of what it was given; none if that is not one of them.
    at: Step,
    given: Option<u64>,
    expected: u8,
    is_wrong: bool,
}

/// What besides output must be otherwise.
enum Besides {
    /// One of these ways must be taken.
    Choice(Guard),
    /// The addresses that the last instruction works on lie in objects.
    Addresses { end: Step, operands: Vec<Address>, objects: Objects },
    /// The last instruction's division does not trap.
    Division { end: Step, op: BinaryOp, of: Scalar, constants: [Option<u128>; 2] },
    /// The status that `main` returns at this step, or else the argument of the call that the run ended in.
    Status { returned: Option<Step>, end: Option<Step>, wanted: i32 },
}

/// An operand that is an address, by its place among operands, and the bytes that are accessed there.
#[derive(Clone, Copy)]
struct Address {
    operand: usize,
    bytes: u64,
}

/// P.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stated {
    /// One bit.
    pub holds: Term,
    /// How many conditions of the path come before what it is about.
    pub before: usize,
    /// Bytes of output of which it says nothing, since which value became them is not known: digits that a library made.
    pub unsaid: usize,
}

/// Why there is no P for these symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unstated {
    /// Only another path can be right.
    #[error("what is wrong does not depend on the symbols other than by the path")]
    Concrete,
    #[error("which value became the wrong output is not known")]
    Unknown,
    #[error("what would have been right is not known for a failure of this kind")]
    NoProperty,
}

/// Of more objects than this, the first are taken for where an unknown pointer may point to.
const MOST_OBJECTS: usize = 256;

impl Property {
    pub fn of(run: &Run<'_>, question: &Question, expected: Expected<'_>) -> Result<Property, FailureError> {
        let mut property = Property { bytes: Vec::new(), besides: None };
        let criterion = question.criterion.step(run);
        match &question.failure {
            Failure::WrongByte { byte, found, .. } => {
                let output = expected.output.unwrap_or_default();
                let last = if found.is_some() { Last::Wrong(*byte) } else { Last::Choice(criterion) };
                property.bytes = bytes(run, output, expected.found, last)?;
                if let (None, Criterion::Step { at, .. }) = (found, &question.criterion) {
                    property.besides = Some(Besides::Choice(guard::others(run, *at)));
                }
            }
            Failure::Crash { .. } | Failure::CrashOutside { .. } => property.besides = crash(run)?,
            Failure::Assertion { .. } | Failure::Waits { .. } => {
                property.besides = guard::of_end(run)?.map(Besides::Choice)
            }
            Failure::Hang => property.besides = criterion.map(|at| Besides::Choice(guard::others(run, at))),
            Failure::Status { .. } => {
                let is_call = matches!(question.criterion, Criterion::End { .. });
                let returned = criterion.filter(|_| !is_call);
                let end = run.end().filter(|_| is_call);
                property.besides = Some(Besides::Status { returned, end, wanted: expected.status });
            }
        }
        Ok(property)
    }

    /// To be called before the replay.
    pub fn watch(&self, shadow: &mut Shadow<'_>) {
        match &self.besides {
            Some(Besides::Choice(Guard { at, .. })) => shadow.ask(*at),
            Some(Besides::Addresses { end, .. } | Besides::Division { end, .. }) => shadow.ask_end(*end),
            Some(Besides::Status { returned, end, .. }) => {
                returned.iter().for_each(|at| shadow.ask(*at));
                end.iter().for_each(|end| shadow.ask_end(*end));
            }
            None => {}
        }
    }

    /// The place that it is about: the symbols must have come before.
    pub fn at(&self) -> Option<Step> {
        match &self.besides {
            Some(Besides::Choice(Guard { at, .. })) => Some(*at),
            Some(Besides::Addresses { end, .. } | Besides::Division { end, .. }) => Some(*end),
            Some(Besides::Status { returned, end, .. }) => returned.or(*end),
            None => self.bytes.iter().find(|byte| byte.is_wrong).map(|byte| byte.at),
        }
    }

    pub fn stated(&self, shadowed: &Shadowed) -> Result<Stated, Unstated> {
        let mut stated = self.of_bytes(shadowed)?;
        let (holds, before) = match &self.besides {
            None => return stated.ok_or(Unstated::NoProperty),
            Some(Besides::Choice(guard)) => of_choice(shadowed, guard)?,
            Some(Besides::Addresses { operands, objects, .. }) => of_addresses(shadowed, operands, objects)?,
            Some(Besides::Division { op, of, constants, .. }) => of_division(shadowed, *op, *of, *constants)?,
            Some(Besides::Status { returned, wanted, .. }) => of_status(shadowed, *returned, *wanted)?,
        };
        let both = match stated {
            Some(bytes) => shadowed.domain.with(|terms| terms.and(bytes.holds, holds)),
            None => holds,
        };
        let unsaid = stated.take().map_or(0, |bytes| bytes.unsaid);
        Ok(Stated { holds: both, before, unsaid })
    }

    /// None if there are no bytes to speak of.
    fn of_bytes(&self, shadowed: &Shadowed) -> Result<Option<Stated>, Unstated> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let mut holds = shadowed.domain.constant(1, 1);
        let (mut before, mut unsaid): (usize, usize) = (shadowed.path.conditions.len(), 0);
        let wrote: HashMap<Step, &Wrote> = shadowed.wrote.iter().map(|wrote| (wrote.at, wrote)).collect();
        for byte in &self.bytes {
            let written = wrote.get(&byte.at);
            let term = byte.given.and_then(|given| {
                let bytes = &written?.bytes;
                bytes.iter().find(|(position, _)| *position == given).map(|(_, term)| *term)
            });
            match term {
                Some(term) => {
                    holds = shadowed.domain.with(|terms| {
                        let expected = terms.constant(8, byte.expected.into());
                        let equal = terms.equal(term, expected);
                        terms.and(holds, equal)
                    });
                    if let (true, Some(written)) = (byte.is_wrong, written) {
                        before = written.before;
                    }
                }
                None if byte.is_wrong && byte.given.is_none() => return Err(Unstated::Unknown),
                None if byte.is_wrong => return Err(Unstated::Concrete),
                None => unsaid += usize::from(byte.given.is_none()),
            }
        }
        Ok(Some(Stated { holds, before, unsaid }))
    }
}

/// How far the output counts.
#[derive(Clone, Copy)]
enum Last {
    /// To this byte, which is wrong.
    Wrong(u64),
    /// To where this choice was made, after which more should have come.
    Choice(Option<Step>),
}

fn bytes(run: &Run<'_>, expected: &[u8], found: &[u8], last: Last) -> Result<Vec<Byte>, FailureError> {
    let outputs = Outputs::of(run)?;
    let known = outputs.length(Target::Output);
    if outputs.unmeasured > 0 || outputs.is_assumed && known != found.len() as u64 {
        let byte = if let Last::Wrong(byte) = last { byte } else { found.len() as u64 };
        return Err(FailureError::NoWriter { byte, known });
    }
    let (end, choice) = match last {
        Last::Wrong(byte) => (byte + 1, None),
        Last::Choice(choice) => (found.len() as u64, choice),
    };
    let mut bytes = Vec::new();
    for call in outputs.calls().iter().filter(|call| call.target == Target::Output) {
        if choice.is_some_and(|choice| call.at.clock > choice.clock) {
            break;
        }
        for byte in (call.first..call.first + call.length).take_while(|byte| *byte < end) {
            if let Some(&expected) = expected.get(byte as usize) {
                let is_wrong = matches!(last, Last::Wrong(wrong) if wrong == byte);
                bytes.push(Byte { at: call.at, given: call.given(byte), expected, is_wrong });
            }
        }
    }
    match last {
        // Nobody wrote it, or nothing should have been written there.
        Last::Wrong(byte) if !bytes.last().is_some_and(|last: &Byte| last.is_wrong) => {
            Err(FailureError::NoWriter { byte, known })
        }
        Last::Wrong(_) | Last::Choice(_) => Ok(bytes),
    }
}

fn crash(run: &Run<'_>) -> Result<Option<Besides>, FailureError> {
    let Some(end) = run.end() else { return Ok(None) };
    let instruction = run.functions.instruction(end.site);
    let address = |operand, bytes| Address { operand, bytes };
    let operands = match &instruction.op {
        Op::Load { .. } => vec![address(0, instruction.ty.store_size())],
        Op::Store { value_type, .. }
        | Op::ReadModifyWrite { value_type, .. }
        | Op::CompareExchange { value_type, .. } => {
            vec![address(0, value_type.store_size())]
        }
        Op::Call(call) | Op::Invoke { call, .. } => {
            let types = call.argument_types.iter().enumerate();
            types.filter(|(_, ty)| **ty == program::Type::Pointer).map(|(at, _)| address(at, 1)).collect()
        }
        Op::Binary { op: op @ (BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem), lhs, rhs } => {
            let of = Scalar::of(&instruction.ty);
            let constants = [lhs, rhs].map(constant);
            return Ok(of.map(|of| Besides::Division { end, op: *op, of, constants }));
        }
        _ => Vec::new(),
    };
    if operands.is_empty() {
        return Ok(guard::of_end(run)?.map(Besides::Choice));
    }
    let objects = Objects::at_end(run)?;
    Ok(Some(Besides::Addresses { end, operands, objects }))
}

fn constant(operand: &Operand) -> Option<u128> {
    let Operand::Constant(constant) = operand else { return None };
    match constant.op {
        ConstantOp::Zero => Some(0),
        ConstantOp::Scalar(value) => Some(value.into()),
        _ => None,
    }
}

fn of_choice(shadowed: &Shadowed, guard: &Guard) -> Result<(Term, usize), Unstated> {
    let chosen = shadowed.chosen.get(&guard.at).ok_or(Unstated::Concrete)?;
    let right = chosen.others.iter().filter(|other| guard.ways.contains(&other.way)).map(|other| other.holds);
    Ok((any(shadowed, right), chosen.before))
}

fn any(shadowed: &Shadowed, terms: impl Iterator<Item = Term>) -> Term {
    terms.fold(shadowed.domain.constant(1, 0), |all, one| shadowed.domain.with(|terms| terms.or(all, one)))
}

fn of_addresses(shadowed: &Shadowed, operands: &[Address], objects: &Objects) -> Result<(Term, usize), Unstated> {
    let end = shadowed.at_end.as_ref().ok_or(Unstated::Concrete)?;
    let mut all: Option<Term> = None;
    for address in operands {
        let Some(Some(term)) = end.operands.get(address.operand).copied() else { continue };
        let base = end.bases.get(address.operand).copied().flatten();
        let within = |(first, length): (u64, u64)| {
            let room = length.checked_sub(address.bytes)?;
            Some(shadowed.domain.with(|terms| {
                let first = terms.constant(64, first.into());
                let offset = terms.subtract(term, first);
                let end = terms.constant(64, u128::from(room) + 1);
                terms.less_unsigned(offset, end)
            }))
        };
        let own = base.and_then(|base| objects.find(base)).and_then(within);
        let holds = own.unwrap_or_else(|| any(shadowed, objects.iter().filter_map(within).take(MOST_OBJECTS)));
        all = Some(match all {
            Some(others) => shadowed.domain.with(|terms| terms.and(others, holds)),
            None => holds,
        });
    }
    Ok((all.ok_or(Unstated::Concrete)?, shadowed.path.conditions.len()))
}

fn of_division(
    shadowed: &Shadowed,
    op: BinaryOp,
    of: Scalar,
    constants: [Option<u128>; 2],
) -> Result<(Term, usize), Unstated> {
    let end = shadowed.at_end.as_ref().ok_or(Unstated::Concrete)?;
    let [number, divisor] = [0, 1].map(|at| end.operands.get(at).copied().flatten());
    let constant = |value: Option<u128>| value.map(|value| shadowed.domain.constant(of.width(), value));
    let (number, divisor) =
        match (number.or_else(|| constant(constants[0])), divisor.or_else(|| constant(constants[1]))) {
            (Some(number), Some(divisor)) => (number, divisor),
            // What is divided is not known: the least number is that which the fewest numbers divide.
            (None, Some(divisor)) => (shadowed.domain.constant(of.width(), 1 << (of.width() - 1)), divisor),
            (_, None) => return Err(Unstated::Concrete),
        };
    let traps = semantics::binary(&shadowed.domain, op, of, &number, &divisor).traps;
    Ok((shadowed.domain.with(|terms| terms.not(traps)), shadowed.path.conditions.len()))
}

fn of_status(shadowed: &Shadowed, returned: Option<Step>, wanted: i32) -> Result<(Term, usize), Unstated> {
    let (term, before) = match returned {
        Some(at) => shadowed.chosen.get(&at).map(|chosen| (chosen.term, chosen.before)),
        None => {
            let end = shadowed.at_end.as_ref().and_then(|end| *end.operands.first()?);
            end.map(|term| (term, shadowed.path.conditions.len()))
        }
    }
    .ok_or(Unstated::Concrete)?;
    // The kernel keeps eight bits.
    let low = shadowed.domain.part(term, 0, 8);
    let holds = shadowed.domain.with(|terms| {
        let wanted = terms.constant(8, (wanted as u8).into());
        terms.equal(low, wanted)
    });
    Ok((holds, before))
}
