//! What failed, as a question about the run.
//!
//! In: a run and what is expected of it. Out: which call wrote which byte of the output, and the failure as a criterion.
//! Deliberately absent: why it failed; running anything again.

pub mod output;
mod spelled;
mod question;
pub mod text;

pub use question::{Failure, FailureError, Question, WritingCode, by_itself, output_byte, status_of, wrong_output};
