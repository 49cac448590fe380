//! Builds the test programs: hand-written C that calls the runtime as instrumented code does.

use std::fs::File;
use std::mem::offset_of;
use std::os::fd::AsRawFd;
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

/// Builds what is not there or older than what it is made of. Tests may run in many processes at once.
fn build() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let out = target.join("tmp/programs");
    std::fs::create_dir_all(&out).unwrap();
    let lock = File::create(out.join("lock")).unwrap();
    // SAFETY: the descriptor is ours.
    assert_eq!(unsafe { libc::flock(lock.as_raw_fd(), libc::LOCK_EX) }, 0);

    let cargo = ["build", "--quiet", "--package", "faultline-runtime", "--profile", "runtime"];
    run(Command::new(env!("CARGO")).current_dir(crates).args(cargo));
    let runtime = target.join("runtime/libfaultline_runtime.a");
    let layout = out.join("slot_layout.h");
    if std::fs::read_to_string(&layout).ok() != Some(slot_layout()) {
        std::fs::write(&layout, slot_layout()).unwrap();
    }
    let register_source = crates.join("runtime/object/register.c");
    let register = out.join("register.o");
    make(&register, &[&register_source], &["-O2", "-fPIC", "-c"], &out);
    let sources = crates.join("recording/tests/programs");
    let header = sources.join("by_hand.h");
    let programs = [
        ("by_hand", "by_hand", "-pthread"),
        ("registers", "registers", "-pthread"),
        ("by_hand_library", "by_hand_library.so", "-shared"),
    ];
    for (source, name, option) in programs {
        let source = sources.join(format!("{source}.c"));
        let inputs = [&source, &register, &runtime, &header, &layout];
        make(&out.join(name), &inputs, &["-O1", "-pthread", "-fPIC", option], &out);
    }
    out
}

/// Compiles the inputs, except headers, unless the output is newer than all of them.
fn make(output: &Path, inputs: &[&PathBuf], options: &[&str], include: &Path) {
    let modified = |path: &Path| std::fs::metadata(path).and_then(|metadata| metadata.modified());
    let newest = inputs.iter().map(|input| modified(input).unwrap()).max();
    if modified(output).is_ok_and(|made| Some(made) > newest) {
        return;
    }
    let files = inputs.iter().filter(|input| input.extension() != Some("h".as_ref()));
    run(Command::new("clang-19").args(options).arg("-I").arg(include).args(files).arg("-o").arg(output));
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
        ("PLACE", abi::SLOT_PLACE as usize),
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
