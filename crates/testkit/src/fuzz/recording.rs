//! Recordings with sections changed, exchanged, left out and cut: half of them with checksums that are right again.

use std::path::Path;

use anyhow::{Context, Result};
use recording::contents::ChunkRecord;
use recording::format::{self, SectionHeader, SectionKind};
use recording::record::{Options, record};
use recording::{Recording, dump};
use replay::Image;

use super::{Chance, Subject};
use crate::tools::Tools;

/// A program with threads, a signal, calls from outside and output, that is short.
const PROGRAM: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static volatile int came;
static void handler(int signal) { came += signal; }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void *work(void *sum) {
    for (int i = 0; i < 20; i++) *(long *)sum += i;
    return sum;
}
int main(void) {
    int numbers[] = {5, 3, 9, 1}, character;
    long sum = 0;
    pthread_t thread;
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    while ((character = getchar()) != EOF) sum += character;
    qsort(numbers, 4, sizeof *numbers, order);
    pthread_create(&thread, NULL, work, &sum);
    pthread_join(thread, NULL);
    printf("%d %ld %d\n", numbers[0], sum, came);
    return 3;
}
"#;

pub struct Recordings(Vec<Section>);

/// A section of the valid file.
#[derive(Clone)]
struct Section {
    kind: SectionKind,
    contents: Vec<u8>,
}

impl Recordings {
    pub fn new(tools: &Tools) -> Result<Recordings> {
        let folder = tempfile::tempdir()?;
        let program = super::build(tools, folder.path(), PROGRAM)?;
        let path = folder.path().join("run.flt");
        let recorded = record(&Options { capture_limit: None, ..Options::new(&program, &path) });
        recorded.context("the program to begin with cannot be recorded")?;
        let file = std::fs::read(&path)?;
        // The children find the code already read.
        read(&file);
        let mut sections = Vec::new();
        let mut at = format::HEADER_SIZE;
        while let Some(header) = file.get(at..).and_then(SectionHeader::decode) {
            let start = at + SectionHeader::SIZE;
            at = start + header.length as usize;
            sections.push(Section { kind: header.kind, contents: file[start..at].to_vec() });
        }
        Ok(Recordings(sections))
    }
}

impl Subject for Recordings {
    fn input(&self, chance: &mut Chance) -> Vec<u8> {
        let mut sections = self.0.clone();
        let way = chance.below(8);
        match way {
            0 => {
                sections.remove(chance.below(sections.len()));
            }
            1 => {
                let again = chance.of(&sections).clone();
                sections.insert(chance.below(sections.len() + 1), again);
            }
            2 => {
                let (one, other) = (chance.below(sections.len()), chance.below(sections.len()));
                sections.swap(one, other);
            }
            3 | 4 => change_log(&mut sections, chance),
            5 | 6 => {
                // Saved IR is most of the file, and has a target of its own.
                let small: Vec<usize> = (0..sections.len()).filter(|&at| sections[at].contents.len() < 4096).collect();
                let at = *chance.of(&small);
                chance.change(&mut sections[at].contents);
            }
            _ => {}
        }
        let mut file = written(&sections, chance.one_in(3));
        if way == 7 || chance.one_in(16) {
            chance.change(&mut file);
        }
        file
    }

    fn read(&self, input: &[u8]) {
        read(input);
    }
}

/// Changes bytes of a chunk before they are compressed.
fn change_log(sections: &mut [Section], chance: &mut Chance) {
    let is_chunk = |at: &usize| sections[*at].kind == SectionKind::Chunk;
    let chunks: Vec<usize> = (0..sections.len()).filter(is_chunk).collect();
    let contents = &mut sections[*chance.of(&chunks)].contents;
    let Some(mut record) = ChunkRecord::decode(contents) else { return };
    let Ok(mut bytes) = zstd::bulk::decompress(&contents[ChunkRecord::SIZE..], record.raw_length as usize) else {
        return;
    };
    chance.change(&mut bytes);
    record.raw_length = bytes.len() as u32;
    let Ok(compressed) = zstd::bulk::compress(&bytes, 1) else { return };
    *contents = [&record.encode()[..], &compressed].concat();
}

/// A file of these sections, with right checksums; its index, which has offsets, only if they are as they were.
fn written(sections: &[Section], with_trailer: bool) -> Vec<u8> {
    let mut file = format::encode_header().to_vec();
    let mut section = Vec::new();
    let mut index = None;
    for Section { kind, contents } in sections {
        format::encode_section(*kind, contents, &[], &mut section);
        if *kind == SectionKind::Index {
            index = Some(file.len() as u64);
        }
        file.extend_from_slice(&section);
    }
    if let Some(index) = index.filter(|_| with_trailer) {
        file.extend_from_slice(&format::encode_trailer(index));
    }
    file
}

/// Ticks. A replay lasts as long as the recording says that the run has lasted.
const LONGEST: u64 = 1 << 16;

/// Reads a recording, shows it, and replays it if it says that it is short.
pub fn read(input: &[u8]) {
    let Ok(recording) = Recording::from_bytes(Path::new("fuzzed.flt"), input.to_vec()) else { return };
    let mut out = std::io::sink();
    let _ = dump::summary(&recording, &mut out);
    let _ = dump::bytes(&recording, &mut out);
    for stream in recording::Standard::ALL {
        let _ = recording.standard(stream);
    }
    let is_short = |stream: &recording::Stream| stream.last.is_some_and(|last| last.clock < LONGEST);
    if recording.streams().iter().all(is_short) {
        let image = Image::new(&recording);
        for stream in recording.streams().iter().filter(|stream| stream.parent.is_none()) {
            let _ = replay::replay_unobserved(&image, stream.id);
        }
    }
}
