//! What must hold of the input for a run to go a wanted way, and inputs of which it holds.
//!
//! Conditions of the program's own branches up to the last choice that is wanted must hold. Those of library code, and
//! bindings of addresses, are given up where they stand in the way: with another input a number has more digits. The run
//! on the input that was found tells whether it still goes as is wanted.

use std::collections::HashSet;

use abi::StreamId;
use budget::Budget;
use execution::Functions;
use program::{Op, Type};
use recording::Recording;
use replay::{Image, Observed, Observer, ReplayError, Step, replay_window_inlined};
use smt::Term;
use symbolic::{Condition, Input, Kind, Other, Shadow, Shadowed, Symbol, Turn, Turned, Turner, Way};

use super::course::{Course, Own};
use crate::exploring::Reading;

/// The conditions of a run.
pub struct Conditions {
    shadowed: Shadowed,
    /// How many there are of the run; those behind them exclude answers.
    count: usize,
    /// Those of library code, and of how much is read.
    of_library: Vec<usize>,
    /// Of these, those of how much is read.
    of_reading: Vec<usize>,
    /// The first choice that was forced and hangs on no symbol.
    decided: Option<u64>,
    /// All of the input was followed, and nothing had to be bound or left to library code: what contradicts itself here does
    /// so for every input.
    pub is_exact: bool,
}

/// Conditions of reading that are turned besides those of library code, at most.
const MOST_READING: usize = 3;

/// What a solver makes of them.
pub enum Answer {
    Inputs(Vec<Input>),
    /// They contradict each other; the last one that is needed for that was met at this clock.
    Never(u64),
    Unknown,
}

/// From when to when conditions count, by the clock; both are included.
#[derive(Clone, Copy)]
pub struct Stretch {
    pub from: u64,
    pub to: u64,
}

impl Conditions {
    /// Those of a recorded run on an input. With `fresh`, the values of these steps are symbols of their own, as if they could be
    /// anything.
    pub fn of(
        (recording, course): (&Recording, &Course),
        reading: &Reading,
        input: &experiment::Input,
        stretch: Stretch,
        fresh: Option<&[Step]>,
        budget: &Budget,
    ) -> Result<Conditions, ReplayError> {
        let image = Image::within(recording, budget);
        let functions = Functions::new(&image);
        let mut shadow = Shadow::new(&functions, std::iter::empty(), reading.named(input), reading.limits);
        fresh.into_iter().flatten().for_each(|step| shadow.make_fresh(*step));
        let (_, shadow) = replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?;
        let mut shadowed = shadow.finish();
        let own = Own::new(&functions);
        let is_met = |one: &Condition| (stretch.from..=stretch.to).contains(&one.at.clock);
        let all = std::mem::take(&mut shadowed.path.conditions);
        let mut is_exact = shadowed.lost.is_empty() && shadowed.path.beyond == 0;
        let (mut of_library, mut of_reading) = (Vec::new(), Vec::new());
        for mut condition in all.into_iter().filter(is_met) {
            let must_hold = matches!(condition.kind, Kind::Branch | Kind::Switch | Kind::NoTrap);
            let is_own = own.has(condition.at.site.function);
            if !must_hold || !is_own {
                is_exact = false;
                let is_reading = matches!(condition.kind, Kind::Length | Kind::Extent);
                if (!is_own || is_reading) && !condition.others.is_empty() {
                    of_library.push(shadowed.path.conditions.len());
                    of_reading.extend(is_reading.then_some(shadowed.path.conditions.len()));
                }
                condition.kind = Kind::Pin;
            }
            shadowed.path.conditions.push(condition);
        }
        let count = shadowed.path.conditions.len();
        let conditions = &shadowed.path.conditions;
        let known: HashSet<Step> = conditions.iter().map(|one| one.at).collect();
        // A condition is noted once; so a later one that was forced as well may be the same.
        let noted = conditions.iter().find(|one| one.forced).map_or(stretch.to, |one| one.at.clock);
        // Of pointers, any state of the program is not known here.
        let choices = course.choices.iter().filter(|choice| choice.is_forced && fresh.is_none());
        let mut decided = choices.filter(|choice| choice.at.clock <= noted && !known.contains(&choice.at));
        let decided = decided.next().map(|choice| choice.at.clock);
        let mut conditions = Conditions { shadowed, count, of_library, of_reading, decided, is_exact };
        conditions.prefer_text();
        Ok(conditions)
    }

    /// Inputs with which library code goes another way before a clock; its latest choices first, so many at most. What the
    /// program's own code did before them stays.
    pub fn turn_library(
        &self,
        before: u64,
        most: usize,
        limits: smt::Limits,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Vec<Input>> {
        let mut turner = Turner::new(&self.shadowed, limits);
        let conditions = &self.shadowed.path.conditions;
        let is_before = |at: &&usize| conditions[**at].at.clock < before;
        // A longer input, too: what is short is soon read.
        let reading = self.of_reading.iter().rev().filter(is_before).take(MOST_READING);
        let others = self.of_library.iter().rev().filter(is_before).filter(|at| !self.of_reading.contains(at));
        let latest = others.take(most).chain(reading);
        let turned = latest.filter_map(|at| match turner.turn(Turn { condition: *at, other: 0 }, stop) {
            Turned::To(found) => Some(found.inputs),
            Turned::Never(_) | Turned::Unknown(_) => None,
        });
        turned.collect()
    }

    /// When the first choice was forced that hangs on no symbol.
    pub fn decided(&self) -> Option<u64> {
        self.decided
    }

    /// An input of which they hold, and not the same as those that were excluded.
    pub fn ask(&mut self, limits: smt::Limits, stop: &dyn Fn() -> bool) -> Answer {
        if let Some(clock) = self.decided {
            let conditions = &self.shadowed.path.conditions;
            let hangs_on_library = self.of_library.iter().any(|at| conditions[*at].at.clock <= clock);
            let is_lost = hangs_on_library || !self.shadowed.lost.is_empty();
            return if is_lost { Answer::Unknown } else { Answer::Never(clock) };
        }
        let holds = self.shadowed.domain.constant(1, 1);
        let Some(last) = self.shadowed.path.conditions.last().map(|last| last.at) else { return Answer::Unknown };
        // All that is there, and no turn behind it.
        let others = vec![Other { holds, way: Way::Elsewhere }];
        let end = Condition::added(last, Kind::Branch, holds, others);
        self.shadowed.path.conditions.push(end);
        let turn = Turn { condition: self.shadowed.path.conditions.len() - 1, other: 0 };
        let answer = Turner::new(&self.shadowed, limits).turn(turn, stop);
        self.shadowed.path.conditions.pop();
        match answer {
            Turned::To(found) => Answer::Inputs(found.inputs),
            Turned::Never(core) => {
                let steps = core.iter().filter(|at| **at < self.count);
                let clocks = steps.filter_map(|at| self.shadowed.path.conditions.get(*at)).map(|one| one.at.clock);
                clocks.max().map_or(Answer::Unknown, Answer::Never)
            }
            Turned::Unknown(_) => Answer::Unknown,
        }
    }

    /// Symbols that conditions are about which must hold.
    fn about(&self) -> Vec<smt::Symbol> {
        let conditions = &self.shadowed.path.conditions[..self.count];
        let mut about: Vec<smt::Symbol> = Vec::new();
        for condition in conditions.iter().filter(|one| one.kind != Kind::Pin) {
            self.shadowed.domain.with(|terms| about.extend_from_slice(&terms.symbols_of(condition.holds)));
        }
        about.sort_unstable();
        about.dedup();
        about
    }

    /// Bytes had better be what they were, or what a person can read and type.
    fn prefer_text(&mut self) {
        let Some(at) = self.shadowed.path.conditions.last().map(|last| last.at) else { return };
        for symbol in self.about() {
            let Some(Symbol::Byte { .. }) = self.shadowed.symbols.origin(symbol.0 as usize) else { continue };
            let readable = self.shadowed.domain.with(|terms| {
                let byte = terms.term_of(symbol)?;
                let now = terms.constant(8, terms.value(byte));
                let (first, behind) = (terms.constant(8, b' '.into()), terms.constant(8, 0x7f));
                let (is_now, is_before) = (terms.equal(byte, now), terms.less_unsigned(byte, first));
                let (is_not_before, is_below) = (terms.not(is_before), terms.less_unsigned(byte, behind));
                let is_text = terms.and(is_not_before, is_below);
                Some(terms.or(is_now, is_text))
            });
            let readable = readable.filter(|holds| !self.shadowed.domain.is_constant(*holds));
            let conditions = &mut self.shadowed.path.conditions;
            conditions.extend(readable.map(|holds| Condition::added(at, Kind::Pin, holds, Vec::new())));
        }
    }

    /// The next answer must have another byte than this one somewhere that conditions are about. False if there is no such
    /// byte.
    pub fn exclude(&mut self, inputs: &[Input]) -> bool {
        let about = self.about();
        let Shadowed { domain, symbols, path, .. } = &mut self.shadowed;
        let mut differs: Option<Term> = None;
        for symbol in about {
            let Some(Symbol::Byte { input, position }) = symbols.origin(symbol.0 as usize) else { continue };
            let Some(&byte) = inputs.get(input).and_then(|input| input.content.get(position as usize)) else {
                continue;
            };
            differs = domain.with(|terms| {
                let term = terms.term_of(symbol)?;
                let value = terms.constant(8, byte.into());
                let equal = terms.equal(term, value);
                let other = terms.not(equal);
                Some(match differs {
                    None => other,
                    Some(before) => terms.or(before, other),
                })
            });
        }
        let (Some(holds), Some(at)) = (differs, path.conditions.last().map(|last| last.at)) else { return false };
        path.conditions.push(Condition::added(at, Kind::Branch, holds, Vec::new()));
        true
    }
}

/// Numbers that the program's own code stored before a clock, the latest so many.
pub fn numbers_stored(
    recording: &Recording,
    before: u64,
    most: usize,
    budget: &Budget,
) -> Result<Vec<Step>, ReplayError> {
    let image = Image::within(recording, budget);
    let functions = Functions::new(&image);
    let stores = Stores { own: Own::new(&functions), before, found: Vec::new() };
    let mut found = replay_window_inlined(&image, StreamId::MAIN, None, None, stores)?.1.found;
    found.drain(..found.len().saturating_sub(most));
    Ok(found)
}

struct Stores<'f, 'r> {
    own: Own<'f, 'r>,
    before: u64,
    found: Vec<Step>,
}

impl Observer for Stores<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        if step.clock >= self.before {
            return;
        }
        let is_number = matches!(&step.instruction().op, Op::Store { value_type: Type::Int(1..=64), .. });
        if is_number && self.own.has(step.site().function) {
            self.found.push(step.step());
        }
    }
}
