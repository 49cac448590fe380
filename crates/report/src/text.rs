//! For a terminal.

use std::collections::HashMap;
use std::io::{self, Write};

use findings::{Findings, Location};

/// Findings told in full; more are one line each.
const IN_FULL: usize = 5;

pub fn text(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    let mut sources = Sources::default();
    for (position, finding) in findings.findings.iter().enumerate() {
        let Location { file, line, function, .. } = &finding.location;
        if position >= IN_FULL {
            writeln!(out, "{}. {file}:{line} in {function}: {}", finding.rank, finding.message)?;
            continue;
        }
        writeln!(out, "{}. {file}:{line} in {function}", finding.rank)?;
        if let Some(text) = sources.line(&finding.location) {
            writeln!(out, "{line:>6} | {text}")?;
        }
        writeln!(out, "       {}", finding.message)?;
        for evidence in &finding.evidence {
            writeln!(out, "       - {}", evidence.text)?;
        }
        writeln!(out)?;
    }
    if findings.findings.is_empty() {
        writeln!(out, "Nothing was found.")?;
    }
    for link in &findings.chain {
        writeln!(out, "  {}:{} {}", link.location.file, link.location.line, link.text)?;
    }
    let runs = if findings.experiments == 1 { "experiment" } else { "experiments" };
    writeln!(out, "{} {runs} in {:.1} s.", findings.experiments, findings.seconds)?;
    for limit in &findings.limits {
        writeln!(out, "Limit: {limit}.")?;
    }
    Ok(())
}

/// Source files, read when first asked for; one that cannot be read has no lines.
#[derive(Default)]
struct Sources {
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    fn line(&mut self, at: &Location) -> Option<&str> {
        let lines = self.files.entry(at.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&at.file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
        });
        lines.get((at.line as usize).checked_sub(1)?).map(String::as_str)
    }
}
