//! `faultline paths`: the nearest run that succeeds is found, told of and written, as the command promises.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use testkit::{Tools, workspace};

/// A program in a folder of its own.
struct Subject {
    tools: Tools,
    folder: TempDir,
    program: PathBuf,
}

impl Subject {
    fn of_source(source: &Path) -> Subject {
        let (tools, folder) = (Tools::find().expect("the tools are built"), TempDir::new().expect("a folder"));
        let program = folder.path().join("program");
        let subject = Subject { tools, folder, program };
        subject.compile(source, &subject.program);
        subject
    }

    /// A case of `tests/locate/paths`.
    fn of(case: &str) -> Subject {
        Subject::of_source(&cases().join(case).join("program.c"))
    }

    fn written(text: &str) -> Subject {
        let folder = TempDir::new().expect("a folder");
        let source = folder.path().join("program.c");
        std::fs::write(&source, text).expect("it can be written");
        Subject::of_source(&source)
    }

    fn compile(&self, source: &Path, to: &Path) {
        let built = Command::new(&self.tools.cc).args(["-g", "-w"]).arg(source).arg("-o").arg(to).status();
        assert!(built.expect("faultline-cc runs").success(), "{}", source.display());
    }

    fn reference(&self, case: &str) -> String {
        let to = self.folder.path().join("reference");
        self.compile(&cases().join(case).join("reference.c"), &to);
        to.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn file(&self, name: &str, content: &str) -> String {
        std::fs::write(self.folder.path().join(name), content).expect("it can be written");
        self.path(name)
    }

    fn paths(&self, input: &str, options: &[&str]) -> Output {
        let input = self.file("input", input);
        let mut command = Command::new(&self.tools.faultline);
        command.args(["paths", "--format", "json", "--timeout", "2", "--stdin", &input]).args(options);
        command.arg("--").arg(&self.program).stdin(Stdio::null());
        command.output().expect("faultline runs")
    }
}

fn cases() -> PathBuf {
    workspace().join("tests/locate/paths")
}

fn answer(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Lines of the conditions that go the other way, the latest first.
fn lines(answer: &Value) -> Vec<u64> {
    let findings = answer["findings"].as_array().expect("findings");
    findings.iter().filter_map(|finding| finding["line"].as_u64()).collect()
}

fn claim<'v>(answer: &'v Value, of: &str, kind: &str) -> Option<&'v Value> {
    let key = if of == "tried" { "tried" } else { "limit" };
    answer["claims"][of].as_array()?.iter().find(|claim| claim[key] == kind)
}

fn line_of(case: &str, text: &str) -> u64 {
    let source = std::fs::read_to_string(cases().join(case).join("program.c")).expect("a source");
    source.lines().position(|line| line.contains(text)).expect("the line") as u64 + 1
}

/// Figure 1 of the paper: a value that is printed if a condition holds, and another one otherwise.
#[test]
fn the_condition_before_a_wrong_print_goes_the_other_way_with_another_input() {
    let subject = Subject::of("guarded_print");
    let (reference, out) = (subject.reference("guarded_print"), subject.path("found"));
    let found = answer(&subject.paths("0\n", &["--reference", &reference, "--out", &out]));
    assert_eq!(lines(&found), [line_of("guarded_print", "if (x > 0)")]);
    let message = found["findings"][0]["message"].as_str().expect("a sentence");
    assert!(message.contains("`x > 0` was false here") && message.contains("only this condition"), "{message}");
    let run = |program: &str| {
        let output = Command::new("sh").arg(Path::new(&out).join("run")).arg(program).output().expect("sh runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(run(&subject.program.display().to_string()), "5\n");
    assert_eq!(run(&reference), "5\n");
}

/// Figure 2 of the paper: of all paths the one that reverses the last condition is the nearest.
#[test]
fn the_last_of_four_conditions_is_the_nearest() {
    let subject = Subject::of("nested_choices");
    let reference = subject.reference("nested_choices");
    let found = answer(&subject.paths("0011", &["--reference", &reference, "--no-shrink"]));
    assert_eq!(lines(&found), [line_of("nested_choices", "if (d)")]);
    let paths = claim(&found, "tried", "paths").expect("what was tried");
    assert_eq!((&paths["paths"], &paths["reversed"]), (&1.into(), &1.into()), "{paths}");
    assert_eq!(found["findings"][0]["evidence"][0]["claim"]["near"]["changes"][0]["from"], "0011");
}

const CORRELATED: &str = r#"
#include <stdio.h>
int main(void) {
    int c = getchar(), d = getchar(), sum = 1;
    if (c == 'x')
        sum += 2;
    if (d == 'y')
        sum += 4;
    if (c == 'x')
        sum += 8;
    printf("%d\n", sum);
    return sum < 10;
}
"#;

#[test]
fn conditions_that_hang_together_are_reversed_together() {
    let subject = Subject::written(CORRELATED);
    let found = answer(&subject.paths("ab", &["--expect-exit", "0", "--no-shrink"]));
    // The last alone contradicts the first, with or without the second; both together do not.
    assert_eq!(lines(&found), [9, 7, 5]);
    let paths = claim(&found, "tried", "paths").expect("what was tried");
    assert!(paths["impossible"].as_u64() >= Some(2), "{paths}");
}

#[test]
fn with_an_expected_output_the_same_input_is_forced() {
    let subject = Subject::of("guarded_print");
    let expected = subject.file("expected", "5\n");
    let found = answer(&subject.paths("0\n", &["--expect", &expected]));
    assert_eq!(lines(&found), [line_of("guarded_print", "if (x > 0)")]);
    assert_eq!(found["findings"][0]["evidence"][0]["claim"]["near"]["is_same_input"], true);
    assert!(claim(&found, "limits", "other-inputs-not-judged").is_some(), "{found}");
    assert_eq!(claim(&found, "tried", "paths").expect("what was tried")["judged"], "same-input");
}

#[test]
fn a_long_input_is_reduced_first() {
    let subject = Subject::of("divide");
    let found = answer(&subject.paths("123456 / 0 and more that nobody reads\n", &[]));
    let shrunk = claim(&found, "tried", "shrunk").expect("it was reduced");
    assert!(shrunk["to"].as_u64() <= Some(5), "{shrunk}");
    assert_eq!(lines(&found)[0], line_of("divide", "operation == '/'"));
    let whole = answer(&subject.paths("8 / 0\n", &["--no-shrink"]));
    assert!(claim(&whole, "tried", "shrunk").is_none());
}

const COUNTS: &str = r#"
#include <stdio.h>
int main(void) {
    int count = 0, c;
    while ((c = getchar()) == 'a')
        count++;
    printf("%d\n", count);
    return count != 3;
}
"#;

#[test]
fn turns_of_loops_change_only_if_they_may() {
    let subject = Subject::written(COUNTS);
    let options = ["--expect-exit", "0", "--no-shrink", "--budget", "20"];
    assert_eq!(subject.paths("aab", &options).status.code(), Some(3));
    let found = answer(&subject.paths("aab", &[&options[..], &["--loops", "3"]].concat()));
    assert_eq!(lines(&found), [5]);
}

#[test]
fn a_run_that_is_right_is_no_case() {
    let subject = Subject::of("divide");
    assert_eq!(subject.paths("8 / 2\n", &[]).status.code(), Some(1));
}
