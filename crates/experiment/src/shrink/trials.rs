//! Tries variants, several at a time. Each worker has a fork server, which can change input and files from run to run;
//! different arguments need another server.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use recording::plan::Plan;

use super::same::{Failure, Judge};
use super::{ShrinkError, Variant};
use crate::Case;
use crate::lab::{Lab, LabError};
use crate::outcome::Ran;
use crate::server::{Server, ServerError};

type Job = (usize, Variant);
type Answer = (usize, Result<bool, ShrinkError>);

/// Asks whether variants fail the same.
pub struct Trials {
    jobs: Sender<Job>,
    answers: Receiver<Answer>,
    known: HashMap<blake3::Hash, bool>,
    pub width: usize,
    pub runs: u64,
    /// Answers that were known.
    pub remembered: u64,
}

/// Lets `body` ask; the workers are there as long as it lasts.
pub fn with_trials<T>(lab: &Lab, judge: &Judge, wanted: &Failure, body: impl FnOnce(&mut Trials) -> T) -> T {
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let width = if lab.limits.workers == 0 { cores } else { lab.limits.workers };
    let (jobs, to_do) = channel::<Job>();
    let (told, answers) = channel();
    let to_do = Mutex::new(to_do);
    std::thread::scope(|scope| {
        for _ in 0..width {
            let (to_do, told) = (&to_do, told.clone());
            scope.spawn(move || work(lab, judge, wanted, to_do, &told));
        }
        let mut trials = Trials { jobs, answers, known: HashMap::new(), width, runs: 0, remembered: 0 };
        // Dropped with its sender, which ends the workers.
        body(&mut trials)
    })
}

impl Trials {
    /// Whether each of these fails the same. After the first that does, the others may be left unasked: false.
    pub fn ask(&mut self, variants: Vec<Variant>) -> Result<Vec<bool>, ShrinkError> {
        let mut answers = vec![None; variants.len()];
        let hashes: Vec<_> = variants.iter().map(Variant::hash).collect();
        let mut open = 0;
        for (position, variant) in variants.into_iter().enumerate() {
            if let Some(&known) = self.known.get(&hashes[position]) {
                self.remembered += 1;
                answers[position] = Some(known);
                if known {
                    break;
                }
            } else if self.jobs.send((position, variant)).is_ok() {
                open += 1;
            }
        }
        let mut failed = None;
        for _ in 0..open {
            let Ok((position, answer)) = self.answers.recv() else { return Err(ShrinkError::Gone) };
            self.runs += 1;
            match answer {
                Ok(answer) => {
                    self.known.insert(hashes[position], answer);
                    answers[position] = Some(answer);
                }
                Err(error) => failed = Some(error),
            }
        }
        match failed {
            Some(error) => Err(error),
            None => Ok(answers.into_iter().map(|answer| answer.unwrap_or(false)).collect()),
        }
    }
}

fn work(lab: &Lab, judge: &Judge, wanted: &Failure, jobs: &Mutex<Receiver<Job>>, answers: &Sender<Answer>) {
    let mut bench = Bench::new(lab);
    loop {
        let Ok((position, variant)) = jobs.lock().expect("nobody panics holding it").recv() else { return };
        let answer = bench.run(&variant).map_err(ShrinkError::from).and_then(|ran| {
            let failure = judge.failure(lab, &variant, &ran, Some(wanted))?;
            Ok(failure.as_ref() == Some(wanted))
        });
        if answers.send((position, answer)).is_err() {
            return;
        }
    }
}

/// A server, with the arguments it was started with.
pub struct Bench<'a> {
    lab: &'a Lab,
    server: Option<(Vec<OsString>, Server)>,
}

impl<'a> Bench<'a> {
    pub fn new(lab: &'a Lab) -> Bench<'a> {
        Bench { lab, server: None }
    }

    pub fn run(&mut self, variant: &Variant) -> Result<Ran, LabError> {
        // A server may have been lost to what the run before did.
        self.run_once(variant).or_else(|_| self.run_once(variant))
    }

    fn run_once(&mut self, variant: &Variant) -> Result<Ran, LabError> {
        let mut server = match self.server.take() {
            Some((arguments, server)) if arguments == variant.arguments => server,
            _ => self.start(variant)?,
        };
        server.set_input(&variant.input)?;
        server.set_files(&variant.files)?;
        let plan = Plan::new(Vec::new(), Some(self.lab.budget), self.lab.steady);
        let ran = server.run(&plan, &self.lab.run_limits)?;
        self.server = Some((variant.arguments.clone(), server));
        Ok(ran)
    }

    fn start(&self, variant: &Variant) -> Result<Server, ServerError> {
        let case = Case { arguments: variant.arguments.clone(), ..self.lab.case().clone() };
        let Lab { walls, readable, limits, steady, .. } = self.lab;
        Server::start(&case, *walls, readable, limits.forks, *steady)
    }
}
