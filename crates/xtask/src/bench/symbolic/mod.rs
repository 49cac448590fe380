//! `bench symbolic`: what replaying with symbols costs, how fast branches are turned, solved and run, and whether runs go where
//! they were predicted to go.

mod large;
mod turned;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use abi::StreamId;
use anyhow::{Result, ensure};
use execution::Functions;
use experiment::{Case, Expects, Lab, Limits, Opening, Oracle};
use recording::Recording;
use replay::{Image, replay_unobserved, replay_window_inlined};
use symbolic::{Input, Name, Shadow, Shadowed};
use testkit::text::lines;
use testkit::{Tools, Verdict, workspace};

use super::record::executable_of;

const PARSER: &str = include_str!("parser.c");
const PARSED: &str = include_str!("parser.txt");
/// Bytes that gzip compresses.
const SHORT: usize = 300;
const LONG: usize = 20_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// Leave out gzip, which has to be built
    #[arg(long)]
    small: bool,
    /// Leave out the run of a hundred million instructions
    #[arg(long)]
    short: bool,
    /// How often each replay is made; the fastest counts
    #[arg(long, default_value_t = 40)]
    runs: usize,
}

/// A number that is held, or only told.
struct Row {
    what: String,
    number: f64,
    unit: &'static str,
    bound: Bound,
}

#[derive(Clone, Copy)]
enum Bound {
    AtMost(f64),
    AtLeast(f64),
    None,
}

impl Row {
    fn new(what: impl Into<String>, number: f64, unit: &'static str, bound: Bound) -> Row {
        Row { what: what.into(), number, unit, bound }
    }

    fn holds(&self) -> bool {
        match self.bound {
            Bound::AtMost(most) => self.number <= most,
            Bound::AtLeast(least) => self.number >= least,
            Bound::None => true,
        }
    }
}

pub fn symbolic(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    let folder = workspace().join("target/bench/symbolic");
    std::fs::create_dir_all(&folder)?;
    let parser = compiled(&tools, &folder, "parser", PARSER)?;
    let parsing = lab(Case::new(&parser, Vec::new())?.with_input(PARSED.into()))?;
    let mut rows = costs("the parser", &parsing, arguments.runs, false)?;
    rows.extend(turned::parser(&parsing)?);
    if !arguments.small {
        let gzip = executable_of(&tools, "gzip", "gzip")?;
        let compressing = |length| lab(Case::new(&gzip, vec!["-c".into()])?.with_input(lines(length, 14).into_bytes()));
        let short = compressing(SHORT)?;
        rows.extend(costs(&format!("gzip -c of {SHORT} bytes"), &short, arguments.runs, true)?);
        rows.extend(costs(&format!("gzip -c of {LONG} bytes"), &compressing(LONG)?, 3, false)?);
        rows.extend(turned::gzip(&short)?);
    }
    if !arguments.short {
        rows.extend(large::large(&compiled(&tools, &folder, "large", large::SOURCE)?)?);
    }
    Ok(show(&rows))
}

fn show(rows: &[Row]) -> Verdict {
    for Row { what, number, unit, bound } in rows {
        let digits = if *number < 10.0 { 2 } else { 0 };
        let bound = match bound {
            Bound::AtMost(most) => format!("at most {most}"),
            Bound::AtLeast(least) => format!("at least {least}"),
            Bound::None => String::new(),
        };
        println!("{what:<72} {number:>9.digits$} {unit:<6} {bound}");
    }
    for row in rows.iter().filter(|row| !row.holds()) {
        println!("DOES NOT HOLD: {}", row.what);
    }
    if rows.iter().all(Row::holds) { Verdict::Holds } else { Verdict::DoesNotHold }
}

fn compiled(tools: &Tools, folder: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let (source, program) = (folder.join(name).with_extension("c"), folder.join(name));
    std::fs::write(&source, text)?;
    let built = Command::new(&tools.cc).arg("-g").arg(&source).arg("-o").arg(&program).status()?;
    ensure!(built.success(), "{name}.c does not compile");
    Ok(program)
}

fn lab(case: Case) -> Result<Lab> {
    let limits = Limits { workers: 1, ..Limits::default() };
    let opening = Opening { expects: Expects::Anything, ..Opening::of(case, Oracle::default(), limits) };
    Ok(opening.open()?)
}

/// A recorded run, replayed with standard input as symbols, or what there is of it.
fn shadowed(path: &Path, input: &[u8], prepare: impl FnOnce(&mut Shadow<'_>)) -> Result<Shadowed> {
    let recording = Recording::open(path)?;
    let image = Image::new(&recording);
    let functions = Functions::new(&image);
    let mut shadow = Shadow::new(&functions, std::iter::empty(), standard(input), symbolic::Limits::default());
    prepare(&mut shadow);
    Ok(replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?.1.finish())
}

fn standard(input: &[u8]) -> Vec<Input> {
    vec![Input { name: Name::Standard, content: input.to_vec() }]
}

/// What replaying costs, with and without symbols, against a replay that nobody observes.
fn costs(name: &str, lab: &Lab, runs: usize, is_held: bool) -> Result<Vec<Row>> {
    let recording = Recording::open(&lab.baseline().recording)?;
    let image = Image::new(&recording);
    let functions = Functions::new(&image);
    let input = &lab.case().input;
    let shadow = |inputs: Vec<Input>| -> Result<Shadowed> {
        let shadow = Shadow::new(&functions, std::iter::empty(), inputs, symbolic::Limits::default());
        Ok(replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?.1.finish())
    };
    let mut least = [Duration::MAX; 3];
    let mut instructions = 0;
    // In turns, so that whatever else the machine does meets all of them.
    for _ in 0..runs {
        let begun = Instant::now();
        instructions = replay_unobserved(&image, StreamId::MAIN)?.instructions;
        least[0] = least[0].min(begun.elapsed());
        let begun = Instant::now();
        shadow(Vec::new())?;
        least[1] = least[1].min(begun.elapsed());
        let begun = Instant::now();
        shadow(standard(input))?;
        least[2] = least[2].min(begun.elapsed());
    }
    let last = shadow(standard(input))?;
    let pins = last.path.conditions.iter().filter(|condition| condition.kind == symbolic::Kind::Pin).count();
    ensure!(last.lost.wrong() == 0, "terms have other values than the run of {name}");
    let [unobserved, without, with] = least.map(|time| time.as_secs_f64());
    let bound = |most: f64| if is_held { Bound::AtMost(most) } else { Bound::None };
    Ok(vec![
        Row::new(format!("{name}: instructions"), instructions as f64, "", Bound::None),
        Row::new(format!("{name}: conditions"), (last.path.conditions.len() - pins) as f64, "", Bound::None),
        Row::new(format!("{name}: addresses and sizes bound to their values"), pins as f64, "", Bound::None),
        Row::new(format!("{name}: unobserved replay"), 1e3 * unobserved, "ms", Bound::None),
        Row::new(format!("{name}: shadow without symbols, against it"), without / unobserved, "×", bound(2.0)),
        Row::new(format!("{name}: path condition, against it"), with / unobserved, "×", bound(8.0)),
    ])
}
