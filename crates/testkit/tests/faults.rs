//! What goes wrong around a recording: programs killed at any moment, limits, files that are damaged, foreign or out of
//! date, programs that are not ours. Each is met with an exact replay or with a sentence that says what to do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::Duration;

use tempfile::TempDir;
use testkit::Tools;

/// Calls, callbacks, memory of the library's and arithmetic, for ever.
const BUSY: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int numbers[64];
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static unsigned step(unsigned x) { return x * 1103515245u + 12345u; }
int main(void) {
    unsigned x = 1;
    char text[32];
    for (unsigned round = 0;; round++) {
        for (int i = 0; i < 64; i++) numbers[i] = (int)((x = step(x)) >> 16);
        qsort(numbers, 64, sizeof *numbers, compare);
        snprintf(text, sizeof text, "%d", numbers[round % 64]);
        x += (unsigned)strlen(text) + (unsigned)text[0];
        if (round % 1000 == 0) putchar('.'), fflush(stdout);
    }
}
"#;

const SMALL: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i < 10 * argc; i++) sum += argv[0][0] + i;
    printf("%d\n", sum & 1);
    return 3;
}
"#;

struct Bench {
    tools: Tools,
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        Bench { tools: Tools::find().expect("the staged tools"), folder: tempfile::tempdir().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn compile(&self, source: &str, name: &str) -> PathBuf {
        let (file, program) = (self.path(&format!("{name}.c")), self.path(name));
        fs::write(&file, source).expect("the source is written");
        let status =
            Command::new(&self.tools.cc).arg(&file).arg("-o").arg(&program).status().expect("faultline-cc runs");
        assert!(status.success());
        program
    }

    fn record(&self, options: &[&str], program: &Path) -> (PathBuf, Output) {
        let recording = self.path("recording.flt");
        let output = Command::new(&self.tools.faultline)
            .args(["record", "-o"])
            .arg(&recording)
            .args(options)
            .arg("--")
            .arg(program)
            .output()
            .expect("faultline runs");
        (recording, output)
    }

    fn replay(&self, recording: &Path) -> Output {
        Command::new(&self.tools.faultline).arg("replay").arg(recording).output().expect("faultline runs")
    }

    fn replays_exactly(&self, recording: &Path) -> String {
        let replayed = self.replay(recording);
        let said = format!("{}{}", text(&replayed.stdout), text(&replayed.stderr));
        assert_eq!(replayed.status.code(), Some(0), "{said}");
        said
    }

    /// Refused with status 2 and a sentence that has these words.
    fn is_refused(&self, recording: &Path, words: &[&str]) {
        let replayed = self.replay(recording);
        let said = text(&replayed.stderr);
        assert_eq!(replayed.status.code(), Some(2), "{said}");
        for word in words {
            assert!(said.contains(word), "no `{word}` in: {said}");
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program a recorder has started.
fn first_child(recorder: u32) -> i32 {
    for _ in 0..2000 {
        let tasks = fs::read_dir(format!("/proc/{recorder}/task")).expect("the recorder runs");
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            if let Some(child) = children.split_whitespace().next().and_then(|c| c.parse().ok()) {
                return child;
            }
        }
        sleep(Duration::from_millis(5));
    }
    panic!("the recorder starts no program");
}

#[test]
fn killed_again_and_again_it_replays_exactly() {
    let bench = Bench::new();
    let program = bench.compile(BUSY, "busy");
    for round in 0..12 {
        let recording = bench.path("killed.flt");
        let mut recorder = Command::new(&bench.tools.faultline)
            .args(["record", "-o"])
            .arg(&recording)
            .arg("--")
            .arg(&program)
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("faultline runs");
        let program = first_child(recorder.id());
        sleep(Duration::from_millis(11 * round));
        // SAFETY: a process of ours that nobody has waited for.
        unsafe { libc::kill(program, libc::SIGKILL) };
        let status = recorder.wait().expect("the recorder ends");
        assert_eq!(status.code(), Some(128 + 9));
        let said = bench.replays_exactly(&recording);
        assert!(said.contains("SIGKILL"), "{said}");
    }
}

#[test]
fn limits_end_a_run_cleanly_and_say_so() {
    let bench = Bench::new();
    let program = bench.compile(BUSY, "busy");
    for (options, words) in [(["--time-limit", "0.3"], "time limit"), (["--size-limit", "200000"], "size limit")] {
        let (recording, output) = bench.record(&options, &program);
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
        let said = bench.replays_exactly(&recording);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn a_rebuilt_program_does_not_matter() {
    let bench = Bench::new();
    let program = bench.compile(SMALL, "small");
    let (recording, output) = bench.record(&[], &program);
    assert_eq!(output.status.code(), Some(3));
    let before = bench.replays_exactly(&recording);
    bench.compile(BUSY, "small");
    let count = |said: &str| said.split(',').next().map(str::to_owned);
    assert_eq!(count(&before), count(&bench.replays_exactly(&recording)));
    fs::remove_file(&program).expect("the program is there");
    bench.replays_exactly(&recording);
}

#[test]
fn a_recording_cut_short_replays_up_to_there_or_is_refused() {
    let bench = Bench::new();
    let program = bench.compile(SMALL, "small");
    let (recording, _) = bench.record(&[], &program);
    let bytes = fs::read(&recording).expect("the recording");
    let cut = bench.path("cut.flt");
    for part in 0..20 {
        fs::write(&cut, &bytes[..bytes.len() * part / 20]).expect("a part is written");
        let replayed = bench.replay(&cut);
        let said = format!("{}{}", text(&replayed.stdout), text(&replayed.stderr));
        // What is left of it may replay, but it is not the run.
        assert!(matches!(replayed.status.code(), Some(1 | 2)), "{part}/20: {said}");
        assert!(!said.is_empty() && !said.contains("exact:"), "{part}/20: {said}");
    }
}

#[test]
fn files_that_are_no_recording_of_ours_are_refused() {
    let bench = Bench::new();
    let program = bench.compile(SMALL, "small");
    let (recording, _) = bench.record(&[], &program);
    let bytes = fs::read(&recording).expect("the recording");

    bench.is_refused(&bench.path("absent.flt"), &["absent.flt"]);
    bench.is_refused(&program, &["not a recording"]);

    let other = bench.path("other.flt");
    let mut changed = bytes.clone();
    changed[8] ^= 0x40;
    fs::write(&other, &changed).expect("it is written");
    bench.is_refused(&other, &["version"]);

    let mut changed = bytes.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    fs::write(&other, &changed).expect("it is written");
    let replayed = bench.replay(&other);
    assert_eq!(replayed.status.code(), Some(2), "{}", text(&replayed.stderr));
}

#[test]
fn a_program_that_is_not_instrumented_is_refused() {
    let bench = Bench::new();
    let (file, program) = (bench.path("plain.c"), bench.path("plain"));
    fs::write(&file, SMALL).expect("the source is written");
    let status = Command::new(&bench.tools.clang).arg(&file).arg("-o").arg(&program).status().expect("clang runs");
    assert!(status.success());
    let (_, output) = bench.record(&[], &program);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("faultline-cc"), "{}", text(&output.stderr));
}
