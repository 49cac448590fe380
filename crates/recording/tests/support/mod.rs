//! Builds the test programs: hand-written C that calls the runtime as instrumented code does.

use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use abi::Slot;
use recording::Recording;
use recording::record::{Options, Recorded, record};

/// The compiled program of that name in `programs/`.
pub fn program(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(build).join(name)
}

fn build() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let test = std::env::current_exe().unwrap();
    let profile_directory = test.parent().unwrap().parent().unwrap();
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    run(Command::new(env!("CARGO"))
        .current_dir(crates)
        .args(["build", "-q", "-p", "faultline-runtime", "--profile"])
        .arg(profile));
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{}", std::process::id()));
    std::fs::create_dir_all(&out).unwrap();
    std::fs::write(out.join("slot_layout.h"), slot_layout()).unwrap();
    let register = out.join("register.o");
    run(Command::new("clang-19")
        .args(["-O2", "-fPIC", "-c"])
        .arg(crates.join("runtime/object/register.c"))
        .arg("-o")
        .arg(&register));
    for name in ["by_hand", "registers"] {
        run(Command::new("clang-19")
            .args(["-O1", "-pthread", "-I"])
            .arg(&out)
            .arg(crates.join("recording/tests/programs").join(format!("{name}.c")))
            .args([&register, &profile_directory.join("libfaultline_runtime.a")])
            .arg("-o")
            .arg(out.join(name)));
    }
    out
}

/// The part of `abi` the programs need, in C.
fn slot_layout() -> String {
    let fields = [
        ("CURSOR", offset_of!(Slot, cursor)),
        ("LIMIT", offset_of!(Slot, limit)),
        ("REMAINING", offset_of!(Slot, remaining)),
        ("HASH", offset_of!(Slot, hash)),
        ("TOKEN", offset_of!(Slot, token)),
        ("DEADLINE", offset_of!(Slot, deadline)),
        ("LEVEL", offset_of!(Slot, level)),
    ];
    let mut text = format!("#define VERSION {0}\n#define VERSION_TEXT \"{0}\"\n", abi::VERSION);
    for (name, offset) in fields {
        text += &format!("#define SLOT_{name} {offset}\n");
    }
    text
}

fn run(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}: {status}");
}

/// Records `by_hand MODE COUNT` and opens the recording.
pub struct Run {
    pub recorded: Recorded,
    pub recording: Recording,
    /// Removed with this.
    _file: tempfile::TempPath,
}

pub fn run_recorded(mode: &str, count: u64) -> Run {
    run_with(mode, count, |options| options)
}

pub fn run_with(mode: &str, count: u64, change: impl FnOnce(Options) -> Options) -> Run {
    let file = tempfile::NamedTempFile::new().unwrap().into_temp_path();
    let mut options = Options::new(program("by_hand"), &file);
    options.arguments = vec![mode.into(), count.to_string().into()];
    let recorded = record(&change(options)).unwrap();
    let recording = Recording::open(&file).unwrap();
    Run { recorded, recording, _file: file }
}

impl Run {
    /// The bytes of the n-th stream.
    pub fn stream(&self, index: usize) -> Vec<u8> {
        let stream = &self.recording.streams()[index];
        (0..stream.chunks.len()).flat_map(|chunk| self.recording.chunk(stream.id, chunk).unwrap()).collect()
    }

    /// The entry address of the function with this number.
    pub fn entry(&self, function: u32) -> u64 {
        self.recording.functions().iter().find(|f| f.function.0 == function).unwrap().entry.0
    }
}

/// Builds the bytes a stream should have, with the clock and hash after them.
#[derive(Default)]
pub struct Expected {
    pub bytes: Vec<u8>,
    pub clock: u64,
    pub hash: u64,
}

impl Expected {
    pub fn record(&mut self, tag: abi::Tag, rest: &[&[u8]]) -> &mut Expected {
        self.bytes.extend([tag as u8, abi::check_byte(self.hash)]);
        rest.iter().for_each(|part| self.bytes.extend(*part));
        self
    }

    pub fn entered(&mut self, entry: u64) -> &mut Expected {
        self.record(abi::Tag::Entered, &[&entry.to_le_bytes()])
    }

    pub fn step(&mut self, number: u64) -> &mut Expected {
        self.clock += 1;
        self.hash = abi::hash_step(self.hash, 1);
        self.bytes.extend(number.to_le_bytes());
        self
    }
}
