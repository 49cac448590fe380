//! What is run: the program, and everything that decides what it does.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

#[derive(Clone, Debug)]
pub struct Case {
    /// Absolute.
    pub program: PathBuf,
    /// What the program sees as its own name.
    pub name: OsString,
    pub arguments: Vec<OsString>,
    /// All of its standard input.
    pub input: Arc<[u8]>,
    /// When that was last changed, the same in every run: some programs write it down (gzip does).
    pub input_modified: SystemTime,
    /// Files the program works on: each run has a copy of this directory for its own. `None`: it runs where we are, and
    /// can only read.
    pub files: Option<PathBuf>,
    pub environment: Vec<(OsString, OsString)>,
}

#[derive(Debug, thiserror::Error)]
pub enum CaseError {
    #[error("there is no program {}", .0.display())]
    NoSuchProgram(PathBuf),
    #[error("cannot read {}: {error}", path.display())]
    Input { path: PathBuf, error: io::Error },
    #[error("{} is not a directory; --dir takes a directory, and each run gets its own copy", .0.display())]
    NotADirectory(PathBuf),
}

impl Case {
    /// A case in our own environment, without input.
    pub fn new(program: &Path, arguments: Vec<OsString>) -> Result<Case, CaseError> {
        let found = recording::record::find_program(program);
        Ok(Case {
            program: found.map_err(|_| CaseError::NoSuchProgram(program.to_path_buf()))?,
            name: program.as_os_str().to_owned(),
            arguments,
            input: Arc::new([]),
            input_modified: SystemTime::UNIX_EPOCH,
            files: None,
            environment: std::env::vars_os().collect(),
        })
    }

    /// The same with another program.
    pub fn with_program(&self, program: &Path) -> Result<Case, CaseError> {
        let found = recording::record::find_program(program);
        let found = found.map_err(|_| CaseError::NoSuchProgram(program.to_path_buf()))?;
        Ok(Case { name: found.clone().into_os_string(), program: found, ..self.clone() })
    }

    pub fn with_input(self, input: Vec<u8>) -> Case {
        Case { input: input.into(), ..self }
    }

    /// Takes the contents of a file for standard input.
    pub fn with_input_file(self, path: &Path) -> Result<Case, CaseError> {
        let refuse = |error| CaseError::Input { path: path.to_path_buf(), error };
        let modified = path.metadata().map_err(refuse)?.modified().map_err(refuse)?;
        Ok(self.with_input(contents(path).map_err(refuse)?).with_input_modified(modified))
    }

    pub fn with_input_modified(self, input_modified: SystemTime) -> Case {
        Case { input_modified, ..self }
    }

    pub fn with_files(self, directory: &Path) -> Result<Case, CaseError> {
        let found = directory.canonicalize().ok().filter(|directory| directory.is_dir());
        let files = found.ok_or_else(|| CaseError::NotADirectory(directory.to_path_buf()))?;
        Ok(Case { files: Some(files), ..self })
    }
}

/// Bytes of a file that a run reads or should write; more is taken for a mistake.
const LONGEST: u64 = 1 << 30;

/// What a file holds that somebody has named. A device would be read for ever.
pub(crate) fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let about = file.metadata()?;
    let is_nothing = about.file_type().is_char_device() && about.rdev() == libc::makedev(1, 3);
    if about.file_type().is_char_device() && !is_nothing {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device, not a file"));
    }
    let mut bytes = Vec::new();
    file.by_ref().take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is longer than 1 GiB"));
    }
    Ok(bytes)
}
