//! The words the tables are written in.

/// A function outside and all it does that a program can see. What is not listed does not happen: a function without
/// [`Effect::Writes`] leaves the program's memory alone (but for `errno`, which nearly all of them may set).
#[derive(Debug)]
pub struct Known {
    pub name: &'static str,
    pub effects: &'static [Effect],
}

/// A value of a call, as its effects speak of it: an address, a number of bytes, a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Term {
    /// An argument, counted from 0.
    Arg(u8),
    /// This argument and each after it: variable arguments.
    Rest(u8),
    /// The word in memory that this argument points to, as it is after the call.
    At(u8),
    Result,
    Bytes(u64),
    Product(&'static Term, &'static Term),
    Least(&'static Term, &'static Term),
    /// A text of so many characters, and its terminating zero.
    TextOf(&'static Term),
    /// As far as the terminating zero, and with it.
    Text,
    /// As far as the terminating zero, but no further than so many bytes.
    TextWithin(&'static Term),
    /// As many characters of four bytes as the terminating zero ends, and with it.
    WideText,
    /// As the format of `scanf` in this argument says; together with `Rest`.
    Formatted(u8),
    /// Nobody can tell from the call alone.
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// The result depends on nothing but the arguments' values and what [`Effect::Reads`] names.
    Pure,
    /// Reads memory: from where, how many bytes.
    Reads(Term, Term),
    /// Writes memory: from where, how many bytes. The bytes come from all that is read, unless they are input.
    Writes(Term, Term),
    /// Copies memory: to where, from where, how many bytes.
    Copies(Term, Term, Term),
    /// The result, if not null, points into what this argument points to.
    Aliases(u8),
    /// The result points to so many bytes of memory that is the library's own and may be written by the next call.
    Borrows(Term),
    /// The result, if not null, points to so many bytes of fresh memory.
    Allocates(Term),
    Frees(Term),
    /// Memory that comes from a channel: from where, how many bytes.
    Input(Channel, Term, Term),
    /// The result is a character that comes from a channel, or a negative number.
    InputCharacter(Channel),
    /// What these arguments point to is read from a channel as the format (by its position) says.
    InputFormatted(Channel, u8),
    /// Memory that goes to a channel: from where, how many bytes.
    Output(Channel, Term, Term),
    /// An argument whose value goes to a channel as a character.
    OutputCharacter(Channel, u8),
    /// A format (by its position) and the arguments behind it go to a channel, formatted.
    OutputFormatted(Channel, u8),
    /// An argument whose value goes to a channel as a number.
    OutputNumber(Channel, u8),
    /// Opens a file by the path in this argument; the result stands for it.
    Opens(u8),
    /// The result stands for the same file as this one.
    Reopens(Channel),
    /// The second stands for the same file as the first from now on.
    Redirects(Channel, Channel),
    Closes(Channel),
    /// Moves the position of a file, or asks for it.
    Seeks(Channel),
    /// Does not return: the program ends, with this status if it is given.
    Exits(Option<u8>),
    /// Does not return: the program says that it is wrong itself (`abort`, a failed assertion).
    Fails,
    /// Does not return, but control goes on elsewhere (`longjmp`, throwing).
    Jumps,
    /// Calls what this argument points to, now or later.
    Calls(u8),
    /// The result, and what is written, come from outside the program, other than from a file.
    From(Origin),
    /// What the program cannot see otherwise changes outside it: files are removed, signals sent, a process started.
    ChangesWorld,
    /// May wait without end: for another thread or process, a lock, a signal, input.
    Waits,
}

/// Where input comes from and output goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// A `FILE *`, or an object of C++'s.
    Stream(Term),
    /// A file descriptor.
    Descriptor(Term),
    StandardInput,
    StandardOutput,
    StandardError,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    Environment,
    Time,
    Random,
    /// Ids, limits, usage: the process and the system it runs on.
    System,
    /// Names and properties of files.
    FileSystem,
    /// The locale that is set.
    Locale,
    /// Another process or machine.
    Network,
    /// What the library remembers: the state of a generator, a handler that was set, an error.
    LibraryState,
}

impl Term {
    /// A number of bytes that the arguments alone tell.
    fn amount(self, arguments: &[u64]) -> Option<u64> {
        match self {
            Term::Arg(position) => arguments.get(usize::from(position)).copied(),
            Term::Bytes(bytes) => Some(bytes),
            Term::Product(a, b) => a.amount(arguments)?.checked_mul(b.amount(arguments)?),
            Term::Least(a, b) => Some(a.amount(arguments)?.min(b.amount(arguments)?)),
            Term::Rest(_)
            | Term::At(_)
            | Term::Result
            | Term::Text
            | Term::TextWithin(_)
            | Term::WideText
            | Term::TextOf(_)
            | Term::Formatted(_)
            | Term::Unknown => None,
        }
    }
}

impl Known {
    /// Whether the program's memory is as it was before, but for `errno`.
    pub fn leaves_memory_alone(&self) -> bool {
        !self.effects.iter().any(|effect| {
            matches!(
                effect,
                Effect::Writes(..)
                    | Effect::Copies(..)
                    | Effect::Input(..)
                    | Effect::InputFormatted(..)
                    | Effect::Calls(_)
                    | Effect::Borrows(_)
            )
        })
    }

    /// How many bytes a call is asked to allocate; `None` if it allocates nothing. Of a size that is not known at least the
    /// first byte is.
    pub fn allocates(&self, arguments: &[u64]) -> Option<u64> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Allocates(size) => Some(size.amount(arguments).unwrap_or(1)),
            _ => None,
        })
    }

    /// The argument that points to what a call frees.
    pub fn frees(&self) -> Option<u8> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Frees(Term::Arg(position)) => Some(*position),
            _ => None,
        })
    }

    /// Whether it may wait without end, for others or for input.
    pub fn waits(&self) -> bool {
        self.effects.iter().any(|effect| {
            matches!(effect, Effect::Waits | Effect::Input(..) | Effect::InputCharacter(_) | Effect::InputFormatted(..))
        })
    }

    pub fn returns(&self) -> bool {
        !self.effects.iter().any(|effect| matches!(effect, Effect::Exits(_) | Effect::Fails | Effect::Jumps))
    }
}

pub(super) const fn f(name: &'static str, effects: &'static [Effect]) -> Known {
    Known { name, effects }
}
