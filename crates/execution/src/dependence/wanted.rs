//! Which bytes of memory are wanted, and by whom, while a run is walked backwards.

use std::collections::{BTreeMap, HashMap};

const PAGE: usize = 4096;
const SHIFT: u32 = PAGE.trailing_zeros();
const CACHED: usize = 256;

/// Who wants a place: nobody, or what the analysis understands by the number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Mark(pub u32);

impl Mark {
    pub const NOBODY: Mark = Mark(0);

    pub fn is_nobody(self) -> bool {
        self == Mark::NOBODY
    }
}

struct Page {
    marks: Box<[Mark; PAGE]>,
    /// How many of its bytes are wanted.
    wanted: u32,
}

/// A byte is wanted from whoever of the program's own code wrote it last; or, where a load met a surprise, from outside; or,
/// where only outside code read it, so that nobody knows whether it had changed, from whoever may have written it last.
#[derive(Default)]
pub struct WantedMemory {
    pages: Vec<Page>,
    by_number: HashMap<u64, u32>,
    /// Page number and position, at the place the number gives.
    cache: Vec<(u64, u32)>,
    from_outside: Sparse,
    unlooked: Sparse,
    total: u64,
}

/// Marks of few bytes, by address.
#[derive(Default)]
pub struct Sparse(BTreeMap<u64, Mark>);

impl Sparse {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The mark of a byte, to be changed by `change`.
    pub fn update(&mut self, address: u64, change: impl FnOnce(Mark) -> Mark) {
        let mark = self.0.entry(address).or_default();
        *mark = change(*mark);
        if mark.is_nobody() {
            self.0.remove(&address);
        }
    }

    /// Takes the marks of a range away, with the offset of each wanted byte.
    pub fn take(&mut self, address: u64, length: u64) -> Vec<(u64, Mark)> {
        if self.0.is_empty() || length == 0 {
            return Vec::new();
        }
        let last = address.saturating_add(length - 1);
        let found: Vec<(u64, Mark)> =
            self.0.range(address..=last).map(|(&byte, &mark)| (byte - address, mark)).collect();
        for (offset, _) in &found {
            self.0.remove(&(address + offset));
        }
        found
    }

    /// Takes all marks away, with the address of each.
    pub fn take_all(&mut self) -> Vec<(u64, Mark)> {
        std::mem::take(&mut self.0).into_iter().collect()
    }
}

const NONE: u32 = u32::MAX;

impl WantedMemory {
    pub fn is_empty(&self) -> bool {
        self.total == 0 && self.from_outside.is_empty() && self.unlooked.is_empty()
    }

    fn find(&mut self, number: u64) -> u32 {
        if self.cache.is_empty() {
            self.cache = vec![(u64::MAX, NONE); CACHED];
        }
        let place = number as usize % CACHED;
        let (cached, position) = self.cache[place];
        if cached == number {
            return position;
        }
        let position = self.by_number.get(&number).copied().unwrap_or(NONE);
        self.cache[place] = (number, position);
        position
    }

    /// Takes the marks of a range away, calling `each` with the offset of every wanted byte.
    #[inline]
    pub fn take(&mut self, address: u64, length: u64, mut each: impl FnMut(u64, Mark)) {
        if self.total == 0 {
            return;
        }
        let mut done = 0;
        while done < length {
            let begin = address.wrapping_add(done);
            let offset = begin as usize & (PAGE - 1);
            let count = ((PAGE - offset) as u64).min(length - done);
            let position = self.find(begin >> SHIFT);
            if position != NONE {
                let page = &mut self.pages[position as usize];
                if page.wanted > 0 {
                    for (i, mark) in page.marks[offset..offset + count as usize].iter_mut().enumerate() {
                        if !mark.is_nobody() {
                            page.wanted -= 1;
                            self.total -= 1;
                            each(done + i as u64, std::mem::take(mark));
                        }
                    }
                }
            }
            done += count;
        }
    }

    /// The mark of a byte, to be changed by `change`.
    pub fn update(&mut self, address: u64, change: impl FnOnce(Mark) -> Mark) {
        let number = address >> SHIFT;
        let mut position = self.find(number);
        if position == NONE {
            position = self.pages.len() as u32;
            self.pages.push(Page { marks: Box::new([Mark::NOBODY; PAGE]), wanted: 0 });
            self.by_number.insert(number, position);
            self.cache[number as usize % CACHED] = (number, position);
        }
        let page = &mut self.pages[position as usize];
        let mark = &mut page.marks[address as usize & (PAGE - 1)];
        let before = *mark;
        *mark = change(before);
        let gained = u32::from(before.is_nobody()) as i64 - u32::from(mark.is_nobody()) as i64;
        page.wanted = (i64::from(page.wanted) + gained) as u32;
        self.total = (self.total as i64 + gained) as u64;
    }

    /// What is wanted from outside.
    pub fn outside(&mut self) -> &mut Sparse {
        &mut self.from_outside
    }

    /// What is wanted as outside code read it.
    pub fn unlooked(&mut self) -> &mut Sparse {
        &mut self.unlooked
    }

    /// Every byte that is wanted from the program's own code.
    pub fn rest(&self) -> impl Iterator<Item = (u64, Mark)> {
        self.by_number.iter().flat_map(|(&number, &position)| {
            let page = &self.pages[position as usize];
            let wanted = page.marks.iter().enumerate().filter(|(_, mark)| !mark.is_nobody());
            wanted.map(move |(offset, &mark)| ((number << SHIFT) + offset as u64, mark))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_once() {
        let mut wanted = WantedMemory::default();
        for address in [0x1000, 0x1fff, 0x2000, 0x2003] {
            wanted.update(address, |_| Mark(7));
        }
        let mut met = Vec::new();
        wanted.take(0x1ffe, 4, |offset, mark| met.push((offset, mark)));
        assert_eq!(met, [(1, Mark(7)), (2, Mark(7))]);
        met.clear();
        wanted.take(0x1ffe, 4, |offset, mark| met.push((offset, mark)));
        assert_eq!(met, []);
        assert!(!wanted.is_empty());
        wanted.update(0x1000, |_| Mark::NOBODY);
        wanted.take(0x2003, 1, |_, _| ());
        assert!(wanted.is_empty());
        assert_eq!(wanted.rest().count(), 0);
        wanted.outside().update(u64::MAX, |_| Mark(3));
        assert!(!wanted.is_empty());
        assert_eq!(wanted.outside().take(u64::MAX - 2, 9), [(2, Mark(3))]);
        assert!(wanted.is_empty());
    }
}
