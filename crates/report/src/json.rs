//! For scripts. The schema is that of `findings`.

use std::io::{self, Write};

use findings::Findings;

pub fn json(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, findings)?;
    writeln!(out)
}
