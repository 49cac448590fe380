//! What recording costs, against the same program by clang -O0 and against valgrind; how large recordings are; how fast
//! they replay.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use testkit::measure::{Cost, geometric_mean, measure, median};
use testkit::real::{Kind, PROGRAMS, Program, build, fetch};
use testkit::text::lines;
use testkit::{Tools, Verdict, workspace};

#[derive(clap::Args)]
pub struct Arguments {
    /// How often each is run; the median counts
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Leave valgrind out
    #[arg(long)]
    no_valgrind: bool,
    /// Which programs [default: gzip, sed, grep and bc]
    programs: Vec<String>,
}

/// A program with work for about a second at clang -O0, and a tenth of it for valgrind.
struct Load {
    program: &'static str,
    executable: &'static str,
    arguments: &'static [&'static str],
    input: fn(Size) -> String,
}

#[derive(Clone, Copy)]
enum Size {
    Full,
    Small,
}

impl Size {
    fn of(self, full: usize) -> usize {
        match self {
            Size::Full => full,
            Size::Small => full / 20,
        }
    }
}

const LOADS: [Load; 4] = [
    Load { program: "gzip", executable: "gzip", arguments: &["-c"], input: |size| lines(size.of(8_000_000), 11) },
    Load {
        program: "sed",
        executable: "sed/sed",
        arguments: &["-E", "s/([a-z]+) ([0-9]+)/\\2 \\1/g;/error/d;y/abc/xyz/"],
        input: |size| lines(size.of(8_000_000), 12),
    },
    Load {
        program: "grep",
        executable: "src/grep",
        arguments: &["-n", "-i", "-E", "(^|[^a-z])(re[a-z]*d|comp.*[0-9]{4})( |$)"],
        input: |size| lines(size.of(20_000_000), 13),
    },
    Load {
        program: "bc",
        executable: "bc/bc",
        arguments: &["-l"],
        input: |size| match size {
            Size::Full => "scale=1200\n4*a(1)\n".into(),
            Size::Small => "scale=400\n4*a(1)\n".into(),
        },
    },
];

/// The numbers to hold.
const MOST_RATIO: f64 = 2.0;
const MOST_RAW: f64 = 1.5;
const MOST_DISK: f64 = 0.5;
const LEAST_REPLAY: f64 = 100e6;

struct Row {
    name: &'static str,
    plain: Cost,
    alone: Cost,
    recorded: Cost,
    /// Ratios in real time to clang -O0 on a smaller input: `--tool=none` and `--tool=lackey`.
    valgrind: Option<[f64; 2]>,
    ticks: f64,
    raw: f64,
    disk: f64,
    replay: f64,
}

pub fn record(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    let mut rows = Vec::new();
    for load in &LOADS {
        if arguments.programs.is_empty() || arguments.programs.iter().any(|name| name == load.program) {
            rows.push(one(&tools, load, arguments).with_context(|| load.program)?);
        }
    }
    Ok(show(&rows))
}

fn one(tools: &Tools, load: &Load, arguments: &Arguments) -> Result<Row> {
    let program = PROGRAMS.iter().find(|program| program.name == load.program).context("an unknown program")?;
    let [plain, instrumented] = [Kind::Clang0, Kind::Faultline].map(|kind| executable(tools, program, kind, load));
    let (plain, instrumented) = (plain?, instrumented?);
    let folder = workspace().join("target/bench").join(load.program);
    std::fs::create_dir_all(&folder)?;
    let [full, small] = [(Size::Full, "full"), (Size::Small, "small")].map(|(size, name)| {
        let path = folder.join(name);
        std::fs::write(&path, (load.input)(size)).map(|()| path)
    });
    let (full, small) = (full?, small?);
    let recording = folder.join("recording.flt");
    eprintln!("measuring {}", load.program);
    let output = folder.join("output");
    let run = |program: &Path| measure(Command::new(program).args(load.arguments), Some(&full), &output);
    let mut costs = [Vec::new(), Vec::new(), Vec::new()];
    // In turns, so that whatever else the machine does meets all three.
    for _ in 0..arguments.runs {
        costs[0].push(run(&plain)?);
        costs[1].push(run(&instrumented)?);
        let mut record = Command::new(&tools.faultline);
        record.arg("record").arg("-o").arg(&recording).arg("--").arg(&instrumented).args(load.arguments);
        costs[2].push(measure(&mut record, Some(&full), &output)?);
    }
    let [plain_cost, alone, recorded] = costs.map(median);
    let stats = replay_stats(tools, &recording)?;
    let valgrind = if arguments.no_valgrind { None } else { Some(valgrind(&plain, load, &small, &output)?) };
    std::fs::remove_file(&recording)?;
    let ticks = stats("ticks")?;
    Ok(Row {
        name: load.program,
        plain: plain_cost,
        alone,
        recorded,
        valgrind,
        ticks,
        raw: stats("raw_bytes")? / ticks,
        disk: stats("disk_bytes")? / ticks,
        replay: stats("instructions")? / stats("seconds")?,
    })
}

/// The instrumented build of a program, by the names of the program and of its executable.
pub fn executable_of(tools: &Tools, program: &str, executable: &str) -> Result<PathBuf> {
    let program = PROGRAMS.iter().find(|known| known.name == program).context("an unknown program")?;
    built(tools, program, Kind::Faultline, executable)
}

fn executable(tools: &Tools, program: &Program, kind: Kind, load: &Load) -> Result<PathBuf> {
    built(tools, program, kind, load.executable)
}

fn built(tools: &Tools, program: &Program, kind: Kind, executable: &str) -> Result<PathBuf> {
    let folder = workspace().join("target/real").join(program.name);
    std::fs::create_dir_all(&folder)?;
    fetch(program.package, &folder.join("source"))?;
    Ok(build(tools, program, kind, &folder)?.join(executable))
}

/// What `faultline replay --stats` prints: words of the form `name=value`.
pub fn replay_stats(tools: &Tools, recording: &Path) -> Result<impl Fn(&str) -> Result<f64> + use<>> {
    let output = Command::new(&tools.faultline).args(["replay", "--stats"]).arg(recording).output()?;
    let text = String::from_utf8(output.stdout)?;
    anyhow::ensure!(output.status.success(), "the replay failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(move |name: &str| {
        let value = text.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.with_context(|| format!("no {name} in `{text}`"))?.parse().context("not a number")
    })
}

fn valgrind(plain: &Path, load: &Load, input: &Path, output: &Path) -> Result<[f64; 2]> {
    let base = (0..5)
        .map(|_| measure(Command::new(plain).args(load.arguments), Some(input), output))
        .collect::<Result<_>>()?;
    let base = median(base);
    let mut ratios = [0.0; 2];
    for (ratio, tool) in ratios.iter_mut().zip(["none", "lackey"]) {
        let mut command = Command::new("valgrind");
        command.arg(format!("--tool={tool}")).arg("--log-file=/dev/null").arg(plain).args(load.arguments);
        *ratio = measure(&mut command, Some(input), output)?.real / base.real;
    }
    Ok(ratios)
}

fn show(rows: &[Row]) -> Verdict {
    println!(
        "{:<6} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8} {:>9} {:>9} {:>9} {:>10}",
        "",
        "clang -O0",
        "alone",
        "recorded",
        "real",
        "user",
        "alone",
        "none",
        "lackey",
        "ticks",
        "raw",
        "disk",
        "replay"
    );
    println!(
        "{:<6} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7} {:>8} {:>8} {:>9} {:>9} {:>9} {:>10}",
        "", "s", "s", "s", "×", "×", "×", "×", "×", "million", "B/tick", "B/tick", "million/s"
    );
    for row in rows {
        let [none, lackey] = row.valgrind.map_or(["-".into(), "-".into()], |ratios| ratios.map(|r| format!("{r:.1}")));
        println!(
            "{:<6} {:>9.2} {:>9.2} {:>9.2} {:>7.2} {:>7.2} {:>7.2} {:>8} {:>8} {:>9.1} {:>9.3} {:>9.3} {:>10.1}",
            row.name,
            row.plain.real,
            row.alone.real,
            row.recorded.real,
            row.recorded.real / row.plain.real,
            row.recorded.user / row.plain.user,
            row.alone.real / row.plain.real,
            none,
            lackey,
            row.ticks / 1e6,
            row.raw,
            row.disk,
            row.replay / 1e6
        );
    }
    println!(
        "clang -O0, alone (instrumented, not recorded), recorded: real time, median. Ratios are to clang -O0; those of \
         valgrind (none, lackey) on a smaller input."
    );
    let ratio = geometric_mean(rows.iter().map(|row| row.recorded.real / row.plain.real));
    let worst = |value: fn(&Row) -> f64| rows.iter().map(value).fold(0.0, f64::max);
    let slowest = rows.iter().map(|row| row.replay).fold(f64::INFINITY, f64::min);
    let numbers = [
        (format!("recording, geometric mean: {ratio:.2}× (at most {MOST_RATIO}×)"), ratio <= MOST_RATIO),
        (
            format!("log, raw, worst: {:.3} B/tick (at most {MOST_RAW})", worst(|row| row.raw)),
            worst(|row| row.raw) <= MOST_RAW,
        ),
        (
            format!("log, on disk, worst: {:.3} B/tick (at most {MOST_DISK})", worst(|row| row.disk)),
            worst(|row| row.disk) <= MOST_DISK,
        ),
        (
            format!("replay, slowest: {:.0} million/s (at least {:.0})", slowest / 1e6, LEAST_REPLAY / 1e6),
            slowest >= LEAST_REPLAY,
        ),
    ];
    for (what, holds) in &numbers {
        println!("{} {what}", if *holds { "holds:        " } else { "DOES NOT HOLD:" });
    }
    if numbers.iter().all(|(_, holds)| *holds) { Verdict::Holds } else { Verdict::DoesNotHold }
}
