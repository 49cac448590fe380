//! What is produced, and where.

use crate::same::{CPP, HELLO, HELLO_H, MAIN, TWICE, Twin};
use crate::stage::is_instrumented;

#[test]
fn an_object_has_the_name_of_its_source() {
    let mut twin = Twin::c(&[HELLO, HELLO_H]);
    twin.run("-c hello.c").succeeds();
    assert!(is_instrumented(&twin.faultline.path("hello.o")));
}

#[test]
fn an_object_is_put_where_it_is_asked_for() {
    let mut twin = Twin::c(&[HELLO, HELLO_H, ("out/keep", "")]);
    twin.run("-c hello.c -o out/other.o").succeeds();
    twin.run("-c hello.c -oout/joined.o").succeeds();
}

#[test]
fn a_program_is_compiled_and_linked_at_once() {
    Twin::c(&[HELLO, HELLO_H]).run("hello.c").succeeds().same_behaviour("a.out");
    Twin::c(&[HELLO, HELLO_H]).run("hello.c -o hello").succeeds().same_behaviour("hello");
}

#[test]
fn a_program_of_several_sources() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("main.c twice.c -o both").succeeds().same_behaviour("both");
    twin.run("-c main.c twice.c").succeeds();
    twin.run("main.o twice.o -o linked").succeeds().same_behaviour("linked");
    twin.run("main.o twice.c -o mixed").succeeds().same_behaviour("mixed");
}

#[test]
fn cpp_is_linked_with_its_library() {
    Twin::cpp(&[CPP]).run("greet.cc -o greet").succeeds().same_behaviour("greet");
    // The C driver compiles C++ but links as C.
    let mut twin = Twin::c(&[CPP]);
    twin.run("-c greet.cc").succeeds();
    twin.run("greet.o -o greet -lstdc++").succeeds().same_behaviour("greet");
}

#[test]
fn assembly() {
    let mut twin = Twin::c(&[HELLO, HELLO_H]);
    twin.run("-S hello.c").succeeds();
    assert!(twin.faultline.text("hello.s").contains("__faultline_"));
    twin.run("hello.s -o hello").succeeds().same_behaviour("hello");
    twin.run("-S hello.c -o other.s").succeeds();
}

#[test]
fn assembly_to_standard_output() {
    let twin = &mut Twin::c(&[TWICE]);
    let line = "-S -o - twice.c";
    let by_us = std::process::Command::new(crate::stage::Stage::shared().c())
        .args(line.split_whitespace())
        .current_dir(twin.faultline.path("."))
        .output()
        .unwrap();
    assert!(String::from_utf8_lossy(&by_us.stdout).contains("twice:"));
    assert!(!twin.faultline.files().contains("-"));
}

#[test]
fn outputs_that_are_devices_survive() {
    let mut twin = Twin::c(&[HELLO, HELLO_H, ("bad.c", "int bad(")]);
    twin.run("-c hello.c -o /dev/null").succeeds();
    twin.run("-c bad.c -o /dev/null").fails();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn intermediate_files_are_kept_on_demand() {
    let mut twin = Twin::c(&[HELLO, HELLO_H]);
    twin.run("-gdwarf-4 -save-temps -c hello.c").succeeds();
}

#[test]
fn intermediate_files_beside_the_output() {
    let mut twin = Twin::c(&[HELLO, HELLO_H, ("out/keep", "")]);
    twin.run("-gdwarf-4 -save-temps=obj hello.c -o out/hello").succeeds().same_behaviour("out/hello");
    assert!(is_instrumented(&twin.faultline.path("out/hello")));
}

#[test]
fn a_pipe_between_the_stages_is_accepted() {
    Twin::c(&[HELLO, HELLO_H]).run("-pipe hello.c -o hello").succeeds().same_behaviour("hello");
}

#[test]
fn another_assembler() {
    Twin::c(&[HELLO, HELLO_H]).run("-fno-integrated-as hello.c -o hello").succeeds().same_behaviour("hello");
}

#[test]
fn split_debug_information() {
    let mut twin = Twin::c(&[HELLO, HELLO_H, ("out/keep", "")]);
    twin.run("-g -gsplit-dwarf -c hello.c -o out/hello.o").succeeds();
}

#[test]
fn coverage_notes() {
    let mut twin = Twin::c(&[HELLO, HELLO_H]);
    twin.run("--coverage hello.c -o hello").succeeds().same_behaviour("hello");
}

#[test]
fn position_independent_code_and_sections() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    for flags in ["-fPIC", "-fPIE -pie", "-fno-pic -no-pie", "-ffunction-sections -fdata-sections -Wl,--gc-sections"] {
        twin.run(&format!("{flags} main.c twice.c -o both")).succeeds().same_behaviour("both");
    }
}
