//! What a run of a C program did at a place, as far as a spectrum tells it apart.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use findings::Line;

/// Something a run did at a place. The same in all runs of a program.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tuple {
    pub line: Line,
    /// Zero for a whole line.
    pub column: u32,
    pub did: Did,
}

#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Did {
    Executed,
    /// A condition had this outcome.
    Decided(bool),
    /// A switch went to this case; `None`: to the default.
    Chose(Option<i64>),
    /// A call of this function returned such a value.
    Got {
        from: String,
        value: Abstract,
    },
}

/// As much of a value as a spectrum tells apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Abstract {
    Zero,
    NonZero,
    Null,
    NonNull,
    True,
    False,
    /// A literal of the text that returned it.
    Constant(i64),
    /// A string without a character.
    EmptyText,
    /// One that has some.
    Text,
}

/// The tuples of a run, each with the function it is in.
pub type Coverage = BTreeMap<Tuple, String>;

impl Display for Did {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Did::Executed => write!(f, "it was executed"),
            Did::Decided(outcome) => write!(f, "its condition was {outcome}"),
            Did::Chose(Some(case)) => write!(f, "its switch went to case {case}"),
            Did::Chose(None) => write!(f, "its switch went to the default"),
            Did::Got { from, value } => write!(f, "{from} returned {value}"),
        }
    }
}

impl Display for Abstract {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Abstract::Zero => write!(f, "zero"),
            Abstract::NonZero => write!(f, "a value that is not zero"),
            Abstract::Null => write!(f, "NULL"),
            Abstract::NonNull => write!(f, "a pointer that is not NULL"),
            Abstract::True => write!(f, "true"),
            Abstract::False => write!(f, "false"),
            Abstract::Constant(value) => write!(f, "the constant {value}"),
            Abstract::EmptyText => write!(f, "an empty string"),
            Abstract::Text => write!(f, "a string that is not empty"),
        }
    }
}
