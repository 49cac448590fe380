//! What it takes to find the crash in each program of `tests/explore`.

use std::time::Duration;

use anyhow::Result;
use testkit::{Tools, Verdict, explored, fixtures};

#[derive(clap::Args)]
pub struct Arguments {
    /// Seconds for each program
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    budget: u64,
    /// Only programs whose names contain one of these
    names: Vec<String>,
}

pub fn explore(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    println!("{:28} {:>8} {:>6} {:>9} {:>10} {:>8}", "program", "reached", "runs", "recorded", "questions", "seconds");
    let (mut reached, mut all) = (0, 0);
    for fixture in fixtures("explore")? {
        let name = fixture.source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !arguments.names.is_empty() && !arguments.names.iter().any(|wanted| name.contains(wanted.as_str())) {
            continue;
        }
        let folder = tempfile::tempdir()?;
        let found = explored(&tools, &fixture, Duration::from_secs(arguments.budget), folder.path())?;
        println!(
            "{name:28} {:>8} {:>6} {:>9} {:>10} {:>8.2}",
            if found.reached { "yes" } else { "no" },
            found.runs,
            found.recorded,
            found.questions,
            found.seconds
        );
        all += 1;
        reached += usize::from(found.reached);
    }
    println!("{reached} of {all} within {} s", arguments.budget);
    Ok(Verdict::Holds)
}
