//! A fork server, from our side: the program, stopped at its start or at a checkpoint, makes one run after another.
//!
//! The thread that starts a server must live as long as the server is used: the server dies with it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant, SystemTime};

use abi::{Answer, Answered, Asked, Ended, Mailbox, Request};
use recording::plan::{Plan, Steady};
use recording::record::launch::{Command, Launched, Tracing, launch};
use recording::record::{Mode, SharedMemory, high};

use crate::case::Case;
use crate::memory_file::{contents, date, memory_file, replace, reset};
use crate::outcome::{End, Ran};
use crate::sandbox::{Confinement, Flood, Noting, Purpose, Readable, Supervision, Terms, Walls, end_session};
use crate::scratch::Scratch;
use crate::timeouts;

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
    #[error("the program never reached code compiled by faultline-cc; build all of it with CC=faultline-cc")]
    NeverReady,
    #[error("the fork server of the program has ended")]
    Gone,
    #[error("the plan is too long")]
    PlanTooLong,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Since when the server goes on: what had been written until then, and the process that serves.
struct Checkpoint {
    output: Vec<u8>,
    error: Vec<u8>,
    process: libc::pid_t,
}

pub struct Server {
    memory: SharedMemory,
    launched: Launched,
    supervision: Option<Supervision>,
    readable: Readable,
    noting: Noting,
    /// It is the first process of a namespace, which goes with it.
    is_alone: bool,
    steady: Steady,
    requests: File,
    answers: File,
    input: File,
    /// What is in it: no run can write to it.
    input_contents: Vec<u8>,
    input_modified: SystemTime,
    output: File,
    error: File,
    scratch: Scratch,
    /// Its writable part, as it is really called.
    writable: PathBuf,
    checkpoint: Option<Checkpoint>,
    /// The checkpoint that was last asked for, whether there is one or not.
    asked_for: Option<u64>,
    was_ended: bool,
}

/// How a request ended.
enum Heard {
    Answer(Answered),
    /// The machine would have been flooded; the server is gone.
    Flood(End),
}

/// Bytes of a plan, at most.
const LONGEST_PLAN: usize = 1 << 20;

impl Server {
    /// `readable`: what runs may read.
    pub fn start(
        case: &Case,
        walls: Walls,
        readable: &Readable,
        noting: Noting,
        forks: u32,
        steady: Steady,
    ) -> Result<Server, ServerError> {
        let scratch = Scratch::new(case)?;
        let memory = SharedMemory::new(Mode::Serve, LONGEST_PLAN, 1, 64 * 1024)?;
        memory.set_plan(&Plan::new(Vec::new(), None, steady)).ok_or(ServerError::PlanTooLong)?;
        // A file that the sandbox lets nobody write to: one in memory could be opened anew for writing.
        let (input_path, input) = scratch.beside("input", &case.input)?;
        date(&input, case.input_modified)?;
        let (output, error) = (memory_file(&[])?, memory_file(&[])?);
        let read = File::open(&input_path)?;
        let directory = scratch.directory()?;
        let (requests_read, requests) = pipe()?;
        let (answers, answers_write) = pipe()?;
        let (requests_read, answers_write) = (high(requests_read), high(answers_write));
        memory.set_pipes(requests_read.as_raw_fd(), answers_write.as_raw_fd());
        let mut readable = readable.clone();
        if let Readable::Only(files) = &mut readable {
            files.push(input_path);
        }
        let terms = Terms {
            purpose: Purpose::Server,
            scratch: &scratch.writable(),
            readable: &readable,
            noting,
            forks,
            file: None,
            memory: None,
        };
        let (confinement, supervision) = Confinement::new(walls, &terms)?;
        let command = Command {
            program: &case.program,
            name: &case.name,
            arguments: &case.arguments,
            environment: case.environment.clone(),
            directory: Some(&directory),
            memory: Some(&memory),
            redirections: vec![(read.as_raw_fd(), 0), (output.as_raw_fd(), 1), (error.as_raw_fd(), 2)],
            kept: vec![requests_read.as_raw_fd(), answers_write.as_raw_fd()],
            tracing: Tracing::None,
            prepare: Some(&confinement),
        };
        let launched = launch(&command).map_err(ServerError::Start)?;
        let mut server = Server {
            memory,
            launched,
            supervision,
            readable,
            noting,
            is_alone: walls.has_processes(),
            steady,
            requests: requests.into(),
            answers: answers.into(),
            input,
            input_contents: case.input.to_vec(),
            input_modified: case.input_modified,
            output,
            error,
            writable: scratch.writable().canonicalize()?,
            scratch,
            checkpoint: None,
            asked_for: None,
            was_ended: false,
        };
        // Only the server has these ends now: when it is gone, we hear of it.
        drop((requests_read, answers_write));
        match server.hear(timeouts::LOADING) {
            Ok(Heard::Answer(answered)) if answered.answer == Answer::Ready as u32 => Ok(server),
            _ => Err(ServerError::NeverReady),
        }
    }

    /// Gives runs that begin at the start another standard input: each reads it from its beginning.
    pub fn set_input(&mut self, input: &[u8]) -> io::Result<()> {
        if self.input_contents != input {
            replace(&self.input, input)?;
            input.clone_into(&mut self.input_contents);
        }
        // Who reads a file changes its date.
        date(&self.input, self.input_modified)
    }

    /// Lets runs that begin at the start find other contents in files of their directory.
    pub fn set_files(&mut self, files: &BTreeMap<PathBuf, Vec<u8>>) -> io::Result<()> {
        self.scratch.set_files(files)
    }

    /// Makes one run.
    ///
    /// What the mailbox says of it, a program gone wild may have written there; at worst this outcome is wrong.
    pub fn run(&mut self, plan: &Plan, limits: &RunLimits) -> Result<Ran, ServerError> {
        self.scratch.restore()?;
        let (output, error) = match &self.checkpoint {
            Some(checkpoint) => (&checkpoint.output[..], &checkpoint.error[..]),
            None => (&[][..], &[][..]),
        };
        reset(&self.output, output)?;
        reset(&self.error, error)?;
        self.memory.set_plan(plan).ok_or(ServerError::PlanTooLong)?;
        if let Some(supervision) = &self.supervision {
            supervision.begin();
        }
        let heard = self.ask(Request::Run, 0, limits)?;
        self.end_left_behind();
        let answered = match &heard {
            Heard::Answer(answered) => *answered,
            Heard::Flood(_) => Answered::default(),
        };
        let has_too_many = self.supervision.as_ref().is_some_and(Supervision::has_too_many);
        let end = match (heard, self.memory.ended()) {
            (Heard::Flood(end), _) => end,
            (Heard::Answer(answered), _) if answered.answer == Answer::NoProcess as u32 => {
                return Err(ServerError::Io(io::Error::other("the system has no process left for another run")));
            }
            // Whoever forked too often was ended; the first process may have waited on in vain.
            (Heard::Answer(_), ended) if has_too_many || ended == Some(Ended::Forks) => End::Forks,
            (Heard::Answer(answered), _) if answered.answer == Answer::TooLong as u32 => End::TooLong,
            (Heard::Answer(answered), _) if answered.answer != Answer::Over as u32 => return Err(ServerError::Gone),
            (_, Some(Ended::Budget)) => End::Budget,
            (_, Some(Ended::Stopped)) => End::Stopped,
            _ if libc::WIFSIGNALED(answered.status) => End::Killed(libc::WTERMSIG(answered.status)),
            _ => End::Exited(libc::WEXITSTATUS(answered.status)),
        };
        let files_refused = match (self.noting, &self.supervision) {
            (Noting::All, Some(supervision)) => supervision.notes().kept_from(&self.readable, &self.writable),
            (Noting::Needed, _) | (_, None) => Vec::new(),
        };
        let mailbox = self.memory.mailbox();
        Ok(Ran {
            end,
            output: contents(&self.output, limits.file)?,
            error: contents(&self.error, limits.file)?,
            unwritten: self.memory.last_words(),
            obeyed: mailbox.obeyed.load(Ordering::Relaxed),
            was_refused: mailbox.refused.load(Ordering::Relaxed) != 0,
            processor_time: Duration::from_micros(answered.processor_time),
            calls_refused: self.supervision.as_ref().map(Supervision::refused).unwrap_or_default(),
            files_refused,
        })
    }

    /// Whether it can make another run.
    pub fn is_usable(&self) -> bool {
        !self.was_ended && !self.launched.is_gone()
    }

    /// Ends what a run has left running. Where processes have a namespace of their own, the server does that.
    fn end_left_behind(&self) {
        if !self.is_alone && self.supervision.as_ref().is_none_or(Supervision::has_forked) {
            let serving = self.checkpoint.as_ref().map_or(self.launched.program, |checkpoint| checkpoint.process);
            end_session(self.launched.program, &[self.launched.program, serving]);
        }
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
        self.memory.set_plan(&Plan::new(Vec::new(), None, self.steady)).ok_or(ServerError::PlanTooLong)?;
        let process = match self.ask(Request::Checkpoint, clock, limits)? {
            Heard::Answer(answered) if answered.answer == Answer::Ready as u32 => answered.process as libc::pid_t,
            Heard::Answer(_) => return Ok(false),
            Heard::Flood(_) => return Err(ServerError::Gone),
        };
        let (output, error) = (contents(&self.output, limits.file)?, contents(&self.error, limits.file)?);
        self.checkpoint = Some(Checkpoint { output, error, process });
        if let Some(supervision) = &self.supervision {
            supervision.set_checkpoint(Some(process));
        }
        if !self.scratch.is_fresh() {
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
            self.ask(Request::Leave, 0, limits)?;
            if let Some(supervision) = &self.supervision {
                supervision.set_checkpoint(None);
            }
        }
        Ok(())
    }

    fn ask(&mut self, request: Request, checkpoint: u64, limits: &RunLimits) -> Result<Heard, ServerError> {
        let mailbox = self.memory.mailbox();
        mailbox.fork_limit.store(limits.forks, Ordering::Relaxed);
        let Mailbox { ended, obeyed, refused, forked, unwritten, .. } = mailbox;
        for number in [ended, obeyed, refused, forked, unwritten] {
            number.store(0, Ordering::Relaxed);
        }
        let asked = Asked {
            request: request as u32,
            patience: limits.patience.as_millis().clamp(1, u32::MAX.into()) as u32,
            file_limit: limits.file,
            memory_limit: limits.memory,
            checkpoint,
        };
        self.requests.write_all(bytes_of(&asked)).map_err(|_| ServerError::Gone)?;
        // The server keeps the time; ours is for a server that does not.
        self.hear(limits.patience + timeouts::LATE_ANSWER)
    }

    /// The next answer.
    fn hear(&mut self, patience: Duration) -> Result<Heard, ServerError> {
        const GLANCE: Duration = Duration::from_millis(100);
        let deadline = Instant::now() + patience;
        let mut flood = None;
        loop {
            if is_readable(&self.answers, GLANCE)? {
                let mut bytes = [0; size_of::<Answered>()];
                self.answers.read_exact(&mut bytes).map_err(|_| ServerError::Gone)?;
                return Ok(Heard::Answer(answered(bytes)));
            }
            if self.launched.is_gone() || Instant::now() >= deadline {
                return Err(ServerError::Gone);
            }
            // Only runs that take long are worth the look.
            if let Some(end) = flood.get_or_insert_with(|| Flood::watch(&self.scratch.writable())).rising() {
                self.end();
                return Ok(Heard::Flood(end));
            }
        }
    }

    /// Ends the server and all of its runs.
    fn end(&mut self) {
        self.was_ended = true;
        // The first process of a namespace takes all others with it.
        self.launched.kill();
        if !self.is_alone {
            end_session(self.launched.program, &[]);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
        self.launched.wait();
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = io::pipe()?;
    Ok((read.into(), write.into()))
}

fn bytes_of(asked: &Asked) -> &[u8] {
    // SAFETY: it is made of numbers, without gaps between them.
    unsafe { std::slice::from_raw_parts((&raw const *asked).cast(), size_of::<Asked>()) }
}

fn answered(bytes: [u8; size_of::<Answered>()]) -> Answered {
    // SAFETY: it is made of numbers: all bytes are one.
    unsafe { std::mem::transmute(bytes) }
}

/// Whether there is something to be read, or nobody who could write any more.
fn is_readable(file: &File, patience: Duration) -> io::Result<bool> {
    let mut polled = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    // SAFETY: the memory is this stack's.
    let count = unsafe { libc::poll(&mut polled, 1, patience.as_millis() as libc::c_int) };
    match count {
        ..0 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => Ok(false),
        ..0 => Err(io::Error::last_os_error()),
        count => Ok(count > 0),
    }
}
