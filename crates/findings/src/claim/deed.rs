//! What a step did, in the program's own terms.

use serde::Serialize;

use super::{Expression, Value};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "deed", rename_all = "kebab-case")]
pub enum Deed {
    Assigned {
        place: Expression,
        value: Value,
    },
    /// The value that the function returns in the end was set.
    SetResult {
        value: Value,
    },
    Decided {
        condition: Expression,
        outcome: bool,
    },
    Chose {
        of: Expression,
        value: Value,
    },
    Called {
        function: Expression,
        arguments: Vec<Value>,
    },
    Returned {
        function: Expression,
        value: Option<Value>,
    },
    /// Something read or computed on the way.
    Had {
        expression: Expression,
        value: Value,
    },
}

impl Deed {
    /// The value that was made, chosen or returned.
    pub fn value(&self) -> Option<Value> {
        match self {
            Deed::Assigned { value, .. }
            | Deed::SetResult { value }
            | Deed::Chose { value, .. }
            | Deed::Had { value, .. } => Some(value.clone()),
            Deed::Decided { outcome, .. } => Some(Value(outcome.to_string())),
            Deed::Returned { value, .. } => value.clone(),
            Deed::Called { .. } => None,
        }
    }
}

/// What tests did at a line, as far as tests are told apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "deed", rename_all = "kebab-case")]
pub enum TestDeed {
    Executed,
    Decided {
        outcome: bool,
    },
    /// A switch went to this case; `None`: to the default.
    Chose {
        case: Option<i64>,
    },
    Returned {
        function: Expression,
        value: TestValue,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestValue {
    Zero,
    NonZero,
    Null,
    NonNull,
    True,
    False,
    Constant(i64),
    EmptyText,
    Text,
}
