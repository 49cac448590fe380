//! Values as terms over the program's input.
//!
//! In: a recorded run, and the inputs it read. Out: what its path hinged on, what its output, its end and its steps are made
//! of, as terms; and from a solver's model, another input.
//! Deliberately absent: processes. Whoever wants to know what another input does runs it.
//!
//! `float` makes terms of floats; `input` has the symbols; `shadow` computes with terms what the replay computes with numbers;
//! `path` is what had to hold for the run to go as it went; `lost` is what was given up on the way, and where; `property` is
//! what would have been right of a failing run; `predicted` is where a run on another input should go; `numeral` finds
//! numbers that were read from digits; `turn` asks a solver for an input whose path turns another way, or that has such a
//! property.

mod float;
mod domain;
mod lost;
mod path;
mod input;
mod shadow;
mod property;
mod predicted;
mod numeral;
mod turn;

pub use domain::TermDomain;
pub use input::{Input, Name, Symbol, Symbols};
pub use lost::{Lost, Reason};
pub use path::{Condition, Evaluation, Kind, Other, Path, Way};
pub use predicted::{Predicted, Went};
pub use property::{Expected, Property, Stated, Unstated};
pub use shadow::{AtEnd, Chosen, Compared, Limits, Shadow, Shadowed, Wrote};
pub use turn::{Found, Turn, Turned, Turner};
