//! An experiment can make a program do anything. None of it reaches the user's files, processes or network; what is left
//! running is killed; nothing is left in the directory for temporary files; the next run is what it would have been.

mod ground;
mod kinds;

use std::fs::{self, File};
use std::io::Write as _;
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use abi::StreamId;
use budget::Budget;
use execution::Run;
use execution::predicates::predicates;
use experiment::sandbox::{FileWall, Namespaces, Walls};
use experiment::{
    Case, Change, End, Input, Intervention, Lab, LabError, Limits, Opening, Oracle, Outcome, Ran, record_case,
    run_reference,
};
use recording::Recording;
use replay::Image;
use tempfile::TempDir;
use testkit::{Tools, workspace};

use ground::Ground;
use kinds::{IN_DIRECTORY, KINDS, Kind, Target};

/// Where the program is, for tests that run as somebody else.
const PROGRAM: &str = "FAULTLINE_TEST_HOSTILE";

fn program() -> PathBuf {
    static BUILT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    if let Some(built) = std::env::var_os(PROGRAM) {
        return built.into();
    }
    let built = BUILT.get_or_init(|| {
        let tools = Tools::find().expect("the tools are built");
        let folder = TempDir::new().expect("a folder");
        let program = folder.path().join("hostile");
        let source = workspace().join("tests/experiments/hostile.c");
        let built = Command::new(&tools.cc).args(["-g", "-O1", "-w"]).arg(source).arg("-o").arg(&program).status();
        assert!(built.expect("faultline-cc runs").success());
        (folder, program)
    });
    built.1.clone()
}

fn limits() -> Limits {
    Limits { file: 1 << 20, memory: 256 << 20, time: Duration::from_secs(3), workers: 1, ..Limits::default() }
}

fn case(kind: &str, argument: &str) -> Case {
    let case = Case::new(&program(), vec![kind.into(), argument.into()]).expect("a program");
    case.with_input(b"what is read\n".to_vec())
}

fn open(walls: Walls, case: Case) -> Lab {
    let oracle = Oracle { status: Some(0), ..Oracle::default() };
    Opening { walls, ..Opening::of(case, oracle, limits()) }.open().expect("it fails")
}

/// The harm that is done if the first predicate goes the other way.
fn harmful(lab: &Lab) -> Vec<Intervention> {
    let recording = Recording::open(&lab.baseline().recording).expect("it can be read");
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN).expect("it replays");
    let found = predicates(&run, usize::MAX).expect("it replays");
    let first = found.steps.iter().map(|step| step.at.clock).min().expect("there is a predicate");
    vec![Intervention { clock: first, change: Change::Switch }]
}

/// The unchanged program reads its input and says so.
fn assert_unspoiled(ran: &Ran, kind: &str) {
    assert_eq!(String::from_utf8_lossy(&ran.output), "what is read\n", "after {kind}");
    assert_eq!(ran.end, End::Exited(1), "after {kind}");
}

/// What a run that does harm may look like.
fn assert_refused(kind: &Kind, how: &str, ran: &Ran, is_named: bool) {
    let output = String::from_utf8_lossy(&ran.output);
    assert!(!output.contains("done"), "{how} run: {} got through: {output}", kind.name);
    assert!(!output.contains("no such kind"), "{}", kind.name);
    if let Some(call) = kind.call.filter(|_| is_named) {
        assert!(
            ran.calls_refused.iter().any(|refused| refused == call),
            "{how} run: {} is not named in {:?}",
            kind.name,
            ran.calls_refused
        );
    }
    assert!(ran.output.len() <= 1 << 20, "{}", kind.name);
}

/// Descriptors of the user that must not be there in a run.
fn leave_descriptors_open(ground: &Ground) {
    for _ in 0..3 {
        let file = fs::OpenOptions::new().append(true).open(ground.victim()).expect("it opens").into_raw_fd();
        // SAFETY: it stays open for the rest of the test.
        unsafe { libc::fcntl(file, libc::F_SETFD, 0) };
    }
}

/// Whether somebody else locks the file while `body` runs.
fn is_locked_during(ground: &Ground, body: impl FnOnce()) -> bool {
    let (is_over, was_locked) = (AtomicBool::new(false), AtomicBool::new(false));
    let file = File::open(ground.victim()).expect("it opens");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                // SAFETY: the descriptor is ours.
                if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } != 0 {
                    was_locked.store(true, Ordering::Relaxed);
                }
                // SAFETY: the descriptor is ours.
                unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_UN) };
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        let ran = catch_unwind(AssertUnwindSafe(body));
        is_over.store(true, Ordering::Relaxed);
        if let Err(panic) = ran {
            resume_unwind(panic);
        }
    });
    was_locked.load(Ordering::Relaxed)
}

/// Folders that faultline made and left behind in the directory for temporary files.
fn left_behind() -> Vec<PathBuf> {
    let entries = fs::read_dir(std::env::temp_dir()).expect("it is there").flatten();
    entries
        .map(|entry| entry.path())
        .filter(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("faultline-")))
        .collect()
}

/// Makes this process's folders in one of its own.
fn temporary_directory() -> &'static Path {
    static MADE: OnceLock<TempDir> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = TempDir::new().expect("a folder");
        // SAFETY: tests run in processes of their own, and nothing else runs in this one yet.
        unsafe { std::env::set_var("TMPDIR", folder.path()) };
        folder
    })
    .path()
}

/// Tries every kind, and fails at the end if one did.
fn for_each(kinds: &[Kind], mut body: impl FnMut(&Kind)) {
    let fails = |kind: &&Kind| {
        let begun = std::time::Instant::now();
        let fails = catch_unwind(AssertUnwindSafe(|| body(kind))).is_err();
        eprintln!("{} {:.2}", kind.name, begun.elapsed().as_secs_f64());
        fails
    };
    let failed: Vec<&str> = kinds.iter().filter(fails).map(|kind| kind.name).collect();
    assert!(failed.is_empty(), "these kinds: {failed:?}");
}

/// Every kind, switched on by an intervention: in a forked run, and in a recorded one.
#[test]
fn nothing_gets_through_in_changed_runs() {
    temporary_directory();
    let ground = Ground::new();
    leave_descriptors_open(&ground);
    let before = ground.look();
    for_each(KINDS, |kind| {
        let lab = open(Walls::of_this_machine(), case(kind.name, &ground.argument(kind.target)));
        let experiment = harmful(&lab);
        let is_locked = is_locked_during(&ground, || {
            match lab.run(&experiment) {
                Ok(ran) => {
                    assert_refused(kind, "a forked", &ran, true);
                    assert_ne!(lab.judge(&experiment, &ran).expect("it is judged"), Outcome::Passes, "{}", kind.name);
                }
                // It took its server with it.
                Err(LabError::Server(_)) => assert!(kind.name.ends_with("parent"), "{}", kind.name),
                Err(error) => panic!("{}: {error}", kind.name),
            }
            assert_eq!(ground.look(), before, "after a forked run: {}", kind.name);
            assert_unspoiled(&lab.run(&[]).expect("it runs"), kind.name);
            let (ran, _) = lab.record(&experiment).expect("it is recorded");
            assert_refused(kind, "a recorded", &ran, true);
        });
        assert!(!is_locked, "{}", kind.name);
        drop(lab);
        assert_eq!(ground.look(), before, "after a recorded run: {}", kind.name);
        assert_eq!(left_behind(), Vec::<PathBuf>::new(), "{}", kind.name);
    });
}

/// Every kind, by a program that does it anyway: on another input, forked and recorded, and as a test of a suite.
fn nothing_gets_through(walls: Walls, are_slow_too: bool) {
    temporary_directory();
    assert!(walls.hold());
    let ground = Ground::new();
    leave_descriptors_open(&ground);
    let before = ground.look();
    let lab = open(walls, case("write", &ground.argument(Target::File)));
    let own = Input::of(lab.case(), &[]).expect("it has no files");
    let folder = TempDir::new().expect("a folder");
    for_each(KINDS, |kind| {
        if kind.target == Target::Slow && !are_slow_too {
            return;
        }
        let argument = ground.argument(kind.target);
        let arguments = vec![kind.name.into(), argument.clone().into(), "now".into()];
        let can_be_read = kind.target == Target::Secret;
        if !can_be_read || walls.files != FileWall::None {
            let other = Input { arguments: arguments.clone(), ..own.clone() };
            match lab.run_input(&other, &[]) {
                Ok(ran) => assert_refused(kind, "another input's", &ran, walls.supervisor),
                Err(LabError::Server(_)) => assert!(kind.name.ends_with("parent"), "{}", kind.name),
                Err(error) => panic!("{}: {error}", kind.name),
            }
            assert_eq!(ground.look(), before, "after a run on another input: {}", kind.name);
            assert_unspoiled(&lab.run(&[]).expect("it runs"), kind.name);
        }
        // Without a supervisor, programs that nobody has changed can open FIFOs.
        if !can_be_read && (kind.name != "fifo_read" || walls.supervisor) {
            let case = Case { arguments, ..case(kind.name, &argument) };
            let to = folder.path().join("test.flt");
            let ran = record_case(&case, walls, &limits(), &to, &Budget::unlimited()).expect("it is recorded").0;
            assert_refused(kind, "a test's", &ran, walls.supervisor);
            assert_eq!(ground.look(), before, "after a test: {}", kind.name);
        }
    });
}

#[test]
fn nothing_gets_through_without_user_namespaces() {
    nothing_gets_through(Walls { namespaces: Namespaces::None, ..Walls::of_this_machine() }, true);
}

#[test]
fn nothing_gets_through_the_first_landlock_alone() {
    let machine = Walls::of_this_machine();
    nothing_gets_through(Walls { namespaces: Namespaces::None, files: FileWall::Landlock(1), ..machine }, false);
}

#[test]
fn nothing_gets_through_where_nothing_can_be_mounted() {
    let machine = Walls::of_this_machine();
    nothing_gets_through(
        Walls { namespaces: Namespaces::WithoutMounts, files: FileWall::Landlock(3), ..machine },
        false,
    );
}

#[test]
fn nothing_gets_through_without_landlock() {
    nothing_gets_through(Walls { files: FileWall::None, ..Walls::of_this_machine() }, false);
}

#[test]
fn nothing_gets_through_without_a_supervisor() {
    nothing_gets_through(Walls { supervisor: false, ..Walls::of_this_machine() }, false);
}

#[test]
fn walls_that_do_not_hold_are_not_used() {
    let machine = Walls::of_this_machine();
    for walls in [
        Walls { files: FileWall::None, namespaces: Namespaces::None, ..machine },
        Walls { files: FileWall::None, namespaces: Namespaces::WithoutMounts, ..machine },
        Walls { supervisor: false, namespaces: Namespaces::None, ..machine },
        Walls { supervisor: false, files: FileWall::None, ..machine },
        Walls { calls: false, ..machine },
    ] {
        let opened = Opening { walls, ..Opening::of(case("write", "/nowhere"), Oracle::default(), limits()) }.open();
        assert!(matches!(opened, Err(LabError::NoWalls)), "{walls:?}");
        assert!(!walls.missing().is_empty());
    }
}

#[test]
fn nothing_gets_through_in_references() {
    temporary_directory();
    let ground = Ground::new();
    leave_descriptors_open(&ground);
    let before = ground.look();
    for_each(KINDS, |kind| {
        if kind.target == Target::Secret {
            return;
        }
        let argument = ground.argument(kind.target);
        let arguments = vec![kind.name.into(), argument.clone().into(), "now".into()];
        let case = Case { arguments, ..case(kind.name, &argument) };
        let right = run_reference(&program(), &case, Duration::from_secs(3)).expect("it runs");
        let output = String::from_utf8_lossy(&right.output);
        // Memory it may have more of: it is the user's own choice.
        if !matches!(kind.name, "memory" | "shared_memory" | "print") {
            assert!(!output.contains("done"), "{} got through", kind.name);
        }
        assert_eq!(ground.look(), before, "{}", kind.name);
    });
    assert_eq!(left_behind(), Vec::<PathBuf>::new());
}

/// What a run does to its own copy of a directory stays there, and the next run has a fresh one.
#[test]
fn directories_do_not_lead_out() {
    temporary_directory();
    let ground = Ground::new();
    let before = ground.look();
    for walls in [Walls::of_this_machine(), Walls { namespaces: Namespaces::None, ..Walls::of_this_machine() }] {
        for kind in IN_DIRECTORY {
            let files = TempDir::new().expect("a folder");
            fs::write(files.path().join("input.txt"), "an input").expect("it can be written");
            std::os::unix::fs::symlink(ground.victim(), files.path().join("absolute")).expect("a link");
            let case = case(kind.name, &ground.argument(kind.target)).with_files(files.path()).expect("a directory");
            let lab = open(walls, case);
            let experiment = harmful(&lab);
            for _ in 0..2 {
                let ran = lab.run(&experiment).expect("it runs");
                assert_refused(kind, "a forked", &ran, false);
                assert_unspoiled(&lab.run(&[]).expect("it runs"), kind.name);
            }
            lab.record(&experiment).expect("it is recorded");
            // Other contents for files that the copy has as links must not reach what these lead to.
            let own = Input::of(lab.case(), &["absolute".into(), "input.txt".into()]).expect("files are read");
            let cut = Input { files: own.files.keys().map(|path| (path.clone(), b"cut".to_vec())).collect(), ..own };
            lab.run_input(&cut, &[]).expect("it runs");
            lab.record_input(&cut, &[]).expect("it is recorded");
            let (_, kept) = cut.as_case(lab.case()).expect("it can be made");
            drop(kept);
            drop(lab);
            assert_eq!(ground.look(), before, "{}", kind.name);
            assert_eq!(fs::read_dir(files.path()).expect("it is there").count(), 2, "{}", kind.name);
            assert_eq!(left_behind(), Vec::<PathBuf>::new(), "{}", kind.name);
        }
    }
}

#[test]
fn nothing_goes_on_for_ever() {
    let ground = Ground::new();
    for (kind, ends, outcome) in [
        ("loop", &[End::Budget][..], Outcome::Hangs),
        ("sleep", &[End::TooLong], Outcome::Hangs),
        ("fork_flood", &[End::Forks], Outcome::FailsOtherwise),
        ("raw_fork_flood", &[End::Forks, End::TooLong, End::Exited(5)], Outcome::FailsOtherwise),
    ] {
        let lab = open(Walls::of_this_machine(), case(kind, &ground.argument(Target::Slow)));
        let experiment = harmful(&lab);
        let ran = lab.run(&experiment).expect("it runs");
        assert!(ends.contains(&ran.end), "{kind}: {:?}", ran.end);
        let judged = lab.judge(&experiment, &ran).expect("it is judged");
        assert!(judged == outcome || judged == Outcome::Hangs, "{kind}: {judged:?}");
    }
}

/// The same as somebody who has no rights, where we have them.
#[test]
fn nothing_gets_through_as_a_plain_user() {
    const NOBODY: u32 = 65534;
    // SAFETY: asks who we are.
    if unsafe { libc::geteuid() } != 0 {
        // The other tests are run by a plain user already.
        return;
    }
    let folder = TempDir::new().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("it is ours");
    let copy = |from: &Path, name: &str| {
        let to = folder.path().join(name);
        fs::copy(from, &to).expect("it can be copied");
        fs::set_permissions(&to, fs::Permissions::from_mode(0o755)).expect("it is ours");
        to
    };
    let tests = copy(&std::env::current_exe().expect("we are a file"), "tests");
    let hostile = copy(&program(), "hostile");
    let temporary = folder.path().join("tmp");
    fs::create_dir(&temporary).expect("it can be made");
    std::os::unix::fs::chown(&temporary, Some(NOBODY), Some(NOBODY)).expect("we are root");
    for test in [
        "nothing_gets_through_in_changed_runs",
        "nothing_gets_through_without_user_namespaces",
        "directories_do_not_lead_out",
    ] {
        let ran = Command::new(&tests)
            .args(["--exact", test])
            .env("TMPDIR", &temporary)
            .env(PROGRAM, &hostile)
            .current_dir(&temporary)
            .uid(NOBODY)
            .gid(NOBODY)
            .output()
            .expect("it runs");
        let output = String::from_utf8_lossy(&ran.stdout);
        std::io::stderr().write_all(&ran.stdout).expect("somebody listens");
        assert!(ran.status.success() && output.contains("1 passed"), "{test}: {output}");
    }
}
