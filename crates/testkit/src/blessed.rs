//! Outputs that are compared with a file beside the case: blessed once, read by a person, and then the same.
//!
//! With `FAULTLINE_BLESS=1` the files are written anew.

use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Whether files are written anew.
pub fn is_blessing() -> bool {
    std::env::var_os("FAULTLINE_BLESS").is_some_and(|bless| bless == "1")
}

/// Compares a text with a blessed file, or writes it there.
pub fn blessed(path: &Path, text: &str) -> Result<()> {
    if is_blessing() {
        return std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()));
    }
    let missing = || format!("cannot read {}; with FAULTLINE_BLESS=1 it is written", path.display());
    let expected = std::fs::read_to_string(path).with_context(missing)?;
    let differing = expected.lines().zip(text.lines()).position(|(expected, found)| expected != found);
    let first = differing.unwrap_or(expected.lines().count().min(text.lines().count()));
    let line = |text: &str| text.lines().nth(first).unwrap_or("(the end)").to_owned();
    ensure!(
        expected == text,
        "{}:{}:\nexpected {}\n   found {}\nWith FAULTLINE_BLESS=1 it is written anew.",
        path.display(),
        first + 1,
        line(&expected),
        line(text)
    );
    Ok(())
}

/// A report without what varies from run to run: seconds, and the folder that the case is in.
pub fn masked(report: &str, folder: &Path) -> String {
    let report = report.replace(&format!("{}/", folder.display()), "");
    let lines = report.lines().map(|line| match line.split_once(" in ") {
        Some((begin, rest)) if begin.starts_with("Tried: ") && rest.ends_with(" s") => format!("{begin} in … s"),
        _ => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_folders_are_masked() {
        let report = "1. /a/b/x.c:3 in f\nTried: 7 runs in 0.3 s\n   in 2 s";
        assert_eq!(masked(report, Path::new("/a/b")), "1. x.c:3 in f\nTried: 7 runs in … s\n   in 2 s\n");
    }
}
