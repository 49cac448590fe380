//! Which input a stream or descriptor stands for, how far it has been read, and how library functions read.

use std::collections::HashMap;
use std::rc::Rc;

use program::FloatKind;
use program::library::{Channel, Effect, Known, Term as Word};
use semantics::Reading;
use smt::Term;

/// Which of the open files; several streams and descriptors may stand for one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opened(usize);

/// How a function reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// One character, which is the result.
    Character,
    /// As many bytes as are wanted, if there are so many.
    Block { wanted: Word },
    /// As far as the end of the line, but no more than fits.
    Line { room: Option<Word> },
    /// Something that a stream of C++ makes of characters.
    Extraction(Extraction),
    /// Something else.
    Other,
}

/// What is taken from a stream of C++.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extraction {
    /// A string as far as a delimiter.
    Line,
    /// A string between white space.
    Word,
    /// A character behind white space.
    Character,
    AnyCharacter,
    /// A character that is left there.
    Peek,
    Integer(Reading, u32),
    Real(FloatKind),
}

/// By the name of the function.
fn extraction(name: &str) -> Option<Extraction> {
    use Reading::{Signed, Unsigned};
    Some(match name {
        "_ZNSirsERs" => Extraction::Integer(Signed, 16),
        "_ZNSirsERt" => Extraction::Integer(Unsigned, 16),
        "_ZNSirsERi" => Extraction::Integer(Signed, 32),
        "_ZNSirsERj" => Extraction::Integer(Unsigned, 32),
        "_ZNSirsERl" | "_ZNSirsERx" => Extraction::Integer(Signed, 64),
        "_ZNSirsERm" | "_ZNSirsERy" => Extraction::Integer(Unsigned, 64),
        "_ZNSirsERf" => Extraction::Real(FloatKind::Single),
        "_ZNSirsERd" => Extraction::Real(FloatKind::Double),
        "_ZNSi3getERc" => Extraction::AnyCharacter,
        "_ZNSi4peekEv" => Extraction::Peek,
        "_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_" => Extraction::Character,
        _ if name.starts_with("_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istream") => Extraction::Word,
        _ if name.starts_with("_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istream") => Extraction::Line,
        _ => return None,
    })
}

pub fn manner(known: &Known) -> Option<Manner> {
    let reads = known.effects.iter().find_map(|effect| match effect {
        Effect::InputCharacter(_) => Some(Manner::Character),
        Effect::Input(..) | Effect::InputFormatted(..) => Some(Manner::Other),
        _ => None,
    })?;
    if let Some(extraction) = extraction(known.name) {
        return Some(Manner::Extraction(extraction));
    }
    Some(match known.name {
        "getwc" | "getwchar" | "fgetwc" | "getw" => Manner::Other,
        "read" | "__read_chk" | "recv" | "__recv_chk" => Manner::Block { wanted: Word::Arg(2) },
        "fread" | "fread_unlocked" => Manner::Block { wanted: Word::Product(&Word::Arg(1), &Word::Arg(2)) },
        "__fread_chk" | "__fread_unlocked_chk" => Manner::Block { wanted: Word::Product(&Word::Arg(2), &Word::Arg(3)) },
        "fgets" | "fgets_unlocked" => Manner::Line { room: Some(Word::Arg(1)) },
        "__fgets_chk" | "__fgets_unlocked_chk" => Manner::Line { room: Some(Word::Arg(2)) },
        "getline" => Manner::Line { room: None },
        _ => reads,
    })
}

/// The bytes of a text in memory, each with its term if it is symbolic.
pub type Held = Rc<[(u8, Option<Term>)]>;

struct File {
    /// `None`: no input of ours, or nobody knows how far it has been read.
    input: Option<usize>,
    /// What it was made of, if it is no input but a text.
    text: Option<Held>,
    /// Its end was met, or something else than was asked for: streams of C++ give nothing more.
    is_spent: bool,
    position: u64,
    /// The position was reached by asking for the input's end.
    is_at_end: bool,
}

impl File {
    fn new(input: Option<usize>, text: Option<Held>) -> File {
        File { input, text, is_spent: false, position: 0, is_at_end: false }
    }
}

/// The open files of the run.
pub struct Files {
    all: Vec<File>,
    streams: HashMap<u64, Opened>,
    descriptors: HashMap<u64, Opened>,
}

const STANDARD: Opened = Opened(0);

impl Files {
    /// `standard`: the input that standard input is.
    pub fn new(standard: Option<usize>) -> Files {
        Files {
            all: vec![File::new(standard, None)],
            streams: HashMap::new(),
            descriptors: HashMap::from([(0, STANDARD)]),
        }
    }

    /// This stream is standard input.
    pub fn standard_stream(&mut self, pointer: u64) {
        self.streams.insert(pointer, STANDARD);
    }

    pub fn knows_stream(&self, pointer: u64) -> bool {
        self.streams.contains_key(&pointer)
    }

    pub fn open(&mut self, input: Option<usize>) -> Opened {
        self.all.push(File::new(input, None));
        Opened(self.all.len() - 1)
    }

    /// A stream that is made of a text.
    pub fn open_text(&mut self, text: Held) -> Opened {
        self.all.push(File::new(None, Some(text)));
        Opened(self.all.len() - 1)
    }

    pub fn name_stream(&mut self, stream: u64, file: Opened) {
        self.streams.insert(stream, file);
    }

    /// The text a stream was made of, and how far it has been read.
    pub fn text(&self, file: Opened) -> Option<(Held, u64)> {
        let file = &self.all[file.0];
        Some((file.text.clone()?, file.position))
    }

    pub fn is_spent(&self, file: Opened) -> bool {
        self.all[file.0].is_spent
    }

    pub fn spend(&mut self, file: Opened) {
        self.all[file.0].is_spent = true;
    }

    /// No stream is spent any more.
    pub fn refresh_all(&mut self) {
        self.all.iter_mut().for_each(|file| file.is_spent = false);
    }

    /// The stream or descriptor stands for this file from now on.
    pub fn name(&mut self, channel: Channel, file: Opened, number: impl Fn(Word) -> Option<u64>) {
        match channel {
            Channel::Stream(word) => number(word).map(|pointer| self.streams.insert(pointer, file)),
            Channel::Descriptor(word) => number(word).map(|one| self.descriptors.insert(one & 0xffff_ffff, file)),
            Channel::StandardInput | Channel::StandardOutput | Channel::StandardError => None,
        };
    }

    /// A stream and a descriptor have the same number only by chance: a stream's is an address.
    pub fn name_result(&mut self, result: u64, file: Opened) {
        match result {
            0..0x1_0000 => self.descriptors.insert(result, file),
            _ => self.streams.insert(result, file),
        };
    }

    pub fn of(&self, channel: Channel, number: impl Fn(Word) -> Option<u64>) -> Option<Opened> {
        match channel {
            Channel::Stream(word) => self.streams.get(&number(word)?).copied(),
            Channel::Descriptor(word) => self.descriptors.get(&(number(word)? & 0xffff_ffff)).copied(),
            Channel::StandardInput => Some(STANDARD),
            Channel::StandardOutput | Channel::StandardError => None,
        }
    }

    pub fn close(&mut self, channel: Channel, number: impl Fn(Word) -> Option<u64>) {
        match channel {
            Channel::Stream(word) => number(word).and_then(|pointer| self.streams.remove(&pointer)),
            Channel::Descriptor(word) => number(word).and_then(|one| self.descriptors.remove(&(one & 0xffff_ffff))),
            Channel::StandardInput | Channel::StandardOutput | Channel::StandardError => None,
        };
    }

    /// The input a file is, and how far it has been read.
    pub fn place(&self, file: Opened) -> Option<(usize, u64)> {
        let file = &self.all[file.0];
        Some((file.input?, file.position))
    }

    pub fn advance(&mut self, file: Opened, length: u64) {
        self.all[file.0].position = self.all[file.0].position.saturating_add(length);
        self.all[file.0].is_at_end = false;
    }

    pub fn step_back(&mut self, file: Opened) {
        self.all[file.0].position = self.all[file.0].position.saturating_sub(1);
    }

    pub fn seek(&mut self, file: Opened, position: u64, is_at_end: bool) {
        (self.all[file.0].position, self.all[file.0].is_at_end) = (position, is_at_end);
    }

    pub fn is_at_end(&self, file: Opened) -> bool {
        self.all[file.0].is_at_end
    }

    /// Nobody knows any more how far it has been read.
    pub fn lose(&mut self, file: Opened) {
        (self.all[file.0].input, self.all[file.0].text) = (None, None);
    }
}
