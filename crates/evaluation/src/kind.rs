//! How a fault keeps code from running that should run: the kinds of omissions in `omissions.toml`.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A flag is set wrongly, or not set, far from where it keeps code from running.
    FlagFarAway,
    /// What the user asked for does not reach the code that should do it.
    OptionIgnored,
    LoopLeftEarly,
    InitialisationSkipped,
    /// An else branch or a case is missing, or never taken.
    MissingElse,
    /// What holds when nothing else is said.
    WrongDefault,
}

impl Kind {
    pub const ALL: [Kind; 6] = [
        Kind::FlagFarAway,
        Kind::OptionIgnored,
        Kind::LoopLeftEarly,
        Kind::InitialisationSkipped,
        Kind::MissingElse,
        Kind::WrongDefault,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Kind::FlagFarAway => "flag far away",
            Kind::OptionIgnored => "option ignored",
            Kind::LoopLeftEarly => "loop left early",
            Kind::InitialisationSkipped => "initialisation skipped",
            Kind::MissingElse => "missing else",
            Kind::WrongDefault => "wrong default",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Kind;

    #[test]
    fn names_are_what_files_have() {
        for kind in Kind::ALL {
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.name().replace(' ', "-")));
        }
    }
}
