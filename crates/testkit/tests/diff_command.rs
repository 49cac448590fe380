//! `faultline diff` as a user meets it: where two runs part, the chain of differences, and what it says of bad input.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use testkit::{Ending, Ran, Tools, run};

const LIMIT: Duration = Duration::from_secs(60);

/// Programs compiled and recorded in a folder of their own.
struct Workshop {
    tools: Tools,
    folder: TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        Workshop { tools: Tools::find().unwrap(), folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a program that stands in a file of this name.
    fn compile(&self, name: &str, source: &str) -> PathBuf {
        let (file, program) = (self.path(name), self.path(&format!("{name}.program")));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, source).unwrap();
        let mut command = Command::new(&self.tools.cc);
        command.args(["-g", "-w", "-O2"]).arg(&file).arg("-o").arg(&program);
        let ran = run(&mut command, b"", LIMIT).unwrap();
        assert_eq!(ran.ending, Ending::Exit(0), "{}", String::from_utf8_lossy(&ran.stderr));
        program
    }

    fn record(&self, name: &str, program: &Path, arguments: &[&str], input: &str) -> PathBuf {
        let recording = self.path(name);
        let mut command = Command::new(&self.tools.faultline);
        command.arg("record").arg("-o").arg(&recording).arg("--").arg(program).args(arguments);
        run(&mut command, input.as_bytes(), LIMIT).unwrap();
        assert!(recording.exists());
        recording
    }

    fn diff(&self, a: &Path, b: &Path, options: &[&str]) -> Ran {
        let mut command = Command::new(&self.tools.faultline);
        command.current_dir(self.folder.path()).arg("diff").arg(a).arg(b).args(options);
        run(&mut command, b"", LIMIT).unwrap()
    }

    fn says(&self, a: &Path, b: &Path, options: &[&str]) -> String {
        let ran = self.diff(a, b, options);
        assert_eq!(ran.ending, Ending::Exit(0), "{}", String::from_utf8_lossy(&ran.stderr));
        let text = String::from_utf8(ran.stdout).unwrap();
        // The folder is another each time.
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }

    fn json(&self, a: &Path, b: &Path, options: &[&str]) -> Value {
        let options: Vec<&str> = options.iter().copied().chain(["--format", "json"]).collect();
        serde_json::from_str(&self.says(a, b, &options)).unwrap()
    }

    fn refuses(&self, a: &Path, b: &Path, options: &[&str]) -> String {
        let ran = self.diff(a, b, options);
        assert_eq!(ran.ending, Ending::Exit(2));
        assert!(ran.stdout.is_empty(), "nothing but results goes to standard output");
        String::from_utf8(ran.stderr).unwrap()
    }
}

/// `standing line: text in A | text in B` of each link.
fn chain(answer: &Value) -> Vec<String> {
    let row = |link: &Value| {
        let either = if link["a"].is_null() { &link["b"] } else { &link["a"] };
        let text = |step: &Value| step["text"].as_str().unwrap_or("-").to_owned();
        format!(
            "{} {}: {} | {}",
            link["standing"].as_str().unwrap(),
            either["line"],
            text(&link["a"]),
            text(&link["b"])
        )
    };
    answer["chain"].as_array().unwrap().iter().map(row).collect()
}

const MIDDLE: &str = "\
#include <stdio.h>
#include <stdlib.h>
int middle(int x, int y, int z) {
    int m = z;
    if (y < z) {
        if (x < y)
            m = y;
        else if (x < z)
            m = y;
    }
    return m;
}
int main(int argc, char **argv) {
    int a = atoi(argv[1]), b = atoi(argv[2]), c = atoi(argv[3]);
    int harmless = a * 100;
    int found = middle(a, b, c);
    printf(\"%d\\n\", found);
    return harmless < 0;
}
";

#[test]
fn two_inputs_of_one_program() {
    let shop = Workshop::new();
    let program = shop.compile("middle.c", MIDDLE);
    let a = shop.record("a.flt", &program, &["2", "1", "3"], "");
    let b = shop.record("b.flt", &program, &["4", "1", "3"], "");
    let text = shop.says(&a, &b, &[]);
    println!("{text}");
    let answer = shop.json(&a, &b, &[]);
    assert_eq!(answer["one_program"], true);
    assert_eq!(answer["same"], false);
    assert_eq!(answer["parting"]["why"], "choice");
    let at = &answer["parting"]["at"];
    assert_eq!((&at["a"]["line"], &at["a"]["text"]), (&8.into(), &"x < z is true".into()));
    assert_eq!(at["b"]["text"], "x < z is false");
    assert_eq!(at["a"]["operands"][0]["expression"], "x");
    assert_eq!((&at["a"]["operands"][0]["value"], &at["b"]["operands"][0]["value"]), (&"2".into(), &"4".into()));
    assert_eq!(at["a"]["operands"][1]["value"], "3");
    assert_eq!(answer["parting"]["next_a"]["line"], 9);
    assert_eq!(answer["parting"]["next_b"]["line"], 11);
    assert_eq!(answer["first_value"]["a"]["text"], "a = 2");
    assert_eq!(answer["first_value"]["b"]["text"], "a = 4");
    assert_eq!(answer["output"]["byte"], 1);
    assert_eq!((&answer["output"]["a"], &answer["output"]["b"]), (&b'1'.into(), &b'3'.into()));
    assert_eq!(
        chain(&answer),
        [
            "differs 14: a = 2 | a = 4",
            "differs 3: middle is given x = 2 | middle is given x = 4",
            "differs 8: x < z is true | x < z is false",
            "only in a 9: m = 1 | -",
            "differs 11: middle returns 1 | middle returns 3",
            "differs 16: found = 1 | found = 3",
        ]
    );
}

const VERSION: &str = "\
#include <stdio.h>
#include <string.h>
struct cart { int prices[8]; int count; int discount; };
static void add(struct cart *cart, int price) {
    cart->prices[cart->count++] = price;
}
static int total(const struct cart *cart) {
    int sum = 0;
    for (int i = 0; i < cart->count; i++)
        sum += cart->prices[i];
    @CONDITION@
        sum -= cart->discount;
    return sum;
}
int main(void) {
    struct cart cart;
    memset(&cart, 0, sizeof cart);
    @ADDED@
    add(&cart, 40);
    add(&cart, 60);
    cart.discount = 10;
    printf(\"%d to pay\\n\", total(&cart) + cart.count);
    return 0;
}
";

fn version(condition: &str, added: &str) -> String {
    VERSION.replace("@CONDITION@", condition).replace("@ADDED@", added)
}

#[test]
fn a_changed_statement_is_named_and_the_chain_begins_there() {
    let shop = Workshop::new();
    let old = shop.compile("old/cart.c", &version("if (sum >= 100)", ""));
    let new = shop.compile("new/cart.c", &version("if (sum > 100)", ""));
    let (a, b) = (shop.record("a.flt", &old, &[], ""), shop.record("b.flt", &new, &[], ""));
    println!("{}", shop.says(&a, &b, &[]));
    let answer = shop.json(&a, &b, &[]);
    assert_eq!(answer["one_program"], false);
    let change = &answer["changes"][0];
    assert_eq!(
        (&change["kind"], &change["line"], &change["before"], &change["all"]),
        (&"changed".into(), &11.into(), &1.into(), &1.into())
    );
    assert_eq!(change["old_source"], "if (sum >= 100)");
    assert_eq!(change["source"], "if (sum > 100)");
    assert_eq!(answer["changes"].as_array().unwrap().len(), 1);
    assert_eq!(answer["parting"]["at"]["a"]["text"], "sum >= 100 is true");
    assert_eq!(answer["parting"]["at"]["b"]["text"], "sum > 100 is false");
    assert_eq!((&answer["output"]["line"], &answer["output"]["column"]), (&1.into(), &1.into()));
    assert_eq!(
        chain(&answer),
        [
            "differs 11: sum >= 100 is true | sum > 100 is false",
            "only in a 12: sum = 90 | -",
            "differs 13: total returns 90 | total returns 100",
        ]
    );
}

#[test]
fn an_added_and_a_removed_statement_are_told_as_such() {
    let shop = Workshop::new();
    let without = shop.compile("old/cart.c", &version("if (sum > 100)", ""));
    let with = shop.compile("new/cart.c", &version("if (sum > 100)", "cart.count = 1;"));
    let (a, b) = (shop.record("a.flt", &without, &[], ""), shop.record("b.flt", &with, &[], ""));
    println!("{}", shop.says(&a, &b, &[]));
    let answer = shop.json(&a, &b, &[]);
    let change = &answer["changes"][0];
    assert_eq!((&change["kind"], &change["line"], &change["before"]), (&"added".into(), &18.into(), &1.into()));
    assert_eq!(answer["first_value"]["a"]["text"], "cart->count = 1");
    assert_eq!(answer["first_value"]["b"]["text"], "cart->count = 2");
    let links = chain(&answer);
    assert_eq!(links[0], "only in b 18: - | cart.count = 1", "{links:?}");
    // The other way round it was removed.
    let answer = shop.json(&b, &a, &[]);
    assert_eq!(answer["changes"][0]["kind"], "removed");
    assert_eq!(chain(&answer)[0], "only in a 18: cart.count = 1 | -");
}

const RECURSION: &str = "\
#include <stdio.h>
#include <stdlib.h>
static int ways(int n, int step) {
    if (n < 0)
        return 0;
    if (n == 0)
        return 1;
    int sum = 0;
    for (int s = 1; s <= step; s++)
        sum += ways(n - s, step);
    return sum;
}
int main(int argc, char **argv) {
    printf(\"%d\\n\", ways(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
";

#[test]
fn recursion_is_aligned_call_by_call() {
    let shop = Workshop::new();
    let program = shop.compile("ways.c", RECURSION);
    let a = shop.record("a.flt", &program, &["5", "2"], "");
    let b = shop.record("b.flt", &program, &["5", "3"], "");
    println!("{}", shop.says(&a, &b, &[]));
    let answer = shop.json(&a, &b, &[]);
    // The innermost loop that has a third turn is that of n = 1: there are n - 1, n - 2 and n - 3.
    let at = &answer["parting"]["at"];
    assert_eq!(
        (&at["a"]["line"], &at["a"]["text"], &at["b"]["text"]),
        (&9.into(), &"s <= step is false".into(), &"s <= step is true".into())
    );
    let operand = |of: &Value, n: usize| {
        format!(
            "{} = {}",
            of["operands"][n]["expression"].as_str().unwrap(),
            of["operands"][n]["value"].as_str().unwrap()
        )
    };
    assert_eq!([operand(&at["a"], 0), operand(&at["a"], 1)], ["s = 3", "step = 2"]);
    assert_eq!([operand(&at["b"], 0), operand(&at["b"], 1)], ["s = 3", "step = 3"]);
    let links = chain(&answer);
    assert_eq!(links[0], "differs 3: ways is given step = 2 | ways is given step = 3", "{links:?}");
    assert!(
        links.contains(&"only in b 10: - | sum = 1".to_owned()) || links.iter().any(|l| l.starts_with("only in b 10")),
        "{links:?}"
    );
    assert!(links.iter().any(|l| l.starts_with("differs 10: sum = ")), "{links:?}");
}

const POINTERS: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct cell { struct cell *next; int value; };
static int global[4];
static struct cell *cons(int value, struct cell *next) {
    struct cell *cell = malloc(sizeof *cell);
    cell->value = value;
    cell->next = next;
    return cell;
}
static void fill(int *out, int *last) {
    *out = 1;
    *last = 2;
}
int main(int argc, char **argv) {
    char *noise = malloc(argc > 1 ? strtol(argv[1], 0, 10) : 16);
    struct cell *list = 0;
    for (int i = 0; i < 3; i++)
        list = cons(i, list);
    int local, *inside = &global[2];
    fill(&local, inside);
    size_t number = (size_t)list;
    int sum = 0;
    for (struct cell *p = list; p; p = p->next)
        sum += p->value;
    printf(\"%d %d\\n\", sum + local + *inside, number != 0);
    free(noise);
    return 0;
}
";

#[test]
fn pointers_that_only_moved_are_no_differences() {
    let shop = Workshop::new();
    let program = shop.compile("pointers.c", POINTERS);
    let a = shop.record("a.flt", &program, &["16"], "");
    let b = shop.record("b.flt", &program, &["40000"], "");
    let answer = shop.json(&a, &b, &[]);
    assert_eq!(answer["parting"], Value::Null);
    assert_eq!(answer["output"], Value::Null);
    // What is asked of malloc is another number; nothing else is.
    assert_eq!(chain(&answer).len(), 1, "{:#?}", chain(&answer));
    assert_eq!(answer["chain"][0]["a"]["line"], 17);
    assert!(shop.says(&a, &b, &[]).contains("calls malloc(16)"));
}

const LIST_SUM: &str = "\
#include <stdio.h>
#include <stdlib.h>
struct element { struct element *next; int value; };
int main(int argc, char **argv) {
    int x = atoi(argv[1]);
    struct element third = {0, 30}, second = {&third, 20}, first = {&second, 10};
    struct element *p = &first;
    int sum = 0, seen = x + 1;
    if (x > 5)
        p = p->next;
    for (; p; p = p->next)
        sum += p->value;
    printf(\"%d\\n\", sum);
    return seen < 0;
}
";

#[test]
fn the_path_over_a_list_has_the_pointer_and_not_the_harmless_difference() {
    let shop = Workshop::new();
    let program = shop.compile("sum.c", LIST_SUM);
    let a = shop.record("a.flt", &program, &["7"], "");
    let b = shop.record("b.flt", &program, &["2"], "");
    println!("{}", shop.says(&a, &b, &[]));
    let answer = shop.json(&a, &b, &[]);
    let lines: Vec<(String, u64)> = answer["chain"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            let step = if link["a"].is_null() { &link["b"] } else { &link["a"] };
            (link["standing"].as_str().unwrap().into(), step["line"].as_u64().unwrap())
        })
        .collect();
    let expected = [("differs", 5), ("differs", 9), ("only in a", 10), ("differs", 12), ("differs", 11)];
    for (standing, line) in expected {
        assert!(lines.contains(&(standing.into(), line)), "{standing} {line} in {lines:?}");
    }
    assert!(!lines.iter().any(|(_, line)| matches!(line, 6 | 7 | 8 | 14)), "{lines:?}");
}

const OMITTED: &str = "\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int size = atoi(argv[1]);
    int flags = 0;
    if (size > 4)
        flags = 8;
    printf(\"%d\\n\", flags);
    return 0;
}
";

#[test]
fn what_a_run_did_not_assign_is_found_in_the_other() {
    let shop = Workshop::new();
    let program = shop.compile("omitted.c", OMITTED);
    let a = shop.record("a.flt", &program, &["3"], "");
    let b = shop.record("b.flt", &program, &["5"], "");
    let expected = [
        "differs 4: size = 3 | size = 5",
        "differs 6: size > 4 is false | size > 4 is true",
        "only in b 7: - | flags = 8",
    ];
    assert_eq!(chain(&shop.json(&a, &b, &[])), expected);
}

const CLOCK: &str = "\
#include <stdio.h>
#include <stdlib.h>
struct record { int when; int value; };
int main(int argc, char **argv) {
    struct record record;
    record.when = atoi(argv[1]);
    int now = record.when + 1;
    record.value = 5;
    printf(\"%d\\n\", record.value);
    return now < 0;
}
";

#[test]
fn ignored_variables_are_no_differences() {
    let shop = Workshop::new();
    let program = shop.compile("clock.c", CLOCK);
    let a = shop.record("a.flt", &program, &["100"], "");
    let b = shop.record("b.flt", &program, &["200"], "");
    let answer = shop.json(&a, &b, &[]);
    assert_eq!(
        chain(&answer),
        ["differs 6: record.when = 100 | record.when = 200", "differs 7: now = 101 | now = 201"]
    );
    assert_eq!(answer["subject"], Value::Null);
    let one = shop.json(&a, &b, &["--ignore", "clock.c:record.when"]);
    assert_eq!(chain(&one), ["differs 7: now = 101 | now = 201"]);
    let whole = shop.json(&a, &b, &["--ignore", "clock.c:record", "--ignore", "clock.c:now"]);
    assert_eq!(chain(&whole), [""; 0]);
    assert_eq!(whole["same"], true);
}

const CRASH: &str = "\
#include <stdio.h>
#include <string.h>
struct entry { const char *key; int value; };
static struct entry table[] = {{\"one\", 1}, {\"two\", 2}};
static struct entry *find(const char *key) {
    for (int i = 0; i < 2; i++)
        if (strcmp(table[i].key, key) == 0)
            return &table[i];
    return 0;
}
int main(void) {
    char word[20];
    scanf(\"%19s\", word);
    struct entry *found = find(word);
    printf(\"%d\\n\", found->value);
    return 0;
}
";

#[test]
fn a_crash_is_explained_against_a_run_that_did_not_crash() {
    let shop = Workshop::new();
    let program = shop.compile("crash.c", CRASH);
    let a = shop.record("a.flt", &program, &[], "three\n");
    let b = shop.record("b.flt", &program, &[], "two\n");
    println!("{}", shop.says(&a, &b, &[]));
    let answer = shop.json(&a, &b, &[]);
    assert_eq!(answer["subject"], "the crash with SIGSEGV (invalid memory access) in A");
    assert_eq!(answer["parting"]["at"]["a"]["line"], 7);
    let links = chain(&answer);
    assert_eq!(links.last().map(String::as_str), Some("differs 14: found = NULL | found = &table[1]"), "{links:?}");
    assert!(links.iter().any(|link| link.starts_with("differs 7: ")), "{links:?}");
    // The same, from the other side.
    let answer = shop.json(&b, &a, &[]);
    assert_eq!(answer["subject"], "the crash with SIGSEGV (invalid memory access) in B");
    assert_eq!(chain(&answer).last().map(String::as_str), Some("differs 14: found = &table[1] | found = NULL"));
}

#[test]
fn a_run_that_is_repeated_has_no_difference() {
    let shop = Workshop::new();
    let program = shop.compile("middle.c", MIDDLE);
    let a = shop.record("a.flt", &program, &["2", "1", "3"], "");
    let b = shop.record("b.flt", &program, &["2", "1", "3"], "");
    let text = shop.says(&a, &b, &[]);
    assert!(text.starts_with("A and B are runs of one program\n"), "{text}");
    assert!(text.contains("\nno difference: both runs executed the same "), "{text}");
    let answer = shop.json(&a, &b, &[]);
    assert_eq!(
        (&answer["same"], &answer["parting"], &answer["first_value"]),
        (&true.into(), &Value::Null, &Value::Null)
    );
    // Compiled again from the same source, it is still the same program.
    let again = shop.compile("again/middle.c", MIDDLE);
    let c = shop.record("c.flt", &again, &["2", "1", "3"], "");
    assert_eq!(shop.json(&a, &c, &[])["same"], true);
}

#[test]
fn long_chains_are_cut_and_say_so() {
    let shop = Workshop::new();
    let program = shop.compile("middle.c", MIDDLE);
    let a = shop.record("a.flt", &program, &["2", "1", "3"], "");
    let b = shop.record("b.flt", &program, &["4", "1", "3"], "");
    let text = shop.says(&a, &b, &["--limit", "4"]);
    assert!(text.contains("\n  … 2 more (see --limit)\n"), "{text}");
    let answer = shop.json(&a, &b, &["--limit", "4"]);
    assert_eq!((&answer["omitted"], &answer["omitted_after"]), (&2.into(), &3.into()));
    let numbers: Vec<u64> = answer["chain"].as_array().unwrap().iter().map(|l| l["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 6]);
}

#[test]
fn questions_without_an_answer_are_refused_with_advice() {
    let shop = Workshop::new();
    let program = shop.compile("clock.c", CLOCK);
    let a = shop.record("a.flt", &program, &["100"], "");
    let missing = shop.path("missing.flt");
    let text = shop.path("text.flt");
    std::fs::write(&text, "no recording").unwrap();
    let refusals: [(&Path, &[&str], &str); 7] = [
        (&missing, &[], "missing.flt"),
        (&text, &[], "text.flt"),
        (&a, &["--ignore", "now"], "`now` is not FILE:VARIABLE, as in main.c:now"),
        (&a, &["--ignore", "clokc.c:now"], "the program has no source file `clokc.c`; there is clock.c"),
        (&a, &["--ignore", "clock.c:nowe"], "clock.c has no assignment"),
        (&a, &["--ignore", "clock.c:nowe"], "has no assignment to a variable `nowe`; there is `now`"),
        (&a, &["--limit", "0"], "--limit must be at least 1"),
    ];
    for (other, options, expected) in refusals {
        let said = shop.refuses(&a, other, options);
        assert!(said.contains(expected), "{options:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
