//! What kinds of faults there are, as the papers tell them apart.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// A condition that is neither weaker nor stronger than the right one.
    WrongCondition,
    /// It holds more often than it should.
    RelaxedCondition,
    /// It holds less often than it should.
    TightenedCondition,
    WrongAssignment,
    WrongConstant,
    WrongInitialisation,
    MissingCode,
    SuperfluousCode,
    /// Right code in the wrong place or order.
    MisplacedCode,
    /// One mistake that several lines share.
    MultiLine,
    /// Several mistakes that have nothing to do with each other.
    Several,
}

impl Class {
    pub const ALL: [Class; 11] = [
        Class::WrongCondition,
        Class::RelaxedCondition,
        Class::TightenedCondition,
        Class::WrongAssignment,
        Class::WrongConstant,
        Class::WrongInitialisation,
        Class::MissingCode,
        Class::SuperfluousCode,
        Class::MisplacedCode,
        Class::MultiLine,
        Class::Several,
    ];

    /// As in `faults.toml`.
    pub fn key(self) -> String {
        self.name().replace(' ', "-")
    }

    pub fn name(self) -> &'static str {
        match self {
            Class::WrongCondition => "wrong condition",
            Class::RelaxedCondition => "relaxed condition",
            Class::TightenedCondition => "tightened condition",
            Class::WrongAssignment => "wrong assignment",
            Class::WrongConstant => "wrong constant",
            Class::WrongInitialisation => "wrong initialisation",
            Class::MissingCode => "missing code",
            Class::SuperfluousCode => "superfluous code",
            Class::MisplacedCode => "misplaced code",
            Class::MultiLine => "multi-line",
            Class::Several => "several",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Class;

    #[test]
    fn keys_are_what_files_have() {
        for class in Class::ALL {
            assert_eq!(serde_json::to_string(&class).unwrap(), format!("\"{}\"", class.key()));
        }
    }
}
