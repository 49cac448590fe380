//! Dependency files are clang's, byte for byte.

use crate::same::{HELLO, HELLO_H, MAIN, TWICE, Twin};

fn twin() -> Twin {
    Twin::c(&[HELLO, HELLO_H, ("out/keep", ""), MAIN, TWICE])
}

#[test]
fn beside_the_object() {
    twin().run("-MD -c hello.c").succeeds().same_content("hello.d");
    twin().run("-MMD -c hello.c").succeeds().same_content("hello.d");
    twin().run("-MMD -c hello.c -o out/x.o").succeeds().same_content("out/x.d");
}

#[test]
fn under_a_given_name() {
    twin().run("-MMD -MF out/deps -c hello.c").succeeds().same_content("out/deps");
    twin().run("-MD -MP -MFdeps.mk -c hello.c -o out/x.o").succeeds().same_content("deps.mk");
}

#[test]
fn with_given_targets() {
    twin().run("-MMD -MT one -MT two -MP -c hello.c").succeeds().same_content("hello.d");
    twin().run("-MMD -MQ $(obj)/x.o -c hello.c").succeeds().same_content("hello.d");
}

#[test]
fn through_the_preprocessor_option() {
    twin().run("-Wp,-MD,out/old.d -c hello.c").succeeds().same_content("out/old.d");
    twin().run("-Wp,-MMD,old.d -c hello.c -o out/x.o").succeeds().same_content("old.d");
}

#[test]
fn when_linking_too() {
    twin().run("-MMD hello.c -o hello").succeeds().same_content("hello.d").same_behaviour("hello");
    twin().run("-MMD main.c twice.c -o both").succeeds();
    twin().run("-MMD main.c twice.c").succeeds();
}

#[test]
fn alone() {
    twin().run("-M hello.c").succeeds();
    twin().run("-MM hello.c").succeeds();
    twin().run("-MM hello.c -o hello.d").succeeds().same_content("hello.d");
    twin().run("-MM -MF hello.d -MT x hello.c").succeeds().same_content("hello.d");
    twin().run("-MM -MG missing.c").fails();
}

#[test]
fn with_missing_headers() {
    Twin::c(&[("x.c", "#include \"made-later.h\"\n")]).run("-MM -MG x.c").succeeds();
}
