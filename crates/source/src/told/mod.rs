//! A step in the program's own terms: what it assigns, decides, calls or returns.

mod values;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::{self, Display, Formatter};

use abi::MemoryIntrinsic;
use program::debug::{is_written_call, place_text, value_text};
use program::library::{characters_of, format_of, in_words, takes_character};
use program::{Call, CallKind, Callee, ConstantOp, FloatKind, Intrinsic, Op, Operand, Type};
use replay::{Observed, Observer, ReplayError, Step};

use crate::sources::Sources;
use execution::Run;

pub use values::Values;

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
pub fn told(values: &Values<'_, '_>, step: &Observed<'_>) -> Option<Told> {
    let sources = values.sources;
    Some(match &step.instruction().op {
        Op::Store { value: stored, value_type, address, .. } => Told::Assigns {
            place: place(sources, step, address, value_type.store_size()),
            value: values.stored(step, address, stored, value_type, step.went_on_with(stored)),
        },
        Op::Branch { condition, .. } => Told::Decides {
            condition: expression(sources, step, condition),
            outcome: step.went_on_with(condition).first().is_some_and(|w| *w != 0),
        },
        Op::Switch { value: switched, value_type, .. } => Told::Chooses {
            value: values.of(step, switched, value_type, step.went_on_with(switched)),
            of: expression(sources, step, switched),
        },
        Op::Call(call) | Op::Invoke { call, .. } => {
            match call.kind {
                CallKind::Computed | CallKind::Ignored | CallKind::Logged => return None,
                CallKind::Open | CallKind::Closed | CallKind::Setjmp | CallKind::Memory => {}
            }
            let name = called(sources, step, call);
            let debug = sources.debug(step.module_position());
            match call.kind {
                CallKind::Memory if !is_written_call(step.module(), debug, step.function(), step.id(), &name) => {
                    initialised(values, step, call)?
                }
                _ => Told::Calls { name, arguments: arguments(values, step, call) },
            }
        }
        Op::Return { value: result } => Told::Returns {
            function: in_words(&step.function().name).into_owned(),
            value: result.as_ref().map(|result| values.returned(step, step.operand(result))),
        },
        _ => return None,
    })
}

/// The text of any step that has a value.
fn told_with_values(values: &Values<'_, '_>, step: &Observed<'_>) -> Option<Told> {
    let instruction = step.instruction();
    told(values, step).or_else(|| {
        let words = step.result();
        if words.is_empty() {
            return None;
        }
        let operand = Operand::Result(step.id());
        Some(Told::Has {
            expression: expression(values.sources, step, &operand),
            value: values.of(step, &operand, &instruction.ty, words),
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

/// What the compiler made a copy or a filling of memory of: an initialiser, or the assignment of a struct.
fn initialised(values: &Values<'_, '_>, step: &Observed<'_>, call: &Call) -> Option<Told> {
    let [to, from, length, ..] = &call.arguments[..] else { return None };
    let (sources, length) = (values.sources, *step.operand(length).first()?);
    let is_fill = step.module().intrinsic(&call.callee)? == Intrinsic::Memory(MemoryIntrinsic::Fill);
    let object = || place(sources, step, from, length);
    let value = match from {
        from if is_fill && step.operand(from).first() == Some(&0) => "all zeros".into(),
        Operand::Constant(_) if !is_fill => {
            values.copied(step, to, length, |offset| initial_byte(sources, step, from, offset))
        }
        Operand::Result(_) | Operand::Parameter(_) if !is_fill && !is_made(&object()) && is_written(&object()) => {
            format!("a copy of {}", object())
        }
        // What the compiler keeps for a moment has been stored by the code around it.
        Operand::Result(_) if !is_fill => {
            let address = *step.operand(from).first()?;
            values.copied(step, to, length, |offset| Some(step.byte(address.wrapping_add(offset))))
        }
        _ => values::SOMETHING.into(),
    };
    Some(Told::Assigns { place: place(sources, step, to, length), value })
}

/// A byte of a constant that an initialiser is kept in.
fn initial_byte(sources: &Sources<'_, '_>, step: &Observed<'_>, operand: &Operand, offset: u64) -> Option<u8> {
    let Operand::Constant(constant) = operand else { return None };
    let ConstantOp::Address(position) = constant.op else { return None };
    let initial = sources.debug(step.module_position()).initial.get(position as usize)?.as_ref()?;
    sources.image.constant_bytes(step.module_position(), initial).get(offset as usize).copied()
}

/// Whether a name is one that only the compiler knows, as it has them for temporary objects.
fn is_made(text: &str) -> bool {
    ["tmp", "ref.tmp", "agg.tmp", "coerce", ".compoundliteral"].iter().any(|made| text.starts_with(made))
        || text.contains(".coerce")
}

fn expression_with_values(sources: &Sources<'_, '_>, step: &Observed<'_>, operand: &Operand) -> String {
    let value_of = |operand: &Operand| step.operand(operand).first().copied();
    value_text(step.module(), sources.debug(step.module_position()), step.function(), operand, Some(&value_of))
}

fn arguments(values: &Values<'_, '_>, step: &Observed<'_>, call: &Call) -> Vec<String> {
    // The last argument of the compiler's own copies is for the compiler.
    let count = call.arguments.len() - usize::from(call.kind == CallKind::Memory && !call.arguments.is_empty());
    let name = values::callee_name(step, call).unwrap_or_default();
    let format = format_of(name).and_then(|position| {
        let address = step.operand(call.arguments.get(position)?).first()?;
        Some((position + 1, characters_of(values.sources.literal_text(*address)?.as_bytes())))
    });
    let is_character = |position: usize| {
        let in_format = |(first, of_format): &(usize, Vec<bool>)| {
            position.checked_sub(*first).and_then(|at| of_format.get(at)).copied().unwrap_or(false)
        };
        takes_character(name, position) || format.as_ref().is_some_and(in_format)
    };
    let all = call.arguments.iter().zip(&call.argument_types).take(count).enumerate();
    all.map(|(position, (operand, ty))| {
        let code = step.operand(operand).first().map(|word| *word as i32);
        let character = code.filter(|_| is_character(position)).and_then(values::character_or_end);
        character.unwrap_or_else(|| argument(values, step, operand, ty))
    })
    .collect()
}

/// What a call is given: its value, but by the expression rather than by an address that means nothing to a reader.
fn argument(values: &Values<'_, '_>, step: &Observed<'_>, operand: &Operand, ty: &Type) -> String {
    let sources = values.sources;
    let words = step.operand(operand);
    let is_address = *ty == Type::Pointer && words.first().is_some_and(|address| *address != 0);
    if !is_address {
        return values.of(step, operand, ty, words);
    }
    let written = || Some(expression(sources, step, operand)).filter(|text| is_written(text));
    let taken = || address_taken(sources, step, operand).filter(|text| is_written(text));
    let literal = words.first().and_then(|address| sources.literal(*address));
    let named = literal.or_else(taken).or_else(|| named(sources, ty, words)).or_else(written);
    named.unwrap_or_else(|| values.of(step, operand, ty, words))
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
    is_taken.then(|| expression_with_values(sources, step, operand))
}

/// Whether an expression has only what is in the source.
fn is_written(text: &str) -> bool {
    !text.is_empty() && !text.contains("...") && !text.contains("(temporary)")
}

/// A value of no step, with pointers to global variables, functions and literals of the program shown as such.
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
    at_steps(run, sources, steps, told_with_values)
}

/// Values that chosen steps did not have, as they would be told of them: what an assignment would have stored, what another
/// step would have given. One for each word, in the same order.
pub fn tell_values(
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    wanted: &[(Step, u64)],
) -> Result<Vec<Option<String>>, ReplayError> {
    let mut by_step: BTreeMap<Step, Vec<u64>> = BTreeMap::new();
    for (step, word) in wanted {
        by_step.entry(*step).or_default().push(*word);
    }
    let steps = by_step.keys().copied().collect();
    let told = at_steps(run, sources, &steps, |values, step| {
        let words = by_step.get(&step.step())?;
        Some(words.iter().map(|word| (*word, other_value(values, step, *word))).collect::<HashMap<u64, String>>())
    })?;
    Ok(wanted.iter().map(|(step, word)| told.get(step)?.get(word).cloned()).collect())
}

/// Another value of a step.
fn other_value(values: &Values<'_, '_>, step: &Observed<'_>, word: u64) -> String {
    let instruction = step.instruction();
    match &instruction.op {
        Op::Store { value_type, address, .. } => values.in_place(step, address, value_type, &[word]),
        Op::Switch { value, value_type, .. } => values.of(step, value, value_type, &[word]),
        Op::Branch { .. } => (word != 0).to_string(),
        _ => values.of(step, &Operand::Result(step.id()), &instruction.ty, &[word]),
    }
}

/// What there is to say of each of chosen steps when it is executed.
fn at_steps<T>(
    run: &Run<'_>,
    sources: &Sources<'_, '_>,
    steps: &BTreeSet<Step>,
    say: impl Fn(&Values<'_, '_>, &Observed<'_>) -> Option<T>,
) -> Result<HashMap<Step, T>, ReplayError> {
    let values = Values::of_run(run, sources);
    let mut found = HashMap::new();
    for (window, wanted) in run.by_window(steps) {
        let clocks = wanted.first().map_or(0, |m| m.clock)..=wanted.last().map_or(0, |m| m.clock);
        found = run.replay(window, Teller { values: &values, say: &say, wanted, clocks, found })?.found;
    }
    Ok(found)
}

struct Teller<'a, 's, 'r, F, T> {
    values: &'a Values<'s, 'r>,
    say: &'a F,
    wanted: BTreeSet<Step>,
    clocks: std::ops::RangeInclusive<u64>,
    found: HashMap<Step, T>,
}

impl<T, F: Fn(&Values<'_, '_>, &Observed<'_>) -> Option<T>> Observer for Teller<'_, '_, '_, F, T> {
    fn step(&mut self, step: &Observed<'_>) {
        if !self.clocks.contains(&step.clock) {
            return;
        }
        let at = step.step();
        if self.wanted.contains(&at)
            && let Some(said) = (self.say)(self.values, step)
        {
            self.found.insert(at, said);
        }
    }
}
