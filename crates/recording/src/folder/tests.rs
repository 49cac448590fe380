//! Folders go with their owners, and with nothing that is not theirs.

use std::fs as files;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

use super::*;

fn place() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn sweep_all(parent: &Path) -> u32 {
    sweep_in(parent, &Patience::default()).unwrap()
}

/// A folder whose owner is gone: nobody holds its lock.
fn left_behind(parent: &Path) -> PathBuf {
    let folder = Folder::new_in(parent, "test").unwrap();
    let path = folder.path().to_path_buf();
    // Dropping it would remove it; only the lock is given back.
    fs::flock(&folder.directory, FlockOperation::Unlock).unwrap();
    std::mem::forget(folder);
    path
}

#[test]
fn is_private_and_vanishes() {
    let parent = place();
    let folder = Folder::new_in(parent.path(), "test").unwrap();
    let mode = files::metadata(folder.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o7777, 0o700);
    let mark = files::metadata(folder.path().join(MARK)).unwrap().permissions().mode();
    assert_eq!(mark & 0o7777, 0o600);
    files::write(folder.path().join("file"), "contents").unwrap();
    let path = folder.path().to_path_buf();
    drop(folder);
    assert!(!path.exists());
}

#[test]
fn one_in_use_is_left_alone() {
    let parent = place();
    let folder = Folder::new_in(parent.path(), "test").unwrap();
    files::write(folder.path().join("file"), "contents").unwrap();
    assert_eq!(sweep_all(parent.path()), 0);
    assert!(folder.path().join("file").exists());
}

#[test]
fn one_left_behind_is_removed() {
    let parent = place();
    let path = left_behind(parent.path());
    files::create_dir_all(path.join("a/b")).unwrap();
    files::write(path.join("a/b/file"), "contents").unwrap();
    assert_eq!(sweep_all(parent.path()), 1);
    assert!(!path.exists());
}

/// The lock must not pass to programs that the owner starts: they may outlive it.
#[test]
fn programs_that_are_started_do_not_keep_it() {
    let parent = place();
    let folder = Folder::new_in(parent.path(), "test").unwrap();
    let mut program = Command::new("sleep").arg("60").stdout(Stdio::null()).spawn().unwrap();
    let path = folder.path().to_path_buf();
    // SAFETY: nobody else has this descriptor; closing it is what the end of the owner would do.
    unsafe { libc::close(std::os::fd::AsRawFd::as_raw_fd(&folder.directory)) };
    std::mem::forget(folder);
    let removed = sweep_all(parent.path());
    program.kill().unwrap();
    program.wait().unwrap();
    assert_eq!(removed, 1);
    assert!(!path.exists());
}

#[test]
fn what_only_has_such_a_name_is_never_removed() {
    let parent = place();
    let sources = parent.path().join("faultline-source-0123456789ab");
    files::create_dir(&sources).unwrap();
    files::write(sources.join("program.c"), "int main() {}").unwrap();
    let elsewhere = parent.path().join("elsewhere");
    files::create_dir(&elsewhere).unwrap();
    files::write(elsewhere.join(MARK), "").unwrap();
    symlink(&elsewhere, parent.path().join("faultline-link-0123456789ab")).unwrap();
    let marked = parent.path().join("faultline-mine");
    files::create_dir(&marked).unwrap();
    files::write(marked.join(MARK), "").unwrap();
    assert_eq!(sweep_all(parent.path()), 0);
    assert!(sources.join("program.c").exists() && elsewhere.join(MARK).exists() && marked.exists());
}

#[test]
fn links_are_removed_and_not_followed() {
    let parent = place();
    let outside = parent.path().join("outside");
    files::create_dir(&outside).unwrap();
    files::write(outside.join("precious"), "contents").unwrap();
    let tree = parent.path().join("tree");
    files::create_dir_all(tree.join("a")).unwrap();
    symlink(&outside, tree.join("link")).unwrap();
    symlink(&outside, tree.join("a/link")).unwrap();
    symlink("../..", tree.join("a/up")).unwrap();
    remove_tree(&tree).unwrap();
    assert!(!tree.exists());
    assert_eq!(files::read_to_string(outside.join("precious")).unwrap(), "contents");
    let link = parent.path().join("link");
    symlink(&outside, &link).unwrap();
    assert!(remove_tree(&link).is_err());
    assert!(outside.join("precious").exists());
}

/// As a plain user and as root: the second needs no permission, the first must take it.
#[test]
fn modes_are_no_obstacle() {
    let parent = place();
    let tree = parent.path().join("tree");
    files::create_dir_all(tree.join("a/b/c")).unwrap();
    for name in ["a/file", "a/b/file", "a/b/c/file"] {
        files::write(tree.join(name), "contents").unwrap();
        files::set_permissions(tree.join(name), PermissionsExt::from_mode(0o0)).unwrap();
    }
    for name in ["a/b/c", "a/b", "a", "."] {
        files::set_permissions(tree.join(name), PermissionsExt::from_mode(0o0)).unwrap();
    }
    empty_tree(&tree).unwrap();
    assert_eq!(files::read_dir(&tree).unwrap().count(), 0);
    assert_eq!(files::metadata(&tree).unwrap().permissions().mode() & 0o7777, 0o700);
}

/// Far beyond the longest path and the number of files that may be open.
#[test]
fn depth_is_no_obstacle() {
    const LEVELS: usize = 5000;
    const NAME: &str = "a-name-of-some-length-that-makes-long-paths";
    let parent = place();
    let tree = parent.path().join("tree");
    files::create_dir(&tree).unwrap();
    let mut level = open_directory(CWD, &tree).unwrap();
    for number in 0..LEVELS {
        // As if a program had foreseen how we go about it.
        let name = if number % 2 == 0 { NAME } else { ".faultline-removing-0" };
        fs::mkdirat(&level, name, Mode::RWXU).unwrap();
        fs::mkdirat(&level, ".faultline-removing-1", Mode::RWXU).unwrap();
        let next = open_directory(&level, Path::new(name)).unwrap();
        fs::openat(&next, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
        if number % 3 == 0 {
            fs::fchmod(&level, Mode::empty()).unwrap();
        }
        level = next;
    }
    drop(level);
    remove_tree(&tree).unwrap();
    assert!(!tree.exists());
}

#[test]
fn patience_ends() {
    let parent = place();
    let path = left_behind(parent.path());
    files::write(path.join("file"), "contents").unwrap();
    let error = sweep_in(parent.path(), &Patience::until(Instant::now())).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert!(path.join(MARK).exists(), "who sweeps next would not know it");
    assert_eq!(sweep_all(parent.path()), 1);
}
