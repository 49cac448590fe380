//! Every form of an answer says what it should: JSON and SARIF are valid by their schemas, GitHub's commands are escaped, and
//! the text has the answer in its first lines.

use findings::*;
use serde_json::Value as Json;

const OURS: &str = include_str!("../../../schema/findings.json");
const SARIF: &str = include_str!("sarif-schema/sarif-schema-2.1.0.json");

fn location(file: &str, line: u32, column: u32) -> Location {
    Location { file: file.into(), line, column, function: "is_leap".into() }
}

fn decided() -> Claim {
    Claim::Did { deed: Deed::Decided { condition: "year % 100 == 0".into(), outcome: true } }
}

fn reversed() -> Claim {
    let change = Change::Condition { outcome: false, evaluation: 1, also: None };
    Claim::Repairs { change, outcome: Outcome::Output }
}

fn finding(rank: u32, file: &str, kind: EvidenceKind) -> Finding {
    Finding {
        rank,
        location: location(file, 9, if rank == 1 { 9 } else { 0 }),
        score: 1.0 / f64::from(rank),
        techniques: vec!["switch".into()],
        claims: vec![decided(), reversed()],
        evidence: vec![
            Evidence { kind, claim: reversed() },
            Evidence { kind, claim: Claim::RightLinesDepend { depending: 1, examined: 2 } },
        ],
    }
}

fn answer() -> Findings {
    let link = |line, claim| Link { location: location("a dir/leap.c", line, 3), joint: Joint::None, claim, rounds: 0 };
    let is = OutputLine::Instead { found: "60".into(), expected: "61".into() };
    let failure = Failure::WrongLine { line: 1, is };
    let success = Success { run: Count { changes: 1, places: 1 }, ..Success::default() };
    Findings {
        findings: vec![
            finding(1, "a dir/leap.c", EvidenceKind::Experiment),
            finding(2, "/abs/ü.c", EvidenceKind::Dependence),
            finding(3, "leap.c", EvidenceKind::Execution),
        ],
        chain: vec![link(9, decided()), link(20, Claim::Failed { failure, deed: None })],
        tried: vec![Tried::Switched { evaluations: 3, of: 3, ways: None, pairs: 0, success }],
        caveats: vec![Caveat::Stated { text: "the program writes a file, which it cannot do in the sandbox".into() }],
        limits: vec![Limit::UnknownEffects { function: "foo".into() }],
        experiments: 3,
        seconds: 0.25,
        narrowed: Some(Narrowed { slice: 40, pruned: 8, edges: 1, verifications: 3, steps: 11, lines: 5 }),
        unproven: false,
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("memory can be written to");
    String::from_utf8(out).expect("it is text")
}

#[track_caller]
fn is_valid(schema: &str, text: &str) {
    let schema: Json = serde_json::from_str(schema).expect("the schema is JSON");
    let value: Json = serde_json::from_str(text).expect("the answer is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn json_is_as_the_schema_says() {
    is_valid(OURS, &written(|out| report::json(&answer(), out)));
    is_valid(OURS, &written(|out| report::json(&Findings::default(), out)));
}

#[test]
fn json_has_the_claims_beside_the_sentences() {
    let text = written(|out| report::json(&answer(), out));
    let value: Json = serde_json::from_str(&text).expect("the answer is JSON");
    let first = &value["findings"][0];
    assert_eq!(
        first["message"],
        "`year % 100 == 0` was true here; had it been false, the output would have been right"
    );
    assert_eq!(first["claims"][0]["deed"]["condition"], "year % 100 == 0");
    let evidence = &first["evidence"][0];
    assert_eq!(evidence["text"], "with this condition false on its 1st evaluation, the output is right");
    assert_eq!(evidence["claim"]["claim"], "repairs");
    assert_eq!(evidence["claim"]["change"]["outcome"], false);
    assert_eq!(value["chain"][1]["text"], "line 1 of the output is `60` instead of `61`");
    assert_eq!(value["claims"]["tried"][0]["success"]["run"]["changes"], 1);
    assert_eq!(value["claims"]["limits"][0]["function"], "foo");
    assert_eq!(value["version"], 2);
}

#[test]
fn the_schema_refuses_what_is_not_an_answer() {
    let schema: Json = serde_json::from_str(OURS).expect("the schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("the schema is one");
    let mut value: Json =
        serde_json::from_str(&written(|out| report::json(&answer(), out))).expect("the answer is JSON");
    value["findings"][0]["line"] = "9".into();
    assert!(!validator.is_valid(&value));
    assert!(!validator.is_valid(&serde_json::json!({ "findings": [] })));
}

#[test]
fn sarif_is_as_the_standard_says() {
    let text = written(|out| report::sarif(&answer(), out));
    // The standard's patterns of languages have a bracket too many, which not every reader of patterns forgives.
    let standard = SARIF.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    is_valid(&standard, &text);
    is_valid(&standard, &written(|out| report::sarif(&Findings::default(), out)));
    let log: Json = serde_json::from_str(&text).expect("it is JSON");
    let first = &log["runs"][0]["results"][0];
    let place = &first["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "a%20dir/leap.c");
    assert_eq!(place["region"]["startLine"], 9);
    let flow = &first["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(flow.as_array().map(Vec::len), Some(2));
    assert_eq!(log["runs"][0]["results"][1]["codeFlows"], Json::Null);
    assert_eq!(
        log["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "file:///abs/%C3%BC.c"
    );
}

#[test]
fn annotations_are_one_line_each() {
    let text = written(|out| report::github(&answer(), out));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("::error file=a dir/leap.c,line=9,col=9,title=faultline%2C finding 1::`year %25 100"));
    assert!(lines[0].contains("%0Aa dir/leap.c:20: line 1 of the output"), "{}", lines[0]);
    assert!(lines[1].starts_with("::notice file=/abs/ü.c,line=9,title="), "{}", lines[1]);
}

/// The text without colours.
fn text(answer: &Findings, width: usize) -> String {
    written(|out| report::text(answer, width, &mut anstream::StripStream::new(out)))
}

#[test]
fn the_first_ten_lines_have_the_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = folder.path().join("leap.c");
    let lines = "\n".repeat(8) + "\tif (year % 100 == 0) // comment\n";
    std::fs::write(&source, lines).expect("it can be written");
    let mut answer = Findings { caveats: Vec::new(), ..answer() };
    answer.findings[0].location.file = source.display().to_string();
    answer.findings[0].location.column = 6;
    let text = text(&answer, 80);
    let first: Vec<&str> = text.lines().take(10).collect();
    let shown = first.join("\n");
    assert!(first[0].starts_with("Failure: Line 1 of the output is `60` instead of `61`"), "{shown}");
    assert!(shown.contains("leap.c:9 in is_leap"), "{shown}");
    assert!(shown.contains("9 | \tif (year % 100 == 0)"), "{shown}");
    assert!(shown.contains("  | \t    ^~~~~~~~~~~~~~~\n"), "{shown}");
    assert!(shown.contains("had it been false"), "{shown}");
    let after = &text[shown.len()..];
    assert!(!first[..9].iter().any(|line| line.contains("How the failure came about")), "{shown}");
    assert!(text.contains("\n\nHow the failure came about\n") && after.contains("Tried: 3 runs"), "{after}");
}

#[test]
fn what_must_be_known_first_is_told_first() {
    let text = text(&answer(), 80);
    assert!(
        text.starts_with("Beware: The program writes a file, which it cannot do in the sandbox.\n\nFailure: "),
        "{text}"
    );
}

#[test]
fn sentences_keep_within_the_width() {
    for width in [40, 60, 100] {
        for line in text(&answer(), width).lines() {
            assert!(line.chars().count() <= width, "{} > {width}: {line}", line.chars().count());
        }
    }
}

#[test]
fn what_no_experiment_shows_does_not_look_like_an_answer() {
    let mut found = answer();
    found.findings.remove(0);
    assert!(!found.is_shown() && answer().is_shown());
    found.unproven = true;
    found.limits.insert(0, Limit::Stated { text: "the program ran 2 threads".into() });
    let told = text(&found, 100);
    let words = told.split_whitespace().collect::<Vec<_>>().join(" ");
    let not_found = words.find("Not found: no experiment shows where the fault is.").expect("it says so");
    let limit = words.find("The program ran 2 threads.").expect("it says what was not examined");
    let first = words.find("1. ").expect("places");
    assert!(not_found < limit && limit < first && words.contains("--reference PROG"), "{told}");
    is_valid(OURS, &written(|out| report::json(&found, out)));
    let annotations = written(|out| report::github(&found, out));
    assert!(!annotations.contains("::error") && annotations.contains("Not found"), "{annotations}");
}

#[test]
fn where_nothing_was_found_it_says_so() {
    let text =
        text(&Findings { limits: vec![Limit::Stated { text: "there was no time".into() }], ..Findings::default() }, 80);
    assert!(text.starts_with("Nothing was found.\n") && text.contains("There was no time."), "{text}");
}
