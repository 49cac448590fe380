//! Judging whether a run is correct.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use recording::folder::Folder;

use crate::guest::{Guest, invite};
use crate::memory_file::memory_file;
use crate::outcome::{End, Ran, Right};
use crate::sandbox::{Readable, Walls};
use crate::timeouts;

/// What a right run does. Where nothing is said, any run is right that ends by itself and is not killed.
#[derive(Clone, Default, Debug)]
pub struct Oracle {
    /// Standard output.
    pub output: Option<Vec<u8>>,
    pub status: Option<i32>,
    /// A command for the shell, which judges.
    pub check: Option<OsString>,
    /// Where the check runs; `None`: where we are.
    pub check_directory: Option<PathBuf>,
    /// The program that showed what is right, if one did.
    pub reference: Option<PathBuf>,
    /// No check goes on after that.
    pub deadline: Option<Instant>,
    /// Whether the check has been run before.
    pub is_known: Arc<AtomicBool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Right,
    Wrong,
    CannotTell,
}

/// By what a run on another input is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnOtherInputs {
    /// By what the reference does on the same input.
    Reference,
    Check,
    /// By the exit status that all right runs have.
    Status,
    /// It is right if it ends by itself and is not killed.
    Ending,
    /// Only that it is wrong can be told: when it does not end by itself, is killed, or has another status than all right
    /// runs. What is expected is the output for one input.
    WrongEnding,
}

impl OnOtherInputs {
    /// Why a right run cannot be told from a wrong one, if it cannot, and what would help.
    pub fn why_not(self) -> Option<&'static str> {
        match self {
            OnOtherInputs::Reference | OnOtherInputs::Check | OnOtherInputs::Status | OnOtherInputs::Ending => None,
            OnOtherInputs::WrongEnding => Some(
                "--expect names the output for one input, so the output for other inputs cannot be judged; --reference PROG or \
                 --check CMD can",
            ),
        }
    }
}

impl Oracle {
    /// By what runs on other inputs are judged.
    pub fn on_other_inputs(&self) -> OnOtherInputs {
        match self {
            Oracle { reference: Some(_), .. } => OnOtherInputs::Reference,
            Oracle { check: Some(_), .. } => OnOtherInputs::Check,
            Oracle { output: Some(_), .. } => OnOtherInputs::WrongEnding,
            Oracle { status: Some(_), .. } => OnOtherInputs::Status,
            Oracle { .. } => OnOtherInputs::Ending,
        }
    }

    /// Judges a run on another input. `right`: what the reference did on it.
    pub fn judge_other(&self, ran: &Ran, right: Option<&Right>) -> io::Result<Verdict> {
        let judged_by = self.on_other_inputs();
        let (output, status) = match (judged_by, right) {
            (OnOtherInputs::Reference, None) => return Ok(Verdict::CannotTell),
            (_, None) => (None, self.status),
            (_, Some(right)) => match right.end {
                End::Exited(status) => (Some(&right.output[..]), Some(status)),
                // It cannot cope with this input.
                _ => return Ok(Verdict::CannotTell),
            },
        };
        Ok(match self.judge_by(output, status, ran)? {
            Verdict::Right if judged_by == OnOtherInputs::WrongEnding => Verdict::CannotTell,
            verdict => verdict,
        })
    }

    pub fn judge(&self, ran: &Ran) -> io::Result<Verdict> {
        self.judge_by(self.output.as_deref(), self.status, ran)
    }

    fn judge_by(&self, output: Option<&[u8]>, status: Option<i32>, ran: &Ran) -> io::Result<Verdict> {
        let has_ended = matches!(ran.end, End::Exited(_));
        let status_is_right = match (status, ran.end) {
            (Some(wanted), End::Exited(status)) => status == wanted,
            // As the shell has it.
            (Some(wanted), End::Killed(signal)) => 128 + signal == wanted,
            (Some(_), _) => false,
            (None, _) => has_ended || self.check.is_some(),
        };
        let output_is_right = output.is_none_or(|wanted| *wanted == ran.output);
        if !status_is_right || !output_is_right {
            return Ok(Verdict::Wrong);
        }
        match &self.check {
            Some(check) => judge_by_command(self, check, ran),
            None => Ok(Verdict::Right),
        }
    }
}

/// By the exit status of the check, as `git bisect run` has it: 0 right, 1 to 124 wrong, 125 cannot tell.
fn judge_by_command(oracle: &Oracle, check: &OsStr, ran: &Ran) -> io::Result<Verdict> {
    let walls = Walls::needed()
        .ok_or_else(|| io::Error::other("no sandbox is possible on this machine; see faultline doctor"))?;
    let status = match ran.end {
        End::Exited(status) => status,
        End::Killed(signal) => 128 + signal,
        // What `timeout` gives.
        End::TooLong | End::Budget | End::Stopped | End::Forks | End::Memory | End::Disk => 124,
    };
    let folder = Folder::new("check")?;
    let scratch = folder.path().join("files");
    fs::create_dir(&scratch)?;
    let (output, error) = (scratch.join("stdout"), scratch.join("stderr"));
    fs::write(&output, &ran.output)?;
    fs::write(&error, &ran.error)?;
    let told = [
        ("FAULTLINE_STDOUT", output.into_os_string()),
        ("FAULTLINE_STDERR", error.into_os_string()),
        ("FAULTLINE_STATUS", status.to_string().into()),
        ("TMPDIR", scratch.clone().into_os_string()),
    ];
    let is_told = |name: &OsString| told.iter().any(|(one, _)| *one == name.as_os_str());
    let mut environment: Vec<(OsString, OsString)> = std::env::vars_os().filter(|(name, _)| !is_told(name)).collect();
    environment.extend(told.iter().map(|(name, value)| (OsString::from(name), value.clone())));
    let directory = match &oracle.check_directory {
        Some(directory) => directory.clone(),
        None => std::env::current_dir()?,
    };
    let left = oracle.deadline.map_or(timeouts::CHECK, |deadline| deadline.saturating_duration_since(Instant::now()));
    let patience = left.min(timeouts::CHECK);
    // What a check does with files is looked at once: it should be the same each time.
    let is_first = !oracle.is_known.swap(true, Ordering::Relaxed);
    let visit = invite(
        &Guest {
            program: Path::new("/bin/sh"),
            name: OsStr::new("sh"),
            arguments: &["-c".into(), check.to_owned()],
            environment,
            directory: &directory,
            scratch: &scratch,
            input: memory_file(&[])?,
            readable: Readable::Everything,
            patience,
        },
        walls,
    )?;
    let check = check.to_string_lossy();
    if let Some(file) = visit.notes.blocked.first() {
        return Err(io::Error::other(format!(
            "the check `{check}` tries to change {}; a check runs in a sandbox and can write only below $TMPDIR",
            file.display()
        )));
    }
    match visit.end {
        End::Exited(0) => Ok(Verdict::Right),
        End::Exited(126 | 127) => Err(io::Error::other(format!("the check `{check}` cannot be run"))),
        End::Exited(1..=124) => Ok(Verdict::Wrong),
        // One that was given less time may have needed no more than the usual.
        End::TooLong if is_first && patience == timeouts::CHECK => Err(io::Error::other(format!(
            "the check `{check}` was stopped because it did not end within {} seconds; run it by hand, with the output of a \
                 run in $FAULTLINE_STDOUT, to find out why",
            timeouts::CHECK.as_secs()
        ))),
        _ => Ok(Verdict::CannotTell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(end: End, output: &str) -> Ran {
        Ran {
            end,
            output: output.into(),
            error: Vec::new(),
            unwritten: Vec::new(),
            obeyed: 0,
            was_refused: false,
            processor_time: std::time::Duration::ZERO,
            calls_refused: Vec::new(),
            files_refused: Vec::new(),
        }
    }

    fn right(end: End, output: &str) -> Right {
        Right { end, output: output.into(), calls_refused: Vec::new() }
    }

    #[test]
    fn what_is_expected_of_one_input_says_little_of_another() {
        let expecting = |status| Oracle { output: Some(b"of the first".to_vec()), status, ..Oracle::default() };
        let judged = |oracle: Oracle, end, output: &str| oracle.judge_other(&ran(end, output), None).expect("no check");
        for output in ["of the first", "of another"] {
            assert_eq!(judged(expecting(None), End::Exited(0), output), Verdict::CannotTell);
            assert_eq!(judged(expecting(Some(0)), End::Exited(0), output), Verdict::CannotTell);
        }
        assert_eq!(judged(expecting(None), End::Killed(11), "of the first"), Verdict::Wrong);
        assert_eq!(judged(expecting(None), End::Budget, "of the first"), Verdict::Wrong);
        assert_eq!(judged(expecting(Some(0)), End::Exited(1), "of the first"), Verdict::Wrong);
        assert!(expecting(None).on_other_inputs().why_not().is_some_and(|why| why.contains("--reference")));
        // A status is that of all runs, and so is an ending.
        let by_status = Oracle { status: Some(3), ..Oracle::default() };
        assert_eq!(by_status.on_other_inputs().why_not(), None);
        assert_eq!(judged(by_status.clone(), End::Exited(3), ""), Verdict::Right);
        assert_eq!(judged(by_status, End::Exited(0), ""), Verdict::Wrong);
        assert_eq!(judged(Oracle::default(), End::Exited(9), ""), Verdict::Right);
        assert_eq!(judged(Oracle::default(), End::Killed(6), ""), Verdict::Wrong);
    }

    #[test]
    fn a_reference_says_what_is_right_on_each_input() {
        // What it did on the case's own input is no measure.
        let oracle = Oracle {
            output: Some(b"own".to_vec()),
            status: Some(0),
            reference: Some("/bin/true".into()),
            ..Oracle::default()
        };
        assert_eq!(oracle.on_other_inputs(), OnOtherInputs::Reference);
        let judged = |ran: &Ran, right: &Right| oracle.judge_other(ran, Some(right)).expect("no check");
        assert_eq!(judged(&ran(End::Exited(2), "x"), &right(End::Exited(2), "x")), Verdict::Right);
        assert_eq!(judged(&ran(End::Exited(0), "own"), &right(End::Exited(0), "x")), Verdict::Wrong);
        assert_eq!(judged(&ran(End::Exited(0), "x"), &right(End::Exited(2), "x")), Verdict::Wrong);
        assert_eq!(judged(&ran(End::Killed(11), ""), &right(End::Exited(0), "")), Verdict::Wrong);
        // It crashes or hangs itself.
        assert_eq!(judged(&ran(End::Killed(11), ""), &right(End::Killed(11), "")), Verdict::CannotTell);
        assert_eq!(judged(&ran(End::Exited(0), ""), &right(End::TooLong, "")), Verdict::CannotTell);
        assert_eq!(oracle.judge_other(&ran(End::Exited(0), "own"), None).expect("no check"), Verdict::CannotTell);
    }
}
