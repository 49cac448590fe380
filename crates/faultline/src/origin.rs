//! `faultline origin`: where a value came from, hop by hop, in sentences.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use execution::dependence::Follow;
use execution::origin::{Hop, origin};
use execution::{Action, Run, unexamined};
use findings::Line;
use recording::Recording;
use replay::{Image, Step};
use serde::Serialize;
use source::sources::Sources;
use source::told::{Told, tell};

use crate::question::Asked;
use crate::slice::graph;
use source::lines::{Texts, function_name, line_at, shown_path};

/// Show where a value or a byte of the output came from, hop by hop
///
/// Each hop is a step that assigned, called or returned something, with the hops whose values it used. Without options, the
/// value is the one that the run failed with: the address of a crash, the condition of a failed assertion, the exit status.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made by `faultline record`
    recording: PathBuf,
    #[command(flatten)]
    asked: Asked,
    /// Maximum number of hops to show
    #[arg(long, value_name = "N", default_value_t = 12)]
    hops: usize,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// The most steps that are examined: twins have many for each hop.
const MOST_STEPS: usize = 200_000;

#[derive(Serialize)]
struct Answer {
    subject: String,
    hops: Vec<HopAnswer>,
    limits: Vec<String>,
}

#[derive(Serialize)]
struct HopAnswer {
    /// Counted from 1.
    number: usize,
    clock: u64,
    file: Option<String>,
    line: Option<u32>,
    function: String,
    text: String,
    /// What was used: the hop it comes from and the expression it was used by.
    from: Vec<Used>,
    /// The hop that chose that this one executes, if it used nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    because: Option<usize>,
    /// It used more than is shown.
    is_cut: bool,
    sources: Vec<&'static str>,
}

#[derive(Serialize)]
struct Used {
    hop: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    expression: Option<String>,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    let recording = Recording::open(&arguments.recording)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, arguments.asked.thread(&image)?)?;
    let sources = Sources::new(&image)?;
    let question = arguments.asked.question(&run, &sources)?;
    let graph = graph(&run, &question, Follow::DataAndControl, MOST_STEPS)?;
    let hops = origin(&run.functions, &graph, arguments.hops);
    let mut steps: BTreeSet<Step> = hops.iter().map(|hop| hop.step).collect();
    steps.extend(hops.iter().flat_map(|hop| hop.from.iter().filter_map(|(_, via)| *via)));
    let told = tell(&run, &sources, &steps)?;
    let mut unknown: Vec<&String> = graph.unknown.keys().collect();
    unknown.sort();
    let effects = |name| format!("the effects of {name} are unknown; assumed to read only its arguments");
    let mut limits = unexamined::limits(&run);
    limits.extend(unknown.into_iter().map(effects));
    if graph.is_cut {
        limits.push(format!("only the latest {MOST_STEPS} steps were examined"));
    }
    let hops = hops.iter().enumerate().map(|(at, hop)| hop_answer(&run, &told, at + 1, hop)).collect::<Result<_>>()?;
    let answer = Answer { subject: question.subject, hops, limits };
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match arguments.format {
        Format::Json => serde_json::to_writer_pretty(&mut out, &answer).map_err(Into::into),
        Format::Text => text(&mut out, &answer).map_err(Into::into),
    };
    crate::finish(written, out)
}

fn hop_answer(run: &Run<'_>, told: &HashMap<Step, Told>, number: usize, hop: &Hop) -> Result<HopAnswer> {
    let (module, function) =
        (run.functions.module(hop.step.site.function)?, run.functions.function(hop.step.site.function));
    let line = line_at(module, function, hop.step.site.instruction);
    let expression = |via: &Option<Step>| match via.and_then(|via| told.get(&via)) {
        Some(Told::Has { expression, .. }) => Some(expression.clone()),
        _ => None,
    };
    let from = hop.from.iter().map(|(at, via)| Used { hop: at + 1, expression: expression(via) }).collect();
    Ok(HopAnswer {
        number,
        clock: hop.step.clock,
        file: line.as_ref().map(|l| l.file.clone()),
        line: line.map(|l| l.line),
        function: function_name(&run.functions, hop.step.site.function),
        text: told.get(&hop.step).map_or_else(|| untold(run, hop.step).into(), Told::to_string),
        from,
        because: hop.because.map(|at| at + 1),
        is_cut: hop.is_cut,
        sources: hop.sources.iter().copied().collect(),
    })
}

/// A step that assigns, decides, calls and returns nothing.
fn untold(run: &Run<'_>, at: Step) -> &'static str {
    match run.functions.uses(at.site.function).instructions[at.site.instruction.index()].action {
        Action::StartList | Action::CopyList => "reads its variable arguments",
        _ => "the run ends here",
    }
}

fn text(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    writeln!(out, "{} comes from:", answer.subject)?;
    let mut texts = Texts::default();
    for hop in &answer.hops {
        let place = match (&hop.file, hop.line) {
            (Some(file), Some(line)) => format!("{}:{line}", shown_path(file)),
            _ => "an unknown place".into(),
        };
        writeln!(out, "\n{:>3}. {} — {place} in {}", hop.number, hop.text, hop.function)?;
        if let (Some(file), Some(line)) = (&hop.file, hop.line)
            && let Some(source) = texts.get(&Line { file: file.clone(), line })
        {
            writeln!(out, "       {}", source.trim())?;
        }
        let mut used: Vec<String> = hop
            .from
            .iter()
            .map(|used| match &used.expression {
                Some(expression) => format!("{expression} from {}", used.hop),
                None => format!("{}", used.hop),
            })
            .collect();
        used.extend(hop.sources.iter().map(|source| (*source).to_owned()));
        if hop.is_cut {
            used.push("more (see --hops)".into());
        }
        if let Some(because) = hop.because {
            writeln!(out, "       executed because of {because}")?;
        } else if !used.is_empty() {
            writeln!(out, "       using {}", used.join(", "))?;
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
