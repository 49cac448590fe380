//! The state of a replay: frames, log, clock, hash; and the loop that alternates between running code and waiting
//! for what outside code does.

mod attention;
mod checkpoint;
mod handlers;
mod plan;

use abi::{Address, InstructionId, StreamId};
use program::Site;
use recording::{Fault, Stream, StreamEnd};

use crate::code::{Code, EdgeSide, Op};
use crate::departure::{Departure, ReplayError, Where};
use crate::image::Image;
use crate::log::{Edge, LogReader, Position};
use crate::memory::Memory;
use crate::observer::{Leaving, Observed, Observer};
use crate::running::Frame;
use crate::surprises::{SurprisePosition, Surprises};
pub use checkpoint::Checkpoint;
pub(crate) use handlers::Interrupting;
use handlers::{Suspended, interruptions};
use plan::Planned;

/// How a stream's replay ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The first function returned, or the program ended inside outside code called at the bottom.
    Finished,
    /// In a call into outside code that did not come back (`exit`, a crash inside the library).
    Outside,
    /// In the middle of instrumented code: a crash, or the program was killed.
    Inside,
    /// Where the window ends.
    Window,
}

#[derive(Clone, Debug)]
pub struct Summary {
    /// IR instructions executed.
    pub instructions: u64,
    pub clock: u64,
    pub hash: u64,
    pub ending: Ending,
    /// Where control was at the end, innermost function first; empty if [`Ending::Finished`].
    pub stack: Vec<Site>,
    /// Of each of them, whether it was entered from outside.
    pub entered_from_outside: Vec<bool>,
    /// How many of them, from the innermost on, belong to signal handlers.
    pub in_handlers: usize,
    /// Signal handlers replayed.
    pub handlers: u64,
}

pub(crate) enum Flow {
    /// Go on running instrumented code.
    Run,
    /// Wait for what outside code does.
    Outside,
    End(Ending),
}

pub struct Machine<'i, 'r, O> {
    pub(crate) image: &'i Image<'r>,
    pub(crate) observer: O,
    pub(crate) log: LogReader<'r>,
    pub(crate) surprises: Surprises<'r>,
    pub(crate) memory: Memory,
    /// The shadows of signal handlers that do not run now, by how deep they nest.
    pub(crate) handler_memories: Vec<Memory>,
    pub(crate) stack: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) clock: u64,
    pub(crate) hash: u64,
    /// Clock and hash at the recorded end.
    pub(crate) last: Option<StreamEnd>,
    /// The clock at which the replay of a recording that was cut ends.
    pub(crate) known_until: u64,
    /// From this clock on, ends of blocks take the slow path.
    pub(crate) attention: u64,
    /// Signal handlers to come on this stream, the next one last.
    pub(crate) interruptions: Vec<Interrupting>,
    suspended: Vec<Suspended<'r>>,
    /// A signal handler runs, of which the observer is not told.
    pub(crate) is_unwatched: bool,
    /// Running code; otherwise waiting for outside code.
    pub(crate) running: bool,
    pub(crate) instructions: u64,
    pub(crate) handlers: u64,
    /// Where a window ends.
    pub(crate) until: Option<(u64, Position)>,
    /// Checkpoints taken so far, and the clock from which the next is due; `u64::MAX` if none are wanted.
    pub(crate) checkpoints: Vec<Checkpoint>,
    pub(crate) checkpoint_due: u64,
    /// Ticks between two of them.
    pub(crate) checkpoint_interval: u64,
    /// The clock at which the budget is asked next.
    budget_due: u64,
    pub(crate) scratch: Vec<u64>,
    /// The fault that ended this thread, if one did.
    fault: Option<Fault>,
    /// Near the recorded end: accesses are compared with the fault's address.
    careful: bool,
    plan: Planned<'r>,
}

impl<'i, 'r, O: Observer> Machine<'i, 'r, O> {
    pub fn new(image: &'i Image<'r>, stream: StreamId, observer: O) -> Result<Machine<'i, 'r, O>, ReplayError> {
        Machine::at(image, stream, observer, Position::default(), SurprisePosition::default())
    }

    pub(crate) fn at(
        image: &'i Image<'r>,
        stream: StreamId,
        observer: O,
        position: Position,
        surprises: SurprisePosition,
    ) -> Result<Machine<'i, 'r, O>, ReplayError> {
        let log = LogReader::open(image.recording, stream, position)?.ok_or(ReplayError::NoStream(stream))?;
        let mut machine = Machine {
            image,
            observer,
            last: log.stream().last,
            // Ends of blocks look up, and a load further on in its block must not be one that is not known.
            known_until: match log.stream().known_until {
                u64::MAX => u64::MAX,
                known => known.saturating_sub(CAREFUL_TICKS),
            },
            interruptions: interruptions(image, stream),
            surprises: Surprises::open(image.recording, stream, surprises)?,
            memory: Memory::default(),
            handler_memories: Vec::new(),
            fault: fault_of(image, log.stream()),
            careful: false,
            plan: Planned::new(image, log.stream()),
            log,
            stack: vec![0; 1 << 12],
            frames: Vec::new(),
            clock: 0,
            hash: 0,
            attention: 0,
            suspended: Vec::new(),
            is_unwatched: false,
            running: false,
            instructions: 0,
            handlers: 0,
            until: None,
            checkpoints: Vec::new(),
            checkpoint_due: u64::MAX,
            checkpoint_interval: u64::MAX,
            budget_due: 0,
            scratch: Vec::new(),
        };
        machine.set_attention();
        Ok(machine)
    }

    pub fn into_observer(self) -> O {
        self.observer
    }

    pub(crate) fn is_careful(&self) -> bool {
        self.careful
    }

    /// The value that the step at the present clock went on with, instead of the one it had.
    pub(crate) fn planned(&mut self, value: u64, code: &Code, pc: usize, frame: *const u64) -> u64 {
        if !self.suspended.is_empty() || !self.plan.is_due(self.clock) {
            return value;
        }
        self.plan.obey(self.clock, value, code, pc, frame)
    }

    /// What the plan put in place of the value of the step at the present clock.
    pub(crate) fn changed_now(&self) -> Option<u64> {
        self.plan.changed_at(self.clock).filter(|_| self.suspended.is_empty())
    }

    /// Runs to the end of the stream, or of the window.
    pub fn run(&mut self) -> Result<Summary, ReplayError> {
        let ending = loop {
            if self.known_until == 0 {
                break Ending::Inside;
            }
            // A fault may come before the first end of a block: in a short run, after a checkpoint.
            if !self.careful && self.is_near_end() {
                self.careful = true;
                self.set_attention();
            }
            let flow = match (self.running, self.careful || !self.plan.is_empty()) {
                (true, false) => self.interpret::<false>()?,
                (true, true) => self.interpret::<true>()?,
                (false, _) => self.outside()?,
            };
            match flow {
                Flow::Run => self.running = true,
                Flow::Outside => self.running = false,
                Flow::End(ending) => break ending,
            }
        };
        if ending != Ending::Window {
            self.check_end()?;
        }
        let finished = ending == Ending::Finished;
        Ok(Summary {
            instructions: self.instructions,
            clock: self.clock,
            hash: self.hash,
            ending,
            stack: if finished { Vec::new() } else { self.frames.iter().rev().map(Frame::site).collect() },
            in_handlers: self.suspended.first().map_or(0, |s| self.frames.len().saturating_sub(s.frames)),
            entered_from_outside: self.frames.iter().rev().map(|f| f.from_outside).collect(),
            handlers: self.handlers,
        })
    }

    fn check_end(&self) -> Result<(), ReplayError> {
        if let Some(last) = self.last {
            if self.clock < last.clock {
                return Err(self.departed(Departure::EndedEarly { recorded: last.clock, replayed: self.clock }));
            }
            // A program that was killed may have stored its clock and not yet its hash, or the other way round.
            let is_torn = !last.exact && (follows(self.hash, last.hash) || follows(last.hash, self.hash));
            if self.clock == last.clock && self.hash != last.hash && !is_torn {
                return Err(self.departed(Departure::Hash { recorded: last.hash, replayed: self.hash }));
            }
        }
        if self.clock >= self.known_until {
            return Ok(());
        }
        if self.surprises.clock <= self.clock {
            return Err(self.missed_surprise());
        }
        match self.log.left() {
            0 => Ok(()),
            bytes => Err(self.departed(Departure::LogLeft { bytes })),
        }
    }

    pub(crate) fn departed(&self, departure: Departure) -> ReplayError {
        let place = match self.frames.last() {
            None => Where { function: "(outside)".into(), instruction: 0, source: None, clock: self.clock },
            Some(frame) => {
                let code = frame.code();
                let function = code.function();
                let location = function.instructions.get(frame.pc as usize).and_then(|i| i.location);
                Where {
                    function: function.name.clone(),
                    instruction: frame.pc,
                    source: location.map(|l| {
                        let file = code.module.files.get(l.file as usize).map_or("?", |f| &f.name);
                        format!("{file}:{}:{}", l.line, l.column)
                    }),
                    clock: self.clock,
                }
            }
        };
        ReplayError::Departed { place, departure }
    }

    fn missed_surprise(&self) -> ReplayError {
        self.departed(Departure::MissedSurprise { clock: self.surprises.clock, key: self.surprises.key })
    }

    /// The value of a surprise that the load at hand meets.
    #[cold]
    pub(crate) fn surprise(&mut self, size: usize) -> Result<u64, ReplayError> {
        let value = self.surprises.take(size)?;
        self.set_attention();
        value.ok_or_else(|| self.departed(Departure::ShortEntry { wanted: size, left: 0 }))
    }

    pub(crate) fn write_words(&mut self, address: u64, words: &[u64], bytes: usize) {
        let flat: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take(bytes).collect();
        self.memory.write(address, &flat);
    }

    /// Whether an access is the one that the recorded fault ended.
    pub(crate) fn faults(&self, address: u64, size: u64) -> bool {
        let Some(fault) = self.fault else { return false };
        // The clock in memory is behind within a block, never ahead.
        if self.last.is_none_or(|last| self.clock < last.clock) {
            return false;
        }
        let is_canonical = ((address << 16) as i64 >> 16) as u64 == address;
        if fault.code == SI_KERNEL {
            return !is_canonical;
        }
        address <= fault.address && fault.address - address < size
    }

    /// The machine raised an error at the top frame's instruction.
    #[cold]
    pub(crate) fn trapped(&mut self) -> Result<Flow, ReplayError> {
        let here = self.log.position();
        match self.interruptions.last() {
            Some(next) if here >= (Position { chunk: next.at.chunk, offset: next.at.offset }) => {
                self.running = true;
                self.begin_handler()?;
                Ok(Flow::Outside)
            }
            _ => Ok(Flow::End(Ending::Inside)),
        }
    }

    /// A read could not be satisfied. `None`: read again.
    #[cold]
    pub(crate) fn at_edge(&mut self, wanted: usize, may_switch: MaySwitch) -> Result<Option<Flow>, ReplayError> {
        match self.log.edge()? {
            Edge::Chunk { clock, hash } => {
                if clock != self.clock {
                    return Err(self.departed(Departure::Clock { recorded: clock, replayed: self.clock }));
                }
                if hash != self.hash {
                    return Err(self.departed(Departure::Hash { recorded: hash, replayed: self.hash }));
                }
                self.set_attention();
                Ok(None)
            }
            Edge::Limit => match may_switch {
                MaySwitch::Yes => {
                    self.begin_handler()?;
                    Ok(Some(Flow::Outside))
                }
                // The rest of the entry was never written if a handler here did not return.
                MaySwitch::No if self.handlers_here_jump()? => {
                    self.begin_handler()?;
                    Ok(Some(Flow::Outside))
                }
                MaySwitch::No => {
                    self.log.stop_at(None);
                    Ok(None)
                }
            },
            Edge::End => Ok(Some(Flow::End(if self.running { Ending::Inside } else { Ending::Outside }))),
            Edge::Short { left } => Err(self.departed(Departure::ShortEntry { wanted, left })),
        }
    }

    pub(crate) fn pop_frame(&mut self, leaving: Leaving) -> Option<Frame> {
        let frame = self.frames.pop()?;
        if !self.is_unwatched {
            self.observer.left(frame.code().function(), leaving);
        }
        Some(frame)
    }

    pub(crate) fn unwind_frame(&mut self) -> Option<Frame> {
        let at = InstructionId(self.frames.last()?.pc);
        self.pop_frame(Leaving::Unwound(at))
    }

    /// What the top frame, which runs this code, is at.
    pub(crate) fn step_at_top(&self, code: &'i Code) -> Observed<'i> {
        let (pc, base) = self.frames.last().map_or((0, 0), |f| (f.pc, f.base));
        Observed {
            code,
            id: InstructionId(pc),
            frame: self.stack[base..].as_ptr(),
            frames: self.frames.as_ptr(),
            memory: &self.memory,
            clock: self.clock,
            depth: self.frames.len(),
            is_surprise: false,
            changed: None,
        }
    }

    /// Tells the observer that the top frame has its parameters.
    pub(crate) fn observe_begin(&mut self) {
        if O::STEPS
            && !self.is_unwatched
            && let Some(code) = self.frames.last().map(Frame::code)
        {
            let step = self.step_at_top(code);
            self.observer.begun(&step);
        }
    }

    /// Tells the observer of the phis an edge has set.
    pub(crate) fn observe_phis(&mut self, code: &'i Code, edge: &EdgeSide, frame: *const u64) {
        if self.is_unwatched {
            return;
        }
        for &id in &edge.phis {
            if !self.observer.concerns(id, self.clock) {
                continue;
            }
            let (memory, frames) = (&raw const self.memory, self.frames.as_ptr());
            let (clock, depth, is_surprise, changed) = (self.clock, self.frames.len(), false, None);
            self.observer.step(&Observed { code, id, frame, frames, memory, clock, depth, is_surprise, changed });
        }
    }

    /// Makes a frame for a function; its words are not initialised.
    pub(crate) fn push_frame(&mut self, code: &'i Code, from_outside: bool) {
        let base = self.frames.last().map_or(0, |f| f.base + f.code().frame_words as usize);
        let needed = base + code.frame_words as usize;
        if needed > self.stack.len() {
            self.stack.resize((needed * 2).max(1 << 12), 0);
        }
        self.frames.push(Frame { code, base, pc: 0, address: 0, from_outside });
        if !self.is_unwatched {
            self.observer.entered(code.function(), &code.module, from_outside);
        }
    }

    /// What a function logs when entered: its frame's address and those of its by-value parameters.
    pub(crate) fn read_entry(&mut self, code: &'i Code) -> Result<Option<Flow>, ReplayError> {
        if code.function().logs_frame {
            match self.read_u64()? {
                Ok(address) => {
                    if let Some(frame) = self.frames.last_mut() {
                        frame.address = address;
                    }
                }
                Err(flow) => return Ok(Some(flow)),
            }
        }
        for parameter in &code.parameters {
            if parameter.by_value {
                match self.read_u64()? {
                    Ok(address) => {
                        let base = self.frames.last().map_or(0, |f| f.base);
                        self.stack[base + parameter.first as usize] = address;
                    }
                    Err(flow) => return Ok(Some(flow)),
                }
            }
        }
        if code.function().ticks_on_entry {
            self.clock += 1;
        }
        Ok(None)
    }

    pub(crate) fn read_u64(&mut self) -> Result<Result<u64, Flow>, ReplayError> {
        loop {
            if let Some(bytes) = self.log.take::<8>() {
                return Ok(Ok(u64::from_le_bytes(bytes)));
            }
            if let Some(flow) = self.at_edge(8, MaySwitch::No)? {
                return Ok(Err(flow));
            }
        }
    }

    /// Reads a value of `bytes` bytes into `words` words of the stack at `first`.
    pub(crate) fn read_words(
        &mut self,
        first: usize,
        words: usize,
        bytes: usize,
        may_switch: MaySwitch,
    ) -> Result<Option<Flow>, ReplayError> {
        if bytes == 0 {
            return Ok(None);
        }
        loop {
            if let Some(slice) = self.log.take_slice(bytes) {
                let target = &mut self.stack[first..first + words];
                for (word, chunk) in target.iter_mut().zip(slice.chunks(8)) {
                    let mut buffer = [0; 8];
                    buffer[..chunk.len()].copy_from_slice(chunk);
                    *word = u64::from_le_bytes(buffer);
                }
                return Ok(None);
            }
            if let Some(flow) = self.at_edge(bytes, may_switch)? {
                return Ok(Some(flow));
            }
        }
    }

    /// The call the top frame waits for.
    pub(crate) fn pending_call(&self) -> Option<(&'i Code, usize)> {
        let frame = self.frames.last()?;
        match frame.code().ops.get(frame.pc as usize) {
            Some(Op::Call { side }) => Some((frame.code(), *side as usize)),
            _ => None,
        }
    }

    pub(crate) fn code_at(&self, entry: Address) -> Result<Option<&'i Code>, ReplayError> {
        match self.image.entry(entry) {
            None => Ok(None),
            Some(entry) => Ok(Some(self.image.code(entry.module, entry.function)?)),
        }
    }
}

/// Whether a hash is another one after a single step; values that are switched on are hardly ever larger.
fn follows(after: u64, before: u64) -> bool {
    after.wrapping_sub(abi::hash_step(before, 0)) < 1 << 32
}

/// So many ticks before the recorded end the replay becomes careful: more than a block without a branch has.
const CAREFUL_TICKS: u64 = 4096;

/// `si_code` of a fault whose address the kernel does not know: one no page can have.
const SI_KERNEL: i32 = 128;

/// The fault that ended the program, if it came from this stream's thread.
fn fault_of(image: &Image<'_>, stream: &Stream) -> Option<Fault> {
    let end = image.recording.end()?;
    let fault = end.fault?;
    let died = matches!(end.ending, recording::Ending::Killed { signal } if signal == fault.signal);
    let is_access = fault.code > 0 && matches!(fault.signal, SIGSEGV | SIGBUS);
    (died && is_access && fault.thread == stream.thread).then_some(fault)
}

const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;

/// Whether a handler may begin at this read: only where an instruction or a record begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MaySwitch {
    Yes,
    No,
}
