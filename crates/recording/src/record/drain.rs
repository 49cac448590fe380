//! Draining: full chunks are copied, given back to the program, compressed and written.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use abi::{CHUNK_FULL, ChunkHeader, DIRECTORY_STREAM, StreamId};

use super::memory::SharedMemory;
use super::{Drained, Event};
use crate::contents::ChunkRecord;
use crate::directory::Directory;
use crate::saved_ir::Binary;
use crate::standard::StandardRecord;
use crate::writer::Writer;

pub struct Drain<'a> {
    memory: &'a SharedMemory,
    /// Which chunks a drainer has in hand.
    claimed: Vec<AtomicBool>,
    writing: Mutex<Writing>,
    size_limit: Option<u64>,
    over_size: AtomicBool,
    failed: AtomicBool,
    /// Who watches the program hears of trouble at once.
    watcher: Sender<Event>,
    /// The program is gone; when nothing is full any more, the work is done.
    finishing: AtomicBool,
}

/// When a drainer works.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    Always,
    /// Only when the program is about to wait for us; its core is better used by draining then.
    WhenBehind,
}

struct Writing {
    drained: Drained,
    /// Objects whose saved IR has been copied.
    files: HashSet<PathBuf>,
}

/// The level of compression; the second when the program is about to wait for us.
const LEVEL: i32 = 1;
const HURRIED_LEVEL: i32 = -5;

impl<'a> Drain<'a> {
    /// `program` is the one whose IR the writer has already.
    pub fn new(
        memory: &'a SharedMemory,
        writer: Writer,
        program: PathBuf,
        size_limit: Option<u64>,
        watcher: Sender<Event>,
    ) -> Drain<'a> {
        let drained = Drained { writer, error: None, warnings: Vec::new() };
        Drain {
            memory,
            claimed: (0..memory.chunk_count()).map(|_| AtomicBool::new(false)).collect(),
            writing: Mutex::new(Writing { drained, files: HashSet::from([program]) }),
            size_limit,
            over_size: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            watcher,
            finishing: AtomicBool::new(false),
        }
    }

    /// Whether writing has failed. What the program still logs is thrown away then.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// Whether the recording is larger than allowed. What the program has logged until it is killed is still written.
    pub fn is_over_size(&self) -> bool {
        self.over_size.load(Ordering::Acquire)
    }

    /// The program is gone: `work` returns when all is drained.
    pub fn finish(&self) {
        self.finishing.store(true, Ordering::SeqCst);
        self.memory.wake_drainers();
    }

    pub fn into_drained(self) -> Drained {
        self.writing.into_inner().expect("drainers do not panic").drained
    }

    /// Drains until the program is gone and nothing is left. Several threads may do so.
    pub fn work(&self, shift: Shift) {
        let mut bytes = Vec::new();
        let mut compressor = Compressor::new();
        loop {
            let seen = self.memory.header().filled.load(Ordering::SeqCst);
            let finishing = self.finishing.load(Ordering::SeqCst);
            let is_needed = finishing || shift == Shift::Always || self.is_behind();
            match if is_needed { self.claim() } else { None } {
                Some(chunk) => self.drain(chunk, &mut bytes, &mut compressor),
                None if finishing => return,
                None => self.memory.wait_filled(seen, Duration::from_millis(500)),
            }
        }
    }

    /// Whether the program fills chunks faster than they are drained and will soon have to wait.
    fn is_behind(&self) -> bool {
        let is_full = |&chunk: &u32| self.memory.state(chunk).load(Ordering::Relaxed) == CHUNK_FULL;
        (0..self.memory.chunk_count()).filter(is_full).count() as u32 > self.memory.chunk_count() / 2
    }

    /// Takes a full chunk that no other drainer has.
    fn claim(&self) -> Option<u32> {
        let is_full = |chunk| self.memory.state(chunk).load(Ordering::Acquire) == CHUNK_FULL;
        (0..self.memory.chunk_count()).find(|&chunk| {
            let claimed = &self.claimed[chunk as usize];
            if !is_full(chunk) || claimed.swap(true, Ordering::AcqRel) {
                return false;
            }
            // Another may have drained it between our two looks.
            let ours = is_full(chunk);
            if !ours {
                claimed.store(false, Ordering::Release);
            }
            ours
        })
    }

    fn drain(&self, chunk: u32, bytes: &mut Vec<u8>, compressor: &mut Compressor) {
        // SAFETY: a header of the shared memory, made of numbers: whatever the program has written there is one.
        let header = unsafe { self.memory.chunk_header(chunk).read_volatile() };
        self.memory.copy_chunk(chunk, header.length, bytes);
        let hurried = self.is_behind();
        self.memory.free_chunk(chunk);
        self.claimed[chunk as usize].store(false, Ordering::Release);
        let record = record_of(&header, bytes.len() as u32);
        let compressed = if self.has_failed() { None } else { compressor.compress(bytes, hurried) };
        let Some(compressed) = compressed else { return };
        let mut writing = self.writing.lock().expect("drainers do not panic");
        self.write(&mut writing, record, bytes, compressed);
    }

    fn write(&self, writing: &mut Writing, record: ChunkRecord, bytes: &[u8], compressed: &[u8]) {
        if self.has_failed() {
            return;
        }
        writing.drained.chunk(record, compressed);
        if record.stream == DIRECTORY_STREAM {
            writing.save_ir_of(bytes);
        }
        self.look_for_trouble(writing);
    }

    /// Writes a piece of a standard stream.
    pub fn standard(&self, record: StandardRecord, compressed: &[u8]) {
        let mut writing = self.writing.lock().expect("drainers do not panic");
        if self.has_failed() {
            return;
        }
        writing.drained.standard(record, compressed);
        self.look_for_trouble(&writing);
    }

    fn look_for_trouble(&self, writing: &Writing) {
        if writing.drained.error.is_some() {
            self.raise(&self.failed);
        }
        if self.size_limit.is_some_and(|limit| writing.drained.writer.length() > limit) {
            self.raise(&self.over_size);
        }
    }

    fn raise(&self, trouble: &AtomicBool) {
        if !trouble.swap(true, Ordering::AcqRel) {
            // If nobody listens any more, the program is gone already.
            let _ = self.watcher.send(Event::Trouble);
        }
    }
}

impl Drained {
    /// Writes a chunk. After an error nothing more is written.
    pub fn chunk(&mut self, record: ChunkRecord, compressed: &[u8]) {
        if self.error.is_none() {
            self.error = self.writer.chunk(record, compressed).err();
        }
    }
}

impl Drained {
    /// Likewise a piece of a standard stream.
    pub fn standard(&mut self, record: StandardRecord, compressed: &[u8]) {
        if self.error.is_none() {
            self.error = self.writer.standard(record, compressed).err();
        }
    }
}

impl Writing {
    /// Copies the IR of the files a chunk of the directory names.
    fn save_ir_of(&mut self, directory: &[u8]) {
        let mut names = Directory::default();
        // A chunk that goes on with an earlier one makes no sense alone; but it names no files either.
        let _ = names.add(directory);
        for file in names.files {
            if file.as_os_str().is_empty() || !self.files.insert(file.clone()) {
                continue;
            }
            let drained = &mut self.drained;
            let copied = Binary::open(&file).and_then(|binary| {
                for module in binary.saved_ir()? {
                    if drained.error.is_none() {
                        drained.error = drained.writer.saved_ir(&module).err();
                    }
                }
                Ok(())
            });
            if let Err(error) = copied {
                drained.warnings.push(format!("calls of functions in a module cannot be replayed: {error}"));
            }
        }
    }
}

/// A chunk's description, from the header the program wrote.
pub fn record_of(header: &ChunkHeader, raw_length: u32) -> ChunkRecord {
    ChunkRecord {
        stream: StreamId(header.stream),
        sequence: header.sequence,
        thread: header.thread,
        raw_length,
        clock: header.clock,
        hash: header.hash,
        end_clock: header.end_clock,
        end_hash: header.end_hash,
        parent_stream: header.parent_stream,
        parent_sequence: header.parent_sequence,
        parent_offset: header.parent_offset,
        finished: true,
        parent_clock: header.parent_clock,
        parent_hash: header.parent_hash,
    }
}

/// Two compressors and the memory they share.
pub struct Compressor {
    calm: zstd::bulk::Compressor<'static>,
    hurried: zstd::bulk::Compressor<'static>,
    compressed: Vec<u8>,
}

impl Compressor {
    pub fn new() -> Compressor {
        let compressor = |level| zstd::bulk::Compressor::new(level).expect("the level is one zstd has");
        Compressor { calm: compressor(LEVEL), hurried: compressor(HURRIED_LEVEL), compressed: Vec::new() }
    }

    /// `None` only if zstd has no memory.
    pub fn compress(&mut self, bytes: &[u8], hurried: bool) -> Option<&[u8]> {
        let compressor = if hurried { &mut self.hurried } else { &mut self.calm };
        self.compressed.clear();
        self.compressed.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        compressor.compress_to_buffer(bytes, &mut self.compressed).ok()?;
        Some(&self.compressed)
    }
}
