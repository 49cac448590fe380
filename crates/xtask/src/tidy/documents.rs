//! Files that the developers' documents name are there.

use std::path::Path;

use anyhow::{Context, Result};

/// What is checked, each with the folders that its paths may be relative to.
const DOCUMENTS: [(&str, &[&str]); 3] = [
    ("ARCHITECTURE.md", &["", "crates"]),
    ("CONTRIBUTING.md", &["", "crates"]),
    ("eval/README.md", &["", "eval", "crates/evaluation/src"]),
];

pub fn missing(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for (document, bases) in DOCUMENTS {
        let text = std::fs::read_to_string(root.join(document)).context(document)?;
        let is_there = |path: &str| bases.iter().any(|base| root.join(base).join(path).exists());
        let gone = paths(&text).into_iter().filter(|path| !is_there(path));
        faults.extend(gone.map(|path| format!("{document} names {path}, which is not there")));
    }
    Ok(faults)
}

/// What is spelled as a path between backticks. Not commands, what is made later, or what stands for a name.
fn paths(text: &str) -> Vec<&str> {
    let spans = text.split('`').skip(1).step_by(2);
    let is_path = |span: &&str| {
        let is_spelled = span.chars().all(|c| c.is_ascii_alphanumeric() || "/_-.".contains(c));
        let stands_for_a_name =
            span.split(['/', '.']).any(|part| part.len() > 2 && part.chars().all(|c| c.is_ascii_uppercase()));
        is_spelled
            && span.contains('/')
            && !stands_for_a_name
            && !span.starts_with("./")
            && !span.starts_with("target/")
    };
    spans.filter(is_path).collect()
}

#[cfg(test)]
mod tests {
    use super::paths;

    #[test]
    fn paths_are_told_from_commands_and_names() {
        let text =
            "See `a/b.rs` and `c/`, not `./x a/b`, `./x`, `crate::a`, `tests/NAME/x`, `target/x`, `a or/b` or `and`.";
        assert_eq!(paths(text), ["a/b.rs", "c/"]);
    }
}
