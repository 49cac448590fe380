//! The memory shared with the program, from our side. See `abi::shared` for its layout.
//!
//! The program may be broken in any way, so nothing read from here is trusted: chunk numbers and lengths are checked,
//! bytes are copied before use.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use abi::{
    CHUNK_FREE, CHUNK_HEADERS_OFFSET, ChunkHeader, Ended, LAST_WORDS_OFFSET, LAST_WORDS_SIZE, MAILBOX_OFFSET,
    MODE_RECORD, MODE_SERVE, Mailbox, SHARED_MAGIC, SLOT_COUNT, SLOTS_OFFSET, SharedHeader, Slot,
};
use memmap2::MmapRaw;

use crate::plan::Plan;

pub struct SharedMemory {
    map: MmapRaw,
    file: File,
    chunk_count: u32,
    chunk_size: u32,
    data_offset: usize,
    plan_offset: usize,
    plan_size: usize,
}

/// What the program does with the memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// It is recorded, and ends.
    Record,
    /// It waits in the mailbox and forks runs that are not recorded.
    Serve,
}

const PAGE: usize = 4096;

impl SharedMemory {
    /// With room for plans of so many bytes.
    pub fn new(mode: Mode, plan_size: usize, chunk_count: u32, chunk_size: u32) -> io::Result<SharedMemory> {
        let plan_offset =
            (CHUNK_HEADERS_OFFSET + chunk_count as usize * size_of::<ChunkHeader>()).next_multiple_of(PAGE);
        let plan_size = plan_size.next_multiple_of(PAGE);
        let data_offset = plan_offset + plan_size;
        let length = data_offset + chunk_count as usize * chunk_size as usize;
        let file = high_memory_file()?;
        file.set_len(length as u64)?;
        seal(&file)?;
        let map = MmapRaw::map_raw(&file)?;
        let memory = SharedMemory { map, file, chunk_count, chunk_size, data_offset, plan_offset, plan_size };
        // Zero is right for everything else: slots and chunks are free.
        let header: *mut SharedHeader = memory.map.as_mut_ptr().cast();
        // SAFETY: the map is longer than a header, aligned to pages, and nobody else has the file yet.
        unsafe {
            (*header).magic = SHARED_MAGIC;
            (*header).version = abi::VERSION;
            (*header).chunk_count = chunk_count;
            (*header).chunk_size = chunk_size as u64;
            (*header).data_offset = data_offset as u64;
            (*header).next_stream = AtomicU32::new(1);
            (*header).mode = match mode {
                Mode::Record => MODE_RECORD,
                Mode::Serve => MODE_SERVE,
            };
        }
        Ok(memory)
    }

    pub fn mailbox(&self) -> &Mailbox {
        // SAFETY: the mailbox lies within the map, aligned, and is made of atomic numbers.
        unsafe { &*self.map.as_ptr().add(MAILBOX_OFFSET).cast() }
    }

    /// Why the runtime ended the run, if it did.
    pub fn ended(&self) -> Option<Ended> {
        let number = self.mailbox().ended.load(Ordering::Relaxed);
        [Ended::Budget, Ended::Stopped, Ended::Forks].into_iter().find(|&ended| ended as u32 == number)
    }

    /// What the run had given to standard output and was not written when it was ended.
    pub fn last_words(&self) -> Vec<u8> {
        let length = (self.mailbox().unwritten.load(Ordering::Relaxed) as usize).min(LAST_WORDS_SIZE);
        let mut words = vec![0; length];
        // SAFETY: the area is as long as that; whoever still writes there is a program gone wild, and bytes are bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(self.map.as_ptr().add(LAST_WORDS_OFFSET), words.as_mut_ptr(), length);
        }
        words
    }

    /// Writes the plan of the next run. `None`: it is too long.
    pub fn set_plan(&self, plan: &Plan) -> Option<()> {
        let bytes = plan.encode();
        if bytes.len() > self.plan_size {
            return None;
        }
        // SAFETY: the area is as long as that, and nobody reads it before the next run.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.map.as_mut_ptr().add(self.plan_offset), bytes.len());
            let header: *mut SharedHeader = self.map.as_mut_ptr().cast();
            (&raw mut (*header).plan_offset).write_volatile(self.plan_offset as u64);
        }
        Some(())
    }

    /// Tells a server which of its descriptors requests come from and answers go to.
    pub fn set_pipes(&self, requests: i32, answers: i32) {
        let header: *mut SharedHeader = self.map.as_mut_ptr().cast();
        // SAFETY: the header is there, and the program is not started yet.
        unsafe {
            (*header).requests = requests;
            (*header).answers = answers;
        }
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    pub fn header(&self) -> &SharedHeader {
        // SAFETY: the map begins with it; what changes in it is atomic, or set before the program starts. A program gone wild may
        // write anything, which is some number.
        unsafe { &*self.map.as_ptr().cast() }
    }

    pub fn chunk_count(&self) -> u32 {
        self.chunk_count
    }

    pub fn slot(&self, index: usize) -> *const Slot {
        assert!(index < SLOT_COUNT);
        // SAFETY: within the map, which has all slots.
        unsafe { self.map.as_ptr().add(SLOTS_OFFSET + index * size_of::<Slot>()).cast() }
    }

    /// Must be a chunk there is.
    pub fn chunk_header(&self, chunk: u32) -> *const ChunkHeader {
        assert!(chunk < self.chunk_count);
        let offset = CHUNK_HEADERS_OFFSET + chunk as usize * size_of::<ChunkHeader>();
        // SAFETY: within the map, which has so many headers.
        unsafe { self.map.as_ptr().add(offset).cast() }
    }

    pub fn state(&self, chunk: u32) -> &AtomicU32 {
        // SAFETY: an atomic number within the map.
        unsafe { &(*self.chunk_header(chunk)).state }
    }

    /// How far into the chunk an address of the program's points; `None` if it does not.
    pub fn offset_in_chunk(&self, chunk: u32, address: u64) -> Option<u32> {
        let mapped_at = self.header().mapped_at.load(Ordering::Acquire);
        let start = self.data_offset as u64 + chunk as u64 * self.chunk_size as u64;
        let offset = address.checked_sub(mapped_at)?.checked_sub(start)?;
        u32::try_from(offset).ok().filter(|&offset| offset <= self.chunk_size)
    }

    /// The first bytes of a chunk; at most all of them.
    pub fn copy_chunk(&self, chunk: u32, length: u32, out: &mut Vec<u8>) {
        assert!(chunk < self.chunk_count);
        let length = length.min(self.chunk_size) as usize;
        let start = self.data_offset + chunk as usize * self.chunk_size as usize;
        out.clear();
        out.reserve(length);
        // SAFETY: the chunk lies within the map, as long as that or longer, and `out` has room; whoever still writes to the chunk is a
        // program gone wild, and bytes are bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(self.map.as_ptr().add(start), out.as_mut_ptr(), length);
            out.set_len(length);
        }
    }

    /// Gives a drained chunk back to the program.
    pub fn free_chunk(&self, chunk: u32) {
        self.state(chunk).store(CHUNK_FREE, Ordering::SeqCst);
        let header = self.header();
        header.freed.fetch_add(1, Ordering::SeqCst);
        if header.waiting.load(Ordering::SeqCst) > 0 {
            futex_wake(&header.freed);
        }
    }

    /// Waits until the program has filled another chunk than `seen` says, or for a while.
    pub fn wait_filled(&self, seen: u32, patience: Duration) {
        futex_wait(&self.header().filled, seen, patience);
    }

    /// Wakes everyone who waits for chunks to be filled.
    pub fn wake_drainers(&self) {
        self.header().filled.fetch_add(1, Ordering::SeqCst);
        futex_wake(&self.header().filled);
    }
}

/// A file in memory with a high descriptor: the program's own descriptors should have the numbers they always have.
fn high_memory_file() -> io::Result<File> {
    // SAFETY: the name ends with a zero byte.
    let low = unsafe { libc::memfd_create(c"faultline".as_ptr(), libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING) };
    if low < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel gave it out just now, to nobody else.
    Ok(high(unsafe { OwnedFd::from_raw_fd(low) }).into())
}

/// The same file with a high descriptor, where that can be had.
pub fn high(low: OwnedFd) -> OwnedFd {
    for least in [1000, 200, 50] {
        // SAFETY: numbers only.
        let high = unsafe { libc::fcntl(low.as_raw_fd(), libc::F_DUPFD_CLOEXEC, least) };
        if high >= 0 {
            // SAFETY: the kernel gave it out just now, to nobody else.
            return unsafe { OwnedFd::from_raw_fd(high) };
        }
    }
    low
}

/// Fixes the length: a program that made the file shorter would make us fault.
fn seal(file: &File) -> io::Result<()> {
    let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
    // SAFETY: numbers only.
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Waits until the word is no longer `seen`, someone wakes us, or for a while.
pub fn futex_wait(word: &AtomicU32, seen: u32, patience: Duration) {
    let timeout =
        libc::timespec { tv_sec: patience.as_secs() as i64, tv_nsec: patience.subsec_nanos() as libc::c_long };
    // SAFETY: the kernel reads the word and the time, which live until it returns.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, seen, &raw const timeout) };
}

/// Wakes everyone who waits for the word.
pub fn futex_wake(word: &AtomicU32) {
    // SAFETY: the word is known by its address only.
    unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, libc::c_int::MAX) };
}
