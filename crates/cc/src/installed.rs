//! What is installed beside the tools for programs: headers that sources see, twins and runtime for links.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// `../lib/faultline`, seen from the real place of this executable.
pub fn library_folder() -> Result<PathBuf> {
    let executable = std::env::current_exe().context("cannot find out where this executable is")?;
    let root = executable.parent().and_then(Path::parent).context("this executable is not in a `bin` folder")?;
    Ok(root.join("lib/faultline"))
}
