//! What is read: languages, standard input, response files, files that are not sources.

use crate::same::{CPP, HELLO, HELLO_H, MAIN, TWICE, Twin};
use crate::stage::is_instrumented;

#[test]
fn standard_input_as_source() {
    let mut twin = Twin::c(&[HELLO_H]);
    twin.run_with_input("-x c - -o hello", HELLO.1).succeeds().same_behaviour("hello");
    twin.run_with_input("-c -x c -", HELLO.1).succeeds();
    twin.run_with_input("-E -x c -", HELLO.1).succeeds();
    twin.run_with_input("-c -", HELLO.1).fails();
}

#[test]
fn the_language_can_be_set() {
    let mut twin = Twin::c(&[("text", TWICE.1), ("cpp.txt", CPP.1)]);
    twin.run("-c -x c text -o twice.o").succeeds();
    twin.run("-x c++ cpp.txt -o greet -lstdc++").succeeds().same_behaviour("greet");
    twin.run("-x c++ text -x c text -c").succeeds();
}

#[test]
fn preprocessed_sources() {
    let mut twin = Twin::c(&[HELLO, HELLO_H]);
    twin.run("-E hello.c -o hello.i").succeeds();
    twin.run("hello.i -o hello").succeeds().same_behaviour("hello");
}

#[test]
fn response_files() {
    let mut twin = Twin::c(&[MAIN, TWICE, ("args", "-c -o \"main.o\" main.c\n"), ("inner", "twice.c\n-o both main.o")]);
    twin.run("@args").succeeds();
    twin.run("@inner").succeeds().same_behaviour("both");
}

#[test]
fn assembly_passes_through() {
    let source = ".globl twice\ntwice: leal (%rdi,%rdi), %eax\nret\n.section .note.GNU-stack,\"\",@progbits\n";
    let preprocessed = "#define NAME twice\n.globl NAME\nNAME: leal (%rdi,%rdi), %eax\nret\n\
                        .section .note.GNU-stack,\"\",@progbits\n";
    let mut twin = Twin::c(&[MAIN, ("twice.s", source), ("other.S", preprocessed)]);
    twin.run("main.c twice.s -o one").succeeds().same_behaviour("one");
    twin.run("main.c other.S -o two").succeeds().same_behaviour("two");
    twin.run("-c other.S").succeeds();
    assert!(!is_instrumented(&twin.faultline.path("other.o")));
}

#[test]
fn bitcode_passes_through() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-emit-llvm -c twice.c").succeeds();
    twin.run("-emit-llvm -S twice.c").succeeds();
    twin.run("main.c twice.bc -o one").succeeds().same_behaviour("one");
    twin.run("-c twice.ll").succeeds();
    assert!(!is_instrumented(&twin.faultline.path("twice.o")));
}

#[test]
fn names_with_strange_characters() {
    let mut twin = Twin::c(&[("a'b$c\\d.c", TWICE.1), ("späte.c", MAIN.1)]);
    twin.run("-c a'b$c\\d.c").succeeds();
    twin.run("späte.c a'b$c\\d.c -o run -DX=\"q\\\"\"").succeeds().same_behaviour("run");
}

#[test]
fn standards_are_heard() {
    let source = "auto f = [](auto x) { return x; };\nint main() { return f(0); }\n";
    let mut twin = Twin::cpp(&[("generic.cc", source)]);
    twin.run("-std=c++17 generic.cc -o run").succeeds().same_behaviour("run");
    twin.run("-std=c++98 -Wno-c++11-extensions -c generic.cc").fails();
}
