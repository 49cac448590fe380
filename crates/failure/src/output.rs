//! What a run wrote: which call wrote which byte of standard output and standard error.
//!
//! Calls of outside functions are known by the table of library functions. Bytes are counted in the order of the calls;
//! a program that mixes buffered and unbuffered output to one file may have written them in another.

use std::collections::HashMap;
use std::sync::Arc;

use program::library::{Channel, Effect, Known, Term, known};
use program::{Call, Callee, ConstantOp, Function, FunctionKey, Module, Op, Operand};
use replay::{Leaving, Observed, Observer, ReplayError, Step};

use crate::spelled::{self, Format, Tells, Through, Value};
use execution::dependence::Wish;
use execution::{Functions, Run, Window};

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Target {
    Output,
    Error,
}

/// A call that wrote.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    pub at: Step,
    pub target: Target,
    /// The first byte it wrote, counted from 0, and how many.
    pub first: u64,
    pub length: u64,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Bytes in memory.
    Memory(u64),
    /// So many bytes in memory, after so many that only fill a width.
    Text { address: u64, length: u64, before: u64 },
    /// An argument, in digits.
    Argument(u32),
    /// An argument, as a character.
    Character(u32),
    /// All arguments.
    Everything,
}

impl Written {
    /// What to ask of the call about one byte of the file.
    pub fn wishes(&self, byte: u64) -> Vec<Wish> {
        let value = match self.what {
            What::Memory(address) => Wish::Memory { address: address.wrapping_add(byte - self.first), length: 1 },
            What::Text { address, length, before } => {
                let offset = (byte - self.first).saturating_sub(before).min(length.saturating_sub(1));
                Wish::Memory { address: address.wrapping_add(offset), length: 1 }
            }
            What::Argument(position) | What::Character(position) => Wish::Argument(position),
            What::Everything => Wish::Operands,
        };
        vec![value, Wish::Execution]
    }

    /// Which byte of what the call was given to write became this byte of the file. `None`: it is none of them, but a digit of a
    /// number or a blank that fills a width.
    pub fn given(&self, byte: u64) -> Option<u64> {
        let offset = byte.checked_sub(self.first).filter(|offset| *offset < self.length)?;
        match self.what {
            What::Memory(_) => Some(offset),
            What::Text { length, before, .. } => offset.checked_sub(before).filter(|offset| *offset < length),
            What::Argument(_) | What::Everything => None,
            What::Character(_) => (self.length == 1).then_some(0),
        }
    }
}

/// Everything a run wrote to its two standard files, in order.
#[derive(Default, Debug)]
pub struct Outputs {
    calls: Vec<Written>,
    /// Calls that wrote we do not know how much: what comes after them is counted wrongly.
    pub unmeasured: u64,
    /// Some lengths are what they are unless a stream was told to write otherwise.
    pub is_assumed: bool,
}

impl Outputs {
    pub fn of(run: &Run<'_>) -> Result<Outputs, ReplayError> {
        let surveys = run.forwards(|window, stack| Survey::new(run, window, stack))?;
        let mut standard = HashMap::new();
        for survey in &surveys {
            standard.extend(survey.standard.iter().map(|(&pointer, &target)| (pointer, target)));
        }
        let mut outputs = Outputs::default();
        let mut written = HashMap::from([(Target::Output, 0), (Target::Error, 0)]);
        let mut formats: HashMap<u64, Format> = HashMap::new();
        for event in surveys.into_iter().flat_map(|survey| survey.events) {
            let raw = match event {
                Event::Wrote(raw) => raw,
                Event::Told { stream, tells, argument, field } => {
                    formats.entry(stream).or_default().told(tells, argument, field);
                    continue;
                }
            };
            let target = match raw.to {
                To::Standard(target) => Some(target),
                To::Stream(pointer) => standard.get(&pointer).copied(),
                To::Descriptor(1) => Some(Target::Output),
                To::Descriptor(2) => Some(Target::Error),
                To::Descriptor(_) => None,
            };
            let (Some(target), Some(count)) = (target, target.and_then(|t| written.get_mut(&t))) else { continue };
            let (mut length, mut what) = (raw.length, raw.what);
            if let (Some(value), To::Stream(stream)) = (raw.value, raw.to) {
                outputs.is_assumed = true;
                let spelled = formats.entry(stream).or_default().spell(value);
                length = spelled.map(|spelled| spelled.length);
                if let (What::Text { before, .. }, Some(spelled)) = (&mut what, spelled) {
                    *before = spelled.before;
                }
            }
            match length {
                Some(length) => {
                    outputs.calls.push(Written { at: raw.at, target, first: *count, length, what });
                    *count += length;
                }
                None => outputs.unmeasured += 1,
            }
        }
        Ok(outputs)
    }

    pub fn calls(&self) -> &[Written] {
        &self.calls
    }

    /// How many bytes there are.
    pub fn length(&self, target: Target) -> u64 {
        self.calls.iter().rev().find(|call| call.target == target).map_or(0, |call| call.first + call.length)
    }

    /// The call that wrote a byte, counted from 0.
    pub fn writer(&self, target: Target, byte: u64) -> Option<&Written> {
        self.calls.iter().find(|call| call.target == target && (call.first..call.first + call.length).contains(&byte))
    }
}

#[derive(Clone, Copy)]
enum To {
    Standard(Target),
    Stream(u64),
    Descriptor(u64),
}

struct Raw {
    at: Step,
    to: To,
    length: Option<u64>,
    what: What,
    /// What a C++ stream was given to write.
    value: Option<Value>,
}

enum Event {
    Wrote(Raw),
    /// A C++ stream was told how to write.
    Told {
        stream: u64,
        tells: Tells,
        argument: u64,
        field: u64,
    },
}

/// What an instruction has to do with output.
#[derive(Clone, Copy)]
enum Part {
    Nothing,
    Call(&'static Known),
    /// A load of the variable `stdout` or `stderr`.
    Standard(Target),
    /// A call that is given `std::cout` or the like, at this position; and what it does, if it writes.
    Given {
        position: u32,
        target: Target,
        known: Option<&'static Known>,
    },
    Tells(Tells, Through),
}

impl Part {
    fn known(&self) -> Option<&'static Known> {
        match *self {
            Part::Call(known) => Some(known),
            Part::Given { known, .. } => known,
            Part::Nothing | Part::Standard(_) | Part::Tells(..) => None,
        }
    }
}

struct Frame {
    key: FunctionKey,
    parts: Arc<Vec<Part>>,
    /// Of the call that is waited for.
    words: Vec<u64>,
    at: Option<Step>,
    /// Text that it is given: its address and length.
    text: Option<(u64, u64)>,
}

pub(crate) struct Survey<'a, 'r> {
    run: &'a Run<'r>,
    parts: HashMap<FunctionKey, Arc<Vec<Part>>>,
    frames: Vec<Frame>,
    events: Vec<Event>,
    standard: HashMap<u64, Target>,
}

impl<'a, 'r> Survey<'a, 'r> {
    fn new(run: &'a Run<'r>, _: Window, stack: Vec<FunctionKey>) -> Survey<'a, 'r> {
        let mut survey =
            Survey { run, parts: HashMap::new(), frames: Vec::new(), events: Vec::new(), standard: HashMap::new() };
        for key in stack {
            survey.push(key);
        }
        survey
    }

    fn push(&mut self, key: FunctionKey) {
        let run = self.run;
        let parts = self.parts.entry(key).or_insert_with(|| {
            let function = run.functions.function(key);
            Arc::new(match run.functions.module(key) {
                Ok(module) => function.instructions.iter().map(|i| part(module, &i.op)).collect(),
                Err(_) => vec![Part::Nothing; function.instructions.len()],
            })
        });
        self.frames.push(Frame { key, parts: parts.clone(), words: Vec::new(), at: None, text: None });
    }
}

fn part(module: &Module, op: &Op) -> Part {
    match op {
        Op::Call(call) | Op::Invoke { call, .. } => {
            let writes = |known: &&Known| known.effects.iter().any(|effect| output(effect).is_some());
            let name = match &call.callee {
                Callee::Function(id) => Some(&*module.function(*id).name),
                _ => None,
            };
            if let Some((tells, given)) = name.and_then(spelled::tells) {
                return Part::Tells(tells, given);
            }
            let known = name.and_then(|name| known(applied(module, name, call))).filter(writes);
            let target = |operand: &Operand| match global(module, operand)? {
                "_ZSt4cout" => Some(Target::Output),
                "_ZSt4cerr" | "_ZSt4clog" => Some(Target::Error),
                _ => None,
            };
            let mut given = (0..).zip(&call.arguments).filter_map(|(at, operand)| Some((at, target(operand)?)));
            match (given.next(), known) {
                (Some((position, target)), known) => Part::Given { position, target, known },
                (None, Some(known)) => Part::Call(known),
                (None, None) => Part::Nothing,
            }
        }
        Op::Load { address, .. } => match global(module, address) {
            Some("stdout") => Part::Standard(Target::Output),
            Some("stderr") => Part::Standard(Target::Error),
            _ => Part::Nothing,
        },
        _ => Part::Nothing,
    }
}

/// What a stream is told to apply, if that is what a function does: `std::endl`.
fn applied<'m>(module: &'m Module, name: &'m str, call: &Call) -> &'m str {
    const APPLIES: &str = "_ZNSolsEPFRSoS_E";
    let what = call.arguments.get(1).filter(|_| name == APPLIES).and_then(|what| global(module, what));
    what.unwrap_or(name)
}

/// The name of the variable or function whose address this is.
fn global<'m>(module: &'m Module, operand: &Operand) -> Option<&'m str> {
    let Operand::Constant(constant) = operand else { return None };
    let ConstantOp::Address(position) = constant.op else { return None };
    module.globals.get(position as usize).map(|global| global.name.as_str())
}

/// What a function writes, before it is known where its arguments point.
enum Content {
    /// What this points to.
    Pointed(Term),
    Argument(u8),
    Everything,
    /// What this argument points to, as far as its zero.
    Text(u8),
    /// This argument, in digits.
    Number(u8),
}

/// Where an effect writes to, how much, and what.
fn output(effect: &Effect) -> Option<(Channel, Option<Term>, Content)> {
    match *effect {
        Effect::Output(channel, Term::Arg(position), Term::Text) => Some((channel, None, Content::Text(position))),
        Effect::Output(channel, address, length) => Some((channel, Some(length), Content::Pointed(address))),
        Effect::OutputCharacter(channel, position) => {
            Some((channel, Some(Term::Bytes(1)), Content::Argument(position)))
        }
        Effect::OutputFormatted(channel, _) => Some((channel, Some(Term::Result), Content::Everything)),
        Effect::OutputNumber(channel, position) => Some((channel, None, Content::Number(position))),
        _ => None,
    }
}

fn number(term: Term, words: &[u64], result: Option<u64>) -> Option<u64> {
    match term {
        Term::Arg(position) => words.get(usize::from(position)).copied(),
        Term::Result => result.filter(|&r| (r as i64) >= 0 && r < 1 << 31),
        Term::Bytes(bytes) => Some(bytes),
        Term::Product(a, b) => number(*a, words, result)?.checked_mul(number(*b, words, result)?),
        Term::Least(a, b) => Some(number(*a, words, result)?.min(number(*b, words, result)?)),
        Term::TextOf(characters) => number(*characters, words, result)?.checked_add(1),
        Term::Rest(_)
        | Term::At(_)
        | Term::Text
        | Term::TextWithin(_)
        | Term::WideText
        | Term::Formatted(_)
        | Term::Unknown => None,
    }
}

/// Text that a call is given: where it is, and how long. Nothing if it writes something else.
fn text(functions: &Functions<'_>, step: &Observed<'_>, known: &Known, words: &[u64]) -> Option<(u64, u64)> {
    /// A text that is longer is none.
    const LONGEST: u64 = 1 << 16;
    let pointer = |position: u8| words.get(usize::from(position)).copied().filter(|pointer| *pointer != 0);
    let (_, _, content) = known.effects.iter().find_map(output)?;
    match content {
        Content::Text(position) => {
            let address = pointer(position)?;
            let length = (0..LONGEST).find(|at| functions.byte(step, address.wrapping_add(*at)) == 0)?;
            Some((address, length))
        }
        _ => None,
    }
}

fn words(step: &Observed<'_>, call: &Call) -> Vec<u64> {
    call.arguments.iter().map(|a| step.operand(a).first().copied().unwrap_or(0)).collect()
}

impl Observer for Survey<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last_mut() else { return };
        match frame.parts[step.id().index()] {
            Part::Nothing => {}
            Part::Standard(target) => {
                if let Some(&pointer) = step.result().first() {
                    self.standard.insert(pointer, target);
                }
            }
            Part::Tells(tells, given) => {
                let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
                if let [pointer, argument, ref rest @ ..] = words(step, call)[..] {
                    let field = rest.first().copied().unwrap_or(0);
                    self.events.push(Event::Told { stream: given.stream(pointer), tells, argument, field });
                }
            }
            part @ (Part::Call(_) | Part::Given { .. }) => {
                let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
                frame.words = words(step, call);
                if let Part::Given { position, target, .. } = part
                    && let Some(&pointer) = frame.words.get(position as usize)
                {
                    self.standard.insert(pointer, target);
                }
                let Some(known) = part.known() else { return };
                frame.text = text(&self.run.functions, step, known, &frame.words);
                frame.at = Some(Step { clock: step.clock, depth: step.depth as u32, site: frame.key.at(step.id()) });
            }
        }
    }

    fn returned(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(known) = frame.parts[step.id().index()].known() else { return };
        let result = step.result().first().copied();
        // A call that spans the beginning of the window belongs to the window it began in, which does not see it end.
        let at = frame.at.take().filter(|at| at.site.instruction == step.id());
        let words = if at.is_some() { std::mem::take(&mut frame.words) } else { Vec::new() };
        let Some(at) = at else { return };
        let text = frame.text.take();
        for (channel, length, content) in known.effects.iter().filter_map(output) {
            let to = match channel {
                Channel::StandardOutput => To::Standard(Target::Output),
                Channel::StandardError => To::Standard(Target::Error),
                Channel::StandardInput => continue,
                Channel::Stream(term) => To::Stream(number(term, &words, result).unwrap_or(0)),
                Channel::Descriptor(term) => To::Descriptor(number(term, &words, result).unwrap_or(0) as u32 as u64),
            };
            let length = length.and_then(|term| number(term, &words, result));
            // `write` may write less.
            let is_write = matches!(to, To::Descriptor(_));
            let length = match (length, result) {
                (Some(length), Some(result)) if is_write && (result as i64) < 0 => Some(0).filter(|_| length > 0),
                (Some(length), Some(result)) if is_write => Some(length.min(result)),
                (length, _) => length,
            };
            let value = match content {
                Content::Text(_) => text.map(|(_, length)| Value::Text(length)),
                Content::Number(position) => {
                    let bits = words.get(usize::from(position)).copied();
                    spelled::letter(known.name).zip(bits).map(|(letter, bits)| Value::Number(letter, bits))
                }
                Content::Pointed(_) if known.name.starts_with("_ZSt16__ostream_insert") => length.map(Value::Text),
                // `operator<<` of a character minds the width, `put` and `endl` do not.
                Content::Argument(_) if known.name.starts_with("_ZStls") => Some(Value::Text(1)),
                _ => None,
            };
            let what = match content {
                Content::Text(_) => {
                    text.map_or(What::Everything, |(address, length)| What::Text { address, length, before: 0 })
                }
                Content::Number(position) => What::Argument(u32::from(position)),
                Content::Pointed(term) => match (number(term, &words, result), value) {
                    (Some(address), Some(Value::Text(length))) => What::Text { address, length, before: 0 },
                    (Some(address), _) => What::Memory(address),
                    (None, _) => What::Everything,
                },
                Content::Argument(position) => What::Character(u32::from(position)),
                Content::Everything => What::Everything,
            };
            self.events.push(Event::Wrote(Raw { at, to, length, what, value }));
        }
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        // A function of the program with the name of a known one: what it does is seen inside.
        if let Some(caller) = self.frames.last_mut().filter(|_| !from_outside) {
            caller.at = None;
        }
        if let Some(key) = self.run.functions.key_of(module.id, function.id) {
            self.push(key);
        }
    }

    fn left(&mut self, _: &Function, _: Leaving) {
        self.frames.pop();
    }
}
