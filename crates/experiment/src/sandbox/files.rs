//! The wall around files: everything can be read, only the scratch directory can be written to.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
    path_beneath_rules,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileWall {
    None,
    FilesOnly,
    /// Signals stay inside, too.
    WithSignals,
}

const WANTED: ABI = ABI::V6;

/// What a program may write to wherever it is: it keeps nothing.
const SINKS: &[&str] = &["/dev/null", "/dev/zero", "/dev/full"];

pub fn file_wall() -> FileWall {
    const VERSION_ONLY: libc::c_uint = 1;
    const SYS_LANDLOCK_CREATE_RULESET: libc::c_long = 444;
    // SAFETY: asks for the version; no memory is read.
    match unsafe { libc::syscall(SYS_LANDLOCK_CREATE_RULESET, std::ptr::null::<u8>(), 0usize, VERSION_ONLY) } {
        ..=0 => FileWall::None,
        1..=5 => FileWall::FilesOnly,
        _ => FileWall::WithSignals,
    }
}

/// The rules, ready to be laid on a process.
pub fn ruleset(scratch: &Path) -> io::Result<Option<OwnedFd>> {
    let made = || -> Result<Option<OwnedFd>, landlock::RulesetError> {
        let all = AccessFs::from_all(WANTED);
        let created = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .handle_access(AccessNet::from_all(WANTED))?
            .scope(Scope::from_all(WANTED))?
            .create()?
            .add_rules(path_beneath_rules(["/"], AccessFs::from_read(WANTED)))?
            .add_rules(path_beneath_rules(SINKS, AccessFs::from_file(WANTED)))?
            .add_rules(path_beneath_rules([scratch], all))?;
        Ok(created.into())
    };
    made().map_err(io::Error::other)
}
