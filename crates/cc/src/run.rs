//! The whole of a compiler run: ask clang for its jobs, decide which concern us, carry them out in order.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitCode, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tempfile::TempDir;

use crate::cc1::{self, Step};
use crate::clang::{Clang, Language};
use crate::job::{self, Answer, Job, Kind};
use crate::{compile, link, own_option};

/// A job and what we do about it.
struct Task {
    job: Job,
    concern: Concern,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Concern {
    /// Run as clang would.
    None,
    Source(Step),
    Link,
}

/// Runs a compiler command line; the first argument is the name we were called by.
pub fn main(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let called = arguments.next().unwrap_or_default();
    let name = Path::new(&called).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let language = if name.contains("++") { Language::Cpp } else { Language::C };
    match drive(language, &name, arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("{name}: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn drive(language: Language, name: &str, arguments: impl Iterator<Item = OsString>) -> Result<u8> {
    let (options, arguments) = own_option::take(arguments)?;
    let clang = Clang::find(language)?;
    let asks_clang_itself = |argument: &OsString| {
        ["-###", "-cc1", "-cc1as", "-cc1gen-reproducer", "-fdriver-only"].iter().any(|option| argument == option)
    };
    if arguments.iter().any(asks_clang_itself) {
        return Err(clang.execute(&arguments));
    }
    let scratch = scratch_folder()?;
    let Some(mut answer) = clang.jobs(&arguments, &[], scratch.path())? else {
        drop(scratch);
        return Err(clang.execute(&arguments));
    };
    let added = added_arguments(&answer)?;
    if !added.is_empty() {
        let asked: Vec<OsString> =
            arguments.iter().filter(|argument| !needs_whole_program(argument)).cloned().collect();
        match clang.jobs(&asked, &added, scratch.path())? {
            Some(with_added) => answer = with_added,
            None => bail!("clang accepts this command line, but not with {added:?} added"),
        }
    }
    let tasks = concerns(&answer.jobs);
    if tasks.iter().all(|task| task.concern == Concern::None) {
        drop(scratch);
        return Err(clang.execute(&arguments));
    }
    refuse_sanitizers(&tasks)?;
    let verbose = arguments.iter().any(|argument| argument == "-v" || argument == "--verbose");
    show_remarks(&answer, verbose)?;
    carry_out(&tasks, name, verbose, &options, scratch.path())
}

/// What clang's driver is to be told beyond the user's words.
fn added_arguments(answer: &Answer) -> Result<Vec<OsString>> {
    let mut added = Vec::new();
    let optimises_whole_program = |job: &Job| job.has_prefix("-flto") || job.has_prefix("-plugin-opt");
    if answer.jobs.iter().any(optimises_whole_program) {
        // It works on bitcode, of which code would be generated behind our back.
        added.push("-fno-lto".into());
    }
    if let Some(linker) = answer.jobs.iter().find(|job| job.kind() == Kind::Linker) {
        added.extend(link::runtime_arguments(linker)?);
    }
    Ok(added)
}

/// Options that are errors without link-time optimisation.
fn needs_whole_program(argument: &OsStr) -> bool {
    argument == "-fwhole-program-vtables" || argument == "-fvirtual-function-elimination"
}

/// Which jobs are ours. What a source step reads is ours only as part of it: preprocessing alone is clang's, and so
/// is bitcode that is itself the result (`-emit-llvm`) or the source.
fn concerns(jobs: &[Job]) -> Vec<Task> {
    let mut concerns: Vec<Concern> = jobs
        .iter()
        .map(|job| match (job.kind(), cc1::step(job)) {
            (Kind::Linker, _) => Concern::Link,
            (_, Some(step)) => Concern::Source(step),
            (_, None) => Concern::None,
        })
        .collect();
    // The last jobs first: whether a job feeds a step of ours depends on the jobs behind it.
    for at in (0..jobs.len()).rev() {
        let feeds = |step: &[Step]| {
            (at + 1..jobs.len()).any(|later| {
                matches!(concerns[later], Concern::Source(s) if step.contains(&s))
                    && jobs[at].output().is_some()
                    && jobs[at].output() == cc1::input(&jobs[later])
            })
        };
        let kept = match concerns[at] {
            Concern::Source(Step::CompileToBitcode) => feeds(&[Step::GenerateCode]),
            Concern::Source(Step::Prepare) if jobs[at].has("-E") => feeds(&[Step::Compile, Step::CompileToBitcode]),
            _ => true,
        };
        if !kept {
            concerns[at] = Concern::None;
        }
    }
    for at in 0..jobs.len() {
        let fed = |before: &usize| {
            concerns[*before] == Concern::Source(Step::CompileToBitcode)
                && jobs[*before].output() == cc1::input(&jobs[at])
        };
        if concerns[at] == Concern::Source(Step::GenerateCode) && !(0..at).any(|before| fed(&before)) {
            concerns[at] = Concern::None;
        }
    }
    jobs.iter().cloned().zip(concerns).map(|(job, concern)| Task { job, concern }).collect()
}

fn refuse_sanitizers(tasks: &[Task]) -> Result<()> {
    for task in tasks {
        let sanitizer = match task.concern {
            Concern::Source(_) => cc1::sanitizers(&task.job).map(str::to_string),
            Concern::Link => link::sanitizer_runtime(&task.job),
            Concern::None => None,
        };
        if let Some(sanitizer) = sanitizer {
            bail!(
                "sanitizers ({sanitizer}) cannot be combined with faultline, because both change every memory access \
                 and each would record or check the other's; leave out -fsanitize="
            );
        }
    }
    Ok(())
}

fn show_remarks(answer: &Answer, verbose: bool) -> Result<()> {
    let mut out = std::io::stderr().lock();
    let mut show = |line: &[u8]| out.write_all(line).and_then(|()| out.write_all(b"\n"));
    if verbose {
        answer.remarks.iter().try_for_each(|line| show(line))?;
    } else {
        job::diagnostics(answer).try_for_each(show)?;
    }
    Ok(())
}

/// Runs the tasks as clang would: one that fails keeps back only those that need its output. The status is that of
/// the first failure.
fn carry_out(tasks: &[Task], name: &str, verbose: bool, options: &pass::Options, scratch: &Path) -> Result<u8> {
    let mut result = 0;
    let mut missing: HashSet<&OsStr> = HashSet::new();
    for task in tasks {
        if task.job.arguments.iter().any(|argument| missing.contains(argument.as_os_str())) {
            missing.extend(task.job.output());
            continue;
        }
        if verbose {
            let mut line = task.job.shown();
            line.push(b'\n');
            std::io::stderr().write_all(&line)?;
        }
        let done = match task.concern {
            Concern::None => task.job.run_with(&task.job.arguments),
            Concern::Source(Step::Compile) => compile::compile(&task.job, options, scratch),
            Concern::Source(Step::CompileToBitcode) => compile::compile_to_bitcode(&task.job, options, scratch),
            Concern::Source(Step::GenerateCode) => compile::generate_code(&task.job),
            Concern::Source(Step::Prepare) => task.job.run_with(&cc1::prepare(&task.job)),
            Concern::Link => link::link(&task.job, scratch),
        };
        let status = match done {
            Ok(status) if status.success() => continue,
            Ok(status) => status,
            Err(error) => {
                remove_result(task.job.output());
                leave_to_signal();
                return Err(error);
            }
        };
        remove_result(task.job.output());
        leave_to_signal();
        explain(name, &task.job, status);
        missing.extend(task.job.output());
        if result == 0 {
            result = status.code().map_or(254, |code| code as u8);
        }
    }
    Ok(result)
}

/// clang's compiler explains its own errors; of all other failures the driver speaks.
fn explain(name: &str, job: &Job, status: ExitStatus) {
    let tool = match job.kind() {
        Kind::Clang => "clang frontend",
        Kind::Assembler => "assembler",
        Kind::Linker => "linker",
    };
    match (status.code(), status.signal()) {
        (Some(1), _) if job.kind() == Kind::Clang => {}
        (Some(code), _) => {
            eprintln!("{name}: error: {tool} command failed with exit code {code} (use -v to see invocation)");
        }
        (None, signal) => {
            let signal = signal.unwrap_or_default();
            eprintln!("{name}: error: {tool} command failed due to signal {signal} (use -v to see invocation)");
        }
    }
}

/// A failed job leaves no result behind, lest `make` take it for one. Devices and pipes are left alone.
fn remove_result(output: Option<&OsStr>) {
    if let Some(output) = output
        && std::fs::symlink_metadata(output).is_ok_and(|file| file.is_file())
    {
        let _ = std::fs::remove_file(output);
    }
}

/// A private folder for intermediate files, removed when dropped and when a signal ends us.
fn scratch_folder() -> Result<TempDir> {
    let scratch = tempfile::Builder::new()
        .prefix("faultline-cc-")
        // What is compiled is nobody else's business.
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700))
        .tempdir()
        .context("cannot make a folder for intermediate files")?;
    let path = scratch.path().to_path_buf();
    let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(heeded)?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            IS_ENDING.store(true, Ordering::SeqCst);
            let _ = std::fs::remove_dir_all(&path);
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
    Ok(scratch)
}

/// A signal ends us: what fails now fails because its files are gone.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Says nothing of failures that a signal is to blame for, and leaves the end to it.
fn leave_to_signal() {
    while IS_ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Whether we were started with this signal ignored (`nohup`); then it stays so, for clang too.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: asks only; the structure is plain memory that the call fills.
    unsafe {
        let mut current: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut current) == 0 && current.sa_sigaction == libc::SIG_IGN
    }
}
