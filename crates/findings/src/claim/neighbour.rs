//! The nearest run that succeeds, and what became of others on the way to it.

use serde::Serialize;

/// What makes the nearest run succeed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Near {
    /// It has the failing run's input; its conditions were forced.
    pub is_same_input: bool,
    /// Where its input is another one.
    pub changes: Vec<InputChange>,
    /// How many conditions go another way in it.
    pub conditions: u64,
}

/// A place of an input that has something else.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct InputChange {
    pub place: InputPlace,
    /// Of a text with several lines.
    pub line: Option<u64>,
    pub from: String,
    pub to: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "place", rename_all = "kebab-case")]
pub enum InputPlace {
    Standard,
    /// Counted from 1.
    Argument {
        position: u64,
    },
    File {
        name: String,
    },
    /// Of the environment.
    Variable {
        name: String,
    },
}

/// What was judged to find it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbouring {
    OtherInput,
    /// The failing input, forced along other paths.
    SameInput,
}

/// Why a path was not examined to the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unexamined {
    /// No input was found, and none was ruled out.
    Undecided,
    /// A run could not be kept on it.
    Lost,
    /// There were too many with the same reversed conditions.
    TooMany,
    /// It was ruled out only as long as library code, and reading, go as they went.
    AsFarAsLibrary,
    /// Its run could not be made or replayed.
    NotRun,
    /// Evaluations of loop conditions are not reversed.
    OfLoops,
}
