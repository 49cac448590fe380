//! A test program: one C or C++ file that says in its first lines how it wants to be built and run.
//!
//! | line | meaning |
//! |---|---|
//! | `//@ flags: -pthread -lm` | given to the compiler, compiling and linking |
//! | `//@ with: parts/other.c` | another source of the program, instrumented too; may be repeated |
//! | `//@ outside: parts/plain.c` | another source, compiled by plain clang in every build |
//! | `//@ library: parts/plugin.c` | becomes `libplugin.so` beside the program, instrumented too |
//! | `//@ arguments: a b` | the program's arguments |
//! | `//@ input: parts/text` | its standard input |
//! | `//@ text: a\n\x00` | the same, as it would stand in a string of Rust or C |
//! | `//@ file: NAME a\n` | a file with this text in the directory it works in; may be repeated |
//! | `//@ variable: NAME=value` | a variable of its environment; may be repeated |
//! | `//@ ends: exit 3` or `signal 11` | how the run ends; without this line, with exit 0 |
//! | `//@ recorded-only-once: why` | two runs may differ, so only the ending of a recorded run is compared |
//! | `//@ time-limit: 1` | recorded for so many seconds at most: for programs that do not end |
//! | `//@ levels: O0` | built at this level only (`O0` or `O2`) |

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run::Ending;
use crate::tools::workspace;

#[derive(Clone, Debug)]
pub struct Fixture {
    pub source: PathBuf,
    pub flags: Vec<String>,
    pub with: Vec<PathBuf>,
    pub outside: Vec<PathBuf>,
    pub libraries: Vec<PathBuf>,
    pub arguments: Vec<String>,
    pub input: Vec<u8>,
    pub files: Vec<(String, Vec<u8>)>,
    pub variables: Vec<(String, String)>,
    pub ending: Ending,
    pub varies: bool,
    /// Seconds after which a recording is ended.
    pub time_limit: Option<u32>,
    pub level: Option<String>,
}

impl Fixture {
    pub fn read(source: &Path) -> Result<Fixture> {
        let text = std::fs::read_to_string(source).with_context(|| format!("cannot read {}", source.display()))?;
        let mut fixture = Fixture {
            source: source.to_path_buf(),
            flags: Vec::new(),
            with: Vec::new(),
            outside: Vec::new(),
            libraries: Vec::new(),
            arguments: Vec::new(),
            input: Vec::new(),
            files: Vec::new(),
            variables: Vec::new(),
            ending: Ending::Exit(0),
            varies: false,
            time_limit: None,
            level: None,
        };
        let beside = |name: &str| source.with_file_name(name);
        let first = text.lines().take_while(|line| line.starts_with("//"));
        for line in first.filter_map(|line| line.strip_prefix("//@ ")) {
            let (key, value) = line.split_once(':').with_context(|| format!("{}: `{line}`", source.display()))?;
            let value = value.trim();
            let words = || value.split_whitespace().map(String::from);
            match key {
                "flags" => fixture.flags.extend(words()),
                "with" => fixture.with.push(beside(value)),
                "outside" => fixture.outside.push(beside(value)),
                "library" => fixture.libraries.push(beside(value)),
                "arguments" => fixture.arguments.extend(words()),
                "input" => fixture.input = std::fs::read(beside(value)).with_context(|| value.to_string())?,
                "text" => fixture.input = unescaped(value).with_context(|| source.display().to_string())?,
                "file" => {
                    let (name, text) = value.split_once(' ').with_context(|| format!("`{line}`"))?;
                    fixture.files.push((name.to_owned(), unescaped(text)?));
                }
                "variable" => {
                    let (name, value) = value.split_once('=').with_context(|| format!("`{line}`"))?;
                    fixture.variables.push((name.to_owned(), value.to_owned()));
                }
                "ends" => fixture.ending = ending(value).with_context(|| source.display().to_string())?,
                "recorded-only-once" => fixture.varies = true,
                "time-limit" => fixture.time_limit = Some(value.parse().with_context(|| source.display().to_string())?),
                "levels" => fixture.level = Some(value.to_string()),
                _ => bail!("{}: unknown `{key}`", source.display()),
            }
        }
        Ok(fixture)
    }

    /// `transparency/long_double`: folder and name without ending.
    pub fn name(&self) -> String {
        let folder = self.source.parent().and_then(Path::file_name).unwrap_or_default();
        let stem = self.source.file_stem().unwrap_or_default();
        format!("{}/{}", folder.display(), stem.display())
    }

    pub fn is_cpp(&self) -> bool {
        self.source.extension().is_some_and(|extension| extension == "cpp")
    }
}

fn ending(text: &str) -> Result<Ending> {
    let (kind, number) = text.split_once(' ').context("`ends:` wants two words")?;
    let number = number.parse()?;
    match kind {
        "exit" => Ok(Ending::Exit(number)),
        "signal" => Ok(Ending::Signal(number)),
        _ => bail!("`ends: {text}`: expected `exit N` or `signal N`"),
    }
}

/// Bytes as they stand in a string: `\n`, `\r`, `\t`, `\0`, `\\` and `\xNN`.
fn unescaped(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next() {
                Some(b'n') => b'\n',
                Some(b'r') => b'\r',
                Some(b't') => b'\t',
                Some(b'0') => 0,
                Some(b'\\') => b'\\',
                Some(b'x') => {
                    let digits = [rest.next(), rest.next()].map(|digit| digit.map_or('?', char::from));
                    u8::from_str_radix(&String::from_iter(digits), 16).with_context(|| format!("`{text}`"))?
                }
                other => bail!("`{text}`: a backslash before {other:?}"),
            },
            byte => byte,
        });
    }
    Ok(bytes)
}

/// The programs of a folder below `tests/`, in the order of their names.
pub fn fixtures(folder: &str) -> Result<Vec<Fixture>> {
    let path = workspace().join("tests").join(folder);
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
        let source = entry?.path();
        if source.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            sources.push(source);
        }
    }
    sources.sort();
    sources.iter().map(|source| Fixture::read(source)).collect()
}
