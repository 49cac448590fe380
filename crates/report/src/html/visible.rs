//! Text as people can see it.

use std::borrow::Cow;

/// Characters that show nothing, or change how others show, are replaced by ones that can be seen: control characters by
/// their pictures, those that turn the direction of text by their numbers. A tab stays: code is indented with it.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{7f}' => shown.push('\u{2421}'),
            '\0'..'\u{20}' if is_hidden(character) => {
                shown.extend(char::from_u32(0x2400 + character as u32));
            }
            other if is_hidden(other) => shown.push_str(&format!("⟨U+{:04X}⟩", other as u32)),
            other => shown.push(other),
        }
    }
    Cow::Owned(shown)
}

fn is_hidden(character: char) -> bool {
    match character {
        '\t' => false,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => true,
        // Not characters; a parser of HTML complains of them.
        '\u{fdd0}'..='\u{fdef}' => true,
        other => other.is_control() || other as u32 & 0xfffe == 0xfffe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_stays() {
        assert!(matches!(visible("if (a < b) {\t\"ü\" }"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_does_not_show_is_made_to() {
        assert_eq!(visible("a\0b\nc\x7f"), "a␀b␊c␡");
        assert_eq!(visible("\u{202e}evil\u{85}"), "⟨U+202E⟩evil⟨U+0085⟩");
        assert_eq!(visible("\u{fffe}"), "⟨U+FFFE⟩");
    }
}
