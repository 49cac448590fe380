//! A typed value, as a tree: what an object of the source held at one moment.
//!
//! `expression` is how objects are named, `locate` finds them in a state, `read` makes values of their bytes, `render`
//! writes values as a C programmer would.

mod expression;
mod locate;
mod read;
mod render;

use serde::Serialize;

pub use expression::{Expression, SyntaxError, parse};
pub use locate::{Content, LocateError, Located, Scene, Visible};
pub use read::{Extent, of_bytes, read};
pub use render::character;

pub use locate::nearest;

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Value {
    /// As C writes it.
    #[serde(rename = "type")]
    pub type_name: String,
    #[serde(flatten)]
    pub shape: Shape,
    /// False: outside code has run since some of it was last seen.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_stale: bool,
}

#[derive(Clone, PartialEq, Serialize, Debug)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Shape {
    /// Neither stored nor loaded by instrumented code.
    Unknown,
    Integer {
        value: i128,
    },
    Boolean {
        value: bool,
    },
    Character {
        code: u32,
    },
    Float {
        /// As text: JSON has neither infinities nor NaNs, and `long double` has more digits.
        value: String,
    },
    Enumerator {
        /// One name, or several joined by `|` where the enumerators are flags.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        value: i128,
    },
    Pointer {
        address: u64,
        /// The variable or function it points into.
        #[serde(skip_serializing_if = "Option::is_none")]
        symbol: Option<String>,
        /// What is there, if it was followed.
        #[serde(skip_serializing_if = "Option::is_none")]
        target: Option<Box<Value>>,
    },
    /// An array of characters, or what a `char *` points to.
    Text(Text),
    Record {
        fields: Vec<Field>,
    },
    Array {
        elements: Vec<Value>,
        /// May be more than are listed; absent if nobody knows.
        #[serde(skip_serializing_if = "Option::is_none")]
        length: Option<u64>,
    },
    /// A type we have no notation for.
    Bytes {
        bytes: Vec<u8>,
    },
}

#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Text {
    /// Up to the first NUL or unknown character.
    pub text: String,
    pub end: TextEnd,
}

/// Why a text ends where it does.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "snake_case")]
pub enum TextEnd {
    Nul,
    /// The array is full.
    Array,
    Unknown,
    /// It goes on; so much is shown.
    Cut,
}

#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct Field {
    /// Empty for a base class and for an anonymous struct or union.
    pub name: String,
    pub value: Value,
}
