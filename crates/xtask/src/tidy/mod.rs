//! Rules of the house that no compiler checks.

mod cycles;
mod duplicates;
mod documents;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use testkit::{Verdict, workspace};
use toml::{Table, Value};

use crate::book;

/// A file longer than this is shown, not forbidden: long is right where a file enumerates.
const LONG: usize = 600;
/// It has a profile of its own, and is tested through the programs it is linked into.
const RUNTIME: &str = "crates/runtime";
/// Words that say nothing about what a file is for.
const EMPTY_WORDS: [&str; 9] = ["node", "item", "data", "info", "manager", "helper", "util", "handle", "process"];

pub fn tidy() -> Result<Verdict> {
    let root = workspace();
    let workspace = read_toml(&root.join("Cargo.toml"))?;
    let members = members(&workspace)?;
    let files = files(&root)?;
    let mut faults = crate_order(&root, &workspace, &members)?;
    faults.extend(cycles::cycles(&root, members)?);
    faults.extend(duplicates::duplicates(&root, &files)?);
    faults.extend(documents::missing(&root)?);
    faults.extend(formatting(&root)?);
    faults.extend(book::stale(&root)?);
    for file in &files {
        faults.extend(empty_name(file));
        if file.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(root.join(file)).with_context(|| file.display().to_string())?;
            faults.extend(header(file, &text));
            let lines = text.lines().count();
            if lines > LONG {
                println!("long: {} ({lines} lines)", file.display());
            }
        }
    }
    for fault in &faults {
        println!("{fault}");
    }
    println!(
        "tidy: {}",
        if faults.is_empty() { "nothing to complain of".into() } else { format!("{} faults", faults.len()) }
    );
    Ok(if faults.is_empty() { Verdict::Holds } else { Verdict::DoesNotHold })
}

/// Folders of crates, in the order data flows.
fn members(workspace: &Table) -> Result<Vec<&str>> {
    let members = workspace["workspace"]["members"].as_array().context("the workspace has no list of members")?;
    Ok(members.iter().filter_map(Value::as_str).collect())
}

/// A crate may use only those that stand above it in the list of members.
fn crate_order(root: &Path, workspace: &Table, members: &[&str]) -> Result<Vec<String>> {
    let built = workspace["workspace"]["default-members"].as_array().context("the workspace has no default members")?;
    let is_built = |member: &&str| built.iter().any(|other| other.as_str() == Some(member));
    let mut faults: Vec<String> = members
        .iter()
        .filter(|member| **member != RUNTIME && !is_built(member))
        .map(|member| format!("{member} is not among the default members, so it is not tested"))
        .collect();
    let shared = workspace["workspace"]["dependencies"].as_table().context("no workspace dependencies")?;
    for (position, member) in members.iter().enumerate() {
        let manifest = read_toml(&root.join(member).join("Cargo.toml"))?;
        for name in dependencies(&manifest) {
            let path = shared.get(name).and_then(|dependency| dependency.get("path")).and_then(Value::as_str);
            let Some(path) = path else { continue };
            let used = members.iter().position(|other| *other == path);
            if used.is_none_or(|used| used >= position) {
                faults.push(format!("{member} uses {path}, which does not stand above it in Cargo.toml"));
            }
        }
    }
    Ok(faults)
}

/// Names under all tables of dependencies, those for tests included.
fn dependencies(manifest: &Table) -> impl Iterator<Item = &str> {
    ["dependencies", "dev-dependencies", "build-dependencies"]
        .into_iter()
        .filter_map(|table| manifest.get(table)?.as_table())
        .flat_map(|table| table.keys().map(String::as_str))
}

fn read_toml(path: &Path) -> Result<Table> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().with_context(|| format!("cannot understand {}", path.display()))
}

fn formatting(root: &Path) -> Result<Option<String>> {
    let status = Command::new("cargo").args(["fmt", "--all", "--check", "--", "-l"]).current_dir(root).status()?;
    Ok((!status.success()).then(|| "some files are not formatted; run `cargo fmt`".to_string()))
}

/// Tracked files, and new ones that are not ignored.
fn files(root: &Path) -> Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()?;
    if !output.status.success() {
        bail!("git ls-files: {}", output.status);
    }
    let names = String::from_utf8(output.stdout)?;
    let files = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from);
    Ok(files.filter(|file| root.join(file).exists()).collect())
}

fn empty_name(file: &Path) -> Option<String> {
    // These were made by people who did not know the project, and stay as they were made.
    if file.starts_with("eval/blind") {
        return None;
    }
    let stem = file.file_stem()?.to_str()?.to_ascii_lowercase();
    let word = stem.split(['_', '-', '.']).find(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        EMPTY_WORDS.contains(word) || EMPTY_WORDS.contains(&singular)
    })?;
    Some(format!("{}: `{word}` says nothing; see the list of words in CONTRIBUTING.md", file.display()))
}

/// Every crate begins by saying what comes in, what goes out, and what it does without.
fn header(file: &Path, text: &str) -> Option<String> {
    if !file.ends_with("src/lib.rs") {
        return None;
    }
    let header: String = text.lines().take_while(|line| line.starts_with("//!")).collect();
    let complete = header.contains("Deliberately absent");
    (!complete).then(|| format!("{}: the header does not say what is \"Deliberately absent\"", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_words_are_found_as_words() {
        assert!(empty_name(Path::new("src/string_utils.rs")).is_some());
        assert!(empty_name(Path::new("src/process.rs")).is_some());
        assert!(empty_name(Path::new("src/database.rs")).is_none());
        assert!(empty_name(Path::new("src/processor.rs")).is_none());
    }

    #[test]
    fn headers_name_absences() {
        let file = Path::new("crates/x/src/lib.rs");
        assert!(header(file, "//! In: x.\n//! Deliberately absent: y.\n").is_none());
        assert!(header(file, "//! In: x.\n\n//! Deliberately absent: y.\n").is_some());
        assert!(header(Path::new("crates/x/src/other.rs"), "").is_none());
    }
}
