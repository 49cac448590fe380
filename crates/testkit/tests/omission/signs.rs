//! Places that no experiment can change, told beside those that one has: definitions of constants, cases that are missing,
//! loops that were left; and what is seen only when a second dependence was looked for.

use crate::faulty::faulty;

#[test]
fn a_run_is_looked_at_again_when_another_dependence_brings_a_new_use() {
    let text = r#"#include <stdio.h>
#include <stdlib.h>
struct item { int value; struct item *next; };
static struct { struct item *head, *tail; int length; } queue;
static void put(int value) {
    struct item *item = calloc(1, sizeof *item);
    item->value = value;
    if (queue.tail != NULL) // asks
        queue.tail->next = item;
    else
        queue.head = item;
    queue.tail = item;
    queue.length++;
}
static struct item *take(void) {
    struct item *item = queue.head;
    queue.head = item->next;
    if (queue.length == 0) // fault
        queue.tail = NULL;
    queue.length--;
    return item;
}
int main(void) {
    put(1);
    printf("%d\n", take()->value);
    put(2);
    printf("%d\n", take()->value);
    return 0;
}
"#;
    let faulty = faulty(text, "", "1\n2\n");
    let shown = faulty.expanded(|subject, expanded| faulty.edges(subject, expanded));
    let conditions: Vec<&str> = shown.iter().map(|(condition, _)| condition.as_str()).collect();
    assert!(conditions.contains(&"asks") && conditions.contains(&"fault"), "{shown:?}");
}

#[test]
fn a_constant_is_told_where_its_name_is_defined() {
    let text = r#"#include <stdio.h>
#define PATIENCE 18 // fault
enum { FIRST, LAST = 12 };
static int level;
int main(void) {
    for (int tick = 0; tick < LAST; tick++)
        if (tick >= PATIENCE) // asks
            level++;
    printf("level %d\n", level);
    return 0;
}
"#;
    let faulty = faulty(text, "", "level 4\n");
    let told = faulty.told();
    let position = |name: &str| told.iter().position(|line| line == name);
    assert!(position("asks").zip(position("fault")).is_some_and(|(asks, fault)| fault == asks + 1), "{told:?}");
}

#[test]
fn a_case_is_missing_beside_those_of_the_nearest_values() {
    let text = r#"#include <stdio.h>
enum op { ADD, SUBTRACT, MULTIPLY, DIVIDE, NEGATE };
static int compute(enum op op, int a, int b) {
    switch (op) {
    case ADD:
        return a + b;
    case SUBTRACT:
        return a - b; // before
    case DIVIDE:
        return b ? a / b : 0; // after
    default:
        return 0;
    }
}
int main(void) {
    printf("%d\n", compute(ADD, 2, 3));
    printf("%d\n", compute(MULTIPLY, 7, 1));
    return 0;
}
"#;
    // Dividing is right by chance, so that the switch is known to matter.
    let told = faulty(text, "", "5\n7\n").told();
    assert!(["before", "after"].iter().all(|name| told.iter().any(|line| line == name)), "{told:?}");
}

#[test]
fn a_loop_that_was_left_in_its_middle_is_told() {
    let text = r#"#include <stdio.h>
int main(void) {
    int c, sum = 0;
    while ((c = getchar()) != EOF) {
        if (c == '-') // asks
            break; // fault
        if (c >= '0' && c <= '9')
            sum += c - '0';
    }
    printf("%d\n", sum);
    return 0;
}
"#;
    let told = faulty(text, "12-3-4\n", "10\n").told();
    assert!(told.contains(&"fault".to_owned()), "{told:?}");
}

#[test]
fn a_variable_that_lasts_is_told_by_its_declaration_though_its_value_was_copied() {
    let text = r#"#include <stdio.h>
#include <string.h>
struct order { int number, express, gift; };
static struct order orders[4];
static int count;
static void read(const char *text, int number) {
    static struct order order; // fault
    order.number = number;
    if (strchr(text, 'x'))
        order.express = 1;
    orders[count++] = order;
}
int main(void) {
    read("x", 7);
    read("", 8);
    for (int i = 0; i < count; i++)
        printf("%d%s\n", orders[i].number, orders[i].express ? " express" : "");
    return 0;
}
"#;
    let told = faulty(text, "", "7 express\n8\n").told();
    assert!(told.iter().take(12).any(|line| line == "fault"), "{told:?}");
}
