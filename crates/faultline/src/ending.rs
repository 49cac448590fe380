//! How a recorded run ended, in sentences.

use anyhow::Result;
use execution::unexamined::incomplete;
use failure::text::signal_name;
use program::Site;
use recording::{Ending, Recording};
use replay::{Image, ReplayError};

/// `function at file:line:column`.
pub fn place(image: &Image<'_>, site: Site) -> Result<String, ReplayError> {
    let module = image.module(site.function.module as usize)?;
    let function = module.function(site.function.function);
    let location = function.instructions.get(site.instruction.index()).and_then(|i| i.location);
    Ok(match location {
        Some(location) => format!("{} in {}", module.location_text(location), function.name),
        None => format!("{} of {}", site.instruction, function.name),
    })
}

/// How the program ended, and what of it was not recorded.
pub fn sentences(recording: &Recording) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(end) = recording.end() else {
        lines.extend(incomplete(recording));
        return lines;
    };
    lines.push(match &end.ending {
        Ending::Exited { status } => format!("the program exited with status {status}"),
        Ending::Killed { signal } => {
            let name = signal_name(*signal);
            match end.fault.filter(|f| f.signal == *signal && f.code > 0) {
                Some(fault) if matches!(*signal, libc::SIGSEGV | libc::SIGBUS) => {
                    format!("the program was killed by {name} when it accessed address {:#x}", fault.address)
                }
                _ => format!("the program was killed by {name}"),
            }
        }
        Ending::TimeLimit => "faultline stopped the program at the time limit".into(),
        Ending::SizeLimit => "faultline stopped the program at the size limit of the recording".into(),
        Ending::MemoryLimit => "faultline stopped the program at the memory limit".into(),
        Ending::WriteFailed { error } => {
            format!("faultline stopped the program because the recording could not be written ({error})")
        }
        Ending::Interrupted => "faultline stopped the program because it was interrupted itself".into(),
    });
    let mut limit = |count: u32, one: &str, many: &str| match count {
        0 => {}
        1 => lines.push(format!("limit: 1 {one} not recorded")),
        n => lines.push(format!("limit: {n} {many} not recorded")),
    };
    limit(end.unrecorded_threads, "thread was", "threads were");
    limit(end.unrecorded_handlers, "signal handler was", "signal handlers were");
    limit(end.forked, "forked child was", "forked children were");
    limit(end.executed, "program started by exec was", "programs started by exec were");
    lines
}
