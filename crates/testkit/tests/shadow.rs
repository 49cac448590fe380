//! What is computed with terms is what the program computed, at every instruction; and inputs that a solver finds for
//! another way of a condition make the program go that way, wherever nothing was given up before it.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use budget::Budget;
use execution::Functions;
use experiment::{Case, Expects, Limits, Opening, Oracle};
use libtest_mimic::{Arguments, Trial};
use program::Op;
use recording::{Ending, Recording};
use replay::{Image, Observed, Observer, Step, replay, replay_window_inlined};
use symbolic::{Input, Name, Reason, Shadow};
use techniques::exploring::{Exploration, Reading, explore};
use testkit::csmith::{generate_small, seeds};
use testkit::{Build, Fixture, Tools, compile, fixtures, recorded};

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["transparency", "replay"] {
        for fixture in fixtures(folder)? {
            let name = format!("values/{}", fixture.name());
            let other = fixture.clone();
            trials.push(Trial::test(name, move || values_are_right(&other).map_err(|e| format!("{e:#}").into())));
            if folder == "replay" || !fixture.input.is_empty() || !fixture.arguments.is_empty() {
                let name = format!("ways/{}", fixture.name());
                trials.push(Trial::test(name, move || ways_come(&fixture).map_err(|e| format!("{e:#}").into())));
            }
        }
    }
    for seed in seeds(8) {
        trials.push(Trial::test(format!("random/{seed}"), move || random(seed).map_err(|e| format!("{e:#}").into())));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Steps that load or store a number, some of them.
#[derive(Default)]
struct Numbers {
    steps: Vec<Step>,
    seen: u64,
}

impl Observer for Numbers {
    fn step(&mut self, step: &Observed<'_>) {
        let ty = match &step.instruction().op {
            Op::Store { value_type, .. } => value_type,
            Op::Load { .. } => &step.instruction().ty,
            _ => return,
        };
        if !matches!(ty, program::Type::Int(_)) {
            return;
        }
        self.seen += 1;
        // The first of them, and then fewer and fewer.
        if self.seen < 100 || self.seen.is_power_of_two() || self.seen.is_multiple_of(977) && self.steps.len() < 2000 {
            self.steps.push(step.step());
        }
    }
}

/// Makes symbols of the input and of values on the way.
fn shadowed(path: &Path, inputs: &[Input], spacing: usize) -> Result<(BTreeMap<String, u64>, usize, usize)> {
    let recording = Recording::open(path)?;
    let image = Image::new(&recording);
    let stream = abi::StreamId::MAIN;
    let (_, numbers) = replay(&image, stream, Numbers::default())?;
    let functions = Functions::new(&image);
    let limits = symbolic::Limits { terms: 1 << 28, conditions: 1 << 16, ..symbolic::Limits::default() };
    let mut shadow = Shadow::new(&functions, std::iter::empty(), inputs.to_vec(), limits);
    for step in numbers.steps.iter().step_by(spacing) {
        shadow.make_fresh(*step);
    }
    let (_, shadow) = replay_window_inlined(&image, stream, None, None, shadow)?;
    let shadowed = shadow.finish();
    let mut wrong = BTreeMap::new();
    for (site, reason, count) in shadowed.lost.iter() {
        if *reason == Reason::Wrong {
            let function = functions.function(site.function);
            let line = function.instruction(site.instruction).location.map_or(0, |location| location.line);
            *wrong.entry(format!("{} line {line}, {}", function.name, site.instruction)).or_default() += count;
        }
    }
    let forced = shadowed.path.conditions.iter().filter(|condition| condition.forced).count();
    Ok((wrong, forced, shadowed.path.conditions.len()))
}

fn are_right(path: &Path, inputs: &[Input]) -> Result<()> {
    for spacing in [1, 7] {
        let (wrong, forced, _) = shadowed(path, inputs, spacing)?;
        ensure!(wrong.is_empty(), "terms with another value than the run: {wrong:?}");
        ensure!(forced == 0, "{forced} conditions do not hold of the run that they are of");
    }
    Ok(())
}

fn values_are_right(fixture: &Fixture) -> Result<()> {
    let tools = Tools::find()?;
    let (path, _folder) = recorded(&tools, fixture, Build::Faultline2)?;
    let mut inputs = vec![Input { name: Name::Standard, content: fixture.input.clone() }];
    for (position, argument) in (1..).zip(&fixture.arguments) {
        inputs.push(Input { name: Name::Argument(position), content: argument.clone().into_bytes() });
    }
    are_right(&path, &inputs)
}

fn ways_come(fixture: &Fixture) -> Result<()> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let program = compile(&tools, fixture, Build::Faultline2, folder.path())?;
    let arguments = fixture.arguments.iter().map(Into::into).collect();
    came(&program, arguments, fixture.input.clone(), Duration::from_secs(2))
}

fn came(program: &Path, arguments: Vec<std::ffi::OsString>, input: Vec<u8>, time: Duration) -> Result<()> {
    let case = Case::new(program, arguments)?.with_input(input);
    let limits = Limits { time: Duration::from_secs(2), memory: 1 << 30, workers: 1, ..Limits::default() };
    let opening = Opening { expects: Expects::Anything, ..Opening::of(case, Oracle::default(), limits) };
    let lab = match opening.open() {
        Ok(lab) => lab,
        // What is not the same each time cannot be predicted.
        Err(experiment::LabError::Flaky(_)) => return Ok(()),
        Err(error) => return Err(error).context("the lab"),
    };
    let question = smt::Limits { time: Duration::from_secs(1), conflicts: 5_000, ..smt::Limits::default() };
    let reading = Reading::of(&lab, symbolic::Limits::default(), question);
    let begun = Instant::now();
    let found = explore(&lab, &reading, &Budget::of(Duration::from_secs(60)), |found, _| {
        let is_enough = begun.elapsed() > time && found.tally.recorded > 3 || found.tally.recorded > 60;
        if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let Exploration { tally, .. } = found.context("exploring")?;
    ensure!(tally.departed == 0, "{} recordings did not replay", tally.departed);
    let wrong: Vec<_> = tally.lost.iter().filter(|((_, reason), _)| *reason == Reason::Wrong).collect();
    ensure!(wrong.is_empty(), "terms with another value than the run: {wrong:?}");
    ensure!(
        tally.exact_came == tally.exact_predicted,
        "of {} predicted ways, where nothing was given up, {} came",
        tally.exact_predicted,
        tally.exact_came
    );
    Ok(())
}

/// A random program whose global variables are read from standard input.
fn random(seed: u64) -> Result<()> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    let source = generate_small(seed, folder.path())?;
    let text = std::fs::read_to_string(&source)?;
    let (text, input) = reading_globals(&text);
    std::fs::write(&source, text)?;
    let program = testkit::csmith::build(&tools, &source, Build::Faultline2, folder.path())?;
    came(&program, Vec::new(), input.clone(), Duration::from_secs(2))?;
    let recording = folder.path().join("recording.flt");
    let mut record = std::process::Command::new(&tools.faultline);
    record.args(["record", "--time-limit", "2", "-o"]).arg(&recording).arg("--").arg(&program);
    testkit::run(&mut record, &input, Duration::from_secs(60))?;
    // All steps of a run that does not end are too many.
    if Recording::open(&recording)?.end().is_none_or(|end| end.ending == Ending::TimeLimit) {
        return Ok(());
    }
    are_right(&recording, &[Input { name: Name::Standard, content: input }])
}

/// Makes a program read the initial values of its numbers; gives what it is to read.
fn reading_globals(text: &str) -> (String, Vec<u8>) {
    let (mut reads, mut input) = (String::new(), Vec::new());
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("static ") else { continue };
        let Some((declared, value)) = rest.split_once(" = ") else { continue };
        let Some((ty, name)) = declared.rsplit_once(' ') else { continue };
        let bytes = match ty {
            "int8_t" | "uint8_t" => 1,
            "int16_t" | "uint16_t" => 2,
            "int32_t" | "uint32_t" => 4,
            "int64_t" | "uint64_t" => 8,
            _ => continue,
        };
        let digits = value.trim_end_matches(';').trim_end_matches(['U', 'L']);
        let (is_negative, digits) = match digits.strip_prefix("(-").map(|rest| rest.trim_end_matches([')', 'L', 'U'])) {
            Some(digits) => (true, digits),
            None => (false, digits),
        };
        let parsed = match digits.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => digits.parse(),
        };
        let Ok(parsed) = parsed else { continue };
        let number = if is_negative { parsed.wrapping_neg() } else { parsed };
        input.extend(&number.to_le_bytes()[..bytes]);
        reads += &format!("    if (read(0, (void *)&{name}, {bytes}) != {bytes}) return 1;\n");
    }
    let main = text.find("int main (").and_then(|at| text[at..].find('{').map(|brace| at + brace + 1));
    let Some(main) = main else { return (text.to_owned(), Vec::new()) };
    let (before, after) = text.split_at(main);
    (format!("#include <unistd.h>\n{before}\n{reads}{after}"), input)
}
