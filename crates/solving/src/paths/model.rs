//! Small programs whose runs can all be listed, as spaces of paths.

use super::distance::{Distance, Event};
use super::generate::{Examined, Space};

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Plain(u32),
    If(u32, Vec<Statement>, Vec<Statement>),
    While(u32, Vec<Statement>),
    Return(u32),
}

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub body: Vec<Statement>,
    /// Turns of a loop at most.
    pub turns: usize,
}

pub(super) type Run = Vec<Event<u32>>;

pub(super) struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }
}

pub(super) fn hash(of: impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Who says where a branch goes: the events so far, with the branch as the last.
type Decide<'a> = &'a mut dyn FnMut(&Run) -> u32;

struct Executed<'a, 'd> {
    run: Run,
    decide: Decide<'d>,
    turns: usize,
    /// The latest branch that could have ended the program: all after it depends on it.
    survived: Option<usize>,
    program: &'a Program,
}

impl Program {
    pub fn random(random: &mut Random, with_loops: bool) -> Program {
        let mut places = 0;
        let length = 2 + random.below(3);
        let body = statements(random, &mut places, length, 0, (with_loops, true));
        Program { body, turns: 2 }
    }

    fn run(&self, decide: Decide<'_>) -> Run {
        let mut executed = Executed { run: Vec::new(), decide, turns: self.turns, survived: None, program: self };
        let body = &executed.program.body;
        executed.all(body, None);
        executed.run
    }

    /// Runs with free choices where nobody else decides; all of them.
    pub fn all(&self, decided: &mut dyn FnMut(&Run) -> Option<u32>) -> Vec<Run> {
        let mut all = Vec::new();
        let mut choices: Vec<u32> = Vec::new();
        loop {
            let mut free = 0;
            let mut made = Vec::new();
            let run = self.run(&mut |events| {
                decided(events).unwrap_or_else(|| {
                    let choice = choices.get(free).copied().unwrap_or(0);
                    free += 1;
                    made.push(choice);
                    choice
                })
            });
            all.push(run);
            assert!(all.len() < 1 << 14, "a program with too many runs");
            choices = made;
            while choices.last() == Some(&1) {
                choices.pop();
            }
            match choices.last_mut() {
                Some(last) => *last = 1,
                None => return all,
            }
        }
    }
}

fn statements(
    random: &mut Random,
    places: &mut u32,
    count: u64,
    depth: u32,
    (loops, returns): (bool, bool),
) -> Vec<Statement> {
    let mut all = Vec::new();
    for _ in 0..count {
        *places += 1;
        let at = *places;
        let length = random.below(2) + 1;
        match random.below(if depth < 3 { 10 } else { 3 }) {
            0 | 1 => all.push(Statement::Plain(at)),
            2 if returns && depth > 0 => {
                all.push(Statement::Return(at));
                break;
            }
            9 if loops => {
                // What returns from a loop would have parents by another rule.
                let body = statements(random, places, length, depth + 2, (false, false));
                all.push(Statement::While(at, body));
            }
            3..=9 => {
                let then = statements(random, places, length, depth + 1, (loops, returns));
                let length = random.below(2);
                let otherwise = statements(random, places, length, depth + 1, (loops, returns));
                all.push(Statement::If(at, then, otherwise));
            }
            _ => all.push(Statement::Plain(at)),
        }
    }
    all
}

fn may_return(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Return(_) => true,
        Statement::If(_, then, otherwise) => may_return(then) || may_return(otherwise),
        Statement::While(_, body) => may_return(body),
        Statement::Plain(_) => false,
    })
}

impl Executed<'_, '_> {
    fn event(&mut self, place: u32, parent: Option<usize>) -> usize {
        self.run.push(Event { place, parent, outcome: None });
        self.run.len() - 1
    }

    fn branch(&mut self, place: u32, parent: Option<usize>, is_last: bool) -> (usize, bool) {
        let at = self.event(place, parent);
        let outcome = if is_last { 0 } else { (self.decide)(&self.run) };
        self.run[at].outcome = Some(outcome);
        (at, outcome != 0)
    }

    /// Whether control comes to the end of them.
    fn all(&mut self, statements: &[Statement], parent: Option<usize>) -> bool {
        for statement in statements {
            // The latest event that this statement is statically dependent on.
            let parent = parent.max(self.survived);
            match statement {
                Statement::Plain(place) => {
                    self.event(*place, parent);
                }
                Statement::Return(place) => {
                    self.event(*place, parent);
                    return false;
                }
                Statement::If(place, then, otherwise) => {
                    let (at, taken) = self.branch(*place, parent, false);
                    if !self.all(if taken { then } else { otherwise }, Some(at)) {
                        return false;
                    }
                    if may_return(then) || may_return(otherwise) {
                        self.survived = self.survived.max(Some(at));
                    }
                }
                Statement::While(place, body) => {
                    let mut parent = parent;
                    for turn in 0.. {
                        let (at, taken) = self.branch(*place, parent, turn == self.turns);
                        if !taken {
                            break;
                        }
                        if !self.all(body, Some(at)) {
                            return false;
                        }
                        parent = Some(at);
                    }
                }
            }
        }
        true
    }
}

/// Pairs of outcomes that contradict each other, whatever else happens.
pub(super) struct Contradictions(pub Vec<[(u32, u32); 2]>);

impl Contradictions {
    pub fn hold(&self, part: &[Event<u32>]) -> bool {
        let has = |(place, outcome): (u32, u32)| {
            part.iter().any(|event| event.place == place && event.outcome == Some(outcome))
        };
        self.0.iter().any(|[one, other]| has(*one) && has(*other))
    }
}

/// A program as a space of paths.
pub(super) struct Model<'a> {
    program: &'a Program,
    failing: &'a Run,
    /// Positions of its branches among its events.
    positions: Vec<usize>,
    loops: bool,
    contradictions: &'a Contradictions,
    succeeds: &'a dyn Fn(&Run) -> bool,
    pub tried: Vec<(Distance, Run)>,
}

pub(super) fn is_loop(program: &Program, place: u32) -> bool {
    fn within(statements: &[Statement], place: u32) -> bool {
        statements.iter().any(|statement| match statement {
            Statement::While(at, body) => *at == place || within(body, place),
            Statement::If(_, then, otherwise) => within(then, place) || within(otherwise, place),
            Statement::Plain(_) | Statement::Return(_) => false,
        })
    }
    within(&program.body, place)
}

/// Whether a branch had no choice, since its loop had had all its turns.
pub(super) fn is_last_turn(program: &Program, run: &Run, at: usize) -> bool {
    let place = run[at].place;
    let mut turns = 0;
    let mut parent = run[at].parent;
    while let Some(up) = parent.filter(|up| run[*up].place == place) {
        turns += 1;
        parent = run[up].parent;
    }
    is_loop(program, place) && turns == program.turns
}

/// Whether an event is control dependent on another, on whatever is between.
fn depends(run: &[Event<u32>], event: usize, on: usize) -> bool {
    let mut at = run[event].parent;
    // What an event depends on is before it.
    while let Some(parent) = at.filter(|parent| *parent >= on) {
        if parent == on {
            return true;
        }
        at = run[parent].parent;
    }
    false
}

/// The first event that does not depend on a branch (`pde`).
fn end_of_region(run: &Run, branch: usize) -> usize {
    (branch + 1..run.len()).find(|event| !depends(run, *event, branch)).unwrap_or(run.len())
}

impl Space for Model<'_> {
    type Path = Run;
    type Error = ();

    fn branches(&self) -> usize {
        self.positions.len()
    }

    fn is_reversible(&self, branch: usize) -> bool {
        let at = self.positions[branch];
        let may = self.loops || !is_loop(self.program, self.failing[at].place);
        may && !is_last_turn(self.program, self.failing, at)
    }

    fn depends(&self, branch: usize, on: usize) -> bool {
        depends(self.failing, self.positions[branch], self.positions[on])
    }

    fn reversed(&mut self, path: &Run, branch: usize) -> Result<Vec<Run>, ()> {
        let at = self.positions[branch];
        let rest = end_of_region(path, at)..path.len();
        let rest = rest.filter(|event| !is_last_turn(self.program, path, *event));
        let rest: Vec<u32> = rest.filter_map(|event| path[event].outcome).collect();
        let mut taken = 0;
        let mut last = 0;
        let all = self.program.all(&mut |events| {
            let now = events.len() - 1;
            if now <= last {
                // Another run begins.
                taken = 0;
            }
            last = now;
            if now < at {
                return path[now].outcome;
            }
            if now == at {
                return path[now].outcome.map(|outcome| 1 - outcome);
            }
            if depends(events, now, at) {
                return None;
            }
            taken += 1;
            rest.get(taken - 1).copied()
        });
        Ok(all)
    }

    fn examine(&mut self, path: &mut Run, reversed: &[usize]) -> Result<Examined, ()> {
        let positions: Vec<usize> = reversed.iter().map(|branch| self.positions[*branch]).collect();
        self.tried.push((Distance::of(&positions), path.clone()));
        if self.contradictions.hold(&path[positions[0]..]) {
            return Ok(Examined::Never);
        }
        let is_found = !self.contradictions.hold(path) && (self.succeeds)(path);
        Ok(if is_found { Examined::Succeeds } else { Examined::Stays })
    }

    fn can_begin_at(&mut self, path: &Run, branch: usize) -> Result<bool, ()> {
        Ok(!self.contradictions.hold(&path[self.positions[branch]..]))
    }
}

impl<'a> Model<'a> {
    pub fn new(
        program: &'a Program,
        failing: &'a Run,
        loops: bool,
        contradictions: &'a Contradictions,
        succeeds: &'a dyn Fn(&Run) -> bool,
    ) -> Model<'a> {
        let positions = (0..failing.len()).filter(|at| failing[*at].outcome.is_some()).collect();
        Model { program, failing, positions, loops, contradictions, succeeds, tried: Vec::new() }
    }
}
