//! How the file is built: a header, then sections, each with its length and checksums, so that a file without its end
//! can be read up to its last whole section.
//!
//! | what | bytes |
//! |---|---|
//! | header | [`MAGIC`] (8), [`VERSION`] (4), version of `abi` (4) |
//! | section | kind (4), checksum of the contents (4), length of the contents (8), zero (4), checksum of these 20 bytes (4), contents |
//! | trailer, at the end of a complete file | offset of the index section (8), [`TRAILER_MAGIC`] (8), checksum of these 16 bytes (4), zero (4) |
//!
//! Numbers are little endian, checksums CRC-32. The first section is the case; the others come in any order, the
//! chunks of a stream and the pieces of standard streams too; the index is last.

pub const MAGIC: [u8; 8] = *b"FLTLREC\0";
pub const TRAILER_MAGIC: [u8; 8] = *b"FLTLEND\0";

/// Raise this whenever the file changes meaning: a section, a field, an ending. A change of `abi` alone raises its own
/// version, which the header carries too.
pub const VERSION: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum SectionKind {
    /// [`crate::CaseRecord`].
    Case = 1,
    /// The saved IR of a module: `abi::IrHeader` and the compressed bitcode it announces.
    SavedIr = 2,
    /// [`crate::contents::ChunkRecord`] and the chunk's bytes, compressed by zstd.
    Chunk = 3,
    /// [`crate::End`].
    End = 4,
    /// [`crate::contents::Index`].
    Index = 5,
    /// [`crate::standard::StandardRecord`] and that many bytes of standard input, output or error, compressed by zstd.
    Standard = 6,
}

impl SectionKind {
    fn decode(code: u32) -> Option<SectionKind> {
        Some(match code {
            1 => SectionKind::Case,
            2 => SectionKind::SavedIr,
            3 => SectionKind::Chunk,
            4 => SectionKind::End,
            5 => SectionKind::Index,
            6 => SectionKind::Standard,
            _ => return None,
        })
    }
}

pub const HEADER_SIZE: usize = 16;

pub fn encode_header() -> [u8; HEADER_SIZE] {
    let mut out = [0; HEADER_SIZE];
    out[0..8].copy_from_slice(&MAGIC);
    out[8..12].copy_from_slice(&VERSION.to_le_bytes());
    out[12..16].copy_from_slice(&abi::VERSION.to_le_bytes());
    out
}

/// The two versions in the header; `None` if this is no recording.
pub fn decode_header(bytes: &[u8]) -> Option<(u32, u32)> {
    let bytes: &[u8; HEADER_SIZE] = bytes.first_chunk()?;
    (bytes[0..8] == MAGIC).then(|| (u32_at(bytes, 8), u32_at(bytes, 12)))
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SectionHeader {
    pub kind: SectionKind,
    pub checksum: u32,
    pub length: u64,
}

impl SectionHeader {
    pub const SIZE: usize = 24;

    pub fn encode(&self) -> [u8; Self::SIZE] {
        let mut out = [0; Self::SIZE];
        out[0..4].copy_from_slice(&(self.kind as u32).to_le_bytes());
        out[4..8].copy_from_slice(&self.checksum.to_le_bytes());
        out[8..16].copy_from_slice(&self.length.to_le_bytes());
        let own = crc32fast::hash(&out[..20]);
        out[20..24].copy_from_slice(&own.to_le_bytes());
        out
    }

    /// `None` when these bytes are not a section's header.
    pub fn decode(bytes: &[u8]) -> Option<SectionHeader> {
        let bytes: &[u8; Self::SIZE] = bytes.first_chunk()?;
        if crc32fast::hash(&bytes[..20]) != u32_at(bytes, 20) {
            return None;
        }
        Some(SectionHeader {
            kind: SectionKind::decode(u32_at(bytes, 0))?,
            checksum: u32_at(bytes, 4),
            length: u64_at(bytes, 8),
        })
    }
}

/// A whole section. The contents come in two parts to save a copy.
pub fn encode_section(kind: SectionKind, first: &[u8], second: &[u8], out: &mut Vec<u8>) {
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(first);
    checksum.update(second);
    let header = SectionHeader { kind, checksum: checksum.finalize(), length: (first.len() + second.len()) as u64 };
    out.clear();
    out.extend_from_slice(&header.encode());
    out.extend_from_slice(first);
    out.extend_from_slice(second);
}

pub const TRAILER_SIZE: usize = 24;

pub fn encode_trailer(index: u64) -> [u8; TRAILER_SIZE] {
    let mut out = [0; TRAILER_SIZE];
    out[0..8].copy_from_slice(&index.to_le_bytes());
    out[8..16].copy_from_slice(&TRAILER_MAGIC);
    let own = crc32fast::hash(&out[..16]);
    out[16..20].copy_from_slice(&own.to_le_bytes());
    out
}

/// Offset of the index section, if these are the last bytes of a complete file.
pub fn decode_trailer(bytes: &[u8]) -> Option<u64> {
    let bytes: &[u8; TRAILER_SIZE] = bytes.try_into().ok()?;
    let is_trailer = bytes[8..16] == TRAILER_MAGIC && crc32fast::hash(&bytes[..16]) == u32_at(bytes, 16);
    is_trailer.then(|| u64_at(bytes, 0))
}

/// The four bytes at `offset`, which must be there.
pub(crate) fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes([bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3]])
}

pub(crate) fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u32_at(bytes, offset) as u64 | (u32_at(bytes, offset + 4) as u64) << 32
}
