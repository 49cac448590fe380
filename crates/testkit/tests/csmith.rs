//! A few random programs; `./x real --csmith N` tries many.

use libtest_mimic::{Arguments, Failed, Trial};
use testkit::Tools;
use testkit::csmith::{Verdict, check};

const SEEDS: std::ops::Range<u64> = 1..21;

fn main() {
    let arguments = Arguments::from_args();
    let trials = SEEDS.map(|seed| Trial::test(format!("seed_{seed}"), move || try_seed(seed))).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn try_seed(seed: u64) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    match Tools::find().and_then(|tools| check(&tools, seed, folder.path())) {
        Ok(Verdict::Same | Verdict::Skipped(_)) => Ok(()),
        Ok(Verdict::Differs(what)) => Err(what.into()),
        Err(error) => Err(format!("{error:#}").into()),
    }
}
