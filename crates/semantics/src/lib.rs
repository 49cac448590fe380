//! What an operation computes, written once, over whatever stands for its values.
//!
//! In: an operation and its operands. Out: the result, and whether the machine would have raised an error instead.
//! Deliberately absent: programs, memory, and everything that depends on how a value came about. Nothing generic looks at a
//! value: choices are made by `Domain::choose`, so that a domain may consist of terms.
//!
//! `domain` is what is asked of those who stand for values; `operation` and `intrinsic` are what operations mean in such
//! terms. Three domains are numbers: `word` of up to 64 bits, as fast as the machine; `double` of up to 128, plain;
//! `long` of any width, as on paper. Each is a test of the others. `words` is the arithmetic on paper; `float`, `nan`, `to_int`
//! and `from_int` compute on encodings of floats. `wide` computes whole values of any type, vectors and structures included.

mod domain;
mod operation;
mod intrinsic;
mod bits;
mod words;
mod nan;
mod float;
mod to_int;
mod from_int;
mod double;
mod word;
mod long;
pub mod wide;

#[cfg(test)]
mod tests;

pub use domain::{Domain, Reading, Scalar};
pub use double::Double;
pub use intrinsic::{on_integers, with_overflow};
pub use long::Long;
pub use operation::{Made, binary, cast, compare, compare_floats, magnitude, negate};
pub use word::Word;
