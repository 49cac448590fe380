//! Aligning two runs by merging their statements, which are in the order of their indices.

use std::cmp::Ordering;
use std::sync::mpsc::sync_channel;

use replay::ReplayError;

use super::stream::{AHEAD, Cursor, send};
use super::translate::Translation;
use super::versions::SiteMap;
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
pub fn align(left: &Run<'_>, right: &Run<'_>, visit: impl FnMut(Aligned)) -> Result<(), ReplayError> {
    merge_runs(left, None, right, None, visit)
}

/// The same for runs of two versions of a program; the left one is of the version the map leads from. Statements that were
/// removed or added are in one run only, and so is what is nested in them. What changed places in the source may not be
/// recognised.
pub fn align_versions(
    left: &Run<'_>,
    right: &Run<'_>,
    map: &SiteMap,
    visit: impl FnMut(Aligned),
) -> Result<(), ReplayError> {
    let old = Translation::of_old(map, &left.functions, &right.functions);
    merge_runs(left, Some(old), right, Some(Translation::of_new(map)), visit)
}

fn merge_runs(
    left: &Run<'_>,
    left_terms: Option<Translation<'_>>,
    right: &Run<'_>,
    right_terms: Option<Translation<'_>>,
    mut visit: impl FnMut(Aligned),
) -> Result<(), ReplayError> {
    std::thread::scope(|scope| {
        let open = |run| {
            let (sender, receiver) = sync_channel(AHEAD);
            scope.spawn(move || send(run, sender));
            receiver
        };
        merge(Cursor::new(open(left), left_terms), Cursor::new(open(right), right_terms), &mut visit)
    })
}

fn merge(mut left: Cursor<'_>, mut right: Cursor<'_>, visit: &mut impl FnMut(Aligned)) -> Result<(), ReplayError> {
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

fn agree(left: &Cursor<'_>, right: &Cursor<'_>, known: usize) -> usize {
    let more = left.path[known..].iter().zip(&right.path[known..]);
    known + more.take_while(|(a, b)| a == b).count()
}
