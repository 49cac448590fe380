//! Programs and shared libraries, instrumented or plain, in every mix and linked in every way: each behaves as if clang had
//! compiled all of it, on its own and recorded, and its recording replays exactly.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use libtest_mimic::{Arguments, Failed, Trial};
use testkit::{Ending, Ran, Tools, run, workspace};

const LIMIT: Duration = Duration::from_secs(60);
const LINKERS: [&str; 4] = ["bfd", "gold", "lld", "mold"];
/// How an executable is compiled and linked.
const KINDS: [(&str, &[&str]); 4] = [
    ("pie lazy", &["-fPIE", "-pie", "-Wl,-z,lazy"]),
    ("pie now", &["-fPIE", "-pie", "-Wl,-z,now"]),
    ("fixed lazy", &["-fno-pie", "-no-pie", "-Wl,-z,lazy"]),
    ("fixed now", &["-fno-pie", "-no-pie", "-Wl,-z,now"]),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Clang,
    Faultline,
}
use By::{Clang, Faultline};

/// Who compiles executable and library; plain clang alone is what the others are compared with.
const MIXES: [(By, By); 3] = [(Faultline, Faultline), (Faultline, Clang), (Clang, Faultline)];

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        Trial::test("archive", || told(archive())),
        Trial::test("loading", || told(loading())),
        Trial::test("preloaded", || told(preloaded())),
        Trial::test("versions", || told(versions())),
        Trial::test("replaced", || told(replaced())),
        Trial::test("static", || told(fully_static())),
    ];
    for linker in LINKERS {
        trials.push(Trial::test(format!("linked {linker}"), move || told(linked(linker))));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn told(result: Result<()>) -> Result<(), Failed> {
    result.map_err(|error| format!("{error:#}").into())
}

/// A folder where one mix after the other is built.
struct Bench {
    tools: Tools,
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Result<Bench> {
        Ok(Bench { tools: Tools::find()?, folder: tempfile::tempdir()? })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles and links, in this folder. Names that end in `.c` are those of `tests/mixes`.
    fn build(&self, by: By, words: &[&str]) -> Result<()> {
        let (compiler, level) = if by == Clang { (&self.tools.clang, "-O0") } else { (&self.tools.cc, "-O2") };
        let mut command = Command::new(compiler);
        command.current_dir(&self.folder).args(["-g", "-w", "-pthread", level]);
        for word in words {
            match word.ends_with(".c") {
                true => command.arg(workspace().join("tests/mixes").join(word)),
                false => command.arg(word),
            };
        }
        let ran = run(&mut command, b"", LIMIT)?;
        ensure!(ran.ending == Ending::Exit(0), "{command:?}\n{}", String::from_utf8_lossy(&ran.stderr));
        Ok(())
    }

    fn run(&self, environment: &[(&str, &str)]) -> Result<Ran> {
        let mut command = Command::new(self.path("program"));
        run(command.current_dir(&self.folder).envs(environment.iter().copied()), b"", LIMIT)
    }

    /// What is in the folder now does as `plain`, also recorded, and replays.
    fn behaves_as(&self, plain: &Ran, environment: &[(&str, &str)]) -> Result<()> {
        same(&self.run(environment)?, plain).context("on its own")?;
        let recording = self.path("recording.flt");
        let mut record = Command::new(&self.tools.faultline);
        record.arg("record").arg("-o").arg(&recording).arg("./program");
        record.current_dir(&self.folder).envs(environment.iter().copied());
        same(&run(&mut record, b"", LIMIT)?, plain).context("recorded")?;
        let replayed = run(Command::new(&self.tools.faultline).arg("replay").arg(&recording), b"", LIMIT)?;
        let text = String::from_utf8_lossy(&replayed.stdout);
        ensure!(text.starts_with("exact: "), "{text}{}", String::from_utf8_lossy(&replayed.stderr));
        ensure!(!text.starts_with("exact: 0 "), "nothing was recorded");
        Ok(())
    }

    /// Every mix of who compiles what.
    fn mixes(&self, build: impl Fn(By, By) -> Result<()>, environment: &[(&str, &str)]) -> Result<()> {
        build(Clang, Clang)?;
        let plain = self.run(environment)?;
        ensure!(plain.ending == Ending::Exit(3), "{}: {}", plain.ending, String::from_utf8_lossy(&plain.stderr));
        for (program, library) in MIXES {
            build(program, library)
                .and_then(|()| self.behaves_as(&plain, environment))
                .with_context(|| format!("program by {program:?}, library by {library:?}"))?;
        }
        Ok(())
    }
}

fn same(ran: &Ran, plain: &Ran) -> Result<()> {
    if ran.ending == plain.ending && ran.stdout == plain.stdout {
        return Ok(());
    }
    let text = |ran: &Ran| String::from_utf8_lossy(&[&*ran.stdout, &*ran.stderr].concat()).into_owned();
    bail!("{}:\n{}\nwhere clang has {}:\n{}", ran.ending, text(ran), plain.ending, text(plain))
}

const LIBRARY: [&str; 5] = ["-shared", "-fPIC", "library.c", "-o", "liblibrary.so"];
const LINKED: [&str; 6] = ["linked.c", "-o", "program", "-L.", "-llibrary", "-Wl,-rpath,$ORIGIN"];

fn linked(linker: &str) -> Result<()> {
    let bench = Bench::new()?;
    let option = format!("-fuse-ld={linker}");
    // Not every machine has them all.
    if bench.build(Clang, &[&option, "-shared", "-fPIC", "library.c", "-o", "probe.so"]).is_err() {
        eprintln!("there is no {linker} here");
        return Ok(());
    }
    for (kind, options) in KINDS {
        let build = |program, library| {
            bench.build(library, &[&LIBRARY[..], &[&*option]].concat())?;
            bench.build(program, &[&LINKED[..], options, &[&*option]].concat())
        };
        bench.mixes(build, &[]).context(kind)?;
    }
    Ok(())
}

fn loading() -> Result<()> {
    let bench = Bench::new()?;
    let build = |program, library| {
        bench.build(library, &LIBRARY)?;
        bench.build(program, &["loading.c", "-o", "program", "-ldl"])
    };
    bench.mixes(build, &[])
}

/// A function of the library is stood in for by one of another, which is loaded by the environment.
fn preloaded() -> Result<()> {
    let bench = Bench::new()?;
    for stand_in in [Clang, Faultline] {
        let build = |program, library| {
            let by = if program == Clang && library == Clang { Clang } else { stand_in };
            bench.build(by, &["-shared", "-fPIC", "stand_in.c", "-o", "stand_in.so", "-ldl"])?;
            bench.build(library, &LIBRARY)?;
            bench.build(program, &LINKED)
        };
        // Relative: faultline itself, which is told too, has no such file and says so on standard error only.
        bench.mixes(build, &[("LD_PRELOAD", "./stand_in.so")]).with_context(|| format!("stand-in by {stand_in:?}"))?;
    }
    Ok(())
}

fn versions() -> Result<()> {
    let bench = Bench::new()?;
    let script = format!("-Wl,--version-script={}", workspace().join("tests/mixes/versions.map").display());
    for more in [&["-Wl,-Bsymbolic"][..], &["-fvisibility=protected"], &[]] {
        let build = |program, library| {
            bench.build(library, &[&LIBRARY[..], &[&*script], more].concat())?;
            bench.build(program, &LINKED)
        };
        bench.mixes(build, &[])?;
    }
    Ok(())
}

/// The library is built again by the other compiler; the program stays as it is.
fn replaced() -> Result<()> {
    let bench = Bench::new()?;
    bench.build(Clang, &LIBRARY)?;
    bench.build(Clang, &LINKED)?;
    let plain = bench.run(&[])?;
    for (first, second) in [(Faultline, Clang), (Clang, Faultline)] {
        bench.build(first, &LIBRARY)?;
        bench.build(Faultline, &LINKED)?;
        bench.build(second, &LIBRARY)?;
        bench.behaves_as(&plain, &[])?;
    }
    Ok(())
}

fn archive() -> Result<()> {
    let bench = Bench::new()?;
    let build = |program, library| {
        bench.build(library, &["-c", "library.c", "-o", "library.o"])?;
        let archive = Path::new("liblibrary.a");
        let _ = std::fs::remove_file(bench.path("liblibrary.a"));
        let mut ar = Command::new("ar");
        let ran = run(ar.current_dir(&bench.folder).arg("rcs").arg(archive).arg("library.o"), b"", LIMIT)?;
        ensure!(ran.ending == Ending::Exit(0), "{}", String::from_utf8_lossy(&ran.stderr));
        bench.build(program, &LINKED)
    };
    build(Clang, Clang)?;
    let plain = bench.run(&[])?;
    // Whoever links an instrumented archive must be faultline-cc.
    for (program, library) in [(Faultline, Faultline), (Faultline, Clang)] {
        build(program, library)?;
        bench.behaves_as(&plain, &[])?;
    }
    Ok(())
}

fn fully_static() -> Result<()> {
    let bench = Bench::new()?;
    for kind in ["-static", "-static-pie"] {
        bench.build(Clang, &["linked.c", "library.c", "-fPIE", kind, "-o", "program"])?;
        let plain = bench.run(&[])?;
        bench.build(Faultline, &["linked.c", "library.c", "-fPIE", kind, "-o", "program"])?;
        bench.behaves_as(&plain, &[]).context(kind)?;
    }
    Ok(())
}
