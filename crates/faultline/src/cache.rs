//! Where outcomes are kept between commands.

use std::env;
use std::path::PathBuf;

/// Names another folder; empty: nothing is remembered.
pub const VARIABLE: &str = "FAULTLINE_CACHE";

/// The folder of all we keep for the user, whether it is there or not.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    match env::var_os(VARIABLE) {
        Some(named) if named.is_empty() => None,
        Some(named) => std::path::absolute(named).ok(),
        None => absolute("XDG_CACHE_HOME")
            .or_else(|| Some(absolute("HOME")?.join(".cache")))
            .map(|cache| cache.join("faultline")),
    }
}

/// Outcomes of experiments: a file for each case and oracle.
pub fn outcomes() -> Option<PathBuf> {
    folder().map(|folder| folder.join("outcomes"))
}

/// Which modules of programs can be read without harm: an empty file for each.
pub fn modules() -> Option<PathBuf> {
    folder().map(|folder| folder.join("modules"))
}
