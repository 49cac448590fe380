//! `faultline explore` finds inputs that crash the programs of `tests/explore`, each of which crashes on unusual input only; and
//! the input that it writes crashes the program when it is run by its script. Programs named `fixme-…` are not solved yet: they
//! must fail, and say so when they start to pass.

use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use libtest_mimic::{Arguments, Trial};
use testkit::{Build, Ending, Fixture, Tools, compile, explored, fixtures, run};

/// Long enough for a machine that does other things besides; `./x bench explore` says how long it takes.
const BUDGET: Duration = Duration::from_secs(90);
/// What takes longer on a quiet machine is not solved: people will not wait much longer either.
const FIXME_BUDGET: Duration = Duration::from_secs(3);

fn main() -> Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for fixture in fixtures("explore")? {
        let name = fixture.name();
        trials.push(Trial::test(name, move || solved(&fixture).map_err(|error| format!("{error:#}").into())));
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn solved(fixture: &Fixture) -> Result<()> {
    let is_unsolved = fixture.source.file_name().is_some_and(|name| name.to_string_lossy().starts_with("fixme-"));
    match (is_reached(fixture, if is_unsolved { FIXME_BUDGET } else { BUDGET })?, is_unsolved) {
        (true, true) => bail!("it is solved: take `fixme-` off its name"),
        (false, false) => bail!("no input that crashes it was found"),
        (true, false) | (false, true) => Ok(()),
    }
}

fn is_reached(fixture: &Fixture, budget: Duration) -> Result<bool> {
    let tools = Tools::find()?;
    let folder = tempfile::tempdir()?;
    is_harmless(&tools, fixture, folder.path())?;
    let found = explored(&tools, fixture, budget, folder.path())?;
    ensure!(found.wrong_values == 0, "terms with another value than the run: {:?}", found.reasons);
    ensure!(found.departed == 0, "{} recordings did not replay", found.departed);
    let (came, predicted) = found.exact;
    ensure!(came == predicted, "of {predicted} predicted branches, where nothing was given up, {came} came");
    Ok(found.reached)
}

/// The given input does not crash it.
fn is_harmless(tools: &Tools, fixture: &Fixture, folder: &Path) -> Result<()> {
    let program = compile(tools, fixture, Build::Clang, folder)?;
    for (name, text) in &fixture.files {
        std::fs::write(folder.join(name), text)?;
    }
    let mut command = std::process::Command::new(program);
    command.args(&fixture.arguments).current_dir(folder);
    command.envs(fixture.variables.iter().map(|(name, value)| (name, value)));
    let ran = run(&mut command, &fixture.input, Duration::from_secs(20))?;
    ensure!(matches!(ran.ending, Ending::Exit(_)), "the given input ends with {}", ran.ending);
    Ok(())
}
