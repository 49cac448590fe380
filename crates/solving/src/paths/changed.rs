//! Where an input differs from another, in words of a person: line by line, argument by argument.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use experiment::Input;
use findings::{InputChange, InputPlace};

/// Places at which the second input is another one than the first.
pub fn changes(from: &Input, to: &Input) -> Vec<InputChange> {
    let mut all = text(&InputPlace::Standard, &from.stdin, &to.stdin);
    for (position, (before, after)) in (1..).zip(from.arguments.iter().zip(&to.arguments)) {
        if before != after {
            let place = InputPlace::Argument { position };
            all.push(change(place, None, before.as_bytes(), after.as_bytes()));
        }
    }
    for (path, after) in &to.files {
        let before = from.files.get(path).map_or(&[][..], Vec::as_slice);
        all.extend(text(&InputPlace::File { name: path.display().to_string() }, before, after));
    }
    for (name, after) in &to.environment {
        let value = |value: Option<&OsStr>| value.map_or_else(Vec::new, |value| value.as_bytes().to_vec());
        let before = value(from.environment.get(name).and_then(|value| value.as_deref()));
        let after = value(after.as_deref());
        if before != after {
            let place = InputPlace::Variable { name: name.to_string_lossy().into_owned() };
            all.push(change(place, None, &before, &after));
        }
    }
    all
}

/// The lines that differ; all of the text if there are more or fewer of them.
fn text(place: &InputPlace, before: &[u8], after: &[u8]) -> Vec<InputChange> {
    if before == after {
        return Vec::new();
    }
    let lines = |text: &[u8]| -> Vec<Vec<u8>> { text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect() };
    let (old, new) = (lines(before), lines(after));
    if old.len() != new.len() {
        return vec![change(place.clone(), None, before, after)];
    }
    let is_one = new.iter().filter(|line| !line.is_empty()).count() <= 1;
    let differing = (1..).zip(old.iter().zip(&new)).filter(|(_, (old, new))| old != new);
    let told = differing.map(|(line, (old, new))| change(place.clone(), (!is_one).then_some(line), old, new));
    told.collect()
}

fn change(place: InputPlace, line: Option<u64>, before: &[u8], after: &[u8]) -> InputChange {
    InputChange { place, line, from: shown(before), to: shown(after) }
}

/// Bytes as text, not too many of them.
fn shown(bytes: &[u8]) -> String {
    const MOST: usize = 60;
    let rest = if bytes.len() > MOST { "…" } else { "" };
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains(char::is_control) => text.chars().take(MOST).chain(rest.chars()).collect(),
        _ => format!("{}{rest}", bytes[..bytes.len().min(MOST)].escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(stdin: &str, arguments: &[&str]) -> Input {
        Input {
            arguments: arguments.iter().map(Into::into).collect(),
            stdin: stdin.into(),
            files: Default::default(),
            environment: Default::default(),
        }
    }

    #[test]
    fn only_what_differs_is_told() {
        let found = changes(&input("1\n2\n3\n", &["a", "b"]), &input("1\n2\n0\n", &["a", "c"]));
        let told = |place, line, from: &str, to: &str| InputChange { place, line, from: from.into(), to: to.into() };
        assert_eq!(
            found,
            [told(InputPlace::Standard, Some(3), "3", "0"), told(InputPlace::Argument { position: 2 }, None, "b", "c")]
        );
        assert_eq!(changes(&input("1\n", &[]), &input("2\n", &[])), [told(InputPlace::Standard, None, "1", "2")]);
        assert_eq!(changes(&input("1", &[]), &input("1\n2", &[])), [told(InputPlace::Standard, None, "1", "1\\n2")]);
        assert_eq!(changes(&input("1", &["x"]), &input("1", &["x"])), []);
    }

    #[test]
    fn bytes_that_are_no_text_are_escaped() {
        assert_eq!(shown(b"\xff\x00a"), "\\xff\\x00a");
        assert_eq!((shown("ä".as_bytes()), shown(b"a\t")), ("ä".into(), "a\\t".into()));
        assert!(shown(&[b'x'; 100]).ends_with("x…"));
    }
}
