//! Values as a programmer would write them, by what the source says of their types: `'y'`, `DESCEND`, `&line[4]`.

use execution::Run;
use program::debug::{Encoding, TypeShape, place_type, value_type};
use program::library::{gives_character, spoken_name};
use program::{Call, Callee, Op, Operand, Type};
use replay::Observed;

use super::{is_written, value, value_in};
use crate::pointee::Pointees;
use crate::sources::{Sources, TypeRef};
use crate::value::{self, Extent, Shape};

/// Parts of a struct that are shown.
const SHOWN: Extent = Extent { pointers: 0, elements: 16, parts: 24 };

/// What a pointer is called of which nothing is known but that it is one.
const SOMEWHERE: &str = "an unknown address";

/// What an object is called that has too much in it, or what nobody knows.
pub(super) const SOMETHING: &str = "a new value";

/// Bytes of an object that are read to be shown.
const LONGEST: u64 = 4096;

/// How values are told of a run.
pub struct Values<'a, 'r> {
    pub sources: &'a Sources<'a, 'a>,
    addresses: Addresses<'a, 'r>,
}

enum Addresses<'a, 'r> {
    /// By what they point to.
    Named(Pointees<'a, 'r>),
    /// As they are, for who compares them.
    Numbers,
}

impl<'a, 'r> Values<'a, 'r> {
    /// For people: addresses by what they point to.
    pub fn of_run(run: &'a Run<'r>, sources: &'a Sources<'a, 'a>) -> Values<'a, 'r> {
        Values { sources, addresses: Addresses::Named(Pointees::new(run, sources)) }
    }

    /// For who looks into a recording: addresses are numbers where they are not those of global variables.
    pub fn with_numbers(sources: &'a Sources<'a, 'a>) -> Values<'a, 'r> {
        Values { sources, addresses: Addresses::Numbers }
    }
}

impl Values<'_, '_> {
    /// What a step stores.
    pub fn stored(&self, step: &Observed<'_>, address: &Operand, stored: &Operand, ty: &Type, words: &[u64]) -> String {
        if let Some(character) = self.read_character(step, stored, words) {
            return character;
        }
        self.known(step, ty, words, self.place_type(step, address, ty)).unwrap_or_else(|| {
            // How an address was come by says more than that nobody knows it.
            let written = super::expression_with_values(self.sources, step, stored);
            let is_said = super::place(self.sources, step, address, ty.store_size()) == written;
            if is_written(&written) && !is_said { written } else { SOMEWHERE.into() }
        })
    }

    /// What would be stored at an address.
    pub fn in_place(&self, step: &Observed<'_>, address: &Operand, ty: &Type, words: &[u64]) -> String {
        self.any(step, ty, words, self.place_type(step, address, ty))
    }

    fn place_type(&self, step: &Observed<'_>, address: &Operand, ty: &Type) -> Option<TypeRef> {
        let debug = self.sources.debug(step.module_position());
        let declared = match address {
            Operand::Result(slot) if step.function().is_result_slot(*slot) => debug.result_type(step.function().id),
            _ => place_type(step.module(), debug, step.function(), address, ty.store_size()),
        };
        declared.map(|ty| self.type_of(step, ty))
    }

    /// What is copied to an address, by its bytes.
    pub(super) fn copied(
        &self,
        step: &Observed<'_>,
        to: &Operand,
        length: u64,
        byte: impl Fn(u64) -> Option<u8>,
    ) -> String {
        let debug = self.sources.debug(step.module_position());
        let declared = place_type(step.module(), debug, step.function(), to, length);
        let bytes = (0..length.min(LONGEST)).map(byte).collect::<Option<Vec<u8>>>();
        let (Some(declared), Some(bytes)) = (declared, bytes.filter(|_| length <= LONGEST)) else {
            return SOMETHING.into();
        };
        let read = value::of_bytes(self.sources, self.type_of(step, declared), bytes, SHOWN);
        if has_address(&read.shape) { SOMETHING.into() } else { read.to_string() }
    }

    /// The value of an operand.
    pub fn of(&self, step: &Observed<'_>, operand: &Operand, ty: &Type, words: &[u64]) -> String {
        let debug = self.sources.debug(step.module_position());
        let declared = value_type(step.module(), debug, step.function(), operand);
        self.any(step, ty, words, declared.map(|ty| self.type_of(step, ty)))
    }

    /// What a function returns.
    pub fn returned(&self, step: &Observed<'_>, words: &[u64]) -> String {
        let declared = self.sources.debug(step.module_position()).result_type(step.function().id);
        let ty = &step.function().return_type;
        self.any(step, ty, words, declared.map(|ty| self.type_of(step, ty)))
    }

    fn any(&self, step: &Observed<'_>, ty: &Type, words: &[u64], declared: Option<TypeRef>) -> String {
        self.known(step, ty, words, declared).unwrap_or_else(|| SOMEWHERE.into())
    }

    fn type_of(&self, step: &Observed<'_>, ty: program::debug::TypeId) -> TypeRef {
        TypeRef { module: step.module_position(), ty }
    }

    /// `None`: a pointer to nobody knows what.
    fn known(&self, step: &Observed<'_>, ty: &Type, words: &[u64], declared: Option<TypeRef>) -> Option<String> {
        match (ty, words.first()) {
            (Type::Pointer, Some(&address)) if address != 0 => match &self.addresses {
                Addresses::Numbers => Some(value_in(self.sources, ty, words)),
                Addresses::Named(pointees) => {
                    let target = declared.and_then(|ty| self.sources.pointee(ty));
                    pointees.name(step, address, target)
                }
            },
            _ => Some(typed(self.sources, ty, words, declared)),
        }
    }

    /// A character that was read, or the end of the file, as the function gives them in an `int`.
    fn read_character(&self, step: &Observed<'_>, stored: &Operand, words: &[u64]) -> Option<String> {
        let Operand::Result(id) = stored else { return None };
        let call = match &step.function().instruction(*id).op {
            Op::Call(call) | Op::Invoke { call, .. } => call,
            Op::Cast { value, .. } => return self.read_character(step, value, words),
            _ => return None,
        };
        let code = *words.first()? as i32;
        gives_character(callee_name(step, call)?).then(|| character_or_end(code)).flatten()
    }
}

/// The symbol of the function that is called, as far as the call tells.
pub(super) fn callee_name<'s>(step: &'s Observed<'_>, call: &Call) -> Option<&'s str> {
    match &call.callee {
        Callee::Function(id) => Some(spoken_name(&step.module().function(*id).name)),
        _ => None,
    }
}

/// A character in an `int`; `EOF` for what stands for none. `None` for what nobody writes as either.
pub(super) fn character_or_end(code: i32) -> Option<String> {
    if code == -1 { Some("EOF".into()) } else { u8::try_from(code).ok().and_then(character) }
}

/// A character that people write as one.
fn character(code: u8) -> Option<String> {
    let is_written = matches!(code, b' '..=b'~' | b'\n' | b'\t' | b'\r' | 0);
    is_written.then(|| value::character(code.into()))
}

/// A value that is no address.
fn typed(sources: &Sources<'_, '_>, ty: &Type, words: &[u64], declared: Option<TypeRef>) -> String {
    let plainly = || value(ty, words);
    let Some(declared) = declared.filter(|_| !words.is_empty()) else { return plainly() };
    let bare = sources.bare(declared);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let size = sources.size(declared).unwrap_or(0) as usize;
    // A `char` is passed and returned in more bytes than it has.
    if size == 0 || size > bytes.len() {
        return plainly();
    }
    let read = || value::of_bytes(sources, declared, bytes[..size].to_vec(), SHOWN);
    match (ty, sources.shape(bare)) {
        (Type::Int(1), _) => plainly(),
        (_, TypeShape::Record { .. }) => {
            let read = read();
            if has_address(&read.shape) { format!("a {}", sources.type_text(declared)) } else { read.to_string() }
        }
        (Type::Int(_), TypeShape::Base(Encoding::SignedChar | Encoding::UnsignedChar)) => match read().shape {
            Shape::Character { code } => u8::try_from(code).ok().and_then(character).unwrap_or_else(plainly),
            _ => read().to_string(),
        },
        (Type::Int(_), TypeShape::Base(_) | TypeShape::Enum { .. }) => read().to_string(),
        _ => plainly(),
    }
}

/// Whether an address that means nothing to a reader would be shown.
fn has_address(shape: &Shape) -> bool {
    match shape {
        Shape::Pointer { address, symbol, .. } => *address != 0 && symbol.is_none(),
        Shape::Record { fields } => fields.iter().any(|field| has_address(&field.value.shape)),
        Shape::Array { elements, .. } => elements.iter().any(|element| has_address(&element.shape)),
        _ => false,
    }
}
