//! The values of statements while a run is replayed: what each assigns, decides, passes on or returns.

use std::collections::HashMap;
use std::sync::Arc;

use abi::InstructionId;
use program::library::{Known, known};
use program::{Call, CallKind, Callee, Function, FunctionKey, Module, Op, Type};
use replay::{Leaving, Observed, Observer};

use super::ignore::Ignored;
use super::objects::{Objects, is_in_memory};
use super::word::{Note, Word};
use execution::Functions;
use nesting::align::{Collect, Noting};
use nesting::region::Regions;

/// What an instruction says of itself.
#[derive(Clone, Copy)]
enum Reading {
    Nothing,
    /// A local in memory begins.
    Local,
    /// The same, and how large it is matters.
    DynamicLocal,
    Store,
    Atomic,
    Choice,
    /// With what is known of an outside function.
    Call(Option<&'static Known>),
    Return,
}

/// A call that may be one of outside code.
struct Pending {
    depth: usize,
    at: InstructionId,
    block: Option<(u32, u64)>,
}

/// Notes the values of statements.
pub struct Values<'f, 'r> {
    regions: Regions<'f, 'r, Collect<Note>>,
    functions: &'f Functions<'r>,
    ignored: &'f Ignored,
    objects: Objects<'f>,
    readings: HashMap<FunctionKey, Arc<Vec<Reading>>>,
    frames: Vec<Arc<Vec<Reading>>>,
    pending: Option<Pending>,
    handlers: u32,
}

impl<'f, 'r> Values<'f, 'r> {
    pub fn new(
        regions: Regions<'f, 'r, Collect<Note>>,
        functions: &'f Functions<'r>,
        ignored: &'f Ignored,
        objects: Objects<'f>,
    ) -> Values<'f, 'r> {
        Values {
            regions,
            functions,
            ignored,
            objects,
            readings: HashMap::new(),
            frames: Vec::new(),
            pending: None,
            handlers: 0,
        }
    }

    fn readings(&mut self, key: FunctionKey) -> Arc<Vec<Reading>> {
        let (functions, ignored) = (self.functions, self.ignored);
        let make =
            || {
                let function = functions.function(key);
                let all = (0..function.instructions.len() as u32).map(InstructionId);
                Arc::new(match functions.module(key) {
                    Ok(module) => all
                        .map(|id| {
                            if ignored.contains(key.at(id)) { Reading::Nothing } else { reading(module, function, id) }
                        })
                        .collect(),
                    Err(_) => vec![Reading::Nothing; function.instructions.len()],
                })
            };
        self.readings.entry(key).or_insert_with(make).clone()
    }

    fn note(&mut self, ty: &Type, words: &[u64]) {
        let collect = &mut self.regions.visitor;
        self.objects.words(ty, words, |word| collect.note(Note::Word(word)));
    }

    fn note_pointer(&mut self, words: &[u64]) {
        self.note(&Type::Pointer, words);
    }

    fn note_step(&mut self, reading: Reading, step: &Observed<'_>) {
        match (&step.instruction().op, reading) {
            (Op::Store { value, value_type, address, local, .. }, _) => {
                self.note(value_type, step.went_on_with(value));
                if local.is_none() {
                    self.note_pointer(step.operand(address));
                }
            }
            (Op::ReadModifyWrite { address, value, value_type, .. }, _) => {
                self.note(value_type, step.operand(value));
                self.note(&step.instruction().ty, step.result());
                self.note_pointer(step.operand(address));
            }
            (Op::CompareExchange { address, replacement, value_type, .. }, _) => {
                self.note(value_type, step.operand(replacement));
                self.note(&step.instruction().ty, step.result());
                self.note_pointer(step.operand(address));
            }
            (Op::Branch { .. } | Op::Switch { .. }, _) => {
                let way = way(step).unwrap_or(u64::MAX);
                self.regions.visitor.note(Note::Word(Word::Number(way)));
            }
            (Op::Call(call) | Op::Invoke { call, .. }, Reading::Call(known)) => self.note_call(step, call, known),
            (Op::Return { value: Some(value) }, _) => self.note(&step.function().return_type, step.operand(value)),
            (Op::Alloca { count, .. }, _) => {
                self.note(&Type::Int(32), step.operand(count));
            }
            _ => {}
        }
    }

    fn note_call(&mut self, step: &Observed<'_>, call: &Call, known: Option<&'static Known>) {
        for (argument, ty) in call.arguments.iter().zip(&call.argument_types) {
            self.note(ty, step.operand(argument));
        }
        if let Callee::Pointer(pointer) = &call.callee {
            self.note_pointer(step.operand(pointer));
        }
        match call.kind {
            CallKind::Logged => self.note(&step.instruction().ty, step.result()),
            CallKind::Open | CallKind::Closed | CallKind::Setjmp => {
                let arguments: Vec<u64> = match known {
                    Some(_) => call.arguments.iter().map(|a| step.operand(a).first().copied().unwrap_or(0)).collect(),
                    None => Vec::new(),
                };
                let size = known.and_then(|known| known.allocates(&arguments));
                let block = size.map(|size| (self.objects.new_block(), size));
                if let Some((number, _)) = block {
                    self.regions.visitor.note(Note::Makes(number));
                }
                self.pending = Some(Pending { depth: self.frames.len(), at: step.id(), block });
            }
            CallKind::Computed | CallKind::Ignored | CallKind::Memory => {}
        }
    }
}

fn reading(module: &Module, function: &Function, id: InstructionId) -> Reading {
    match &function.instruction(id).op {
        Op::Store { .. } => Reading::Store,
        Op::ReadModifyWrite { .. } | Op::CompareExchange { .. } => Reading::Atomic,
        Op::Branch { .. } | Op::Switch { .. } => Reading::Choice,
        Op::Return { .. } => Reading::Return,
        Op::Alloca { storage: program::Storage::Dynamic, .. } => Reading::DynamicLocal,
        Op::Alloca { .. } if is_in_memory(function, id) => Reading::Local,
        Op::Call(call) | Op::Invoke { call, .. } => match call.kind {
            CallKind::Computed | CallKind::Ignored => Reading::Nothing,
            CallKind::Open | CallKind::Closed | CallKind::Logged | CallKind::Setjmp | CallKind::Memory => {
                Reading::Call(match &call.callee {
                    Callee::Function(id) => known(&module.function(*id).name),
                    Callee::Symbol(_) | Callee::Pointer(_) | Callee::Assembly => None,
                })
            }
        },
        Op::Alloca { .. }
        | Op::Binary { .. }
        | Op::FNeg { .. }
        | Op::ICmp { .. }
        | Op::FCmp { .. }
        | Op::Cast { .. }
        | Op::Select { .. }
        | Op::Freeze { .. }
        | Op::Phi { .. }
        | Op::Load { .. }
        | Op::ElementPointer { .. }
        | Op::Fence
        | Op::ExtractValue { .. }
        | Op::InsertValue { .. }
        | Op::ExtractElement { .. }
        | Op::InsertElement { .. }
        | Op::Shuffle { .. }
        | Op::LandingPad
        | Op::Jump { .. }
        | Op::Resume { .. }
        | Op::Unreachable => Reading::Nothing,
    }
}

/// Which way out of a choice was taken, counted as the program lists them.
fn way(step: &Observed<'_>) -> Option<u64> {
    match &step.instruction().op {
        Op::Branch { condition, .. } => Some(u64::from(step.went_on_with(condition).first() == Some(&0))),
        Op::Switch { value, default, cases, .. } => {
            let value = step.went_on_with(value).first()?;
            let to = cases.iter().find(|case| case.0 == *value).map_or(*default, |case| case.1);
            // Several cases may go the same way.
            let first = std::iter::once(*default).chain(cases.iter().map(|case| case.1)).position(|way| way == to)?;
            Some(first as u64)
        }
        _ => None,
    }
}

impl Noting for Values<'_, '_> {
    type Note = Note;

    fn collect(&mut self) -> &mut Collect<Note> {
        &mut self.regions.visitor
    }
}

impl Observer for Values<'_, '_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        let reading = self.frames.last().map_or(Reading::Nothing, |frame| frame[step.id().index()]);
        match reading {
            Reading::Nothing => {}
            Reading::Local => self.objects.allocate_local(step),
            Reading::DynamicLocal
            | Reading::Store
            | Reading::Atomic
            | Reading::Choice
            | Reading::Call(_)
            | Reading::Return => {
                if let Reading::DynamicLocal = reading {
                    self.objects.allocate_local(step);
                }
                self.pending = None;
                if self.handlers == 0 {
                    self.note_step(reading, step);
                }
            }
        }
        self.regions.step(step);
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        self.pending = None;
        if let Some(key) = self.functions.key_of(module.id, function.id) {
            let readings = self.readings(key);
            self.frames.push(readings);
            self.objects.enter(key);
        }
        self.regions.entered(function, module, from_outside);
    }

    fn begun(&mut self, step: &Observed<'_>) {
        self.objects.begin(step.function(), step);
        self.regions.begun(step);
    }

    fn left(&mut self, function: &Function, leaving: Leaving) {
        self.pending = None;
        self.frames.pop();
        self.objects.leave();
        self.regions.left(function, leaving);
    }

    fn returned(&mut self, step: &Observed<'_>) {
        // Of a function of the program's, whoever uses the result tells.
        let pending = self.pending.take().filter(|p| p.depth == self.frames.len() && p.at == step.id());
        if let Some(pending) = pending {
            let result = step.result();
            if let Some((number, size)) = pending.block {
                self.objects.place_block(number, result.first().copied().unwrap_or(0), size);
            }
            if self.handlers == 0 {
                let collect = &mut self.regions.visitor;
                self.objects.words(&step.instruction().ty, result, |word| collect.note_late(Note::Word(word)));
            }
        }
        self.regions.returned(step);
    }

    fn landed(&mut self, step: &Observed<'_>) {
        self.regions.landed(step);
    }

    fn jumped(&mut self, from: InstructionId, to: InstructionId) {
        self.pending = None;
        self.regions.jumped(from, to);
    }

    fn interrupted(&mut self) {
        self.pending = None;
        self.handlers += 1;
        self.regions.interrupted();
    }

    fn resumed(&mut self) {
        self.handlers -= 1;
        self.regions.resumed();
    }
}
