//! The paper's figures and table 5: what is added and what is not, exactly as the text has it.

use std::collections::{BTreeSet, HashMap, HashSet};

use execution::dependence::Follow;
use execution::predicates::predicates;
use execution::slice::Request;
use experiment::{Change, Intervention};
use nesting::index::indices_of;
use program::Op;
use replay::Step;
use techniques::omission::{Effect, Inquiry, Proven, Righted, Seen, Shown, verify};

use crate::faulty::{all_steps, faulty, line, loads, set};

/// Shaped as figure 1: S1 is wrong, S5 should have run.
pub const SAVED_NAME: &str = r#"#include <stdio.h>
static unsigned char outbuf[8];
int main(void) {
    int save_orig_name = 0; // S1
    int flags = 0; // S2
    int outcnt = 1; // S3
    if (save_orig_name) // S4
        flags |= 8; // S5
    outbuf[outcnt] = flags; // S6
    if (save_orig_name) // S7
        outbuf[outcnt + 1] = 'n'; // S8
    printf("%d\n", outcnt); // S9
    printf("%d\n", outbuf[1]); // S10
    return 0;
}
"#;

#[test]
fn the_flag_of_the_original_name_is_traced_to_where_it_was_decided() {
    let faulty = faulty(SAVED_NAME, "", "1\n8\n");
    faulty.look(|subject| {
        let criterion = &subject.question.criterion;
        let lines = |follow: Follow<'_>| -> BTreeSet<String> {
            let found = Request::of(criterion).slice(subject.run, follow, usize::MAX).expect("it replays");
            found.listed.iter().filter_map(|at| line(subject, *at)).map(|line| faulty.name(line)).collect()
        };
        assert_eq!(lines(Follow::DataAndControl), set(&["S2", "S3", "S6", "S10"]));
        let potential = subject.run.potential().expect("it is read");
        assert_eq!(lines(Follow::Relevant(&potential)), set(&["S1", "S2", "S3", "S4", "S6", "S7", "S10"]));
    });
    faulty.expanded(|subject, expanded| {
        let edges = faulty.edges(subject, expanded);
        assert_eq!(edges, BTreeSet::from([("S4".to_owned(), "S6".to_owned())]));
        assert_eq!(faulty.final_set(subject, expanded), set(&["S1", "S2", "S4", "S6", "S10"]));
        let [Proven { effect: Effect { righted: Righted::All, .. }, shown, .. }] = &expanded.proven[..] else {
            panic!("{:?}", expanded.proven)
        };
        let Shown::Redefined { by: Some(by), .. } = shown else { panic!("{shown:?}") };
        assert_eq!(by.line, faulty.line("S5"));
        // Two conditions tried, one looked at.
        assert_eq!((expanded.candidates, expanded.experiments), (2, 3));
    });
    assert_eq!(faulty.switched("S7", "S10", "outbuf"), [Shown::Unaffected]);
}

/// Shaped as figure 2. The condition brings about a loop with a recursive call, which executes the use once more; or it
/// takes the use away, and a recursive call executes it elsewhere.
fn shaped_as_figure_2(run: u32) -> String {
    format!(
        r#"#include <stdio.h>
static int x = 1, shown, run = {run};
static void work(int p, int c2, int depth) {{
    int t = 0;
    if (p) {{ // P
        t = 1;
        x = 5; // redefined
        if (run == 3)
            c2 = 0;
    }}
    while (t) {{
        if (run == 2)
            work(0, 1, 1);
        t = 0;
    }}
    if (shown >= 0) {{
        if (c2) {{
            shown += x; // use
            shown++;
        }}
        if (run == 3 && depth == 0)
            work(0, 1, 1);
    }}
}}
int main(void) {{
    work(0, 1, 0);
    printf("%d\n", shown);
    return 0;
}}
"#
    )
}

#[test]
fn a_use_is_found_again_though_it_is_executed_once_more_elsewhere() {
    let faulty = faulty(&shaped_as_figure_2(2), "", "12\n");
    let shown = faulty.switched("P", "use", "x");
    let [Shown::Redefined { by: Some(by), value: Some(5), .. }] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!(by.line, faulty.line("redefined"));
}

#[test]
fn a_use_that_is_gone_is_not_mistaken_for_the_same_line_elsewhere() {
    // In the failing run the use is executed twice, in turn; the condition is that of the outer call.
    let faulty = faulty(&shaped_as_figure_2(3), "", "9\n");
    faulty.look(|subject| {
        let all = predicates(subject.run, usize::MAX).expect("it replays").steps;
        let at_line = |at: Step, comment: &str| line(subject, at) == Some(faulty.line(comment));
        let predicate = all.iter().find(|one| at_line(one.at, "P")).expect("the condition").at;
        let loads: HashSet<Step> =
            all_steps(subject).into_iter().filter(|&at| at_line(at, "use") && loads(subject, at, "x")).collect();
        let outer = loads.iter().copied().min().expect("a use");
        let uses = indices_of(subject.run, &HashSet::from([outer])).expect("it replays");
        let experiment = [Intervention { clock: predicate.clock, change: Change::Switch }];
        let inquiry = Inquiry { predicate, experiment: &experiment, uses: &uses, place: None };
        let Seen::Yes(found) = verify(subject, &inquiry).expect("it runs") else { panic!("it does as told") };
        assert_eq!(found.uses, HashMap::from([(outer, Shown::Missing)]));
    });
}

/// Shaped as figure 3: one entry, several exits.
#[test]
fn a_region_that_is_left_early_takes_the_use_with_it() {
    let text = r#"#include <stdio.h>
int main(void) {
    int sum = 0, i = 0, is_odd = 0;
    while (i < 3) {
        if (sum > 100) // leaves
            break;
        if (i == 2) // stays
            is_odd = 1;
        sum += i; // use
        i++;
    }
    printf("%d %d\n", sum, is_odd);
    return 0;
}
"#;
    let faulty = faulty(text, "", "1 0\n");
    assert_eq!(faulty.switched("leaves", "use", "i"), [Shown::Missing]);
    assert_eq!(faulty.switched("stays", "use", "i"), [Shown::Unaffected]);
}

/// Figure 4.
#[test]
fn a_right_output_clears_what_it_shows() {
    let text = r#"#include <stdio.h>
int main(void) {
    int a = 1; // a
    int b = a % 2; // b
    int c = a + 2; // c
    printf("%d\n", b); // shows b
    printf("%d\n", c); // shows c
    return 0;
}
"#;
    let faulty = faulty(text, "", "1\n5\n");
    faulty.expanded(|subject, expanded| {
        let flow = &expanded.pruned.flow;
        let of = |comment: &str| {
            let is_it = |at: Step| {
                let op = &subject.run.functions.instruction(at.site).op;
                matches!(op, Op::Store { .. }) && line(subject, at) == Some(faulty.line(comment))
            };
            let vertex = flow.vertices().find(|vertex| is_it(flow.step(*vertex))).expect("it is in the flow");
            expanded.pruned.confidence[vertex.0 as usize]
        };
        assert_eq!(of("b"), 1.0);
        assert_eq!(of("c"), 0.0);
        assert!(0.0 < of("a") && of("a") < 1.0, "{}", of("a"));
        assert_eq!(faulty.final_set(subject, expanded), set(&["a", "c", "shows c"]));
    });
}

/// Table 5(a): what a path cannot do in the faulty program, it may do in the right one.
#[test]
fn a_path_that_cannot_be_is_tried_all_the_same() {
    let text = r#"#include <stdio.h>
int main(void) {
    int a = 15, x = 0; // A
    if (a > 10) // P1
        x = 1; // S1
    if (a < 5) // P2
        x = 2; // S2
    printf("%d\n", x); // S3
    return 0;
}
"#;
    let faulty = faulty(text, "", "2\n");
    faulty.expanded(|subject, expanded| {
        assert_eq!(faulty.edges(subject, expanded), BTreeSet::from([("P2".to_owned(), "S3".to_owned())]));
        assert_eq!(faulty.final_set(subject, expanded), set(&["A", "P1", "P2", "S1", "S3"]));
    });
}

/// Table 5(b): one switch is not enough.
#[test]
fn nested_conditions_on_the_same_wrong_value_are_reversed_together() {
    let text = r#"#include <stdio.h>
int main(void) {
    int x = 1; // S1
    int a = 5; // S2
    if (a > 10) // P1
        if (a > 100) // P2
            x = 3; // S3
    printf("%d\n", x); // S4
    return 0;
}
"#;
    let faulty = faulty(text, "", "3\n");
    assert_eq!(faulty.switched("P1", "S4", "x"), [Shown::Unaffected]);
    faulty.expanded(|subject, expanded| {
        assert_eq!(faulty.edges(subject, expanded), BTreeSet::from([("P1".to_owned(), "S4".to_owned())]));
        let [one] = &expanded.proven[..] else { panic!("{:?}", expanded.proven) };
        assert!(one.is_nested() && one.is_strong());
        assert_eq!(faulty.final_set(subject, expanded), set(&["S1", "S2", "P1", "S4"]));
    });
}
