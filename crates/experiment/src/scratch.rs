//! The directory a run works in: a private copy of the case's files, or the current directory, which it can only read.
//!
//! A run may leave anything in the copy: links to the user's files, directories without end. Whatever we write there is
//! written through descriptors of directories, and never through a link.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::fs::{RawDir, SeekFrom, seek};

use recording::folder::{Folder, empty_tree};

use crate::Case;
use crate::memory_file::{date, replace};

pub struct Scratch {
    root: Folder,
    /// The directory that a run may write to.
    opened: File,
    original: Option<PathBuf>,
    /// Files that have other contents in the copy, by their path in it.
    changed: BTreeMap<PathBuf, Vec<u8>>,
    /// How old files are that the original does not have.
    new_modified: SystemTime,
    /// What the copy looked like when it was fresh.
    fresh: Vec<Seen>,
}

/// A file of the copy, as far as a change of it would show.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Seen {
    path: PathBuf,
    length: u64,
    mode: u32,
    changed: Option<SystemTime>,
}

const WRITABLE: &str = "files";

impl Scratch {
    pub fn new(case: &Case) -> io::Result<Scratch> {
        let root = Folder::new("run")?;
        let writable = root.path().join(WRITABLE);
        fs::create_dir(&writable)?;
        let opened = File::open(writable)?;
        let (changed, fresh) = (BTreeMap::new(), Vec::new());
        let (original, new_modified) = (case.files.clone(), case.input_modified);
        let mut scratch = Scratch { root, opened, original, changed, new_modified, fresh };
        scratch.renew()?;
        Ok(scratch)
    }

    /// The only place a run may write to.
    pub fn writable(&self) -> PathBuf {
        self.root.path().join(WRITABLE)
    }

    /// Where a run begins.
    pub fn directory(&self) -> io::Result<PathBuf> {
        match &self.original {
            Some(_) => Ok(self.writable()),
            None => std::env::current_dir(),
        }
    }

    /// A file beside the copy, which a run can read and not write.
    pub fn beside(&self, name: &str, contents: &[u8]) -> io::Result<(PathBuf, File)> {
        let path = self.root.path().join(name);
        let mut file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(contents)?;
        Ok((path, file))
    }

    /// Whether no run has changed the copy.
    pub fn is_fresh(&self) -> bool {
        // What cannot even be looked at, a run has changed.
        match self.fresh.is_empty() {
            true => self.is_empty().unwrap_or(false),
            false => self.look().is_ok_and(|seen| seen == self.fresh),
        }
    }

    /// Whether nothing is in the copy: asked before every run, so it is read by the descriptor that we have.
    fn is_empty(&self) -> io::Result<bool> {
        let mut room = [MaybeUninit::uninit(); 512];
        seek(&self.opened, SeekFrom::Start(0))?;
        let mut entries = RawDir::new(&self.opened, &mut room);
        while let Some(entry) = entries.next() {
            if !matches!(entry?.file_name().to_bytes(), b"." | b"..") {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Makes the copy what it was, if a run has changed it.
    pub fn restore(&mut self) -> io::Result<()> {
        if self.is_fresh() { Ok(()) } else { self.renew() }
    }

    /// Puts other contents into files of the copy.
    pub fn set_files(&mut self, files: &BTreeMap<PathBuf, Vec<u8>>) -> io::Result<()> {
        if self.changed == *files {
            return Ok(());
        }
        // Files stay in their places, so that a directory lists them as a new copy would.
        if self.original.is_none() || !self.changed.keys().eq(files.keys()) || !self.is_fresh() {
            self.changed.clone_from(files);
            return self.renew();
        }
        let copy = self.writable();
        let before = std::mem::take(&mut self.changed);
        for (path, contents) in files.iter().filter(|&(path, contents)| before.get(path) != Some(contents)) {
            put(&copy, path, contents, self.new_modified)?;
        }
        self.changed.clone_from(files);
        self.fresh = self.look()?;
        Ok(())
    }

    fn renew(&mut self) -> io::Result<()> {
        let copy = self.writable();
        // The directory itself stays: servers stand in it.
        empty_tree(&copy)?;
        if let Some(original) = &self.original {
            copy_tree(original, &copy)?;
            for (path, contents) in &self.changed {
                put(&copy, path, contents, self.new_modified)?;
            }
        }
        self.fresh = self.look()?;
        Ok(())
    }

    fn look(&self) -> io::Result<Vec<Seen>> {
        let mut seen = Vec::new();
        let mut open = vec![self.writable()];
        while let Some(directory) = open.pop() {
            for entry in fs::read_dir(&directory)? {
                let path = entry?.path();
                let about = path.symlink_metadata()?;
                let is_directory = about.is_dir();
                let changed = if is_directory { None } else { about.modified().ok() };
                seen.push(Seen { path: path.clone(), length: about.len(), mode: about.mode(), changed });
                if is_directory {
                    open.push(path);
                }
            }
        }
        seen.sort();
        Ok(seen)
    }
}

/// Copies files, directories and links; what else there is (sockets, devices) is left out. Links stay links: those that name
/// a place in the directory by its whole path lead to its copy, and hard links become files of their own.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    copy_part(from, from, to, to)
}

fn copy_part(root: &Path, from: &Path, root_copy: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_part(root, &source, root_copy, &copy)?;
            // We must be able to go on in there.
            let about = source.symlink_metadata()?;
            fs::set_permissions(&copy, fs::Permissions::from_mode(about.mode() & 0o777 | 0o700))?;
            date(&File::open(&copy)?, about.modified()?)?;
        } else if kind.is_symlink() {
            let target = fs::read_link(&source)?;
            let inside = target.strip_prefix(root).map(|rest| root_copy.join(rest));
            symlink(inside.unwrap_or(target), &copy)?;
        } else if kind.is_file() {
            copy_file(&source, &copy)?;
        }
    }
    Ok(())
}

fn copy_file(source: &Path, copy: &Path) -> io::Result<()> {
    let mut from = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(source)?;
    let about = from.metadata()?;
    let mut to = OpenOptions::new().write(true).create_new(true).mode(0o600).open(copy)?;
    io::copy(&mut from, &mut to)?;
    to.set_permissions(fs::Permissions::from_mode(about.mode() & 0o777))?;
    // Programs compare the ages of files (make does), and some write them down.
    date(&to, about.modified()?)
}

/// Gives a file of a copy other contents, or makes it, as old as that. If a link stands in its place, the file takes that
/// place; what the link leads to stays as it is.
pub fn put(copy: &Path, path: &Path, contents: &[u8], new_modified: SystemTime) -> io::Result<()> {
    let refuse = || io::Error::other(format!("{} is not a file in the directory", path.display()));
    let mut names: Vec<&OsStr> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::CurDir => {}
            _ => return Err(refuse()),
        }
    }
    let name = names.pop().ok_or_else(refuse)?;
    let mut directory = open_at(libc::AT_FDCWD, copy.as_os_str(), libc::O_PATH | libc::O_DIRECTORY, 0)?;
    for part in names {
        let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_NOFOLLOW;
        directory = open_at(directory.as_raw_fd(), part, flags, 0).map_err(|error| match error.raw_os_error() {
            Some(libc::ENOTDIR | libc::ELOOP) => {
                io::Error::other(format!("{} is behind a symbolic link, and links are not followed", path.display()))
            }
            _ => error,
        })?;
    }
    if let Ok(file) = open_at(directory.as_raw_fd(), name, libc::O_WRONLY | libc::O_NOFOLLOW | libc::O_NONBLOCK, 0)
        && let file = File::from(file)
        && let about = file.metadata()?
        && about.is_file()
        && about.nlink() == 1
    {
        replace(&file, contents)?;
        return date(&file, about.modified()?);
    }
    let old = CString::new(name.as_bytes())?;
    let (mut mode, mut modified) = (0o600, None);
    // SAFETY: the string has its end, the memory is this stack's.
    unsafe {
        let mut about: libc::stat = std::mem::zeroed();
        if libc::fstatat(directory.as_raw_fd(), old.as_ptr(), &mut about, libc::AT_SYMLINK_NOFOLLOW) == 0
            && about.st_mode & libc::S_IFMT == libc::S_IFREG
        {
            mode = about.st_mode & 0o777;
            let since = u64::try_from(about.st_mtime).map(|seconds| Duration::new(seconds, about.st_mtime_nsec as u32));
            modified = since.ok().map(|since| UNIX_EPOCH + since);
        }
        libc::unlinkat(directory.as_raw_fd(), old.as_ptr(), 0);
    }
    let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
    let mut file = File::from(open_at(directory.as_raw_fd(), name, flags, mode)?);
    file.write_all(contents)?;
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    // It stands for the one that was there.
    date(&file, modified.unwrap_or(new_modified))
}

fn open_at(directory: i32, name: &OsStr, flags: i32, mode: libc::mode_t) -> io::Result<OwnedFd> {
    let name = CString::new(name.as_bytes())?;
    // SAFETY: the string has its end; a descriptor that comes is new and ours.
    unsafe {
        match libc::openat(directory, name.as_ptr(), flags | libc::O_CLOEXEC, mode) {
            ..0 => Err(io::Error::last_os_error()),
            opened => Ok(OwnedFd::from_raw_fd(opened)),
        }
    }
}
