//! Opening a lab: the failing run is recorded, judged, and repeated once, to see whether it is the same.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use abi::{StreamId, UNASSIGNED};
use budget::{Budget, Spent};
use recording::Recording;
use recording::folder::Folder;
use recording::plan::{Locals, Plan, Steady};

use crate::case::Case;
use crate::error::LabError;
use crate::lab::{Baseline, Lab};
use crate::limits::Limits;
use crate::oracle::{Oracle, Verdict};
use crate::outcome::{End, Ran};
use crate::recorded_run::{Recordings, Surroundings, readable};
use crate::reference::Reference;
use crate::remembered::{Fingerprint, Remembered};
use crate::sandbox::{Noting, Readable, Walls};
use crate::server::RunLimits;
use crate::timeouts;
use crate::whole_run::{Whole, now, record_whole};
use crate::workers::{Batch, Workers};

/// What a lab is opened with.
pub struct Opening {
    pub case: Case,
    pub oracle: Oracle,
    pub limits: Limits,
    pub walls: Walls,
    /// What is known of the case from earlier.
    pub remembered: Option<Remembered>,
    /// What all runs may take together.
    pub spending: Budget,
    pub expects: Expects,
}

/// What the unchanged run must be like.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expects {
    Failure,
    /// It may be right as well: it is where a search for other runs begins.
    Anything,
}

impl Lab {
    /// Runs the case unchanged, twice. It must fail, the same way each time.
    pub fn open(case: Case, oracle: Oracle, limits: Limits) -> Result<Lab, LabError> {
        Opening::of(case, oracle, limits).open()
    }
}

impl Opening {
    /// Behind the walls of this machine, with all the time there is, and nothing known.
    pub fn of(case: Case, oracle: Oracle, limits: Limits) -> Opening {
        let (walls, spending) = (Walls::of_this_machine(), Budget::unlimited());
        Opening { case, oracle, limits, walls, remembered: None, spending, expects: Expects::Failure }
    }

    /// A run that reads what it never assigned is another one each time, and here it may go right by chance. Then such
    /// locals are filled, in all runs, with the first of these bytes that makes it fail.
    pub fn open(mut self) -> Result<Lab, LabError> {
        let remembered = self.remembered.take();
        let by_itself = self.open_with(Locals::AsFound, remembered);
        let Err(error @ (LabError::Flaky(_) | LabError::DoesNotFail(_))) = by_itself else { return by_itself };
        for byte in [UNASSIGNED, !UNASSIGNED] {
            match self.open_with(Locals::Filled(byte), None) {
                Err(LabError::Flaky(_) | LabError::DoesNotFail(_)) => {}
                opened => return opened,
            }
        }
        // What it does by itself tells more.
        Err(error)
    }

    fn open_with(&self, locals: Locals, mut remembered: Option<Remembered>) -> Result<Lab, LabError> {
        let Opening { walls, ref case, ref oracle, limits, ref spending, .. } = *self;
        if !walls.hold() {
            return Err(LabError::NoWalls);
        }
        let files = Folder::new("lab")?;
        let path = files.path().join("failing.flt");
        let earlier = remembered.as_ref().and_then(Remembered::epoch);
        let steady = Steady { epoch: earlier.unwrap_or_else(now), locals };
        let (everything, noting) = (&Readable::Everything, Noting::Needed);
        let surroundings = Surroundings { walls, readable: everything, noting, limits: &limits, spending };
        let Whole { ran: recorded, notes, extent, waits_after } = record_whole(case, surroundings, steady, &path)?;
        let readable = Arc::new(readable(case, &notes));
        if let Some(known) = &mut remembered
            && !known.is_about(fingerprint(&path, &recorded)?, steady.epoch)
        {
            known.forget();
            return self.open_with(locals, remembered);
        }
        match oracle.judge(&recorded)? {
            Verdict::Wrong => {}
            Verdict::Right | Verdict::CannotTell if self.expects == Expects::Anything => {}
            Verdict::Right => return Err(LabError::DoesNotFail(describe(&recorded))),
            // A check was broken off.
            Verdict::CannotTell if spending.is_over() => return Err(LabError::Spent(Spent::Time)),
            Verdict::CannotTell => return Err(LabError::CannotTell),
        }
        let clock = last_clock(&path)?;
        let budget = timeouts::ticks_of_changed_run(clock);
        // However long one is patient with a run that waits, it comes no further.
        let time = waits_after.map_or(limits.time, |after| timeouts::of_changed_run(after, limits.time));
        let limits = Limits { time, ..limits };
        let generous =
            RunLimits { patience: limits.time, file: limits.file, memory: limits.memory, forks: limits.forks };
        let workers = Workers::start(case, walls, &readable, limits.workers);
        let begun = Instant::now();
        let ran = workers.one(Batch::of(Plan::new(Vec::new(), Some(budget), steady), generous), spending);
        spending.go_on()?;
        let (ran, took) = (ran?, begun.elapsed());
        if let Some(difference) = difference(&recorded, &ran) {
            return Err(LabError::Flaky(difference));
        }
        let patience = timeouts::of_changed_run(waits_after.unwrap_or(took), limits.time);
        let run_limits = RunLimits { patience, ..generous };
        let baseline = Baseline { recording: path, ran, clock };
        let first_wrong_ends = oracle.output.as_deref().and_then(|expected| first_wrong_ends(&baseline.ran, expected));
        let reference = oracle.reference.as_deref();
        let reference = reference.map(|program| Arc::new(Reference::new(program, case, run_limits.patience)));
        let (known, remembered) = (Mutex::default(), Mutex::new(remembered));
        Ok(Lab {
            case: case.clone(),
            oracle: oracle.clone(),
            walls,
            readable,
            blocked: notes.blocked.into_iter().collect(),
            refused: Mutex::default(),
            limits,
            run_limits,
            budget,
            steady,
            baseline,
            extent,
            spending: spending.clone(),
            first_wrong_ends,
            workers,
            reference,
            known,
            remembered,
            recordings: Recordings::new(files),
        })
    }
}

/// Where the first wrong line ends in the expected output. Of a run that was killed nothing is said: whatever keeps it from
/// crashing makes its output longer.
fn first_wrong_ends(failing: &Ran, expected: &[u8]) -> Option<usize> {
    let wrong = failing.output.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
    let is_told = matches!(failing.end, End::Exited(_)) && wrong < expected.len();
    let line_end = expected[wrong..].iter().position(|byte| *byte == b'\n');
    is_told.then(|| line_end.map_or(expected.len(), |at| wrong + at + 1))
}

fn describe(ran: &Ran) -> String {
    match ran.end {
        End::Exited(status) => format!("it exited with status {status} after {} bytes of output", ran.output.len()),
        End::Killed(signal) => format!("it was killed by signal {signal}"),
        End::TooLong | End::Budget => "it did not end".to_owned(),
        End::Stopped | End::Forks | End::Memory | End::Disk => "it was stopped".to_owned(),
    }
}

/// How two runs of the same differ, if they do.
fn difference(a: &Ran, b: &Ran) -> Option<String> {
    let is_endless = |ran: &Ran| matches!(ran.end, End::TooLong | End::Budget);
    if is_endless(a) && is_endless(b) {
        return None;
    }
    if a.end != b.end {
        return Some(format!("first {}, then {}", describe(a), describe(b)));
    }
    let part = |a: &[u8], b: &[u8]| a.iter().zip(b).take_while(|(a, b)| a == b).count();
    for (name, a, b) in [("standard output", &a.output, &b.output), ("standard error", &a.error, &b.error)] {
        if a != b {
            return Some(format!("{name} differs, starting at byte {}", part(a, b)));
        }
    }
    None
}

/// What the run did, step by step, and what came of it. Of a run that was stopped from outside nobody can tell.
fn fingerprint(path: &Path, ran: &Ran) -> Result<Fingerprint, LabError> {
    let recording = Recording::open(path)?;
    let mut hash = blake3::Hasher::new();
    hash.update(format!("{:?}", ran.end).as_bytes());
    for stream in recording.streams() {
        if let Some(last) = stream.last.filter(|_| !matches!(ran.end, End::TooLong)) {
            hash.update(&last.clock.to_le_bytes()).update(&last.hash.to_le_bytes());
        }
    }
    for module in recording.modules() {
        hash.update(&module.id.0);
    }
    for output in [&ran.output, &ran.error] {
        hash.update(blake3::hash(output).as_bytes());
    }
    Ok(Fingerprint(hash.finalize().into()))
}

fn last_clock(path: &Path) -> Result<u64, LabError> {
    let recording = Recording::open(path)?;
    Ok(recording.stream(StreamId::MAIN).and_then(|stream| stream.last).map_or(0, |last| last.clock))
}
