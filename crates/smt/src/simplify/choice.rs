//! Choices and tables.

use crate::operation::ones;
use crate::term::{TableId, Term, Terms, View, entry};

/// Zeros at the end are as no entries.
fn without_last_zeros(entries: &[u128]) -> &[u128] {
    let length = entries.iter().rposition(|entry| *entry != 0).map_or(0, |last| last + 1);
    &entries[..length]
}

impl Terms {
    /// One of two terms of one width, by a condition of one bit.
    pub fn choose(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        let width = self.width(then);
        debug_assert_eq!(width, self.width(otherwise), "what is chosen from");
        if then == otherwise {
            return then;
        }
        if let Some(condition) = self.as_constant(condition) {
            return if condition == 1 { then } else { otherwise };
        }
        let view = View::Choose(condition, then, otherwise);
        self.rewriting(width, view, |terms| terms.chosen(condition, then, otherwise))
    }

    fn chosen(&mut self, condition: Term, then: Term, otherwise: Term) -> Option<Term> {
        let width = self.width(then);
        if let View::Not(condition) = self.view(condition) {
            return Some(self.choose(condition, otherwise, then));
        }
        if width == 1 {
            match (self.as_constant(then), self.as_constant(otherwise)) {
                (Some(1), Some(_)) => return Some(condition),
                (Some(_), Some(_)) => return Some(self.not(condition)),
                (Some(1), None) => return Some(self.or(condition, otherwise)),
                (Some(_), None) => {
                    let not = self.not(condition);
                    return Some(self.and(not, otherwise));
                }
                (None, Some(1)) => {
                    let not = self.not(condition);
                    return Some(self.or(not, then));
                }
                (None, Some(_)) => return Some(self.and(condition, then)),
                (None, None) => {}
            }
        }
        match (self.view(then), self.view(otherwise)) {
            (View::Choose(same, x, _), _) if same == condition => Some(self.choose(condition, x, otherwise)),
            (_, View::Choose(same, _, y)) if same == condition => Some(self.choose(condition, then, y)),
            (View::ZeroExtend(x), View::ZeroExtend(_) | View::Constant(_))
            | (View::Constant(_), View::ZeroExtend(x)) => {
                let narrow = match self.view(otherwise) {
                    View::ZeroExtend(y) => self.width(x).max(self.width(y)),
                    _ => self.width(x),
                };
                let (then, otherwise) = (self.narrowed(then, narrow)?, self.narrowed(otherwise, narrow)?);
                let chosen = self.choose(condition, then, otherwise);
                Some(self.zero_extend(chosen, width))
            }
            (View::SignExtend(x), View::SignExtend(y)) if self.width(x) == self.width(y) => {
                let chosen = self.choose(condition, x, y);
                Some(self.sign_extend(chosen, width))
            }
            _ => None,
        }
    }

    /// An entry of a constant table, entries being of so many bits; zero behind the end.
    pub fn table(&mut self, index: Term, entries: &[u128], width: u32) -> Term {
        let table = self.keep_table(entries, width);
        self.entry_of(index, table, width)
    }

    /// Keeps a table that is asked more than once.
    pub fn keep_table(&mut self, entries: &[u128], width: u32) -> TableId {
        let mask = ones(width);
        if entries.iter().all(|entry| entry & !mask == 0) {
            return self.table_of(without_last_zeros(entries));
        }
        let entries: Vec<u128> = entries.iter().map(|entry| entry & mask).collect();
        self.table_of(without_last_zeros(&entries))
    }

    /// An entry of a table that was kept, with entries of so many bits.
    pub fn entry_of(&mut self, index: Term, table: TableId, width: u32) -> Term {
        let entries = self.entries(table);
        if let Some(index) = self.as_constant(index) {
            let entry = entry(entries, index);
            return self.constant(width, entry);
        }
        if entries.is_empty() {
            return self.constant(width, 0);
        }
        let last = entries.len() as u128 - 1;
        let reachable = ones(self.width(index));
        if last > reachable {
            let entries = entries[..=reachable as usize].to_vec();
            let table = self.table_of(without_last_zeros(&entries));
            return self.entry_of(index, table, width);
        }
        let summary = self.summary(table);
        if summary.least == summary.greatest && self.bounds(index).greatest <= last {
            return self.constant(width, summary.least);
        }
        match self.view(index) {
            View::ZeroExtend(x) => self.entry_of(x, table, width),
            // A table of a table's entries, where the inner one has an entry for each index.
            View::Table(inner, of_index) if self.bounds(inner).greatest < self.entries(of_index).len() as u128 => {
                let entries = self.entries(table);
                let composed: Vec<u128> = self.entries(of_index).iter().map(|inner| entry(entries, *inner)).collect();
                self.table(inner, &composed, width)
            }
            _ => self.plain(width, View::Table(index, table)),
        }
    }

    /// The table of what a function makes of the entries of one. None: behind the end, it would not be zero.
    pub(super) fn mapped_table(
        &mut self,
        table: Term,
        index: Term,
        width: u32,
        map: impl Fn(u128) -> u128,
    ) -> Option<Term> {
        let View::Table(_, id) = self.view(table) else { return None };
        let entries = self.entries(id);
        let is_complete = self.bounds(index).greatest < entries.len() as u128;
        if map(0) != 0 && !is_complete {
            return None;
        }
        let mapped: Vec<u128> = entries.iter().map(|entry| map(*entry)).collect();
        Some(self.table(index, &mapped, width))
    }

    /// Some bits of a table's entry, as an entry of another table.
    pub(super) fn part_of_entry(&mut self, index: Term, table: TableId, low: u32, width: u32) -> Term {
        let part = self.part_of_table(table, low, width);
        self.entry_of(index, part, width)
    }

    /// A table of whether the entries of one have a property.
    pub(super) fn asked_of_table(&mut self, table: Term, index: Term, has: impl Fn(u128) -> bool) -> Option<Term> {
        let behind_the_end = has(0);
        let differs = self.mapped_table(table, index, 1, |entry| u128::from(has(entry) != behind_the_end))?;
        Some(if behind_the_end { self.not(differs) } else { differs })
    }
}
