//! Small programs whose runs can all be listed: the slow twin of the search.

use std::collections::BTreeMap;

use super::distance::{Distance, Event, distance};
use super::generate::{Examined, Space, generate};

#[derive(Clone, Debug)]
enum Statement {
    Plain(u32),
    If(u32, Vec<Statement>, Vec<Statement>),
    While(u32, Vec<Statement>),
    Return(u32),
}

#[derive(Clone, Debug)]
struct Program {
    body: Vec<Statement>,
    /// Turns of a loop at most.
    turns: usize,
}

type Run = Vec<Event<u32>>;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % limit
    }
}

fn hash(of: impl std::hash::Hash) -> u64 {
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
    fn random(random: &mut Random, with_loops: bool) -> Program {
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
    fn all(&self, decided: &mut dyn FnMut(&Run) -> Option<u32>) -> Vec<Run> {
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
struct Contradictions(Vec<[(u32, u32); 2]>);

impl Contradictions {
    fn hold(&self, part: &[Event<u32>]) -> bool {
        let has = |(place, outcome): (u32, u32)| {
            part.iter().any(|event| event.place == place && event.outcome == Some(outcome))
        };
        self.0.iter().any(|[one, other]| has(*one) && has(*other))
    }
}

/// A program as a space of paths.
struct Model<'a> {
    program: &'a Program,
    failing: &'a Run,
    /// Positions of its branches among its events.
    positions: Vec<usize>,
    loops: bool,
    contradictions: &'a Contradictions,
    succeeds: &'a dyn Fn(&Run) -> bool,
    tried: Vec<(Distance, Run)>,
}

fn is_loop(program: &Program, place: u32) -> bool {
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
fn is_last_turn(program: &Program, run: &Run, at: usize) -> bool {
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
    fn new(
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

/// Random programs of a size that can be listed, each with one of its runs.
fn subjects(seed: u64, count: usize, loops: bool) -> impl Iterator<Item = (Program, Run, Vec<Run>)> {
    let mut random = Random(seed);
    std::iter::from_fn(move || {
        loop {
            let program = Program::random(&mut random, loops);
            // A first look at how many runs there are at most: branches double them.
            let branches = format!("{:?}", program.body).matches("If(").count();
            let turns = format!("{:?}", program.body).matches("While(").count();
            if !(2..=7).contains(&(branches + 2 * turns)) {
                continue;
            }
            let all = program.all(&mut |_| None);
            let failing = all[random.below(all.len() as u64) as usize].clone();
            return Some((program, failing, all));
        }
    })
    .take(count)
}

/// Groups of runs at the same distance, the nearest first, by the definitions.
fn by_definition(failing: &Run, all: &[Run], is_meant: impl Fn(&[usize]) -> bool) -> BTreeMap<Distance, Vec<Run>> {
    let mut groups: BTreeMap<Distance, Vec<Run>> = BTreeMap::new();
    for run in all {
        let distance = distance(failing, run);
        if distance != Distance::same() && is_meant(&distance.branches()) {
            groups.entry(distance).or_default().push(run.clone());
        }
    }
    groups
}

fn sorted(mut runs: Vec<Run>) -> Vec<String> {
    let mut shown: Vec<String> = runs.drain(..).map(|run| format!("{run:?}")).collect();
    shown.sort();
    shown
}

/// Theorem 1, and more: the order is that of definition 4, and no run is left out.
#[test]
fn all_runs_come_in_the_order_of_their_distances() {
    let none = Contradictions(Vec::new());
    for (loops, seed) in [(false, 0x1234_5678_9abc_def1), (true, 0x0fed_cba9_8765_4321)] {
        let mut longest = 0;
        for (program, failing, all) in subjects(seed, 400, true) {
            let mut model = Model::new(&program, &failing, loops, &none, &|_| false);
            assert!(generate(&mut model, failing.clone(), usize::MAX).expect("no error").is_none());
            let is_meant = |branches: &[usize]| {
                let is_free = |at: &usize| loops || !is_loop(&program, failing[*at].place);
                branches.iter().all(|at| is_free(at) && !is_last_turn(&program, &failing, *at))
            };
            let wanted = by_definition(&failing, &all, is_meant);
            assert!(model.tried.windows(2).all(|two| two[0].0 <= two[1].0), "{program:?} {failing:?}");
            let mut found: BTreeMap<Distance, Vec<Run>> = BTreeMap::new();
            for (claimed, run) in model.tried {
                assert_eq!(claimed, distance(&failing, &run), "{program:?}");
                found.entry(claimed).or_default().push(run);
            }
            longest = longest.max(found.len());
            let (wanted, found): (Vec<_>, Vec<_>) = (
                wanted.into_iter().map(|(distance, runs)| (distance, sorted(runs))).collect(),
                found.into_iter().map(|(distance, runs)| (distance, sorted(runs))).collect(),
            );
            assert_eq!(found, wanted, "{program:?} {failing:?}");
        }
        assert!(longest > 20, "all programs were trivial");
    }
}

/// Leaving out what contradicts itself loses nothing: the first that succeeds is at the distance that it is at by definition.
#[test]
fn the_nearest_that_succeeds_is_found_in_spite_of_pruning() {
    let mut random = Random(0x5555_aaaa_1234_9876);
    let (mut found, mut fewer) = (0, 0);
    for (program, failing, all) in subjects(0xdead_beef_1234_5671, 600, false) {
        let places: Vec<(u32, u32)> =
            all.iter().flatten().filter_map(|event| Some((event.place, event.outcome?))).collect();
        let mut one = || places[random.below(places.len() as u64) as usize];
        let pairs: Vec<_> = (0..10).map(|_| [one(), one()]).filter(|[one, other]| one.0 != other.0).collect();
        let contradictions =
            Contradictions(pairs.into_iter().filter(|pair| !Contradictions(vec![*pair]).hold(&failing)).collect());
        let seed = random.below(1 << 40);
        let succeeds = |run: &Run| hash((seed, format!("{run:?}"))) % 6 == 0;
        let is_wanted = |run: &&Run| !contradictions.hold(run) && succeeds(run) && **run != failing;
        let nearest = all.iter().filter(is_wanted).map(|run| distance(&failing, run)).min();
        let mut model = Model::new(&program, &failing, false, &contradictions, &succeeds);
        let first = generate(&mut model, failing.clone(), usize::MAX).expect("no error");
        assert_eq!(first.as_ref().map(|(run, _)| distance(&failing, run)), nearest, "{program:?} {failing:?}");
        found += usize::from(first.is_some());
        let nothing = Contradictions(Vec::new());
        let all_succeed = |run: &Run| !contradictions.hold(run) && succeeds(run);
        let mut unpruned = Model::new(&program, &failing, false, &nothing, &all_succeed);
        let second = generate(&mut unpruned, failing.clone(), usize::MAX).expect("no error");
        assert_eq!(second.map(|(run, _)| distance(&failing, &run)), nearest);
        fewer += usize::from(model.tried.len() < unpruned.tried.len());
    }
    assert!(found > 100 && fewer > 50, "{found} found, {fewer} with fewer candidates");
}

/// Figure 2 of the paper.
fn figure_2() -> Program {
    let set = |place| vec![Statement::Plain(place)];
    Program {
        body: vec![
            Statement::If(1, set(2), Vec::new()),
            Statement::If(3, set(4), Vec::new()),
            Statement::If(5, vec![Statement::If(6, set(7), set(9))], Vec::new()),
            Statement::Plain(10),
        ],
        turns: 2,
    }
}

fn lines(run: &Run) -> Vec<u32> {
    run.iter().map(|event| event.place).collect()
}

/// Everything that is tried from a failing run, by lines: the branches that are reversed, and the run.
fn tried(failing: &[u32]) -> Vec<(Vec<u32>, Vec<u32>)> {
    let program = figure_2();
    let all = program.all(&mut |_| None);
    let failing = all.iter().find(|run| lines(run) == failing).expect("a run of the program");
    let none = Contradictions(Vec::new());
    let mut model = Model::new(&program, failing, false, &none, &|_| false);
    assert!(generate(&mut model, failing.clone(), usize::MAX).expect("no error").is_none());
    let reversed = |distance: &Distance| distance.branches().iter().map(|at| failing[*at].place).collect();
    model.tried.iter().map(|(distance, run)| (reversed(distance), lines(run))).collect()
}

#[test]
fn the_eleven_runs_of_table_2_come_in_its_order() {
    let wanted: [(&[u32], &[u32]); 11] = [
        (&[6], &[1, 3, 5, 6, 9, 10]),
        (&[3, 6], &[1, 3, 4, 5, 6, 9, 10]),
        (&[1, 3, 6], &[1, 2, 3, 4, 5, 6, 9, 10]),
        (&[1, 6], &[1, 2, 3, 5, 6, 9, 10]),
        (&[5], &[1, 3, 5, 10]),
        (&[3, 5], &[1, 3, 4, 5, 10]),
        (&[1, 3, 5], &[1, 2, 3, 4, 5, 10]),
        (&[1, 5], &[1, 2, 3, 5, 10]),
        (&[3], &[1, 3, 4, 5, 6, 7, 10]),
        (&[1, 3], &[1, 2, 3, 4, 5, 6, 7, 10]),
        (&[1], &[1, 2, 3, 5, 6, 7, 10]),
    ];
    let wanted: Vec<_> = wanted.iter().map(|(reversed, run)| (reversed.to_vec(), run.to_vec())).collect();
    assert_eq!(tried(&[1, 3, 5, 6, 7, 10]), wanted);
}

#[test]
fn a_nested_branch_makes_two_runs_of_one_reversal() {
    let first: Vec<_> = tried(&[1, 2, 3, 4, 5, 10]).into_iter().take_while(|(reversed, _)| *reversed == [5]).collect();
    let mut runs: Vec<Vec<u32>> = first.into_iter().map(|(_, run)| run).collect();
    runs.sort();
    assert_eq!(runs, [vec![1, 2, 3, 4, 5, 6, 7, 10], vec![1, 2, 3, 4, 5, 6, 9, 10]]);
}
