//! What outside code does with the pointers it is given, as far as the tables of `library` know it.

use crate::library::{Effect, Term, known};

/// Whether the function may write through its argument at this position. Unknown functions may, through any.
pub(super) fn writes_through(name: Option<&str>, position: usize) -> bool {
    let Some(known) = name.and_then(known) else { return true };
    let is_argument = |to: &Term| match to {
        Term::Arg(at) => usize::from(*at) == position,
        // What the word there points to, not the argument itself, is a place nobody can name; the argument stands for it.
        Term::At(at) => usize::from(*at) == position,
        Term::Rest(first) => usize::from(*first) <= position,
        _ => false,
    };
    known.effects.iter().any(|effect| match effect {
        Effect::Writes(to, _) | Effect::Copies(to, _, _) | Effect::Input(_, to, _) => is_argument(to),
        Effect::InputFormatted(_, format) => usize::from(*format) < position,
        _ => false,
    })
}

/// Whether the function may keep pointers or hand them on. Of the functions that are known only those do that call back.
pub(super) fn keeps_arguments(name: Option<&str>) -> bool {
    match name.and_then(known) {
        None => true,
        Some(known) => known.effects.iter().any(|effect| matches!(effect, Effect::Calls(_))),
    }
}
