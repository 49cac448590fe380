//! The causal path, step by step as the paper has it (Sumner, Zhang and Jagannathan, *Comparison-based Computation of Causal
//! Paths for Software Failures*): figures 2 and 3, the theorem of section 4.3, fast passes; and versions that differ by more
//! than the fault.

mod random_program;
mod compared;
mod edits;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use budget::Budget;
use compared::{BUDGET, MOST, Told, Versions, build, computed, output, versions};
use comparison::{CauseId, Name, Side, executions};
use experiment::{Case, Lab, Limits, Oracle};
use random_program::RandomProgram;
use techniques::causes::{
    Compared, FastPasses, How, Path as CausalPath, SUBJECT, repairs, with_repaired, with_version,
};
use techniques::{Means, Notebook, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

/// Experiments where many paths are computed; longer ones are left out.
const MOST_OF_MANY: u64 = 40;

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

/// A row of figure 2: an aligned point of `main`, the relevant set before it, and how the paper's rules get behind it if
/// something relevant is defined there (if not, by *Def-Free*).
type Row = (String, Vec<String>, Option<How>);

fn rows(list: &Versions) -> Vec<Row> {
    let (budget, notebook) = (Budget::of(BUDGET), Notebook::default());
    let means = Means::within(&budget, &notebook);
    let compared = with_subject(&list.lab, means, |subject| {
        with_version(subject, &list.right, |differences, again| {
            let (path, _) = computed(subject, differences, again, FastPasses::Taken, MOST)?;
            let defined: BTreeMap<u64, &techniques::causes::PathStep> = path
                .steps
                .iter()
                .filter_map(|step| match differences.name(step.id)? {
                    Name::Shared(number) => Some((number, step)),
                    Name::Alone(..) => None,
                })
                .collect();
            // Until when the failure, or what is relevant later, needs it.
            let needed = |id: CauseId| {
                let users = path.steps.iter().filter(|step| step.sources.contains(&id));
                users.map(|user| if user.id == SUBJECT { u64::MAX } else { differences.key(user.id).0 }).max()
            };
            let points: Vec<Name> = (0..differences.order.differs.len()).map(Name::Shared).collect();
            let steps = executions(&differences.pair, &differences.order, &points)?;
            let mut rows: Vec<Row> = Vec::new();
            for (number, point) in (0..).zip(&points) {
                let at = steps[point].right.expect("both executed it");
                if differences.pair.runs.right.functions.function(at.site.function).name != "main" {
                    continue;
                }
                let before = defined.range(..number).map(|(_, step)| step.id);
                // Keys begin with 1.
                let relevant = before.filter(|id| needed(*id).is_some_and(|user| user > number));
                let relevant = relevant.map(|id| list.name(differences, id)).collect();
                let how = defined.get(&number).map(|step| step.how);
                rows.push((list.name_at(differences, Side::Right, at), relevant, how));
            }
            Ok(rows)
        })
    });
    match compared.expect("it is compared") {
        Compared::Done(rows) => rows,
        Compared::Limit(limit) => panic!("{limit:?}"),
    }
}

#[test]
fn before_each_aligned_point_the_relevant_set_is_that_of_figure_2() {
    let rows = rows(&list_sum());
    let turns: Vec<(&str, Vec<&str>, Option<How>)> = rows
        .iter()
        .skip_while(|(name, ..)| name != "S3")
        .map(|(name, relevant, how)| (&**name, relevant.iter().map(|one| &**one).collect(), *how))
        .collect();
    let (shown, free) = (Some(How::Induced { is_minimal: true }), None);
    let expected = [
        ("S3", vec![], free),
        ("S4", vec![], free),
        // B: nothing is relevant before the fault.
        ("S5", vec![], Some(How::Nothing)),
        // C: `x`. What follows, 7, is executed by the failing run alone, and is no point.
        ("S6", vec!["S5"], Some(How::Definition)),
        ("S8", vec!["S6"], shown),
        // E: `p`.
        ("S3", vec!["S8"], free),
        ("S4", vec!["S8"], shown),
        // From here on `sum`; that `x`, the choice and `p` differ as well does no harm.
        ("S5", vec!["S4"], free),
        ("S6", vec!["S4"], free),
        ("S8", vec!["S4"], free),
        ("S3", vec!["S4"], free),
        ("S9", vec!["S4"], free),
    ];
    assert_eq!(turns[..expected.len()], expected, "{rows:#?}");
}

#[test]
fn the_skipped_cell_is_told_in_sentences() {
    let list = list_sum();
    let found = list.find();
    let texts: Vec<String> = found.way.iter().map(|passage| report::english::link(&passage.link)).collect();
    let lines = found.way.iter().map(|passage| passage.link.location.line);
    let chain: Vec<(u32, &str)> = lines.zip(texts.iter().map(String::as_str)).collect();
    assert_eq!(chain[0].0, list.line("S5"));
    assert!(chain[0].1.starts_with("`x` becomes 1 instead of 0"), "{chain:?}");
    assert_eq!(chain[1], (list.line("S6"), "`x` is true instead of false"));
    assert!(chain[2].0 == list.line("S8") && chain[2].1.starts_with("`p` becomes "), "{chain:?}");
    assert_eq!(chain[3], (list.line("S4"), "`sum` becomes 4 instead of 3"));
    let failure = "line 1 of the output is `4` instead of `3`, written by `printf(\"%d\\n\", 4)`";
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
            let (budget, notebook) = (Budget::of(BUDGET), Notebook::default());
            let both = with_subject(&lab, Means::within(&budget, &notebook), |subject| {
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
