//! Aligning two runs by merging their statements, which are in the order of their indices.

use std::cmp::Ordering;
use std::sync::mpsc::sync_channel;

use replay::{ReplayError, Step};

use super::stream::{AHEAD, Collect, Cursor, Noting, send};
use super::translate::Translation;
use super::versions::SiteMap;
use crate::region::Regions;
use execution::Run;

/// One statement of the alignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aligned {
    /// Executed by both.
    Both(Step, Step),
    /// By the left run only.
    Left(Step),
    /// By the right run only.
    Right(Step),
}

/// Gives `visit` the statements of two runs of one program, those that correspond together, in an order that is that of
/// execution for each run. Memory is bounded by the nesting of the runs; the cost is that of replaying both.
pub fn align(left: &Run<'_>, right: &Run<'_>, mut visit: impl FnMut(Aligned)) -> Result<(), ReplayError> {
    align_noting((left, plain), (right, plain), None, |aligned, _, _| visit(aligned))?;
    Ok(())
}

/// The same for runs of two versions of a program; the left one is of the version the map leads from. Statements that were
/// removed or added are in one run only, and so is what is nested in them. What changed places in the source may not be
/// recognised.
pub fn align_versions(
    left: &Run<'_>,
    right: &Run<'_>,
    map: &SiteMap,
    mut visit: impl FnMut(Aligned),
) -> Result<(), ReplayError> {
    align_noting((left, plain), (right, plain), Some(map), |aligned, _, _| visit(aligned))?;
    Ok(())
}

fn plain<'f, 'r>(regions: Regions<'f, 'r, Collect<()>>) -> Regions<'f, 'r, Collect<()>> {
    regions
}

/// The same, seeing more than the nesting of statements: each run comes with what makes its observer of the nesting.
/// `visit` is given where both runs are, with what was noted. Returns for each run how many statements there were before
/// each of its windows.
pub fn align_noting<'l, 'lr, 'r, 'rr, L: Noting, R: Noting<Note = L::Note>>(
    (left, begin_left): (&'l Run<'lr>, impl FnOnce(Regions<'l, 'lr, Collect<L::Note>>) -> L + Send),
    (right, begin_right): (&'r Run<'rr>, impl FnOnce(Regions<'r, 'rr, Collect<L::Note>>) -> R + Send),
    map: Option<&SiteMap>,
    mut visit: impl FnMut(Aligned, &Cursor<'_, L::Note>, &Cursor<'_, L::Note>),
) -> Result<(Vec<u64>, Vec<u64>), ReplayError> {
    let left_terms = map.map(|map| Translation::of_old(map, &left.functions, &right.functions));
    let right_terms = map.map(Translation::of_new);
    std::thread::scope(|scope| {
        let (left_sender, left_receiver) = sync_channel(AHEAD);
        let (right_sender, right_receiver) = sync_channel(AHEAD);
        let left_sending = scope.spawn(move || send(left, left_sender, begin_left));
        let right_sending = scope.spawn(move || send(right, right_sender, begin_right));
        merge(Cursor::new(left_receiver, left_terms), Cursor::new(right_receiver, right_terms), &mut visit)?;
        let before = |sending: std::thread::ScopedJoinHandle<'_, Vec<u64>>| match sending.join() {
            Ok(before) => before,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        Ok((before(left_sending), before(right_sending)))
    })
}

fn merge<T>(
    mut left: Cursor<'_, T>,
    mut right: Cursor<'_, T>,
    visit: &mut impl FnMut(Aligned, &Cursor<'_, T>, &Cursor<'_, T>),
) -> Result<(), ReplayError> {
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
            (Some(_), Some(_)) if left.is_foreign() => Ordering::Less,
            // Only a step ends a path, so neither is the beginning of the other.
            (Some(_), Some(_)) => left.path.get(agreed).cmp(&right.path.get(agreed)),
        };
        match (order, left.at, right.at) {
            (Ordering::Equal, Some(a), Some(b)) => visit(Aligned::Both(a, b), &left, &right),
            (Ordering::Less, Some(a), _) => visit(Aligned::Left(a), &left, &right),
            (Ordering::Greater, _, Some(b)) => visit(Aligned::Right(b), &left, &right),
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

fn agree<T>(left: &Cursor<'_, T>, right: &Cursor<'_, T>, known: usize) -> usize {
    let more = left.path[known..].iter().zip(&right.path[known..]);
    known + more.take_while(|(a, b)| a == b).count()
}
