//! Values as a C programmer writes them.
//!
//! Unknown is `?`. A pointer is shown as what it points to (`&{x = 1}`, `"text"`, `&counter`), as its address where
//! nothing is known there. Runs of equal elements are folded as gdb folds them.

use std::fmt::{self, Display, Formatter, Write};

use super::{Shape, Text, TextEnd, Value};

/// Equal elements in a row from this many on are shown once.
const FOLDED: usize = 4;

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.shape {
            Shape::Unknown => f.write_str("?"),
            Shape::Integer { value } => write!(f, "{value}"),
            Shape::Boolean { value } => write!(f, "{value}"),
            Shape::Character { code } => write!(f, "{}", character(*code)),
            Shape::Float { value } => f.write_str(value),
            Shape::Enumerator { name: Some(name), .. } => f.write_str(name),
            Shape::Enumerator { name: None, value } => write!(f, "{value}"),
            Shape::Pointer { address: 0, .. } => f.write_str("NULL"),
            Shape::Pointer { address, symbol, target } => match (target.as_deref(), symbol) {
                (Some(Value { shape: Shape::Text(text), .. }), _) => write!(f, "{text}"),
                (_, Some(symbol)) => write!(f, "&{symbol}"),
                (Some(target), None) => write!(f, "&{target}"),
                (None, None) => write!(f, "{address:#x}"),
            },
            Shape::Text(text) => write!(f, "{text}"),
            Shape::Record { fields } => {
                f.write_str("{")?;
                for (position, field) in fields.iter().enumerate() {
                    f.write_str(if position == 0 { "" } else { ", " })?;
                    if !field.name.is_empty() {
                        write!(f, "{} = ", field.name)?;
                    }
                    write!(f, "{}", field.value)?;
                }
                f.write_str("}")
            }
            Shape::Array { elements, length } => array(f, elements, *length),
            Shape::Bytes { bytes } => {
                f.write_str("0x")?;
                bytes.iter().rev().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
        }
    }
}

fn array(f: &mut Formatter<'_>, elements: &[Value], length: Option<u64>) -> fmt::Result {
    f.write_str("{")?;
    let mut at = 0;
    while at < elements.len() {
        let count = elements[at..].iter().take_while(|e| e.shape == elements[at].shape).count();
        let separator = if at == 0 { "" } else { ", " };
        if count >= FOLDED {
            write!(f, "{separator}{} <repeats {count} times>", elements[at])?;
            at += count;
        } else {
            write!(f, "{separator}{}", elements[at])?;
            at += 1;
        }
    }
    let separator = if elements.is_empty() { "" } else { ", " };
    match length {
        Some(length) if length <= elements.len() as u64 => f.write_str("}"),
        Some(_) => write!(f, "{separator}...}}"),
        None => write!(f, "{separator}?}}"),
    }
}

impl Display for Text {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.text.replace('"', "\\\""))?;
        match self.end {
            TextEnd::Nul | TextEnd::Array => Ok(()),
            TextEnd::Unknown => f.write_str("?"),
            TextEnd::Cut => f.write_str("..."),
        }
    }
}

/// A character as C writes it.
pub fn character(code: u32) -> String {
    match code {
        0x27 => "'\\''".into(),
        0x22 => "'\"'".into(),
        0..=0xff => format!("'{}'", escaped(&[code as u8])),
        _ => match char::from_u32(code) {
            Some(c) => format!("'{c}'"),
            None => format!("{code:#x}"),
        },
    }
}

/// A text with what cannot be printed in C's notation; quotes are left alone.
pub(super) fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                '\r' => out.push_str("\\r"),
                '\\' => out.push_str("\\\\"),
                '\0' => out.push_str("\\0"),
                c if c.is_control() => _ = write!(out, "\\{:03o}", c as u32),
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            _ = write!(out, "\\{byte:03o}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Field;
    use super::*;

    fn value(shape: Shape) -> Value {
        Value { type_name: String::new(), shape, is_stale: false }
    }

    fn number(n: i128) -> Value {
        value(Shape::Integer { value: n })
    }

    #[test]
    fn looks_like_c() {
        let field = |name: &str, value| Field { name: name.into(), value };
        let record = value(Shape::Record {
            fields: vec![field("x", number(1)), field("c", value(Shape::Character { code: 10 }))],
        });
        assert_eq!(record.to_string(), r"{x = 1, c = '\n'}");
        let pointer = Shape::Pointer { address: 16, symbol: None, target: Some(Box::new(record)) };
        assert_eq!(value(pointer).to_string(), r"&{x = 1, c = '\n'}");
        assert_eq!(value(Shape::Unknown).to_string(), "?");
        let text = Text { text: "say \"a\"".into(), end: TextEnd::Unknown };
        assert_eq!(value(Shape::Text(text)).to_string(), r#""say \"a\""?"#);
    }

    #[test]
    fn repetition_is_folded() {
        let elements = |numbers: &[i128]| numbers.iter().map(|n| number(*n)).collect::<Vec<_>>();
        let shown = |numbers: &[i128], length| value(Shape::Array { elements: elements(numbers), length }).to_string();
        assert_eq!(shown(&[1, 1, 1, 2], Some(4)), "{1, 1, 1, 2}");
        assert_eq!(shown(&[0, 0, 0, 0, 0, 2], Some(6)), "{0 <repeats 5 times>, 2}");
        assert_eq!(shown(&[1], Some(9)), "{1, ...}");
        assert_eq!(shown(&[], Some(0)), "{}");
        assert_eq!(shown(&[], None), "{?}");
    }

    #[test]
    fn what_cannot_be_printed_is_escaped() {
        assert_eq!(escaped(b"a\x01\xff\n"), r"a\001\377\n");
        assert_eq!(character(0), r"'\0'");
        assert_eq!(character(0x27), r"'\''");
    }
}
