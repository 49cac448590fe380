//! For scripts: claims as structured fields, and beside them the sentences that people read. The schema is
//! `schema/findings.json`.

use std::io::{self, Write};

use findings::{
    Caveat, Claim, Evidence, EvidenceKind, Finding, Findings, Joint, Limit, Link, Location, Narrowed, Tried,
};
use serde::Serialize;

use crate::english;

/// Of the form of this JSON; to be raised when a script that knows the one before could be misled.
const VERSION: u32 = 2;

pub fn json(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &answer(findings))?;
    writeln!(out)
}

#[derive(Serialize)]
struct Answer<'f> {
    version: u32,
    findings: Vec<FindingWritten<'f>>,
    chain: Vec<LinkWritten<'f>>,
    tried: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    caveats: Vec<String>,
    limits: Vec<String>,
    experiments: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    narrowed: Option<Narrowed>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unproven: bool,
    claims: ClaimsOfAnswer<'f>,
}

/// What the sentences of the same names say.
#[derive(Serialize)]
struct ClaimsOfAnswer<'f> {
    tried: &'f [Tried],
    caveats: &'f [Caveat],
    limits: &'f [Limit],
}

#[derive(Serialize)]
struct FindingWritten<'f> {
    rank: u32,
    #[serde(flatten)]
    location: &'f Location,
    score: f64,
    techniques: &'f [String],
    message: String,
    claims: &'f [Claim],
    evidence: Vec<EvidenceWritten<'f>>,
}

#[derive(Serialize)]
struct EvidenceWritten<'f> {
    kind: EvidenceKind,
    text: String,
    claim: &'f Claim,
}

#[derive(Serialize)]
struct LinkWritten<'f> {
    #[serde(flatten)]
    location: &'f Location,
    text: String,
    joint: Joint,
    claim: &'f Claim,
    rounds: u32,
}

fn answer(found: &Findings) -> Answer<'_> {
    Answer {
        version: VERSION,
        findings: found.findings.iter().map(finding).collect(),
        chain: found.chain.iter().map(link).collect(),
        tried: found.tried.iter().map(english::tried).collect(),
        caveats: found.caveats.iter().map(english::caveat).collect(),
        limits: found.limits.iter().map(english::limit).collect(),
        experiments: found.experiments,
        seconds: found.seconds,
        narrowed: found.narrowed,
        unproven: found.unproven,
        claims: ClaimsOfAnswer { tried: &found.tried, caveats: &found.caveats, limits: &found.limits },
    }
}

fn finding(finding: &Finding) -> FindingWritten<'_> {
    let evidence = |one: &'_ Evidence| english::evidence(&one.claim, &finding.location);
    FindingWritten {
        rank: finding.rank,
        location: &finding.location,
        score: finding.score,
        techniques: &finding.techniques,
        message: english::message(finding),
        claims: &finding.claims,
        evidence: finding
            .evidence
            .iter()
            .map(|one| EvidenceWritten { kind: one.kind, text: evidence(one), claim: &one.claim })
            .collect(),
    }
}

fn link(link: &Link) -> LinkWritten<'_> {
    LinkWritten {
        location: &link.location,
        text: english::link(link),
        joint: link.joint,
        claim: &link.claim,
        rounds: link.rounds,
    }
}
