//! Programs that were not written with faultline in mind.

mod csmith;
mod suite;
mod runs;
mod regression;
mod session;
mod explored;

use anyhow::Result;
use testkit::{Tools, Verdict};

#[derive(clap::Args)]
pub struct Arguments {
    /// Try this many random programs instead
    #[arg(long, value_name = "N")]
    csmith: Option<u64>,
    /// The first seed for random programs
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Explore inputs of bc, sed, grep, gzip, cJSON and jsoncpp instead
    #[arg(long)]
    explore: bool,
    /// Seconds for each program that is explored
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    budget: u64,
    /// Which programs [default: all]
    programs: Vec<String>,
}

pub fn real(arguments: &Arguments) -> Result<Verdict> {
    let tools = Tools::find()?;
    if arguments.explore {
        return explored::explored(&tools, &arguments.programs, arguments.budget);
    }
    match arguments.csmith {
        Some(count) => csmith::csmith(&tools, count, arguments.seed),
        None => session::session(&tools, &arguments.programs),
    }
}
