//! Options that are faultline's own: taken off the command line before clang sees it.

use std::ffi::{OsStr, OsString};

use anyhow::{Result, bail};

const CHECK: &str = "-faultline-check=";
/// Variables are for builds whose command lines cannot be changed. An option on the command line goes before them.
const CHECK_VARIABLE: &str = "FAULTLINE_CHECK";
const TWINS: &str = "-faultline-twins=";
const TWINS_VARIABLE: &str = "FAULTLINE_TWINS";

/// Splits a command line into the instrumentation's options and what is left for clang.
pub fn take(arguments: impl Iterator<Item = OsString>) -> Result<(pass::Options, Vec<OsString>)> {
    let mut options = pass::Options::default();
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(value) = variable(CHECK_VARIABLE) {
        options.check = check(&value)?;
    }
    if let Some(value) = variable(TWINS_VARIABLE) {
        options.twins = twins(&value)?;
    }
    let mut rest = Vec::new();
    for argument in arguments {
        let value_of = |option| argument.to_str().and_then(|text| text.strip_prefix(option)).map(OsStr::new);
        match (value_of(CHECK), value_of(TWINS)) {
            (Some(value), _) => options.check = check(value)?,
            (_, Some(value)) => options.twins = twins(value)?,
            (None, None) => rest.push(argument),
        }
    }
    Ok((options, rest))
}

/// Without twins the inside of library functions stays unknown; with them a program that has functions of the same names
/// in assembly, or gets them from a library of its own, would not call those.
fn twins(value: &OsStr) -> Result<pass::Twins> {
    Ok(match value.to_str() {
        Some("on") => pass::Twins::Used,
        Some("off") => pass::Twins::Unused,
        _ => bail!("{TWINS}{}: expected `on` or `off`", value.display()),
    })
}

fn check(value: &OsStr) -> Result<pass::Check> {
    Ok(match value.to_str() {
        Some("branches") => pass::Check::Branches,
        Some("stores") => pass::Check::Stores,
        _ => bail!("{CHECK}{}: expected `branches` or `stores`", value.display()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take_all(arguments: &[&str]) -> Result<(pass::Options, Vec<OsString>)> {
        take(arguments.iter().map(OsString::from))
    }

    #[test]
    fn ours_are_taken_and_the_rest_is_left_in_order() {
        let (options, rest) = take_all(&["-c", "-faultline-check=stores", "a.c", "-o", "a.o"]).unwrap();
        assert_eq!(options.check, pass::Check::Stores);
        assert_eq!(rest, ["-c", "a.c", "-o", "a.o"]);
    }

    #[test]
    fn the_last_one_counts() {
        let (options, _) = take_all(&["-faultline-check=stores", "-faultline-check=branches"]).unwrap();
        assert_eq!(options.check, pass::Check::Branches);
    }

    #[test]
    fn twins_can_be_switched_off() {
        assert_eq!(take_all(&["a.c"]).unwrap().0.twins, pass::Twins::Used);
        assert_eq!(take_all(&["a.c", "-faultline-twins=off"]).unwrap().0.twins, pass::Twins::Unused);
    }

    #[test]
    fn an_unknown_value_is_an_error() {
        assert!(take_all(&["-faultline-twins=yes"]).is_err());
        assert!(take_all(&["-faultline-check=loads"]).is_err());
    }
}
