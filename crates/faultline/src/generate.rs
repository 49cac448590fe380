//! `faultline generate`: tests near the failing one, made until they separate the fault, and what they did, ranked.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};
use budget::Budget;
use experiment::{End, Lab};
use findings::{Caveat, Findings, Limit};
use techniques::Notebook;
use techniques::generate::{
    Compared, Generated, Means, Options, Said, Selection, Shown, found, generate, why_not, write as write_suite,
};

use crate::answer::{DOES_NOT_FAIL, Format, write};
use crate::case::{CaseArguments, Opened};
use crate::person::Person;
use crate::search::{leave, search};
use crate::shell::quoted;
use crate::terminal::Terminal;

/// Generate tests near a failing run that tell the faulty lines from the others, and rank the lines by them
///
/// Without a suite of tests, nothing tells which lines failing runs share and correct runs do not. So tests are made: the
/// conditions of the failing run are reversed one at a time, and a solver looks for an input for each. Each test is judged: without an oracle, by whether it crashes, fails an assertion or hangs; otherwise by --check, --reference or
/// --expect-exit. --expect is the output for one input only, so it cannot judge others: with --ask, you can. A test fails only
/// if it fails in the same way; any other failure is listed. Tests are made until the ranking no longer changes. Each test is a
/// separate run in a sandbox: it cannot change your files, or reach other processes or the network. Exit status: 0 a suspect
/// was found, 1 the program does not fail, 2 wrong use or an error of faultline, 3 nothing was found within the budget.
#[derive(Clone, clap::Args)]
pub struct Arguments {
    /// Which test is made next
    #[arg(long, value_enum, default_value_t = Select::Near)]
    select: Select,
    /// With --select pcs: compare paths by the longest stretch that they have in common
    #[arg(long)]
    subsequence: bool,
    /// Maximum number of tests to generate
    #[arg(long, value_name = "N", default_value_t = 200)]
    most: usize,
    /// Write the tests into this folder: `suite.toml`, which --tests and `faultline rank` read, and a file for each input and
    /// each expected output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show tests that cannot be judged with what they print, and ask whether that is right
    ///
    /// The tests that tell most are asked about first. Answers are read from the terminal, or from standard input if `--stdin`
    /// names the program's input.
    #[arg(long)]
    ask: bool,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    case: CaseArguments,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Select {
    /// One near the places on the failing path where reversed conditions begin to prevent the failure
    Near,
    /// The one whose path has most in common with that of the failing run
    Pcs,
    /// The one whose input has most in common with the failing input
    Is,
    /// One that takes a path no test has taken, starting from the failing input
    Coverage,
    /// The same, starting from an empty input
    Base,
}

/// The answer so far, for when it must be given early.
type SoFar = Mutex<Option<Findings>>;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.subsequence && arguments.select != Select::Pcs {
        bail!("--subsequence says how paths are compared, which only --select pcs does");
    }
    let person = match arguments.ask {
        true => Some(Person::new(arguments.case.stdin().is_some())?),
        false => None,
    };
    let budget = arguments.case.budget()?;
    let (notebook, so_far) = (Arc::new(Notebook::default()), Arc::new(SoFar::default()));
    let searched = {
        let (arguments, budget) = (arguments.clone(), budget.clone());
        let (notebook, so_far) = (notebook.clone(), so_far.clone());
        search(&budget.clone(), move || searched(&arguments, person, &budget, &notebook, &so_far))?
    };
    leave(match searched {
        Some(Ok(Searched::Known(found))) => write(&found, arguments.format),
        Some(Ok(Searched::DoesNotFail(why))) => {
            eprintln!("faultline: {why}");
            Ok(DOES_NOT_FAIL)
        }
        Some(Err(error)) => Err(error),
        Some(Ok(Searched::Spent)) | None => {
            let known = so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take();
            let unfinished = notebook.answer(&budget);
            let answer = match known {
                Some(mut known) => {
                    known.limits.extend(unfinished.limits);
                    known
                }
                None => unfinished,
            };
            write(&answer, arguments.format)
        }
    })
}

/// What came of the search.
enum Searched {
    Known(Box<Findings>),
    DoesNotFail(String),
    /// What was written down is all there is.
    Spent,
}

fn searched(
    arguments: &Arguments,
    person: Option<Person>,
    budget: &Budget,
    notebook: &Notebook,
    so_far: &SoFar,
) -> Result<Searched> {
    let lab = match arguments.case.open(budget, notebook)? {
        Opened::Lab(lab) => lab,
        Opened::DoesNotFail(why) => return Ok(Searched::DoesNotFail(why)),
        Opened::Spent => return Ok(Searched::Spent),
    };
    if let Some(why) = why_not(lab).filter(|_| person.is_none()) {
        bail!("{why}. With --ask, you are shown what the program prints for other inputs, and say whether it is right");
    }
    notebook.doing("tests were being generated");
    let progress = Terminal::new();
    let options = Options { asks: person.is_some(), ..options(arguments) };
    let means = Means { lab, options, budget, progress: &progress };
    let asking = person.map(|person| Asking { person, budget: budget.clone() });
    let generated =
        generate(&means, asking.as_ref().map(|asking| asking as &dyn techniques::generate::Person), |all| {
            *so_far.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(answered(all, lab, budget));
            ControlFlow::Continue(())
        });
    progress.finish();
    let generated = match generated {
        Err(error) if error.spent().is_some() => return Ok(Searched::Spent),
        other => other?,
    };
    let mut known = answered(&generated, lab, budget);
    if let Some(folder) = &arguments.out {
        known.limits.extend(written(&generated, lab, folder)?);
    }
    Ok(Searched::Known(Box::new(known)))
}

fn options(arguments: &Arguments) -> Options {
    let selection = match (arguments.select, arguments.subsequence) {
        (Select::Near, _) => Selection::Near,
        (Select::Pcs, false) => Selection::PathConstraints(Compared::Subset),
        (Select::Pcs, true) => Selection::PathConstraints(Compared::Subsequence),
        (Select::Is, _) => Selection::Inputs,
        (Select::Coverage, _) => Selection::Coverage,
        (Select::Base, _) => Selection::Base,
    };
    Options { selection, most: arguments.most, ..Options::default() }
}

fn answered(generated: &Generated, lab: &Lab, budget: &Budget) -> Findings {
    let mut known = found(generated).into_findings(budget.elapsed());
    // Tests were run; no experiment had to show anything. But what nothing passes is no ranking.
    known.unproven = generated.measured.spectrum.passing == 0;
    known.caveats.extend(lab.caveats().into_iter().map(|text| Caveat::Stated { text }));
    known.limits.extend(lab.shortcomings().into_iter().map(|text| Limit::Stated { text }));
    if budget.was_interrupted() {
        known.limits.push(Limit::Interrupted);
    }
    known
}

/// Writes the suite, and says so; what could not be written is a limit.
fn written(generated: &Generated, lab: &Lab, folder: &Path) -> Result<Option<Limit>> {
    let written = write_suite(generated, lab, folder).with_context(|| format!("cannot write {}", folder.display()))?;
    let others = match written.others {
        0 => String::new(),
        count => format!("; {count} that fail in another way in {}", folder.join("other-failures.toml").display()),
    };
    eprintln!("faultline: {} tests are in {}{others}", written.tests, folder.join("suite.toml").display());
    let text = format!(
        "these tests are not in the suite, since a suite cannot express their arguments or environment: {}",
        written.left_out.join(", ")
    );
    Ok((!written.left_out.is_empty()).then_some(Limit::Stated { text }))
}

/// A person, who takes time that does not count.
struct Asking {
    person: Person,
    budget: Budget,
}

impl techniques::generate::Person for Asking {
    fn say(&self, test: &Shown<'_>) -> Said {
        let _waiting = self.budget.wait();
        self.person.tell(&described(test));
        let question = format!("Is this output right? yes, no, unknown, enough ({} left): ", test.left);
        self.person.ask(&question, said).unwrap_or(Said::Enough)
    }
}

fn said(word: &str) -> Option<Said> {
    match word {
        "yes" | "y" | "right" | "r" => Some(Said::Right),
        "no" | "n" | "wrong" | "w" => Some(Said::Wrong),
        "unknown" | "u" | "" => Some(Said::Unknown),
        "enough" | "e" | "quit" | "q" => Some(Said::Enough),
        _ => None,
    }
}

/// A test, with what it prints.
fn described(test: &Shown<'_>) -> String {
    let Shown { case, input, ran, .. } = test;
    let mut words = vec![quoted(&case.name)];
    words.extend(input.arguments.iter().map(|word| quoted(word)));
    let mut text = format!("{}\n", words.join(" "));
    for (name, value) in &input.environment {
        let value = value.as_ref().map_or("(not set)".into(), |value| quoted(value));
        text += &format!("  with {}={value}\n", name.to_string_lossy());
    }
    for (path, content) in &input.files {
        text += &format!("  {}: {}\n", path.display(), shown(content));
    }
    if !input.stdin.is_empty() {
        text += &format!("  standard input: {}\n", shown(&input.stdin));
    }
    text += &format!("  prints {}", shown(&ran.output));
    if !ran.error.is_empty() {
        text += &format!(", and as errors {}", shown(&ran.error));
    }
    if let End::Exited(status @ 1..) = ran.end {
        text += &format!(", and exits with status {status}");
    }
    text
}

/// Bytes as text, not too many of them.
fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 400;
    let rest = if bytes.len() > MOST { "..." } else { "" };
    format!("\"{}\"{rest}", bytes[..bytes.len().min(MOST)].escape_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_first_letters_are_understood() {
        assert_eq!(["y", "right"].map(said), [Some(Said::Right); 2]);
        assert_eq!(
            ["no", "w", "", "q"].map(said),
            [Some(Said::Wrong), Some(Said::Wrong), Some(Said::Unknown), Some(Said::Enough)]
        );
        assert_eq!(said("perhaps"), None);
    }

    #[test]
    fn what_is_shown_is_not_too_long() {
        assert_eq!(shown(b"a\n\xff"), "\"a\\n\\xff\"");
        assert!(shown(&[b'a'; 1000]).ends_with("a\"..."));
    }
}
