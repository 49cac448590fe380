//! The report for scripts.

use serde::Serialize;

use experiment::End;

use super::{Answer, told};

#[derive(Serialize)]
struct Report<'a> {
    /// Whether what `--until` asks for was reached; without it, whether there are new inputs.
    reached: bool,
    inputs: Vec<Input>,
    runs: u64,
    recorded: u64,
    crashes: u64,
    wrong: u64,
    branches: Branches,
    solver: Solver,
    predictions: Predictions,
    /// Whether no branch is left to try.
    exhausted: bool,
    reasons: Vec<Reason<'a>>,
    /// Branches and inputs that were left out.
    left_out: LeftOut,
    limits: Vec<String>,
    seconds: f64,
}

#[derive(Serialize)]
struct Input {
    number: usize,
    /// The input that it was made from; none for the given one.
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    outcome: String,
    new_branches: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
}

#[derive(Serialize)]
struct Branches {
    given: usize,
    all: usize,
}

#[derive(Serialize)]
struct Solver {
    questions: u64,
    seconds: f64,
    impossible: u64,
    undecided: u64,
}

#[derive(Serialize)]
struct Predictions {
    made: u64,
    came: u64,
    /// Of those where nothing had been lost or given up before.
    exact_made: u64,
    exact_came: u64,
}

#[derive(Serialize)]
struct Reason<'a> {
    function: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    reason: &'static str,
    message: String,
    count: u64,
    runs: u64,
}

#[derive(Serialize)]
struct LeftOut {
    alike: u64,
    forgotten: u64,
    duplicates: u64,
    departed: u64,
}

pub fn text(answer: &Answer<'_>) -> String {
    let found = answer.found;
    let tally = &found.tally;
    let inputs = found.kept.iter().enumerate().map(|(number, kept)| Input {
        number,
        parent: kept.parent,
        status: if let End::Exited(status) = kept.end { Some(status) } else { None },
        signal: if let End::Killed(signal) = kept.end { Some(signal) } else { None },
        outcome: told::outcome(kept.outcome),
        new_branches: kept.new_ways,
        folder: answer.folder(number).map(|folder| folder.display().to_string()),
    });
    let reasons = tally.lost.iter().map(|((place, reason), lost)| Reason {
        function: &place.function,
        file: place.file.as_ref().map(|(file, _)| file.as_str()),
        line: place.file.as_ref().map(|(_, line)| *line),
        reason: told::key(reason),
        message: told::spoken(reason),
        count: lost.count,
        runs: lost.runs,
    });
    let report = Report {
        reached: answer.reached,
        inputs: inputs.collect(),
        runs: tally.runs,
        recorded: tally.recorded,
        crashes: tally.crashes,
        wrong: tally.wrong,
        branches: Branches { given: found.covered_first, all: found.covered.len() },
        solver: Solver {
            questions: tally.questions,
            seconds: tally.solving,
            impossible: tally.never,
            undecided: tally.unknown,
        },
        predictions: Predictions {
            made: tally.predicted,
            came: tally.came,
            exact_made: tally.exact_predicted,
            exact_came: tally.exact_came,
        },
        exhausted: found.is_exhausted,
        reasons: reasons.collect(),
        left_out: LeftOut {
            alike: tally.alike,
            forgotten: tally.forgotten,
            duplicates: tally.duplicates,
            departed: tally.departed,
        },
        limits: answer.lab.shortcomings().into_iter().chain(tally.troubles.keys().cloned()).collect(),
        seconds: answer.seconds,
    };
    // Plain data with names for keys.
    serde_json::to_string_pretty(&report)
        .map_or_else(|error| format!("{{\"error\":\"{error}\"}}\n"), |text| text + "\n")
}
