//! What `clang -###` prints: the jobs of a command line, and remarks.
//!
//! A job stands on a line of its own that begins with a space: the program and its arguments, each in double quotes,
//! with a backslash before `"`, `\` and `$`. (A newline inside an argument is printed as it is.)

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::process::{Command, ExitStatus};

use anyhow::{Context, Result, bail};

#[derive(Debug, Default)]
pub struct Answer {
    /// Lines that are no jobs, without their newlines: the driver's warnings among them.
    pub remarks: Vec<Vec<u8>>,
    pub jobs: Vec<Job>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    pub program: OsString,
    pub arguments: Vec<OsString>,
}

/// What a job is to us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// clang's compiler proper (`-cc1`) or assembler (`-cc1as`).
    Clang,
    /// An assembler that is not clang's own.
    Assembler,
    /// The linker: the only other program clang runs on this platform.
    Linker,
}

impl Job {
    pub fn kind(&self) -> Kind {
        if self.arguments.first().is_some_and(|first| first.as_bytes().starts_with(b"-cc1")) {
            return Kind::Clang;
        }
        let name = self.program.as_bytes().rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        if name == b"as" || name.ends_with(b"-as") { Kind::Assembler } else { Kind::Linker }
    }

    pub fn has(&self, argument: &str) -> bool {
        self.arguments.iter().any(|a| a == argument)
    }

    pub fn has_prefix(&self, prefix: &str) -> bool {
        self.arguments.iter().any(|argument| argument.as_bytes().starts_with(prefix.as_bytes()))
    }

    /// The value of the last `-o`.
    pub fn output(&self) -> Option<&OsStr> {
        let at = self.arguments.iter().rposition(|argument| argument == "-o")?;
        self.arguments.get(at + 1).map(OsString::as_os_str)
    }

    /// Runs the job's program with these arguments, its own or others.
    pub fn run_with(&self, arguments: &[OsString]) -> Result<ExitStatus> {
        let status = Command::new(&self.program).args(arguments).status();
        status.with_context(|| format!("cannot run {}", self.program.display()))
    }

    /// The line as `-v` shows it.
    pub fn shown(&self) -> Vec<u8> {
        let mut line = Vec::new();
        for (position, argument) in std::iter::once(&self.program).chain(&self.arguments).enumerate() {
            let bytes = argument.as_bytes();
            let quoted = position == 0 || bytes.is_empty() || bytes.iter().any(|byte| b" \"\\$".contains(byte));
            line.push(b' ');
            if !quoted {
                line.extend_from_slice(bytes);
                continue;
            }
            line.push(b'"');
            for &byte in bytes {
                if b"\"\\$".contains(&byte) {
                    line.push(b'\\');
                }
                line.push(byte);
            }
            line.push(b'"');
        }
        line
    }
}

/// Reads the standard error of `clang -###`.
pub fn parse(text: &[u8]) -> Result<Answer> {
    let mut answer = Answer::default();
    let mut rest = text;
    while !rest.is_empty() {
        if rest.starts_with(b" \"") {
            let (mut words, tail) = quoted_words(rest)?;
            let program = words.remove(0);
            answer.jobs.push(Job { program, arguments: words });
            rest = tail;
        } else {
            let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            let line = &rest[..end];
            if line != b" (in-process)" {
                answer.remarks.push(line.to_vec());
            }
            rest = &rest[(end + 1).min(rest.len())..];
        }
    }
    Ok(answer)
}

/// The words of one job (at least one), and what follows its line.
fn quoted_words(text: &[u8]) -> Result<(Vec<OsString>, &[u8])> {
    let mut words = Vec::new();
    let mut at = 0;
    loop {
        match text.get(at) {
            None => break,
            Some(b'\n') => {
                at += 1;
                break;
            }
            Some(b' ') => at += 1,
            Some(b'"') => {
                at += 1;
                let mut word = Vec::new();
                loop {
                    match (text.get(at), text.get(at + 1)) {
                        (Some(b'"'), _) => break,
                        (Some(b'\\'), Some(&escaped)) => {
                            word.push(escaped);
                            at += 2;
                        }
                        (Some(&byte), _) => {
                            word.push(byte);
                            at += 1;
                        }
                        (None, _) => bail!("clang -### printed a job with an unclosed quote"),
                    }
                }
                at += 1;
                words.push(OsString::from_vec(word));
            }
            Some(_) => bail!("clang -### printed a job that cannot be read: {}", String::from_utf8_lossy(text)),
        }
    }
    Ok((words, &text[at..]))
}

/// Remarks to pass on to the user, who did not ask for `-v`: all but the driver's introduction of itself.
pub fn diagnostics(answer: &Answer) -> impl Iterator<Item = &[u8]> {
    const INTRODUCTION: [&[u8]; 5] =
        [b"Target: ", b"Thread model: ", b"InstalledDir: ", b"Build config: ", b"Configuration file: "];
    let introduced = |line: &[u8]| INTRODUCTION.iter().any(|words| line.starts_with(words));
    let is_version = |line: &[u8]| {
        line.windows(15).any(|window| window == b" clang version ") || line.starts_with(b"clang version ")
    };
    answer
        .remarks
        .iter()
        .enumerate()
        .filter(move |(position, line)| !(introduced(line) || *position == 0 && is_version(line)))
        .map(|(_, line)| line.as_slice())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWER: &str = r#"Debian clang version 19.1.7 (3~deb12u1)
Target: x86_64-pc-linux-gnu
Thread model: posix
InstalledDir: /usr/lib/llvm-19/bin
clang: warning: -lfoo: 'linker' input unused [-Wunused-command-line-argument]
 (in-process)
 "/usr/lib/llvm-19/bin/clang" "-cc1" "-D" "X=\"a b\$c\\\"" "-o" "a.o" "-x" "c" "a.c"
 "/usr/bin/ld" "-o" "a.out" ""
"#;

    #[test]
    fn jobs_and_remarks_are_told_apart() {
        let answer = parse(ANSWER.as_bytes()).unwrap();
        assert_eq!(answer.jobs.len(), 2);
        assert_eq!(answer.jobs[0].arguments, ["-cc1", "-D", "X=\"a b$c\\\"", "-o", "a.o", "-x", "c", "a.c"]);
        assert_eq!(answer.jobs[0].kind(), Kind::Clang);
        assert_eq!(answer.jobs[0].output().unwrap(), "a.o");
        assert_eq!(answer.jobs[1].kind(), Kind::Linker);
        assert_eq!(answer.jobs[1].arguments, ["-o", "a.out", ""]);
        let shown: Vec<_> = diagnostics(&answer).map(String::from_utf8_lossy).collect();
        assert_eq!(shown, ["clang: warning: -lfoo: 'linker' input unused [-Wunused-command-line-argument]"]);
    }

    #[test]
    fn a_newline_inside_an_argument_does_not_end_the_job() {
        let answer = parse(b" \"clang\" \"-cc1\" \"-DX=1\n2\"\nrest\n").unwrap();
        assert_eq!(answer.jobs[0].arguments, ["-cc1", "-DX=1\n2"]);
        assert_eq!(answer.remarks, [b"rest".to_vec()]);
    }

    #[test]
    fn what_is_shown_can_be_read_back() {
        let job = Job { program: "/usr/bin/ld".into(), arguments: vec!["a b".into(), "$\"\\".into(), "-o".into()] };
        assert_eq!(String::from_utf8(job.shown()).unwrap(), r#" "/usr/bin/ld" "a b" "\$\"\\" -o"#);
    }

    #[test]
    fn an_open_quote_is_an_error() {
        assert!(parse(b" \"clang\" \"-cc1").is_err());
    }
}
