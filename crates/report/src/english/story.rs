//! What only a page shows.

use findings::Failure;
use findings::story::{ChangeTold, Changed, ExperimentTold, OracleTold, Standing, VertexTold};

use super::change::edited;
use super::counted;
use super::failure::failure;

/// What a right run is like.
pub fn oracle(oracle: OracleTold) -> &'static str {
    match (oracle.output, oracle.status, oracle.check) {
        (true, true, _) => "a run with the expected output and exit status",
        (true, false, false) => "a run with the expected output",
        (true, false, true) => "a run with the expected output that passes the check",
        (false, true, false) => "a run with the expected exit status",
        (false, true, true) => "a run with the expected exit status that passes the check",
        (false, false, true) => "a run that passes the check",
        (false, false, false) => "a run that ends, and is not killed",
    }
}

/// The run beside the failing one, as a heading.
pub fn other_run(changes: u64) -> String {
    format!("An experiment, with {}", counted(changes, "change"))
}

/// What an experiment changed.
pub fn changed(experiment: &ExperimentTold) -> String {
    let done = match &experiment.change {
        ChangeTold::Made { changed, value } => format!("{} made {}", name(changed), value.0),
        ChangeTold::Edited { edit } => edited(edit),
        ChangeTold::Memory { changed } => format!("memory changed before {}", name(changed)),
        ChangeTold::Forced { changed, choices } => {
            format!("the way from {} on forced for {}", name(changed), counted(*choices, "choice"))
        }
        ChangeTold::Stopped { changed } => format!("the run ended at {}", name(changed)),
    };
    match experiment.others {
        0 => done,
        others => format!("{done}, and {}", counted(others, "more change")),
    }
}

fn name(changed: &Changed) -> String {
    match changed {
        Changed::Expression(of) => format!("`{}`", of.0),
        Changed::Switch(of) => format!("the switch on `{}`", of.0),
        Changed::Unnamed => "the value".into(),
    }
}

/// What a step of the graph did; of the one that failed, how.
pub fn vertex(vertex: &VertexTold, failed: Option<&Failure>) -> String {
    match (&vertex.text, failed) {
        (Some(text), _) => text.clone(),
        (None, Some(of)) if vertex.standing == Standing::Failure => failure(of),
        (None, _) => "control passed here".into(),
    }
}
