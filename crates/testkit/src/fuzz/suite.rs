//! Lists of tests with words changed, exchanged and put in.

use std::path::PathBuf;

use anyhow::Result;
use experiment::read_suite;
use tempfile::TempDir;

use super::{Chance, Subject};

const SUITE: &str = r#"# Tests of a calculator.
[[test]]
name = "adds"
args = ["-e", "1 + 2", '3']
stdin = "input"
expect = "output"

[[test]]
name = """several
lines"""
dir = "folder"
expect-exit = 0
check = "grep -q 3 $FAULTLINE_STDOUT"

[[test]]
reference = "true"
args = []
"#;

/// What may be where something else was.
const WORDS: &[&str] = &[
    "[[test]]",
    "[test]",
    "name",
    "args",
    "stdin",
    "dir",
    "expect",
    "expect-exit",
    "reference",
    "check",
    " = ",
    "\"\"\"",
    "'''",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    ",",
    ".",
    "#",
    "\n",
    "\r\n",
    "\t",
    "\u{feff}",
    "\0",
    "\\u0000",
    "\\uD800",
    "\\U0010FFFF",
    "\\x",
    "1e999",
    "nan",
    "-inf",
    "0x7fffffffffffffffff",
    "-2147483649",
    "99999999999999999999",
    "1979-05-27T07:32:00Z",
    "true",
    "\"/dev/zero\"",
    "\"/dev/full\"",
    "\"/proc/self/mem\"",
    "\"..\"",
    "\"\"",
    "\"a\\u0000b\"",
    "é",
    "日本",
    "\u{202e}",
];

pub struct Suites {
    folder: TempDir,
    list: PathBuf,
}

impl Suites {
    pub fn new() -> Result<Suites> {
        // A million files are written: in memory, if there is such a place.
        let memory = std::path::Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? };
        for name in ["input", "output"] {
            std::fs::write(folder.path().join(name), "3\n")?;
        }
        std::fs::create_dir(folder.path().join("folder"))?;
        let list = folder.path().join("suite.toml");
        Ok(Suites { folder, list })
    }
}

impl Subject for Suites {
    fn input(&self, chance: &mut Chance) -> Vec<u8> {
        let mut text = SUITE.as_bytes().to_vec();
        for _ in 0..1 + chance.below(4) {
            let at = chance.below(text.len() + 1);
            match chance.below(8) {
                0 => chance.change(&mut text),
                1 => {
                    // Deeper than anybody would write it.
                    let word = *chance.of(&["[", "{a=", "a.", "[[", "'", "\"", "#", "\\"]);
                    text.splice(at..at, word.repeat(1 << chance.below(14)).into_bytes());
                }
                2 | 3 => {
                    // In place of what is there up to the next blank or line.
                    let end = text[at..].iter().position(u8::is_ascii_whitespace).map_or(text.len(), |end| at + end);
                    text.splice(at..end, chance.of(WORDS).bytes());
                }
                4 => {
                    let lines: Vec<Vec<u8>> = text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
                    let line = if lines.is_empty() { Vec::new() } else { chance.of(&lines).clone() };
                    text.splice(at..at, line);
                }
                _ => {
                    text.splice(at..at, chance.of(WORDS).bytes());
                }
            }
        }
        text
    }

    fn read(&self, input: &[u8]) {
        // A list that cannot be written is no fault of the reader's.
        if std::fs::write(&self.list, input).is_ok() {
            let _ = read_suite(&self.list, "/bin/true".as_ref(), &[]);
        }
        debug_assert!(self.folder.path().is_dir());
    }
}
