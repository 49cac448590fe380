//! The search against its slow twin: all runs of small programs, sorted by the definitions.

use std::collections::BTreeMap;

use super::distance::{Distance, distance};
use super::generate::generate;
use super::model::{Contradictions, Model, Program, Random, Run, Statement, hash, is_last_turn, is_loop};

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

/// The branches that are reversed and the run, the nearest first.
pub(super) const TABLE_2: [(&[u32], &[u32]); 11] = [
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

#[test]
fn the_eleven_runs_of_table_2_come_in_its_order() {
    let wanted: Vec<_> = TABLE_2.iter().map(|(reversed, run)| (reversed.to_vec(), run.to_vec())).collect();
    assert_eq!(tried(&[1, 3, 5, 6, 7, 10]), wanted);
}

#[test]
fn a_nested_branch_makes_two_runs_of_one_reversal() {
    let first: Vec<_> = tried(&[1, 2, 3, 4, 5, 10]).into_iter().take_while(|(reversed, _)| *reversed == [5]).collect();
    let mut runs: Vec<Vec<u32>> = first.into_iter().map(|(_, run)| run).collect();
    runs.sort();
    assert_eq!(runs, [vec![1, 2, 3, 4, 5, 6, 7, 10], vec![1, 2, 3, 4, 5, 6, 9, 10]]);
}
