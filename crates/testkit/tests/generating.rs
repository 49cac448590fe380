//! Tests are generated near a failing run: they are judged, ranked, told of and written, as the command promises.

use std::io::Write;
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
    /// A case of `tests/locate/generate`.
    fn of(case: &str) -> Subject {
        let (tools, folder) = (Tools::find().expect("the tools are built"), TempDir::new().expect("a folder"));
        let program = folder.path().join("program");
        let subject = Subject { tools, folder, program };
        subject.compile(&cases().join(case).join("program.c"), &subject.program);
        subject
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

    fn generate(&self, input: &Path, options: &[&str]) -> Output {
        self.generate_with(input, options, "")
    }

    /// `answers`: what somebody types.
    fn generate_with(&self, input: &Path, options: &[&str], answers: &str) -> Output {
        let mut command = Command::new(&self.tools.faultline);
        command.args(["generate", "--format", "json", "--timeout", "2", "--stdin"]).arg(input).args(options);
        command.arg("--").arg(&self.program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("faultline runs");
        // It may end before it has read all of them.
        let _ = child.stdin.take().expect("a pipe").write_all(answers.as_bytes());
        child.wait_with_output().expect("it ends")
    }
}

fn cases() -> PathBuf {
    workspace().join("tests/locate/generate")
}

fn input_of(case: &str) -> PathBuf {
    cases().join(case).join("input")
}

fn answer(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The claim of this kind about what was tried.
fn tried<'v>(answer: &'v Value, kind: &str) -> Option<&'v Value> {
    answer["claims"]["tried"].as_array()?.iter().find(|tried| tried["tried"] == kind)
}

/// Lines of findings than which none is more suspicious.
fn worst(answer: &Value) -> Vec<u64> {
    let all = answer["findings"].as_array().expect("findings");
    let worst = all.iter().take_while(|one| one["score"] == all[0]["score"]);
    worst.map(|one| one["line"].as_u64().expect("a line")).collect()
}

/// The line marked as the fault.
fn fault(case: &str) -> u64 {
    let text = std::fs::read_to_string(cases().join(case).join("program.c")).expect("a program");
    let marked = text.lines().position(|line| line.contains("//~ fault"));
    marked.expect("a line is marked") as u64 + 1
}

/// Section 3.3 of the paper: with inputs that reach the division alike, but with other divisors, the fault is singled out.
/// The second fault, a missing point, is another failure.
#[test]
fn the_division_by_zero_of_the_paper_is_singled_out_without_an_oracle() {
    let subject = Subject::of("scale_point");
    let answer = answer(&subject.generate(&input_of("scale_point"), &[]));
    assert_eq!(answer["findings"][0]["line"].as_u64(), Some(fault("scale_point")), "{answer:#}");
    let message = answer["findings"][0]["message"].as_str().expect("a message");
    assert!(message.contains("`magnitude` returned zero in") && message.contains("and 0 of"), "{message}");
    let other = tried(&answer, "other-failure").expect("the missing point");
    assert_eq!(other["end"]["signal"]["number"].as_i64(), Some(11), "{other:#}");
    let generated = tried(&answer, "generated").expect("what was generated");
    assert!(generated["otherwise"].as_u64() > Some(0) && generated["passing"].as_u64() > Some(0), "{generated:#}");
}

#[test]
fn each_selection_finds_a_wrong_price_that_a_reference_judges() {
    let subject = Subject::of("parcel_rates");
    let reference = subject.reference("parcel_rates");
    for select in [&["near"][..], &["pcs"], &["pcs", "--subsequence"], &["is"], &["coverage"], &["base"]] {
        let options = [&["--reference", &reference, "--select"], select].concat();
        let answer = answer(&subject.generate(&input_of("parcel_rates"), &options));
        let worst = worst(&answer);
        assert!(worst.contains(&fault("parcel_rates")) && worst.len() <= 6, "{select:?}: {answer:#}");
    }
}

#[test]
fn the_suite_that_is_written_gives_the_same_ranking() {
    let subject = Subject::of("parcel_rates");
    let (reference, out) = (subject.reference("parcel_rates"), subject.path("suite"));
    let options = ["--reference", &reference, "--out", &out];
    let generated = answer(&subject.generate(&input_of("parcel_rates"), &options));
    let claims = tried(&generated, "generated").expect("what was generated");
    let mut rank = Command::new(&subject.tools.faultline);
    rank.args(["rank", "--format", "json", "--tests", &format!("{out}/suite.toml"), "--"]).arg(&subject.program);
    let ranked = answer(&rank.output().expect("faultline runs"));
    let tests = tried(&ranked, "tests").expect("what was run");
    // The failing test is one more.
    assert_eq!(tests["failing"].as_u64(), claims["failing"].as_u64().map(|failing| failing + 1));
    assert_eq!(tests["passing"], claims["passing"]);
    let lines = |answer: &Value| -> Vec<(u64, String)> {
        let all = answer["findings"].as_array().expect("findings").iter();
        all.map(|one| (one["line"].as_u64().expect("a line"), one["message"].to_string())).collect()
    };
    assert_eq!(lines(&ranked), lines(&generated));
    let why = Command::new(&subject.tools.faultline)
        .args(["why", "--technique", "rank", "--tests", &format!("{out}/suite.toml"), "--reference", &reference])
        .arg("--stdin")
        .arg(input_of("parcel_rates"))
        .arg("--")
        .arg(&subject.program)
        .output()
        .expect("faultline runs");
    assert_eq!(why.status.code(), Some(0), "{}", errors(&why));
}

#[test]
fn failures_of_another_kind_are_written_apart() {
    let subject = Subject::of("scale_point");
    let out = subject.path("suite");
    let answer = answer(&subject.generate(&input_of("scale_point"), &["--out", &out]));
    let text = |name: &str| std::fs::read_to_string(Path::new(&out).join(name)).expect("it is written");
    let tests = |name: &str| text(name).matches("[[test]]").count() as u64;
    let generated = tried(&answer, "generated").expect("what was generated");
    let count = |name: &str| generated[name].as_u64().expect("a number");
    assert_eq!(tests("suite.toml"), 1 + count("failing") + count("passing"));
    assert_eq!(tests("other-failures.toml"), count("otherwise"));
    assert_eq!(std::fs::read(Path::new(&out).join("failing.in")).expect("it is written"), b"0 0 1 3\n");
}

/// What is expected of one input says nothing about another; a person can.
#[test]
fn an_expected_output_alone_judges_no_other_input_but_a_person_does() {
    let subject = Subject::of("parcel_rates");
    let expected = subject.path("expected");
    std::fs::write(&expected, "67\n").expect("it is written");
    let refused = subject.generate(&input_of("parcel_rates"), &["--expect", &expected]);
    assert_eq!(refused.status.code(), Some(2), "{}", errors(&refused));
    let said = errors(&refused);
    assert!(said.contains("--reference PROG") && said.contains("--ask"), "{said}");
    // Whoever answers `right` to all questions is asked no more than tell something apart.
    let options = ["--expect", &expected, "--ask"];
    let asked = subject.generate_with(&input_of("parcel_rates"), &options, &"y\n".repeat(300));
    let told = errors(&asked);
    assert!(told.contains("Is this output right?") && told.contains("prints \""), "{told}");
    let answered = answer(&asked);
    let generated = tried(&answered, "generated").expect("what was generated");
    let questions = generated["questions"].as_u64().expect("a number");
    assert_eq!(told.matches("Is this output right?").count() as u64, questions);
    assert!((1..20).contains(&questions), "{generated:#}");
    // The end of the answers is the end of the questions.
    let none = subject.generate_with(&input_of("parcel_rates"), &options, "");
    assert_eq!(none.status.code(), Some(3), "{}", errors(&none));
}

#[test]
fn wrong_use_and_runs_that_do_not_fail_have_their_statuses() {
    let subject = Subject::of("parcel_rates");
    let fine = subject.generate(&input_of("parcel_rates"), &[]);
    assert_eq!(fine.status.code(), Some(1), "{}", errors(&fine));
    let wrong = subject.generate(&input_of("parcel_rates"), &["--select", "is", "--subsequence"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(errors(&wrong).contains("--select pcs"), "{}", errors(&wrong));
}
