//! What does not concern us is clang's own answer.

use crate::same::{HELLO, HELLO_H, TWICE, Twin};

fn same(line: &str) {
    Twin::c(&[HELLO, HELLO_H, TWICE]).run(line);
}

#[test]
fn questions_about_the_compiler() {
    for line in [
        "--version",
        "-dumpversion",
        "-dumpmachine",
        "-print-search-dirs",
        "-print-file-name=libc.so",
        "-print-prog-name=ld",
        "-print-libgcc-file-name",
        "-print-resource-dir",
        "-print-multi-os-directory",
        "-print-target-triple",
        "-print-effective-triple",
        "--print-supported-cpus",
        "--help",
        "-v",
        "--autocomplete=-fsyn",
    ] {
        same(line);
    }
}

#[test]
fn no_input() {
    same("");
    same("-c");
    same("-O2");
}

#[test]
fn preprocessing() {
    same("-E hello.c");
    same("-E -dM -x c /dev/null");
    same("-E -P hello.c -o hello.i");
    same("-E -C -H hello.c");
}

#[test]
fn checking_only() {
    same("-fsyntax-only hello.c");
    same("-fsyntax-only -Wall -Wextra -Werror twice.c");
}

#[test]
fn what_would_be_done() {
    let mut twin = Twin::c(&[TWICE]);
    twin.run("-c twice.c -###").succeeds();
    twin.run("-ccc-print-phases -c twice.c").succeeds();
}

#[test]
fn other_results_of_the_compiler() {
    same("-Xclang -ast-print -fsyntax-only twice.c");
    same("-emit-llvm -S -o - twice.c");
    same("--analyze twice.c");
}

#[test]
fn unknown_options_and_missing_values() {
    same("--no-such-option -c hello.c");
    same("-fno-such-option -c hello.c");
    same("-Wno-such-warning -c hello.c");
    same("-Wno-such-warning -Werror -c hello.c");
    same("-c hello.c -o");
    same("-c hello.c -x");
    same("-c hello.c -x nonsense");
}

#[test]
fn unused_arguments_are_reported() {
    same("-c hello.c -lm");
    same("-c hello.c -Wl,--as-needed");
    same("-Werror -c hello.c -lm");
    same("-c hello.c -Qunused-arguments -lm");
}

#[test]
fn what_is_asked_of_the_front_end_alone() {
    // Prints to standard output while compiling to an object.
    same("-c twice.c -Xclang -fdump-record-layouts");
    same("-c twice.c -H");
    same("-c hello.c -H");
}
