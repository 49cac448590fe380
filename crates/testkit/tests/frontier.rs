//! The worked examples of Li, Li, Huo and Feng, *Locating Software Faults Based on Minimum Debugging Frontier Set*: the middle of
//! three numbers with two faults (figures 1 and 4), and with two lines exchanged (§6.2).

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use budget::Budget;
use execution::{Run, Window};
use experiment::{Case, Lab, Limits, Oracle};
use program::Op;
use replay::{Observed, Observer, Step};
use techniques::asking::{Asked, Verdict, Witness};
use techniques::frontier::{Cause, Manner, Searched, Strategy, Turn, Went, find_with, searched, turn};
use techniques::{Means, Notebook, Subject, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

/// Builds a program, runs it on an input for which it prints something else than expected, and looks.
fn examined<T>(source: &str, input: &str, expected: &str, look: impl FnOnce(&Subject<'_, '_>) -> T) -> T {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let (file, program) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&file, source).expect("it can be written");
    let mut command = Command::new(&tools.cc);
    command.args(["-g", "-w"]).arg(&file).arg("-o").arg(&program);
    assert!(command.status().expect("faultline-cc runs").success());
    let case = Case::new(&program, Vec::new()).expect("a program").with_input(input.as_bytes().to_vec());
    let oracle = Oracle { output: Some(expected.into()), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(1), workers: 1, ..Limits::default() };
    let lab = Lab::open(case, oracle, limits).expect("it fails");
    let (budget, notebook) = (Budget::of(Duration::from_secs(60)), Notebook::default());
    with_subject(&lab, Means::within(&budget, &notebook), |subject| Ok(look(subject))).expect("it can be examined")
}

fn fixture(name: &str) -> String {
    let path = workspace().join("tests/locate/frontier").join(name).join("program.c");
    std::fs::read_to_string(path).expect("a program")
}

fn line(subject: &Subject<'_, '_>, at: Step) -> u32 {
    subject.run.functions.instruction(at.site).location.map_or(0, |location| location.line)
}

/// The lines of a turn's members, in the order of execution.
fn lines(subject: &Subject<'_, '_>, turn: &Turn) -> Vec<u32> {
    turn.members.iter().map(|examined| line(subject, examined.member.at)).collect()
}

fn polluted(turn: &Turn) -> Vec<Vec<usize>> {
    turn.polluted.iter().map(|(combination, _)| combination.clone()).collect()
}

fn lines_of(subject: &Subject<'_, '_>, causes: &[Cause]) -> BTreeSet<u32> {
    causes.iter().map(|cause| line(subject, cause.member.at)).collect()
}

fn search(subject: &Subject<'_, '_>) -> Searched {
    searched(subject, Manner::default()).expect("it can be searched")
}

/// The steps of a line that assign or decide.
fn steps(run: &Run<'_>, wanted: u32) -> Vec<Step> {
    struct Finder(u32, Vec<Step>);
    impl Observer for Finder {
        fn step(&mut self, step: &Observed<'_>) {
            let is_state = matches!(step.instruction().op, Op::Store { .. } | Op::Branch { .. });
            if is_state && step.instruction().location.is_some_and(|location| location.line == self.0) {
                self.1.push(step.step());
            }
        }
    }
    let mut found = Vec::new();
    for window in 0..=run.last_window().0 {
        found.extend(run.replay(Window(window), Finder(wanted, Vec::new())).expect("it replays").1);
    }
    found
}

#[test]
fn two_faults_are_found_at_once() {
    examined(&fixture("middle"), "2 1 3\n", "2\n", |subject| {
        let found = search(subject);
        // The paper's figure has the input `y` in place of line 2, which is nearer to the output, and as narrow.
        assert_eq!(lines(subject, &found.turns[0]), [2, 6]);
        assert_eq!(polluted(&found.turns[0]), [[0], [1]]);
        assert_eq!(found.turns[0].went, Went::Before);
        // Both conditions that line 6 hangs on are asked about, one after the other.
        let later: Vec<u32> = found.turns[1..].iter().flat_map(|turn| lines(subject, turn)).collect();
        assert!(!later.is_empty() && later.iter().all(|line| [3, 4].contains(line)), "{later:?}");
        assert!(found.turns[1..].iter().all(|turn| turn.polluted.is_empty() && turn.went == Went::Behind));
        assert_eq!(lines_of(subject, &found.causes), BTreeSet::from([2, 6]));
        let told = find_with(subject, Manner::default()).expect("it can be told").suspects;
        let told: Vec<u32> = told.iter().map(|suspect| suspect.finding.location.line).collect();
        assert_eq!(BTreeSet::from_iter(told.iter().copied()), BTreeSet::from([2, 6]));
        assert_eq!(told.len(), 2);
    });
}

/// The same with the numbers read by the program itself, so that what is read is a state.
const READING: &str = "#include <stdio.h>
static int number(void) { int c = getchar() - '0'; getchar(); return c; }
int main(void) { int x, y, z, m; x = number();
    y = number();
    z = number();
    m = y;
    if (y < z) {
        if (x < y) m = y;
        else if (x > z)
            m = x;
    } else { if (x > y) m = y; else if (x > z) m = x; }
    printf(\"%d\\n\", m); return 0; }
";

#[test]
fn the_cuts_of_figure_4_are_judged_as_there() {
    examined(READING, "2 1 3\n", "2\n", |subject| {
        let one = |line| match steps(subject.run, line)[..] {
            [step] => step,
            ref all => panic!("one step at line {line}: {all:?}"),
        };
        let (read_y, guard) = (one(4), one(9));
        // The first cut: both are polluted. With `y` a symbol, the path hinges on y < 3 and y ≤ 2, and only y = 2 is right.
        let first = turn(subject, &[read_y, guard], &[]).expect("it can be examined");
        assert_eq!(polluted(&first), [[0], [1]]);
        let own = |step: &Step| !subject.run.functions.is_twin(step.site.function);
        let hinged: Vec<u32> =
            first.members[0].hinged.iter().filter(|step| own(step)).map(|step| line(subject, *step)).collect();
        assert_eq!(hinged, [7, 8]);
        let range = first.polluted[0].1.range.as_ref().expect("a range of values");
        assert_eq!((range.least, range.most), (2, 2));
        // The second: neither condition that the guard hangs on reverses it, and the first makes the second unreachable.
        let (outer, inner) = (one(7), steps(subject.run, 8)[0]);
        let second = turn(subject, &[outer, inner], &[guard]).expect("it can be examined");
        assert_eq!(lines(subject, &second), [7, 8]);
        assert_eq!(polluted(&second), Vec::<Vec<usize>>::new());
    });
}

struct Says(u32, Verdict);

impl Witness for Says {
    fn say(&self, step: &Asked) -> Verdict {
        if step.location.line == self.0 { self.1 } else { Verdict::Unknown }
    }
}

#[test]
fn exchanged_lines_need_a_word_of_somebody() {
    examined(&fixture("middle_exchanged"), "2 1 3\n", "2\n", |subject| {
        let alone = search(subject);
        assert_eq!(lines_of(subject, &alone.causes), BTreeSet::from([6]), "it goes the wrong way");
        let witness = Says(6, Verdict::Benign);
        let manner = Manner { witness: Some(&witness), ..Manner::default() };
        let asked = searched(subject, manner).expect("it can be searched");
        assert_eq!(lines_of(subject, &asked.causes), BTreeSet::from([7]));
        assert_eq!(asked.states.said, (1, 0));
    });
}

#[test]
fn other_strategies_come_to_the_same_lines() {
    examined(&fixture("middle"), "2 1 3\n", "2\n", |subject| {
        for strategy in [Strategy::SingleStep, Strategy::Bisection] {
            let found = searched(subject, Manner { strategy, ..Manner::default() }).expect("it can be searched");
            let lines = lines_of(subject, &found.causes);
            assert!(lines.contains(&2) || lines.contains(&6), "{strategy:?}: {lines:?}");
        }
    });
}
