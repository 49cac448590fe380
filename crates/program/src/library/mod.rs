//! What is known of functions outside: what each reads, writes and returns, what is input and what is output.
//!
//! In: the name of a function. Out: its effects, as plain data. One line for each function, in a table for each family.
//! Only dependences and symbols need this: a replay is exact without it. A function that is not here is a limit, which the
//! report must name; what the twins cover (see `twins/` in the repository) is here too, for programs built without
//! them and for calls through pointers.

mod effect;
mod conversion;
mod allocation;
mod characters;
mod cpp;
mod input;
mod math;
mod output;
mod streams;
mod spoken;
mod system;
mod text;

pub use characters::{characters_of, format_of, gives_character, takes_character};
pub use conversion::{Conversion, conversions};
pub use effect::{Channel, Effect, Known, Origin, Term};
pub use spoken::in_words;

/// The tables; each is sorted by name, and a name is in one of them only.
const FAMILIES: [&[Known]; 8] = [
    text::TABLE,
    allocation::TABLE,
    input::TABLE,
    output::TABLE,
    streams::TABLE,
    system::TABLE,
    math::TABLE,
    cpp::TABLE,
];

/// Symbols of twins begin with this; what follows is the name of the library's function.
pub const TWIN_PREFIX: &str = abi::TWIN_PREFIX;

/// What is known of the function with this symbol. A twin is code of the program's like any other, and not known here.
pub fn known(name: &str) -> Option<&'static Known> {
    FAMILIES.iter().find_map(|table| {
        let at = table.binary_search_by(|known| known.name.cmp(name)).ok()?;
        table.get(at)
    })
}

/// The name a programmer knows a function by: of a twin, the library's; of what the library's headers or the compiler make of
/// a name, that name.
pub fn spoken_name(symbol: &str) -> &str {
    for name in ["memcpy", "memmove", "memset"] {
        if symbol.strip_prefix("llvm.").is_some_and(|rest| rest.starts_with(name)) {
            return name;
        }
    }
    let name = symbol.strip_prefix(TWIN_PREFIX).unwrap_or(symbol);
    ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

#[cfg(test)]
mod tests;
