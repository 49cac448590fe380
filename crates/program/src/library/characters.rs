//! Characters by nature: arguments and results of library functions that are an `int` in C, and a character to everybody.

use super::effect::Effect;
use super::{known, spoken_name};

/// Functions that take a character as this argument, and write it nowhere.
const TAKERS: [(&str, usize); 22] = [
    ("isalnum", 0),
    ("isalpha", 0),
    ("isascii", 0),
    ("isblank", 0),
    ("iscntrl", 0),
    ("isdigit", 0),
    ("isgraph", 0),
    ("islower", 0),
    ("isprint", 0),
    ("ispunct", 0),
    ("isspace", 0),
    ("isupper", 0),
    ("isxdigit", 0),
    ("memchr", 1),
    ("memrchr", 1),
    ("rawmemchr", 1),
    ("strchr", 1),
    ("strchrnul", 1),
    ("strrchr", 1),
    ("tolower", 0),
    ("toupper", 0),
    ("ungetc", 0),
];

/// Functions that take a format as this argument, and what it speaks of behind it.
const FORMATTERS: [(&str, usize); 6] =
    [("dprintf", 1), ("fprintf", 1), ("printf", 0), ("snprintf", 2), ("sprintf", 1), ("syslog", 1)];

/// Whether an argument of a function is a character.
pub fn takes_character(symbol: &str, position: usize) -> bool {
    let name = spoken_name(symbol);
    let writes = |effect: &Effect| matches!(effect, Effect::OutputCharacter(_, at) if usize::from(*at) == position);
    TAKERS.contains(&(name, position)) || known(name).is_some_and(|known| known.effects.iter().any(writes))
}

/// Whether a function gives a character that it has read, or that there is none.
pub fn gives_character(symbol: &str) -> bool {
    let reads = |effect: &Effect| matches!(effect, Effect::InputCharacter(_));
    known(spoken_name(symbol)).is_some_and(|known| known.effects.iter().any(reads))
}

/// The argument that is the format of a function that writes.
pub fn format_of(symbol: &str) -> Option<usize> {
    let name = spoken_name(symbol);
    FORMATTERS.iter().find(|(known, _)| *known == name).map(|(_, position)| *position)
}

/// Of each argument behind a format whether it is written as a character.
pub fn characters_of(format: &[u8]) -> Vec<bool> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied();
    while rest.by_ref().any(|byte| byte == b'%') {
        let mut is_wide = false;
        for byte in rest.by_ref() {
            match byte {
                b'*' => found.push(false),
                b'l' => is_wide = true,
                b'-' | b'+' | b' ' | b'#' | b'\'' | b'.' | b'0'..=b'9' | b'h' | b'q' | b'j' | b'z' | b't' | b'L' => {}
                // Arguments by number are not followed.
                b'$' => return Vec::new(),
                b'%' | b'm' => break,
                kind => {
                    found.push(kind == b'c' && !is_wide);
                    break;
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_are_characters_are_known() {
        assert!(takes_character("putchar", 0) && takes_character("__faultline_twin_fputc", 0));
        assert!(takes_character("strchr", 1) && !takes_character("strchr", 0) && !takes_character("memset", 1));
        assert!(gives_character("getchar") && !gives_character("strlen"));
    }

    #[test]
    fn formats_tell_which_arguments_are_characters() {
        assert_eq!(characters_of(b"%d%c"), [false, true]);
        assert_eq!(characters_of(b"100%% %-*c%lc%s"), [false, true, false, false]);
        assert_eq!(characters_of(b"%2$c"), [false; 0]);
        assert_eq!(characters_of(b"plain %"), [false; 0]);
        assert!(TAKERS.is_sorted() && FORMATTERS.is_sorted());
    }
}
