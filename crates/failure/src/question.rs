//! How a run failed, and what to ask about it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::iter;

use abi::{BlockId, InstructionId};
use program::library::{Effect, Known, known, spoken_name};
use program::{Callee, Edge, FunctionKey, Op, Site};
use recording::{Ending, Standard};
use replay::{Observed, Observer, ReplayError};

use crate::output::{Outputs, Target};
use execution::criterion::Criterion;
use execution::dependence::Wish;
use execution::slice::Reach;
use execution::{Run, steps};

/// How a run ended, or what is wrong with what it wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// Killed by a signal, in the program's own code.
    Crash { signal: i32 },
    /// Killed by a signal, in code that is not instrumented, called from the program's.
    CrashOutside { signal: i32, function: String },
    /// The program said that it is wrong itself: a failed assertion, `abort`.
    Assertion { function: String },
    /// It did not end in time, because of a loop.
    Hang,
    /// It did not end in time, because this function waits.
    Waits { function: String },
    /// It ended with this status.
    Status { status: i32 },
    /// A byte of standard output, counted from 0, is not what was expected.
    WrongByte { byte: u64, found: Option<u8>, expected: Option<u8> },
}

/// A failure with the question it raises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    pub failure: Failure,
    pub criterion: Criterion,
}

/// A loop that does not end makes a billion steps in a second, each much like the one before.
const HANG: Reach = Reach(50_000_000);

impl Question {
    /// How far back from the failure it is worth looking.
    pub fn reach(&self) -> Reach {
        if self.failure == Failure::Hang { HANG } else { Reach::ALL }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum FailureError {
    #[error("the run exited with status 0, so it shows no failure of its own; say what is expected of it")]
    DidNotFail,
    #[error("the recording ends before the program does, so it does not show how the program failed")]
    NoEnd,
    #[error("the program was stopped from outside ({why}), so it shows no failure of its own")]
    Stopped { why: String },
    #[error("standard output is as expected")]
    AsExpected,
    #[error(
        "the recording does not contain the output of the run; record it again with standard output going to a file or a pipe"
    )]
    NoOutput,
    #[error(
        "byte {} of standard output was not written by a call that faultline knows; it knows the writers of {known} bytes",
        byte + 1
    )]
    NoWriter { byte: u64, known: u64 },
    #[error("nothing in the program could have written more")]
    NobodyToWrite,
    #[error("the recording does not show where `main` returned or the program exited")]
    NoExit,
    #[error("no loop is running at the end of the recording")]
    NoLoop,
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

/// The failure a run shows by itself: a crash, a failed assertion, a hang, a status other than zero.
pub fn by_itself(run: &Run<'_>) -> Result<Question, FailureError> {
    let end = run.image().recording.end().ok_or(FailureError::NoEnd)?;
    match &end.ending {
        Ending::Exited { status: 0 } => Err(FailureError::DidNotFail),
        Ending::Exited { status } => status_of(run, *status),
        Ending::Killed { signal } => Ok(killed(run, *signal)),
        Ending::TimeLimit => hang(run),
        Ending::SizeLimit | Ending::MemoryLimit => hang(run),
        Ending::WriteFailed { error } => Err(FailureError::Stopped { why: error.clone() }),
        Ending::Interrupted => Err(FailureError::Stopped { why: "the recording was interrupted".into() }),
    }
}

fn killed(run: &Run<'_>, signal: i32) -> Question {
    let outside = innermost_call(run).filter(|_| run.summary.ending == replay::Ending::Outside);
    let failure = match outside {
        Some(call) if call.fails => Failure::Assertion { function: call.name },
        Some(call) => Failure::CrashOutside { signal, function: call.name },
        None => Failure::Crash { signal },
    };
    let wishes = match &failure {
        // Why it was called is the question, not with what.
        Failure::Assertion { .. } => vec![Wish::Execution],
        Failure::CrashOutside { .. } => vec![Wish::Operands, Wish::Execution],
        _ => {
            let mut wishes = faulting_operands(run);
            wishes.push(Wish::Execution);
            wishes
        }
    };
    Question { failure, criterion: Criterion::End { wishes } }
}

/// What the innermost function of the program was calling.
struct OutsideCall {
    name: String,
    /// It never returns, because the program is wrong.
    fails: bool,
    /// It may wait for others, or for input.
    waits: bool,
}

fn innermost_call(run: &Run<'_>) -> Option<OutsideCall> {
    let site = innermost(run)?;
    let module = run.functions.module(site.function).ok()?;
    let (Op::Call(call) | Op::Invoke { call, .. }) = &run.functions.instruction(site).op else {
        return None;
    };
    let name = match &call.callee {
        Callee::Function(id) => module.function(*id).name.clone(),
        Callee::Symbol(position) => module.globals.get(*position as usize)?.name.clone(),
        Callee::Pointer(_) | Callee::Assembly => {
            let name = "a function called through a pointer".into();
            return Some(OutsideCall { name, fails: false, waits: false });
        }
    };
    let of_library = known(&name);
    let fails = of_library.is_some_and(|known| known.effects.iter().any(|effect| matches!(effect, Effect::Fails)));
    let waits = of_library.is_some_and(Known::waits);
    Some(OutsideCall { name, fails, waits })
}

fn innermost(run: &Run<'_>) -> Option<Site> {
    run.stack_after(run.last_window()).last().map(|(site, _)| *site)
}

/// What made the address of an access that faulted; all operands of anything else (a division).
fn faulting_operands(run: &Run<'_>) -> Vec<Wish> {
    let Some(site) = innermost(run) else { return Vec::new() };
    match run.functions.instruction(site).op {
        Op::Load { .. } => vec![Wish::Argument(0)],
        Op::Store { .. } => vec![Wish::Argument(1)],
        _ => vec![Wish::Operands],
    }
}

/// Why a run has the exit status it has: what `main` returned, or what `exit` was given.
pub fn status_of(run: &Run<'_>, status: i32) -> Result<Question, FailureError> {
    let failure = Failure::Status { status };
    if run.summary.ending == replay::Ending::Outside {
        let wishes = match run.summary.in_handlers {
            0 => vec![Wish::Argument(0), Wish::Execution],
            // A signal handler ended the program: what it interrupted is all there is to ask about.
            _ => vec![Wish::Operands, Wish::Execution],
        };
        return Ok(Question { failure, criterion: Criterion::End { wishes } });
    }
    let at = steps::last(run, |step| {
        step.depth == 1 && matches!(step.instruction().op, Op::Return { .. }) && run.functions.is_main(step)
    })?;
    let at = at.ok_or(FailureError::NoExit)?;
    Ok(Question { failure, criterion: Criterion::of_step(at, vec![Wish::Operands, Wish::Execution]) })
}

/// The first byte of standard output that is not as expected.
pub fn wrong_output(run: &Run<'_>, found: &[u8], expected: &[u8]) -> Result<Question, FailureError> {
    let common = found.iter().zip(expected).take_while(|(a, b)| a == b).count();
    let (byte, length) = (common as u64, found.len() as u64);
    // A number or a word that should have been longer: what is wrong is who wrote its beginning, not who wrote what follows.
    let is_in_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
    let last = common.checked_sub(1).and_then(|last| found.get(last));
    let is_cut_off = is_in_word(last) && is_in_word(expected.get(common));
    match (found.get(common).copied(), expected.get(common).copied()) {
        (None, None) => Err(FailureError::AsExpected),
        (Some(found), expected) => {
            let outputs = Outputs::of(run)?;
            let mut question = written_byte(&outputs, byte, Some(length))?;
            question.failure = Failure::WrongByte { byte, found: Some(found), expected };
            if let (true, Criterion::Step { at, or, .. }) = (is_cut_off, &mut question.criterion) {
                let before = outputs.writer(Target::Output, byte - 1).filter(|writer| writer.at != *at);
                *or = before.map(|writer| (writer.at, writer.wishes(byte - 1)));
            }
            Ok(question)
        }
        (None, expected) => {
            let failure = Failure::WrongByte { byte, found: None, expected };
            Ok(Question { failure, criterion: missing_output(run)? })
        }
    }
}

/// A byte of standard output, counted from 0.
pub fn output_byte(run: &Run<'_>, byte: u64) -> Result<Question, FailureError> {
    let written = run.image().recording.standard(Standard::Output).map_err(ReplayError::from)?;
    written_byte(&Outputs::of(run)?, byte, written.map(|written| written.len() as u64))
}

/// What is known of who wrote what is not believed if it is assumed and does not come to the length of what was written.
fn written_byte(outputs: &Outputs, byte: u64, length: Option<u64>) -> Result<Question, FailureError> {
    let known = outputs.length(Target::Output);
    let is_believed = !outputs.is_assumed || length.is_none_or(|length| length == known);
    let writer = outputs.writer(Target::Output, byte).filter(|_| is_believed);
    let writer = writer.ok_or(FailureError::NoWriter { byte, known })?;
    let criterion = Criterion::of_step(writer.at, writer.wishes(byte));
    Ok(Question { failure: Failure::WrongByte { byte, found: None, expected: None }, criterion })
}

/// More should have been written: the last choice that went by code that writes.
fn missing_output(run: &Run<'_>) -> Result<Criterion, FailureError> {
    let writing = RefCell::new(WritingCode::default());
    let at = steps::last(run, |step| {
        let Op::Branch { condition, then, otherwise } = &step.instruction().op else { return false };
        let Some(key) = run.functions.key_of(step.module().id, step.function().id) else { return false };
        let taken = step.went_on_with(condition).first().is_some_and(|w| *w != 0);
        let (to, other) = if taken { (*then, *otherwise) } else { (*otherwise, *then) };
        let from = run.functions.uses(key).block_of[step.id().index()];
        let mut writing = writing.borrow_mut();
        !writing.behind(run, key, Edge { from, to }) && writing.behind(run, key, Edge { from, to: other })
    })?;
    let at = at.ok_or(FailureError::NobodyToWrite)?;
    Ok(Criterion::of_step(at, vec![Wish::Operands, Wish::Execution]))
}

/// Which choices lead to code that writes output.
#[derive(Default)]
pub struct WritingCode {
    functions: HashMap<FunctionKey, bool>,
    edges: HashMap<(FunctionKey, Edge), bool>,
}

impl WritingCode {
    /// Whether a block that depends on this edge writes, itself or in what it calls.
    pub fn behind(&mut self, run: &Run<'_>, key: FunctionKey, edge: Edge) -> bool {
        if let Some(&known) = self.edges.get(&(key, edge)) {
            return known;
        }
        let shape = run.functions.shape(key);
        let blocks = shape.control.controlled_by(edge).to_vec();
        let function = run.functions.function(key);
        let writes = blocks.into_iter().any(|block| {
            let block = function.block(block);
            (block.first.0..block.end.0).any(|id| self.writes(run, key, InstructionId(id)))
        });
        self.edges.insert((key, edge), writes);
        writes
    }

    /// The same of blocks that depend on it through other choices, too.
    pub fn far_behind(&mut self, run: &Run<'_>, key: FunctionKey, edge: Edge) -> bool {
        let shape = run.functions.shape(key);
        let mut open = vec![edge];
        let mut seen = HashSet::from([edge]);
        while let Some(edge) = open.pop() {
            if self.behind(run, key, edge) {
                return true;
            }
            for &from in shape.control.controlled_by(edge) {
                let choices = shape.cfg.successors(from).iter().map(|&to| Edge { from, to });
                open.extend(choices.filter(|choice| seen.insert(*choice)));
            }
        }
        false
    }

    fn writes(&mut self, run: &Run<'_>, key: FunctionKey, at: InstructionId) -> bool {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &run.functions.function(key).instruction(at).op else {
            return false;
        };
        let (Callee::Function(id), Ok(module)) = (&call.callee, run.functions.module(key)) else { return false };
        let name = &module.function(*id).name;
        // A twin does what the library's function does.
        match known(spoken_name(name)) {
            Some(known) => known.effects.iter().any(|effect| {
                matches!(
                    effect,
                    Effect::Output(..)
                        | Effect::OutputCharacter(..)
                        | Effect::OutputFormatted(..)
                        | Effect::OutputNumber(..)
                )
            }),
            None => run.functions.by_name(key, *id).is_some_and(|callee| self.function_writes(run, callee)),
        }
    }

    fn function_writes(&mut self, run: &Run<'_>, key: FunctionKey) -> bool {
        if let Some(&known) = self.functions.get(&key) {
            return known;
        }
        // A function that calls itself writes if anything else in it does.
        self.functions.insert(key, false);
        let count = run.functions.function(key).instructions.len() as u32;
        let writes = (0..count).any(|id| self.writes(run, key, InstructionId(id)));
        self.functions.insert(key, writes);
        writes
    }
}

/// A run that did not end: it waits, or is in a loop.
fn hang(run: &Run<'_>) -> Result<Question, FailureError> {
    let call = innermost_call(run).filter(|call| call.waits && run.summary.ending == replay::Ending::Outside);
    if let Some(OutsideCall { name: function, .. }) = call {
        let criterion = Criterion::End { wishes: vec![Wish::Operands, Wish::Execution] };
        return Ok(Question { failure: Failure::Waits { function }, criterion });
    }
    let stack = run.stack_after(run.last_window());
    let depth = run.replay(run.last_window(), Lately::since(run, stack.len()))?.depth;
    // The outermost function that has executed anything lately has the loop, or one that it has called does.
    for (depth, (site, _)) in (1..=stack.len()).zip(stack).skip(depth.saturating_sub(1)) {
        if let Some(criterion) = endless_loop(run, depth, site)? {
            return Ok(Question { failure: Failure::Hang, criterion });
        }
    }
    Err(FailureError::NoLoop)
}

/// The latest choice to stay in the loop that a function on the stack does not leave; of a loop that nothing could leave,
/// the latest step.
fn endless_loop(run: &Run<'_>, depth: usize, site: Site) -> Result<Option<Criterion>, ReplayError> {
    let key = site.function;
    let (shape, uses) = (run.functions.shape(key), run.functions.uses(key));
    let (loops, block_of) = (&shape.loops, |instruction: InstructionId| uses.block_of[instruction.index()]);
    let lately = run.replay(run.last_window(), Lately::since(run, depth))?;
    let blocks: HashSet<BlockId> = lately.executed.into_iter().map(block_of).collect();
    // The outermost that has begun a turn lately. Those around it may be at their first.
    let around = iter::successors(loops.innermost(block_of(site.instruction)), |inner| loops.parent(*inner));
    let Some(endless) = around.filter(|one| blocks.contains(&loops.header(*one))).last() else { return Ok(None) };
    let is_within = |step: &Observed<'_>| {
        step.depth == depth && step.site().function == key && loops.contains(endless, block_of(step.id()))
    };
    let stays = |step: &Observed<'_>| {
        matches!(step.instruction().op, Op::Branch { .. } | Op::Switch { .. })
            && is_within(step)
            && shape.cfg.successors(block_of(step.id())).iter().any(|&to| !loops.contains(endless, to))
    };
    if let Some(at) = steps::last(run, stays)? {
        return Ok(Some(Criterion::of_step(at, vec![Wish::Operands, Wish::Execution])));
    }
    let at = steps::last(run, is_within)?;
    Ok(at.map(|at| Criterion::of_step(at, vec![Wish::Execution])))
}

/// What was executed in the second half of a window, down to a depth.
struct Lately {
    since: u64,
    /// The least of those that executed anything, at most the one asked about.
    depth: usize,
    asked: usize,
    /// At the depth asked about.
    executed: HashSet<InstructionId>,
}

impl Lately {
    fn since(run: &Run<'_>, depth: usize) -> Lately {
        let begin = run.begins_at(run.last_window()).unwrap_or(0);
        Lately { since: begin.midpoint(run.summary.clock), depth, asked: depth, executed: HashSet::new() }
    }
}

impl Observer for Lately {
    fn step(&mut self, step: &Observed<'_>) {
        if step.clock < self.since {
            return;
        }
        self.depth = self.depth.min(step.depth);
        if step.depth == self.asked {
            self.executed.insert(step.id());
        }
    }
}
