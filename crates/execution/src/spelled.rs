//! How long a number is as C++ streams write it, unless the program has told them to write it otherwise.

/// The letter by which the name of `operator<<`, or of what it calls, says what it is given.
pub fn letter(function: &str) -> Option<char> {
    let rest = function.strip_prefix("_ZNSolsE").or_else(|| function.strip_prefix("_ZNSo9_M_insertI"))?;
    rest.chars().next()
}

/// The length of a number in digits, with its sign; `None` where that depends on more than the value.
pub fn length(letter: char, word: u64) -> Option<u64> {
    let number = match letter {
        'b' => i128::from(word & 1),
        's' => i128::from(word as i16),
        't' => i128::from(word as u16),
        'i' => i128::from(word as i32),
        'j' => i128::from(word as u32),
        'l' | 'x' => i128::from(word as i64),
        'm' | 'y' => i128::from(word),
        _ => return None,
    };
    Some(number.to_string().len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_long_as_their_digits() {
        assert_eq!(letter("_ZNSolsEi"), Some('i'));
        assert_eq!(letter("_ZNSo9_M_insertImEERSoT_"), Some('m'));
        assert_eq!(letter("printf"), None);
        assert_eq!(length('i', -7_i32 as u32 as u64), Some(2));
        assert_eq!(length('j', -1_i32 as u32 as u64), Some(10));
        assert_eq!(length('b', 1), Some(1));
        assert_eq!(length('d', 0), None);
    }
}
