//! A fork server, from our side: the program, stopped at its start or at a checkpoint, asked for one run after another.
//!
//! The thread that starts a server must live as long as the server is used: the server dies with it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use abi::{Answer, Ended, Mailbox, Request};
use recording::plan::Plan;
use recording::record::launch::{Command, Launched, Prepare, Tracing, launch};
use recording::record::{Mode, SharedMemory};

use crate::case::Case;
use crate::memory_file::{contents, for_reading, memory_file, replace, reset};
use crate::outcome::{End, Ran};
use crate::scratch::Scratch;

pub mod left_behind;

/// What a run may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunLimits {
    pub patience: Duration,
    /// Bytes of each file, standard output and error among them.
    pub file: u64,
    pub memory: u64,
    pub forks: u32,
}

#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    #[error("cannot start the program: {0}")]
    Start(io::Error),
    #[error("the program ended, or hung, before its first own instruction")]
    NeverReady,
    #[error("the program's server is gone")]
    Gone,
    #[error("the plan is too long")]
    PlanTooLong,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Since when the server goes on: what had been written until then.
struct Checkpoint {
    output: Vec<u8>,
    error: Vec<u8>,
}

pub struct Server {
    memory: SharedMemory,
    launched: Launched,
    epoch: u64,
    is_alone: bool,
    input: File,
    output: File,
    error: File,
    scratch: Scratch,
    checkpoint: Option<Checkpoint>,
    /// The checkpoint that was last asked for, whether there is one or not.
    asked_for: Option<u64>,
}

/// Bytes of a plan, at most.
const LONGEST_PLAN: usize = 1 << 20;

/// How long a program may take to load.
const LOADING: Duration = Duration::from_secs(30);

impl Server {
    pub fn start(case: &Case, epoch: u64, scratch: Scratch, prepare: &dyn Prepare) -> Result<Server, ServerError> {
        let memory = SharedMemory::new(Mode::Serve, LONGEST_PLAN, 1, 64 * 1024)?;
        memory.set_plan(&Plan::new(Vec::new(), None, epoch)).ok_or(ServerError::PlanTooLong)?;
        let (input, output, error) = (memory_file(&case.input)?, memory_file(&[])?, memory_file(&[])?);
        let read = for_reading(&input)?;
        let directory = scratch.directory()?;
        let command = Command {
            program: &case.program,
            name: &case.name,
            arguments: &case.arguments,
            environment: case.environment.clone(),
            directory: Some(&directory),
            memory: &memory,
            redirections: vec![(read.as_raw_fd(), 0), (output.as_raw_fd(), 1), (error.as_raw_fd(), 2)],
            tracing: Tracing::None,
            prepare: Some(prepare),
        };
        let launched = launch(&command).map_err(ServerError::Start)?;
        let is_alone = prepare.namespaces() & libc::CLONE_NEWPID != 0;
        let server = Server {
            memory,
            launched,
            epoch,
            is_alone,
            input,
            output,
            error,
            scratch,
            checkpoint: None,
            asked_for: None,
        };
        match server.await_answer(0, LOADING) {
            Ok(answer) if answer == Answer::Ready as u32 => Ok(server),
            _ => Err(ServerError::NeverReady),
        }
    }

    /// Gives runs that begin at the start another standard input: each opens it anew.
    pub fn set_input(&self, input: &[u8]) -> io::Result<()> {
        replace(&self.input, input)
    }

    /// Lets runs that begin at the start find other contents in files of their directory.
    pub fn set_files(&mut self, files: &BTreeMap<PathBuf, Vec<u8>>) -> io::Result<()> {
        self.scratch.set_files(files)
    }

    /// Makes one run.
    ///
    /// What the mailbox says of it, a program gone wild may have written there; at worst an outcome is wrong.
    pub fn run(&mut self, plan: &Plan, limits: &RunLimits) -> Result<Ran, ServerError> {
        self.scratch.restore()?;
        let (output, error) = match &self.checkpoint {
            Some(checkpoint) => (&checkpoint.output[..], &checkpoint.error[..]),
            None => (&[][..], &[][..]),
        };
        reset(&self.output, output)?;
        reset(&self.error, error)?;
        self.memory.set_plan(plan).ok_or(ServerError::PlanTooLong)?;
        let answer = self.ask(Request::Run, limits)?;
        if !self.is_alone {
            left_behind::kill_descendants(self.launched.program);
        }
        let mailbox = self.memory.mailbox();
        let status = mailbox.status.load(Ordering::Relaxed) as i32;
        if answer == Answer::NoProcess as u32 {
            return Err(ServerError::Io(io::Error::other("the system has no process left for a run")));
        }
        if answer != Answer::Over as u32 && answer != Answer::TooLong as u32 {
            return Err(ServerError::Gone);
        }
        let end = match self.memory.ended() {
            _ if answer == Answer::TooLong as u32 => End::TooLong,
            Some(Ended::Budget) => End::Budget,
            Some(Ended::Stopped) => End::Stopped,
            Some(Ended::Forks) => End::Forks,
            None if libc::WIFSIGNALED(status) => End::Killed(libc::WTERMSIG(status)),
            None => End::Exited(libc::WEXITSTATUS(status)),
        };
        Ok(Ran {
            end,
            output: contents(&self.output, limits.file)?,
            error: contents(&self.error, limits.file)?,
            unwritten: self.memory.last_words(),
            obeyed: mailbox.obeyed.load(Ordering::Relaxed),
            was_refused: mailbox.refused.load(Ordering::Relaxed) != 0,
            processor_time: Duration::from_micros(mailbox.processor_time.load(Ordering::Relaxed)),
        })
    }

    /// Whether this checkpoint has been asked for, and no other since.
    pub fn has_tried_checkpoint(&self, clock: u64) -> bool {
        self.asked_for == Some(clock)
    }

    /// Lets further runs begin where the unchanged run has this clock. False where that cannot be: the run does not come
    /// that far, or has changed files.
    pub fn go_to_checkpoint(&mut self, clock: u64, limits: &RunLimits) -> Result<bool, ServerError> {
        self.leave_checkpoint(limits)?;
        self.asked_for = Some(clock);
        self.scratch.restore()?;
        reset(&self.output, &[])?;
        reset(&self.error, &[])?;
        self.memory.set_plan(&Plan::new(Vec::new(), None, self.epoch)).ok_or(ServerError::PlanTooLong)?;
        self.memory.mailbox().checkpoint.store(clock, Ordering::Relaxed);
        let answer = self.ask(Request::Checkpoint, limits)?;
        if answer != Answer::Ready as u32 {
            return Ok(false);
        }
        let (output, error) = (contents(&self.output, limits.file)?, contents(&self.error, limits.file)?);
        self.checkpoint = Some(Checkpoint { output, error });
        if !self.scratch.is_fresh()? {
            // Runs from here would find the files that one of them left.
            self.leave_checkpoint(limits)?;
            self.asked_for = Some(clock);
            return Ok(false);
        }
        Ok(true)
    }

    pub fn leave_checkpoint(&mut self, limits: &RunLimits) -> Result<(), ServerError> {
        self.asked_for = None;
        if self.checkpoint.take().is_some() {
            self.ask(Request::Leave, limits)?;
        }
        Ok(())
    }

    fn ask(&self, request: Request, limits: &RunLimits) -> Result<u32, ServerError> {
        let mailbox = self.memory.mailbox();
        mailbox.request.store(request as u32, Ordering::Relaxed);
        mailbox.patience.store(limits.patience.as_millis().clamp(1, u32::MAX.into()) as u32, Ordering::Relaxed);
        mailbox.file_limit.store(limits.file, Ordering::Relaxed);
        mailbox.memory_limit.store(limits.memory, Ordering::Relaxed);
        mailbox.fork_limit.store(limits.forks, Ordering::Relaxed);
        let Mailbox { status, ended, obeyed, refused, forked, unwritten, .. } = mailbox;
        for number in [status, ended, obeyed, refused, forked, unwritten] {
            number.store(0, Ordering::Relaxed);
        }
        let answered = mailbox.answered.load(Ordering::SeqCst);
        mailbox.asked.fetch_add(1, Ordering::SeqCst);
        recording::record::futex_wake(&mailbox.asked);
        // The server keeps the time; ours is for a server that does not.
        self.await_answer(answered, limits.patience + LOADING)
    }

    /// The answer that comes after so many others.
    fn await_answer(&self, before: u32, patience: Duration) -> Result<u32, ServerError> {
        const GLANCE: Duration = Duration::from_millis(100);
        let mailbox = self.memory.mailbox();
        let deadline = Instant::now() + patience;
        loop {
            if mailbox.answered.load(Ordering::SeqCst) != before {
                return Ok(mailbox.answer.load(Ordering::Relaxed));
            }
            recording::record::futex_wait(&mailbox.answered, before, GLANCE);
            let is_answered = mailbox.answered.load(Ordering::SeqCst) != before;
            if !is_answered && (self.launched.is_gone() || Instant::now() >= deadline) {
                return Err(ServerError::Gone);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !self.is_alone {
            left_behind::kill_descendants(self.launched.program);
        }
        // The first process of a namespace takes all others with it.
        self.launched.kill();
        self.launched.wait();
    }
}
