//! Aligning two runs by merging their statements, which are in the order of their indices.

use std::cmp::Ordering;
use std::sync::mpsc::sync_channel;

use replay::ReplayError;

use super::stream::{AHEAD, Cursor, send};
use crate::dependence::Moment;
use crate::run::Run;

/// One statement of the alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aligned {
    /// Executed by both.
    Both(Moment, Moment),
    /// By the left run only.
    Left(Moment),
    /// By the right run only.
    Right(Moment),
}

/// Gives `visit` the statements of two runs of one program, those that correspond together, in an order that is that of
/// execution for each run. Memory is bounded by the nesting of the runs; the cost is that of replaying both.
pub fn align(left: &Run<'_>, right: &Run<'_>, mut visit: impl FnMut(Aligned)) -> Result<(), ReplayError> {
    std::thread::scope(|scope| {
        let open = |run| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || send(run, sender));
            Cursor::new(receiver)
        };
        merge(open(left), open(right), &mut visit)
    })
}

fn merge(mut left: Cursor, mut right: Cursor, visit: &mut impl FnMut(Aligned)) -> Result<(), ReplayError> {
    left.advance()?;
    right.advance()?;
    // How many levels of the two paths agree; kept up to date, so that deep nesting costs nothing.
    let mut agreed = 0;
    loop {
        agreed = agree(&left, &right, agreed);
        let order = match (left.at, right.at) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            // Only a step ends a path, so neither is the beginning of the other.
            (Some(_), Some(_)) => left.path.get(agreed).cmp(&right.path.get(agreed)),
        };
        match (order, left.at, right.at) {
            (Ordering::Equal, Some(a), Some(b)) => visit(Aligned::Both(a, b)),
            (Ordering::Less, Some(a), _) => visit(Aligned::Left(a)),
            (Ordering::Greater, _, Some(b)) => visit(Aligned::Right(b)),
            _ => return Ok(()),
        }
        if order.is_le() {
            agreed = agreed.min(left.advance()?);
        }
        if order.is_ge() {
            agreed = agreed.min(right.advance()?);
        }
    }
}

fn agree(left: &Cursor, right: &Cursor, known: usize) -> usize {
    let more = left.path[known..].iter().zip(&right.path[known..]);
    known + more.take_while(|(a, b)| a == b).count()
}
