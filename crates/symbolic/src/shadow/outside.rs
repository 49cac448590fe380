//! Calls of code that is not instrumented: what they read of the inputs, what they write, and what symbols they are given.

use std::collections::HashMap;
use std::sync::Arc;

use abi::InstructionId;
use execution::Functions;
use execution::library_call::{Extent, LibraryCall, Touched, Words, called_name, touched};
use program::library::{Channel, Effect, Term as Word};
use program::{Call, Callee, FloatKind, Op};
use replay::Observed;
use semantics::Reading;

use super::characters::Characters;
use super::number::Parsed;
use super::registers::Held;
use super::step::number;
use super::{Shadow, Wrote};
use crate::input::{Name, manner};
use crate::lost::Reason;

/// A call that has come back, and what is known of it.
pub(super) struct Returned<'a> {
    pub known: &'a LibraryCall,
    /// The first word of each argument.
    pub words: Vec<u64>,
    pub result: Option<u64>,
}

impl Returned<'_> {
    pub fn number(&self, word: Word) -> Option<u64> {
        match word {
            Word::Arg(position) => self.words.get(usize::from(position)).copied(),
            Word::Result => self.result,
            Word::Bytes(bytes) => Some(bytes),
            Word::Product(a, b) => self.number(*a)?.checked_mul(self.number(*b)?),
            Word::Least(a, b) => Some(self.number(*a)?.min(self.number(*b)?)),
            Word::TextOf(characters) => self.number(*characters)?.checked_add(1),
            Word::Rest(_)
            | Word::At(_)
            | Word::Text
            | Word::TextWithin(_)
            | Word::WideText
            | Word::Formatted(_)
            | Word::Unknown => None,
        }
    }
}

impl Shadow<'_> {
    /// A call returned that no instrumented function has answered.
    pub(super) fn came_from_outside(&mut self, step: &Observed<'_>) {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
        self.set_result(step.id(), None);
        let Some(frame) = self.frames.last_mut() else { return };
        let given = frame.calls.take().map_or_else(Vec::new, |calling| calling.arguments);
        let uses = Arc::clone(&self.known[frame.uses as usize].uses);
        let words: Vec<u64> = call.arguments.iter().map(|a| number(step.operand(a)) as u64).collect();
        let Some(known) = uses.library_calls.get(&step.id()) else {
            if let Some(name) = called_name(step.module(), call)
                && (self.made_stream(step, name, &words)
                    || self.cleared(name)
                    || self.follow_string(step, name, &words, step.result().first().copied()))
            {
                return;
            }
            if let Callee::Pointer(pointer) = &call.callee
                && let Some(&parser) = self.parsers.get(&(number(step.operand(pointer)) as u64))
                && self.parse(step, parser, &words)
            {
                return;
            }
            if given.iter().any(Option::is_some) {
                self.note_lost(step.site(), Reason::Outside(self.name_of(step, call)));
            }
            return;
        };
        if let Some(parser) = parser(known.known.name)
            && self.parse(step, parser, &words)
        {
            return;
        }
        let returned = Returned { known, words, result: step.result().first().copied() };
        self.follow(step, &returned, &given);
    }

    /// A number is made of a text. Whether that could be followed.
    fn parse(&mut self, step: &Observed<'_>, parser: Parser, words: &[u64]) -> bool {
        let Some(&text) = words.first() else { return false };
        let mut at = Characters::Memory(text);
        let term = match parser {
            Parser::Integer(reading, width) => {
                if words.get(2).is_some_and(|base| *base as u32 != 10) {
                    return false;
                }
                match self.integer(step, &mut at) {
                    Parsed::Number(integer) => self.fitting(step, &integer, reading, width),
                    Parsed::NoNumber => None,
                    Parsed::Other => return false,
                }
            }
            Parser::Real(kind) => match self.decimal(step, &mut at, kind) {
                Parsed::Number(Some(term)) => Some(term),
                Parsed::NoNumber => None,
                Parsed::Number(None) | Parsed::Other => return false,
            },
        };
        let result = number(step.result());
        if let Some(term) = term {
            if self.domain.value(term) != super::step::cut(result, self.domain.width(term)) {
                // Somebody else has written the text since.
                return false;
            }
            self.set_number(step.id(), term);
        }
        if let Some(&end) = words.get(1).filter(|end| **end != 0) {
            self.memory.clear(end, 8);
        }
        true
    }

    fn name_of(&self, step: &Observed<'_>, call: &Call) -> String {
        called_name(step.module(), call).map_or_else(|| "a function called by its address".to_owned(), str::to_owned)
    }

    fn follow(&mut self, step: &Observed<'_>, call: &Returned<'_>, given: &[Option<Held>]) {
        let effects = call.known.known.effects;
        let name = call.known.known.name;
        let mut is_understood = true;
        if self.memory.count() != 0 || !given.is_empty() {
            let touched = self.touched(step, call);
            is_understood = self.is_understood(step, call, given, &touched);
            for range in touched.written.iter().filter(|range| range.extent == Extent::Whole) {
                self.memory.clear(range.address, range.length);
            }
            for copy in &touched.copied {
                self.memory.copy(copy.to, copy.from, copy.length);
            }
        }
        if !is_understood {
            self.note_lost(step.site(), Reason::Outside(name.to_owned()));
        }
        self.write(step, call, given);
        for effect in effects {
            match *effect {
                Effect::Opens(path) => self.open(step, call, path),
                Effect::Reopens(channel) => {
                    if let (Some(file), Some(result)) = (self.file(step, call, channel), call.result) {
                        self.files.name_result(result & name_bits(call), file);
                    }
                }
                Effect::Redirects(from, to) => {
                    if let Some(file) = self.file(step, call, from) {
                        self.files.name(to, file, |word| call.number(word));
                    }
                }
                Effect::Closes(channel) => self.files.close(channel, |word| call.number(word)),
                Effect::Seeks(channel) => self.seek(step, call, channel),
                Effect::Allocates(length) => {
                    if let (Some(address), Some(length)) = (call.result, call.number(length)) {
                        self.memory.clear(address, length.min(1 << 32));
                    }
                }
                _ => {}
            }
        }
        match name {
            "getenv" | "secure_getenv" => self.environment(step, call),
            "ungetc" => self.put_back(step, call),
            "fstat" | "fstat64" | "__fxstat" | "__fxstat64" => self.size_of_file(step, call),
            _ => {}
        }
        if let Some(manner) = manner(call.known.known) {
            self.read(step, call, manner);
        }
    }

    fn touched(&self, step: &Observed<'_>, call: &Returned<'_>) -> Touched {
        let byte = |address: u64| self.functions.byte(step, address);
        let measured: Vec<u64> = call.known.measures.iter().map(|m| m.take(&call.words, byte)).collect();
        touched(call.known, Words { arguments: &call.words, measured: &measured, result: call.result })
    }

    /// Whether nothing is lost though the call was given symbols: a size that is symbolic is bound to its value.
    fn is_understood(
        &mut self,
        step: &Observed<'_>,
        call: &Returned<'_>,
        given: &[Option<Held>],
        touched: &Touched,
    ) -> bool {
        let effects = call.known.known.effects;
        let is_output = |effect: &Effect| {
            matches!(
                effect,
                Effect::Output(..)
                    | Effect::OutputCharacter(..)
                    | Effect::OutputNumber(..)
                    | Effect::OutputFormatted(..)
                    | Effect::Exits(_)
                    | Effect::Closes(_)
            )
        };
        let reads_symbols = touched.read.iter().any(|&(at, length)| !self.memory.symbolic_in(at, length).is_empty());
        if effects.iter().any(is_output) || call.known.known.name == "ungetc" {
            return true;
        }
        let takes_sizes = effects.iter().any(|effect| {
            matches!(effect, Effect::Allocates(_) | Effect::Frees(_) | Effect::Copies(..) | Effect::Input(..))
                || matches!(effect, Effect::Seeks(_))
        });
        if takes_sizes {
            // What is freed is known by its address; `operator delete` is told the size, too.
            let frees = effects.iter().find_map(|effect| match effect {
                Effect::Frees(Word::Arg(position)) if effects.len() == 1 => Some(usize::from(*position)),
                _ => None,
            });
            for (position, held) in given.iter().enumerate() {
                if frees.is_some_and(|freed| freed != position) {
                    continue;
                }
                if let Some(Held::Term(term)) = held {
                    self.pin(step, *term, Reason::PinnedSize);
                }
            }
            return true;
        }
        !given.iter().any(Option::is_some) && !reads_symbols
    }

    /// What of its output is symbolic.
    fn write(&mut self, step: &Observed<'_>, call: &Returned<'_>, given: &[Option<Held>]) {
        let mut bytes = Vec::new();
        for effect in call.known.known.effects {
            match *effect {
                Effect::Output(_, address, length) => {
                    let (Some(address), length) = (call.number(address), call.number(length)) else { continue };
                    // A text that is written by a function without a twin: as far as its zero.
                    let length = length.unwrap_or_else(|| {
                        (0..1 << 16).find(|at| self.functions.byte(step, address.wrapping_add(*at)) == 0).unwrap_or(0)
                    });
                    for at in self.memory.symbolic_in(address, length) {
                        bytes.extend(self.memory.get(at).map(|cell| (at - address, cell.byte(&self.domain))));
                    }
                }
                Effect::OutputCharacter(_, position) => {
                    if let Some(Some(Held::Term(term))) = given.get(usize::from(position)) {
                        bytes.push((0, self.domain.part(*term, 0, 8)));
                    }
                }
                _ => {}
            }
        }
        if !bytes.is_empty() {
            let before = self.path.conditions.len();
            self.wrote.push(Wrote { at: step.step(), before, bytes });
        }
    }

    /// The text at an address.
    pub(super) fn text(&self, step: &Observed<'_>, address: u64) -> String {
        const LONGEST: u64 = 1 << 12;
        let bytes = (0..LONGEST).map(|at| self.functions.byte(step, address.wrapping_add(at)));
        String::from_utf8_lossy(&bytes.take_while(|byte| *byte != 0).collect::<Vec<u8>>()).into_owned()
    }

    fn open(&mut self, step: &Observed<'_>, call: &Returned<'_>, path: u8) {
        let (Some(path), Some(result)) = (call.number(Word::Arg(path)), call.result) else { return };
        let failed = result == 0 || result as u32 == u32::MAX;
        if failed {
            return;
        }
        let path = self.text(step, path);
        let input = self.symbols.find(&Name::File(path.trim_start_matches("./").to_owned()));
        let file = self.files.open(input);
        self.files.name_result(result & name_bits(call), file);
    }

    /// The command line and what it says are inputs.
    pub(super) fn take_command_line(&mut self, step: &Observed<'_>) {
        if step.function().parameters.len() < 2 {
            return;
        }
        let arguments = number(step.operand(&program::Operand::Parameter(1))) as u64;
        let mut all = Vec::new();
        for (position, input) in self.symbols.inputs().iter().enumerate() {
            if let Name::Argument(number) = input.name {
                // The zero at its end is a symbol, too: it may be elsewhere.
                all.push((arguments + 8 * number as u64, position, input.content.len() as u64 + 1));
            }
        }
        for (pointer, input, length) in all {
            self.await_input(pointer, input, 0, length);
        }
    }

    fn environment(&mut self, step: &Observed<'_>, call: &Returned<'_>) {
        let (Some(name), Some(value)) = (call.number(Word::Arg(0)), call.result) else { return };
        let name = self.text(step, name);
        if value == 0 {
            self.unset.insert(name);
        } else if let Some(input) = self.symbols.find(&Name::Environment(name)) {
            self.bind(value, input, 0, self.symbols.length_now(input) + 1);
        }
    }

    /// Also notes which stream standard input is, from the variable that holds it.
    pub(super) fn file(
        &mut self,
        step: &Observed<'_>,
        call: &Returned<'_>,
        channel: Channel,
    ) -> Option<crate::input::Opened> {
        if let Channel::Stream(word) = channel
            && let Some(pointer) = call.number(word)
            && !self.files.knows_stream(pointer)
        {
            let holds =
                |at: &u64| (0..8).rev().fold(0, |all, byte| all << 8 | u64::from(step.byte(at + byte))) == pointer;
            if self.stdin_at.iter().any(holds) {
                self.files.standard_stream(pointer);
            }
        }
        self.files.of(channel, |word| call.number(word))
    }

    pub(super) fn set_number(&mut self, id: InstructionId, term: smt::Term) {
        self.set_result(id, Some(Held::Term(term)));
    }
}

/// What a function makes of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parser {
    Integer(Reading, u32),
    Real(FloatKind),
}

/// Of the functions that have twins, those that may be called by their addresses.
const PARSERS: &[(&str, Parser)] = &[
    ("__isoc23_strtol", Parser::Integer(Reading::Signed, 64)),
    ("__isoc23_strtoll", Parser::Integer(Reading::Signed, 64)),
    ("__isoc23_strtoul", Parser::Integer(Reading::Unsigned, 64)),
    ("__isoc23_strtoull", Parser::Integer(Reading::Unsigned, 64)),
    ("atof", Parser::Real(FloatKind::Double)),
    ("strtod", Parser::Real(FloatKind::Double)),
    ("strtof", Parser::Real(FloatKind::Single)),
    ("strtol", Parser::Integer(Reading::Signed, 64)),
    ("strtoll", Parser::Integer(Reading::Signed, 64)),
    ("strtoul", Parser::Integer(Reading::Unsigned, 64)),
    ("strtoull", Parser::Integer(Reading::Unsigned, 64)),
];

fn parser(name: &str) -> Option<Parser> {
    PARSERS.iter().find(|(known, _)| *known == name).map(|(_, parser)| *parser)
}

/// By their addresses, where the program's text has these.
pub(super) fn parsers(functions: &Functions<'_>) -> HashMap<u64, Parser> {
    let of = |&(name, parser): &(&str, Parser)| functions.addresses_of(name).into_iter().map(move |at| (at, parser));
    PARSERS.iter().flat_map(of).collect()
}

/// A descriptor is an `int`.
fn name_bits(call: &Returned<'_>) -> u64 {
    match call.result {
        Some(result) if result >> 32 == 0 => 0xffff_ffff,
        _ => u64::MAX,
    }
}
