//! Another input for the program of a case: what it is given in place of the case's own arguments, standard input, files and
//! environment. The program, its name and the directory it works in stay those of the case.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use recording::folder::Folder;
use recording::plan::Intervention;

use crate::case::Case;
use crate::scratch::{copy_tree, put};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Input {
    pub arguments: Vec<OsString>,
    /// All of its standard input.
    pub stdin: Vec<u8>,
    /// What is in files of the case's directory instead, by their path in it.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Variables of the environment that have another value; `None`: that are not set.
    pub environment: BTreeMap<OsString, Option<OsString>>,
}

/// An input to be tried, with what is changed in the run besides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trial {
    pub input: Arc<Input>,
    pub experiment: Vec<Intervention>,
}

impl From<Input> for Trial {
    fn from(input: Input) -> Trial {
        Trial { input: Arc::new(input), experiment: Vec::new() }
    }
}

impl Input {
    /// The case's own. `files`: those of its directory whose contents are a part of the input.
    pub fn of(case: &Case, files: &[PathBuf]) -> io::Result<Input> {
        let mut contents = BTreeMap::new();
        for path in files {
            let directory =
                case.files.as_ref().ok_or_else(|| io::Error::other("the case has no directory of files"))?;
            let read = fs::read(directory.join(path));
            let read = read.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))?;
            contents.insert(path.clone(), read);
        }
        Ok(Input {
            arguments: case.arguments.clone(),
            stdin: case.input.to_vec(),
            files: contents,
            environment: BTreeMap::new(),
        })
    }

    pub fn with_stdin(self, stdin: Vec<u8>) -> Input {
        Input { stdin, ..self }
    }

    /// What stands for all of it.
    pub fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes());
            hasher.update(bytes);
        };
        add(&self.stdin);
        add(&(self.arguments.len() as u64).to_le_bytes());
        for argument in &self.arguments {
            add(argument.as_bytes());
        }
        add(&(self.files.len() as u64).to_le_bytes());
        for (path, contents) in &self.files {
            add(path.as_os_str().as_bytes());
            add(contents);
        }
        for (name, value) in &self.environment {
            add(name.as_bytes());
            match value {
                Some(value) => add(&[b"=", value.as_bytes()].concat()),
                None => add(b""),
            }
        }
        hasher.finalize()
    }

    /// The case with this input, but with its own files.
    pub fn but_files(&self, original: &Case) -> Case {
        Case {
            arguments: self.arguments.clone(),
            input: Arc::from(&self.stdin[..]),
            environment: changed(&original.environment, &self.environment),
            ..original.clone()
        }
    }

    /// A case to be run on its own, with the folder that keeps its files as long as it is needed.
    pub fn as_case(&self, original: &Case) -> io::Result<(Case, Option<Folder>)> {
        let mut case = self.but_files(original);
        let Some(directory) = original.files.as_ref().filter(|_| !self.files.is_empty()) else {
            return Ok((case, None));
        };
        let folder = Folder::new("input")?;
        let copy = folder.path().join("files");
        self.copy_files(directory, &copy, original)?;
        case.files = Some(copy);
        Ok((case, Some(folder)))
    }

    /// Puts all of it into an empty folder, to be run by hand: `stdin`, the directory `files` if the case has one, and the
    /// script `run`, which takes the program's path if it is not the case's.
    pub fn write_to(&self, folder: &Path, original: &Case) -> io::Result<()> {
        fs::write(folder.join("stdin"), &self.stdin)?;
        if let Some(directory) = &original.files {
            self.copy_files(directory, &folder.join("files"), original)?;
        }
        fs::write(folder.join("run"), self.script(original))
    }

    fn copy_files(&self, from: &Path, to: &Path, original: &Case) -> io::Result<()> {
        copy_tree(from, to)?;
        self.files.iter().try_for_each(|(path, contents)| put(to, path, contents, original.input_modified))
    }

    /// For the shell.
    fn script(&self, original: &Case) -> Vec<u8> {
        let mut script = b"#!/bin/sh\n# usage: sh run [PROGRAM]\nhere=$(cd \"$(dirname \"$0\")\" && pwd)\n".to_vec();
        script.extend(b"program=${1:-");
        script.extend(quoted(original.program.as_os_str().as_bytes()));
        script.extend(b"}\ncase $program in /*) ;; */*) program=$PWD/$program ;; esac\n");
        if original.files.is_some() {
            script.extend(b"cd \"$here/files\" || exit 127\n");
        }
        // With env, since a variable may have a name that the shell does not allow.
        script.extend(b"exec env");
        for name in self.environment.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name) {
            script.extend(b" -u ");
            script.extend(quoted(name.as_bytes()));
        }
        for (name, value) in &self.environment {
            if let Some(value) = value {
                script.push(b' ');
                script.extend(quoted(&[name.as_bytes(), b"=", value.as_bytes()].concat()));
            }
        }
        script.extend(b" \"$program\"");
        for argument in &self.arguments {
            script.push(b' ');
            script.extend(quoted(argument.as_bytes()));
        }
        script.extend(b" < \"$here/stdin\"\n");
        script
    }
}

/// As one word of the shell.
fn quoted(word: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'\''];
    for &byte in word {
        match byte {
            b'\'' => quoted.extend(b"'\\''"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'\'');
    quoted
}

/// Variables stay in their places; new ones come last.
fn changed(
    environment: &[(OsString, OsString)],
    changes: &BTreeMap<OsString, Option<OsString>>,
) -> Vec<(OsString, OsString)> {
    let kept = environment.iter().filter_map(|(name, value)| match changes.get(name) {
        None => Some((name.clone(), value.clone())),
        Some(None) => None,
        Some(Some(other)) => Some((name.clone(), other.clone())),
    });
    let is_new = |name: &OsString| environment.iter().all(|(known, _)| known != name);
    let added = changes.iter().filter(|(name, _)| is_new(name));
    kept.chain(added.filter_map(|(name, value)| Some((name.clone(), value.clone()?)))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::process::Command;

    use proptest::prelude::*;

    use super::*;

    fn bytes() -> impl Strategy<Value = Vec<u8>> {
        prop::collection::vec(1..=255u8, 0..6)
    }

    fn word() -> impl Strategy<Value = OsString> {
        bytes().prop_map(std::os::unix::ffi::OsStringExt::from_vec)
    }

    fn name() -> impl Strategy<Value = OsString> {
        "[ab]{1,2}".prop_map(OsString::from)
    }

    prop_compose! {
        fn inputs()(
            arguments in prop::collection::vec(word(), 0..3),
            stdin in bytes(),
            files in prop::collection::btree_map("[ab]".prop_map(PathBuf::from), bytes(), 0..2),
            environment in prop::collection::btree_map(name(), prop::option::of(word()), 0..3),
        ) -> Input {
            Input { arguments, stdin, files, environment }
        }
    }

    proptest! {
        #[test]
        fn equal_hashes_are_of_equal_inputs(one in inputs(), other in inputs()) {
            prop_assert_eq!(one.hash() == other.hash(), one == other);
        }

        #[test]
        fn changed_variables_are_changed_and_no_others(
            own in prop::collection::vec((name(), word()), 0..4),
            changes in prop::collection::btree_map(name(), prop::option::of(word()), 0..4),
        ) {
            let after = changed(&own, &changes);
            for (name, value) in &after {
                match changes.get(name) {
                    Some(other) => prop_assert_eq!(Some(value), other.as_ref()),
                    None => prop_assert!(own.contains(&(name.clone(), value.clone()))),
                }
            }
            let named: HashMap<&OsString, &OsString> = after.iter().map(|(name, value)| (name, value)).collect();
            for (name, value) in &changes {
                prop_assert_eq!(named.get(name).copied(), value.as_ref());
            }
            let is_kept = |(name, _): &&(OsString, OsString)| !changes.contains_key(name);
            prop_assert_eq!(own.iter().filter(is_kept).count(), after.iter().filter(is_kept).count());
        }
    }

    #[test]
    fn a_folder_runs_by_hand_what_it_was_made_of() {
        let files = tempfile::tempdir().expect("a folder");
        fs::write(files.path().join("old"), "old").expect("it can be written");
        let mut case = Case::new(Path::new("/bin/sh"), Vec::new()).expect("a program");
        case = case.with_files(files.path()).expect("a directory");
        let input = Input {
            arguments: ["-c", "cat; cat old new; echo \"$1-$A B-$HOME-\"", "sh", "it's } $x\n"]
                .map(Into::into)
                .to_vec(),
            stdin: b"in\0put".to_vec(),
            files: [("new".into(), b"new".to_vec())].into(),
            environment: [("A".into(), Some("'a' \"".into())), ("HOME".into(), None)].into(),
        };
        let folder = tempfile::tempdir().expect("a folder");
        input.write_to(folder.path(), &case).expect("it can be written");
        let output = Command::new("sh").arg(folder.path().join("run")).output().expect("sh runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "in\0putoldnewit's } $x\n-'a' \" B--\n");
        assert!(!files.path().join("new").exists());
    }
}
