//! What is known of the program's memory: the bytes that instrumented code stored, loaded or copied, and what global
//! variables held at the start.
//!
//! The replay's own shadow is no use here: it says zero where nothing is known. A byte that was known before outside
//! code ran is *stale* after it, since outside code may have written it; its next load makes it known again.

use std::collections::{BTreeMap, HashMap};

use replay::ReplayError;

use crate::sources::Sources;

const PAGE: usize = 4096;
const WORDS: usize = PAGE / 64;
/// Places of the cache in front of the pages, a power of two.
const CACHED: usize = 512;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Byte {
    Unknown,
    /// As last seen; outside code has run since.
    Stale(u8),
    Known(u8),
}

impl Byte {
    pub fn value(self) -> Option<u8> {
        match self {
            Byte::Unknown => None,
            Byte::Stale(byte) | Byte::Known(byte) => Some(byte),
        }
    }
}

/// Whoever can say what is known of an address.
pub trait Bytes {
    fn byte(&self, address: u64) -> Byte;
}

struct Page {
    bytes: [u8; PAGE],
    /// One bit for each byte.
    known: [u64; WORDS],
    /// Bytes learnt since outside code ran the last time; counts only if `fresh_since` is the present period.
    fresh: [u64; WORDS],
    fresh_since: u64,
}

pub struct Memory {
    pages: Vec<Page>,
    positions: HashMap<u64, usize>,
    /// Page numbers with their positions.
    cache: Box<[(u64, usize); CACHED]>,
    initial: Initial,
    /// Counts how often outside code has run.
    period: u64,
}

impl Memory {
    pub fn new(initial: Initial) -> Memory {
        Memory {
            pages: Vec::new(),
            positions: HashMap::new(),
            cache: Box::new([(u64::MAX, 0); CACHED]),
            initial,
            period: 0,
        }
    }

    /// Outside code has run: it may have written anything.
    pub fn outside_ran(&mut self) {
        self.period += 1;
    }

    pub fn period(&self) -> u64 {
        self.period
    }

    /// These bytes are there now.
    pub fn learn(&mut self, address: u64, bytes: &[u8]) {
        let period = self.period;
        for (number, offset, part) in parts(address, bytes.len()) {
            let page = self.page(number);
            page.refresh(period);
            page.bytes[offset..offset + part.len()].copy_from_slice(&bytes[part.clone()]);
            set(&mut page.known, offset, part.len());
            set(&mut page.fresh, offset, part.len());
        }
    }

    /// Nothing is known of these bytes any more.
    pub fn forget(&mut self, address: u64, length: u64) {
        for (number, offset, part) in parts(address, length as usize) {
            clear(&mut self.page(number).known, offset, part.len());
        }
    }

    pub fn fill(&mut self, address: u64, byte: u8, length: u64) {
        let piece = [byte; PAGE];
        for (number, offset, part) in parts(address, length as usize) {
            self.learn(number * PAGE as u64 + offset as u64, &piece[..part.len()]);
        }
    }

    /// As `memmove`: what is unknown at the source is unknown at the target.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) {
        let bytes: Vec<Byte> = (0..length).map(|i| self.byte(from.wrapping_add(i))).collect();
        for (address, byte) in (0..).map(|i| to.wrapping_add(i)).zip(bytes) {
            match byte {
                Byte::Known(byte) => self.learn(address, &[byte]),
                Byte::Stale(byte) => {
                    self.learn(address, &[byte]);
                    let offset = address as usize % PAGE;
                    clear(&mut self.page(address / PAGE as u64).fresh, offset, 1);
                }
                Byte::Unknown => self.forget(address, 1),
            }
        }
    }

    fn page(&mut self, number: u64) -> &mut Page {
        let place = number as usize & (CACHED - 1);
        if self.cache[place].0 != number {
            let position = match self.positions.get(&number) {
                Some(&position) => position,
                None => {
                    let page = self.new_page(number);
                    self.pages.push(page);
                    self.positions.insert(number, self.pages.len() - 1);
                    self.pages.len() - 1
                }
            };
            self.cache[place] = (number, position);
        }
        &mut self.pages[self.cache[place].1]
    }

    /// A page begins with what global variables on it hold at the start.
    fn new_page(&self, number: u64) -> Page {
        let mut page = Page { bytes: [0; PAGE], known: [0; WORDS], fresh: [0; WORDS], fresh_since: 0 };
        let start = number.wrapping_mul(PAGE as u64);
        for offset in 0..PAGE {
            if let Some(byte) = self.initial.byte(start.wrapping_add(offset as u64)) {
                page.bytes[offset] = byte;
                set(&mut page.known, offset, 1);
                set(&mut page.fresh, offset, 1);
            }
        }
        page
    }
}

impl Bytes for Memory {
    fn byte(&self, address: u64) -> Byte {
        let (number, offset) = (address / PAGE as u64, address as usize % PAGE);
        let Some(&position) = self.positions.get(&number) else {
            return match self.initial.byte(address) {
                Some(byte) if self.period == 0 || self.initial.is_constant(address) => Byte::Known(byte),
                Some(byte) => Byte::Stale(byte),
                None => Byte::Unknown,
            };
        };
        let page = &self.pages[position];
        let bit = |set: &[u64; WORDS]| set[offset / 64] >> (offset % 64) & 1 != 0;
        if !bit(&page.known) {
            return Byte::Unknown;
        }
        let is_fresh = page.fresh_since == self.period && bit(&page.fresh);
        match page.bytes[offset] {
            byte if is_fresh || self.initial.is_constant(address) => Byte::Known(byte),
            byte => Byte::Stale(byte),
        }
    }
}

impl Page {
    fn refresh(&mut self, period: u64) {
        if self.fresh_since != period {
            self.fresh = [0; WORDS];
            self.fresh_since = period;
        }
    }
}

fn set(bits: &mut [u64; WORDS], first: usize, count: usize) {
    for_words(first, count, |word, mask| bits[word] |= mask);
}

fn clear(bits: &mut [u64; WORDS], first: usize, count: usize) {
    for_words(first, count, |word, mask| bits[word] &= !mask);
}

fn for_words(mut first: usize, count: usize, mut act: impl FnMut(usize, u64)) {
    let end = first + count;
    while first < end {
        let (word, bit) = (first / 64, first % 64);
        let here = (64 - bit).min(end - first);
        act(word, (u64::MAX >> (64 - here)) << bit);
        first += here;
    }
}

/// A range of addresses, cut at pages: number of the page, offset in it, and which bytes of the range.
fn parts(address: u64, length: usize) -> impl Iterator<Item = (u64, usize, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done >= length {
            return None;
        }
        let begin = address.wrapping_add(done as u64);
        let offset = begin as usize % PAGE;
        let end = length.min(done + PAGE - offset);
        let part = done..end;
        done = end;
        Some((begin / PAGE as u64, offset, part))
    })
}

/// Global variables as they are when the program starts, by address.
#[derive(Default)]
pub struct Initial(BTreeMap<u64, Region>);

struct Region {
    length: u64,
    contents: Contents,
    is_constant: bool,
}

enum Contents {
    Zero,
    Bytes(Vec<u8>),
}

impl Initial {
    pub fn of(sources: &Sources<'_, '_>) -> Result<Initial, ReplayError> {
        let mut regions = BTreeMap::new();
        for position in 0..sources.module_count() {
            let module = sources.image.module(position)?;
            let debug = sources.debug(position);
            let variables = module.globals.iter().zip(sources.image.addresses(position)).zip(&debug.initial);
            for (((global, &address), constant), index) in variables.zip(0..) {
                let Some(constant) = constant.as_ref().filter(|_| address != 0 && global.size > 0) else { continue };
                let contents = match constant.op {
                    program::ConstantOp::Zero => Contents::Zero,
                    _ => Contents::Bytes(sources.image.constant_bytes(position, constant)),
                };
                let is_constant = debug.constant_globals.contains(&index);
                regions.insert(address, Region { length: global.size, contents, is_constant });
            }
        }
        Ok(Initial(regions))
    }

    fn region(&self, address: u64) -> Option<(u64, &Region)> {
        let (start, region) = self.0.range(..=address).next_back()?;
        let offset = address - start;
        (offset < region.length).then_some((offset, region))
    }

    fn byte(&self, address: u64) -> Option<u8> {
        let (offset, region) = self.region(address)?;
        match &region.contents {
            Contents::Zero => Some(0),
            Contents::Bytes(bytes) => bytes.get(offset as usize).copied(),
        }
    }

    fn is_constant(&self, address: u64) -> bool {
        self.region(address).is_some_and(|(_, region)| region.is_constant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(memory: &Memory, address: u64, count: u64) -> Vec<Byte> {
        (0..count).map(|i| memory.byte(address + i)).collect()
    }

    #[test]
    fn outside_code_makes_bytes_stale_and_loads_make_them_known() {
        let mut memory = Memory::new(Initial::default());
        assert_eq!(known(&memory, 4094, 1), [Byte::Unknown]);
        memory.learn(4094, &[1, 2, 3, 4]);
        assert_eq!(known(&memory, 4093, 6)[0], Byte::Unknown);
        assert_eq!(known(&memory, 4094, 4), [1, 2, 3, 4].map(Byte::Known));
        memory.outside_ran();
        assert_eq!(known(&memory, 4094, 4), [1, 2, 3, 4].map(Byte::Stale));
        memory.learn(4095, &[2, 9]);
        assert_eq!(known(&memory, 4094, 4), [Byte::Stale(1), Byte::Known(2), Byte::Known(9), Byte::Stale(4)]);
        memory.copy(9000, 4093, 4);
        assert_eq!(known(&memory, 9000, 4), [Byte::Unknown, Byte::Stale(1), Byte::Known(2), Byte::Known(9)]);
        memory.forget(4095, 2);
        assert_eq!(known(&memory, 4095, 2), [Byte::Unknown; 2]);
    }

    /// A map of bytes is the slow twin.
    #[test]
    fn agrees_with_a_map_of_bytes() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let mut memory = Memory::new(Initial::default());
        let mut twin: HashMap<u64, (u8, u64)> = HashMap::new();
        for _ in 0..5000 {
            let address = (random() % 3) * (PAGE * CACHED) as u64 + random() % (2 * PAGE as u64);
            let length = random() % 200;
            match random() % 6 {
                0 | 1 => {
                    let bytes: Vec<u8> = (0..length).map(|_| random() as u8).collect();
                    memory.learn(address, &bytes);
                    let period = memory.period();
                    (0..length).for_each(|i| _ = twin.insert(address + i, (bytes[i as usize], period)));
                }
                2 => {
                    memory.fill(address, 7, length);
                    let period = memory.period();
                    (0..length).for_each(|i| _ = twin.insert(address + i, (7, period)));
                }
                3 => {
                    let to = address + random() % 300;
                    memory.copy(to, address, length);
                    let copied: Vec<_> = (0..length).map(|i| twin.get(&(address + i)).copied()).collect();
                    for (i, byte) in (0..).zip(copied) {
                        match byte {
                            Some(byte) => _ = twin.insert(to + i, byte),
                            None => _ = twin.remove(&(to + i)),
                        }
                    }
                }
                4 => {
                    memory.forget(address, length);
                    (0..length).for_each(|i| _ = twin.remove(&(address + i)));
                }
                _ => memory.outside_ran(),
            }
            for i in 0..300 {
                let expected = match twin.get(&(address + i)) {
                    None => Byte::Unknown,
                    Some(&(byte, period)) if period == memory.period() => Byte::Known(byte),
                    Some(&(byte, _)) => Byte::Stale(byte),
                };
                assert_eq!(memory.byte(address + i), expected);
            }
        }
    }
}
