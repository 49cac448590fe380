//! Options that are faultline's own: taken off the command line before clang sees it.

use std::ffi::{OsStr, OsString};

use anyhow::{Result, bail};

const CHECK: &str = "-faultline-check=";
/// For builds whose command lines cannot be changed. An option on the command line goes before it.
const CHECK_VARIABLE: &str = "FAULTLINE_CHECK";

/// Splits a command line into the instrumentation's options and what is left for clang.
pub fn take(arguments: impl Iterator<Item = OsString>) -> Result<(pass::Options, Vec<OsString>)> {
    let mut options = pass::Options::default();
    if let Some(value) = std::env::var_os(CHECK_VARIABLE).filter(|value| !value.is_empty()) {
        options.check = check(&value)?;
    }
    let mut rest = Vec::new();
    for argument in arguments {
        match argument.to_str().and_then(|text| text.strip_prefix(CHECK)) {
            Some(value) => options.check = check(OsStr::new(value))?,
            None => rest.push(argument),
        }
    }
    Ok((options, rest))
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
    fn an_unknown_value_is_an_error() {
        assert!(take_all(&["-faultline-check=loads"]).is_err());
    }
}
