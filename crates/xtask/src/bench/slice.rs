//! `bench slice`: the slice of the last byte gzip writes, for runs of growing length.

use std::process::Command;

use anyhow::{Context, Result};
use evaluation::plot::{Series, plot};
use testkit::measure::measure;
use testkit::text::lines;
use testkit::{Tools, Verdict, workspace};

use super::record::{executable_of, replay_stats};

/// Instructions of the runs wanted; the longest takes a while.
const LENGTHS: [f64; 4] = [1e6, 1e7, 1e8, 1e9];
/// About so many instructions gzip takes for a byte of our text.
const PER_BYTE: f64 = 550.0;
/// What is held for runs of up to 10^8 instructions.
const MOST_SECONDS: f64 = 10.0;
const MOST_MIB: f64 = 2048.0;

#[derive(clap::Args)]
pub struct Arguments {
    /// Up to this many instructions
    #[arg(long, default_value_t = 1e9)]
    longest: f64,
}

struct Row {
    instructions: f64,
    steps: f64,
    replay: f64,
    data: f64,
    full: f64,
    memory: f64,
}

pub fn slice(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    let gzip = executable_of(&tools, "gzip", "gzip")?;
    let folder = workspace().join("target/bench/slice");
    std::fs::create_dir_all(&folder)?;
    let (input, output, recording) = (folder.join("input"), folder.join("output"), folder.join("recording.flt"));
    let mut rows = Vec::new();
    for length in LENGTHS.into_iter().filter(|length| *length <= arguments.longest) {
        std::fs::write(&input, lines((length / PER_BYTE) as usize, 14))?;
        let mut record = Command::new(&tools.faultline);
        record.arg("record").arg("-o").arg(&recording).arg("--").arg(&gzip).arg("-c");
        measure(&mut record, Some(&input), &output)?;
        let last = std::fs::metadata(&output)?.len().to_string();
        let stats = replay_stats(&tools, &recording)?;
        let sliced = folder.join("slice.json");
        let cost = |kind: &str| {
            let mut slice = Command::new(&tools.faultline);
            slice.arg("slice").arg(&recording).args(["--byte", &last, "--kind", kind, "--format", "json"]);
            measure(&mut slice, None, &sliced)
        };
        let (data, full) = (cost("data")?, cost("full")?);
        rows.push(Row {
            instructions: stats("instructions")?,
            steps: steps(&std::fs::read_to_string(&sliced)?).context("the slice has no number of steps")?,
            replay: stats("seconds")?,
            data: data.real,
            full: full.real,
            memory: data.memory.max(full.memory),
        });
    }
    std::fs::remove_file(&recording)?;
    Ok(show(&rows, &folder))
}

/// The number of steps that `faultline slice --format json` tells.
fn steps(json: &str) -> Option<f64> {
    let rest = json.split_once("\"steps\":")?.1.trim_start();
    rest[..rest.find(|c: char| !c.is_ascii_digit())?].parse().ok()
}

fn show(rows: &[Row], folder: &std::path::Path) -> Verdict {
    println!(
        "{:>14} {:>14} {:>9} {:>9} {:>9} {:>9}",
        "instructions", "steps in slice", "replay s", "data s", "full s", "MiB"
    );
    for row in rows {
        println!(
            "{:>14.0} {:>14.0} {:>9.2} {:>9.2} {:>9.2} {:>9.0}",
            row.instructions, row.steps, row.replay, row.data, row.full, row.memory
        );
    }
    let series = |name: &str, value: fn(&Row) -> f64| Series {
        name: name.to_owned(),
        points: rows.iter().map(|row| (row.instructions, value(row))).collect(),
    };
    let picture = plot(
        "Slice of the last byte gzip writes",
        "instructions in the run",
        &[
            series("full slice, seconds", |row| row.full),
            series("data slice, seconds", |row| row.data),
            series("peak memory, GiB", |row| row.memory / 1024.0),
        ],
    );
    let file = folder.join("slice.svg");
    match std::fs::write(&file, picture) {
        Ok(()) => println!("plot: {}", file.display()),
        Err(error) => println!("the plot could not be written: {error}"),
    }
    // Runs are made a little longer or shorter than asked for.
    let measured = rows.iter().filter(|row| row.instructions < 2e8);
    let holds = measured.clone().all(|row| row.full <= MOST_SECONDS && row.memory <= MOST_MIB);
    let word = if holds { "holds:        " } else { "DOES NOT HOLD:" };
    println!("{word} at 10^8 instructions at most {MOST_SECONDS} s and {MOST_MIB} MiB");
    if holds { Verdict::Holds } else { Verdict::DoesNotHold }
}
