//! Every branch of a run turned, solved and run; and whether the runs went where they were predicted to go.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use experiment::{Input, Lab, Trial};
use symbolic::{Found, Name, Predicted, Shadowed, Turn, Turned, Turner, Went};

use super::{Bound, Row, shadowed};

/// Inputs that are run at a time.
const BATCH: usize = 64;
/// Turns of gzip that are looked at: each takes a recording.
const SOME: usize = 120;
/// How often a run that went another way is led back.
const REPAIRS: usize = 12;

const QUESTION: smt::Limits = smt::Limits { conflicts: 20_000, time: Duration::from_secs(1), bytes: 1 << 29 };

pub fn parser(lab: &Lab) -> Result<Vec<Row>> {
    let input = Input::of(lab.case(), &[])?;
    // The first run starts a server.
    lab.run_input(&input, &[])?;
    let begun = Instant::now();
    let run = shadowed(&lab.baseline().recording, &input.stdin, |_| {})?;
    let mut turner = Turner::new(&run, QUESTION);
    let turns: Vec<Turn> = turner.turns(0).collect();
    let (mut found, mut times, mut batch) = (Vec::new(), Vec::new(), Vec::new());
    let mut ran = 0;
    for &turn in &turns {
        let asked = Instant::now();
        let turned = turner.turn(turn, &|| false);
        times.push(asked.elapsed());
        let Turned::To(one) = turned else { continue };
        let changed = given(&input, &one);
        batch.push(Trial::from(changed.clone()));
        found.push((turn, changed, one.given_up));
        if batch.len() == BATCH {
            ran += try_all(lab, &mut batch)?;
        }
    }
    ran += try_all(lab, &mut batch)?;
    let seconds = begun.elapsed().as_secs_f64();
    times.sort_unstable();
    let solving: Duration = times.iter().sum();
    let median = times.get(times.len() / 2).context("the parser has no branches")?.as_secs_f64();
    let (mut predicted, mut came) = (0, 0);
    for (turn, changed, given_up) in &found {
        let Some(prediction) = turner.predicted(*turn).filter(|_| *given_up == 0 && run.lost.is_empty()) else {
            continue;
        };
        predicted += 1;
        came += usize::from(prediction.has_turned(&followed(lab, changed, &prediction)?));
    }
    let share = 100.0 * came as f64 / predicted.max(1) as f64;
    let told = |what: &str, number: f64, unit, bound| Row::new(format!("the parser: {what}"), number, unit, bound);
    Ok(vec![
        told("turns", turns.len() as f64, "", Bound::None),
        told("turned, solved and run", ran as f64, "", Bound::None),
        told("turned, solved and run, per second and core", ran as f64 / seconds, "/s", Bound::AtLeast(1000.0)),
        told("solved, per second and core", turns.len() as f64 / solving.as_secs_f64(), "/s", Bound::None),
        told("a query, median", 1e3 * median, "ms", Bound::AtMost(0.2)),
        told("predictions where nothing was lost", predicted as f64, "", Bound::None),
        told("of these, came true", share, "%", Bound::AtLeast(100.0)),
    ])
}

fn try_all(lab: &Lab, batch: &mut Vec<Trial>) -> Result<usize> {
    let tried = lab.try_inputs(batch, |_, _| ControlFlow::Continue(()))?;
    batch.clear();
    Ok(tried.runs)
}

/// Addresses of gzip depend on its input everywhere, so they are given up where they are in the way.
pub fn gzip(lab: &Lab) -> Result<Vec<Row>> {
    let input = Input::of(lab.case(), &[])?;
    let run = shadowed(&lab.baseline().recording, &input.stdin, |_| {})?;
    let mut turner = Turner::new(&run, QUESTION);
    let turns: Vec<Turn> = turner.turns(0).collect();
    let (mut asked, mut at_once, mut repaired, mut solved, mut repairs) = (0, 0, 0, 0, 0);
    let mut times = Vec::new();
    for &turn in turns.iter().step_by(turns.len().div_ceil(SOME).max(1)) {
        let Some(prediction) = turner.predicted(turn) else { continue };
        asked += 1;
        let begun = Instant::now();
        let turned = turner.turn(turn, &|| false);
        times.push(begun.elapsed());
        let Turned::To(found) = turned else { continue };
        solved += 1;
        let mut changed = given(&input, &found);
        let mut other = followed(lab, &changed, &prediction)?;
        at_once += usize::from(prediction.has_turned(&other));
        for _ in 0..REPAIRS {
            if prediction.has_turned(&other) {
                break;
            }
            let Went::Elsewhere { conditions, wanted } = prediction.compare(&other) else { break };
            let mut turner = Turner::new(&other, QUESTION);
            let Turned::To(found) = turner.satisfy(conditions, &[wanted], &|| false) else { break };
            repairs += 1;
            changed = given(&changed, &found);
            other = followed(lab, &changed, &prediction)?;
        }
        repaired += usize::from(prediction.has_turned(&other));
    }
    times.sort_unstable();
    let median = times.get(times.len() / 2).map_or(0.0, Duration::as_secs_f64);
    let share = |came: usize| 100.0 * came as f64 / f64::from(solved.max(1));
    let told = |what: &str, number: f64, unit, bound| Row::new(format!("gzip -c: {what}"), number, unit, bound);
    Ok(vec![
        told("turns that were looked at", f64::from(asked), "", Bound::None),
        told("of these, solved", f64::from(solved), "", Bound::None),
        told("a query, median", 1e3 * median, "ms", Bound::None),
        told("of the solved, came true at once", share(at_once), "%", Bound::None),
        told("questions asked to lead runs back", f64::from(repairs), "", Bound::None),
        told("of the solved, came true, led back by the run", share(repaired), "%", Bound::AtLeast(80.0)),
    ])
}

/// The input with what was found for standard input.
fn given(input: &Input, found: &Found) -> Input {
    let standard = found.inputs.iter().find(|one| one.name == Name::Standard);
    input.clone().with_stdin(standard.map_or_else(Vec::new, |one| one.content.clone()))
}

/// A run on another input, recorded and replayed.
fn followed(lab: &Lab, input: &Input, prediction: &Predicted) -> Result<Shadowed> {
    let (_, path) = lab.record_input(input, &[])?;
    let shadowed = shadowed(&path, &input.stdin, |shadow| prediction.watch(shadow))?;
    std::fs::remove_file(&path)?;
    Ok(shadowed)
}
