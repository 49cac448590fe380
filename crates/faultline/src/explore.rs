//! `faultline explore`: new inputs for a program, one path each.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use budget::Budget;
use experiment::{Case, End, Lab, Outcome};
use symbolic::Reason;
use techniques::Notebook;
use techniques::exploring::{Exploration, Kept, Reading, Tally, explore};

use crate::answer::write_text;
use crate::case::{CaseArguments, Opened};
use crate::search::{leave, search};

/// Find new inputs that make the program go other ways
///
/// The program is run on the input given, recorded and replayed with symbols for the bytes of its standard input, arguments,
/// environment and the files of --dir, and for their lengths. A solver turns one condition after the other; each input found
/// is run in a sandbox, and those that go a new way are recorded and turned as well. The report says what stopped it from
/// finding more, and where. Ctrl-C ends the search and keeps what was found. Exit status: 0 what --until asks for was
/// reached (without --until: new inputs were found), 2 wrong use or an error of faultline, 3 not within the budget.
#[derive(Clone, clap::Args)]
pub struct Arguments {
    /// When to stop: at the first `crash`; at the first run that the oracle (`check`) finds wrong; when `coverage` grows no
    /// more; or after N inputs
    #[arg(long, value_name = "crash|check|coverage|N")]
    until: Option<Until>,
    /// A folder for the inputs, each in a folder of its own with what it needs to be run: `sh DIR/0001/run`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    case: CaseArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Until {
    Crash,
    Check,
    Coverage,
    Inputs(usize),
}

impl FromStr for Until {
    type Err = String;

    fn from_str(text: &str) -> Result<Until, String> {
        match text {
            "crash" => Ok(Until::Crash),
            "check" => Ok(Until::Check),
            "coverage" => Ok(Until::Coverage),
            number => number
                .parse()
                .map(Until::Inputs)
                .map_err(|_| format!("{number} is neither crash, check, coverage nor a number of inputs")),
        }
    }
}

const NOT_REACHED: u8 = 3;
/// Inputs in a row that cover nothing new: coverage grows no more.
const IN_VAIN: usize = 200;

/// What is known so far, for an answer that must be given early.
#[derive(Default)]
struct SoFar {
    text: String,
    reached: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.until == Some(Until::Check) && !arguments.case.can_judge_other_inputs() {
        bail!("--until check needs --check CMD or --reference PROG, which can judge runs on other inputs");
    }
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let budget = arguments.case.budget()?;
    let (notebook, so_far) = (Arc::new(Notebook::default()), Arc::new(Mutex::new(SoFar::default())));
    let searched = {
        let (arguments, budget) = (arguments.clone(), budget.clone());
        let (notebook, so_far) = (notebook.clone(), so_far.clone());
        search(&budget.clone(), move || searched(&arguments, &budget, &notebook, &so_far))?
    };
    leave(match searched {
        Some(Err(error)) => Err(error),
        Some(Ok(())) | None => {
            let known = std::mem::take(&mut *so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner()));
            let text = match known.text.is_empty() {
                true => {
                    let limits = notebook.answer(&budget).limits;
                    let limits: Vec<String> = limits.iter().map(report::english::limit).collect();
                    format!("Nothing was found: {}\n", limits.join("; "))
                }
                false => known.text,
            };
            write_text(&text).map(|()| if known.reached { 0 } else { NOT_REACHED })
        }
    })
}

fn searched(arguments: &Arguments, budget: &Budget, notebook: &Notebook, so_far: &Mutex<SoFar>) -> Result<()> {
    let lab = match arguments.case.open_any(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => bail!(why),
        Opened::Spent => return Ok(()),
    };
    notebook.doing("new inputs were being searched for");
    let reading = Reading::of(lab, symbolic::Limits::default(), question_limits());
    let mut writer = Writer { folder: arguments.out.as_deref(), case: lab.case(), written: 0 };
    let mut shown = Shown { last: None, begun: Instant::now() };
    let mut in_vain = 0;
    let mut reached = false;
    let mut failed = None;
    let explored = explore(lab, &reading, budget, |found, kept| {
        shown.show(found);
        if let Some(kept) = kept {
            in_vain = if kept.new_ways > 0 { 0 } else { in_vain + 1 };
            if let Err(error) = writer.write(found.kept.len(), kept) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        reached = match arguments.until {
            Some(Until::Crash) => kept.is_some_and(crashed),
            Some(Until::Check) => kept.is_some_and(is_wrong),
            Some(Until::Coverage) => in_vain >= IN_VAIN,
            Some(Until::Inputs(count)) => found.kept.len() > count,
            None => false,
        };
        note(so_far, arguments, lab, found, reached);
        if reached { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    shown.finish();
    if let Some(error) = failed {
        return Err(error);
    }
    let explored = match explored {
        Ok(explored) => explored,
        Err(error) if error.spent().is_some() => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let is_done = explored.is_exhausted && arguments.until == Some(Until::Coverage);
    let has_more = arguments.until.is_none() && explored.kept.len() > 1;
    note(so_far, arguments, lab, &explored, reached || is_done || has_more);
    Ok(())
}

fn question_limits() -> smt::Limits {
    smt::Limits { conflicts: 20_000, time: Duration::from_secs(2), ..smt::Limits::default() }
}

fn crashed(kept: &Kept) -> bool {
    matches!(kept.end, End::Killed(_))
}

fn is_wrong(kept: &Kept) -> bool {
    !matches!(kept.outcome, Outcome::Passes | Outcome::CannotTell | Outcome::Refused)
}

fn note(so_far: &Mutex<SoFar>, arguments: &Arguments, lab: &Lab, found: &Exploration, reached: bool) {
    let mut known = so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    known.reached = reached || arguments.until.is_none() && found.kept.len() > 1;
    known.text = text(arguments, lab, found, reached);
}

/// Writes inputs as they are found.
struct Writer<'a> {
    folder: Option<&'a Path>,
    case: &'a Case,
    written: usize,
}

impl Writer<'_> {
    /// The first is the one that was given.
    fn write(&mut self, number: usize, kept: &Kept) -> Result<()> {
        let Some(folder) = self.folder else { return Ok(()) };
        let folder = folder.join(format!("{:04}", number - 1));
        let written = std::fs::create_dir_all(&folder).and_then(|()| kept.input.write_to(&folder, self.case));
        self.written += 1;
        written.with_context(|| format!("cannot write {}", folder.display()))
    }
}

fn text(arguments: &Arguments, lab: &Lab, found: &Exploration, reached: bool) -> String {
    let Exploration { kept, tally, covered, covered_first, .. } = found;
    let mut text = String::new();
    match (arguments.until, reached) {
        (Some(Until::Crash), true) => text += "An input crashes the program:\n",
        (Some(Until::Check), true) => text += "The program does something wrong on an input:\n",
        (Some(_), false) => text += "Not reached.\n",
        (Some(Until::Coverage | Until::Inputs(_)), true) | (None, _) => {}
    }
    if let (Some(Until::Crash | Until::Check), true, Some(last)) = (arguments.until, reached, kept.last()) {
        text += &described(last, arguments, kept.len() - 1);
    }
    text += &format!(
        "{} new paths from {} runs ({} recorded, {} crashed, {} wrong). Ways of branches covered: {} by the first input, {} now.\n",
        kept.len().saturating_sub(1),
        tally.runs,
        tally.recorded,
        tally.crashes,
        tally.wrong,
        covered_first,
        covered.len(),
    );
    text += &format!(
        "{} questions to the solver in {:.1} s; {} turns are impossible, {} were not decided in time. {} of {} predicted ways came",
        tally.questions, tally.solving, tally.never, tally.unknown, tally.came, tally.predicted,
    );
    if tally.exact_predicted > 0 {
        text += &format!(" ({} of {} where nothing was given up)", tally.exact_came, tally.exact_predicted);
    }
    text += ".\n";
    if found.is_exhausted {
        text += "Every condition of every path that was found has been turned.\n";
    }
    text += &reasons(tally);
    for shortcoming in lab.shortcomings() {
        text += &format!("{shortcoming}\n");
    }
    text
}

fn described(kept: &Kept, arguments: &Arguments, number: usize) -> String {
    let ended = match kept.end {
        End::Killed(signal) => format!("it was killed by signal {signal}"),
        End::Exited(status) => format!("it exited with status {status}"),
        End::TooLong | End::Budget => "it did not end".to_owned(),
        End::Stopped | End::Forks | End::Memory | End::Disk => "it was stopped".to_owned(),
    };
    let mut text = format!("  {ended}\n");
    let shown = |bytes: &[u8]| {
        const MOST: usize = 200;
        let rest = if bytes.len() > MOST { "..." } else { "" };
        format!("\"{}\"{rest}", bytes[..bytes.len().min(MOST)].escape_ascii())
    };
    text += &format!("  standard input: {}\n", shown(&kept.input.stdin));
    if !kept.input.arguments.is_empty() {
        let words: Vec<String> = kept.input.arguments.iter().map(|word| crate::shell::quoted(word)).collect();
        text += &format!("  arguments: {}\n", words.join(" "));
    }
    for (path, content) in &kept.input.files {
        text += &format!("  {}: {}\n", path.display(), shown(content));
    }
    for (name, value) in &kept.input.environment {
        let value = value.as_ref().map_or("(not set)".into(), |value| crate::shell::quoted(value));
        text += &format!("  {}={value}\n", name.to_string_lossy());
    }
    if let Some(folder) = &arguments.out {
        text += &format!("  in {}\n", folder.join(format!("{number:04}")).display());
    }
    text
}

/// Why there is not more.
fn reasons(tally: &Tally) -> String {
    /// Places that are listed.
    const MOST: usize = 12;
    let mut all: Vec<_> = tally.lost.iter().collect();
    all.sort_by_key(|(_, (runs, count))| std::cmp::Reverse((*runs, *count)));
    let mut text = String::new();
    if !all.is_empty() {
        text += "What was not followed:\n";
    }
    for ((function, line, reason), (runs, count)) in all.iter().take(MOST) {
        text += &format!("  {function}, line {line}: {} ({count} times in {runs} runs)\n", spoken(reason));
    }
    if all.len() > MOST {
        text += &format!("  and {} more places\n", all.len() - MOST);
    }
    for (count, what) in [
        (tally.alike, "turns were left out, since many at the same place had been tried"),
        (tally.forgotten, "inputs were not followed, since there were too many"),
        (tally.departed, "recorded runs could not be replayed"),
    ] {
        if count > 0 {
            text += &format!("  {count} {what}\n");
        }
    }
    text
}

fn spoken(reason: &Reason) -> String {
    match reason {
        Reason::Float => "floating point is not symbolic".to_owned(),
        Reason::Vector => "vectors are not symbolic".to_owned(),
        Reason::Atomic => "an atomic operation is not symbolic".to_owned(),
        Reason::PinnedLoad => "the address of a load was taken as it was".to_owned(),
        Reason::PinnedStore => "the address of a store was taken as it was".to_owned(),
        Reason::PinnedSize => "a size or a position was taken as it was".to_owned(),
        Reason::Outside(name) => format!("what {name} makes of its input is unknown"),
        Reason::Reading(name) => format!("what {name} reads is not followed"),
        Reason::Full => "memory for terms was used up".to_owned(),
        Reason::Wrong => "a computed value was not that of the run (a bug of faultline's)".to_owned(),
    }
}

/// A line that is written over; plain lines now and then where there is no terminal.
struct Shown {
    last: Option<Instant>,
    begun: Instant,
}

impl Shown {
    fn show(&mut self, found: &Exploration) {
        let is_terminal = io::stderr().is_terminal();
        let pause = Duration::from_millis(if is_terminal { 100 } else { 10_000 });
        let now = Instant::now();
        if now < self.last.unwrap_or(self.begun) + pause {
            return;
        }
        self.last = Some(now);
        let line = format!(
            "{} paths, {} runs, {} ways covered, {} crashes",
            found.kept.len(),
            found.tally.runs,
            found.covered.len(),
            found.tally.crashes
        );
        if is_terminal {
            eprint!("\r\x1b[K{line}");
            let _ = io::stderr().flush();
        } else {
            eprintln!("faultline: {line}");
        }
    }

    fn finish(&self) {
        if io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}
