//! Recording a run: starts the program with memory it shares with us, drains that memory into a file, and saves what
//! the program leaves behind when it ends, however it ends.
//!
//! [`launch`](self) happens in a thread of its own, which then traces the program to its end; one or more threads
//! drain chunks; the calling thread watches the limits. Memory in use does not grow with the run.

mod descriptors;
mod memory;
mod keeper;
pub mod launch;
mod trace;
mod drain;
mod gather;
mod interrupt;
mod standard;

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use abi::Ended;
use budget::Budget;

use crate::contents::{CaseRecord, End, Ending};
use crate::plan::Plan;
use crate::saved_ir::{Binary, BinaryError};
use crate::writer::Writer;
use drain::{Drain, Shift};
use launch::{Command, Launched, Prepare, Tracing};
pub use memory::{Mode, SharedMemory, high};
use trace::Trace;

#[derive(Clone, Debug)]
pub struct Options {
    /// As the user named it: a path, or a name to look for in `PATH`.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub output: PathBuf,
    pub time_limit: Option<Duration>,
    /// Bytes of the recording.
    pub size_limit: Option<u64>,
    /// Chunks of shared memory; together they are how far the program can run ahead of the disk.
    pub chunk_count: u32,
    /// Bytes of each.
    pub chunk_size: u32,
    /// Bytes kept of each standard stream; `None`: nothing is kept, and nothing put in the way of pipes.
    pub capture_limit: Option<u64>,
    /// Bytes of memory in use; looked at now and then.
    pub memory_limit: Option<u64>,
    /// When it is spent, the run is broken off.
    pub budget: Budget,
    /// What is changed in the run.
    pub plan: Option<Plan>,
    /// Children the program may fork; of an experiment only.
    pub fork_limit: u32,
    /// Where and as what the run happens; `None`: as one of ours.
    pub setting: Option<Setting>,
}

/// The surroundings of a run that is part of an experiment.
#[derive(Clone)]
pub struct Setting {
    pub directory: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
    /// Standard input, output and error.
    pub standard: Arc<[File; 3]>,
    pub prepare: Arc<dyn Prepare + Send + Sync>,
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Setting").field("directory", &self.directory).finish_non_exhaustive()
    }
}

impl Options {
    pub fn new(program: impl Into<PathBuf>, output: impl Into<PathBuf>) -> Options {
        Options {
            program: program.into(),
            arguments: Vec::new(),
            output: output.into(),
            time_limit: None,
            size_limit: None,
            chunk_count: 64,
            chunk_size: 256 * 1024,
            capture_limit: Some(64 << 20),
            memory_limit: None,
            budget: Budget::unlimited(),
            plan: None,
            fork_limit: u32::MAX,
            setting: None,
        }
    }
}

/// A run that was recorded.
#[derive(Debug)]
pub struct Recorded {
    pub end: End,
    /// As the shell would give it: the program's own, or 128 plus the signal that killed it.
    pub exit_status: i32,
    /// Bytes of the recording.
    pub length: u64,
    /// How many interventions of the plan were carried out, and whether any could not be.
    pub obeyed: u32,
    pub was_refused: bool,
    /// Of an experiment: what had been given to standard output and was not written when the run was ended.
    pub unwritten: Vec<u8>,
    /// The id it had.
    pub process: libc::pid_t,
    /// What could not be done, in sentences.
    pub warnings: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Binary(#[from] BinaryError),
    #[error("there is no program {}", program.display())]
    NoSuchProgram { program: PathBuf },
    #[error("cannot start {}: {error}", program.display())]
    CannotStart { program: PathBuf, error: io::Error },
    #[error(
        "{} ran, but without the faultline runtime, so nothing was recorded; link it with faultline-cc as well",
        program.display()
    )]
    NeverStarted { program: PathBuf },
    #[error("cannot write {}: {error}{}; name another file with -o", path.display(), about_limit(error))]
    CannotWrite { path: PathBuf, error: io::Error },
    #[error("cannot set up memory for the recording: {error}{limit}", error = .0, limit = about_limit(.0))]
    Memory(io::Error),
}

/// What the shell has to do with a file that cannot grow.
fn about_limit(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::FileTooLarge => " (the shell limits the size of files; see ulimit -f)",
        _ => "",
    }
}

pub fn record(options: &Options) -> Result<Recorded, RecordError> {
    let program = find_program(&options.program)?;
    let binary = Binary::open(&program)?;
    // A plain executable may use instrumented libraries; whether it does is known when it has run.
    let modules = match binary.saved_ir() {
        Err(BinaryError::NotInstrumented { .. }) if binary.loads_libraries() => Vec::new(),
        modules => modules?,
    };
    let plan_size = options.plan.as_ref().map_or(0, |plan| plan.encode().len());
    let memory = SharedMemory::new(Mode::Record, plan_size, options.chunk_count, options.chunk_size);
    let memory = memory.map_err(RecordError::Memory)?;
    memory.mailbox().fork_limit.store(options.fork_limit, Ordering::Relaxed);
    if let Some(plan) = &options.plan {
        memory.set_plan(plan).ok_or_else(|| RecordError::Memory(io::Error::other("the plan is too long")))?;
    }
    let directory = match &options.setting {
        Some(setting) => setting.directory.clone(),
        None => std::env::current_dir().unwrap_or_default(),
    };
    let plan = options.plan.clone();
    let case = CaseRecord { program: program.clone(), arguments: options.arguments.clone(), directory, plan };
    let cannot_write = |error| RecordError::CannotWrite { path: options.output.clone(), error };
    let mut writer = Writer::create(&options.output, &case).map_err(cannot_write)?;
    for module in &modules {
        writer.saved_ir(module).map_err(cannot_write)?;
    }
    let recorded = match run(options, &program, &memory, writer) {
        Err(RecordError::NeverStarted { program: path }) if modules.is_empty() => {
            Err(BinaryError::NotInstrumented { path }.into())
        }
        recorded => recorded,
    };
    let is_empty = |error: &RecordError| {
        use RecordError::{Binary, CannotStart, NeverStarted};
        matches!(error, CannotStart { .. } | NeverStarted { .. } | Binary(_))
    };
    if recorded.as_ref().is_err_and(is_empty) {
        // There is nothing in it; that it cannot be removed would be a lesser trouble than the one reported.
        let _ = std::fs::remove_file(&options.output);
    }
    recorded
}

/// Runs the program to its end and finishes the recording.
fn run(options: &Options, program: &Path, memory: &SharedMemory, writer: Writer) -> Result<Recorded, RecordError> {
    let cannot_start = |error| RecordError::CannotStart { program: program.to_path_buf(), error };
    let mut standard = match &options.setting {
        None => standard::Plan::new(options.capture_limit),
        Some(setting) => {
            standard::Plan::of_files(options.capture_limit, &setting.standard).map_err(RecordError::Memory)?
        }
    };
    let stop = standard::Stop::new().map_err(RecordError::Memory)?;
    let setting = options.setting.as_ref();
    let command = Command {
        program,
        name: options.program.as_os_str(),
        arguments: &options.arguments,
        environment: setting.map_or_else(|| std::env::vars_os().collect(), |setting| setting.environment.clone()),
        directory: setting.map(|setting| setting.directory.as_path()),
        memory: Some(memory),
        redirections: standard.redirections(),
        kept: Vec::new(),
        tracing: Tracing::Wanted,
        prepare: setting.map(|setting| &*setting.prepare as &dyn Prepare),
    };
    // Runs of an experiment, of which there may be several, are not the terminal's business.
    let mut interrupts = setting.is_none().then(interrupt::watch);
    let (event, events) = mpsc::channel();
    // As the program will find its own path.
    let path = program.canonicalize().unwrap_or_default();
    let drain = Drain::new(memory, writer, path, options.size_limit, event.clone());
    let (trace, limit, forwarded, process) = std::thread::scope(|scope| {
        let (started, starting) = mpsc::channel();
        // Everything about the program happens in one thread: the kernel lets only the tracer trace.
        let tracer = scope.spawn(move || {
            let launched = launch::launch(&command)?;
            let traced = launched.traced;
            let program = launched.program;
            // The other side is there for as long as the scope.
            let _ = started.send(launched);
            let trace = trace::follow(program, traced);
            let _ = event.send(Event::Ended);
            trace
        });
        let Ok(mut launched) = starting.recv() else {
            return Err(cannot_start(tracer.join().expect("the tracer does not panic").err().unwrap_or(gone())));
        };
        let drain = &drain;
        let stop = &stop;
        let forwarders: Vec<_> =
            standard.started().into_iter().map(|forward| scope.spawn(move || forward.run(drain, stop))).collect();
        let drainers: Vec<_> = shifts().map(|shift| scope.spawn(move || drain.work(shift))).collect();
        let limit = watch(options, &events, drain, &launched, interrupts.as_mut());
        launched.end_all();
        stop.tell(if limit.is_some() { standard::Haste::Some } else { standard::Haste::None });
        let forwarded: Vec<_> =
            forwarders.into_iter().map(|forwarder| forwarder.join().expect("forwarders do not panic")).collect();
        drain.finish();
        for drainer in drainers {
            drainer.join().expect("drainers do not panic");
        }
        let trace = tracer.join().expect("the tracer does not panic").map_err(cannot_start)?;
        Ok((Trace { traced: launched.traced, ..trace }, limit, forwarded, launched.program))
    })?;
    let header = memory.header();
    // Unless it was killed, by us or by others, too early to start.
    let was_killed = limit.is_some() || matches!(trace.ending, Ending::Killed { .. });
    if header.process.load(Ordering::Acquire) == 0 && !was_killed {
        return Err(RecordError::NeverStarted { program: program.to_path_buf() });
    }
    let mut drained = drain.into_drained();
    if drained.error.is_none() {
        gather::gather(memory, &mut drained);
    }
    let standard = standard.finish(forwarded, &mut drained);
    let end = End {
        ending: match (&drained.error, limit) {
            (Some(error), _) => Ending::WriteFailed { error: format!("{error}{}", about_limit(error)) },
            (None, Some(limit)) => limit,
            (None, None) => own_ending(memory, &trace),
        },
        fault: trace.fault,
        unrecorded_threads: header.unrecorded_threads.load(Ordering::Relaxed),
        unrecorded_handlers: header.unrecorded_handlers.load(Ordering::Relaxed),
        forked: header.forked.load(Ordering::Relaxed),
        executed: trace.executed,
        standard,
    };
    let finished = drained.writer.finish(&end);
    finished.map_err(|error| RecordError::CannotWrite { path: options.output.clone(), error })?;
    drained.warnings.extend(warnings(memory, &end, &trace, &drained.writer));
    let mailbox = memory.mailbox();
    Ok(Recorded {
        end,
        exit_status: trace.exit_status,
        length: drained.writer.length(),
        obeyed: mailbox.obeyed.load(Ordering::Relaxed),
        was_refused: mailbox.refused.load(Ordering::Relaxed) != 0,
        unwritten: memory.last_words(),
        process,
        warnings: drained.warnings,
    })
}

/// How the program ended by itself, or by its plan.
fn own_ending(memory: &SharedMemory, trace: &Trace) -> Ending {
    match memory.ended() {
        // The plan ended it, which looks like an end of its own.
        Some(Ended::Budget) => Ending::TimeLimit,
        Some(Ended::Stopped) => Ending::Interrupted,
        _ => trace.ending.clone(),
    }
}

/// What the recording does not contain, and why.
fn warnings(memory: &SharedMemory, end: &End, trace: &Trace, writer: &Writer) -> Vec<String> {
    let mut warnings = Vec::new();
    if end.unrecorded_threads > 0 && writer.is_empty() {
        let advice = "lift the limit on address space (ulimit -v) and set the sysctl vm.overcommit_memory to 0 or 1";
        warnings.push(format!("nothing was recorded, because there is not enough address space; {advice}"));
    }
    let refused = memory.header().refused_mapping.load(Ordering::Relaxed);
    if refused != 0 {
        let what = "the program tried to map memory at";
        warnings.push(format!("{what} {refused:#x}, which faultline needs itself; the call failed with ENOMEM"));
    }
    if !trace.traced {
        let what =
            "the program could not be traced, so the recording does not contain the address that a crash accessed";
        warnings.push(what.into());
    }
    warnings
}

fn gone() -> io::Error {
    io::Error::other("it ended at once")
}

/// One drainer for each core. One core is the program's, so its drainer works only when the program would wait.
fn shifts() -> impl Iterator<Item = Shift> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let always = cores.saturating_sub(1).max(1);
    (0..cores).map(move |core| if core < always { Shift::Always } else { Shift::WhenBehind })
}

/// What the watcher is told at once.
enum Event {
    /// The program is gone.
    Ended,
    /// The drain has something to say.
    Trouble,
}

/// Waits for the program's end. Kills it when something says so, and gives what that was.
fn watch(
    options: &Options,
    events: &mpsc::Receiver<Event>,
    drain: &Drain,
    launched: &Launched,
    mut interrupts: Option<&mut interrupt::Watch>,
) -> Option<Ending> {
    /// How late a signal to us may be noticed.
    const INTERVAL: Duration = Duration::from_millis(50);
    let deadline = options.time_limit.map(|limit| Instant::now() + limit);
    let mut reason = None;
    loop {
        let patience = deadline.map_or(INTERVAL, |d| d.saturating_duration_since(Instant::now()).min(INTERVAL));
        let patience = if reason.is_some() { INTERVAL } else { patience };
        match events.recv_timeout(patience) {
            Ok(Event::Ended) | Err(RecvTimeoutError::Disconnected) => return reason,
            Ok(Event::Trouble) | Err(RecvTimeoutError::Timeout) => {}
        }
        if reason.is_some() {
            continue;
        }
        if drain.has_failed() {
            // The error itself is told by the drain.
            launched.kill();
        } else if drain.is_over_size() {
            reason = Some(Ending::SizeLimit);
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            reason = Some(Ending::TimeLimit);
        } else if options.memory_limit.is_some_and(|limit| launched.memory_in_use() > limit)
            || options.setting.as_ref().is_some_and(|setting| setting.prepare.is_flooding())
        {
            reason = Some(Ending::MemoryLimit);
        } else if interrupts.as_mut().is_some_and(|interrupts| interrupts.has_come())
            || options.budget.spent().is_some()
        {
            reason = Some(Ending::Interrupted);
        }
        if reason.is_some() {
            launched.kill();
        }
    }
}

/// A name without a slash is looked for in `PATH`, as a shell does.
pub fn find_program(program: &Path) -> Result<PathBuf, RecordError> {
    let missing = || RecordError::NoSuchProgram { program: program.to_path_buf() };
    if program.components().count() > 1 || program.as_os_str().as_encoded_bytes().contains(&b'/') {
        return std::path::absolute(program).ok().filter(|path| path.exists()).ok_or_else(missing);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut candidates = std::env::split_paths(&path).map(|directory| directory.join(program));
    let found = candidates.find(|candidate| candidate.is_file()).ok_or_else(missing)?;
    std::path::absolute(&found).map_err(|_| missing())
}

/// What the drain leaves to be finished.
struct Drained {
    writer: Writer,
    error: Option<io::Error>,
    warnings: Vec<String>,
}
