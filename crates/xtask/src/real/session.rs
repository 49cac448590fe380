//! A round over the programs: fetch, build by both compilers, compare their own tests, record and replay runs.

use anyhow::{Context, Result, bail};
use testkit::real::{Kind, PROGRAMS, Program, build, fetch};
use testkit::{Tools, Verdict, workspace};

use super::runs::{self, Round};
use super::suite::{self, Suites};

/// The least number of recorded runs that says something about a program.
const ENOUGH_RUNS: usize = 30;

pub fn session(tools: &Tools, names: &[String]) -> Result<Verdict> {
    let mut chosen: Vec<&Program> = Vec::new();
    for name in names {
        match PROGRAMS.iter().find(|program| program.name == name) {
            Some(program) => chosen.push(program),
            None => bail!("no program `{name}`; there are {}", PROGRAMS.map(|program| program.name).join(", ")),
        }
    }
    if chosen.is_empty() {
        chosen.extend(&PROGRAMS);
    }
    let mut rows = Vec::new();
    let mut verdict = Verdict::Holds;
    for program in chosen {
        let (suites, round) = one(tools, program).with_context(|| program.name)?;
        for difference in suites.differences.iter().chain(&round.departures) {
            println!("{}: {difference}", program.name);
        }
        let holds = suites.differences.is_empty() && round.departures.is_empty() && round.runs >= ENOUGH_RUNS;
        if !holds {
            verdict = Verdict::DoesNotHold;
        }
        rows.push(format!(
            "{:<10} {:>28} {:>28} {:>6} {:>11}  {}",
            program.name,
            suites.clang.to_string(),
            suites.faultline.to_string(),
            round.runs,
            round.departures.len(),
            if holds { "holds" } else { "DOES NOT HOLD" }
        ));
    }
    println!(
        "{:<10} {:>28} {:>28} {:>6} {:>11}",
        "program", "tests, clang", "tests, faultline-cc", "runs", "departures"
    );
    rows.iter().for_each(|row| println!("{row}"));
    Ok(verdict)
}

fn one(tools: &Tools, program: &Program) -> Result<(Suites, Round)> {
    let folder = workspace().join("target/real").join(program.name);
    std::fs::create_dir_all(&folder)?;
    fetch(program.package, &folder.join("source"))?;
    let clang = build(tools, program, Kind::Clang, &folder)?;
    let faultline = build(tools, program, Kind::Faultline, &folder)?;
    let suites = suite::compare(program, &clang, &faultline)?;
    let mut round = runs::record_and_replay(tools, program, &clang, &faultline)?;
    round.departures.extend(super::regression::check(tools, program.name, &faultline)?);
    Ok((suites, round))
}
