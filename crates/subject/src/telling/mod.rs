//! What techniques share to make claims of what they found: what steps did, the failure, what came right.

pub mod deed;
pub mod value;
pub mod outcome;
pub mod failure;
pub mod suspicion;
