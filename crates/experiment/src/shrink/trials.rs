//! Tries smaller inputs, several at a time, and remembers what came of each.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Mutex;

use super::ShrinkError;
use super::same::{Failure, Judge};
use crate::error::LabError;
use crate::input::{Input, Trial};
use crate::lab::Lab;
use crate::outcome::Ran;

/// Asks whether inputs fail the same.
pub struct Trials<'a> {
    lab: &'a Lab,
    judge: &'a Judge,
    wanted: &'a Failure,
    known: HashMap<blake3::Hash, bool>,
    /// How many are best asked at a time.
    pub width: usize,
    pub runs: u64,
    /// Answers that were known.
    pub remembered: u64,
}

impl<'a> Trials<'a> {
    pub fn new(lab: &'a Lab, judge: &'a Judge, wanted: &'a Failure) -> Trials<'a> {
        Trials { lab, judge, wanted, known: HashMap::new(), width: lab.workers.count(), runs: 0, remembered: 0 }
    }

    /// Whether each of these fails the same. After the first that does, the others may be left unasked: false.
    pub fn ask(&mut self, inputs: Vec<Input>) -> Result<Vec<bool>, ShrinkError> {
        let mut answers = vec![false; inputs.len()];
        let (mut open, mut positions) = (Vec::new(), Vec::new());
        for (position, input) in inputs.into_iter().enumerate() {
            let hash = input.hash();
            if let Some(&known) = self.known.get(&hash) {
                self.remembered += 1;
                answers[position] = known;
                if known {
                    break;
                }
            } else {
                positions.push((position, hash));
                open.push(Trial::from(input));
            }
        }
        for ((position, hash), answer) in positions.into_iter().zip(self.run(&open)) {
            // What was left out for lack of time is no answer.
            let Some(answer) = answer else {
                self.lab.spending.go_on().map_err(LabError::Spent)?;
                continue;
            };
            self.runs += 1;
            answers[position] = answer?;
            self.known.insert(hash, answers[position]);
        }
        Ok(answers)
    }

    /// Runs are judged at the same time, since for that the program is recorded, or a reference is run.
    fn run(&self, trials: &[Trial]) -> Vec<Option<Result<bool, ShrinkError>>> {
        let answers: Vec<Mutex<Option<_>>> = trials.iter().map(|_| Mutex::default()).collect();
        std::thread::scope(|scope| {
            self.lab.run_inputs(trials, |position, ran| {
                let answer = &answers[position];
                let judge = move || {
                    let judged = ran.map_err(LabError::from).map_err(ShrinkError::from);
                    let judged = judged.and_then(|ran| self.fails_same(&trials[position].input, &ran));
                    *answer.lock().expect("nobody panics holding it") = Some(judged);
                };
                scope.spawn(judge);
                ControlFlow::Continue(())
            });
        });
        answers.into_iter().map(|answer| answer.into_inner().expect("nobody panics holding it")).collect()
    }

    fn fails_same(&self, input: &Input, ran: &Ran) -> Result<bool, ShrinkError> {
        let failure = self.judge.failure(self.lab, input, ran, Some(self.wanted))?;
        Ok(failure.as_ref() == Some(self.wanted))
    }
}
