//! Slices a recording from its end: `cargo run --release --example slice_end -- FILE`.

use abi::StreamId;
use faultline_execution::Run;
use faultline_execution::criterion::Criterion;
use faultline_execution::dependence::{Follow, Wish};
use faultline_execution::slice::Request;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which recording?")?;
    let recording = recording::Recording::open(path.as_ref())?;
    let image = replay::Image::new(&recording);
    let begun = std::time::Instant::now();
    let run = Run::new(&image, StreamId::MAIN)?;
    println!("{} instructions, {} windows, {:?}", run.summary.instructions, run.last_window().0 + 1, begun.elapsed());
    let wishes = vec![Wish::Operands, Wish::Execution];
    for follow in [Follow::Data, Follow::DataAndControl] {
        let begun = std::time::Instant::now();
        let slice = Request::of(&Criterion::End { wishes: wishes.clone() }).slice(&run, follow, 0)?;
        println!(
            "{follow:?}: {} steps, {} initial, {} unseen, {:?}, {:?}",
            slice.steps,
            slice.initial,
            slice.unseen,
            slice.unknown,
            begun.elapsed()
        );
        let mut lines = std::collections::BTreeMap::new();
        for (key, counts) in &slice.counts {
            let function = run.functions.function(*key);
            for (instruction, count) in function.instructions.iter().zip(counts) {
                if let Some(location) = instruction.location
                    && *count > 0
                {
                    *lines.entry((key.module, location.file, location.line)).or_insert(0_u64) += u64::from(*count);
                }
            }
        }
        for (line, count) in lines.iter().take(40) {
            println!("  {line:?} {count}");
        }
    }
    Ok(())
}
