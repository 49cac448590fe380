//! Levels of runs of two versions of a program, in terms both understand: the new version's.
//!
//! A branch that only one version has is no level: else everything after an added `if (…) return` would be nested in it
//! and correspond to nothing. Inside one turn of everything around it a site executes once, with such levels or without.

use std::collections::HashMap;
use std::sync::Arc;

use abi::InstructionId;
use program::{FunctionKey, Shape};

use super::versions::SiteMap;
use crate::region::{Kind, Level};
use execution::Functions;

/// What a level is to the other version.
pub(super) enum Translated {
    Kept(Level),
    /// No level.
    Dropped,
    /// The other version has nothing that corresponds to it and to what is inside it.
    Foreign,
}

/// Translates the path of a run, level by level.
pub(super) struct Translation<'a> {
    version: Version<'a>,
    /// The function (of the run's version) that each level of the path leads into.
    functions: Vec<Option<FunctionKey>>,
}

enum Version<'a> {
    Old(Old<'a>),
    /// Branches that were added, by function.
    New(HashMap<FunctionKey, &'a [InstructionId]>),
}

struct Old<'a> {
    map: &'a SiteMap,
    old: &'a Functions<'a>,
    new: &'a Functions<'a>,
    shapes: HashMap<FunctionKey, (Arc<Shape>, Arc<Shape>)>,
}

impl<'a> Translation<'a> {
    /// For a run of the version the map leads from.
    pub fn of_old(map: &'a SiteMap, old: &'a Functions<'a>, new: &'a Functions<'a>) -> Translation<'a> {
        let version = Version::Old(Old { map, old, new, shapes: HashMap::new() });
        Translation { version, functions: Vec::new() }
    }

    /// For a run of the version the map leads to.
    pub fn of_new(map: &'a SiteMap) -> Translation<'a> {
        let added = map.functions().into_iter().map(|(_, new, map)| (new, &map.added[..])).collect();
        Translation { version: Version::New(added), functions: Vec::new() }
    }

    /// Forgets the levels of the path from here on.
    pub fn cut(&mut self, length: usize) {
        self.functions.truncate(length);
    }

    /// The next level of the path.
    pub fn push(&mut self, level: Level) -> Translated {
        let within = self.functions.last().copied().flatten();
        let inside = match level.kind {
            Kind::Root(_, function) | Kind::Call(_, function) => Some(function),
            Kind::Handler(_) | Kind::Turn(_) | Kind::Step | Kind::Outcome(_) | Kind::Resumption(_) => within,
        };
        self.functions.push(inside);
        match &mut self.version {
            Version::Old(old) => old.translate(within, level),
            Version::New(added) => {
                let is_added = |site: InstructionId| {
                    let added = within.and_then(|function| added.get(&function));
                    added.is_some_and(|added| added.binary_search(&site).is_ok())
                };
                match (level.kind, level.instruction()) {
                    (Kind::Outcome(_), Some(site)) if is_added(site) => Translated::Dropped,
                    _ => Translated::Kept(level),
                }
            }
        }
    }
}

impl Old<'_> {
    fn translate(&mut self, within: Option<FunctionKey>, level: Level) -> Translated {
        match self.partner(within, level) {
            Some(partner) => Translated::Kept(partner),
            None if matches!(level.kind, Kind::Outcome(_)) => Translated::Dropped,
            None => Translated::Foreign,
        }
    }

    fn partner(&mut self, within: Option<FunctionKey>, level: Level) -> Option<Level> {
        if let Kind::Root(ordinal, function) = level.kind {
            let (function, _) = self.map.function(function)?;
            return Some(Level { kind: Kind::Root(ordinal, function), ..level });
        }
        let old = within?;
        let (new, map) = self.map.function(old)?;
        let shapes = self.shapes.entry(old).or_insert_with(|| (self.old.shape(old), self.new.shape(new)));
        let position = |block| shapes.1.cfg.position(block).map(|position| position as u32);
        match level.kind {
            Kind::Turn(_) => {
                let first = shapes.0.cfg.order().get(level.position as usize)?;
                Some(Level { position: position(map.block(*first)?)?, ..level })
            }
            Kind::Step | Kind::Outcome(_) | Kind::Call(..) => {
                let from = level.instruction()?;
                let site = map.site(from)?;
                let kind = match level.kind {
                    // The same way out of the choice, though other statements may have come to stand there.
                    Kind::Outcome(to) => {
                        let ways = shapes.0.cfg.successors(shapes.0.block_of(from));
                        let ordinal = ways.iter().position(|&way| way == to)?;
                        Kind::Outcome(*shapes.1.cfg.successors(shapes.1.block_of(site)).get(ordinal)?)
                    }
                    Kind::Call(ordinal, callee) => Kind::Call(ordinal, self.map.function(callee)?.0),
                    other => other,
                };
                Some(Level { position: position(shapes.1.block_of(site))?, place: site.0 + 1, kind })
            }
            Kind::Root(..) | Kind::Handler(_) | Kind::Resumption(_) => Some(level),
        }
    }
}
