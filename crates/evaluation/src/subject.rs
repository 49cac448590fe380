//! A program with tests and seeded faults, as it lies in `eval/subjects`. The format is told in `eval/README.md`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;

use crate::change::{Change, change};
use crate::class::Class;
use crate::kind::Kind;

pub struct Subject {
    pub name: String,
    /// `NAME.c` or `NAME.cpp`.
    pub source_name: String,
    pub source: String,
    pub tests: Vec<Test>,
    pub faults: Vec<Fault>,
    /// Faults that keep code from running: a set of their own, whose names are none of `faults`.
    pub omissions: Vec<Fault>,
    /// Faults by which some test crashes; only some subjects have them.
    pub crashes: Vec<Fault>,
}

/// What is run; what it should print is what the right version prints.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    pub name: String,
    #[serde(default)]
    pub args: Vec<String>,
    /// Relative to the subject's folder in the file, absolute here.
    pub stdin: Option<PathBuf>,
}

pub struct Fault {
    pub name: String,
    pub class: Class,
    /// Of omissions only.
    pub kind: Option<Kind>,
    /// Made when the technique it is for was finished, by somebody who knew nothing of it.
    pub is_unseen: bool,
    /// What a person would change, in the faulty version. For missing code the lines it belongs between.
    pub lines: Vec<u32>,
    /// What is wrong, for people.
    pub summary: String,
    pub change: Change,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tests {
    test: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Faults {
    fault: Vec<ListedFault>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedFault {
    name: String,
    class: Class,
    kind: Option<Kind>,
    #[serde(default)]
    unseen: bool,
    lines: Vec<u32>,
    summary: String,
}

/// Which set of a subject's faults.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Faults,
    Omissions,
    Crashes,
}

impl Set {
    /// Of the list, without its ending, and of the folder with the patches.
    fn name(self) -> &'static str {
        match self {
            Set::Faults => "faults",
            Set::Omissions => "omissions",
            Set::Crashes => "crashes",
        }
    }
}

impl Subject {
    pub fn is_cpp(&self) -> bool {
        self.source_name.ends_with(".cpp")
    }

    /// Of all sets.
    pub fn all_faults(&self) -> impl Iterator<Item = &Fault> {
        self.faults.iter().chain(&self.omissions).chain(&self.crashes)
    }
}

/// All subjects of a folder, by name.
pub fn read_subjects(folder: &Path) -> Result<Vec<Subject>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut folders: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders.iter().map(|folder| read_subject(folder).with_context(|| folder.display().to_string())).collect()
}

fn read_subject(folder: &Path) -> Result<Subject> {
    let name = folder.file_name().and_then(|name| name.to_str()).context("a strange name")?.to_string();
    let sources = ["c", "cpp"].map(|extension| format!("{name}.{extension}"));
    let Some(source_name) = sources.into_iter().find(|source| folder.join(source).exists()) else {
        bail!("there is neither {name}.c nor {name}.cpp");
    };
    let source = read(&folder.join(&source_name))?;
    let mut tests: Tests = toml::from_str(&read(&folder.join("tests.toml"))?).context("tests.toml")?;
    for test in &mut tests.test {
        test.stdin = test.stdin.take().map(|input| folder.join(input));
    }
    let faults = read_faults(folder, Set::Faults, &source)?;
    // Not every program has these.
    let [omissions, crashes] = [Set::Omissions, Set::Crashes].map(|set| {
        let is_there = folder.join(format!("{}.toml", set.name())).exists();
        if is_there { read_faults(folder, set, &source) } else { Ok(Vec::new()) }
    });
    Ok(Subject { name, source_name, source, tests: tests.test, faults, omissions: omissions?, crashes: crashes? })
}

fn read_faults(folder: &Path, set: Set, source: &str) -> Result<Vec<Fault>> {
    let list = format!("{}.toml", set.name());
    let listed: Faults = toml::from_str(&read(&folder.join(&list))?).context(list)?;
    let faults = listed.fault.into_iter().map(|listed| {
        let ListedFault { name, class, kind, unseen: is_unseen, lines, summary } = listed;
        ensure!(
            kind.is_some() == (set == Set::Omissions),
            "fault {name}: an omission has a kind, any other fault has none"
        );
        let patch = read(&folder.join(set.name()).join(format!("{name}.patch")))?;
        let change = change(source, &patch).with_context(|| format!("fault {name}"))?;
        Ok(Fault { name, class, kind, is_unseen, lines, summary, change })
    });
    faults.collect()
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
