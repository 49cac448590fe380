//! The checks by which autoconf and CMake get to know a compiler, and a CMake project.

use std::path::Path;
use std::process::Command;

use crate::same::Twin;
use crate::stage::{Stage, clang};

/// As `configure` does: each program compiled, linked or preprocessed; only the exit status and whether anything was
/// said count. [`Twin::run`] compares both.
#[test]
fn autoconf_checks() {
    const CHECKS: [(&str, &str); 14] = [
        ("-c", "int main(void) { return 0; }"),
        (
            "-o conftest",
            "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"conftest.out\", \"w\"); return ferror(f) || fclose(f) != 0; }",
        ),
        ("-c", "#ifndef __GNUC__\nchoke me\n#endif\nint main(void) { return 0; }"),
        ("-c", "#ifndef __clang__\nchoke me\n#endif\nint main(void) { return 0; }"),
        ("-o conftest", "char strtold();\nint main(void) { return strtold(); }"),
        ("-o conftest", "char no_such_function();\nint main(void) { return no_such_function(); }"),
        ("-E", "#include <limits.h>\nSyntax error"),
        ("-E", "#include <ac_nonexistent.h>"),
        (
            "-c",
            "#include <stdint.h>\nint main(void) { static int test[1 - 2 * !((long)sizeof(long) <= 4)]; test[0] = 0; return test[0]; }",
        ),
        (
            "-c",
            "#include <stdint.h>\nint main(void) { static int test[1 - 2 * !((long)sizeof(long) <= 8)]; test[0] = 0; return test[0]; }",
        ),
        ("-c -Werror", "static int unused; int main(void) { return 0; }"),
        ("-c -Werror -fno-such-flag", "int main(void) { return 0; }"),
        ("-std=gnu11 -c", "_Noreturn void f(void); _Static_assert(1, \"\"); int main(void) { return 0; }"),
        ("-o conftest -lm", "char sqrt(); int main(void) { return sqrt(); }"),
    ];
    for (flags, source) in CHECKS {
        let mut twin = Twin::c(&[("conftest.c", source)]);
        // The linker's words name temporary objects and addresses.
        if source.contains("no_such_function") {
            let line = format!("{flags} conftest.c").split(' ').map(String::from).collect::<Vec<_>>();
            let run = |compiler, folder| Command::new(compiler).args(&line).current_dir(folder).output().unwrap();
            let ours: std::process::Output = run(Stage::shared().c(), twin.faultline.path("."));
            assert_eq!(ours.status.code(), run(clang(), twin.clang.path(".")).status.code());
        } else {
            twin.run(&format!("{flags} conftest.c"));
        }
    }
}

const PROJECT: [(&str, &str); 5] = [
    (
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.16)\n\
         project(tiny C CXX)\n\
         include(CheckCSourceRuns)\n\
         include(CheckCCompilerFlag)\n\
         include(CheckFunctionExists)\n\
         include(CheckTypeSize)\n\
         check_c_source_runs(\"int main(void) { return 0; }\" RUNS)\n\
         check_c_compiler_flag(-Wshadow HAS_SHADOW)\n\
         check_c_compiler_flag(-Wnonsense-flag HAS_NONSENSE)\n\
         check_function_exists(strtod HAS_STRTOD)\n\
         check_function_exists(no_such_function HAS_NO_SUCH)\n\
         check_type_size(long SIZE_OF_LONG)\n\
         find_package(Threads REQUIRED)\n\
         add_library(twice SHARED twice.c)\n\
         add_library(thrice STATIC thrice.cc)\n\
         target_precompile_headers(thrice PRIVATE <vector>)\n\
         add_executable(tiny main.cc)\n\
         target_link_libraries(tiny twice thrice Threads::Threads)\n",
    ),
    ("twice.c", "int twice(int x) { return x + x; }\n"),
    ("thrice.cc", "int thrice(int x) { return std::vector<int>(3, x).size() * x; }\n"),
    (
        "main.cc",
        "#include <cstdio>\n#include <thread>\nextern \"C\" int twice(int);\nint thrice(int);\n\
         int main() { std::thread t([] { std::printf(\"%d\\n\", twice(2) + thrice(3)); }); t.join(); }\n",
    ),
    ("unused", ""),
];

#[test]
fn a_cmake_project() {
    let twin = Twin::c(&PROJECT);
    let ours = configure_and_build(&Stage::shared().c(), &Stage::shared().cpp(), &twin.faultline.path("."));
    let clang_cpp = clang().with_file_name("clang++");
    let clangs = configure_and_build(&clang(), &clang_cpp, &twin.clang.path("."));
    assert_eq!(ours, clangs);
    for run in [&twin.clang, &twin.faultline] {
        assert_eq!(crate::stage::output_of(&run.path("build/tiny")), "13\n");
    }
}

/// What CMake found out about the compilers, apart from where they are.
fn configure_and_build(cc: &Path, cxx: &Path, folder: &Path) -> Vec<String> {
    let cmake = |arguments: &[&str]| {
        let output =
            Command::new("cmake").args(arguments).env("CC", cc).env("CXX", cxx).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let said = cmake(&["-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=RelWithDebInfo"]);
    cmake(&["--build", "build", "-j2"]);
    let about_checks = |line: &&str| {
        line.starts_with("-- Performing Test")
            || line.starts_with("-- Looking for")
            || line.starts_with("-- Check size")
            || line.contains("compiler identification")
            || line.contains("compile features")
    };
    said.lines().filter(about_checks).map(String::from).collect()
}
