//! A run of a hundred million instructions with a megabyte of symbolic input: it ends within its limits, and says what it gave
//! up.

use std::path::Path;
use std::time::Instant;

use abi::StreamId;
use anyhow::{Result, ensure};
use execution::Functions;
use experiment::Case;
use recording::Recording;
use replay::{Image, replay_unobserved, replay_window_inlined};
use symbolic::{Reason, Shadow};
use testkit::text::lines;

use super::{Bound, Row, lab, standard};

pub const SOURCE: &str = include_str!("large.c");

const BYTES: usize = 1 << 20;
/// How often the program goes over its input.
const TURNS: &str = "3";
/// Bytes for terms.
const TERMS: usize = 1 << 29;
const CONDITIONS: usize = 1 << 19;

pub fn large(program: &Path) -> Result<Vec<Row>> {
    let mut input = lines(BYTES, 15).into_bytes();
    input.truncate(BYTES);
    let lab = lab(Case::new(program, vec![TURNS.into()])?.with_input(input.clone()))?;
    let recording = Recording::open(&lab.baseline().recording)?;
    let image = Image::new(&recording);
    let begun = Instant::now();
    let instructions = replay_unobserved(&image, StreamId::MAIN)?.instructions;
    let unobserved = begun.elapsed().as_secs_f64();
    let functions = Functions::new(&image);
    let limits = symbolic::Limits { terms: TERMS, conditions: CONDITIONS, ..symbolic::Limits::default() };
    let begun = Instant::now();
    let shadow = Shadow::new(&functions, std::iter::empty(), standard(&input), limits);
    let shadowed = replay_window_inlined(&image, StreamId::MAIN, None, None, shadow)?.1.finish();
    let seconds = begun.elapsed().as_secs_f64();
    ensure!(shadowed.lost.wrong() == 0, "terms have other values than the run");
    let (count, bytes) = shadowed.domain.with(|terms| (terms.count(), terms.bytes()));
    let full: u64 = shadowed.lost.iter().filter(|(_, reason, _)| **reason == Reason::Full).map(|(_, _, n)| n).sum();
    let told =
        |what: &str, number: f64, unit, bound| Row::new(format!("a megabyte of symbols: {what}"), number, unit, bound);
    Ok(vec![
        told("instructions", instructions as f64, "", Bound::AtLeast(1e8)),
        told("against an unobserved replay", seconds / unobserved, "×", Bound::None),
        told("seconds", seconds, "s", Bound::None),
        told("terms", count as f64, "", Bound::None),
        told("bytes of a term", bytes as f64 / count.max(1) as f64, "", Bound::AtMost(64.0)),
        told("memory for terms", bytes as f64 / f64::from(1 << 20), "MiB", Bound::AtMost((TERMS >> 20) as f64 * 1.01)),
        told("operations given up since it was spent", full as f64, "", Bound::None),
        told("conditions", shadowed.path.conditions.len() as f64, "", Bound::AtMost(CONDITIONS as f64)),
        told("conditions left out", shadowed.path.beyond as f64, "", Bound::None),
    ])
}
