//! Each program behaves as clang's -O0 build when it runs on its own.

use libtest_mimic::{Arguments, Failed, Trial};
use testkit::{Fixture, Tools, fixtures, transparent};

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for folder in ["transparency", "replay"] {
        for fixture in fixtures(folder)? {
            trials.push(Trial::test(fixture.name(), move || check(&fixture)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(fixture: &Fixture) -> Result<(), Failed> {
    Tools::find().and_then(|tools| transparent(&tools, fixture)).map_err(|error| format!("{error:#}").into())
}
