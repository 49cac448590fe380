//! Files that exist in memory only: the standard streams of runs.

use std::fs::{File, FileTimes};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::FileExt;
use std::time::SystemTime;

/// Standard input of one run.
pub fn input_file(contents: &[u8], modified: SystemTime) -> io::Result<File> {
    let file = memory_file(contents)?;
    date(&file, modified)?;
    for_reading(&file)
}

/// Makes the file as old as that.
pub fn date(file: &File, modified: SystemTime) -> io::Result<()> {
    file.set_times(FileTimes::new().set_modified(modified).set_accessed(modified))
}

pub fn memory_file(contents: &[u8]) -> io::Result<File> {
    // SAFETY: the descriptor is new and ours.
    let mut file = unsafe {
        let descriptor = libc::memfd_create(c"faultline".as_ptr(), libc::MFD_CLOEXEC);
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        File::from_raw_fd(descriptor)
    };
    file.write_all(contents)?;
    file.seek(SeekFrom::Start(0))?;
    Ok(file)
}

/// The same file, opened for reading only, at its beginning.
fn for_reading(file: &File) -> io::Result<File> {
    File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

/// Makes the file contain just this, and lets whoever shares our opening of it go on at the end.
pub fn reset(mut file: &File, contents: &[u8]) -> io::Result<()> {
    file.set_len(contents.len() as u64)?;
    if !contents.is_empty() {
        file.write_all_at(contents, 0)?;
    }
    file.seek(SeekFrom::Start(contents.len() as u64))?;
    Ok(())
}

/// Makes the file contain just this; everybody's place in it stays as it is.
pub fn replace(file: &File, contents: &[u8]) -> io::Result<()> {
    file.write_all_at(contents, 0)?;
    file.set_len(contents.len() as u64)
}

/// At most `most` bytes of it.
pub fn contents(file: &File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len().min(most);
    let mut bytes = vec![0; length as usize];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}
