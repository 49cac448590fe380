//! Potential dependences, found on the walk (definition 1 of Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution
//! Omission Errors*).
//!
//! While a place is wanted, the walk is between a use and the definition that reached it. A branch it passes there could
//! have let another definition reach the use, had it gone the other way: then the use potentially depends on it. Which
//! definitions there could have been, `program::potential` tells.
//!
//! A use of memory may be in another call or function than the branch, so any definition counts that is still there when
//! the branch's function calls or returns; a use of a local that lives in registers is in the same call, and a
//! definition must reach it. Bytes that outside code read have no use in the program's text and are left out, and so are
//! branches of library twins.

use std::collections::{BTreeSet, HashMap};

use abi::{BlockId, InstructionId};
use program::potential::{Place, Potential, Use};
use program::{Edge, FunctionKey, Op};

use super::Demand;
use super::walk::Walk;
use super::wanted::{Mark, WantedMemory};
use crate::uses::Register;

/// The instruction that used a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct UseSite {
    pub function: FunctionKey,
    pub instruction: InstructionId,
}

/// Uses that wait for their definitions.
pub struct OpenUses<'f> {
    potential: &'f Potential<'f>,
    /// For each byte, the uses that wait for it: a group's number plus one.
    bytes: WantedMemory,
    groups: Vec<Group>,
    by_members: HashMap<Vec<(UseSite, Mark)>, u32>,
    grown: HashMap<(u32, UseSite, Mark), u32>,
    /// Groups that have bytes.
    live: BTreeSet<u32>,
    places: HashMap<UseSite, Vec<Place>>,
    answers: HashMap<(FunctionKey, Edge, UseSite, Nearness), bool>,
}

/// Uses that wait for the same bytes.
struct Group {
    members: Vec<(UseSite, Mark)>,
    bytes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Nearness {
    SameCall,
    Anywhere,
}

impl<'f> OpenUses<'f> {
    pub fn new(potential: &'f Potential<'f>) -> OpenUses<'f> {
        OpenUses {
            potential,
            bytes: WantedMemory::default(),
            groups: Vec::new(),
            by_members: HashMap::new(),
            grown: HashMap::new(),
            live: BTreeSet::new(),
            places: HashMap::new(),
            answers: HashMap::new(),
        }
    }

    /// A use of this byte waits, wanted by `users`.
    pub fn open(&mut self, byte: u64, site: UseSite, users: Mark) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.update(byte, |before| self.grow(before, site, users));
        self.bytes = bytes;
    }

    /// The group of these and one more; each is given a byte, or taken one.
    fn grow(&mut self, before: Mark, site: UseSite, users: Mark) -> Mark {
        let group = match self.grown.get(&(before.0, site, users)) {
            Some(&group) => group,
            None => {
                let mut members =
                    before.0.checked_sub(1).map_or_else(Vec::new, |g| self.groups[g as usize].members.clone());
                if let Err(place) = members.binary_search_by_key(&(site, users.0), |(site, users)| (*site, users.0)) {
                    members.insert(place, (site, users));
                }
                let groups = &mut self.groups;
                let group = *self.by_members.entry(members).or_insert_with_key(|members| {
                    groups.push(Group { members: members.clone(), bytes: 0 });
                    groups.len() as u32 - 1
                });
                self.grown.insert((before.0, site, users), group);
                group
            }
        };
        self.lose(before);
        self.groups[group as usize].bytes += 1;
        self.live.insert(group);
        Mark(group + 1)
    }

    fn lose(&mut self, mark: Mark) {
        if let Some(group) = mark.0.checked_sub(1) {
            let bytes = &mut self.groups[group as usize].bytes;
            *bytes -= 1;
            if *bytes == 0 {
                self.live.remove(&group);
            }
        }
    }

    /// These bytes were defined.
    pub fn close(&mut self, address: u64, length: u64) {
        if self.live.is_empty() {
            return;
        }
        let mut lost = Vec::new();
        self.bytes.take(address, length, |_, mark| lost.push(mark));
        for mark in lost {
            self.lose(mark);
        }
    }

    /// Who wants what a branch could have defined, had it taken this edge; `locals` are uses of the same call that wait.
    pub fn could_define(&mut self, function: FunctionKey, untaken: Edge, locals: &[(UseSite, Mark)]) -> Vec<Mark> {
        let mut found = Vec::new();
        for &(site, mark) in locals {
            if self.answer(function, untaken, site, Nearness::SameCall) {
                found.push(mark);
            }
        }
        let live: Vec<u32> = self.live.iter().copied().collect();
        for group in live {
            for member in 0..self.groups[group as usize].members.len() {
                let (site, mark) = self.groups[group as usize].members[member];
                if !found.contains(&mark) && self.answer(function, untaken, site, Nearness::Anywhere) {
                    found.push(mark);
                }
            }
        }
        found
    }

    fn answer(&mut self, function: FunctionKey, untaken: Edge, site: UseSite, nearness: Nearness) -> bool {
        let potential = self.potential;
        *self.answers.entry((function, untaken, site, nearness)).or_insert_with(|| {
            let places = self.places.entry(site).or_insert_with(|| places(potential, site));
            let at = match nearness {
                Nearness::SameCall => Use::Here(site.instruction),
                Nearness::Anywhere => Use::Elsewhere,
            };
            !potential.definitions_if_taken(function, untaken, places, at).is_empty()
        })
    }
}

/// What a use may read.
fn places(potential: &Potential<'_>, site: UseSite) -> Vec<Place> {
    let instruction = potential.function(site.function).instruction(site.instruction);
    match &instruction.op {
        Op::Load { address, .. } => potential.places(site.function, address, Some(instruction.ty.store_size())),
        // A copy: what it copies from.
        op => match op.call().and_then(|call| call.arguments.get(1)) {
            Some(from) => potential.places(site.function, from, None),
            None => vec![Place::UNKNOWN],
        },
    }
}

impl<D: Demand> Walk<'_, D> {
    /// A use of memory waits for its definition.
    pub(super) fn open_use(&mut self, frame: usize, at: InstructionId, address: u64, length: u64, users: Mark) {
        let here = self.moment(frame, at);
        if let Some(open) = &mut self.open
            && !users.is_nobody()
            && self.demand.asks(here)
        {
            let site = UseSite { function: self.frames[frame].key, instruction: at };
            // What nobody can write waits for nobody.
            for byte in (0..length).map(|offset| address.wrapping_add(offset)) {
                if !self.functions.is_constant(byte) {
                    open.open(byte, site, users);
                }
            }
        }
    }

    pub(super) fn open_local(&mut self, frame: usize, at: InstructionId, local: Register, users: Mark) {
        if self.open.is_some() && !users.is_nobody() && self.demand.asks(self.moment(frame, at)) {
            let site = UseSite { function: self.frames[frame].key, instruction: at };
            let open = &mut self.frames[frame].open_locals;
            if !open.contains(&(local, site, users)) {
                open.push((local, site, users));
            }
        }
    }

    /// The range was defined.
    pub(super) fn close_uses(&mut self, address: u64, length: u64) {
        if let Some(open) = &mut self.open {
            open.close(address, length);
        }
    }

    /// Who wants what the branch at the end of `from` could have defined, had it not gone to `to`.
    pub(super) fn potential_users(&mut self, frame: usize, from: BlockId, to: BlockId) -> Mark {
        let Some(mut open) = self.open.take() else { return Mark::NOBODY };
        let key = self.frames[frame].key;
        let mut all = Mark::NOBODY;
        if !self.functions.is_twin(key) {
            let shape = self.frames[frame].shape.clone();
            let locals: Vec<_> = self.frames[frame].open_locals.iter().map(|&(_, site, mark)| (site, mark)).collect();
            for &other in shape.cfg.successors(from).iter().filter(|&&other| other != to) {
                for mark in open.could_define(key, Edge { from, to: other }, &locals) {
                    all = self.merge(all, mark);
                }
            }
        }
        self.open = Some(open);
        all
    }
}
