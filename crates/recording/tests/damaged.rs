//! Damaged recordings: whatever the bytes are, reading ends with contents or a sentence, never with a panic, and never
//! with contents that were not written.

use std::path::Path;

use abi::{
    DIRECTORY_FILE, DIRECTORY_FUNCTION, DIRECTORY_MODULE, DIRECTORY_STREAM, IrHeader, ModuleId, NO_STREAM, StreamId,
};
use proptest::prelude::*;
use recording::contents::{ChunkRecord, Index};
use recording::format::{self, SectionHeader, SectionKind};
use recording::saved_ir::SavedIr;
use recording::standard::StandardRecord;
use recording::{Capture, Captures, CaseRecord, End, Ending, Fault, ReadError, Recording, Standard, Writer};

const MODULE: ModuleId = ModuleId([7; 16]);

fn chunk(stream: u32, sequence: u32, bytes: &[u8]) -> (ChunkRecord, Vec<u8>) {
    let is_handler = stream == 2;
    let record = ChunkRecord {
        stream: StreamId(stream),
        sequence,
        thread: 1234,
        raw_length: bytes.len() as u32,
        clock: sequence as u64 * 100,
        hash: sequence as u64 * 77,
        end_clock: sequence as u64 * 100 + 100,
        end_hash: sequence as u64 * 77 + 77,
        parent_stream: if is_handler { 1 } else { NO_STREAM },
        parent_sequence: 1,
        parent_offset: 5,
        finished: true,
        parent_clock: 150,
        parent_hash: 9,
    };
    (record, zstd::bulk::compress(bytes, 1).unwrap())
}

fn directory() -> Vec<u8> {
    let mut bytes = vec![DIRECTORY_FILE, 5, 0];
    bytes.extend(b"/prog");
    for (first, addresses) in [(0u32, [1u64, 2]), (2, [3, 4])] {
        bytes.push(DIRECTORY_MODULE);
        bytes.extend(MODULE.0);
        bytes.extend(first.to_le_bytes());
        bytes.extend(2u32.to_le_bytes());
        addresses.iter().for_each(|address| bytes.extend(address.to_le_bytes()));
    }
    bytes.push(DIRECTORY_FUNCTION);
    bytes.extend(0x4000u64.to_le_bytes());
    bytes.extend(MODULE.0);
    bytes.extend(3u32.to_le_bytes());
    bytes.extend(0xbeefu32.to_le_bytes());
    bytes
}

/// Writes a small recording with one of everything; `finish` it or leave it without its end.
fn write(path: &Path, finish: impl FnOnce(&mut Writer)) {
    let case = CaseRecord { program: "/prog".into(), arguments: vec!["a".into()], directory: "/".into(), plan: None };
    let mut writer = Writer::create(path, &case).unwrap();
    let mut ir =
        IrHeader { version: abi::VERSION, module: MODULE.0, raw_length: 10, stored_length: 4 }.encode().to_vec();
    ir.extend(b"code");
    writer.saved_ir(&SavedIr { id: MODULE, record: &ir }).unwrap();
    // Chunks come in any order.
    for (stream, sequence, bytes) in
        [(1, 1, &b"second"[..]), (0, 0, &directory()), (1, 0, b"first"), (2, 0, b"handler"), (1, 2, b"")]
    {
        let (record, compressed) = chunk(stream, sequence, bytes);
        writer.chunk(record, &compressed).unwrap();
    }
    for (streams, sequence, bytes) in [(2, 0, &b"out"[..]), (4, 1, b"worse"), (4, 0, b"bad, "), (2, 1, b"put")] {
        let record = StandardRecord { streams, sequence, raw_length: bytes.len() as u32 };
        writer.standard(record, &zstd::bulk::compress(bytes, 1).unwrap()).unwrap();
    }
    finish(&mut writer);
}

fn end() -> End {
    End {
        ending: Ending::Killed { signal: 11 },
        fault: Some(Fault { signal: 11, code: 1, address: 0x10, thread: 1234 }),
        unrecorded_threads: 0,
        unrecorded_handlers: 0,
        forked: 2,
        executed: 0,
        standard: Captures { output: Capture::Whole, error: Capture::Cut, ..Captures::default() },
    }
}

fn complete() -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    write(file.path(), |writer| writer.finish(&end()).unwrap());
    std::fs::read(file.path()).unwrap()
}

fn open(bytes: &[u8]) -> Result<Recording, ReadError> {
    Recording::from_bytes(Path::new("damaged.flt"), bytes.to_vec())
}

/// Asks for everything there is to be asked for.
fn read_all(bytes: &[u8]) {
    let Ok(recording) = open(bytes) else { return };
    let mut out = Vec::new();
    recording::dump::summary(&recording, &mut out).unwrap();
    recording::dump::bytes(&recording, &mut out).unwrap();
    for stream in recording.streams() {
        let _ = recording.chunk(stream.id, stream.chunks.len());
    }
    for stream in Standard::ALL {
        let _ = recording.standard(stream);
    }
}

#[test]
fn what_was_written_is_read() {
    let recording = open(&complete()).unwrap();
    assert!(!recording.is_truncated());
    assert_eq!(recording.end(), Some(&end()));
    assert_eq!(recording.standard(Standard::Input).unwrap(), None);
    assert_eq!(recording.standard(Standard::Output).unwrap().unwrap(), b"output");
    assert_eq!(recording.standard(Standard::Error).unwrap().unwrap(), b"bad, worse");
    assert_eq!(recording.case().arguments, ["a"]);
    assert_eq!(recording.modules()[0].addresses, [1, 2, 3, 4]);
    assert_eq!(recording.modules()[0].file, Path::new("/prog"));
    assert_eq!(recording.functions()[0].entry.0, 0x4000);
    assert_eq!(recording.functions()[0].type_hash, 0xbeef);
    assert!(recording.saved_ir(MODULE).unwrap().ends_with(b"code"));
    assert_eq!(recording.saved_ir(ModuleId([0; 16])), None);
    let [first, second] = recording.streams() else { panic!("two streams") };
    assert_eq!((first.chunks.len(), second.chunks.len()), (3, 1));
    assert_eq!(recording.chunk(first.id, 0).unwrap(), b"first");
    assert_eq!(recording.chunk(first.id, 1).unwrap(), b"second");
    assert_eq!(recording.chunk(first.id, 2).unwrap(), b"");
    assert!(matches!(recording.chunk(first.id, 3), Err(ReadError::NoSuchChunk { .. })));
    assert!(matches!(recording.chunk(DIRECTORY_STREAM, 0), Err(ReadError::NoSuchChunk { .. })));
    let last = first.last.unwrap();
    assert_eq!((last.clock, last.hash, last.exact), (300, 231, true));
    assert_eq!(first.parent, None);
    let parent = second.parent.unwrap();
    assert_eq!((parent.stream, parent.chunk, parent.offset, parent.clock), (first.id, 1, 5, 150));
}

#[test]
fn with_and_without_its_index_it_reads_the_same() {
    let bytes = complete();
    let by_index = open(&bytes).unwrap();
    let walked = open(&bytes[..bytes.len() - format::TRAILER_SIZE]).unwrap();
    assert_eq!(by_index.streams(), walked.streams());
    assert_eq!(by_index.end(), walked.end());
    assert_eq!(by_index.modules(), walked.modules());
    assert_eq!(by_index.functions(), walked.functions());
}

#[test]
fn cut_anywhere_it_reads_up_to_the_last_whole_section() {
    let bytes = complete();
    let whole = open(&bytes).unwrap();
    let mut seen = 0;
    for length in 0..bytes.len() {
        match open(&bytes[..length]) {
            Ok(cut) => {
                assert_eq!(cut.case(), whole.case());
                for (stream, index) in cut.streams().iter().flat_map(|s| (0..s.chunks.len()).map(move |i| (s, i))) {
                    assert_eq!(cut.chunk(stream.id, index).unwrap(), whole.chunk(stream.id, index).unwrap());
                }
                // The first chunk of the stream comes after the second: before it, there is no stream.
                let chunks = cut.streams().first().map_or(0, |stream| stream.chunks.len());
                assert!(chunks >= seen && [0, 2, 3].contains(&chunks), "{length}: {chunks}");
                seen = chunks;
                assert!(cut.end().is_none() || cut.streams() == whole.streams());
                assert!(!cut.is_truncated() || cut.streams().iter().all(|stream| stream.last.is_none()));
            }
            Err(ReadError::NotARecording { .. }) => assert!(length < format::HEADER_SIZE),
            Err(ReadError::Empty { .. }) => assert!(length < 80),
            Err(error) => panic!("{length}: {error}"),
        }
    }
    assert_eq!(seen, 3);
}

#[test]
fn a_tail_of_zeros_is_a_missing_end() {
    let file = tempfile::NamedTempFile::new().unwrap();
    write(file.path(), |_| {});
    let mut bytes = std::fs::read(file.path()).unwrap();
    bytes.extend([0; 5000]);
    assert!(open(&bytes).unwrap().is_truncated());
}

#[test]
fn other_files_are_refused_with_a_reason() {
    assert!(matches!(open(b"\x7fELF and so on and so forth"), Err(ReadError::NotARecording { .. })));
    let mut other = complete();
    other[8] = 99;
    assert!(matches!(open(&other), Err(ReadError::OtherVersion { .. })));
    assert!(matches!(Recording::open(Path::new("/no/such/file")), Err(ReadError::Io { .. })));
    assert!(matches!(Recording::open(Path::new("/")), Err(ReadError::Io { .. })));
    assert!(matches!(Recording::open(Path::new("/dev/null")), Err(ReadError::NotARecording { .. })));
}

#[test]
fn every_flipped_bit_is_noticed_or_harmless() {
    let bytes = complete();
    let whole = open(&bytes).unwrap();
    for position in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[position / 8] ^= 1 << (position % 8);
        let Ok(read) = open(&flipped) else { continue };
        assert_eq!((read.case(), read.end()), (whole.case(), whole.end()));
        assert_eq!((read.modules(), read.functions()), (whole.modules(), whole.functions()));
        assert_eq!(read.streams(), whole.streams());
        for (stream, index) in whole.streams().iter().flat_map(|s| (0..s.chunks.len()).map(move |i| (s, i))) {
            if let Ok(chunk) = read.chunk(stream.id, index) {
                assert_eq!(chunk, whole.chunk(stream.id, index).unwrap());
            }
        }
    }
}

/// Rewrites the contents of the n-th section and makes its checksums right again.
fn change_section(bytes: &[u8], which: usize, change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut out = bytes[..format::HEADER_SIZE].to_vec();
    let mut at = format::HEADER_SIZE;
    let mut change = Some(change);
    let mut number = 0;
    while let Some(header) = SectionHeader::decode(&bytes[at..]) {
        let start = at + SectionHeader::SIZE;
        let mut contents = bytes[start..start + header.length as usize].to_vec();
        if number == which {
            change.take().unwrap()(&mut contents);
        }
        let mut section = Vec::new();
        format::encode_section(header.kind, &contents, &[], &mut section);
        out.extend(section);
        if header.kind == SectionKind::Index {
            out.extend(format::encode_trailer((out.len() - contents.len() - SectionHeader::SIZE) as u64));
        }
        at = start + header.length as usize;
        number += 1;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read_all(&bytes);
        let mut with_header = format::encode_header().to_vec();
        with_header.extend(bytes);
        read_all(&with_header);
    }

    #[test]
    fn random_contents_are_no_trouble(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = (CaseRecord::decode(&bytes), End::decode(&bytes), ChunkRecord::decode(&bytes), Index::decode(&bytes));
    }

    #[test]
    fn right_checksums_over_wrong_contents_are_no_trouble(
        which in 0usize..13,
        position in any::<prop::sample::Index>(),
        replacement in proptest::collection::vec(any::<u8>(), 0..20),
        length in any::<prop::sample::Index>(),
    ) {
        read_all(&change_section(&complete(), which, |contents| {
            let start = position.index(contents.len() + 1);
            let end = (start + replacement.len()).min(contents.len());
            contents.splice(start..end, replacement);
        }));
        read_all(&change_section(&complete(), which, |contents| contents.truncate(length.index(contents.len() + 1))));
    }
}
