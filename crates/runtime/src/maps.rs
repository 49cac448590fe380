//! Which file an address is mapped from, by `/proc/self/maps`.

use crate::syscall;

const LONGEST_PATH: usize = 4096;

static mut BLOCK: [u8; 4096] = [0; 4096];
static mut PATH: [u8; LONGEST_PATH] = [0; LONGEST_PATH];

/// The path, or nothing.
///
/// # Safety
///
/// The caller holds the lock of the directory, and lets go of the answer before the lock: it lies in a static.
pub unsafe fn file_of<'a>(address: usize) -> &'a [u8] {
    let (block, path) = (&raw mut BLOCK, &raw mut PATH);
    // SAFETY: the lock keeps everybody else from here, and the last answer is not used any more.
    let (block, path) = unsafe { (&mut *block, &mut *path) };
    let Some(file) = syscall::open_to_read(c"/proc/self/maps") else { return &[] };
    let length = search(file, address, block, path);
    syscall::close(file);
    path.get(..length).unwrap_or_default()
}

/// Reads lines `start-end permissions offset device inode   path` and leaves the path of the one that contains the
/// address in `path`. Gives its length.
fn search(file: i32, address: usize, block: &mut [u8], path: &mut [u8]) -> usize {
    let mut line = Line::default();
    loop {
        let count = syscall::read_some(file, block);
        if count == 0 {
            return 0;
        }
        for &byte in block.iter().take(count) {
            if byte != b'\n' {
                if let Some(place) = line.take(byte).and_then(|place| path.get_mut(place)) {
                    *place = byte;
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
