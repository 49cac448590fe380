//! What a standard stream is.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::standard::{NoCapture, Standard};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    File(Identity),
    Pipe(Identity),
    /// Of the kind that connects two processes of one machine.
    Socket(Identity),
    /// Nothing we could keep.
    Nothing(NoCapture),
}

/// Which file, and through which opening of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    device: u64,
    inode: u64,
    descriptor: i32,
    appends: bool,
}

impl Kind {
    pub fn of(stream: Standard) -> Kind {
        let descriptor = stream.descriptor();
        let mut about = MaybeUninit::<libc::stat>::zeroed();
        // SAFETY: the call fills the structure.
        let about = unsafe {
            if closed_at_start() & stream.bit() != 0 || libc::fstat(descriptor, about.as_mut_ptr()) != 0 {
                return Kind::Nothing(NoCapture::Closed);
            }
            about.assume_init()
        };
        // SAFETY: asks only.
        let appends = unsafe { libc::fcntl(descriptor, libc::F_GETFL) } & libc::O_APPEND != 0;
        let identity = Identity { device: about.st_dev, inode: about.st_ino, descriptor, appends };
        match about.st_mode & libc::S_IFMT {
            libc::S_IFREG => Kind::File(identity),
            libc::S_IFIFO => Kind::Pipe(identity),
            libc::S_IFSOCK if is_local_stream(descriptor) => Kind::Socket(identity),
            libc::S_IFSOCK => Kind::Nothing(NoCapture::Socket),
            // SAFETY: asks only.
            libc::S_IFCHR if unsafe { libc::isatty(descriptor) } == 1 => Kind::Nothing(NoCapture::Terminal),
            _ => Kind::Nothing(NoCapture::Device),
        }
    }

    pub fn is_socket(&self) -> bool {
        matches!(self, Kind::Socket(_))
    }

    /// Whether what goes to the one and to the other ends up in one place, in order.
    pub fn is_same(&self, other: &Kind) -> bool {
        match (self, other) {
            (Kind::Pipe(a), Kind::Pipe(b)) | (Kind::Socket(a), Kind::Socket(b)) => a.is_same_file(b),
            (Kind::File(a), Kind::File(b)) => a.is_same_file(b) && ((a.appends && b.appends) || a.is_same_opening(b)),
            _ => false,
        }
    }

    /// A fresh pipe (or pair of sockets) like this one: the ends to read from and to write to.
    pub fn another(&self, stream: Standard) -> io::Result<(OwnedFd, OwnedFd)> {
        let mut ends = [0; 2];
        // SAFETY: the calls fill the array; flags and size are numbers.
        unsafe {
            if self.is_socket() {
                let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
                if libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) != 0 {
                    return Err(io::Error::last_os_error());
                }
            } else {
                if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
                    return Err(io::Error::last_os_error());
                }
                let size = libc::fcntl(stream.descriptor(), libc::F_GETPIPE_SZ);
                // Not allowed to have one as large: then it is smaller.
                libc::fcntl(ends[0], libc::F_SETPIPE_SZ, size);
            }
            let flags = libc::fcntl(stream.descriptor(), libc::F_GETFL);
            let programs = ends[usize::from(stream != Standard::Input)];
            if flags & libc::O_NONBLOCK != 0 {
                libc::fcntl(programs, libc::F_SETFL, libc::O_NONBLOCK);
            }
            Ok((OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])))
        }
    }
}

impl Identity {
    fn is_same_file(&self, other: &Identity) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether they share their position in the file.
    fn is_same_opening(&self, other: &Identity) -> bool {
        const FILE: i32 = 0;
        // SAFETY: compares two descriptors of ours.
        unsafe {
            let process = libc::getpid();
            let compared = libc::syscall(libc::SYS_kcmp, process, process, FILE, self.descriptor, other.descriptor);
            if compared >= 0 {
                return compared == 0;
            }
            // Not every system lets us ask.
            let position = |descriptor| libc::lseek(descriptor, 0, libc::SEEK_CUR);
            position(self.descriptor) == position(other.descriptor)
        }
    }
}

fn is_local_stream(descriptor: i32) -> bool {
    let option = |name| {
        let mut value = 0i32;
        let mut size = size_of::<i32>() as libc::socklen_t;
        // SAFETY: the call fills the value.
        let asked = unsafe { libc::getsockopt(descriptor, libc::SOL_SOCKET, name, (&raw mut value).cast(), &mut size) };
        (asked == 0).then_some(value)
    };
    option(libc::SO_DOMAIN) == Some(libc::AF_UNIX) && option(libc::SO_TYPE) == Some(libc::SOCK_STREAM)
}

static CLOSED: AtomicU32 = AtomicU32::new(0);

/// Bits of the standard streams that were closed when we were started; the program must find them so. Rust opens
/// `/dev/null` in their place.
pub fn closed_at_start() -> u32 {
    CLOSED.load(Ordering::Relaxed)
}

extern "C" fn note_closed() {
    for stream in Standard::ALL {
        // SAFETY: asks only.
        if unsafe { libc::fcntl(stream.descriptor(), libc::F_GETFD) } < 0 {
            CLOSED.fetch_or(stream.bit(), Ordering::Relaxed);
        }
    }
}

/// Runs before `main` and what Rust does before it.
#[used]
#[unsafe(link_section = ".init_array")]
static NOTE_CLOSED: extern "C" fn() = note_closed;
