//! `faultline explore` on other people's programs: inputs, branches, and how many of the predicted branches came.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use testkit::real::{Kind, PROGRAMS, build, fetch};
use testkit::{Ending, Tools, Verdict, run, workspace};

/// A run to begin with.
struct Seed {
    program: &'static str,
    executable: &'static str,
    arguments: &'static [&'static str],
    input: &'static [u8],
    files: &'static [(&'static str, &'static str)],
}

/// `hello`, as gzip -n compresses it.
const COMPRESSED: &[u8] =
    &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xe7, 2, 0, 0x20, 0x30, 0x3a, 0x36, 6, 0, 0, 0];

const SEEDS: [Seed; 6] = [
    Seed { program: "bc", executable: "bc/bc", arguments: &["-q"], input: b"a=3\nif (a<5) a*2\n", files: &[] },
    Seed {
        program: "sed",
        executable: "sed/sed",
        arguments: &["-f", "script", "text"],
        input: b"",
        files: &[("script", "s/a/b/\n2p\n"), ("text", "abc\nxay\n")],
    },
    Seed {
        program: "grep",
        executable: "src/grep",
        arguments: &["-f", "pattern", "text"],
        input: b"",
        files: &[("pattern", "a[bc]*d\n"), ("text", "abcd\nad\n")],
    },
    Seed { program: "gzip", executable: "gzip", arguments: &["-dc"], input: COMPRESSED, files: &[] },
    Seed {
        program: "cjson",
        executable: "made/reprint",
        arguments: &["text", "yes"],
        input: b"",
        // The first two characters say how it is printed.
        files: &[("text", "bf{\"a\": [1, true]}")],
    },
    Seed {
        program: "jsoncpp",
        executable: "made/bin/jsontestrunner_exe",
        arguments: &["text.json"],
        input: b"",
        files: &[("text.json", "{\"a\": [1, true]}")],
    },
];

/// Says how it went; it does not hold if a recording departed or a term had another value than the run.
pub fn explored(tools: &Tools, names: &[String], budget: u64) -> Result<Verdict> {
    let mut verdict = Verdict::Holds;
    println!(
        "{:8} {:>8} {:>9} {:>10} {:>9} {:>15} {:>15}",
        "program", "inputs", "inputs/s", "runs/s", "branches", "predicted came", "exact came"
    );
    for seed in SEEDS.iter().filter(|seed| names.is_empty() || names.iter().any(|name| name == seed.program)) {
        let report = one(tools, seed, budget)?;
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let count = report["inputs"].as_array().map_or(0, |all| all.len().saturating_sub(1));
        let (seconds, predictions, branches) =
            (number(&report["seconds"]), &report["predictions"], &report["branches"]);
        println!(
            "{:8} {count:>8} {:>9.1} {:>10.1} {:>9} {:>15} {:>15}",
            seed.program,
            count as f64 / seconds.max(0.001),
            number(&report["runs"]) / seconds.max(0.001),
            format!("{} > {}", branches["given"], branches["all"]),
            format!("{} of {}", predictions["came"], predictions["made"]),
            format!("{} of {}", predictions["exact_came"], predictions["exact_made"]),
        );
        let mut reasons = report["reasons"].as_array().cloned().unwrap_or_default();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason["count"].as_u64()));
        for reason in reasons.iter().take(5) {
            println!(
                "         {} times: {}, line {}: {}",
                reason["count"], reason["function"], reason["line"], reason["message"]
            );
        }
        let is_wrong = reasons.iter().any(|reason| reason["reason"] == "wrong-value");
        if is_wrong || report["left_out"]["departed"] != 0 {
            println!("         wrong values: {is_wrong}; departed: {}", report["left_out"]["departed"]);
            verdict = Verdict::DoesNotHold;
        }
    }
    Ok(verdict)
}

fn one(tools: &Tools, seed: &Seed, budget: u64) -> Result<Value> {
    let program = PROGRAMS.iter().find(|program| program.name == seed.program).context("a program of the table")?;
    let folder = workspace().join("target/real").join(program.name);
    std::fs::create_dir_all(&folder)?;
    fetch(program.package, &folder.join("source"))?;
    let built = build(tools, program, Kind::Faultline, &folder)?;
    explore(tools, seed, &built.join(seed.executable), budget)
}

fn explore(tools: &Tools, seed: &Seed, executable: &Path, budget: u64) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    let input = folder.path().join("input");
    std::fs::write(&input, seed.input)?;
    let mut command = Command::new(&tools.faultline);
    command.args(["explore", "--format", "json", "--budget"]).arg(budget.to_string()).arg("--stdin").arg(input);
    if !seed.files.is_empty() {
        let files = folder.path().join("files");
        std::fs::create_dir(&files)?;
        for (name, text) in seed.files {
            std::fs::write(files.join(name), text)?;
        }
        command.arg("--dir").arg(files);
    }
    command.arg("--").arg(executable).args(seed.arguments);
    let ran = run(&mut command, b"", Duration::from_secs(2 * budget + 120))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    ensure!(matches!(ran.ending, Ending::Exit(0 | 3)), "{}: {}: {said}", seed.program, ran.ending);
    serde_json::from_slice(&ran.stdout).with_context(|| format!("{}: no report: {said}", seed.program))
}
