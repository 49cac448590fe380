//! How reports are written, and the exit statuses of commands that search.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use findings::Findings;
use findings::story::Story;

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For scripts
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for a GitHub job
    Github,
}

pub const DOES_NOT_FAIL: u8 = 1;
pub const NOTHING_FOUND: u8 = 3;

/// Writes an answer; gives the status to end with.
pub fn write(found: &Findings, format: Format) -> Result<u8> {
    // It leaves out colours unless there is a terminal that may have them.
    let mut out = BufWriter::new(anstream::stdout().lock());
    let written = match format {
        Format::Text => report::text(found, width(), &mut out),
        Format::Json => report::json(found, &mut out),
        Format::Sarif => report::sarif(found, &mut out),
        Format::Github => report::github(found, &mut out),
    };
    crate::finish(written.map_err(Into::into), out)?;
    Ok(status(found))
}

/// The status of an answer.
pub fn status(found: &Findings) -> u8 {
    if found.findings.is_empty() || found.unproven { NOTHING_FOUND } else { 0 }
}

/// Writes the page of an answer.
pub fn write_page(found: &Findings, story: &Story, path: &Path) -> Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let mut out = BufWriter::new(File::create(path).with_context(cannot)?);
    report::html(found, story, &mut out).and_then(|()| out.flush()).with_context(cannot)
}

/// Writes text for standard output.
pub fn write_text(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    crate::finish(out.write_all(text.as_bytes()).map_err(Into::into), out).map(drop)
}

/// Columns of the terminal; without one, as many as people read well.
fn width() -> usize {
    const READABLE: usize = 100;
    terminal_size::terminal_size().map_or(READABLE, |(width, _)| usize::from(width.0))
}
