//! Uses that wait for their definitions, kept by the place in the program where they are.
//!
//! A program has few places that read, however long it runs. Whoever waits at the same place waits for the same answer: whether a
//! branch, had it gone the other way, could have defined what is read there. So a branch asks each place at most once,
//! and then only looks up who waits there ([`Crowd`]).

use std::collections::HashMap;
use std::sync::Arc;

use abi::InstructionId;
use fixedbitset::FixedBitSet;
use program::potential::{Place, Potential, Untaken, Use};
use program::{Edge, FunctionKey, Op};

use super::crowd::Crowd;
use super::want::merge;
use super::wanted::WantedMemory;
use super::{Demand, Mark};

/// The instruction that used a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UseSite {
    pub function: FunctionKey,
    pub instruction: InstructionId,
    pub of: Used,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Used {
    /// A local that lives in registers: only a definition in the same call can reach it.
    Local,
    /// It may be defined anywhere.
    Memory,
}

/// A place that reads, as it was met first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SiteNumber(u32);

pub struct OpenUses<'f> {
    potential: &'f Potential<'f>,
    /// For each byte, the uses that wait for it: a group's number plus one.
    bytes: WantedMemory,
    groups: Vec<Group>,
    by_members: HashMap<Vec<Member>, u32>,
    /// Numbers of groups that were given up.
    free: Vec<u32>,
    /// Groups without bytes that are still known by their members, in case they come again.
    idle: usize,
    sites: Vec<OpenUse>,
    numbers: HashMap<UseSite, SiteNumber>,
    /// Places at which somebody waits for memory.
    live: FixedBitSet,
    answers: HashMap<(FunctionKey, Edge), Answers>,
}

/// Somebody who waits, and where.
type Member = (SiteNumber, Mark);

/// Uses that wait for the same bytes, by their places.
#[derive(Default)]
struct Group {
    members: Vec<Member>,
    bytes: u64,
}

struct OpenUse {
    site: UseSite,
    /// What it may read.
    places: Arc<[Place]>,
    waiting: Crowd,
}

/// Which places could have read what an edge leads to.
struct Answers {
    way: Arc<Untaken>,
    asked: FixedBitSet,
    yes: FixedBitSet,
    /// Of what is read from memory: where is of no importance.
    by_places: HashMap<Arc<[Place]>, bool>,
}

/// Idle groups that are kept, however few others there are.
const MOST_IDLE: usize = 1 << 16;

impl<'f> OpenUses<'f> {
    pub fn new(potential: &'f Potential<'f>) -> OpenUses<'f> {
        OpenUses {
            potential,
            bytes: WantedMemory::default(),
            groups: Vec::new(),
            by_members: HashMap::new(),
            free: Vec::new(),
            idle: 0,
            sites: Vec::new(),
            numbers: HashMap::new(),
            live: FixedBitSet::new(),
            answers: HashMap::new(),
        }
    }

    pub fn number(&mut self, site: UseSite) -> SiteNumber {
        *self.numbers.entry(site).or_insert_with(|| {
            self.sites.push(OpenUse { site, places: places(self.potential, site).into(), waiting: Crowd::default() });
            SiteNumber(self.sites.len() as u32 - 1)
        })
    }

    /// A use of these bytes waits, wanted by `users`.
    pub fn open(&mut self, bytes: impl Iterator<Item = u64>, site: SiteNumber, users: Mark, demand: &mut impl Demand) {
        self.give_up_idle();
        let mut all = std::mem::take(&mut self.bytes);
        // Neighbours mostly had the same waiting for them.
        let mut last = None;
        for byte in bytes {
            all.update(byte, |before| {
                let after = match last {
                    Some((same, after)) if same == before => after,
                    _ => self.grown(before, site, users, demand),
                };
                last = Some((before, after));
                if after != before {
                    self.gain(after);
                    self.lose(before);
                }
                after
            });
        }
        self.bytes = all;
    }

    /// The group of these and one more.
    fn grown(&mut self, before: Mark, site: SiteNumber, users: Mark, demand: &mut impl Demand) -> Mark {
        let known: &[Member] = before.0.checked_sub(1).map_or(&[], |group| &self.groups[group as usize].members);
        let place = known.binary_search_by_key(&site, |(site, _)| *site);
        if let Ok(place) = place
            && known[place].1 == users
        {
            return before;
        }
        let mut members = known.to_vec();
        match place {
            Ok(place) => members[place].1 = merge(demand, members[place].1, users),
            Err(place) => members.insert(place, (site, users)),
        }
        let group = match self.by_members.get(&members) {
            Some(&group) => group,
            None => {
                let group = self.free.pop().unwrap_or_else(|| {
                    self.groups.push(Group::default());
                    self.groups.len() as u32 - 1
                });
                self.groups[group as usize] = Group { members: members.clone(), bytes: 0 };
                self.by_members.insert(members, group);
                self.idle += 1;
                group
            }
        };
        Mark(group + 1)
    }

    fn gain(&mut self, mark: Mark) {
        let Some(group) = mark.0.checked_sub(1) else { return };
        let group = &mut self.groups[group as usize];
        group.bytes += 1;
        if group.bytes == 1 {
            self.idle -= 1;
            for &(site, mark) in &group.members {
                self.sites[site.0 as usize].waiting.add(mark);
                self.live.grow_and_insert(site.0 as usize);
            }
        }
    }

    fn lose(&mut self, mark: Mark) {
        let Some(group) = mark.0.checked_sub(1) else { return };
        let group = &mut self.groups[group as usize];
        group.bytes -= 1;
        if group.bytes == 0 {
            self.idle += 1;
            for &(site, mark) in &group.members {
                let waiting = &mut self.sites[site.0 as usize].waiting;
                waiting.remove(mark);
                self.live.set(site.0 as usize, !waiting.is_empty());
            }
        }
    }

    /// Forgets groups that nobody is in any more, when they are most of all.
    fn give_up_idle(&mut self) {
        if self.idle <= MOST_IDLE.max(self.by_members.len() / 2) {
            return;
        }
        let (groups, free) = (&mut self.groups, &mut self.free);
        self.by_members.retain(|_, &mut number| {
            let group = &mut groups[number as usize];
            if group.bytes == 0 {
                group.members = Vec::new();
                free.push(number);
            }
            group.bytes > 0
        });
        self.idle = 0;
    }

    /// These bytes were defined.
    pub fn close(&mut self, address: u64, length: u64) {
        if self.live.is_clear() {
            return;
        }
        let mut lost = Vec::new();
        self.bytes.take(address, length, |_, mark| lost.push(mark));
        for mark in lost {
            self.lose(mark);
        }
    }

    /// Who wants what a branch could have defined, had it taken this edge; `locals` are uses of the same call that wait.
    pub fn could_define(
        &mut self,
        function: FunctionKey,
        untaken: Edge,
        locals: impl Iterator<Item = Member>,
        demand: &mut impl Demand,
    ) -> Mark {
        let (potential, sites) = (self.potential, &mut self.sites);
        let fresh = || Answers::about(potential.untaken(function, untaken));
        let answers = self.answers.entry((function, untaken)).or_insert_with(fresh);
        let mut all = Mark::NOBODY;
        for (site, mark) in locals {
            let site = site.0 as usize;
            if !answers.asked.contains(site) {
                answers.ask(potential, site, &sites[site]);
            }
            if answers.yes.contains(site) {
                all = merge(demand, all, mark);
            }
        }
        let unasked: Vec<usize> = self.live.difference(&answers.asked).collect();
        for site in unasked {
            answers.ask(potential, site, &sites[site]);
        }
        for site in self.live.intersection(&answers.yes) {
            let waiting = sites[site].waiting.all(demand);
            all = merge(demand, all, waiting);
        }
        all
    }
}

impl Answers {
    fn about(way: Arc<Untaken>) -> Answers {
        Answers { way, asked: FixedBitSet::new(), yes: FixedBitSet::new(), by_places: HashMap::new() }
    }

    fn ask(&mut self, potential: &Potential<'_>, number: usize, site: &OpenUse) {
        let Answers { way, asked, yes, by_places } = self;
        let could_define = |at: Use| potential.could_define(way, &site.places, at);
        let answer = match site.site.of {
            Used::Local => could_define(Use::Here(site.site.instruction)),
            Used::Memory => *by_places.entry(Arc::clone(&site.places)).or_insert_with(|| could_define(Use::Elsewhere)),
        };
        asked.grow_and_insert(number);
        yes.grow(number + 1);
        yes.set(number, answer);
    }
}

/// What a use may read.
pub(super) fn places(potential: &Potential<'_>, site: UseSite) -> Vec<Place> {
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
