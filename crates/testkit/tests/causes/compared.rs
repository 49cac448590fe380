//! A program that fails beside a version of it that does not, and the path between them by names of lines.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use budget::Budget;
use comparison::{CauseId, Side};
use experiment::{Case, Lab, Limits, Oracle};
use replay::Step;
use source::lines::line_at;
use techniques::causes::{
    Again, Compared, Differences, FastPasses, How, Path as CausalPath, PathStep, Trials, find, path, with_version,
};
use techniques::{Found, Means, Notebook, Subject, TechniqueError, with_subject};
use tempfile::TempDir;
use testkit::Tools;

pub const BUDGET: Duration = Duration::from_secs(120);
/// Experiments for a path.
pub const MOST: u64 = 1000;

/// A program that fails, and a version of it that does not.
pub struct Versions {
    pub lab: Lab,
    pub failing: String,
    pub right: PathBuf,
    _folder: TempDir,
}

pub fn build(compiler: &Path, text: &str, folder: &Path, name: &str) -> PathBuf {
    let place = folder.join(name);
    std::fs::create_dir_all(&place).expect("a folder");
    let (source, program) = (place.join("program.c"), place.join("program"));
    std::fs::write(&source, text).expect("it can be written");
    let built = Command::new(compiler).args(["-g", "-w", "-O2"]).arg(&source).arg("-o").arg(&program).status();
    assert!(built.expect("the compiler runs").success());
    program
}

pub fn output(program: &Path) -> Vec<u8> {
    Command::new(program).output().expect("it runs").stdout
}

/// `None` if they do the same.
pub fn versions(failing: &str, right: &str) -> Option<Versions> {
    let tools = Tools::find().expect("the tools are built");
    with_reference_by(&tools.cc, failing, right)
}

pub fn with_reference_by(compiler: &Path, failing: &str, right: &str) -> Option<Versions> {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let program = build(&tools.cc, failing, folder.path(), "failing");
    let reference = build(compiler, right, folder.path(), "right");
    let expected = output(&reference);
    if output(&program) == expected {
        return None;
    }
    let case = Case::new(&program, Vec::new()).expect("a program");
    let oracle = Oracle { output: Some(expected), reference: Some(reference.clone()), ..Oracle::default() };
    let limits = Limits { time: Duration::from_secs(2), ..Limits::default() };
    let lab = Lab::open(case, oracle, limits).expect("it fails");
    Some(Versions { lab, failing: failing.to_owned(), right: reference, _folder: folder })
}

/// A step of a path: its line's name, how it is known, and the names of the relevant set after it.
pub type Told = (String, How, Vec<String>);

impl Versions {
    /// The path, with the number of experiments.
    pub fn path(&self, passes: FastPasses) -> (Vec<Told>, u64) {
        let (budget, notebook) = (Budget::of(BUDGET), Notebook::default());
        let means = Means::within(&budget, &notebook);
        let compared = with_subject(&self.lab, means, |subject| {
            with_version(subject, &self.right, |differences, again| {
                let (path, made) = computed(subject, differences, again, passes, MOST)?;
                let name = |id: CauseId| self.name(differences, id);
                let told = |(step, relevant): (&PathStep, BTreeSet<CauseId>)| {
                    let mut relevant: Vec<CauseId> = relevant.into_iter().collect();
                    relevant.sort_by_key(|id| differences.key(*id));
                    (name(step.id), step.how, relevant.into_iter().map(name).collect())
                };
                Ok((path.steps.iter().zip(path.relevant_sets()).map(told).collect(), made))
            })
        });
        match compared.expect("it is compared") {
            Compared::Done(done) => done,
            Compared::Limit(limit) => panic!("{limit:?}"),
        }
    }

    pub fn find(&self) -> Found {
        let (budget, notebook) = (Budget::of(BUDGET), Notebook::default());
        with_subject(&self.lab, Means::within(&budget, &notebook), find).expect("it is found")
    }

    /// What stands after `//` on the line of a step.
    pub fn name(&self, differences: &Differences<'_, '_>, id: CauseId) -> String {
        let Some((side, at)) = differences.step(id) else {
            return if differences.initial(id).is_some() { "initial".into() } else { "failure".into() };
        };
        self.name_at(differences, side, at)
    }

    /// The same for a step of one of the runs.
    pub fn name_at(&self, differences: &Differences<'_, '_>, side: Side, at: Step) -> String {
        let functions = &differences.pair.runs.of(side).functions;
        let module = functions.module(at.site.function).expect("it was read");
        let line =
            line_at(module, functions.function(at.site.function), at.site.instruction).map_or(0, |line| line.line);
        if side == Side::Left {
            return format!("right:{line}");
        }
        let text = self.failing.lines().nth(line as usize - 1).unwrap_or_default();
        text.split_once("//").map_or_else(|| format!("line {line}"), |(_, name)| name.trim().to_owned())
    }

    /// The lines of the chain, the failure's last.
    pub fn chain(&self) -> Vec<u32> {
        self.find().way.iter().map(|passage| passage.link.location.line).collect()
    }

    /// The name of the line that the chain begins at.
    pub fn head(&self) -> String {
        let found = self.find();
        let first = found.way.first().unwrap_or_else(|| panic!("nothing is found: {:?}", found.limits));
        let text = self.failing.lines().nth(first.link.location.line as usize - 1).unwrap_or_default();
        text.split_once("//").map_or_else(|| text.trim().to_owned(), |(_, name)| name.trim().to_owned())
    }

    pub fn line(&self, name: &str) -> u32 {
        let has = |text: &str| text.split_once("//").is_some_and(|(_, after)| after.trim() == name);
        self.failing.lines().position(has).expect("a line has this name") as u32 + 1
    }
}

pub fn computed(
    subject: &Subject<'_, '_>,
    differences: &Differences<'_, '_>,
    again: &Again<'_>,
    passes: FastPasses,
    most: u64,
) -> Result<(CausalPath, u64), TechniqueError> {
    let mut trials = Trials { subject, differences, again, made: 0 };
    let path = path(&mut trials, passes, most)?;
    Ok((path, trials.made))
}
