//! What the registers of the functions on the stack hold, where that is symbolic.

use std::rc::Rc;

use execution::Register;
use smt::Term;

use super::memory::Cell;

/// What a register holds that depends on a symbol.
#[derive(Clone, PartialEq, Debug)]
pub enum Held {
    /// An integer, a pointer, or the bits of a float.
    Term(Term),
    /// A structure, as the bytes of its memory image.
    Bytes(Rc<[Option<Cell>]>),
}

/// One stack for the registers of all functions. A function has a part of it only once one of its registers is symbolic.
#[derive(Default)]
pub struct Registers {
    stack: Vec<Option<Held>>,
}

/// The registers of one function on the stack.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    base: usize,
    /// How many of them are symbolic.
    pub live: u32,
    has_room: bool,
}

impl Part {
    /// Of a function that is entered.
    pub fn empty() -> Part {
        Part { base: 0, live: 0, has_room: false }
    }
}

impl Registers {
    #[inline]
    pub fn get(&self, part: &Part, register: Register) -> Option<&Held> {
        if part.live == 0 {
            return None;
        }
        self.stack[part.base + register.0 as usize].as_ref()
    }

    /// Of the topmost function that has a part, or that gets one: one with `count` registers.
    pub fn set(&mut self, part: &mut Part, count: usize, register: Register, held: Option<Held>) {
        if !part.has_room {
            if held.is_none() {
                return;
            }
            *part = Part { base: self.stack.len(), live: 0, has_room: true };
            self.stack.resize(part.base + count, None);
        }
        let place = &mut self.stack[part.base + register.0 as usize];
        part.live = part.live + u32::from(held.is_some()) - u32::from(place.is_some());
        *place = held;
    }

    /// The function is left.
    pub fn leave(&mut self, part: &Part) {
        if part.has_room {
            self.stack.truncate(part.base);
        }
    }
}
