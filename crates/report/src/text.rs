//! For a terminal: the answer first, then the way to the failure, other suspects, what was tried, and what was not.
//!
//! It is always written with colours; a stream that does not want them (`anstream`) takes them out.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use findings::{Change, Claim, Evidence, EvidenceKind, Finding, Findings, Link, Location};

use crate::english::{self, UNPROVEN, WHAT_WOULD_HELP};
use crate::extent::extent;
use crate::source::Sources;

/// Findings shown with their lines; more are counted.
const OTHERS: usize = 9;
/// Pieces of evidence shown.
const MOST_EVIDENCE: usize = 4;

const FAILURE: Style = AnsiColor::Red.on_default().bold();
const PLACE: Style = Style::new().bold();
const MARK: Style = AnsiColor::Red.on_default().bold();
const CODE: Style = AnsiColor::Cyan.on_default();
const HEADING: Style = Style::new().bold().underline();
const FAINT: Style = Style::new().dimmed();

/// `width`: columns of the terminal.
pub fn text(findings: &Findings, width: usize, out: &mut impl Write) -> io::Result<()> {
    let mut page = Page { width: width.clamp(40, 120), sources: Sources::default(), out };
    for caveat in &findings.caveats {
        page.wrapped(&styled(FAILURE, "Beware: "), &format!("{}.", capital(&english::caveat(caveat))), "")?;
    }
    if !findings.caveats.is_empty() {
        writeln!(page.out)?;
    }
    if let Some(failure) = findings.chain.last() {
        page.failure(failure)?;
    }
    if findings.unproven && !findings.findings.is_empty() {
        page.unproven(findings)?;
    }
    match findings.findings.split_first() {
        Some((best, others)) => {
            page.best(best)?;
            page.chain(&findings.chain)?;
            page.others(others)?;
        }
        None => {
            writeln!(page.out, "Nothing was found.")?;
            if findings.unproven {
                page.wrapped("", WHAT_WOULD_HELP, "")?;
            }
        }
    }
    page.tried(findings)
}

struct Page<'o, O> {
    width: usize,
    sources: Sources,
    out: &'o mut O,
}

impl<O: Write> Page<'_, O> {
    fn failure(&mut self, failure: &Link) -> io::Result<()> {
        let Location { file, line, .. } = &failure.location;
        let told = format!("{}, at {file}:{line}", capital(&english::evidence(&failure.claim, &failure.location)));
        self.wrapped(&styled(FAILURE, "Failure: "), &told, "")?;
        writeln!(self.out)
    }

    /// Before anything that could be taken for an answer: that there is none, and what was not examined.
    fn unproven(&mut self, findings: &Findings) -> io::Result<()> {
        self.wrapped("", UNPROVEN, "")?;
        if let Some(first) = findings.limits.first() {
            self.sentence("", &english::limit(first))?;
        }
        self.wrapped("", WHAT_WOULD_HELP, "")?;
        writeln!(self.out)
    }

    fn best(&mut self, finding: &Finding) -> io::Result<()> {
        let Location { file, line, column, .. } = &finding.location;
        writeln!(self.out, "{PLACE}1. {file}:{line}{PLACE:#}{}", finding.location.in_function())?;
        let number = line.to_string();
        let gutter = " ".repeat(number.len());
        if let Some(source) = self.sources.line(&finding.location) {
            let marked = extent(source, *column);
            let before: String = source[..marked.start].chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let length = source[marked.clone()].chars().count().max(1);
            let mark = format!("^{}", "~".repeat(length - 1));
            writeln!(self.out, "   {FAINT}{number} |{FAINT:#} {}", source.trim_end())?;
            writeln!(self.out, "   {FAINT}{gutter} |{FAINT:#} {before}{MARK}{mark}{MARK:#}")?;
        }
        self.sentence("   ", &english::message(finding))?;
        for evidence in finding.evidence.iter().filter(|evidence| adds(evidence, finding)).take(MOST_EVIDENCE) {
            let kind = match evidence.kind {
                EvidenceKind::Experiment => "shown",
                EvidenceKind::Solver => "solved",
                EvidenceKind::Dependence => "fits",
                EvidenceKind::Execution => "seen",
            };
            let text = english::evidence_of(finding, &evidence.claim);
            self.wrapped(&format!("   {} ", styled(FAINT, &format!("{kind}:"))), &text, "          ")?;
        }
        writeln!(self.out)
    }

    fn chain(&mut self, chain: &[Link]) -> io::Result<()> {
        if chain.len() < 2 {
            return Ok(());
        }
        writeln!(self.out, "{HEADING}How the failure came about{HEADING:#}")?;
        let place = |link: &Link| format!("{}:{}", link.location.file, link.location.line);
        let column = chain.iter().map(|link| place(link).chars().count()).max().unwrap_or(0).min(self.width / 3);
        for link in chain {
            let place = format!("{:<column$}", place(link));
            let begin = format!("   {} ", styled(FAINT, &place));
            self.wrapped(&begin, &english::link(link), &" ".repeat(column + 4))?;
        }
        writeln!(self.out)
    }

    fn others(&mut self, others: &[Finding]) -> io::Result<()> {
        if others.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "{HEADING}Other suspects, most likely first{HEADING:#}")?;
        for finding in others.iter().take(OTHERS) {
            let Location { file, line, .. } = &finding.location;
            let source = self.sources.line(&finding.location).unwrap_or("").trim();
            let place = format!("{file}:{line}");
            let room = self.width.saturating_sub(place.chars().count() + 7);
            let source = cut(source, room);
            writeln!(self.out, "{:>2}. {PLACE}{place}{PLACE:#}  {CODE}{source}{CODE:#}", finding.rank)?;
            self.sentence("    ", &english::message(finding))?;
        }
        if let Some(more) = others.len().checked_sub(OTHERS).filter(|more| *more > 0) {
            writeln!(self.out, "    and {more} more; --format json lists them all")?;
        }
        writeln!(self.out)
    }

    fn tried(&mut self, findings: &Findings) -> io::Result<()> {
        let Findings { experiments, seconds, .. } = findings;
        let runs = if *experiments == 1 { "run" } else { "runs" };
        writeln!(self.out, "{HEADING}Tried{HEADING:#}: {experiments} {runs} in {seconds:.1} s")?;
        for tried in &findings.tried {
            self.sentence("   ", &english::tried(tried))?;
        }
        if !findings.limits.is_empty() {
            writeln!(self.out, "{HEADING}Limits{HEADING:#}")?;
        }
        for limit in &findings.limits {
            self.sentence("   ", &english::limit(limit))?;
        }
        Ok(())
    }

    /// Text that is made a sentence.
    fn sentence(&mut self, indent: &str, text: &str) -> io::Result<()> {
        let stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
        self.wrapped(indent, &format!("{}{stop}", capital(text)), indent)
    }

    fn wrapped(&mut self, first: &str, text: &str, next: &str) -> io::Result<()> {
        let options = textwrap::Options::new(self.width).initial_indent(first).subsequent_indent(next);
        for line in textwrap::wrap(&coloured(text), options.break_words(false)) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

/// Whether evidence says more than the message does. A message says what would have been; what an experiment showed, and on
/// which evaluation, is still to be said.
fn adds(evidence: &Evidence, finding: &Finding) -> bool {
    let claim = &evidence.claim;
    let is_experiment = match claim {
        Claim::Repairs { change, .. } => *change != Change::Something,
        Claim::Reveals { .. } => true,
        _ => false,
    };
    is_experiment || !finding.claims.iter().any(|said| said == claim || claim.is_said_by(said))
}

fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// What stands between backquotes is code. The quotes stay: where there are no colours, they must do.
fn coloured(text: &str) -> String {
    let mut parts = text.split('`');
    let mut all = parts.next().unwrap_or_default().to_owned();
    let rest: Vec<&str> = parts.collect();
    for pair in rest.chunks(2) {
        match pair {
            [code, after] => all += &format!("{CODE}`{code}`{CODE:#}{after}"),
            [alone] => all += &format!("`{alone}"),
            _ => {}
        }
    }
    all
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}
