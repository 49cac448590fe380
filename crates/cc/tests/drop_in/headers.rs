//! Precompiled headers and modules: made by one run, read by another, whatever the levels.

use crate::same::Twin;

const HEADER: (&str, &str) = ("all.h", "#include <stdio.h>\nstatic inline int three(void) { return 3; }\n");
const USER: (&str, &str) = ("user.c", "int main(void) { printf(\"%d\\n\", three()); return 0; }\n");

#[test]
fn precompiled_headers() {
    for level in ["", "-O0", "-O2", "-O2 -g"] {
        let mut twin = Twin::c(&[HEADER, USER]);
        twin.run(&format!("{level} -x c-header all.h -o all.h.pch")).succeeds();
        twin.run(&format!("{level} -include-pch all.h.pch user.c -o user")).succeeds().same_behaviour("user");
        twin.run(&format!("{level} -include all.h user.c -o user")).succeeds().same_behaviour("user");
    }
}

#[test]
fn precompiled_headers_as_cmake_makes_them() {
    let mut twin = Twin::cpp(&[
        ("all.hxx", "#include <vector>\n"),
        ("user.cc", "int main() { return std::vector<int>().size(); }\n"),
    ]);
    twin.run(
        "-O2 -Winvalid-pch -Xclang -emit-pch -Xclang -include -Xclang all.hxx -x c++-header -o all.hxx.pch -c all.hxx",
    )
    .succeeds();
    twin.run("-O2 -Winvalid-pch -Xclang -include-pch -Xclang all.hxx.pch user.cc -o user")
        .succeeds()
        .same_behaviour("user");
}

#[test]
fn modules() {
    let module = ("answer.cppm", "export module answer;\nexport int answer() { return 42; }\n");
    let user = ("main.cc", "import answer;\nint main() { return answer() - 42; }\n");
    let mut twin = Twin::cpp(&[module, user]);
    twin.run("-std=c++20 -O2 --precompile answer.cppm -o answer.pcm").succeeds();
    twin.run("-std=c++20 -O2 -fmodule-file=answer=answer.pcm main.cc answer.pcm -o main")
        .succeeds()
        .same_behaviour("main");
}
