//! What a chore of the developer found.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Holds,
    DoesNotHold,
}
