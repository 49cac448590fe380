//! A step in the program's own terms: what it assigns, decides, calls or returns.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Display, Formatter};

use program::debug::{place_text, value_text};
use program::library::in_words;
use program::{Call, CallKind, Callee, FloatKind, Op, Operand, Type};
use replay::{Observed, Observer, ReplayError, Step};

use crate::sources::Sources;
use execution::{Run, Window};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Told {
    Assigns {
        place: String,
        value: String,
    },
    Decides {
        condition: String,
        outcome: bool,
    },
    Chooses {
        value: String,
        of: String,
    },
    Calls {
        name: String,
        arguments: Vec<String>,
    },
    Returns {
        function: String,
        value: Option<String>,
    },
    /// Something read or computed on the way, with its value.
    Has {
        expression: String,
        value: String,
    },
}

impl Display for Told {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Told::Assigns { place, value } => write!(f, "{place} = {value}"),
            Told::Decides { condition, outcome } => write!(f, "{condition} is {outcome}"),
            Told::Chooses { value, of } => write!(f, "switch on {of}, which is {value}"),
            Told::Calls { name, arguments } => write!(f, "calls {name}({})", arguments.join(", ")),
            Told::Returns { function, value: Some(value) } => write!(f, "{function} returns {value}"),
            Told::Returns { function, value: None } => write!(f, "{function} returns"),
            Told::Has { expression, value } => write!(f, "{expression} is {value}"),
        }
    }
}

/// The text of a step that assigns, decides, calls or returns; of others there is none.
pub fn told(sources: &Sources<'_, '_>, step: &Observed<'_>) -> Option<Told> {
    Some(match &step.instruction().op {
        Op::Store { value: stored, value_type, address, .. } => Told::Assigns {
            place: place(sources, step, address, value_type.store_size()),
            value: value_in(sources, value_type, step.went_on_with(stored)),
        },
        Op::Branch { condition, .. } => Told::Decides {
            condition: expression(sources, step, condition),
            outcome: step.went_on_with(condition).first().is_some_and(|w| *w != 0),
        },
        Op::Switch { value: switched, value_type, .. } => Told::Chooses {
            value: value_in(sources, value_type, step.went_on_with(switched)),
            of: expression(sources, step, switched),
        },
        Op::Call(call) | Op::Invoke { call, .. } => {
            match call.kind {
                CallKind::Computed | CallKind::Ignored | CallKind::Logged => return None,
                CallKind::Open | CallKind::Closed | CallKind::Setjmp | CallKind::Memory => {}
            }
            // The last argument of the compiler's own copies is for the compiler.
            let count = call.arguments.len() - usize::from(call.kind == CallKind::Memory && !call.arguments.is_empty());
            let arguments = call.arguments.iter().zip(&call.argument_types).take(count);
            Told::Calls {
                name: called(sources, step, call),
                arguments: arguments.map(|(a, ty)| argument(sources, step, a, ty)).collect(),
            }
        }
        Op::Return { value: result } => Told::Returns {
            function: in_words(&step.function().name).into_owned(),
            value: result.as_ref().map(|result| value_in(sources, &step.function().return_type, step.operand(result))),
        },
        _ => return None,
    })
}

/// The text of any step that has a value.
pub fn told_with_values(sources: &Sources<'_, '_>, step: &Observed<'_>) -> Option<Told> {
    let instruction = step.instruction();
    told(sources, step).or_else(|| {
        let words = step.result();
        if words.is_empty() {
            return None;
        }
        let operand = Operand::Result(step.id());
        Some(Told::Has {
            expression: expression(sources, step, &operand),
            value: value_in(sources, &instruction.ty, words),
        })
    })
}

pub fn callee(step: &Observed<'_>, call: &Call) -> String {
    match &call.callee {
        Callee::Function(id) => in_words(&step.module().function(*id).name).into_owned(),
        Callee::Symbol(position) => {
            let global = step.module().globals.get(*position as usize);
            in_words(global.map_or("?", |global| &global.name)).into_owned()
        }
        Callee::Pointer(pointer) => match step.operand(pointer).first() {
            Some(address) => format!("*{address:#x}"),
            None => "?".into(),
        },
        Callee::Assembly => "asm".into(),
    }
}

/// The function that is called; through a pointer, the one that it points to, or else what the pointer is called.
fn called(sources: &Sources<'_, '_>, step: &Observed<'_>, call: &Call) -> String {
    let Callee::Pointer(pointer) = &call.callee else { return callee(step, call) };
    let symbol = step.operand(pointer).first().and_then(|address| sources.symbol(*address));
    match symbol.filter(|symbol| symbol.offset == 0) {
        Some(symbol) => sources.symbol_text(&symbol),
        None => Some(expression(sources, step, pointer))
            .filter(|text| is_written(text))
            .map_or_else(|| callee(step, call), |text| if text.contains(' ') { format!("({text})") } else { text }),
    }
}

/// The object at an address, with indices by their values.
fn place(sources: &Sources<'_, '_>, step: &Observed<'_>, address: &Operand, size: u64) -> String {
    let debug = sources.debug(step.module_position());
    let value_of = |operand: &Operand| step.operand(operand).first().copied();
    place_text(step.module(), debug, step.function(), address, size, Some(&value_of))
}

fn expression(sources: &Sources<'_, '_>, step: &Observed<'_>, operand: &Operand) -> String {
    value_text(step.module(), sources.debug(step.module_position()), step.function(), operand, None)
}

/// What a call is given: its value, but by the expression rather than by an address that means nothing to a reader.
fn argument(sources: &Sources<'_, '_>, step: &Observed<'_>, operand: &Operand, ty: &Type) -> String {
    let words = step.operand(operand);
    let is_address = *ty == Type::Pointer && words.first().is_some_and(|address| *address != 0);
    let written = || Some(expression(sources, step, operand)).filter(|text| is_address && is_written(text));
    let taken = || address_taken(sources, step, operand).filter(|text| is_address && is_written(text));
    let literal = words.first().and_then(|address| sources.literal(*address)).filter(|_| is_address);
    literal.or_else(taken).or_else(|| named(sources, ty, words)).or_else(written).unwrap_or_else(|| value(ty, words))
}

/// The address of an object that stands in the call itself (`word`, `&p->x`, `all[2].name`), with indices by their values;
/// not what a variable holds.
fn address_taken(sources: &Sources<'_, '_>, step: &Observed<'_>, operand: &Operand) -> Option<String> {
    let is_taken = match operand {
        Operand::Result(id) => {
            matches!(step.function().instruction(*id).op, Op::Alloca { .. } | Op::ElementPointer { .. })
        }
        Operand::Constant(_) => true,
        Operand::Parameter(_) => false,
    };
    let value_of = |operand: &Operand| step.operand(operand).first().copied();
    let debug = sources.debug(step.module_position());
    is_taken.then(|| value_text(step.module(), debug, step.function(), operand, Some(&value_of)))
}

/// Whether an expression has only what is in the source.
fn is_written(text: &str) -> bool {
    !text.is_empty() && !text.contains("...") && !text.contains("(temporary)")
}

/// A value, with pointers to variables, functions and literals of the program shown as such.
pub fn value_in(sources: &Sources<'_, '_>, ty: &Type, words: &[u64]) -> String {
    named(sources, ty, words).unwrap_or_else(|| value(ty, words))
}

fn named(sources: &Sources<'_, '_>, ty: &Type, words: &[u64]) -> Option<String> {
    let (Type::Pointer, Some(&address)) = (ty, words.first()) else { return None };
    let symbol = || sources.symbol(address).map(|symbol| format!("&{}", sources.symbol_text(&symbol)));
    sources.literal(address).or_else(symbol)
}

/// A value as a C programmer would write it.
pub fn value(ty: &Type, words: &[u64]) -> String {
    let Some(&word) = words.first() else { return "nothing".into() };
    match ty {
        Type::Int(1) => (word != 0).to_string(),
        Type::Int(bits) if *bits <= 64 => {
            let shift = 64 - bits;
            (((word << shift) as i64) >> shift).to_string()
        }
        Type::Pointer if word == 0 => "NULL".into(),
        Type::Pointer => format!("{word:#x}"),
        Type::Float(FloatKind::Double) => format!("{:?}", f64::from_bits(word)),
        Type::Float(FloatKind::Single) => format!("{:?}", f32::from_bits(word as u32)),
        _ => {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take(ty.store_size() as usize).collect();
            format!("0x{}", bytes.iter().rev().map(|b| format!("{b:02x}")).collect::<String>())
        }
    }
}

/// The texts of chosen steps; only the windows they are in are replayed.
pub fn tell(
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    steps: &BTreeSet<Step>,
) -> Result<HashMap<Step, Told>, ReplayError> {
    let mut all = HashMap::new();
    for (window, wanted) in run.by_window(steps) {
        all.extend(tell_window(run, sources, window, wanted)?);
    }
    Ok(all)
}

fn tell_window(
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    window: Window,
    wanted: BTreeSet<Step>,
) -> Result<HashMap<Step, Told>, ReplayError> {
    let clocks = wanted.first().map_or(0, |m| m.clock)..=wanted.last().map_or(0, |m| m.clock);
    let teller = Teller { run, sources, wanted, clocks, found: HashMap::new() };
    Ok(run.replay(window, teller)?.found)
}

struct Teller<'a, 'r> {
    run: &'a Run<'r>,
    sources: &'a Sources<'a, 'a>,
    wanted: BTreeSet<Step>,
    clocks: std::ops::RangeInclusive<u64>,
    found: HashMap<Step, Told>,
}

impl Observer for Teller<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        if !self.clocks.contains(&step.clock) {
            return;
        }
        let Some(function) = self.run.functions.key_of(step.module().id, step.function().id) else { return };
        let at = Step { clock: step.clock, depth: step.depth as u32, site: function.at(step.id()) };
        if self.wanted.contains(&at)
            && let Some(told) = told_with_values(self.sources, step)
        {
            self.found.insert(at, told);
        }
    }
}
