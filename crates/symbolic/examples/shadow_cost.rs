//! What it costs to replay a recording unobserved, with a shadow that has no symbols, and with standard input as symbols. Also
//! good to be run by a profiler: `shadow_cost RECORDING INPUT 50 with` does one of the three so many times.

use std::error::Error;
use std::time::{Duration, Instant};

use abi::StreamId;
use execution::Functions;
use faultline_symbolic::{Input, Limits, Name, Shadow};
use recording::Recording;
use replay::{Image, replay_unobserved, replay_window_inlined};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [recording, input, rest @ ..] = &arguments[..] else {
        return Err("usage: shadow_cost RECORDING INPUT [TIMES [unobserved|without|with]]".into());
    };
    let times: usize = rest.first().map_or(Ok(30), |times| times.parse())?;
    let only = rest.get(1).map(String::as_str);
    let recording = Recording::open(recording.as_ref())?;
    let content = std::fs::read(input)?;
    let image = Image::new(&recording);
    let functions = Functions::new(&image);
    let (mut instructions, mut terms) = (0, 0);
    let mut costs = Vec::new();
    for (name, inputs) in [
        ("unobserved", None),
        ("without", Some(Vec::new())),
        ("with", Some(vec![Input { name: Name::Standard, content }])),
    ] {
        if only.is_some_and(|only| only != name) {
            continue;
        }
        let mut least = Duration::MAX;
        for _ in 0..times {
            let begun = Instant::now();
            match &inputs {
                None => instructions = replay_unobserved(&image, StreamId::MAIN)?.instructions,
                Some(inputs) => {
                    let shadow = Shadow::new(&functions, std::iter::empty(), inputs.clone(), Limits::default());
                    let (summary, shadow) = replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?;
                    instructions = summary.instructions;
                    terms = shadow.finish().domain.with(|terms| terms.count());
                }
            }
            least = least.min(begun.elapsed());
        }
        costs.push((name, least.as_secs_f64()));
    }
    println!("{instructions} instructions, {terms} terms");
    for (name, seconds) in &costs {
        println!("{name:<12} {:>9.3} ms {:>6.2}×", 1e3 * seconds, seconds / costs[0].1);
    }
    Ok(())
}
