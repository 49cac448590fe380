//! The failing run, recorded: what the yardsticks that need no technique look at.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use abi::{InstructionId, StreamId};
use anyhow::Result;
use execution::Run;
use execution::criterion::Criterion;
use execution::slice::Reach;
use program::FunctionKey;
use recording::Recording;
use replay::{Image, Observed, Observer};
use source::lines::line_at;
use testkit::{Ending, Tools, run};

use crate::technique::Question;

pub struct FailingRun<'a, 'r> {
    pub run: &'a Run<'r>,
    /// What went wrong; none if it cannot be told.
    pub criterion: Option<Criterion>,
    /// How far back from there the yardsticks look: as far as `faultline` itself.
    pub reach: Reach,
    /// The name of the program's file; other lines are not the program's.
    pub source: &'a str,
}

/// When a line was last executed: the window, and the step of it.
pub type When = (usize, u64);

/// Records the failing run and looks at it.
pub fn with_failing_run<T>(
    tools: &Tools,
    question: &Question<'_>,
    source: &str,
    look: impl FnOnce(&FailingRun<'_, '_>) -> Result<T>,
) -> Result<T> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("failing.flt");
    let input = question.stdin.map(std::fs::read).transpose()?.unwrap_or_default();
    let mut record = Command::new(&tools.faultline);
    record.args(["record", "--time-limit", &question.timeout.to_string(), "-o"]).arg(&path);
    record.arg("--").arg(question.program).args(question.args);
    let ran = run(&mut record, &input, Duration::from_secs(2 * question.timeout + 10))?;
    let recording = Recording::open(&path)?;
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN)?;
    let asked = match ran.ending {
        Ending::Exit(status) if status < 128 => match question.expected {
            Some(expected) => failure::wrong_output(&run, &ran.stdout, &std::fs::read(expected.output)?)
                .or_else(|_| failure::status_of(&run, status)),
            None => failure::status_of(&run, status),
        },
        _ => failure::by_itself(&run),
    };
    let reach = asked.as_ref().map_or(Reach::ALL, failure::Question::reach);
    let criterion = asked.ok().map(|asked| asked.criterion);
    look(&FailingRun { run: &run, criterion, reach, source })
}

impl FailingRun<'_, '_> {
    /// Whether a path is that of the program's file.
    pub fn is_ours(&self, file: &str) -> bool {
        Path::new(file).ends_with(self.source)
    }

    /// The lines of the program that were executed up to a tick of the clock, and when each was for the last time.
    pub fn executed(&self, until: u64) -> Result<HashMap<u32, When>> {
        let run = self.run;
        let windows = run.forwards(|_, _| Latest { until, steps: 0, last: None, seen: Vec::new() })?;
        let mut by_line: HashMap<u32, When> = HashMap::new();
        for (window, latest) in windows.iter().enumerate() {
            for (function, sites) in &latest.seen {
                let (module, code) = (run.functions.module(*function)?, run.functions.function(*function));
                for (instruction, &step) in (0..).map(InstructionId).zip(sites).filter(|(_, step)| **step > 0) {
                    let Some(line) = line_at(module, code, instruction) else { continue };
                    if self.is_ours(&line.file) {
                        let known = by_line.entry(line.line).or_default();
                        *known = (window, step).max(*known);
                    }
                }
            }
        }
        Ok(by_line)
    }
}

/// When each place was last executed, counted in steps of a window.
struct Latest {
    until: u64,
    steps: u64,
    /// Where the function of the latest step is kept, and its position in `seen`: most steps have the same as the one before.
    last: Option<(usize, usize)>,
    /// For each instruction of each function; zero: never.
    seen: Vec<(FunctionKey, Vec<u64>)>,
}

impl Observer for Latest {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        if step.clock > self.until {
            return;
        }
        self.steps += 1;
        let function = std::ptr::from_ref(step.function()).addr();
        let position = match self.last {
            Some((last, position)) if last == function => position,
            _ => {
                let at = step.step();
                let known = self.seen.iter().position(|(key, _)| *key == at.site.function);
                known.unwrap_or_else(|| {
                    self.seen.push((at.site.function, vec![0; step.function().instructions.len()]));
                    self.seen.len() - 1
                })
            }
        };
        self.last = Some((function, position));
        self.seen[position].1[step.id().index()] = self.steps;
    }
}
