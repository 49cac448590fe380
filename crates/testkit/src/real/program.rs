//! The programs, how each is built, and how its own tests are run.

pub struct Program {
    pub name: &'static str,
    /// Debian's name of the source package.
    pub package: &'static str,
    /// Shell commands in a copy of the source; `$CC` and `$CXX` are set.
    pub prepare: &'static str,
    pub build: &'static str,
    pub check: &'static str,
    /// The executables that are run and recorded, below the build folder.
    pub executables: &'static [&'static str],
}

impl Program {
    /// Where a command of the table of runs is found: `diff` in `src/diff`.
    pub fn executable(&self, name: &str) -> Option<&'static str> {
        self.executables.iter().copied().find(|path| path.rsplit('/').next() == Some(name))
    }
}

/// Debian's patches touch what automake made the build files from; the versions it was made with are not to be had.
const KEEP_BUILD_FILES: &str = "find . -name aclocal.m4 -exec touch {} + && sleep 1 && \
                                find . '(' -name configure -o -name Makefile.in -o -name 'config*.in' -o -name config.hin ')' \
                                -exec touch {} +";

pub const PROGRAMS: [Program; 8] = [
    Program {
        name: "gzip",
        package: "gzip",
        prepare: "",
        build: "./configure --quiet --disable-dependency-tracking && make -s -j2",
        check: "make -s -k check -j2",
        executables: &["gzip"],
    },
    Program {
        name: "sed",
        package: "sed",
        prepare: "",
        build: "./configure --quiet --disable-dependency-tracking --disable-nls && make -s -j2",
        check: "make -s -k check -j2",
        executables: &["sed/sed"],
    },
    Program {
        name: "grep",
        package: "grep",
        prepare: KEEP_BUILD_FILES,
        build: "./configure --quiet --disable-dependency-tracking --disable-nls && make -s -j2",
        check: "make -s -k check -j2",
        executables: &["src/grep"],
    },
    Program {
        name: "bc",
        package: "bc",
        // Made for an automake that is no longer there.
        prepare: "autoreconf -fi",
        // And for a compiler that did not mind functions without declarations.
        build: "CC=\"$CC -Wno-implicit-function-declaration\" ./configure --quiet --disable-dependency-tracking && \
                make -s",
        // It has programs to try, but no record of what they should print: the output is part of the test's name.
        check: "make -s -k check; for t in Test/*.b; do \
                echo \"PASS: $t $(bc/bc -l $t </dev/null 2>&1 | cksum)\"; done",
        executables: &["bc/bc", "dc/dc"],
    },
    Program {
        name: "diffutils",
        package: "diffutils",
        prepare: KEEP_BUILD_FILES,
        build: "./configure --quiet --disable-dependency-tracking --disable-nls && make -s -j2",
        check: "make -s -k check -j2",
        executables: &["src/diff", "src/cmp", "src/diff3", "src/sdiff"],
    },
    Program {
        name: "tar",
        package: "tar",
        prepare: KEEP_BUILD_FILES,
        build: "./configure --quiet --disable-dependency-tracking --disable-nls && make -s -j2",
        check: "make -s -k check TESTSUITEFLAGS=-j2 | \
                sed -nE 's/^ *[0-9]+: (.*[^ ]) +(ok|skipped|FAILED|expected failure|unexpected pass)( .*)?$/\\2: \\1/p' | \
                sed -E 's/^ok:/PASS:/; s/^FAILED:/FAIL:/; s/^skipped:/SKIP:/'",
        executables: &["src/tar"],
    },
    Program {
        name: "jsoncpp",
        package: "libjsoncpp",
        prepare: "",
        build: "cmake -S . -B made -DCMAKE_BUILD_TYPE=RelWithDebInfo -DJSONCPP_WITH_POST_BUILD_UNITTEST=OFF \
                -DBUILD_SHARED_LIBS=OFF -DBUILD_OBJECT_LIBS=OFF && cmake --build made -j2",
        check: "made/bin/jsoncpp_test; python3 test/runjsontests.py made/bin/jsontestrunner_exe test/data",
        executables: &["made/bin/jsontestrunner_exe", "made/bin/jsoncpp_test"],
    },
    Program {
        name: "cjson",
        package: "cjson",
        prepare: "",
        // The program that its makers gave to fuzzers reads a file and prints it anew; its own build of it wants AFL.
        build: "cmake -S . -B made -DCMAKE_BUILD_TYPE=RelWithDebInfo -DENABLE_CUSTOM_COMPILER_FLAGS=OFF && \
                cmake --build made -j2 && $CC -g -O2 -o made/reprint fuzzing/afl.c cJSON.c -lm",
        check: "cd made && ctest --verbose | \
                sed -nE 's|^[0-9]+: .*/([a-z_0-9]+[.]c):[0-9]+:([A-Za-z0-9_]+):([A-Z]+).*|\\3: \\1 \\2|p'",
        executables: &["made/reprint"],
    },
];
