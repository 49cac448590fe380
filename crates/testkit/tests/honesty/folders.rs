//! Folders in the directory for temporary files: private, and gone.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::bench::{Bench, says};

/// Long enough to be found at work.
const LONG: &str = r#"
#include <stdio.h>
int main(void) {
    unsigned long sum = 0;
    for (unsigned i = 0; i < 300000; i++)
        if (i % 3 != 1) sum += i * (unsigned long)i;
    printf("%lu\n", sum);
    return 0;
}
"#;

fn folders(bench: &Bench) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(bench.temporary()).expect("a folder");
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

/// The folder that a command keeps for as long as it lives; others come and go with its runs.
fn lab(bench: &Bench, but: &[PathBuf]) -> Option<PathBuf> {
    let is_lab =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"faultline-lab-"));
    folders(bench).into_iter().find(|path| is_lab(path) && !but.contains(path))
}

/// A `why` that has made its folder, which is none of these.
fn at_work(bench: &Bench, but: &[PathBuf]) -> (Child, PathBuf) {
    let line = "exec FAULTLINE why --budget 120 --expect wrong -- ./p";
    let mut why = bench.command(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
    let begun = Instant::now();
    loop {
        if let Some(folder) = lab(bench, but) {
            return (why, folder);
        }
        assert!(why.try_wait().expect("a child of ours").is_none(), "it has ended");
        assert!(begun.elapsed() < Duration::from_secs(60), "it makes no folder");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether some process has a folder open, which is how it keeps the lock.
fn is_held(folder: &Path) -> bool {
    let open = std::fs::read_dir("/proc").expect("it is mounted").filter_map(|process| {
        // Some end while they are looked at.
        std::fs::read_dir(process.ok()?.path().join("fd")).ok()
    });
    open.flatten().flatten().any(|descriptor| std::fs::read_link(descriptor.path()).is_ok_and(|open| open == folder))
}

#[test]
fn folders_are_private_and_those_of_the_dead_are_removed() {
    let bench = Bench::new();
    bench.compile("p", LONG);
    bench.write("wrong", "1\n");
    let (mut killed, folder) = at_work(&bench, &[]);
    let mode = std::fs::metadata(&folder).expect("a folder").permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    killed.kill().expect("it is there");
    killed.wait().expect("it ends");
    // The kernel ends what it had started a little later; so long the folder has an owner.
    while is_held(&folder) {
        std::thread::sleep(Duration::from_millis(20));
    }
    let left = folders(&bench);
    assert!(left.contains(&folder), "nothing is left to be removed");
    // The next one removes it before it makes its own, which stays while it works.
    let (mut living, own) = at_work(&bench, &left);
    assert!(!folder.exists());
    says(&bench.shell("FAULTLINE clean"), 0, &[]);
    assert!(own.exists());
    living.kill().expect("it is there");
    living.wait().expect("it ends");
    while is_held(&own) {
        std::thread::sleep(Duration::from_millis(20));
    }
    says(&bench.shell("FAULTLINE clean"), 0, &["folders of commands that were killed"]);
    assert_eq!(folders(&bench), Vec::<PathBuf>::new());
}
