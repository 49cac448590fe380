//! Reading a recording whose checksums are right and whose contents may be anything: the first byte of each part of
//! the input says what kind of section it is, the second how long.

#![no_main]

use libfuzzer_sys::fuzz_target;
use recording::format::{self, SectionKind};
use recording::CaseRecord;
use testkit::fuzz::read_recording;

fuzz_target!(|bytes: &[u8]| {
    let case = CaseRecord { program: "/p".into(), arguments: Vec::new(), directory: "/".into(), plan: None };
    let mut file = format::encode_header().to_vec();
    let mut section = Vec::new();
    format::encode_section(SectionKind::Case, &case.encode(), &[], &mut section);
    file.extend(&section);
    let mut rest = bytes;
    while let [kind, length, after @ ..] = rest {
        let (contents, next) = after.split_at((*length as usize).min(after.len()));
        let kind = match kind % 6 {
            0 => SectionKind::Case,
            1 => SectionKind::SavedIr,
            2 => SectionKind::End,
            3 => SectionKind::Index,
            4 => SectionKind::Standard,
            _ => SectionKind::Chunk,
        };
        format::encode_section(kind, contents, &[], &mut section);
        let offset = file.len() as u64;
        file.extend(&section);
        if kind == SectionKind::Index {
            file.extend(format::encode_trailer(offset));
        }
        rest = next;
    }
    read_recording(&file);
});
