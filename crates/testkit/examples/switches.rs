//! How many experiments a second: switches every branch of a failing run.
use abi::StreamId;
use execution::Run;
use execution::predicates::predicates;
use experiment::{Case, Change, Intervention, Lab, Limits, Oracle};
use recording::Recording;
use replay::Image;
use std::ops::ControlFlow;
use std::time::Instant;

fn main() {
    let program = std::env::args().nth(1).unwrap();
    let input = std::env::args().nth(2).map(|f| std::fs::read(f).unwrap()).unwrap_or_default();
    let arguments = std::env::args_os().skip(3).collect();
    let case = Case::new(program.as_ref(), arguments).unwrap().with_input(input);
    let lab = Lab::open(case, Oracle { status: Some(77), ..Oracle::default() }, Limits::default()).unwrap();
    let recording = Recording::open(&lab.baseline().recording).unwrap();
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId(1)).unwrap();
    let found = predicates(&run, 20000).unwrap();
    let experiments: Vec<_> =
        found.steps.iter().rev().map(|p| vec![Intervention { clock: p.at.clock, change: Change::Switch }]).collect();
    println!("{} predicates, clock {}, {:?}", found.total, lab.baseline().clock, lab.baseline().ran.processor_time);
    let begun = Instant::now();
    let mut outcomes = std::collections::HashMap::new();
    let tried = lab
        .try_all(&experiments, |_, outcome| {
            *outcomes.entry(outcome).or_insert(0) += 1;
            ControlFlow::Continue(())
        })
        .unwrap();
    let took = begun.elapsed().as_secs_f64();
    println!("{tried:?} {outcomes:?} {took:.3} s, {:.0}/s", tried.runs as f64 / took);
}
