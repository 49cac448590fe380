//! Finding clang, asking its driver what it would do, and stepping aside for it.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::job::{self, Answer};

const CLANG_VARIABLE: &str = "FAULTLINE_CLANG";
const KNOWN_PLACE: &str = "/usr/lib/llvm-19/bin/clang";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    C,
    Cpp,
}

pub struct Clang {
    path: PathBuf,
    language: Language,
}

impl Clang {
    pub fn find(language: Language) -> Result<Clang> {
        if let Some(named) = std::env::var_os(CLANG_VARIABLE).filter(|name| !name.is_empty()) {
            return Ok(Clang { path: named.into(), language });
        }
        let on_path = std::env::var_os("PATH")
            .and_then(|path| std::env::split_paths(&path).map(|folder| folder.join("clang-19")).find(|p| p.exists()));
        match on_path.or_else(|| Some(PathBuf::from(KNOWN_PLACE)).filter(|p| p.exists())) {
            Some(path) => Ok(Clang { path, language }),
            None => bail!(
                "clang-19 is neither on PATH nor at {KNOWN_PLACE}; install it, or name another clang in {CLANG_VARIABLE}"
            ),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        if self.language == Language::Cpp {
            command.arg("--driver-mode=g++");
        }
        command
    }

    /// Asks the driver for its jobs. `None` when it refuses the command line; executing it will say why. What is
    /// `added` stands last, so nothing may be added to a line that was not found complete before.
    /// Its temporary files are named, not made, inside `scratch`.
    pub fn jobs(&self, arguments: &[OsString], added: &[OsString], scratch: &Path) -> Result<Option<Answer>> {
        let mut command = self.command();
        command.arg("-###");
        // Stands first, so that any level the user gives wins. None given: recording speed is worth more than
        // compiling speed, and the instrumented program behaves the same at every level.
        command.arg("-O2");
        if std::io::stderr().is_terminal() {
            // The driver looks at its own standard error, which here is a pipe.
            command.arg("-fdiagnostics-color=always");
        }
        let output = command
            .args(arguments)
            .args(added)
            .env("TMPDIR", scratch)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("cannot run {}", self.path.display()))?;
        if !output.status.success() {
            return Ok(None);
        }
        job::parse(&output.stderr).map(Some)
    }

    /// Becomes clang with exactly these arguments. Returns only if that fails.
    pub fn execute(&self, arguments: &[OsString]) -> anyhow::Error {
        let error = self.command().args(arguments).exec();
        anyhow::Error::new(error).context(format!("cannot run {}", self.path.display()))
    }
}
