//! Edits do what they say: an edited run is the run of a program that was written so, and its recording replays exactly.

use std::path::{Path, PathBuf};
use std::process::Command;

use abi::{Operation, Rewrite, StreamId};
use execution::Run;
use execution::sites::{ExecutedSite, executed_sites};
use experiment::{Case, Change, End, Intervention, Lab, Limits, Oracle};
use program::{Op, assigned_before, making};
use recording::Recording;
use replay::{Image, replay_unobserved};
use techniques::edit::edits::edits;
use tempfile::TempDir;
use testkit::{Tools, workspace};

fn compile(source: &str, folder: &Path, defined: &[&str]) -> PathBuf {
    let tools = Tools::find().expect("the tools are built");
    let program = folder.join(format!("program{}", defined.len()));
    let source = workspace().join("tests/experiments").join(source);
    let mut command = Command::new(&tools.cc);
    command.args(["-g", "-w"]).args(defined).arg(source).arg("-o").arg(&program);
    assert!(command.status().expect("faultline-cc runs").success());
    program
}

/// A lab in which the program fails: it is told to end with another status.
fn open(program: &Path) -> Lab {
    let oracle = Oracle { status: Some(77), ..Oracle::default() };
    Lab::open(Case::new(program, Vec::new()).expect("a program"), oracle, Limits::default()).expect("the case fails")
}

/// Each executed site with its edits.
fn all_edits(lab: &Lab) -> Vec<(ExecutedSite, abi::Edit, String)> {
    let recording = Recording::open(&lab.baseline().recording).expect("it can be read");
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN).expect("it replays");
    let mut all = Vec::new();
    for site in executed_sites(&run).expect("it replays") {
        let function = run.functions.function(site.first.site.function);
        for (edit, _) in edits(function, &assigned_before(function), site.first.site.instruction) {
            all.push((site, edit, function.name.clone()));
        }
    }
    all
}

fn experiment(site: &ExecutedSite, edit: abi::Edit) -> Vec<Intervention> {
    vec![Intervention { clock: site.first.clock, change: Change::Edit(edit) }]
}

#[test]
fn an_edited_run_is_the_same_forked_and_recorded() {
    // Of the longer program, some.
    for (source, every) in [("edited.c", 1), ("many_kinds.c", 5)] {
        let folder = TempDir::new().expect("a folder");
        let lab = open(&compile(source, folder.path(), &[]));
        let all = all_edits(&lab);
        assert!(all.len() > 100, "{} edits", all.len());
        for (site, edit, function) in all.into_iter().step_by(every) {
            let experiment = experiment(&site, edit);
            let forked = lab.run(&experiment).expect("it runs");
            let (recorded, path) = lab.record(&experiment).expect("it is recorded");
            assert_eq!((forked.obeyed, recorded.obeyed), (1, 1), "{function} {site:?} {edit:?}");
            if !matches!(forked.end, End::Budget | End::TooLong) {
                let outcomes = [&forked, &recorded].map(|ran| (ran.end, String::from_utf8_lossy(&ran.output)));
                assert_eq!(outcomes[0], outcomes[1], "{function} {site:?} {edit:?}");
            }
            let recording = Recording::open(&path).expect("it can be read");
            replay_unobserved(&Image::new(&recording), StreamId::MAIN)
                .unwrap_or_else(|error| panic!("{function} {site:?} {edit:?}: {error}"));
        }
    }
}

/// What happens if a program is compiled in another way is what an edit of the one place does.
#[test]
fn an_edit_is_what_another_source_would_do() {
    let others: &[(&str, Rewrite, Operation, u64, &str)] = &[
        ("COMPARISON=<=", Rewrite::Compute, Operation::LessOrEqual, 0, "between"),
        ("COMPARISON=!=", Rewrite::Compute, Operation::NotEqual, 0, "between"),
        ("SIGN=-", Rewrite::Compute, Operation::Minus, 0, "add"),
        ("BOUND=6", Rewrite::Compute, Operation::Less, u64::MAX, "main"),
        ("WEIGHED(a,b)=((b)-(a))", Rewrite::Reversed, Operation::Minus, 0, "main"),
        ("WEIGHED(a,b)=(a)", Rewrite::First, Operation::Minus, 0, "main"),
        ("SCALED(a,b)=((a)/(b))", Rewrite::Compute, Operation::FloatDivide, 0, "main"),
        ("SCALED(a,b)=(b)", Rewrite::Second, Operation::FloatTimes, 0, "main"),
        ("FLOATS=<=", Rewrite::Compute, Operation::FloatLessOrEqual, 0, "main"),
        ("WRAP(x)=((x)+201)", Rewrite::Compute, Operation::Plus, 1, "main"),
        ("WRAP(x)=((x)*200)", Rewrite::Compute, Operation::Times, 0, "main"),
        ("IS_EVEN(n)=((n)%2!=0)", Rewrite::Compute, Operation::NotEqual, 0, "main"),
        ("COUNT(n)=n=n*3", Rewrite::Compute, Operation::Times, 0, "main"),
        ("COUNT(n)=", Rewrite::Keep, Operation::Equal, 0, "main"),
        ("FAR_ENOUGH(x,limit)=((x)>(limit))", Rewrite::Compute, Operation::Above, 0, "main"),
    ];
    let folder = TempDir::new().expect("a folder");
    let lab = open(&compile("edited.c", folder.path(), &[]));
    let plain = String::from_utf8_lossy(&lab.baseline().ran.output).into_owned();
    let all = all_edits(&lab);
    for (defined, rewrite, operation, number, function) in others {
        let program = compile("edited.c", folder.path(), &[&format!("-D{defined}")]);
        let written = Command::new(program).output().expect("it runs");
        let written = String::from_utf8_lossy(&written.stdout).into_owned();
        assert_ne!(written, plain, "{defined} changes nothing");
        let is_meant = |(_, edit, of): &&(ExecutedSite, abi::Edit, String)| {
            (edit.rewrite, edit.operation, edit.number, &of[..]) == (*rewrite, *operation, *number, *function)
        };
        let outputs = all.iter().filter(is_meant).map(|(site, edit, _)| {
            let ran = lab.run(&experiment(site, *edit)).expect("it runs");
            String::from_utf8_lossy(&ran.output).into_owned()
        });
        assert_eq!(outputs.filter(|output| *output == written).count(), 1, "{defined}");
    }
}

/// What the instrumentation passes and what the model calls the operands are the same: an operation edited into itself
/// changes nothing.
#[test]
fn the_same_operation_again_changes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let lab = open(&compile("edited.c", folder.path(), &[]));
    let recording = Recording::open(&lab.baseline().recording).expect("it can be read");
    let image = Image::new(&recording);
    let run = Run::new(&image, StreamId::MAIN).expect("it replays");
    let mut made_by_operations = 0;
    for site in executed_sites(&run).expect("it replays") {
        let function = run.functions.function(site.first.site.function);
        let (value, bits) = match &function.instruction(site.first.site.instruction).op {
            Op::Branch { condition, .. } => (condition, 1),
            Op::Store { value, value_type, .. } => match program::scalar_bits(value_type) {
                Some(bits) => (value, bits),
                None => continue,
            },
            _ => continue,
        };
        let Some(made) = making(function, value) else { continue };
        made_by_operations += 1;
        let width = made.width();
        let edit = abi::Edit { rewrite: Rewrite::Compute, operation: made.operation, width, bits, number: 0 };
        let ran = lab.run(&experiment(&site, edit)).expect("it runs");
        let is_same = (ran.end, &ran.output) == (lab.baseline().ran.end, &lab.baseline().ran.output);
        assert!(is_same && ran.obeyed == 1, "{} {site:?} {edit:?}", function.name);
    }
    assert!(made_by_operations >= 10, "{made_by_operations}");
}
