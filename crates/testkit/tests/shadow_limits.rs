//! A long run with much symbolic input ends within limits, and what was given up is said, with places and counts. The full
//! size, a hundred million instructions with a megabyte, is in `./x bench symbolic`.

use std::process::Command;
use std::time::Duration;

use abi::StreamId;
use execution::Functions;
use recording::Recording;
use replay::{Image, replay_window_inlined};
use symbolic::{Input, Limits, Name, Reason, Shadow};
use testkit::{Tools, workspace};

const BYTES: usize = 100_000;
const TERMS: usize = 8 << 20;
const CONDITIONS: usize = 4000;
/// Bytes of the input that become symbols.
const SYMBOLS: u64 = 80_000;

#[test]
fn a_long_run_ends_within_limits() {
    let tools = Tools::find().expect("the tools are built");
    let folder = tempfile::tempdir().expect("a folder");
    let (program, recorded) = (folder.path().join("large"), folder.path().join("recording.flt"));
    let source = workspace().join("crates/xtask/src/bench/symbolic/large.c");
    let built = Command::new(&tools.cc).arg("-g").arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("faultline-cc runs").success());
    let content: Vec<u8> = (0..BYTES).map(|at| b'a' + (at * at / 7 % 26) as u8).collect();
    let mut record = Command::new(&tools.faultline);
    record.arg("record").arg("-o").arg(&recorded).arg("--").arg(&program).arg("1");
    testkit::run(&mut record, &content, Duration::from_secs(60)).expect("it is recorded");
    let recording = Recording::open(&recorded).expect("it can be read");
    let image = Image::new(&recording);
    let functions = Functions::new(&image);
    let limits = Limits { terms: TERMS, conditions: CONDITIONS, bytes: SYMBOLS, ..Limits::default() };
    let shadow = Shadow::new(&functions, std::iter::empty(), vec![Input { name: Name::Standard, content }], limits);
    let (summary, shadow) = replay_window_inlined(&image, StreamId::MAIN, None, None, shadow).expect("it replays");
    let shadowed = shadow.finish();
    assert!(summary.instructions > 4_000_000, "{}", summary.instructions);
    assert_eq!(shadowed.lost.wrong(), 0, "terms have the values of the run all the same");
    let forced = shadowed.path.conditions.iter().filter(|condition| condition.forced).count();
    assert_eq!(forced, 0, "and conditions hold of it");
    let (bytes, count) = shadowed.domain.with(|terms| (terms.bytes(), terms.count()));
    assert!(bytes <= TERMS + TERMS / 8, "{bytes} bytes of {count} terms");
    assert_eq!(shadowed.path.conditions.len(), CONDITIONS);
    assert!(shadowed.path.beyond > 0, "conditions that were left out are counted");
    let full: Vec<_> = shadowed.lost.iter().filter(|(_, reason, _)| **reason == Reason::Full).collect();
    assert!(!full.is_empty(), "what memory for terms was missing for is said: {:?}", shadowed.lost);
    for (site, _, times) in full {
        let function = functions.function(site.function);
        assert!(times > 0 && function.instruction(site.instruction).location.is_some(), "{}", function.name);
    }
    assert!(shadowed.symbols.origin(SYMBOLS as usize + 2).is_none(), "no more symbols than are allowed");
}
