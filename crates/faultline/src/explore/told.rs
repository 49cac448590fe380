//! What an exploration found, and why not more, in sentences.

use experiment::{End, Outcome};
use failure::text::signal_name;
use source::lines::shown_path;
use symbolic::Reason;
use techniques::exploring::{Exploration, Kept, Place, Tally};

use super::{Answer, Until};
use crate::shell::quoted;

/// Places that are listed.
const MOST_PLACES: usize = 12;

pub fn progress(found: &Exploration) -> String {
    format!(
        "{}, {}, {}, {}",
        counted(found.kept.len().saturating_sub(1) as u64, "new input"),
        counted(found.tally.runs, "run"),
        counted(found.covered.len() as u64, "branch outcome"),
        counted(found.tally.crashes, "crash"),
    )
}

pub fn text(answer: &Answer<'_>) -> String {
    let Exploration { kept, tally, covered, covered_first, .. } = answer.found;
    let mut text = String::new();
    let last = kept.last().filter(|_| answer.reached);
    match (answer.arguments.until, last) {
        (Some(Until::Crash), Some(last)) => {
            text += &format!("This input crashes the program: {}.\n", ending(last));
            text += &described(last, answer, kept.len() - 1);
        }
        (Some(Until::Check), Some(last)) => {
            text += &format!("The program does not handle this input correctly: {}.\n", ending(last));
            text += &described(last, answer, kept.len() - 1);
        }
        (Some(Until::Crash), None) => text += "No input that crashes the program was found.\n",
        (Some(Until::Check), None) => text += "No input that the program handles incorrectly was found.\n",
        (Some(Until::Coverage), None) => text += "Coverage was still growing when the search ended.\n",
        (Some(Until::Inputs(wanted)), None) => {
            text += &format!("Fewer than {} were found.\n", counted(wanted as u64, "new input"));
        }
        (Some(Until::Coverage | Until::Inputs(_)) | None, _) => {}
    }
    text += &format!(
        "{}, each with a path of its own, from {} in {:.1} s.\n",
        counted(kept.len().saturating_sub(1) as u64, "new input"),
        counted(tally.runs, "run"),
        answer.seconds
    );
    text += &format!("Branch outcomes covered: {covered_first} by the given input, {} by all inputs.\n", covered.len());
    if tally.crashes + tally.wrong > 0 {
        text += &format!("Runs that crashed: {}; runs judged wrong: {}.\n", tally.crashes, tally.wrong);
    }
    if tally.questions > 0 {
        text += &format!(
            "The solver answered {} in {:.1} s: {} cannot be taken after the same beginning, {} could not be decided in time.\n",
            counted(tally.questions, "question"),
            tally.solving,
            counted(tally.never, "branch"),
            tally.unknown
        );
    }
    if tally.predicted > 0 {
        text += &format!("Of {}, {} came true.\n", counted(tally.predicted, "predicted branch"), tally.came);
    }
    if let Some(folder) = answer.arguments.out.as_deref() {
        text += &format!("The inputs are in {}; 0000 is the given one.\n", folder.display());
    }
    text + &reasons(answer)
}

/// How a run ended.
fn ending(kept: &Kept) -> String {
    match kept.end {
        End::Killed(signal) => signal_name(signal),
        End::Exited(status) => format!("exit status {status}"),
        End::TooLong | End::Budget => "it does not end".to_owned(),
        End::Stopped | End::Forks | End::Memory | End::Disk => "it was stopped".to_owned(),
    }
}

fn described(kept: &Kept, answer: &Answer<'_>, number: usize) -> String {
    let case = answer.lab.case();
    let mut text = String::new();
    if !kept.input.stdin.is_empty() || !case.input.is_empty() {
        text += &format!("  standard input: {}\n", shown(&kept.input.stdin));
    }
    if !kept.input.arguments.is_empty() {
        let words: Vec<String> = kept.input.arguments.iter().map(|word| quoted(word)).collect();
        text += &format!("  arguments: {}\n", words.join(" "));
    }
    for (path, content) in &kept.input.files {
        text += &format!("  file {}: {}\n", path.display(), shown(content));
    }
    for (name, value) in &kept.input.environment {
        match value {
            Some(value) => text += &format!("  environment: {}={}\n", name.to_string_lossy(), quoted(value)),
            None => text += &format!("  environment: {} is not set\n", name.to_string_lossy()),
        }
    }
    if let Some(folder) = answer.folder(number) {
        text += &format!("  to run it: sh {}\n", quoted(folder.join("run").as_os_str()));
    }
    text
}

fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 200;
    match bytes.get(..MOST) {
        Some(begin) => format!("\"{}\"... ({} bytes)", begin.escape_ascii(), bytes.len()),
        None => format!("\"{}\"", bytes.escape_ascii()),
    }
}

/// Why there is not more.
fn reasons(answer: &Answer<'_>) -> String {
    let tally = &answer.found.tally;
    let mut lines = Vec::new();
    if answer.found.is_exhausted {
        lines.push(match tally.lost.is_empty() && tally.unknown + tally.alike + tally.forgotten == 0 {
            true => "every branch that depends on the input has been tried both ways on every path".to_owned(),
            false => "every branch that is known to depend on the input has been tried both ways".to_owned(),
        });
    }
    lines.extend(places(tally));
    for (count, one, what) in [
        (tally.unknown, "branch", "could not be decided in time by the solver"),
        (tally.alike, "branch", "not tried: many evaluations of the same branch had been tried on that path"),
        (tally.forgotten, "input", "not explored further: too many were waiting"),
        (tally.departed, "recorded run", "could not be replayed"),
    ] {
        if count > 0 {
            lines.push(format!("{}: {what}", counted(count, one)));
        }
    }
    lines.extend(tally.troubles.iter().map(|(trouble, count)| format!("{}: {trouble}", counted(*count, "run"))));
    lines.extend(answer.lab.shortcomings());
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.into_iter().map(|line| format!("  {line}\n")).collect();
    format!("Why there may be more:\n{}", lines.concat())
}

fn places(tally: &Tally) -> Vec<String> {
    let mut all: Vec<_> = tally.lost.iter().collect();
    all.sort_by_key(|(_, lost)| std::cmp::Reverse((lost.runs, lost.count)));
    let mut lines: Vec<String> = all
        .iter()
        .take(MOST_PLACES)
        .map(|((place, reason), lost)| {
            let (times, runs) = (counted(lost.count, "time"), counted(lost.runs, "run"));
            format!("{}: {} ({times} in {runs})", spoken_place(place), spoken(reason))
        })
        .collect();
    if all.len() > MOST_PLACES {
        lines
            .push(format!("and {} (--format json lists all)", counted((all.len() - MOST_PLACES) as u64, "more place")));
    }
    lines
}

fn spoken_place(place: &Place) -> String {
    match &place.file {
        Some((file, line)) => format!("{}:{line} in {}", shown_path(file), place.function),
        None => format!("in {}", place.function),
    }
}

/// The reason, as a sentence without its end.
pub fn spoken(reason: &Reason) -> String {
    match reason {
        Reason::Float => "this floating-point operation was taken as it was".to_owned(),
        Reason::Vector => "this vector operation was taken as it was".to_owned(),
        Reason::Atomic => "this atomic operation was taken as it was".to_owned(),
        Reason::PinnedLoad => "the address that is read here depends on the input and was taken as it was".to_owned(),
        Reason::PinnedStore => {
            "the address that is written here depends on the input and was taken as it was".to_owned()
        }
        Reason::PinnedSize => "a size that depends on the input was taken as it was".to_owned(),
        Reason::Outside(name) => {
            format!("the effects of {} are unknown; its result was taken as it was", function(name))
        }
        Reason::Reading(name) => format!("what {} reads was taken as it was", function(name)),
        Reason::Full => "the memory for symbolic values was used up".to_owned(),
        Reason::Wrong => "a computed value differed from the run; this is a bug in faultline".to_owned(),
    }
}

/// A word for scripts.
pub fn key(reason: &Reason) -> &'static str {
    match reason {
        Reason::Float => "float",
        Reason::Vector => "vector",
        Reason::Atomic => "atomic",
        Reason::PinnedLoad => "address-read",
        Reason::PinnedStore => "address-written",
        Reason::PinnedSize => "size",
        Reason::Outside(_) => "unknown-function",
        Reason::Reading(_) => "input-not-followed",
        Reason::Full => "memory",
        Reason::Wrong => "wrong-value",
    }
}

/// A word for how a run ended.
pub fn outcome(outcome: Outcome) -> String {
    format!("{outcome:?}").to_lowercase()
}

/// Without the types of its parameters.
fn function(name: &str) -> String {
    program::library::in_words(name).into_owned()
}

fn counted(count: u64, one: &str) -> String {
    match (count, one) {
        (1, _) => format!("1 {one}"),
        (_, one) if one.ends_with("sh") || one.ends_with("ch") => format!("{count} {one}es"),
        _ => format!("{count} {one}s"),
    }
}
