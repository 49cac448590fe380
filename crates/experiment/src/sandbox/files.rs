//! Access to files: a run can write only to the scratch directory, and read only files that it needs.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

/// Which Landlock this kernel has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileWall {
    None,
    /// Its version.
    Landlock(u8),
}

/// The version in which it learned to hold signals back, and sockets without a name.
const SIGNALS: u8 = 6;

impl FileWall {
    pub fn holds_signals(self) -> bool {
        self >= FileWall::Landlock(SIGNALS)
    }

    fn abi(self) -> Option<ABI> {
        match self {
            FileWall::None | FileWall::Landlock(0) => None,
            FileWall::Landlock(1) => Some(ABI::V1),
            FileWall::Landlock(2) => Some(ABI::V2),
            FileWall::Landlock(3) => Some(ABI::V3),
            FileWall::Landlock(4) => Some(ABI::V4),
            FileWall::Landlock(5) => Some(ABI::V5),
            FileWall::Landlock(_) => Some(ABI::V6),
        }
    }
}

pub fn file_wall() -> FileWall {
    const VERSION_ONLY: libc::c_uint = 1;
    // SAFETY: asks for the version; no memory is read.
    match unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0usize, VERSION_ONLY) } {
        ..=0 => FileWall::None,
        version => FileWall::Landlock(version.min(i64::from(u8::MAX)) as u8),
    }
}

/// What can be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Readable {
    /// All files of the user: for programs that nobody has changed. What they do with files is noted, which takes time; and
    /// FIFOs and terminals, from which they would take what is meant for others, they cannot open.
    Everything,
    /// Files of the system, and these.
    Only(Vec<PathBuf>),
}

impl Readable {
    /// Whether a file, as it is really called, may be opened for reading.
    pub fn covers(&self, path: &Path) -> bool {
        match self {
            Readable::Everything => true,
            Readable::Only(files) => {
                SYSTEM.iter().any(|system| path.starts_with(system)) || files.iter().any(|file| file == path)
            }
        }
    }
}

/// What a program may write to wherever it is: it keeps nothing.
const SINKS: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

/// Where the system keeps what is everybody's.
const SYSTEM: &[&str] = &[
    "/bin",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix",
    "/opt",
    "/proc",
    "/sbin",
    "/sys",
    "/usr",
];

/// The rules, ready to be laid on a process. Only in `scratch` may it write.
pub fn ruleset(wall: FileWall, scratch: &Path, readable: &Readable) -> io::Result<Option<OwnedFd>> {
    let Some(abi) = wall.abi() else { return Ok(None) };
    let made = || -> Result<Option<OwnedFd>, RulesetError> {
        let all = AccessFs::from_all(abi);
        let read = AccessFs::from_read(abi);
        let mut rules = Ruleset::default().set_compatibility(CompatLevel::BestEffort).handle_access(all)?;
        if wall >= FileWall::Landlock(4) {
            rules = rules.handle_access(AccessNet::from_all(abi))?;
        }
        if wall.holds_signals() {
            rules = rules.scope(Scope::from_all(abi))?;
        }
        let mut rules = rules.create()?;
        for sink in SINKS {
            rules = allow(rules, Path::new(sink), AccessFs::from_file(abi))?;
        }
        match readable {
            Readable::Everything => {
                for entry in std::fs::read_dir("/").into_iter().flatten().flatten() {
                    if entry.file_name() != "dev" {
                        rules = allow(rules, &entry.path(), read)?;
                    }
                }
                rules = allow(rules, Path::new("/"), AccessFs::ReadDir.into())?;
                for path in SYSTEM.iter().map(Path::new) {
                    rules = allow(rules, path, read)?;
                }
            }
            Readable::Only(files) => {
                for path in SYSTEM.iter().map(Path::new) {
                    rules = allow(rules, path, read)?;
                }
                for path in files {
                    // A directory that was opened was listed; what is in it was opened by itself or not at all.
                    let what = if path.is_dir() { AccessFs::ReadDir.into() } else { read };
                    rules = allow(rules, path, what)?;
                }
            }
        }
        Ok(allow(rules, scratch, all)?.into())
    };
    made().map_err(io::Error::other)
}

/// What is not there needs no rule. Of a file, what can be done with directories is no right.
fn allow(rules: RulesetCreated, path: &Path, what: BitFlags<AccessFs>) -> Result<RulesetCreated, RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let what = if path.is_dir() { what } else { what & AccessFs::from_file(ABI::V6) };
    if what.is_empty() {
        return Ok(rules);
    }
    rules.add_rule(PathBeneath::new(opened, what))
}
