//! `faultline why` as people and scripts use it: its answer, its forms, its exit statuses, and a sentence that says what to do
//! for everything that can go wrong.

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

fn compile(source: &Path, with: impl FnOnce(&Tools) -> PathBuf) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program");
    let built = Command::new(with(&tools)).args(["-g", "-w"]).arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("the compiler runs").success());
    Subject { tools, folder, program }
}

fn inline(text: &str) -> Subject {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("it can be written");
    compile(&source, |tools| tools.cc.clone())
}

fn leap_year() -> PathBuf {
    workspace().join("tests/locate/switch/leap_year")
}

impl Subject {
    fn command(&self, options: &[&str]) -> Command {
        let mut command = Command::new(&self.tools.faultline);
        command.arg("why").args(options).arg("--").arg(&self.program).stdin(Stdio::null());
        command
    }

    fn why(&self, options: &[&str]) -> Output {
        self.command(options).output().expect("faultline runs")
    }

    fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    }
}

/// A program with its input and what it should print.
fn leap_years() -> (Subject, Vec<String>) {
    let subject = compile(&leap_year().join("program.c"), |tools| tools.cc.clone());
    let path = |name: &str| leap_year().join(name).display().to_string();
    (subject, vec!["--stdin".into(), path("input"), "--expect".into(), path("expected")])
}

fn with<'a>(common: &'a [String], more: &[&'a str]) -> Vec<&'a str> {
    common.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Ends with a status and says something that has these words.
#[track_caller]
fn refused(output: &Output, status: i32, words: &[&str]) {
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    for word in words {
        assert!(said.contains(word), "no `{word}` in: {said}");
    }
}

#[test]
fn the_answer_is_in_the_first_ten_lines() {
    let (subject, case) = leap_years();
    let output = subject.why(&with(&case, &[]));
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let first = told.lines().take(10).collect::<Vec<_>>().join("\n");
    assert!(first.contains("Failure: ") && first.contains("of the output is"), "{first}");
    assert!(first.contains("program.c:9 in is_leap"), "{first}");
    assert!(first.contains("if (year % 100 == 0)") && first.contains("^~~~~~~~~~~~~~~\n"), "{first}");
    assert!(first.contains("always false"), "{first}");
    assert!(told.contains("How the failure came about") && told.contains("the return value became 0"), "{told}");
    assert!(!told.contains('\x1b'), "there is no terminal");
}

#[test]
fn colours_are_for_terminals_and_those_who_ask() {
    let (subject, case) = leap_years();
    let options = with(&case, &[]);
    let asked = subject.command(&options).env("CLICOLOR_FORCE", "1").output().expect("faultline runs");
    assert!(text(&asked.stdout).contains("\x1b["));
    let refused = subject.command(&options).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output();
    assert!(!text(&refused.expect("faultline runs").stdout).contains('\x1b'));
}

#[test]
fn json_is_as_the_published_schema_says() {
    let (subject, case) = leap_years();
    let output = subject.why(&with(&case, &["--format", "json"]));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let schema = std::fs::read(workspace().join("schema/findings.json")).expect("the schema");
    let schema: Value = serde_json::from_slice(&schema).expect("it is JSON");
    let validator = jsonschema::validator_for(&schema).expect("it is a schema");
    let wrong: Vec<String> = validator.iter_errors(&answer).map(|error| error.to_string()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(answer["findings"][0]["line"], 9);
    assert_eq!(answer["findings"][0]["evidence"][0]["kind"], "experiment");
    assert!(answer["experiments"].as_u64() > Some(3));
}

#[test]
fn other_forms_name_the_same_line() {
    let (subject, case) = leap_years();
    let sarif = subject.why(&with(&case, &["--format", "sarif"]));
    let log: Value = serde_json::from_slice(&sarif.stdout).expect("it is JSON");
    let first = &log["runs"][0]["results"][0];
    assert_eq!(first["locations"][0]["physicalLocation"]["region"]["startLine"], 9);
    let flow = first["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    assert!(flow.is_some_and(|flow| flow.len() > 1));
    let github = text(&subject.why(&with(&case, &["--format", "github"])).stdout);
    assert!(github.starts_with("::error file=") && github.contains("program.c,line=9,"), "{github}");
}

#[test]
fn gdb_is_told_where_to_stop() {
    // The fifth turn is the first that goes wrong.
    let subject = inline(
        r#"#include <stdio.h>
        int main(void) {
            int total = 0;
            for (int i = 0; i < 7; i++) {
                if (i == 4)
                    continue;
                total += i;
            }
            printf("%d\n", total);
            return 0;
        }"#,
    );
    let expected = subject.write("expected", "21\n");
    let output = subject.why(&["--expect", &expected, "--gdb"]);
    let script = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(script.contains("program.c:5\nignore $bpnum 4\nrun\n"), "{script}");
}

#[test]
fn one_technique_alone_can_be_asked() {
    let (subject, case) = leap_years();
    let output = subject.why(&with(&case, &["--technique", "slice", "--format", "json"]));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(answer["experiments"], 0);
    assert_eq!(answer["findings"][0]["techniques"], serde_json::json!(["slice"]));
    refused(&subject.why(&with(&case, &["--technique", "sclie"])), 2, &["sclie", "slice", "switch", "rank"]);
}

#[test]
fn tests_tell_places_apart() {
    let (subject, case) = leap_years();
    let mut suite = String::new();
    for (name, input, output) in [("a", "2001-3-1", "60"), ("b", "2004-3-1", "61"), ("c", "1900-3-1", "60")] {
        subject.write(&format!("{name}.in"), &format!("{input}\n"));
        subject.write(&format!("{name}.out"), &format!("{output}\n"));
        suite += &format!("[[test]]\nname = '{name}'\nstdin = '{name}.in'\nexpect = '{name}.out'\n");
    }
    let suite = subject.write("suite.toml", &suite);
    let output = subject.why(&with(&case, &["--tests", &suite, "--format", "json"]));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(answer["findings"][0]["line"], 9);
    let techniques = answer["findings"][0]["techniques"].as_array().cloned().unwrap_or_default();
    assert!(techniques.contains(&"rank".into()) && techniques.contains(&"switch".into()), "{techniques:?}");
}

#[test]
fn a_run_that_does_not_fail_is_told_so() {
    let subject = inline("int main(void) { return 0; }");
    refused(&subject.why(&[]), 1, &["does not fail", "--expect FILE", "--check CMD"]);
    refused(&subject.why(&["--expect-exit", "0"]), 1, &["does not fail", "standard input"]);
}

#[test]
fn wrong_use_says_what_to_do() {
    let subject = inline("int main(void) { return *(volatile int *)0; }");
    refused(&subject.why(&["--expect", "/nowhere/right.txt"]), 2, &["/nowhere/right.txt", "--expect takes a file"]);
    refused(&subject.why(&["--stdin", "/nowhere/in.txt"]), 2, &["/nowhere/in.txt", "--stdin takes a file"]);
    refused(&subject.why(&["--dir", "/nowhere"]), 2, &["/nowhere", "not a directory"]);
    refused(&subject.why(&["--tests", "/nowhere/suite.toml"]), 2, &["/nowhere/suite.toml"]);
    refused(&subject.why(&["--check", "/nowhere/check"]), 2, &["/nowhere/check", "cannot be run"]);
    let missing = Command::new(&subject.tools.faultline).args(["why", "--", "./nowhere"]).output();
    refused(&missing.expect("faultline runs"), 2, &["there is no program ./nowhere", "after `--`"]);
}

#[test]
fn a_program_that_is_not_instrumented_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, "int main(void) { return *(volatile int *)0; }").expect("it can be written");
    let subject = compile(&source, |tools| tools.clang.clone());
    refused(&subject.why(&[]), 2, &["faultline-cc"]);
}

#[test]
fn a_program_that_does_not_do_the_same_twice_is_refused() {
    let subject = inline(
        r#"#include <stdio.h>
        int main(void) {
            FILE *source = fopen("/dev/urandom", "r");
            unsigned number;
            fread(&number, sizeof number, 1, source);
            printf("%u\n", number);
            return 1;
        }"#,
    );
    let output = subject.why(&["--expect-exit", "0"]);
    refused(&output, 2, &["is not deterministic", "input that always fails"]);
}

#[test]
fn without_time_nothing_is_found() {
    let (subject, case) = leap_years();
    let output = subject.why(&with(&case, &["--budget", "0"]));
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    let told = text(&output.stdout);
    assert!(told.contains("Nothing was found.") && told.contains("The time budget ran out while"), "{told}");
}

#[test]
fn where_no_single_change_helps_the_slice_remains() {
    let (subject, case) = leap_years();
    let output = subject.why(&with(&case, &["--technique", "slice"]));
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stdout).contains("the failure depends on it"));
}

/// The first byte that is wrong is the blank after a number that should have been longer.
#[test]
fn a_number_that_is_cut_off_is_followed_to_where_it_was_made() {
    let subject = inline(
        r#"#include <stdio.h>
        int main(void) {
            int width = 6;
            int area = width / 4;
            printf("%d", area);
            putchar(' ');
            putchar('\n');
            return 0;
        }"#,
    );
    let right = subject.write("right", "12 \n");
    let output = subject.why(&["--technique", "slice", "--format", "json", "--expect", &right]);
    let told: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let lines: Vec<u64> =
        told["findings"].as_array().expect("findings").iter().filter_map(|f| f["line"].as_u64()).collect();
    assert!([3, 4, 5, 6].iter().all(|line| lines.contains(line)), "{lines:?}");
}

#[test]
fn source_that_is_not_there_is_told() {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("gone.c");
    std::fs::copy(leap_year().join("program.c"), &source).expect("it can be copied");
    let subject = compile(&source, |tools| tools.cc.clone());
    drop(folder);
    let (_, case) = leap_years();
    let output = subject.why(&with(&case, &[]));
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(told.contains("gone.c:9 in is_leap"), "{told}");
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("cannot be read") && words.contains("where they were when the program was compiled"),
        "{told}"
    );
}

#[test]
fn interrupted_it_gives_the_best_so_far() {
    // Many conditions, each of them tried; none makes the output right.
    let subject = inline(
        r#"#include <stdio.h>
        int main(void) {
            unsigned long sum = 0;
            for (unsigned i = 0; i < 200000; i++)
                if (i % 3 != 1) sum += i * (unsigned long)i;
            printf("%lu\n", sum);
            return 0;
        }"#,
    );
    let expected = subject.write("expected", "1\n");
    let options = ["--expect", &expected, "--budget", "300"];
    let mut child = subject.command(&options).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    // The lab is open when there are servers.
    wait_for_grandchildren(child.id());
    // SAFETY: sends a signal to a child of ours.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let status = child.wait().expect("it ends");
    let output = child.wait_with_output().expect("it has ended");
    let told = text(&output.stdout);
    assert!(matches!(status.code(), Some(0 | 3)), "{status} {}", text(&output.stderr));
    assert!(told.contains("interrupted"), "{told}");
}

/// Until a program has children: the servers of experiments.
fn wait_for_grandchildren(program: u32) {
    for _ in 0..6000 {
        let tasks = std::fs::read_dir(format!("/proc/{program}/task")).expect("it runs");
        let has_children = |task: std::fs::DirEntry| {
            std::fs::read_to_string(task.path().join("children")).is_ok_and(|children| !children.trim().is_empty())
        };
        if tasks.flatten().any(has_children) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("it makes no runs");
}
