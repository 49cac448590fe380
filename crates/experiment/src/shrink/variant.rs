//! A smaller case: with shorter arguments, input and files than the failing one.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::sync::Arc;

use recording::folder::Folder;

use crate::case::Case;
use crate::scratch::{copy_tree, put};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    pub arguments: Vec<OsString>,
    pub input: Vec<u8>,
    /// What is in files of the case's directory instead, by their path in it.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

/// Something of a case that can be made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    Input,
    /// A file of the case's directory.
    File(PathBuf),
    /// The list of arguments.
    Arguments,
    /// The text of one of them.
    Argument(usize),
}

impl Variant {
    /// The case itself. `files`: those that are to be made smaller.
    pub fn of(case: &Case, files: &[PathBuf]) -> io::Result<Variant> {
        let mut contents = BTreeMap::new();
        for path in files {
            let directory =
                case.files.as_ref().ok_or_else(|| io::Error::other("the case has no directory of files"))?;
            let read = std::fs::read(directory.join(path));
            let read = read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
            contents.insert(path.clone(), read);
        }
        Ok(Variant { arguments: case.arguments.clone(), input: case.input.to_vec(), files: contents })
    }

    /// Bytes of all that can be made smaller.
    pub fn length(&self) -> usize {
        let arguments: usize = self.arguments.iter().map(|argument| argument.len()).sum();
        self.input.len() + arguments + self.files.values().map(Vec::len).sum::<usize>()
    }

    /// The parts, those that cost least to try first.
    pub fn parts(&self) -> Vec<Part> {
        let files = self.files.keys().cloned().map(Part::File);
        let arguments = (0..self.arguments.len()).map(Part::Argument);
        std::iter::once(Part::Input).chain(files).chain([Part::Arguments]).chain(arguments).collect()
    }

    /// The text of a part; a list has none.
    pub fn text(&self, part: &Part) -> Option<&[u8]> {
        match part {
            Part::Input => Some(&self.input),
            Part::File(path) => self.files.get(path).map(Vec::as_slice),
            Part::Arguments => None,
            Part::Argument(position) => self.arguments.get(*position).map(|argument| argument.as_bytes()),
        }
    }

    pub fn with_text(&self, part: &Part, text: Vec<u8>) -> Variant {
        let mut variant = self.clone();
        match part {
            Part::Input => variant.input = text,
            Part::File(path) => {
                variant.files.insert(path.clone(), text);
            }
            Part::Arguments => {}
            Part::Argument(position) => variant.arguments[*position] = OsStr::from_bytes(&text).to_owned(),
        }
        variant
    }

    pub fn with_arguments(&self, kept: &[usize]) -> Variant {
        let arguments = kept.iter().map(|&position| self.arguments[position].clone()).collect();
        Variant { arguments, ..self.clone() }
    }

    /// What stands for all of it.
    pub fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(&self.input);
        add(&(self.arguments.len() as u64).to_le_bytes());
        for argument in &self.arguments {
            add(argument.as_bytes());
        }
        for (path, contents) in &self.files {
            add(path.as_os_str().as_bytes());
            add(contents);
        }
        hasher.finalize()
    }

    /// A case to be run on its own, with the folder that keeps its files as long as it is needed.
    pub fn as_case(&self, original: &Case) -> io::Result<(Case, Option<Folder>)> {
        let mut case =
            Case { arguments: self.arguments.clone(), input: Arc::from(&self.input[..]), ..original.clone() };
        let Some(directory) = original.files.as_ref().filter(|_| !self.files.is_empty()) else {
            return Ok((case, None));
        };
        let folder = Folder::new("variant")?;
        let copy = folder.path().join("files");
        copy_tree(directory, &copy)?;
        for (path, contents) in &self.files {
            put(&copy, path, contents)?;
        }
        case.files = Some(copy);
        Ok((case, Some(folder)))
    }
}
