//! Which bytes of memory are symbolic, and of which term each is a part.

use smt::Term;
use smt::hash::Map;

use crate::domain::TermDomain;

/// A byte of memory: the part of a term that it is. What was stored as a whole is loaded as a whole, without being taken
/// apart and put together again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub whole: Term,
    /// Which byte of it, the lowest first.
    pub part: u8,
}

impl Cell {
    /// The byte alone.
    pub fn byte(self, domain: &TermDomain) -> Term {
        domain.part(self.whole, 8 * u32::from(self.part), 8)
    }

    pub fn value(self, domain: &TermDomain) -> u8 {
        (domain.value(self.whole) >> (8 * u32::from(self.part))) as u8
    }
}

const PAGE: u64 = 256;
/// Bits of the filter that tells at once of most addresses that no page there has symbols.
const FILTER: usize = 1 << 14;

#[derive(Default)]
struct Page {
    cells: Vec<Option<Cell>>,
    /// How many are symbolic.
    count: u32,
}

pub struct Memory {
    pages: Map<u64, Page>,
    filter: Vec<u64>,
    /// How many bytes are symbolic.
    count: usize,
}

impl Memory {
    pub fn new() -> Memory {
        Memory { pages: Map::default(), filter: vec![0; FILTER / 64], count: 0 }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    fn bit(page: u64) -> (usize, u64) {
        let bit = (page.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize & (FILTER - 1);
        (bit / 64, 1 << (bit % 64))
    }

    /// Whether a byte of these may be symbolic; at most a page of them.
    #[inline]
    pub fn may_have(&self, address: u64, length: u64) -> bool {
        if self.count == 0 {
            return false;
        }
        let has = |page: u64| {
            let (word, bit) = Memory::bit(page);
            self.filter[word] & bit != 0
        };
        let (first, last) = (address / PAGE, address.wrapping_add(length.saturating_sub(1)) / PAGE);
        has(first) || (last != first && has(last))
    }

    /// The same for any range.
    pub fn may_have_range(&self, address: u64, length: u64) -> bool {
        if length <= PAGE { self.may_have(address, length) } else { self.count != 0 }
    }

    pub fn get(&self, address: u64) -> Option<Cell> {
        self.pages.get(&(address / PAGE))?.cells[(address % PAGE) as usize]
    }

    /// The bytes from an address on.
    pub fn read(&self, address: u64, cells: &mut [Option<Cell>]) {
        let (mut at, mut rest) = (address, cells);
        while !rest.is_empty() {
            let first = (at % PAGE) as usize;
            let length = rest.len().min(PAGE as usize - first);
            let (here, others) = rest.split_at_mut(length);
            match self.pages.get(&(at / PAGE)) {
                Some(page) => here.copy_from_slice(&page.cells[first..first + length]),
                None => here.fill(None),
            }
            (at, rest) = (at.wrapping_add(length as u64), others);
        }
    }

    /// `None` makes it concrete.
    pub fn set(&mut self, address: u64, cell: Option<Cell>) {
        if cell.is_some() || self.may_have(address, 1) {
            self.change(address, 1, |_| cell);
        }
    }

    /// Changes bytes, each by its distance from the address.
    fn change(&mut self, address: u64, length: u64, cell: impl Fn(u64) -> Option<Cell>) {
        let mut done = 0;
        while done < length {
            let at = address.wrapping_add(done);
            let (number, first) = (at / PAGE, at % PAGE);
            let count = (PAGE - first).min(length - done);
            let is_new = (0..count).any(|more| cell(done + more).is_some());
            if is_new {
                let (word, bit) = Memory::bit(number);
                self.filter[word] |= bit;
                self.pages.entry(number).or_insert_with(|| Page { cells: vec![None; PAGE as usize], count: 0 });
            }
            if let Some(page) = self.pages.get_mut(&number) {
                let before = page.count;
                for (place, more) in page.cells[first as usize..(first + count) as usize].iter_mut().zip(0..) {
                    let cell = cell(done + more);
                    page.count = page.count + u32::from(cell.is_some()) - u32::from(place.is_some());
                    *place = cell;
                }
                self.count = self.count + page.count as usize - before as usize;
                if page.count == 0 {
                    self.pages.remove(&number);
                }
            }
            done += count;
        }
        if self.count == 0 {
            self.filter.fill(0);
        }
    }

    /// Stores a term of whole bytes.
    pub fn store(&mut self, address: u64, length: u64, whole: Term) {
        self.change(address, length, |part| Some(Cell { whole, part: part as u8 }));
    }

    /// Makes bytes concrete. A long range costs what is symbolic, not what it is long.
    pub fn clear(&mut self, address: u64, length: u64) {
        if length <= PAGE {
            if self.may_have(address, length) {
                self.change(address, length, |_| None);
            }
            return;
        }
        for at in self.symbolic_in(address, length) {
            self.set(at, None);
        }
    }

    /// The addresses of symbolic bytes in a range, in order.
    pub fn symbolic_in(&self, address: u64, length: u64) -> Vec<u64> {
        if self.count == 0 || length == 0 {
            return Vec::new();
        }
        let end = address.saturating_add(length - 1);
        let (first, last) = (address / PAGE, end / PAGE);
        let mut numbers: Vec<u64> = if last - first < self.pages.len() as u64 {
            (first..=last).filter(|number| self.pages.contains_key(number)).collect()
        } else {
            self.pages.keys().copied().filter(|number| (first..=last).contains(number)).collect()
        };
        numbers.sort_unstable();
        let of_page = |number: u64| {
            let page = &self.pages[&number];
            let cells = page.cells.iter().zip(number * PAGE..);
            cells.filter(|(cell, at)| cell.is_some() && (address..=end).contains(at)).map(|(_, at)| at)
        };
        numbers.into_iter().flat_map(of_page).collect()
    }

    /// As `memmove` does it.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) {
        if self.count == 0 || to == from {
            return;
        }
        let copied: Vec<(u64, Option<Cell>)> =
            self.symbolic_in(from, length).into_iter().map(|at| (at - from, self.get(at))).collect();
        self.clear(to, length);
        for (offset, cell) in copied {
            self.set(to.wrapping_add(offset), cell);
        }
    }
}

/// Puts bytes together, the lowest first: what is not symbolic is as it was in the run. `None`: nothing is.
pub fn assemble(domain: &TermDomain, cells: &[Option<Cell>], concrete: impl Fn(usize) -> u8) -> Option<Term> {
    let first = cells.iter().flatten().next()?;
    let is_whole = first.part == 0
        && domain.width(first.whole) as usize == 8 * cells.len()
        && (0_u8..).zip(cells).all(|(part, cell)| *cell == Some(Cell { whole: first.whole, part }));
    if is_whole {
        return Some(first.whole);
    }
    let mut all: Option<Term> = None;
    let mut at = 0;
    while at < cells.len() {
        let begin = at;
        at += 1;
        let piece = match cells[begin] {
            Some(Cell { whole, part }) => {
                let follows = |at: usize| Some(Cell { whole, part: part + (at - begin) as u8 });
                while at < cells.len() && cells[at] == follows(at) {
                    at += 1;
                }
                domain.part(whole, 8 * u32::from(part), 8 * (at - begin) as u32)
            }
            None => {
                while at < cells.len() && cells[at].is_none() {
                    at += 1;
                }
                let value = (begin..at).rev().fold(0_u128, |value, at| value << 8 | u128::from(concrete(at)));
                domain.constant(8 * (at - begin) as u32, value)
            }
        };
        all = Some(match all {
            Some(low) => domain.beside(piece, low),
            None => piece,
        });
    }
    all
}
