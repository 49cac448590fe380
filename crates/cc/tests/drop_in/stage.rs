//! The tools as `./x build` stages them, but with the `faultline-cc` of this very build.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

const FAULTLINE_CC: &str = env!("CARGO_BIN_EXE_faultline-cc");

pub struct Stage {
    folder: PathBuf,
}

impl Stage {
    /// The one all tests share. Each test may be a process of its own, so it is made aside and moved into place, under
    /// a name that changes with the binary.
    pub fn shared() -> Stage {
        let changed = std::fs::metadata(FAULTLINE_CC).unwrap().modified().unwrap();
        let name = format!("stage-{}", changed.duration_since(UNIX_EPOCH).unwrap().as_nanos());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        if !folder.exists() {
            let aside = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
            Stage::make(aside.path());
            // Another process may have been faster; its stage is as good.
            let _ = std::fs::rename(aside.path(), &folder);
        }
        Stage { folder }
    }

    /// Makes a folder of tools: what they need, they must find beside themselves.
    pub fn make(folder: &Path) -> Stage {
        let staged = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/faultline/lib/faultline");
        let bin = folder.join("bin");
        let lib = folder.join("lib/faultline");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::create_dir_all(&lib).unwrap();
        std::fs::copy(FAULTLINE_CC, bin.join("faultline-cc")).unwrap();
        std::os::unix::fs::symlink("faultline-cc", bin.join("faultline-c++")).unwrap();
        for name in ["register.o", "unregister.o", "libfaultline_twins.a", "libfaultline_runtime.a"] {
            let from = staged.join(name);
            std::fs::copy(&from, lib.join(name))
                .unwrap_or_else(|error| panic!("{}: {error}; run `./x build` first", from.display()));
        }
        Stage { folder: folder.to_path_buf() }
    }

    pub fn c(&self) -> PathBuf {
        self.folder.join("bin/faultline-cc")
    }

    /// A file of what the tools need beside themselves.
    pub fn library(&self, name: &str) -> PathBuf {
        self.folder.join("lib/faultline").join(name)
    }

    pub fn cpp(&self) -> PathBuf {
        self.folder.join("bin/faultline-c++")
    }
}

/// Plain clang, of the version faultline-cc uses.
pub fn clang() -> PathBuf {
    std::env::var_os("FAULTLINE_CLANG").map_or_else(|| PathBuf::from("/usr/lib/llvm-19/bin/clang"), PathBuf::from)
}

/// Runs a program and returns its standard output; the test fails if the program does.
pub fn output_of(program: &Path) -> String {
    let output = Command::new(program).output().unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(output.status.success(), "{}: {}", program.display(), output.status);
    String::from_utf8(output.stdout).unwrap()
}

/// Whether an object, archive or program carries instrumented code.
pub fn is_instrumented(file: &Path) -> bool {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    bytes.windows(14).any(|window| window == b".faultline.ir\0")
}
