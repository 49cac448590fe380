//! Streams of C++: what `>>` and `getline` take from them, and streams that are made of strings or files. They stay outside, so
//! what they do is said here: the characters they take are looked at as they do it, and their values follow from these.

use program::FloatKind;
use replay::Observed;
use semantics::Reading;

use super::Shadow;
use super::characters::{Characters, Class};
use super::memory::Cell;
use super::number::Parsed;
use super::outside::Returned;
use super::reading::Place;
use crate::input::{Extraction, Name, Opened};

impl Shadow<'_> {
    /// Takes something from a stream. Whether it could be followed.
    pub(super) fn extract(&mut self, step: &Observed<'_>, call: &Returned<'_>, file: Opened, what: Extraction) -> bool {
        if self.files.is_spent(file) {
            return true;
        }
        let Some(before) = self.characters(file) else { return true };
        let mut at = before.clone();
        let target = call.words.get(1).copied().unwrap_or(0);
        let is_followed = match what {
            Extraction::Line => {
                let delimiter = call.words.get(2).map_or(b'\n', |word| *word as u8);
                self.take_line(step, &mut at, target, delimiter, file)
            }
            Extraction::Word => self.take_word(step, &mut at, target, file),
            Extraction::Character => self.take_character(step, &mut at, target, file),
            Extraction::AnyCharacter => {
                match self.next(step, &at) {
                    Some(character) => {
                        at.advance();
                        self.place_character(target, character.term);
                    }
                    None => self.files.spend(file),
                }
                true
            }
            Extraction::Peek => {
                match self.next(step, &at) {
                    Some(character) => {
                        let term = self.character_term(character);
                        let broad = self.domain.with(|terms| terms.zero_extend(term, 32));
                        self.set_number(step.id(), broad);
                        self.compare(step);
                    }
                    None => self.files.spend(file),
                }
                true
            }
            Extraction::Integer(reading, width) => self.take_integer(step, &mut at, target, file, reading, width),
            Extraction::Real(kind) => self.take_real(step, &mut at, target, file, kind),
        };
        let length = at.since(&before);
        self.files.advance(file, length);
        is_followed
    }

    fn characters(&self, file: Opened) -> Option<Characters> {
        if let Some((text, position)) = self.files.text(file) {
            return Some(Characters::Text(text, position));
        }
        let (input, position) = self.files.place(file)?;
        Some(Characters::Input(Place { file, input, position }))
    }

    /// What follows, if anything does; otherwise nothing can be read any more.
    fn is_over(&mut self, step: &Observed<'_>, at: &Characters, file: Opened) -> bool {
        let is_over = self.next(step, at).is_none();
        if is_over {
            self.files.spend(file);
        }
        is_over
    }

    fn take_line(
        &mut self,
        step: &Observed<'_>,
        at: &mut Characters,
        string: u64,
        delimiter: u8,
        file: Opened,
    ) -> bool {
        let mut taken = Vec::new();
        while let Some(character) = self.next(step, at) {
            at.advance();
            if self.is_of(step, character, Class::Exactly(delimiter)) {
                self.await_text(string, taken);
                return true;
            }
            taken.push(Some(self.character_term(character)));
        }
        self.files.spend(file);
        self.await_text(string, taken);
        true
    }

    fn take_word(&mut self, step: &Observed<'_>, at: &mut Characters, string: u64, file: Opened) -> bool {
        let mut taken = Vec::new();
        if self.skip_space(step, at) {
            while let Some(character) = self.next(step, at) {
                if self.is_of(step, character, Class::Space) {
                    break;
                }
                at.advance();
                taken.push(Some(self.character_term(character)));
            }
        }
        self.is_over(step, at, file);
        if !taken.is_empty() {
            self.await_text(string, taken);
        }
        true
    }

    fn take_character(&mut self, step: &Observed<'_>, at: &mut Characters, target: u64, file: Opened) -> bool {
        if self.skip_space(step, at)
            && let Some(character) = self.next(step, at)
        {
            at.advance();
            self.place_character(target, character.term);
        } else {
            self.files.spend(file);
        }
        true
    }

    fn take_integer(
        &mut self,
        step: &Observed<'_>,
        at: &mut Characters,
        target: u64,
        file: Opened,
        reading: Reading,
        width: u32,
    ) -> bool {
        match self.integer(step, at) {
            Parsed::Number(integer) => match self.fitting(step, &integer, reading, width) {
                Some(term) => {
                    self.memory.store(target, (width / 8).into(), term);
                    self.is_over(step, at, file);
                }
                None => self.files.spend(file),
            },
            Parsed::NoNumber => self.files.spend(file),
            Parsed::Other => return false,
        }
        true
    }

    fn take_real(
        &mut self,
        step: &Observed<'_>,
        at: &mut Characters,
        target: u64,
        file: Opened,
        kind: FloatKind,
    ) -> bool {
        match self.decimal(step, at, kind) {
            Parsed::Number(term) => {
                if let Some(term) = term {
                    self.memory.store(target, if kind == FloatKind::Single { 4 } else { 8 }, term);
                }
                self.is_over(step, at, file);
                term.is_some()
            }
            Parsed::NoNumber => {
                self.files.spend(file);
                true
            }
            Parsed::Other => false,
        }
    }

    fn place_character(&mut self, target: u64, term: Option<smt::Term>) {
        self.memory.set(target, term.map(|whole| Cell { whole, part: 0 }));
    }

    /// A string will point to these characters; where, is known once its pointer is loaded.
    pub(super) fn await_text(&mut self, string: u64, characters: Vec<Option<smt::Term>>) {
        let cells = characters.into_iter().map(|term| term.map(|whole| Cell { whole, part: 0 })).collect();
        self.awaited.insert(string, cells);
    }

    /// A stream was made of a string or a path, by this constructor.
    pub(super) fn made_stream(&mut self, step: &Observed<'_>, name: &str, words: &[u64]) -> bool {
        let is_of_string = name.starts_with("_ZNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEEC1ERKNS")
            || name.starts_with("_ZNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEEC1ERKNS");
        let is_of_path = name.starts_with("_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1EPKc");
        let is_of_string_path = name.starts_with("_ZNSt14basic_ifstreamIcSt11char_traitsIcEEC1ERKNS");
        let [stream, argument, ..] = words[..] else { return false };
        let word =
            |at: u64| (0..8).rev().fold(0, |all, byte| all << 8 | u64::from(self.functions.byte(step, at + byte)));
        if is_of_string {
            let Some(text) = self.string(step, argument) else { return false };
            let text = text.into_iter().map(|character| (character.value, character.term)).collect();
            let file = self.files.open_text(text);
            self.files.name_stream(stream, file);
            return true;
        }
        if is_of_path || is_of_string_path {
            let path = if is_of_path { argument } else { word(argument) };
            let path = self.text(step, path);
            let input = self.symbols.find(&Name::File(path.trim_start_matches("./").to_owned()));
            let file = self.files.open(input);
            self.files.name_stream(stream, file);
            return true;
        }
        false
    }

    /// `clear`: what could not be read any more may be read again. Which stream it is does not show, as it is called with a part
    /// of one.
    pub(super) fn cleared(&mut self, name: &str) -> bool {
        let is_clear = name == "_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate";
        if is_clear {
            self.files.refresh_all();
        }
        is_clear
    }
}
