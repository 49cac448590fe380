//! Twins of library functions take the library's place where, and only where, the library's function would be called.

use std::process::Command;

use crate::same::Twin;
use crate::stage::Stage;

/// Prints what a few calls give, so that it shows whose functions they were.
const CALLS: (&str, &str) = (
    "calls.c",
    "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\n\
     int main(void) {\n\
         const char *volatile text = \"12\";\n\
         size_t (*volatile length)(const char *) = strlen;\n\
         int (*volatile number)(const char *) = atoi;\n\
         printf(\"%zu %zu %d %d\\n\", strlen(text), length(text), atoi(text), number(text));\n\
         return 0;\n\
     }\n",
);
const OWN: (&str, &str) = (
    "own.c",
    "#include <stddef.h>\nsize_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }\n\
     int atoi(const char *s) { return 1000 + s[0]; }\n",
);

fn symbols(path: &std::path::Path) -> String {
    let output = Command::new("nm").arg(path).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn twins_are_called_and_can_be_switched_off() {
    let mut twin = Twin::c(&[CALLS]);
    twin.run("calls.c -o calls").succeeds().same_behaviour("calls");
    assert!(symbols(&twin.faultline.path("calls")).contains("__faultline_twin_strlen"));
    let off = Command::new(Stage::shared().c())
        .args(["-faultline-twins=off", "calls.c", "-o", "off"])
        .current_dir(twin.faultline.path("."))
        .status()
        .unwrap();
    assert!(off.success());
    assert!(!symbols(&twin.faultline.path("off")).contains("__faultline_twin_"));
}

#[test]
fn a_programs_own_function_wins() {
    let mut twin = Twin::c(&[CALLS, OWN]);
    for options in ["", "-fno-builtin", "-static", "-fno-pie -no-pie"] {
        twin.run(&format!("{options} calls.c own.c -o one")).succeeds().same_behaviour("one");
        twin.run(&format!("{options} own.c calls.c -o two")).succeeds().same_behaviour("two");
    }
    twin.run("-fPIC -c own.c calls.c").succeeds();
    for run in [&twin.clang, &twin.faultline] {
        let ar = Command::new("ar").arg("rcs").arg(run.path("libown.a")).arg(run.path("own.o")).status().unwrap();
        assert!(ar.success());
    }
    twin.run("calls.o libown.a -o three").succeeds().same_behaviour("three");
    twin.run("-r -nostdlib calls.o own.o -o both.o").succeeds();
    twin.run("both.o -o four").succeeds().same_behaviour("four");
}

#[test]
fn a_shared_librarys_own_function_wins_in_the_library() {
    let library = (
        "library.c",
        "#include <string.h>\n#include <stdlib.h>\nint measure(const char *s) { return strlen(s) + atoi(s) % 100; }\n",
    );
    let main = ("main.c", "int measure(const char *);\nint main(void) { return measure(\"abc\"); }\n");
    let mut twin = Twin::c(&[library, main, OWN]);
    twin.run("-shared -fPIC library.c own.c -o libmeasure.so").succeeds();
    twin.run("main.c -o main -L. -lmeasure -Wl,-rpath,$ORIGIN").succeeds().same_behaviour("main");
}

#[test]
fn other_functions_of_the_same_name() {
    let hidden = "static int strlen(const char *s) { return -s[0]; }\nint hidden(void) { return strlen(\"a\"); }\n";
    let weak = "__attribute__((weak)) int atoi(const char *s) { return 7; }\n";
    let main = "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\nint hidden(void);\n\
                int main(void) { printf(\"%d %d %d\\n\", (int)strlen(\"abc\"), hidden(), atoi(\"1\")); return 0; }\n";
    let mut twin = Twin::c(&[("hidden.c", hidden), ("weak.c", weak), ("main.c", main)]);
    twin.run("-w hidden.c weak.c main.c -o main").succeeds().same_behaviour("main");
    twin.run("-w main.c weak.c hidden.c -o main").succeeds().same_behaviour("main");
}

#[test]
fn other_prototypes() {
    let odd = "double strchr(int a, double b) { return a * b; }\nint puts(void) { return 5; }\n";
    let main = "#include <stdio.h>\ndouble strchr(int, double);\nint (puts)();\n\
                int main(void) { printf(\"%g %d\\n\", strchr(2, 1.5), ((int (*)(void))puts)()); return 0; }\n";
    let undeclared = "int main() { return strlen(\"abc\") - 3 + abs(-2) - 2; }\n";
    let mut twin = Twin::c(&[("odd.c", odd), ("main.c", main), ("undeclared.c", undeclared)]);
    twin.run("-w -fno-builtin odd.c main.c -o main").succeeds().same_behaviour("main");
    twin.run("-w -std=c89 -fno-builtin undeclared.c -o undeclared").succeeds().same_behaviour("undeclared");
}

#[test]
fn wrapped_functions() {
    let wrap = "#include <stddef.h>\nsize_t __real_strlen(const char *);\n\
                size_t __wrap_strlen(const char *s) { return __real_strlen(s) + 100; }\n";
    let mut twin = Twin::c(&[CALLS, ("wrap.c", wrap)]);
    twin.run("-Wl,--wrap=strlen -Wl,--wrap,malloc_not calls.c wrap.c -o wrapped").succeeds().same_behaviour("wrapped");
}

#[test]
fn from_cpp() {
    let main = "#include <cstring>\n#include <cctype>\n#include <cstdlib>\n#include <cstdio>\n#include <string>\n\
                int main() { std::string s = \"Hello\"; for (char &c : s) c = std::toupper(c);\n\
                try { std::printf(\"%s %zu %d\\n\", s.c_str(), std::strlen(s.c_str()), std::isalpha('a') != 0);\n\
                throw 5; } catch (int i) { std::puts(std::strchr(\"a/b\", '/')); } }\n";
    let mut twin = Twin::cpp(&[("main.cc", main)]);
    twin.run("main.cc -o main").succeeds().same_behaviour("main");
    assert!(symbols(&twin.faultline.path("main")).contains("__faultline_twin_toupper"));
    twin.run("-static main.cc -o main").succeeds().same_behaviour("main");
}

#[test]
fn every_twin_there_is_is_called_and_every_one_called_is_there() {
    let archive = Stage::shared().library("libfaultline_twins.a");
    let listed = symbols(&archive);
    let mut there: Vec<_> = listed
        .lines()
        .filter_map(|line| line.split_whitespace().collect::<Vec<_>>().try_into().ok())
        .filter(|[_, kind, _]: &[&str; 3]| *kind == "W" || *kind == "V")
        .filter_map(|[_, _, name]| name.strip_prefix("__faultline_twin_"))
        .collect();
    there.sort_unstable();
    let mut called: Vec<_> = pass::twins().collect();
    called.sort_unstable();
    assert_eq!(there, called);
}
