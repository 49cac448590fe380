//! What the unchanged run does with files: which it opens, and which it would change if it could. Runs that are changed may
//! read what it read; and where it tries to change files of the user, it behaves differently in the sandbox than outside,
//! which the report must say first.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::files::Readable;

/// What was seen.
#[derive(Clone, Default, Debug)]
pub struct Notes {
    /// Files and directories that were opened for reading, as they are really called.
    pub read: BTreeSet<PathBuf>,
    /// Files outside the scratch directory that it tried to change and could have changed without the sandbox.
    pub blocked: BTreeSet<PathBuf>,
}

/// Whether what a run does with files is noted; that takes time with each file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noting {
    /// Where it is needed: of runs that may read everything.
    Needed,
    /// Of every run: what the walls keep from it is to be named.
    All,
}

impl Notes {
    /// Files that the walls kept from the run: those that are there and that it may not read, and those that it would have
    /// changed.
    pub fn kept_from(&self, readable: &Readable, scratch: &Path) -> Vec<PathBuf> {
        let is_kept = |path: &&PathBuf| !path.starts_with(scratch) && !readable.covers(path);
        self.read.iter().filter(is_kept).chain(&self.blocked).cloned().collect()
    }
}

/// Calls with paths in them: the position of the directory's descriptor (none: the current directory), of the path, and what
/// becomes of the file.
#[rustfmt::skip]
const CALLS: &[(libc::c_long, Option<usize>, usize, Access)] = &[
    (libc::SYS_open, None, 0, Access::Flags(1)),
    (libc::SYS_openat, Some(0), 1, Access::Flags(2)),
    (libc::SYS_creat, None, 0, Access::Change),
    (libc::SYS_execve, None, 0, Access::Read),
    (libc::SYS_execveat, Some(0), 1, Access::Read),
    (libc::SYS_link, None, 1, Access::Change),
    (libc::SYS_linkat, Some(2), 3, Access::Change),
    (libc::SYS_symlink, None, 1, Access::Change),
    (libc::SYS_symlinkat, Some(1), 2, Access::Change),
    (libc::SYS_mkdir, None, 0, Access::Change),
    (libc::SYS_mkdirat, Some(0), 1, Access::Change),
    (libc::SYS_mknod, None, 0, Access::Change),
    (libc::SYS_mknodat, Some(0), 1, Access::Change),
    (libc::SYS_rename, None, 0, Access::Change),
    (libc::SYS_renameat, Some(0), 1, Access::Change),
    (libc::SYS_renameat2, Some(0), 1, Access::Change),
    (libc::SYS_rmdir, None, 0, Access::Change),
    (libc::SYS_unlink, None, 0, Access::Change),
    (libc::SYS_unlinkat, Some(0), 1, Access::Change),
    (libc::SYS_truncate, None, 0, Access::About),
    (libc::SYS_chmod, None, 0, Access::About),
    (libc::SYS_fchmodat, Some(0), 1, Access::About),
    (libc::SYS_chown, None, 0, Access::About),
    (libc::SYS_lchown, None, 0, Access::About),
    (libc::SYS_fchownat, Some(0), 1, Access::About),
    (libc::SYS_utime, None, 0, Access::About),
    (libc::SYS_utimes, None, 0, Access::About),
    (libc::SYS_futimesat, Some(0), 1, Access::About),
    (libc::SYS_utimensat, Some(0), 1, Access::About),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Change,
    /// Mode, owner, times and length, which not every wall judges.
    About,
    /// As the flags of this argument say.
    Flags(usize),
}

fn find(call: i64) -> Option<&'static (libc::c_long, Option<usize>, usize, Access)> {
    CALLS.iter().find(|known| known.0 == call)
}

pub fn is_noted(call: i64) -> bool {
    find(call).is_some()
}

/// Whether the call is about modes, owners and times of files.
pub fn is_about_files(call: i64) -> bool {
    find(call).is_some_and(|known| known.3 == Access::About)
}

/// What is about to be opened or changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opened {
    /// A file or directory, or nothing.
    Plain,
    /// A FIFO, a socket or a terminal: what is read there is missing elsewhere.
    OfOthers,
}

/// Notes what a call of this process is about to do.
pub fn note(notes: &mut Notes, scratch: &Path, process: libc::pid_t, call: i64, arguments: &[u64; 6]) -> Opened {
    find_and_note(notes, scratch, process, call, arguments).unwrap_or(Opened::Plain)
}

/// `None` if the path cannot be found; the kernel will not find it either.
fn find_and_note(
    notes: &mut Notes,
    scratch: &Path,
    process: libc::pid_t,
    call: i64,
    arguments: &[u64; 6],
) -> Option<Opened> {
    let &(_, directory, path, access) = find(call)?;
    let path = path_at(process, arguments[path])?;
    // These are its own; we would find ours.
    if OWN.iter().any(|own| path.starts_with(own)) {
        return None;
    }
    let base = match directory.map(|at| arguments[at] as i32) {
        None | Some(libc::AT_FDCWD) => format!("/proc/{process}/cwd"),
        Some(descriptor) => format!("/proc/{process}/fd/{descriptor}"),
    };
    let path = std::fs::read_link(base).ok()?.join(path);
    let is_change = match access {
        Access::Read => false,
        Access::Change | Access::About => true,
        Access::Flags(at) => {
            let flags = arguments[at] as i32;
            flags & libc::O_ACCMODE != libc::O_RDONLY || flags & (libc::O_CREAT | libc::O_TRUNC) != 0
        }
    };
    let real = path.canonicalize();
    if let (Ok(real), Access::Flags(_)) = (&real, access)
        && is_of_others(real, scratch)
    {
        return Some(Opened::OfOthers);
    }
    if !is_change {
        notes.read.extend(real);
        return None;
    }
    // A file that is not there yet is as real as its directory.
    let of_directory = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    let changed = real.ok().or_else(of_directory)?;
    // A file that is opened for both is read as well.
    if changed.is_file()
        && matches!(access, Access::Flags(at) if arguments[at] as i32 & libc::O_ACCMODE == libc::O_RDWR)
    {
        notes.read.insert(changed.clone());
    }
    if !changed.starts_with(scratch) && !changed.starts_with("/proc") && !changed.starts_with("/dev") && could(&changed)
    {
        notes.blocked.insert(changed);
    }
    None
}

/// Names that mean something else in every process.
const OWN: &[&str] = &["/dev/fd", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/proc/self", "/proc/thread-self"];

/// Devices that are everybody's.
const DEVICES: &[&str] = &["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

fn is_of_others(path: &Path, scratch: &Path) -> bool {
    let is_plain = path.metadata().is_ok_and(|about| about.is_file() || about.is_dir());
    !is_plain && !path.starts_with(scratch) && !DEVICES.iter().any(|device| path == Path::new(device))
}

/// Whether we could change the file, or make it.
fn could(path: &Path) -> bool {
    use std::os::unix::ffi::OsStrExt;
    let target = if path.exists() { Some(path) } else { path.parent() };
    let target = target.and_then(|target| std::ffi::CString::new(target.as_os_str().as_bytes()).ok());
    // SAFETY: the string has its end.
    target.is_some_and(|target| unsafe { libc::access(target.as_ptr(), libc::W_OK) } == 0)
}

/// The text a process has at an address.
fn path_at(process: libc::pid_t, address: u64) -> Option<PathBuf> {
    let memory = File::open(format!("/proc/{process}/mem")).ok()?;
    let mut bytes = Vec::new();
    // Page by page: the next one may not be there.
    while bytes.len() < libc::PATH_MAX as usize {
        let at = address.checked_add(bytes.len() as u64)?;
        let mut part = vec![0; 4096 - (at % 4096) as usize];
        let count = memory.read_at(&mut part, at).ok().filter(|&count| count > 0)?;
        match part[..count].iter().position(|&byte| byte == 0) {
            Some(end) => {
                bytes.extend(&part[..end]);
                return Some(PathBuf::from(OsString::from_vec(bytes)));
            }
            None => bytes.extend(&part[..count]),
        }
    }
    None
}
