//! How many runs `faultline shrink` needs, against ddmin as its authors wrote it down, which remembers nothing:
//! `cargo run -p faultline-testkit --example shrink_runs PROGRAM INPUT` for a program that crashes on the input.

use std::ops::ControlFlow;

use experiment::shrink::{Cut, Judge, Part, plain_ddmin, shrink, units};
use experiment::{Case, Input, Lab, Limits, Oracle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(program), Some(input)) = (arguments.next(), arguments.next()) else {
        return Err("PROGRAM INPUT".into());
    };
    let case = Case::new(program.as_ref(), Vec::new())?.with_input_file(input.as_ref())?;
    let lab = Lab::open(case, Oracle::default(), Limits::default())?;
    let judge = Judge::default();
    let done = shrink(&lab, &judge, &[], &mut |_| ControlFlow::Continue(()))?;
    let (from, to) = (done.original.length(), done.smallest.length());
    println!("ours:  from {from} to {to} bytes, {} runs, {:.2} s", done.runs, done.seconds);
    let begun = std::time::Instant::now();
    let mut smallest: Input = done.original.clone();
    let mut runs = 0;
    for cut in Cut::ALL {
        let from = smallest.clone();
        let pieces = units(&from.stdin, cut);
        let smaller = |kept: &[usize]| {
            let rest = kept.iter().flat_map(|&unit| &from.stdin[pieces[unit].clone()]).copied().collect();
            from.with_text(&Part::Input, rest)
        };
        let kept = plain_ddmin(pieces.len(), |kept| {
            runs += 1;
            let input = smaller(kept);
            let ran = lab.run_input(&input, &[]);
            let failure = ran.map(|ran| judge.failure(&lab, &input, &ran, Some(&done.failure)));
            matches!(failure, Ok(Ok(Some(failure))) if failure == done.failure)
        });
        smallest = smaller(&kept);
    }
    println!("plain: from {from} to {} bytes, {runs} runs, {:.2} s", smallest.length(), begun.elapsed().as_secs_f64());
    println!("ratio of runs: {:.2}", done.runs as f64 / f64::from(runs));
    Ok(())
}
