//! Writing a recording: section after section, then the index. See `format` for the layout; `reader` is the other
//! side.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::Path;

use abi::{DIRECTORY_STREAM, ModuleId};

use crate::contents::{CaseRecord, ChunkRecord, End, Index};
use crate::format::{self, SectionKind};
use crate::saved_ir::SavedIr;
use crate::standard::StandardRecord;

/// A recording being written. After an error the file ends with its last whole section.
pub struct Writer {
    file: File,
    length: u64,
    index: Index,
    modules: HashSet<ModuleId>,
    section: Vec<u8>,
}

impl Writer {
    pub fn create(path: &Path, case: &CaseRecord) -> io::Result<Writer> {
        // What a program reads and writes is its user's alone. A file that is there already keeps its mode.
        let mut file = File::options().write(true).create(true).truncate(true).mode(0o600).open(path)?;
        file.write_all(&format::encode_header())?;
        let length = format::HEADER_SIZE as u64;
        let mut writer = Writer { file, length, index: Index::default(), modules: HashSet::new(), section: Vec::new() };
        writer.index.case = writer.write(SectionKind::Case, &case.encode(), &[])?;
        Ok(writer)
    }

    /// Bytes written so far.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Writes a module's IR unless it is there already.
    pub fn saved_ir(&mut self, module: &SavedIr) -> io::Result<()> {
        if !self.modules.contains(&module.id) {
            let offset = self.write(SectionKind::SavedIr, module.record, &[])?;
            self.index.saved_ir.push(offset);
            self.modules.insert(module.id);
        }
        Ok(())
    }

    /// `compressed` is the chunk's bytes as a zstd frame.
    pub fn chunk(&mut self, record: ChunkRecord, compressed: &[u8]) -> io::Result<()> {
        let offset = self.write(SectionKind::Chunk, &record.encode(), compressed)?;
        self.index.chunks.push((offset, record));
        Ok(())
    }

    /// `compressed` is a piece of a standard stream as a zstd frame.
    pub fn standard(&mut self, record: StandardRecord, compressed: &[u8]) -> io::Result<()> {
        let offset = self.write(SectionKind::Standard, &record.encode(), compressed)?;
        self.index.standard.push((offset, record));
        Ok(())
    }

    /// Whether no stream has been written, the directory aside.
    pub fn is_empty(&self) -> bool {
        self.index.chunks.iter().all(|(_, record)| record.stream == DIRECTORY_STREAM)
    }

    /// Whether this chunk of this stream has been written.
    pub fn has_chunk(&self, record: &ChunkRecord) -> bool {
        self.index.chunks.iter().any(|(_, r)| r.stream == record.stream && r.sequence == record.sequence)
    }

    /// Writes the end and the index. When the disk is full, gives up the latest sections until they fit.
    pub fn finish(&mut self, end: &End) -> io::Result<()> {
        let end = end.encode();
        loop {
            let error = match self.write_end(&end) {
                Ok(()) => return Ok(()),
                Err(error) => error,
            };
            self.give_up_last_section().ok_or(error)??;
        }
    }

    fn write_end(&mut self, end: &[u8]) -> io::Result<()> {
        let before = self.length;
        let written = self.try_write_end(end);
        if written.is_err() {
            self.cut(before)?;
        }
        written
    }

    fn try_write_end(&mut self, end: &[u8]) -> io::Result<()> {
        self.index.end = self.write(SectionKind::End, end, &[])?;
        let index = self.write(SectionKind::Index, &self.index.encode(), &[])?;
        self.file.write_all_at(&format::encode_trailer(index), self.length)?;
        self.length += format::TRAILER_SIZE as u64;
        Ok(())
    }

    /// Shortens the file by its last section if that is a chunk or a piece of a standard stream; `None` if it is not.
    fn give_up_last_section(&mut self) -> Option<io::Result<()>> {
        let chunk = self.index.chunks.last().map(|&(offset, _)| offset);
        let piece = self.index.standard.last().map(|&(offset, _)| offset);
        let offset = chunk.max(piece)?;
        if self.index.saved_ir.last().is_some_and(|&saved| saved > offset) {
            return None;
        }
        if chunk == Some(offset) {
            self.index.chunks.pop();
        } else {
            self.index.standard.pop();
        }
        Some(self.cut(offset))
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.length = length;
        Ok(())
    }

    /// Gives the section's offset.
    fn write(&mut self, kind: SectionKind, first: &[u8], second: &[u8]) -> io::Result<u64> {
        let mut section = std::mem::take(&mut self.section);
        format::encode_section(kind, first, second, &mut section);
        let offset = self.length;
        let written = self.file.write_all_at(&section, offset);
        let length = section.len() as u64;
        self.section = section;
        match written {
            Ok(()) => {
                self.length += length;
                Ok(offset)
            }
            Err(error) => {
                self.cut(offset)?;
                Err(error)
            }
        }
    }
}
