//! Code that is not there at all: values that should have been set anew, where that could have been done, and what runs
//! where a condition goes the other way.

use experiment::{Change, Outcome};
use techniques::missing::Sign;
use techniques::omission::{Effect, Instead};

use crate::faulty::{Faulty, faulty, line};

/// Places told for old values, by comments, and whether the sign is of this kind.
fn gaps(faulty: &Faulty, is_it: impl Fn(Sign) -> bool) -> Vec<String> {
    faulty.expanded(|subject, expanded| {
        // Each is shown: the value that is put there does what is told of it.
        for one in &expanded.missing.stale {
            let ran = subject.lab.run(&one.experiment).expect("it runs");
            let passes = subject.lab.judge(&one.experiment, &ran).expect("it is judged") == Outcome::Passes;
            assert_eq!(passes, one.effect == Effect::ALL, "{one:?}");
            assert!(one.effect.is_strong() && one.right != one.value, "{one:?}");
        }
        let told = expanded.missing.gaps.iter().filter(|gap| is_it(gap.sign));
        told.filter_map(|gap| line(subject, gap.step)).map(|line| faulty.name(line)).collect()
    })
}

#[test]
fn a_part_of_a_structure_is_not_begun_anew_with_the_others() {
    let text = r#"#include <stdio.h>
static struct { int words, lines, marks; } count;
static void read_page(int marks) {
    count.words += 10; // words
    count.lines += 3;
    count.marks += marks;
}
static void show(void) {
    printf("%d words, %d lines, %d marks\n", count.words, count.lines, count.marks);
    count.words = count.lines = 0; // fault
}
int main(void) {
    read_page(2);
    show();
    read_page(5);
    show();
    return 0;
}
"#;
    let faulty = faulty(text, "", "10 words, 3 lines, 2 marks\n10 words, 3 lines, 5 marks\n");
    assert_eq!(gaps(&faulty, |sign| sign == Sign::Begins), ["fault"]);
    assert!(faulty.told().contains(&"fault".to_owned()));
}

#[test]
fn a_structure_on_the_heap_is_looked_at_as_one() {
    let text = r#"#include <stdio.h>
#include <stdlib.h>
struct reader { int at, depth; const char *name; };
static void begin(struct reader *r, const char *name) {
    r->at = 0; // fault
    r->name = name;
}
static void read(struct reader *r, const char *text) {
    for (; text[r->at]; r->at++)
        if (text[r->at] == '(')
            r->depth++;
    printf("%s: %d\n", r->name, r->depth);
}
int main(void) {
    struct reader *r = calloc(1, sizeof *r);
    begin(r, "a");
    read(r, "((x");
    begin(r, "b");
    read(r, "(y");
    return 0;
}
"#;
    let faulty = faulty(text, "", "a: 2\nb: 1\n");
    assert_eq!(gaps(&faulty, |sign| sign == Sign::Begins), ["fault"]);
}

#[test]
fn what_should_have_been_counted_happened_as_often() {
    let text = r#"#include <stdio.h>
#include <ctype.h>
static int bad;
int main(void) {
    int c, good = 0;
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            continue;
        if (!isdigit(c)) // fault
            continue;
        good++;
    }
    printf("%d good\n", good);
    if (bad > 0)
        printf("%d bad\n", bad);
    return 0;
}
"#;
    let faulty = faulty(text, "1x2yz34\n", "4 good\n3 bad\n");
    assert_eq!(gaps(&faulty, |sign| sign == Sign::Counts { times: 3 }), ["fault"]);
    assert!(faulty.told().contains(&"fault".to_owned()));
}

#[test]
fn what_was_complained_of_should_have_been_counted() {
    let text = r#"#include <stdio.h>
static int errors;
static int check(int n) {
    if (n < 10)
        return 1;
    printf("%d is too large\n", n); // fault
    return 0;
}
int main(void) {
    int n, sum = 0;
    while (scanf("%d", &n) == 1)
        if (check(n))
            sum += n;
    printf("sum %d\n", sum);
    if (errors > 0)
        printf("%d errors\n", errors);
    return 0;
}
"#;
    let expected = "12 is too large\n30 is too large\nsum 6\n2 errors\n";
    let faulty = faulty(text, "1 12 2 30 3\n", expected);
    assert_eq!(gaps(&faulty, |sign| sign == Sign::Wrote { times: 2 }), ["fault"]);
    assert!(faulty.told().contains(&"fault".to_owned()));
}

#[test]
fn a_variable_is_left_as_it_was_at_the_end_of_what_set_it() {
    let text = r#"#include <stdio.h>
static int column;
static void field(const char *text) {
    column += printf("%s", text);
    while (column % 4 != 0)
        column += printf(".");
}
static void row(const char *a, const char *b) {
    field(a);
    column += printf("%s", b);
    putchar('\n'); // fault
}
int main(void) {
    row("ab", "c");
    row("d", "e");
    return 0;
}
"#;
    let faulty = faulty(text, "", "ab..c\nd...e\n");
    let ends = gaps(&faulty, |sign| sign == Sign::Ends);
    assert!(ends.contains(&"fault".to_owned()), "{ends:?}");
}

#[test]
fn variables_without_an_address_are_given_the_value_where_it_was_made() {
    let text = r#"#include <stdio.h>
int main(void) {
    int c, digits = 0; // fault
    while ((c = getchar()) != EOF) {
        if (c == '\n')
            printf("%d\n", digits);
        else
            digits++;
    }
    return 0;
}
"#;
    let faulty = faulty(text, "12\n345\n", "2\n3\n");
    faulty.expanded(|_, expanded| {
        let is_replaced = |change: &Change| matches!(change, Change::Replace(_));
        let all = expanded.missing.stale.iter().flat_map(|one| &one.experiment);
        assert!(
            all.clone().count() > 0 && all.clone().all(|one| is_replaced(&one.change)),
            "{:?}",
            expanded.missing.stale
        );
    });
}

#[test]
fn what_would_have_run_is_told_with_the_conditions_inside_it() {
    let text = r#"#include <stdio.h>
static int size = 8, depth = 4;
int main(void) {
    int words = 3;
    if (words > 1) // P
        size = 16;
    else if (words > 2) // fault
        depth = 2; // omitted
    printf("%d\n", depth);
    return size == 0;
}
"#;
    let faulty = faulty(text, "", "2\n");
    faulty.expanded(|subject, expanded| {
        let condition = |one: &Instead| line(subject, one.condition).map(|line| faulty.name(line));
        let told = |one: &Instead| (condition(one).unwrap_or_default(), faulty.name(one.location.line));
        let told: Vec<_> = expanded.instead.iter().map(told).collect();
        let told: Vec<_> = told.iter().map(|(condition, line)| (condition.as_str(), line.as_str())).collect();
        assert_eq!(told, [("P", "fault"), ("P", "omitted")]);
    });
    assert!(faulty.told().contains(&"fault".to_owned()));
}
