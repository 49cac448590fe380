//! Writes a suite of tests, as `suite` reads it: a list, and beside it a file for each thing that it names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::case::Case;
use crate::input::Input;
use crate::scratch::{copy_tree, put};
use crate::suite::{Listed, ListedTest};

/// A test that is to be written.
pub struct WrittenTest<'a> {
    /// Of the test, and of its files.
    pub name: String,
    pub input: &'a Input,
    pub expectation: Expectation,
}

/// What a right run of it does.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expectation {
    /// Standard output.
    pub output: Option<Vec<u8>>,
    pub status: Option<i32>,
    /// A command for the shell, which judges in the suite's folder.
    pub check: Option<String>,
    /// Standard output that only a wrong run has.
    pub never: Option<Vec<u8>>,
}

/// Writes the list under this name, and the files of its tests, into a folder. Gives the names of tests that are left out,
/// since a list cannot say what they are given: arguments that are no text, variables of the environment.
pub fn write_suite(folder: &Path, list: &str, original: &Case, tests: &[WrittenTest<'_>]) -> io::Result<Vec<String>> {
    let (mut listed, mut left_out) = (Vec::new(), Vec::new());
    for test in tests {
        match written(folder, original, test)? {
            Some(one) => listed.push(one),
            None => left_out.push(test.name.clone()),
        }
    }
    let text = toml::to_string(&Listed { test: listed }).map_err(io::Error::other)?;
    fs::write(folder.join(list), text)?;
    Ok(left_out)
}

fn written(folder: &Path, original: &Case, test: &WrittenTest<'_>) -> io::Result<Option<ListedTest>> {
    let WrittenTest { name, input, expectation } = test;
    let arguments = input.arguments.iter().map(|argument| Some(argument.to_str()?.to_owned()));
    let Some(args) = arguments.collect::<Option<Vec<String>>>().filter(|_| input.environment.is_empty()) else {
        return Ok(None);
    };
    let mut listed = ListedTest { name: Some(name.clone()), args, ..ListedTest::default() };
    let file = |ending: &str, contents: &[u8]| -> io::Result<PathBuf> {
        let file = PathBuf::from(format!("{name}.{ending}"));
        put(folder, &file, contents, original.input_modified)?;
        Ok(file)
    };
    listed.stdin = Some(file("in", &input.stdin)?);
    if original.files.is_some() {
        let (case, _folder) = input.as_case(original)?;
        let directory = PathBuf::from(format!("{name}.files"));
        if let Some(files) = &case.files {
            copy_tree(files, &folder.join(&directory))?;
        }
        listed.dir = Some(directory);
    }
    let Expectation { output, status, check, never } = expectation;
    listed.expect = output.as_ref().map(|output| file("out", output)).transpose()?;
    listed.expect_exit = *status;
    listed.check.clone_from(check);
    if let Some(never) = never {
        let file = file("wrong", never)?;
        let differs = format!("! cmp -s '{}' \"$FAULTLINE_STDOUT\"", file.display());
        listed.check = Some(match check {
            Some(check) => format!("{differs} && {{ {check}\n}}"),
            None => differs,
        });
    }
    Ok(Some(listed))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;

    use super::*;
    use crate::suite::read_suite;

    #[test]
    fn what_is_written_can_be_read() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let files = tempfile::TempDir::new().expect("a folder");
        fs::write(files.path().join("known"), "same").expect("it is written");
        let case = Case::new(Path::new("/bin/cat"), vec!["a".into()]).and_then(|case| case.with_files(files.path()));
        let case = case.expect("a case");
        let own = Input::of(&case, &[]).expect("it has no files to read");
        let odd = Input { arguments: vec!["it's \"quoted\"\n".into()], ..own.clone() }.with_stdin(vec![0, 255, b'\n']);
        let no_text = Input { arguments: vec![OsString::from_vec(vec![255])], ..own.clone() };
        let output = Expectation { output: Some(b"x".to_vec()), status: Some(3), ..Expectation::default() };
        let never = Expectation { never: Some(b"y".to_vec()), ..Expectation::default() };
        let test = |name: &str, input, expectation| WrittenTest { name: name.into(), input, expectation };
        let tests =
            [test("one", &odd, output), test("two", &own, never), test("three", &no_text, Expectation::default())];
        let left_out = write_suite(folder.path(), "suite.toml", &case, &tests).expect("it is written");
        assert_eq!(left_out, ["three"]);
        let read = read_suite(&folder.path().join("suite.toml"), Path::new("/bin/cat"), &[]).expect("a suite");
        assert_eq!(read.iter().map(|test| &test.name[..]).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!((&read[0].case.arguments, &read[0].case.input[..]), (&odd.arguments, &odd.stdin[..]));
        let oracle = read[0].oracle(std::time::Duration::from_secs(1)).expect("no reference");
        assert_eq!((oracle.output.as_deref(), oracle.status), (Some(&b"x"[..]), Some(3)));
        let directory = read[1].case.files.as_ref().expect("a directory");
        assert_eq!(fs::read(directory.join("known")).expect("a copy"), b"same");
        let oracle = read[1].oracle(std::time::Duration::from_secs(1)).expect("no reference");
        assert!(oracle.check.is_some_and(|check| check.to_string_lossy().contains("two.wrong")));
    }
}
