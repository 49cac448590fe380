//! Numbers as they count: `1st`, `2nd`.

/// With the ending that English gives it.
pub fn ordinal(number: u64) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::ordinal;

    #[test]
    fn the_ending_is_of_the_last_digit_but_not_after_a_one() {
        let said: Vec<String> = [1, 2, 3, 4, 10, 11, 12, 13, 21, 101, 111, 1002].map(ordinal).into();
        assert_eq!(said.join(" "), "1st 2nd 3rd 4th 10th 11th 12th 13th 21st 101st 111th 1002nd");
    }
}
