//! The arena of terms. A term is kept once, however often it is made, with its value under the seed and the set of symbols
//! it depends on. Terms are never removed, and a term is made of older ones, so an arena holds no cycles.
//!
//! An arena has a limit in bytes. When it is reached, an operation returns the constant that its result is under the seed:
//! what is said of it from then on holds for inputs that leave it at that. This is counted.

use std::borrow::Cow;
use std::fmt;
use std::num::NonZeroU32;

use hashbrown::HashTable;

use crate::bounds::Lately;
use crate::hash::{self, Map};
use crate::operation::{self, Operation, WIDEST, ones, sign_extended};
use crate::symbols::{Set, Sets, Symbol};

/// A run of 1 to 128 bits. A truth value is a term of one bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term(NonZeroU32);

impl Term {
    /// Older terms have lower places.
    #[inline]
    pub(crate) fn place(self) -> usize {
        self.0.get() as usize
    }

    #[inline]
    fn word(self) -> u32 {
        self.0.get()
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What a term is. Two terms of one shape are one term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    pub operation: Operation,
    width: u8,
    arguments: Arguments,
}

/// Up to four places or numbers of 32 bits each, terms first; those of a constant are its bits. Kept as words, which the
/// processor can read as soon as they are written; two halves that are written apart it could not read as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Arguments([u64; 2]);

impl Arguments {
    #[inline]
    fn new([a, b, c]: [u32; 3]) -> Arguments {
        Arguments([u64::from(a) | u64::from(b) << 32, c.into()])
    }

    #[inline]
    fn of_constant(value: u128) -> Arguments {
        Arguments([value as u64, (value >> 64) as u64])
    }

    #[inline]
    fn constant(self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }

    #[inline]
    fn each(self) -> [u32; 3] {
        [self.0[0] as u32, (self.0[0] >> 32) as u32, self.0[1] as u32]
    }
}

/// 32 bytes; the table that finds them again takes some 8 more for each.
#[derive(Clone, Copy)]
struct Stored {
    operation: Operation,
    width: u8,
    greatest: AtMost,
    arguments: Arguments,
    symbols: Set,
    /// Under the seed. Of more than 64 bits: where it stands in `Terms::wide`.
    value: u64,
}

impl Stored {
    #[inline]
    fn shape(&self) -> Shape {
        Shape { operation: self.operation, width: self.width, arguments: self.arguments }
    }
}

/// A number, rounded up to nine digits.
#[derive(Clone, Copy)]
struct AtMost {
    digits: u16,
}

const DIGITS: u32 = 9;

impl AtMost {
    /// What so many bits can be, by their number.
    const OF_WIDTH: [AtMost; WIDEST as usize + 1] = {
        let mut all = [AtMost { digits: 0 }; WIDEST as usize + 1];
        let mut width = 1;
        while width <= WIDEST {
            all[width as usize] = AtMost::new(ones(width));
            width += 1;
        }
        all
    };

    const fn new(number: u128) -> AtMost {
        let shifted = (u128::BITS - number.leading_zeros()).saturating_sub(DIGITS);
        let rounded = (number >> shifted) as u16 + (number & ones(shifted) != 0) as u16;
        // What is rounded up to a digit more is so again by shifting.
        let carried = (rounded >> DIGITS) as u32;
        AtMost { digits: (rounded >> carried) | ((shifted + carried) << DIGITS) as u16 }
    }

    #[inline]
    fn number(self) -> u128 {
        let (digits, shifted) = (u128::from(self.digits & 0x1ff), u32::from(self.digits >> DIGITS));
        if digits.leading_zeros() < shifted { u128::MAX } else { digits << shifted }
    }
}

/// What a term is made of, for those who look into it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    Constant(u128),
    Symbol(Symbol),
    Binary(Operation, Term, Term),
    Not(Term),
    Concat(Term, Term),
    /// The lowest bit that is taken.
    Extract(Term, u32),
    ZeroExtend(Term),
    SignExtend(Term),
    Choose(Term, Term, Term),
    Table(Term, TableId),
}

/// A constant table of an arena, kept once however often it is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(u32);

/// What simplifying one operation may still cost: one rule may make several terms, each of which is simplified, too.
#[derive(Default)]
pub(crate) struct Effort {
    pub depth: u32,
    pub left: u32,
    /// What operations were simplified to lately, by hash. A rule that reaches deep, and is applied after each step of a
    /// long computation, finds here what it did a step before.
    recent: Vec<Option<(Shape, Term)>>,
}

const MOST_RECENT: usize = 1 << 11;

impl Effort {
    pub fn recent(&self, shape: &Shape) -> Option<Term> {
        let (known, term) = self.recent.get(slot(shape))?.as_ref()?;
        (known == shape).then_some(*term)
    }

    pub fn remember(&mut self, shape: Shape, term: Term) {
        if self.recent.is_empty() {
            self.recent.resize(MOST_RECENT, None);
        }
        self.recent[slot(&shape)] = Some((shape, term));
    }
}

fn slot(shape: &Shape) -> usize {
    (hash_of(shape) >> 32) as usize % MOST_RECENT
}

/// A table's entries, and what can be said of all of them.
struct Table {
    entries: Box<[u128]>,
    summary: Summary,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Summary {
    /// Bits that all entries have, and those that any has.
    pub every: u128,
    pub any: u128,
    pub least: u128,
    pub greatest: u128,
}

/// There is room for so many terms from the beginning: runs of any interest have them, and room that is not used costs nothing.
const FIRST: usize = 1 << 15;

/// All terms of a run.
pub struct Terms {
    stored: Vec<Stored>,
    by_shape: HashTable<u32>,
    wide: Vec<u128>,
    pub(crate) symbol_terms: Vec<Term>,
    sets: Sets,
    tables: Vec<Table>,
    table_ids: HashTable<TableId>,
    /// Tables of some bits of the entries of others: the lowest bit, and how many.
    parts: Map<(TableId, u32, u32), TableId>,
    /// Entries of all tables.
    entries: usize,
    limit: usize,
    /// The limit was reached. Terms are never removed, so this is found out where something is added.
    is_full: bool,
    concretised: u64,
    pub(crate) effort: Effort,
    pub(crate) lately: Lately,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// An arena of a gigabyte at most.
    pub fn new() -> Terms {
        Terms::with_limit(1 << 30)
    }

    /// An arena that may take so many bytes, roughly.
    pub fn with_limit(bytes: usize) -> Terms {
        let unused = Stored {
            operation: Operation::Constant,
            width: 0,
            greatest: AtMost::new(0),
            arguments: Arguments([0; 2]),
            symbols: Set::EMPTY,
            value: 0,
        };
        Terms {
            // The place 0 is nobody's, so that `Option<Term>` takes no more than a term.
            stored: {
                let mut stored = Vec::with_capacity(FIRST);
                stored.push(unused);
                stored
            },
            by_shape: HashTable::with_capacity(FIRST),
            wide: Vec::new(),
            symbol_terms: Vec::new(),
            sets: Sets::new(),
            tables: Vec::new(),
            table_ids: HashTable::new(),
            parts: Map::default(),
            entries: 0,
            // Places have 32 bits.
            limit: bytes.min(1 << 36),
            is_full: bytes <= size_of::<Stored>() + 16,
            concretised: 0,
            effort: Effort::default(),
            lately: Lately::default(),
        }
    }

    /// How many terms there are.
    pub fn count(&self) -> usize {
        self.stored.len() - 1
    }

    /// Roughly what is allocated.
    pub fn bytes(&self) -> usize {
        // A half of the room that a table or a list has may be unused.
        (size_of::<Stored>() + 16) * self.stored.len()
            + 16 * self.wide.len()
            + 16 * self.entries
            + 4 * self.symbol_terms.len()
            + self.sets.bytes()
    }

    /// No further terms are made, but for constants and symbols: operations return what their results are under the seed.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// How many operations returned a constant because the arena was full.
    pub fn concretised(&self) -> u64 {
        self.concretised
    }

    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        self.stored[term.place()].width.into()
    }

    /// Under the seed.
    #[inline]
    pub fn value(&self, term: Term) -> u128 {
        let stored = &self.stored[term.place()];
        if stored.width <= 64 { stored.value.into() } else { self.wide[stored.value as usize] }
    }

    /// Does a constraint hold under the seed?
    #[inline]
    pub fn holds(&self, constraint: Term) -> bool {
        self.value(constraint) == 1
    }

    #[inline]
    pub fn as_constant(&self, term: Term) -> Option<u128> {
        (self.stored[term.place()].operation == Operation::Constant).then(|| self.value(term))
    }

    pub fn symbol_of(&self, term: Term) -> Option<Symbol> {
        let shape = &self.stored[term.place()];
        (shape.operation == Operation::Symbol).then(|| Symbol(shape.arguments.each()[0]))
    }

    /// The term that is a symbol. None: it is not of this arena.
    pub fn term_of(&self, symbol: Symbol) -> Option<Term> {
        self.symbol_terms.get(symbol.0 as usize).copied()
    }

    /// How many symbols there are; they are numbered from 0.
    pub fn symbols(&self) -> u32 {
        self.symbol_terms.len() as u32
    }

    pub fn operation(&self, term: Term) -> Operation {
        self.stored[term.place()].operation
    }

    /// What a term is made of, first to last.
    pub fn operands(&self, term: Term) -> impl Iterator<Item = Term> + use<> {
        let shape = self.stored[term.place()];
        let count = shape.operation.operands();
        // A place is never 0 where a term stands.
        shape.arguments.each().into_iter().take(count).filter_map(NonZeroU32::new).map(Term)
    }

    /// The symbols that a term depends on, in order. Costs nothing if they are few, and the size of the term otherwise.
    pub fn symbols_of(&self, term: Term) -> Cow<'_, [Symbol]> {
        match self.few_symbols(term) {
            Some(symbols) => Cow::Borrowed(symbols),
            None => Cow::Owned(self.many_symbols(term)),
        }
    }

    /// The same where it costs nothing.
    #[inline]
    pub(crate) fn few_symbols(&self, term: Term) -> Option<&[Symbol]> {
        self.sets.symbols(self.stored[term.place()].symbols)
    }

    fn many_symbols(&self, term: Term) -> Vec<Symbol> {
        let mut found = hash::Set::default();
        let mut seen = hash::Set::default();
        let mut waiting = vec![term];
        while let Some(term) = waiting.pop() {
            match self.few_symbols(term) {
                Some(few) => found.extend(few),
                None => waiting.extend(self.operands(term).filter(|operand| seen.insert(*operand))),
            }
        }
        let mut found: Vec<Symbol> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        debug_assert!((1..=WIDEST).contains(&width), "a term of {width} bits");
        self.stored(shape(width, View::Constant(value & ones(width))))
    }

    /// A new symbol, with its value under the seed.
    pub fn symbol(&mut self, width: u32, seed: u128) -> Term {
        debug_assert!((1..=WIDEST).contains(&width), "a symbol of {width} bits");
        let symbol = Symbol(self.symbol_terms.len() as u32);
        let set = self.sets.single(symbol);
        let shape =
            Shape { operation: Operation::Symbol, width: width as u8, arguments: Arguments::new([symbol.0, 0, 0]) };
        let term = self.put(shape, seed & ones(width), set);
        self.symbol_terms.push(term);
        term
    }

    pub(crate) fn truth(&mut self, value: bool) -> Term {
        self.constant(1, value.into())
    }

    #[inline]
    pub(crate) fn view(&self, term: Term) -> View {
        view(&self.stored[term.place()].shape(), || self.value(term))
    }

    /// A bound of the term's value under every assignment, as far as it has been found out.
    #[inline]
    pub(crate) fn greatest(&self, term: Term) -> u128 {
        self.stored[term.place()].greatest.number().min(ones(self.width(term)))
    }

    pub(crate) fn set_greatest(&mut self, term: Term, greatest: u128) {
        self.stored[term.place()].greatest = AtMost::new(greatest);
    }

    /// The term itself: what it is made of is taken as it is.
    pub(crate) fn made_of(&mut self, width: u32, view: View) -> Term {
        self.stored(shape(width, view))
    }

    fn stored(&mut self, shape: Shape) -> Term {
        let hash = hash_of(&shape);
        if let Some(&place) = self.by_shape.find(hash, |&place| self.stored[place as usize].shape() == shape) {
            return at(place);
        }
        let made_of = view(&shape, || shape.arguments.constant());
        let value = self.computed(shape.width.into(), made_of, |operand| self.value(operand));
        let is_constant = shape.operation == Operation::Constant;
        if !is_constant && self.is_full() {
            self.concretised += 1;
            return self.constant(shape.width.into(), value);
        }
        let set = match made_of {
            View::Constant(_) | View::Symbol(_) => Set::EMPTY,
            View::Not(a) | View::Extract(a, _) | View::ZeroExtend(a) | View::SignExtend(a) | View::Table(a, _) => {
                self.stored[a.place()].symbols
            }
            View::Binary(_, a, b) | View::Concat(a, b) => {
                self.sets.union(self.stored[a.place()].symbols, self.stored[b.place()].symbols)
            }
            View::Choose(a, b, c) => {
                let set = self.sets.union(self.stored[a.place()].symbols, self.stored[b.place()].symbols);
                self.sets.union(set, self.stored[c.place()].symbols)
            }
        };
        let term = self.put(shape, value, set);
        let stored = &self.stored;
        self.by_shape.insert_unique(hash, term.word(), |&place| hash_of(&stored[place as usize].shape()));
        term
    }

    fn put(&mut self, shape: Shape, value: u128, symbols: Set) -> Term {
        let value = if shape.width <= 64 {
            value as u64
        } else {
            self.wide.push(value);
            self.wide.len() as u64 - 1
        };
        if self.stored.len() == self.stored.capacity() {
            self.stored.reserve_exact(self.stored.len() / 2 + 64);
        }
        let place = self.stored.len() as u32;
        let Shape { operation, width, arguments } = shape;
        let greatest = AtMost::OF_WIDTH[usize::from(width)];
        self.stored.push(Stored { operation, width, greatest, arguments, symbols, value });
        self.is_full = self.bytes() >= self.limit;
        at(place)
    }

    /// What a term computes of the values of its operands. Of a symbol: what it has under the seed.
    #[inline]
    pub(crate) fn computed(&self, width: u32, view: View, value_of: impl Fn(Term) -> u128) -> u128 {
        match view {
            View::Constant(value) => value,
            View::Symbol(symbol) => self.term_of(symbol).map_or(0, |term| self.value(term)),
            View::Binary(operation, a, b) => operation::binary(operation, self.width(a), value_of(a), value_of(b)),
            View::Not(a) => !value_of(a) & ones(width),
            View::Concat(high, low) => value_of(high) << self.width(low) | value_of(low),
            View::Extract(a, low) => value_of(a) >> low & ones(width),
            View::ZeroExtend(a) => value_of(a),
            View::SignExtend(a) => sign_extended(self.width(a), width, value_of(a)),
            View::Choose(condition, a, b) => value_of(if value_of(condition) == 1 { a } else { b }),
            View::Table(index, table) => entry(self.entries(table), value_of(index)),
        }
    }

    pub(crate) fn table_of(&mut self, entries: &[u128]) -> TableId {
        let hash = hash_of_entries(entries);
        let tables = &self.tables;
        if let Some(&known) = self.table_ids.find(hash, |id| *tables[id.0 as usize].entries == *entries) {
            return known;
        }
        let id = TableId(tables.len() as u32);
        self.entries += entries.len();
        let summary = Summary {
            every: entries.iter().fold(u128::MAX, |all, entry| all & entry),
            any: entries.iter().fold(0, |all, entry| all | entry),
            least: entries.iter().min().copied().unwrap_or(0),
            greatest: entries.iter().max().copied().unwrap_or(0),
        };
        self.tables.push(Table { entries: entries.into(), summary });
        self.is_full = self.bytes() >= self.limit;
        let tables = &self.tables;
        self.table_ids.insert_unique(hash, id, |id| hash_of_entries(&tables[id.0 as usize].entries));
        id
    }

    /// The table of some bits of each entry.
    pub(crate) fn part_of_table(&mut self, table: TableId, low: u32, width: u32) -> TableId {
        if let Some(&known) = self.parts.get(&(table, low, width)) {
            return known;
        }
        let entries: Vec<u128> = self.entries(table).iter().map(|entry| entry >> low & ones(width)).collect();
        let part = self.keep_table(&entries, width);
        self.parts.insert((table, low, width), part);
        part
    }

    pub(crate) fn entries(&self, table: TableId) -> &[u128] {
        &self.tables[table.0 as usize].entries
    }

    pub(crate) fn summary(&self, table: TableId) -> Summary {
        self.tables[table.0 as usize].summary
    }
}

/// Zero behind the end.
#[inline]
pub(crate) fn entry(entries: &[u128], index: u128) -> u128 {
    usize::try_from(index).ok().and_then(|index| entries.get(index)).copied().unwrap_or(0)
}

#[inline]
fn at(place: u32) -> Term {
    Term(NonZeroU32::new(place).unwrap_or(NonZeroU32::MIN))
}

fn hash_of(shape: &Shape) -> u64 {
    let Arguments([first, second]) = shape.arguments;
    let begin = hash::mixed(shape.operation as u64 | u64::from(shape.width) << 8, first);
    hash::mixed(begin, second)
}

fn hash_of_entries(entries: &[u128]) -> u64 {
    let word = |hash: u64, entry: &u128| hash::mixed(hash, *entry as u64 ^ ((entry >> 64) as u64).rotate_left(32));
    entries.iter().fold(0, word)
}

pub(crate) fn shape(width: u32, view: View) -> Shape {
    let (operation, arguments) = match view {
        View::Constant(value) => {
            return Shape {
                operation: Operation::Constant,
                width: width as u8,
                arguments: Arguments::of_constant(value),
            };
        }
        View::Symbol(symbol) => (Operation::Symbol, [symbol.0, 0, 0]),
        View::Binary(operation, a, b) => (operation, [a.word(), b.word(), 0]),
        View::Not(a) => (Operation::Not, [a.word(), 0, 0]),
        View::Concat(high, low) => (Operation::Concat, [high.word(), low.word(), 0]),
        View::Extract(a, low) => (Operation::Extract, [a.word(), low, 0]),
        View::ZeroExtend(a) => (Operation::ZeroExtend, [a.word(), 0, 0]),
        View::SignExtend(a) => (Operation::SignExtend, [a.word(), 0, 0]),
        View::Choose(condition, a, b) => (Operation::Choose, [condition.word(), a.word(), b.word()]),
        View::Table(index, table) => (Operation::Table, [index.word(), table.0, 0]),
    };
    Shape { operation, width: width as u8, arguments: Arguments::new(arguments) }
}

#[inline]
fn view(shape: &Shape, value: impl FnOnce() -> u128) -> View {
    let [a, b, c] = shape.arguments.each();
    match shape.operation {
        Operation::Constant => View::Constant(value()),
        Operation::Symbol => View::Symbol(Symbol(a)),
        Operation::Not => View::Not(at(a)),
        Operation::Concat => View::Concat(at(a), at(b)),
        Operation::Extract => View::Extract(at(a), b),
        Operation::ZeroExtend => View::ZeroExtend(at(a)),
        Operation::SignExtend => View::SignExtend(at(a)),
        Operation::Choose => View::Choose(at(a), at(b), at(c)),
        Operation::Table => View::Table(at(a), TableId(b)),
        binary => View::Binary(binary, at(a), at(b)),
    }
}
