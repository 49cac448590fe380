//! Which parts of a run are not examined, in sentences; every answer about the run begins with them.
//!
//! A run is one thread of a recording. Its other threads, the children it forked, programs it turned into, handlers of
//! signals, and whatever is missing from a recording that was cut short are not in it, and a fault may be in any of them.

use abi::StreamId;
use program::{Callee, Op};
use recording::{Ending, Recording};
use replay::{Image, ReplayError, replay_unobserved};

use crate::run::Run;

/// The thread that a run's failure is in: the one that was killed, or that ended the program. The first one where that is
/// not known.
pub fn failing_thread(image: &Image<'_>) -> Result<StreamId, ReplayError> {
    let recording = image.recording;
    let Some(end) = recording.end().filter(|_| threads(recording) > 1) else { return Ok(StreamId::MAIN) };
    match end.ending {
        Ending::Killed { signal } => {
            let fault = end.fault.filter(|fault| fault.signal == signal);
            let by = |thread: u32| recording.streams().iter().find(|s| s.parent.is_none() && s.thread == thread);
            Ok(fault.and_then(|fault| by(fault.thread)).map_or(StreamId::MAIN, |stream| stream.id))
        }
        Ending::Exited { .. } => {
            for stream in recording.streams().iter().filter(|stream| stream.parent.is_none()) {
                if ends_the_program(image, stream.id)? {
                    return Ok(stream.id);
                }
            }
            Ok(StreamId::MAIN)
        }
        _ => Ok(StreamId::MAIN),
    }
}

/// Whether the last thing that a thread did was to call a function that ends the program.
fn ends_the_program(image: &Image<'_>, stream: StreamId) -> Result<bool, ReplayError> {
    let summary = replay_unobserved(image, stream)?;
    let Some(site) = summary.stack.first().filter(|_| summary.ending == replay::Ending::Outside) else {
        return Ok(false);
    };
    let module = image.module(site.function.module as usize)?;
    let instruction = module.function(site.function.function).instructions.get(site.instruction.index());
    let Some(Op::Call(call) | Op::Invoke { call, .. }) = instruction.map(|instruction| &instruction.op) else {
        return Ok(false);
    };
    let Callee::Function(callee) = &call.callee else { return Ok(false) };
    let name = program::library::spoken_name(&module.function(*callee).name);
    Ok(matches!(name, "exit" | "_exit" | "_Exit" | "quick_exit" | "exit_group"))
}

/// How many threads are recorded.
fn threads(recording: &Recording) -> usize {
    recording.streams().iter().filter(|stream| stream.parent.is_none()).count()
}

/// What was not examined when this run was, what matters most first.
pub fn limits(run: &Run<'_>) -> Vec<String> {
    let recording = run.image().recording;
    let mut limits: Vec<String> = incomplete(recording).into_iter().collect();
    let threads = threads(recording);
    if run.stream != StreamId::MAIN {
        limits.push(format!(
            "the failure is in thread {} of {threads}, and only that thread was examined: a fault in another thread, or in how \
             threads interact, cannot be found",
            run.stream.0
        ));
    } else if threads > 1 {
        limits.push(format!(
            "the program had {threads} threads, and only the first was examined: a fault in another thread, or in how \
             threads interact, cannot be found"
        ));
    }
    if let Some(end) = recording.end() {
        let not_recorded = [
            (end.unrecorded_threads, "thread was", "threads were"),
            (end.forked, "forked child was", "forked children were"),
            (end.executed, "program started by exec was", "programs started by exec were"),
            (end.unrecorded_handlers, "signal handler was", "signal handlers were"),
        ];
        for (count, one, many) in not_recorded.into_iter().filter(|(count, ..)| *count > 0) {
            let who = if count == 1 { one } else { many };
            limits.push(format!("{count} {who} not recorded: a fault there cannot be found"));
        }
    }
    if run.summary.handlers > 0 {
        let times = if run.summary.handlers == 1 { "once".into() } else { format!("{} times", run.summary.handlers) };
        limits.push(format!("signal handlers ran {times} and were not examined: a fault in them cannot be found"));
    }
    limits.extend(left_out(run.image()));
    limits
}

/// Functions that could not be instrumented.
fn left_out(image: &Image<'_>) -> Option<String> {
    const MOST: usize = 5;
    let modules = (0..image.module_count()).filter_map(|position| image.module(position).ok());
    let all: Vec<&str> = modules.filter(|m| !m.has_twins()).flat_map(|m| m.limits.iter().map(String::as_str)).collect();
    let more = match all.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let some = all[..all.len().min(MOST)].join("; ");
    (!all.is_empty()).then(|| format!("functions that cannot be instrumented were not examined: {some}{more}"))
}

/// What is missing from a recording that was cut short.
pub fn incomplete(recording: &Recording) -> Option<String> {
    recording.is_truncated().then(|| {
        "the recording is incomplete: the recorder was killed, or the file was cut, before the end was written. It does \
         not contain the rest of the run or how it ended; record the run again"
            .into()
    })
}
