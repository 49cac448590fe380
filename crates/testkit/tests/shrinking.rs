//! A failing input is made as small as it can be, and fails the same.

use std::io::Write as _;
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use experiment::shrink::{Cut, Judge, ShrinkError, Shrunk, shrink, units};
use experiment::{Case, Lab, Limits, Oracle};
use tempfile::TempDir;
use testkit::{Tools, workspace};

struct Subject {
    tools: Tools,
    folder: TempDir,
    program: PathBuf,
}

fn compile_to(tools: &Tools, source: &Path, options: &[&str], program: &Path) {
    let built = Command::new(&tools.cc).args(["-g", "-w"]).args(options).arg(source).arg("-o").arg(program).status();
    assert!(built.expect("faultline-cc runs").success());
}

fn compile(source: &Path) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program");
    compile_to(&tools, source, &[], &program);
    Subject { tools, folder, program }
}

fn inline(text: &str) -> Subject {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("it can be written");
    compile(&source)
}

fn calculator() -> Subject {
    compile(&workspace().join("tests/experiments/calculator.c"))
}

impl Subject {
    fn reference(&self) -> PathBuf {
        let path = self.folder.path().join("reference");
        compile_to(&self.tools, &workspace().join("tests/experiments/calculator.c"), &["-DRIGHT"], &path);
        path
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    fn case(&self, input: &str) -> Case {
        Case::new(&self.program, Vec::new()).expect("a program").with_input(input.into())
    }

    fn shrink_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.tools.faultline);
        command.arg("shrink").args(arguments).arg("--").arg(&self.program).stdin(Stdio::null());
        command
    }
}

fn shrunk(lab: &Lab, judge: &Judge, files: &[PathBuf]) -> Result<Shrunk, ShrinkError> {
    shrink(lab, judge, files, &mut |_| ControlFlow::Continue(()))
}

fn open(case: Case, oracle: Oracle) -> Lab {
    Lab::open(case, oracle, Limits::default()).expect("the case fails")
}

/// Without faultline.
fn plainly(program: &Path, input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    // It may end before it has read everything.
    let _ = child.stdin.take().expect("its input").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// The text fails, but not when any single line, token or character is left out.
fn assert_minimal(text: &[u8], fails: impl Fn(&[u8]) -> bool) {
    assert!(fails(text), "{:?}", String::from_utf8_lossy(text));
    for cut in Cut::ALL {
        for unit in units(text, cut) {
            let less = [&text[..unit.start], &text[unit.end..]].concat();
            assert!(!fails(&less), "{:?} would do", String::from_utf8_lossy(&less));
        }
    }
}

/// Two hundred lines; the failing ones are put in their places.
fn long_input(failing: &[(usize, &str)]) -> String {
    let mut lines = Vec::new();
    for n in 0..200usize {
        lines.push(match n % 4 {
            0 => format!("{} = {} * ({} + {n})", (b'a' + (n / 4 % 8) as u8) as char, n + 3, n % 7),
            1 => format!("({n} + 4) * (17 - {}) % 13", n % 5),
            2 => format!("# step {n}"),
            _ => format!("{} / {} - -3", (b'a' + (n / 4 % 8) as u8) as char, n % 9 + 1),
        });
    }
    for (at, line) in failing {
        lines[*at] = (*line).to_owned();
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_crash_comes_down_to_what_causes_it() {
    let subject = calculator();
    let input = long_input(&[(40, "z = 12 - 12"), (120, "7 + (30 + 4 * 2) % (z * 2) - 1")]);
    let lab = open(subject.case(&input), Oracle::default());
    let done = shrunk(&lab, &Judge::default(), &[]).expect("it shrinks");
    let text = &done.smallest.stdin;
    assert!(done.is_minimal && text.len() < 8, "{:?}", String::from_utf8_lossy(text));
    assert_minimal(text, |text| plainly(&subject.program, text).status.signal() == Some(libc::SIGFPE));
    assert!(done.runs < 400, "{} runs", done.runs);
}

#[test]
fn a_wrong_output_is_judged_by_the_reference() {
    let subject = calculator();
    let reference = subject.reference();
    let input = long_input(&[(30, "width = 80"), (90, "wide = width / 4"), (170, "(width - 4) * 2")]);
    let path = subject.write("input.txt", &input);
    let output = subject
        .shrink_command(&["--stdin", path.to_str().expect("text"), "--reference", reference.to_str().expect("text")])
        .output()
        .expect("faultline runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}{}", String::from_utf8_lossy(&output.stderr));
    assert!(told.contains(&format!("From {} to ", input.len())) && told.contains(" runs ("), "{told}");
    assert!(told.contains("No single line, token or character of it can be left out."), "{told}");
    let text = std::fs::read(subject.folder.path().join("input.txt.shrunk")).expect("the result");
    assert!(text.len() < 20, "{:?}", String::from_utf8_lossy(&text));
    assert_minimal(&text, |text| {
        let (wrong, right) = (plainly(&subject.program, text), plainly(&reference, text));
        wrong.status.code() == Some(0) && right.status.code() == Some(0) && wrong.stdout != right.stdout
    });
}

#[test]
fn what_is_expected_of_the_whole_input_is_no_judge_of_a_part() {
    let subject = calculator();
    let (input, expected) = (subject.write("input.txt", "a1 = 1\na2 = 2\na1\n"), subject.write("expected", "1\n"));
    let arguments = ["--stdin", input.to_str().expect("text"), "--expect", expected.to_str().expect("text")];
    let output = subject.shrink_command(&arguments).output().expect("faultline runs");
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("--reference PROG or --check CMD"), "{told}");
}

#[test]
fn a_check_judges_and_the_status_stays() {
    let subject = inline(
        r#"#include <stdio.h>
        #include <string.h>
        int main(void) {
            char text[100] = "";
            fread(text, 1, 99, stdin);
            if (strstr(text, "bad")) { puts("wrong"); return strchr(text, '!') ? 3 : 4; }
            return 0;
        }"#,
    );
    let check = Oracle { check: Some(r#"! grep -q wrong "$FAULTLINE_STDOUT""#.into()), ..Oracle::default() };
    let lab = open(subject.case("some bad words!\nand more\n"), check.clone());
    let done = shrunk(&lab, &Judge { oracle: check, ..Judge::default() }, &[]).expect("it shrinks");
    assert_eq!(String::from_utf8_lossy(&done.smallest.stdin), "bad!");
}

#[test]
fn a_crash_elsewhere_is_another_failure() {
    let subject = inline(
        r#"#include <stdio.h>
        #include <string.h>
        static void at_the_end(const char *text) { if (text[0] == 'e') *(volatile int *)0 = 1; }
        static void at_once(const char *text) { if (text[0] == 'e') *(volatile int *)0 = 2; }
        int main(void) {
            char line[100];
            int count = 0;
            while (fgets(line, sizeof line, stdin)) {
                if (line[0] == 'e') {
                    if (count >= 2) at_the_end(line);
                    at_once(line);
                }
                count += line[0] == '+';
            }
            return 0;
        }"#,
    );
    let lab = open(subject.case("a\n+1\nb\n+2\nc\n+3\nend\n"), Oracle::default());
    let done = shrunk(&lab, &Judge::default(), &[]).expect("it shrinks");
    assert_eq!(String::from_utf8_lossy(&done.smallest.stdin), "+\n+\ne");
}

#[test]
fn files_and_arguments_are_made_smaller_too() {
    let subject = inline(
        r#"#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(int argc, char **argv) {
            int wild = 0;
            for (int i = 1; i < argc; i++) {
                if (strcmp(argv[i], "-w") == 0) { wild = 1; continue; }
                FILE *file = fopen(argv[i], "r");
                char text[1000] = "";
                if (!file) continue;
                fread(text, 1, 999, file);
                if (wild && strstr(text, "boom")) abort();
            }
            return 0;
        }"#,
    );
    let directory = TempDir::new().expect("a folder");
    std::fs::write(directory.path().join("script.txt"), "first\nand then boom\nlast\n").expect("it can be written");
    std::fs::write(directory.path().join("other"), "unused").expect("it can be written");
    let arguments = ["-v", "-w", "--all=yes", "script.txt"].map(Into::into).to_vec();
    let case = Case::new(&subject.program, arguments).expect("a program").with_input(b"unread".to_vec());
    let lab = open(case.with_files(directory.path()).expect("a directory"), Oracle::default());
    let script = PathBuf::from("script.txt");
    let done = shrunk(&lab, &Judge::default(), std::slice::from_ref(&script)).expect("it shrinks");
    assert_eq!(done.smallest.arguments, ["-w", "script.txt"]);
    assert_eq!(done.smallest.files.get(&script).map(Vec::as_slice), Some(&b"boom"[..]));
    assert!(done.smallest.stdin.is_empty() && done.is_minimal);
}

#[test]
fn one_worker_and_several_find_the_same() {
    let subject = calculator();
    let input = long_input(&[(120, "7 + (30 + 4 * 2) % (3 - 3) - 1")]);
    let found = [1, 4].map(|workers| {
        let limits = Limits { workers, ..Limits::default() };
        let lab = Lab::open(subject.case(&input), Oracle::default(), limits).expect("the case fails");
        shrunk(&lab, &Judge::default(), &[]).expect("it shrinks").smallest
    });
    assert_eq!(found[0], found[1]);
}

#[test]
fn an_interrupt_leaves_the_smallest_so_far() {
    let subject = inline(
        r#"#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <unistd.h>
        int main(void) {
            static char text[100000];
            fread(text, 1, sizeof text - 1, stdin);
            usleep(30000);
            for (int n = 100; n < 4000; n += 100) {
                char line[16];
                sprintf(line, "x%d\n", n);
                if (!strstr(text, line)) return 0;
            }
            abort();
        }"#,
    );
    let input: String = (0..4000).map(|n| format!("line x{n}\n")).collect();
    let path = subject.write("input.txt", &input);
    let result = subject.folder.path().join("smaller");
    let arguments = ["--stdin", path.to_str().expect("text"), "-o", result.to_str().expect("text")];
    let child = subject.shrink_command(&arguments).stdout(Stdio::piped()).spawn().expect("faultline runs");
    // To find the 39 lines that matter takes hundreds of runs, each of them 30 milliseconds.
    std::thread::sleep(Duration::from_secs(4));
    // SAFETY: sends a signal to a child of ours.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    let output = child.wait_with_output().expect("it ends");
    assert!(matches!(output.status.code(), Some(0 | 3)), "{:?}", output.status);
    assert!(String::from_utf8_lossy(&output.stdout).contains("no time"));
    let text = std::fs::read(&result).expect("the result");
    assert_eq!(plainly(&subject.program, &text).status.signal(), Some(libc::SIGABRT));
}

#[test]
fn what_passes_cannot_be_shrunk() {
    let subject = calculator();
    let input = subject.write("input.txt", "1 + 1\n");
    let output = subject.shrink_command(&["--stdin", input.to_str().expect("text")]).output().expect("faultline runs");
    assert_eq!(output.status.code(), Some(1));
}
