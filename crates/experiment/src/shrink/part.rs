//! The parts of an input that can be made smaller: its arguments, its standard input, its files.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use crate::input::Input;

/// Something of an input that can be made smaller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    Input,
    /// A file of the case's directory.
    File(PathBuf),
    /// The list of arguments.
    Arguments,
    /// The text of one of them.
    Argument(usize),
}

impl Input {
    /// Bytes of all that can be made smaller.
    pub fn length(&self) -> usize {
        let arguments: usize = self.arguments.iter().map(|argument| argument.len()).sum();
        self.stdin.len() + arguments + self.files.values().map(Vec::len).sum::<usize>()
    }

    /// The parts, those that cost least to try first.
    pub fn parts(&self) -> Vec<Part> {
        let files = self.files.keys().cloned().map(Part::File);
        let arguments = (0..self.arguments.len()).map(Part::Argument);
        std::iter::once(Part::Input).chain(files).chain([Part::Arguments]).chain(arguments).collect()
    }

    /// The text of a part; a list has none.
    pub fn text(&self, part: &Part) -> Option<&[u8]> {
        match part {
            Part::Input => Some(&self.stdin),
            Part::File(path) => self.files.get(path).map(Vec::as_slice),
            Part::Arguments => None,
            Part::Argument(position) => self.arguments.get(*position).map(|argument| argument.as_bytes()),
        }
    }

    pub fn with_text(&self, part: &Part, text: Vec<u8>) -> Input {
        let mut smaller = self.clone();
        match part {
            Part::Input => smaller.stdin = text,
            Part::File(path) => {
                smaller.files.insert(path.clone(), text);
            }
            Part::Arguments => {}
            Part::Argument(position) => smaller.arguments[*position] = OsStr::from_bytes(&text).to_owned(),
        }
        smaller
    }

    pub fn with_arguments(&self, kept: &[usize]) -> Input {
        let arguments = kept.iter().map(|&position| self.arguments[position].clone()).collect();
        Input { arguments, ..self.clone() }
    }
}
