//! SARIF 2.1.0, for viewers and for services that collect results. The chain is the code flow of the first result.

use std::io::{self, Write};

use findings::{EvidenceKind, Finding, Findings, Link};
use serde::Serialize;

use crate::english;

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
const RULES: [(EvidenceKind, &str, &str); 4] = [
    (EvidenceKind::Experiment, "shown-by-experiment", "A run that was changed on purpose shows it."),
    (EvidenceKind::Solver, "shown-by-solver", "A solver finds that another value would have prevented the failure."),
    (EvidenceKind::Dependence, "failure-depends-on-it", "The failure depends on what was done here."),
    (EvidenceKind::Execution, "executed-by-failing-runs", "Failing runs execute this more than passing ones."),
];

pub fn sarif(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &log(findings))?;
    writeln!(out)
}

fn log(findings: &Findings) -> Log {
    let rules = RULES.map(|(_, id, text)| Rule { id, short_description: Message::new(text) });
    let driver = Driver { name: "faultline", semantic_version: env!("CARGO_PKG_VERSION"), rules: rules.into() };
    let first_flow = |position: usize| (position == 0 && !findings.chain.is_empty()).then(|| flow(&findings.chain));
    let results = findings.findings.iter().enumerate();
    let results = results.map(|(position, finding)| result(finding, first_flow(position))).collect();
    let said = findings.caveats.iter().map(english::caveat).chain(findings.limits.iter().map(english::limit));
    let notifications = said.map(|text| Notification { level: "note", message: Message::new(&text) }).collect();
    let invocation = Invocation { execution_successful: true, notifications };
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", invocations: [invocation], results }],
    }
}

fn result(finding: &Finding, flow: Option<CodeFlow>) -> SarifResult {
    let kind = finding.evidence.iter().map(|evidence| evidence.kind).min().unwrap_or(EvidenceKind::Execution);
    let rule = RULES.iter().position(|(of, ..)| *of == kind).unwrap_or(0);
    let evidence = finding.evidence.iter().map(|evidence| english::evidence(&evidence.claim, &finding.location));
    SarifResult {
        rule_id: RULES[rule].1,
        rule_index: rule,
        level: if finding.rank == 1 { "error" } else { "note" },
        message: Message::new(&english::message(finding)),
        locations: [Location::of(&finding.location, None)],
        code_flows: flow.into_iter().collect(),
        rank: finding.score * 100.0,
        properties: Properties {
            rank: finding.rank,
            techniques: finding.techniques.clone(),
            evidence: evidence.collect(),
        },
    }
}

fn flow(chain: &[Link]) -> CodeFlow {
    let step = |link: &Link| FlowLocation { location: Location::of(&link.location, Some(&english::link(link))) };
    CodeFlow { thread_flows: [ThreadFlow { locations: chain.iter().map(step).collect() }] }
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    invocations: [Invocation; 1],
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    semantic_version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    #[serde(rename = "toolExecutionNotifications")]
    notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code_flows: Vec<CodeFlow>,
    /// From 0 to 100.
    rank: f64,
    properties: Properties,
}

#[derive(Serialize)]
struct Properties {
    rank: u32,
    techniques: Vec<String>,
    evidence: Vec<String>,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

impl Message {
    fn new(text: &str) -> Message {
        Message { text: text.into() }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeFlow {
    thread_flows: [ThreadFlow; 1],
}

#[derive(Serialize)]
struct ThreadFlow {
    locations: Vec<FlowLocation>,
}

#[derive(Serialize)]
struct FlowLocation {
    location: Location,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    logical_locations: Vec<LogicalLocation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_column: Option<u32>,
}

#[derive(Serialize)]
struct LogicalLocation {
    name: String,
    kind: &'static str,
}

impl Location {
    fn of(at: &findings::Location, message: Option<&str>) -> Location {
        let region = Region { start_line: at.line.max(1), start_column: Some(at.column).filter(|column| *column > 0) };
        let function = Some(at.function.clone()).filter(|name| !name.is_empty());
        Location {
            physical_location: PhysicalLocation { artifact_location: ArtifactLocation { uri: uri(&at.file) }, region },
            logical_locations: function.map(|name| LogicalLocation { name, kind: "function" }).into_iter().collect(),
            message: message.map(Message::new),
        }
    }
}

/// A path as a reference to a file; an absolute one with its scheme.
fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
