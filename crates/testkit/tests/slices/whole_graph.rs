//! The slow twin of slicing: the whole dependence graph of a run, made forwards and kept.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use abi::{BlockId, InstructionId};
use execution::criterion::Criterion;
use execution::dependence::variable::{Place, places};
use execution::library_call::{LibraryCall, Words, touched};
use execution::{Action, Area, Functions, LIST, Register, register};
use program::{Callee, Edge, Function, FunctionKey, Module, Op, Operand};
use replay::{Leaving, Observed, Observer, Step};

use crate::asked::Asked;
use crate::bytes::{Byte, Bytes, Maker, Origin};
use crate::relevant::{Passed, Wait};

/// Something that was made: by a step, out of what others made.
pub struct Made {
    pub step: u32,
    pub from: Vec<Maker>,
    /// What decided that the step executed.
    pub because: Maker,
}

pub struct Frame {
    key: FunctionKey,
    /// How many functions were entered before.
    number: u32,
    pub registers: Vec<Maker>,
    /// When each register-resident local was last assigned.
    assigned: HashMap<Register, u32>,
    /// Who decided which values the phis of this block take.
    chosen: Maker,
    /// Every branch executed, with where it went.
    branches: Vec<(Edge, Maker)>,
    /// How many branches there were when it was last resumed, and by whom.
    resumed: Option<(usize, Maker)>,
    call: Maker,
    from_outside: bool,
    block: BlockId,
    /// The call it waits for, and whether that entered a function of the program's.
    pending: Maker,
    is_inside: bool,
    /// That is outside and has called back.
    called_back: bool,
    /// What phis take, noted when control goes to their block.
    phis: HashMap<InstructionId, Maker>,
    variable: Rc<Variable>,
}

/// The variable arguments of a call.
#[derive(Default)]
struct Variable {
    /// How many functions were on the stack.
    depth: usize,
    /// Where each lies, and who made its bytes.
    places: Vec<(Place, Vec<Origin>)>,
    /// Where the areas lie, once a load has told.
    registers: Cell<Option<u64>>,
    stack: Cell<Option<u64>>,
}

/// A call that has not come back.
struct Calling {
    arguments: Vec<u64>,
    measured: Vec<u64>,
}

pub struct WholeGraph<'f> {
    pub functions: &'f Functions<'f>,
    pub made: Vec<Made>,
    pub steps: Vec<Step>,
    /// The last maker of each step's own.
    pub maker_of: Vec<Maker>,
    pub memory: Bytes,
    /// What a maker waited for.
    pub waits: HashMap<Maker, Vec<Wait>>,
    pub passed: Vec<Passed>,
    pub frames: Vec<Frame>,
    entered: u32,
    last: Maker,
    calls: Vec<Calling>,
    /// Lists of variable arguments, by address.
    lists: HashMap<u64, Rc<Variable>>,
    /// Whose slices are asked for.
    pub criteria: Vec<Asked>,
    handlers: u32,
    /// `setjmp` is about to return again; who jumped.
    jumped: Option<Maker>,
    /// A signal handler has just ended: if control jumps now, it was the handler that did.
    after_handler: bool,
    /// The last thing observed was a call.
    in_call: bool,
}

impl<'f> WholeGraph<'f> {
    pub fn new(functions: &'f Functions<'f>, criteria: &[Criterion], end: Option<Step>) -> WholeGraph<'f> {
        WholeGraph {
            criteria: criteria.iter().filter_map(|criterion| Asked::of(criterion, end)).collect(),
            functions,
            made: vec![Made { step: 0, from: Vec::new(), because: 0 }],
            steps: Vec::new(),
            maker_of: Vec::new(),
            memory: Bytes::default(),
            waits: HashMap::new(),
            passed: Vec::new(),
            frames: Vec::new(),
            entered: 0,
            last: 0,
            calls: Vec::new(),
            lists: HashMap::new(),
            handlers: 0,
            jumped: None,
            after_handler: false,
            in_call: false,
        }
    }

    fn make(&mut self, step: u32, from: Vec<Maker>, because: Maker) -> Maker {
        self.made.push(Made { step, from, because });
        self.made.len() as Maker - 1
    }

    /// A new step, its maker, from these registers and others.
    fn step_of(&mut self, at: Step, from: Vec<Maker>) -> Maker {
        let because = self.reason();
        let step = self.steps.len() as u32;
        let maker = self.make(step, from, because);
        self.steps.push(at);
        self.maker_of.push(maker);
        self.last = maker;
        maker
    }

    /// Why the innermost function's block executes.
    pub fn reason(&self) -> Maker {
        let Some(frame) = self.frames.last() else { return 0 };
        let shape = self.functions.shape(frame.key);
        let parents = shape.control.parents(frame.block);
        let latest = frame.branches.iter().enumerate().rev().find(|(_, (edge, _))| parents.contains(edge));
        match (latest, frame.resumed) {
            (Some((at, &(_, maker))), Some((then, _))) if at >= then => maker,
            (Some((_, &(_, maker))), None) => maker,
            (_, Some((_, maker))) => maker,
            (None, None) => frame.call,
        }
    }

    pub fn operand(&self, function: &Function, operand: &Operand) -> Maker {
        let frame = self.frames.last().expect("a function");
        register(function.instructions.len() as u32, operand).map_or(0, |r| frame.registers[r.0 as usize])
    }

    fn used(&self, step: &Observed<'_>) -> Vec<Maker> {
        let frame = self.frames.last().expect("a function");
        let uses = self.functions.uses(frame.key);
        let registers = uses.operands(&uses.instructions[step.id().index()]);
        registers.iter().map(|r| frame.registers[r.0 as usize]).collect()
    }

    fn set(&mut self, register: Register, maker: Maker) {
        self.frames.last_mut().expect("a function").registers[register.0 as usize] = maker;
    }

    /// A byte that a step made from that of another place.
    fn copied(&mut self, maker: Maker, from: u64) -> Byte {
        let source = self.memory.get(from);
        let is_constant = self.functions.is_constant(from);
        let surprising = if is_constant { Origin::default() } else { source.surprising };
        let mut make = |other: Origin| {
            let Made { step, because, ref from } = self.made[maker as usize];
            let all = from.iter().copied().chain([other.maker]).collect();
            let maker = self.make(step, all, because);
            if !is_constant {
                self.wait(maker, step, other.since);
            }
            self.now(maker)
        };
        Byte { known: make(source.known), surprising: make(surprising), unlooked: make(source.unlooked) }
    }

    /// What is made now.
    fn now(&self, maker: Maker) -> Origin {
        Origin { maker, since: self.steps.len() as u32 }
    }

    /// A use of memory by a step of the program's text: what it found had been there for so long.
    fn wait(&mut self, maker: Maker, step: u32, since: u32) {
        let site = self.steps[step as usize].site;
        let is_copy = self.functions.uses(site.function).instructions[site.instruction.index()].action == Action::Copy;
        let is_load = matches!(self.functions.instruction(site).op, Op::Load { .. });
        if is_copy || is_load {
            let within = self.frames.last().map_or(0, |frame| frame.number);
            let wait = Wait { site, since, until: step, call: None, within };
            self.waits.entry(maker).or_default().push(wait);
        }
    }

    /// A load from a list of variable arguments tells where they are.
    fn find_area(&mut self, address: u64, value: u64) {
        for (area, field) in [(Area::Stack, 8), (Area::Registers, 16)] {
            let Some(variable) = self.lists.get(&address.wrapping_sub(field)).cloned() else { continue };
            let known = if area == Area::Stack { &variable.stack } else { &variable.registers };
            // The list walks through the area on the stack: its first load has the beginning.
            if known.get().is_some() {
                continue;
            }
            known.set(Some(value));
            for (place, origins) in variable.places.iter().filter(|(place, _)| place.area == area) {
                for (byte, &origin) in (0..).zip(origins) {
                    self.memory.set(value.wrapping_add(place.offset + byte), Byte::by(origin));
                }
            }
        }
    }

    /// Control goes to a block.
    fn go(&mut self, edge: Edge, maker: Maker) {
        let frame = self.frames.last().expect("a function");
        let function = self.functions.function(frame.key);
        let uses = self.functions.uses(frame.key);
        let mut phis = HashMap::new();
        for &phi in &uses.phis[edge.to.index()] {
            if let Op::Phi { incoming } = &function.instruction(phi).op {
                let operand = &incoming.iter().find(|(from, _)| *from == edge.from).expect("an edge").1;
                phis.insert(phi, self.operand(function, operand));
            }
        }
        // Which values they take was decided where control could have gone elsewhere, or came to where it could not.
        let shape = self.functions.shape(frame.key);
        let is_choice = shape.cfg.successors(edge.from).len() > 1;
        let chosen = if is_choice { maker } else { self.reason() };
        let frame = self.frames.last_mut().expect("a function");
        frame.branches.push((edge, maker));
        frame.phis = phis;
        frame.chosen = chosen;
    }

    fn at(&self, step: &Observed<'_>) -> Step {
        let function = self.frames.last().expect("a function").key;
        Step { clock: step.clock, depth: self.frames.len() as u32, site: function.at(step.id()) }
    }

    /// The table's entry of the function a call names.
    fn with_library_call<R>(
        &self,
        at: InstructionId,
        key: FunctionKey,
        act: impl FnOnce(&LibraryCall) -> R,
    ) -> Option<R> {
        self.functions.uses(key).library_calls.get(&at).map(act)
    }

    /// An outside call's effects, when it came back.
    fn outside_returned(&mut self, at: InstructionId, calling: &Calling, maker: Maker, result: Option<u64>) {
        let (key, called_back) = self.frames.last().map(|f| (f.key, f.called_back)).expect("a function");
        let words = Words { arguments: &calling.arguments, measured: &calling.measured, result };
        let found = self.with_library_call(at, key, |call| (touched(call, words), call.known.leaves_memory_alone()));
        let now = self.now(maker);
        let Some((touched, leaves_memory_alone)) = found else {
            self.memory.change_everything(now);
            return;
        };
        if called_back && !leaves_memory_alone {
            self.memory.change_everything(now);
        }
        for copy in touched.copied {
            let bytes: Vec<Byte> = (0..copy.length).map(|b| self.copied(maker, copy.from.wrapping_add(b))).collect();
            for (offset, byte) in (0..).zip(bytes) {
                self.memory.set(copy.to.wrapping_add(offset), Byte::by(byte.unlooked));
            }
        }
        for range in touched.written {
            self.memory.write(range, now);
        }
    }
}

fn word(words: &[u64]) -> u64 {
    words.first().copied().unwrap_or(0)
}

impl Observer for WholeGraph<'_> {
    const IN_HANDLERS: bool = true;

    fn step(&mut self, step: &Observed<'_>) {
        if self.handlers > 0 {
            return;
        }
        self.after_handler = false;
        self.in_call = false;
        let id = step.id();
        let key = self.frames.last().expect("a function").key;
        let uses = self.functions.uses(key);
        let block = uses.block_of[id.index()];
        let here = Register(id.0);
        let previous = self.frames.last().expect("a function").block;
        if block != previous {
            self.frames.last_mut().expect("a function").block = block;
        }
        let at = self.at(step);
        self.ask(at);
        match (uses.instructions[id.index()].action, &step.instruction().op) {
            (Action::Nothing, _) => {}
            (Action::Phi, Op::Phi { .. }) => {
                let frame = self.frames.last().expect("a function");
                let (from, chosen) = (vec![frame.phis[&id]], frame.chosen);
                let chosen = self.make(self.steps.len() as u32, from, chosen);
                let maker = self.step_of(at, vec![chosen]);
                self.set(here, maker);
            }
            (Action::Pure, _) => {
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.set(here, maker);
            }
            (Action::LoadLocal { local }, _) => {
                let frame = self.frames.last().expect("a function");
                let from = vec![frame.registers[local.0 as usize]];
                let since = frame.assigned.get(&local).copied().unwrap_or(0);
                let within = frame.number;
                let maker = self.step_of(at, from);
                self.set(here, maker);
                let until = self.steps.len() as u32 - 1;
                let wait = Wait { site: key.at(id), since, until, call: Some(within), within };
                self.waits.entry(maker).or_default().push(wait);
            }
            (Action::StoreLocal { local }, _) => {
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.set(local, maker);
                let now = self.steps.len() as u32;
                self.frames.last_mut().expect("a function").assigned.insert(local, now);
            }
            (action @ (Action::Load { .. } | Action::LoadArea { .. }), Op::Load { address, .. }) => {
                let size = if let Action::Load { size } = action { u64::from(size) } else { 8 };
                let first = word(step.operand(address));
                let mut from = self.used(step);
                let now = self.steps.len() as u32;
                let mut earliest = now;
                for address in (0..size).map(|b| first.wrapping_add(b)) {
                    if step.is_surprise && self.functions.is_constant(address) {
                        self.memory.store(address, 1, self.now(0));
                    } else {
                        let origin = self.memory.load(address, step.is_surprise, now);
                        from.push(origin.maker);
                        if !self.functions.is_constant(address) {
                            earliest = earliest.min(origin.since);
                        }
                    }
                }
                if size == 8 {
                    self.find_area(first, word(step.result()));
                }
                let maker = self.step_of(at, from);
                self.set(here, maker);
                self.wait(maker, now, earliest);
            }
            (Action::Store { size, .. }, Op::Store { address, .. }) => {
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.memory.store(word(step.operand(address)), u64::from(size), self.now(maker));
            }
            (Action::Atomic { size }, Op::ReadModifyWrite { address, .. } | Op::CompareExchange { address, .. }) => {
                let (first, size) = (word(step.operand(address)), u64::from(size));
                let mut from = self.used(step);
                from.extend((0..size).map(|b| self.memory.get(first.wrapping_add(b)).known.maker));
                let maker = self.step_of(at, from);
                self.memory.store(first, size, self.now(maker));
                self.set(here, maker);
            }
            (Action::Copy, Op::Call(call)) => {
                let [to, from, length] = [0, 1, 2].map(|i| word(step.operand(&call.arguments[i])));
                let operands = self.used(step);
                let maker = self.step_of(at, operands);
                let bytes: Vec<Byte> = (0..length).map(|b| self.copied(maker, from.wrapping_add(b))).collect();
                for (offset, byte) in (0..).zip(bytes) {
                    self.memory.set(to.wrapping_add(offset), byte);
                }
                let inner = self.lists.iter().filter(|(list, _)| list.wrapping_sub(from) < length);
                let copied: Vec<_> =
                    inner.map(|(list, v)| (list.wrapping_sub(from).wrapping_add(to), v.clone())).collect();
                self.lists.extend(copied);
            }
            (Action::Fill, Op::Call(call)) => {
                let (to, length) = (word(step.operand(&call.arguments[0])), word(step.operand(&call.arguments[2])));
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.memory.store(to, length, self.now(maker));
            }
            (Action::StartList, Op::Call(call)) => {
                let list = word(step.operand(&call.arguments[0]));
                let from = self.used(step);
                let maker = self.step_of(at, from);
                for byte in 0..LIST {
                    self.memory.set(list.wrapping_add(byte), Byte::by(self.now(maker)));
                }
                let variable = self.frames.last().expect("a function").variable.clone();
                self.lists.insert(list, variable);
            }
            (Action::CopyList, Op::Call(call)) => {
                let [to, from] = [0, 1].map(|i| word(step.operand(&call.arguments[i])));
                let operands = self.used(step);
                let maker = self.step_of(at, operands);
                for byte in 0..LIST {
                    let copied = self.copied(maker, from.wrapping_add(byte));
                    self.memory.set(to.wrapping_add(byte), Byte::by(copied.unlooked));
                }
                if let Some(variable) = self.lists.get(&from).cloned() {
                    self.lists.insert(to, variable);
                }
            }
            (Action::Call | Action::Invoke, Op::Call(call) | Op::Invoke { call, .. }) => {
                // What is used depends on who is called; settled when a function is entered, or when it comes back.
                let from = self.used(step);
                let maker = self.step_of(at, from);
                let frame = self.frames.last_mut().expect("a function");
                (frame.pending, frame.is_inside, frame.called_back) = (maker, false, false);
                self.in_call = true;
                let arguments: Vec<u64> = call.arguments.iter().map(|a| word(step.operand(a))).collect();
                let noted = self.with_library_call(id, key, |call| {
                    let byte = |address| self.functions.byte(step, address);
                    let measured: Vec<u64> = call.measures.iter().map(|m| m.take(&arguments, byte)).collect();
                    let read = touched(call, Words { arguments: &arguments, measured: &measured, result: None }).read;
                    (measured, read)
                });
                let (measured, read) = noted.unwrap_or_default();
                for (address, length) in read {
                    let bytes = (0..length).map(|byte| self.memory.get(address.wrapping_add(byte)).unlooked.maker);
                    self.made[maker as usize].from.extend(bytes);
                }
                self.calls.push(Calling { arguments, measured });
            }
            (action @ (Action::Jump | Action::Branch), op) => {
                let to = match op {
                    Op::Jump { target } => *target,
                    Op::Branch { condition, then, otherwise } => {
                        if word(step.went_on_with(condition)) != 0 {
                            *then
                        } else {
                            *otherwise
                        }
                    }
                    Op::Switch { value, cases, default, .. } => {
                        let value = word(step.went_on_with(value));
                        cases.iter().find(|c| c.0 == value).map_or(*default, |c| c.1)
                    }
                    _ => unreachable!("no other instruction goes on at another block"),
                };
                let from = self.used(step);
                let maker = self.step_of(at, from);
                let taken = Edge { from: block, to };
                if action == Action::Branch {
                    let (step, call) = (self.steps.len() as u32 - 1, self.frames.last().expect("a function").number);
                    self.passed.push(Passed { step, call, function: key, taken, maker });
                }
                self.go(taken, maker);
            }
            (Action::Return | Action::Leave, _) => {
                let from = self.used(step);
                self.step_of(at, from);
            }
            (action, op) => unreachable!("{action:?} of {op:?}"),
        }
    }

    fn entered(&mut self, function: &Function, module: &Module, from_outside: bool) {
        if self.handlers > 0 {
            return;
        }
        let key = self.functions.key_of(module.id, function.id).expect("a function of the program");
        let uses = self.functions.uses(key);
        let call = self.frames.last().map_or(0, |caller| caller.pending);
        if from_outside {
            self.calls_back();
        } else if let Some(caller) = self.frames.last_mut() {
            caller.is_inside = true;
        }
        self.entered += 1;
        self.frames.push(Frame {
            key,
            number: self.entered,
            assigned: HashMap::new(),
            registers: vec![0; uses.registers],
            chosen: 0,
            branches: Vec::new(),
            resumed: None,
            call,
            from_outside,
            block: BlockId(0),
            pending: 0,
            is_inside: false,
            called_back: false,
            phis: HashMap::new(),
            variable: Rc::default(),
        });
    }

    fn begun(&mut self, step: &Observed<'_>) {
        if self.handlers > 0 || self.frames.len() < 2 {
            return;
        }
        let top = self.frames.len() - 1;
        let (key, from_outside) = (self.frames[top].key, self.frames[top].from_outside);
        let uses = self.functions.uses(key);
        let call_maker = self.frames[top].call;
        let parameters = step.function().parameters.len();
        let first = uses.registers - parameters;
        if from_outside {
            self.frames[top].registers[first..].fill(call_maker);
            return;
        }
        // The caller's registers as they are: the call is the last thing it did.
        let caller_key = self.frames[top - 1].key;
        let caller = self.functions.function(caller_key);
        let at = self.steps[self.made[call_maker as usize].step as usize].site.instruction;
        let (Op::Call(call) | Op::Invoke { call, .. }) = &caller.instruction(at).op else { return };
        let maker_of = |operand: &Operand, frames: &[Frame]| {
            register(caller.instructions.len() as u32, operand).map_or(0, |r| frames[top - 1].registers[r.0 as usize])
        };
        for (position, argument) in call.arguments.iter().take(parameters).enumerate() {
            let maker = maker_of(argument, &self.frames);
            self.frames[top].registers[first + position] = maker;
        }
        // To have been called depends on the pointer only.
        self.made[call_maker as usize].from = match &call.callee {
            Callee::Pointer(pointer) => vec![maker_of(pointer, &self.frames)],
            _ => Vec::new(),
        };
        // Copies of by-value arguments are made by code that no IR shows, so nothing is known of them.
        let words = self.calls.last().map(|calling| calling.arguments.clone()).unwrap_or_default();
        for &(position, size) in &uses.by_value {
            let copy = word(step.operand(&Operand::Parameter(position)));
            for byte in 0..size {
                let source = self.memory.get(words[position as usize].wrapping_add(byte)).unlooked.maker;
                self.memory.set(copy.wrapping_add(byte), Byte::by(self.now(source)));
            }
        }
        let placed = places(call, parameters).into_iter().map(|place| {
            let origins: Vec<Origin> = (0..place.length)
                .map(|byte| match place.is_copy {
                    true => self.memory.get(words[place.argument].wrapping_add(byte)).unlooked.maker,
                    false => maker_of(&call.arguments[place.argument], &self.frames),
                })
                .map(|maker| self.now(maker))
                .collect();
            (place, origins)
        });
        let variable = Variable { depth: top + 1, places: placed.collect(), ..Variable::default() };
        self.frames[top].variable = Rc::new(variable);
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        if self.handlers > 0 {
            return;
        }
        let frame = self.frames.pop().expect("a function");
        let depth = self.frames.len();
        self.lists.retain(|_, variable| variable.depth <= depth);
        if let Leaving::Unwound(at) = leaving {
            let uses = self.functions.uses(frame.key);
            if matches!(uses.instructions[at.index()].action, Action::Call | Action::Invoke) {
                self.calls.pop();
            }
        } else if let Some(caller) = self.frames.last().filter(|_| frame.from_outside) {
            // If the outside function throws now, that is its own doing.
            self.last = caller.pending;
        }
    }

    fn returned(&mut self, step: &Observed<'_>) {
        if self.handlers > 0 {
            return;
        }
        self.in_call = false;
        let calling = self.calls.pop().expect("a call");
        let result = step.result().first().copied();
        let (pending, is_inside, key) = {
            let top = self.frames.last().expect("a function");
            (top.pending, top.is_inside, top.key)
        };
        let maker = if let Some(source) = self.jumped.take() {
            let block = self.functions.uses(key).block_of[step.id().index()];
            self.frames.last_mut().expect("a function").block = block;
            let at = self.at(step);
            let maker = self.step_of(at, vec![source]);
            let top = self.frames.last_mut().expect("a function");
            top.resumed = Some((top.branches.len(), maker));
            maker
        } else if is_inside {
            self.last
        } else {
            self.outside_returned(step.id(), &calling, pending, result.or(Some(0)));
            pending
        };
        self.set(Register(step.id().0), maker);
        if let Op::Invoke { normal, .. } = &step.instruction().op {
            let from = self.functions.uses(key).block_of[step.id().index()];
            let maker = self.decide(step, Vec::new());
            self.go(Edge { from, to: *normal }, maker);
        }
    }

    fn landed(&mut self, step: &Observed<'_>) {
        if self.handlers > 0 {
            return;
        }
        let Op::Invoke { unwind, .. } = &step.instruction().op else { return };
        self.calls.pop();
        let uses = self.functions.uses(self.frames.last().expect("a function").key);
        let from = uses.block_of[step.id().index()];
        let source = self.last;
        let maker = self.decide(step, vec![source]);
        self.go(Edge { from, to: *unwind }, maker);
        let pad = uses.first_of[unwind.index()].0 + uses.phis[unwind.index()].len() as u32;
        self.set(Register(pad), maker);
    }

    fn jumped(&mut self, from: InstructionId, _: InstructionId) {
        if self.handlers > 0 {
            return;
        }
        let uses = self.functions.uses(self.frames.last().expect("a function").key);
        if matches!(uses.instructions[from.index()].action, Action::Call | Action::Invoke) {
            self.calls.pop();
        }
        // What `setjmp` was given is not asked for when it returns again.
        self.calls.push(Calling { arguments: Vec::new(), measured: Vec::new() });
        self.jumped = Some(if self.after_handler && !self.in_call { 0 } else { self.last });
    }

    fn interrupted(&mut self) {
        self.handlers += 1;
    }

    fn resumed(&mut self) {
        self.handlers -= 1;
        self.after_handler = true;
    }
}

impl WholeGraph<'_> {
    /// What outside code has written by the time it calls back.
    fn calls_back(&mut self) {
        let Some(caller) = self.frames.last_mut() else { return };
        caller.called_back = true;
        let maker = caller.pending;
        let at = self.steps[self.made[maker as usize].step as usize];
        let leaves_memory_alone =
            self.with_library_call(at.site.instruction, at.site.function, |call| call.known.leaves_memory_alone());
        if leaves_memory_alone != Some(true) {
            self.memory.change_everything(self.now(maker));
        }
    }

    /// An invoke that came back, or landed, decides once more where control goes on.
    fn decide(&mut self, step: &Observed<'_>, from: Vec<Maker>) -> Maker {
        let uses = self.functions.uses(self.frames.last().expect("a function").key);
        self.frames.last_mut().expect("a function").block = uses.block_of[step.id().index()];
        let at = self.at(step);
        self.step_of(at, from)
    }
}
