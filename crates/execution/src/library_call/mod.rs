//! Calls of library functions that the tables know: what each reads and writes in a particular call.
//!
//! Arguments and result alone do not show how long a text is, or what a format of `scanf` says. While a call is
//! replayed its texts are in memory, so their lengths are noted ([`Measure`]) in the order [`LibraryCall`]
//! gives; with them [`touched`] says which memory the call had to do with.

mod measure;
mod room;
mod touched;

pub use measure::Measure;
pub use touched::{Copied, Extent, Range, Touched, Words, touched};

use program::library::{Known, known};
use program::{Call, Callee, Function, Module};

/// What the program's text tells of a call of a function that the tables know.
#[derive(Debug)]
pub struct LibraryCall {
    pub known: &'static Known,
    /// What is noted of it, one word each.
    pub measures: Vec<Measure>,
    /// Bytes from where each argument points to the end of the variable it points into, if the text tells.
    rooms: Vec<Option<u64>>,
}

impl LibraryCall {
    /// `None`: the tables do not know the function, or its name.
    pub fn of(module: &Module, function: &Function, call: &Call) -> Option<LibraryCall> {
        let known = called_name(module, call).and_then(known)?;
        let rooms = call.arguments.iter().map(|argument| room::room(module, function, argument)).collect();
        Some(LibraryCall { known, measures: measure::measures(known, call.arguments.len()), rooms })
    }
}

/// The symbol a call names.
pub fn called_name<'m>(module: &'m Module, call: &Call) -> Option<&'m str> {
    match &call.callee {
        Callee::Function(id) => Some(&module.function(*id).name),
        Callee::Symbol(position) => module.globals.get(*position as usize).map(|g| g.name.as_str()),
        Callee::Pointer(_) | Callee::Assembly => None,
    }
}
