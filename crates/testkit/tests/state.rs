//! What is believed to be known of memory and locals agrees with what each program loads: the program itself is the
//! slow twin. And the snapshot at the end of a run can be taken of every program.

use anyhow::{Result, ensure};
use libtest_mimic::{Arguments, Trial};
use program::{Op, Operand};
use recording::Recording;
use replay::{Image, Observed};
use source::snapshot::describe;
use source::sources::Sources;
use source::state::{Byte, Bytes, Home, State, Watch, Watched};
use source::value::Extent;
use testkit::{Build, Fixture, Tools, fixtures, recorded};

/// Other threads write what this thread's state holds for known.
const WITH_THREADS: [&str; 5] = [
    "replay/threads",
    "replay/threads_racing",
    "replay/standard_threads",
    "replay/leaves_abruptly",
    "transparency/atomics",
];

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["transparency", "replay", "execution/values"] {
        for fixture in fixtures(folder)?.into_iter().filter(|f| !WITH_THREADS.contains(&&*f.name())) {
            trials.push(Trial::test(fixture.name(), move || check(&fixture).map_err(|e| format!("{e:#}").into())));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(fixture: &Fixture) -> Result<()> {
    let tools = Tools::find()?;
    let (path, _folder) = recorded(&tools, fixture, Build::Faultline0)?;
    let recording = Recording::open(&path)?;
    let image = Image::new(&recording);
    let sources = Sources::new(&image)?;
    for stream in recording.streams().iter().filter(|s| s.parent.is_none()) {
        let watched = Watched { state: State::new(&sources)?, watch: Twin { sources: &sources, wrong: Vec::new() } };
        let (summary, Watched { state, watch: mut twin }) = replay::replay(&image, stream.id, watched)?;
        if summary.handlers > 0 {
            // Between which two instructions a signal came nobody knows, so for a moment neither what it wrote.
            twin.wrong.retain(|belief| !belief.is_surprise);
        }
        let wrong: Vec<_> = twin.wrong.iter().map(|belief| &*belief.text).take(20).collect();
        ensure!(wrong.is_empty(), "{} wrong beliefs\n{}", twin.wrong.len(), wrong.join("\n"));
        let _ = describe(&sources, &state, Extent::WHOLE);
    }
    Ok(())
}

struct Twin<'s> {
    sources: &'s Sources<'s, 's>,
    wrong: Vec<Belief>,
}

struct Belief {
    text: String,
    is_surprise: bool,
}

impl Twin<'_> {
    fn compare(&mut self, state: &State, step: &Observed<'_>) {
        let Op::Load { address, local, watched } = &step.instruction().op else { return };
        let place = || match step.instruction().location {
            Some(location) => step.module().location_text(location).to_string(),
            None => step.function().name.clone(),
        };
        let bytes = step.result().iter().flat_map(|w| w.to_le_bytes());
        if let Some(local) = local {
            let home = state.frames.last().map(|frame| frame.home(&Operand::Result(*local)));
            if home != Some(Home::Register(step.result().to_vec())) {
                let text = format!("{}: local {local} is {home:?}, loaded {:x?}", place(), step.result());
                self.wrong.push(Belief { text, is_surprise: false });
            }
            return;
        }
        let Some(&address) = step.operand(address).first() else { return };
        for (offset, byte) in (0..step.instruction().ty.store_size()).zip(bytes) {
            if let Byte::Known(believed) = state.memory.byte(address.wrapping_add(offset))
                && believed != byte
            {
                let debug = self.sources.debug(step.module_position());
                let Op::Load { address, .. } = &step.instruction().op else { return };
                let size = step.instruction().ty.store_size();
                let name = program::debug::place_text(step.module(), debug, step.function(), address, size, None);
                let text = format!("{}: byte {offset} of {name} is believed {believed}, loaded {byte}", place());
                // Volatile loads are always logged, so nobody notices when they meet something new.
                self.wrong.push(Belief { text, is_surprise: step.is_surprise || watched.is_none() });
            }
        }
    }
}

impl Watch for Twin<'_> {
    fn before(&mut self, state: &mut State, step: &Observed<'_>) {
        self.compare(state, step);
    }

    fn after(&mut self, state: &State, step: &Observed<'_>) {
        if state.frames.len() != step.depth {
            let text = format!("{} frames, {} in the replay", state.frames.len(), step.depth);
            self.wrong.push(Belief { text, is_surprise: false });
        }
    }
}
