//! Code that did not run: what is added to the slice of a failure and what is not, exactly as the paper's figures and tables
//! have it (Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission Errors*), and that every dependence told is
//! shown by the experiment told for it.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use execution::dependence::{Follow, Moment};
use execution::index::indices_of;
use execution::lines::line_at;
use execution::predicates::predicates;
use execution::slice::slice;
use experiment::{Case, Change, Intervention, Lab, Limits, Oracle};
use program::{Constant, ConstantOp, Module, Op, Operand};
use techniques::omission::{
    Asked, Effect, Expanded, Inquiry, Proven, Righted, Shown, Verdict, Witness, expand, verify,
};
use techniques::{Means, Subject, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

/// A program that writes something wrong.
struct Faulty {
    lab: Lab,
    text: String,
    _folder: TempDir,
}

fn faulty(text: &str, input: &str, expected: &str) -> Faulty {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("it can be written");
    let lab = open(&source, input.as_bytes().to_vec(), expected.as_bytes().to_vec(), folder.path());
    Faulty { lab, text: text.to_owned(), _folder: folder }
}

fn open(source: &Path, input: Vec<u8>, expected: Vec<u8>, folder: &Path) -> Lab {
    let tools = Tools::find().expect("the tools are built");
    let program = folder.join("program");
    let built = Command::new(&tools.cc).args(["-g", "-w", "-O2"]).arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("faultline-cc runs").success());
    let case = Case::new(&program, Vec::new()).expect("a program").with_input(input);
    let oracle = Oracle { output: Some(expected), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    Lab::open(case, oracle, limits).expect("it fails")
}

impl Faulty {
    /// The line that ends with this comment.
    fn line(&self, comment: &str) -> u32 {
        let is_it = |line: &str| line.ends_with(&format!("// {comment}"));
        1 + self.text.lines().position(is_it).unwrap_or_else(|| panic!("no line {comment}")) as u32
    }

    /// The comment of a line, or its number.
    fn name(&self, line: u32) -> String {
        let text = self.text.lines().nth(line as usize - 1).unwrap_or_default();
        text.rsplit_once("// ").map_or_else(|| line.to_string(), |(_, comment)| comment.to_owned())
    }

    fn look<T>(&self, look: impl FnOnce(&Subject<'_, '_>) -> T) -> T {
        let means = Means::until(Instant::now() + Duration::from_secs(30));
        with_subject(&self.lab, means, |subject| Ok(look(subject))).expect("it can be looked at")
    }

    fn expanded<T>(&self, look: impl FnOnce(&Subject<'_, '_>, &Expanded) -> T) -> T {
        self.look(|subject| look(subject, &expand(subject, None).expect("it replays").expect("the failure is there")))
    }

    /// The final set, by comments.
    fn final_set(&self, subject: &Subject<'_, '_>, expanded: &Expanded) -> BTreeSet<String> {
        let own = |at: &Moment| !subject.run.functions.is_twin(at.function);
        let steps = expanded.pruned.statements(subject).into_iter().map(|(at, _)| at).filter(own);
        steps.filter_map(|at| line(subject, at)).map(|line| self.name(line)).collect()
    }

    /// Implicit dependences, by comments.
    fn edges(&self, subject: &Subject<'_, '_>, expanded: &Expanded) -> BTreeSet<(String, String)> {
        let name = |at: Moment| line(subject, at).map_or_else(String::new, |line| self.name(line));
        expanded.proven.iter().map(|one| (name(one.predicate.at), name(one.user))).collect()
    }

    /// Switches the last evaluation of the condition on a line, and looks at the loads of a variable on another.
    fn switched(&self, condition: &str, user: &str, variable: &str) -> Vec<Shown> {
        self.look(|subject| {
            let all = predicates(subject.run, usize::MAX).expect("it replays").steps;
            let at_line = |at: Moment, comment: &str| line(subject, at) == Some(self.line(comment));
            let predicate = all.iter().rev().find(|one| at_line(one.at, condition)).expect("the condition").at;
            let loads = all_steps(subject)
                .into_iter()
                .filter(|&at| at_line(at, user) && loads(subject, at, variable) && at.clock >= predicate.clock);
            let loads: HashSet<Moment> = loads.collect();
            assert!(!loads.is_empty(), "no use of {variable} at {user}");
            let uses = indices_of(subject.run, &loads).expect("it replays");
            let experiment = [Intervention { clock: predicate.clock, change: Change::Switch }];
            let inquiry = Inquiry { predicate, experiment: &experiment, uses: &uses, place: None };
            let found = verify(subject, &inquiry).expect("it runs").expect("it does as told");
            let mut shown: Vec<(Moment, Shown)> = found.uses.into_iter().collect();
            shown.sort_by_key(|(at, _)| *at);
            shown.into_iter().map(|(_, shown)| shown).collect()
        })
    }
}

fn line(subject: &Subject<'_, '_>, at: Moment) -> Option<u32> {
    let module = subject.run.functions.module(at.function).ok().filter(|module| !module.has_twins())?;
    line_at(module, subject.run.functions.function(at.function), at.instruction).map(|line| line.line)
}

/// Whether a step loads the variable of this name.
fn loads(subject: &Subject<'_, '_>, at: Moment, variable: &str) -> bool {
    let function = subject.run.functions.function(at.function);
    let Op::Load { address, .. } = &function.instruction(at.instruction).op else { return false };
    let module = subject.run.functions.module(at.function).expect("it was read");
    match address {
        Operand::Result(id) => function.instruction(*id).name == variable,
        Operand::Constant(constant) => names(module, constant, variable),
        Operand::Parameter(_) => false,
    }
}

/// Whether a constant is an address in the variable of this name.
fn names(module: &Module, constant: &Constant, variable: &str) -> bool {
    match &constant.op {
        ConstantOp::Address(position) => module.globals[*position as usize].name == variable,
        ConstantOp::Offset(base, _) => names(module, base, variable),
        _ => false,
    }
}

/// Every instruction that was executed.
fn all_steps(subject: &Subject<'_, '_>) -> Vec<Moment> {
    struct All<'a, 'r>(&'a execution::Run<'r>, Vec<Moment>);
    impl replay::Observer for All<'_, '_> {
        fn step(&mut self, step: &replay::Step<'_>) {
            self.1.extend(self.0.functions.moment(step));
        }
    }
    let mut all = All(subject.run, Vec::new());
    for window in (0..=subject.run.last_window().0).map(execution::Window) {
        all = subject.run.replay(window, all).expect("it replays");
    }
    all.1
}

fn set(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(ToString::to_string).collect()
}

/// Shaped as figure 1: S1 is wrong, S5 should have run.
const SAVED_NAME: &str = r#"#include <stdio.h>
static unsigned char outbuf[8];
int main(void) {
    int save_orig_name = 0; // S1
    int flags = 0; // S2
    int outcnt = 1; // S3
    if (save_orig_name) // S4
        flags |= 8; // S5
    outbuf[outcnt] = flags; // S6
    if (save_orig_name) // S7
        outbuf[outcnt + 1] = 'n'; // S8
    printf("%d\n", outcnt); // S9
    printf("%d\n", outbuf[1]); // S10
    return 0;
}
"#;

#[test]
fn the_flag_of_the_original_name_is_traced_to_where_it_was_decided() {
    let faulty = faulty(SAVED_NAME, "", "1\n8\n");
    faulty.look(|subject| {
        let criterion = &subject.question.criterion;
        let lines = |follow: Follow<'_>| -> BTreeSet<String> {
            let found = slice(subject.run, criterion, follow, usize::MAX).expect("it replays");
            found.listed.iter().filter_map(|at| line(subject, *at)).map(|line| faulty.name(line)).collect()
        };
        assert_eq!(lines(Follow::DataAndControl), set(&["S2", "S3", "S6", "S10"]));
        let potential = subject.run.potential().expect("it is read");
        assert_eq!(lines(Follow::Relevant(&potential)), set(&["S1", "S2", "S3", "S4", "S6", "S7", "S10"]));
    });
    faulty.expanded(|subject, expanded| {
        let edges = faulty.edges(subject, expanded);
        assert_eq!(edges, BTreeSet::from([("S4".to_owned(), "S6".to_owned())]));
        assert_eq!(faulty.final_set(subject, expanded), set(&["S1", "S2", "S4", "S6", "S10"]));
        let [Proven { effect: Effect { righted: Righted::All, .. }, shown, .. }] = &expanded.proven[..] else {
            panic!("{:?}", expanded.proven)
        };
        let Shown::Redefined { by: Some(by), .. } = shown else { panic!("{shown:?}") };
        assert_eq!(by.line, faulty.line("S5"));
        // Two conditions tried, one looked at.
        assert_eq!((expanded.candidates, expanded.experiments), (2, 3));
    });
    assert_eq!(faulty.switched("S7", "S10", "outbuf"), [Shown::Unaffected]);
}

/// Calls steps right or wrong by the comments of their lines, and notes what it is asked about.
struct Known<'a> {
    faulty: &'a Faulty,
    right: &'a [&'a str],
    wrong: &'a [&'a str],
    asked: RefCell<Vec<String>>,
}

impl Witness for Known<'_> {
    fn say(&self, step: &Asked) -> Verdict {
        let name = self.faulty.name(step.location.line);
        let has = |all: &[&str]| all.contains(&name.as_str());
        let verdict = match (has(self.right), has(self.wrong)) {
            (true, _) => Verdict::Benign,
            (_, true) => Verdict::Corrupted,
            _ => Verdict::Unknown,
        };
        self.asked.borrow_mut().push(name);
        verdict
    }
}

#[test]
fn what_somebody_calls_right_leaves_the_set() {
    let faulty = faulty(SAVED_NAME, "", "1\n8\n");
    let known = |right, wrong| Known { faulty: &faulty, right, wrong, asked: RefCell::default() };
    faulty.look(|subject| {
        let with = |known: &Known<'_>| expand(subject, Some(known)).expect("it replays").expect("the failure is there");
        // All that is shown to them; what the right output clears is not.
        let silent = known(&[], &[]);
        let expanded = with(&silent);
        assert_eq!(faulty.final_set(subject, &expanded), set(&["S1", "S2", "S4", "S6", "S10"]));
        assert_eq!(silent.asked.take(), ["S6", "S2", "S4", "S1"]);
        let truthful = known(&["S2"], &["S1", "S4", "S6"]);
        let expanded = with(&truthful);
        assert_eq!(faulty.final_set(subject, &expanded), set(&["S1", "S4", "S6", "S10"]));
        assert_eq!(expanded.said, (1, 3));
        // What is called right clears what only it depends on.
        let sure = known(&["S6"], &[]);
        assert_eq!(faulty.final_set(subject, &with(&sure)), set(&["S10"]));
    });
}

#[test]
fn answers_are_read_from_standard_input() {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("program.c"), SAVED_NAME).expect("it can be written");
    std::fs::write(at("expected"), "1\n8\n").expect("it can be written");
    std::fs::write(at("input"), "").expect("it can be written");
    let built = Command::new(&tools.cc).args(["-g", "program.c", "-o", "program"]).current_dir(&folder).status();
    assert!(built.expect("faultline-cc runs").success());
    let mut command = Command::new(&tools.faultline);
    command.args(["omission", "--ask", "--expect", "expected", "--stdin", "input", "--", "./program"]);
    let patience = Duration::from_secs(60);
    let ran = testkit::run(command.current_dir(&folder), b"maybe\nno\nyes\n", patience).expect("it runs");
    let (asked, told) = (String::from_utf8_lossy(&ran.stderr), String::from_utf8_lossy(&ran.stdout));
    assert!(asked.contains("program.c:9 in main: `outbuf[1]` became 0"), "{asked}");
    assert!(asked.contains("`maybe` is none of these"), "{asked}");
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("1 was called right, 1 wrong"), "{told}");
    // Without a file, what the program reads and the answers would be mixed up, and here is no terminal.
    command = Command::new("setsid");
    command.arg("--wait").arg(&tools.faultline).args(["omission", "--ask", "--expect", "expected", "--", "./program"]);
    let refused = testkit::run(command.current_dir(&folder), b"", patience).expect("it runs");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--stdin FILE"), "{refused:?}");
}

/// Shaped as figure 2. The condition brings about a loop with a recursive call, which executes the use once more; or it
/// takes the use away, and a recursive call executes it elsewhere.
fn shaped_as_figure_2(run: u32) -> String {
    format!(
        r#"#include <stdio.h>
static int x = 1, shown, run = {run};
static void work(int p, int c2, int depth) {{
    int t = 0;
    if (p) {{ // P
        t = 1;
        x = 5; // redefined
        if (run == 3)
            c2 = 0;
    }}
    while (t) {{
        if (run == 2)
            work(0, 1, 1);
        t = 0;
    }}
    if (shown >= 0) {{
        if (c2) {{
            shown += x; // use
            shown++;
        }}
        if (run == 3 && depth == 0)
            work(0, 1, 1);
    }}
}}
int main(void) {{
    work(0, 1, 0);
    printf("%d\n", shown);
    return 0;
}}
"#
    )
}

#[test]
fn a_use_is_found_again_though_it_is_executed_once_more_elsewhere() {
    let faulty = faulty(&shaped_as_figure_2(2), "", "12\n");
    let shown = faulty.switched("P", "use", "x");
    let [Shown::Redefined { by: Some(by), value: Some(5), .. }] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!(by.line, faulty.line("redefined"));
}

#[test]
fn a_use_that_is_gone_is_not_mistaken_for_the_same_line_elsewhere() {
    // In the failing run the use is executed twice, in turn; the condition is that of the outer call.
    let faulty = faulty(&shaped_as_figure_2(3), "", "9\n");
    faulty.look(|subject| {
        let all = predicates(subject.run, usize::MAX).expect("it replays").steps;
        let at_line = |at: Moment, comment: &str| line(subject, at) == Some(faulty.line(comment));
        let predicate = all.iter().find(|one| at_line(one.at, "P")).expect("the condition").at;
        let loads: HashSet<Moment> =
            all_steps(subject).into_iter().filter(|&at| at_line(at, "use") && loads(subject, at, "x")).collect();
        let outer = loads.iter().copied().min().expect("a use");
        let uses = indices_of(subject.run, &HashSet::from([outer])).expect("it replays");
        let experiment = [Intervention { clock: predicate.clock, change: Change::Switch }];
        let inquiry = Inquiry { predicate, experiment: &experiment, uses: &uses, place: None };
        let found = verify(subject, &inquiry).expect("it runs").expect("it does as told");
        assert_eq!(found.uses, HashMap::from([(outer, Shown::Missing)]));
    });
}

/// Shaped as figure 3: one entry, several exits.
#[test]
fn a_region_that_is_left_early_takes_the_use_with_it() {
    let text = r#"#include <stdio.h>
int main(void) {
    int sum = 0, i = 0, is_odd = 0;
    while (i < 3) {
        if (sum > 100) // leaves
            break;
        if (i == 2) // stays
            is_odd = 1;
        sum += i; // use
        i++;
    }
    printf("%d %d\n", sum, is_odd);
    return 0;
}
"#;
    let faulty = faulty(text, "", "1 0\n");
    assert_eq!(faulty.switched("leaves", "use", "i"), [Shown::Missing]);
    assert_eq!(faulty.switched("stays", "use", "i"), [Shown::Unaffected]);
}

/// Figure 4.
#[test]
fn a_right_output_clears_what_it_shows() {
    let text = r#"#include <stdio.h>
int main(void) {
    int a = 1; // a
    int b = a % 2; // b
    int c = a + 2; // c
    printf("%d\n", b); // shows b
    printf("%d\n", c); // shows c
    return 0;
}
"#;
    let faulty = faulty(text, "", "1\n5\n");
    faulty.expanded(|subject, expanded| {
        let flow = &expanded.pruned.flow;
        let of = |comment: &str| {
            let is_it = |at: Moment| {
                let op = &subject.run.functions.function(at.function).instruction(at.instruction).op;
                matches!(op, Op::Store { .. }) && line(subject, at) == Some(faulty.line(comment))
            };
            let vertex = flow.vertices().find(|vertex| is_it(flow.step(*vertex))).expect("it is in the flow");
            expanded.pruned.confidence[vertex.0 as usize]
        };
        assert_eq!(of("b"), 1.0);
        assert_eq!(of("c"), 0.0);
        assert!(0.0 < of("a") && of("a") < 1.0, "{}", of("a"));
        assert_eq!(faulty.final_set(subject, expanded), set(&["a", "c", "shows c"]));
    });
}

/// Table 5(a): what a path cannot do in the faulty program, it may do in the right one.
#[test]
fn a_path_that_cannot_be_is_tried_all_the_same() {
    let text = r#"#include <stdio.h>
int main(void) {
    int a = 15, x = 0; // A
    if (a > 10) // P1
        x = 1; // S1
    if (a < 5) // P2
        x = 2; // S2
    printf("%d\n", x); // S3
    return 0;
}
"#;
    let faulty = faulty(text, "", "2\n");
    faulty.expanded(|subject, expanded| {
        assert_eq!(faulty.edges(subject, expanded), BTreeSet::from([("P2".to_owned(), "S3".to_owned())]));
        assert_eq!(faulty.final_set(subject, expanded), set(&["A", "P1", "P2", "S1", "S3"]));
    });
}

/// Table 5(b): one switch is not enough.
#[test]
fn nested_conditions_on_the_same_wrong_value_are_reversed_together() {
    let text = r#"#include <stdio.h>
int main(void) {
    int x = 1; // S1
    int a = 5; // S2
    if (a > 10) // P1
        if (a > 100) // P2
            x = 3; // S3
    printf("%d\n", x); // S4
    return 0;
}
"#;
    let faulty = faulty(text, "", "3\n");
    assert_eq!(faulty.switched("P1", "S4", "x"), [Shown::Unaffected]);
    faulty.expanded(|subject, expanded| {
        assert_eq!(faulty.edges(subject, expanded), BTreeSet::from([("P1".to_owned(), "S4".to_owned())]));
        let [one] = &expanded.proven[..] else { panic!("{:?}", expanded.proven) };
        assert!(one.is_nested() && one.is_strong());
        assert_eq!(faulty.final_set(subject, expanded), set(&["S1", "S2", "P1", "S4"]));
    });
}

/// What was not shown is not told, and what is told is shown again by the experiment that is told.
#[test]
fn every_dependence_is_shown_by_its_experiment() {
    let mut count = 0;
    let folder = workspace().join("tests/locate/omission");
    let mut cases: Vec<_> = std::fs::read_dir(folder).expect("cases").flatten().map(|entry| entry.path()).collect();
    cases.sort();
    for case in cases {
        let read = |name: &str| std::fs::read(case.join(name)).expect("it is there");
        let built = TempDir::new().expect("a folder");
        let lab = open(&case.join("program.c"), read("input"), read("expected"), built.path());
        let means = Means::until(Instant::now() + Duration::from_secs(30));
        let shown = with_subject(&lab, means, |subject| {
            let expanded = expand(subject, None)?.expect("the failure is there");
            for one in &expanded.proven {
                let uses = indices_of(subject.run, &HashSet::from([one.user]))?;
                let inquiry =
                    Inquiry { predicate: one.predicate.at, experiment: &one.experiment, uses: &uses, place: one.place };
                let again = verify(subject, &inquiry)?.expect("it does as told");
                assert_eq!(again.uses.get(&one.user), Some(&one.shown), "{one:?}");
                assert_eq!(again.effect, one.effect, "{one:?}");
                let ran = lab.run(&one.experiment)?;
                let passes = lab.judge(&one.experiment, &ran)? == experiment::Outcome::Passes;
                assert_eq!(passes, one.passes(), "{one:?}");
            }
            Ok(expanded.proven.len())
        });
        let shown = shown.expect("it can be looked at");
        assert!(shown > 0, "{} has none", case.display());
        count += shown;
    }
    assert!(count >= 6, "{count} dependences");
}
