//! Aligns the first threads of two recordings of one program, and says how long that took.
//!
//!     cargo run --release -p faultline-execution --example align_runs LEFT.flt RIGHT.flt

use std::time::Instant;

use execution::Run;
use faultline_nesting::align::{Aligned, align};
use recording::Recording;
use replay::Image;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let paths: Vec<String> = std::env::args().skip(1).collect();
    let [left, right] = &paths[..] else { return Err("two recordings, please".into()) };
    let recordings = (Recording::open(left.as_ref())?, Recording::open(right.as_ref())?);
    let images = (Image::new(&recordings.0), Image::new(&recordings.1));
    let first = |recording: &Recording| recording.streams().iter().find(|s| s.parent.is_none()).map(|s| s.id);
    let (Some(left), Some(right)) = (first(&recordings.0), first(&recordings.1)) else {
        return Err("no thread".into());
    };
    let (left, right) = (Run::new(&images.0, left)?, Run::new(&images.1, right)?);
    let begin = Instant::now();
    let mut counts = (0u64, 0u64, 0u64);
    align(&left, &right, |aligned| match aligned {
        Aligned::Both(..) => counts.0 += 1,
        Aligned::Left(_) => counts.1 += 1,
        Aligned::Right(_) => counts.2 += 1,
    })?;
    let seconds = begin.elapsed().as_secs_f64();
    println!("{} statements in both runs, {} on the left only, {} on the right only", counts.0, counts.1, counts.2);
    println!("{} and {} instructions, {seconds:.2} s", left.summary.instructions, right.summary.instructions);
    Ok(())
}
