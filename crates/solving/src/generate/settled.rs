//! When more tests are not worth making: the ranking has not changed for a while.

use findings::Line;
use spectrum::Formula;

use subject::measured::Measured;
use subject::telling::suspicion::ranking;

/// Watches what comes first in the ranking.
#[derive(Default)]
pub(super) struct Settling {
    first: Vec<(Line, (usize, usize))>,
    unchanged: usize,
}

/// Lines that a person would read first.
const FIRST: usize = 10;
/// Tests in a row that have changed nothing about these.
const PATIENCE: usize = 10;
/// Passing tests without which there is hardly a ranking.
const FEWEST_PASSING: u32 = 5;

impl Settling {
    /// A test was counted.
    pub fn counted(&mut self, measured: &Measured) {
        let ranking = ranking(measured, Formula::Ochiai);
        let first = ranking.iter().take(FIRST).filter_map(|ranked| {
            let (tuple, _) = ranked.what.first()?;
            Some((tuple.line.clone(), (*ranked.ranks.start(), *ranked.ranks.end())))
        });
        let first: Vec<_> = first.collect();
        self.unchanged = if first == self.first { self.unchanged + 1 } else { 0 };
        self.first = first;
    }

    pub fn is_settled(&self, measured: &Measured) -> bool {
        measured.spectrum.passing >= FEWEST_PASSING && self.unchanged >= PATIENCE
    }
}

#[cfg(test)]
mod tests {
    use spectrum::{Coverage, Did, Group, Tuple};

    use super::*;

    fn did(lines: &[u32]) -> Coverage {
        let tuple =
            |line: &u32| Tuple { line: Line { file: "a.c".into(), line: *line }, column: 0, did: Did::Executed };
        lines.iter().map(|line| (tuple(line), "f".to_owned())).collect()
    }

    #[test]
    fn it_settles_when_tests_in_a_row_change_nothing() {
        let (mut measured, mut settling) = (Measured::default(), Settling::default());
        measured.add(Group::Failing, did(&[1, 2, 3]));
        for _ in 0..2 * PATIENCE {
            settling.counted(&measured);
        }
        assert!(!settling.is_settled(&measured), "nothing passes");
        measured.add(Group::Failing, did(&[1, 2, 3]));
        let mut pass = |lines: &[u32]| {
            measured.add(Group::Passing, did(lines));
            settling.counted(&measured);
            settling.is_settled(&measured)
        };
        assert!(!pass(&[1]));
        assert!((1..PATIENCE).all(|_| !pass(&[1])));
        // The last moment for news.
        assert!(!pass(&[1, 2]));
        assert!((1..PATIENCE).all(|_| !pass(&[1, 2])));
        assert!(pass(&[1, 2]));
    }
}
