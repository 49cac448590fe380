//! Loads, stores and copies.

use program::{Op, Operand, Type};
use replay::Observed;
use smt::{TableId, Term};

use super::Shadow;
use super::memory::{Cell, assemble};
use super::registers::Held;
use super::step::{number, scalar};
use crate::lost::Reason;
use crate::path::{Kind, Other, Way};

/// The entries of a variable, of so many bytes, with such a distance from one to the next.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Spaced {
    begin: u64,
    /// Where the first entry is.
    phase: u64,
    stride: u64,
    size: u64,
}

/// A table of them.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    count: u64,
    table: TableId,
}

impl Shadow<'_> {
    pub(super) fn load(&mut self, step: &Observed<'_>, size: u64) {
        let Op::Load { address: operand, .. } = &step.instruction().op else { return };
        let address = number(step.operand(operand)) as u64;
        if size == 8 && !self.awaited.is_empty() {
            self.arrive(address, step.result().first().copied().unwrap_or(0));
        }
        let ty = &step.instruction().ty;
        if let Some(term) = self.symbolic(step, operand) {
            match self.look_up(step, operand, term, address, size) {
                Some(entry) => {
                    let held = scalar(ty).map(|of| Held::Term(self.domain.part(entry, 0, of.width())));
                    self.set_result(step.id(), held);
                    return self.compare(step);
                }
                None => self.pin(step, term, Reason::PinnedLoad),
            }
        }
        let held = self.take(step, ty, address, size);
        self.set_result(step.id(), held);
        self.compare(step);
    }

    /// What lies in memory, compared with what the run has found there.
    fn take(&mut self, step: &Observed<'_>, ty: &Type, address: u64, size: u64) -> Option<Held> {
        if size == 0 || !self.memory.may_have_range(address, size) {
            return None;
        }
        let words = step.result();
        let byte = |at: usize| words.get(at / 8).map_or(0, |word| (word >> (8 * (at % 8))) as u8);
        let mut few = [None; 16];
        let mut many = Vec::new();
        let cells = match few.get_mut(..size as usize) {
            Some(few) => few,
            None => {
                many.resize(size as usize, None);
                &mut many[..]
            }
        };
        self.memory.read(address, cells);
        if cells.iter().all(Option::is_none) {
            return None;
        }
        for (at, cell) in cells.iter_mut().enumerate() {
            // Somebody else has written there since.
            if cell.is_some_and(|cell| cell.value(&self.domain) != byte(at)) {
                *cell = None;
                self.memory.set(address.wrapping_add(at as u64), None);
            }
        }
        match scalar(ty) {
            Some(of) => {
                let all = assemble(&self.domain, cells, byte)?;
                Some(Held::Term(self.domain.part(all, 0, of.width())))
            }
            None => cells.iter().any(Option::is_some).then(|| Held::Bytes((&*cells).into())),
        }
    }

    /// An entry of a table that an index chooses: possible where the table is constant and not too long.
    fn look_up(
        &mut self,
        step: &Observed<'_>,
        operand: &Operand,
        address: Term,
        concrete: u64,
        size: u64,
    ) -> Option<Term> {
        if size > 16 {
            return None;
        }
        let (begin, _) = self.functions.variable_at(concrete)?;
        // The distance from one entry to the next, as far as the instruction that made the address tells.
        let stride = stride(step, operand).unwrap_or(1);
        let spaced = Spaced { begin, phase: (concrete - begin) % stride, stride, size };
        let kept = match self.tables.get(&spaced) {
            Some(kept) => *kept,
            None => {
                let kept = self.keep_table(&spaced);
                self.tables.insert(spaced, kept);
                kept
            }
        };
        let Kept { count, table } = kept?;
        let first = begin + spaced.phase;
        if (concrete - first) / stride >= count {
            return None;
        }
        let (index, is_within) = self.domain.with(|terms| {
            let start = terms.constant(64, first.into());
            let offset = terms.subtract(address, start);
            let stride = terms.constant(64, stride.into());
            let index = terms.divide_unsigned(offset, stride);
            let count = terms.constant(64, count.into());
            (index, terms.less_unsigned(index, count))
        });
        let beyond = self.domain.with(|terms| terms.not(is_within));
        let others = vec![Other { holds: beyond, way: Way::Elsewhere }];
        self.condition(step.step(), Kind::Bound, is_within, Way::Elsewhere, others);
        Some(self.domain.with(|terms| terms.entry_of(index, table, 8 * size as u32)))
    }

    /// None: what is there is not constant, or is too long.
    fn keep_table(&self, spaced: &Spaced) -> Option<Kept> {
        let Spaced { begin, phase, stride, size } = *spaced;
        let table = self.functions.table(begin + phase)?;
        let count = (table.bytes.len() as u64).checked_sub(phase + size)? / stride + 1;
        if count > self.limits.entries {
            return None;
        }
        let entry = |at: u64| {
            let from = (phase + at * stride) as usize;
            let bytes = &table.bytes[from..from + size as usize];
            bytes.iter().rev().fold(0_u128, |all, byte| all << 8 | u128::from(*byte))
        };
        let entries: Vec<u128> = (0..count).map(entry).collect();
        let table = self.domain.with(|terms| terms.keep_table(&entries, 8 * size as u32));
        Some(Kept { count, table })
    }

    pub(super) fn store(&mut self, step: &Observed<'_>, size: u64) {
        let Op::Store { value, address, .. } = &step.instruction().op else { return };
        if let Some(term) = self.symbolic(step, address) {
            self.pin(step, term, Reason::PinnedStore);
        }
        let held = self.held_as_it_went_on(step, value);
        self.put(number(step.operand(address)) as u64, size, held);
    }

    /// Memory holds this from now on.
    pub(super) fn put(&mut self, address: u64, size: u64, held: Option<Held>) {
        match held {
            None => self.memory.clear(address, size),
            Some(Held::Term(term)) => {
                let whole = self.domain.with(|terms| terms.zero_extend(term, 8 * size as u32));
                self.memory.store(address, size, whole);
            }
            Some(Held::Bytes(cells)) => {
                for (at, cell) in (0..size).zip(cells.iter()) {
                    self.memory.set(address.wrapping_add(at), *cell);
                }
            }
        }
    }

    /// `memcpy`, `memmove` and `memset` as the compiler calls them.
    pub(super) fn memory_intrinsic(&mut self, step: &Observed<'_>, fills: bool) {
        let Op::Call(call) = &step.instruction().op else { return };
        let [to, from, length, ..] = &call.arguments[..] else { return };
        let reasons = [Reason::PinnedStore, Reason::PinnedLoad, Reason::PinnedSize];
        for (at, (operand, reason)) in [to, from, length].into_iter().zip(reasons).enumerate() {
            let is_byte = fills && at == 1;
            if !is_byte && let Some(term) = self.symbolic(step, operand) {
                self.pin(step, term, reason);
            }
        }
        let word = |operand: &Operand| number(step.operand(operand)) as u64;
        let (to, length) = (word(to), word(length));
        if !fills {
            self.lists.copied(to, word(from), length);
            return self.memory.copy(to, word(from), length);
        }
        match self.symbolic(step, from) {
            Some(byte) if length <= self.limits.bytes => {
                for at in 0..length {
                    self.memory.set(to.wrapping_add(at), Some(Cell { whole: byte, part: 0 }));
                }
            }
            _ => self.memory.clear(to, length),
        }
    }

    /// What was there is the result; what is there afterwards is taken as the run has it.
    pub(super) fn atomic(&mut self, step: &Observed<'_>, size: u64) {
        let (Op::ReadModifyWrite { address, value, .. } | Op::CompareExchange { address, replacement: value, .. }) =
            &step.instruction().op
        else {
            return;
        };
        let is_exchange = matches!(step.instruction().op, Op::CompareExchange { .. });
        let at = number(step.operand(address)) as u64;
        if let Some(term) = self.symbolic(step, address) {
            self.pin(step, term, Reason::PinnedStore);
        }
        let held = if is_exchange { None } else { self.take(step, &step.instruction().ty, at, size) };
        if held.is_some() || self.symbolic(step, value).is_some() || self.memory.may_have_range(at, size) {
            self.note_lost(step.site(), Reason::Atomic);
        }
        self.memory.clear(at, size);
        self.set_result(step.id(), held);
        self.compare(step);
    }

    /// A pointer was loaded from where input was awaited: what it points to is input.
    fn arrive(&mut self, at: u64, pointer: u64) {
        let Some(cells) = self.awaited.remove(&at).filter(|_| pointer != 0) else { return };
        for (cell, address) in cells.into_iter().zip(pointer..) {
            self.memory.set(address, cell.filter(|cell| !self.domain.is_constant(cell.whole)));
        }
    }

    /// As soon as it is known where this pointer points to, these bytes of an input are there.
    pub(super) fn await_input(&mut self, pointer: u64, input: usize, first: u64, length: u64) {
        let cells = (first..first + length).map_while(|at| {
            let byte = self.symbols.byte(&self.domain, input, at)?;
            Some(Some(Cell { whole: byte, part: 0 }))
        });
        let cells = cells.collect();
        self.awaited.insert(pointer, cells);
    }

    /// This memory holds these bytes of an input.
    pub(super) fn bind(&mut self, address: u64, input: usize, first: u64, length: u64) {
        for at in 0..length {
            let byte = self.symbols.byte(&self.domain, input, first + at);
            self.memory.set(address.wrapping_add(at), byte.map(|whole| Cell { whole, part: 0 }));
            if byte.is_none() {
                break;
            }
        }
    }
}

/// The distance of the entries that an address may be that of.
fn stride(step: &Observed<'_>, address: &Operand) -> Option<u64> {
    let Operand::Result(id) = address else { return None };
    let Op::ElementPointer { base, indices, .. } = &step.function().instruction(*id).op else { return None };
    // What is symbolic may also be the base, of which nothing is known.
    let of_base = match base {
        Operand::Constant(_) => 0,
        Operand::Parameter(_) | Operand::Result(_) => stride_of_base(step, base),
    };
    let all = indices.iter().fold(of_base, |all, index| gcd(all, index.stride));
    (all > 0).then_some(all)
}

/// Of a base that is itself such an address; 1 if anything is possible.
fn stride_of_base(step: &Observed<'_>, base: &Operand) -> u64 {
    let Operand::Result(id) = base else { return 1 };
    match &step.function().instruction(*id).op {
        Op::ElementPointer { .. } => stride(step, base).unwrap_or(0),
        // A pointer that was loaded is taken not to be symbolic itself; if it is, the index of a table is still exact where
        // its entries are as far apart as that of the index.
        Op::Load { .. } => 0,
        _ => 1,
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
