//! Whatever gets into a page, it stays a page: nothing breaks out, nothing is missing where parts are.

use findings::story::*;
use findings::{
    Caveat, Claim, Deed, Evidence, EvidenceKind, Failure, Finding, Findings, Joint, Limit, Link, Location, Tried,
};

use super::html;

/// What a hostile program may be called, contain or compute.
const NASTY: &str =
    "</script></style></title></svg><img src=x onerror=alert(1)>\"'`&amp;\0\u{1b}[31m\u{202e}\u{2028}]]>-->";

fn written(findings: &Findings, story: &Story) -> String {
    let mut page = Vec::new();
    html(findings, story, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

fn location() -> Location {
    Location { file: format!("/{NASTY}/{NASTY}.c"), line: 2, column: 3, function: NASTY.into() }
}

/// Every text of it is nasty.
fn nasty() -> (Findings, Story) {
    let text = || NASTY.to_owned();
    let deed = || Deed::Assigned { place: NASTY.into(), value: NASTY.into() };
    let claim = || Claim::Did { deed: deed() };
    let limit = || Limit::Stated { text: text() };
    let link = || Link { location: location(), joint: Joint::Data, claim: claim(), rounds: 2 };
    let findings = Findings {
        findings: vec![Finding {
            rank: 1,
            location: location(),
            score: 1.0,
            techniques: vec![text()],
            claims: vec![claim()],
            evidence: vec![Evidence { kind: EvidenceKind::Experiment, claim: claim() }],
        }],
        chain: vec![link()],
        tried: vec![Tried::Followed { steps: 3, lines: 1 }],
        caveats: vec![Caveat::Stated { text: text() }],
        limits: vec![limit()],
        experiments: 3,
        seconds: f64::NAN,
        narrowed: None,
        unproven: false,
    };
    let facts = LineFacts {
        line: 2,
        executions: 3,
        in_slice: 2,
        suspicion: f64::INFINITY,
        values: vec![ValueTold { text: text(), execution: 1, clock: 9 }],
        omitted: Some(1),
    };
    let vertex = |standing| VertexTold { location: Some(location()), text: Some(text()), standing, steps: 2 };
    let story = Story {
        case: CaseTold {
            command: text(),
            oracle: Some(OracleTold::default()),
            failure: Some(Failure::GivesUp { function: NASTY.into() }),
        },
        files: vec![SourceText {
            path: location().file,
            excerpts: vec![Excerpt { first: 1, lines: vec![text(), text(), String::new()] }],
            facts: vec![facts],
        }],
        chain: vec![ChainStep {
            link: link(),
            used: vec![(text(), text())],
            clock: Some(1),
            by: Some(EdgeKind::Potential),
        }],
        runs: Some(SideBySide {
            changes: 1,
            rows: vec![Row {
                kind: RowKind::Parts,
                failing: Some(Cell { location: Some(location()), text: text() }),
                other: None,
            }],
        }),
        graph: GraphTold {
            vertices: vec![vertex(Standing::Suspect), vertex(Standing::Failure)],
            edges: vec![
                EdgeTold { from: 0, to: 1, kind: EdgeKind::Data },
                // There is no such vertex.
                EdgeTold { from: 0, to: 7, kind: EdgeKind::Data },
            ],
            omitted: 1,
        },
        experiments: vec![ExperimentTold {
            change: ChangeTold::Made { changed: Changed::Expression(NASTY.into()), value: NASTY.into() },
            others: 0,
            location: Some(location()),
            outcome: OutcomeTold::Passes,
            count: 1,
        }],
        limits: vec![limit()],
    };
    (findings, story)
}

#[test]
fn texts_do_not_break_out() {
    let (findings, story) = nasty();
    let page = written(&findings, &story);
    for (tag, count) in
        [("<script>", 1), ("</script>", 1), ("</style>", 1), ("</title>", 3), ("</svg>", 1), ("<img", 0)]
    {
        assert_eq!(page.matches(tag).count(), count, "{tag}");
    }
    assert!(!page.contains(['\0', '\u{1b}', '\u{202e}', '\u{2028}']));
    assert!(page.contains("␀␛[31m⟨U+202E⟩"));
    // A quote would end an attribute: there is none but the template's own, so attributes come in pairs of them.
    let body = page.split_once("<body>").unwrap().1.split_once("<script>").unwrap().0;
    for tag in body.split('<').skip(1) {
        let tag = tag.split_once('>').unwrap().0;
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
        assert!(!tag.contains("onerror=alert(1)") || tag.contains("&lt;img"), "<{tag}>");
    }
}

#[test]
fn every_part_may_be_missing() {
    let page = written(&Findings::default(), &Story::default());
    assert!(page.contains("Nothing was found."));
    for part in ["id=\"way\"", "id=\"runs\"", "id=\"graph\"", "id=\"experiments\"", "id=\"limits\""] {
        assert!(!page.contains(part), "{part}");
    }
    let (findings, story) = nasty();
    let page = written(&findings, &Story { chain: Vec::new(), ..story.clone() });
    assert!(page.contains("class=\"step\""), "the findings' own chain is shown");
    for without in [
        Story { files: Vec::new(), ..story.clone() },
        Story { runs: None, ..story.clone() },
        Story { graph: GraphTold::default(), ..story.clone() },
        Story { experiments: Vec::new(), ..story },
    ] {
        assert!(written(&findings, &without).ends_with("</html>"));
    }
}

#[test]
fn nothing_is_fetched() {
    let (findings, story) = nasty();
    let page = written(&findings, &story);
    let (before, after) = page.split_once("http://www.w3.org/2000/svg").unwrap();
    assert!(!before.contains("http://") && !before.contains("https://") && !before.contains("@import"));
    assert!(!after.contains("http://") && !after.contains("https://") && !after.contains("fetch("));
    assert!(before.contains("default-src 'none'"));
}

#[test]
fn lines_lead_to_the_source() {
    let (findings, story) = nasty();
    let page = written(&findings, &story);
    assert_eq!(page.matches("id=\"f0-2\"").count(), 1);
    assert!(page.matches("href=\"#f0-2\"").count() >= 4, "from the answer, the runs, the graph and the experiments");
    assert!(page.contains("data-line=\"f0-2\""));
}

#[test]
fn a_page_has_landmarks_and_names() {
    let (findings, story) = nasty();
    let page = written(&findings, &story);
    for part in ["answer", "way", "runs", "graph", "experiments", "limits"] {
        assert!(page.contains(&format!("<section id=\"{part}\" aria-labelledby=\"{part}-title\">")), "{part}");
        assert_eq!(page.matches(&format!("id=\"{part}-title\"")).count(), 1, "{part}");
    }
    assert!(page.contains("<main>") && page.contains("<nav aria-label=") && page.contains("lang=\"en\""));
}
