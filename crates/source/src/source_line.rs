//! From `FILE:LINE`, as people write it, to the instructions of that line.

use std::collections::BTreeSet;

use abi::{FunctionId, InstructionId};
use program::SourceFile;
use replay::{Image, ReplayError};

use crate::value::nearest;

/// The instructions of a line, by function; code of a header or template may be in several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// With its folder.
    pub file: String,
    pub line: u32,
    pub functions: Vec<LineFunction>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineFunction {
    /// Position in the image's list.
    pub module: usize,
    pub function: FunctionId,
    /// In ascending order.
    pub sites: Vec<InstructionId>,
}

#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("`{text}` is not FILE:LINE, as in main.c:12")]
    NotALine { text: String },
    #[error("the program has no source file `{name}`{}", offer(near))]
    NoFile { name: String, near: Vec<String> },
    #[error("the program has several source files `{name}`: {}; give more of the path", files.join(", "))]
    SeveralFiles { name: String, files: Vec<String> },
    #[error("there is no code at line {line} of {file}{}", next_line(*next))]
    NoCode { file: String, line: u32, next: Option<u32> },
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

fn offer(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) }
}

fn next_line(next: Option<u32>) -> String {
    next.map_or_else(String::new, |line| format!("; the next line with code is {line}"))
}

/// Splits `main.c:12`.
pub fn parse_line(text: &str) -> Result<(&str, u32), LineError> {
    let parts = text.rsplit_once(':').filter(|(file, _)| !file.is_empty());
    let parsed = parts.and_then(|(file, line)| Some((file, line.parse().ok().filter(|line| *line > 0)?)));
    parsed.ok_or_else(|| LineError::NotALine { text: text.into() })
}

/// The path of the one source file of the program that a name means.
pub fn find_file(image: &Image<'_>, name: &str) -> Result<String, LineError> {
    let mut files = BTreeSet::new();
    for module in 0..image.module_count() {
        files.extend(image.module(module)?.files.iter().map(|file| path_of(file)));
    }
    choose(&files, name)
}

pub fn find_line(image: &Image<'_>, name: &str, line: u32) -> Result<SourceLine, LineError> {
    let file = find_file(image, name)?;
    let mut functions = Vec::new();
    let mut next: Option<u32> = None;
    for position in 0..image.module_count() {
        let module = image.module(position)?;
        let wanted: Vec<bool> = module.files.iter().map(|f| path_of(f) == file).collect();
        for function in &module.functions {
            let mut sites = Vec::new();
            for (id, instruction) in (0..).map(InstructionId).zip(&function.instructions) {
                let Some(location) = instruction.location.filter(|l| wanted[l.file as usize]) else { continue };
                if location.line == line {
                    sites.push(id);
                } else if location.line > line {
                    next = Some(next.map_or(location.line, |next| next.min(location.line)));
                }
            }
            if !sites.is_empty() {
                functions.push(LineFunction { module: position, function: function.id, sites });
            }
        }
    }
    if functions.is_empty() {
        return Err(LineError::NoCode { file, line, next });
    }
    Ok(SourceLine { file, line, functions })
}

/// The one file a name means: the path itself, or the one path that ends so.
fn choose(files: &BTreeSet<String>, name: &str) -> Result<String, LineError> {
    let wanted = parts(name);
    let exact = files.iter().find(|file| parts(file) == wanted);
    let mut fitting = files.iter().filter(|file| parts(file).ends_with(&wanted));
    match (exact, fitting.next(), fitting.next()) {
        (Some(file), ..) | (None, Some(file), None) => Ok(file.clone()),
        (None, Some(first), Some(second)) => {
            let files = [first, second].into_iter().chain(fitting).cloned().collect();
            Err(LineError::SeveralFiles { name: name.into(), files })
        }
        (None, None, _) => {
            let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
            Err(LineError::NoFile {
                name: name.into(),
                near: nearest(&last(name), files.iter().map(|file| last(file))),
            })
        }
    }
}

/// The path of a file, with its folder.
pub fn path_of(file: &SourceFile) -> String {
    let joined = if file.name.starts_with('/') || file.directory.is_empty() {
        file.name.clone()
    } else {
        format!("{}/{}", file.directory, file.name)
    };
    let parts = parts(&joined).join("/");
    if joined.starts_with('/') { format!("/{parts}") } else { parts }
}

/// Names of a path, `.` and `..` resolved as far as the text allows.
fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_at_the_last_colon() {
        assert!(matches!(parse_line("a:b.c:12"), Ok(("a:b.c", 12))));
        for wrong in ["a.c", "a.c:", "a.c:x", ":3", "a.c:0"] {
            assert!(parse_line(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_end_of_a_path_is_enough_if_it_is_unique() {
        let files: BTreeSet<String> =
            ["/w/lib/a.c", "/w/app/a.c", "/w/app/main.c"].into_iter().map(String::from).collect();
        assert_eq!(choose(&files, "main.c").unwrap(), "/w/app/main.c");
        assert_eq!(choose(&files, "./lib/a.c").unwrap(), "/w/lib/a.c");
        assert_eq!(choose(&files, "/w/app/../lib/a.c").unwrap(), "/w/lib/a.c");
        assert!(matches!(choose(&files, "a.c"), Err(LineError::SeveralFiles { files, .. }) if files.len() == 2));
        assert!(matches!(choose(&files, "mian.c"), Err(LineError::NoFile { near, .. }) if near == ["main.c"]));
        assert!(matches!(choose(&files, "ain.c"), Err(LineError::NoFile { .. })));
    }
}
