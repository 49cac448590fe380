//! Outcomes of earlier commands, so that the same experiment on the same case need not be made again.
//!
//! One file for each case and oracle, in a folder of the user's cache. Its name is a hash of all that decides what a run
//! does, as far as we know it: the program, its arguments and the files they name, input, directory, environment, oracle and limits. What we do not
//! know of (a file the program finds by itself, a library) is caught by the failing run, which is repeated each time: if it
//! does not match the earlier one step by step, no outcome is reused. Outcomes that depend on how fast the machine is, or that a
//! check has judged, are not kept.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use recording::plan::Intervention;
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::limits::Limits;
use crate::oracle::Oracle;
use crate::outcome::Outcome;

const MAGIC: &[u8] = b"faultline outcomes 2\n";
/// Files kept, at most; the oldest go first.
const MOST_FILES: usize = 256;
/// Time goes on: what was so yesterday may not be so today.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// What identifies a run step by step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint(pub [u8; 32]);

#[derive(Default, Serialize, Deserialize)]
struct Kept {
    /// The time all runs were told.
    epoch: u64,
    failing: Option<Fingerprint>,
    outcomes: HashMap<Vec<Intervention>, Outcome>,
}

/// What is known of one case. Kept when it goes.
pub struct Remembered {
    file: PathBuf,
    kept: Kept,
    is_new: bool,
}

impl Remembered {
    /// What the folder has of a case; `None` where nothing can be kept.
    pub fn open(folder: &Path, case: &Case, oracle: &Oracle, limits: &Limits) -> Option<Remembered> {
        if oracle.check.is_some() {
            return None;
        }
        let file = folder.join(key(case, oracle, limits).ok()?.to_hex().as_str());
        let kept = read(&file).unwrap_or_default();
        Some(Remembered { file, kept, is_new: false })
    }

    /// The time runs were told, if there is anything to go on with.
    pub fn epoch(&self) -> Option<u64> {
        self.kept.failing.as_ref().map(|_| self.kept.epoch)
    }

    /// Whether what is known is about this failing run; if nothing is yet, it will be.
    pub fn is_about(&mut self, failing: Fingerprint, epoch: u64) -> bool {
        match &self.kept.failing {
            Some(known) => *known == failing,
            None => {
                self.kept = Kept { epoch, failing: Some(failing), outcomes: HashMap::new() };
                true
            }
        }
    }

    /// Forgets all, for another failing run to begin with.
    pub fn forget(&mut self) {
        self.kept = Kept::default();
    }

    pub fn get(&self, experiment: &[Intervention]) -> Option<Outcome> {
        self.kept.outcomes.get(experiment).copied()
    }

    pub fn insert(&mut self, experiment: &[Intervention], outcome: Outcome) {
        match outcome {
            Outcome::Passes
            | Outcome::FailsSame
            | Outcome::FailsLater
            | Outcome::FailsOtherwise
            | Outcome::Crashes
            | Outcome::NeverReached => {
                self.kept.outcomes.insert(experiment.to_vec(), outcome);
                self.is_new = true;
            }
            // By the clock on the wall, or by somebody else's word.
            Outcome::Hangs | Outcome::CannotTell | Outcome::Refused => {}
        }
    }

    /// Writes a whole file beside the old one and puts it in its place, so that whoever reads finds one or the other.
    fn write(&mut self) -> io::Result<()> {
        let folder = self.file.parent().ok_or(io::ErrorKind::NotFound)?;
        fs::create_dir_all(folder)?;
        // Another command may have learned something meanwhile.
        if let Some(other) = read(&self.file).filter(|other| other.failing == self.kept.failing) {
            self.kept.outcomes.extend(other.outcomes);
        }
        let body = postcard::to_stdvec(&self.kept).map_err(io::Error::other)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        io::Write::write_all(&mut file, &[MAGIC, blake3::hash(&body).as_bytes(), &body].concat())?;
        file.persist(&self.file)?;
        prune(folder)
    }
}

impl Drop for Remembered {
    fn drop(&mut self) {
        if self.is_new {
            // A cache that cannot be written only costs time.
            let _ = self.write();
        }
    }
}

/// The file's contents, unless they are old, damaged or another version's.
fn read(file: &Path) -> Option<Kept> {
    let age = fs::metadata(file).ok()?.modified().ok()?.elapsed().unwrap_or_default();
    let bytes = fs::read(file).ok().filter(|_| age < LONGEST)?;
    let rest = bytes.strip_prefix(MAGIC)?;
    let (hash, body) = rest.split_at_checked(blake3::OUT_LEN)?;
    (blake3::hash(body).as_bytes() == hash).then(|| postcard::from_bytes(body).ok())?
}

fn prune(folder: &Path) -> io::Result<()> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files.push((entry.metadata()?.modified()?, entry.path()));
    }
    files.sort();
    for (_, path) in files.iter().rev().skip(MOST_FILES) {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// All that decides what a run does.
fn key(case: &Case, oracle: &Oracle, limits: &Limits) -> io::Result<blake3::Hash> {
    let mut key = Key(blake3::Hasher::new());
    key.add(env!("CARGO_PKG_VERSION").as_bytes());
    key.add(&abi::VERSION.to_le_bytes());
    key.add(case.program.as_os_str().as_bytes());
    key.add_file(&case.program)?;
    key.add(case.name.as_bytes());
    for argument in &case.arguments {
        key.add(argument.as_bytes());
        let named = case.files.as_deref().unwrap_or(Path::new("")).join(argument);
        if named.is_file() {
            key.add_file(&named)?;
        }
    }
    key.add(&case.input);
    key.add(format!("{:?}", case.input_modified).as_bytes());
    match &case.files {
        Some(files) => key.add_tree(files)?,
        None => key.add(std::env::current_dir()?.as_os_str().as_bytes()),
    }
    for (name, value) in &case.environment {
        key.add(name.as_bytes());
        key.add(value.as_bytes());
    }
    key.add(oracle.output.as_deref().unwrap_or(b"any"));
    key.add(format!("{:?} {:?}", oracle.output.is_some(), oracle.status).as_bytes());
    // Of these, how many work at a time decides nothing.
    key.add(format!("{:?}", Limits { workers: 0, ..*limits }).as_bytes());
    Ok(key.0.finalize())
}

struct Key(blake3::Hasher);

impl Key {
    /// Parts have lengths, lest two keys run together.
    fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn add_file(&mut self, path: &Path) -> io::Result<()> {
        self.0.update(&fs::metadata(path)?.len().to_le_bytes());
        self.0.update_reader(fs::File::open(path)?)?;
        Ok(())
    }

    fn add_tree(&mut self, directory: &Path) -> io::Result<()> {
        let mut paths: Vec<PathBuf> = fs::read_dir(directory)?.map(|e| Ok(e?.path())).collect::<io::Result<_>>()?;
        paths.sort();
        self.add(&(paths.len() as u64).to_le_bytes());
        for path in paths {
            self.add(path.file_name().unwrap_or_default().as_bytes());
            let about = path.symlink_metadata()?;
            match about.file_type() {
                kind if kind.is_dir() => self.add_tree(&path)?,
                kind if kind.is_symlink() => self.add(fs::read_link(&path)?.as_os_str().as_bytes()),
                kind if kind.is_file() => {
                    self.add(format!("{:o}", std::os::unix::fs::MetadataExt::mode(&about)).as_bytes());
                    self.add_file(&path)?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}
