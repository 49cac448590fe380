//! Standard streams that are regular files: the part of the file that is the program's.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::fd::FromRawFd;

use super::Drained;
use super::keep::Keep;
use crate::standard::Standard;

pub struct FileRange {
    stream: Standard,
    streams: u32,
    descriptor: i32,
    /// The same file, opened apart, so that the program's position is not touched.
    file: File,
    start: u64,
    appends: bool,
}

impl FileRange {
    /// Notes where the program begins. `descriptor` is ours of the file.
    pub fn new(stream: Standard, streams: u32, descriptor: i32) -> io::Result<FileRange> {
        // The name works for files that have none any more, too.
        let file = File::open(format!("/proc/self/fd/{descriptor}"))?;
        // SAFETY: asks only.
        let appends = unsafe { libc::fcntl(descriptor, libc::F_GETFL) } & libc::O_APPEND != 0;
        let start = if appends && stream != Standard::Input { file.metadata()?.len() } else { position(descriptor)? };
        Ok(FileRange { stream, streams, descriptor, file, start, appends })
    }

    pub fn streams(&self) -> u32 {
        self.streams
    }

    /// Of input: all there is from where the program began. Of output: up to where it stopped.
    pub fn copy(mut self, keep: &mut Keep, drained: &mut Drained) -> io::Result<()> {
        let length = self.file.metadata()?.len();
        let end = match self.stream {
            Standard::Input => length,
            _ if self.appends => length,
            _ => position(self.descriptor)?,
        };
        self.file.seek(SeekFrom::Start(self.start))?;
        keep.add_all(self.file.take(end.saturating_sub(self.start)), drained)
    }
}

/// Where the file is read or written next. The program shares it with us.
fn position(descriptor: i32) -> io::Result<u64> {
    // SAFETY: the descriptor is not closed when the file is dropped.
    let file = std::mem::ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
    (&*file).stream_position()
}
