//! Makes values of bytes, by their type.

use std::collections::HashMap;

use abi::FunctionId;
use program::debug::{Encoding, MemberRole, TypeId, TypeShape};

use super::locate::{Content, Located, Scene, Visible, at_offset};
use super::{Field, Shape, Text, TextEnd, Value};
use crate::sources::{Sources, TypeRef};
use crate::state::{Byte, Bytes, Frame};

/// How much of a value is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extent {
    /// How many pointers are followed, one behind the other.
    pub pointers: u32,
    /// Elements of an array, characters of a text.
    pub elements: u64,
    /// Parts in all.
    pub parts: u32,
}

impl Extent {
    pub const SHOWN: Extent = Extent { pointers: 3, elements: 200, parts: 2000 };
    /// Nothing behind pointers, but everything else: for comparing states.
    pub const WHOLE: Extent = Extent { pointers: 0, elements: 4096, parts: 1 << 20 };
    pub(super) const SCALAR: Extent = Extent { pointers: 0, elements: 0, parts: 1 };
}

pub fn read(scene: &Scene<'_>, object: &Located, extent: Extent) -> Value {
    let mut reading = Reading { scene, extent, parts: extent.parts };
    reading.value(object, extent.pointers)
}

/// A value that is nowhere in memory, by its bytes.
pub fn of_bytes(sources: &Sources<'_, '_>, ty: TypeRef, bytes: Vec<u8>, extent: Extent) -> Value {
    let frame = Frame::blank(ty.module, FunctionId(0));
    let visible = Visible::at(sources, ty.module, FunctionId(0), [], 0);
    let thread_locals = HashMap::new();
    let scene = Scene { sources, memory: &Nothing, frame: &frame, visible: &visible, thread_locals: &thread_locals };
    read(&scene, &Located { ty, content: Content::Held(bytes), bits: None }, extent)
}

/// A memory of which nothing is known.
struct Nothing;

impl Bytes for Nothing {
    fn byte(&self, _: u64) -> Byte {
        Byte::Unknown
    }
}

struct Reading<'a, 's> {
    scene: &'s Scene<'a>,
    extent: Extent,
    parts: u32,
}

impl Reading<'_, '_> {
    fn value(&mut self, object: &Located, pointers: u32) -> Value {
        let sources = self.scene.sources;
        let mut is_stale = false;
        let shape = if self.parts == 0 {
            Shape::Unknown
        } else {
            self.parts -= 1;
            self.shape(object, pointers, &mut is_stale)
        };
        Value { type_name: sources.type_text(object.ty), shape, is_stale }
    }

    fn shape(&mut self, object: &Located, pointers: u32, is_stale: &mut bool) -> Shape {
        let sources = self.scene.sources;
        let bare = sources.bare(object.ty);
        let entry = sources.debug(bare.module).ty(bare.ty);
        let part =
            |ty: TypeId, content: Content| Located { ty: TypeRef { module: bare.module, ty }, content, bits: None };
        match &entry.shape {
            TypeShape::Record { members, .. } => {
                let mut fields = Vec::new();
                for member in members.iter().filter(|m| m.role != MemberRole::VirtualBase) {
                    let mut field = part(member.ty, at_offset(object.content.clone(), member.offset_bits / 8));
                    if member.role == MemberRole::BitField {
                        field.bits = Some((member.offset_bits % 8, member.size_bits));
                    }
                    // The pointer to a class's virtual functions is no field anybody wrote.
                    if member.name.starts_with("_vptr$") {
                        continue;
                    }
                    let name = if member.role == MemberRole::Base { String::new() } else { member.name.clone() };
                    let value = self.value(&field, pointers);
                    *is_stale |= value.is_stale;
                    fields.push(Field { name, value });
                }
                Shape::Record { fields }
            }
            TypeShape::Array { element, .. } => {
                let element = TypeRef { module: bare.module, ty: *element };
                self.array(object, element, self.scene.count(object.ty), pointers, is_stale)
            }
            TypeShape::Reference(to) => match self.scalar(object, 8, is_stale) {
                Some(bytes) => {
                    let target = part(*to, Content::Memory(word(&bytes) as u64));
                    let value = self.value(&target, pointers);
                    *is_stale |= value.is_stale;
                    value.shape
                }
                None => Shape::Unknown,
            },
            TypeShape::Pointer(to) => match self.scalar(object, 8, is_stale) {
                Some(bytes) => {
                    let to = TypeRef { module: bare.module, ty: *to };
                    self.pointer(word(&bytes) as u64, to, pointers)
                }
                None => Shape::Unknown,
            },
            TypeShape::Base(encoding) => match self.scalar(object, entry.size, is_stale) {
                Some(bytes) => base(*encoding, &entry.name, &bytes, width(object, &bytes)),
                None => Shape::Unknown,
            },
            TypeShape::Enum { underlying, names } => match self.scalar(object, entry.size, is_stale) {
                Some(bytes) => {
                    let debug = sources.debug(bare.module);
                    let is_signed = match debug.ty(debug.bare(*underlying)).shape {
                        TypeShape::Base(Encoding::Signed | Encoding::SignedChar) => true,
                        // C's enums may be declared unsigned and yet be used with negative numbers; names decide.
                        _ => names.iter().any(|(_, value)| *value < 0),
                    };
                    enumerator(names, integer(&bytes, width(object, &bytes), is_signed))
                }
                None => Shape::Unknown,
            },
            TypeShape::MemberPointer | TypeShape::Void | TypeShape::Function { .. } => {
                match self.scalar(object, entry.size, is_stale) {
                    Some(bytes) if !bytes.is_empty() => Shape::Bytes { bytes },
                    _ => Shape::Unknown,
                }
            }
            // `bare` has looked through these.
            TypeShape::Alias(_) | TypeShape::Qualified(..) => Shape::Unknown,
        }
    }

    /// The bytes of an object, if all are known; of a bit-field its bits, shifted down.
    fn scalar(&self, object: &Located, size: u64, is_stale: &mut bool) -> Option<Vec<u8>> {
        let size = match object.bits {
            Some((first, width)) => (first + width).div_ceil(8),
            None => size,
        };
        let known = self.scene.bytes(&object.content, size);
        let bytes = known.iter().map(|byte| byte.value()).collect::<Option<Vec<u8>>>()?;
        *is_stale |= known.iter().any(|byte| matches!(byte, Byte::Stale(_)));
        Some(match object.bits {
            None => bytes,
            Some((first, width)) => {
                let shifted = word(&bytes) >> first & (u128::MAX >> (128 - width.clamp(1, 128)));
                shifted.to_le_bytes().to_vec()
            }
        })
    }

    fn pointer(&mut self, address: u64, to: TypeRef, pointers: u32) -> Shape {
        let scene = self.scene;
        if address == 0 {
            return Shape::Pointer { address, symbol: None, target: None };
        }
        let target = if pointers == 0 { None } else { self.target(address, to, pointers - 1) };
        let symbol = scene.sources.symbol(address).map(|symbol| scene.sources.symbol_text(&symbol));
        Shape::Pointer { address, symbol, target: target.map(Box::new) }
    }

    /// What is at an address, if anything of it is known.
    fn target(&mut self, address: u64, to: TypeRef, pointers: u32) -> Option<Value> {
        let scene = self.scene;
        let object = Located { ty: to, content: Content::Memory(address), bits: None };
        if is_character(scene, to) {
            let mut is_stale = false;
            let shape = Shape::Text(self.text(&object, to, None, &mut is_stale)?);
            return Some(Value { type_name: scene.sources.type_text(to), shape, is_stale });
        }
        scene.sources.size(to)?;
        let value = self.value(&object, pointers);
        is_known(&value.shape).then_some(value)
    }

    fn array(
        &mut self,
        object: &Located,
        element: TypeRef,
        length: Option<u64>,
        pointers: u32,
        is_stale: &mut bool,
    ) -> Shape {
        if is_character(self.scene, element)
            && let Some(text) = self.text(object, element, Some(length.unwrap_or(0)), is_stale)
        {
            return Shape::Text(text);
        }
        let size = self.scene.sources.size(element).unwrap_or(0);
        let shown = length.unwrap_or(0).min(self.extent.elements);
        let mut elements = Vec::new();
        for index in 0..shown {
            if size == 0 || self.parts == 0 {
                break;
            }
            let content = at_offset(object.content.clone(), index * size);
            let value = self.value(&Located { ty: element, content, bits: None }, pointers);
            *is_stale |= value.is_stale;
            elements.push(value);
        }
        Shape::Array { elements, length }
    }

    /// Characters up to a NUL. `None` if there is nothing known to begin with, or it is a table of bytes, not a text.
    fn text(&self, object: &Located, character: TypeRef, length: Option<u64>, is_stale: &mut bool) -> Option<Text> {
        let size = self.scene.sources.size(character)?.max(1);
        let mut text = Vec::new();
        let limit = length.unwrap_or(u64::MAX);
        let mut end = TextEnd::Array;
        for index in 0..limit {
            if index >= self.extent.elements {
                end = TextEnd::Cut;
                break;
            }
            let bytes = self.scene.bytes(&at_offset(object.content.clone(), index * size), size);
            let Some(known) = bytes.iter().map(|b| b.value()).collect::<Option<Vec<u8>>>() else {
                end = TextEnd::Unknown;
                break;
            };
            *is_stale |= bytes.iter().any(|byte| matches!(byte, Byte::Stale(_)));
            let code = word(&known) as u32;
            if code == 0 {
                end = TextEnd::Nul;
                break;
            }
            text.push(code);
        }
        if text.is_empty() && end == TextEnd::Unknown {
            return None;
        }
        let text = if size == 1 {
            let bytes: Vec<u8> = text.into_iter().map(|code| code as u8).collect();
            super::render::escaped(&bytes)
        } else {
            text.into_iter().map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        };
        Some(Text { text, end })
    }
}

/// Whether anything at all is known of it.
fn is_known(shape: &Shape) -> bool {
    match shape {
        Shape::Unknown => false,
        Shape::Record { fields } => fields.iter().any(|f| is_known(&f.value.shape)),
        Shape::Array { elements, .. } => elements.iter().any(|e| is_known(&e.shape)),
        _ => true,
    }
}

/// `char` and its wide relatives; `signed char` and `unsigned char` are small numbers to most programs.
fn is_character(scene: &Scene<'_>, ty: TypeRef) -> bool {
    let bare = scene.sources.bare(ty);
    let entry = scene.sources.debug(bare.module).ty(bare.ty);
    match entry.shape {
        TypeShape::Base(Encoding::SignedChar | Encoding::UnsignedChar) => entry.name == "char",
        TypeShape::Base(Encoding::Utf) => true,
        TypeShape::Base(_) => entry.name == "wchar_t",
        _ => false,
    }
}

fn word(bytes: &[u8]) -> u128 {
    let mut all = [0; 16];
    let count = bytes.len().min(16);
    all[..count].copy_from_slice(&bytes[..count]);
    u128::from_le_bytes(all)
}

fn width(object: &Located, bytes: &[u8]) -> u64 {
    object.bits.map_or(bytes.len() as u64 * 8, |(_, width)| width)
}

fn integer(bytes: &[u8], width: u64, is_signed: bool) -> i128 {
    let unused = 128 - width.clamp(1, 128) as u32;
    let word = word(bytes) << unused;
    if is_signed { word as i128 >> unused } else { (word >> unused) as i128 }
}

fn base(encoding: Encoding, name: &str, bytes: &[u8], width: u64) -> Shape {
    match encoding {
        Encoding::Boolean => match integer(bytes, width, false) {
            0 => Shape::Boolean { value: false },
            1 => Shape::Boolean { value: true },
            // Undefined behaviour, and just what one wants to see.
            value => Shape::Integer { value },
        },
        Encoding::Signed => Shape::Integer { value: integer(bytes, width, true) },
        Encoding::Unsigned => Shape::Integer { value: integer(bytes, width, false) },
        Encoding::SignedChar | Encoding::UnsignedChar if name == "char" => {
            Shape::Character { code: word(bytes) as u32 }
        }
        Encoding::SignedChar => Shape::Integer { value: integer(bytes, width, true) },
        Encoding::UnsignedChar => Shape::Integer { value: integer(bytes, width, false) },
        Encoding::Utf => Shape::Character { code: word(bytes) as u32 },
        Encoding::Float => match float(bytes) {
            Some(value) => Shape::Float { value },
            None => Shape::Bytes { bytes: bytes.to_vec() },
        },
        Encoding::ComplexFloat => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            match (float(real), float(imaginary)) {
                (Some(real), Some(imaginary)) => {
                    let sign = if imaginary.starts_with('-') { "" } else { "+" };
                    Shape::Float { value: format!("{real}{sign}{imaginary}i") }
                }
                _ => Shape::Bytes { bytes: bytes.to_vec() },
            }
        }
        Encoding::Other => Shape::Bytes { bytes: bytes.to_vec() },
    }
}

fn float(bytes: &[u8]) -> Option<String> {
    Some(match *bytes {
        [a, b, c, d] => format!("{:?}", f32::from_le_bytes([a, b, c, d])),
        [a, b, c, d, e, f, g, h] => format!("{:?}", f64::from_le_bytes([a, b, c, d, e, f, g, h])),
        _ if bytes.len() == 16 => format!("{:?}", x87(word(bytes))),
        _ => return None,
    })
}

/// An 80-bit number, rounded to 64 bits: enough to be read by people.
fn x87(bits: u128) -> f64 {
    let (mantissa, exponent) = (bits as u64, (bits >> 64) as u16 & 0x7fff);
    let magnitude = match (exponent, mantissa << 1) {
        (0x7fff, 0) => f64::INFINITY,
        (0x7fff, _) => f64::NAN,
        // In two steps: neither factor leaves the range by itself where the product does not.
        _ => {
            let exponent = i32::from(exponent) - 16383 - 63;
            mantissa as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
        }
    };
    if bits >> 79 & 1 != 0 { -magnitude } else { magnitude }
}

fn enumerator(names: &[(String, i128)], value: i128) -> Shape {
    let exact = names.iter().find(|(_, v)| *v == value).map(|(name, _)| name.clone());
    let name = exact.or_else(|| {
        // Several flags at once, if single bits have names and all bits are named.
        let mut rest = value;
        let mut parts = Vec::new();
        for (name, bit) in names.iter().filter(|(_, v)| v.count_ones() == 1 && *v > 0) {
            if rest & bit != 0 {
                parts.push(name.as_str());
                rest &= !bit;
            }
        }
        (rest == 0 && parts.len() > 1).then(|| parts.join("|"))
    });
    Shape::Enumerator { name, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_numbers_of_their_width() {
        assert_eq!(integer(&[0b111], 3, true), -1);
        assert_eq!(integer(&[0b111], 3, false), 7);
        assert_eq!(integer(&[0xff; 16], 128, true), -1);
        assert_eq!(integer(&[0x80, 0xff], 16, true), -128);
    }

    #[test]
    fn long_doubles_are_read() {
        let one_and_a_half = 0x3fff_c000_0000_0000_0000_u128;
        assert_eq!(x87(one_and_a_half), 1.5);
        assert_eq!(x87(one_and_a_half | 1 << 79), -1.5);
        assert_eq!(x87(0), 0.0);
        assert_eq!(x87(0x7fff_8000_0000_0000_0000), f64::INFINITY);
    }

    #[test]
    fn flags_are_named_together() {
        let names = [("A".to_string(), 1), ("B".to_string(), 2), ("ALL".to_string(), 3), ("C".to_string(), 4)];
        let name = |value| match enumerator(&names, value) {
            Shape::Enumerator { name, .. } => name,
            _ => None,
        };
        assert_eq!(name(3).as_deref(), Some("ALL"));
        assert_eq!(name(5).as_deref(), Some("A|C"));
        assert_eq!(name(8), None);
        assert_eq!(name(0), None);
    }
}
