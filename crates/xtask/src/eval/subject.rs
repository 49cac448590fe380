//! A program with tests and seeded faults, as it lies in `eval/subjects`. The format is told in `eval/README.md`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use super::change::{Change, change};
use super::class::Class;

pub struct Subject {
    pub name: String,
    /// `NAME.c` or `NAME.cpp`.
    pub source_name: String,
    pub source: String,
    pub tests: Vec<Test>,
    pub faults: Vec<Fault>,
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
    lines: Vec<u32>,
    summary: String,
}

impl Subject {
    pub fn is_cpp(&self) -> bool {
        self.source_name.ends_with(".cpp")
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
    let listed: Faults = toml::from_str(&read(&folder.join("faults.toml"))?).context("faults.toml")?;
    let faults = listed.fault.into_iter().map(|listed| {
        let ListedFault { name, class, lines, summary } = listed;
        let patch = read(&folder.join("faults").join(format!("{name}.patch")))?;
        let change = change(&source, &patch).with_context(|| format!("fault {name}"))?;
        Ok(Fault { name, class, lines, summary, change })
    });
    let faults = faults.collect::<Result<Vec<Fault>>>()?;
    Ok(Subject { name, source_name, source, tests: tests.test, faults })
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
