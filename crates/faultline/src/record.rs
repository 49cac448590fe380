//! `faultline record`: runs a program and writes the recording of the run.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use recording::record::{self, Options, Recorded};
use recording::{End, Ending};

/// Record a run of a program built by faultline-cc
///
/// The exit status is that of the program, or 128 plus the number of the signal that killed it. It is 2 if the program could
/// not be recorded.
#[derive(clap::Args)]
pub struct Arguments {
    /// Where to write the recording [default: the program's name with .flt appended, in the current directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Kill the program after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Kill the program when the recording reaches this size (in bytes, or with K, M or G)
    #[arg(long, value_name = "SIZE", value_parser = size)]
    size_limit: Option<u64>,
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_names = ["PROG", "ARGS"])]
    command: Vec<OsString>,
}

pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let (program, rest) = arguments.command.split_first().context("name a program to record")?;
    let output = match &arguments.output {
        Some(output) => output.clone(),
        None => default_output(program)?,
    };
    let recorded = record::record(&Options {
        arguments: rest.to_vec(),
        time_limit: arguments.time_limit,
        size_limit: arguments.size_limit,
        ..Options::new(program, &output)
    })?;
    warn(&recorded, &output.display().to_string());
    if matches!(recorded.end.ending, Ending::WriteFailed { .. }) {
        return Ok(ExitCode::from(crate::TROUBLE));
    }
    Ok(ExitCode::from(recorded.exit_status as u8))
}

fn default_output(program: &OsString) -> anyhow::Result<PathBuf> {
    let mut name = PathBuf::from(program)
        .file_name()
        .context("the program has no file name to derive one from; name the recording with -o")?
        .to_owned();
    name.push(".flt");
    Ok(name.into())
}

/// Reports what the user would not expect: nothing, if the whole run was recorded.
fn warn(recorded: &Recorded, output: &str) {
    let End { ending, unrecorded_threads, unrecorded_handlers, forked, executed, .. } = &recorded.end;
    match ending {
        Ending::Exited { .. } | Ending::Killed { .. } => {}
        Ending::TimeLimit => {
            eprintln!("faultline: the program was killed at the time limit; {output} contains the run up to that point")
        }
        Ending::SizeLimit => {
            eprintln!("faultline: the program was killed at the size limit; {output} contains the run up to that point")
        }
        Ending::MemoryLimit => eprintln!(
            "faultline: the program was killed at the memory limit; {output} contains the run up to that point"
        ),
        Ending::WriteFailed { error } => eprintln!(
            "faultline: the program was killed because writing {output} failed ({error}); it contains the run up to that \
             point. Free some space, or name a file on another disk with -o"
        ),
        Ending::Interrupted => eprintln!("faultline: stopped by a signal; {output} contains the run up to that point"),
    }
    for warning in &recorded.warnings {
        eprintln!("faultline: {warning}");
    }
    let unrecorded = [
        (unrecorded_threads, "thread was", "threads were", ": there were too many"),
        (unrecorded_handlers, "signal handler was", "signal handlers were", ": they were nested too deeply"),
        (forked, "forked child was", "forked children were", ""),
        (executed, "program started by exec was", "programs started by exec were", ""),
    ];
    for (count, one, many, why) in unrecorded.into_iter().filter(|&(&count, ..)| count > 0) {
        let what = if *count == 1 { one } else { many };
        eprintln!("faultline: {count} {what} not recorded{why}");
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "not a duration".to_string())
}

fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.trim_end_matches(['K', 'M', 'G', 'k', 'm', 'g']) {
        digits if digits.len() + 1 >= text.len() => (digits, text[digits.len()..].to_ascii_uppercase()),
        _ => return Err("the number can have one unit only".to_string()),
    };
    let shift = match unit.as_str() {
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => 0,
    };
    let number: u64 = digits.parse().map_err(|_| "not a number of bytes".to_string())?;
    number.checked_mul(1 << shift).ok_or_else(|| "too large".to_string())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("17"), Ok(17));
        assert_eq!(size("3K"), Ok(3072));
        assert_eq!(size("2g"), Ok(2 << 30));
        assert!(size("2GG").is_err());
        assert!(size("G").is_err());
        assert!(size("99999999999G").is_err());
    }
}
