//! `faultline diff`: two recordings compared.

mod answer;
mod text;

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::process::ExitCode;

use abi::StreamId;
use anyhow::{Context, Result, bail};
use comparison::{Ignored, Pair, Sides, Variable, compare, site_map};
use execution::Run;
use recording::Recording;
use replay::Image;
use source::sources::Sources;

/// Compare two recordings of a program, or of two versions of it: where they part, and which values differ
///
/// Shows the first condition with a different outcome, the first statement with a different value, and the chain of
/// differences from there to the failure, or to the first byte of output that differs. For two versions of a program, also
/// shows the changed statements that were executed. Pointers are compared by what they point to, not by address.
#[derive(clap::Args)]
pub struct Arguments {
    /// The first recording: the run that failed, or the older version
    #[arg(value_name = "A")]
    left: PathBuf,
    /// The second recording
    #[arg(value_name = "B")]
    right: PathBuf,
    /// Ignore differences in the values assigned to this variable; may be repeated
    #[arg(long, value_name = "FILE:VAR")]
    ignore: Vec<String>,
    /// Maximum number of statements of the chain to show
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Text,
    Json,
}

/// The most differences that are examined: one statement may have many, and twins of library functions have more.
const MOST_CAUSES: usize = 200_000;

pub fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.limit == 0 {
        bail!("--limit must be at least 1");
    }
    let variables =
        arguments.ignore.iter().map(|text| Variable::parse(text)).collect::<Result<Vec<_>, _>>().context("--ignore")?;
    let recordings = Sides { left: Recording::open(&arguments.left)?, right: Recording::open(&arguments.right)? };
    let images = Sides { left: Image::new(&recordings.left), right: Image::new(&recordings.right) };
    let map = site_map(&images.left, &images.right)?;
    if map.as_ref().is_some_and(|map| map.functions().is_empty()) {
        bail!(
            "{} and {} are recordings of different programs: they have no function in common",
            arguments.left.display(),
            arguments.right.display()
        );
    }
    let replayed = |image, path: &PathBuf| Run::new(image, StreamId::MAIN).with_context(|| path.display().to_string());
    let runs =
        Sides { left: replayed(&images.left, &arguments.left)?, right: replayed(&images.right, &arguments.right)? };
    let sources = Sides { left: Sources::new(&images.left)?, right: Sources::new(&images.right)? };
    let pair = Pair {
        runs: Sides { left: &runs.left, right: &runs.right },
        sources: Sides { left: &sources.left, right: &sources.right },
        map: map.as_ref(),
    };
    let ignored = Ignored::in_either(&pair, &variables).context("--ignore")?;
    let comparison = compare(&pair, &ignored, MOST_CAUSES)?;
    let answer = answer::answer(&pair, &comparison, arguments)?;
    let mut out = BufWriter::new(io::stdout().lock());
    let written = match arguments.format {
        Format::Json => serde_json::to_writer_pretty(&mut out, &answer).map_err(Into::into),
        Format::Text => text::text(&mut out, &answer).map_err(Into::into),
    };
    crate::finish(written, out)
}
