//! Who made each byte of memory.

use std::collections::HashMap;

use execution::library_call::{Extent, Range};

/// 0 is nobody.
pub type Maker = u32;

/// Who made a byte depends on what is known of it when it is asked for.
#[derive(Clone, Copy, Default)]
pub struct Byte {
    /// If it is as instrumented code last had it.
    pub known: Maker,
    /// If it is not.
    pub surprising: Maker,
    /// If nobody compares it.
    pub unlooked: Maker,
}

impl Byte {
    /// Whatever is found there, it is this one's.
    pub fn by(maker: Maker) -> Byte {
        Byte { known: maker, surprising: maker, unlooked: maker }
    }
}

#[derive(Default)]
pub struct Bytes {
    touched: HashMap<u64, Byte>,
    /// All others.
    rest: Byte,
}

impl Bytes {
    pub fn get(&self, address: u64) -> Byte {
        self.touched.get(&address).copied().unwrap_or(self.rest)
    }

    pub fn set(&mut self, address: u64, byte: Byte) {
        self.touched.insert(address, byte);
    }

    /// Instrumented code wrote it: what is found there otherwise, somebody unseen will have made.
    pub fn store(&mut self, address: u64, length: u64, maker: Maker) {
        for byte in 0..length {
            self.set(address.wrapping_add(byte), Byte { known: maker, surprising: 0, unlooked: maker });
        }
    }

    /// A load found a byte as instrumented code had it, or not.
    pub fn load(&mut self, address: u64, is_surprise: bool) -> Maker {
        let byte = self.get(address);
        let maker = if is_surprise { byte.surprising } else { byte.known };
        self.store(address, 1, maker);
        maker
    }

    /// Outside code wrote it, or may have.
    pub fn write(&mut self, range: Range, maker: Maker) {
        if range.address == 0 && range.length == u64::MAX {
            self.change_everything(maker);
            return;
        }
        for byte in 0..range.length {
            let address = range.address.wrapping_add(byte);
            let before = self.get(address);
            let after = match range.extent {
                Extent::Whole => Byte::by(maker),
                Extent::Text if byte == 0 => Byte::by(maker),
                Extent::Text => Byte { known: before.known, ..Byte::by(maker) },
                Extent::Part => Byte { surprising: maker, ..before },
            };
            self.set(address, after);
        }
    }

    /// Outside code may have written anything.
    pub fn change_everything(&mut self, maker: Maker) {
        for byte in self.touched.values_mut() {
            byte.surprising = maker;
        }
        self.rest.surprising = maker;
    }
}
