//! Choices and tables.

use crate::operation::ones;
use crate::term::{Term, Terms, View, entry};

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
        let mask = ones(width);
        let reachable = usize::try_from(ones(self.width(index))).map_or(usize::MAX, |last| last.saturating_add(1));
        let entries = &entries[..entries.len().min(reachable)];
        // Zeros at the end are as no entries.
        let length = entries.iter().rposition(|entry| entry & mask != 0).map_or(0, |last| last + 1);
        let entries: Vec<u128> = entries[..length].iter().map(|entry| entry & mask).collect();
        if let Some(index) = self.as_constant(index) {
            return self.constant(width, entry(&entries, index));
        }
        if entries.is_empty() {
            return self.constant(width, 0);
        }
        let is_complete = self.bounds(index).greatest < entries.len() as u128;
        if is_complete && entries.iter().all(|entry| *entry == entries[0]) {
            return self.constant(width, entries[0]);
        }
        match self.view(index) {
            View::ZeroExtend(x) => self.table(x, &entries, width),
            // A table of a table's entries, where the inner one has an entry for each index.
            View::Table(inner, table) if self.bounds(inner).greatest < self.entries(table).len() as u128 => {
                let composed: Vec<u128> = self.entries(table).iter().map(|inner| entry(&entries, *inner)).collect();
                self.table(inner, &composed, width)
            }
            _ => {
                let table = self.table_of(entries);
                self.plain(width, View::Table(index, table))
            }
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

    /// A table of whether the entries of one have a property.
    pub(super) fn asked_of_table(&mut self, table: Term, index: Term, has: impl Fn(u128) -> bool) -> Option<Term> {
        let behind_the_end = has(0);
        let differs = self.mapped_table(table, index, 1, |entry| u128::from(has(entry) != behind_the_end))?;
        Some(if behind_the_end { self.not(differs) } else { differs })
    }
}
