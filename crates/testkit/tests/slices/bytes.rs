//! Who made each byte of memory, and when.

use std::collections::HashMap;

use execution::library_call::{Extent, Range};

/// 0 is nobody.
pub type Maker = u32;

#[derive(Clone, Copy, Default)]
pub struct Origin {
    pub maker: Maker,
    /// How many steps there had been.
    pub since: u32,
}

/// Who made a byte depends on what is known of it when it is asked for.
#[derive(Clone, Copy, Default)]
pub struct Byte {
    /// If it is as instrumented code last had it.
    pub known: Origin,
    /// If it is not.
    pub surprising: Origin,
    /// If nobody compares it.
    pub unlooked: Origin,
}

impl Byte {
    /// Whatever is found there, it is this one's.
    pub fn by(origin: Origin) -> Byte {
        Byte { known: origin, surprising: origin, unlooked: origin }
    }

    /// Instrumented code has it so now: what is found there otherwise, somebody unseen will have made since.
    fn had(origin: Origin, now: u32) -> Byte {
        Byte { known: origin, surprising: Origin { maker: 0, since: now }, unlooked: origin }
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

    /// Instrumented code wrote it.
    pub fn store(&mut self, address: u64, length: u64, origin: Origin) {
        for byte in 0..length {
            self.set(address.wrapping_add(byte), Byte::had(origin, origin.since));
        }
    }

    /// A load found a byte as instrumented code had it, or not.
    pub fn load(&mut self, address: u64, is_surprise: bool, now: u32) -> Origin {
        let byte = self.get(address);
        let origin = if is_surprise { byte.surprising } else { byte.known };
        self.set(address, Byte::had(origin, now));
        origin
    }

    /// Outside code wrote it, or may have.
    pub fn write(&mut self, range: Range, origin: Origin) {
        if range.address == 0 && range.length == u64::MAX {
            self.change_everything(origin);
            return;
        }
        for byte in 0..range.length {
            let address = range.address.wrapping_add(byte);
            let before = self.get(address);
            let after = match range.extent {
                Extent::Whole => Byte::by(origin),
                Extent::Text if byte == 0 => Byte::by(origin),
                Extent::Text => Byte { known: before.known, ..Byte::by(origin) },
                Extent::Part => Byte { surprising: origin, ..before },
            };
            self.set(address, after);
        }
    }

    /// Outside code may have written anything.
    pub fn change_everything(&mut self, origin: Origin) {
        for byte in self.touched.values_mut() {
            byte.surprising = origin;
        }
        self.rest.surprising = origin;
    }
}
