//! Reading a recording back. See `format` for the layout; `writer` is the other side.
//!
//! Trusts nothing: every length is checked against the file before anything is allocated for it. A complete file is read
//! by its index, a truncated one by walking over its sections.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use abi::{DIRECTORY_STREAM, IrHeader, ModuleId, NO_STREAM, SURPRISES, StreamId, surprises_of};
use memmap2::Mmap;

use crate::contents::{CaseRecord, ChunkRecord, End, Index};
use crate::directory::{Directory, FunctionEntry, ModuleEntry};
use crate::format::{self, SectionHeader, SectionKind};
use crate::saved_ir;
use crate::standard::{Capture, Standard, StandardRecord};

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("cannot read {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{} is not a recording; make one with: faultline record -- PROG ARGS...", path.display())]
    NotARecording { path: PathBuf },
    #[error("{} was recorded by another version of faultline; record the run again", path.display())]
    OtherVersion { path: PathBuf },
    #[error("{} is empty, because the recorder was stopped before the program started; record the run again", path.display())]
    Empty { path: PathBuf },
    #[error("{} is damaged at byte {offset}; record the run again", path.display())]
    Corrupt { path: PathBuf, offset: u64 },
    #[error("{} has no chunk {index} of {stream}", path.display())]
    NoSuchChunk { path: PathBuf, stream: StreamId, index: usize },
}

/// A recording, open for reading. Reading is from `&self` and may go on in many threads.
pub struct Recording {
    path: PathBuf,
    file: Bytes,
    case: CaseRecord,
    end: Option<End>,
    directory: Directory,
    saved_ir: HashMap<ModuleId, Range<usize>>,
    /// Sorted by id.
    streams: Vec<Stream>,
    /// Their surprises, by ids with `abi::SURPRISES` set.
    surprises: Vec<Stream>,
    /// Pieces of standard streams, with the offsets of their sections, in order.
    standard: Vec<(u64, StandardRecord)>,
}

enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// Nobody may shorten the file while it is mapped; recordings are written once.
fn map(path: &Path) -> io::Result<Bytes> {
    let file = std::fs::File::open(path)?;
    // Nothing cannot be mapped.
    if file.metadata()?.len() == 0 {
        return Ok(Bytes::Owned(Vec::new()));
    }
    // SAFETY: bytes are read as they are at the moment, and believed only after they were checked. Who makes the file
    // shorter meanwhile ends this process; nobody promised that it could be read.
    Ok(Bytes::Mapped(unsafe { Mmap::map(&file) }?))
}

/// One thread, or the handler of an asynchronous signal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    pub id: StreamId,
    /// The kernel's id of the thread.
    pub thread: u32,
    /// For a handler: what it interrupted.
    pub parent: Option<Interruption>,
    /// In order, without gaps.
    pub chunks: Vec<ChunkEntry>,
    /// Where the stream ended; `None` if that is not in the recording.
    pub last: Option<StreamEnd>,
    /// The clock up to which all that was logged is in the recording; `u64::MAX` if that is all of it.
    pub known_until: u64,
}

/// Where a signal came: the stream, the chunk, the offset in it, and clock and hash as they stood in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interruption {
    pub stream: StreamId,
    pub chunk: u32,
    pub offset: u32,
    pub clock: u64,
    pub hash: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChunkEntry {
    /// At its beginning.
    pub clock: u64,
    pub hash: u64,
    /// Bytes once decompressed.
    pub raw_length: u32,
    /// Where its section begins.
    offset: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StreamEnd {
    pub clock: u64,
    pub hash: u64,
    /// True if the thread or handler ended by itself. Otherwise the program died: clock and hash are those that stood
    /// in memory, which may lag behind within a block.
    pub exact: bool,
}

impl Recording {
    pub fn open(path: &Path) -> Result<Recording, ReadError> {
        match map(path) {
            Ok(file) => Recording::read(path.to_path_buf(), file),
            Err(error) => Err(ReadError::Io { path: path.to_path_buf(), error }),
        }
    }

    /// Reads what a file holds without the file; `path` is for messages.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Recording, ReadError> {
        Recording::read(path.to_path_buf(), Bytes::Owned(bytes))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn case(&self) -> &CaseRecord {
        &self.case
    }

    /// `None` if the recording is truncated.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// Whether the recorder was stopped before it could write the end.
    pub fn is_truncated(&self) -> bool {
        self.end.is_none()
    }

    pub fn modules(&self) -> &[ModuleEntry] {
        &self.directory.modules
    }

    pub fn functions(&self) -> &[FunctionEntry] {
        &self.directory.functions
    }

    /// The module's `abi::IrHeader` and compressed bitcode.
    pub fn saved_ir(&self, id: ModuleId) -> Option<&[u8]> {
        self.file.get(self.saved_ir.get(&id)?.clone())
    }

    /// Sorted by id, without the directory.
    pub fn streams(&self) -> &[Stream] {
        &self.streams
    }

    /// The logs of surprises beside the streams'.
    pub fn surprises(&self) -> &[Stream] {
        &self.surprises
    }

    pub fn stream(&self, id: StreamId) -> Option<&Stream> {
        let among = if id.0 & SURPRISES == 0 { &self.streams } else { &self.surprises };
        among.binary_search_by_key(&id, |stream| stream.id).ok().and_then(|at| among.get(at))
    }

    /// The bytes of a chunk.
    pub fn chunk(&self, stream: StreamId, index: usize) -> Result<Vec<u8>, ReadError> {
        let entry = self.stream(stream).and_then(|found| found.chunks.get(index));
        let entry = entry.ok_or_else(|| ReadError::NoSuchChunk { path: self.path.clone(), stream, index })?;
        decompress(&self.file, entry)
            .ok_or_else(|| ReadError::Corrupt { path: self.path.clone(), offset: entry.offset })
    }

    /// What the recording holds of a standard stream; `None` if it holds nothing, and then the end says why. What went
    /// through two of them, being one file, is given for both.
    pub fn standard(&self, stream: Standard) -> Result<Option<Vec<u8>>, ReadError> {
        let mut pieces = self.standard.iter().filter(|(_, record)| record.streams & stream.bit() != 0).peekable();
        let is_captured = self.end.as_ref().is_some_and(|end| !matches!(end.standard.of(stream), Capture::Nothing(_)));
        if pieces.peek().is_none() && !is_captured {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        for (offset, record) in pieces {
            let piece = decompress_piece(&self.file, *offset, record);
            bytes.extend(piece.ok_or_else(|| ReadError::Corrupt { path: self.path.clone(), offset: *offset })?);
        }
        Ok(Some(bytes))
    }

    fn read(path: PathBuf, file: Bytes) -> Result<Recording, ReadError> {
        let corrupt = |offset| ReadError::Corrupt { path: path.clone(), offset };
        match format::decode_header(&file) {
            None => return Err(ReadError::NotARecording { path }),
            Some(versions) if versions != (format::VERSION, abi::VERSION) => {
                return Err(ReadError::OtherVersion { path });
            }
            Some(_) => {}
        }
        let index = match by_index(&file) {
            Some(index) => index,
            None => by_walking(&file).map_err(corrupt)?,
        };
        if index.case == 0 {
            return Err(ReadError::Empty { path });
        }
        let case = section(&file, index.case, SectionKind::Case).and_then(|range| CaseRecord::decode(&file[range]));
        let case = case.ok_or_else(|| corrupt(index.case))?;
        let end = match index.end {
            0 => None,
            offset => {
                let end = section(&file, offset, SectionKind::End).and_then(|range| End::decode(&file[range]));
                Some(end.ok_or_else(|| corrupt(offset))?)
            }
        };
        let mut saved_ir = HashMap::new();
        for &offset in &index.saved_ir {
            let (id, range) = saved_ir_section(&file, offset).ok_or_else(|| corrupt(offset))?;
            saved_ir.insert(id, range);
        }
        let mut streams = streams(&index, end.is_some());
        let mut directory = Directory::default();
        if streams.first().is_some_and(|stream| stream.id == DIRECTORY_STREAM) {
            for entry in &streams.remove(0).chunks {
                let added = decompress(&file, entry).and_then(|bytes| directory.add(&bytes));
                added.ok_or_else(|| corrupt(entry.offset))?;
            }
        }
        let surprises = streams.split_off(streams.partition_point(|stream| stream.id.0 & SURPRISES == 0));
        if end.is_none() {
            limit_known(&mut streams, &surprises);
        }
        let standard = in_sequence(index.standard);
        Ok(Recording { path, case, end, directory, saved_ir, streams, surprises, standard, file })
    }
}

/// The contents of the section at `offset`, if one of that kind is there and whole. Does not look at its checksum.
fn bounds(file: &[u8], offset: u64, kind: SectionKind) -> Option<(SectionHeader, Range<usize>)> {
    let start = usize::try_from(offset).ok()?;
    let header = SectionHeader::decode(file.get(start..)?)?;
    let start = start + SectionHeader::SIZE;
    let end = start.checked_add(usize::try_from(header.length).ok()?)?;
    (header.kind == kind && end <= file.len()).then_some((header, start..end))
}

/// Likewise, and its checksum is right.
fn section(file: &[u8], offset: u64, kind: SectionKind) -> Option<Range<usize>> {
    let (header, range) = bounds(file, offset, kind)?;
    (crc32fast::hash(&file[range.clone()]) == header.checksum).then_some(range)
}

fn by_index(file: &[u8]) -> Option<Index> {
    let trailer = file.len().checked_sub(format::TRAILER_SIZE)?;
    let offset = format::decode_trailer(&file[trailer..])?;
    let range = section(file, offset, SectionKind::Index)?;
    Index::decode(&file[range])
}

/// Walks over the sections of a file whose end is missing. An error is the offset of something that is no section.
fn by_walking(file: &[u8]) -> Result<Index, u64> {
    let mut index = Index::default();
    let mut at = format::HEADER_SIZE;
    while let Some(header) = file.get(at..at.saturating_add(SectionHeader::SIZE)) {
        let Some(header) = SectionHeader::decode(header) else {
            // A power failure can leave zeros where the end was to be written.
            return if file[at..].iter().all(|&byte| byte == 0) { Ok(index) } else { Err(at as u64) };
        };
        let start = at + SectionHeader::SIZE;
        let end = usize::try_from(header.length).ok().and_then(|length| start.checked_add(length));
        let Some(contents) = end.and_then(|end| file.get(start..end)) else { break };
        let offset = at as u64;
        match header.kind {
            SectionKind::Case => index.case = offset,
            SectionKind::SavedIr => index.saved_ir.push(offset),
            SectionKind::Chunk => index.chunks.push((offset, ChunkRecord::decode(contents).ok_or(offset)?)),
            SectionKind::End => index.end = offset,
            SectionKind::Index => {}
            SectionKind::Standard => index.standard.push((offset, StandardRecord::decode(contents).ok_or(offset)?)),
        }
        at = start + contents.len();
    }
    Ok(index)
}

fn saved_ir_section(file: &[u8], offset: u64) -> Option<(ModuleId, Range<usize>)> {
    let range = section(file, offset, SectionKind::SavedIr)?;
    let header = IrHeader::decode(&file[range.clone()])?;
    (saved_ir::record_length(&header) == Some(range.len())).then_some((ModuleId(header.module), range))
}

fn decompress(file: &[u8], entry: &ChunkEntry) -> Option<Vec<u8>> {
    let range = section(file, entry.offset, SectionKind::Chunk)?;
    decompress_frame(file[range].get(ChunkRecord::SIZE..)?, entry.raw_length)
}

fn decompress_piece(file: &[u8], offset: u64, record: &StandardRecord) -> Option<Vec<u8>> {
    let range = section(file, offset, SectionKind::Standard)?;
    decompress_frame(file[range].get(StandardRecord::SIZE..)?, record.raw_length)
}

/// Of each set of streams, the pieces up to the first that is missing.
fn in_sequence(mut pieces: Vec<(u64, StandardRecord)>) -> Vec<(u64, StandardRecord)> {
    pieces.sort_by_key(|(_, record)| (record.streams, record.sequence));
    let mut next = HashMap::new();
    pieces.retain(|(_, record)| {
        let expected = next.entry(record.streams).or_insert(0);
        let is_next = record.sequence == *expected;
        *expected += u32::from(is_next);
        is_next
    });
    pieces
}

fn decompress_frame(compressed: &[u8], length: u32) -> Option<Vec<u8>> {
    let length = length as usize;
    // The frame says how long its contents are, so a wrong length is seen before memory is taken for it.
    if zstd::zstd_safe::get_frame_content_size(compressed).ok()?? != length as u64 {
        return None;
    }
    let bytes = zstd::bulk::decompress(compressed, length).ok()?;
    (bytes.len() == length).then_some(bytes)
}

/// Puts the chunks in order. A stream ends where a chunk is missing; one whose first is missing is left out.
fn streams(index: &Index, is_complete: bool) -> Vec<Stream> {
    let mut by_stream: BTreeMap<StreamId, BTreeMap<u32, (u64, ChunkRecord)>> = BTreeMap::new();
    for &(offset, record) in &index.chunks {
        by_stream.entry(record.stream).or_default().entry(record.sequence).or_insert((offset, record));
    }
    let streams = by_stream.into_iter().filter_map(|(id, records)| {
        let (_, first) = *records.get(&0)?;
        let mut chunks = Vec::new();
        let mut last = None;
        for (expected, (&sequence, &(offset, record))) in (0u32..).zip(&records) {
            if sequence != expected {
                last = None;
                break;
            }
            let ChunkRecord { clock, hash, raw_length, .. } = record;
            chunks.push(ChunkEntry { clock, hash, raw_length, offset });
            last = Some(StreamEnd { clock: record.end_clock, hash: record.end_hash, exact: record.finished });
        }
        let parent = (first.parent_stream != NO_STREAM).then_some(Interruption {
            stream: StreamId(first.parent_stream),
            chunk: first.parent_sequence,
            offset: first.parent_offset,
            clock: first.parent_clock,
            hash: first.parent_hash,
        });
        let known_until = match (is_complete, last) {
            (true, _) => u64::MAX,
            (false, last) => last.map_or(0, |last| last.clock),
        };
        let last = last.filter(|_| is_complete);
        Some(Stream { id, thread: first.thread, parent, chunks, last, known_until })
    });
    streams.collect()
}

/// A thread has two logs, each written when a chunk of it is full: in a recording that was cut, one reaches further than
/// the other. What lies behind the end of either is not known.
fn limit_known(streams: &mut [Stream], surprises: &[Stream]) {
    for stream in streams {
        let beside = surprises.iter().find(|other| other.id == surprises_of(stream.id));
        stream.known_until = beside.map_or(0, |beside| beside.known_until);
    }
}
