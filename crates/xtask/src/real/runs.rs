//! Runs of a program with many arguments and inputs, each compared with clang's build, recorded and replayed.
//!
//! The runs are lines of `runs/NAME.txt`: words as a shell would split them, `'` quotes, `< FILE` for standard input.
//! Each starts in a fresh folder with the same files.

mod inputs;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use testkit::real::Program;
use testkit::{Ending, Tools, parallel, run};

const LIMIT: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub struct Round {
    pub runs: usize,
    pub departures: Vec<String>,
}

struct Line {
    text: String,
    words: Vec<String>,
    input: Option<String>,
}

pub fn record_and_replay(tools: &Tools, program: &Program, clang: &Path, faultline: &Path) -> Result<Round> {
    let files = tempfile::tempdir()?;
    inputs::make(program, clang, files.path())?;
    let lines = lines(program, files.path())?;
    let results = parallel::map(&lines, |line| one(tools, program, line, clang, faultline, files.path()));
    let mut round = Round { runs: lines.len(), departures: Vec::new() };
    for (line, result) in lines.iter().zip(results) {
        if let Some(departure) = result? {
            round.departures.push(format!("`{}`: {departure}", line.text));
        }
    }
    Ok(round)
}

fn lines(program: &Program, files: &Path) -> Result<Vec<Line>> {
    let text = match program.name {
        "gzip" => include_str!("runs/gzip.txt").to_string(),
        "sed" => include_str!("runs/sed.txt").to_string(),
        "grep" => include_str!("runs/grep.txt").to_string(),
        "bc" => include_str!("runs/bc.txt").to_string(),
        "diffutils" => include_str!("runs/diffutils.txt").to_string(),
        "tar" => include_str!("runs/tar.txt").to_string(),
        "cjson" => include_str!("runs/cjson.txt").to_string(),
        _ => inputs::json_lines(files)?,
    };
    Ok(text.lines().map(read_line).collect())
}

fn read_line(text: &str) -> Line {
    let mut words: Vec<String> = Vec::new();
    let mut quoted = false;
    let mut open = false;
    for c in text.chars() {
        match c {
            '\'' => (quoted, open) = (!quoted, if quoted { open } else { push_if(&mut words, open) }),
            ' ' if !quoted => open = false,
            c => {
                open = push_if(&mut words, open);
                words.last_mut().unwrap().push(c);
            }
        }
    }
    let input = words.iter().position(|word| word == "<").map(|at| words.drain(at..).nth(1).unwrap_or_default());
    Line { text: text.to_string(), words, input }
}

/// Begins a word unless one is open.
fn push_if(words: &mut Vec<String>, open: bool) -> bool {
    if !open {
        words.push(String::new());
    }
    true
}

/// What differs, if anything does.
fn one(
    tools: &Tools,
    program: &Program,
    line: &Line,
    clang: &Path,
    faultline: &Path,
    files: &Path,
) -> Result<Option<String>> {
    let (name, arguments) = line.words.split_first().context("an empty line")?;
    let executable = program.executable(name).with_context(|| format!("no executable `{name}`"))?;
    let input = match &line.input {
        Some(file) => std::fs::read(files.join(file)).with_context(|| format!("no input `{file}`"))?,
        None => Vec::new(),
    };
    let [there, here] = [fresh(files)?, fresh(files)?];
    // Both under one name: programs print the one they were called by.
    let [plain, instrumented] = [(clang, &there), (faultline, &here)].map(|(build, folder)| {
        let link = folder.path().join(name);
        std::os::unix::fs::symlink(build.join(executable), &link).map(|()| PathBuf::from("./").join(name))
    });
    let expected = run(Command::new(plain?).args(arguments).current_dir(&there), &input, LIMIT)?;
    let recording = here.path().join("recording.flt");
    let mut record = Command::new(&tools.faultline);
    record.arg("record").arg("-o").arg(&recording).arg("--").arg(instrumented?).args(arguments).current_dir(&here);
    let recorded = run(&mut record, &input, LIMIT)?;
    if recorded.ending.as_shell_status() != expected.ending.as_shell_status() {
        let said = String::from_utf8_lossy(&recorded.stderr);
        return Ok(Some(format!("{} when recorded, {} by clang: {said}", recorded.ending, expected.ending)));
    }
    if recorded.stdout != expected.stdout {
        return Ok(Some("prints something else than by clang".into()));
    }
    let replayed = run(Command::new(&tools.faultline).arg("replay").arg(&recording), b"", LIMIT)?;
    std::fs::remove_file(&recording)?;
    if contents(there.path())? != contents(here.path())? {
        return Ok(Some("leaves other files behind than by clang".into()));
    }
    if replayed.ending != Ending::Exit(0) {
        let said = String::from_utf8_lossy(&replayed.stderr).trim().to_string();
        return Ok(Some(format!("the replay ended with {}: {said}", replayed.ending)));
    }
    Ok(None)
}

/// Every file below a folder, by its path.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next)? {
            let entry = entry?;
            match entry.file_type()? {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_file() => {
                    found.insert(entry.path().strip_prefix(folder)?.to_path_buf(), std::fs::read(entry.path())?);
                }
                _ => {}
            }
        }
    }
    Ok(found)
}

fn fresh(files: &Path) -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    let mut copy = Command::new("cp");
    copy.arg("-a").arg(files.join(".")).arg(folder.path());
    anyhow::ensure!(copy.status()?.success(), "cannot copy the input files");
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_as_a_shell_would() {
        let line = read_line("sed -e 's/a b/c/' x'y z' < text");
        assert_eq!(line.words, ["sed", "-e", "s/a b/c/", "xy z"]);
        assert_eq!(line.input.as_deref(), Some("text"));
        assert_eq!(read_line("a '' b").words, ["a", "", "b"]);
    }
}
