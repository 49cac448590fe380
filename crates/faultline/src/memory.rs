//! Amounts of memory, as people write them: `512M`, `4G`.

/// A number of bytes, with K, M, G or T for so many KiB, MiB, GiB or TiB.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Bytes(pub u64);

impl std::str::FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let wrong = || format!("`{text}` is not an amount of memory; write it as in 512M or 4G");
        let text = text.trim();
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let shift = match text[digits.len()..].to_ascii_uppercase().trim_end_matches("IB").trim_end_matches('B') {
            "" => 0,
            "K" => 10,
            "M" => 20,
            "G" => 30,
            "T" => 40,
            _ => return Err(wrong()),
        };
        let number: f64 = digits.trim().parse().map_err(|_| wrong())?;
        let bytes = number * (1_u64 << shift) as f64;
        if bytes.is_finite() && bytes >= 1.0 && bytes < u64::MAX as f64 {
            Ok(Bytes(bytes as u64))
        } else {
            Err(wrong())
        }
    }
}

impl TryFrom<String> for Bytes {
    type Error = String;

    fn try_from(text: String) -> Result<Bytes, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_as_people_write_them() {
        let read = |text: &str| text.parse::<Bytes>().map(|bytes| bytes.0);
        assert_eq!(read("1000"), Ok(1000));
        assert_eq!(["512M", "512 MiB", "512mb"].map(read), [Ok(512 << 20), Ok(512 << 20), Ok(512 << 20)]);
        assert_eq!((read("1.5G"), read("2T")), (Ok(3 << 29), Ok(2 << 40)));
        for wrong in ["", "G", "-1G", "0", "1X", "1e400", "NaN", "many"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
