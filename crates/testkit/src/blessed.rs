//! Outputs that are compared with a file beside the case: blessed once, read by a person, and then the same.
//!
//! With `FAULTLINE_BLESS=1` the files are written anew.

use std::path::Path;

use anyhow::{Context, Result, ensure};

/// Whether files are written anew.
pub fn is_blessing() -> bool {
    std::env::var_os("FAULTLINE_BLESS").is_some_and(|bless| bless == "1")
}

/// Compares a text with a blessed file, or writes it there.
pub fn blessed(path: &Path, text: &str) -> Result<()> {
    if is_blessing() {
        return std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()));
    }
    let missing = || format!("cannot read {}; with FAULTLINE_BLESS=1 it is written", path.display());
    let expected = std::fs::read_to_string(path).with_context(missing)?;
    let differing = expected.lines().zip(text.lines()).position(|(expected, found)| expected != found);
    let first = differing.unwrap_or(expected.lines().count().min(text.lines().count()));
    let line = |text: &str| text.lines().nth(first).unwrap_or("(the end)").to_owned();
    ensure!(
        expected == text,
        "{}:{}:\nexpected {}\n   found {}\nWith FAULTLINE_BLESS=1 it is written anew.",
        path.display(),
        first + 1,
        line(&expected),
        line(text)
    );
    Ok(())
}

/// A report without what varies from run to run: how many runs were made in how many seconds, which depends on how busy the
/// machine is, and addresses, which depend on the environment.
pub fn masked(report: &str) -> String {
    let lines = report.lines().map(|line| without_addresses(&without_counts(line).unwrap_or_else(|| line.to_owned())));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

/// `Tried: 7 runs in 0.3 s`, and the same of experiments.
fn without_counts(line: &str) -> Option<String> {
    let (begin, counted) = match line.strip_prefix("Tried: ") {
        Some(counted) => ("Tried: ", counted),
        None => ("", line),
    };
    let mut words = counted.strip_suffix(" s")?.split(' ');
    let (count, what, _, seconds, end) = (words.next()?, words.next()?, words.next()?, words.next()?, words.next());
    let are_numbers = count.parse::<u64>().is_ok() && seconds.parse::<f64>().is_ok() && end.is_none();
    are_numbers.then(|| format!("{begin}… {}s in … s", what.trim_end_matches('s')))
}

/// Digits of an address, at least.
const ADDRESS: usize = 8;

fn without_addresses(line: &str) -> String {
    let mut parts = line.split("0x");
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        masked += if digits < ADDRESS { "0x" } else { "0x…" };
        masked += if digits < ADDRESS { part } else { &part[digits..] };
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_and_addresses_are_masked() {
        let report = "1. a.c:3 in f\nTried: 7 runs in 0.3 s\n1 experiment in 12.0 s\n   in 2 s, 0x1f 0x7fffffffe5e8";
        let expected = "1. a.c:3 in f\nTried: … runs in … s\n… experiments in … s\n   in 2 s, 0x1f 0x…\n";
        assert_eq!(masked(report), expected);
    }
}
