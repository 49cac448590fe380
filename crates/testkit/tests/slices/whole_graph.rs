//! The slow twin of slicing: the whole dependence graph of a run, made forwards and kept.

use std::collections::{BTreeMap, HashMap, HashSet};

use abi::{BlockId, InstructionId};
use execution::dependence::{Follow, Moment};
use execution::{Action, FunctionKey, Functions, Register, register};
use program::library::{Effect, Term, known};
use program::{Call, Callee, Edge, Function, Module, Op, Operand};
use replay::{Leaving, Observer, Step};

/// 0 is nobody.
pub type Maker = u32;

/// Something that was made: by a step, out of what others made.
struct Made {
    step: u32,
    from: Vec<Maker>,
    /// What decided that the step executed.
    because: Maker,
}

struct Frame {
    key: FunctionKey,
    registers: Vec<Maker>,
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
}

/// An outside call: what of memory it may have written.
struct Outside {
    maker: Maker,
    /// Range, and whether it was surely written.
    ranges: Vec<(u64, u64, bool)>,
    /// Copies: to where, and who made each byte.
    copies: Vec<(u64, Vec<Maker>)>,
    everywhere: bool,
    /// The number of steps before it.
    time: usize,
}

pub struct WholeGraph<'f> {
    functions: &'f Functions<'f>,
    made: Vec<Made>,
    pub steps: Vec<Moment>,
    /// The last maker of each step's own.
    pub maker_of: Vec<Maker>,
    memory: HashMap<u64, Maker>,
    /// When instrumented code last touched a byte.
    touched: HashMap<u64, usize>,
    frames: Vec<Frame>,
    outside: Vec<Outside>,
    last: Maker,
    arguments: Vec<Vec<u64>>,
    handlers: u32,
    /// `setjmp` is about to return again; who jumped.
    jumped: Option<Maker>,
    /// A signal handler has just ended: if control jumps now, it was the handler that did.
    after_handler: bool,
    /// The last thing observed was a call.
    in_call: bool,
    /// Bytes of by-value parameters nobody has looked at yet: the first look is a surprise.
    fresh: HashSet<u64>,
    pub has_variable_arguments: bool,
}

impl<'f> WholeGraph<'f> {
    pub fn new(functions: &'f Functions<'f>) -> WholeGraph<'f> {
        WholeGraph {
            functions,
            made: vec![Made { step: 0, from: Vec::new(), because: 0 }],
            steps: Vec::new(),
            maker_of: Vec::new(),
            memory: HashMap::new(),
            touched: HashMap::new(),
            frames: Vec::new(),
            outside: Vec::new(),
            last: 0,
            arguments: Vec::new(),
            handlers: 0,
            jumped: None,
            after_handler: false,
            in_call: false,
            fresh: HashSet::new(),
            has_variable_arguments: false,
        }
    }

    fn make(&mut self, step: u32, from: Vec<Maker>, because: Maker) -> Maker {
        self.made.push(Made { step, from, because });
        self.made.len() as Maker - 1
    }

    /// A new step, its maker, from these registers and others.
    fn step_of(&mut self, at: Moment, from: Vec<Maker>) -> Maker {
        let because = self.reason();
        let step = self.steps.len() as u32;
        let maker = self.make(step, from, because);
        self.steps.push(at);
        self.maker_of.push(maker);
        self.last = maker;
        maker
    }

    /// Why the innermost function's block executes.
    fn reason(&self) -> Maker {
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

    fn operand(&self, function: &Function, operand: &Operand) -> Maker {
        let frame = self.frames.last().expect("a function");
        register(function.instructions.len() as u32, operand).map_or(0, |r| frame.registers[r.0 as usize])
    }

    fn used(&self, step: &Step<'_>) -> Vec<Maker> {
        let frame = self.frames.last().expect("a function");
        let uses = self.functions.uses(frame.key);
        let registers = uses.operands(&uses.instructions[step.id().index()]);
        registers.iter().map(|r| frame.registers[r.0 as usize]).collect()
    }

    fn set(&mut self, register: Register, maker: Maker) {
        self.frames.last_mut().expect("a function").registers[register.0 as usize] = maker;
    }

    fn touch(&mut self, address: u64, length: u64) {
        let now = self.steps.len();
        for byte in 0..length {
            self.touched.insert(address.wrapping_add(byte), now);
        }
    }

    /// Who of the outside changed a byte since it was last touched.
    fn changed_by(&self, address: u64) -> Maker {
        let since = self.touched.get(&address).copied().unwrap_or(0);
        for outside in self.outside.iter().rev().take_while(|o| o.time >= since) {
            for (to, makers) in &outside.copies {
                if let Some(&maker) = makers.get(address.wrapping_sub(*to) as usize) {
                    return maker;
                }
            }
            if outside.everywhere || outside.ranges.iter().any(|&(to, length, _)| address.wrapping_sub(to) < length) {
                return outside.maker;
            }
        }
        0
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
        let frame = self.frames.last_mut().expect("a function");
        frame.branches.push((edge, maker));
        frame.phis = phis;
    }

    fn at(&self, step: &Step<'_>) -> Moment {
        let function = self.frames.last().expect("a function").key;
        Moment { clock: step.clock, depth: self.frames.len() as u32, function, instruction: step.id() }
    }

    /// How often each site is among what a step depends on, itself left out.
    pub fn slice(&self, step: u32, follow: Follow) -> BTreeMap<(FunctionKey, InstructionId), u32> {
        let root = self.maker_of[step as usize];
        let mut seen = HashSet::from([root]);
        let mut open = vec![root];
        let mut steps = HashSet::new();
        while let Some(maker) = open.pop() {
            let made = &self.made[maker as usize];
            let because = if follow == Follow::DataAndControl { made.because } else { 0 };
            for &next in made.from.iter().chain(std::iter::once(&because)) {
                if next != 0 && seen.insert(next) {
                    steps.insert(self.made[next as usize].step);
                    open.push(next);
                }
            }
        }
        let mut counts = BTreeMap::new();
        for step in steps {
            let at = self.steps[step as usize];
            *counts.entry((at.function, at.instruction)).or_default() += 1;
        }
        counts
    }

    /// An outside call's effects, when it came back.
    fn outside_returned(&mut self, step: &Step<'_>, call: &Call, words: &[u64], maker: Maker, result: Option<u64>) {
        let mut outside =
            Outside { maker, ranges: Vec::new(), copies: Vec::new(), everywhere: false, time: self.steps.len() };
        let Some(known) = Self::name(step, call).and_then(known) else {
            outside.everywhere = true;
            self.outside.push(outside);
            return;
        };
        for effect in known.effects {
            match *effect {
                Effect::Copies(to, from, length) => {
                    let (Some(to), Some(from)) = (number(to, words, result), number(from, words, result)) else {
                        continue;
                    };
                    let exact = number(length, words, result);
                    let length = exact.unwrap_or(match length {
                        Term::TextWithin(bound) => number(*bound, words, result).unwrap_or(4096),
                        _ => 4096,
                    });
                    let mut makers = Vec::new();
                    for byte in 0..length {
                        let source = self.memory.get(&from.wrapping_add(byte)).copied().unwrap_or(0);
                        let made = &self.made[maker as usize];
                        let (mut all, because, step) = (made.from.clone(), made.because, made.step);
                        all.push(source);
                        makers.push(self.make(step, all, because));
                    }
                    if exact.is_some() {
                        for (byte, &maker) in (0..).zip(&makers) {
                            self.memory.insert(to.wrapping_add(byte), maker);
                        }
                    }
                    outside.copies.push((to, makers));
                }
                Effect::Writes(address, length) | Effect::Input(_, address, length) => {
                    match number(address, words, result) {
                        None if matches!(address, Term::Rest(_)) => {
                            let Term::Rest(first) = address else { continue };
                            for &address in words.iter().skip(usize::from(first)) {
                                outside.ranges.push((address, 4096, false));
                            }
                        }
                        None => outside.everywhere = true,
                        Some(0) => {}
                        Some(address) => match number(length, words, result) {
                            Some(length) if (length as i64) < 0 => {}
                            Some(length) => outside.ranges.push((address, length, true)),
                            None => {
                                let bound = match length {
                                    Term::TextWithin(bound) => number(*bound, words, result).unwrap_or(4096),
                                    _ => 4096,
                                };
                                outside.ranges.push((address, bound, false));
                            }
                        },
                    }
                }
                Effect::InputFormatted(_, format) => {
                    let pointers = words.iter().skip(usize::from(format) + 1);
                    outside.ranges.extend(pointers.map(|&address| (address, 4096, false)));
                }
                Effect::Borrows(length) => {
                    if let Some(address) = result.filter(|&address| address != 0) {
                        let length = number(length, words, result).unwrap_or(4096);
                        outside.ranges.push((address, length, false));
                    }
                }
                _ => {}
            }
        }
        let called_back = self.frames.last().is_some_and(|frame| frame.called_back);
        outside.everywhere |= called_back && !known.leaves_memory_alone();
        for &(address, length, surely) in &outside.ranges {
            if surely {
                for byte in 0..length {
                    self.memory.insert(address.wrapping_add(byte), maker);
                }
            }
        }
        self.outside.push(outside);
    }
}

fn number(term: Term, words: &[u64], result: Option<u64>) -> Option<u64> {
    match term {
        Term::Arg(position) => words.get(usize::from(position)).copied(),
        Term::Result => result,
        Term::Bytes(bytes) => Some(bytes),
        Term::Product(a, b) => number(*a, words, result)?.checked_mul(number(*b, words, result)?),
        Term::Least(a, b) => Some(number(*a, words, result)?.min(number(*b, words, result)?)),
        _ => None,
    }
}

fn word(words: &[u64]) -> u64 {
    words.first().copied().unwrap_or(0)
}

impl Observer for WholeGraph<'_> {
    fn step(&mut self, step: &Step<'_>) {
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
        match (uses.instructions[id.index()].action, &step.instruction().op) {
            (Action::Nothing, _) => {}
            (Action::Phi, Op::Phi { incoming }) => {
                let _ = incoming;
                let from = vec![self.frames.last().expect("a function").phis[&id]];
                let maker = self.step_of(at, from);
                self.set(here, maker);
            }
            (Action::Pure, _) => {
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.set(here, maker);
            }
            (Action::LoadLocal { local }, _) => {
                let from = vec![self.frames.last().expect("a function").registers[local.0 as usize]];
                let maker = self.step_of(at, from);
                self.set(here, maker);
            }
            (Action::StoreLocal { local }, _) => {
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.set(local, maker);
            }
            (Action::Load { size }, Op::Load { address, .. }) => {
                let (first, size) = (word(step.operand(address)), u64::from(size));
                let mut from = self.used(step);
                for address in (0..size).map(|b| first.wrapping_add(b)) {
                    if step.is_surprise {
                        let is_constant = self.functions.is_constant(first);
                        let by = if is_constant { 0 } else { self.changed_by(address) };
                        if by != 0 || !self.fresh.contains(&address) {
                            self.memory.insert(address, by);
                        }
                    }
                    self.fresh.remove(&address);
                    from.extend(self.memory.get(&address));
                }
                self.touch(first, size);
                let maker = self.step_of(at, from);
                self.set(here, maker);
            }
            (Action::Store { size, .. }, Op::Store { address, .. }) => {
                let (first, size) = (word(step.operand(address)), u64::from(size));
                let from = self.used(step);
                let maker = self.step_of(at, from);
                for address in (0..size).map(|b| first.wrapping_add(b)) {
                    self.memory.insert(address, maker);
                }
                self.touch(first, size);
            }
            (Action::Atomic { size }, Op::ReadModifyWrite { address, .. } | Op::CompareExchange { address, .. }) => {
                let (first, size) = (word(step.operand(address)), u64::from(size));
                let mut from = self.used(step);
                let bytes = (0..size).map(|b| first.wrapping_add(b));
                from.extend(bytes.clone().filter_map(|a| self.memory.get(&a)));
                let maker = self.step_of(at, from);
                for address in bytes {
                    self.memory.insert(address, maker);
                }
                self.touch(first, size);
                self.set(here, maker);
            }
            (Action::Copy, Op::Call(call)) => {
                let [to, from, length] = [0, 1, 2].map(|i| word(step.operand(&call.arguments[i])));
                let operands = self.used(step);
                let maker = self.step_of(at, operands);
                let this = self.steps.len() as u32 - 1;
                let sources: Vec<Maker> =
                    (0..length).map(|b| self.memory.get(&from.wrapping_add(b)).copied().unwrap_or(0)).collect();
                for (byte, source) in (0..length).zip(sources) {
                    // The byte is the copy's, and its reason the copy's.
                    let made = &self.made[maker as usize];
                    let (mut all, because) = (made.from.clone(), made.because);
                    all.push(source);
                    let copied = self.make(this, all, because);
                    self.memory.insert(to.wrapping_add(byte), copied);
                }
                self.touch(to, length);
                self.touch(from, length);
            }
            (Action::Fill, Op::Call(call)) => {
                let (to, length) = (word(step.operand(&call.arguments[0])), word(step.operand(&call.arguments[2])));
                let from = self.used(step);
                let maker = self.step_of(at, from);
                for byte in 0..length {
                    self.memory.insert(to.wrapping_add(byte), maker);
                }
                self.touch(to, length);
            }
            (Action::VariableArguments, _) => self.has_variable_arguments = true,
            (Action::Call | Action::Invoke, Op::Call(call) | Op::Invoke { call, .. }) => {
                // What is used depends on who is called; settled when a function is entered, or when it comes back.
                let from = self.used(step);
                let maker = self.step_of(at, from);
                let frame = self.frames.last_mut().expect("a function");
                (frame.pending, frame.is_inside, frame.called_back) = (maker, false, false);
                self.in_call = true;
                self.reads(step, call, maker);
                self.arguments.push(call.arguments.iter().map(|a| word(step.operand(a))).collect());
            }
            (Action::Jump | Action::Branch, op) => {
                let to = match op {
                    Op::Jump { target } => *target,
                    Op::Branch { condition, then, otherwise } => {
                        if word(step.operand(condition)) != 0 {
                            *then
                        } else {
                            *otherwise
                        }
                    }
                    Op::Switch { value, cases, default, .. } => {
                        let value = word(step.operand(value));
                        cases.iter().find(|c| c.0 == value).map_or(*default, |c| c.1)
                    }
                    _ => unreachable!("no other instruction goes on at another block"),
                };
                let from = self.used(step);
                let maker = self.step_of(at, from);
                self.go(Edge { from: block, to }, maker);
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
        self.frames.push(Frame {
            key,
            registers: vec![0; uses.registers],
            branches: Vec::new(),
            resumed: None,
            call,
            from_outside,
            block: BlockId(0),
            pending: 0,
            is_inside: false,
            called_back: false,
            phis: HashMap::new(),
        });
    }

    fn begun(&mut self, step: &Step<'_>) {
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
        let at = self.steps[self.made[call_maker as usize].step as usize].instruction;
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
        let words = self.arguments.last().cloned().unwrap_or_default();
        for &(position, size) in &uses.by_value {
            let copy = word(step.operand(&Operand::Parameter(position)));
            for byte in 0..size {
                let source = self.memory.get(&words[position as usize].wrapping_add(byte)).copied().unwrap_or(0);
                self.memory.insert(copy.wrapping_add(byte), source);
                self.fresh.insert(copy.wrapping_add(byte));
            }
            self.touch(copy, size);
        }
    }

    fn left(&mut self, _: &Function, leaving: Leaving) {
        if self.handlers > 0 {
            return;
        }
        let frame = self.frames.pop().expect("a function");
        if let Leaving::Unwound(at) = leaving {
            let uses = self.functions.uses(frame.key);
            if matches!(uses.instructions[at.index()].action, Action::Call | Action::Invoke) {
                self.arguments.pop();
            }
        }
    }

    fn returned(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
        self.in_call = false;
        let words = self.arguments.pop().unwrap_or_default();
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
            self.outside_returned(step, call, &words, pending, result.or(Some(0)));
            pending
        };
        self.set(Register(step.id().0), maker);
        if let Op::Invoke { normal, .. } = &step.instruction().op {
            let from = self.functions.uses(key).block_of[step.id().index()];
            let maker = self.decide(step, Vec::new());
            self.go(Edge { from, to: *normal }, maker);
        }
    }

    fn landed(&mut self, step: &Step<'_>) {
        if self.handlers > 0 {
            return;
        }
        let Op::Invoke { unwind, .. } = &step.instruction().op else { return };
        self.arguments.pop();
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
            self.arguments.pop();
        }
        // What `setjmp` was given is not asked for when it returns again.
        self.arguments.push(Vec::new());
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
    fn name<'s>(step: &Step<'s>, call: &Call) -> Option<&'s str> {
        match &call.callee {
            Callee::Function(id) => Some(&step.module().function(*id).name),
            Callee::Symbol(at) => step.module().globals.get(*at as usize).map(|g| g.name.as_str()),
            Callee::Pointer(_) | Callee::Assembly => None,
        }
    }

    /// What outside code has written by the time it calls back.
    fn calls_back(&mut self) {
        let Some(caller) = self.frames.last_mut() else { return };
        caller.called_back = true;
        let maker = caller.pending;
        let at = self.steps[self.made[maker as usize].step as usize];
        let module = self.functions.module(at.function).expect("a module of the program");
        let (Op::Call(call) | Op::Invoke { call, .. }) =
            &module.function(at.function.function).instruction(at.instruction).op
        else {
            return;
        };
        let name = match &call.callee {
            Callee::Function(id) => Some(module.function(*id).name.as_str()),
            _ => None,
        };
        if name.and_then(known).is_none_or(|known| !known.leaves_memory_alone()) {
            let (ranges, copies, time) = (Vec::new(), Vec::new(), self.steps.len());
            self.outside.push(Outside { maker, ranges, copies, everywhere: true, time });
        }
    }

    /// What an outside function of whom something is known reads when it is called.
    fn reads(&mut self, step: &Step<'_>, call: &Call, maker: Maker) {
        let words: Vec<u64> = call.arguments.iter().map(|a| word(step.operand(a))).collect();
        let Some(known) = Self::name(step, call).and_then(known) else { return };
        for effect in known.effects {
            if let Effect::Reads(address, length) = *effect
                && let (Some(address), Some(length)) = (number(address, &words, None), number(length, &words, None))
                && (length as i64) >= 0
                && address != 0
            {
                let bytes = (0..length).filter_map(|byte| self.memory.get(&address.wrapping_add(byte)).copied());
                let read: Vec<Maker> = bytes.collect();
                self.made[maker as usize].from.extend(read);
            }
        }
    }

    /// An invoke that came back, or landed, decides once more where control goes on.
    fn decide(&mut self, step: &Step<'_>, from: Vec<Maker>) -> Maker {
        let uses = self.functions.uses(self.frames.last().expect("a function").key);
        self.frames.last_mut().expect("a function").block = uses.block_of[step.id().index()];
        let at = self.at(step);
        self.step_of(at, from)
    }
}
