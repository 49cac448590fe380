//! What techniques share to tell what they found: places, the failure, words.

pub mod place;
pub mod wording;
pub mod failure;
