//! Standard streams that are pipes: everything is passed on at once, in both directions of knowledge. When the reader of
//! the program's output goes away, the program's own pipe is closed, and the kernel signals that as it would have done.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::super::descriptors::close_from;
use super::super::drain::Drain;
use super::keep::Keep;
use crate::standard::Standard;

pub struct Forward {
    pub stream: Standard,
    /// Our end of the pipe whose other end the program has.
    pub ours: OwnedFd,
    pub streams: u32,
    pub limit: u64,
}

/// How a forwarding went.
pub struct Forwarded {
    pub streams: u32,
    pub is_cut: bool,
    /// Where bytes may still come from, and where they go: somebody else holds the program's output open.
    pub left: Option<(OwnedFd, RawFd)>,
}

/// Tells forwarding threads that the program is gone.
pub struct Stop {
    told: OwnedFd,
    /// Closing it is what tells them.
    tell: Mutex<Option<OwnedFd>>,
    in_haste: AtomicBool,
}

/// How much time there is to pass on what the program has left in its pipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Haste {
    /// As long as the reader needs.
    None,
    /// Not much: the program was killed because something took too long.
    Some,
}

impl Stop {
    pub fn new() -> io::Result<Stop> {
        let mut ends = [0; 2];
        // SAFETY: the call fills the array with descriptors that are then ours.
        unsafe {
            if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
                return Err(io::Error::last_os_error());
            }
            Ok(Stop {
                told: OwnedFd::from_raw_fd(ends[0]),
                tell: Mutex::new(Some(OwnedFd::from_raw_fd(ends[1]))),
                in_haste: AtomicBool::new(false),
            })
        }
    }

    pub fn tell(&self, haste: Haste) {
        self.in_haste.store(haste == Haste::Some, Ordering::Release);
        *self.tell.lock().expect("nobody panics holding it") = None;
    }
}

/// Of a pipe that a write of so many bytes does not wait for, once it is ready.
const PIPE_WRITE: usize = libc::PIPE_BUF;

/// How long a reader may keep us waiting when there is haste.
const PATIENCE: Duration = Duration::from_secs(1);

enum Passed {
    On,
    /// The reader is gone.
    ReaderGone,
}

impl Forward {
    pub fn run(self, drain: &Drain<'_>, stop: &Stop) -> Forwarded {
        let mut keep = Keep::new(self.streams, self.limit);
        let standard = self.stream.descriptor();
        let is_input = self.stream == Standard::Input;
        let (source, sink) =
            if is_input { (standard, self.ours.as_raw_fd()) } else { (self.ours.as_raw_fd(), standard) };
        let mut sections = drain;
        let mut bytes = vec![0; 1 << 16];
        let mut is_stopping = false;
        let is_at_end = loop {
            // A program's output is passed on to the end; its input only as long as it is there.
            let mut polled = [poll(source, libc::POLLIN), poll(sink, 0), poll(stop.told.as_raw_fd(), libc::POLLIN)];
            let watched = if is_stopping { 2 } else { 3 };
            wait(&mut polled[..watched], if is_stopping { 0 } else { -1 });
            is_stopping |= polled[2].revents != 0;
            if is_stopping && is_input {
                break true;
            }
            if polled[1].revents & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 {
                break true;
            }
            if polled[0].revents == 0 {
                if is_stopping {
                    break false;
                }
                continue;
            }
            // SAFETY: reads into memory of ours.
            let count = unsafe { libc::read(source, bytes.as_mut_ptr().cast(), bytes.len()) };
            if count < 0 && is_passing(&io::Error::last_os_error()) {
                continue;
            }
            let Ok(count @ 1..) = usize::try_from(count) else { break true };
            keep.add(&bytes[..count], &mut sections);
            if let Passed::ReaderGone = pass_on(sink, &bytes[..count], stop) {
                break true;
            }
        };
        keep.flush(&mut sections);
        let left = (!is_at_end && !is_input).then_some((self.ours, standard));
        Forwarded { streams: self.streams, is_cut: keep.is_cut(), left }
    }
}

/// Writes all of it, waiting for the reader as the program would have; but not for ever once there is haste.
fn pass_on(sink: RawFd, mut bytes: &[u8], stop: &Stop) -> Passed {
    let mut deadline = None;
    while !bytes.is_empty() {
        let mut polled = [poll(sink, libc::POLLOUT)];
        wait(&mut polled, 100);
        if polled[0].revents & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0 {
            return Passed::ReaderGone;
        }
        if polled[0].revents == 0 {
            if stop.in_haste.load(Ordering::Acquire) {
                let deadline = *deadline.get_or_insert_with(|| Instant::now() + PATIENCE);
                if Instant::now() >= deadline {
                    return Passed::ReaderGone;
                }
            }
            continue;
        }
        let now = &bytes[..bytes.len().min(PIPE_WRITE)];
        // SAFETY: writes from memory of ours.
        let count = unsafe { libc::write(sink, now.as_ptr().cast(), now.len()) };
        match usize::try_from(count) {
            Ok(count) => bytes = &bytes[count..],
            Err(_) if is_passing(&io::Error::last_os_error()) => {}
            Err(_) => return Passed::ReaderGone,
        }
    }
    Passed::On
}

/// Whether it is worth trying again.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

fn poll(descriptor: RawFd, events: i16) -> libc::pollfd {
    libc::pollfd { fd: descriptor, events, revents: 0 }
}

fn wait(polled: &mut [libc::pollfd], milliseconds: i32) {
    // SAFETY: fills the array; interrupted, it has said nothing, and we come again.
    if unsafe { libc::poll(polled.as_mut_ptr(), polled.len() as libc::nfds_t, milliseconds) } < 0 {
        polled.iter_mut().for_each(|one| one.revents = 0);
    }
}

/// Children of the program live on and may still write: a process of their own passes that on, unrecorded.
pub fn leave_behind(source: &OwnedFd, sink: RawFd) {
    let source = source.as_raw_fd();
    // SAFETY: the children of these forks make only system calls, on memory of their own.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            if libc::fork() == 0 {
                pass_on_for_ever(source, sink);
            }
            libc::_exit(0);
        }
        if child > 0 {
            libc::waitpid(child, std::ptr::null_mut(), 0);
        }
    }
}

/// # Safety
///
/// This process is the child of a fork, and nobody else's code runs in it.
unsafe fn pass_on_for_ever(source: RawFd, sink: RawFd) -> ! {
    let mut bytes = [0u8; 4096];
    // SAFETY: system calls only, on memory of this function; nobody in this process uses its descriptors.
    unsafe {
        libc::dup2(sink, 1);
        libc::dup2(source, 0);
        close_from(2);
        loop {
            let count = libc::read(0, bytes.as_mut_ptr().cast(), bytes.len());
            let mut written = 0;
            while written < count {
                let now = libc::write(1, bytes.as_ptr().add(written as usize).cast(), (count - written) as usize);
                if now <= 0 {
                    libc::_exit(0);
                }
                written += now;
            }
            if count <= 0 {
                libc::_exit(0);
            }
        }
    }
}
