//! Floods: a run that makes processes or files without end. A run that takes long is checked several times a second; little
//! can be made in between.

use std::ffi::CString;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::outcome::End;

/// What the machine had when the run began.
pub struct Flood {
    scratch: CString,
    tasks: u64,
    free: u64,
    files: u64,
}

/// How much more a run may take of the machine than this, together with all that others do at the same time.
const MOST_TASKS: u64 = 2000;
const MOST_BYTES: u64 = 1 << 30;
const MOST_FILES: u64 = 100_000;

impl Flood {
    pub fn watch(scratch: &Path) -> Flood {
        // A path that a file has, has no zero in it.
        let scratch = CString::new(scratch.as_os_str().as_bytes()).unwrap_or_default();
        let (free, files) = left(&scratch).unwrap_or((0, 0));
        Flood { scratch, tasks: tasks(), free, files }
    }

    /// How the run is to be ended, if so much more is in use now.
    pub fn rising(&self) -> Option<End> {
        let (free, files) = left(&self.scratch).unwrap_or((self.free, self.files));
        let is_full = free.saturating_add(MOST_BYTES.min(self.free / 2)) < self.free
            || files.saturating_add(MOST_FILES.min(self.files / 2)) < self.files;
        if tasks() > self.tasks.saturating_add(MOST_TASKS) {
            return Some(End::Forks);
        }
        is_full.then_some(End::Disk)
    }
}

/// Bytes and files that are left on the file system.
fn left(path: &CString) -> Option<(u64, u64)> {
    // SAFETY: the memory is this stack's.
    unsafe {
        let mut about: libc::statvfs = std::mem::zeroed();
        (libc::statvfs(path.as_ptr(), &mut about) == 0).then(|| (about.f_bavail * about.f_frsize, about.f_favail))
    }
}

/// Threads and processes on this machine.
fn tasks() -> u64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let count = text.split_whitespace().nth(3).and_then(|running| running.split('/').nth(1)?.parse().ok());
    count.unwrap_or(0)
}
