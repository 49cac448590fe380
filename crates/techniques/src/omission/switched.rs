//! One experiment: the run again with a predicate the other way, and what it shows of the uses that may depend on it
//! (the paper's `VerifyDep`).
//!
//! All uses that potentially depend on the predicate are looked at with the one run.

use std::collections::{HashMap, HashSet};

use abi::StreamId;
use execution::Run;
use execution::dependence::{Demand, Follow, Mark, Moment, Root, Slot, Source, Walk, Wish};
use execution::index::{Index, partners_of};
use execution::output::{Outputs, Target};
use execution::region::within;
use execution::slice::walk_back_from_roots;
use experiment::{End, Intervention, Ran};
use findings::Location;
use program::Op;
use recording::Recording;
use replay::Image;

use super::outputs::writings;
use crate::place::location;
use crate::{Subject, TechniqueError};
use execution::noted::{Noted, note};

/// What a switched run shows.
#[derive(Debug)]
pub struct Switched {
    /// The wrong output came out as expected, or the run passed.
    pub is_strong: bool,
    /// It satisfies the oracle.
    pub passes: bool,
    /// Each use that was asked about.
    pub uses: HashMap<Moment, Shown>,
}

/// What became of a use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// It was not executed.
    Missing,
    /// What it found was made in the region of the switched predicate.
    Redefined {
        /// Where that was made.
        by: Option<Location>,
        /// What it found.
        value: Option<u64>,
    },
    /// Nothing.
    Unaffected,
}

impl Shown {
    /// Whether this shows an implicit dependence (definition 2, with an edge for the path).
    pub fn is_dependence(&self) -> bool {
        *self != Shown::Unaffected
    }
}

/// What is asked of a switched run.
pub struct Inquiry<'a> {
    /// The first predicate that is switched; what it leads to is its region.
    pub predicate: Moment,
    pub experiment: &'a [Intervention],
    /// Uses, by the indices they have in the failing run.
    pub uses: &'a HashMap<Moment, Index>,
    /// One that is about a place in the output.
    pub place: Option<OutputPlace>,
}

/// The place in the output where it went wrong. Whatever writes before it moves it, so it depends on that like on a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputPlace {
    /// Where this call wrote.
    Of(Moment),
    /// The end, where something is missing; this step stands for it.
    End(Moment),
}

impl OutputPlace {
    /// The use that stands for it.
    pub fn user(self) -> Moment {
        match self {
            OutputPlace::Of(at) | OutputPlace::End(at) => at,
        }
    }
}

/// Makes the run, recorded, and looks. `None` if it did not do as it was told.
pub fn verify(subject: &Subject<'_, '_>, inquiry: &Inquiry<'_>) -> Result<Option<Switched>, TechniqueError> {
    with_switched(subject, inquiry.experiment, |run, ran| {
        let passes = subject.lab.judge(inquiry.experiment, ran)? == experiment::Outcome::Passes;
        let is_strong = passes || is_as_expected(subject, ran);
        let uses = look(inquiry, run, ran)?;
        Ok(Switched { is_strong, passes, uses })
    })
}

/// Opens the recording of a switched run. `None` if it did not do as it was told.
pub fn with_switched<T>(
    subject: &Subject<'_, '_>,
    experiment: &[Intervention],
    look: impl FnOnce(&Run<'_>, &Ran) -> Result<T, TechniqueError>,
) -> Result<Option<T>, TechniqueError> {
    let (ran, path) = subject.lab.record(experiment)?;
    if (ran.obeyed as usize) < experiment.len() || ran.was_refused {
        return Ok(None);
    }
    let recording = Recording::open(&path)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId(1))?;
    let found = look(&run, &ran)?;
    // Only what was seen of it is needed from now on.
    let _ = std::fs::remove_file(&path);
    Ok(Some(found))
}

/// Whether the output of a run is right as far as the word in which that of the failing run went wrong (definition 4).
pub fn is_as_expected(subject: &Subject<'_, '_>, ran: &Ran) -> bool {
    let Some(expected) = &subject.lab.oracle().output else { return false };
    let failing = &subject.lab.baseline().ran.output;
    right_through_wrong_word(failing, expected, &ran.output)
}

fn right_through_wrong_word(failing: &[u8], expected: &[u8], output: &[u8]) -> bool {
    let wrong = failing.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let end = expected[wrong..].iter().position(u8::is_ascii_whitespace).map_or(expected.len(), |at| wrong + at + 1);
    match expected.get(..end).filter(|part| part.len() > wrong) {
        Some(part) => output.starts_with(part),
        // The failing run wrote too much.
        None => output == expected,
    }
}

fn look(inquiry: &Inquiry<'_>, run: &Run<'_>, ran: &Ran) -> Result<HashMap<Moment, Shown>, TechniqueError> {
    let partners = partners_of(run, inquiry.uses)?;
    let place = inquiry.place.map(OutputPlace::user);
    // Of a run that was cut short nobody knows what would have come.
    let absent = if matches!(ran.end, End::Exited(_)) { Shown::Missing } else { Shown::Unaffected };
    let of = |user: &Moment| if partners.contains_key(user) { Shown::Unaffected } else { absent.clone() };
    let mut shown: HashMap<Moment, Shown> = inquiry.uses.keys().map(|user| (*user, of(user))).collect();
    let mut loads: HashMap<Moment, Moment> = HashMap::new();
    loads.extend(partners.iter().filter(|(user, _)| Some(**user) != place).map(|(user, partner)| (*user, *partner)));
    let values = note(run, &loads.values().copied().collect())?;
    let found = definers(run, &values)?;
    let mut definers: HashMap<Moment, Vec<Moment>> = HashMap::new();
    for (user, partner) in &loads {
        definers.insert(*user, found.get(partner).cloned().unwrap_or_default());
    }
    let before = match inquiry.place {
        Some(OutputPlace::Of(writer)) => match partners.get(&writer) {
            Some(partner) => written_before(run, partner.clock)?,
            None => None,
        },
        Some(OutputPlace::End(_)) => written_before(run, u64::MAX)?,
        None => None,
    };
    if let (Some(user), Some(before)) = (place, before) {
        definers.insert(user, vec![before]);
    }
    let all: HashSet<Moment> = definers.values().flatten().copied().collect();
    let inside = within(run, inquiry.predicate, &all)?;
    for (user, definers) in definers {
        if let Some(&by) = definers.iter().find(|definer| inside.contains(definer)) {
            let value = loads.get(&user).and_then(|partner| values.get(partner)).and_then(|noted| noted.result);
            shown.insert(user, Shown::Redefined { by: seen(run, by).and_then(|by| location(run, by)), value });
        }
    }
    Ok(shown)
}

/// What to show of a step; nothing where people do not want to look.
fn seen(run: &Run<'_>, at: Moment) -> Option<Moment> {
    (!run.functions.is_twin(at.function)).then_some(at)
}

/// The call that wrote to standard output last before this clock.
fn written_before(run: &Run<'_>, clock: u64) -> Result<Option<Moment>, TechniqueError> {
    let outputs = Outputs::of(run)?;
    let calls = outputs.calls().iter().filter(|call| call.target == Target::Output && call.length > 0);
    let Some(last) = calls.take_while(|call| call.at.clock < clock).last() else { return Ok(None) };
    // As the program called it, if that is known.
    let seen = writings(run, &outputs)?;
    let own = seen.iter().find(|one| (one.first..one.first + one.length).contains(&last.first));
    Ok(Some(own.map_or(last.at, |own| own.at)))
}

/// For each load or copy, the steps that defined what it found.
fn definers(run: &Run<'_>, uses: &HashMap<Moment, Noted>) -> Result<HashMap<Moment, Vec<Moment>>, TechniqueError> {
    let mut demand =
        Definers { run, marks: HashMap::new(), loads: Vec::new(), both: Vec::new(), found: HashMap::new() };
    let mut roots = Vec::new();
    for (&at, noted) in uses {
        let op = &run.functions.function(at.function).instruction(at.instruction).op;
        let wish = match (op, &noted.operands[..]) {
            (Op::Load { .. }, _) => Wish::Result,
            (_, &[_, address, length, ..]) => Wish::Memory { address, length },
            _ => continue,
        };
        let mark = demand.mark(at);
        roots.push(Root { at, wishes: vec![wish], mark });
    }
    let walk = Walk::new(&run.functions, Follow::Data, demand);
    Ok(walk_back_from_roots(run, roots, walk)?.demand.found)
}

/// Stops at the first definition.
struct Definers<'a, 'r> {
    run: &'a Run<'r>,
    marks: HashMap<Moment, Mark>,
    /// By mark, from 1 on.
    loads: Vec<Option<Moment>>,
    both: Vec<(Mark, Mark)>,
    found: HashMap<Moment, Vec<Moment>>,
}

impl Definers<'_, '_> {
    fn mark(&mut self, load: Moment) -> Mark {
        self.loads.push(Some(load));
        self.both.push((Mark::NOBODY, Mark::NOBODY));
        let mark = Mark(self.loads.len() as u32);
        self.marks.insert(load, mark);
        mark
    }
}

impl Demand for Definers<'_, '_> {
    fn pass(&mut self, at: Moment, _: Slot, _: Mark) -> Mark {
        // What makes the address of a load is not what it found.
        self.marks.get(&at).copied().unwrap_or(Mark::NOBODY)
    }

    fn meet(&mut self, at: Moment, _: Slot, data: Mark, _: Mark) -> Mark {
        let is_return = {
            let op = &self.run.functions.function(at.function).instruction(at.instruction).op;
            matches!(op, Op::Return { .. })
        };
        let mut open = vec![data];
        while let Some(mark) = open.pop().filter(|_| !is_return) {
            let Some(place) = (mark.0 as usize).checked_sub(1) else { continue };
            match self.loads[place] {
                Some(load) => self.found.entry(load).or_default().push(at),
                None => open.extend([self.both[place].0, self.both[place].1]),
            }
        }
        Mark::NOBODY
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        self.loads.push(None);
        self.both.push((a, b));
        Mark(self.loads.len() as u32)
    }

    fn end(&mut self, _: Source, _: Mark) {}
}

#[cfg(test)]
mod tests {
    use super::right_through_wrong_word;

    #[test]
    fn the_word_that_was_wrong_must_be_right() {
        let is_right = |output: &str| right_through_wrong_word(b"a 17 b\n", b"a 12 c\n", output.as_bytes());
        assert!(is_right("a 12 c\n") && is_right("a 12 b\n"));
        assert!(!is_right("a 17 c\n") && !is_right("a 121 c\n") && !is_right("b 12 c\n"));
        // What is missing, and what is too much.
        assert!(right_through_wrong_word(b"a\n", b"a\nb\n", b"a\nb\nc"));
        assert!(!right_through_wrong_word(b"a\n", b"a\nb\n", b"a\n"));
        assert!(right_through_wrong_word(b"a\nb\n", b"a\n", b"a\n"));
        assert!(!right_through_wrong_word(b"a\nb\n", b"a\n", b"a\nc"));
    }
}
