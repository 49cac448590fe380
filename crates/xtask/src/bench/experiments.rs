//! `bench experiments`: every branch of a small failing program switched, the program on other inputs, and a change late in a
//! long run.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use abi::StreamId;
use anyhow::{Context, Result, ensure};
use execution::Run;
use execution::predicates::predicates;
use experiment::{Case, Change, Input, Intervention, Lab, Limits, Oracle, Trial};
use program::Op;
use recording::Recording;
use replay::{Image, Observed, Observer};
use testkit::text::lines;
use testkit::{Tools, Verdict, workspace};

use super::record::executable_of;

/// What is held, of one worker.
const LEAST_PER_SECOND: f64 = 2000.0;
/// Likewise of runs on other inputs.
const LEAST_INPUTS_PER_SECOND: f64 = 1000.0;
const INPUTS_ROW: &str = "other inputs, one worker";
/// Inputs that are tried.
const INPUTS: usize = 2000;
/// Processes started anew; more would only take longer.
const ANEW: usize = 200;
/// Bytes that gzip compresses.
const GZIP_INPUT: usize = 400_000;
/// Changes at this part of its run.
const LATE: f64 = 0.9;
const LATE_EXPERIMENTS: usize = 32;

#[derive(clap::Args)]
pub struct Arguments {
    /// Leave out gzip, which has to be built
    #[arg(long)]
    small: bool,
}

type Experiment = Vec<Intervention>;

/// Runs of one kind.
struct Row {
    name: String,
    runs: usize,
    seconds: f64,
    cores: usize,
}

impl Row {
    fn per_second(&self) -> f64 {
        self.runs as f64 / self.seconds / self.cores as f64
    }
}

pub fn experiments(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    let folder = workspace().join("target/bench/experiments");
    std::fs::create_dir_all(&folder)?;
    let verdict = small(&tools, &folder)?;
    if !arguments.small {
        late(&tools)?;
    }
    Ok(verdict)
}

fn small(tools: &Tools, folder: &Path) -> Result<Verdict> {
    let sources = workspace().join("tests/experiments");
    let input = sources.join("formatter.txt");
    let build = |name: &str, options: &[&str]| -> Result<PathBuf> {
        let program = folder.join(name);
        let source = sources.join("formatter.c");
        let built = Command::new(&tools.cc).arg("-g").args(options).arg(source).arg("-o").arg(&program).status()?;
        ensure!(built.success(), "formatter.c does not compile");
        Ok(program)
    };
    let (wrong, right) = (build("formatter", &[])?, build("right", &["-DRIGHT"])?);
    let case = Case::new(&wrong, Vec::new())?.with_input_file(&input)?;
    let output = Command::new(right).stdin(std::fs::File::open(&input)?).stderr(Stdio::null()).output()?.stdout;
    let oracle = Oracle { output: Some(output), ..Oracle::default() };
    let open = |workers| Lab::open(case.clone(), oracle.clone(), Limits { workers, ..Limits::default() });
    let one = open(1)?;
    let switches = switches(&one)?;
    println!(
        "{} branches in a run of {} ticks, {:?}",
        switches.len(),
        one.baseline().clock,
        one.baseline().ran.processor_time
    );
    let cores = std::thread::available_parallelism()?.get();
    let mut rows = vec![try_all("fork server, one worker", &one, 1, &switches)?];
    rows.push(try_all("fork server, all workers", &open(0)?, cores, &switches)?);
    let inputs = other_inputs(&one)?;
    rows.push(try_inputs(INPUTS_ROW, &one, 1, &inputs)?);
    let some: Vec<&Experiment> = switches.iter().step_by(switches.len().div_ceil(ANEW)).collect();
    let begun = Instant::now();
    for experiment in &some {
        one.record(experiment)?;
    }
    let row = |name: &str, seconds| Row { name: name.into(), runs: some.len(), seconds, cores: 1 };
    rows.push(row("started anew and recorded", begun.elapsed().as_secs_f64()));
    let begun = Instant::now();
    for _ in &some {
        let mut plain = Command::new(&wrong);
        plain.stdin(std::fs::File::open(&input)?).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    }
    rows.push(row("started anew, unchanged, no walls", begun.elapsed().as_secs_f64()));
    let begun = Instant::now();
    for _ in &some {
        bare_fork();
    }
    rows.push(row("a bare fork", begun.elapsed().as_secs_f64()));
    Ok(show(&rows))
}

/// What no server can be faster than: it says how busy the machine is.
fn bare_fork() {
    // SAFETY: the child ends at once.
    unsafe {
        match libc::fork() {
            0 => libc::_exit(0),
            child => libc::waitpid(child, std::ptr::null_mut(), 0),
        };
    }
}

fn show(rows: &[Row]) -> Verdict {
    println!("{:<36} {:>8} {:>9} {:>16} {:>7}", "switches", "runs", "seconds", "per s and core", "ratio");
    let first = rows.first().map_or(0.0, Row::per_second);
    for row in rows {
        let rate = row.per_second();
        println!("{:<36} {:>8} {:>9.2} {rate:>16.0} {:>7.2}", row.name, row.runs, row.seconds, rate / first);
    }
    let inputs = rows.iter().find(|row| row.name == INPUTS_ROW).map_or(0.0, Row::per_second);
    let mut verdict = Verdict::Holds;
    for (rate, least, what) in
        [(first, LEAST_PER_SECOND, "switches"), (inputs, LEAST_INPUTS_PER_SECOND, "other inputs")]
    {
        let holds = rate >= least;
        let word = if holds { "holds:        " } else { "DOES NOT HOLD:" };
        println!("{word} at least {least} {what} per second and core");
        if !holds {
            verdict = Verdict::DoesNotHold;
        }
    }
    verdict
}

fn try_all(name: &str, lab: &Lab, cores: usize, experiments: &[Experiment]) -> Result<Row> {
    let begun = Instant::now();
    let tried = lab.try_all(experiments, |_, _| ControlFlow::Continue(()))?;
    Ok(Row { name: name.into(), runs: tried.runs, seconds: begun.elapsed().as_secs_f64(), cores })
}

fn try_inputs(name: &str, lab: &Lab, cores: usize, trials: &[Trial]) -> Result<Row> {
    // The first starts a server.
    lab.try_inputs(&trials[..1], |_, _| ControlFlow::Continue(()))?;
    let begun = Instant::now();
    let tried = lab.try_inputs(trials, |_, _| ControlFlow::Continue(()))?;
    Ok(Row { name: name.into(), runs: tried.runs, seconds: begun.elapsed().as_secs_f64(), cores })
}

/// The failing input with another byte of it changed, and another length, each time.
fn other_inputs(lab: &Lab) -> Result<Vec<Trial>> {
    let own = Input::of(lab.case(), &[])?;
    let changed = |number: usize| {
        let mut stdin = own.stdin.clone();
        stdin.truncate(own.stdin.len() - number % (own.stdin.len() / 4));
        let at = number * 31 % stdin.len();
        stdin[at] = b'a' + (number % 26) as u8;
        Trial::from(own.clone().with_stdin(stdin))
    };
    Ok((0..INPUTS).map(changed).collect())
}

/// Every branch of the failing run, switched.
fn switches(lab: &Lab) -> Result<Vec<Experiment>> {
    let recording = Recording::open(&lab.baseline().recording)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN)?;
    let found = predicates(&run, usize::MAX)?.steps;
    let is_branch = |at: &replay::Step| matches!(run.functions.instruction(at.site).op, Op::Branch { .. });
    Ok(found.iter().map(|predicate| predicate.at).filter(is_branch).map(|at| switch(at.clock)).collect())
}

fn switch(clock: u64) -> Experiment {
    vec![Intervention { clock, change: Change::Switch }]
}

/// gzip, changed when it is nearly done.
fn late(tools: &Tools) -> Result<()> {
    let gzip = executable_of(tools, "gzip", "gzip")?;
    let case = Case::new(&gzip, vec!["-c".into()])?.with_input(lines(GZIP_INPUT, 14).into_bytes());
    // No run ends so: all are wrong.
    let oracle = Oracle { status: Some(77), ..Oracle::default() };
    let lab = Lab::open(case, oracle, Limits { workers: 1, ..Limits::default() })?;
    let clock = (lab.baseline().clock as f64 * LATE) as u64;
    let experiments: Vec<Experiment> = branches_from(&lab, clock)?.into_iter().map(switch).collect();
    ensure!(!experiments.is_empty(), "gzip has no branch at {clock}");
    let few = &experiments[..experiments.len().min(8)];
    let begun = Instant::now();
    for experiment in few {
        lab.run(experiment)?;
    }
    let from_start = begun.elapsed().as_secs_f64() / few.len() as f64;
    let begun = Instant::now();
    let tried = lab.try_all(&experiments, |_, _| ControlFlow::Continue(()))?;
    let from_checkpoint = begun.elapsed().as_secs_f64() / tried.runs as f64;
    println!("gzip, {} ticks, switched at {:.0} %: seconds for each run", lab.baseline().clock, LATE * 100.0);
    println!("{:<36} {from_start:>9.4}", "from the start");
    println!("{:<36} {from_checkpoint:>9.4}", "from a checkpoint that 32 share");
    println!("{:<36} {:>9.1}", "ratio", from_start / from_checkpoint);
    Ok(())
}

/// Clocks of the first branches from a clock on.
fn branches_from(lab: &Lab, clock: u64) -> Result<Vec<u64>> {
    struct Branches {
        from: u64,
        found: Vec<u64>,
    }
    impl Observer for Branches {
        const IN_HANDLERS: bool = true;

        fn step(&mut self, step: &Observed<'_>) {
            let is_branch = step.clock >= self.from && matches!(step.instruction().op, Op::Branch { .. });
            if is_branch && self.found.len() < LATE_EXPERIMENTS {
                self.found.push(step.clock);
            }
        }
    }
    let recording = Recording::open(&lab.baseline().recording)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN).context("gzip does not replay")?;
    Ok(run.replay(run.window_at(clock), Branches { from: clock, found: Vec::new() })?.found)
}
