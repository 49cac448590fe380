//! A question about a run: a step, and what of it is wanted.

use replay::Step;

use crate::dependence::Wish;
use crate::run::Run;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Criterion {
    /// Of the instruction the run ended in, which was begun but not completed.
    End { wishes: Vec<Wish> },
    Step {
        at: Step,
        wishes: Vec<Wish>,
        /// An earlier step that may be meant as well.
        or: Option<(Step, Vec<Wish>)>,
    },
}

impl Criterion {
    pub fn of_step(at: Step, wishes: Vec<Wish>) -> Criterion {
        Criterion::Step { at, wishes, or: None }
    }

    /// The step it stands at; `None` if that is the end of a run that returned from its first function.
    pub fn step(&self, run: &Run<'_>) -> Option<Step> {
        match self {
            Criterion::Step { at, .. } => Some(*at),
            Criterion::End { .. } => run.end(),
        }
    }
}
