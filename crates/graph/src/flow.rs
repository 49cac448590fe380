//! The most that flows through a network whose places bear only so much: Dinic's algorithm on places split in two, without
//! recursion. Ways of the same length are filled together, shortest first; what is left of a place after that can be
//! given back.

use std::collections::VecDeque;

use budget::{Budget, Spent};

use crate::network::{END, NONE, Network};

/// Half of a place: where ways come in, or where they go out. A wide place is whole, and is its own first half.
type Half = u32;

/// How often the budget is asked, in steps of a search.
const ASKED_EVERY: u32 = 1 << 16;
const UNREACHED: u32 = u32::MAX;

pub struct Flow<'n> {
    network: &'n Network,
    /// What flows along each link: two for each place.
    along: Vec<u64>,
    /// What flows through each narrow place.
    through: Vec<u64>,
    /// Links that lead to each place: where they begin in the list, and the list.
    first: Vec<u32>,
    incoming: Vec<u32>,
    budget: &'n Budget,
    asked: u32,
}

/// One thing to do at a half: go on along a link, go back along one, or cross to the other half.
#[derive(Clone, Copy)]
enum Arc {
    On(u32),
    Back(u32),
    Cross,
}

impl<'n> Flow<'n> {
    /// As much as it bears.
    pub fn most(network: &'n Network, budget: &'n Budget) -> Result<Flow<'n>, Spent> {
        let places = network.out.len();
        let (first, incoming) = incoming(network);
        let mut flow =
            Flow { network, along: vec![0; 2 * places], through: vec![0; places], first, incoming, budget, asked: 0 };
        while let Some(level) = flow.levels()? {
            flow.fill(&level)?;
        }
        Ok(flow)
    }

    fn tick(&mut self) -> Result<(), Spent> {
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(ASKED_EVERY) { self.budget.go_on() } else { Ok(()) }
    }

    fn enter(place: u32) -> Half {
        2 * place
    }

    fn leave(&self, place: u32) -> Half {
        if self.network.is_narrow(place) { 2 * place + 1 } else { 2 * place }
    }

    fn links_to(&self, place: u32) -> &[u32] {
        &self.incoming[self.first[place as usize] as usize..self.first[place as usize + 1] as usize]
    }

    /// The arcs of a half, by their numbers; `None` after the last.
    fn arc(&self, half: Half, number: u32) -> Option<Arc> {
        let place = half / 2;
        let mut number = number as usize;
        if half == self.leave(place) {
            if number < 2 {
                return Some(Arc::On(2 * place + number as u32));
            }
            number -= 2;
        }
        if self.network.is_narrow(place) {
            if number == 0 {
                return Some(Arc::Cross);
            }
            number -= 1;
        }
        if half == Flow::enter(place) { self.links_to(place).get(number).map(|link| Arc::Back(*link)) } else { None }
    }

    /// Where an arc leads, and how much more it bears; `None` if nothing.
    fn open(&self, half: Half, arc: Arc) -> Option<(Half, u64)> {
        let place = half / 2;
        match arc {
            Arc::On(link) => {
                let to = self.network.out[place as usize][(link & 1) as usize];
                (to != NONE).then(|| (Flow::enter(to), u64::MAX))
            }
            Arc::Back(link) => {
                let flows = self.along[link as usize];
                (flows > 0).then(|| (self.leave(link / 2), flows))
            }
            Arc::Cross => {
                let (through, bears) = (self.through[place as usize], self.network.bears[place as usize]);
                let is_on = half == Flow::enter(place);
                let more = if is_on { bears - through } else { through };
                (more > 0).then_some((half ^ 1, more))
            }
        }
    }

    fn push(&mut self, half: Half, arc: Arc, amount: u64) {
        let place = (half / 2) as usize;
        match arc {
            Arc::On(link) => self.along[link as usize] += amount,
            Arc::Back(link) => self.along[link as usize] -= amount,
            Arc::Cross if half & 1 == 0 => self.through[place] += amount,
            Arc::Cross => self.through[place] -= amount,
        }
    }

    /// How many arcs each half is from the beginning; `None` if the end cannot be reached any more.
    fn levels(&mut self) -> Result<Option<Vec<u32>>, Spent> {
        let mut level = vec![UNREACHED; 2 * self.network.out.len()];
        let mut open = VecDeque::new();
        for &place in &self.network.begins {
            level[Flow::enter(place) as usize] = 0;
            open.push_back(Flow::enter(place));
        }
        let end = Flow::enter(END);
        while let Some(half) = open.pop_front() {
            self.tick()?;
            let next = level[half as usize] + 1;
            if level[end as usize] < next {
                break;
            }
            for number in 0.. {
                let Some(arc) = self.arc(half, number) else { break };
                if let Some((to, _)) = self.open(half, arc)
                    && level[to as usize] == UNREACHED
                {
                    level[to as usize] = next;
                    open.push_back(to);
                }
            }
        }
        Ok((level[end as usize] != UNREACHED).then_some(level))
    }

    /// Fills all shortest ways.
    fn fill(&mut self, level: &[u32]) -> Result<(), Spent> {
        let mut current = vec![0_u32; level.len()];
        let network = self.network;
        let mut way: Vec<(Half, Arc, u64)> = Vec::new();
        for &begin in &network.begins {
            let mut half = Flow::enter(begin);
            loop {
                self.tick()?;
                if half == Flow::enter(END) {
                    let amount = way.iter().map(|(_, _, more)| *more).min().unwrap_or(0);
                    for &(at, arc, _) in &way {
                        self.push(at, arc, amount);
                    }
                    // Back to where it is full.
                    let full = way.iter().position(|(_, _, more)| *more == amount).unwrap_or(0);
                    half = way[full].0;
                    for entry in &mut way[..full] {
                        entry.2 = entry.2.saturating_sub(if entry.2 == u64::MAX { 0 } else { amount });
                    }
                    way.truncate(full);
                    continue;
                }
                match self.arc(half, current[half as usize]) {
                    Some(arc) => match self.open(half, arc) {
                        Some((to, more)) if level[to as usize] == level[half as usize] + 1 => {
                            way.push((half, arc, more));
                            half = to;
                        }
                        _ => current[half as usize] += 1,
                    },
                    // A dead end.
                    None => match way.pop() {
                        Some((before, _, _)) => {
                            current[before as usize] += 1;
                            half = before;
                        }
                        None => break,
                    },
                }
            }
        }
        Ok(())
    }

    /// The narrow places that are full and nearest to the end: without them nothing reaches it.
    pub fn last_full(&mut self) -> Result<Vec<u32>, Spent> {
        let mut can_reach = vec![false; 2 * self.network.out.len()];
        let mut open = vec![Flow::enter(END)];
        can_reach[Flow::enter(END) as usize] = true;
        while let Some(half) = open.pop() {
            self.tick()?;
            let place = half / 2;
            let mut found = |from: Half| {
                if !can_reach[from as usize] {
                    can_reach[from as usize] = true;
                    open.push(from);
                }
            };
            if half == Flow::enter(place) {
                // Links bear anything.
                for &link in self.links_to(place) {
                    found(self.leave(link / 2));
                }
            }
            if half == self.leave(place) {
                for link in [2 * place, 2 * place + 1] {
                    let to = self.network.out[place as usize][(link & 1) as usize];
                    if to != NONE && self.along[link as usize] > 0 {
                        found(Flow::enter(to));
                    }
                }
            }
            if self.network.is_narrow(place) {
                let (through, bears) = (self.through[place as usize], self.network.bears[place as usize]);
                let is_leave = half & 1 == 1;
                if is_leave && through < bears || !is_leave && through > 0 {
                    found(half ^ 1);
                }
            }
        }
        let places = 0..self.network.out.len() as u32;
        let is_cut = |place: &u32| {
            self.network.is_narrow(*place)
                && can_reach[self.leave(*place) as usize]
                && !can_reach[Flow::enter(*place) as usize]
        };
        Ok(places.filter(is_cut).collect())
    }
}

/// For each place where its incoming links begin, and all these.
fn incoming(network: &Network) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0_u32; network.out.len() + 1];
    for to in network.out.iter().flatten().filter(|to| **to != NONE) {
        first[*to as usize + 1] += 1;
    }
    for place in 1..first.len() {
        first[place] += first[place - 1];
    }
    let mut all = vec![0_u32; first.last().map_or(0, |count| *count as usize)];
    let mut next = first.clone();
    for (link, to) in (0..).zip(network.out.iter().flatten()).filter(|(_, to)| **to != NONE) {
        let at = &mut next[*to as usize];
        all[*at as usize] = link;
        *at += 1;
    }
    (first, all)
}
