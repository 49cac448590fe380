//! Where the staged tools are.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};

#[derive(Clone, Debug)]
pub struct Tools {
    pub faultline: PathBuf,
    pub cc: PathBuf,
    pub cpp: PathBuf,
    /// Plain clang, of the version faultline-cc uses.
    pub clang: PathBuf,
}

/// The root of the repository.
pub fn workspace() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).unwrap_or(crate_folder).to_path_buf()
}

impl Tools {
    pub fn find() -> Result<Tools> {
        let bin = workspace().join("target/faultline/bin");
        let clang = std::env::var_os("FAULTLINE_CLANG")
            .map_or_else(|| PathBuf::from("/usr/lib/llvm-19/bin/clang"), PathBuf::from);
        let tools = Tools {
            faultline: bin.join("faultline"),
            cc: bin.join("faultline-cc"),
            cpp: bin.join("faultline-c++"),
            clang,
        };
        for tool in [&tools.faultline, &tools.cc, &tools.cpp] {
            if !tool.exists() {
                bail!("{} is missing; run `./x build` first", tool.display());
            }
        }
        Ok(tools)
    }
}
