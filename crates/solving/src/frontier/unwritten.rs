//! Choices because of which nothing else was written before the wrong output. Where the output stands is a state, too, though no
//! variable of the program's has it: whatever writes defines it, and the wrong output uses it. So a choice between the last
//! call that wrote and the one that wrote what is wrong has a summary control dependence, if it could have let something be
//! written.

use std::collections::HashSet;

use execution::Run;
use execution::criterion::Criterion;
use failure::output::{Outputs, Target};
use failure::{Failure, WritingCode};
use program::{Edge, Op};
use replay::{Observed, Observer, Step};

use subject::{Subject, TechniqueError};

/// Choices that are looked at: the latest.
const MOST: usize = 400;

/// A choice, with the way it went.
struct Choice {
    at: Step,
    taken: Edge,
}

pub fn unwritten(subject: &Subject<'_, '_>) -> Result<HashSet<Step>, TechniqueError> {
    let run = subject.run;
    let (Failure::WrongByte { .. }, Criterion::Step { at, .. }) =
        (&subject.question.failure, &subject.question.criterion)
    else {
        return Ok(HashSet::new());
    };
    let outputs = Outputs::of(run)?;
    let before = outputs.calls().iter().filter(|call| call.target == Target::Output && call.at.clock < at.clock);
    let since = before.map(|call| call.at.clock).max().unwrap_or(0);
    let mut all: Vec<Choice> = Vec::new();
    for window in (run.window_at(since).0..=run.window_at(at.clock).0).rev() {
        let choices = Choices { run, since, until: *at, found: Vec::new() };
        let found = run.replay(execution::Window(window), choices)?.found;
        all.splice(0..0, found);
        if all.len() >= MOST {
            break;
        }
    }
    let mut writing = WritingCode::default();
    all.retain(|choice| could_write(run, &mut writing, choice));
    let nested = |outer: &Choice, inner: &Choice| {
        let function = outer.at.site.function;
        let shape = run.functions.shape(function);
        let block = shape.block_of(inner.at.site.instruction);
        inner.at.site.function == function
            && inner.at.depth == outer.at.depth
            && shape.control.controlled_by(outer.taken).contains(&block)
    };
    // Where something nested in a choice has the dependence itself, control dependences lead there.
    let is_kept = |at: usize| !all[at + 1..].iter().any(|inner| nested(&all[at], inner));
    let first = all.len().saturating_sub(MOST);
    Ok((first..all.len()).filter(|at| is_kept(*at)).map(|at| all[at].at).collect())
}

fn could_write(run: &Run<'_>, writing: &mut WritingCode, choice: &Choice) -> bool {
    let function = choice.at.site.function;
    let shape = run.functions.shape(function);
    let Edge { from, to } = choice.taken;
    let others = shape.cfg.successors(from).iter().filter(|&&other| other != to);
    others.into_iter().any(|&to| writing.far_behind(run, function, Edge { from, to }))
        && !writing.far_behind(run, function, choice.taken)
}

struct Choices<'a, 'r> {
    run: &'a Run<'r>,
    since: u64,
    until: Step,
    found: Vec<Choice>,
}

impl Observer for Choices<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        let taken = match &step.instruction().op {
            Op::Branch { condition, then, otherwise } => {
                let word = step.went_on_with(condition).first().copied().unwrap_or(0);
                if word & 1 != 0 { *then } else { *otherwise }
            }
            Op::Switch { value, cases, default, .. } => {
                let word = step.went_on_with(value).first().copied().unwrap_or(0);
                cases.iter().find(|case| case.0 == word).map_or(*default, |case| case.1)
            }
            _ => return,
        };
        let at = step.step();
        let is_between = (self.since..=self.until.clock).contains(&at.clock);
        if is_between && !self.run.functions.is_twin(at.site.function) {
            let from = self.run.functions.shape(at.site.function).block_of(at.site.instruction);
            self.found.push(Choice { at, taken: Edge { from, to: taken } });
        }
    }
}
