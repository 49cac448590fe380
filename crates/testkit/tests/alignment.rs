//! Indices, partners and alignment of recorded runs: worked examples, and programs that leave their functions by every door.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use execution::{Run, Window};
use nesting::align::versions::{SiteMap, find_function};
use nesting::align::{Aligned, align, align_versions};
use nesting::index::{Index, Indices, Match, Missing};
use nesting::region::{Kind, Nesting, Observe, Regions};
use program::{FunctionKey, Statements};
use recording::Recording;
use replay::{Image, Step};
use tempfile::TempDir;
use testkit::{Build, Fixture, Tools, csmith, fixtures, recorded};

/// A recording, and the folder it is in.
struct Recorded {
    recording: Recording,
    _folder: TempDir,
}

fn record(name: &str, arguments: &[&str]) -> Recorded {
    let (folder, _) = name.rsplit_once('/').expect("folder and name");
    let found = fixtures(folder).expect("fixtures").into_iter().find(|f| name.ends_with(&f.name()) || f.name() == name);
    let mut fixture: Fixture = found.unwrap_or_else(|| panic!("no fixture {name}"));
    if !arguments.is_empty() {
        fixture.arguments = arguments.iter().map(ToString::to_string).collect();
    }
    let tools = Tools::find().expect("the staged tools");
    let (path, folder) = recorded(&tools, &fixture, Build::Faultline2).expect("it is recorded");
    Recorded { recording: Recording::open(&path).expect("a recording"), _folder: folder }
}

/// Every statement of a run with its index.
#[derive(Default)]
struct All {
    steps: Vec<(Step, Index)>,
    handled: usize,
}

impl Observe for All {
    fn visit(&mut self, nesting: &mut Nesting, at: Step) {
        if nesting.is_of_handler() {
            self.handled += 1;
        } else {
            self.steps.push((at, Index::of(nesting, at.site.instruction).expect("a block")));
        }
    }
}

fn all(run: &Run<'_>) -> All {
    let mut regions = Regions::new(&run.functions, All::default());
    for window in (0..=run.last_window().0).map(Window) {
        regions = run.replay(window, regions).expect("it replays");
    }
    regions.visitor
}

/// The line a statement stands on.
fn line(run: &Run<'_>, at: Step) -> u32 {
    let function = run.functions.function(at.site.function);
    let location = Statements::of(function).location(function, at.site.instruction);
    location.map_or(0, |location| location.line)
}

/// Executions of the statements on the line with this comment, the last statement of each execution.
fn on_line(run: &Run<'_>, name: &str, comment: &str) -> Vec<(Step, Index)> {
    let path = testkit::workspace().join("tests").join(format!("{name}.c"));
    let source = std::fs::read_to_string(path).expect("the source");
    let wanted = 1 + source.lines().position(|l| l.ends_with(&format!("// {comment}"))).expect("the comment") as u32;
    // Library functions have twins in the program, with lines of their own.
    let file = format!("{name}.c");
    let is_own = |at: Step| run.functions.module(at.site.function).is_ok_and(|m| m.source_file.ends_with(&file));
    all(run).steps.into_iter().filter(|(at, _)| is_own(*at) && line(run, *at) == wanted).collect()
}

fn main_stream(recording: &Recording) -> abi::StreamId {
    recording.streams().iter().find(|s| s.parent.is_none()).expect("a thread").id
}

macro_rules! run {
    ($name:ident, $fixture:expr, $arguments:expr) => {
        let recorded = record($fixture, $arguments);
        let image = Image::new(&recorded.recording);
        // Short windows, so that there are several.
        let $name = Run::with_windows(&image, main_stream(&recorded.recording), 7).expect("it replays");
    };
}

#[test]
fn a_use_has_its_partner_though_the_line_executes_once_more_elsewhere() {
    let name = "execution/regions/omitted";
    run!(first, name, &["1"]);
    run!(second, name, &["2"]);
    run!(third, name, &["3"]);
    let uses = on_line(&first, name, "the use");
    let [(at, index)] = &uses[..] else { panic!("{} uses", uses.len()) };
    let indices = Indices::of(&first).expect("it replays");
    assert_eq!(indices.index_of(*at).expect("it replays").as_ref(), Some(index));

    let in_second = on_line(&second, name, "the use");
    assert_eq!(in_second.len(), 2);
    let second = Indices::of(&second).expect("it replays");
    assert_eq!(second.partner(index).expect("it replays"), Match::Partner(in_second[1].0));
    assert_eq!(in_second[1].0.depth, at.depth);
    assert_eq!(in_second[0].0.depth, at.depth + 1);

    assert_eq!(on_line(&third, name, "the use").len(), 1);
    let third = Indices::of(&third).expect("it replays");
    let Match::Missing { agreed, why } = third.partner(index).expect("it replays") else { panic!("a partner") };
    assert_eq!(why, Missing::OtherOutcome(None));
    // They agree up to the outer branch.
    assert!(matches!(index.levels()[agreed].kind, Kind::Outcome(_)));
    assert_eq!(agreed, index.levels().len() - 2);
}

#[test]
fn a_region_that_is_left_early_has_no_partner_for_what_comes_later_in_it() {
    let name = "execution/regions/many_exits";
    run!(whole, name, &["0"]);
    run!(short, name, &["3"]);
    let uses = on_line(&whole, name, "the use");
    let after = on_line(&whole, name, "after");
    let in_short = on_line(&short, name, "the use");
    let after_in_short = on_line(&short, name, "after");
    assert_eq!((uses.len(), in_short.len()), (4, 2));
    let short = Indices::of(&short).expect("it replays");
    let partner = |index: &Index| short.partner(index).expect("it replays");
    for turn in 0..2 {
        assert_eq!(partner(&uses[turn].1), Match::Partner(in_short[turn].0));
    }
    let Match::Missing { why, .. } = partner(&uses[2].1) else { panic!("a partner") };
    assert!(matches!(why, Missing::OtherOutcome(_)), "{why:?}");
    let Match::Missing { why, .. } = partner(&uses[3].1) else { panic!("a partner") };
    assert_eq!(why, Missing::FewerTurns(3));
    assert_eq!(partner(&after[0].1), Match::Partner(after_in_short[0].0));
}

#[test]
fn a_sum_over_a_list_is_aligned_turn_by_turn() {
    let name = "execution/regions/list_sum";
    run!(right, name, &["0"]);
    run!(wrong, name, &["1"]);
    let kinds = |index: &Index| -> Vec<Kind> { index.levels().iter().map(|level| level.kind).collect() };
    let added = on_line(&right, name, "added");
    assert_eq!(added.len(), 3);
    for (turn, (_, index)) in (1..).zip(&added) {
        // main, the turn, the loop's condition, the branch around the addition, the step.
        let kinds = kinds(index);
        assert_eq!(kinds.len(), 5, "{index}");
        assert!(
            matches!(kinds[..], [Kind::Root(..), Kind::Turn(t), Kind::Outcome(_), Kind::Outcome(_), Kind::Step] if t == turn)
        );
    }
    let mut pairs: HashMap<Step, Step> = HashMap::new();
    let (mut left, mut right_only) = (Vec::new(), Vec::new());
    align(&wrong, &right, |aligned| match aligned {
        Aligned::Both(a, b) => _ = pairs.insert(b, a),
        Aligned::Left(a) => left.push(line(&wrong, a)),
        Aligned::Right(b) => right_only.push(line(&right, b)),
    })
    .expect("they replay");
    // Turn 2 of the wrong run adds the third element: the same step, with another value.
    let added_wrong = on_line(&wrong, name, "added");
    assert_eq!(added_wrong.len(), 2);
    assert_eq!(pairs.get(&added[0].0), Some(&added_wrong[0].0));
    assert_eq!(pairs.get(&added[1].0), Some(&added_wrong[1].0));
    assert_eq!(pairs.get(&added[2].0), None);
    let printed = (on_line(&right, name, "printed"), on_line(&wrong, name, "printed"));
    assert_eq!(pairs.get(&printed.0[0].0), Some(&printed.1[0].0));
    let skipped: Vec<u32> = on_line(&wrong, name, "skipped").iter().map(|(at, _)| line(&wrong, *at)).collect();
    assert!(!skipped.is_empty() && skipped.iter().all(|line| left.contains(line)));
    assert!(right_only.contains(&line(&right, added[2].0)));
}

/// What the alignment must be: full indices in tables, compared.
fn check_alignment(left: &Run<'_>, right: &Run<'_>) {
    let (a, b) = (all(left), all(right));
    let by_index: HashMap<&Index, Step> = b.steps.iter().map(|(at, index)| (index, *at)).collect();
    let partners: HashMap<&Index, Step> = a.steps.iter().map(|(at, index)| (index, *at)).collect();
    assert_eq!(by_index.len(), b.steps.len(), "an index twice");
    let expected: Vec<(Step, Option<Step>)> =
        a.steps.iter().map(|(at, index)| (*at, by_index.get(index).copied())).collect();
    let alone: Vec<Step> =
        b.steps.iter().filter(|(_, index)| !partners.contains_key(index)).map(|(at, _)| *at).collect();
    let (mut found, mut found_alone) = (Vec::new(), Vec::new());
    align(left, right, |aligned| match aligned {
        Aligned::Both(a, b) => found.push((a, Some(b))),
        Aligned::Left(a) => found.push((a, None)),
        Aligned::Right(b) => found_alone.push(b),
    })
    .expect("they replay");
    assert!(found == expected, "the left run is aligned otherwise");
    assert!(found_alone == alone, "other steps of the right run are alone");
}

#[test]
fn alignment_is_what_equal_indices_say() {
    for (name, left, right) in [
        ("execution/regions/omitted", "1", "2"),
        ("execution/regions/omitted", "2", "3"),
        ("execution/regions/many_exits", "0", "2"),
        ("execution/regions/list_sum", "0", "1"),
    ] {
        run!(left, name, &[left]);
        run!(right, name, &[right]);
        check_alignment(&left, &right);
        check_alignment(&right, &left);
    }
}

/// Longer runs have more indices than one wants to keep.
const MOST_TICKS: u64 = 300_000;
/// Seeds with such runs; no others are left out.
const LONG_SEEDS: &[u64] =
    &[16, 20, 27, 35, 38, 40, 49, 77, 85, 92, 106, 108, 129, 135, 148, 158, 179, 182, 191, 192, 207, 210, 215, 216];

/// A random program prints a checksum; with an argument also what it is made of.
fn record_random(tools: &Tools, program: &Path, folder: &Path, argument: Option<&str>) -> Recording {
    let path = folder.join(format!("recording{}.flt", argument.unwrap_or_default()));
    let mut command = Command::new(&tools.faultline);
    // Some never end.
    command.args(["record", "--time-limit", "5", "-o"]).arg(&path).arg("--").arg(program).args(argument);
    testkit::run(&mut command, b"", Duration::from_secs(60)).expect("it is recorded");
    Recording::open(&path).expect("a recording")
}

#[test]
fn random_programs_are_aligned_as_equal_indices_say() {
    let seeds = csmith::seeds(5);
    let tools = Tools::find().expect("the staged tools");
    let mut long = Vec::new();
    for seed in seeds.clone() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = csmith::generate_small(seed, folder.path()).expect("a program");
        let program = csmith::build(&tools, &source, Build::Faultline0, folder.path()).expect("it is built");
        let recordings = [None, Some("1")].map(|argument| record_random(&tools, &program, folder.path(), argument));
        let ticks = |recording: &Recording| {
            let stream = recording.stream(main_stream(recording));
            stream.and_then(|stream| stream.last).map_or(0, |last| last.clock)
        };
        if recordings.iter().any(|recording| ticks(recording) > MOST_TICKS) {
            long.push(seed);
            continue;
        }
        let images = recordings.each_ref().map(Image::new);
        let runs = images.each_ref().map(|image| Run::with_windows(image, main_stream(image.recording), 2000));
        let [left, right] = runs.map(|run| run.unwrap_or_else(|error| panic!("seed {seed}: {error}")));
        check_alignment(&left, &right);
        check_alignment(&right, &left);
        println!("seed {seed} holds");
    }
    let expected: Vec<u64> = LONG_SEEDS.iter().copied().filter(|seed| seeds.contains(seed)).collect();
    assert_eq!(long, expected, "programs that were too long");
}

#[test]
fn runs_that_leave_functions_by_every_door_have_indices_in_order() {
    for name in [
        "replay/callbacks",
        "replay/setjmp",
        "replay/signal_raise",
        "replay/exception_through_callback",
        "replay/at_exit",
        "replay/segmentation_fault",
        "transparency/exceptions",
        "transparency/computed_goto",
        "transparency/switches",
        "transparency/gnu_c",
    ] {
        let recorded = record(name, &[]);
        let image = Image::new(&recorded.recording);
        let run = Run::with_windows(&image, main_stream(&recorded.recording), 1000);
        let run = run.unwrap_or_else(|error| panic!("{name}: {error}"));
        let all = all(&run);
        assert!(all.steps.len() > 10, "{name}");
        for pair in all.steps.windows(2) {
            assert!(pair[0].1 < pair[1].1, "{name}: {} and then {}", pair[0].1, pair[1].1);
        }
        check_alignment(&run, &run);
        // Each of some steps is its own partner.
        let indices = Indices::of(&run).expect("it replays");
        for (at, index) in all.steps.iter().step_by(all.steps.len() / 20 + 1) {
            assert_eq!(indices.index_of(*at).expect("it replays").as_ref(), Some(index), "{name}");
            assert_eq!(indices.partner(index).expect("it replays"), Match::Partner(*at), "{name}");
        }
    }
}

/// The comment at the end of each line of a fixture, by line.
fn comments(name: &str) -> HashMap<u32, String> {
    let path = testkit::workspace().join("tests").join(format!("{name}.c"));
    let source = std::fs::read_to_string(path).expect("the source");
    let comment = |line: &str| line.split_once(" // ").map(|(_, comment)| comment.to_string());
    (1..).zip(source.lines()).filter_map(|(number, line)| Some((number, comment(line)?))).collect()
}

/// What is written behind the statement, if it is of the fixture.
fn comment_of(run: &Run<'_>, name: &str, comments: &HashMap<u32, String>, at: Step) -> Option<String> {
    let module = run.functions.module(at.site.function).ok()?;
    let is_own = module.source_file.ends_with(&format!("{name}.c"));
    comments.get(&line(run, at)).filter(|_| is_own).cloned()
}

fn modules<'r>(image: &'r Image<'r>) -> Vec<&'r program::Module> {
    (0..image.module_count()).map(|m| &**image.module(m).expect("a module")).collect()
}

#[test]
fn statements_of_two_versions_are_told_as_kept_changed_added_or_removed() {
    let names = ("execution/regions/version_old", "execution/regions/version_new");
    run!(old, names.0, &[]);
    run!(new, names.1, &[]);
    let (old_modules, new_modules) = (modules(old.image()), modules(new.image()));
    let map = SiteMap::of(&old_modules, &new_modules);
    let comments = (comments(names.0), comments(names.1));
    let said = |run: &Run<'_>, name: &str, comments: &HashMap<u32, String>, function: FunctionKey, instruction| {
        comment_of(run, name, comments, Step { clock: 0, depth: 0, site: function.at(instruction) })
    };
    let (mut changed, mut removed, mut added) = (Vec::new(), Vec::new(), Vec::new());
    for (a, b, functions) in map.functions() {
        let statements = Statements::of(old.functions.function(a));
        for root in statements.roots() {
            let (Some(site), Some(word)) = (functions.site(root), said(&old, names.0, &comments.0, a, root)) else {
                continue;
            };
            assert_eq!(said(&new, names.1, &comments.1, b, site), Some(word));
        }
        changed.extend(functions.changed.iter().filter_map(|c| said(&old, names.0, &comments.0, a, c.0)));
        removed.extend(functions.removed.iter().filter_map(|&r| said(&old, names.0, &comments.0, a, r)));
        added.extend(functions.added.iter().filter_map(|&r| said(&new, names.1, &comments.1, b, r)));
    }
    assert_eq!(changed, ["changed loop", "changed store"]);
    assert_eq!(removed, ["removed"]);
    added.sort();
    assert_eq!(added, ["added count", "added guard", "added wrapping"]);
    let name = |modules: &[&program::Module], key: program::FunctionKey| {
        modules[key.module as usize].function(key.function).name.clone()
    };
    let lost: Vec<String> = map.removed.iter().map(|&key| name(&old_modules, key)).collect();
    assert_eq!(lost, ["obsolete"]);
    let renamed = find_function(&old_modules, "scale_it").and_then(|key| map.function(key)).map(|(new, _)| new);
    assert_eq!(renamed, find_function(&new_modules, "times"));
    assert!(map.added.is_empty());
}

#[test]
fn runs_of_two_versions_are_aligned_beyond_what_was_added() {
    let names = ("execution/regions/version_old", "execution/regions/version_new");
    run!(old, names.0, &[]);
    run!(new, names.1, &[]);
    let map = SiteMap::of(&modules(old.image()), &modules(new.image()));
    let comments = (comments(names.0), comments(names.1));
    let (mut both, mut left, mut right) = (HashMap::new(), HashMap::new(), HashMap::new());
    let count = |table: &mut HashMap<String, u32>, comment: Option<String>| {
        if let Some(comment) = comment {
            *table.entry(comment).or_insert(0) += 1;
        }
    };
    align_versions(&old, &new, &map, |aligned| match aligned {
        Aligned::Both(a, b) => {
            let comment = comment_of(&old, names.0, &comments.0, a);
            assert_eq!(comment, comment_of(&new, names.1, &comments.1, b));
            count(&mut both, comment);
        }
        Aligned::Left(a) => count(&mut left, comment_of(&old, names.0, &comments.0, a)),
        Aligned::Right(b) => count(&mut right, comment_of(&new, names.1, &comments.1, b)),
    })
    .expect("they replay");
    // Five turns in the old version, six in the new one; the sixth has no partner.
    let expected = [
        ("changed loop", 2 * 5 + 1 + 1),
        ("kept call", 5),
        ("kept check", 1),
        ("kept compute", 2),
        ("kept in add", 5),
        ("kept limit", 2),
        ("kept odd", 2),
        ("kept print", 2),
        ("kept product", 3),
        ("kept return", 1),
    ];
    let sorted = |table: HashMap<String, u32>| {
        let mut all: Vec<(String, u32)> = table.into_iter().collect();
        all.sort();
        all
    };
    let owned: Vec<(String, u32)> = expected.iter().map(|(word, n)| (word.to_string(), *n)).collect();
    assert_eq!(sorted(both), owned);
    assert_eq!(sorted(left), [("removed".to_string(), 5)]);
    let right = sorted(right);
    assert!(right.contains(&("added count".to_string(), 6)), "{right:?}");
    assert!(right.contains(&("kept call".to_string(), 1)), "{right:?}");
}
