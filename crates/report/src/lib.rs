//! Findings reported to people and machines.
//!
//! In: findings. Out: text for a terminal, JSON for scripts, SARIF for viewers, annotations for GitHub, a page for browsers;
//! a file or folder for each. All of them take their sentences from `english`.
//! Deliberately absent: analysis; reading anything but the source lines shown.

pub mod english;
mod source;
mod extent;
mod text;
mod json;
mod sarif;
mod github;
mod html;

pub use github::github;
pub use html::html;
pub use json::json;
pub use sarif::sarif;
pub use text::text;
