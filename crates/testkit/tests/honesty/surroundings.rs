//! Low limits, nobody who reads, signals, names that were made to harm.

use std::os::unix::process::ExitStatusExt;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::bench::{Bench, says, words};

const CRASHES: &str = r#"
#include <stdio.h>
int main(int count, char **words) {
    int *place = count > 7 ? &count : NULL;
    for (int i = 0; i < 200; i++) printf("%d\n", i);
    fflush(stdout);
    return *place;
}
"#;

const WAITS: &str = r#"
#include <stdio.h>
#include <unistd.h>
int main(void) {
    fprintf(stderr, "here\n");
    for (;;) pause();
}
"#;

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let bench = Bench::new();
    bench.compile("p", CRASHES);
    bench.shell("FAULTLINE record -o r.flt -- ./p; FAULTLINE record -o s.flt -- ./p x");
    let commands = [
        "replay r.flt",
        "replay --stats r.flt",
        "dump r.flt",
        "dump --raw r.flt",
        "slice r.flt",
        "slice --format json r.flt",
        "origin --format json r.flt",
        "values r.flt p.c:5 i",
        "values --format json r.flt p.c:5 i",
        "diff r.flt s.flt",
        "diff --format json r.flt s.flt",
        "why --technique slice -- ./p",
        "why --technique slice --format json -- ./p",
        "doctor",
        "clean",
        "man",
        "completions bash",
    ];
    for command in commands {
        // The reader is gone before anything is written; standard error goes to a file.
        let line = format!("set -o pipefail; (sleep 0.1; exec FAULTLINE {command} 2> error) | true; echo $? > status");
        bench.shell(&line);
        let error = std::fs::read_to_string(bench.path("error")).expect("an error file");
        assert!(!error.contains("panicked") && !error.contains("Broken pipe"), "{command}: {error}");
    }
    // Nor if what is told beside the result has no reader.
    let both = bench.shell("set -o pipefail; (sleep 0.1; exec FAULTLINE why -- ./nowhere) 2>&1 | true");
    assert_eq!(both.status.code(), Some(2));
}

#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let bench = Bench::new();
    bench.compile("p", CRASHES);
    let record = bench.shell("ulimit -f 50; FAULTLINE record -o r.flt -- ./p > /dev/null");
    says(&record, 2, &["ulimit -f"]);
    // Enough to share memory with the program, not enough for what it logs.
    bench.compile(
        "long",
        "int main(int c, char **w) { volatile long x = 1; for (long i = 0; i < 40000000; i++) x += x * i; return 0; }",
    );
    let record = bench.shell("ulimit -f 40000; FAULTLINE record -o r.flt -- ./long; exit $?");
    assert_eq!(record.status.signal(), None, "{}", words(&record.stderr));
}

#[test]
fn a_small_stack_is_enough() {
    let bench = Bench::new();
    bench.compile("p", CRASHES);
    bench.shell("FAULTLINE record -o r.flt -- ./p > /dev/null");
    for command in ["--help", "replay r.flt", "slice r.flt", "dump --last 3 r.flt", "why --technique slice -- ./p"] {
        let told = bench.shell(&format!("ulimit -s 64; FAULTLINE {command}"));
        assert!(matches!(told.status.code(), Some(0 | 3)), "{command}: {:?} {}", told.status, words(&told.stderr));
    }
}

#[test]
fn line_breaks_in_paths_are_no_commands_of_gdb() {
    let bench = Bench::new();
    let folder = "evil\nshell touch harm\n";
    std::fs::create_dir(bench.path(folder)).expect("such a name is allowed");
    bench.compile(&format!("{folder}/p"), CRASHES);
    let line = "FAULTLINE why --technique slice --gdb -- $'evil\\nshell touch harm\\n/p'";
    says(&bench.shell(line), 2, &["line break", "--gdb cannot be used"]);
    bench.compile("p", CRASHES);
    let line = "FAULTLINE why --technique slice --gdb -- ./p $'a\\nshell touch harm\\n'";
    says(&bench.shell(line), 2, &["line break", "--gdb cannot be used"]);
    let plain = bench.shell("FAULTLINE why --technique slice --gdb -- ./p");
    let script = String::from_utf8_lossy(&plain.stdout).into_owned();
    assert!(script.contains("\nbreak ") && script.lines().last() == Some("run"), "{script}");
}

/// As `kill -INT` does it: the program is not told.
#[test]
fn an_interrupt_for_the_recorder_alone_ends_the_recording() {
    let bench = Bench::new();
    bench.compile("p", WAITS);
    let mut recorder =
        bench.command("exec FAULTLINE record -o r.flt -- ./p").stderr(Stdio::piped()).spawn().expect("it runs");
    let mut told = std::io::BufReader::new(recorder.stderr.take().expect("a pipe"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut told, &mut line).expect("the program says that it is there");
    // SAFETY: a child of ours that nobody has waited for.
    unsafe { libc::kill(recorder.id() as i32, libc::SIGINT) };
    let begun = Instant::now();
    while recorder.try_wait().expect("a child of ours").is_none() {
        if begun.elapsed() > Duration::from_secs(30) {
            recorder.kill().expect("it is there");
            panic!("it does not end");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    says(&bench.shell("FAULTLINE replay r.flt"), 0, &["exact: ", "because it was interrupted itself"]);
}
