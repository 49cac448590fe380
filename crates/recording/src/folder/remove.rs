//! Removing a directory with all its contents, whatever a program has made of it: directories without permissions,
//! thousands of levels of them, links that lead elsewhere.
//!
//! Everything works on descriptors of directories, so no link is ever followed and no path is too long. Directories in
//! directories are moved up to the one that is emptied, and wait there for their turn: three descriptors are enough for any depth.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{self, AtFlags, CWD, Dir, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// Removes a directory and all there is in it. A link to a directory is refused.
pub fn remove_tree(directory: &Path) -> io::Result<()> {
    empty_tree(directory)?;
    Ok(fs::rmdir(directory)?)
}

/// Removes all there is in a directory, and keeps itself. A link to a directory is refused.
pub fn empty_tree(directory: &Path) -> io::Result<()> {
    empty(&open_directory(CWD, directory)?, &[], &Patience::default())
}

/// Until when something is tried: what others make as quickly as it is removed would never be gone.
pub(super) struct Patience {
    end: Instant,
}

impl Patience {
    pub(super) fn until(end: Instant) -> Patience {
        Patience { end }
    }

    pub(super) fn check(&self) -> io::Result<()> {
        if Instant::now() < self.end { Ok(()) } else { Err(io::ErrorKind::TimedOut.into()) }
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { end: Instant::now() + Duration::from_secs(60) }
    }
}

/// Opens a directory, not one that a link leads to. One without permissions is given them first.
pub(super) fn open_directory(parent: impl AsFd, name: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    match fs::openat(&parent, name, flags, Mode::empty()) {
        Err(Errno::ACCESS) => {
            let place = fs::openat(&parent, name, flags | OFlags::PATH, Mode::empty())?;
            permit(&place)?;
            fs::openat(&place, ".", flags, Mode::empty())
        }
        opened => opened,
    }
}

/// Permits us everything in a directory that is named by a descriptor which may be for naming only. `fchmod` refuses those;
/// the link in `/proc` leads to this very directory, whatever its name now means.
fn permit(directory: &OwnedFd) -> Result<(), Errno> {
    use std::os::fd::AsRawFd;
    fs::chmod(format!("/proc/self/fd/{}", directory.as_raw_fd()), Mode::RWXU)
}

/// Removes all there is in a directory but what is named in `kept`.
pub(super) fn empty(directory: &OwnedFd, kept: &[&OsStr], patience: &Patience) -> io::Result<()> {
    let mut moved = 0;
    // What cannot be written to by its mode is no obstacle for its owner. Somebody else's shows below.
    let _ = fs::fchmod(directory, Mode::RWXU);
    loop {
        let names: Vec<CString> = names(directory)?
            .into_iter()
            .filter(|name| !kept.iter().any(|kept| kept.as_bytes() == name.to_bytes()))
            .collect();
        if names.is_empty() {
            return Ok(());
        }
        let (mut is_progress, mut trouble) = (false, None);
        for name in &names {
            patience.check()?;
            match remove_one(directory, name, &mut moved, patience) {
                Ok(()) => is_progress = true,
                Err(error) if error.kind() == io::ErrorKind::TimedOut => return Err(error),
                Err(error) => trouble = Some(error),
            }
        }
        if let Some(error) = trouble.filter(|_| !is_progress) {
            return Err(error);
        }
    }
}

/// Removes what has this name in `top`. Directories in it are moved to `top`.
fn remove_one(top: &OwnedFd, name: &CString, moved: &mut u64, patience: &Patience) -> io::Result<()> {
    match fs::unlinkat(top, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        // Linux says the first of a directory, POSIX the second.
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match fs::unlinkat(top, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTEMPTY | Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let directory = open_directory(top, Path::new(OsStr::from_bytes(name.to_bytes())))?;
    let _ = fs::fchmod(&directory, Mode::RWXU);
    for inner in names(&directory)? {
        patience.check()?;
        match fs::unlinkat(&directory, &inner, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => continue,
            Err(Errno::ISDIR | Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
        match fs::unlinkat(&directory, &inner, AtFlags::REMOVEDIR) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(Errno::NOTEMPTY | Errno::EXIST) => move_up(&directory, &inner, top, moved)?,
            Err(error) => return Err(error.into()),
        }
    }
    match fs::unlinkat(top, name, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Moves a directory to the top, under a name that is free there.
fn move_up(from: &OwnedFd, name: &CString, top: &OwnedFd, moved: &mut u64) -> io::Result<()> {
    // Its entry `..` changes, so it must be writable itself.
    if let Ok(inner) = open_directory(from, Path::new(OsStr::from_bytes(name.to_bytes()))) {
        let _ = fs::fchmod(inner, Mode::RWXU);
    }
    loop {
        let free = format!(".faultline-removing-{moved}");
        *moved += 1;
        match fs::renameat_with(from, name, top, free, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            other => return Ok(other?),
        }
    }
}

fn names(directory: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            names.push(entry.file_name().to_owned());
        }
    }
    Ok(names)
}
