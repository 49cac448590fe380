//! Feeds the nesting of a run from its replay.

use std::collections::HashMap;
use std::sync::Arc;

use abi::InstructionId;
use program::{Function, FunctionKey, Module};
use replay::{Leaving, Observed, Observer, Step};

use super::level::Level;
use super::nesting::Nesting;
use super::outline::Outline;
use execution::Functions;

/// Who wants to see steps with the levels they execute in.
pub trait Observe {
    /// Not only the roots of statements, but each instruction.
    const EVERY_STEP: bool = false;

    /// A statement (an instruction) executes.
    fn visit(&mut self, nesting: &mut Nesting, at: Step);
}

impl Observe for () {
    fn visit(&mut self, _: &mut Nesting, _: Step) {}
}

/// Follows the nesting of a run, for somebody.
pub struct Regions<'f, 'r, V> {
    functions: &'f Functions<'r>,
    outlines: HashMap<FunctionKey, Arc<Outline>>,
    /// That of the thread, and those of the signal handlers that interrupt it, the running one last.
    nestings: Vec<Nesting>,
    handlers: u32,
    /// The clock at the latest step.
    clock: u64,
    pub visitor: V,
}

impl<'f, 'r, V: Observe> Regions<'f, 'r, V> {
    /// From the beginning of the run.
    pub fn new(functions: &'f Functions<'r>, visitor: V) -> Self {
        Regions::from(functions, vec![Nesting::default()], 0, visitor)
    }

    fn from(functions: &'f Functions<'r>, nestings: Vec<Nesting>, handlers: u32, visitor: V) -> Self {
        Regions { functions, outlines: HashMap::new(), nestings, handlers, clock: 0, visitor }
    }

    /// See [`Nesting::boundary`]; of the thread, not of a signal handler.
    pub fn boundary(&self) -> Vec<Level> {
        self.nestings.first().map(Nesting::boundary).unwrap_or_default()
    }

    /// The same place in the run, for another visitor.
    pub fn snapshot<W: Observe>(&self, visitor: W) -> Regions<'f, 'r, W> {
        Regions::from(self.functions, self.nestings.clone(), self.handlers, visitor)
    }

    fn outline(&mut self, key: FunctionKey) -> Arc<Outline> {
        let functions = self.functions;
        let make = || Arc::new(Outline::of(functions.function(key), functions.shape(key)));
        self.outlines.entry(key).or_insert_with(make).clone()
    }
}

impl<V: Observe> Observer for Regions<'_, '_, V> {
    const IN_HANDLERS: bool = true;

    #[inline]
    fn step(&mut self, step: &Observed<'_>) {
        let Some(nesting) = self.nestings.last_mut() else { return };
        let id = step.id();
        nesting.latest = Some(id);
        let Some(frame) = nesting.frames.last() else { return };
        self.clock = step.clock;
        if !V::EVERY_STEP && frame.outline.is_plain(id) {
            return;
        }
        let function = frame.function;
        let calls = frame.outline.calls(id);
        let is_statement = frame.outline.is_statement(id);
        if frame.outline.begins_block(id) {
            let block = frame.outline.shape.block_of(id);
            nesting.begin_block(block, step.clock);
        }
        if calls {
            nesting.calls(id);
        }
        if V::EVERY_STEP || is_statement {
            let depth = nesting.depth() as u32;
            self.visitor.visit(nesting, Step { clock: step.clock, depth, site: function.at(id) });
        }
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        let Some(key) = self.functions.key_of(module.id, function.id) else { return };
        let outline = self.outline(key);
        if let Some(nesting) = self.nestings.last_mut() {
            match from_outside {
                true => nesting.enter_from_outside(key, outline),
                false => nesting.enter(key, outline),
            }
        }
    }

    fn left(&mut self, _: &Function, _: Leaving) {
        if let Some(nesting) = self.nestings.last_mut() {
            nesting.leave();
        }
    }

    fn jumped(&mut self, _: InstructionId, to: InstructionId) {
        let clock = self.clock;
        if let Some(nesting) = self.nestings.last_mut()
            && let Some(frame) = nesting.frames.last()
        {
            let block = frame.outline.shape.block_of(to);
            nesting.resume(block, to, clock);
        }
    }

    fn interrupted(&mut self) {
        self.handlers += 1;
        self.nestings.push(Nesting::handler(self.handlers));
    }

    fn resumed(&mut self) {
        self.nestings.pop();
    }
}
