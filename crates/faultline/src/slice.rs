//! `faultline slice`: each line, or step, that a failure depends on.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use abi::InstructionId;
use anyhow::Result;
use execution::dependence::graph::{Builder, Graph};
use execution::dependence::{Follow, Kind as Reason, Mark, Walk};
use execution::slice::{Reach, Request, Slice};
use execution::{Run, unexamined};
use findings::Line;
use program::potential::Potential;
use program::{Role, role};
use recording::Recording;
use replay::{Image, Step};
use serde::Serialize;
use source::lines::{Texts, function_name, line_at, shown_path};
use source::sources::Sources;
use source::told::{Told, tell};

use crate::question::{Answerable, Asked};

/// Show what a failure depends on, as lines with counts or as steps with values
///
/// Without options, the failure is the crash, failed assertion, hang or exit status that the run ended with.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made by `faultline record`
    recording: PathBuf,
    #[command(flatten)]
    asked: Asked,
    /// Which dependences to follow
    #[arg(long, value_enum, default_value_t = Kind::Full)]
    kind: Kind,
    /// List steps with their values, latest first, instead of lines with counts
    #[arg(long)]
    steps: bool,
    /// Maximum number of steps to show
    #[arg(long, value_name = "N", default_value_t = 200)]
    limit: usize,
    /// How far back to look, in ticks of the clock [default: 50 million for a hang, otherwise the whole run]
    #[arg(long, value_name = "TICKS")]
    reach: Option<u64>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    /// Only where values came from
    Data,
    /// Also the conditions that decided whether a step was executed
    Full,
    /// Also the conditions that skipped an assignment which would have mattered
    Relevant,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
    /// For Graphviz
    Dot,
}

impl Kind {
    /// What a relevant slice must know of the program's text.
    fn potential<'r>(self, run: &Run<'r>) -> Result<Option<Potential<'r>>> {
        Ok(if self == Kind::Relevant { Some(run.potential()?) } else { None })
    }

    fn follow<'f>(self, potential: &'f Option<Potential<'f>>) -> Follow<'f> {
        match (self, potential) {
            (_, Some(potential)) => Follow::Relevant(potential),
            (Kind::Data, None) => Follow::Data,
            (Kind::Full | Kind::Relevant, None) => Follow::DataAndControl,
        }
    }
}

#[derive(Serialize)]
struct Answer {
    subject: String,
    /// How many steps are in the slice.
    steps: u64,
    lines: Vec<LineAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<Vec<StepAnswer>>,
    limits: Vec<String>,
}

#[derive(Serialize)]
struct LineAnswer {
    file: String,
    line: u32,
    function: String,
    /// How often something on the line that assigns, decides, calls or returns is in the slice; or reads, if it only reads.
    count: u64,
}

#[derive(Serialize)]
struct StepAnswer {
    clock: u64,
    file: Option<String>,
    line: Option<u32>,
    function: String,
    text: String,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recording = Recording::open(&arguments.recording)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, arguments.asked.thread(&image)?)?;
    let sources = Sources::new(&image)?;
    let question = arguments.asked.question(&run, &sources)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let written = if arguments.format == Format::Dot {
        dot(&mut out, &run, &sources, &question, arguments)
    } else {
        let listed = if arguments.steps { usize::MAX } else { 0 };
        let potential = arguments.kind.potential(&run)?;
        let follow = arguments.kind.follow(&potential);
        let reach = arguments.reach.map_or(question.reach, Reach);
        let found = Request::of(&question.criterion).within(reach).slice(&run, follow, listed)?;
        let answer = answer(&run, &sources, &question, &found, arguments)?;
        match arguments.format {
            Format::Json => serde_json::to_writer_pretty(&mut out, &answer).map_err(Into::into),
            _ => text(&mut out, &answer).map_err(Into::into),
        }
    };
    crate::finish(written, out)
}

fn answer(
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    question: &Answerable,
    found: &Slice,
    arguments: &Arguments,
) -> Result<Answer> {
    let lines = lines(run, found)?;
    let listed = if arguments.steps { Some(steps(run, sources, found, arguments.limit)?) } else { None };
    Ok(Answer { subject: question.subject.clone(), steps: found.steps, lines, listed, limits: limits(run, found) })
}

/// Lines in the order of files and numbers. A line counts once for each step on it that has an effect.
fn lines(run: &Run<'_>, found: &Slice) -> Result<Vec<LineAnswer>> {
    let mut counts: BTreeMap<(Line, String), [u64; 2]> = BTreeMap::new();
    for (&key, sites) in &found.counts {
        if run.functions.is_twin(key) {
            continue;
        }
        let (module, function) = (run.functions.module(key)?, run.functions.function(key));
        for (id, &count) in (0..).map(InstructionId).zip(sites).filter(|(_, count)| **count > 0) {
            let instruction = function.instruction(id);
            // What has no position of its own (a parameter's arrival) is not shown.
            let Some(line) = instruction.location.and_then(|l| source::lines::line_of(module, l)) else { continue };
            let entry = counts.entry((line, function_name(&run.functions, key))).or_default();
            match role(&instruction.op, &instruction.ty) {
                Role::Effect => entry[0] += u64::from(count),
                Role::Pure | Role::Silent => entry[1] = entry[1].max(u64::from(count)),
            }
        }
    }
    let lines = counts.into_iter().map(|((line, function), [effects, reads])| LineAnswer {
        file: line.file,
        line: line.line,
        function,
        count: if effects > 0 { effects } else { reads },
    });
    Ok(lines.collect())
}

fn steps(run: &Run<'_>, sources: &Sources<'_, '_>, found: &Slice, limit: usize) -> Result<Vec<StepAnswer>> {
    let is_shown = |step: &&Step| {
        let function = run.functions.function(step.site.function);
        let instruction = function.instruction(step.site.instruction);
        role(&instruction.op, &instruction.ty) == Role::Effect && !run.functions.is_twin(step.site.function)
    };
    let shown: Vec<Step> = found.listed.iter().filter(is_shown).take(limit).copied().collect();
    let told = tell(run, sources, &shown.iter().copied().collect())?;
    shown.into_iter().map(|step| step_answer(run, step, told.get(&step))).collect()
}

fn step_answer(run: &Run<'_>, step: Step, told: Option<&Told>) -> Result<StepAnswer> {
    let (module, function) = (run.functions.module(step.site.function)?, run.functions.function(step.site.function));
    let line = line_at(module, function, step.site.instruction);
    Ok(StepAnswer {
        clock: step.clock,
        file: line.as_ref().map(|l| l.file.clone()),
        line: line.map(|l| l.line),
        function: function_name(&run.functions, step.site.function),
        text: told.map_or_else(|| "continues".into(), Told::to_string),
    })
}

fn limits(run: &Run<'_>, found: &Slice) -> Vec<String> {
    let mut limits = unexamined::limits(run);
    let mut unknown: Vec<_> = found.unknown.iter().collect();
    unknown.sort();
    for (name, count) in unknown {
        let calls = if *count == 1 { "1 call".into() } else { format!("{count} calls") };
        limits.push(format!("the effects of {name} are unknown; assumed to read only its arguments ({calls})"));
    }
    if let Some(clock) = found.cut {
        limits.push(format!(
            "steps before tick {clock} of {} were not examined; use a larger --reach to include them",
            run.summary.clock
        ));
    }
    if found.unseen > 0 {
        limits.push(format!(
            "{} bytes were changed by code that was not recorded: another thread, the kernel, or a signal handler",
            found.unseen
        ));
    }
    limits
}

fn text(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let files: BTreeSet<&str> = answer.lines.iter().map(|l| l.file.as_str()).collect();
    let plural = |n: usize, what: &str| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
    writeln!(
        out,
        "{} depends on {} on {} of {}",
        answer.subject,
        plural(answer.steps as usize, "step"),
        plural(answer.lines.len(), "line"),
        plural(files.len(), "file")
    )?;
    let mut texts = Texts::default();
    match &answer.listed {
        Some(steps) => {
            for step in steps {
                let place = match (&step.file, step.line) {
                    (Some(file), Some(line)) => format!("{}:{line}", shown_path(file)),
                    _ => "-".into(),
                };
                writeln!(out, "{:>10}  {place:<24} {}: {}", step.clock, step.function, step.text)?;
            }
        }
        None => {
            let mut last = None;
            for line in &answer.lines {
                let place = (&line.file, &line.function);
                if last != Some(place) {
                    writeln!(out, "\n{} in {}", shown_path(&line.file), line.function)?;
                }
                last = Some(place);
                let text = texts.get(&Line { file: line.file.clone(), line: line.line }).unwrap_or("");
                writeln!(out, "{:>9}×  {:>5} | {text}", line.count, line.line)?;
            }
        }
    }
    if !answer.limits.is_empty() {
        writeln!(out)?;
    }
    for limit in &answer.limits {
        writeln!(out, "limit: {limit}")?;
    }
    Ok(())
}

/// The graph of a criterion, with at most `most` steps.
pub fn graph(run: &Run<'_>, question: &Answerable, follow: Follow<'_>, most: usize) -> Result<Graph> {
    let builder = Builder::new(&run.functions, most);
    let walk = Walk::new(&run.functions, follow, builder);
    let root = question.criterion.step(run);
    let mark = |builder: &mut Builder<'_>| root.map_or(Mark::NOBODY, |at| builder.root(at));
    Ok(Request::of(&question.criterion).walk(run, walk, mark)?.demand.graph)
}

fn dot(
    out: &mut impl Write,
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    question: &Answerable,
    arguments: &Arguments,
) -> Result<()> {
    let potential = arguments.kind.potential(run)?;
    let graph = graph(run, question, arguments.kind.follow(&potential), arguments.limit)?;
    let told: HashMap<Step, Told> = tell(run, sources, &graph.steps.iter().copied().collect())?;
    writeln!(out, "digraph slice {{\n  rankdir=BT;\n  node [shape=box, fontname=monospace];")?;
    for (id, step) in graph.steps.iter().enumerate() {
        let step = step_answer(run, *step, told.get(step))?;
        let place = step.line.map_or_else(String::new, |line| format!("{line}: "));
        let label = format!("{place}{}", step.text).replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "  s{id} [label=\"{label}\"];")?;
    }
    for edge in &graph.edges {
        let style = if edge.kind == Reason::Control { " [style=dashed]" } else { "" };
        writeln!(out, "  s{} -> s{}{style};", edge.to.0, edge.from.0)?;
    }
    writeln!(out, "}}")?;
    Ok(())
}
