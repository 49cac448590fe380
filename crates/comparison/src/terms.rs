//! Functions, variables and literals in terms that both runs share, so that addresses can be compared by them.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use abi::InstructionId;
use program::{Function, FunctionKey, Linkage};
use replay::ReplayError;

use super::side::Side;
use nesting::align::versions::SiteMap;
use source::sources::Sources;

/// How a run's things are called in both.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    pub side: Side,
    /// None: both are of one program.
    pub map: Option<&'a SiteMap>,
}

impl Terms<'_> {
    pub fn function(&self, key: FunctionKey) -> u64 {
        match (self.map, self.side) {
            (Some(map), Side::Left) => match map.function(key) {
                Some((new, _)) => number(new),
                None => number(("only left", key)),
            },
            _ => number(key),
        }
    }

    /// A local that is in memory.
    pub fn local(&self, function: &Function, id: InstructionId) -> u64 {
        match self.map {
            None => number(id),
            // LLVM numbers variables of the same name, in the order of the function.
            Some(_) => number(function.instruction(id).name.trim_end_matches(|c: char| c.is_ascii_digit())),
        }
    }

    /// Global variables, literals and functions of a run by their addresses.
    pub fn symbols(&self, sources: &Sources<'_, '_>) -> Result<Symbols, ReplayError> {
        let mut found: BTreeMap<u64, Symbol> = BTreeMap::new();
        for position in 0..sources.module_count() {
            let module = sources.image.module(position)?;
            let debug = sources.debug(position);
            let file = module.source_file.rsplit('/').next().unwrap_or_default();
            for ((index, global), &address) in (0..).zip(&module.globals).zip(sources.image.addresses(position)) {
                if address == 0 {
                    continue;
                }
                let is_outside = module.functions.get(index).is_some_and(|f| f.linkage == Linkage::Outside);
                let initial = debug.initial.get(index).and_then(Option::as_ref);
                let is_literal = global.name.starts_with('.') && debug.constant_globals.contains(&(index as u32));
                let is_defined = initial.is_some() || (module.functions.len() > index && !is_outside);
                let identity = match initial.filter(|_| is_literal) {
                    Some(constant) => number(("literal", sources.image.constant_bytes(position, constant))),
                    None if is_defined => number((file, &global.name)),
                    None => number(&global.name),
                };
                let symbol = Symbol { end: address.saturating_add(global.size.max(1)), identity, is_defined };
                let known = found.get(&address);
                if known.is_none_or(|known| !known.is_defined && is_defined) {
                    found.insert(address, symbol);
                }
            }
        }
        Ok(Symbols(found.into_iter().map(|(first, symbol)| (first, symbol.end, symbol.identity)).collect()))
    }
}

struct Symbol {
    end: u64,
    identity: u64,
    /// Rather than declared only.
    is_defined: bool,
}

/// First address, one past the last, and what stands there.
pub struct Symbols(Vec<(u64, u64, u64)>);

impl Symbols {
    /// What an address lies in, and how far.
    pub fn find(&self, address: u64) -> Option<(u64, u64)> {
        let after = self.0.partition_point(|&(first, ..)| first <= address);
        let &(first, end, identity) = self.0[..after].last()?;
        (address < end).then_some((identity, address - first))
    }
}

/// A number that stands for something, the same for both runs.
pub fn number(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
