//! Versions that differ by more than a fault, and by other things than a statement: heads are where a person would look.

use std::collections::BTreeSet;

use findings::Limit;
use testkit::Tools;

use crate::compared::{versions, with_reference_by};

const PRICES: &str = r#"#include <stdio.h>
static int rebate(int price) {
    if (price > 90) // S1
        return price / 10; // S2
    return 0; // S3
}
static int total(const int *prices, int count) {
    int sum = 0; // S4
    for (int i = 0; i < count; i++) // S5
        sum += prices[i] - rebate(prices[i]); // S6
    return sum; // S7
}
int main(void) {
    int prices[] = {50, 100, 200};
    printf("%d\n", total(prices, 3)); // S8
    return 0;
}
"#;

#[test]
fn versions_may_differ_by_more_than_the_fault() {
    let right = PRICES.replace("price > 90", "price > 100");
    let plain = versions(PRICES, &right).expect("another total");
    assert_eq!(plain.head(), "S1");
    // Other names of variables and functions.
    let renamed = right.replace("sum", "all").replace("rebate", "discount");
    assert_eq!(versions(PRICES, &renamed).expect("another total").head(), "S1");
    // A function that only the reference has, called before everything else.
    let more = right
        .replace(
            "int main(void) {\n",
            "static int unused(int x) { return x + 1; }\nint main(void) {\n    int u = unused(1);\n",
        )
        .replace("total(prices, 3)", "total(prices, 3 + u - u)");
    assert_eq!(versions(PRICES, &more).expect("another total").head(), "S1");
    // One that only the failing version has.
    let less = more.replace("price > 100", "price > 90");
    let fault = less.lines().position(|text| text.contains("price > 90")).expect("it is there") as u32 + 1;
    assert_eq!(versions(&less, &right).expect("another total").chain().first(), Some(&fault));
    // Functions in another order.
    let (before, after) = right.split_once("static int total").expect("it is there");
    let (total, main) = after.split_once("int main").expect("it is there");
    let (includes, rebate) = before.split_once("static int rebate").expect("it is there");
    let moved =
        format!("{includes}static int rebate(int);\nstatic int total{total}static int rebate{rebate}int main{main}");
    assert_eq!(versions(PRICES, &moved).expect("another total").head(), "S1");
}

#[test]
fn code_that_only_one_version_has_is_the_head() {
    let superfluous = PRICES.replace("    return sum; // S7\n", "    sum -= 1; // extra\n    return sum; // S7\n");
    assert_eq!(versions(&superfluous, PRICES).expect("another total").head(), "extra");
    // If it is the reference, then where the failing version has a gap.
    assert_eq!(versions(PRICES, &superfluous).expect("another total").head(), "S7");
}

#[test]
fn a_reference_that_is_not_instrumented_is_told_as_a_limit() {
    let tools = Tools::find().expect("the tools are built");
    let right = PRICES.replace("price > 90", "price > 100");
    let versions = with_reference_by(&tools.clang, PRICES, &right).expect("another total");
    let found = versions.find();
    assert!(found.limits.iter().any(|limit| matches!(limit, Limit::ReferenceNotRecorded { .. })), "{:?}", found.limits);
    // The run that a switch repairs does instead.
    let lines: BTreeSet<u32> = found.suspects.iter().map(|suspect| suspect.finding.location.line).collect();
    assert!(lines.contains(&versions.line("S1")), "{lines:?} {:?}", found.limits);
}

const MARKS: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <stdbool.h>
struct grade {
    const char *name;
    int least;
};
static const struct grade grades[] = {
    {"good", 90}, {"fair", 70}, // first grades
    {"poor", 40}, {"none", 0}, // last grades
};
static int limits[3] = {10, 20, 30}; // limits
static jmp_buf trouble;
static int taken;
static void refuse(int value) {
    taken--;
    longjmp(trouble, value); // jump
}
static const char *grade(int points) {
    for (int i = 0; i < 4; i++)
        if (points >= grades[i].least) // grade
            return grades[i].name;
    return "?";
}
static void take(int points, bool loud) {
    if (points < 0 || points > 100) // range
        refuse(1);
    taken++; // taken
    if (loud) // loud
        puts("taken");
}
int main(int argc, char **argv) {
    int points[] = {95, 75, 45, 101, 20};
    for (int i = 0; i < 5; i++) { // loop
        if (setjmp(trouble) != 0) {
            printf("%d is refused\n", points[i]); // refused
            continue;
        }
        take(points[i], false); // call
        printf("%s\n", grade(points[i])); // print
    }
    if (taken > limits[0]) // many
        puts("many");
    int rest = taken % 2; // rest
    printf("%d %s\n", taken, rest == 0 ? "even" : "odd"); // last
    return 0;
}
"#;

/// The head with this text in the place of that in the failing version; the other is the reference.
#[track_caller]
fn head_with(from: &str, to: &str) -> String {
    assert!(MARKS.contains(from), "{from}");
    versions(&MARKS.replace(from, to), MARKS).expect("they differ").head()
}

#[test]
fn a_condition_that_one_version_lacks_is_the_head() {
    assert_eq!(head_with("points < 0 || points > 100", "points < 0"), "range");
    assert_eq!(head_with("if (loud)", "if (loud || points == 45)"), "loud");
    assert_eq!(head_with("    taken++; // taken", "    if (points > 50) // more\n        taken++; // taken"), "more");
    let weaker = MARKS.replace("    taken++; // taken", "    if (points > 50) // more\n        taken++; // taken");
    assert_eq!(versions(MARKS, &weaker).expect("they differ").head(), "taken");
}

#[test]
fn a_variable_that_begins_with_something_else_is_the_head() {
    assert_eq!(head_with("{\"poor\", 40}", "{\"poor\", 15}"), "last grades");
    assert_eq!(head_with("{\"fair\", 70}", "{\"well\", 70}"), "first grades");
    assert_eq!(head_with("limits[3] = {10, 20, 30}", "limits[3] = {2, 20, 30}"), "limits");
    let found = versions(&MARKS.replace("{\"fair\", 70}", "{\"well\", 70}"), MARKS).expect("they differ").find();
    let first = report::english::link(&found.way.first().expect("a chain").link);
    assert_eq!(first, "`grades[1].name` is \"well\" instead of \"fair\" from the start");
    // Of an array in a function, the copy of a constant that has no name.
    assert_eq!(head_with("{95, 75, 45, 101, 20};", "{95, 75, 45, 101, 50}; // points"), "points");
}

#[test]
fn an_argument_is_told_by_the_call() {
    assert_eq!(head_with("take(points[i], false)", "take(points[i], i == 2)"), "call");
}

#[test]
fn a_value_that_a_choice_took_from_one_of_two_ways_comes_from_the_choice() {
    assert_eq!(head_with("rest == 0 ?", "rest == 1 ?"), "last");
    assert_eq!(head_with("taken % 2; // rest", "taken % 3; // rest"), "rest");
}

#[test]
fn a_jump_is_a_reason() {
    assert_eq!(head_with("    taken--;", "    taken -= 2; // twice"), "twice");
    // Where only the failing run jumps.
    let right = MARKS.replace("101", "60");
    let failing = right.replace("points > 100", "points > 90");
    assert_eq!(versions(&failing, &right).expect("they differ").head(), "range");
}

#[test]
fn a_statement_that_changed_places_is_the_head() {
    let moved = MARKS
        .replace("    int rest = taken % 2; // rest\n", "")
        .replace("    int points[] =", "    int rest = taken % 2; // rest\n    int points[] =");
    assert_eq!(versions(&moved, MARKS).expect("they differ").head(), "rest");
}

/// More differences than are looked at one by one, all before the loop ends.
#[test]
fn the_head_is_found_though_the_failing_run_goes_on_for_long() {
    let program = r#"#include <stdio.h>
int main(void) {
    unsigned last = 3, sum = 0, seen = 0; // last
    for (unsigned i = 0; i < last; i++) // loop
        if (i % 3 == 0) { // third
            sum += i; // sum
            seen = sum ^ i; // seen
        }
    printf("%u %u\n", sum, seen); // print
    return 0;
}
"#;
    let failing = program.replace("last = 3", "last = 60000");
    assert_eq!(versions(&failing, program).expect("they differ").head(), "last");
}
