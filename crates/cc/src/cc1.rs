//! Command lines of clang's compiler proper (`clang -cc1`): recognising those that concern us, and rewriting them.
//!
//! The driver has already resolved the user's options; what reaches `-cc1` is explicit and complete, its input stands
//! last behind `-x LANGUAGE`. The rewritten lines differ from the driver's only by the tables of this file.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::installed::library_folder;
use crate::job::{Job, Kind};

/// What a job does with a source that we instrument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Source to object or assembly.
    Compile,
    /// Source to bitcode; with `-save-temps` another job generates the code.
    CompileToBitcode,
    /// Bitcode to object or assembly.
    GenerateCode,
    /// Makes something other steps read as part of a source: a precompiled header or module, preprocessed text.
    Prepare,
}

/// Languages, as `-x` names them, whose code we instrument. Others (assembly, CUDA, Objective-C) stay outside.
const LANGUAGES: [&str; 6] = ["c", "cpp-output", "c++", "c++-cpp-output", "c++-module", "pcm"];
const HEADERS: [&str; 4] = ["c-header", "c++-header", "c++-user-header", "c++-system-header"];

/// What `-cc1` can be asked to do, as far as a driver's command line can ask for it. The last one counts.
const ACTIONS: [&str; 28] = [
    "-emit-obj",
    "-S",
    "-emit-llvm-bc",
    "-emit-llvm",
    "-emit-pch",
    "-emit-module-interface",
    "-emit-reduced-module-interface",
    "-emit-header-unit",
    "-emit-module",
    "-emit-codegen-only",
    "-emit-llvm-only",
    "-emit-interface-stubs",
    "-E",
    "-Eonly",
    "-fsyntax-only",
    "-analyze",
    "-ast-dump",
    "-ast-dump-all",
    "-ast-list",
    "-ast-print",
    "-ast-view",
    "-dump-tokens",
    "-dump-raw-tokens",
    "-print-preamble",
    "-rewrite-macros",
    "-rewrite-objc",
    "-verify-pch",
    "-plugin",
];

/// How many arguments an option of the tables below covers, and how it is spelled.
#[derive(Clone, Copy)]
enum Pattern {
    Exact(&'static str),
    Prefix(&'static str),
    WithValue(&'static str),
}
use Pattern::{Exact, Prefix, WithValue};

/// Arithmetic the replay could not follow: it computes as IEEE 754 says. Dropped everywhere.
const FAST_MATH: &[Pattern] = &[
    Exact("-menable-no-infs"),
    Exact("-menable-no-nans"),
    Exact("-fapprox-func"),
    Exact("-funsafe-math-optimizations"),
    Exact("-fno-signed-zeros"),
    Exact("-mreassociate"),
    Exact("-freciprocal-math"),
    Exact("-ffast-math"),
    Exact("-ffinite-math-only"),
    Prefix("-fdenormal-fp-math"),
];

/// Optimisation after our back, and formats that keep something other than the code. Dropped everywhere.
const WHOLE_PROGRAM: &[Pattern] = &[
    Prefix("-flto"),
    Exact("-ffat-lto-objects"),
    Exact("-fsplit-lto-unit"),
    Exact("-fwhole-program-vtables"),
    Exact("-fvirtual-function-elimination"),
    Prefix("-fembed-bitcode"),
    Prefix("-fprofile-instrument-use-path="),
    Prefix("-fprofile-sample-use="),
];

/// Belongs to the code generator.
const NOT_FOR_THE_FRONT_END: &[Pattern] = &[
    Exact("-discard-value-names"),
    Exact("-vectorize-loops"),
    Exact("-vectorize-slp"),
    Exact("-disable-llvm-passes"),
    Exact("-emit-llvm-uselists"),
    WithValue("-opt-record-file"),
    WithValue("-opt-record-format"),
    Prefix("-R"),
];

/// Has been done by the front end and must not be done again: dependency files and other by-products, diagnostics,
/// instrumentation by clang's own passes.
const NOT_FOR_THE_CODE_GENERATOR: &[Pattern] = &[
    WithValue("-dependency-file"),
    WithValue("-MT"),
    Exact("-sys-header-deps"),
    Exact("-MP"),
    Exact("-MG"),
    Exact("-MV"),
    Exact("-module-file-deps"),
    WithValue("-dependency-dot"),
    WithValue("-module-dependency-dir"),
    Exact("-H"),
    WithValue("-header-include-file"),
    Prefix("-header-include-"),
    WithValue("-diagnostic-log-file"),
    WithValue("-serialize-diagnostic-file"),
    Exact("-v"),
    Exact("-verify"),
    Prefix("-verify="),
    Prefix("-W"),
    Prefix("-pedantic"),
    Prefix("-R"),
    Prefix("-coverage-notes-file="),
    Prefix("-coverage-data-file="),
    Exact("-fcoverage-mapping"),
    Prefix("-fprofile-instrument"),
    Prefix("-fsanitize-coverage"),
    Prefix("-fpass-plugin="),
    WithValue("-load"),
    WithValue("-add-plugin"),
    WithValue("-include-pch"),
    Prefix("-fdump-"),
    Exact("-print-stats"),
];

/// What the job does with a source of ours, judged by itself. `None`: not ours.
pub fn step(job: &Job) -> Option<Step> {
    if job.kind() != Kind::Clang || job.arguments[0] != "-cc1" || !is_for_our_runtime(job) {
        return None;
    }
    let language = language(job)?;
    let action = job.arguments.iter().rev().find_map(|a| ACTIONS.into_iter().find(|action| a == action))?;
    match action {
        "-emit-obj" | "-S" if LANGUAGES.contains(&language) => Some(Step::Compile),
        "-emit-obj" | "-S" if language == "ir" => Some(Step::GenerateCode),
        "-emit-llvm-bc" if LANGUAGES.contains(&language) => Some(Step::CompileToBitcode),
        "-E" if LANGUAGES.contains(&language) => Some(Step::Prepare),
        "-emit-pch" | "-emit-header-unit" if HEADERS.contains(&language) => Some(Step::Prepare),
        "-emit-module-interface" | "-emit-reduced-module-interface" => Some(Step::Prepare),
        _ => None,
    }
}

/// The runtime exists for hosted programs on x86-64 Linux.
fn is_for_our_runtime(job: &Job) -> bool {
    let triple = value_of(job, "-triple").and_then(OsStr::to_str).unwrap_or_default();
    triple.starts_with("x86_64") && triple.contains("linux") && !triple.ends_with("x32") && !job.has("-ffreestanding")
}

fn language(job: &Job) -> Option<&str> {
    match job.arguments.as_slice() {
        [.., x, language, _input] if x == "-x" => language.to_str(),
        _ => None,
    }
}

pub fn input(job: &Job) -> Option<&OsStr> {
    job.arguments.last().map(OsString::as_os_str)
}

/// The sanitizers a job asks for, as the driver resolved them.
pub fn sanitizers(job: &Job) -> Option<&str> {
    job.arguments.iter().find_map(|argument| argument.to_str()?.strip_prefix("-fsanitize="))
}

/// The front end's run of a [`Step::Compile`] or [`Step::CompileToBitcode`]: bitcode at -O0, with names and debug
/// information.
pub fn front_end(job: &Job, output: &Path) -> Vec<OsString> {
    let mut line = prepare(job);
    for argument in &mut line {
        if argument == "-emit-obj" || argument == "-S" {
            *argument = "-emit-llvm-bc".into();
        }
    }
    set_output(&mut line, output.as_os_str());
    line
}

/// A [`Step::Prepare`] with the options the front end will have: it refuses precompiled headers made with others.
pub fn prepare(job: &Job) -> Vec<OsString> {
    let dropped = [FAST_MATH, WHOLE_PROGRAM, NOT_FOR_THE_FRONT_END];
    let mut line = without(&job.arguments[1..], &dropped);
    // Fortified functions need an optimising front end; their checks would also stand in the way of our own.
    remove_fortification(&mut line);
    line.retain(|argument| level(argument).is_none());
    let added = ["-cc1", "-O0", "-disable-O0-optnone"];
    line.splice(0..0, added.map(OsString::from));
    limit_contraction(&mut line);
    ensure_debug_information(&mut line);
    if language(job).is_some_and(|language| language.starts_with("c++")) {
        add_headers(&mut line);
    }
    line
}

/// The code generator's run of a job whose instrumented bitcode is `bitcode`.
pub fn code_generation(job: &Job, bitcode: &Path) -> Vec<OsString> {
    let dropped = [FAST_MATH, WHOLE_PROGRAM, NOT_FOR_THE_CODE_GENERATOR];
    let body = &job.arguments[1..job.arguments.len() - 3];
    let mut line = without(body, &dropped);
    for argument in &mut line {
        if let Some(level) = level(argument) {
            *argument = level.into();
        }
    }
    limit_contraction(&mut line);
    // Warnings of the code generator speak of frames and code that the user did not write.
    line.splice(0..0, ["-cc1", "-w"].map(OsString::from));
    line.extend(["-x".into(), "ir".into(), bitcode.into()]);
    line
}

/// The level an `-O` argument asks of the code generator; `None` for other arguments. Levels that stand for fast
/// arithmetic or for debugging become plain ones.
fn level(argument: &OsStr) -> Option<&'static str> {
    Some(match argument.to_str()? {
        "-O0" => "-O0",
        "-O" | "-O1" | "-Og" => "-O1",
        "-O2" => "-O2",
        "-O3" | "-O4" | "-Ofast" => "-O3",
        "-Os" => "-Os",
        "-Oz" => "-Oz",
        _ => return None,
    })
}

/// Fusing a product and a sum changes the result; within one expression the IR shows it, across them it does not.
fn limit_contraction(line: &mut [OsString]) {
    for argument in line {
        if argument.as_bytes().starts_with(b"-ffp-contract=fast") {
            *argument = "-ffp-contract=on".into();
        }
    }
}

/// Whatever the user asked for: types, names and positions are kept with the IR.
fn ensure_debug_information(line: &mut Vec<OsString>) {
    const KIND: &str = "-debug-info-kind=";
    const ENOUGH: [&str; 4] = ["constructor", "limited", "standalone", "unused-types"];
    let given = line.iter().rposition(|argument| argument.as_bytes().starts_with(KIND.as_bytes()));
    let kind = OsString::from(format!("{KIND}constructor"));
    match given {
        Some(at) if ENOUGH.iter().any(|enough| line[at].as_bytes()[KIND.len()..] == *enough.as_bytes()) => {}
        Some(at) => line[at] = kind,
        None => {
            line.splice(1..1, [kind, "-dwarf-version=5".into()]);
        }
    }
}

/// Our headers come before the library's. Without them strings are outside, and nothing else changes; where our files are
/// missing, linking says so.
fn add_headers(line: &mut Vec<OsString>) {
    if let Ok(folder) = library_folder() {
        line.splice(1..1, ["-internal-isystem".into(), folder.join("include").into()]);
    }
}

fn remove_fortification(line: &mut Vec<OsString>) {
    const MACRO: &[u8] = b"_FORTIFY_SOURCE";
    let mut at = 0;
    while at < line.len() {
        let joined = line[at].as_bytes().strip_prefix(b"-D").is_some_and(|name| name.starts_with(MACRO));
        let apart = line[at] == "-D" && line.get(at + 1).is_some_and(|name| name.as_bytes().starts_with(MACRO));
        match (joined, apart) {
            (true, _) => drop(line.remove(at)),
            (_, true) => drop(line.drain(at..at + 2)),
            _ => at += 1,
        }
    }
}

/// A copy of `arguments` without what the tables name.
fn without(arguments: &[OsString], tables: &[&[Pattern]]) -> Vec<OsString> {
    let mut kept = Vec::with_capacity(arguments.len());
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let found = tables.iter().copied().flatten().find(|pattern| match pattern {
            Exact(text) | WithValue(text) => argument == text,
            Prefix(text) => argument.as_bytes().starts_with(text.as_bytes()),
        });
        match found {
            None => kept.push(argument.clone()),
            Some(WithValue(_)) => drop(rest.next()),
            Some(_) => {}
        }
    }
    kept
}

fn set_output(line: &mut [OsString], output: &OsStr) {
    if let Some(at) = line.iter().rposition(|argument| argument == "-o")
        && let Some(value) = line.get_mut(at + 1)
    {
        *value = output.into();
    }
}

fn value_of<'a>(job: &'a Job, option: &str) -> Option<&'a OsStr> {
    let at = job.arguments.iter().position(|argument| argument == option)?;
    job.arguments.get(at + 1).map(OsString::as_os_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(line: &str) -> Job {
        Job { program: "clang".into(), arguments: line.split_whitespace().map(OsString::from).collect() }
    }

    fn text(line: &[OsString]) -> String {
        line.iter().map(|argument| argument.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    const LINUX: &str = "-cc1 -triple x86_64-pc-linux-gnu";

    fn step_of(rest: &str) -> Option<Step> {
        step(&job(&format!("{LINUX} {rest}")))
    }

    #[test]
    fn steps_are_told_by_action_and_language() {
        assert_eq!(step_of("-emit-obj -o a.o -x c a.c"), Some(Step::Compile));
        assert_eq!(step_of("-S -o a.s -x c++ a.cc"), Some(Step::Compile));
        assert_eq!(step_of("-emit-obj -o a.o -x c++-cpp-output a.ii"), Some(Step::Compile));
        assert_eq!(step_of("-emit-llvm-bc -o a.bc -x c a.c"), Some(Step::CompileToBitcode));
        assert_eq!(step_of("-emit-obj -o a.o -x ir a.bc"), Some(Step::GenerateCode));
        assert_eq!(step_of("-emit-pch -o a.h.pch -x c-header a.h"), Some(Step::Prepare));
        assert_eq!(step_of("-E -o a.i -x c a.c"), Some(Step::Prepare));
        assert_eq!(step_of("-E -o a.s -x assembler-with-cpp a.S"), None);
        assert_eq!(step_of("-fsyntax-only -x c a.c"), None);
    }

    #[test]
    fn a_later_action_takes_the_place_of_an_earlier_one() {
        assert_eq!(step_of("-emit-obj -ast-dump -o a.o -x c a.c"), None);
    }

    #[test]
    fn code_without_our_runtime_is_not_ours() {
        assert_eq!(step(&job("-cc1 -triple i386-pc-linux-gnu -emit-obj -o a.o -x c a.c")), None);
        assert_eq!(step(&job("-cc1 -triple x86_64-pc-linux-gnux32 -emit-obj -o a.o -x c a.c")), None);
        assert_eq!(step_of("-emit-obj -ffreestanding -o a.o -x c a.c"), None);
    }

    #[test]
    fn the_front_end_works_at_level_zero_and_keeps_names() {
        let job = job("-cc1 -emit-obj -discard-value-names -D A=1 -O2 -vectorize-loops -MT a.o -o a.o -x c a.c");
        assert_eq!(
            text(&front_end(&job, Path::new("t.bc"))),
            "-cc1 -debug-info-kind=constructor -dwarf-version=5 -O0 -disable-O0-optnone -emit-llvm-bc -D A=1 -MT a.o \
             -o t.bc -x c a.c"
        );
    }

    #[test]
    fn the_code_generator_gets_the_users_level_and_no_by_products() {
        let job = job("-cc1 -emit-obj -Wall -D A=1 -O3 -dependency-file a.d -MT a.o -sys-header-deps -o a.o -x c a.c");
        assert_eq!(text(&code_generation(&job, Path::new("t.bc"))), "-cc1 -w -emit-obj -D A=1 -O3 -o a.o -x ir t.bc");
    }

    #[test]
    fn sources_in_cpp_see_our_headers_first() {
        let line = |language: &str| {
            let job = job(&format!("-cc1 -emit-obj -internal-isystem /usr/include/c++ -o a.o -x {language} a"));
            text(&front_end(&job, Path::new("t.bc")))
        };
        let cpp = line("c++");
        assert_eq!(cpp.matches("-internal-isystem").count(), 2, "{cpp}");
        assert!(cpp.find("lib/faultline/include") < cpp.find("/usr/include/c++"), "{cpp}");
        assert_eq!(line("c").matches("-internal-isystem").count(), 1);
    }

    #[test]
    fn debug_information_is_never_less_than_types() {
        for (given, wanted) in [
            ("-debug-info-kind=line-tables-only", "-debug-info-kind=constructor"),
            ("-debug-info-kind=standalone", "-debug-info-kind=standalone"),
        ] {
            let job = job(&format!("-cc1 -emit-obj {given} -o a.o -x c a.c"));
            assert!(text(&front_end(&job, Path::new("t"))).contains(wanted));
        }
    }

    #[test]
    fn fast_arithmetic_and_fortification_stay_out() {
        let job = job("-cc1 -emit-obj -ffast-math -mreassociate -ffp-contract=fast -Ofast -D _FORTIFY_SOURCE=2 \
             -D_FORTIFY_SOURCE=3 -D B -o a.o -x c a.c");
        let front = text(&front_end(&job, Path::new("t")));
        assert!(front.ends_with("-emit-llvm-bc -ffp-contract=on -D B -o t -x c a.c"), "{front}");
        let back = text(&code_generation(&job, Path::new("t")));
        assert!(back.contains("-emit-obj -ffp-contract=on -O3"), "{back}");
    }

    #[test]
    fn sanitizers_are_seen() {
        assert_eq!(sanitizers(&job("-cc1 -fsanitize=address,undefined -x c a.c")), Some("address,undefined"));
        assert_eq!(sanitizers(&job("-cc1 -fno-sanitize-recover=all -x c a.c")), None);
    }
}
