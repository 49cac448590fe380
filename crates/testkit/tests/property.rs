//! The property of a failure: it is false of the failing run, and under values that a solver finds for it, the program is right;
//! whether the values are the input's, or those of a step in the middle of the run, which are put into it.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use abi::StreamId;
use execution::{Run, Window};
use experiment::{Case, Change, End, Input, Intervention, Lab, Limits, Oracle, Outcome, Ran};
use failure::{Failure, Question, by_itself, wrong_output};
use program::Op;
use recording::Recording;
use replay::{Image, Observed, Observer, Step};
use symbolic::{Expected, Found, Name, Property, Reason, Shadow, Shadowed, Stated, Turned, Turner, Unstated};
use tempfile::TempDir;
use testkit::Tools;

/// A program in its lab.
struct Subject {
    lab: Lab,
    output: Option<Vec<u8>>,
    status: i32,
    _folder: TempDir,
}

fn subject(source: &str, input: &[u8], oracle: Oracle) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let (file, program): (PathBuf, PathBuf) = (folder.path().join("program.c"), folder.path().join("program"));
    std::fs::write(&file, source).expect("it can be written");
    let mut command = Command::new(&tools.cc);
    command.args(["-g", "-w"]).arg(&file).arg("-o").arg(&program);
    assert!(command.status().expect("faultline-cc runs").success());
    let case = Case::new(&program, Vec::new()).expect("a program").with_input(input.to_vec());
    let (output, status) = (oracle.output.clone(), oracle.status.unwrap_or(0));
    let limits = Limits { time: Duration::from_secs(1), workers: 1, ..Limits::default() };
    let lab = Lab::open(case, oracle, limits).expect("it fails");
    Subject { lab, output, status, _folder: folder }
}

impl Subject {
    fn expected<'a>(&'a self) -> Expected<'a> {
        let found = &self.lab.baseline().ran.output;
        Expected { found, output: self.output.as_deref(), status: self.status }
    }

    fn question(&self, run: &Run<'_>) -> Question {
        match (&self.output, self.lab.baseline().ran.end) {
            (Some(output), End::Exited(_)) => wrong_output(run, &self.lab.baseline().ran.output, output),
            _ => by_itself(run),
        }
        .expect("it fails")
    }

    /// Replays the failing run, in windows of a few ticks.
    fn look<T>(&self, look: impl FnOnce(&Run<'_>, &Question, &Property) -> T) -> T {
        let recording = Recording::open(&self.lab.baseline().recording).expect("it can be read");
        let image = Image::new(&recording);
        let run = Run::with_windows(&image, StreamId::MAIN, 8).expect("it replays");
        let question = self.question(&run);
        let property = Property::of(&run, &question, self.expected()).expect("a property");
        look(&run, &question, &property)
    }

    /// Of the whole run, whose input is symbolic.
    fn by_input(&self, look: impl FnOnce(&Question, &Shadowed, Result<Stated, Unstated>)) {
        self.look(|run, question, property| {
            let standard = symbolic::Input { name: Name::Standard, content: self.lab.case().input.to_vec() };
            let limits = symbolic::Limits::default();
            let mut shadow = Shadow::new(&run.functions, std::iter::empty(), vec![standard], limits);
            property.watch(&mut shadow);
            let (_, shadow) = run.replay_from(Window(0), shadow).expect("it replays");
            let shadowed = shadow.finish();
            is_right(&shadowed);
            look(question, &shadowed, property.stated(&shadowed));
        });
    }

    /// Runs the program on an input that a solver found for P.
    fn is_repaired_by_input(&self) {
        self.by_input(|question, shadowed, stated| {
            let found = solved(shadowed, stated.expect("P"));
            let standard = found.inputs.iter().find(|input| input.name == Name::Standard).expect("it has one");
            let input = Input::of(self.lab.case(), &[]).expect("an input").with_stdin(standard.content.clone());
            let ran = self.lab.run_input(&input, &[]).expect("it runs");
            self.is_right_now(question, &ran);
        });
    }

    fn is_right_now(&self, question: &Question, ran: &Ran) {
        let text = String::from_utf8_lossy(&ran.output);
        match &question.failure {
            Failure::WrongByte { byte, .. } => {
                let until = *byte as usize + 1;
                let wanted = &self.output.as_deref().expect("an output")[..until];
                assert_eq!(ran.output.get(..until), Some(wanted), "{text}");
            }
            Failure::Status { .. } => assert_eq!(ran.end, End::Exited(self.status), "{text}"),
            _ => assert!(matches!(ran.end, End::Exited(_)), "{:?}, {text}", ran.end),
        }
    }

    /// Makes the value of a step a symbol, from the window before it on; puts the value into the run that a solver finds for P.
    fn is_repaired_by_value(&self, wanted: impl Fn(&Observed<'_>) -> bool) {
        self.look(|run, _, property| {
            let step = steps(run, wanted).last().copied().expect("such a step");
            let window = run.window_at(step.clock);
            assert!(window > Window(0), "it is in the middle of the run");
            let shadowed = by_step(run, window, property, step);
            let found = solved(&shadowed, property.stated(&shadowed).expect("P"));
            let [(changed, value)] = found.fresh[..] else { panic!("one value: {:?}", found.fresh) };
            assert_eq!(changed, step);
            let change = Change::Replace(value as u64);
            let experiment = vec![Intervention { clock: step.clock, change }];
            let mut outcomes = Vec::new();
            let tried = self.lab.try_all(std::slice::from_ref(&experiment), |_, outcome| {
                outcomes.push(outcome);
                ControlFlow::Continue(())
            });
            tried.expect("it runs");
            assert_eq!(outcomes, [Outcome::Passes], "with {value:#x} instead at {step:?}");
        });
    }
}

fn is_right(shadowed: &Shadowed) {
    assert_eq!(shadowed.lost.wrong(), 0, "{:?}", shadowed.lost);
    let forced = shadowed.path.conditions.iter().filter(|condition| condition.forced).count();
    assert_eq!(forced, 0, "conditions that do not hold");
}

fn by_step(run: &Run<'_>, window: Window, property: &Property, step: Step) -> Shadowed {
    let mut shadow = Shadow::from_window(run, window, symbolic::Limits::default());
    shadow.make_fresh(step);
    property.watch(&mut shadow);
    let (_, shadow) = run.replay_from(window, shadow).expect("it replays");
    let shadowed = shadow.finish();
    is_right(&shadowed);
    assert!(shadowed.fresh.contains_key(&step), "it has a symbol");
    shadowed
}

fn solved(shadowed: &Shadowed, stated: Stated) -> Found {
    assert_eq!(shadowed.domain.value(stated.holds), 0, "P is false of the failing run");
    let mut turner = Turner::new(shadowed, smt::Limits::default());
    match turner.satisfy(stated.before, &[stated.holds], &|| false) {
        Turned::To(found) => found,
        other => panic!("no values: {other:?}"),
    }
}

/// The steps that are meant.
fn steps(run: &Run<'_>, is_meant: impl Fn(&Observed<'_>) -> bool) -> Vec<Step> {
    struct Finder<F> {
        is_meant: F,
        found: Vec<Step>,
    }
    impl<F: Fn(&Observed<'_>) -> bool> Observer for Finder<F> {
        fn step(&mut self, step: &Observed<'_>) {
            if (self.is_meant)(step) {
                self.found.push(step.step());
            }
        }
    }
    run.replay_from(Window(0), Finder { is_meant, found: Vec::new() }).expect("it replays").1.found
}

fn line(step: &Observed<'_>) -> u32 {
    step.instruction().location.map_or(0, |location| location.line)
}

/// A store on this line of the source.
fn stores_on(at: u32) -> impl Fn(&Observed<'_>) -> bool {
    move |step| line(step) == at && matches!(step.instruction().op, Op::Store { .. })
}

fn chooses_on(at: u32) -> impl Fn(&Observed<'_>) -> bool {
    move |step| line(step) == at && matches!(step.instruction().op, Op::Branch { .. } | Op::Switch { .. })
}

fn output(text: &str) -> Oracle {
    Oracle { output: Some(text.into()), ..Oracle::default() }
}

#[test]
fn a_wrong_byte() {
    let source =
        "#include <stdio.h>\nint main(void) { int c = getchar() - '0'; puts(\"so:\"); printf(\"%d!\\n\", 2 * c); }";
    subject(source, b"3", output("so:\n8!\n")).is_repaired_by_input();
}

#[test]
fn a_wrong_byte_behind_others_that_must_stay() {
    let source =
        "#include <stdio.h>\nint main(void) { char b[4]; fread(b, 1, 4, stdin); b[2] ^= b[0] & 1; putchar(b[0]);
        putchar(b[1]); fwrite(b + 2, 1, 2, stdout); }";
    let subject = subject(source, b"acbd", output("acZd"));
    subject.by_input(|_, shadowed, stated| {
        let found = solved(shadowed, stated.expect("P"));
        assert_eq!(found.inputs[0].content[..2], *b"ac", "what was right stays");
    });
    subject.is_repaired_by_input();
}

#[test]
fn output_that_is_missing() {
    let source = "#include <stdio.h>\nint main(void) { int c = getchar(); putchar(c); puts(\"read\");
        if (c > 'p') puts(\"large\"); return 0; }";
    subject(source, b"r", output("rread\nlarge\nmore\n")).is_repaired_by_nothing();
    subject(source, b"a", output("aread\nlarge\n")).is_contradicted_by_what_was_right();
    let source = "#include <stdio.h>\nint main(void) { int c = getchar(); puts(\"read\"); if (c > 'p') puts(\"large\"); return 0; }";
    subject(source, b"a", output("read\nlarge\n")).is_repaired_by_input();
}

impl Subject {
    /// The last choice that could have written went the way that writes; more is nobody's to write.
    fn is_repaired_by_nothing(&self) {
        let recording = Recording::open(&self.lab.baseline().recording).expect("it can be read");
        let image = Image::new(&recording);
        let run = Run::new(&image, StreamId::MAIN).expect("it replays");
        let found = &self.lab.baseline().ran.output;
        let question = wrong_output(&run, found, self.output.as_deref().expect("an output"));
        assert!(matches!(question, Err(failure::FailureError::NobodyToWrite)), "{question:?}");
    }

    /// The byte that was written before must stay what it was, so nothing can be missing.
    fn is_contradicted_by_what_was_right(&self) {
        self.by_input(|_, shadowed, stated| {
            let stated = stated.expect("P");
            assert_eq!(shadowed.domain.value(stated.holds), 0);
            let mut turner = Turner::new(shadowed, smt::Limits::default());
            let turned = turner.satisfy(stated.before, &[stated.holds], &|| false);
            assert!(matches!(turned, Turned::Never(_)), "{turned:?}");
        });
    }
}

#[test]
fn an_index_out_of_its_object() {
    let global =
        "#include <stdio.h>\nint table[16]; int main(void) { int i = getchar(); table[i * 40000] = 1; return 0; }";
    let local =
        "#include <stdio.h>\nint main(void) { char b[8]; int i = getchar() - '2'; b[i << 24] = 1; return b[0] & 0; }";
    let heap = "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { free(malloc(9)); long *p = malloc(80);
        long *q = p + (getchar() - 'a') * 1000000L; long x = *q; return x & 0; }";
    for source in [global, local, heap] {
        subject(source, b"9", Oracle::default()).is_repaired_by_input();
    }
}

#[test]
fn a_pointer_that_the_path_decided() {
    let source = "#include <stdio.h>\nint g; int main(void) { int *p = &g; if (getchar() > 'm') p = 0; return *p; }";
    subject(source, b"x", Oracle::default()).by_input(|_, _, stated| assert_eq!(stated, Err(Unstated::Concrete)));
}

#[test]
fn a_division() {
    let by_zero =
        "#include <stdio.h>\nint main(void) { int c = getchar(); printf(\"%d\\n\", 100 / (c - '5')); return 0; }";
    let remainder = "#include <stdio.h>\nint main(void) { unsigned c = getchar(); return 100 % (c & 3) & 0; }";
    let least =
        "#include <stdio.h>\n#include <limits.h>\nint main(void) { int c = getchar() - '6'; return INT_MIN / c & 0; }";
    for (source, input) in [(by_zero, b"5"), (remainder, b"4"), (least, b"5")] {
        subject(source, input, Oracle::default()).is_repaired_by_input();
    }
}

#[test]
fn an_assertion() {
    let plain = "#include <stdio.h>\n#include <assert.h>\nint main(void) { int x = getchar(); puts(\"in\"); assert(x != 'q'); return 0; }";
    let called = "#include <stdio.h>\n#include <stdlib.h>\nstatic void die(void) { puts(\"bad\"); abort(); }
        static void check(int x) { if (x * 3 == 3 * '7') die(); } int main(void) { check(getchar()); return 0; }";
    let chosen =
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { switch (getchar()) { case 'a': case 'b': abort();
        case 'c': return 0; case 'd': abort(); default: return 0; } }";
    for (source, input) in [(plain, b"q"), (called, b"7"), (chosen, b"b")] {
        subject(source, input, Oracle::default()).is_repaired_by_input();
    }
}

#[test]
fn a_status() {
    let returned = "#include <stdio.h>\nint main(void) { int c = getchar(); return c * 2 - 100; }";
    let exited =
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { unsigned char c = getchar(); exit(c ^ 0x155); }";
    for source in [returned, exited] {
        for status in [0, 4] {
            subject(source, b"a", Oracle { status: Some(status), ..Oracle::default() }).is_repaired_by_input();
        }
    }
}

#[test]
fn a_hang() {
    let source =
        "#include <stdio.h>\nint main(void) { int c = getchar(); int turns = 0; while (c != 'x') turns++; return 0; }";
    subject(source, b"a", Oracle::default()).is_repaired_by_input();
}

const MIDDLE: &str = "#include <stdio.h>
int main(void) {
    int x, y, z, m;
    volatile int turns = 0;
    for (int i = 0; i < 30; i++) turns++;
    scanf(\"%d %d %d\", &x, &y, &z);
    m = y;
    turns = m;
    if (x < y) turns++;
    printf(\"%d\\n\", m + 0 * turns);
    return 0;
}
";

#[test]
fn an_integer_that_is_stored() {
    subject(MIDDLE, b"2 1 3", output("2\n")).is_repaired_by_value(stores_on(7));
}

#[test]
fn a_pointer_that_is_stored() {
    let source = "#include <stdlib.h>
struct pair { int a, b; };
int main(void) {
    struct pair *p, *spare = malloc(sizeof *spare);
    volatile int turns = 0;
    for (int i = 0; i < 30; i++) turns++;
    p = turns > 7 ? 0 : spare;
    p->b = 5;
    return 0;
}
";
    subject(source, b"", Oracle::default()).is_repaired_by_value(stores_on(7));
}

#[test]
fn a_truth_that_is_stored() {
    let source = "#include <assert.h>
#include <stdbool.h>
int main(void) {
    volatile int turns = 0;
    for (int i = 0; i < 30; i++) turns++;
    bool is_fine = turns > 40;
    assert(is_fine);
    return 0;
}
";
    subject(source, b"", Oracle::default()).is_repaired_by_value(stores_on(6));
}

#[test]
fn what_a_branch_goes_by() {
    let source = "#include <stdlib.h>
int main(void) {
    volatile int turns = 0;
    for (int i = 0; i < 30; i++) turns++;
    if (turns > 20)
        abort();
    return 0;
}
";
    subject(source, b"", Oracle::default()).is_repaired_by_value(chooses_on(5));
}

#[test]
fn what_a_switch_goes_by() {
    let source = "#include <stdlib.h>
int main(void) {
    volatile int turns = 0;
    for (int i = 0; i < 30; i++) turns++;
    switch (turns) {
    case 3: case 30: abort();
    case 4: return 0;
    default: abort();
    }
}
";
    subject(source, b"", Oracle::default()).is_repaired_by_value(chooses_on(5));
}

/// A call's result cannot be replaced, but what is stored of it can.
#[test]
fn what_a_call_returns() {
    let source = "#include <stdio.h>
static long twice(long x) { return 2 * x; }
static int *place(int *p, int i) { return p + 1000000 * i; }
int main(void) {
    volatile int turns = 0;
    int cells[4] = { 0 };
    for (int i = 0; i < 30; i++) turns++;
    long number = twice(turns);
    *place(cells, turns) = 1;
    return number & 0;
}
";
    let subject = subject(source, b"", Oracle::default());
    subject.look(|run, _, property| {
        let calls = |at: u32| {
            let found = steps(run, move |step| line(step) == at && matches!(step.instruction().op, Op::Call(_)));
            *found.first().expect("a call")
        };
        let window = |step: Step| run.window_at(step.clock);
        let number = calls(8);
        let shadowed = by_step(run, window(number), property, number);
        assert_eq!(shadowed.domain.value(shadowed.fresh[&number]), 60);
        assert_eq!(property.stated(&shadowed), Err(Unstated::Concrete), "the crash has nothing to do with it");
        let pointer = calls(9);
        let shadowed = by_step(run, window(pointer), property, pointer);
        let stated = property.stated(&shadowed).expect("P");
        let found = solved(&shadowed, stated);
        let [(step, value)] = found.fresh[..] else { panic!("one value: {:?}", found.fresh) };
        assert_eq!(step, pointer);
        let symbol = shadowed.domain.with(|terms| terms.symbol_of(shadowed.fresh[&pointer])).expect("a symbol");
        let model = [(symbol, value)].into_iter().collect();
        assert_eq!(shadowed.domain.with(|terms| terms.evaluate(stated.holds, &model)), 1);
    });
}

/// What the terms say of a run with another value is what that run does.
#[test]
fn replaced_values_lead_where_the_terms_say() {
    let source = "#include <stdio.h>
#include <string.h>
int main(void) {
    char text[32] = \"abcdefgh\";
    volatile int turns = 0;
    for (int i = 0; i < 30; i++) turns++;
    unsigned n = turns;
    unsigned hash = 7;
    for (unsigned i = 0; i < 4; i++) hash = hash * 31 + (n >> i & 0xf) + text[(n + i) % 8];
    if (hash % 5 == 2) puts(\"two\");
    else if (n > 100 && hash & 1) puts(\"odd\");
    printf(\"%u\\n\", hash);
    return 0;
}
";
    let subject = subject(source, b"", output("nothing of this kind\n"));
    subject.look(|run, _, property| {
        let step = *steps(run, stores_on(7)).last().expect("a store");
        let window = run.window_at(step.clock);
        let shadowed = by_step(run, window, property, step);
        let lost: Vec<&Reason> = shadowed.lost.iter().map(|(_, reason, _)| reason).collect();
        let mut turner = Turner::new(&shadowed, smt::Limits::default());
        let turns: Vec<_> = turner.turns(0).collect();
        let mut came = 0;
        for turn in turns {
            let (condition, other) = turner.at(turn).expect("it is there");
            let Turned::To(found) = turner.turn(turn, &|| false) else { continue };
            if found.given_up > 0 || other.way == symbolic::Way::Elsewhere {
                continue;
            }
            let [(_, value)] = found.fresh[..] else { panic!("one value: {:?}", found.fresh) };
            let experiment = [Intervention { clock: step.clock, change: Change::Replace(value as u64) }];
            let (_, path) = subject.lab.record(&experiment).expect("it is recorded");
            let recording = Recording::open(&path).expect("it can be read");
            let image = Image::new(&recording);
            let changed = Run::with_windows(&image, StreamId::MAIN, 8).expect("it replays");
            let mut shadow = Shadow::from_window(&changed, Window(0), symbolic::Limits::default());
            shadow.ask(condition.at);
            let (_, shadow) = changed.replay_from(Window(0), shadow).expect("it replays");
            assert_eq!(shadow.finish().ways.get(&condition.at), Some(&other.way), "{value:#x}, {lost:?}");
            came += 1;
        }
        assert!(came >= 3, "{came} other ways");
    });
}
