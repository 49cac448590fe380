//! A person's word: what is called right leaves the set, and nothing is looked for behind it.

use std::cell::RefCell;
use std::process::Command;
use std::time::Duration;

use techniques::omission::{Asked, Verdict, Witness, expand, find_with};
use tempfile::TempDir;
use testkit::Tools;

use crate::faulty::{Faulty, faulty, set};
use crate::figures::SAVED_NAME;

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
    assert!(asked.contains("`maybe` is not one of these"), "{asked}");
    let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("you called 1 right and 1 wrong"), "{told}");
    // Without a file, what the program reads and the answers would be mixed up, and here is no terminal.
    command = Command::new("setsid");
    command.arg("--wait").arg(&tools.faultline).args(["omission", "--ask", "--expect", "expected", "--", "./program"]);
    let refused = testkit::run(command.current_dir(&folder), b"", patience).expect("it runs");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--stdin FILE"), "{refused:?}");
}

#[test]
fn nothing_is_told_of_what_lies_behind_what_is_called_right() {
    let faulty = faulty(SAVED_NAME, "", "1\n8\n");
    faulty.look(|subject| {
        let told = |right: &[&str]| {
            let known = Known { faulty: &faulty, right, wrong: &[], asked: RefCell::default() };
            let found = find_with(subject, Some(&known)).expect("it replays");
            let lines = found.suspects.iter().map(|suspect| faulty.name(suspect.finding.location.line));
            lines.collect::<std::collections::BTreeSet<String>>()
        };
        assert!(told(&[]).is_superset(&set(&["S1", "S4"])));
        assert_eq!(told(&["S1"]).intersection(&set(&["S1", "S4"])).count(), 1);
        assert!(told(&["S4"]).is_disjoint(&set(&["S1", "S4", "S5"])));
    });
}
