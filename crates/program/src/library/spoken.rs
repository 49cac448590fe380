//! Names as a programmer writes them.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

use super::spoken_name;

/// The name a programmer knows a function by, in full: of a function in C++, with the scopes it stands in, but without the
/// types of parameters and templates, which nobody reads.
pub fn in_words(symbol: &str) -> Cow<'_, str> {
    let name = spoken_name(symbol);
    if !name.starts_with("_Z") {
        return name.into();
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let read = Symbol::new(name).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    read.map_or(name.into(), |text| without_templates(&text).into())
}

fn without_templates(name: &str) -> String {
    let (mut kept, mut depth, mut rest) = (String::new(), 0, name);
    while let Some(c) = rest.chars().next() {
        // The brackets of `operator<<` and its like are its name.
        let operator = "operator";
        if depth == 0 && rest.starts_with(operator) {
            let after = &rest[operator.len()..];
            let signs = after.len() - after.trim_start_matches(['<', '>', '=', '-']).len();
            // `operator<< <int>`, and `operator< <int>`: a blank parts the sign from the template's brackets.
            kept.push_str(&rest[..operator.len() + signs]);
            rest = &after[signs..];
            continue;
        }
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
        rest = &rest[c.len_utf8()..];
    }
    kept.replace("std::__cxx11::", "std::").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn names_are_those_of_the_source() {
        for (symbol, name) in [
            ("main", "main"),
            ("__faultline_twin_strlen", "strlen"),
            ("_ZNK7Planner8show_dayE4Date", "Planner::show_day"),
            ("_ZL10parse_dateRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "parse_date"),
            ("_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc", "std::operator<<"),
            ("_ZNSolsEi", "std::ostream::operator<<"),
            ("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEixEm", "std::basic_string::operator[]"),
            ("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector::push_back"),
            ("_Z", "_Z"),
        ] {
            assert_eq!(in_words(symbol), name);
        }
    }
}
