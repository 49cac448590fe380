//! `faultline.toml`, which holds a failing case for `faultline why` without a program; and `faultline init`, which writes a
//! first version of it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::memory::Bytes;
use crate::shell::quoted;

pub const FILE: &str = "faultline.toml";

/// What the file may say; names are those of the options. Paths are relative to the file's folder, which is the current
/// one.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Project {
    pub program: PathBuf,
    #[serde(default)]
    pub args: Vec<String>,
    pub stdin: Option<PathBuf>,
    pub dir: Option<PathBuf>,
    pub expect: Option<PathBuf>,
    pub expect_exit: Option<i32>,
    pub reference: Option<PathBuf>,
    pub check: Option<String>,
    pub tests: Option<PathBuf>,
    pub timeout: Option<f64>,
    pub budget: Option<f64>,
    pub memory: Option<Bytes>,
}

impl Project {
    /// Of the current directory.
    pub fn here() -> Result<Project> {
        let text = match std::fs::read_to_string(FILE) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => bail!(
                "name the failing program, as in: faultline why -- ./prog; or describe the case in {FILE}, which faultline \
                 init creates"
            ),
            Err(error) => return Err(error).context(format!("cannot read {FILE}")),
        };
        toml::from_str(&text).with_context(|| format!("cannot understand {FILE}"))
    }
}

/// Create a faultline.toml in the current directory, which `faultline why` reads if no program is named
#[derive(clap::Args)]
pub struct Arguments {
    /// The failing program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_names = ["PROG", "ARGS"])]
    command: Vec<OsString>,
}

pub fn init(arguments: &Arguments) -> Result<ExitCode> {
    if Path::new(FILE).exists() {
        bail!("{FILE} already exists; edit it, or remove it first");
    }
    std::fs::write(FILE, template(&arguments.command)).with_context(|| format!("cannot write {FILE}"))?;
    let next = if arguments.command.is_empty() { "name the program in it, then run" } else { "now run" };
    eprintln!("faultline: wrote {FILE}; {next}: faultline why");
    Ok(ExitCode::SUCCESS)
}

fn template(command: &[OsString]) -> String {
    let text = |word: &OsString| format!("{:?}", word.to_string_lossy());
    let program = command.first().map_or_else(|| "\"./prog\"".into(), text);
    let args: Vec<String> = command.iter().skip(1).map(text).collect();
    let shown: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    let shown = if shown.is_empty() { "./prog".into() } else { shown.join(" ") };
    format!(
        "# The failing run: `faultline why` here is `faultline why … -- {shown}`.\n\
         program = {program}\n\
         args = [{}]\n\
         # stdin = \"input.txt\"        # standard input\n\
         # dir = \"files\"              # a directory to run in; each run gets its own copy\n\
         \n\
         # What is expected; without any of these, the failure is a crash, a failed assertion or a hang.\n\
         # expect = \"right.txt\"       # standard output\n\
         # expect-exit = 0            # exit status\n\
         # reference = \"./old-prog\"   # a program that behaves correctly\n\
         # check = \"./is-good.sh\"     # a command that judges a run: 0 correct, 1 wrong, 125 cannot tell\n\
         \n\
         # tests = \"suite.toml\"       # more tests of the program\n\
         # timeout = 10               # seconds; a longer run counts as a hang\n\
         # budget = 60                # seconds to search for the cause\n\
         # memory = \"8G\"              # memory for the search\n",
        args.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_init_writes_can_be_read() {
        let command: Vec<OsString> = ["./a b", "x\"y", "-n"].iter().map(OsString::from).collect();
        let project: Project = toml::from_str(&template(&command)).expect("it is TOML");
        assert_eq!(project.program, Path::new("./a b"));
        assert_eq!(project.args, ["x\"y", "-n"]);
        // Each line that is commented out is right, too.
        let all = template(&[]).replace("\n# expect", "\nexpect").replace("\n# stdin", "\nstdin");
        let all =
            all.replace("\n# dir", "\ndir").replace("\n# reference", "\nreference").replace("\n# check", "\ncheck");
        let all =
            all.replace("\n# tests", "\ntests").replace("\n# timeout", "\ntimeout").replace("\n# budget", "\nbudget");
        let all = all.replace("\n# memory", "\nmemory");
        let project: Project = toml::from_str(&all).expect("it is TOML");
        assert_eq!((project.expect_exit, project.timeout, project.budget), (Some(0), Some(10.0), Some(60.0)));
        assert_eq!((project.tests, project.memory), (Some("suite.toml".into()), Some(Bytes(8 << 30))));
    }

    #[test]
    fn a_wrong_name_is_found() {
        let error = toml::from_str::<Project>("program = \"x\"\nexpcet = \"y\"").expect_err("there is no such thing");
        assert!(error.to_string().contains("unknown field `expcet`"));
    }
}
