//! Suites of tests are run, and what failing tests have in common is ranked.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use budget::Budget;
use experiment::sandbox::Walls;
use experiment::{Limits, read_suite};
use serde_json::Value;
use spectrum::{Abstract, Did, Formula};
use techniques::Quiet;
use techniques::rank::{Measured, measure};
use tempfile::TempDir;
use testkit::{Tools, workspace};

/// A program in a folder of its own, where its suites are written.
struct Subject {
    tools: Tools,
    folder: TempDir,
    program: PathBuf,
}

fn compile(source: &Path) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program");
    let built = Command::new(&tools.cc).args(["-g", "-w"]).arg(source).arg("-o").arg(&program).arg("-lm").status();
    assert!(built.expect("faultline-cc runs").success());
    Subject { tools, folder, program }
}

fn inline(text: &str) -> Subject {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("it can be written");
    compile(&source)
}

impl Subject {
    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    /// Tests by their standard input; wrong is what the check finds.
    fn suite(&self, check: &str, tests: &[(&str, &str)]) -> PathBuf {
        let mut list = String::new();
        for (name, input) in tests {
            self.write(&format!("{name}.txt"), input);
            list += &format!("[[test]]\nname = '{name}'\nstdin = '{name}.txt'\ncheck = '''{check}'''\n");
        }
        self.write("suite.toml", &list)
    }

    fn rank(&self, suite: &Path, more: &[&str]) -> Output {
        let mut command = Command::new(&self.tools.faultline);
        command.arg("rank").arg("--tests").arg(suite).args(more).arg("--").arg(&self.program);
        command.output().expect("faultline runs")
    }

    fn measure(&self, suite: &Path, time: Duration) -> Measured {
        let tests = read_suite(suite, &self.program, &[]).expect("a suite");
        let limits = Limits { time, ..Limits::default() };
        measure(&tests, Walls::needed().expect("walls"), &limits, &Budget::unlimited(), &Quiet).expect("the tests run")
    }
}

fn findings(output: &Output) -> Vec<Value> {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let all: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    all["findings"].as_array().expect("findings").clone()
}

fn lines_of(findings: &[Value]) -> Vec<u64> {
    findings.iter().map(|finding| finding["line"].as_u64().expect("a line")).collect()
}

const NO_NAN: &str = r#"! grep -q nan "$FAULTLINE_STDOUT""#;
const F: (&str, &str) = ("F", "0 0 1 3");

/// Figures 3 to 5.
#[test]
fn suite_1_of_the_paper_singles_out_the_call_that_returned_zero() {
    let subject = compile(&workspace().join("tests/experiments/scale_point.c"));
    let tests = [F, ("A1", "0 0 3 2"), ("A2", "5 0 1 0"), ("A3", "3 2 2 4")];
    let suite = subject.suite(NO_NAN, &tests);
    let found = findings(&subject.rank(&suite, &["--format", "json"]));
    assert_eq!((found[0]["line"].as_u64(), found[0]["score"].as_f64()), (Some(8), Some(1.0)));
    let message = found[0]["message"].as_str().expect("a message");
    assert_eq!(message, "`sqrt` returned zero in 2 of 2 failing and 0 of 2 passing tests; ochiai 1.00, rank 1");
    assert!(found[1..].iter().all(|finding| finding["score"].as_f64() < Some(0.7072)), "{found:?}");
    // By tuples: that one, and no other above .71.
    let measured = subject.measure(&suite, Duration::from_secs(10));
    assert_eq!(measured.failing, ["F", "A1"]);
    let suspicious = measured.spectrum.deeds().filter(|(_, counts)| Formula::Ochiai.suspicion(*counts) > 0.7072);
    let suspicious: Vec<_> = suspicious.map(|(tuple, _)| (tuple.line.line, &tuple.did)).collect();
    assert_eq!(suspicious, [(8, &Did::Got { from: "sqrt".into(), value: Abstract::Zero })]);
}

/// Figures 6 and 7.
#[test]
fn suite_2_of_the_paper_cannot_tell_nine_lines_apart() {
    let subject = compile(&workspace().join("tests/experiments/scale_point.c"));
    let suite = subject.suite(NO_NAN, &[F, ("B1", "3"), ("B2", "5 4"), ("B3", "4 0 3")]);
    let found = findings(&subject.rank(&suite, &["--format", "json"]));
    let worst: Vec<Value> = found.into_iter().filter(|finding| finding["score"].as_f64() == Some(1.0)).collect();
    assert_eq!(lines_of(&worst), [8, 13, 14, 22, 23, 24, 25, 26, 31]);
    for finding in &worst {
        assert!(finding["message"].as_str().is_some_and(|text| text.contains("tied for ranks 1 to 9")));
    }
}

const DEEDS: &str = r#"#include <stdio.h>
#include <string.h>
#include <stdbool.h>
#include <stdlib.h>
static int code(int c) {
    if (c == 'x')
        return -1;
    return c - 'a';
}
static bool is_vowel(int c) { return strchr("aeiou", c) != NULL; }
static int choose(int c) {
    switch (c) {
    case 'a': return 1;
    case 'b': return 2;
    default: return 3;
    }
}
int main(void) {
    int c = getchar();
    int k = code(c);
    if (is_vowel(c) && k >= 0)
        puts("vowel");
    choose(c);
    if (c == 'c') abort();
    while (c == 'h') k++;
    return 0;
}
"#;

#[test]
fn conditions_arms_and_returned_values_are_told_apart() {
    let subject = inline(DEEDS);
    let suite = subject.suite("exit 0", &[("t", "x")]);
    let measured = subject.measure(&suite, Duration::from_secs(10));
    let has = |line: u32, did: Did| {
        let is_it = |tuple: &spectrum::Tuple| tuple.line.line == line && tuple.did == did;
        measured.spectrum.deeds().any(|(tuple, _)| is_it(tuple))
    };
    let got = |from: &str, value| Did::Got { from: from.into(), value };
    assert!(has(6, Did::Decided(true)) && !has(6, Did::Decided(false)));
    assert!(has(7, Did::Executed) && !has(8, Did::Executed));
    assert!(has(10, got("strchr", Abstract::Null)) && !has(10, got("strchr", Abstract::NonNull)));
    assert!(has(12, Did::Chose(None)) && !has(12, Did::Chose(Some(97))));
    assert!(has(20, got("code", Abstract::Constant(-1))) && has(20, got("code", Abstract::NonZero)));
    assert!(has(21, got("is_vowel", Abstract::False)) && !has(21, got("is_vowel", Abstract::True)));
    assert!(has(23, got("choose", Abstract::Constant(3))));
    // Nothing of the twins, which are not the program's.
    assert!(measured.spectrum.deeds().all(|(tuple, _)| tuple.line.file.ends_with("program.c")));
}

#[test]
fn tests_that_crash_or_hang_fail() {
    let subject = inline(DEEDS);
    for (name, input) in [("good", "a"), ("crash", "c"), ("hang", "h")] {
        subject.write(&format!("{name}.in"), input);
        subject.write(&format!("{name}.out"), if name == "good" { "vowel\n" } else { "" });
    }
    let measured = subject.measure(subject.folder.path(), Duration::from_secs(1));
    assert_eq!(measured.failing, ["crash", "hang"]);
    assert_eq!(measured.spectrum.passing, 1);
    let of_line = |line: u32| {
        let found =
            measured.spectrum.deeds().find(|(tuple, _)| tuple.line.line == line && tuple.did == Did::Decided(true));
        found.map(|(_, counts)| (counts.failing_with, counts.passing_with))
    };
    assert_eq!(of_line(24), Some((1, 0)));
    assert_eq!(of_line(25), Some((1, 0)));
}

/// That no test failed by then does not mean that none fails.
#[test]
fn tests_there_was_no_time_for_are_told_of() {
    let subject = inline(DEEDS);
    // Each of them hangs, for longer than there is time.
    let hanging: Vec<String> = (0..8).map(|number| format!("hang{number}")).collect();
    let tests: Vec<(&str, &str)> = hanging.iter().map(|name| (name.as_str(), "h")).collect();
    let suite = subject.suite("exit 1", &tests);
    let begun = std::time::Instant::now();
    let output = subject.rank(&suite, &["--budget", "1", "--timeout", "60", "--format", "json"]);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("longer --budget"), "{said}");
    assert!(!said.contains("no test fails"), "{said}");
}

#[test]
fn without_a_failing_test_there_is_nothing_to_rank() {
    let subject = inline(DEEDS);
    let suite = subject.suite("exit 0", &[("t", "x"), ("u", "a")]);
    let output = subject.rank(&suite, &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no test fails (2 of 2 pass)"));
    assert!(output.stdout.is_empty());
}

#[test]
fn every_formula_puts_the_fault_first() {
    let subject = inline(DEEDS);
    let suite = subject.suite(r#"test "$FAULTLINE_STATUS" = 0"#, &[("a", "a"), ("b", "b"), ("c", "c"), ("x", "x")]);
    for formula in Formula::ALL {
        let found = findings(&subject.rank(&suite, &["--format", "json", "--formula", formula.name()]));
        assert_eq!(
            (found[0]["line"].as_u64(), found[0]["score"].as_f64()),
            (Some(24), Some(1.0)),
            "{}",
            formula.name()
        );
    }
    let wrong = subject.rank(&suite, &["--formula", "ochia"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("ochiai, tarantula"));
}

const TEXTS: &str = r#"#include <stdio.h>
static const char *literal(int c) { return c == 'x' ? "" : "letter"; }
static char made[4];
static char *filled(int c) {
    made[0] = c == 'x' ? 'm' : 0;
    return made;
}
static char *read_by_others(void) {
    if (fread(made, 1, 3, stdin) == 0)
        return NULL;
    return made;
}
static unsigned char *bytes(void) { return (unsigned char *)made; }
int main(void) {
    int c = getchar();
    literal(c);
    filled(c);
    read_by_others();
    bytes();
    return 0;
}
"#;

#[test]
fn empty_strings_are_told_from_others() {
    let subject = inline(TEXTS);
    let returned = |input: &str| {
        let suite = subject.suite("exit 0", &[("t", input)]);
        let measured = subject.measure(&suite, Duration::from_secs(10));
        let texts = measured.spectrum.deeds().filter_map(|(tuple, _)| match &tuple.did {
            Did::Got { from, value: value @ (Abstract::EmptyText | Abstract::Text) } => Some((from.clone(), *value)),
            _ => None,
        });
        texts.collect::<std::collections::BTreeSet<_>>()
    };
    let got = |all: &[(&str, Abstract)]| all.iter().map(|(from, value)| ((*from).to_owned(), *value)).collect();
    // What `fread` put there nobody has looked at.
    assert_eq!(returned("xabc"), got(&[("literal", Abstract::EmptyText), ("filled", Abstract::Text)]));
    assert_eq!(returned("yabc"), got(&[("literal", Abstract::Text), ("filled", Abstract::EmptyText)]));
}
