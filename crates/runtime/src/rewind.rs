//! What each forked child must find as the first one did: positions in files, limits.
//!
//! A server makes one run at a time, and its runs share the files that it has open. So it puts their positions back before
//! it forks; that is cheaper than opening them anew in each child.

use core::sync::atomic::{AtomicI32, AtomicI64, AtomicU64, Ordering};

use crate::once::of_process;
use crate::syscall;

/// Descriptors beyond this many are not looked at.
const DESCRIPTORS: usize = 256;

/// A regular file as it was; what is none has no position.
struct Noted {
    position: AtomicI64,
    flags: AtomicI32,
}

const NONE: i64 = -1;

of_process! {
    /// By descriptor.
    static NOTED: [Noted; DESCRIPTORS] =
        [const { Noted { position: AtomicI64::new(NONE), flags: AtomicI32::new(0) } }; DESCRIPTORS];
    /// The limits on files and on data, soft and hard.
    static LIMITS: [[AtomicU64; 2]; 2] = [const { [const { AtomicU64::new(0) }; 2] }; 2];
}

const LIMITED: [usize; 2] = [libc::RLIMIT_FSIZE as usize, libc::RLIMIT_DATA as usize];

/// Standard output and error are files of the faultline process, which sets their positions itself.
fn is_output(descriptor: i32) -> bool {
    descriptor == 1 || descriptor == 2
}

/// Notes where files are and which limits there are, before children are forked.
pub fn look() {
    for (which, limits) in LIMITED.into_iter().zip(LIMITS.iter()) {
        for (limit, value) in limits.iter().zip(syscall::limits(which)) {
            limit.store(value, Ordering::Relaxed);
        }
    }
    for (noted, descriptor) in NOTED.iter().zip(0..) {
        let flags = if is_output(descriptor) { None } else { regular(descriptor) };
        let position = flags.map_or(NONE, |_| syscall::position(descriptor) as i64);
        noted.position.store(position, Ordering::Relaxed);
        noted.flags.store(flags.unwrap_or(0), Ordering::Relaxed);
    }
}

/// The regular files that were noted, with their positions and flags.
fn noted() -> impl Iterator<Item = (i32, i64, i32)> {
    let all = NOTED.iter().zip(0..).map(|(noted, descriptor)| {
        (descriptor, noted.position.load(Ordering::Relaxed), noted.flags.load(Ordering::Relaxed))
    });
    all.filter(|(_, position, _)| *position != NONE)
}

/// Puts files back to where they were, and to what was wanted of them.
pub fn files() {
    for (descriptor, position, flags) in noted() {
        syscall::set_position(descriptor, position as isize);
        syscall::set_flags(descriptor, flags);
    }
}

pub fn has_files_to_write() -> bool {
    noted().any(|(_, _, flags)| flags & libc::O_ACCMODE != libc::O_RDONLY)
}

/// The flags of a descriptor that is a regular file.
fn regular(descriptor: i32) -> Option<i32> {
    let flags = syscall::flags(descriptor)?;
    let mode = syscall::status(descriptor)?.st_mode;
    (mode & libc::S_IFMT == libc::S_IFREG).then_some(flags)
}

/// Lowers the limits on files and data, for good; zero leaves one as it is.
pub fn limit(values: [u64; 2]) {
    for ((which, [soft, hard]), value) in LIMITED.into_iter().zip(LIMITS.iter()).zip(values) {
        if value != 0 {
            let lower = |limit: &AtomicU64| value.min(limit.load(Ordering::Relaxed));
            syscall::limit(which, [lower(soft), lower(hard)]);
        }
    }
}
