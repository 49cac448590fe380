//! Windows of a run, replayed alone and in parallel, give the same steps as the replay of the whole.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::thread;

use libtest_mimic::{Arguments, Trial};
use recording::Recording;
use replay::{Checkpoint, Image, Observed, Observer, replay_window, replay_with_checkpoints};
use testkit::{Build, Fixture, Tools, fixtures, recorded};

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::from_args();
    let names = [
        "replay/callbacks",
        "replay/setjmp",
        "replay/signal_longjmp",
        "transparency/exceptions",
        "replay/segmentation_fault",
        "replay/threads",
    ];
    let mut trials = Vec::new();
    for folder in ["transparency", "replay"] {
        for fixture in fixtures(folder)?.into_iter().filter(|f| names.contains(&&*f.name())) {
            trials.push(Trial::test(fixture.name(), move || check(&fixture).map_err(|e| format!("{e:#}").into())));
        }
    }
    assert_eq!(trials.len(), names.len(), "a fixture named here is gone");
    libtest_mimic::run(&arguments, trials).exit();
}

/// One number for each step: where, when, and what came out.
#[derive(Default)]
struct Digest(Vec<u64>);

impl Observer for Digest {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        let mut hasher = DefaultHasher::new();
        (step.module().id, step.function().id, step.id(), step.clock, step.depth).hash(&mut hasher);
        // A call has no result yet.
        if !matches!(step.instruction().op, program::Op::Call(_) | program::Op::Invoke { .. }) {
            step.result().hash(&mut hasher);
        }
        self.0.push(hasher.finish());
    }

    fn returned(&mut self, step: &Observed<'_>) {
        let mut hasher = DefaultHasher::new();
        (step.id(), step.clock, step.result()).hash(&mut hasher);
        self.0.push(hasher.finish());
    }
}

fn check(fixture: &Fixture) -> anyhow::Result<()> {
    let tools = Tools::find()?;
    let (path, _folder) = recorded(&tools, fixture, Build::Faultline2)?;
    let recording = Recording::open(&path)?;
    let image = Image::new(&recording);
    for stream in recording.streams().iter().filter(|s| s.parent.is_none()) {
        let clock = stream.last.map_or(1000, |last| last.clock);
        // A checkpoint copies the stack: dense ones only in short runs.
        let dense = if clock < 2000 { 1 } else { clock / 100 };
        for interval in [dense, clock / 23 + 1, clock / 3 + 1] {
            let (whole, mut checkpoints, steps) =
                replay_with_checkpoints(&image, stream.id, interval, Digest::default())?;
            // Not thousands of windows: every n-th checkpoint.
            let keep = checkpoints.len().div_ceil(40).max(1);
            checkpoints = checkpoints.into_iter().step_by(keep).collect();
            anyhow::ensure!(whole.clock < 10 * interval || !checkpoints.is_empty(), "no checkpoint was taken");
            let windows = windows(&image, stream.id, &checkpoints);
            let mut joined = Vec::new();
            for window in windows {
                joined.extend(window?.0);
            }
            anyhow::ensure!(
                joined.len() == steps.0.len(),
                "{} steps in windows, {} in the whole",
                joined.len(),
                steps.0.len()
            );
            anyhow::ensure!(joined == steps.0, "the windows have other steps");
        }
    }
    Ok(())
}

/// All windows, two at a time.
fn windows(image: &Image<'_>, stream: abi::StreamId, checkpoints: &[Checkpoint]) -> Vec<anyhow::Result<Digest>> {
    let starts = std::iter::once(None).chain(checkpoints.iter().map(Some));
    let ends = checkpoints.iter().map(Some).chain(std::iter::once(None));
    let bounds: Vec<_> = starts.zip(ends).collect();
    let run = |bounds: &[(Option<&Checkpoint>, Option<&Checkpoint>)]| -> Vec<anyhow::Result<Digest>> {
        bounds.iter().map(|(from, to)| Ok(replay_window(image, stream, *from, *to, Digest::default())?.1)).collect()
    };
    let (left, right) = bounds.split_at(bounds.len() / 2);
    thread::scope(|scope| {
        let right = scope.spawn(move || run(right));
        let mut all = run(left);
        all.extend(right.join().expect("a window panicked"));
        all
    })
}
