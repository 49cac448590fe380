//! Which constraints a question has to do with: those connected with it by symbols, over any number of constraints. The
//! others have no symbol in common with these, so they hold or not by themselves.
//!
//! Groups of connected constraints are kept from question to question, and only added to while the known constraints begin
//! as before.

use super::question::{Place, Question};
use crate::hash::Map;
use crate::symbols::Symbol;
use crate::term::{Term, Terms};

#[derive(Default)]
pub(super) struct Slices {
    /// What groups were made of.
    known: Vec<Term>,
    soft: Vec<Term>,
    /// By symbol: one of the same group, in the end the one that stands for it.
    above: Vec<u32>,
    groups: Map<u32, Group>,
}

#[derive(Default)]
struct Group {
    constraints: Vec<Place>,
    /// Not all of them hold under the seed.
    is_violated: bool,
}

impl Slices {
    /// The slices of a question that the seed need not satisfy, each in the order of places. Constraints without symbols
    /// are in none.
    pub fn of(&mut self, terms: &Terms, question: &Question<'_>) -> Vec<Vec<Place>> {
        self.follow(terms, question);
        let mut slices: Vec<Vec<Place>> = Vec::new();
        // Which slice a group is in; slices are united by leaving one of them empty.
        let mut slice_of: Map<u32, usize> = Map::default();
        for (place, &constraint) in question.wanted.iter().enumerate() {
            let mut own = None;
            for symbol in terms.symbols_of(constraint).iter() {
                let root = self.root(*symbol);
                let slice = *slice_of.entry(root).or_insert_with(|| match own {
                    Some(own) => own,
                    None => {
                        slices.push(Vec::new());
                        slices.len() - 1
                    }
                });
                let into = *own.get_or_insert(slice);
                if into != slice {
                    let moved = std::mem::take(&mut slices[slice]);
                    slices[into].extend(moved);
                    slice_of.values_mut().filter(|other| **other == slice).for_each(|other| *other = into);
                }
            }
            if let Some(own) = own {
                slices[own].push(Place::Wanted(place));
            }
        }
        for (root, slice) in &slice_of {
            if let Some(group) = self.groups.get(root) {
                slices[*slice].extend(&group.constraints);
            }
        }
        for (root, group) in &self.groups {
            if group.is_violated && !slice_of.contains_key(root) {
                slices.push(group.constraints.clone());
            }
        }
        for slice in &mut slices {
            slice.retain(|place| question.has(*place));
            slice.sort_unstable();
        }
        slices.retain(|slice| !slice.is_empty());
        slices
    }

    /// Makes groups of these constraints. Groups may have dropped ones, too: then they are larger than they need be.
    fn follow(&mut self, terms: &Terms, question: &Question<'_>) {
        if !question.known.starts_with(&self.known) || !question.soft.starts_with(&self.soft) {
            *self = Slices::default();
        }
        for (place, &constraint) in question.known.iter().enumerate().skip(self.known.len()) {
            self.add(terms, Place::Known(place), constraint);
        }
        for (place, &constraint) in question.soft.iter().enumerate().skip(self.soft.len()) {
            self.add(terms, Place::Soft(place), constraint);
        }
        self.known.extend_from_slice(&question.known[self.known.len()..]);
        self.soft.extend_from_slice(&question.soft[self.soft.len()..]);
    }

    fn add(&mut self, terms: &Terms, place: Place, constraint: Term) {
        let symbols = terms.symbols_of(constraint);
        let mut symbols = symbols.iter();
        let Some(first) = symbols.next() else { return };
        let mut root = self.root(*first);
        for symbol in symbols {
            root = self.unite(root, *symbol);
        }
        let group = self.groups.entry(root).or_default();
        group.constraints.push(place);
        group.is_violated |= !terms.holds(constraint);
    }

    fn root(&mut self, symbol: Symbol) -> u32 {
        let symbol = symbol.0;
        if symbol as usize >= self.above.len() {
            self.above.extend(self.above.len() as u32..=symbol);
        }
        let mut at = symbol;
        while self.above[at as usize] != at {
            // Each on the way is brought nearer to the root.
            let next = self.above[self.above[at as usize] as usize];
            self.above[at as usize] = next;
            at = next;
        }
        at
    }

    fn unite(&mut self, root: u32, symbol: Symbol) -> u32 {
        let other = self.root(symbol);
        if root == other {
            return root;
        }
        let size = |root: u32| self.groups.get(&root).map_or(0, |group| group.constraints.len());
        let (into, from) = if size(root) >= size(other) { (root, other) } else { (other, root) };
        self.above[from as usize] = into;
        if let Some(group) = self.groups.remove(&from) {
            let united = self.groups.entry(into).or_default();
            united.constraints.extend(group.constraints);
            united.is_violated |= group.is_violated;
        }
        into
    }
}
