//! `faultline explore` as people and scripts use it: exit statuses, what Ctrl-C leaves, the folders of inputs, and wrong use.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;
use testkit::Tools;

struct Subject {
    tools: Tools,
    folder: TempDir,
    program: PathBuf,
}

fn compiled(text: &str, input: &str) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let (source, program) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&source, text).expect("it can be written");
    std::fs::write(folder.path().join("input"), input).expect("it can be written");
    let built = Command::new(&tools.cc).args(["-g", "-w"]).arg(&source).arg("-o").arg(&program).status();
    assert!(built.expect("the compiler runs").success());
    Subject { tools, folder, program }
}

impl Subject {
    fn command(&self, options: &[&str]) -> Command {
        let mut command = Command::new(&self.tools.faultline);
        command.arg("explore").args(options).arg("--stdin").arg(self.folder.path().join("input"));
        command.arg("--out").arg(self.out()).arg("--").arg(&self.program).stdin(Stdio::null());
        command
    }

    fn explore(&self, options: &[&str]) -> Output {
        self.command(options).output().expect("faultline runs")
    }

    fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn inputs(out: &Path) -> usize {
    std::fs::read_dir(out).map_or(0, |entries| entries.count())
}

const CRASHES_ON_X: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
                            int main(void) { if (getchar() == 'x') abort(); puts(\"fine\"); }\n";
const NEVER_CRASHES: &str = "#include <stdio.h>\nint main(void) { puts(getchar() == 'x' ? \"x\" : \"other\"); }\n";
/// It has a path for each number of characters.
const HAS_NO_END: &str = "#include <stdio.h>\n\
                          int main(void) { int c, n = 0; while ((c = getchar()) != EOF) n += c == 'a'; return n & 1; }\n";

#[test]
fn a_crash_is_reached_and_its_input_runs_by_its_script() {
    let subject = compiled(CRASHES_ON_X, "a");
    let output = subject.explore(&["--until", "crash", "--budget", "60"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.starts_with("This input crashes the program: SIGABRT"), "{said}");
    assert!(said.contains("standard input: \"x\""), "{said}");
    let last = format!("{:04}", inputs(&subject.out()) - 1);
    let again = Command::new("sh").arg(subject.out().join(last).join("run")).output().expect("sh runs");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&again.status), Some(libc::SIGABRT));
    let given = std::fs::read(subject.out().join("0000/stdin")).expect("the given input is there, too");
    assert_eq!(given, b"a");
}

#[test]
fn what_is_not_reached_has_a_status_of_its_own() {
    let subject = compiled(NEVER_CRASHES, "a");
    let output = subject.explore(&["--until", "crash", "--budget", "60"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.starts_with("No input that crashes the program was found."), "{said}");
    assert!(said.contains("every branch that depends on the input has been tried both ways on every path"), "{said}");
}

#[test]
fn a_number_of_inputs_may_be_asked_for() {
    let subject = compiled(HAS_NO_END, "a");
    let output = subject.explore(&["--until", "3", "--budget", "60", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(report["reached"], true);
    assert_eq!(report["inputs"].as_array().map(Vec::len), Some(4));
    assert_eq!(inputs(&subject.out()), 4);
}

#[test]
fn an_oracle_may_say_what_is_wrong() {
    let subject = compiled(NEVER_CRASHES, "a");
    let check = "! grep -q '^x' \"$FAULTLINE_STDOUT\"";
    let output = subject.explore(&["--until", "check", "--check", check, "--budget", "60"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    assert!(text(&output.stdout).contains("standard input: \"x\""), "{}", text(&output.stdout));
}

#[test]
fn an_interruption_keeps_what_was_found() {
    let subject = compiled(HAS_NO_END, "a");
    let mut command = subject.command(&["--budget", "600"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("faultline runs");
    let begun = Instant::now();
    while inputs(&subject.out()) < 3 && begun.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(50));
    }
    // SAFETY: it is our child, which has not been waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    let output = child.wait_with_output().expect("it ends");
    assert!(begun.elapsed() < Duration::from_secs(300), "it went on");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("each with a path of its own"), "{}", text(&output.stdout));
    assert!(inputs(&subject.out()) >= 3);
}

#[test]
fn wrong_use_is_told() {
    let subject = compiled(NEVER_CRASHES, "a");
    for (options, words) in [
        (&["--until", "soon"][..], "expected crash, check, coverage or a number of inputs"),
        (&["--until", "0"], "expected crash, check, coverage or a number of inputs"),
        (&["--until", "check"], "--until check needs an oracle"),
        (&["--budget", "no"], "--budget"),
    ] {
        let output = subject.explore(options);
        assert_eq!(output.status.code(), Some(2), "{options:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(words), "{options:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty(), "{options:?}");
    }
}
