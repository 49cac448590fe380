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
fn a_program_that_assigns_before_it_reads_is_told_nothing_of_it() {
    let bench = Bench::new();
    bench.compile("p", "int main(void) { int a[3] = {1, 2, 3}; return a[2]; }");
    let answer = bench.shell("FAULTLINE why --budget 10 --expect-exit 0 -- ./p");
    assert!(!words(&answer.stdout).contains("never assigned"), "{}", words(&answer.stdout));
}

/// What is read, and by whom; where it is declared; and whether zeros there would make the run right.
const READS: [(&str, &str, &str, &str); 4] = [
    (
        "int f(void) {\n int most;\n for (int i = 0; i < 3; i++)\n  if (i > most) most = i;\n return most;\n}",
        "2",
        "p.c:2",
        "`most`",
    ),
    (
        "#include <string.h>\nint f(void) {\n char line[64];\n strcat(line, \"ab\");\n return strlen(line);\n}",
        "2",
        "p.c:3",
        "`line`",
    ),
    (
        "struct s { int a, b; };\nint f(void) {\n struct s x;\n x.a = 4;\n if (!x.a) x.b = 3;\n return x.a + x.b;\n}",
        "4",
        "p.c:3",
        "`x.b`",
    ),
    (
        "int f(void) {\n int n[4];\n for (int i = 0; i < 3; i++) n[i]++;\n return n[0] + n[2];\n}",
        "2",
        "p.c:2",
        "`n[i]`",
    ),
];

/// Whatever happens to lie on the stack of this machine: the run goes wrong with one filling or the other, if not by itself.
#[test]
fn the_variable_that_was_never_assigned_is_found_first() {
    for (function, right, declared, name) in READS {
        let bench = Bench::new();
        bench.compile("p", &format!("{function}\n#include <stdio.h>\nint main(void) {{ printf(\"%d\\n\", f()); }}\n"));
        bench.write("right", format!("{right}\n").as_bytes());
        let answer = bench.shell("FAULTLINE why --budget 10 --format json --expect right -- ./p");
        let found: serde_json::Value = serde_json::from_str(&words(&answer.stdout)).expect("an answer");
        let first = &found["findings"][0];
        let place = format!("{}:{}", first["file"].as_str().unwrap_or_default(), first["line"]);
        assert!(place.ends_with(declared), "{function}\n{found:#}");
        let said = format!("nothing is assigned to {name} before");
        assert!(first["message"].as_str().is_some_and(|message| message.starts_with(&said)), "{function}\n{found:#}");
        let shown = "with zeros in all locals before they are assigned, the run is right";
        assert_eq!(first["evidence"][0]["text"], shown, "{function}\n{found:#}");
    }
}

/// What is read there shows in the output, but only after the line that is wrong: it is told, and not taken for the fault.
#[test]
fn what_the_failure_does_not_come_from_is_no_finding() {
    let bench = Bench::new();
    let source = "#include <stdio.h>\nint main(void) {\n int noise;\n printf(\"%d\\n\", 6 - 2);\n printf(\"%d\\n\", noise);\n}\n";
    bench.compile("p", source);
    bench.write("right", b"8\n0\n");
    let answer = bench.shell("FAULTLINE why --budget 10 --format json --expect right -- ./p");
    let found: serde_json::Value = serde_json::from_str(&words(&answer.stdout)).expect("an answer");
    assert!(found["caveats"][0].as_str().is_some_and(|told| told.contains("`noise` at p.c:5")), "{found:#}");
    let findings = found["findings"].as_array().expect("findings");
    let is_of_it = |finding: &serde_json::Value| finding["techniques"].to_string().contains("unassigned");
    assert!(!findings.is_empty() && !findings.iter().any(is_of_it), "{found:#}");
}
