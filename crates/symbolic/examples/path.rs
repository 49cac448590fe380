//! Shows what the path of a recorded run hinged on: `path RECORDING INPUT [ARGUMENT...]`.

use std::time::Instant;

use abi::StreamId;
use execution::Run;
use faultline_symbolic::{Input, Kind, Limits, Name, Shadow};
use recording::Recording;
use replay::{Image, replay_unobserved, replay_window_inlined};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(recording), Some(input)) = (words.next(), words.next()) else {
        return Err("path RECORDING INPUT [ARGUMENT...]".into());
    };
    let recording = Recording::open(recording.as_ref())?;
    let image = Image::new(&recording);
    let content = std::fs::read(input)?;
    let mut inputs = vec![Input { name: Name::Standard, content }];
    for (position, argument) in (1..).zip(words) {
        inputs.push(Input { name: Name::Argument(position), content: argument.into_bytes() });
    }
    let stream = StreamId(1);
    let run = Run::new(&image, stream)?;
    replay_unobserved(&image, stream)?;
    let time = |inputs: Vec<Input>| -> Result<_, Box<dyn std::error::Error>> {
        let began = Instant::now();
        let shadow = Shadow::new(&run.functions, std::iter::empty(), inputs, Limits::default());
        let (_, shadow) = replay_window_inlined(&image, stream, None, None, shadow)?;
        Ok((began.elapsed(), shadow.finish()))
    };
    let began = Instant::now();
    let summary = replay_unobserved(&image, stream)?;
    let plain = began.elapsed();
    let (without, _) = time(Vec::new())?;
    let (with, shadowed) = time(inputs)?;
    println!(
        "{} instructions; unobserved {plain:?}, without symbols {without:?} ({:.1}), with symbols {with:?} ({:.1})",
        summary.instructions,
        without.as_secs_f64() / plain.as_secs_f64(),
        with.as_secs_f64() / plain.as_secs_f64()
    );
    println!("{} conditions, {} wrong values", shadowed.path.conditions.len(), shadowed.lost.wrong());
    for kind in
        [Kind::Branch, Kind::Switch, Kind::Select, Kind::Bound, Kind::NoTrap, Kind::Length, Kind::Extent, Kind::Pin]
    {
        println!("  {kind:?}: {}", shadowed.path.conditions.iter().filter(|c| c.kind == kind).count());
    }
    for (site, reason, count) in shadowed.lost.iter() {
        let function = run.functions.function(site.function);
        let line = function.instruction(site.instruction).location.map_or(0, |location| location.line);
        println!("lost {count}: {reason:?} in {} line {line}", function.name);
    }
    Ok(())
}
