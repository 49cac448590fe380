//! A run on another input is the run that the program would make if it were started on it: byte for byte, step by step and at
//! the same addresses, whatever the server ran before; and what it may not read is kept from it, and named.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use abi::StreamId;
use experiment::{
    Case, Change, End, Input, Intervention, Lab, Limits, Oracle, Outcome, Ran, Shown, Trial, oracle_by_reference,
};
use recording::Recording;
use replay::{Image, replay_unobserved};
use tempfile::TempDir;
use testkit::{Tools, workspace};

struct Subject {
    folder: TempDir,
    program: PathBuf,
}

fn compile(name: &str, options: &[&str]) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program");
    let source = workspace().join("tests/experiments").join(name);
    let built = Command::new(&tools.cc).args(["-g", "-w"]).args(options).arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("faultline-cc runs").success());
    Subject { folder, program }
}

fn words(words: &[&str]) -> Vec<OsString> {
    words.iter().map(Into::into).collect()
}

/// As long as that, and not the same everywhere.
fn text(length: usize, seed: u8) -> Vec<u8> {
    (0..length).map(|at| if at % 50 == 49 { b'\n' } else { b'a' + ((at * 7 + at / 50) as u8 ^ seed) % 26 }).collect()
}

/// A lab of which no run is right, with a limit on ticks that a long input does not reach.
fn open(case: Case) -> Lab {
    open_with(case, Oracle { status: Some(77), ..Oracle::default() })
}

fn open_with(case: Case, oracle: Oracle) -> Lab {
    Lab::open(case, oracle, Limits { workers: 1, ..Limits::default() }).expect("the case fails")
}

/// All that another run must have in common with it.
fn seen(ran: &Ran) -> (End, String, String, Vec<u8>) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (ran.end, text(&ran.output), text(&ran.error), ran.unwritten.clone())
}

fn try_all(lab: &Lab, trials: &[Trial]) -> HashMap<usize, Shown> {
    let mut all = HashMap::new();
    let tried = lab.try_inputs(trials, |position, shown| {
        assert!(all.insert(position, shown).is_none());
        ControlFlow::Continue(())
    });
    let tried = tried.expect("they run");
    assert_eq!((tried.count, tried.runs), (trials.len(), trials.len()));
    all
}

/// The clock at the end of a recorded run, which replays.
fn last_clock(path: &Path) -> u64 {
    let recording = Recording::open(path).expect("it can be read");
    replay_unobserved(&Image::new(&recording), StreamId::MAIN).expect("it replays");
    recording.stream(StreamId::MAIN).and_then(|stream| stream.last).expect("it has an end").clock
}

fn stop(clock: u64) -> Vec<Intervention> {
    vec![Intervention { clock, change: Change::Stop }]
}

/// Lengths that follow each other: longer, shorter, none at all, whole pages.
const LENGTHS: [usize; 10] = [5, 0, 1 << 20, 3, 4096, 4095, 70_000, 0, 1, 300];

#[test]
fn a_server_that_is_used_again_makes_the_runs_of_a_fresh_one() {
    let subject = compile("reads_input.c", &[]);
    for how in ["stdio", "read", "mmap", "shared", "seek"] {
        let case = Case::new(&subject.program, words(&[how, "addresses"])).expect("a program");
        let case = case.with_input_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
        let lab = open(case.clone().with_input(text(400_000, 9)));
        let own = Input::of(lab.case(), &[]).expect("it has no files");
        let inputs: Vec<Input> =
            LENGTHS.iter().zip(0..).map(|(&length, seed)| own.clone().with_stdin(text(length, seed))).collect();
        let trials: Vec<Trial> = inputs.iter().cloned().map(Trial::from).collect();
        let shown = try_all(&lab, &trials);
        for (position, input) in inputs.iter().enumerate() {
            let reused = shown[&position].ran.as_ref().expect("it was made");
            let name = format!("{how}, {} bytes", input.stdin.len());
            let (recorded, path) = lab.record_input(input, &[]).expect("it is recorded");
            assert_eq!(seen(reused), seen(&recorded), "{name}, recorded");
            let fresh = open(case.clone().with_input(input.stdin.clone()));
            assert_eq!(seen(reused), seen(&fresh.run(&[]).expect("it runs")), "{name}, from a fresh server");
            // It has so many ticks, and not one more.
            let last = last_clock(&path);
            assert_eq!(last, fresh.baseline().clock, "{name}");
            let stopped = [last, last + 1].map(|clock| lab.run_input(input, &stop(clock)).expect("it runs").end);
            assert_eq!(stopped, [End::Stopped, reused.end], "{name}, {last} ticks");
        }
        // The case's own runs have their own input.
        assert_eq!(seen(&lab.run(&[]).expect("it runs")), seen(&lab.baseline().ran), "{how}");
    }
}

#[test]
fn a_run_is_that_of_the_program_started_plainly() {
    let subject = compile("reads_input.c", &[]);
    let modified = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    for how in ["stdio", "read", "mmap", "seek"] {
        let case = Case::new(&subject.program, words(&[how])).expect("a program").with_input_modified(modified);
        let lab = open(case.with_input(text(400_000, 9)));
        let own = Input::of(lab.case(), &[]).expect("it has no files");
        for (length, seed) in LENGTHS.into_iter().zip(20..) {
            let input = own.clone().with_stdin(text(length, seed));
            let path = subject.folder.path().join("input");
            std::fs::write(&path, &input.stdin).expect("it can be written");
            let file = File::options().write(true).open(&path).expect("it opens");
            file.set_modified(modified).expect("it can be dated");
            let plain = Command::new(&subject.program).arg(how).stdin(File::open(&path).expect("it opens")).output();
            let plain = plain.expect("it runs");
            assert_eq!(plain.status.signal(), None);
            let ran = lab.run_input(&input, &[]).expect("it runs");
            assert_eq!(String::from_utf8_lossy(&ran.output), String::from_utf8_lossy(&plain.stdout), "{how} {length}");
            assert_eq!((&ran.error, ran.end), (&plain.stderr, End::Exited(plain.status.code().expect("it exits"))));
        }
    }
}

#[test]
fn files_of_the_directory_are_a_part_of_the_input() {
    let subject = compile("reads_input.c", &[]);
    let files = TempDir::new().expect("a folder");
    std::fs::create_dir(files.path().join("below")).expect("it can be made");
    for (name, length) in [("data", 400_000), ("below/other", 10), ("more", 7)] {
        std::fs::write(files.path().join(name), text(length, 1)).expect("it can be written");
    }
    let run = |arguments: &[&str]| {
        let case = Case::new(&subject.program, words(arguments)).expect("a program").with_input(text(10, 1));
        open(case.with_files(files.path()).expect("a directory"))
    };
    let lab = run(&["file", "data"]);
    let own = Input::of(lab.case(), &["data".into()]).expect("it is read");
    let mut inputs = Vec::new();
    for (length, seed) in LENGTHS.into_iter().zip(40..) {
        let mut input = own.clone();
        input.files.insert("data".into(), text(length, seed));
        inputs.push(input);
        // And a file that another argument names, which may be a new one.
        let mut input = own.clone();
        input.arguments = words(&["file", if seed % 2 == 0 { "below/new" } else { "below/other" }]);
        input.files.insert(Path::new(&input.arguments[1]).to_owned(), text(length, seed + 1));
        inputs.push(input);
    }
    inputs.push(own);
    let trials: Vec<Trial> = inputs.iter().cloned().map(Trial::from).collect();
    let shown = try_all(&lab, &trials);
    for (position, input) in inputs.iter().enumerate() {
        let ran = shown[&position].ran.as_ref().expect("it was made");
        let (recorded, path) = lab.record_input(input, &[]).expect("it is recorded");
        assert_eq!(seen(ran), seen(&recorded), "{position}");
        last_clock(&path);
        assert_eq!(ran.files_refused, Vec::<PathBuf>::new());
        // Without faultline: a folder with all of it.
        let folder = TempDir::new().expect("a folder");
        input.write_to(folder.path(), lab.case()).expect("it can be written");
        let plain = Command::new("sh").arg(folder.path().join("run")).output().expect("sh runs");
        let lines = |output: &[u8]| {
            // The first line tells when the input was changed.
            String::from_utf8_lossy(output).lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(lines(&ran.output), lines(&plain.stdout), "{position}");
        assert_eq!((&ran.error, ran.end), (&plain.stderr, End::Exited(plain.status.code().expect("it exits"))));
    }
    assert_eq!(std::fs::read(files.path().join("data")).expect("it is there"), text(400_000, 1));
    assert!(!files.path().join("below/new").exists());
}

#[test]
fn arguments_and_environment_have_servers_of_their_own() {
    let subject = compile("reads_input.c", &[]);
    let mut case = Case::new(&subject.program, words(&["environment"])).expect("a program").with_input(text(10, 1));
    case.environment.push(("OTHER_INPUTS".into(), "the case's own".into()));
    let lab = open(case);
    let own = Input::of(lab.case(), &[]).expect("it has no files");
    let with = |value: Option<&str>, more: usize| {
        let mut input = own.clone();
        input.environment.insert("OTHER_INPUTS".into(), value.map(Into::into));
        // More servers than are kept, twice.
        input.arguments.extend(vec!["more".into(); more % 7]);
        input.arguments.push("addresses".into());
        input
    };
    let (set, unset) = ((0..14).map(|more| with(Some("another it's"), more)), (0..14).map(|more| with(None, more)));
    let inputs: Vec<Input> = set.chain(unset).collect();
    let shown = try_all(&lab, &inputs.iter().cloned().map(Trial::from).collect::<Vec<_>>());
    for (position, input) in inputs.iter().enumerate() {
        let ran = shown[&position].ran.as_ref().expect("it was made");
        let value = if position < 14 { "another it's" } else { "not set" };
        let output = String::from_utf8_lossy(&ran.output).into_owned();
        assert_eq!(output.lines().nth(1), Some(value), "{position}");
        let (recorded, _) = lab.record_input(input, &[]).expect("it is recorded");
        assert_eq!(seen(ran), seen(&recorded), "{position}");
        let folder = TempDir::new().expect("a folder");
        input.write_to(folder.path(), lab.case()).expect("it can be written");
        let plain = Command::new("sh").arg(folder.path().join("run")).output().expect("sh runs");
        assert_eq!(String::from_utf8_lossy(&plain.stdout).lines().nth(1), Some(value), "{position}");
    }
    assert_eq!(seen(&lab.run_input(&own, &[]).expect("it runs")), seen(&lab.baseline().ran));
}

#[test]
fn what_another_input_names_is_kept_from_it_and_named() {
    let subject = compile("reads_input.c", &[]);
    let secret = subject.folder.path().join("secret");
    std::fs::write(&secret, text(1000, 3)).expect("it can be written");
    let known = subject.folder.path().join("known");
    std::fs::write(&known, text(1000, 4)).expect("it can be written");
    let line = |path: &Path| format!("{}\n", path.display()).into_bytes();
    let lab = open(Case::new(&subject.program, words(&["named"])).expect("a program").with_input(line(&known)));
    let own = Input::of(lab.case(), &[]).expect("it has no files");
    let named = own.clone().with_stdin(line(&secret));
    let argued = Input { arguments: [words(&["file"]), vec![secret.clone().into()]].concat(), ..own.clone() };
    let missing = own.clone().with_stdin(b"/nowhere/at/all\n".to_vec());
    let shown = try_all(&lab, &[named.clone(), own, argued, missing].map(Trial::from));
    for position in [0, 2] {
        let Shown { outcome, ran } = &shown[&position];
        let ran = ran.as_ref().expect("it was made");
        assert_eq!(*outcome, Outcome::Refused, "{position}");
        assert_eq!(ran.files_refused, [secret.canonicalize().expect("it is there")], "{position}");
        assert!(String::from_utf8_lossy(&ran.output).contains("no such file"));
    }
    // What the unchanged run read may be read; and a file that is not there is missing outside the sandbox, too.
    for position in [1, 3] {
        assert_ne!(shown[&position].outcome, Outcome::Refused, "{position}");
        assert!(shown[&position].ran.as_ref().expect("it was made").files_refused.is_empty(), "{position}");
    }
    let (recorded, _) = lab.record_input(&named, &[]).expect("it is recorded");
    assert_eq!(recorded.files_refused, [secret.canonicalize().expect("it is there")]);
    let told = lab.shortcomings().join("\n");
    assert!(told.contains("secret from 2 changed runs on other inputs") && told.contains("--dir"), "{told}");
}

#[test]
fn what_cannot_be_started_is_refused_alone() {
    let subject = compile("reads_input.c", &[]);
    let lab = open(Case::new(&subject.program, words(&["stdio"])).expect("a program"));
    let own = Input::of(lab.case(), &[]).expect("it has no files");
    let with = |argument: &str| Input { arguments: words(&["stdio", argument]), ..own.clone() };
    let shown = try_all(&lab, &[with("a\0b"), with(&"x".repeat(200_000)), with("plain")].map(Trial::from));
    let outcomes = [0, 1, 2].map(|position| shown[&position].outcome);
    assert_eq!(outcomes, [Outcome::Refused, Outcome::Refused, Outcome::FailsSame]);
    assert!(lab.shortcomings().join("\n").contains("could not be started"));
}

#[test]
fn a_reference_judges_every_input() {
    let (wrong, right) = (compile("calculator.c", &[]), compile("calculator.c", &["-DRIGHT"]));
    let case = Case::new(&wrong.program, Vec::new())
        .expect("a program")
        .with_input(b"width = 80\nwide = width / 4\n(width - 4) * 2\n".to_vec());
    let oracle = oracle_by_reference(&right.program, &case, Duration::from_secs(5)).expect("it runs");
    let lab = Lab::open(case.clone(), oracle, Limits::default()).expect("the case fails");
    let own = Input::of(&case, &[]).expect("it has no files");
    let texts = ["1 + 1\n", "width = 8\nwide = 3\nwidth\n", "7 % (3 - 3)\n", "", "2 * 3\n1 + 1\n"];
    let trials: Vec<Trial> =
        texts.map(|text| own.clone().with_stdin(text.into())).into_iter().map(Trial::from).collect();
    for _ in 0..2 {
        let shown = try_all(&lab, &trials);
        for (position, text) in texts.iter().enumerate() {
            let plain = |program: &Path| {
                let path = wrong.folder.path().join("input");
                std::fs::write(&path, text).expect("it can be written");
                Command::new(program).stdin(File::open(&path).expect("it opens")).output().expect("it runs")
            };
            let (ran, wanted) = (plain(&wrong.program), plain(&right.program));
            let is_right = wanted.status == ran.status && wanted.stdout == ran.stdout;
            let outcome = shown[&position].outcome;
            match wanted.status.code() {
                None => assert_eq!(outcome, Outcome::CannotTell, "{text}"),
                Some(_) => assert_eq!(outcome == Outcome::Passes, is_right, "{text}: {outcome:?}"),
            }
            let judged = lab.judge_input(&trials[position].input, &[], shown[&position].ran.as_ref().expect("it ran"));
            assert_eq!(judged.expect("it is judged"), outcome);
        }
    }
}

#[test]
fn a_change_on_another_input_is_made_and_recorded() {
    let subject = compile("reads_input.c", &[]);
    let case = Case::new(&subject.program, words(&["stdio"])).expect("a program");
    let lab = open(case.with_input(text(2000, 1)));
    let input = Input::of(lab.case(), &[]).expect("it has no files").with_stdin(text(900, 2));
    let clock = last_clock(&lab.record_input(&input, &[]).expect("it is recorded").1) / 2;
    let experiment = vec![Intervention { clock, change: Change::Replace(3) }];
    let trial = Trial { input: input.clone().into(), experiment: experiment.clone() };
    let shown = &try_all(&lab, &[trial, Trial { input: input.clone().into(), experiment: stop(1 << 40) }]);
    let (recorded, path) = lab.record_input(&input, &experiment).expect("it is recorded");
    assert_eq!(seen(shown[&0].ran.as_ref().expect("it was made")), seen(&recorded));
    assert_eq!(recorded.obeyed, 1);
    assert_eq!(shown[&1].outcome, Outcome::NeverReached);
    last_clock(&path);
}

#[test]
fn whoever_has_seen_enough_may_break_off() {
    let subject = compile("reads_input.c", &[]);
    let lab = open(Case::new(&subject.program, words(&["stdio"])).expect("a program"));
    let own = Input::of(lab.case(), &[]).expect("it has no files");
    let trials: Vec<Trial> = (0..200).map(|length| own.clone().with_stdin(text(length, 1)).into()).collect();
    let mut count = 0;
    let tried = lab.try_inputs(&trials, |_, _| {
        count += 1;
        if count == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!(tried.expect("they run").count, 3);
    assert_eq!(try_all(&lab, &trials[..5]).len(), 5);
}
