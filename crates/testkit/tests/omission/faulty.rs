//! A small faulty program in its lab, whose lines are named by comments.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use budget::Budget;
use execution::predicates::predicates;
use experiment::{Case, Change, Intervention, Lab, Limits, Oracle};
use nesting::index::indices_of;
use program::{Constant, ConstantOp, Module, Op, Operand};
use replay::Step;
use source::lines::line_at;
use techniques::omission::{Expanded, Inquiry, Seen, Shown, expand, verify};
use techniques::{Means, Notebook, Subject, with_subject};
use tempfile::TempDir;
use testkit::Tools;

/// A program that writes something wrong.
pub struct Faulty {
    pub lab: Lab,
    text: String,
    _folder: TempDir,
}

pub fn faulty(text: &str, input: &str, expected: &str) -> Faulty {
    let folder = TempDir::new().expect("a folder");
    let source = folder.path().join("program.c");
    std::fs::write(&source, text).expect("it can be written");
    let lab = open(&source, input.as_bytes().to_vec(), expected.as_bytes().to_vec(), folder.path());
    Faulty { lab, text: text.to_owned(), _folder: folder }
}

pub fn open(source: &Path, input: Vec<u8>, expected: Vec<u8>, folder: &Path) -> Lab {
    let tools = Tools::find().expect("the tools are built");
    let program = folder.join("program");
    let built = Command::new(&tools.cc).args(["-g", "-w", "-O2"]).arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("faultline-cc runs").success());
    let case = Case::new(&program, Vec::new()).expect("a program").with_input(input);
    let oracle = Oracle { output: Some(expected), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    Lab::open(case, oracle, limits).expect("it fails")
}

impl Faulty {
    /// The line that ends with this comment.
    pub fn line(&self, comment: &str) -> u32 {
        let is_it = |line: &str| line.ends_with(&format!("// {comment}"));
        1 + self.text.lines().position(is_it).unwrap_or_else(|| panic!("no line {comment}")) as u32
    }

    /// The comment of a line, or its number.
    pub fn name(&self, line: u32) -> String {
        let text = self.text.lines().nth(line as usize - 1).unwrap_or_default();
        text.rsplit_once("// ").map_or_else(|| line.to_string(), |(_, comment)| comment.to_owned())
    }

    pub fn look<T>(&self, look: impl FnOnce(&Subject<'_, '_>) -> T) -> T {
        let (budget, notebook) = (Budget::of(Duration::from_secs(30)), Notebook::default());
        let means = Means::within(&budget, &notebook);
        with_subject(&self.lab, means, |subject| Ok(look(subject))).expect("it can be looked at")
    }

    pub fn expanded<T>(&self, look: impl FnOnce(&Subject<'_, '_>, &Expanded) -> T) -> T {
        self.look(|subject| look(subject, &expand(subject, None).expect("it replays").expect("the failure is there")))
    }

    /// The final set, by comments.
    pub fn final_set(&self, subject: &Subject<'_, '_>, expanded: &Expanded) -> BTreeSet<String> {
        let own = |at: &Step| !subject.run.functions.is_twin(at.site.function);
        let steps = expanded.pruned.statements(subject).into_iter().map(|(at, _)| at).filter(own);
        steps.filter_map(|at| line(subject, at)).map(|line| self.name(line)).collect()
    }

    /// Implicit dependences, by comments.
    pub fn edges(&self, subject: &Subject<'_, '_>, expanded: &Expanded) -> BTreeSet<(String, String)> {
        let name = |at: Step| line(subject, at).map_or_else(String::new, |line| self.name(line));
        expanded.proven.iter().map(|one| (name(one.predicate.at), name(one.user))).collect()
    }

    /// The lines that are told, by comments, the likeliest first.
    pub fn told(&self) -> Vec<String> {
        self.look(|subject| {
            let found = techniques::omission::find(subject).expect("it replays");
            found.suspects.iter().map(|suspect| self.name(suspect.finding.location.line)).collect()
        })
    }

    /// Switches the last evaluation of the condition on a line, and looks at the loads of a variable on another.
    pub fn switched(&self, condition: &str, user: &str, variable: &str) -> Vec<Shown> {
        self.look(|subject| {
            let all = predicates(subject.run, usize::MAX).expect("it replays").steps;
            let at_line = |at: Step, comment: &str| line(subject, at) == Some(self.line(comment));
            let predicate = all.iter().rev().find(|one| at_line(one.at, condition)).expect("the condition").at;
            let loads = all_steps(subject)
                .into_iter()
                .filter(|&at| at_line(at, user) && loads(subject, at, variable) && at.clock >= predicate.clock);
            let loads: HashSet<Step> = loads.collect();
            assert!(!loads.is_empty(), "no use of {variable} at {user}");
            let uses = indices_of(subject.run, &loads).expect("it replays");
            let experiment = [Intervention { clock: predicate.clock, change: Change::Switch }];
            let inquiry = Inquiry { predicate, experiment: &experiment, uses: &uses, place: None };
            let Seen::Yes(found) = verify(subject, &inquiry).expect("it runs") else { panic!("it does as told") };
            let mut shown: Vec<(Step, Shown)> = found.uses.into_iter().collect();
            shown.sort_by_key(|(at, _)| *at);
            shown.into_iter().map(|(_, shown)| shown).collect()
        })
    }
}

pub fn line(subject: &Subject<'_, '_>, at: Step) -> Option<u32> {
    let module = subject.run.functions.module(at.site.function).ok().filter(|module| !module.has_twins())?;
    line_at(module, subject.run.functions.function(at.site.function), at.site.instruction).map(|line| line.line)
}

/// Whether a step loads the variable of this name.
pub fn loads(subject: &Subject<'_, '_>, at: Step, variable: &str) -> bool {
    let function = subject.run.functions.function(at.site.function);
    let Op::Load { address, .. } = &function.instruction(at.site.instruction).op else { return false };
    let module = subject.run.functions.module(at.site.function).expect("it was read");
    match address {
        Operand::Result(id) => function.instruction(*id).name == variable,
        Operand::Constant(constant) => names(module, constant, variable),
        Operand::Parameter(_) => false,
    }
}

/// Whether a constant is an address in the variable of this name.
fn names(module: &Module, constant: &Constant, variable: &str) -> bool {
    match &constant.op {
        ConstantOp::Address(position) => module.globals[*position as usize].name == variable,
        ConstantOp::Offset(base, _) => names(module, base, variable),
        _ => false,
    }
}

/// Every instruction that was executed.
pub fn all_steps(subject: &Subject<'_, '_>) -> Vec<Step> {
    struct All(Vec<Step>);
    impl replay::Observer for All {
        const IN_HANDLERS: bool = true;

        fn step(&mut self, step: &replay::Observed<'_>) {
            self.0.push(step.step());
        }
    }
    let mut all = All(Vec::new());
    for window in (0..=subject.run.last_window().0).map(execution::Window) {
        all = subject.run.replay(window, all).expect("it replays");
    }
    all.0
}

pub fn set(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(ToString::to_string).collect()
}
