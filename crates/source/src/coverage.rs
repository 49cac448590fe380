//! What a run did, line by line: which lines it executed, which ways their conditions went, what their calls returned.
//! The same things of many runs, counted, are a [spectrum](spectrum).
//!
//! Values are distinguished only as a reader of the program would: zero or not, null or not, and of a text, empty or not, if
//! instrumented code has seen its first character. What the program's text returns as a literal (`return -1;`) is shown as such. Code of library twins is left out; their results are not.

use std::collections::{HashMap, HashSet};

use abi::InstructionId;
use budget::Budget;
use program::debug::{Encoding, TypeShape};
use program::library::spoken_name;
use program::{Call, Callee, FloatKind, Function, FunctionKey, Module, Op, Operand, Type};
use recording::Recording;
use replay::{Image, Leaving, Observed, Observer, ReplayError, replay};
use spectrum::{Abstract, Coverage, Did, Tuple};

use crate::lines::line_at;
use execution::Functions;

/// Replays all threads of a recorded run.
pub fn coverage(recording: &Recording, budget: &Budget) -> Result<Coverage, ReplayError> {
    let image = Image::within(recording, budget);
    let functions = Functions::new(&image);
    let mut seen = ByFunction::default();
    for stream in recording.streams().iter().filter(|stream| stream.parent.is_none()) {
        let (summary, mut observer) = replay(&image, stream.id, Watcher::new(&functions, seen))?;
        // An instruction that ends the run, by a crash, is not told of.
        if let Some(site) = summary.stack.first() {
            let position = observer.seen.position(&functions, site.function);
            observer.seen.all[position].executed(site.instruction);
        }
        seen = observer.seen;
    }
    Ok(tuples(&functions, seen.positions.iter().map(|(key, position)| (key, &seen.all[*position]))))
}

/// What all functions did. Found by position at every step, so that a step costs no hash.
#[derive(Default)]
struct ByFunction {
    all: Vec<Seen>,
    positions: HashMap<FunctionKey, usize>,
}

impl ByFunction {
    fn position(&mut self, functions: &Functions<'_>, key: FunctionKey) -> usize {
        *self.positions.entry(key).or_insert_with(|| {
            self.all.push(Seen::new(functions, key));
            self.all.len() - 1
        })
    }
}

/// What one function did.
#[derive(Default)]
struct Seen {
    is_twin: bool,
    /// What happened at each instruction: a set of the bits below.
    bits: Vec<u8>,
    /// Cases of switches, by the instruction and the position among them; `None` for the default.
    arms: HashSet<(InstructionId, Option<usize>)>,
    /// Literals that calls returned.
    constants: HashSet<(InstructionId, i64)>,
    /// Names of what was called through pointers, where there was only one.
    callees: HashMap<InstructionId, String>,
    /// Where the value to be returned is kept, if it has a place of its own.
    returned_in: Option<InstructionId>,
}

const EXECUTED: u8 = 1;
/// The condition was true, the value not zero.
const YES: u8 = 2;
const NO: u8 = 4;
/// The text was empty, or not.
const EMPTY: u8 = 8;
const NOT_EMPTY: u8 = 16;

impl Seen {
    fn new(functions: &Functions<'_>, key: FunctionKey) -> Seen {
        let function = functions.function(key);
        let mut ids = (0..function.instructions.len() as u32).map(InstructionId);
        Seen {
            is_twin: functions.is_twin(key),
            bits: vec![0; function.instructions.len()],
            returned_in: ids.find(|id| function.is_result_slot(*id)),
            ..Seen::default()
        }
    }

    fn executed(&mut self, at: InstructionId) {
        if let Some(bits) = self.bits.get_mut(at.index()) {
            *bits |= EXECUTED;
        }
    }

    fn answered(&mut self, at: InstructionId, yes: bool) {
        self.note(at, if yes { YES } else { NO });
    }

    fn note(&mut self, at: InstructionId, bit: u8) {
        if let Some(bits) = self.bits.get_mut(at.index()) {
            *bits |= bit;
        }
    }
}

/// A function on the stack.
struct Frame {
    is_from_outside: bool,
    /// The literal that will be returned, as it looks now.
    literal: Option<i64>,
    returns_text: bool,
}

struct Watcher<'a, 'r> {
    functions: &'a Functions<'r>,
    seen: ByFunction,
    /// The function of the latest step, and its position: most have the same as the one before.
    current: Option<(*const Function, usize)>,
    frames: Vec<Frame>,
    /// What the function left last gave to its caller.
    literal: Option<i64>,
    /// Whether that is a text.
    gave_text: bool,
    /// Functions that return texts, by their place in memory, which the image keeps.
    returning_text: HashMap<*const Function, bool>,
    /// Single bytes that instrumented code has loaded or stored: the address, and after how many calls of other code, which
    /// may have changed it since. As many as there is room for.
    looked_at: Vec<(u64, u64)>,
    /// Calls of code that is not instrumented.
    outside: u64,
    /// The call that returns was one of instrumented code.
    is_own: bool,
}

/// Bytes that are remembered: a power of two.
const LOOKED_AT: usize = 1 << 12;

impl<'a, 'r> Watcher<'a, 'r> {
    fn new(functions: &'a Functions<'r>, seen: ByFunction) -> Watcher<'a, 'r> {
        Watcher {
            functions,
            seen,
            current: None,
            frames: Vec::new(),
            literal: None,
            gave_text: false,
            returning_text: HashMap::new(),
            looked_at: vec![(0, u64::MAX); LOOKED_AT],
            outside: 0,
            is_own: false,
        }
    }

    fn of(&mut self, step: &Observed<'_>) -> Option<&mut Seen> {
        let function: *const Function = step.function();
        let position = match self.current {
            Some((last, position)) if std::ptr::eq(last, function) => position,
            _ => {
                let key = self.functions.key_of(step.module().id, step.function().id)?;
                let position = self.seen.position(self.functions, key);
                self.current = Some((function, position));
                position
            }
        };
        self.seen.all.get_mut(position)
    }
}

impl Watcher<'_, '_> {
    /// Whether a function returns `char *`, as far as debug information tells.
    fn returns_text(&mut self, function: &Function, module: &Module) -> bool {
        let functions = self.functions;
        *self.returning_text.entry(std::ptr::from_ref(function)).or_insert_with(|| {
            function.return_type == Type::Pointer && returns_text(functions, function, module).unwrap_or(false)
        })
    }

    /// Whether the text at an address is empty, if that is known.
    fn is_empty_text(&self, step: &Observed<'_>, address: u64) -> Option<bool> {
        let is_fresh = self.looked_at[address as usize % LOOKED_AT] == (address, self.outside);
        let is_known = is_fresh || self.functions.is_constant(address);
        is_known.then(|| self.functions.byte(step, address) == 0)
    }
}

fn returns_text(functions: &Functions<'_>, function: &Function, module: &Module) -> Option<bool> {
    let debug = program::read_debug_shared(functions.image().recording.saved_ir(module.id)?).ok()?;
    let ty = debug.function(function.id)?.ty?;
    let TypeShape::Function { result, .. } = debug.ty(debug.bare(ty)).shape else { return None };
    let TypeShape::Pointer(pointed) = debug.ty(debug.bare(result)).shape else { return Some(false) };
    let pointed = debug.ty(debug.bare(pointed));
    // `signed char` and `unsigned char` are numbers more often than texts.
    Some(pointed.shape == TypeShape::Base(Encoding::SignedChar) && pointed.name == "char")
}

impl Observer for Watcher<'_, '_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        if let Some(address) = single_byte(step) {
            self.looked_at[address as usize % LOOKED_AT] = (address, self.outside);
        }
        let Some(seen) = self.of(step) else { return };
        let at = step.id();
        seen.executed(at);
        let slot = seen.returned_in;
        match &step.instruction().op {
            Op::Branch { condition, .. } => seen.answered(at, is_set(step.went_on_with(condition))),
            Op::Switch { value, cases, .. } => {
                let value = step.went_on_with(value).first().copied().unwrap_or(0);
                seen.arms.insert((at, cases.iter().position(|case| case.0 == value)));
            }
            Op::Store { value, value_type, address: Operand::Result(place), .. } if Some(*place) == slot => {
                let literal = literal(step, value, value_type);
                if let Some(frame) = self.frames.last_mut() {
                    frame.literal = literal;
                }
            }
            Op::Return { value: Some(value @ Operand::Constant(_)) } => {
                let literal = literal(step, value, &step.function().return_type);
                if let Some(frame) = self.frames.last_mut() {
                    frame.literal = literal;
                }
            }
            Op::Call(_) | Op::Invoke { .. } => (self.literal, self.gave_text, self.is_own) = (None, false, false),
            _ => {}
        }
    }

    fn entered(&mut self, function: &Function, module: &Module, is_from_outside: bool) {
        let returns_text = self.returns_text(function, module);
        self.frames.push(Frame { is_from_outside, literal: None, returns_text });
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        let frame = self.frames.pop();
        // What a callback returns is not what its caller's caller gets.
        let gives = leaving == Leaving::Returned && frame.as_ref().is_some_and(|frame| !frame.is_from_outside);
        self.is_own = gives;
        self.gave_text = gives && frame.as_ref().is_some_and(|frame| frame.returns_text);
        self.literal = frame.filter(|_| gives).and_then(|frame| frame.literal);
    }

    fn returned(&mut self, step: &Observed<'_>) {
        let literal = self.literal.take();
        self.outside += u64::from(!std::mem::take(&mut self.is_own));
        let text = step.result().first().filter(|address| std::mem::take(&mut self.gave_text) && **address != 0);
        let is_empty = text.and_then(|address| self.is_empty_text(step, *address));
        let name = called_through_pointer(self.functions, step);
        let at = step.id();
        let Some(seen) = self.of(step) else { return };
        if let Some(yes) = is_not_zero(&step.instruction().ty, step.result()) {
            seen.answered(at, yes);
        }
        if let Some(is_empty) = is_empty {
            seen.note(at, if is_empty { EMPTY } else { NOT_EMPTY });
        }
        if let Some(literal) = literal {
            seen.constants.insert((at, literal));
        }
        if let Some(name) = name {
            let known = seen.callees.entry(at).or_insert_with(|| name.clone());
            if *known != name {
                "a function".clone_into(known);
            }
        }
    }
}

/// Where a step loads or stores a single byte.
fn single_byte(step: &Observed<'_>) -> Option<u64> {
    let address = match &step.instruction().op {
        Op::Load { address, .. } if step.instruction().ty == Type::Int(8) => address,
        Op::Store { value_type: Type::Int(8), address, .. } => address,
        _ => return None,
    };
    step.operand(address).first().copied()
}

fn is_set(words: &[u64]) -> bool {
    words.first().is_some_and(|word| *word != 0)
}

/// Of values that have a zero.
fn is_not_zero(ty: &Type, words: &[u64]) -> Option<bool> {
    let word = *words.first()?;
    match ty {
        Type::Int(bits) if *bits <= 64 => Some(word != 0),
        Type::Pointer => Some(word != 0),
        // Zero has a sign.
        Type::Float(FloatKind::Double) => Some(f64::from_bits(word) != 0.0),
        Type::Float(FloatKind::Single) => Some(f32::from_bits(word as u32) != 0.0),
        _ => None,
    }
}

/// A number that stands in the text. Truth values are told apart anyway.
fn literal(step: &Observed<'_>, value: &Operand, ty: &Type) -> Option<i64> {
    match (value, ty) {
        (Operand::Constant(_), Type::Int(bits)) if (2..=64).contains(bits) => {
            step.operand(value).first().map(|word| signed(*word, *bits))
        }
        _ => None,
    }
}

fn signed(word: u64, bits: u32) -> i64 {
    let shift = 64 - bits.clamp(1, 64);
    ((word << shift) as i64) >> shift
}

/// The name behind the pointer a function was called by.
fn called_through_pointer(functions: &Functions<'_>, step: &Observed<'_>) -> Option<String> {
    let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return None };
    let Callee::Pointer(pointer) = &call.callee else { return None };
    let entry = functions.image().entry(abi::Address(*step.operand(pointer).first()?))?;
    let module = functions.image().module(entry.module).ok()?;
    Some(spoken_name(&module.function(entry.function).name).to_owned())
}

fn tuples<'s>(functions: &Functions<'_>, all: impl Iterator<Item = (&'s FunctionKey, &'s Seen)>) -> Coverage {
    let mut coverage = Coverage::new();
    for (&key, seen) in all.filter(|(_, seen)| !seen.is_twin) {
        // It was executed, so it has been read.
        let Ok(module) = functions.module(key) else { continue };
        let function = functions.function(key);
        let name = spoken_name(&function.name);
        for (position, &bits) in seen.bits.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            let at = InstructionId(position as u32);
            let instruction = function.instruction(at);
            let Some(line) = line_at(module, function, at) else { continue };
            // What the compiler added belongs to no line.
            if instruction.location.is_some_and(|location| location.line > 0) {
                let executed = Tuple { line: line.clone(), column: 0, did: Did::Executed };
                coverage.entry(executed).or_insert_with(|| name.to_owned());
            }
            let column = instruction.location.map_or(0, |location| location.column);
            for did in deeds(module, seen, at, bits, &instruction.op, &instruction.ty) {
                coverage.insert(Tuple { line: line.clone(), column, did }, name.to_owned());
            }
        }
    }
    coverage
}

/// What an instruction did, beyond being executed.
fn deeds(module: &Module, seen: &Seen, at: InstructionId, bits: u8, op: &Op, ty: &Type) -> Vec<Did> {
    let ways = [(YES, true), (NO, false)].into_iter().filter(move |(bit, _)| bits & bit != 0).map(|(_, way)| way);
    match op {
        Op::Branch { .. } => ways.map(Did::Decided).collect(),
        Op::Switch { cases, value_type, .. } => {
            let width = if let Type::Int(bits) = value_type { *bits } else { 64 };
            let taken = seen.arms.iter().filter(|(switch, _)| *switch == at);
            taken.map(|(_, arm)| Did::Chose(arm.map(|arm| signed(cases[arm].0, width)))).collect()
        }
        Op::Call(call) | Op::Invoke { call, .. } => {
            let got = |value| Did::Got { from: callee(module, seen, at, call), value };
            let literals = seen.constants.iter().filter(|(called, _)| *called == at).map(|(_, value)| *value);
            let texts = [(EMPTY, Abstract::EmptyText), (NOT_EMPTY, Abstract::Text)].into_iter();
            let texts = texts.filter(|(bit, _)| bits & bit != 0).map(|(_, text)| text);
            ways.map(|way| abstracted(ty, way)).chain(literals.map(Abstract::Constant)).chain(texts).map(got).collect()
        }
        _ => Vec::new(),
    }
}

fn abstracted(ty: &Type, is_set: bool) -> Abstract {
    match (ty, is_set) {
        (Type::Int(1), true) => Abstract::True,
        (Type::Int(1), false) => Abstract::False,
        (Type::Pointer, true) => Abstract::NonNull,
        (Type::Pointer, false) => Abstract::Null,
        (_, true) => Abstract::NonZero,
        (_, false) => Abstract::Zero,
    }
}

fn callee(module: &Module, seen: &Seen, at: InstructionId, call: &Call) -> String {
    match &call.callee {
        Callee::Function(id) => spoken_name(&module.function(*id).name).to_owned(),
        Callee::Symbol(position) => {
            let name = module.globals.get(*position as usize).map_or("a function", |global| &global.name);
            spoken_name(name).to_owned()
        }
        Callee::Pointer(_) => seen.callees.get(&at).map_or("a function", |name| name).to_owned(),
        Callee::Assembly => "assembly".into(),
    }
}
