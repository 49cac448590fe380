//! Each program, recorded, behaves as it does on its own, and its recording replays exactly.

use libtest_mimic::{Arguments, Failed, Trial};
use testkit::{Fixture, Tools, fixtures, replays};

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
    Tools::find().and_then(|tools| replays(&tools, fixture)).map_err(|error| format!("{error:#}").into())
}
