//! A folder, the tools, and lines of shell.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;
use testkit::Tools;

pub struct Bench {
    pub tools: Tools,
    folder: TempDir,
}

impl Bench {
    pub fn new() -> Bench {
        Bench { tools: Tools::find().expect("the staged tools"), folder: tempfile::tempdir().expect("a folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, contents).expect("it can be written");
        path
    }

    /// Compiles `NAME.c` to `NAME`.
    pub fn compile(&self, name: &str, source: &str) -> PathBuf {
        let file = self.write(&format!("{name}.c"), source);
        let program = self.path(name);
        let mut compiler = Command::new(&self.tools.cc);
        let built = compiler.args(["-g", "-w", "-pthread"]).arg(file).arg("-o").arg(&program).status();
        assert!(built.expect("the compiler runs").success());
        program
    }

    /// Runs a line of shell in the folder; `FAULTLINE` stands for the command.
    pub fn shell(&self, line: &str) -> Output {
        self.command(line).output().expect("bash runs")
    }

    pub fn command(&self, line: &str) -> Command {
        let mut bash = Command::new("bash");
        let line = line.replace("FAULTLINE", &self.tools.faultline.display().to_string());
        bash.arg("-c").arg(line).current_dir(self.folder.path()).stdin(Stdio::null());
        // Nothing is known from other tests.
        bash.env("FAULTLINE_CACHE", self.path("cache")).env("TMPDIR", self.temporary());
        bash
    }

    /// The directory for temporary files of all commands.
    pub fn temporary(&self) -> PathBuf {
        let path = self.path("temporary");
        fs::create_dir_all(&path).expect("a folder");
        path
    }
}

/// What was said, on one line.
pub fn words(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks the status, and that these sentences are in what was said.
#[track_caller]
pub fn says(output: &Output, status: i32, sentences: &[&str]) {
    let told = words(&[&output.stdout[..], b" ", &output.stderr].concat());
    assert_eq!(output.status.code(), Some(status), "{told}");
    for sentence in sentences {
        assert!(told.contains(sentence), "`{sentence}` is not in: {told}");
    }
    assert!(!told.contains("panicked"), "{told}");
}
