//! Findings told to people and machines.
//!
//! In: findings. Out: text for a terminal, JSON for scripts; a file for each.
//! Deliberately absent: analysis; reading anything but the source lines shown.

mod json;
mod text;

pub use json::json;
pub use text::text;
