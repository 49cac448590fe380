//! One command line, run by clang and by faultline-cc in two folders with the same sources.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::stage::{Stage, clang};

pub const HELLO: (&str, &str) =
    ("hello.c", "#include <stdio.h>\n#include \"hello.h\"\nint main(void) { puts(GREETING); return 0; }\n");
pub const HELLO_H: (&str, &str) = ("hello.h", "#define GREETING \"hello\"\n");
pub const MAIN: (&str, &str) = ("main.c", "int twice(int);\nint main(void) { return twice(21) - 42; }\n");
pub const TWICE: (&str, &str) = ("twice.c", "int twice(int x) { return x + x; }\n");
pub const CPP: (&str, &str) = (
    "greet.cc",
    "#include <iostream>\n#include <string>\nint main() { std::string s = \"hello\"; std::cout << s << '\\n'; }\n",
);

/// Two folders with the same files.
pub struct Twin {
    pub clang: Run,
    pub faultline: Run,
}

pub struct Run {
    folder: tempfile::TempDir,
    compiler: PathBuf,
    mode: Vec<&'static str>,
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Twin {
    pub fn c(files: &[(&str, &str)]) -> Twin {
        Twin { clang: Run::new(files, clang(), vec![]), faultline: Run::new(files, Stage::shared().c(), vec![]) }
    }

    pub fn cpp(files: &[(&str, &str)]) -> Twin {
        let mode = vec!["--driver-mode=g++"];
        Twin { clang: Run::new(files, clang(), mode), faultline: Run::new(files, Stage::shared().cpp(), vec![]) }
    }

    /// Runs the command line (split at spaces) by both, and checks that they end, speak and write alike.
    pub fn run(&mut self, line: &str) -> &mut Twin {
        self.run_with_input(line, "")
    }

    pub fn run_with_input(&mut self, line: &str, input: &str) -> &mut Twin {
        self.clang.run(line, input);
        self.faultline.run(line, input);
        assert_eq!(self.faultline.status, self.clang.status, "exit status of `{line}`\n{}", self.faultline.stderr);
        assert_eq!(self.faultline.stdout, self.clang.stdout, "standard output of `{line}`");
        assert_eq!(self.faultline.stderr, self.clang.stderr, "standard error of `{line}`");
        assert_eq!(self.faultline.files(), self.clang.files(), "files after `{line}`");
        self
    }

    /// Both runs must have ended well.
    pub fn succeeds(&mut self) -> &mut Twin {
        assert_eq!(self.faultline.status, Some(0), "{}", self.faultline.stderr);
        self
    }

    pub fn fails(&mut self) -> &mut Twin {
        assert_ne!(self.faultline.status, Some(0));
        self
    }

    /// This file is the same, byte for byte.
    pub fn same_content(&mut self, name: &str) -> &mut Twin {
        assert_eq!(self.faultline.text(name), self.clang.text(name), "content of {name}");
        self
    }

    /// The programs of this name print the same and end the same.
    pub fn same_behaviour(&mut self, program: &str) -> &mut Twin {
        let [clang, faultline] = [&self.clang, &self.faultline].map(|run| {
            Command::new(run.path(program)).current_dir(run.folder.path()).stdin(Stdio::null()).output().unwrap()
        });
        assert_eq!(faultline.status.code(), clang.status.code(), "status of {program}");
        assert_eq!(faultline.stdout, clang.stdout, "output of {program}");
        self
    }
}

impl Run {
    fn new(files: &[(&str, &str)], compiler: PathBuf, mode: Vec<&'static str>) -> Run {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Run { folder, compiler, mode, status: None, stdout: String::new(), stderr: String::new() }
    }

    fn run(&mut self, line: &str, input: &str) {
        use std::io::Write;
        // A folder for temporary files of its own, to see that nothing stays in it.
        let temporary = tempfile::tempdir().unwrap();
        let mut child = Command::new(&self.compiler)
            .args(&self.mode)
            .args(line.split_whitespace())
            .current_dir(self.folder.path())
            .env("TMPDIR", temporary.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A compiler that does not read its input may have gone already.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let left: Vec<_> = std::fs::read_dir(temporary.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(left.is_empty(), "`{line}` left {left:?}");
        self.status = output.status.code();
        self.stdout = self.anonymous(&output.stdout, temporary.path());
        self.stderr = self.anonymous(&output.stderr, temporary.path());
    }

    /// Text without what differs for good reasons: names of compilers, folders and temporary files.
    fn anonymous(&self, text: &[u8], temporary: &Path) -> String {
        let text = String::from_utf8_lossy(text);
        let mut text = text.replace(temporary.to_str().unwrap(), "TEMPORARY");
        text = text.replace(self.folder.path().to_str().unwrap(), "FOLDER");
        for name in ["faultline-c++", "faultline-cc", "clang-19"] {
            text = text.replace(&format!("{name}: "), "clang: ");
        }
        text
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn text(&self, name: &str) -> String {
        let path = self.path(name);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        String::from_utf8_lossy(&bytes).replace(self.folder.path().to_str().unwrap(), "FOLDER")
    }

    pub fn files(&self) -> BTreeSet<String> {
        let mut files = BTreeSet::new();
        let mut folders = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path.clone());
                }
                files.insert(path.strip_prefix(self.folder.path()).unwrap().to_str().unwrap().to_string());
            }
        }
        files
    }
}
