//! Random programs by csmith: each defined, deterministic, and printing a checksum of all it computed.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::compile::Build;
use crate::run::{Ending, Ran, run};
use crate::tools::Tools;

/// What became of a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Same,
    /// Not worth trying: many random programs never end, and a few are undefined.
    Skipped(&'static str),
    /// In one sentence, what differs from clang or from the recording.
    Differs(String),
}

/// Programs of a few hundred lines that use what csmith knows of C.
const OPTIONS: [&str; 10] = [
    "--concise",
    "--float",
    "--builtins",
    "--inline-function",
    "--max-funcs",
    "8",
    "--max-block-depth",
    "4",
    "--max-array-dim",
    "2",
];
const SMALL: [&str; 10] = [
    "--concise",
    "--float",
    "--max-funcs",
    "5",
    "--max-block-depth",
    "3",
    "--max-block-size",
    "3",
    "--max-array-dim",
    "1",
];
/// A program that takes longer by itself runs in loops we would only wait for.
const PLAIN_LIMIT: Duration = Duration::from_secs(1);
const LIMIT: Duration = Duration::from_secs(300);

/// The seeds a test tries: so many, unless `FAULTLINE_SEEDS` says how many, or from which to which (`101-200`).
pub fn seeds(usual: u64) -> RangeInclusive<u64> {
    let asked = std::env::var("FAULTLINE_SEEDS").unwrap_or_default();
    let (first, last) = asked.split_once('-').unwrap_or(("1", &asked));
    first.parse().unwrap_or(1)..=last.parse().unwrap_or(usual)
}

/// Generates the program of a seed in `folder`, builds it four ways, runs, records and replays it.
pub fn check(tools: &Tools, seed: u64, folder: &Path) -> Result<Verdict> {
    let source = generate(seed, folder)?;
    let plain_program = build(tools, &source, Build::Clang, folder)?;
    let plain = run(&mut Command::new(plain_program), b"", PLAIN_LIMIT)?;
    if plain.ending == Ending::TimedOut {
        return Ok(Verdict::Skipped("does not end within a second"));
    }
    for kind in [Build::Faultline0, Build::Faultline2, Build::Checked] {
        let program = build(tools, &source, kind, folder)?;
        let alone = run(&mut Command::new(&program), b"", LIMIT)?;
        if let Some(difference) = difference(&alone, &plain) {
            if is_undefined(tools, &source, folder)? {
                return Ok(Verdict::Skipped("undefined, by clang's own sanitizer"));
            }
            return Ok(Verdict::Differs(format!("{}: {difference}", kind.name())));
        }
        let recording = folder.join("recording.flt");
        let mut record = Command::new(&tools.faultline);
        let recorded = run(record.arg("record").arg("-o").arg(&recording).arg("--").arg(&program), b"", LIMIT)?;
        if let Some(difference) = difference(&recorded, &plain) {
            return Ok(Verdict::Differs(format!("{}, recorded: {difference}", kind.name())));
        }
        let replayed = run(Command::new(&tools.faultline).arg("replay").arg(&recording), b"", LIMIT)?;
        if replayed.ending != Ending::Exit(0) {
            let said = String::from_utf8_lossy(&replayed.stderr).trim().replace('\n', " | ");
            return Ok(Verdict::Differs(format!("{}, replayed: {}: {said}", kind.name(), replayed.ending)));
        }
        std::fs::remove_file(&recording)?;
    }
    Ok(Verdict::Same)
}

fn generate(seed: u64, folder: &Path) -> Result<PathBuf> {
    generate_with(&OPTIONS, seed, folder)
}

/// Generates a program whose runs are short.
pub fn generate_small(seed: u64, folder: &Path) -> Result<PathBuf> {
    generate_with(&SMALL, seed, folder)
}

fn generate_with(options: &[&str], seed: u64, folder: &Path) -> Result<PathBuf> {
    let source = folder.join("random.c");
    let mut csmith = Command::new("csmith");
    csmith.args(options).arg("--seed").arg(seed.to_string()).arg("--output").arg(&source).current_dir(folder);
    let ran = run(&mut csmith, b"", LIMIT)?;
    if ran.ending != Ending::Exit(0) {
        bail!("csmith --seed {seed}: {}", ran.ending);
    }
    Ok(source)
}

pub fn build(tools: &Tools, source: &Path, kind: Build, folder: &Path) -> Result<PathBuf> {
    let program = folder.join("program");
    let mut command = Command::new(if kind == Build::Clang { &tools.clang } else { &tools.cc });
    // csmith's builtins include some of newer processors.
    command.args(kind.flags()).args(["-w", "-msse4.2", "-I/usr/include/csmith"]).arg(source).arg("-o").arg(&program);
    let ran = run(&mut command, b"", LIMIT)?;
    if ran.ending != Ending::Exit(0) {
        bail!("{}: {}\n{}", kind.name(), ran.ending, String::from_utf8_lossy(&ran.stderr));
    }
    Ok(program)
}

/// csmith's programs are defined, but for `__builtin_clz` and relatives, which it also gives zero.
fn is_undefined(tools: &Tools, source: &Path, folder: &Path) -> Result<bool> {
    let program = folder.join("sanitized");
    let mut command = Command::new(&tools.clang);
    command.args(["-O0", "-fsanitize=builtin", "-fno-sanitize-recover=all", "-w", "-msse4.2", "-I/usr/include/csmith"]);
    let built = run(command.arg(source).arg("-o").arg(&program), b"", LIMIT)?;
    if built.ending != Ending::Exit(0) {
        bail!("with clang's sanitizer: {}\n{}", built.ending, String::from_utf8_lossy(&built.stderr));
    }
    let ran = run(&mut Command::new(&program), b"", LIMIT)?;
    Ok(String::from_utf8_lossy(&ran.stderr).contains("runtime error: passing zero to "))
}

fn difference(ran: &Ran, plain: &Ran) -> Option<String> {
    if ran.ending.as_shell_status() != plain.ending.as_shell_status() {
        Some(format!("{}, where clang -O0 has {}", ran.ending, plain.ending))
    } else if ran.stdout != plain.stdout {
        let text = |ran: &Ran| String::from_utf8_lossy(&ran.stdout).trim().to_string();
        Some(format!("prints `{}`, where clang -O0 prints `{}`", text(ran), text(plain)))
    } else {
        None
    }
}
