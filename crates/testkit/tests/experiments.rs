//! Experiments do what they say: a run with something changed is the same run whether it is forked, started anew,
//! begun at a checkpoint or recorded; its recording replays exactly.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use abi::StreamId;
use budget::Budget;
use execution::Run;
use execution::predicates::{Predicate, predicates};
use experiment::{
    Case, Change, End, Intervention, Lab, LabError, Limits, Opening, Oracle, Outcome, Remembered, oracle_by_reference,
};
use findings::Limit;
use program::Op;
use recording::Recording;
use replay::{Image, Observed, Observer, replay};
use techniques::{Means, Notebook, with_subject};
use tempfile::TempDir;
use testkit::{Tools, workspace};

struct Subject {
    folder: TempDir,
    program: PathBuf,
}

fn compile(source: &Path) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = folder.path().join("program");
    let built = Command::new(&tools.cc).args(["-g", "-w", "-O2"]).arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("faultline-cc runs").success());
    Subject { folder, program }
}

fn fixture(name: &str) -> Subject {
    compile(&workspace().join("tests/experiments").join(name))
}

fn inline(text: &str) -> Subject {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("it can be written");
    compile(&source)
}

fn case(subject: &Subject, input: &str) -> Case {
    Case::new(&subject.program, Vec::new()).expect("a program").with_input(input.as_bytes().to_vec())
}

fn expecting(output: &str) -> Oracle {
    Oracle { output: Some(output.as_bytes().to_vec()), ..Oracle::default() }
}

fn open(case: Case, oracle: Oracle) -> Lab {
    Lab::open(case, oracle, Limits::default()).expect("the case fails")
}

/// All predicates of the failing run, and which of them are plain branches.
fn predicates_of(lab: &Lab) -> Vec<(Predicate, bool)> {
    let recording = Recording::open(&lab.baseline().recording).expect("it can be read");
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN).expect("it replays");
    let found = predicates(&run, usize::MAX).expect("it replays");
    assert_eq!(found.total, found.steps.len() as u64);
    let is_branch = |p: &Predicate| {
        let op = &run.functions.instruction(p.at.site).op;
        matches!(op, Op::Branch { .. })
    };
    found.steps.into_iter().map(|p| (p, is_branch(&p))).collect()
}

fn switched(predicate: &Predicate) -> Vec<Intervention> {
    vec![Intervention { clock: predicate.at.clock, change: Change::Switch }]
}

/// The recording replays to its end without departing.
fn assert_replays(path: &Path) {
    let recording = Recording::open(path).expect("it can be read");
    let image = Image::new(&recording);
    for stream in recording.streams().iter().filter(|stream| stream.parent.is_none()) {
        replay::replay_unobserved(&image, stream.id).expect("it replays");
    }
}

#[test]
fn a_switched_run_is_the_same_forked_and_recorded() {
    let subject = fixture("many_kinds.c");
    let lab = open(case(&subject, ""), Oracle::default());
    let branches: Vec<_> = predicates_of(&lab).into_iter().filter(|(_, is_branch)| *is_branch).collect();
    assert!(branches.len() > 30, "{} branches", branches.len());
    for (predicate, _) in branches {
        let experiment = switched(&predicate);
        let forked = lab.run(&experiment).expect("it runs");
        let (recorded, path) = lab.record(&experiment).expect("it is recorded");
        assert_eq!((forked.obeyed, recorded.obeyed), (1, 1), "{predicate:?}");
        let outcomes = [&forked, &recorded].map(|ran| (ran.end, String::from_utf8_lossy(&ran.output).into_owned()));
        if !matches!(forked.end, End::Budget | End::TooLong) {
            assert_eq!(outcomes[0], outcomes[1], "{predicate:?}");
        }
        assert_replays(&path);
    }
}

#[test]
fn what_a_run_said_before_it_was_ended_is_known_but_not_written() {
    let subject = fixture("last_words.c");
    let lab = open(case(&subject, "7"), expecting("first\nsecond\n"));
    assert_eq!(lab.baseline().ran.output, b"first\n");
    let mut ends = Vec::new();
    for (predicate, _) in predicates_of(&lab) {
        let experiment = switched(&predicate);
        let forked = lab.run(&experiment).expect("it runs");
        let (recorded, path) = lab.record(&experiment).expect("it is recorded");
        for ran in [&forked, &recorded] {
            let said = String::from_utf8_lossy(&ran.shown()).into_owned();
            assert_eq!((ran.output.len(), said.as_str()), (0, "first\nsecond\n"), "{predicate:?}");
            assert_eq!(lab.judge(&experiment, ran).expect("it is judged"), Outcome::FailsLater);
        }
        ends.push((forked.end, recorded.end));
        assert_replays(&path);
    }
    let [segment, abort] = [libc::SIGSEGV, libc::SIGABRT].map(|signal| (End::Killed(signal), End::Killed(signal)));
    assert_eq!(ends, [segment, abort, segment, segment, (End::Budget, End::TooLong)]);
}

#[test]
fn a_switch_that_repairs_is_found() {
    let subject = fixture("middle.c");
    let lab = open(case(&subject, "3 1 2\n2 1 3\n"), expecting("2\n2\n"));
    let all = predicates_of(&lab);
    let experiments: Vec<_> = all.iter().filter(|(_, is_branch)| *is_branch).map(|(p, _)| switched(p)).collect();
    let mut repairing = Vec::new();
    let tried = lab.try_all(&experiments, |position, outcome| {
        if outcome == Outcome::Passes {
            repairing.push(position);
        }
        ControlFlow::Continue(())
    });
    let tried = tried.expect("they run");
    assert_eq!((tried.count, tried.runs), (experiments.len(), experiments.len()));
    // No choice gives `x` here but the one in the other part, which is not reached by one switch.
    assert_eq!(repairing, Vec::<usize>::new());
    // Again: nothing has to be run.
    let again = lab.try_all(&experiments, |_, _| ControlFlow::Continue(())).expect("they are known");
    assert_eq!((again.count, again.runs), (experiments.len(), 0));
}

#[test]
fn a_replaced_value_repairs_the_middle() {
    let subject = fixture("middle.c");
    let lab = open(case(&subject, "2 1 3\n"), expecting("2\n"));
    let mut repairs = Vec::new();
    for clock in 1..=lab.baseline().clock {
        let experiment = vec![Intervention { clock, change: Change::Replace(2) }];
        let ran = lab.run(&experiment).expect("it runs");
        if lab.judge(&experiment, &ran).expect("it can be judged") == Outcome::Passes {
            let (recorded, path) = lab.record(&experiment).expect("it is recorded");
            assert_eq!(recorded.output, b"2\n");
            assert_replays(&path);
            repairs.push(clock);
        }
    }
    // The wrong assignment, and what it is passed on by.
    assert!(!repairs.is_empty());
}

#[test]
fn the_same_plan_has_the_same_outcome_a_hundred_times() {
    let subject = fixture("many_kinds.c");
    let lab = open(case(&subject, ""), Oracle::default());
    let all = predicates_of(&lab);
    let branches: Vec<_> = all.iter().filter(|(_, is_branch)| *is_branch).collect();
    for (predicate, _) in [branches[0], branches[branches.len() / 2], branches[branches.len() - 1]] {
        let first = lab.run(&switched(predicate)).expect("it runs");
        for _ in 0..100 {
            let next = lab.run(&switched(predicate)).expect("it runs");
            assert_eq!((next.end, &next.output, &next.error), (first.end, &first.output, &first.error));
        }
    }
}

#[test]
fn what_passes_is_no_case() {
    let subject = fixture("middle.c");
    let opened = Lab::open(case(&subject, "1 2 3\n"), expecting("2\n"), Limits::default());
    assert!(matches!(opened, Err(LabError::DoesNotFail(_))));
}

#[test]
fn a_program_that_changes_its_mind_is_flaky() {
    let subject = inline(
        r#"#include <stdio.h>
        #include <stdlib.h>
        int main(void) {
            FILE *source = fopen("/dev/urandom", "r");
            unsigned number;
            fread(&number, sizeof number, 1, source);
            printf("%u\n", number);
            return 1;
        }"#,
    );
    let opened = Lab::open(case(&subject, ""), Oracle { status: Some(0), ..Oracle::default() }, Limits::default());
    match opened {
        Err(LabError::Flaky(what)) => assert!(what.contains("standard output differs"), "{what}"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it is not noticed"),
    }
    drop(subject.folder);
}

/// Long enough that runs begin at checkpoints; reads its input all the way, and fails at the end.
const LONG: &str = r#"#include <stdio.h>
    int main(void) {
        unsigned long hash = 5381;
        int c, lines = 0;
        while ((c = getchar()) != EOF) {
            for (int i = 0; i < 2000; i++)
                hash = hash * 33 ^ (unsigned)c;
            if (c == '\n') {
                lines++;
                printf("%d %lx\n", lines, hash & 0xff);
                if (lines % 50 == 0)
                    fflush(stdout);
            }
        }
        return lines > 100;
    }"#;

#[test]
fn runs_from_a_checkpoint_are_the_same() {
    let subject = inline(LONG);
    let input: String = (0..300).map(|line| format!("line {line}\n")).collect();
    let oracle = || Oracle { status: Some(0), ..Oracle::default() };
    let lab = open(case(&subject, &input), oracle());
    assert!(lab.baseline().ran.processor_time.as_millis() >= 3, "{:?}", lab.baseline().ran.processor_time);
    let all = predicates_of(&lab);
    // The last of them: a batch begins at the earliest of its clocks.
    let chosen: Vec<_> = all.iter().rev().step_by(9973).take(60).map(|(p, _)| switched(p)).collect();
    let mut late = vec![None; chosen.len()];
    let tried = lab.try_all(&chosen, |position, outcome| {
        late[position] = Some(outcome);
        ControlFlow::Continue(())
    });
    assert_eq!(tried.expect("they run").runs, chosen.len());
    for (experiment, late) in chosen.iter().zip(late) {
        let whole = lab.run(experiment).expect("it runs");
        assert_eq!(late, Some(lab.judge(experiment, &whole).expect("it can be judged")));
    }
    let checkpoint_output = lab.run_from_checkpoint(&chosen[0]).expect("it runs").output;
    assert_eq!(checkpoint_output, lab.run(&chosen[0]).expect("it runs").output);
}

/// Every case of `tests/locate/switch`, by name, in a lab of its own.
fn each_located_case(mut look: impl FnMut(&str, &Lab)) {
    let folder = workspace().join("tests/locate/switch");
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("cases").map(|e| e.expect("a case").path()).collect();
    cases.sort();
    assert!(cases.len() >= 10, "{} cases", cases.len());
    for folder in cases {
        let subject = compile(&folder.join("program.c"));
        let case = Case::new(&subject.program, Vec::new()).expect("a program");
        let case = case.with_input_file(&folder.join("input")).expect("input");
        let oracle = Oracle { output: std::fs::read(folder.join("expected")).ok(), ..Oracle::default() };
        let limits = Limits { time: Duration::from_secs(1), ..Limits::default() };
        look(&folder.display().to_string(), &Lab::open(case, oracle, limits).expect("the case fails"));
    }
}

#[test]
fn every_case_has_one_outcome_a_hundred_times() {
    each_located_case(|name, lab| {
        let all = predicates_of(lab);
        let branches: Vec<_> = all.iter().filter(|(_, is_branch)| *is_branch).collect();
        let experiment = switched(&branches[branches.len() / 2].0);
        let first = lab.run(&experiment).expect("it runs");
        for _ in 0..100 {
            let next = lab.run(&experiment).expect("it runs");
            assert_eq!((next.end, &next.output, &next.error), (first.end, &first.output, &first.error), "{name}");
        }
    });
}

/// Counts, in one go over the run, the ways in which predicates did not go.
struct Ways<'a, 'r> {
    run: &'a Run<'r>,
    count: usize,
}

impl Observer for Ways<'_, '_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        let at = step.step();
        if self.run.functions.is_twin(at.site.function) {
            return;
        }
        self.count += match &step.instruction().op {
            Op::Branch { .. } => 1,
            Op::Switch { cases, default, .. } => {
                let targets: HashSet<_> = cases.iter().map(|(_, to)| *to).chain([*default]).collect();
                targets.len() - 1
            }
            _ => 0,
        };
    }
}

#[test]
fn all_predicates_are_switched_or_the_limit_is_told() {
    each_located_case(|name, lab| {
        let (budget, notebook) = (Budget::of(Duration::from_secs(10)), Notebook::default());
        let (expected, switched) = with_subject(lab, Means::within(&budget, &notebook), |subject| {
            let ways = Ways { run: subject.run, count: 0 };
            let (_, ways) = replay(subject.run.image(), subject.run.stream, ways)?;
            Ok((ways.count, techniques::switch::switch_all(subject)?))
        })
        .expect("it can be looked at");
        let is_limited = switched.limits.iter().any(|limit| matches!(limit, Limit::LastEvaluations { .. }));
        assert!(switched.candidates == expected || is_limited, "{name}: of {expected} {switched:?}");
        assert!(switched.tried == switched.candidates || budget.is_over(), "{name}: {switched:?}");
    });
}

#[test]
fn outcomes_are_remembered_for_the_same_case_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let subject = fixture("middle.c");
    let try_all = |input: &str, output: &str| {
        let (case, oracle, limits) = (case(&subject, input), expecting(output), Limits::default());
        let remembered = Remembered::open(folder.path(), &case, &oracle, &limits);
        let lab = Opening { remembered, ..Opening::of(case, oracle, limits) }.open().expect("the case fails");
        let all = predicates_of(&lab);
        let experiments: Vec<_> = all.iter().filter(|(_, is_branch)| *is_branch).map(|(p, _)| switched(p)).collect();
        let mut outcomes = vec![None; experiments.len()];
        let tried = lab.try_all(&experiments, |position, outcome| {
            outcomes[position] = Some(outcome);
            ControlFlow::Continue(())
        });
        (outcomes, tried.expect("they run").runs)
    };
    let (first, runs) = try_all("2 1 3\n", "2\n");
    assert_eq!(runs, first.len());
    assert_eq!(try_all("2 1 3\n", "2\n"), (first.clone(), 0), "the same again");
    assert_ne!(try_all("2 1 3\n", "3\n").1, 0, "another oracle");
    assert_ne!(try_all("2 1 4\n", "2\n").1, 0, "another input");
    for file in std::fs::read_dir(folder.path()).expect("files") {
        let path = file.expect("a file").path();
        let mut bytes = std::fs::read(&path).expect("it can be read");
        *bytes.last_mut().expect("bytes") ^= 1;
        std::fs::write(&path, bytes).expect("it can be written");
    }
    assert_eq!(try_all("2 1 3\n", "2\n"), (first, runs), "what is damaged is not believed");
}

#[test]
fn nothing_is_remembered_of_a_run_that_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    // The program finds the file by itself: no argument names it.
    let file = folder.path().join("settings");
    let subject = inline(&format!(
        r#"#include <stdio.h>
        int main(void) {{
            int c, count = 0;
            FILE *file = fopen("{}", "r");
            while ((c = getc(file)) != EOF)
                if (c == 'x')
                    count++;
            return count > 2;
        }}"#,
        file.display()
    ));
    let cache = folder.path().join("cache");
    let runs = |contents: &str| {
        std::fs::write(&file, contents).expect("it can be written");
        let (case, oracle) = (case(&subject, ""), Oracle { status: Some(0), ..Oracle::default() });
        let remembered = Remembered::open(&cache, &case, &oracle, &Limits::default());
        let opening = Opening { remembered, ..Opening::of(case, oracle, Limits::default()) };
        let lab = opening.open().expect("the case fails");
        let experiments: Vec<_> = predicates_of(&lab).iter().map(|(p, _)| switched(p)).collect();
        (experiments.len(), lab.try_all(&experiments, |_, _| ControlFlow::Continue(())).expect("they run").runs)
    };
    let (experiments, first) = runs("xaxbxc");
    assert_eq!(first, experiments);
    assert_eq!(runs("xaxbxc").1, 0);
    let (experiments, changed) = runs("axxbxxc");
    assert_eq!(changed, experiments);
}

/// What was never assigned is one and the same in the recorded run and in those of experiments: the runtime leaves no
/// traces on the program's stack.
#[test]
fn values_that_were_never_assigned_are_the_same_in_every_run() {
    let programs = [
        "static int f(int x) { if (x > 3) return x; }\nint main(void) { printf(\"%d\\n\", f(1)); return 1; }",
        "static int f(void) { int s; for (int i = 0; i < 3; i++) s += i; return s; }\n\
         int main(void) { printf(\"%d\\n\", f()); return 1; }",
        "struct pair { int a, b; };\nstatic struct pair f(void) { struct pair p; p.a = 1; return p; }\n\
         int main(void) { printf(\"%d\\n\", f().b); return 1; }",
        "static int f(void) { int *p = malloc(64), sum = p[4] + p[9]; free(p); return sum; }\n\
         int main(void) { printf(\"%d\\n\", f()); return 1; }",
    ];
    for program in programs {
        let subject = inline(&format!("#include <stdio.h>\n#include <stdlib.h>\n{program}\n"));
        let lab = Lab::open(case(&subject, ""), Oracle { status: Some(0), ..Oracle::default() }, Limits::default());
        assert!(lab.is_ok(), "{program}\n{:?}", lab.err());
    }
}

/// Arrays are as large as what functions of the library leave on the stack, our own values among them: they are filled.
#[test]
fn arrays_that_were_never_assigned_are_the_same_in_every_run() {
    let programs = [
        "int sum(void) { char b[400]; int s = 0; for (int i = 0; i < 400; i++) s += b[i]; return s; }",
        "int sum(void) { long b[90]; long s = 0; b[7] = 1; for (int i = 0; i < 90; i++) s ^= b[i]; return (int)s; }",
        "int sum(void) { struct { int n; char t[300]; } b; b.n = 0; for (int i = 0; i < 300; i++) b.n += b.t[i]; return b.n; }",
        "int main(int, char **);\n\
         int sum(void) { int n = 100 + !main; char b[n]; int s = 0; for (int i = 0; i < n; i++) s += b[i]; return s; }",
    ];
    for program in programs {
        let main =
            r#"int main(int argc, char **argv) { printf("%s %d\n", argv[0], argc); printf("%d\n", sum()); return 1; }"#;
        let subject = inline(&format!("#include <stdio.h>\n{program}\n{main}\n"));
        let oracle = Oracle { status: Some(0), ..Oracle::default() };
        let lab = Lab::open(case(&subject, ""), oracle, Limits::default());
        let lab = lab.unwrap_or_else(|error| panic!("{program}\n{error}"));
        assert_eq!(lab.fills_locals(), Some(abi::UNASSIGNED), "{program}");
        assert_replays(&lab.baseline().recording);
        let (recorded, _) = lab.record(&[]).expect("it runs");
        for _ in 0..10 {
            assert_eq!(lab.run(&[]).expect("it runs").output, recorded.output, "{program}");
        }
    }
}

/// Some programs write the age of a file down (gzip) or act on it (make): it is what it is outside, in every run.
#[test]
fn files_are_as_old_in_every_run_as_outside() {
    let subject = inline(
        r#"#include <stdio.h>
        #include <sys/stat.h>
        int main(void) {
            struct stat input, file, inner;
            if (fstat(0, &input) || stat("data", &file) || stat("inner", &inner))
                return 2;
            printf("%ld %ld %ld\n", (long)input.st_mtime, (long)file.st_mtime, (long)inner.st_mtime);
            return 1;
        }"#,
    );
    let (input, directory) = (subject.folder.path().join("input"), subject.folder.path().join("files"));
    std::fs::create_dir(&directory).expect("a directory");
    for (path, age) in [(&input, 1_000_000_000), (&directory.join("data"), 900_000_000)] {
        let file = std::fs::File::create(path).expect("a file");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(age)).expect("it can be old");
    }
    let inner = directory.join("inner");
    std::fs::create_dir(&inner).expect("a directory");
    std::fs::write(inner.join("file"), "contents").expect("a file");
    let opened = std::fs::File::open(&inner).expect("it is there");
    opened.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(800_000_000)).expect("it can be old");
    let plain = case(&subject, "").with_input_file(&input).expect("input").with_files(&directory).expect("files");
    let right = oracle_by_reference(&subject.program, &plain, Duration::from_secs(10)).expect("it runs");
    let lab = open(plain, Oracle { status: Some(0), ..Oracle::default() });
    let expected = "1000000000 900000000 800000000\n";
    assert_eq!(String::from_utf8_lossy(&right.output.expect("output")), expected);
    assert_eq!(String::from_utf8_lossy(&lab.baseline().ran.output), expected);
    assert_eq!(String::from_utf8_lossy(&lab.run(&[]).expect("it runs").output), expected);
}
