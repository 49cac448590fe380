//! What global variables hold when the program starts, where two versions have it otherwise.
//!
//! No step makes these values, so none can be the reason for a difference that comes from them: the variable is.

use std::collections::{BTreeMap, HashMap};

use program::{Constant, ConstantOp, Type};
use replay::ReplayError;

use super::pair::Pair;
use super::side::{Side, Sides};
use super::terms::{Symbols, Terms};
use source::sources::Sources;

/// Larger variables are compared as far as this.
const MOST_BYTES: usize = 1 << 20;

/// A number or pointer that a variable begins with.
#[derive(Clone, PartialEq, Debug)]
pub struct Held {
    pub ty: Type,
    pub words: Vec<u64>,
}

/// A place in a variable of both versions that they begin with different contents in.
#[derive(Clone, PartialEq, Debug)]
pub struct InitialValue {
    /// The variable in each version: the module, and the position among its globals.
    pub variable: Sides<(usize, u32)>,
    /// Bytes from the variable's start.
    pub offset: u64,
    /// `None` where that version's variable has nothing of its own: it ends before, or has another shape.
    pub held: Sides<Option<Held>>,
}

/// All such places, by their addresses in the runs.
#[derive(Default, Debug)]
pub struct Initial {
    pub all: Vec<InitialValue>,
    by_address: Sides<BTreeMap<u64, (u64, u32)>>,
}

impl Initial {
    /// None at all in one and the same program.
    pub fn of(pair: &Pair<'_, '_>) -> Result<Initial, ReplayError> {
        let mut initial = Initial::default();
        if pair.map.is_none() {
            return Ok(initial);
        }
        let symbols = Sides { left: symbols(pair, Side::Left)?, right: symbols(pair, Side::Right)? };
        let right: HashMap<(String, String), Variable> = variables(pair.sources.right)?.collect();
        for (name, a) in variables(pair.sources.left)? {
            if let Some(b) = right.get(&name) {
                initial.compare(pair, &symbols, &a, b);
            }
        }
        Ok(initial)
    }

    /// The place that a byte of a run's memory belongs to, by its position in `all`.
    pub fn find(&self, side: Side, address: u64) -> Option<u32> {
        let (first, (length, position)) = self.by_address.of(side).range(..=address).next_back()?;
        (address - first < *length).then_some(*position)
    }

    fn compare(&mut self, pair: &Pair<'_, '_>, symbols: &Sides<Symbols>, a: &Variable, b: &Variable) {
        if a.is_zero && b.is_zero && a.size == b.size {
            return;
        }
        let scalars = Sides { left: a.scalars(pair.sources.left), right: b.scalars(pair.sources.right) };
        let offsets = scalars.left.keys().chain(scalars.right.keys());
        let mut offsets: Vec<u64> = offsets.copied().collect();
        offsets.sort_unstable();
        offsets.dedup();
        for offset in offsets {
            let held = Sides { left: scalars.left.get(&offset), right: scalars.right.get(&offset) };
            if let Sides { left: Some(a), right: Some(b) } = held
                && is_same(symbols, a, b)
            {
                continue;
            }
            let position = self.all.len() as u32;
            for (side, variable) in [(Side::Left, a), (Side::Right, b)] {
                if let Some(held) = held.of(side) {
                    let range = (held.ty.store_size().max(1), position);
                    self.by_address.of_mut(side).insert(variable.address + offset, range);
                }
            }
            self.all.push(InitialValue {
                variable: Sides { left: a.place, right: b.place },
                offset,
                held: Sides { left: held.left.cloned(), right: held.right.cloned() },
            });
        }
    }
}

fn symbols(pair: &Pair<'_, '_>, side: Side) -> Result<Symbols, ReplayError> {
    Terms { side, map: pair.map }.symbols(pair.sources.of(side))
}

fn is_same(symbols: &Sides<Symbols>, a: &Held, b: &Held) -> bool {
    if a.ty != b.ty {
        return false;
    }
    let meaning = |side: Side, held: &Held| symbols.of(side).find(*held.words.first()?);
    a.words == b.words && a.ty != Type::Pointer
        || a.ty == Type::Pointer
            && match (meaning(Side::Left, a), meaning(Side::Right, b)) {
                (None, None) => (a.words.first() == Some(&0)) == (b.words.first() == Some(&0)),
                (a, b) => a == b,
            }
}

/// A variable of one of the versions.
struct Variable {
    place: (usize, u32),
    address: u64,
    size: u64,
    is_zero: bool,
    constant: std::sync::Arc<Constant>,
}

impl Variable {
    /// The numbers and pointers it consists of, by their offsets.
    fn scalars(&self, sources: &Sources<'_, '_>) -> BTreeMap<u64, Held> {
        let bytes = sources.image.constant_bytes(self.place.0, &self.constant);
        let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
        let mut found = BTreeMap::new();
        scalars(&self.constant.ty, 0, bytes, &mut found);
        found
    }
}

fn scalars(ty: &Type, offset: u64, bytes: &[u8], found: &mut BTreeMap<u64, Held>) {
    if offset >= bytes.len() as u64 {
        return;
    }
    match ty {
        Type::Array { element, count, stride } => {
            for index in 0..*count {
                scalars(element, offset + index * stride, bytes, found);
            }
        }
        Type::Struct { fields, .. } => {
            for (field, at) in fields.iter() {
                scalars(field, offset + at, bytes, found);
            }
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer | Type::Vector { .. } => {
            let end = offset + ty.store_size();
            let Some(own) = bytes.get(offset as usize..end as usize) else { return };
            let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            found.insert(offset, Held { ty: ty.clone(), words: own.chunks(8).map(word).collect() });
        }
    }
}

/// The variables that a version defines, by file and name. Literals have no name to be known by; whoever points to one
/// holds a difference.
fn variables(
    sources: &Sources<'_, '_>,
) -> Result<impl Iterator<Item = ((String, String), Variable)> + use<>, ReplayError> {
    let mut found = Vec::new();
    for position in 0..sources.module_count() {
        let module = sources.image.module(position)?;
        let debug = sources.debug(position);
        let file = module.source_file.rsplit('/').next().unwrap_or_default();
        let all = module.globals.iter().zip(sources.image.addresses(position)).zip(&debug.initial);
        for (((global, &address), constant), index) in all.zip(0..) {
            let Some(constant) = constant.as_ref().filter(|_| address != 0 && global.size > 0) else { continue };
            if global.name.starts_with('.') {
                continue;
            }
            let is_zero = constant.op == ConstantOp::Zero;
            let variable =
                Variable { place: (position, index), address, size: global.size, is_zero, constant: constant.clone() };
            found.push(((file.to_owned(), global.name.clone()), variable));
        }
    }
    Ok(found.into_iter())
}
