//! `bench frontier`: the dependence graph of the last byte gzip writes, with summary control dependences, and its smallest cut, for
//! runs of growing length. Each is made in a process of its own, so that its memory can be told.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use abi::StreamId;
use anyhow::{Context, Result};
use budget::Budget;
use evaluation::plot::{Series, plot};
use execution::Run;
use execution::dependence::whole::WholeBuilder;
use execution::dependence::{Follow, Walk};
use execution::slice::Request;
use recording::Recording;
use replay::Image;
use testkit::measure::measure;
use testkit::text::lines;
use testkit::{Tools, Verdict, workspace};

use super::record::executable_of;

/// Steps of the graphs wanted, about.
const STEPS: [f64; 4] = [1e4, 1e5, 1e6, 1e7];
/// What is held at 10^7 steps.
const MOST_SECONDS: f64 = 60.0;
const MOST_MIB: f64 = 4096.0;
/// The graph of a byte of gzip's output has about so many steps for each byte of its input.
const PER_BYTE: f64 = 45.0;
/// More steps than anybody asks for.
const MOST_STEPS: usize = 200_000_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// Up to this many steps
    #[arg(long, default_value_t = 1e7)]
    longest: f64,
    /// Only this recording, in this process
    #[arg(long, hide = true, value_name = "FILE")]
    of: Option<PathBuf>,
    /// The byte of standard output that is asked about, counted from 1
    #[arg(long, hide = true, default_value_t = 1)]
    byte: u64,
}

/// What one graph took.
struct Row {
    instructions: f64,
    steps: f64,
    vertices: f64,
    members: f64,
    built: f64,
    cut: f64,
    real: f64,
    memory: f64,
}

pub fn frontier(arguments: &Arguments) -> Result<Verdict> {
    if let Some(recording) = &arguments.of {
        return measured(recording, arguments.byte);
    }
    let tools = Tools::find()?;
    let gzip = executable_of(&tools, "gzip", "gzip")?;
    let folder = workspace().join("target/bench/frontier");
    std::fs::create_dir_all(&folder)?;
    let (input, output, recording) = (folder.join("input"), folder.join("output"), folder.join("recording.flt"));
    let mut rows = Vec::new();
    for steps in STEPS.into_iter().filter(|steps| *steps <= arguments.longest) {
        std::fs::write(&input, lines((steps / PER_BYTE) as usize, 14))?;
        let mut record = Command::new(&tools.faultline);
        record.arg("record").arg("-o").arg(&recording).arg("--").arg(&gzip).arg("-c");
        measure(&mut record, Some(&input), &output)?;
        let last = std::fs::metadata(&output)?.len().to_string();
        let mut alone = Command::new(std::env::current_exe()?);
        alone.args(["bench", "frontier", "--byte", &last, "--of"]).arg(&recording);
        let said = folder.join("said");
        let cost = measure(&mut alone, None, &said)?;
        let said = std::fs::read_to_string(&said)?;
        let number = |name: &str| -> Result<f64> {
            let found = said.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
            found.with_context(|| format!("no {name} in `{said}`"))?.parse().context("not a number")
        };
        rows.push(Row {
            instructions: number("instructions")?,
            steps: number("steps")?,
            vertices: number("vertices")?,
            members: number("members")?,
            built: number("built")?,
            cut: number("cut")?,
            real: cost.real,
            memory: cost.memory,
        });
    }
    std::fs::remove_file(&recording)?;
    Ok(show(&rows, &folder))
}

/// Builds the graph of a recording, cuts it, and says what that took.
fn measured(recording: &Path, byte: u64) -> Result<Verdict> {
    let recording = Recording::open(recording)?;
    let budget = Budget::unlimited();
    let image = Image::within(&recording, &budget);
    let run = Run::new(&image, StreamId::MAIN)?;
    let question = failure::output_byte(&run, byte - 1)?;
    let potential = run.potential()?;
    let begun = Instant::now();
    let walk = Walk::new(&run.functions, Follow::Summary(&potential), WholeBuilder::new(MOST_STEPS));
    let walk = Request::of(&question.criterion).walk(&run, walk, WholeBuilder::root)?;
    let whole = walk.demand.finish(walk.keys);
    let built = begun.elapsed().as_secs_f64();
    let begun = Instant::now();
    let (narrow, own) = (whole.changeable(&run.functions), whole.own(&run.functions));
    let domain = graph::Domain::whole(&whole.graph, graph::VertexId(0));
    let cut = graph::cut(&whole.graph, &domain, &narrow, &own, &budget)?;
    let cut_took = begun.elapsed().as_secs_f64();
    println!(
        "instructions={} steps={} vertices={} bytes={} members={} built={built:.3} cut={cut_took:.3}",
        run.summary.instructions,
        whole.steps(),
        whole.graph.len(),
        whole.bytes(),
        cut.map_or(0, |cut| cut.members.len()),
    );
    Ok(Verdict::Holds)
}

fn show(rows: &[Row], folder: &Path) -> Verdict {
    println!(
        "{:>14} {:>12} {:>12} {:>8} {:>9} {:>9} {:>9} {:>9}",
        "instructions", "steps", "vertices", "cut of", "built s", "cut s", "all s", "MiB"
    );
    for row in rows {
        println!(
            "{:>14.0} {:>12.0} {:>12.0} {:>8.0} {:>9.2} {:>9.2} {:>9.2} {:>9.0}",
            row.instructions, row.steps, row.vertices, row.members, row.built, row.cut, row.real, row.memory
        );
    }
    let series = |name: &str, value: fn(&Row) -> f64| Series {
        name: name.to_owned(),
        points: rows.iter().map(|row| (row.steps, value(row))).collect(),
    };
    let picture = plot(
        "The dependence graph of the last byte gzip writes, and its smallest cut",
        "steps in the graph",
        &[
            series("built, seconds", |row| row.built),
            series("cut, seconds", |row| row.cut),
            series("peak memory, GiB", |row| row.memory / 1024.0),
        ],
    );
    let file = folder.join("frontier.svg");
    match std::fs::write(&file, picture) {
        Ok(()) => println!("plot: {}", file.display()),
        Err(error) => println!("the plot could not be written: {error}"),
    }
    let holds = rows.iter().all(|row| row.built + row.cut <= MOST_SECONDS && row.memory <= MOST_MIB);
    let word = if holds { "holds:        " } else { "DOES NOT HOLD:" };
    println!("{word} built and cut in at most {MOST_SECONDS} s and {MOST_MIB} MiB");
    if holds { Verdict::Holds } else { Verdict::DoesNotHold }
}
