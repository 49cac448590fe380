//! The shadow of the program's memory, as the recorder kept it (`abi`'s `watch` module): what instrumented code last
//! stored or loaded at each address; zero where it never did.
//!
//! Pages are shared between checkpoints and copied when written. A small cache in front finds most pages at once.

use std::collections::HashMap;
use std::sync::Arc;

const PAGE: usize = 4096;
const SHIFT: u32 = PAGE.trailing_zeros();
/// Pages the cache holds, each at the place its number gives.
const CACHED: usize = 1024;
/// A page number no address has.
const NO_PAGE: u64 = u64::MAX;

type Page = [u8; PAGE];

#[derive(Clone, Copy)]
struct Cached {
    page: u64,
    bytes: *mut u8,
}

const EMPTY: Cached = Cached { page: NO_PAGE, bytes: std::ptr::null_mut() };

pub struct Memory {
    pages: HashMap<u64, Arc<Page>>,
    /// Pages that are ours alone and may be written through the pointer.
    cache: Box<[Cached; CACHED]>,
}

/// Memory as it was at a checkpoint.
#[derive(Clone, Default)]
pub struct Snapshot(HashMap<u64, Arc<Page>>);

impl Default for Memory {
    fn default() -> Memory {
        Memory { pages: HashMap::new(), cache: Box::new([EMPTY; CACHED]) }
    }
}

impl Memory {
    pub fn from_snapshot(snapshot: &Snapshot) -> Memory {
        Memory { pages: snapshot.0.clone(), cache: Box::new([EMPTY; CACHED]) }
    }

    /// Shares all pages with the snapshot; whoever writes one next copies it.
    pub fn snapshot(&mut self) -> Snapshot {
        self.cache.fill(EMPTY);
        Snapshot(self.pages.clone())
    }

    #[inline(always)]
    pub fn load<const N: usize>(&mut self, address: u64) -> [u8; N] {
        let page = address >> SHIFT;
        let offset = (address as usize) & (PAGE - 1);
        let cached = self.cache[page as usize & (CACHED - 1)];
        if cached.page == page && offset + N <= PAGE {
            // SAFETY: a cached page is alive and unshared as long as it stands in the cache.
            unsafe { cached.bytes.add(offset).cast::<[u8; N]>().read() }
        } else {
            let mut bytes = [0; N];
            self.load_slowly(address, &mut bytes);
            bytes
        }
    }

    #[inline(always)]
    pub fn store<const N: usize>(&mut self, address: u64, bytes: [u8; N]) {
        let page = address >> SHIFT;
        let offset = (address as usize) & (PAGE - 1);
        let cached = self.cache[page as usize & (CACHED - 1)];
        if cached.page == page && offset + N <= PAGE {
            // SAFETY: as above.
            unsafe { cached.bytes.add(offset).cast::<[u8; N]>().write(bytes) }
        } else {
            self.store_slowly(address, &bytes);
        }
    }

    /// One byte, without a trace in the cache.
    pub fn byte(&self, address: u64) -> u8 {
        self.pages.get(&(address >> SHIFT)).map_or(0, |page| page[address as usize & (PAGE - 1)])
    }

    #[cold]
    fn load_slowly(&mut self, address: u64, out: &mut [u8]) {
        for (address, part) in parts(address, out.len()) {
            // Reading alone makes no page; but one that exists joins the cache.
            if self.pages.contains_key(&(address >> SHIFT)) {
                let bytes = self.page(address >> SHIFT);
                let offset = address as usize & (PAGE - 1);
                out[part.clone()].copy_from_slice(&bytes[offset..offset + part.len()]);
            } else {
                out[part].fill(0);
            }
        }
    }

    #[cold]
    fn store_slowly(&mut self, address: u64, bytes: &[u8]) {
        for (address, part) in parts(address, bytes.len()) {
            let page = self.page(address >> SHIFT);
            let offset = address as usize & (PAGE - 1);
            page[offset..offset + part.len()].copy_from_slice(&bytes[part]);
        }
    }

    /// The page, ours alone, and in the cache.
    fn page(&mut self, number: u64) -> &mut Page {
        let page = Arc::make_mut(self.pages.entry(number).or_insert_with(|| Arc::new([0; PAGE])));
        self.cache[number as usize & (CACHED - 1)] = Cached { page: number, bytes: page.as_mut_ptr() };
        page
    }

    pub fn write(&mut self, address: u64, bytes: &[u8]) {
        self.store_slowly(address, bytes);
    }

    pub fn fill(&mut self, address: u64, byte: u8, length: u64) {
        for (address, part) in parts(address, length as usize) {
            let number = address >> SHIFT;
            if byte == 0 && !self.pages.contains_key(&number) {
                continue;
            }
            let offset = address as usize & (PAGE - 1);
            self.page(number)[offset..offset + part.len()].fill(byte);
        }
    }

    /// Copies as `memmove` does.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) {
        let mut bytes = vec![0; length as usize];
        self.load_slowly(from, &mut bytes);
        self.store_slowly(to, &bytes);
    }
}

/// A range of addresses, cut at pages: where each part begins, and which bytes it is.
fn parts(address: u64, length: usize) -> impl Iterator<Item = (u64, std::ops::Range<usize>)> {
    let mut done = 0;
    std::iter::from_fn(move || {
        if done >= length {
            return None;
        }
        let begin = address.wrapping_add(done as u64);
        let room = PAGE - (begin as usize & (PAGE - 1));
        let end = length.min(done + room);
        let part = done..end;
        done = end;
        Some((begin, part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: one byte at a time, in a map.
    #[derive(Default)]
    struct Bytes(HashMap<u64, u8>);

    impl Bytes {
        fn get(&self, address: u64) -> u8 {
            self.0.get(&address).copied().unwrap_or(0)
        }
    }

    #[test]
    fn agrees_with_a_map_of_bytes() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let (mut memory, mut bytes) = (Memory::default(), Bytes::default());
        let mut snapshots: Vec<(Snapshot, HashMap<u64, u8>)> = Vec::new();
        for _ in 0..20_000 {
            // Few pages, some of which share a place in the cache.
            let address = (random() % 4) * (PAGE as u64 * CACHED as u64) + random() % (3 * PAGE as u64);
            match random() % 8 {
                0 | 1 => {
                    let value = random().to_le_bytes();
                    memory.store(address, value);
                    (0..8).for_each(|i| _ = bytes.0.insert(address + i, value[i as usize]));
                }
                2 => {
                    memory.store(address, [random() as u8]);
                    let value = memory.load::<1>(address)[0];
                    bytes.0.insert(address, value);
                }
                3 => {
                    let (to, length) = (address + random() % 64, random() % 9000);
                    memory.copy(to, address, length);
                    let copied: Vec<u8> = (0..length).map(|i| bytes.get(address + i)).collect();
                    (0..length).for_each(|i| _ = bytes.0.insert(to + i, copied[i as usize]));
                }
                4 => {
                    let (byte, length) = ((random() % 2) as u8, random() % 5000);
                    memory.fill(address, byte, length);
                    (0..length).for_each(|i| _ = bytes.0.insert(address + i, byte));
                }
                5 if snapshots.len() < 8 => snapshots.push((memory.snapshot(), bytes.0.clone())),
                _ => {
                    let loaded = memory.load::<8>(address);
                    let expected: Vec<u8> = (0..8).map(|i| bytes.get(address + i)).collect();
                    assert_eq!(loaded[..], expected[..], "at {address:#x}");
                }
            }
        }
        for (snapshot, expected) in snapshots {
            let mut memory = Memory::from_snapshot(&snapshot);
            for (address, byte) in expected {
                assert_eq!(memory.load::<1>(address)[0], byte, "snapshot at {address:#x}");
            }
        }
    }
}
