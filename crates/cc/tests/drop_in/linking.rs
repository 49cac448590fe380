//! Programs, shared libraries, archives, relocatable objects.

use std::process::Command;

use crate::same::{MAIN, TWICE, Twin};
use crate::stage::{Stage, is_instrumented, output_of};

#[test]
fn static_programs() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-static main.c twice.c -o both").succeeds().same_behaviour("both");
    twin.run("-static-pie -fPIE main.c twice.c -o pie").succeeds().same_behaviour("pie");
}

#[test]
fn shared_libraries() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-shared -fPIC twice.c -o libtwice.so").succeeds();
    twin.run("main.c -o main -L. -ltwice -Wl,-rpath,$ORIGIN").succeeds().same_behaviour("main");
    twin.run("-shared -fPIC -Wl,-z,defs -Wl,-soname,libx.so.1 twice.c -o libx.so").succeeds();
}

#[test]
fn a_shared_library_with_hidden_symbols() {
    let map = ("map", "{ global: twice; local: *; };\n");
    let mut twin = Twin::c(&[MAIN, TWICE, map]);
    twin.run("-shared -fPIC -fvisibility=hidden -Dtwice=__attribute__((visibility(\"default\")))twice twice.c -o libtwice.so")
        .succeeds();
    twin.run("-shared -fPIC -Wl,--version-script=map twice.c -o libtwice.so").succeeds();
    twin.run("main.c -o main -L. -ltwice -Wl,-rpath,$ORIGIN").succeeds().same_behaviour("main");
}

#[test]
fn archives() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-c twice.c").succeeds();
    for run in [&twin.clang, &twin.faultline] {
        let ar = Command::new("ar").arg("rcs").arg(run.path("libtwice.a")).arg(run.path("twice.o")).status().unwrap();
        assert!(ar.success());
    }
    twin.run("main.c libtwice.a -o one").succeeds().same_behaviour("one");
    twin.run("main.c -L. -ltwice -o two").succeeds().same_behaviour("two");
    twin.run("-Wl,--whole-archive libtwice.a -Wl,--no-whole-archive main.c -o three")
        .succeeds()
        .same_behaviour("three");
}

#[test]
fn relocatable_objects() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-r -nostdlib main.c twice.c -o both.o").succeeds();
    twin.run("both.o -o both").succeeds().same_behaviour("both");
}

#[test]
fn programs_without_a_c_library() {
    let start = "void _start(void) { __asm__ volatile(\"syscall\" :: \"a\"(60), \"D\"(7)); }\n";
    let mut twin = Twin::c(&[("start.c", start)]);
    twin.run("-ffreestanding -nostdlib -static start.c -o start").succeeds().same_behaviour("start");
    assert!(!is_instrumented(&twin.faultline.path("start")));
}

#[test]
fn other_linkers() {
    for linker in ["bfd", "gold", "lld"] {
        let mut twin = Twin::c(&[MAIN, TWICE]);
        twin.run(&format!("-fuse-ld={linker} main.c twice.c -o both")).succeeds().same_behaviour("both");
        twin.run(&format!("-fuse-ld={linker} -shared -fPIC twice.c -o libtwice.so")).succeeds();
    }
}

#[test]
fn link_time_optimisation_is_left_out() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    // clang -flto makes bitcode, which the linker here can read only with a plugin; so only our side runs.
    let folder = twin.run("-fno-lto -c main.c twice.c").succeeds().faultline.path(".");
    for line in [
        "-flto -O2 main.c twice.c -o a",
        "-flto=thin -fuse-ld=lld main.c twice.c -o b",
        "-flto=auto -fwhole-program-vtables -c main.c",
    ] {
        let status = Command::new(Stage::shared().c()).args(line.split(' ')).current_dir(&folder).status().unwrap();
        assert!(status.success(), "{line}");
    }
    assert!(is_instrumented(&folder.join("main.o")));
    assert_eq!(output_of(&folder.join("a")), "");
    assert_eq!(output_of(&folder.join("b")), "");
}

#[test]
fn instrumented_and_plain_objects_mix() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-c main.c twice.c").succeeds();
    let plain = twin.clang.path("twice.o");
    let status = Command::new(Stage::shared().c())
        .args([twin.faultline.path("main.o"), plain])
        .arg("-o")
        .arg(twin.faultline.path("mixed"))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(output_of(&twin.faultline.path("mixed")), "");
}

#[test]
fn the_folder_of_tools_can_be_moved() {
    let folder = tempfile::tempdir().unwrap();
    let stage = Stage::make(folder.path());
    let work = tempfile::tempdir().unwrap();
    std::fs::write(work.path().join("x.c"), "int main(void) { return 0; }\n").unwrap();
    let status = Command::new(stage.c()).args(["x.c", "-o", "x"]).current_dir(work.path()).status().unwrap();
    assert!(status.success());
    assert_eq!(output_of(&work.path().join("x")), "");
}
