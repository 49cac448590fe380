//! Errors: diagnosed as clang diagnoses them, and nothing stale left behind.

use crate::same::{HELLO, HELLO_H, MAIN, TWICE, Twin};

const BAD: (&str, &str) = ("bad.c", "int bad(void) { return nowhere; }\n");
const WARNS: (&str, &str) = ("warns.c", "int main(void) { int unused; return 0; }\n");

#[test]
fn errors_and_warnings_are_clangs() {
    Twin::c(&[BAD]).run("-c bad.c").fails();
    Twin::c(&[WARNS]).run("-Wall -c warns.c").succeeds();
    Twin::c(&[WARNS]).run("-Wall -Werror -c warns.c").fails();
    Twin::c(&[WARNS]).run("-w -Wall -c warns.c").succeeds();
}

#[test]
fn a_failed_compilation_removes_a_stale_object() {
    Twin::c(&[BAD, ("bad.o", "stale")]).run("-c bad.c").fails();
}

#[test]
fn other_sources_are_compiled_nevertheless() {
    let mut twin = Twin::c(&[BAD, TWICE, MAIN]);
    twin.run("-c bad.c twice.c").fails();
    assert!(twin.faultline.files().contains("twice.o"));
    twin.run("bad.c main.c twice.c -o never").fails();
}

#[test]
fn missing_files() {
    Twin::c(&[]).run("-c nowhere.c").fails();
    Twin::c(&[HELLO]).run("-c hello.c").fails();
    Twin::c(&[MAIN]).run("main.c nowhere.o -o main").fails();
    Twin::c(&[HELLO, HELLO_H]).run("-c hello.c -o no/such/folder/hello.o").fails();
}

#[test]
fn the_linker_complains() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-c main.c twice.c").succeeds();
    // The text names addresses inside functions, so only the end is compared.
    for line in ["main.o -o main", "twice.o main.o -lnowhere -o main"] {
        let run = |compiler: std::path::PathBuf, folder: std::path::PathBuf| {
            std::process::Command::new(compiler).args(line.split(' ')).current_dir(folder).output().unwrap()
        };
        let ours = run(crate::stage::Stage::shared().c(), twin.faultline.path("."));
        let clangs = run(crate::stage::clang(), twin.clang.path("."));
        assert_eq!(ours.status.code(), clangs.status.code());
        let last = |stderr: &[u8]| {
            let text = String::from_utf8_lossy(stderr).into_owned();
            text.trim_end().rsplit('\n').next().unwrap().split_once(": ").unwrap().1.to_string()
        };
        assert_eq!(last(&ours.stderr), last(&clangs.stderr));
    }
}

#[test]
fn several_outputs_to_one_file_are_refused() {
    Twin::c(&[MAIN, TWICE]).run("-c main.c twice.c -o both.o").fails();
}

#[test]
fn an_interrupted_compilation_leaves_nothing() {
    use std::process::{Command, Stdio};
    let temporary = tempfile::tempdir().unwrap();
    let work = tempfile::tempdir().unwrap();
    // Waits for a source on standard input, so the signal comes while clang runs.
    let mut child = Command::new(crate::stage::Stage::shared().c())
        .args(["-c", "-x", "c", "-", "-o", "x.o"])
        .current_dir(work.path())
        .env("TMPDIR", temporary.path())
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(20);
    while std::fs::read_dir(temporary.path()).unwrap().next().is_none() && std::time::Instant::now() < deadline {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    // SAFETY: our own child, not yet waited for.
    unsafe { libc::kill(child.id() as i32, libc::SIGTERM) };
    let status = child.wait().unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(libc::SIGTERM));
    assert!(std::fs::read_dir(temporary.path()).unwrap().next().is_none());
    assert!(!work.path().join("x.o").exists());
}
