//! Recordings that were cut short are not the run.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::bench::{Bench, says, words};

const LONG: &str = r#"
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[64];
    unsigned sum = 0;
    while (fgets(line, sizeof line, stdin)) sum = sum * 31 + (unsigned)strlen(line) + (unsigned)line[0];
    printf("%u\n", sum);
    return 3;
}
"#;

/// The values that `sum` had, line by line, as far as they are known.
fn values(bench: &Bench, recording: &str) -> Vec<String> {
    let shown = bench.shell(&format!("FAULTLINE values --limit 1000000 {recording} p.c:6 sum")).stdout;
    let shown = String::from_utf8_lossy(&shown);
    let is_value = |line: &&str| line.trim_start().starts_with(|first: char| first.is_ascii_digit());
    shown.lines().filter(is_value).map(str::to_owned).collect()
}

#[test]
fn a_recording_that_was_cut_is_not_called_exact() {
    let bench = Bench::new();
    bench.compile("p", LONG);
    bench.shell("seq 60000 | FAULTLINE record -o r.flt -- ./p");
    let whole = fs::read(bench.path("r.flt")).expect("a recording");
    says(&bench.shell("FAULTLINE replay r.flt"), 0, &["exact: "]);
    let whole_history = values(&bench, "r.flt");
    // The index and the end are the last of it.
    for part in (4..100).step_by(5) {
        bench.write("cut.flt", &whole[..whole.len() * part / 100]);
        let replay = bench.shell("FAULTLINE replay cut.flt");
        if replay.status.code() == Some(2) {
            says(&replay, 2, &["record the run again"]);
            continue;
        }
        says(&replay, 1, &["incomplete: ", "does not contain the rest of the run or how it ended"]);
        assert!(!words(&replay.stdout).contains("exact:"), "{part}");
        says(&bench.shell("FAULTLINE replay --stats cut.flt"), 1, &["complete=no"]);
        let slice = bench.shell("FAULTLINE slice cut.flt");
        let is_empty = words(&replay.stdout).contains("nothing of the run");
        let reason =
            if is_empty { "contains nothing of the run" } else { "the recording ends before the program does" };
        says(&slice, 2, &[reason]);
        if is_empty {
            continue;
        }
        let known = values(&bench, "cut.flt");
        assert!(!known.is_empty() && whole_history.starts_with(&known), "{part}: {known:?}");
        says(&bench.shell("FAULTLINE dump --last 5 cut.flt | tail -3"), 0, &["the recording is incomplete"]);
    }
    bench.write("cut.flt", &whole[..whole.len() * 90 / 100]);
    says(&bench.shell("FAULTLINE slice --at p.c:6:sum cut.flt"), 0, &["limit: the recording is incomplete"]);
    says(&bench.shell("FAULTLINE values cut.flt p.c:6 sum"), 0, &["limit: the recording is incomplete"]);
    says(&bench.shell("FAULTLINE values cut.flt p.c:8 sum"), 2, &["never executed in the recorded part of the run"]);
}

#[test]
fn the_recording_of_a_killed_faultline_is_not_called_exact() {
    let bench = Bench::new();
    bench.compile("p", LONG);
    let mut child =
        bench.command("exec FAULTLINE record -o r.flt -- ./p").stdin(Stdio::piped()).spawn().expect("it runs");
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    while fs::metadata(bench.path("r.flt")).map_or(0, |about| about.len()) < 1000 {
        assert!(std::time::Instant::now() < deadline, "nothing is recorded");
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(200));
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    says(&bench.shell("FAULTLINE replay r.flt"), 1, &["incomplete: the recording contains nothing of the run"]);
}
