//! A run whose choices are forced goes the way that it is told, forked as well as recorded; its recording replays exactly,
//! as a whole and window by window, also where other interventions come before, between and after.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use abi::{Edit, Operation, Rewrite, StreamId};
use experiment::{Case, Change, Intervention, Lab, Limits, Oracle, Ran};
use program::Op;
use recording::Recording;
use replay::{Image, Observed, Observer, Summary, replay_window, replay_with_checkpoints};
use tempfile::TempDir;
use testkit::{Tools, workspace};

const FIRST: StreamId = StreamId(1);

/// What a program does, step by step.
#[derive(Default)]
struct Seen {
    /// One number for each step: where, when, what came out, and what it went on with.
    steps: Vec<u64>,
    /// What stores, branches and switches went on with, outside of signal handlers.
    choices: Vec<Choice>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Choice {
    clock: u64,
    value: u64,
    bits: u8,
    is_predicate: bool,
}

impl Observer for Seen {
    fn step(&mut self, step: &Observed<'_>) {
        let mut hasher = DefaultHasher::new();
        step.step().hash(&mut hasher);
        let (tested, bits, is_predicate) = match &step.instruction().op {
            Op::Branch { condition, .. } => (Some(condition), Some(1), true),
            Op::Switch { value, value_type, .. } => (Some(value), program::scalar_bits(value_type), true),
            Op::Store { value, value_type, .. } => (Some(value), program::scalar_bits(value_type), false),
            _ => (None, None, false),
        };
        if let Some(tested) = tested {
            let value = step.went_on_with(tested);
            value.hash(&mut hasher);
            if let (Some(&value), Some(bits)) = (value.first(), bits) {
                self.choices.push(Choice { clock: step.clock, value, bits, is_predicate });
            }
        }
        // A call has no result yet.
        if !matches!(step.instruction().op, Op::Call(_) | Op::Invoke { .. }) {
            step.result().hash(&mut hasher);
        }
        self.steps.push(hasher.finish());
    }
}

impl Seen {
    fn predicates_from(&self, clock: u64) -> Vec<Choice> {
        self.choices.iter().copied().filter(|choice| choice.is_predicate && choice.clock >= clock).collect()
    }
}

/// Replays as a whole and in windows, which must be the same.
fn replayed(path: &Path, about: &dyn Debug) -> (Summary, Seen) {
    let recording = Recording::open(path).expect("it can be read");
    let image = Image::new(&recording);
    for stream in recording.streams().iter().filter(|stream| stream.parent.is_none() && stream.id != FIRST) {
        replay::replay_unobserved(&image, stream.id).unwrap_or_else(|error| panic!("{about:?}: {error}"));
    }
    let clock = recording.stream(FIRST).and_then(|stream| stream.last).map_or(1000, |last| last.clock);
    let interval = if clock < 600 { 1 } else { clock / 50 };
    let (summary, checkpoints, whole) = replay_with_checkpoints(&image, FIRST, interval, Seen::default())
        .unwrap_or_else(|error| panic!("{about:?}: {error}"));
    let keep = checkpoints.len().div_ceil(60).max(1);
    let checkpoints: Vec<_> = checkpoints.into_iter().step_by(keep).collect();
    let starts = std::iter::once(None).chain(checkpoints.iter().map(Some));
    let ends = checkpoints.iter().map(Some).chain(std::iter::once(None));
    let mut joined = Seen::default();
    for (from, to) in starts.zip(ends) {
        let (_, window) = replay_window(&image, FIRST, from, to, Seen::default())
            .unwrap_or_else(|error| panic!("{about:?}, in a window: {error}"));
        joined.steps.extend(window.steps);
        joined.choices.extend(window.choices);
    }
    assert_eq!(joined.choices, whole.choices, "{about:?}");
    assert!(joined.steps == whole.steps, "{about:?}: the windows have other steps");
    (summary, whole)
}

struct Subject {
    name: &'static str,
    lab: Lab,
    _folder: TempDir,
    summary: Summary,
    seen: Seen,
    /// From how many places on it is forced.
    places: usize,
}

/// Of a program that hangs where it is forced, which takes the time of a hang each time.
const FEW_PLACES: usize = 1;
const PLACES: usize = 5;

fn subject(name: &'static str, arguments: &[&str], input: Vec<u8>) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program: PathBuf = folder.path().join("program");
    let source = workspace().join("tests/experiments").join(name);
    let mut command = Command::new(&tools.cc);
    command.args(["-g", "-w", "-pthread"]).arg(source).arg("-o").arg(&program).arg("-lm");
    assert!(command.status().expect("faultline-cc runs").success());
    let arguments = arguments.iter().map(|argument| argument.to_string().into_bytes()).collect::<Vec<_>>();
    let arguments = arguments.into_iter().map(std::os::unix::ffi::OsStringExt::from_vec).collect();
    let case = Case::new(&program, arguments).expect("a program").with_input(input);
    let oracle = Oracle { status: Some(77), ..Oracle::default() };
    let limits =
        Limits { time: Duration::from_secs(3), file: 1 << 20, memory: 1 << 30, workers: 1, ..Limits::default() };
    let lab = Lab::open(case, oracle, limits).expect("the case fails");
    let (summary, seen) = replayed(&lab.baseline().recording, &name);
    Subject { name, lab, _folder: folder, summary, seen, places: PLACES }
}

impl Subject {
    /// What the changed run did, if it replays exactly.
    fn run(&self, experiment: &[Intervention]) -> (Ran, Summary, Seen) {
        let about = (self.name, experiment);
        // Whether the same run, forked, prints the same is not asked here: a program that is led astray reads what it never
        // wrote, and that is not the same in a process that was started anew.
        let (recorded, path) = self.lab.record(experiment).expect("it is recorded");
        let (summary, seen) = replayed(&path, &about);
        (recorded, summary, seen)
    }

    /// Forces a word from a clock on. The outcomes must be those of the word, as long as the run lasts.
    fn force(&self, clock: u64, word: &[u64]) -> (Ran, Summary, Seen) {
        let (ran, summary, seen) = self.run(&[Intervention { clock, change: Change::Force(word.to_vec()) }]);
        let outcomes = seen.predicates_from(clock);
        for (at, (outcome, forced)) in outcomes.iter().zip(word).enumerate() {
            let narrowed = forced & (u64::MAX >> (64 - outcome.bits));
            assert_eq!(outcome.value, narrowed, "{} forced from {clock}: outcome {at} of {word:x?}", self.name);
        }
        (ran, summary, seen)
    }

    /// Some of the clocks, with a tick before each predicate that is chosen: it may be of any kind.
    fn clocks(&self) -> Vec<u64> {
        let predicates = self.seen.predicates_from(0);
        assert!(predicates.len() > 1, "{} has {} predicates", self.name, predicates.len());
        let every = predicates.len().div_ceil(self.places).max(1);
        let chosen = predicates.iter().step_by(every).flat_map(|choice| [choice.clock.max(2) - 1, choice.clock]);
        let mut chosen: Vec<u64> = chosen.collect();
        chosen.dedup();
        chosen
    }

    fn is_forced_into_itself(&self) {
        for clock in self.clocks() {
            let all: Vec<u64> = self.seen.predicates_from(clock).iter().map(|choice| choice.value).collect();
            for word in [&all[..], &all[..all.len() / 2]] {
                let (ran, summary, seen) = self.force(clock, word);
                let baseline = &self.lab.baseline().ran;
                assert_eq!((ran.end, &ran.output), (baseline.end, &baseline.output), "{} from {clock}", self.name);
                assert_eq!((summary.clock, summary.hash), (self.summary.clock, self.summary.hash));
                assert_eq!(seen.choices, self.seen.choices, "{} from {clock}", self.name);
                assert!(seen.steps == self.seen.steps, "{} from {clock}", self.name);
            }
        }
    }

    fn is_forced_with_one_reversed(&self, at_most: usize) {
        let mut differing = 0;
        for clock in self.clocks() {
            let all = self.seen.predicates_from(clock);
            for reversed in [0, all.len() / 2, all.len() - 1] {
                let mut word: Vec<u64> = all.iter().map(|choice| choice.value).take(at_most).collect();
                let Some(outcome) = word.get_mut(reversed) else { continue };
                *outcome ^= 1;
                differing += usize::from(self.force(clock, &word).2.choices != self.seen.choices);
            }
        }
        assert!(differing > 0, "{}", self.name);
    }

    fn is_forced_at_random(&self, lengths: &[usize]) {
        let mut random = Random(0x2545_f491_4f6c_dd1d ^ self.summary.clock);
        for clock in self.clocks() {
            for &length in lengths {
                let word: Vec<u64> = (0..length).map(|_| random.outcome()).collect();
                self.force(clock, &word);
            }
        }
    }

    /// Interventions of all kinds in one plan, near each other and at the same steps.
    fn is_forced_among_others(&self) {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ self.summary.clock);
        let last = self.summary.clock;
        for _ in 0..8 * self.places {
            let mut clock = random.below(last) + 1;
            let mut experiment = Vec::new();
            for _ in 0..2 + random.below(5) {
                experiment.push(Intervention { clock, change: random.change() });
                clock += random.below(7);
            }
            self.run(&experiment);
        }
    }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 20) % limit.max(1)
    }

    /// Mostly what a branch has; sometimes more bits than any.
    fn outcome(&mut self) -> u64 {
        match self.below(6) {
            0 => self.next(),
            1 => self.below(128),
            _ => self.below(2),
        }
    }

    fn change(&mut self) -> Change {
        let rewrites = [Rewrite::Not, Rewrite::Add, Rewrite::Constant, Rewrite::First, Rewrite::Compute];
        let operations = [Operation::Less, Operation::Minus, Operation::Equal];
        match self.below(8) {
            0 | 1 => Change::Switch,
            2 | 3 => Change::Replace(self.outcome()),
            4 => Change::Edit(Edit {
                rewrite: rewrites[self.below(5) as usize],
                operation: operations[self.below(3) as usize],
                width: 32,
                bits: if self.below(2) == 0 { 1 } else { 32 },
                number: self.below(3),
            }),
            _ => Change::Force((0..self.below(6)).map(|_| self.outcome()).collect()),
        }
    }
}

fn all(subject: &Subject) {
    subject.is_forced_into_itself();
    subject.is_forced_with_one_reversed(usize::MAX);
    subject.is_forced_at_random(&[1, 4, 40]);
    subject.is_forced_among_others();
}

#[test]
fn the_calculator_is_forced() {
    all(&subject("calculator.c", &[], b"a = 2 + 3 * 4\nb = (a - 1) / 2\na + b\n7 * (2 - 3\n".to_vec()));
}

#[test]
fn edits_of_many_kinds_are_forced() {
    all(&subject("edited.c", &[], Vec::new()));
}

#[test]
fn the_formatter_is_forced() {
    let text = std::fs::read(workspace().join("tests/experiments/formatter.txt")).expect("it can be read");
    all(&subject("formatter.c", &[], text));
}

#[test]
fn last_words_are_forced() {
    all(&subject("last_words.c", &[], b"7".to_vec()));
}

#[test]
fn predicates_of_many_kinds_are_forced() {
    all(&subject("many_kinds.c", &[], Vec::new()));
}

#[test]
fn the_middle_is_forced() {
    all(&subject("middle.c", &[], b"3 1 2\n2 1 3\n".to_vec()));
}

#[test]
fn scaled_points_are_forced() {
    all(&subject("scale_point.c", &[], b"3 4 6 8\n".to_vec()));
}

#[test]
fn handlers_and_threads_are_not_forced() {
    all(&Subject { places: FEW_PLACES, ..subject("interrupted.c", &[], Vec::new()) });
}

/// The words are short: they can lead to where harm begins, but not choose among its kinds.
#[test]
fn what_could_do_harm_is_forced() {
    let folder = TempDir::new().expect("a folder");
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "unharmed").expect("it can be written");
    let subject = subject("hostile.c", &["no-such-kind", &victim.display().to_string()], b"what is read\n".to_vec());
    subject.is_forced_into_itself();
    subject.is_forced_with_one_reversed(3);
    subject.is_forced_at_random(&[1]);
    assert_eq!(std::fs::read(&victim).expect("it is there"), b"unharmed");
}
