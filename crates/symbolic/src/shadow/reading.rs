//! Reads of inputs: which bytes become symbols, and what a read says of an input's length and lines.

use program::library::{Channel, Effect, Term as Word};
use replay::Observed;
use smt::Term;

use super::Shadow;
use super::outside::Returned;
use crate::input::{Manner, Opened};
use crate::lost::Reason;
use crate::path::{Kind, Other, Way};

/// Where a file stands: which input it is, and how far it has been read.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub file: Opened,
    pub input: usize,
    pub position: u64,
}

impl Shadow<'_> {
    pub(super) fn read(&mut self, step: &Observed<'_>, call: &Returned<'_>, manner: Manner) {
        let channel = call.known.known.effects.iter().find_map(|effect| match effect {
            Effect::Input(channel, ..) | Effect::InputCharacter(channel) | Effect::InputFormatted(channel, _) => {
                Some(*channel)
            }
            _ => None,
        });
        let Some(file) = channel.and_then(|channel| self.file(step, call, channel)) else { return };
        if let Manner::Extraction(what) = manner {
            if !self.extract(step, call, file, what) {
                self.note_lost(step.site(), Reason::Reading(call.known.known.name.to_owned()));
                self.files.lose(file);
            }
            return;
        }
        let Some((input, position)) = self.files.place(file) else { return };
        let place = Place { file, input, position };
        let is_followed = match manner {
            Manner::Character => self.read_character(step, call, place),
            Manner::Block { wanted } => self.read_block(step, call, place, wanted),
            Manner::Line { room } => self.read_line(step, call, place, room),
            Manner::Extraction(_) | Manner::Other => false,
        };
        if !is_followed {
            self.note_lost(step.site(), Reason::Reading(call.known.known.name.to_owned()));
            self.files.lose(file);
        }
    }

    fn read_character(&mut self, step: &Observed<'_>, call: &Returned<'_>, place: Place) -> bool {
        let result = call.result.unwrap_or(0) as u32;
        let content = &self.symbols.inputs()[place.input].content;
        match content.get(place.position as usize).copied() {
            Some(byte) if u32::from(byte) == result => {
                self.reaches(step, place, place.position + 1);
                let Some(byte) = self.symbols.byte(&self.domain, place.input, place.position) else { return false };
                let broad = self.domain.with(|terms| terms.zero_extend(byte, 32));
                self.set_number(step.id(), broad);
                self.files.advance(place.file, 1);
                true
            }
            None if result == u32::MAX => {
                // If there is more, it is read here.
                let Some(byte) = self.symbols.byte(&self.domain, place.input, place.position) else { return false };
                let more = self.is_longer(place, place.position);
                let term = self.domain.with(|terms| {
                    let (broad, end) = (terms.zero_extend(byte, 32), terms.constant(32, u32::MAX.into()));
                    terms.choose(more, broad, end)
                });
                self.set_number(step.id(), term);
                true
            }
            Some(_) | None => false,
        }
    }

    fn read_block(&mut self, step: &Observed<'_>, call: &Returned<'_>, place: Place, wanted: Word) -> bool {
        let (Some(wanted), Some(result)) = (call.number(wanted), call.result) else { return false };
        let size = match wanted_size(wanted, call) {
            Some(size) => size,
            None => return result == 0,
        };
        if (result as i64) < 0 {
            return false;
        }
        let left = self.symbols.length_now(place.input).saturating_sub(place.position);
        let got = if size == 1 { result } else { left.min(wanted) };
        if got > left || got / size != result {
            return false;
        }
        let end = place.position + got;
        if let Some(address) = address(call) {
            self.bind(address, place.input, place.position, got);
        }
        if got == wanted || got < left {
            self.reaches(step, place, end);
        } else {
            self.ends_in(step, place, wanted, size);
        }
        self.files.advance(place.file, got);
        true
    }

    /// A read of a block met the end of the input: its result tells the input's length.
    fn ends_in(&mut self, step: &Observed<'_>, place: Place, wanted: u64, size: u64) {
        let length = self.symbols.length(&self.domain, place.input);
        let (count, is_behind) = self.domain.with(|terms| {
            let first = terms.constant(64, place.position.into());
            let left = terms.subtract(length, first);
            let wanted = terms.constant(64, wanted.into());
            let is_less = terms.less_unsigned(left, wanted);
            let bytes = terms.choose(is_less, left, wanted);
            let size = terms.constant(64, size.into());
            let is_behind = terms.less_unsigned(length, first);
            (terms.divide_unsigned(bytes, size), terms.not(is_behind))
        });
        self.condition(step.step(), Kind::Length, is_behind, Way::Elsewhere, Vec::new());
        self.set_number(step.id(), count);
        self.compare(step);
    }

    fn read_line(&mut self, step: &Observed<'_>, call: &Returned<'_>, place: Place, room: Option<Word>) -> bool {
        let room = match room.map(|room| call.number(room)) {
            Some(Some(room)) if room & 0xffff_ffff > 1 => (room & 0xffff_ffff) - 1,
            Some(_) => return false,
            None => u64::MAX,
        };
        let is_text = room != u64::MAX;
        let nothing = match is_text {
            true => call.result == Some(0),
            false => call.result.is_none_or(|result| (result as i64) < 0),
        };
        let length = self.symbols.length_now(place.input);
        if nothing {
            self.ends(step, place, place.position);
            return place.position >= length;
        }
        let rest = self.symbols.inputs()[place.input].content.get(place.position as usize..).unwrap_or_default();
        let newline = rest.iter().position(|byte| *byte == b'\n').map(|at| at as u64 + 1);
        let count = newline.unwrap_or(rest.len() as u64).min(room);
        if count == 0 || !is_text && call.result != Some(count) {
            return false;
        }
        let end = place.position + count;
        let has_newline = newline == Some(count);
        if has_newline || count == room {
            self.reaches(step, place, end);
        } else {
            self.ends(step, place, end);
        }
        for position in place.position..end {
            let Some(byte) = self.symbols.byte(&self.domain, place.input, position) else { break };
            let is_newline = self.domain.with(|terms| {
                let newline = terms.constant(8, b'\n'.into());
                terms.equal(byte, newline)
            });
            let not = self.domain.with(|terms| terms.not(is_newline));
            let is_last = position + 1 == end;
            if is_last && has_newline {
                self.either(step, Kind::Extent, is_newline, not);
            } else if !is_last || count < room {
                self.either(step, Kind::Extent, not, is_newline);
            }
        }
        match address(call).filter(|_| is_text) {
            Some(address) => {
                self.bind(address, place.input, place.position, count);
                self.memory.clear(address + count, 1);
            }
            None => {
                if let Some(pointer) = call.number(Word::Arg(0)) {
                    self.await_input(pointer, place.input, place.position, count);
                }
            }
        }
        self.files.advance(place.file, count);
        true
    }

    pub(super) fn either(&mut self, step: &Observed<'_>, kind: Kind, holds: Term, other: Term) {
        self.condition(step.step(), kind, holds, Way::Elsewhere, vec![Other { holds: other, way: Way::Elsewhere }]);
    }

    fn is_longer(&mut self, place: Place, than: u64) -> Term {
        let length = self.symbols.length(&self.domain, place.input);
        self.domain.with(|terms| {
            let than = terms.constant(64, than.into());
            terms.less_unsigned(than, length)
        })
    }

    /// The input is at least as long as to here.
    pub(super) fn reaches(&mut self, step: &Observed<'_>, place: Place, end: u64) {
        let Some(last) = end.checked_sub(1).filter(|_| self.symbols.is_farther(place.input, end)) else { return };
        let longer = self.is_longer(place, last);
        let not = self.domain.with(|terms| terms.not(longer));
        self.either(step, Kind::Reached, longer, not);
    }

    /// The input ends here.
    pub(super) fn ends(&mut self, step: &Observed<'_>, place: Place, end: u64) {
        let longer = self.is_longer(place, end);
        let not = self.domain.with(|terms| terms.not(longer));
        self.either(step, Kind::Length, not, longer);
    }

    pub(super) fn put_back(&mut self, step: &Observed<'_>, call: &Returned<'_>) {
        let Some(file) = self.file(step, call, Channel::Stream(Word::Arg(1))) else { return };
        let Some((input, position)) = self.files.place(file) else { return };
        let before = position.checked_sub(1).and_then(|at| self.symbols.inputs()[input].content.get(at as usize));
        match call.words.first() {
            Some(&end) if end as u32 == u32::MAX => {}
            Some(&byte) if before == Some(&(byte as u8)) => self.files.step_back(file),
            _ => {
                self.note_lost(step.site(), Reason::Reading("ungetc".to_owned()));
                self.files.lose(file);
            }
        }
    }

    pub(super) fn seek(&mut self, step: &Observed<'_>, call: &Returned<'_>, channel: Channel) {
        let Some(file) = self.file(step, call, channel) else { return };
        let Some((input, position)) = self.files.place(file) else { return };
        let name = call.known.known.name;
        let (offset, from) = (call.number(Word::Arg(1)).unwrap_or(0), call.number(Word::Arg(2)).unwrap_or(0) as u32);
        let length = self.symbols.length_now(input);
        match (name, from) {
            ("rewind", _) => self.files.seek(file, 0, false),
            ("ftell" | "ftello" | "ftello64", _) => {
                if self.files.is_at_end(file) && call.result == Some(position) {
                    let length = self.symbols.length(&self.domain, input);
                    self.set_number(step.id(), length);
                }
            }
            ("fseek" | "fseeko" | "fseeko64" | "lseek" | "lseek64", 0) => self.files.seek(file, offset, false),
            ("fseek" | "fseeko" | "fseeko64" | "lseek" | "lseek64", 1) => {
                self.files.seek(file, position.wrapping_add(offset), self.files.is_at_end(file) && offset == 0);
            }
            ("fseek" | "fseeko" | "fseeko64" | "lseek" | "lseek64", 2) => {
                self.files.seek(file, length.wrapping_add(offset), offset == 0);
                if name.starts_with("lseek") && offset == 0 && call.result == Some(length) {
                    let length = self.symbols.length(&self.domain, input);
                    self.set_number(step.id(), length);
                }
            }
            _ => {
                self.note_lost(step.site(), Reason::Reading(name.to_owned()));
                self.files.lose(file);
            }
        }
    }

    pub(super) fn size_of_file(&mut self, step: &Observed<'_>, call: &Returned<'_>) {
        /// Of `st_size` in a `struct stat`.
        const OFFSET: u64 = 48;
        let is_old = call.known.known.name.starts_with("__");
        let (descriptor, place) = if is_old { (Word::Arg(1), Word::Arg(2)) } else { (Word::Arg(0), Word::Arg(1)) };
        let Some(file) = self.file(step, call, Channel::Descriptor(descriptor)) else { return };
        let (Some((input, _)), Some(place)) = (self.files.place(file), call.number(place)) else { return };
        if call.result == Some(0) {
            let length = self.symbols.length(&self.domain, input);
            self.memory.store(place + OFFSET, 8, length);
        }
    }
}

/// Where a call puts what it reads.
fn address(call: &Returned<'_>) -> Option<u64> {
    call.known.known.effects.iter().find_map(|effect| match effect {
        Effect::Input(_, address, _) => call.number(*address),
        _ => None,
    })
}

/// Bytes of one of the things that are counted: `read` counts bytes, `fread` what it is told. `None`: nothing is wanted.
fn wanted_size(wanted: u64, call: &Returned<'_>) -> Option<u64> {
    if wanted == 0 {
        return None;
    }
    match call.known.known.name {
        "fread" | "fread_unlocked" => call.number(Word::Arg(1)),
        "__fread_chk" | "__fread_unlocked_chk" => call.number(Word::Arg(2)),
        _ => Some(1),
    }
}
