//! The walk backwards through the traces of a run, last window first.

use std::collections::HashMap;
use std::sync::Arc;

use abi::{BlockId, InstructionId};
use program::{Edge, Function, Op, Shape};
use replay::Site;

use super::frame::{At, Frame, Pending};
use super::potential::{OpenUses, UseSite};
use super::variable::{Lists, places};
use super::wanted::WantedMemory;
use super::{Demand, Follow, Mark, Moment, Slot, Source};
use crate::functions::Functions;
use crate::trace::{Event, FunctionKey, SURPRISE, Token, Trace};
use crate::uses::{Action, LIST, Register, Use, Uses, register};

/// The trace is not one of this program. Our bug.
#[derive(Debug, thiserror::Error)]
#[error("the trace disagrees with the program at clock {clock}: expected {expected}")]
pub struct WalkError {
    pub clock: u64,
    pub expected: &'static str,
}

/// What is wanted of a step that stands at the beginning of a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// All it used.
    Operands,
    /// One argument of a call, or one operand, by its position.
    Argument(u32),
    /// Bytes of memory as they were before it.
    Memory { address: u64, length: u64 },
    /// The contents of a register-resident local before it.
    Local(InstructionId),
    /// That it was executed.
    Execution,
}

pub struct Root {
    pub at: Moment,
    pub wishes: Vec<Wish>,
    pub mark: Mark,
}

struct Known<'f> {
    slot: Slot,
    function: &'f Function,
    uses: Arc<Uses>,
    shape: Arc<Shape>,
}

pub struct Walk<'f, D> {
    pub(super) functions: &'f Functions<'f>,
    pub demand: D,
    /// Whether choices are followed.
    follows_control: bool,
    /// Where potential dependences are followed: the uses that wait.
    pub(super) open: Option<Box<OpenUses<'f>>>,
    pub(super) frames: Vec<Frame<'f>>,
    pub(super) memory: WantedMemory,
    pub(super) clock: u64,
    /// Who wants to know why control jumped to where the walk has just been.
    pub(super) jump: Mark,
    known: HashMap<FunctionKey, Known<'f>>,
    /// Functions by their slots.
    pub keys: Vec<FunctionKey>,
    /// Still to come; the last comes first.
    roots: Vec<Root>,
    lists: Lists,
    spare: Vec<(Vec<Mark>, Vec<Mark>)>,
    /// No window has been walked over.
    is_new: bool,
}

impl<'f, D: Demand> Walk<'f, D> {
    pub fn new(functions: &'f Functions<'f>, follow: Follow<'f>, demand: D) -> Walk<'f, D> {
        Walk {
            functions,
            demand,
            follows_control: !matches!(follow, Follow::Data),
            open: match follow {
                Follow::Relevant(potential) => Some(Box::new(OpenUses::new(potential))),
                Follow::Data | Follow::DataAndControl => None,
            },
            frames: Vec::new(),
            memory: WantedMemory::default(),
            clock: 0,
            jump: Mark::NOBODY,
            known: HashMap::new(),
            keys: Vec::new(),
            roots: Vec::new(),
            lists: Lists::default(),
            spare: Vec::new(),
            is_new: true,
        }
    }

    /// Begins at the end of a window: the functions on the stack, outermost first, with whether each was entered from
    /// outside. All but the innermost wait for a call; whether that does, the end of the trace will tell.
    pub fn begin(&mut self, stack: impl Iterator<Item = (Site, bool)>) {
        for (site, from_outside) in stack {
            let Some(key) = self.functions.key(site) else { continue };
            if let Some(below) = self.frames.last_mut() {
                below.at = At::Call(site_of(below.at));
            }
            self.push(key, from_outside, At::Before(site.instruction));
        }
        self.is_new = true;
    }

    /// What the walk looks for; those of later steps come first.
    pub fn set_roots(&mut self, mut roots: Vec<Root>) {
        roots.sort_by_key(|root| root.at.clock);
        self.roots = roots;
    }

    /// Wishes for the instruction the innermost function is at, which was begun but not completed.
    pub fn want_at_top(&mut self, wishes: &[Wish], mark: Mark) {
        let Some(top) = self.frames.len().checked_sub(1) else { return };
        let at = site_of(self.frames[top].at);
        self.grant(top, at, wishes, mark);
    }

    /// Whether anything is still looked for.
    pub fn is_over(&self) -> bool {
        self.roots.is_empty()
            && self.memory.is_empty()
            && self.jump.is_nobody()
            && self.frames.iter().all(|f| {
                f.wanted_blocks == 0
                    && f.returned.is_nobody()
                    && f.registers.iter().all(|m| m.is_nobody())
                    && f.pending.is_empty()
            })
    }

    /// What is wanted at the very beginning of the run, nobody in it has made.
    pub fn finish(&mut self) {
        let rest: Vec<Mark> = self.memory.rest().map(|(_, mark)| mark).collect();
        for mark in rest {
            self.demand.end(Source::Initial, mark);
        }
        let unmet = [self.memory.outside().take_all(), self.memory.unlooked().take_all()].concat();
        for (_, mark) in unmet {
            self.demand.end(Source::Initial, mark);
        }
    }

    /// Walks over one window, from its end to its beginning.
    pub fn window(&mut self, trace: &Trace) -> Result<(), WalkError> {
        self.clock = trace.clock;
        let mut words = &trace.words[..];
        if std::mem::take(&mut self.is_new) {
            // A function that ran out of stack did not begin.
            self.frames.truncate(trace.depth);
            if let Some(at) = self.frames.last().map(|f| site_of(f.at)) {
                self.settle_place(at, words);
            }
        }
        while !words.is_empty() {
            match self.frames.last().map(|f| f.at) {
                Some(At::Before(id)) => self.straight(id, &mut words)?,
                Some(At::Call(_) | At::AfterCall(_) | At::End) | None => self.event(&mut words)?,
            }
        }
        Ok(())
    }

    pub(super) fn wrong(&self, expected: &'static str) -> WalkError {
        WalkError { clock: self.clock, expected }
    }

    fn pop(&self, words: &mut &[u64]) -> Result<u64, WalkError> {
        let (&word, rest) = words.split_last().ok_or_else(|| self.wrong("one more word"))?;
        *words = rest;
        Ok(word)
    }

    fn push(&mut self, key: FunctionKey, from_outside: bool, at: At) {
        let functions = self.functions;
        let keys = &mut self.keys;
        let known = self.known.entry(key).or_insert_with(|| {
            let slot = Slot(keys.len() as u32);
            keys.push(key);
            Known { slot, function: functions.function(key), uses: functions.uses(key), shape: functions.shape(key) }
        });
        let (mut registers, mut blocks) = self.spare.pop().unwrap_or_default();
        registers.resize(known.uses.registers, Mark::NOBODY);
        blocks.resize(known.uses.first_of.len(), Mark::NOBODY);
        self.frames.push(Frame {
            key,
            slot: known.slot,
            function: known.function,
            uses: known.uses.clone(),
            shape: known.shape.clone(),
            from_outside,
            at,
            registers,
            blocks,
            wanted_blocks: 0,
            pending: Pending::default(),
            returned: Mark::NOBODY,
            areas: Vec::new(),
            open_locals: Vec::new(),
        });
    }

    pub(super) fn moment(&self, frame: usize, instruction: InstructionId) -> Moment {
        Moment { clock: self.clock, depth: frame as u32 + 1, function: self.frames[frame].key, instruction }
    }

    pub(super) fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        merge(&mut self.demand, a, b)
    }

    pub(super) fn want_register(&mut self, frame: usize, register: Register, mark: Mark) {
        let place = &mut self.frames[frame].registers[register.0 as usize];
        *place = merge(&mut self.demand, *place, mark);
    }

    pub(super) fn want_operands(&mut self, frame: usize, of: &Use, mark: Mark) {
        let uses = self.frames[frame].uses.clone();
        for &register in uses.operands(of) {
            self.want_register(frame, register, mark);
        }
    }

    /// Wants to know why this block was executed.
    pub(super) fn want_block(&mut self, frame: usize, block: BlockId, mark: Mark) {
        if !self.follows_control || mark.is_nobody() {
            return;
        }
        let frame = &mut self.frames[frame];
        let place = &mut frame.blocks[block.index()];
        frame.wanted_blocks += u32::from(place.is_nobody());
        *place = merge(&mut self.demand, *place, mark);
    }

    pub(super) fn want_memory(&mut self, address: u64, length: u64, mark: Mark) {
        let (memory, demand) = (&mut self.memory, &mut self.demand);
        for byte in 0..length {
            memory.update(address.wrapping_add(byte), |before| merge(demand, before, mark));
        }
    }

    /// Bytes as outside code read them.
    pub(super) fn want_unlooked(&mut self, address: u64, length: u64, mark: Mark) {
        if mark.is_nobody() {
            return;
        }
        let (memory, demand) = (&mut self.memory, &mut self.demand);
        for byte in 0..length {
            memory.unlooked().update(address.wrapping_add(byte), |before| merge(demand, before, mark));
        }
    }

    /// What is not as instrumented code had it: somebody outside changed it, since it last looked.
    fn want_from_outside(&mut self, address: u64, mark: Mark) {
        if self.functions.is_constant(address) {
            self.demand.end(Source::Initial, mark);
            return;
        }
        let demand = &mut self.demand;
        self.memory.outside().update(address, |before| merge(demand, before, mark));
    }

    /// Instrumented code saw or wrote this range, so what is wanted there from outside came later, without a call.
    fn settle_unseen(&mut self, address: u64, length: u64) {
        for (_, mark) in self.memory.outside().take(address, length) {
            self.demand.end(Source::Unseen, mark);
        }
    }

    /// A load saw that this range is as instrumented code had it.
    fn settle_known(&mut self, address: u64, length: u64) {
        self.settle_unseen(address, length);
        for (offset, mark) in self.memory.unlooked().take(address, length) {
            self.want_memory(address.wrapping_add(offset), 1, mark);
        }
    }

    /// Takes what is wanted of a range that the program's own code wrote: all who want any byte of it.
    pub(super) fn take_stored(&mut self, address: u64, length: u64) -> Mark {
        self.close_uses(address, length);
        self.settle_unseen(address, length);
        let mut all = Mark::NOBODY;
        let demand = &mut self.demand;
        self.memory.take(address, length, |_, mark| all = merge(demand, all, mark));
        for (_, mark) in self.memory.unlooked().take(address, length) {
            all = self.merge(all, mark);
        }
        all
    }

    /// A use of memory waits for its definition.
    fn open_use(&mut self, frame: usize, at: InstructionId, address: u64, length: u64, users: Mark) {
        if let Some(open) = &mut self.open
            && !users.is_nobody()
        {
            let site = UseSite { function: self.frames[frame].key, instruction: at };
            open.open(address, length, site, users);
        }
    }

    fn open_local(&mut self, frame: usize, at: InstructionId, local: Register, users: Mark) {
        if self.open.is_some() && !users.is_nobody() {
            let site = UseSite { function: self.frames[frame].key, instruction: at };
            let open = &mut self.frames[frame].open_locals;
            if !open.contains(&(local, site, users)) {
                open.push((local, site, users));
            }
        }
    }

    /// The range was defined.
    pub(super) fn close_uses(&mut self, address: u64, length: u64) {
        if let Some(open) = &mut self.open {
            open.close(address, length);
        }
    }

    /// Who wants what the branch at the end of `from` could have defined, had it not gone to `to`.
    fn potential_users(&mut self, frame: usize, from: BlockId, to: BlockId) -> Mark {
        let Some(mut open) = self.open.take() else { return Mark::NOBODY };
        let key = self.frames[frame].key;
        let mut all = Mark::NOBODY;
        if !self.functions.is_twin(key) {
            let shape = self.frames[frame].shape.clone();
            let locals: Vec<_> = self.frames[frame].open_locals.iter().map(|&(_, site, mark)| (site, mark)).collect();
            for &other in shape.cfg.successors(from).iter().filter(|&&other| other != to) {
                for mark in open.could_define(key, Edge { from, to: other }, &locals) {
                    all = self.merge(all, mark);
                }
            }
        }
        self.open = Some(open);
        all
    }

    /// Takes all that is wanted of a range, byte by byte, where the shadow was not told of a write.
    pub(super) fn take_any(&mut self, address: u64, length: u64) -> Vec<(u64, Mark)> {
        let mut bytes = self.memory.outside().take(address, length);
        bytes.extend(self.memory.unlooked().take(address, length));
        self.memory.take(address, length, |offset, mark| bytes.push((offset, mark)));
        bytes
    }

    fn grant(&mut self, frame: usize, at: InstructionId, wishes: &[Wish], mark: Mark) {
        let uses = self.frames[frame].uses.clone();
        for wish in wishes {
            match *wish {
                Wish::Operands => self.want_operands(frame, &uses.instructions[at.index()], mark),
                Wish::Argument(position) => {
                    let function = self.frames[frame].function;
                    let count = function.instructions.len() as u32;
                    if let Some(operand) = argument(function, at, position)
                        && let Some(register) = register(count, operand)
                    {
                        self.want_register(frame, register, mark);
                    }
                }
                Wish::Memory { address, length } => self.want_unlooked(address, length, mark),
                Wish::Local(local) => self.want_register(frame, Register(local.0), mark),
                Wish::Execution => self.want_block(frame, uses.block_of[at.index()], mark),
            }
        }
    }

    /// Grants the wishes of roots that are this step.
    pub(super) fn roots_at(&mut self, frame: usize, at: InstructionId) {
        let here = self.moment(frame, at);
        while self.roots.last().is_some_and(|root| root.at.clock > self.clock) {
            self.roots.pop();
        }
        let mut position = self.roots.len();
        while position > 0 && self.roots[position - 1].at.clock == self.clock {
            position -= 1;
            if self.roots[position].at == here {
                let root = self.roots.remove(position);
                self.grant(frame, at, &root.wishes, root.mark);
            }
        }
    }

    /// A step that passes values on was wanted by `mark`.
    fn pass(&mut self, frame: usize, at: InstructionId, mark: Mark) -> Mark {
        let slot = self.frames[frame].slot;
        let users = self.demand.pass(self.moment(frame, at), slot, mark);
        let block = self.frames[frame].uses.block_of[at.index()];
        self.want_block(frame, block, users);
        users
    }

    pub(super) fn meet(&mut self, frame: usize, at: InstructionId, data: Mark, control: Mark) -> Mark {
        let slot = self.frames[frame].slot;
        let users = self.demand.meet(self.moment(frame, at), slot, data, control);
        let block = self.frames[frame].uses.block_of[at.index()];
        self.want_block(frame, block, users);
        users
    }

    /// Instructions of one block, backwards, up to its beginning or to a call.
    fn straight(&mut self, before: InstructionId, words: &mut &[u64]) -> Result<(), WalkError> {
        if !self.jump.is_nobody() {
            // No call jumped here: a signal handler did.
            let mark = std::mem::take(&mut self.jump);
            self.demand.end(Source::Unseen, mark);
        }
        let top = self.frames.len() - 1;
        let uses = self.frames[top].uses.clone();
        let first = uses.first_of[uses.block_of[before.index()].index()];
        let mut position = before.index();
        while position > first.index() {
            position -= 1;
            let at = InstructionId(position as u32);
            let of = &uses.instructions[position];
            match of.action {
                Action::Nothing => {}
                Action::Phi => break,
                Action::Pure => {
                    let mark = std::mem::take(&mut self.frames[top].registers[position]);
                    if !mark.is_nobody() {
                        let users = self.pass(top, at, mark);
                        self.want_operands(top, of, users);
                    }
                }
                Action::LoadLocal { local } => {
                    let mark = std::mem::take(&mut self.frames[top].registers[position]);
                    if !mark.is_nobody() {
                        let users = self.pass(top, at, mark);
                        self.want_register(top, local, users);
                        self.open_local(top, at, local, users);
                    }
                }
                Action::StoreLocal { local } => {
                    let mark = std::mem::take(self.frames[top].register(local));
                    self.frames[top].open_locals.retain(|(other, _, _)| *other != local);
                    if !mark.is_nobody() {
                        let users = self.meet(top, at, mark, Mark::NOBODY);
                        self.want_operands(top, of, users);
                    }
                }
                Action::Load { size } => {
                    let word = self.pop(words)?;
                    self.load(top, at, word, u64::from(size));
                }
                Action::LoadArea { area } => {
                    let (word, value) = (self.pop(words)?, self.pop(words)?);
                    self.lists.note(word & !SURPRISE, area, value);
                    self.load(top, at, word, 8);
                }
                Action::Store { size, .. } => {
                    let address = self.pop(words)?;
                    let mark = self.take_stored(address, u64::from(size));
                    if !mark.is_nobody() {
                        let users = self.meet(top, at, mark, Mark::NOBODY);
                        self.want_operands(top, of, users);
                    }
                }
                Action::Atomic { size } => {
                    let address = self.pop(words)?;
                    let size = u64::from(size);
                    let result = std::mem::take(&mut self.frames[top].registers[position]);
                    let written = self.take_stored(address, size);
                    let mark = self.merge(result, written);
                    if !mark.is_nobody() {
                        let users = self.meet(top, at, mark, Mark::NOBODY);
                        self.want_operands(top, of, users);
                        self.want_memory(address, size, users);
                    }
                }
                Action::Copy => {
                    let (length, from) = (self.pop(words)?, self.pop(words)?);
                    let to = self.pop(words)?;
                    self.lists.copied(to, from, length);
                    self.copy(top, at, to, from, length);
                }
                Action::Fill => {
                    let (length, _) = (self.pop(words)?, self.pop(words)?);
                    let to = self.pop(words)?;
                    let mark = self.take_stored(to, length);
                    if !mark.is_nobody() {
                        let users = self.meet(top, at, mark, Mark::NOBODY);
                        self.want_operands(top, of, users);
                    }
                }
                Action::StartList => {
                    let list = self.pop(words)?;
                    let areas = self.lists.started(list);
                    self.frames[top].areas.extend(areas);
                    self.copy_list(top, at, list, None);
                }
                Action::CopyList => {
                    let (from, to) = (self.pop(words)?, self.pop(words)?);
                    self.lists.copied(to, from, LIST);
                    self.copy_list(top, at, to, Some(from));
                }
                Action::Call | Action::Invoke => {
                    // The words of its return come next.
                    self.frames[top].at = At::AfterCall(at);
                    return self.event(words);
                }
                Action::Jump | Action::Branch | Action::Return | Action::Leave => {
                    return Err(self.wrong("no end of a block in the middle of one"));
                }
            }
            if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
                self.roots_at(top, at);
            }
            if of.ticks {
                self.clock -= 1;
            }
        }
        self.frames[top].at = At::Before(first);
        if words.is_empty() { Ok(()) } else { self.event(words) }
    }

    fn load(&mut self, frame: usize, at: InstructionId, word: u64, size: u64) {
        let address = word & !SURPRISE;
        let mark = std::mem::take(&mut self.frames[frame].registers[at.index()]);
        let users = if mark.is_nobody() { mark } else { self.pass(frame, at, mark) };
        if word & SURPRISE == 0 {
            self.settle_known(address, size);
            if !users.is_nobody() {
                self.want_memory(address, size, users);
            }
        } else {
            self.settle_unseen(address, size);
            // Wishes of later steps for the same bytes want what it met, too.
            let later = self.take_any(address, size);
            let own = (0..size).map(|byte| (byte, users)).filter(|_| !users.is_nobody());
            for (byte, mark) in later.into_iter().chain(own) {
                self.want_from_outside(address.wrapping_add(byte), mark);
            }
        }
        self.open_use(frame, at, address, size, users);
        if !users.is_nobody() {
            let uses = self.frames[frame].uses.clone();
            self.want_operands(frame, &uses.instructions[at.index()], users);
        }
    }

    /// A copy that moves the shadow along: what is known, or not, of its source is so of its target.
    fn copy(&mut self, frame: usize, at: InstructionId, to: u64, from: u64, length: u64) {
        self.close_uses(to, length);
        let outside = self.memory.outside().take(to, length);
        let unlooked = self.memory.unlooked().take(to, length);
        let mut known = Vec::new();
        self.memory.take(to, length, |offset, mark| known.push((offset, mark)));
        let all =
            outside.iter().chain(&unlooked).chain(&known).fold(Mark::NOBODY, |all, &(_, mark)| self.merge(all, mark));
        if all.is_nobody() {
            return;
        }
        let users = self.meet(frame, at, all, Mark::NOBODY);
        let uses = self.frames[frame].uses.clone();
        self.want_operands(frame, &uses.instructions[at.index()], users);
        for &(offset, _) in known.iter().chain(&unlooked).chain(&outside) {
            self.open_use(frame, at, from.wrapping_add(offset), 1, users);
        }
        for (offset, _) in known {
            self.want_memory(from.wrapping_add(offset), 1, users);
        }
        for (offset, _) in unlooked {
            self.want_unlooked(from.wrapping_add(offset), 1, users);
        }
        for (offset, _) in outside {
            self.want_from_outside(from.wrapping_add(offset), users);
        }
    }

    /// A list of variable arguments is made, or copied from another one.
    fn copy_list(&mut self, frame: usize, at: InstructionId, to: u64, from: Option<u64>) {
        self.close_uses(to, LIST);
        let wanted = self.take_any(to, LIST);
        let all = wanted.iter().fold(Mark::NOBODY, |all, &(_, mark)| self.merge(all, mark));
        if all.is_nobody() {
            return;
        }
        let users = self.meet(frame, at, all, Mark::NOBODY);
        let uses = self.frames[frame].uses.clone();
        self.want_operands(frame, &uses.instructions[at.index()], users);
        for (offset, _) in wanted {
            if let Some(from) = from {
                self.want_unlooked(from.wrapping_add(offset), 1, users);
            }
        }
    }

    /// The next word is a token.
    fn event(&mut self, words: &mut &[u64]) -> Result<(), WalkError> {
        let event = Token(self.pop(words)?).event().ok_or_else(|| self.wrong("a token"))?;
        match event {
            Event::Went { from, to } => self.went(from, to, Mark::NOBODY),
            Event::Landed { from, to } => self.landed(from, to),
            Event::Ended { from } => self.ended(from),
            Event::Came { at } => {
                let word = self.pop(words)?;
                self.came(at, word)
            }
            Event::Called { at } => self.called(at, words),
            Event::Entered { function, .. } => self.entered(function, words),
            Event::Returned { function, from_outside } => {
                let mut result = Mark::NOBODY;
                if from_outside {
                    self.called_back();
                } else if let Some(caller) = self.frames.last_mut() {
                    result = std::mem::take(&mut caller.pending.result);
                    caller.pending.is_inside = true;
                }
                self.push(function, from_outside, At::End);
                if let Some(top) = self.frames.last_mut() {
                    top.returned = result;
                }
                Ok(())
            }
            Event::Unwound { function, from_outside } => {
                let at = InstructionId(self.pop(words)? as u32);
                if from_outside {
                    self.called_back();
                }
                self.push(function, from_outside, At::Before(at));
                self.settle_place(at, words);
                Ok(())
            }
            Event::Jumped { to } => self.jumped(to, words),
        }
    }

    /// Whether the innermost function is in the call at this instruction or was interrupted before it, the next word
    /// tells: a call it is in was begun, or has called back.
    fn settle_place(&mut self, at: InstructionId, words: &[u64]) {
        let Some(top) = self.frames.last_mut() else { return };
        let is_call = matches!(top.uses.instructions[at.index()].action, Action::Call | Action::Invoke);
        let leaves = matches!(top.uses.instructions[at.index()].action, Action::Leave);
        let next = words.last().and_then(|&word| Token(word).event());
        top.at = match next {
            Some(Event::Called { at: called }) if is_call && called == at => At::Call(at),
            Some(Event::Returned { .. } | Event::Unwound { .. }) if is_call => At::Call(at),
            // It went on with an exception.
            Some(Event::Ended { .. }) if leaves => At::End,
            _ => At::Before(at),
        };
    }

    /// Control went from one block to another.
    fn went(&mut self, from: BlockId, to: BlockId, more: Mark) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        let uses = self.frames[top].uses.clone();
        match self.frames[top].at {
            At::Before(id) if uses.block_of[id.index()] == to => {}
            _ => return Err(self.wrong("the beginning of the block control went to")),
        }
        self.phis(top, from, to);
        let terminator = InstructionId(uses.end_of[from.index()].0 - 1);
        let of = &uses.instructions[terminator.index()];
        let potential = if of.action == Action::Branch { self.potential_users(top, from, to) } else { Mark::NOBODY };
        let more = self.merge(more, potential);
        if self.frames[top].wanted_blocks > 0 || !more.is_nobody() {
            let mut control = more;
            let shape = self.frames[top].shape.clone();
            for &block in shape.control.controlled_by(Edge { from, to }) {
                let mark = self.frames[top].take_block(block);
                control = self.merge(control, mark);
            }
            if !control.is_nobody() {
                let users = self.meet(top, terminator, Mark::NOBODY, control);
                if of.action == Action::Branch {
                    self.want_operands(top, of, users);
                }
            }
        }
        if of.action == Action::Invoke {
            // Its return comes next.
            self.frames[top].at = At::AfterCall(terminator);
            return Ok(());
        }
        if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
            self.roots_at(top, terminator);
        }
        if of.ticks {
            self.clock -= 1;
        }
        self.frames[top].at = At::Before(terminator);
        Ok(())
    }

    /// All phis of a block take their values at once.
    fn phis(&mut self, frame: usize, from: BlockId, to: BlockId) {
        let uses = self.frames[frame].uses.clone();
        let phis = &uses.phis[to.index()];
        if phis.is_empty() {
            return;
        }
        let function = self.frames[frame].function;
        let mut wanted = Vec::new();
        for &phi in phis {
            let mark = std::mem::take(&mut self.frames[frame].registers[phi.index()]);
            if let Op::Phi { incoming } = &function.instruction(phi).op
                && !mark.is_nobody()
            {
                let users = self.pass(frame, phi, mark);
                let source = incoming.iter().find(|(block, _)| *block == from);
                wanted.extend(
                    source.and_then(|(_, o)| register(function.instructions.len() as u32, o)).map(|r| (r, users)),
                );
            }
        }
        for (register, mark) in wanted {
            self.want_register(frame, register, mark);
        }
    }

    /// An exception landed: whoever wants what happened there wants the throw, too.
    fn landed(&mut self, from: BlockId, to: BlockId) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        let uses = self.frames[top].uses.clone();
        let invoke = InstructionId(uses.end_of[from.index()].0 - 1);
        let pad = uses.first_of[to.index()].index() + uses.phis[to.index()].len();
        let mut mark = std::mem::take(&mut self.frames[top].registers[pad]);
        let shape = self.frames[top].shape.clone();
        for &block in shape.control.controlled_by(Edge { from, to }) {
            let wanted = self.frames[top].take_block(block);
            mark = self.merge(mark, wanted);
        }
        self.phis(top, from, to);
        if !mark.is_nobody() {
            let users = self.meet(top, invoke, Mark::NOBODY, mark);
            self.jump = self.merge(self.jump, users);
        }
        self.frames[top].at = At::Call(invoke);
        Ok(())
    }

    fn ended(&mut self, from: BlockId) -> Result<(), WalkError> {
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        let uses = self.frames[top].uses.clone();
        let terminator = InstructionId(uses.end_of[from.index()].0 - 1);
        let of = &uses.instructions[terminator.index()];
        let mark = std::mem::take(&mut self.frames[top].returned);
        let jump = if of.action == Action::Leave { std::mem::take(&mut self.jump) } else { Mark::NOBODY };
        let wanted = self.merge(mark, jump);
        if !wanted.is_nobody() {
            let users = self.meet(top, terminator, mark, jump);
            self.want_operands(top, of, users);
        }
        if self.roots.last().is_some_and(|root| root.at.clock >= self.clock) {
            self.roots_at(top, terminator);
        }
        if of.ticks {
            self.clock -= 1;
        }
        self.frames[top].at = At::Before(terminator);
        Ok(())
    }

    fn came(&mut self, at: InstructionId, word: u64) -> Result<(), WalkError> {
        let Some(top) = self.frames.last_mut() else { return Err(self.wrong("a function")) };
        if top.at != At::AfterCall(at) {
            return Err(self.wrong("the instruction after the call"));
        }
        top.at = At::Call(at);
        top.pending =
            Pending { result: std::mem::take(&mut top.registers[at.index()]), came: Some(word), ..Pending::default() };
        Ok(())
    }

    /// A function's beginning: what it wants of its parameters, its caller must have.
    fn entered(&mut self, function: FunctionKey, words: &mut &[u64]) -> Result<(), WalkError> {
        let Some(mut frame) = self.frames.pop() else { return Err(self.wrong("a function")) };
        if frame.key != function || frame.at != At::Before(InstructionId(0)) {
            return Err(self.wrong("the beginning of a function"));
        }
        let uses = frame.uses.clone();
        let mut copies = Vec::new();
        for &(position, size) in uses.by_value.iter().rev() {
            let address = self.pop(words)?;
            self.close_uses(address, size);
            // The copy was made by code that no IR shows, so the first look at it was a surprise, or told nothing.
            copies.push((position as usize, self.take_any(address, size)));
        }
        let variable = self.variable_arguments(&frame, &mut copies);
        if uses.ticks_on_entry {
            self.clock -= 1;
        }
        let mut control = Mark::NOBODY;
        if frame.wanted_blocks > 0 {
            for block in 0..frame.blocks.len() {
                control = self.merge(control, frame.take_block(BlockId(block as u32)));
            }
        }
        let parameters = frame.registers.split_off(frame.function.instructions.len());
        // What is left was wanted of instructions that had not been executed: nothing is.
        frame.registers.fill(Mark::NOBODY);
        frame.registers.clear();
        frame.blocks.clear();
        self.spare.push((frame.registers, frame.blocks));
        let caller = self.frames.len().checked_sub(1);
        match caller {
            Some(caller) if !frame.from_outside => {
                let pending = &mut self.frames[caller].pending;
                pending.is_inside = true;
                pending.parameters = parameters;
                pending.copies = copies;
                pending.variable = variable;
                pending.control = merge(&mut self.demand, pending.control, control);
            }
            _ => {
                let mut given = Mark::NOBODY;
                for mark in parameters {
                    given = self.merge(given, mark);
                }
                for (_, mark) in copies.into_iter().flat_map(|(_, bytes)| bytes) {
                    given = self.merge(given, mark);
                }
                match caller {
                    Some(caller) => {
                        let pending = &mut self.frames[caller].pending;
                        pending.given = merge(&mut self.demand, pending.given, given);
                        pending.given = merge(&mut self.demand, pending.given, control);
                    }
                    None if given.is_nobody() => {}
                    None => self.demand.end(Source::Start, given),
                }
            }
        }
        Ok(())
    }

    /// Wishes for the variable arguments of a function that begins now; of those that are copies in memory, to `copies`.
    fn variable_arguments(
        &mut self,
        frame: &Frame<'_>,
        copies: &mut Vec<(usize, Vec<(u64, Mark)>)>,
    ) -> Vec<(usize, Mark)> {
        let Some(caller) = self.frames.last().filter(|_| !frame.areas.is_empty() && !frame.from_outside) else {
            return Vec::new();
        };
        let At::Call(at) = caller.at else { return Vec::new() };
        let (Op::Call(call) | Op::Invoke { call, .. }) = &caller.function.instruction(at).op else { return Vec::new() };
        let mut found = Vec::new();
        for place in places(call, frame.function.parameters.len()) {
            for &(_, start) in frame.areas.iter().filter(|(area, _)| *area == place.area) {
                self.close_uses(start.wrapping_add(place.offset), place.length);
                let bytes = self.take_any(start.wrapping_add(place.offset), place.length);
                if place.is_copy {
                    copies.push((place.argument, bytes));
                } else {
                    found.extend(bytes.into_iter().map(|(_, mark)| (place.argument, mark)));
                }
            }
        }
        found
    }

    fn jumped(&mut self, to: InstructionId, words: &mut &[u64]) -> Result<(), WalkError> {
        let (from, clock) = (InstructionId(self.pop(words)? as u32), self.pop(words)?);
        let Some(top) = self.frames.len().checked_sub(1) else { return Err(self.wrong("a function")) };
        if self.frames[top].at != At::Call(to) {
            return Err(self.wrong("the call that returned twice"));
        }
        // Whatever has no reason since then has the jump for a reason.
        let pending = std::mem::take(&mut self.frames[top].pending);
        let mut mark = pending.result;
        for block in 0..self.frames[top].blocks.len() {
            let wanted = self.frames[top].take_block(BlockId(block as u32));
            mark = self.merge(mark, wanted);
        }
        if !mark.is_nobody() {
            let users = self.meet(top, to, mark, Mark::NOBODY);
            self.jump = self.merge(self.jump, users);
        }
        self.clock = clock;
        self.settle_place(from, words);
        Ok(())
    }
}

impl Pending {
    fn is_empty(&self) -> bool {
        let marks = [self.result, self.control, self.given];
        marks.iter().chain(&self.parameters).all(|m| m.is_nobody())
            && self.copies.is_empty()
            && self.variable.is_empty()
    }
}

fn site_of(at: At) -> InstructionId {
    match at {
        At::Before(id) | At::Call(id) | At::AfterCall(id) => id,
        At::End => InstructionId(0),
    }
}

/// An argument of a call, or the operand that stands at this position.
fn argument(function: &Function, at: InstructionId, position: u32) -> Option<&program::Operand> {
    match &function.instruction(at).op {
        Op::Call(call) | Op::Invoke { call, .. } => call.arguments.get(position as usize),
        Op::Load { address, .. } => (position == 0).then_some(address),
        Op::Store { value, address, .. } => [value, address].get(position as usize).copied(),
        _ => None,
    }
}

pub(super) fn merge(demand: &mut impl Demand, a: Mark, b: Mark) -> Mark {
    if a.is_nobody() || a == b {
        b
    } else if b.is_nobody() {
        a
    } else {
        demand.merge(a, b)
    }
}
