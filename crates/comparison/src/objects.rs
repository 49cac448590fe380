//! The objects of a run that pointers may point into, followed while it is replayed.

use std::collections::{BTreeMap, HashMap};

use abi::InstructionId;
use program::{Function, FunctionKey, Op, Type};
use replay::Observed;

use super::terms::{Symbols, Terms, number};
use super::word::{Object, Word};

/// What is below is no address of anything.
const LOWEST: u64 = 1 << 16;

pub struct Objects<'a> {
    terms: Terms<'a>,
    symbols: &'a Symbols,
    /// Locals in memory, the innermost function's last: the stack grows downwards, so addresses descend.
    locals: Vec<Local>,
    frames: Vec<Frame>,
    /// How often each function is on the stack.
    running: HashMap<FunctionKey, u32>,
    blocks: BTreeMap<u64, Block>,
    /// Numbers of blocks that are gone.
    spare: Vec<u32>,
    next_block: u32,
}

struct Local {
    address: u64,
    size: u64,
    identity: u64,
}

struct Frame {
    function: FunctionKey,
    /// How often its function was on the stack before.
    below: u32,
    first_local: usize,
}

struct Block {
    size: u64,
    number: u32,
}

impl<'a> Objects<'a> {
    pub fn new(terms: Terms<'a>, symbols: &'a Symbols) -> Objects<'a> {
        Objects {
            terms,
            symbols,
            locals: Vec::new(),
            frames: Vec::new(),
            running: HashMap::new(),
            blocks: BTreeMap::new(),
            spare: Vec::new(),
            next_block: 0,
        }
    }

    pub fn enter(&mut self, function: FunctionKey) {
        let running = self.running.entry(function).or_default();
        self.frames.push(Frame { function, below: *running, first_local: self.locals.len() });
        *running += 1;
    }

    pub fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.locals.truncate(frame.first_local);
            if let Some(running) = self.running.get_mut(&frame.function) {
                *running -= 1;
            }
        }
    }

    /// Parameters that are copies in memory.
    pub fn begin(&mut self, function: &Function, step: &Observed<'_>) {
        for (position, parameter) in (0..).zip(&function.parameters).filter(|(_, p)| p.by_value) {
            if let Some(&address) = step.operand(&program::Operand::Parameter(position)).first() {
                self.add_local(address, parameter.by_value_size, number(("parameter", position)));
            }
        }
    }

    /// An alloca was executed.
    pub fn allocate_local(&mut self, step: &Observed<'_>) {
        let Op::Alloca { size, count, .. } = &step.instruction().op else { return };
        let Some(&address) = step.result().first() else { return };
        let count = step.operand(count).first().copied().unwrap_or(1);
        let identity = self.terms.local(step.function(), step.id());
        self.add_local(address, size.saturating_mul(count), identity);
    }

    fn add_local(&mut self, address: u64, size: u64, identity: u64) {
        let Some(frame) = self.frames.last() else { return };
        let identity = number((self.terms.function(frame.function), frame.below, identity));
        let mine = &self.locals[frame.first_local..];
        let place = frame.first_local + mine.partition_point(|local| local.address > address);
        let local = Local { address, size: size.max(1), identity };
        match self.locals.get_mut(place).filter(|old| old.address == address) {
            // Executed again, in a loop.
            Some(old) => *old = local,
            None => self.locals.insert(place, local),
        }
    }

    /// A number for the block that a call is about to make.
    pub fn new_block(&mut self) -> u32 {
        self.spare.pop().unwrap_or_else(|| {
            self.next_block += 1;
            self.next_block - 1
        })
    }

    /// The call made it.
    pub fn place_block(&mut self, number: u32, address: u64, size: u64) {
        if address == 0 {
            return self.spare.push(number);
        }
        let size = size.max(1);
        let end = address.saturating_add(size);
        // What lay there was freed.
        let overlapping = self.blocks.range(..end).rev().take_while(|(first, old)| **first + old.size > address);
        let gone: Vec<u64> = overlapping.map(|(first, _)| *first).collect();
        for first in gone {
            self.spare.extend(self.blocks.remove(&first).map(|old| old.number));
        }
        self.blocks.insert(address, Block { size, number });
    }

    fn find(&self, address: u64) -> Option<(Object, u64)> {
        if address < LOWEST {
            return None;
        }
        if let Some((identity, offset)) = self.symbols.find(address) {
            return Some((Object::Named(identity), offset));
        }
        if let Some((first, block)) = self.blocks.range(..=address).next_back()
            && address - first < block.size
        {
            return Some((Object::Block(block.number), address - first));
        }
        let local = self.locals.get(self.locals.partition_point(|local| local.address > address))?;
        (address - local.address < local.size).then_some((Object::Named(local.identity), address - local.address))
    }

    pub fn pointer(&self, address: u64) -> Word {
        match self.find(address) {
            Some((object, offset)) => Word::Pointer { object, offset },
            None if address < LOWEST => Word::Number(address),
            None => Word::Somewhere,
        }
    }

    fn perhaps(&self, number: u64) -> Word {
        match self.find(number) {
            Some((object, offset)) => Word::Address { number, object, offset },
            None => Word::Number(number),
        }
    }

    /// What the words of a value mean.
    pub fn words(&self, ty: &Type, words: &[u64], mut add: impl FnMut(Word)) {
        let Some(&first) = words.first() else { return };
        match ty {
            Type::Pointer => add(self.pointer(first)),
            Type::Int(64) => add(self.perhaps(first)),
            ty if ty.is_scalar64() => {
                let bits = match ty {
                    Type::Int(bits) => u64::from(*bits),
                    _ => 8 * ty.store_size(),
                };
                add(Word::Number(if bits < 64 { first & ((1 << bits) - 1) } else { first }));
            }
            _ => words.iter().for_each(|&word| add(self.perhaps(word))),
        }
    }
}

/// Whether this alloca is in memory.
pub fn is_in_memory(function: &Function, id: InstructionId) -> bool {
    use program::Storage;
    match function.instruction(id).op {
        Op::Alloca { storage, .. } => match storage {
            Storage::Local => false,
            Storage::Frame(_) | Storage::Dynamic => true,
        },
        _ => false,
    }
}
