//! An experiment can make a program do anything. None of it reaches the user's files, processes or network; what is left
//! running is killed; the outcome has a name.

use std::fs;
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use abi::StreamId;
use execution::Run;
use execution::predicates::predicates;
use experiment::{Case, Change, End, Intervention, Lab, Limits, Oracle, Outcome, Ran};
use recording::Recording;
use replay::Image;
use tempfile::TempDir;
use testkit::{Tools, workspace};

fn program() -> PathBuf {
    static BUILT: OnceLock<(TempDir, PathBuf)> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let tools = Tools::find().expect("the tools are built");
        let folder = TempDir::new().expect("a folder");
        let program = folder.path().join("harm");
        let source = workspace().join("tests/experiments/harm.c");
        let built = Command::new(&tools.cc).args(["-g", "-O2"]).arg(source).arg("-o").arg(&program).status();
        assert!(built.expect("faultline-cc runs").success());
        (folder, program)
    });
    built.1.clone()
}

/// The harm done by a forked run, and by a recorded one.
fn harm(kind: &str, argument: &str) -> [(Ran, Outcome); 2] {
    let arguments = vec![kind.into(), argument.into()];
    let case = Case::new(&program(), arguments).expect("a program");
    let limits = Limits { file: 1 << 20, memory: 256 << 20, time: Duration::from_secs(3), ..Limits::default() };
    let oracle = Oracle { status: Some(0), ..Oracle::default() };
    let lab = Lab::open(case, oracle, limits).expect("it fails");
    let experiment = {
        let recording = Recording::open(&lab.baseline().recording).expect("it can be read");
        let image = Image::new(&recording);
        let run = Run::new(&image, StreamId(1)).expect("it replays");
        let found = predicates(&run, usize::MAX).expect("it replays");
        assert_eq!(found.total, 1, "the program has one predicate");
        vec![Intervention { clock: found.steps[0].at.clock, change: Change::Switch }]
    };
    let judge = |ran: Ran| {
        let outcome = lab.judge(&experiment, &ran).expect("it can be judged");
        (ran, outcome)
    };
    [judge(lab.run(&experiment).expect("it runs")), judge(lab.record(&experiment).expect("it is recorded").0)]
}

fn assert_refused(kind: &str, argument: &str) {
    for (ran, outcome) in harm(kind, argument) {
        assert_eq!(String::from_utf8_lossy(&ran.output), "refused\n", "{kind}");
        assert_eq!((ran.end, outcome), (End::Exited(5), Outcome::FailsOtherwise), "{kind}");
    }
}

#[test]
fn files_of_the_user_stay() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("precious");
    fs::write(&file, "all my work").expect("it can be written");
    for kind in ["unlink", "write", "rename"] {
        assert_refused(kind, file.to_str().expect("a name"));
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "all my work", "{kind}");
    }
    assert_refused("write", folder.path().join("new").to_str().expect("a name"));
    assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
}

#[test]
fn nobody_is_connected_to() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("it has one").port();
    assert_refused("connect", &port.to_string());
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("socket");
    let _listener = UnixListener::bind(&path).expect("a socket");
    assert_refused("local", path.to_str().expect("a name"));
}

#[test]
fn processes_of_the_user_live() {
    let mut bystander = Command::new("/bin/sleep").arg("1000").spawn().expect("it starts");
    assert_refused("kill", &bystander.id().to_string());
    let [(_, forked), (_, recorded)] = harm("kill-all", "");
    assert!(matches!(bystander.try_wait(), Ok(None)), "it was killed");
    assert_eq!((forked, recorded), (Outcome::FailsOtherwise, Outcome::FailsOtherwise));
    bystander.kill().expect("it is there");
    bystander.wait().expect("it is gone");
}

#[test]
fn nothing_goes_on_for_ever() {
    for (kind, ends, outcome) in [
        ("loop", &[End::Budget][..], Outcome::Hangs),
        ("sleep", &[End::TooLong], Outcome::Hangs),
        ("print", &[End::Killed(libc::SIGXFSZ), End::Budget], Outcome::Hangs),
        ("fork", &[End::Forks], Outcome::FailsOtherwise),
    ] {
        let [(forked, first), _] = harm(kind, "");
        assert!(ends.contains(&forked.end), "{kind}: {:?}", forked.end);
        assert!(first == outcome || first == Outcome::FailsOtherwise, "{kind}: {first:?}");
        assert!(forked.output.len() <= 1 << 20, "{kind}");
    }
}

#[test]
fn memory_is_bounded() {
    let [(forked, _), _] = harm("allocate", "");
    assert_eq!((forked.end, &forked.output[..]), (End::Exited(5), &b"no more memory\n"[..]));
}

/// Processes whose first argument this is.
fn running(name: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("it is there").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|&byte| byte == 0).next() == Some(name.as_bytes())).count()
}

#[test]
fn nothing_is_left_running() {
    let name = format!("faultline-daemon-{}", std::process::id());
    let [(forked, _), (recorded, _)] = harm("daemon", &name);
    assert_eq!((forked.end, recorded.end), (End::Exited(5), End::Exited(5)));
    assert_eq!(running(&name), 0);
}
