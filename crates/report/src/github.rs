//! For a job of GitHub's: annotations that it shows beside the lines of a change.

use std::io::{self, Write};

use findings::{Findings, Link};

use crate::english::{self, UNPROVEN};

/// Annotations: the best finding is an error, some others are notices.
const NOTICES: usize = 4;

pub fn github(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    for (position, finding) in findings.findings.iter().take(1 + NOTICES).enumerate() {
        let level = if position == 0 && !findings.unproven { "error" } else { "notice" };
        let at = &finding.location;
        let column = if at.column > 0 { format!(",col={}", at.column) } else { String::new() };
        let mut message = english::message(finding);
        if position == 0 && findings.unproven {
            message = format!("{UNPROVEN}\n{message}");
        }
        if position == 0 {
            let told =
                |link: &Link| format!("\n{}:{}: {}", link.location.file, link.location.line, english::link(link));
            message.extend(findings.chain.iter().map(told));
        }
        let title = property(&format!("faultline, finding {}", finding.rank));
        let (file, line) = (property(&at.file), at.line);
        writeln!(out, "::{level} file={file},line={line}{column},title={title}::{}", escaped(&message))?;
    }
    Ok(())
}

/// As the commands of a workflow want it.
fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
