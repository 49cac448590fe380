//! A run that reads what it never assigned is examined all the same, and what it reads is named.

use crate::bench::{Bench, words};

const LONGEST_WORD: &str = r#"
#include <stdio.h>
#include <string.h>
static int longest(const char *text) {
    int lengths[40], count = 0, most = 0;
    for (const char *p = text; *p; p++) {
        if (*p == ' ') count++;
        else lengths[count]++;
    }
    for (int i = 0; i <= count; i++)
        if (lengths[i] > most) most = lengths[i];
    return most;
}
int main(int argc, char **argv) {
    printf("%s has %d words\n", argv[argc - 1], argc);
    printf("%d\n", longest("the fault is a line that nobody wrote"));
    return 0;
}
"#;

#[test]
fn what_was_never_assigned_is_named_before_anything_else() {
    let bench = Bench::new();
    bench.compile("p", LONGEST_WORD);
    bench.write("right", b"./p has 1 words\n6\n");
    let answer = bench.shell("FAULTLINE why --budget 10 --expect right -- ./p");
    let text = words(&answer.stdout);
    let beware =
        "Beware: The program reads local variables that were never assigned: `lengths[count]` at p.c:8 in longest.";
    assert!(text.starts_with(beware), "{text}");
    let json = bench.shell("FAULTLINE why --budget 10 --format json --expect right -- ./p");
    assert!(words(&json.stdout).contains("never assigned: `lengths[count]` at p.c:8 in longest"), "{:?}", json.stdout);
}

#[test]
fn what_happens_to_be_the_same_is_not_filled() {
    let bench = Bench::new();
    bench.compile("p", "int main(void) { int a[3] = {1, 2, 3}; return a[2]; }");
    let answer = bench.shell("FAULTLINE why --budget 10 --expect-exit 0 -- ./p");
    assert!(!words(&answer.stdout).contains("never assigned"), "{}", words(&answer.stdout));
}
