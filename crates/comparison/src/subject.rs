//! The difference that matters in the end: how the runs ended, or what they wrote.

use program::Op;
use recording::{Ending, Standard};
use replay::{ReplayError, Step};

use super::order::{Name, Order};
use super::pair::Pair;
use super::side::{Side, Sides};
use super::window::visit_window;
use execution::Run;
use execution::criterion::Criterion;
use execution::dependence::Wish;
use failure::{self, Failure, FailureError, Question};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// One run failed by itself, the other did not, or otherwise.
    Failure {
        side: Side,
        failure: Failure,
    },
    /// The first byte of standard output that is not the same, counted from 0.
    Output {
        byte: u64,
        bytes: Sides<Option<u8>>,
    },
    Status(Sides<i32>),
}

/// What is to be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Subject {
    pub difference: Difference,
    /// What to ask each run.
    pub criteria: Sides<Option<Criterion>>,
    /// Why a run could not be asked.
    pub limits: Vec<String>,
}

/// The first byte that two runs did not write alike, with both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FirstByte {
    pub byte: u64,
    pub bytes: Sides<Option<u8>>,
    /// Line and column, both counted from 1.
    pub line: u64,
    pub column: u64,
}

/// Where two texts begin to differ.
pub fn first_byte(left: &[u8], right: &[u8]) -> Option<FirstByte> {
    let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    let bytes = Sides { left: left.get(common).copied(), right: right.get(common).copied() };
    if bytes == Sides::default() {
        return None;
    }
    let line = left[..common].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
    let column = left[..common].iter().rev().take_while(|byte| **byte != b'\n').count() as u64 + 1;
    Some(FirstByte { byte: common as u64, bytes, line, column })
}

/// What both runs wrote to a standard stream, if the recordings have it.
pub fn written(pair: &Pair<'_, '_>, stream: Standard) -> Result<Option<Sides<Vec<u8>>>, ReplayError> {
    let of = |run: &Run<'_>| run.image().recording.standard(stream);
    let (left, right) = (of(pair.runs.left)?, of(pair.runs.right)?);
    Ok(left.zip(right).map(|(left, right)| Sides { left, right }))
}

/// A crash comes first, then output, then the exit status.
pub fn subject(pair: &Pair<'_, '_>, order: &Order) -> Result<Option<Subject>, ReplayError> {
    let by_itself = |run: &Run<'_>| match failure::by_itself(run) {
        Ok(question) => Ok(Some(question)),
        Err(FailureError::Replay(error)) => Err(error),
        Err(_) => Ok(None),
    };
    let failures = Sides { left: by_itself(pair.runs.left)?, right: by_itself(pair.runs.right)? };
    for side in [Side::Left, Side::Right] {
        if let Some(question) = failures.of(side).as_ref().filter(|question| is_grave(&question.failure))
            && failures.of(side.other()).as_ref().map(|other| &other.failure) != Some(&question.failure)
        {
            return Ok(Some(of_failure(pair, order, side, question)?));
        }
    }
    if let Some(both) = written(pair, Standard::Output)?
        && let Some(first) = first_byte(&both.left, &both.right)
    {
        return Ok(Some(of_output(pair, &both, first)?));
    }
    let status = |run: &Run<'_>| match run.image().recording.end().map(|end| &end.ending) {
        Some(Ending::Exited { status }) => Some(*status),
        _ => None,
    };
    match (status(pair.runs.left), status(pair.runs.right)) {
        (Some(left), Some(right)) if left != right => Ok(Some(of_status(pair, Sides { left, right })?)),
        _ => Ok(None),
    }
}

fn is_grave(failure: &Failure) -> bool {
    match failure {
        Failure::Crash { .. }
        | Failure::CrashOutside { .. }
        | Failure::Assertion { .. }
        | Failure::Hang
        | Failure::Waits { .. } => true,
        Failure::Status { .. } | Failure::WrongByte { .. } => false,
    }
}

fn of_failure(pair: &Pair<'_, '_>, order: &Order, side: Side, question: &Question) -> Result<Subject, ReplayError> {
    let difference = Difference::Failure { side, failure: question.failure.clone() };
    let mut criteria = Sides::default();
    if let Criterion::End { wishes } = &question.criterion {
        *criteria.of_mut(side.other()) = counterpart(pair, order, side, wishes)?;
    }
    *criteria.of_mut(side) = Some(question.criterion.clone());
    Ok(Subject { difference, criteria, limits: Vec::new() })
}

fn of_output(pair: &Pair<'_, '_>, both: &Sides<Vec<u8>>, first: FirstByte) -> Result<Subject, ReplayError> {
    let asked = Sides {
        left: failure::wrong_output(pair.runs.left, &both.left, &both.right),
        right: failure::wrong_output(pair.runs.right, &both.right, &both.left),
    };
    let asked = Sides {
        left: asked.left.map(|question| with_arguments(pair.runs.left, question)),
        right: asked.right.map(|question| with_arguments(pair.runs.right, question)),
    };
    with_limits(Difference::Output { byte: first.byte, bytes: first.bytes }, asked)
}

/// A byte is written from memory: that another run wrote another byte may come from where it was told to look.
fn with_arguments(run: &Run<'_>, mut question: Question) -> Question {
    if let Criterion::Step { at, wishes, .. } = &mut question.criterion
        && wishes.iter().any(|wish| matches!(wish, Wish::Memory { .. }))
        && let Op::Call(call) | Op::Invoke { call, .. } = &run.functions.instruction(at.site).op
    {
        wishes.extend((0..call.arguments.len() as u32).map(Wish::Argument));
    }
    question
}

fn of_status(pair: &Pair<'_, '_>, status: Sides<i32>) -> Result<Subject, ReplayError> {
    let asked = Sides {
        left: failure::status_of(pair.runs.left, status.left),
        right: failure::status_of(pair.runs.right, status.right),
    };
    with_limits(Difference::Status(status), asked)
}

fn with_limits(difference: Difference, asked: Sides<Result<Question, FailureError>>) -> Result<Subject, ReplayError> {
    let mut subject = Subject { difference, criteria: Sides::default(), limits: Vec::new() };
    for (side, asked) in [(Side::Left, asked.left), (Side::Right, asked.right)] {
        match asked {
            Ok(question) => *subject.criteria.of_mut(side) = Some(question.criterion),
            Err(FailureError::Replay(error)) => return Err(error),
            Err(error) => subject.limits.push(error.to_string()),
        }
    }
    Ok(subject)
}

/// Where one run ended, the other may have gone on: the same step there, if the runs came to it together.
fn counterpart(
    pair: &Pair<'_, '_>,
    order: &Order,
    side: Side,
    wishes: &[Wish],
) -> Result<Option<Criterion>, ReplayError> {
    let Some(end) = pair.runs.of(side).end() else { return Ok(None) };
    let Some(site) = pair.site(side, end.site) else { return Ok(None) };
    let Some(last) = order.count(side).checked_sub(1) else { return Ok(None) };
    let name = order.name(side, last);
    let other = side.other();
    let (Name::Shared(_), Some(after)) = (name, order.ordinal(other, name)) else { return Ok(None) };
    let run = pair.runs.of(other);
    let mut found: Option<Step> = None;
    let (first, last) = (order.window(other, after), order.window(other, after + 1));
    for window in (first.0..=last.0).map(execution::Window) {
        visit_window(run, window, order.first(other, window), |step, ordinal, is_statement| {
            let is_near = ordinal == after + 1 || (ordinal == after && is_statement);
            if found.is_none() && is_near {
                let at = step.step();
                found = (at.site == site).then_some(at);
            }
        })?;
    }
    Ok(found.map(|at| Criterion::of_step(at, wishes.to_vec())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_is_found_with_its_line() {
        assert_eq!(first_byte(b"ab\ncd", b"ab\ncd"), None);
        let first = first_byte(b"ab\ncd", b"ab\ncx").unwrap();
        assert_eq!((first.byte, first.line, first.column), (4, 2, 2));
        assert_eq!(first.bytes, Sides { left: Some(b'd'), right: Some(b'x') });
        let longer = first_byte(b"ab\n", b"ab\nc").unwrap();
        assert_eq!((longer.byte, longer.line, longer.column), (3, 2, 1));
        assert_eq!(longer.bytes, Sides { left: None, right: Some(b'c') });
    }
}
