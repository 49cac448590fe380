//! One run of a case, recorded, in the sandbox.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use budget::Budget;
use recording::Ending;
use recording::folder::Folder;
use recording::plan::Plan;
use recording::record::{Options, Setting, record};

use crate::case::Case;
use crate::error::LabError;
use crate::limits::Limits;
use crate::memory_file::{contents, input_file, memory_file};
use crate::outcome::{End, Ran};
use crate::sandbox::{Confinement, Notes, Noting, Purpose, Readable, Supervision, Terms, Walls, end_session};
use crate::scratch::Scratch;

/// What a run is made in.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    pub walls: Walls,
    pub readable: &'a Readable,
    pub noting: Noting,
    pub limits: &'a Limits,
    pub spending: &'a Budget,
}

/// Paths of recordings in a folder. None comes twice, whichever of them were removed.
pub struct Recordings {
    folder: Folder,
    made: AtomicU64,
}

impl Recordings {
    pub fn new(folder: Folder) -> Recordings {
        Recordings { folder, made: AtomicU64::new(0) }
    }

    pub fn next(&self) -> PathBuf {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        self.folder.path().join(format!("{number}.flt"))
    }
}

/// A recorded run, in the sandbox; with what it did with files, where that is noted.
pub fn record_run(
    case: &Case,
    surroundings: Surroundings<'_>,
    plan: Plan,
    to: PathBuf,
) -> Result<(Ran, Notes), LabError> {
    let Surroundings { walls, readable, noting, limits, spending } = surroundings;
    spending.go_on()?;
    let scratch = Scratch::new(case)?;
    let input = input_file(&case.input, case.input_modified)?;
    let standard = Arc::new([input, memory_file(&[])?, memory_file(&[])?]);
    let terms = Terms {
        purpose: Purpose::Single,
        scratch: &scratch.writable(),
        readable,
        noting,
        forks: limits.forks,
        file: Some(limits.file),
        // The shadow takes address space, though not memory; what is in use is watched.
        memory: None,
    };
    let (confinement, supervision) = Confinement::new(walls, &terms)?;
    let recorded = record(&Options {
        arguments: case.arguments.clone(),
        time_limit: Some(limits.time),
        // What the program writes is twice in memory: once more in its shadow.
        memory_limit: Some(limits.memory.saturating_mul(2)),
        fork_limit: limits.forks,
        budget: spending.clone(),
        plan: Some(plan),
        setting: Some(Setting {
            directory: scratch.directory()?,
            environment: case.environment.clone(),
            standard: standard.clone(),
            prepare: Arc::new(confinement),
        }),
        ..Options::new(&case.name, to)
    })?;
    if !walls.has_processes() {
        end_session(recorded.process, &[]);
    }
    if recorded.end.ending == Ending::Interrupted {
        // Unless the plan ended it.
        spending.go_on()?;
    }
    let has_too_many = supervision.as_ref().is_some_and(Supervision::has_too_many);
    let end = match recorded.end.ending {
        _ if has_too_many => End::Forks,
        Ending::Exited { status } => End::Exited(status),
        Ending::Killed { signal } => End::Killed(signal),
        Ending::TimeLimit | Ending::SizeLimit | Ending::Interrupted => End::TooLong,
        Ending::MemoryLimit => End::Memory,
        Ending::WriteFailed { error } => return Err(LabError::Io(io::Error::other(error))),
    };
    let notes = supervision.as_ref().map(Supervision::notes).unwrap_or_default();
    let files_refused = match noting {
        Noting::All => notes.kept_from(readable, &scratch.writable().canonicalize()?),
        Noting::Needed => Vec::new(),
    };
    let ran = Ran {
        end,
        output: contents(&standard[1], limits.file)?,
        error: contents(&standard[2], limits.file)?,
        unwritten: recorded.unwritten,
        obeyed: recorded.obeyed,
        was_refused: recorded.was_refused,
        processor_time: Duration::ZERO,
        calls_refused: supervision.as_ref().map(Supervision::refused).unwrap_or_default(),
        files_refused,
    };
    Ok((ran, notes))
}

/// What changed runs may read, by what the unchanged one read. A FIFO or a terminal would give them what is meant for
/// others.
pub fn readable(case: &Case, notes: &Notes) -> Readable {
    let is_plain = |path: &&PathBuf| path.metadata().is_ok_and(|about| about.is_file() || about.is_dir());
    let mut files = vec![case.program.clone()];
    files.extend(notes.read.iter().filter(is_plain).cloned());
    Readable::Only(files)
}
