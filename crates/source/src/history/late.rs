//! Values that a later load completes.
//!
//! A turn whose value has unknown or stale bytes stays open: a load that comes before any store to such a byte, and
//! before outside code runs again, shows what was there at the turn. It is then read again, in memory as it was.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};

use program::{CallKind, OpEffect, Operand};
use replay::Observed;

use super::{Question, Turn};
use crate::state::{Byte, Bytes, Frame, Memory, State};

/// More turns than these are not kept open; the oldest are given up.
const MOST_OPEN: usize = 64;
/// Nor is a turn after which so many bytes were written.
const MOST_LOST: usize = 1 << 16;

/// Notes what is asked for.
pub(super) struct Listening<'a> {
    memory: &'a Memory,
    asked: RefCell<HashMap<u64, Byte>>,
}

impl<'a> Listening<'a> {
    pub fn new(memory: &'a Memory) -> Listening<'a> {
        Listening { memory, asked: RefCell::default() }
    }

    pub fn asked(self) -> HashMap<u64, Byte> {
        self.asked.into_inner()
    }
}

impl Bytes for Listening<'_> {
    fn byte(&self, address: u64) -> Byte {
        let byte = self.memory.byte(address);
        self.asked.borrow_mut().insert(address, byte);
        byte
    }
}

/// Memory as it was at a turn, as far as it was asked for then or shown since.
struct Then<'a> {
    known: &'a HashMap<u64, Byte>,
    missed: RefCell<HashSet<u64>>,
}

impl Bytes for Then<'_> {
    fn byte(&self, address: u64) -> Byte {
        match self.known.get(&address).copied().unwrap_or(Byte::Unknown) {
            Byte::Known(byte) => Byte::Known(byte),
            other => {
                self.missed.borrow_mut().insert(address);
                other
            }
        }
    }
}

/// A turn with bytes that a later load may still show.
struct OpenTurn {
    /// Position in the history.
    turn: usize,
    watched: usize,
    frame: Frame,
    known: HashMap<u64, Byte>,
    wanted: HashSet<u64>,
    /// Written since, so that what is loaded there is newer.
    lost: HashSet<u64>,
}

#[derive(Default)]
pub(super) struct OpenTurns(VecDeque<OpenTurn>);

impl OpenTurns {
    /// Keeps a turn open if its value, which was read from these bytes, is not certain.
    pub fn add(&mut self, turn: usize, watched: usize, frame: &Frame, known: HashMap<u64, Byte>) {
        self.0.retain(|open| open.turn != turn);
        let uncertain = known.iter().filter(|(_, byte)| !matches!(byte, Byte::Known(_)));
        let wanted: HashSet<u64> = uncertain.map(|(address, _)| *address).collect();
        if wanted.is_empty() {
            return;
        }
        if self.0.len() == MOST_OPEN {
            self.0.pop_front();
        }
        self.0.push_back(OpenTurn { turn, watched, frame: frame.clone(), known, wanted, lost: HashSet::new() });
    }

    /// Outside code has run: what is loaded from now on may be new.
    pub fn close(&mut self) {
        self.0.clear();
    }

    /// A step was executed.
    pub fn follow(&mut self, step: &Observed<'_>, question: &Question<'_>, state: &State, turns: &mut [Turn]) {
        if self.0.is_empty() {
            return;
        }
        match step.instruction().op.effect() {
            OpEffect::Loads { address, local: None } => {
                let Some(&address) = step.operand(address).first() else { return };
                let size = step.instruction().ty.store_size() as usize;
                let bytes = step.result().iter().flat_map(|w| w.to_le_bytes()).take(size);
                let bytes: Vec<(u64, u8)> = (0..).map(|i| address.wrapping_add(i)).zip(bytes).collect();
                for open in &mut self.0 {
                    if open.is_shown(&bytes)
                        && let Some(turn) = turns.get_mut(open.turn)
                    {
                        open.read_again(question, state, turn);
                    }
                }
            }
            OpEffect::Stores { value_type, address, local: None, .. }
            | OpEffect::Modifies { value_type, address, .. }
            | OpEffect::Exchanges { value_type, address, .. } => {
                self.written(step, address, value_type.store_size());
            }
            OpEffect::Calls(call) if call.kind == CallKind::Memory => {
                let length = call.arguments.get(2).and_then(|l| step.operand(l).first()).copied().unwrap_or(0);
                if let Some(to) = call.arguments.first() {
                    self.written(step, to, length);
                }
            }
            OpEffect::Loads { local: Some(_), .. } | OpEffect::Stores { local: Some(_), .. } => {}
            OpEffect::Nothing | OpEffect::Allocates { .. } | OpEffect::Calls(_) => {}
        }
    }

    fn written(&mut self, step: &Observed<'_>, address: &Operand, length: u64) {
        let Some(&address) = step.operand(address).first() else { return };
        if length >= MOST_LOST as u64 {
            return self.close();
        }
        for open in &mut self.0 {
            open.wanted.retain(|wanted| wanted.wrapping_sub(address) >= length);
            open.lost.extend((0..length).map(|i| address.wrapping_add(i)));
        }
        self.0.retain(|open| open.lost.len() < MOST_LOST && !open.wanted.is_empty());
    }
}

impl OpenTurn {
    /// Takes in what a load shows; whether any of it was wanted.
    fn is_shown(&mut self, bytes: &[(u64, u8)]) -> bool {
        let mut is_new = false;
        for (address, byte) in bytes {
            if self.wanted.remove(address) {
                self.known.insert(*address, Byte::Known(*byte));
                is_new = true;
            }
        }
        is_new
    }

    fn read_again(&mut self, question: &Question<'_>, state: &State, turn: &mut Turn) {
        let then = Then { known: &self.known, missed: RefCell::default() };
        turn.value = question.value(self.watched, &self.frame, &then, state);
        // A pointer that has become known leads to bytes nobody asked for before.
        let missed = then.missed.into_inner();
        self.wanted = missed.into_iter().filter(|address| !self.lost.contains(address)).collect();
    }
}
