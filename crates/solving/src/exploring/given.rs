//! Inputs as they are given to runs, and as the symbols have them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use experiment::{Case, Input};
use symbolic::Name;

/// All of it that can become symbols.
pub(super) fn named(case: &Case, input: &Input, variables: usize) -> Vec<symbolic::Input> {
    let mut all = vec![symbolic::Input { name: Name::Standard, content: input.stdin.clone() }];
    for (position, argument) in (1..).zip(&input.arguments) {
        all.push(symbolic::Input { name: Name::Argument(position), content: argument.as_bytes().to_vec() });
    }
    for (path, content) in &input.files {
        let name = Name::File(path.to_string_lossy().into_owned());
        all.push(symbolic::Input { name, content: content.clone() });
    }
    for (name, value) in case.environment.iter().filter(|(_, value)| value.len() <= variables) {
        let value = input.environment.get(name).cloned().flatten().unwrap_or_else(|| value.clone());
        let name = Name::Environment(name.to_string_lossy().into_owned());
        all.push(symbolic::Input { name, content: value.into_vec() });
    }
    for (name, value) in &input.environment {
        let is_known = case.environment.iter().any(|(known, _)| known == name);
        if let (Some(value), Some(name), false) = (value, name.to_str(), is_known) {
            let name = Name::Environment(name.to_owned());
            all.push(symbolic::Input { name, content: value.clone().into_vec() });
        }
    }
    all
}

/// The input with what the symbols' values make of it.
pub(super) fn given(input: &Input, named: &[symbolic::Input], case: &Case) -> Input {
    let mut given = input.clone();
    for symbolic::Input { name, content } in named {
        match name {
            Name::Standard => given.stdin.clone_from(content),
            Name::Argument(position) => {
                if let Some(argument) = given.arguments.get_mut(position - 1) {
                    *argument = OsString::from_vec(content.clone());
                }
            }
            Name::File(path) => {
                given.files.insert(PathBuf::from(path), content.clone());
            }
            Name::Environment(name) => {
                let name = OsString::from(name);
                let value = OsString::from_vec(content.clone());
                let is_own = case.environment.iter().any(|(known, own)| *known == name && *own == value);
                if !is_own {
                    given.environment.insert(name, Some(value));
                }
            }
        }
    }
    given
}

/// The files of the case's directory that are no larger than this, by their paths in it.
pub(super) fn files(case: &Case, most: u64) -> io::Result<Vec<PathBuf>> {
    /// More files are no input.
    const MOST_FILES: usize = 256;
    let Some(directory) = &case.files else { return Ok(Vec::new()) };
    let mut found = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(directory.join(&folder))? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, folder.join(entry.file_name()));
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && entry.metadata()?.len() <= most {
                found.insert(path, ());
            }
        }
        if found.len() > MOST_FILES {
            break;
        }
    }
    Ok(found.into_keys().take(MOST_FILES).collect())
}
