//! Folders for what commands make while they run: copies of the user's files, recordings of experiments. They are private
//! to the user, so nobody else can read them, and they are removed completely.
//!
//! A folder is locked (`flock`) by the command that made it for as long as that lives, and the kernel takes the lock back
//! however the command ends. So a folder that can be locked has no owner any more, and the next command that makes one
//! removes it. A mark inside distinguishes our folders from others with a similar name: nothing else is ever removed.

mod remove;

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once};
use std::time::{Duration, Instant};

use rustix::fs::{self, AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use remove::{Patience, empty, open_directory};
pub use remove::{empty_tree, remove_tree};

/// A folder in the directory for temporary files that only its owner can enter. Removed when dropped.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    /// Holds the lock.
    directory: OwnedFd,
}

const PREFIX: &str = "faultline-";
const MARK: &str = ".faultline-folder";
const EXPLANATION: &str =
    "A faultline command made this folder. It is removed when that command ends, or by the next command.\n";

impl Folder {
    /// `purpose` becomes a part of its name. The first one of a command removes those that others have left behind.
    pub fn new(purpose: &str) -> io::Result<Folder> {
        static SWEPT: Once = Once::new();
        SWEPT.call_once(|| {
            // What cannot be removed now is no reason not to go on; the next command tries again.
            let _ = sweep_within(Duration::from_secs(1));
        });
        Folder::new_in(&std::env::temp_dir(), purpose)
    }

    /// Likewise, in another directory than that for temporary files.
    pub fn new_in(parent: &Path, purpose: &str) -> io::Result<Folder> {
        const ATTEMPTS: u32 = 100;
        // Held until it is noted: else [`remove_all`] could come between, and the command end with a folder nobody knows.
        let mut own = own();
        if own.are_gone {
            return Err(io::Error::new(io::ErrorKind::Interrupted, "the command is ending"));
        }
        for _ in 0..ATTEMPTS {
            let path = parent.join(format!("{PREFIX}{purpose}-{:012x}", unpredictable()? >> 16));
            match fs::mkdir(&path, Mode::RWXU) {
                Ok(()) => {}
                Err(Errno::EXIST) => continue,
                Err(error) => return Err(named(&path, error)),
            }
            // Who sweeps may have come between; then another name is tried.
            if let Some(folder) = Folder::take(path)? {
                own.paths.push(folder.path.clone());
                return Ok(folder);
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, format!("cannot make a folder in {}", parent.display())))
    }

    fn take(path: PathBuf) -> io::Result<Option<Folder>> {
        let directory = match open_directory(CWD, &path) {
            Err(Errno::NOENT) => return Ok(None),
            opened => opened?,
        };
        // The mask of the shell may have taken something away.
        fs::fchmod(&directory, Mode::RWXU)?;
        match fs::flock(&directory, FlockOperation::NonBlockingLockExclusive) {
            // Some network file systems lock no directories: then who sweeps cannot lock it either, and leaves it alone.
            Ok(()) | Err(Errno::BADF | Errno::NOTSUP | Errno::NOSYS | Errno::NOLCK) => {}
            Err(Errno::WOULDBLOCK) => return Ok(None),
            Err(error) => return Err(named(&path, error)),
        }
        match mark(&directory) {
            Ok(()) => {}
            // Removed before it was locked.
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(named(&path, error)),
        }
        Ok(Some(Folder { path, directory }))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    fn remove(&self) -> io::Result<()> {
        remove_marked(&self.directory, &self.path, &Patience::default())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Who sweeps next finds what could not be removed.
        let _ = self.remove();
        own().paths.retain(|path| *path != self.path);
    }
}

/// The folders of this command.
#[derive(Default)]
struct Own {
    paths: Vec<PathBuf>,
    are_gone: bool,
}

fn own() -> MutexGuard<'static, Own> {
    static OWN: Mutex<Own> = Mutex::new(Own { paths: Vec::new(), are_gone: false });
    OWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Removes all folders of this command, whoever has them, for no longer than this time; no more can be made then. For a
/// command that ends without waiting for those who still use them.
pub fn remove_all(time: Duration) {
    const ATTEMPTS: u32 = 20;
    let patience = Patience::until(Instant::now() + time);
    let paths = {
        let mut own = own();
        own.are_gone = true;
        std::mem::take(&mut own.paths)
    };
    for path in paths {
        // A thread that drops the folder meanwhile may take away what is just being removed here; in the end it is gone. Who
        // sweeps next finds what could not be removed.
        for _ in 0..ATTEMPTS {
            let removed = match open_directory(CWD, &path) {
                Err(Errno::NOENT) => break,
                opened => {
                    opened.map_err(io::Error::from).and_then(|directory| remove_marked(&directory, &path, &patience))
                }
            };
            if removed.is_ok() || patience.check().is_err() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Removes the folders in the directory for temporary files whose commands are gone; gives their number.
pub fn sweep() -> io::Result<u32> {
    sweep_in(&std::env::temp_dir(), &Patience::default())
}

/// Likewise, for no longer than about this time.
fn sweep_within(time: Duration) -> io::Result<u32> {
    sweep_in(&std::env::temp_dir(), &Patience::until(Instant::now() + time))
}

/// Likewise, in another directory. One folder that cannot be removed does not keep the others from it.
fn sweep_in(parent: &Path, patience: &Patience) -> io::Result<u32> {
    let (mut removed, mut trouble) = (0, None);
    for entry in std::fs::read_dir(parent)? {
        let entry = entry?;
        if !is_name_of_ours(&entry.file_name()) {
            continue;
        }
        match remove_if_left_behind(&entry.path(), patience) {
            Ok(true) => removed += 1,
            Ok(false) => {}
            Err(error) => trouble = Some(error),
        }
    }
    trouble.map_or(Ok(removed), Err)
}

/// `faultline-PURPOSE-` and twelve digits.
fn is_name_of_ours(name: &OsStr) -> bool {
    let Some(rest) = name.as_bytes().strip_prefix(PREFIX.as_bytes()) else { return false };
    let Some(dash) = rest.iter().rposition(|&byte| byte == b'-') else { return false };
    let digits = &rest[dash + 1..];
    digits.len() == 12 && digits.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn remove_if_left_behind(path: &Path, patience: &Patience) -> io::Result<bool> {
    // What cannot be opened is not ours, or is gone by now.
    let Ok(directory) = open_directory(CWD, path) else { return Ok(false) };
    let about = fs::fstat(&directory)?;
    if about.st_uid != rustix::process::geteuid().as_raw() {
        return Ok(false);
    }
    if fs::flock(&directory, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(false);
    }
    match fs::statat(&directory, MARK, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(mark) if fs::FileType::from_raw_mode(mark.st_mode).is_file() => {
            remove_marked(&directory, path, patience)?;
            Ok(true)
        }
        // Its maker was ended before it could mark it, so it is empty; else it is not ours.
        _ => Ok(fs::rmdir(path).is_ok()),
    }
}

/// The mark goes last: a removal that is cut short is finished by who sweeps next.
fn remove_marked(directory: &OwnedFd, path: &Path, patience: &Patience) -> io::Result<()> {
    loop {
        empty(directory, &[OsStr::new(MARK)], patience)?;
        match fs::unlinkat(directory, MARK, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(named(path, error)),
        }
        match fs::rmdir(path) {
            // The other is a thread that drops it while the command ends.
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            // Somebody who does not know yet that the command ends has just put something into it.
            Err(Errno::NOTEMPTY | Errno::EXIST) => match mark(directory) {
                // Gone after all: then the next turn sees that.
                Ok(()) | Err(Errno::NOENT) => {}
                Err(error) => return Err(named(path, error)),
            },
            Err(error) => return Err(named(path, error)),
        }
        patience.check()?;
    }
}

/// Says that it is ours.
fn mark(directory: &OwnedFd) -> Result<(), Errno> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mark = fs::openat(directory, MARK, flags, Mode::RUSR | Mode::WUSR)?;
    // One without its explanation is a mark as well: what there is no room for is no reason not to go on.
    let _ = rustix::io::write(&mark, EXPLANATION.as_bytes());
    Ok(())
}

fn named(path: &Path, error: Errno) -> io::Error {
    let error = io::Error::from(error);
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// Names that somebody else could foresee could be taken before we come.
fn unpredictable() -> io::Result<u64> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(u64::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests;
