//! A suite of tests: a file that lists them, or a directory of `NAME.in` and `NAME.out`.
//!
//! Which tests pass and which fail is found out by running them.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use budget::Budget;
use serde::{Deserialize, Serialize};

use crate::case::{Case, CaseError, contents};
use crate::error::LabError;
use crate::limits::Limits;
use crate::oracle::{Oracle, Verdict};
use crate::reference::{ReferenceError, oracle_by_reference};
use crate::sandbox::Walls;
use crate::whole_run::record_case;

#[derive(Clone, Debug)]
pub struct Test {
    pub name: String,
    pub case: Case,
    oracle: Oracle,
    reference: Option<PathBuf>,
}

impl Test {
    /// What the test wants. A reference is run for it.
    pub fn oracle(&self, patience: Duration) -> Result<Oracle, ReferenceError> {
        let Some(reference) = &self.reference else { return Ok(self.oracle.clone()) };
        let right = oracle_by_reference(reference, &self.case, patience)?;
        let Oracle { check, check_directory, .. } = self.oracle.clone();
        Ok(Oracle { check, check_directory, ..right })
    }

    /// Records the test's run to `path`, and judges it.
    pub fn record(&self, walls: Walls, limits: &Limits, path: &Path, budget: &Budget) -> Result<Verdict, LabError> {
        let oracle = self.oracle(limits.time)?;
        // What a run does that comes to no end shows early, and all of it would take long to replay.
        let (ran, _) = record_case(&self.case, walls, limits, path, budget)?;
        Ok(oracle.judge(&ran)?)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{} is not a suite of tests: {error}", path.display())]
    Malformed { path: PathBuf, error: Box<toml::de::Error> },
    #[error("{} has no tests; add a table [[test]] for each, with its args, stdin and expected result", .0.display())]
    NoTests(PathBuf),
    #[error("{} has no tests; each is a pair of files NAME.in (standard input) and NAME.out (standard output)", .0.display())]
    EmptyDirectory(PathBuf),
    #[error("{} has no expected output beside it: {} is missing", input.display(), output.display())]
    NoOutput { input: PathBuf, output: PathBuf },
    #[error("test {test} in {}: {what}", path.display())]
    Test { path: PathBuf, test: String, what: String },
    #[error(transparent)]
    Program(#[from] CaseError),
}

/// The file.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    #[serde(default)]
    pub test: Vec<ListedTest>,
}

/// A table `[[test]]`.
#[derive(Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ListedTest {
    pub name: Option<String>,
    #[serde(default)]
    pub args: Vec<String>,
    pub stdin: Option<PathBuf>,
    pub dir: Option<PathBuf>,
    pub expect: Option<PathBuf>,
    pub expect_exit: Option<i32>,
    pub reference: Option<PathBuf>,
    pub check: Option<String>,
}

/// Reads a suite for a program. `common`: arguments that every test begins with.
pub fn read_suite(path: &Path, program: &Path, common: &[OsString]) -> Result<Vec<Test>, SuiteError> {
    let base = Case::new(program, common.to_vec())?;
    if path.is_dir() { read_directory(path, &base) } else { read_list(path, &base) }
}

fn read_list(path: &Path, base: &Case) -> Result<Vec<Test>, SuiteError> {
    let cannot_read = |error| SuiteError::Read { path: path.to_path_buf(), error };
    let text = String::from_utf8(contents(path).map_err(cannot_read)?)
        .map_err(|_| cannot_read(io::Error::new(io::ErrorKind::InvalidData, "it is not text")))?;
    let listed: Listed = toml::from_str(&text)
        .map_err(|error| SuiteError::Malformed { path: path.to_path_buf(), error: Box::new(error) })?;
    if listed.test.is_empty() {
        return Err(SuiteError::NoTests(path.to_path_buf()));
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let tests = listed.test.into_iter().enumerate().map(|(position, listed)| {
        let name = listed.name.clone().unwrap_or_else(|| (position + 1).to_string());
        let wrong = |what: String| SuiteError::Test { path: path.to_path_buf(), test: name.clone(), what };
        test(listed, name.clone(), base, folder).map_err(wrong)
    });
    tests.collect()
}

/// One test; what is wrong with it, in words.
fn test(listed: ListedTest, name: String, base: &Case, folder: &Path) -> Result<Test, String> {
    if listed.reference.is_some() && (listed.expect.is_some() || listed.expect_exit.is_some()) {
        return Err(
            "it has a reference, which determines output and exit status, so it cannot have expect or expect-exit too"
                .into(),
        );
    }
    let mut case = base.clone();
    case.arguments.extend(listed.args.into_iter().map(OsString::from));
    if let Some(input) = listed.stdin {
        case = case.with_input_file(&folder.join(input)).map_err(|error| error.to_string())?;
    }
    if let Some(directory) = listed.dir {
        let directory = folder.join(directory);
        case = case.with_files(&directory).map_err(|_| format!("dir: {} is not a directory", directory.display()))?;
    }
    let mut oracle = Oracle { status: listed.expect_exit, ..Oracle::default() };
    if let Some(expected) = listed.expect {
        let expected = folder.join(expected);
        let read = contents(&expected);
        oracle.output = Some(read.map_err(|error| format!("expect: cannot read {}: {error}", expected.display()))?);
    }
    if let Some(check) = listed.check {
        oracle.check = Some(check.into());
        oracle.check_directory = folder.canonicalize().ok();
    }
    // A name that is no file beside the list is looked for in PATH.
    let reference = listed.reference.map(|reference| match folder.join(&reference) {
        beside if beside.exists() || reference.components().count() > 1 => beside,
        _ => reference,
    });
    if let Some(missing) = reference.as_ref().filter(|path| path.components().count() > 1 && !path.exists()) {
        return Err(format!("reference: there is no program {}", missing.display()));
    }
    Ok(Test { name, case, oracle, reference })
}

fn read_directory(path: &Path, base: &Case) -> Result<Vec<Test>, SuiteError> {
    let cannot_read = |path: &Path, error| SuiteError::Read { path: path.to_path_buf(), error };
    let entries = std::fs::read_dir(path).map_err(|error| cannot_read(path, error))?;
    let mut inputs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "in"));
    inputs.sort();
    if inputs.is_empty() {
        return Err(SuiteError::EmptyDirectory(path.to_path_buf()));
    }
    let tests = inputs.into_iter().map(|input| {
        let output = input.with_extension("out");
        if !output.exists() {
            return Err(SuiteError::NoOutput { input, output });
        }
        let expected = contents(&output).map_err(|error| cannot_read(&output, error))?;
        Ok(Test {
            name: input.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            case: base.clone().with_input_file(&input)?,
            oracle: Oracle { output: Some(expected), ..Oracle::default() },
            reference: None,
        })
    });
    tests.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with these files; a suite in it is for `cat`.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::TempDir::new().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        folder
    }

    fn read(folder: &tempfile::TempDir, name: &str) -> Result<Vec<Test>, SuiteError> {
        read_suite(&folder.path().join(name), Path::new("/bin/cat"), &[])
    }

    #[test]
    fn a_list_of_tests_names_files_beside_it() {
        let list = "[[test]]\nname = \"one\"\nargs = [\"-n\", \"-\"]\nstdin = \"in.txt\"\nexpect = \"out.txt\"\n\
                    [[test]]\nexpect-exit = 3\ndir = \".\"\n[[test]]\nreference = \"cat\"\nstdin = \"in.txt\"\n";
        let folder = folder(&[("suite.toml", list), ("in.txt", "a\n"), ("out.txt", "b\n")]);
        let tests = read(&folder, "suite.toml").unwrap();
        let names: Vec<&str> = tests.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["one", "2", "3"]);
        assert_eq!((&*tests[0].case.input, tests[0].case.arguments.len()), (&b"a\n"[..], 2));
        let patience = Duration::from_secs(5);
        assert_eq!(tests[0].oracle(patience).unwrap().output.as_deref(), Some(&b"b\n"[..]));
        assert_eq!(tests[1].oracle(patience).unwrap().status, Some(3));
        assert!(tests[1].case.files.is_some());
        let by_reference = tests[2].oracle(patience).unwrap();
        assert_eq!((by_reference.output.as_deref(), by_reference.status), (Some(&b"a\n"[..]), Some(0)));
    }

    #[test]
    fn a_directory_of_pairs_is_a_suite() {
        let folder = folder(&[("b.in", "2"), ("b.out", "3"), ("a.in", "1"), ("a.out", "1"), ("notes", "")]);
        let tests = read(&folder, "").unwrap();
        assert_eq!(tests.iter().map(|test| &test.name[..]).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(&*tests[1].case.input, b"2");
    }

    #[test]
    fn errors_say_where_and_what_to_do() {
        let told = |files: &[(&str, &str)], name: &str| match read(&folder(files), name) {
            Ok(_) => panic!("it is taken"),
            Err(error) => error.to_string(),
        };
        let list = |text: &str| told(&[("suite.toml", text)], "suite.toml");
        assert!(list("").contains("has no tests; add a table [[test]] for each"));
        assert!(list("[[test]]\nexpcet = \"x\"").contains("unknown field `expcet`"));
        assert!(list("[[test]]\nname = \"t\"\nexpect = \"x\"").contains("test t in"));
        assert!(list("[[test]]\nreference = \"./x\"").contains("there is no program"));
        assert!(list("[[test]]\nreference = \"x\"\nexpect-exit = 0").contains("cannot have expect or expect-exit too"));
        assert!(list("[[test]]\ndir = \"suite.toml\"").contains("is not a directory"));
        assert!(told(&[], "suite.toml").contains("cannot read"));
        assert!(told(&[], "").contains("NAME.in"));
        assert!(told(&[("a.in", "")], "").contains("a.out is missing"));
    }
}
