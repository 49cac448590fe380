//! What to do about an error: a sentence for those that say only what is wrong.

use experiment::{CaseError, LabError};

/// The error, with what to do about it.
pub fn advised(error: anyhow::Error) -> anyhow::Error {
    let advice = advice(&error);
    match advice {
        Some(advice) => anyhow::anyhow!("{error:#}; {advice}"),
        None => error,
    }
}

fn advice(error: &anyhow::Error) -> Option<&'static str> {
    if let Some(error) = error.downcast_ref::<CaseError>() {
        return match error {
            CaseError::NoSuchProgram(_) => Some("name it after `--`, as a shell would find it, for example ./prog"),
            CaseError::Input { .. } => Some("--stdin takes a file"),
            CaseError::NotADirectory(_) => None,
        };
    }
    match error.downcast_ref::<LabError>()? {
        LabError::Flaky(_) => Some(
            "use an input that always fails, and remove what differs from run to run: threads that race, addresses that \
             are printed or compared, memory that is read before it is written",
        ),
        LabError::CannotTell => Some("make the check exit with 0 for a correct run and with 1 for a wrong one"),
        _ => None,
    }
}
