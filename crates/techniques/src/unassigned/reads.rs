//! Reads of locals that were filled with a byte before the run.

use std::collections::HashSet;

use execution::{Functions, Run, Window};
use program::Op;
use replay::{Observed, Observer, ReplayError, Step};

/// Reads that are looked at.
const MOST: usize = 10_000;

/// A read, and the program's own step that it is a part of: itself, or the call of a library function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Read {
    pub at: Step,
    pub on_behalf_of: Step,
}

/// Reads that found the first byte in one run and the second in the other, at the same step, in the order of the run.
///
/// Only those are found that come before the two runs part, or after they have met again; the others come from them.
pub fn in_both(one: (&Run<'_>, u8), other: (&Run<'_>, u8)) -> Result<Vec<Read>, ReplayError> {
    let there: HashSet<Read> = reads(other.0, other.1)?.into_iter().collect();
    let here = reads(one.0, one.1)?;
    Ok(here.into_iter().filter(|read| there.contains(read)).collect())
}

/// Loads that found this byte, and nothing else, where the program had put something else or nothing.
fn reads(run: &Run<'_>, byte: u8) -> Result<Vec<Read>, ReplayError> {
    let mut found = Vec::new();
    for window in 0..=run.last_window().0 {
        let own = None;
        let reads = Reads { functions: &run.functions, byte, found: Vec::new(), own };
        found.extend(run.replay(Window(window), reads)?.found);
        if found.len() >= MOST {
            break;
        }
    }
    Ok(found)
}

struct Reads<'a, 'r> {
    functions: &'a Functions<'r>,
    byte: u8,
    found: Vec<Read>,
    /// The latest step of the program's own code.
    own: Option<Step>,
}

impl Observer for Reads<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        if self.found.len() >= MOST {
            return;
        }
        let at = step.step();
        if !self.functions.is_twin(at.site.function) {
            self.own = Some(at);
        }
        if step.is_surprise
            && matches!(step.instruction().op, Op::Load { .. })
            && let [word] = step.result()
            && is_all(*word, self.byte)
            && let Some(on_behalf_of) = self.own
        {
            self.found.push(Read { at, on_behalf_of });
        }
    }
}

/// Whether a value of one, two, four or eight bytes has this byte everywhere.
fn is_all(value: u64, byte: u8) -> bool {
    let all = u64::from_le_bytes([byte; 8]);
    [1, 2, 4, 8].into_iter().any(|size| value == all >> (64 - size * 8))
}
