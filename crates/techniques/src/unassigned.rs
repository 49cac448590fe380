//! Locals that the failing run reads though nothing was ever assigned to them.
//!
//! The run is recorded twice more, with all locals filled with one byte before they are assigned, and with another. A load
//! that finds the first byte here and the second there, at the same step, read what was filled in. Only reads that come
//! before the two runs part are found, or after they have met again; they are the ones that the others come from.

use std::collections::HashSet;

use abi::UNASSIGNED;
use execution::dependence::Moment;
use execution::{Run, Window};
use program::debug::value_text;
use program::{Op, Operand};
use recording::Recording;
use replay::{Image, Observer, ReplayError, Step};

use crate::place::location;
use crate::subject::{Subject, TechniqueError};

const OTHER: u8 = 0x5a;
/// Reads that are looked at.
const MOST: usize = 10_000;
/// Reads that are named.
const NAMED: usize = 3;

/// Of longer runs it is not asked.
const LONGEST: u64 = 20_000_000;
/// What it may take of the time there is: the two runs take several times as long as the failing one.
const SHARE: u32 = 50;

/// What is to be said first of a run that reads what it never assigned, in a sentence.
pub fn caveat(subject: &Subject<'_, '_>, limits: &mut Vec<String>) -> Option<String> {
    let baseline = subject.lab.baseline();
    let is_short = baseline.clock <= LONGEST && baseline.ran.processor_time * SHARE <= subject.budget.left();
    if !is_short && !subject.lab.fills_locals() {
        return None;
    }
    let named = places(subject).unwrap_or_else(|error| {
        limits
            .push(format!("which local variables are read before they are assigned is not known: {}", error.spoken()));
        Vec::new()
    });
    let mut told = "the program reads local variables that were never assigned".to_owned();
    if !named.is_empty() {
        told.push_str(&format!(": {}", named.join(", ")));
    }
    if subject.lab.fills_locals() {
        told.push_str(&format!(
            ". In the runs examined here each byte of such a variable is {UNASSIGNED:#x}; outside it is whatever happens to \
             be there"
        ));
    }
    (subject.lab.fills_locals() || !named.is_empty()).then_some(told)
}

/// Names of what is read, with the places, in the order of the run.
fn places(subject: &Subject<'_, '_>) -> Result<Vec<String>, TechniqueError> {
    let [here, there] = [UNASSIGNED, OTHER].map(|byte| filled_reads(subject, byte));
    let there: HashSet<Moment> = there?.into_iter().collect();
    let mut named: Vec<String> = Vec::new();
    for read in here?.into_iter().filter(|read| there.contains(read)) {
        if named.len() == NAMED {
            break;
        }
        if let Some(name) = name(subject, read)
            && !named.contains(&name)
        {
            named.push(name);
        }
    }
    Ok(named)
}

fn filled_reads(subject: &Subject<'_, '_>, byte: u8) -> Result<Vec<Moment>, TechniqueError> {
    let recording = Recording::open(&subject.lab.record_filled(byte)?)?;
    let image = Image::within(&recording, subject.budget);
    Ok(reads(&Run::new(&image, subject.run.stream)?, byte)?)
}

/// What is read, and where: by the program's own code, or by a library function on its behalf.
fn name(subject: &Subject<'_, '_>, read: Moment) -> Option<String> {
    let run = subject.run;
    if run.functions.is_twin(read.function) {
        return None;
    }
    let place = location(run, read)?;
    let module = run.functions.module(read.function).ok()?;
    let debug = subject.sources.debug(read.function.module as usize);
    let function = run.functions.function(read.function);
    let text = value_text(module, debug, function, &Operand::Result(read.instruction), None);
    Some(format!("`{text}` at {}:{} in {}", place.file, place.line, place.function))
}

/// Loads that found this byte, and nothing else, where the program had put something else or nothing.
fn reads(run: &Run<'_>, byte: u8) -> Result<Vec<Moment>, ReplayError> {
    let mut found = Vec::new();
    for window in 0..=run.last_window().0 {
        let reads = run.replay(Window(window), Reads { byte, found: Vec::new(), handlers: 0 })?;
        found.extend(reads.found);
        if found.len() >= MOST {
            break;
        }
    }
    Ok(found)
}

struct Reads {
    byte: u8,
    found: Vec<Moment>,
    handlers: u32,
}

impl Observer for Reads {
    fn step(&mut self, step: &Step<'_>) {
        if !step.is_surprise || self.handlers > 0 || self.found.len() >= MOST {
            return;
        }
        if matches!(step.instruction().op, Op::Load { .. })
            && let [word] = step.result()
            && is_all(*word, self.byte)
        {
            self.found.push(Moment::of(step));
        }
    }

    fn interrupted(&mut self) {
        self.handlers += 1;
    }

    fn resumed(&mut self) {
        self.handlers -= 1;
    }
}

/// Whether a value of one, two, four or eight bytes has this byte everywhere.
fn is_all(value: u64, byte: u8) -> bool {
    let all = u64::from_le_bytes([byte; 8]);
    [1, 2, 4, 8].into_iter().any(|size| value == all >> (64 - size * 8))
}
