//! `faultline values` as a user meets it: its output, and what it says when a question has no answer.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;
use testkit::{Build, Ending, Fixture, Ran, Tools, recorded, run};

const PROGRAM: &str = "\
#include <stdio.h>
struct point { int x, y; };
int total;
static int unused(int n) { return n; }
int main(int argc, char **argv) {
    struct point place = {1, 2};
    for (int i = 0; i < 5; i++) {
        place.x = i / 2;
        total += place.x;
    }

    if (argc > 1)
        total = unused(3);
    return total - 4;
}
";

struct Recorded {
    tools: Tools,
    recording: PathBuf,
    _recording_folder: TempDir,
    _source_folder: TempDir,
}

fn record() -> Recorded {
    let tools = Tools::find().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("main.c");
    std::fs::write(&source, PROGRAM).unwrap();
    let fixture = Fixture::read(&source).unwrap();
    let (recording, recording_folder) = recorded(&tools, &fixture, Build::Faultline2).unwrap();
    Recorded { tools, recording, _recording_folder: recording_folder, _source_folder: folder }
}

impl Recorded {
    fn values(&self, arguments: &[&str]) -> Ran {
        let mut command = Command::new(&self.tools.faultline);
        command.arg("values").arg(&self.recording).args(arguments);
        run(&mut command, b"", Duration::from_secs(60)).unwrap()
    }

    fn says(&self, arguments: &[&str]) -> String {
        let ran = self.values(arguments);
        assert_eq!(ran.ending, Ending::Exit(0), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    }

    /// What is said on standard error, in one line, when there is no answer.
    fn refuses(&self, arguments: &[&str]) -> String {
        let ran = self.values(arguments);
        assert_eq!(ran.ending, Ending::Exit(2));
        assert!(ran.stdout.is_empty(), "nothing but results goes to standard output");
        String::from_utf8(ran.stderr).unwrap()
    }
}

/// Lines without the clock, which is none of our business here.
fn rows(text: &str) -> Vec<String> {
    let row = |line: &str| {
        let mut words = line.split_whitespace();
        let turn = words.next().unwrap_or_default();
        let rest: Vec<_> = words.skip(1).collect();
        format!("{turn} {}", rest.join(" "))
    };
    text.lines().map(row).collect()
}

#[test]
fn equal_values_are_folded() {
    let recorded = record();
    assert_eq!(
        rows(&recorded.says(&["main.c:9", "place"])),
        ["turn value", "1-2 {x = 0, y = 2}", "3-4 {x = 1, y = 2}", "5 {x = 2, y = 2}"]
    );
    let after = recorded.says(&["main.c:9", "total", "--after"]);
    assert_eq!(rows(&after), ["turn value", "1-2 0", "3 1", "4 2", "5 4"]);
    let limited = recorded.says(&["main.c:9", "i", "--limit", "2"]);
    assert!(limited.ends_with("3 more executions are not shown; see --limit\n"), "{limited}");
}

#[test]
fn json_has_type_and_value() {
    let text = record().says(&["main.c:9", "place.x", "--format", "json"]);
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["count"], 5);
    let last = &answer["values"][4];
    assert_eq!((&last["number"], &last["text"]), (&5.into(), &"2".into()));
    let value = &last["value"];
    assert_eq!((&value["type"], &value["kind"], &value["value"]), (&"int".into(), &"integer".into(), &2.into()));
}

#[test]
fn questions_without_an_answer_are_refused_with_advice() {
    let recorded = record();
    let refusals = [
        (["main.c:9", "totol"], "there is no variable `totol` here; there is `total`"),
        (["main.c:9", "place.z"], "`struct point` has no member `z`"),
        (["main.c:9", "total->x"], "`int` is not a pointer"),
        (["main.c:9", "place[1]"], "`struct point` is neither an array nor a pointer"),
        (["main.c:9", "i +"], "unexpected text at character 3"),
        (["mian.c:9", "i"], "the program has no source file `mian.c`; there is main.c"),
        (["main.c", "i"], "`main.c` is not FILE:LINE, as in main.c:12"),
        (["main.c:11", "place"], "there is no code at line 11 of"),
        (["main.c:11", "place"], "the next line with code is 12"),
        (["main.c:99", "place"], "there is no code at line 99 of"),
        (["main.c:13", "place"], "main.c was never executed"),
        (["main.c:12", "i"], "there is no variable `i` here"),
    ];
    for (arguments, expected) in refusals {
        let said = recorded.refuses(&arguments);
        assert!(said.contains(expected), "{arguments:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
