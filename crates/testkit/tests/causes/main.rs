//! The causal path, step by step as the paper has it (Sumner, Zhang and Jagannathan, *Comparison-based Computation of Causal
//! Paths for Software Failures*): figures 2 and 3, the theorem of section 4.3, fast passes, and versions that differ by more
//! than the fault.

mod random_program;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use execution::difference::{CauseId, Side};
use execution::lines::line_at;
use experiment::{Case, Lab, Limits, Oracle};
use random_program::RandomProgram;
use techniques::causes::{
    Again, Compared, Differences, FastPasses, How, Path as CausalPath, Trials, find, path, repairs, with_repaired,
    with_version,
};
use techniques::{Found, Means, Subject, TechniqueError, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

const BUDGET: Duration = Duration::from_secs(120);
/// Experiments for a path.
const MOST: u64 = 1000;
/// The same where many paths are computed; longer ones are left out.
const MOST_OF_MANY: u64 = 40;

/// A program that fails, and a version of it that does not.
struct Versions {
    lab: Lab,
    failing: String,
    right: PathBuf,
    _folder: TempDir,
}

fn build(compiler: &Path, text: &str, folder: &Path, name: &str) -> PathBuf {
    let place = folder.join(name);
    std::fs::create_dir_all(&place).expect("a folder");
    let (source, program) = (place.join("program.c"), place.join("program"));
    std::fs::write(&source, text).expect("it can be written");
    let built = Command::new(compiler).args(["-g", "-w", "-O2"]).arg(&source).arg("-o").arg(&program).status();
    assert!(built.expect("the compiler runs").success());
    program
}

fn output(program: &Path) -> Vec<u8> {
    Command::new(program).output().expect("it runs").stdout
}

/// `None` if they do the same.
fn versions(failing: &str, right: &str) -> Option<Versions> {
    let tools = Tools::find().expect("the tools are built");
    with_reference_by(&tools.cc, failing, right)
}

fn with_reference_by(compiler: &Path, failing: &str, right: &str) -> Option<Versions> {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = build(&tools.cc, failing, folder.path(), "failing");
    let reference = build(compiler, right, folder.path(), "right");
    let expected = output(&reference);
    if output(&program) == expected {
        return None;
    }
    let case = Case::new(&program, Vec::new()).expect("a program");
    let oracle = Oracle { output: Some(expected), reference: Some(reference.clone()), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let lab = Lab::open(case, oracle, limits).expect("it fails");
    Some(Versions { lab, failing: failing.to_owned(), right: reference, _folder: folder })
}

/// A step of a path: its line's name, how it is known, and the names of the relevant set after it.
type Told = (String, How, Vec<String>);

impl Versions {
    /// The path, with the number of experiments.
    fn path(&self, passes: FastPasses) -> (Vec<Told>, u64) {
        let means = Means::until(Instant::now() + BUDGET);
        let compared = with_subject(&self.lab, means, |subject| {
            with_version(subject, &self.right, |differences, again| {
                let (path, made) = computed(subject, differences, again, passes, MOST)?;
                let name = |id: CauseId| self.name(differences, id);
                let told = |step: &techniques::causes::PathStep| {
                    (name(step.id), step.how, step.relevant.iter().map(|id| name(*id)).collect())
                };
                Ok((path.steps.iter().map(told).collect(), made))
            })
        });
        match compared.expect("it is compared") {
            Compared::Done(done) => done,
            Compared::Limit(limit) => panic!("{limit}"),
        }
    }

    fn find(&self) -> Found {
        with_subject(&self.lab, Means::until(Instant::now() + BUDGET), find).expect("it is found")
    }

    /// What stands after `//` on the line of a step.
    fn name(&self, differences: &Differences<'_, '_>, id: CauseId) -> String {
        let Some((side, at)) = differences.step(id) else { return "failure".into() };
        let functions = &differences.pair.runs.of(side).functions;
        let module = functions.module(at.function).expect("it was read");
        let line = line_at(module, functions.function(at.function), at.instruction).map_or(0, |line| line.line);
        if side == Side::Left {
            return format!("right:{line}");
        }
        let text = self.failing.lines().nth(line as usize - 1).unwrap_or_default();
        text.split_once("//").map_or_else(|| format!("line {line}"), |(_, name)| name.trim().to_owned())
    }

    fn line(&self, name: &str) -> u32 {
        let has = |text: &str| text.split_once("//").is_some_and(|(_, after)| after.trim() == name);
        self.failing.lines().position(has).expect("a line has this name") as u32 + 1
    }
}

fn computed(
    subject: &Subject<'_, '_>,
    differences: &Differences<'_, '_>,
    again: &Again<'_>,
    passes: FastPasses,
    most: u64,
) -> Result<(CausalPath, u64), TechniqueError> {
    let mut trials = Trials { subject, differences, again, made: 0 };
    let path = path(&mut trials, passes, most)?;
    Ok((path, trials.made))
}

/// Shaped as figure 2: the second cell should be the one after which one is skipped.
const LIST_SUM: &str = r#"#include <stdio.h>
#include <stdlib.h>
struct cell { int value; struct cell *next; };
static struct cell *list(int from, int to) {
    if (from > to)
        return NULL;
    struct cell *first = malloc(sizeof *first);
    first->value = from;
    first->next = list(from + 1, to);
    return first;
}
int main(void) {
    struct cell *p = list(1, 3); // S1
    int sum = 0; // S2
    while (p) { // S3
        sum += p->value; // S4
        int x = p->value == 1; // S5
        if (x) // S6
            p = p->next; // S7
        p = p->next; // S8
    }
    printf("%d\n", sum); // S9
    return 0;
}
"#;

fn list_sum() -> Versions {
    versions(LIST_SUM, &LIST_SUM.replace("p->value == 1", "p->value == 2")).expect("4 instead of 3")
}

#[test]
fn the_skipped_cell_is_told_step_by_step() {
    let list = list_sum();
    assert_eq!((&list.lab.baseline().ran.output[..], &output(&list.right)[..]), (&b"4\n"[..], &b"3\n"[..]));
    let shown = How::Induced { is_minimal: true };
    let step = |name: &str, how: How, relevant: &[&str]| -> Told {
        (name.into(), how, relevant.iter().map(ToString::to_string).collect())
    };
    // x, the choice it makes, p, sum, the output. Neither the first values nor what differs without harm are relevant: that
    // `x` is otherwise in the second turn, that the cell is skipped there.
    let expected = vec![
        step("failure", shown, &["S4"]),
        step("S4", shown, &["S8"]),
        step("S8", shown, &["S6"]),
        step("S6", How::Definition, &["S5"]),
        step("S5", How::Nothing, &[]),
    ];
    let (told, experiments) = list.path(FastPasses::Taken);
    assert_eq!(told, expected);
    // The digits are made by other steps; the cell that is read depends on `p`; cells are skipped in one run only.
    assert_eq!(experiments, 3);
    let (slowly, all) = list.path(FastPasses::Never);
    let names = |told: &[Told]| -> Vec<(String, Vec<String>)> {
        told.iter().map(|(name, _, relevant)| (name.clone(), relevant.clone())).collect()
    };
    assert_eq!(names(&slowly), names(&expected));
    assert_eq!(all, 4);
}

#[test]
fn the_skipped_cell_is_told_in_sentences() {
    let list = list_sum();
    let found = list.find();
    let chain: Vec<(u32, &str)> =
        found.way.iter().map(|passage| (passage.link.location.line, passage.link.text.as_str())).collect();
    assert_eq!(chain[0].0, list.line("S5"));
    assert!(chain[0].1.starts_with("`x` is given 1 instead of 0"), "{chain:?}");
    assert_eq!(chain[1], (list.line("S6"), "`x` is true instead of false"));
    assert!(chain[2].0 == list.line("S8") && chain[2].1.starts_with("`p` is given "), "{chain:?}");
    assert_eq!(chain[3], (list.line("S4"), "`sum` is given 4 instead of 3"));
    let failure = "line 1 of the output is `4` instead of `3`: `printf(\"%d\\n\", 4)` was called";
    assert_eq!(chain[4], (list.line("S9"), failure));
    assert_eq!((chain.len(), found.suspects[0].finding.location.line), (5, list.line("S5")));
}

/// Section 4.3: if one assignment is changed, and executed once, the path starts there.
#[test]
fn the_path_starts_at_the_only_assignment_that_was_changed() {
    let mut failing = 0;
    for seed in 1..=16 {
        let program = RandomProgram::of(seed);
        let Some(versions) = versions(&program.text(1), &program.text(0)) else { continue };
        failing += 1;
        let (told, _) = versions.path(FastPasses::Taken);
        let last = told.last().map(|(name, how, _)| (name.as_str(), *how));
        assert_eq!(last, Some(("changed", How::Nothing)), "seed {seed}: {told:#?}\n{}", versions.failing);
        let ends = told.iter().filter(|(_, how, _)| matches!(how, How::Nothing | How::Dependence)).count();
        assert_eq!(ends, 1, "seed {seed}: {told:#?}\n{}", versions.failing);
    }
    assert!(failing >= 6, "only {failing} fail");
}

/// Fast passes leave out experiments, and nothing else.
#[test]
fn paths_are_the_same_without_fast_passes() {
    let (mut compared, mut with, mut without) = (0, 0, 0);
    for technique in ["switch", "omission", "causes"] {
        let folder = workspace().join("tests/locate").join(technique);
        let mut cases: Vec<PathBuf> =
            std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
        cases.sort();
        for case in cases {
            let Some(lab) = fixture(&case) else { continue };
            let both = with_subject(&lab, Means::until(Instant::now() + BUDGET), |subject| {
                let repairs = repairs(subject, 1)?;
                let Some(by) = repairs.all.first() else { return Ok(None) };
                let both = with_repaired(subject, by, |differences, again| {
                    let taken = computed(subject, differences, again, FastPasses::Taken, MOST_OF_MANY)?;
                    let never = computed(subject, differences, again, FastPasses::Never, MOST_OF_MANY)?;
                    Ok((taken, never))
                })?;
                Ok(match both {
                    Compared::Done(both) => Some(both),
                    Compared::Limit(_) => None,
                })
            });
            let Some(((fast, some), (slow, all))) = both.expect("it is compared") else { continue };
            if fast.is_cut_short || slow.is_cut_short {
                continue;
            }
            let steps = |path: &CausalPath| -> Vec<(CauseId, Vec<CauseId>)> {
                path.steps.iter().map(|step| (step.id, step.sources.clone())).collect()
            };
            assert_eq!(steps(&fast), steps(&slow), "{}", case.display());
            (compared, with, without) = (compared + 1, with + some, without + all);
        }
    }
    assert!(compared >= 6, "only {compared} are repaired by a switch, with few experiments");
    assert!(with < without, "{with} experiments with fast passes, {without} without");
}

fn fixture(folder: &Path) -> Option<Lab> {
    let tools = Tools::find().expect("the tools are built");
    let built = TempDir::new().expect("a folder");
    let text = std::fs::read_to_string(folder.join("program.c")).expect("a program");
    let program = build(&tools.cc, &text, built.path(), "failing");
    let case = Case::new(&program, Vec::new()).expect("a program");
    let case = case.with_input_file(&folder.join("input")).expect("an input");
    let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
    let lab = Lab::open(case, oracle, limits).ok()?;
    // The lab runs the program again and again.
    let _ = built.keep();
    Some(lab)
}

const PRICES: &str = r#"#include <stdio.h>
static int rebate(int price) {
    if (price > 90) // S1
        return price / 10; // S2
    return 0; // S3
}
static int total(const int *prices, int count) {
    int sum = 0; // S4
    for (int i = 0; i < count; i++) // S5
        sum += prices[i] - rebate(prices[i]); // S6
    return sum; // S7
}
int main(void) {
    int prices[] = {50, 100, 200};
    printf("%d\n", total(prices, 3)); // S8
    return 0;
}
"#;

/// The head of the path, by its line's name.
fn head(versions: &Versions) -> String {
    let (told, _) = versions.path(FastPasses::Taken);
    told.last().map_or_else(String::new, |(name, ..)| name.clone())
}

#[test]
fn versions_may_differ_by_more_than_the_fault() {
    let right = PRICES.replace("price > 90", "price > 100");
    let plain = versions(PRICES, &right).expect("another total");
    assert_eq!(head(&plain), "S1");
    // Other names of variables and functions.
    let renamed = right.replace("sum", "all").replace("rebate", "discount");
    assert_eq!(head(&versions(PRICES, &renamed).expect("another total")), "S1");
    // A function that only the reference has, called before everything else.
    let more = right
        .replace(
            "int main(void) {\n",
            "static int unused(int x) { return x + 1; }\nint main(void) {\n    int u = unused(1);\n",
        )
        .replace("total(prices, 3)", "total(prices, 3 + u - u)");
    let with_more = versions(PRICES, &more).expect("another total");
    assert!(with_more.path(FastPasses::Taken).0.iter().any(|(name, ..)| name == "S1"));
    // Functions in another order.
    let (before, after) = right.split_once("static int total").expect("it is there");
    let (total, main) = after.split_once("int main").expect("it is there");
    let (includes, rebate) = before.split_once("static int rebate").expect("it is there");
    let moved =
        format!("{includes}static int rebate(int);\nstatic int total{total}static int rebate{rebate}int main{main}");
    assert_eq!(head(&versions(PRICES, &moved).expect("another total")), "S1");
}

#[test]
fn code_that_only_one_version_has_is_the_head() {
    let superfluous = PRICES.replace("    return sum; // S7\n", "    sum -= 1; // extra\n    return sum; // S7\n");
    assert_eq!(head(&versions(&superfluous, PRICES).expect("another total")), "extra");
    let missing = versions(PRICES, &superfluous).expect("another total");
    let found = missing.find();
    let first = &found.suspects.first().expect("something is found").finding.location;
    assert!([missing.line("S6"), missing.line("S7"), missing.line("S5")].contains(&first.line), "{first:?}");
}

#[test]
fn a_reference_that_is_not_instrumented_is_told_as_a_limit() {
    let tools = Tools::find().expect("the tools are built");
    let right = PRICES.replace("price > 90", "price > 100");
    let versions = with_reference_by(&tools.clang, PRICES, &right).expect("another total");
    let found = versions.find();
    assert!(found.limits.iter().any(|limit| limit.contains("the reference cannot be recorded")), "{:?}", found.limits);
    // The run that a switch repairs does instead.
    let lines: BTreeSet<u32> = found.suspects.iter().map(|suspect| suspect.finding.location.line).collect();
    assert!(lines.contains(&versions.line("S1")), "{lines:?} {:?}", found.limits);
}
