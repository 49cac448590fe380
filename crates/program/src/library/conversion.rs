//! Formats of `scanf`: what each conversion writes.

/// What a conversion writes through its argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// So many bytes.
    Bytes(u64),
    /// A text with its terminating zero: no more bytes than this, if it is given.
    Text(Option<u64>),
    /// So many bytes, which the result does not count: `%n`.
    Count(u64),
}

/// The conversions of a format that write, in the order of their arguments; `None` if the format numbers its arguments.
pub fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format;
    while let Some(percent) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[percent + 1..];
        if let Some(after) = rest.strip_prefix(b"%") {
            rest = after;
            continue;
        }
        let is_suppressed = skip(&mut rest, b"*'I").contains(&b'*');
        let digits = skip(&mut rest, b"0123456789");
        if rest.first() == Some(&b'$') {
            return None;
        }
        let width = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u64>().ok());
        let is_allocated = !skip(&mut rest, b"m").is_empty();
        let length = skip(&mut rest, b"hlqjztL");
        let Some((&kind, after)) = rest.split_first() else { break };
        rest = after;
        if kind == b'[' {
            skip_set(&mut rest);
        }
        if is_suppressed {
            continue;
        }
        let Some(conversion) = conversion(kind, length, width) else { break };
        // What is allocated is written, too, but where only the pointer tells.
        found.push(if is_allocated { Conversion::Bytes(8) } else { conversion });
    }
    Some(found)
}

fn conversion(kind: u8, length: &[u8], width: Option<u64>) -> Option<Conversion> {
    let integer = match length {
        b"hh" => 1,
        b"h" => 2,
        b"" => 4,
        _ => 8,
    };
    let float = match length {
        b"" => 4,
        b"l" => 8,
        _ => 10,
    };
    let character = if length == b"l" || kind.is_ascii_uppercase() { 4 } else { 1 };
    Some(match kind {
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => Conversion::Bytes(integer),
        b'n' => Conversion::Count(integer),
        b'a' | b'e' | b'f' | b'g' | b'A' | b'E' | b'F' | b'G' => Conversion::Bytes(float),
        b'c' | b'C' => Conversion::Bytes(width.unwrap_or(1).saturating_mul(character)),
        b's' | b'S' | b'[' => Conversion::Text(width.map(|width| width.saturating_add(1).saturating_mul(character))),
        b'p' => Conversion::Bytes(8),
        _ => return None,
    })
}

/// Takes as many of these bytes as there are.
fn skip<'f>(rest: &mut &'f [u8], these: &[u8]) -> &'f [u8] {
    let end = rest.iter().position(|byte| !these.contains(byte)).unwrap_or(rest.len());
    let (taken, after) = rest.split_at(end);
    *rest = after;
    taken
}

/// Goes behind the `]` of a set; one that stands first belongs to the set.
fn skip_set(rest: &mut &[u8]) {
    let inverted = usize::from(rest.first() == Some(&b'^'));
    let first = inverted + usize::from(rest.get(inverted) == Some(&b']'));
    let end = rest.iter().skip(first).position(|&byte| byte == b']');
    *rest = end.and_then(|end| rest.get(first + end + 1..)).unwrap_or(&[]);
}

#[cfg(test)]
mod tests {
    use super::Conversion::{Bytes, Count, Text};
    use super::conversions;

    #[test]
    fn every_conversion_has_its_size() {
        let of = |format: &str| conversions(format.as_bytes());
        assert_eq!(of("%d %hhd,%hx%lu %lld%zi%jd"), Some([4, 1, 2, 8, 8, 8, 8].map(Bytes).to_vec()));
        assert_eq!(of("%f%lf%Lg %p"), Some([4, 8, 10, 8].map(Bytes).to_vec()));
        assert_eq!(of("%c%4c %lc"), Some([1, 4, 4].map(Bytes).to_vec()));
        assert_eq!(
            of("%s %9s %[^]a] %3[]x]%n"),
            Some(vec![Text(None), Text(Some(10)), Text(None), Text(Some(4)), Count(4)])
        );
        assert_eq!(of("100%% %*d %d"), Some(vec![Bytes(4)]));
        assert_eq!(of("%ms %ld"), Some(vec![Bytes(8), Bytes(8)]));
        assert_eq!(of("%2$d %1$d"), None);
        assert_eq!(of("%"), Some(vec![]));
        assert_eq!(of("%[abc"), Some(vec![Text(None)]));
    }
}
