//! Operations of two as C writes them: with brackets where they are needed, and no others.

/// How tightly the operators of C bind, the tightest first; those of a row alike.
const ROWS: [&[&str]; 10] = [
    &["*", "/", "%"],
    &["+", "-"],
    &["<<", ">>"],
    &["<", "<=", ">", ">="],
    &["==", "!="],
    &["&"],
    &["^"],
    &["|"],
    &["&&"],
    &["||"],
];
/// An operator that is none of these, or several words that are no operation.
const LOOSEST: usize = ROWS.len();

/// As an operand of an operator before it: `!(a < b)`.
pub fn as_operand(text: String) -> String {
    if loosest(&text).is_some() { format!("({text})") } else { text }
}

/// An operation of two, written so that no sign follows its like: `x - 1` for the sum of `x` and `-1`.
pub fn operation_text(left: String, sign: &str, right: String) -> String {
    let number = right.strip_prefix('-').filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
    let (sign, right) = match (sign, number) {
        ("+", Some(number)) => ("-", number.to_owned()),
        ("-", Some(number)) => ("+", number.to_owned()),
        _ => (sign, right),
    };
    let row = row_of(sign);
    // Operators of a row are taken from the left on.
    let left =
        if loosest(&left).is_some_and(|of| of > row || is_unclear(of, row)) { format!("({left})") } else { left };
    let right =
        if loosest(&right).is_some_and(|of| of >= row || is_unclear(of, row)) { format!("({right})") } else { right };
    format!("{left} {sign} {right}")
}

fn row_of(sign: &str) -> usize {
    ROWS.iter().position(|row| row.contains(&sign)).unwrap_or(LOOSEST)
}

/// Whether nobody writes one inside the other without brackets, though they are not needed: a comparison of
/// comparisons, or one operation on bits in another.
fn is_unclear(inner: usize, outer: usize) -> bool {
    let is_comparison = |row: usize| (3..=4).contains(&row);
    let is_of_bits = |row: usize| (5..=7).contains(&row);
    (is_comparison(inner) && is_comparison(outer)) || (is_of_bits(inner) && is_of_bits(outer) && inner != outer)
}

/// The row of the operator that binds loosest, outside of brackets and quotes; `None` if there is none between parts.
fn loosest(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut is_escaped) = (0, None, false);
    let mut breaks = Vec::new();
    for (at, c) in text.char_indices() {
        match (quote, c) {
            _ if is_escaped => is_escaped = false,
            (Some(_), '\\') => is_escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => depth -= 1,
            (None, ' ') if depth == 0 => breaks.push(at),
            _ => {}
        }
    }
    let words = breaks.windows(2).map(|pair| &text[pair[0] + 1..pair[1]]);
    // Between two operands stands an operator.
    let rows = words.step_by(2).map(row_of).max();
    rows.or((!breaks.is_empty()).then_some(LOOSEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(left: &str, sign: &str, right: &str) -> String {
        operation_text(left.into(), sign, right.into())
    }

    #[test]
    fn brackets_stand_where_they_are_needed() {
        assert_eq!(written("year % 100", "==", "0"), "year % 100 == 0");
        assert_eq!(written("i", "<", "from + width - 1"), "i < from + width - 1");
        assert_eq!(written("from + width", "-", "1"), "from + width - 1");
        assert_eq!(written("a", "-", "b + c"), "a - (b + c)");
        assert_eq!(written("a", "*", "b + c"), "a * (b + c)");
        assert_eq!(written("a + b", "*", "c"), "(a + b) * c");
        assert_eq!(written("flags & 4", "==", "0"), "(flags & 4) == 0");
        assert_eq!(written("a < b", "==", "c"), "(a < b) == c");
        assert_eq!(written("b << 16", "|", "a"), "b << 16 | a");
        assert_eq!(written("a & b", "|", "c"), "(a & b) | c");
    }

    #[test]
    fn no_sign_follows_its_like() {
        assert_eq!(written("x", "+", "-1"), "x - 1");
        assert_eq!(written("x", "-", "-1"), "x + 1");
        assert_eq!(written("x", "+", "-y"), "x + -y");
    }

    #[test]
    fn operators_in_quotes_and_brackets_are_of_no_concern() {
        assert_eq!(as_operand("f(a, b - c)".into()), "f(a, b - c)");
        assert_eq!(as_operand("c == ' '".into()), "(c == ' ')");
        assert_eq!(written("text[i + 1]", "+", "1"), "text[i + 1] + 1");
        assert_eq!(written("c", "==", "' '"), "c == ' '");
        assert_eq!(written("x ? y : z", "+", "1"), "(x ? y : z) + 1");
        assert_eq!(as_operand("new int".into()), "(new int)");
    }
}
