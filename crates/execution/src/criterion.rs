//! What is asked about a run: a step and what is wanted of it.

use crate::dependence::{Moment, Wish};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Of the instruction the run ended in, which was begun but not completed.
    End {
        wishes: Vec<Wish>,
    },
    Step {
        at: Moment,
        wishes: Vec<Wish>,
    },
}
