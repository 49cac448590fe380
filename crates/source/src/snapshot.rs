//! The whole state at a step: variables of each function on the stack, and globals, as typed trees.

use abi::{FunctionId, InstructionId, StreamId};
use program::SourceLocation;
use replay::{Observed, ReplayError, Step};
use serde::Serialize;

use crate::sources::Sources;
use crate::state::{Frame, State, Watch, Watched};
use crate::value::{Expression, Extent, Scene, Value, Visible, read};

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Snapshot {
    /// The innermost function first.
    pub frames: Vec<FrameSnapshot>,
    pub globals: Vec<NamedValue>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FrameSnapshot {
    pub function: String,
    #[serde(skip)]
    pub module: usize,
    #[serde(skip)]
    pub id: FunctionId,
    /// Where it is, or waits for a call.
    #[serde(skip)]
    pub at: InstructionId,
    /// 0 if unknown.
    pub line: u32,
    /// The innermost block's first; shadowed ones are left out.
    pub variables: Vec<NamedValue>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedValue {
    pub name: String,
    pub value: Value,
}

/// The state right before a step; `None` if the run has no such step.
pub fn snapshot(
    sources: &Sources<'_, '_>,
    stream: StreamId,
    step: Step,
    extent: Extent,
) -> Result<Option<Snapshot>, ReplayError> {
    let watch = Taker { sources, wanted: step, extent, taken: None };
    let (_, Watched { watch, .. }) =
        replay::replay(sources.image, stream, Watched { state: State::new(sources)?, watch })?;
    Ok(watch.taken)
}

/// All variables of a state.
pub fn describe(sources: &Sources<'_, '_>, state: &State, extent: Extent) -> Snapshot {
    let frames = state.frames.iter().rev().filter_map(|frame| describe_frame(sources, state, frame, extent)).collect();
    let blank = Frame::blank(0, FunctionId(0));
    let mut globals = Vec::new();
    for module in 0..sources.module_count() {
        for global in &sources.debug(module).globals {
            let owner = global.owner.map(|(function, scope)| (function, Some(scope))).unwrap_or((FunctionId(0), None));
            let visible = Visible::at(sources, module, owner.0, [], u32::MAX);
            let scene = scene(sources, state, &blank, &visible);
            let name = match owner {
                (function, Some(_)) => {
                    let around = sources.function(module, function).map_or("", |f| &f.name);
                    format!("{around}::{}", global.name)
                }
                _ => global.within.iter().chain([&global.name]).cloned().collect::<Vec<_>>().join("::"),
            };
            globals.push(NamedValue { name, value: read(&scene, &scene.global(module, global), extent) });
        }
    }
    Snapshot { frames, globals }
}

fn describe_frame(sources: &Sources<'_, '_>, state: &State, frame: &Frame, extent: Extent) -> Option<FrameSnapshot> {
    let debug = sources.function(frame.module, frame.function)?;
    let module = sources.image.module(frame.module).ok()?;
    let location: Option<SourceLocation> = module.function(frame.function).instruction(frame.at).location;
    let line = location.map_or(0, |l| l.line);
    // Without a position nothing says which names are known yet; then all are.
    let until = if line == 0 { u32::MAX } else { line };
    let visible = Visible::at(sources, frame.module, frame.function, [frame.at], until);
    let scene = scene(sources, state, frame, &visible);
    let variables = visible.names(sources).into_iter().filter_map(|name| {
        let object = scene.locate(&Expression::Name(name.clone())).ok()?;
        Some(NamedValue { name, value: read(&scene, &object, extent) })
    });
    Some(FrameSnapshot {
        function: debug.name.clone(),
        module: frame.module,
        id: frame.function,
        at: frame.at,
        line,
        variables: variables.collect(),
    })
}

fn scene<'a>(sources: &'a Sources<'a, 'a>, state: &'a State, frame: &'a Frame, visible: &'a Visible) -> Scene<'a> {
    Scene { sources, memory: &state.memory, frame, visible, thread_locals: &state.thread_locals }
}

struct Taker<'s> {
    sources: &'s Sources<'s, 's>,
    wanted: Step,
    extent: Extent,
    taken: Option<Snapshot>,
}

impl Watch for Taker<'_> {
    fn before(&mut self, state: &mut State, step: &Observed<'_>) {
        if self.taken.is_none() && step.clock == self.wanted.clock && step.step() == self.wanted {
            // The state is still that before the step, but the step is where the function is.
            if let Some(frame) = state.frames.last_mut() {
                frame.at = step.id();
            }
            self.taken = Some(describe(self.sources, state, self.extent));
        }
    }
}
