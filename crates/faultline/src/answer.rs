//! How findings are given out, and the exit statuses of commands that look for them.

use std::io::{self, BufWriter};
use std::process::ExitCode;

use anyhow::Result;
use findings::Findings;

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Text,
    Json,
}

pub const DOES_NOT_FAIL: u8 = 1;
pub const NOTHING_FOUND: u8 = 3;

pub fn write(found: &Findings, format: Format) -> Result<ExitCode> {
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match format {
        Format::Text => report::text(found, &mut out),
        Format::Json => report::json(found, &mut out),
    };
    let ended = crate::finish(written.map_err(Into::into), out)?;
    Ok(if found.findings.is_empty() { ExitCode::from(NOTHING_FOUND) } else { ended })
}
