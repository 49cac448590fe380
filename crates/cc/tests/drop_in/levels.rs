//! Optimisation, arithmetic and our own options.

use std::process::Command;

use crate::same::{HELLO, HELLO_H, Twin};
use crate::stage::{Stage, is_instrumented};

#[test]
fn every_level_compiles_and_runs() {
    for level in ["-O0", "-O", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Og"] {
        let mut twin = Twin::c(&[HELLO, HELLO_H]);
        twin.run(&format!("{level} hello.c -o hello")).succeeds().same_behaviour("hello");
        assert!(is_instrumented(&twin.faultline.path("hello")), "{level}");
    }
}

#[test]
fn fortification_is_left_out() {
    for flag in ["-D_FORTIFY_SOURCE=2", "-Wp,-D_FORTIFY_SOURCE=2", "-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3"] {
        let mut twin = Twin::c(&[HELLO, HELLO_H]);
        twin.run(&format!("-O2 -Werror {flag} hello.c -o hello")).succeeds().same_behaviour("hello");
    }
}

#[test]
fn arithmetic_is_never_fast() {
    // NaN compares as IEEE 754 says, though -ffast-math assumes there is none.
    let source = "#include <stdlib.h>\nint main(int n, char **v) { double x = strtod(n > 1 ? v[1] : \"nan\", 0);\n\
                  return x == x || !__builtin_isnan(x); }\n";
    let mut twin = Twin::c(&[("nan.c", source)]);
    let folder = twin.run("-c nan.c").succeeds().faultline.path(".");
    for flags in ["-Ofast -Wno-deprecated", "-O3 -ffast-math", "-O2 -ffinite-math-only", "-ffp-model=fast"] {
        let compiled = Command::new(Stage::shared().c())
            .args(flags.split(' ').chain(["nan.c", "-o", "nan"]))
            .current_dir(&folder)
            .status()
            .unwrap();
        assert!(compiled.success(), "{flags}");
        let run = Command::new(folder.join("nan")).status().unwrap();
        assert_eq!(run.code(), Some(0), "{flags}");
    }
}

#[test]
fn our_own_option_is_not_clangs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("x.c"), "int g; int main(void) { g = 1; return g - 1; }\n").unwrap();
    let run = |arguments: &[&str]| {
        Command::new(Stage::shared().c()).args(arguments).current_dir(folder.path()).output().unwrap()
    };
    for check in ["stores", "branches"] {
        let output = run(&[&format!("-faultline-check={check}"), "x.c", "-o", "x"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(Command::new(folder.path().join("x")).status().unwrap().success());
    }
    let wrong = run(&["-faultline-check=nothing", "-c", "x.c"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("expected `branches` or `stores`"));
}

#[test]
fn another_clang_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(Stage::shared().c())
        .arg("--version")
        .env("FAULTLINE_CLANG", folder.path().join("no-such-clang"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no-such-clang"));
}
