//! What a forked child must have for itself: positions in files, limits.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::once::of_process;
use crate::syscall;

/// Descriptors beyond this many are not looked at.
const DESCRIPTORS: i32 = 256;

of_process! {
    /// Which of them are regular files, a bit for each: a server looks once, not each of its children.
    static REGULAR: [AtomicU64; DESCRIPTORS as usize / 64] =
        [const { AtomicU64::new(0) }; DESCRIPTORS as usize / 64];
    /// The limits on files and on data, soft and hard.
    static LIMITS: [[AtomicU64; 2]; 2] = [const { [const { AtomicU64::new(0) }; 2] }; 2];
}

const LIMITED: [usize; 2] = [libc::RLIMIT_FSIZE as usize, libc::RLIMIT_DATA as usize];

/// Standard output and error are files of the faultline process, which sets their positions itself.
fn is_output(descriptor: i32) -> bool {
    descriptor == 1 || descriptor == 2
}

/// Notes which files are open and which limits there are, before children are forked.
pub fn look() {
    for (which, limits) in LIMITED.into_iter().zip(LIMITS.iter()) {
        for (limit, value) in limits.iter().zip(syscall::limits(which)) {
            limit.store(value, Ordering::Relaxed);
        }
    }
    for (word, first) in REGULAR.iter().zip((0..DESCRIPTORS).step_by(64)) {
        let open = (0..64).filter(|bit| !is_output(first + bit) && regular(first + bit).is_some());
        word.store(open.fold(0, |all, bit| all | 1 << bit), Ordering::Relaxed);
    }
}

fn noted() -> impl Iterator<Item = i32> {
    REGULAR.iter().zip((0..DESCRIPTORS).step_by(64)).flat_map(|(word, first)| {
        let open = word.load(Ordering::Relaxed);
        (0..64).filter(move |bit| open >> bit & 1 != 0).map(move |bit| first + bit)
    })
}

/// Opens regular files anew: children that share one with their parent would read each other's bytes away.
pub fn files() {
    for descriptor in noted() {
        if let Some(flags) = regular(descriptor) {
            let position = syscall::position(descriptor);
            let keep = libc::O_ACCMODE | libc::O_APPEND | libc::O_NONBLOCK;
            let file = syscall::open(name(descriptor).as_ptr(), (flags & keep) | libc::O_CLOEXEC);
            if file >= 0 {
                syscall::set_position(file, position);
                syscall::replace(file, descriptor);
            }
        }
    }
}

pub fn has_files_to_write() -> bool {
    noted().any(|d| regular(d).is_some_and(|flags| flags & libc::O_ACCMODE != libc::O_RDONLY))
}

/// The flags of a descriptor that is a regular file.
fn regular(descriptor: i32) -> Option<i32> {
    let flags = syscall::flags(descriptor)?;
    let mode = syscall::mode(descriptor)?;
    (mode & libc::S_IFMT == libc::S_IFREG).then_some(flags)
}

/// `/proc/self/fd/N`, with its end.
fn name(descriptor: i32) -> [u8; 20] {
    let mut name = *b"/proc/self/fd/\0\0\0\0\0\0";
    let digits = [descriptor / 100, descriptor / 10 % 10, descriptor % 10];
    let first = digits.iter().position(|&digit| digit != 0).unwrap_or(2);
    for (place, &digit) in digits.iter().skip(first).enumerate() {
        name[14 + place] = b'0' + digit as u8;
    }
    name
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
