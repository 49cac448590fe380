//! Which file an address is mapped from, by `/proc/self/maps`.

use crate::syscall;

const LONGEST_PATH: usize = 4096;

static mut BLOCK: [u8; 4096] = [0; 4096];
static mut PATH: [u8; LONGEST_PATH] = [0; LONGEST_PATH];

/// The path, or nothing. The caller holds the lock of the directory: the answer lies in a static.
pub fn file_of(address: usize) -> &'static [u8] {
    let name = c"/proc/self/maps";
    let flags = (libc::O_RDONLY | libc::O_CLOEXEC) as usize;
    let at = libc::AT_FDCWD as usize;
    let file = unsafe { syscall::call(libc::SYS_openat, at, name.as_ptr() as usize, flags, 0, 0, 0) };
    if syscall::failed(file) {
        return &[];
    }
    let length = search(file as usize, address);
    syscall::close(file as i32);
    unsafe { core::slice::from_raw_parts((&raw const PATH).cast(), length) }
}

/// Reads lines `start-end permissions offset device inode   path` and leaves the path of the one that contains the
/// address in `PATH`. Gives its length.
fn search(file: usize, address: usize) -> usize {
    let block = (&raw mut BLOCK).cast::<u8>();
    let path = (&raw mut PATH).cast::<u8>();
    let mut line = Line::default();
    loop {
        let count = unsafe { syscall::call(libc::SYS_read, file, block as usize, 4096, 0, 0, 0) };
        if count <= 0 {
            return 0;
        }
        for position in 0..count as usize {
            let byte = unsafe { block.add(position).read() };
            if byte != b'\n' {
                if let Some(place) = line.take(byte) {
                    unsafe { path.add(place).write(byte) };
                }
            } else if (line.start..line.end).contains(&address) {
                return line.path_length;
            } else {
                line = Line::default();
            }
        }
    }
}

/// A line as far as it has been read.
#[derive(Default)]
struct Line {
    start: usize,
    end: usize,
    field: u32,
    in_end: bool,
    path_length: usize,
}

impl Line {
    /// Takes the next byte; gives its place if it belongs to the path.
    fn take(&mut self, byte: u8) -> Option<usize> {
        let is_path = self.field == 5 && (byte != b' ' || self.path_length > 0);
        if is_path {
            let place = self.path_length;
            if place == LONGEST_PATH {
                return None;
            }
            self.path_length += 1;
            return Some(place);
        }
        match (self.field, byte) {
            (5, _) => {}
            (_, b' ') => self.field += 1,
            (0, b'-') => self.in_end = true,
            (0, digit) => {
                let number = if self.in_end { &mut self.end } else { &mut self.start };
                *number = (*number << 4) | (digit as char).to_digit(16).unwrap_or(0) as usize;
            }
            _ => {}
        }
        None
    }
}
