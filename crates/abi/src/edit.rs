//! Edits: a place of the program computes something else, whenever it is executed.
//!
//! What is computed instead is written here once, for the runtime that does it and for the replay that repeats it. All
//! of it is inlined: the runtime brings no functions of other crates along.

/// A list of names that are numbered from one on, to be written to memory and read again.
macro_rules! numbered {
    ($(#[$about:meta])* $list:ident { $($(#[$meaning:meta])* $name:ident,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $list {
            $($(#[$meaning])* $name,)*
        }

        impl $list {
            const ALL: &'static [$list] = &[$($list::$name,)*];

            #[inline]
            fn number(self) -> u8 {
                self as u8 + 1
            }

            #[inline]
            fn from_number(number: u8) -> Option<$list> {
                $list::ALL.get((number as usize).checked_sub(1)?).copied()
            }
        }
    };
}

numbered! {
    /// What a step goes on with, in place of its value.
    Rewrite {
        /// The number.
        Constant,
        /// Its value, plus the number.
        Add,
        /// The other way, for a condition.
        Not,
        /// What the variable had before: as if the assignment were not there. Only where it has no address,
        /// and surely a value.
        Keep,
        /// The first operand of the operation that made its value,
        First,
        /// or the second.
        Second,
        /// An operation of the same operands, the number added to the second.
        Compute,
        /// An operation of the same operands in the other order.
        Reversed,
    }
}

numbered! {
    /// Comparisons and arithmetic, of whole numbers and of floating ones.
    Operation {
        Equal,
        NotEqual,
        Above,
        AboveOrEqual,
        Below,
        BelowOrEqual,
        Greater,
        GreaterOrEqual,
        Less,
        LessOrEqual,
        FloatEqual,
        FloatNotEqual,
        FloatGreater,
        FloatGreaterOrEqual,
        FloatLess,
        FloatLessOrEqual,
        Plus,
        Minus,
        Times,
        Divide,
        DivideUnsigned,
        Remainder,
        RemainderUnsigned,
        And,
        Or,
        Xor,
        ShiftLeft,
        ShiftRight,
        ShiftRightSigned,
        FloatPlus,
        FloatMinus,
        FloatTimes,
        FloatDivide,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edit {
    pub rewrite: Rewrite,
    /// Of no meaning to rewrites that compute nothing.
    pub operation: Operation,
    /// Bits of an operand.
    pub width: u8,
    /// Bits of the step's value.
    pub bits: u8,
    pub number: u64,
}

/// What a step has at hand.
#[derive(Clone, Copy, Debug)]
pub struct AtHand {
    pub value: u64,
    /// The operands of the operation that made the value, as they are; see [`Edit`].
    pub first: u64,
    pub second: u64,
    /// What the assigned variable has.
    pub before: u64,
}

impl Edit {
    /// All but the number, in a word.
    #[inline]
    pub fn code(self) -> u32 {
        u32::from_le_bytes([self.rewrite.number(), self.operation.number(), self.width, self.bits])
    }

    /// The inverse of [`code`](Edit::code).
    #[inline]
    pub fn from_code(code: u32, number: u64) -> Option<Edit> {
        let [rewrite, operation, width, bits] = code.to_le_bytes();
        let (rewrite, operation) = (Rewrite::from_number(rewrite)?, Operation::from_number(operation)?);
        let has_bits = |bits: u8| (1..=64).contains(&bits);
        (has_bits(width) && has_bits(bits)).then_some(Edit { rewrite, operation, width, bits, number })
    }

    /// The value to go on with. Where nothing can be computed, like a division by zero, it is the step's own.
    #[inline]
    pub fn apply(self, at_hand: AtHand) -> u64 {
        let AtHand { value, first, second, before } = at_hand;
        let made = match self.rewrite {
            Rewrite::Constant => self.number,
            Rewrite::Add => value.wrapping_add(self.number),
            Rewrite::Not => value ^ 1,
            Rewrite::Keep => before,
            Rewrite::First => first,
            Rewrite::Second => second,
            Rewrite::Compute => self.operation.of(first, second.wrapping_add(self.number), self.width).unwrap_or(value),
            Rewrite::Reversed => self.operation.of(second, first, self.width).unwrap_or(value),
        };
        mask(made, self.bits)
    }
}

impl Operation {
    /// Of two operands of so many bits; `None` where the machine would raise an error.
    #[inline]
    fn of(self, a: u64, b: u64, width: u8) -> Option<u64> {
        use Operation::*;
        let (a, b) = (mask(a, width), mask(b, width));
        let (signed_a, signed_b) = (sign_extend(a, width), sign_extend(b, width));
        let is_too_large = signed_b == -1 && signed_a == i64::MIN >> (64 - u32::from(width.clamp(1, 64)));
        let shift = || (b < u64::from(width)).then_some(b as u32);
        let made = match self {
            Equal => u64::from(a == b),
            NotEqual => u64::from(a != b),
            Above => u64::from(a > b),
            AboveOrEqual => u64::from(a >= b),
            Below => u64::from(a < b),
            BelowOrEqual => u64::from(a <= b),
            Greater => u64::from(signed_a > signed_b),
            GreaterOrEqual => u64::from(signed_a >= signed_b),
            Less => u64::from(signed_a < signed_b),
            LessOrEqual => u64::from(signed_a <= signed_b),
            Plus => a.wrapping_add(b),
            Minus => a.wrapping_sub(b),
            Times => a.wrapping_mul(b),
            Divide | Remainder if is_too_large => return None,
            Divide => signed_a.checked_div(signed_b)? as u64,
            DivideUnsigned => a.checked_div(b)?,
            Remainder => signed_a.checked_rem(signed_b)? as u64,
            RemainderUnsigned => a.checked_rem(b)?,
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            ShiftLeft => a << shift()?,
            ShiftRight => a >> shift()?,
            ShiftRightSigned => (signed_a >> shift()?) as u64,
            _ if width == 32 => {
                self.of_floats(f32::from_bits(a as u32), f32::from_bits(b as u32), |v| v.to_bits().into())
            }
            _ => self.of_floats(f64::from_bits(a), f64::from_bits(b), f64::to_bits),
        };
        Some(mask(made, width))
    }

    #[inline]
    fn of_floats<F>(self, a: F, b: F, bits: impl Fn(F) -> u64) -> u64
    where
        F: PartialOrd
            + core::ops::Add<Output = F>
            + core::ops::Sub<Output = F>
            + core::ops::Mul<Output = F>
            + core::ops::Div<Output = F>,
    {
        use Operation::*;
        match self {
            FloatNotEqual => u64::from(a != b),
            FloatGreater => u64::from(a > b),
            FloatGreaterOrEqual => u64::from(a >= b),
            FloatLess => u64::from(a < b),
            FloatLessOrEqual => u64::from(a <= b),
            FloatPlus => bits(a + b),
            FloatMinus => bits(a - b),
            FloatTimes => bits(a * b),
            FloatDivide => bits(a / b),
            _ => u64::from(a == b),
        }
    }
}

#[inline]
fn mask(value: u64, bits: u8) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

#[inline]
fn sign_extend(value: u64, bits: u8) -> i64 {
    let shift = 64 - u32::from(bits.clamp(1, 64));
    ((value << shift) as i64) >> shift
}
