//! Sentences as they are read.

use findings::*;

use super::*;

fn at(line: u32) -> Location {
    Location { file: "a.c".into(), line, column: 1, function: "f".into() }
}

fn said(claims: Vec<Claim>) -> String {
    message(&Finding { rank: 1, location: at(3), score: 1.0, techniques: Vec::new(), claims, evidence: Vec::new() })
}

#[test]
fn claims_are_joined_to_one_sentence() {
    let decided = Claim::Did { deed: Deed::Decided { condition: "a < b".into(), outcome: true } };
    let reversed = Change::Condition { outcome: false, evaluation: 3, also: None };
    let repairs = Claim::Repairs { change: reversed, outcome: Outcome::Output };
    assert_eq!(
        said(vec![decided.clone(), repairs.clone()]),
        "`a < b` was true here; had it been false, the output would have been right"
    );
    assert_eq!(evidence(&repairs, &at(3)), "with this condition false on its 3rd evaluation, the output is right");
    let effect = Claim::Effect { effect: Effect::Skipped { line: Some(9) } };
    let depends = |distance| Claim::FailureDepends { distance };
    assert_eq!(
        said(vec![decided.clone(), effect, depends(None)]),
        "`a < b` was true here, so line 9 did not run, which the failure depends on"
    );
    assert_eq!(said(vec![decided, depends(Some(2))]), "`a < b` was true; the failure depends on it, 2 statements away");
    let because = Claim::ExecutedBecause { condition: at(2) };
    assert_eq!(
        said(vec![because.clone(), Claim::LeftLoop]),
        "this ran because of the condition at line 2, and the loop ended early"
    );
    assert_eq!(
        said(vec![because, Claim::FirstTime]),
        "this ran because of the condition at line 2, which had this outcome for the first time, just where the output \
         should have been different"
    );
}

#[test]
fn failures_are_named_by_lines() {
    let told = |is| failure(&Failure::WrongLine { line: 2, is });
    let instead = OutputLine::Instead { found: "22".into(), expected: "23".into() };
    assert_eq!(told(instead), "line 2 of the output is `22` instead of `23`");
    assert_eq!(told(OutputLine::Missing { expected: "2".into() }), "line 2 of the output is missing; `2` was expected");
    let empty = OutputLine::Instead { found: String::new(), expected: "23".into() };
    assert_eq!(told(empty), "line 2 of the output is empty instead of `23`");
    assert_eq!(
        told(OutputLine::TooMuch { found: "2".into() }),
        "line 2 of the output is `2`, but the output should have ended before"
    );
    let asserted = Failure::Assertion { condition: Some("n > 0".into()) };
    assert_eq!(super::failure::failed(&asserted, None), "this assertion fails: `n > 0`");
}

#[test]
fn generated_tests_are_told_with_what_they_showed() {
    let generated = Tried::Generated {
        selection: "near".into(),
        tests: 9,
        failing: 2,
        passing: 5,
        otherwise: 1,
        undecided: 1,
        questions: 0,
        ended: Generation::Settled,
    };
    assert_eq!(
        tried(&generated),
        "generated 9 tests near the failing one (selection: near): 2 failed in the same way, 5 passed, 1 failed in another way and \
         counts as passing for this fault, 1 could not be judged and does not count; the ranking no longer changed"
    );
    let signal = Signal { number: 11, name: "SIGSEGV (invalid memory access)".into() };
    let other = Tried::OtherFailure {
        end: OtherEnd::Signal { signal },
        location: Some(at(3)),
        tests: 2,
        example: "004".into(),
    };
    assert_eq!(
        tried(&other),
        "found another failure on the way: the program crashes at a.c:3 with SIGSEGV (invalid memory access) (in 2 tests, first \
         in 004)"
    );
    let left = |kind, count| limit(&Limit::NotGenerated { kind, count });
    assert_eq!(left(Untried::NotRun, 1), "1 generated input could not be run or replayed");
    assert_eq!(left(Untried::Beyond, 2), "2 conditions were left out, since the run has too many");
}
