//! Locals that are read though nothing was ever assigned to them.
//!
//! # What it finds
//! Local variables, and elements and members of them, that the failing run read before anything was assigned to them, if
//! the failure comes from that.
//!
//! # How
//! The run is recorded twice more, with all locals filled with one byte before they are assigned, and with another. A load
//! that finds the first byte here and the second there, at the same step, read what was filled in. One more run has zeros
//! there. If these runs do not all fail alike, the failure depends on what was read; if the one with zeros is right, the
//! program relied on zeros. All locals are filled at once, so of several reads it is not known which one matters.
//!
//! # What it misses
//! Memory of `malloc` that was never assigned, and what the compiler keeps in no memory at all. Of reads that come from
//! other reads, only the first are named.
//!
//! # Reference
//! Seward and Nethercote, *Using Valgrind to Detect Undefined Value Errors with Bit-Precision*, has the question; here the
//! answer comes from runs, which show what the failure has to do with it.

mod explain;
mod reads;

use std::rc::Rc;

use abi::UNASSIGNED;
use execution::Run;
use experiment::{End, Outcome, Ran};
use findings::{Caveat, Limit, Location};
use recording::Recording;
use replay::{Image, Step};

use reads::in_both;
use subject::{Found, Subject, TechniqueError};

const OTHER: u8 = !UNASSIGNED;
/// Reads that are named.
const NAMED: usize = 3;

/// Of longer runs it is not asked.
const LONGEST: u64 = 20_000_000;
/// What it may take of the time there is: the runs take several times as long as the failing one.
const SHARE: u32 = 50;

/// What is known of a run's reads of what it never assigned.
#[derive(Clone, Debug, Default)]
struct Unassigned {
    /// The first ones, in the order of the run.
    reads: Vec<Named>,
    /// The failure depends on what is read there.
    matters: bool,
    /// With zeros it is right.
    is_right_with_zeros: bool,
    /// Why nothing is known.
    limit: Option<Limit>,
    experiments: u64,
}

/// A read, as the source has it.
#[derive(Clone, Debug)]
struct Named {
    text: String,
    /// A library function reads it: the text is the call.
    is_call: bool,
    location: Location,
    /// A step of the failing run, if that has it.
    step: Option<Step>,
    /// Where the variable is declared, with its name.
    variable: Option<(String, Location)>,
}

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    let known = &*known(subject);
    let limits = known.limit.iter().cloned().collect();
    let suspects = explain::suspects(known);
    Ok(Found { suspects, limits, tried: explain::tried(known), experiments: known.experiments, ..Found::default() })
}

/// What is to be said before anything else of a run that reads what it never assigned.
pub fn caveat(subject: &Subject<'_, '_>) -> Option<Caveat> {
    explain::caveat(&known(subject), subject.lab.fills_locals())
}

/// Why that is not known, if it is not.
pub fn limit(subject: &Subject<'_, '_>) -> Option<Limit> {
    known(subject).limit.clone()
}

/// What the run reads of locals that were never assigned.
fn known(subject: &Subject<'_, '_>) -> Rc<Unassigned> {
    subject.known_or(|| ask(subject))
}

/// Asks, if the run is short enough.
fn ask(subject: &Subject<'_, '_>) -> Unassigned {
    let baseline = subject.lab.baseline();
    let is_long = baseline.clock > LONGEST || baseline.ran.processor_time * SHARE > subject.budget.left();
    if is_long && subject.lab.fills_locals().is_none() {
        return Unassigned::unknown(None);
    }
    look(subject).unwrap_or_else(|error| Unassigned::unknown(Some(error.spoken())))
}

impl Unassigned {
    fn unknown(because: Option<String>) -> Unassigned {
        Unassigned { limit: Some(Limit::UnassignedUnknown { because }), ..Unassigned::default() }
    }
}

fn look(subject: &Subject<'_, '_>) -> Result<Unassigned, TechniqueError> {
    let (ran, here) = record_filled(subject, UNASSIGNED)?;
    let (ran_otherwise, there) = record_filled(subject, OTHER)?;
    let (image, other_image) = (Image::within(&here, subject.budget), Image::within(&there, subject.budget));
    let (run, other) = (Run::new(&image, subject.run.stream)?, Run::new(&other_image, subject.run.stream)?);
    let all = in_both((&run, UNASSIGNED), (&other, OTHER))?;
    let mut known = Unassigned { experiments: 2, ..Unassigned::default() };
    for (position, read) in all.into_iter().enumerate() {
        if known.reads.len() == NAMED {
            break;
        }
        let Some(mut named) = explain::named(subject, read.on_behalf_of) else { continue };
        // Up to the first one, all runs are the same; after it they may not be.
        if position > 0 && subject.lab.fills_locals() != Some(UNASSIGNED) {
            named.step = None;
        }
        let is_known = |one: &Named| (&one.text, one.location.line) == (&named.text, named.location.line);
        if !known.reads.iter().any(is_known) {
            known.reads.push(named);
        }
    }
    if !known.reads.is_empty() {
        let (zeroed, _) = subject.lab.record_filled(0)?;
        let expected = subject.lab.oracle().output.as_deref();
        let failure = Failure::of(&ran, expected);
        known.matters = [&ran_otherwise, &zeroed].iter().any(|other| Failure::of(other, expected) != failure);
        known.is_right_with_zeros = known.matters && subject.lab.judge(&[], &zeroed)? == Outcome::Passes;
        known.experiments += 1;
    }
    Ok(known)
}

/// What is wrong with a run. What comes after the first wrong line is not what is asked about.
#[derive(PartialEq, Eq, Debug)]
enum Failure<'a> {
    /// Where the first wrong line of the output begins, and what it is.
    Line(usize, &'a [u8]),
    /// Nothing in its output, as far as is known.
    End(&'a End, &'a [u8]),
}

impl<'a> Failure<'a> {
    fn of(ran: &'a Ran, expected: Option<&[u8]>) -> Failure<'a> {
        let output = &ran.output[..];
        let Some(expected) = expected.filter(|expected| *expected != output) else {
            return Failure::End(&ran.end, output);
        };
        let same = output.iter().zip(expected).take_while(|(found, expected)| found == expected).count();
        let begin = output[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
        let length = output[begin..].iter().position(|byte| *byte == b'\n').unwrap_or(output.len() - begin);
        Failure::Line(begin, &output[begin..begin + length])
    }
}

fn record_filled(subject: &Subject<'_, '_>, byte: u8) -> Result<(Ran, Recording), TechniqueError> {
    let (ran, path) = subject.lab.record_filled(byte)?;
    Ok((ran, Recording::open(&path)?))
}
