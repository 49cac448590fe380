//! The way from a cause to the failure.
//!
//! The shortest way along dependences, with values. Steps of one line that follow each other are one link, and where the
//! way comes back to a line, the round it made is left out: a reader follows a loop once.

use std::collections::BTreeSet;

use execution::dependence::Kind;
use findings::{Deed, Joint, Link, Location};
use replay::Step;

use subject::Passage;
use subject::place::{is_common_end, own_location};
use subject::telling::deed::{deeds, did};
use subject::telling::failure;
use subject::{Subject, Suspect, TechniqueError};

/// Links told; of a longer way the middle is left out.
const MOST: usize = 12;

/// A line on the way.
#[derive(Clone)]
struct Stage {
    location: Location,
    /// The step that is told.
    step: Step,
    /// How the way came here.
    by: Option<Kind>,
    /// It came here more often.
    again: u32,
    /// Lines left out before it.
    left_out: usize,
}

/// From the step of a suspect to the failure, which is the last link. Without a suspect, or without a way from it, only the
/// failure is told.
pub fn chain(subject: &Subject<'_, '_>, cause: Option<&Suspect>) -> Result<Vec<Passage>, TechniqueError> {
    let last = failure::link(subject)?;
    let mut stages = match cause {
        Some(cause) => stages(subject, cause)?,
        None => Vec::new(),
    };
    // The failure is a link of its own, with what was done there.
    let is_end = |stage: &Stage| last.as_ref().is_some_and(|last| is_same_line(&last.link.location, &stage.location));
    if stages.len() > 1 && stages.last().is_some_and(is_end) {
        stages.pop();
    }
    shorten(&mut stages, MOST - 1);
    let steps: BTreeSet<Step> = stages.iter().map(|stage| stage.step).collect();
    let known = deeds(subject.run, subject.sources, &steps)?;
    let mut passages: Vec<Passage> = stages
        .iter()
        .map(|stage| Passage {
            link: link(stage, known.get(&stage.step)),
            step: stage.step,
            by: stage.by.filter(|_| stage.left_out == 0),
        })
        .collect();
    passages.extend(last);
    Ok(passages)
}

/// A way that compares two runs, with the lines between its links that only the failing run executed, where the way along
/// dependences leads by all of its own.
pub fn filled(way: Vec<Passage>, along: Vec<Passage>) -> Vec<Passage> {
    let mut between = along.iter();
    let leads_by = |passage: &Passage, rest: &mut std::slice::Iter<'_, Passage>| {
        rest.any(|other| is_same_line(&other.link.location, &passage.link.location))
    };
    if !way.iter().all(|passage| leads_by(passage, &mut between)) {
        return way;
    }
    let mut way = way.into_iter().peekable();
    let known = |passage: Passage| {
        let is_here = |next: &Passage| is_same_line(&next.link.location, &passage.link.location);
        way.next_if(is_here).unwrap_or(passage)
    };
    along.into_iter().map(known).collect()
}

fn is_same_line(one: &Location, other: &Location) -> bool {
    (&one.file, one.line) == (&other.file, other.line)
}

/// The lines on the shortest way from any step of a suspect that has one.
fn stages(subject: &Subject<'_, '_>, cause: &Suspect) -> Result<Vec<Stage>, TechniqueError> {
    let nearness = subject.nearness()?;
    let start = cause.steps.iter().filter_map(|step| nearness.vertex(*step)).next();
    let Some(start) = start else { return Ok(Vec::new()) };
    let way = nearness.way(start).unwrap_or_default();
    let first = Stage {
        location: cause.finding.location.clone(),
        step: nearness.graph.step(start),
        by: None,
        again: 0,
        left_out: 0,
    };
    let mut stages = vec![first];
    for edge in way {
        let step = nearness.graph.step(edge.to);
        if nearness.is_twin(edge.to) || is_common_end(subject.run, step) {
            continue;
        }
        // The arrival of a parameter is told by the call.
        let Some(location) = own_location(subject.run, step) else { continue };
        let is_here = |stage: &Stage| is_same_line(&stage.location, &location);
        match stages.iter().position(is_here) {
            Some(0) => {
                stages.truncate(1);
                stages[0].again += 1;
            }
            Some(known) => {
                // Another step of the same line in a row is no return to it.
                let is_return = known + 1 < stages.len();
                stages.truncate(known + 1);
                let stage = &mut stages[known];
                (stage.step, stage.again) = (step, stage.again + u32::from(is_return));
            }
            None => stages.push(Stage { location, step, by: Some(edge.kind), again: 0, left_out: 0 }),
        }
    }
    Ok(stages)
}

/// Leaves out the middle.
fn shorten(stages: &mut Vec<Stage>, most: usize) {
    if stages.len() > most {
        let count = stages.len() - most;
        let from = most / 2;
        stages.drain(from..from + count);
        stages[from].left_out = count;
    }
}

fn link(stage: &Stage, deed: Option<&Deed>) -> Link {
    let joint = match (stage.left_out, stage.by) {
        (0, None) => Joint::None,
        (0, Some(Kind::Data)) => Joint::Data,
        (0, Some(Kind::Control)) => Joint::Control,
        (steps, _) => Joint::LeftOut { steps: steps as u64 },
    };
    // Where lines are left out, rounds are, too.
    let rounds = if stage.left_out > 0 { 0 } else { stage.again };
    Link { location: stage.location.clone(), joint, claim: did(deed), rounds }
}
