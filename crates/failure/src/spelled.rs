//! How long a number or a text is as C++ streams write it, by the width, precision and format that the program has
//! set.

/// What a stream has been told, as `std::ios_base` keeps it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// At least so many characters, for the next value only.
    width: u64,
    /// As the program gave it: anything.
    precision: i32,
    flags: u64,
}

/// `std::ios_base::fmtflags` of the GNU library.
mod flag {
    pub const WORDS: u64 = 1;
    pub const DECIMAL: u64 = 1 << 1;
    pub const FIXED: u64 = 1 << 2;
    pub const HEXADECIMAL: u64 = 1 << 3;
    pub const INTERNAL: u64 = 1 << 4;
    pub const LEFT: u64 = 1 << 5;
    pub const OCTAL: u64 = 1 << 6;
    pub const SCIENTIFIC: u64 = 1 << 8;
    pub const BASE: u64 = 1 << 9;
    pub const POINT: u64 = 1 << 10;
    pub const PLUS: u64 = 1 << 11;
    pub const BASE_FIELD: u64 = DECIMAL | HEXADECIMAL | OCTAL;
}

impl Default for Format {
    fn default() -> Format {
        Format { width: 0, precision: 6, flags: flag::DECIMAL }
    }
}

/// A function by which a program tells a stream how to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tells {
    Width,
    Precision,
    Base,
    /// Sets these flags.
    Set,
    /// Sets these flags of the field that the next argument names.
    SetField,
    Unset,
}

/// What a function tells a stream, if that is what it does; and whether it is given the stream, or its `std::ios_base`.
pub fn tells(function: &str) -> Option<(Tells, Through)> {
    const TO_STREAM: &str = "_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St";
    if let Some(manipulator) = function.strip_prefix(TO_STREAM) {
        let tells = match manipulator {
            "5_Setw" => Tells::Width,
            "13_Setprecision" => Tells::Precision,
            "8_Setbase" => Tells::Base,
            "12_Setiosflags" => Tells::Set,
            "14_Resetiosflags" => Tells::Unset,
            _ => return None,
        };
        return Some((tells, Through::Stream));
    }
    let tells = match function.strip_prefix("_ZNSt8ios_base")? {
        "5widthEl" => Tells::Width,
        "9precisionEl" => Tells::Precision,
        "4setfESt13_Ios_Fmtflags" => Tells::Set,
        "4setfESt13_Ios_FmtflagsS0_" => Tells::SetField,
        "6unsetfESt13_Ios_Fmtflags" => Tells::Unset,
        _ => return None,
    };
    Some((tells, Through::Base))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Through {
    Stream,
    Base,
}

impl Through {
    /// The stream, by what a function was given.
    pub fn stream(self, pointer: u64) -> u64 {
        /// Where in a `std::ostream` its `std::ios_base` begins.
        const BASE: u64 = 8;
        match self {
            Through::Stream => pointer,
            Through::Base => pointer.wrapping_sub(BASE),
        }
    }
}

/// A value as it is given to a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Of so many characters.
    Text(u64),
    /// Its type by the letter of mangled names, and its bits.
    Number(char, u64),
}

/// How a value was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spelled {
    pub length: u64,
    /// Of these, what fills the width before the value.
    pub before: u64,
}

impl Format {
    pub fn told(&mut self, tells: Tells, argument: u64, field: u64) {
        // All are `int` or `long`; of an `int` the upper half is not defined.
        let number = u64::from(argument as u32);
        match tells {
            Tells::Width => self.width = u64::try_from(argument as i32).unwrap_or(0),
            Tells::Precision => self.precision = argument as i32,
            Tells::Base => {
                let base = match number {
                    8 => flag::OCTAL,
                    16 => flag::HEXADECIMAL,
                    _ => flag::DECIMAL,
                };
                self.flags = self.flags & !flag::BASE_FIELD | base;
            }
            Tells::Set => self.flags |= number,
            Tells::SetField => self.flags = self.flags & !field | number & field,
            Tells::Unset => self.flags &= !number,
        }
    }

    /// Writes a value; `None` where its length depends on more than the format.
    pub fn spell(&mut self, value: Value) -> Option<Spelled> {
        let width = std::mem::take(&mut self.width);
        let length = match value {
            Value::Text(length) => length,
            Value::Number(letter, bits) => self.number(letter, bits)?,
        };
        let filled = width.saturating_sub(length);
        let is_after = self.flags & (flag::LEFT | flag::INTERNAL) != 0;
        Some(Spelled { length: length + filled, before: if is_after { 0 } else { filled } })
    }

    fn number(&self, letter: char, bits: u64) -> Option<u64> {
        let has = |flag: u64| self.flags & flag != 0;
        let (number, size) = match letter {
            'b' if has(flag::WORDS) => return Some(if bits & 1 == 1 { "true" } else { "false" }.len() as u64),
            'b' => (i128::from(bits & 1), 64),
            's' => (i128::from(bits as i16), 16),
            't' => (i128::from(bits as u16), 16),
            'i' => (i128::from(bits as i32), 32),
            'j' => (i128::from(bits as u32), 32),
            'l' | 'x' => (i128::from(bits as i64), 64),
            'm' | 'y' => (i128::from(bits), 64),
            'P' => return Some(format!("{bits:#x}").len() as u64 - if bits == 0 { 2 } else { 0 }),
            'd' => return Some(self.real(f64::from_bits(bits))?.len() as u64),
            'f' => return Some(self.real(f64::from(f32::from_bits(bits as u32)))?.len() as u64),
            _ => return None,
        };
        let unsigned = (number as u128) & (u128::MAX >> (128 - size));
        let is_shown = has(flag::BASE) && number != 0;
        let text = if has(flag::HEXADECIMAL) {
            format!("{}{unsigned:x}", if is_shown { "0x" } else { "" })
        } else if has(flag::OCTAL) {
            format!("{}{unsigned:o}", if is_shown { "0" } else { "" })
        } else if has(flag::PLUS) && matches!(letter, 's' | 'i' | 'l' | 'x' | 'b') {
            format!("{number:+}")
        } else {
            number.to_string()
        };
        Some(text.len() as u64)
    }

    /// A floating-point number as `printf` writes it by `%f`, `%e` or `%g`; `None` with more digits than anybody reads.
    fn real(&self, number: f64) -> Option<String> {
        const MOST_DIGITS: usize = 1000;
        let precision = usize::try_from(self.precision).unwrap_or(Format::default().precision as usize);
        if precision > MOST_DIGITS {
            return None;
        }
        let sign = match (number.is_sign_negative(), self.flags & flag::PLUS != 0) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        };
        let number = number.abs();
        let keeps_zeros = self.flags & flag::POINT != 0;
        let digits = match self.flags & (flag::FIXED | flag::SCIENTIFIC) {
            _ if number.is_nan() => "nan".to_owned(),
            _ if number.is_infinite() => "inf".to_owned(),
            flag::FIXED => format!("{number:.precision$}"),
            flag::SCIENTIFIC => scientific(number, precision, true),
            _ => {
                let precision = precision.max(1);
                let exponent = exponent(number, precision - 1);
                if exponent >= -4 && exponent < precision as i64 {
                    let digits = format!("{number:.*}", (precision as i64 - 1 - exponent) as usize);
                    if keeps_zeros { digits } else { without_zeros(&digits) }
                } else {
                    scientific(number, precision - 1, keeps_zeros)
                }
            }
        };
        Some(format!("{sign}{digits}"))
    }
}

/// The decimal exponent of a number once it is rounded to so many digits after the first.
fn exponent(number: f64, digits: usize) -> i64 {
    let text = format!("{number:.digits$e}");
    text.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0)
}

fn scientific(number: f64, digits: usize, keeps_zeros: bool) -> String {
    let text = format!("{number:.digits$e}");
    let mantissa = text.split_once('e').map_or(text.as_str(), |(mantissa, _)| mantissa);
    let mantissa = if keeps_zeros { mantissa.to_owned() } else { without_zeros(mantissa) };
    let exponent = exponent(number, digits);
    format!("{mantissa}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn without_zeros(digits: &str) -> String {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.').to_owned() } else { digits.to_owned() }
}

/// The letter by which the name of `operator<<`, or of what it calls, says what it is given.
pub fn letter(function: &str) -> Option<char> {
    let rest = function.strip_prefix("_ZNSolsE").or_else(|| function.strip_prefix("_ZNSo9_M_insertI"))?;
    rest.chars().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length(format: &mut Format, letter: char, bits: u64) -> Option<u64> {
        format.spell(Value::Number(letter, bits)).map(|spelled| spelled.length)
    }

    #[test]
    fn numbers_are_as_long_as_their_digits() {
        let plain = &mut Format::default();
        assert_eq!(letter("_ZNSolsEi"), Some('i'));
        assert_eq!(letter("_ZNSo9_M_insertImEERSoT_"), Some('m'));
        assert_eq!(letter("printf"), None);
        assert_eq!(length(plain, 'i', -7_i32 as u32 as u64), Some(2));
        assert_eq!(length(plain, 'j', -1_i32 as u32 as u64), Some(10));
        assert_eq!(length(plain, 'b', 1), Some(1));
        assert_eq!(length(plain, 'P', 0), Some(1));
        assert_eq!(length(plain, 'e', 0), None);
    }

    #[test]
    fn a_width_is_for_one_value() {
        let mut format = Format::default();
        format.told(Tells::Width, 8, 0);
        assert_eq!(format.spell(Value::Text(3)), Some(Spelled { length: 8, before: 5 }));
        assert_eq!(format.spell(Value::Text(3)), Some(Spelled { length: 3, before: 0 }));
        format.told(Tells::Set, flag::LEFT, 0);
        format.told(Tells::Width, 8, 0);
        assert_eq!(format.spell(Value::Number('i', 12)), Some(Spelled { length: 8, before: 0 }));
    }

    #[test]
    fn real_numbers_are_written_as_by_printf() {
        let mut format = Format::default();
        for (number, text) in [
            (0.0, "0"),
            (0.1, "0.1"),
            (100_000.0, "100000"),
            (1_000_000.0, "1e+06"),
            (999_999.5, "1e+06"),
            (0.00012, "0.00012"),
            (0.000012, "1.2e-05"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(format.real(number).as_deref(), Some(text));
        }
        format.told(Tells::Precision, 2, 0);
        format.told(Tells::SetField, flag::FIXED, flag::FIXED | flag::SCIENTIFIC);
        assert_eq!(format.real(2.0).as_deref(), Some("2.00"));
        format.told(Tells::SetField, flag::SCIENTIFIC, flag::FIXED | flag::SCIENTIFIC);
        assert_eq!(format.real(12345.678).as_deref(), Some("1.23e+04"));
    }

    #[test]
    fn a_program_may_ask_for_anything() {
        let mut format = Format::default();
        format.told(Tells::Precision, -1_i64 as u64, 0);
        assert_eq!(length(&mut format, 'd', 0.5_f64.to_bits()), Some(3));
        format.told(Tells::Precision, i32::MAX as u64, 0);
        assert_eq!(length(&mut format, 'd', 0.5_f64.to_bits()), None);
        format.told(Tells::Width, -1_i64 as u64, 0);
        assert_eq!(format.spell(Value::Text(3)), Some(Spelled { length: 3, before: 0 }));
    }
}
