//! The page of a report in a real browser: it can be walked with mouse and keys, in light and dark, it asks nobody for
//! anything, and nothing that a program contains gets out of its place.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use findings::story::*;
use findings::{Claim, Deed, Evidence, EvidenceKind, Failure, Finding, Findings, Joint, Limit, Link, Location, Tried};
use serde_json::Value;
use tempfile::TempDir;
use testkit::{Browser, Ending, Scheme, Tools, run, workspace};

const LIMIT: Duration = Duration::from_secs(120);
const DOWN: &str = "\u{e015}";

/// A browser with a page in it.
struct Reader {
    browser: Browser,
    page: PathBuf,
}

impl Reader {
    fn new(page: &Path) -> Reader {
        let browser = Browser::open().unwrap();
        browser.prefer(Scheme::Light).unwrap();
        // What the browser asks for on its own comes before.
        browser.requests().unwrap();
        browser.load(page).unwrap();
        Reader { browser, page: page.to_path_buf() }
    }

    fn value(&self, expression: &str) -> Value {
        self.browser.value(expression).unwrap()
    }

    #[track_caller]
    fn shows(&self, expression: &str, expected: impl Into<Value>) {
        assert_eq!(self.value(expression), expected.into(), "{expression}");
    }

    fn click(&self, selector: &str) {
        self.browser.click(selector).unwrap();
    }

    fn press(&self, keys: &str) {
        self.browser.press(keys).unwrap();
    }

    /// Nothing was complained of, and nothing but the page was asked for.
    #[track_caller]
    fn was_quiet(&self) {
        assert_eq!(self.browser.console().unwrap(), Vec::<String>::new());
        let requests = self.browser.requests().unwrap();
        let page = format!("file://{}", self.page.display());
        let others: Vec<_> = requests
            .iter()
            .filter(|url| **url != page && !url.starts_with("data:") && !url.starts_with("chrome:"))
            .collect();
        assert!(others.is_empty(), "{others:?}");
        assert!(requests.contains(&page), "{requests:?}");
    }
}

const STEPS: &str = "document.querySelectorAll('.step').length";
const PRESENT: &str = "[...document.querySelectorAll('.step')].findIndex(step => step.hasAttribute('aria-current'))";
const FOCUSED: &str = "[...document.querySelectorAll('.step')].indexOf(document.activeElement)";
const MARKED: &str = "[...document.querySelectorAll('.l.here')].map(line => line.id).join()";
/// Whether the marked line can be seen in its file.
const IN_VIEW: &str = "(() => { const line = document.querySelector('.l.here').getBoundingClientRect(); \
     const file = document.querySelector('.l.here').closest('.file').getBoundingClientRect(); \
     return file.height > 0 && line.top >= file.top - 1 && line.bottom <= file.bottom + 1; })()";
const PAPER: &str = "getComputedStyle(document.body).backgroundColor";

fn at(file: &str, line: u32) -> Location {
    Location { file: file.into(), line, column: 5, function: "f".into() }
}

fn claim(text: &str) -> Claim {
    Claim::Did { deed: Deed::Assigned { place: text.into(), value: text.into() } }
}

fn finding(location: Location, message: &str) -> Finding {
    let evidence = vec![Evidence { kind: EvidenceKind::Experiment, claim: claim(message) }];
    let (techniques, claims) = (vec!["switch".into()], vec![claim(message)]);
    Finding { rank: 1, location, score: 1.0, techniques, claims, evidence }
}

fn source(path: &str, lines: usize, text: &str) -> SourceText {
    let facts = |line: u32| LineFacts {
        line,
        executions: u64::from(line),
        in_slice: u64::from(line % 3),
        suspicion: 0.0,
        values: vec![ValueTold { text: text.into(), execution: 1, clock: 7 }],
        omitted: None,
    };
    SourceText {
        path: path.into(),
        excerpts: vec![Excerpt { first: 1, lines: vec![text.into(); lines] }],
        facts: (1..=lines as u32).step_by(2).map(facts).collect(),
    }
}

fn step(location: Location, text: &str) -> ChainStep {
    let used = vec![(text.to_owned(), text.to_owned())];
    let link = Link { location, joint: Joint::None, claim: claim(text), rounds: 0 };
    ChainStep { link, used, clock: Some(1), by: Some(EdgeKind::Data) }
}

fn experiment(of: &str, outcome: OutcomeTold, count: u64) -> ExperimentTold {
    let (of, value) = of.split_once(" made ").unwrap_or((of, of));
    let change = ChangeTold::Made { changed: Changed::Expression(of.into()), value: value.into() };
    ExperimentTold { change, others: 0, location: Some(at("a.c", 3)), outcome, count }
}

fn write(folder: &TempDir, findings: &Findings, story: &Story) -> PathBuf {
    let page = folder.path().join("page.html");
    let mut out = Vec::new();
    report::html(findings, story, &mut out).unwrap();
    std::fs::write(&page, out).unwrap();
    page
}

#[test]
fn whatever_a_program_contains_stays_text() {
    const NASTY: &str =
        "</script><script>hacked=1</script><img src=x onerror='hacked=1'>\"><b onclick=hacked=1>'`\0\u{1b}\u{202e}]]>";
    let folder = TempDir::new().unwrap();
    let file = format!("{NASTY}.c");
    let findings = Findings {
        findings: vec![finding(at(&file, 2), NASTY)],
        tried: vec![Tried::Followed { steps: 3, lines: 1 }],
        limits: vec![Limit::Stated { text: NASTY.into() }],
        ..Findings::default()
    };
    let cell = || Some(Cell { location: Some(at(&file, 1)), text: NASTY.into() });
    let vertex = |standing| VertexTold { location: Some(at(&file, 2)), text: Some(NASTY.into()), standing, steps: 1 };
    let story = Story {
        case: CaseTold {
            command: NASTY.into(),
            oracle: Some(OracleTold::default()),
            failure: Some(Failure::GivesUp { function: NASTY.into() }),
        },
        files: vec![source(&file, 3, NASTY)],
        chain: vec![step(at(&file, 2), NASTY)],
        runs: Some(SideBySide {
            changes: 1,
            rows: vec![Row { kind: RowKind::Differs, failing: cell(), other: cell() }],
        }),
        graph: GraphTold {
            vertices: vec![vertex(Standing::Suspect), vertex(Standing::Failure)],
            edges: vec![EdgeTold { from: 0, to: 1, kind: EdgeKind::Control }],
            omitted: 0,
        },
        experiments: vec![experiment(NASTY, OutcomeTold::Passes, 1)],
        limits: Vec::new(),
    };
    let reader = Reader::new(&write(&folder, &findings, &story));
    reader.shows("typeof hacked", "undefined");
    reader.shows("document.querySelectorAll('img, b, [onclick], [onerror]').length", 0);
    reader.shows("document.scripts.length", 1);
    reader.shows("document.querySelectorAll('section').length", 6);
    reader.shows("document.querySelector('#f0-2 code').textContent.startsWith('</script><script>')", true);
    reader.shows("document.querySelector('#f0-2 code').textContent.includes('\\u2400\\u241b')", true);
    reader.shows("document.querySelector('.experiments td').textContent.includes('onerror=')", true);
    reader.was_quiet();
}

#[test]
fn light_and_dark_are_the_systems_or_the_readers() {
    let folder = TempDir::new().unwrap();
    let story = Story { files: vec![source("a.c", 3, "x = 1;")], ..Story::default() };
    let findings = Findings { findings: vec![finding(at("a.c", 2), "so")], ..Findings::default() };
    let reader = Reader::new(&write(&folder, &findings, &story));
    let light = reader.value(PAPER);
    reader.browser.prefer(Scheme::Dark).unwrap();
    let dark = reader.value(PAPER);
    assert_ne!(light, dark);
    reader.click("#theme");
    reader.shows(PAPER, light.clone());
    reader.press("t");
    reader.shows(PAPER, dark.clone());
    reader.press("t");
    // The choice is kept.
    reader.browser.load(&reader.page).unwrap();
    reader.shows(PAPER, light);
    reader.was_quiet();
}

#[test]
fn experiments_are_filtered_and_sorted() {
    let folder = TempDir::new().unwrap();
    let story = Story {
        experiments: vec![
            experiment("a < b made true", OutcomeTold::Passes, 2),
            experiment("c made false", OutcomeTold::FailsSame, 30),
            experiment("d made true", OutcomeTold::FailsSame, 4),
        ],
        ..Story::default()
    };
    let reader = Reader::new(&write(&folder, &Findings::default(), &story));
    let shown = "[...document.querySelectorAll('.experiments tbody tr')].filter(row => !row.hidden)\
                 .map(row => row.cells[3].textContent).join()";
    reader.shows(shown, "2,30,4");
    reader.click(".experiments th:nth-child(4) button");
    reader.shows(shown, "2,4,30");
    reader.click(".experiments th:nth-child(4) button");
    reader.shows(shown, "30,4,2");
    reader.shows("document.querySelector('.experiments th:nth-child(4)').getAttribute('aria-sort')", "descending");
    reader.press("/true");
    reader.shows(shown, "4,2");
    reader.click(".chip[data-outcome=fails]");
    reader.shows(shown, "2");
    reader.shows("document.getElementById('shown').textContent", "1 of 3 shown");
    reader.was_quiet();
}

#[test]
fn a_large_story_can_be_walked() {
    let folder = TempDir::new().unwrap();
    let lines = 1000;
    let files: Vec<SourceText> =
        (0..6).map(|n| source(&format!("file{n}.c"), lines, "    if (a < b) total += a;")).collect();
    let chain = (0..200).map(|n| step(at(&format!("file{}.c", n % 6), 1 + n * 5), "`total` became 1")).collect();
    let experiments = (0..1000).map(|n| experiment(&format!("`{n}`"), OutcomeTold::FailsSame, n)).collect();
    let vertices = (0..60)
        .map(|n| VertexTold {
            location: Some(at("file0.c", n + 1)),
            text: Some(format!("x{n} = {n}")),
            standing: Standing::Other,
            steps: 1,
        })
        .collect();
    let edges = (1..60).map(|to| EdgeTold { from: to / 2, to, kind: EdgeKind::Data }).collect();
    let graph = GraphTold { vertices, edges, omitted: 0 };
    let story = Story { files, chain, experiments, graph, ..Story::default() };
    let findings = Findings { findings: vec![finding(at("file0.c", 900), "so")], ..Findings::default() };
    let reader = Reader::new(&write(&folder, &findings, &story));
    reader.shows("document.querySelectorAll('.file .l').length", 6000);
    reader.press(&"j".repeat(120));
    reader.shows(PRESENT, 120);
    reader.shows(MARKED, "f0-601");
    reader.shows(IN_VIEW, true);
    reader.click(".best .at");
    reader.shows(MARKED, "f0-900");
    reader.shows(IN_VIEW, true);
    reader.was_quiet();
}

#[test]
fn the_page_of_a_real_run_can_be_walked() {
    let tools = Tools::find().unwrap();
    let folder = TempDir::new().unwrap();
    let (program, page) = (folder.path().join("statistics"), folder.path().join("why.html"));
    let demo = workspace().join("demo");
    let mut compile = Command::new(&tools.cc);
    compile.args(["-g", "-w", "-O2"]).arg(demo.join("statistics.c")).arg("-o").arg(&program);
    assert_eq!(run(&mut compile, b"", LIMIT).unwrap().ending, Ending::Exit(0));
    let mut why = Command::new(&tools.faultline);
    why.args(["why", "--budget", "20", "--format", "json", "--stdin"]).arg(demo.join("readings.txt"));
    why.arg("--html").arg(&page).arg("--").arg(&program);
    let ran = run(&mut why, b"", LIMIT).unwrap();
    assert_eq!(ran.ending, Ending::Exit(0), "{}", String::from_utf8_lossy(&ran.stderr));
    let answer: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let best = &answer["findings"][0];
    let reader = Reader::new(&page);
    reader.shows("document.title", format!("statistics.c:{} · faultline", best["line"]));
    let line = std::fs::read_to_string(demo.join("statistics.c")).unwrap();
    let line = line.lines().nth(best["line"].as_u64().unwrap() as usize - 1).unwrap().to_owned();
    reader.shows("document.querySelector('.excerpt .target code').textContent", line);
    assert!(!reader.value("document.querySelector('.best mark').textContent").as_str().unwrap().is_empty());
    for part in ["way", "runs", "graph", "experiments"] {
        reader.shows(&format!("document.querySelectorAll('#{part}').length"), 1);
    }
    // Keys and buttons walk along the chain, and the source goes with it.
    let count = reader.value(STEPS).as_u64().unwrap();
    assert!(count >= 2, "{count} steps");
    reader.shows(PRESENT, 0);
    let first = reader.value(MARKED);
    reader.press("j");
    reader.shows(PRESENT, 1);
    reader.shows(FOCUSED, 1);
    reader.shows(IN_VIEW, true);
    assert_ne!(reader.value(MARKED), first);
    reader.press("k");
    reader.shows(PRESENT, 0);
    reader.press(DOWN);
    reader.shows(PRESENT, 1);
    reader.click("#back");
    reader.shows(MARKED, first);
    reader.click(".steps li:last-child .step");
    reader.shows(PRESENT, count - 1);
    reader.shows("document.getElementById('forth').disabled", true);
    // A vertex of the graph leads to its line.
    let line = reader.value("document.querySelector('a.vertex.suspect').getAttribute('href').slice(1)");
    reader.click("a.vertex.suspect");
    reader.shows(MARKED, line);
    // Lines tell how often they were executed, and values.
    let executed =
        reader.value("[...document.querySelectorAll('.file .x')].filter(x => Number(x.textContent) > 0).length");
    assert!(executed.as_u64().unwrap() > 10, "{executed}");
    assert!(reader.value("document.querySelectorAll('.file .v').length").as_u64().unwrap() > 3);
    // The other run goes another way where the experiment changed it.
    reader.shows("document.querySelectorAll('.runs .parts').length", 1);
    let parts = reader.value("document.querySelector('.runs .parts').textContent");
    assert!(parts.as_str().unwrap().contains(" is made "), "{parts}");
    reader.was_quiet();
}
