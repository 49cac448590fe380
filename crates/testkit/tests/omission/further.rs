//! What is found beyond the paper's algorithm: ways through other values, conditions taken the other way throughout, conditions
//! further back, missing output, variables that nobody set.

use std::time::{Duration, Instant};

use techniques::omission::{Proven, Shown};

use crate::faulty::faulty;

/// Of the text after algorithm 2: statement 7 of figure 2 defines the use. The algorithm has two edges for it, the
/// definition has one.
#[test]
fn a_use_depends_on_a_condition_through_another_value() {
    let text = r#"#include <stdio.h>
int main(void) {
    int t = 0, x = 1;
    int p = 0;
    if (p) // P
        t = 1; // decided
    while (t) { // loop
        x = 5;
        t = 0;
    }
    printf("%d\n", x); // use
    return 0;
}
"#;
    let faulty = faulty(text, "", "5\n");
    let shown = faulty.switched("P", "use", "x");
    let [Shown::Redefined { by: Some(by), value: Some(5), is_direct: false }] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!(by.line, faulty.line("decided"));
    let [Shown::Redefined { by: Some(by), is_direct: true, .. }] = &faulty.switched("P", "loop", "t")[..] else {
        panic!("the algorithm has this one, too")
    };
    assert_eq!(by.line, faulty.line("decided"));
}

/// The example for which the paper calls its algorithm unsafe: switching the condition changes those nested in others.
#[test]
fn a_condition_that_changes_nested_ones_is_reached() {
    let text = r#"#include <stdio.h>
int main(void) {
    int t = 0, c = 0, x = 1;
    int p = 0; // fault
    if (p) { // P
        t = 1;
        c = 1;
    }
    while (t) { // loop
        if (c) // nested
            x = 5;
        t = 0;
    }
    printf("%d\n", x); // use
    return 0;
}
"#;
    let faulty = faulty(text, "", "5\n");
    assert!(matches!(faulty.switched("P", "use", "x")[..], [Shown::Redefined { is_direct: false, .. }]));
    // The algorithm: switching the loop's condition alone changes nothing.
    assert_eq!(faulty.switched("loop", "use", "x"), [Shown::Unaffected]);
    assert!(faulty.told().iter().any(|line| line == "fault"), "{:?}", faulty.told());
}

#[test]
fn a_condition_is_taken_the_other_way_whenever_it_is_asked() {
    let text = r#"#include <stdio.h>
int main(void) {
    int sum = 0;
    int is_wanted = 0; // fault
    for (int i = 1; i <= 3; i++)
        if (is_wanted) // P
            sum += i;
    printf("%d\n", sum);
    return 0;
}
"#;
    let faulty = faulty(text, "", "6\n");
    faulty.expanded(|subject, expanded| {
        assert!(expanded.proven.iter().all(|one| one.is_throughout() && one.passes()), "{:?}", expanded.proven);
        assert!(faulty.edges(subject, expanded).iter().all(|(predicate, _)| predicate == "P"));
    });
    assert_eq!(faulty.told()[..2], ["fault", "P"]);
}

/// Each row is left one turn early: where both sides are equal, the condition must hold, and only there.
#[test]
fn loops_that_are_left_one_turn_early_each_time_go_on() {
    let text = r#"#include <stdio.h>
static int table[3][4];
int main(void) {
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) // fault
            table[row][column] = 1;
    int sum = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            sum += table[row][column];
    printf("%d\n", sum);
    return 0;
}
"#;
    let faulty = faulty(text, "", "12\n");
    assert_eq!(faulty.told()[0], "fault");
}

#[test]
fn what_a_variable_began_with_stands_at_its_declaration() {
    let text = r#"#include <stdio.h>
static int is_loud = 0; // declared
int main(int argc, char **argv) {
    int level = 1;
    int is_loud_here = argc > 7;
    if (is_loud) // P
        level = 2;
    printf("%d\n", level);
    return is_loud_here;
}
"#;
    let faulty = faulty(text, "", "2\n");
    assert_eq!(faulty.told()[..2], ["declared", "P"]);
}

#[test]
fn a_variable_that_hides_the_one_that_was_meant_is_told() {
    let text = r#"#include <stdio.h>
static int is_loud; // meant
static int level(void) {
    return is_loud ? 2 : 1; // P
}
int main(void) {
    int is_loud = 0; // hides
    if (getchar() == 'l')
        is_loud = 1;
    printf("%d\n", level());
    return is_loud - 1;
}
"#;
    let faulty = faulty(text, "l", "2\n");
    let told = faulty.told();
    assert!(told[..4].contains(&"hides".to_owned()) && told[..4].contains(&"meant".to_owned()), "{told:?}");
}

#[test]
fn a_call_that_left_a_variable_as_it_was_is_told() {
    let text = r#"#include <stdio.h>
int main(void) {
    int minutes = 2; // default
    char line[] = "go 9", word[] = "go";
    sscanf(word, "go %d", &minutes); // fault
    int far = 0;
    if (minutes > 5) // P
        far = 1;
    printf("%s\n", far ? "far" : "near");
    return line[0] == 0;
}
"#;
    let faulty = faulty(text, "", "far\n");
    let told = faulty.told();
    assert!(told[..5].contains(&"fault".to_owned()), "{told:?}");
}

#[test]
fn statements_that_set_the_rest_of_a_structure_are_told() {
    let text = r#"#include <stdio.h>
static struct job { int left, first, last; } jobs[3];
static void read_job(struct job *job) {
    job->left = 3; // beside
    job->last = 9; // beside
}
int main(void) {
    read_job(&jobs[1]);
    for (int now = 4; now < 6; now++) {
        if (jobs[1].first < 0) // P
            jobs[1].first = now;
        jobs[1].left--;
    }
    printf("%d\n", jobs[1].first);
    return 0;
}
"#;
    // `first` should begin with -1.
    let faulty = faulty(text, "", "4\n");
    let told = faulty.told();
    assert!(told.contains(&"beside".to_owned()) && told.contains(&"P".to_owned()), "{told:?}");
}

/// What is missing and what follows it begin with the same letters.
#[test]
fn output_that_is_missing_before_what_begins_like_it_is_found() {
    let text = r#"#include <stdio.h>
int main(void) {
    int words = 0, is_quoted = 0; // fault
    printf("words:\n");
    if (is_quoted) { // P
        printf("  arg []\n");
        words++;
    }
    printf("  = %d\n", words);
    return 0;
}
"#;
    let faulty = faulty(text, "", "words:\n  arg []\n  = 1\n");
    assert_eq!(faulty.told()[..2], ["fault", "P"]);
}

#[test]
fn a_call_that_wrote_too_little_is_looked_at() {
    let text = r#"#include <stdio.h>
static int is_dirty;
static void change(int old, int new) {
    if (old != new) // fault
        is_dirty = 1;
}
int main(void) {
    change(4, 4);
    printf("%x%s", 16, is_dirty ? "*" : "");
    printf(" -\n");
    return 0;
}
"#;
    let faulty = faulty(text, "", "10* -\n");
    assert_eq!(faulty.told()[0], "fault");
}

#[test]
fn output_that_is_wrong_from_the_beginning_is_looked_at_though_a_call_wrote_nothing_before() {
    let text = r#"#include <stdio.h>
int main(void) {
    int is_negative = 0; // fault
    printf("%s", "");
    if (is_negative) // P
        printf("-");
    printf("7\n");
    return 0;
}
"#;
    let faulty = faulty(text, "", "-7\n");
    assert_eq!(faulty.told()[..2], ["fault", "P"]);
}

/// What was left out would have ended the program: nothing that the failure used could have come from there.
#[test]
fn a_condition_that_should_have_ended_the_run_is_found() {
    let text = r#"#include <stdio.h>
#include <stdlib.h>
static void fail(const char *why) {
    printf("error: %s\n", why);
    exit(0);
}
int main(void) {
    int code = 0xdc12;
    if (code > 0xdfff && code < 0xe000) // fault
        fail("second half");
    if (code >= 0xd800)
        fail("first half");
    printf("%d\n", code);
    return 0;
}
"#;
    let faulty = faulty(text, "", "error: second half\n");
    assert_eq!(faulty.told()[0], "fault");
}

/// The condition that was found is not yet the fault: one before it makes the run right as well.
#[test]
fn conditions_further_back_are_reversed_too() {
    let text = r#"#include <stdio.h>
int main(void) {
    int wanted = 3; // fault
    int mode = 0;
    if (wanted == 2) // before
        mode = 7;
    else
        mode = 4;
    int x = 1;
    if (mode == 7) // P
        x = 2;
    printf("%d\n", x);
    return 0;
}
"#;
    let faulty = faulty(text, "", "2\n");
    faulty.expanded(|_, expanded| {
        assert!(expanded.proven.iter().all(Proven::passes));
        assert_eq!(expanded.deciding.len(), 1, "{:?}", expanded.deciding);
    });
    let told = faulty.told();
    assert!(told[..5].contains(&"fault".to_owned()) && told[..5].contains(&"before".to_owned()), "{told:?}");
}

/// Millions of steps, and a flag set before them all.
#[test]
fn a_long_run_is_looked_at_within_the_time_there_is() {
    let text = r#"#include <stdio.h>
static unsigned table[256];
int main(void) {
    int is_mixed = 0; // fault
    unsigned mix = 1;
    for (unsigned i = 0; i < 200000; i++)
        table[i % 256] += i * 7 % 13;
    if (is_mixed) // P
        mix = 2;
    for (unsigned i = 0; i < 200000; i++)
        table[i % 256] ^= i / 3;
    printf("%u\n", mix);
    return table[3] == 1;
}
"#;
    let faulty = faulty(text, "", "2\n");
    let begun = Instant::now();
    assert_eq!(faulty.told()[..2], ["fault", "P"]);
    // The budget of these tests is half a minute.
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}
