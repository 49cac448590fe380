//! The directory a run works in: a copy of the case's files that nobody else sees, or ours, which it can only read.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use recording::folder::Folder;

use crate::Case;

pub struct Scratch {
    /// Where the copies live; nothing of the user's is in there.
    pub root: Folder,
    original: Option<PathBuf>,
    /// Files that have other contents in the copy, by their path in it.
    changed: BTreeMap<PathBuf, Vec<u8>>,
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

impl Scratch {
    pub fn new(case: &Case) -> io::Result<Scratch> {
        let root = Folder::new("scratch")?;
        let mut scratch = Scratch { root, original: case.files.clone(), changed: BTreeMap::new(), fresh: Vec::new() };
        scratch.renew()?;
        Ok(scratch)
    }

    /// Where a run begins.
    pub fn directory(&self) -> io::Result<PathBuf> {
        match &self.original {
            Some(_) => Ok(self.root.path().join(FILES)),
            None => std::env::current_dir(),
        }
    }

    /// Whether no run has changed the copy.
    pub fn is_fresh(&self) -> io::Result<bool> {
        Ok(self.original.is_none() || self.look()? == self.fresh)
    }

    /// Makes the copy what it was, if a run has changed it.
    pub fn restore(&mut self) -> io::Result<()> {
        if self.is_fresh()? { Ok(()) } else { self.renew() }
    }

    /// Puts other contents into files of the copy.
    pub fn set_files(&mut self, files: &BTreeMap<PathBuf, Vec<u8>>) -> io::Result<()> {
        if self.changed == *files {
            return Ok(());
        }
        self.changed.clone_from(files);
        self.renew()
    }

    fn renew(&mut self) -> io::Result<()> {
        let Some(original) = &self.original else { return Ok(()) };
        let copy = self.root.path().join(FILES);
        // The directory itself stays: servers stand in it.
        if copy.exists() {
            empty(&copy)?;
        }
        copy_tree(original, &copy)?;
        for (path, contents) in &self.changed {
            fs::write(copy.join(path), contents)?;
        }
        self.fresh = self.look()?;
        Ok(())
    }

    fn look(&self) -> io::Result<Vec<Seen>> {
        let mut seen = Vec::new();
        let mut open = vec![self.root.path().join(FILES)];
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

const FILES: &str = "files";

/// Removes all there is in a directory, also what a run has made unwritable.
fn empty(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.symlink_metadata()?.is_dir() {
            let _ = fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700));
            empty(&path)?;
            fs::remove_dir(&path)?;
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

/// Copies files, directories and links; what else there is (sockets, devices) is left out.
pub fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&source, &copy)?;
        } else if kind.is_symlink() {
            symlink(fs::read_link(&source)?, &copy)?;
        } else if kind.is_file() {
            fs::copy(&source, &copy)?;
        }
    }
    Ok(())
}
