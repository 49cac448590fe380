//! Threads, forked children and handlers: where the fault may be, and nobody looked.

use crate::bench::{Bench, says, words};

const IN_WORKER: &str = r#"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
static int table[4] = {1, 2, 3, 4};
static int *slots[4];
static void *worker(void *argument) {
    int number = *(int *)argument;
    int *place = slots[number];
    END
    *place = table[number];
    return NULL;
}
int main(int count, char **words) {
    pthread_t thread;
    int number = count + 1;
    if (count > 5) _exit(0);
    pthread_create(&thread, NULL, worker, &number);
    pthread_join(thread, NULL);
    return 0;
}
"#;

#[test]
fn a_crash_in_a_worker_thread_is_followed_there_and_not_called_found() {
    let bench = Bench::new();
    bench.compile("p", &IN_WORKER.replace("END", ""));
    let why = bench.shell("FAULTLINE why -- ./p");
    says(&why, 3, &["Not found", "The failure is in thread 2 of 2", "xperiments can change only the first thread"]);
    let told = words(&why.stdout);
    assert!(told.contains("`place` became NULL") && !told.contains("_exit"), "{told}");
    for command in ["switch", "omission", "causes"] {
        let alone = bench.shell(&format!("FAULTLINE {command} -- ./p"));
        says(&alone, 3, &["Nothing was found", "The failure is in thread 2 of 2"]);
    }
    bench.shell("FAULTLINE record -o r.flt -- ./p");
    for command in ["slice", "origin"] {
        let told = bench.shell(&format!("FAULTLINE {command} r.flt"));
        says(&told, 0, &["slots[number]", "limit: the failure is in thread 2 of 2"]);
    }
}

#[test]
fn an_abort_and_an_exit_in_a_worker_thread_are_followed_there() {
    let bench = Bench::new();
    for (name, end) in [("aborts", "if (place == NULL) abort();"), ("exits", "if (place == NULL) exit(7);")] {
        bench.compile(name, &IN_WORKER.replace("END", end));
        let why = bench.shell(&format!("FAULTLINE why --expect-exit 0 -- ./{name}"));
        says(&why, 3, &["Not found", "The failure is in thread 2 of 2", "place == NULL"]);
    }
}

#[test]
fn threads_beside_the_failing_one_are_a_limit() {
    let bench = Bench::new();
    bench.compile("p", &IN_WORKER.replace("END", "return NULL;").replace("return 0;", "return number > 1;"));
    let why = bench.shell("FAULTLINE why --expect-exit 0 --format json -- ./p");
    let told: serde_json::Value = serde_json::from_slice(&why.stdout).expect("JSON");
    let first = told["limits"][0].as_str().expect("a limit");
    assert!(first.starts_with("the program had 2 threads, and only the first was examined"), "{told}");
}

#[test]
fn a_forked_child_is_a_limit() {
    let bench = Bench::new();
    bench.compile(
        "p",
        r#"#include <stdio.h>
        #include <sys/wait.h>
        #include <unistd.h>
        int product(int n) { int all = 1; for (int i = 1; i < n; i++) all *= i; return all; }
        int main(int count, char **words) {
            int ends[2], all = 0;
            if (pipe(ends)) return 2;
            if (fork() == 0) { all = product(count + 3); write(ends[1], &all, sizeof all); _exit(0); }
            read(ends[0], &all, sizeof all);
            wait(NULL);
            printf("%d\n", all);
            return 0;
        }"#,
    );
    bench.write("right", "24\n");
    let why = bench.shell("FAULTLINE why --expect right -- ./p");
    says(&why, 3, &["Not found", "1 forked child was not recorded: a fault there cannot be found", "What may help"]);
}

#[test]
fn handlers_of_signals_are_a_limit() {
    let bench = Bench::new();
    bench.compile(
        "p",
        r#"#define _GNU_SOURCE
        #include <signal.h>
        #include <unistd.h>
        static volatile int came;
        static void handler(int signal) { came = signal; }
        int main(void) {
            signal(SIGALRM, handler);
            ualarm(20000, 0);
            while (!came) {}
            return 1;
        }"#,
    );
    bench.shell("FAULTLINE record -o r.flt -- ./p");
    says(&bench.shell("FAULTLINE slice r.flt"), 0, &["limit: signal handlers ran once and were not examined"]);
}

#[test]
fn evaluations_are_not_counted_twice() {
    let bench = Bench::new();
    // A switch has many other ways to go.
    bench.compile(
        "p",
        r#"int main(int count, char **words) {
            int sum = 0;
            for (int i = 0; i < 6; i++)
                switch (i) { case 0: sum += 1; break; case 1: sum += 3; break; case 2: sum -= 2; break;
                             case 3: sum *= 2; break; case 4: sum ^= 5; break; default: sum++; }
            return 77 + (sum & 1);
        }"#,
    );
    let switch = words(&bench.shell("FAULTLINE switch --expect-exit 3 -- ./p").stdout);
    let counted = switch.split("Reversed ").nth(1).expect("what was tried");
    // `all 12 evaluations`, or `10 of 12 evaluations`.
    let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok()).expect("a number");
    let tried = counted.split(' ').next().filter(|word| *word != "all");
    let is_some_of_all = tried.is_none() || number(tried) <= number(counted.split(' ').nth(2));
    assert!(is_some_of_all && counted.contains(" ways"), "{switch}");
}

#[test]
fn output_that_was_not_kept_is_not_called_the_same() {
    let bench = Bench::new();
    bench.compile(
        "p",
        r#"#include <stdio.h>
        int main(int count, char **words) { printf("%d\n", count); return 0; }"#,
    );
    bench.shell("FAULTLINE record -o a.flt -- ./p > /dev/null; FAULTLINE record -o b.flt -- ./p x > /dev/null");
    let diff = bench.shell("FAULTLINE diff a.flt b.flt");
    says(&diff, 0, &["standard output was not compared", "A was recorded without its standard output"]);
    assert!(!words(&diff.stdout).contains("Neither the output nor the ending differs"));
    let same = bench.shell("FAULTLINE diff a.flt a.flt");
    says(&same, 0, &["no difference in what was compared", "standard output was not compared"]);
    let told: serde_json::Value =
        serde_json::from_slice(&bench.shell("FAULTLINE diff --format json a.flt a.flt").stdout).expect("JSON");
    assert_eq!((&told["same"], &told["not_compared"][0]), (&false.into(), &"standard output".into()));
}
