//! What instructions compute, in terms.

use abi::InstructionId;
use execution::{Register, register};
use program::{BinaryOp, Call, CallKind, Callee, ICmp, Op, Operand, Type};
use replay::Observed;
use semantics::Scalar;
use smt::{Operation, Term};

use super::registers::Held;
use super::{Chosen, Shadow};
use crate::domain::TermDomain;
use crate::lost::Reason;
use crate::numeral::is_number;
use crate::path::{Kind, Other, Way};

/// The first two words as a number.
pub(super) fn number(words: &[u64]) -> u128 {
    let word = |at: usize| u128::from(words.get(at).copied().unwrap_or(0));
    word(0) | word(1) << 64
}

/// What a term stands for: up to 128 bits that are no vector.
pub(super) fn scalar(ty: &Type) -> Option<Scalar> {
    Scalar::of(ty).filter(|scalar| scalar.width() <= 128)
}

impl Shadow<'_> {
    pub(super) fn held(&self, step: &Observed<'_>, operand: &Operand) -> Option<&Held> {
        let frame = self.frames.last()?;
        if frame.part.live == 0 {
            return None;
        }
        let register = register(step.function().instructions.len() as u32, operand)?;
        self.registers.get(&frame.part, register)
    }

    pub(super) fn symbolic(&self, step: &Observed<'_>, operand: &Operand) -> Option<Term> {
        match self.held(step, operand)? {
            Held::Term(term) => Some(*term),
            Held::Bytes(_) => None,
        }
    }

    /// The operand as a term, a constant if nothing symbolic is in it.
    pub(super) fn term(&self, step: &Observed<'_>, operand: &Operand, width: u32) -> Term {
        match self.symbolic(step, operand) {
            Some(term) => term,
            None => self.domain.constant(width, cut(number(step.operand(operand)), width)),
        }
    }

    pub(super) fn set_register(&mut self, register: Register, held: Option<Held>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let count = self.known[frame.uses as usize].uses.registers;
        // A constant is nothing symbolic.
        let held = held.filter(|held| !matches!(held, Held::Term(term) if self.domain.is_constant(*term)));
        self.registers.set(&mut frame.part, count, register, held);
    }

    pub(super) fn set_result(&mut self, id: InstructionId, held: Option<Held>) {
        self.set_register(Register(id.0), held);
    }

    /// Compares a result with what the run has; a term that differs is dropped.
    pub(super) fn compare(&mut self, step: &Observed<'_>) {
        let Some(frame) = self.frames.last() else { return };
        let is_right = match self.registers.get(&frame.part, Register(step.id().0)) {
            None => return,
            Some(Held::Term(term)) => self.domain.value(*term) == cut(number(step.result()), self.domain.width(*term)),
            Some(Held::Bytes(cells)) => self.are_right(step, cells),
        };
        if !is_right {
            self.note_lost(step.site(), Reason::Wrong);
            self.set_result(step.id(), None);
        }
    }

    pub(super) fn load_local(&mut self, step: &Observed<'_>, local: Register) {
        let Some(frame) = self.frames.last() else { return };
        let held = self.registers.get(&frame.part, local).cloned();
        self.set_result(step.id(), held);
        self.compare(step);
    }

    pub(super) fn store_local(&mut self, step: &Observed<'_>, local: Register) {
        let Op::Store { value, .. } = &step.instruction().op else { return };
        let held = self.held_as_it_went_on(step, value);
        self.set_register(local, held);
    }

    /// What is stored; nothing symbolic, where a plan of the run has put something else in its place.
    pub(super) fn held_as_it_went_on(&self, step: &Observed<'_>, value: &Operand) -> Option<Held> {
        let held = self.held(step, value)?.clone();
        match held {
            Held::Term(term) => {
                let width = self.domain.width(term);
                (self.domain.value(term) == cut(number(step.went_on_with(value)), width)).then_some(Held::Term(term))
            }
            Held::Bytes(_) => Some(held),
        }
    }

    /// The result comes from the operands alone.
    pub(super) fn pure(&mut self, step: &Observed<'_>) {
        if !self.is_symbolic(step) {
            self.set_result(step.id(), None);
            return;
        }
        if self.domain.is_full() {
            // Not even the constants that it would be computed with are made.
            self.note_lost(step.site(), Reason::Full);
            self.set_result(step.id(), None);
            return;
        }
        let held = self.computed(step);
        self.set_result(step.id(), held);
        self.compare(step);
    }

    fn is_symbolic(&self, step: &Observed<'_>) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let uses = self.uses(frame);
        let used = &uses.instructions[step.id().index()];
        uses.operands(used).iter().any(|&register| self.registers.get(&frame.part, register).is_some())
    }

    fn computed(&mut self, step: &Observed<'_>) -> Option<Held> {
        let instruction = step.instruction();
        let lose = |shadow: &mut Self, reason: Reason| {
            shadow.note_lost(step.site(), reason);
            None
        };
        match &instruction.op {
            Op::Binary { op, lhs, rhs } => {
                let Some(of) = scalar(&instruction.ty) else { return lose(self, Reason::Vector) };
                if let Scalar::Float(kind) = of
                    && !TermDomain::follows_floats(*op, kind)
                {
                    return lose(self, Reason::Float);
                }
                let (a, b) = (self.term(step, lhs, of.width()), self.term(step, rhs, of.width()));
                self.binary(step, *op, of, a, b)
            }
            Op::FNeg { value } => match scalar(&instruction.ty) {
                Some(Scalar::Float(kind)) => {
                    let value = self.term(step, value, Scalar::Float(kind).width());
                    Some(Held::Term(semantics::negate(&self.domain, kind, &value)))
                }
                _ => lose(self, Reason::Vector),
            },
            Op::FCmp { op, lhs, rhs, operand_type } => match scalar(operand_type) {
                Some(Scalar::Float(kind)) if TermDomain::follows_floats(BinaryOp::FAdd, kind) => {
                    let width = Scalar::Float(kind).width();
                    let (a, b) = (self.term(step, lhs, width), self.term(step, rhs, width));
                    Some(Held::Term(semantics::compare_floats(&self.domain, *op, kind, &a, &b)))
                }
                Some(_) => lose(self, Reason::Float),
                None => lose(self, Reason::Vector),
            },
            Op::ICmp { op, lhs, rhs, operand_type } => {
                let Some(of) = scalar(operand_type) else { return lose(self, Reason::Vector) };
                let (a, b) = (self.term(step, lhs, of.width()), self.term(step, rhs, of.width()));
                let compared = semantics::compare(&self.domain, *op, of.width(), &a, &b);
                let is_decided = self.domain.is_constant(compared);
                let undecided = if is_decided { self.undecided(step, *op, a, b) } else { None };
                Some(Held::Term(undecided.unwrap_or(compared)))
            }
            Op::Cast { op, value, from } => {
                let (Some(from), Some(to)) = (scalar(from), scalar(&instruction.ty)) else {
                    return lose(self, Reason::Vector);
                };
                if !TermDomain::follows_cast(*op, from, to) {
                    return lose(self, Reason::Float);
                }
                let value = self.term(step, value, from.width());
                Some(Held::Term(semantics::cast(&self.domain, *op, from, to, &value)))
            }
            Op::Select { condition, condition_type, then, otherwise } => {
                if !matches!(condition_type, Type::Int(1)) {
                    return lose(self, Reason::Vector);
                }
                let holds = number(step.operand(condition)) & 1 != 0;
                let chosen = if holds { then } else { otherwise };
                let Some(asked) = self.symbolic(step, condition) else { return self.held(step, chosen).cloned() };
                match scalar(&instruction.ty) {
                    Some(of) => {
                        let (a, b) = (self.term(step, then, of.width()), self.term(step, otherwise, of.width()));
                        Some(Held::Term(self.domain.with(|terms| terms.choose(asked, a, b))))
                    }
                    None => {
                        let held = self.held(step, chosen).cloned();
                        self.selected(step, asked, holds);
                        held
                    }
                }
            }
            Op::Freeze { value } => self.held(step, value).cloned(),
            Op::Alloca { count, .. } => {
                if let Some(count) = self.symbolic(step, count) {
                    self.pin(step, count, Reason::PinnedSize);
                }
                None
            }
            Op::ElementPointer { base, offset, indices, .. } => {
                let mut sum = self.term(step, base, 64);
                for index in indices {
                    let term = self.term(step, &index.index, index.bits);
                    sum = self.domain.with(|terms| {
                        let broad =
                            if index.bits < 64 { terms.sign_extend(term, 64) } else { terms.extract(term, 0, 64) };
                        let stride = terms.constant(64, index.stride.into());
                        let bytes = terms.multiply(broad, stride);
                        terms.add(sum, bytes)
                    });
                }
                let address = match *offset {
                    0 => sum,
                    offset => self.domain.with(|terms| {
                        let offset = terms.constant(64, (offset as u64).into());
                        terms.add(sum, offset)
                    }),
                };
                if self.end.is_some() {
                    self.note_base(step, base, address);
                }
                Some(Held::Term(address))
            }
            Op::ExtractValue { aggregate, aggregate_type, path } => {
                self.extract_value(step, aggregate, aggregate_type, path)
            }
            Op::InsertValue { aggregate, value, value_type, path } => {
                self.insert_value(step, aggregate, value, value_type, path)
            }
            Op::ExtractElement { .. } | Op::InsertElement { .. } | Op::Shuffle { .. } => lose(self, Reason::Vector),
            Op::Call(call) => self.intrinsic(step, call),
            Op::Phi { .. }
            | Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. }
            | Op::Fence
            | Op::Invoke { .. }
            | Op::LandingPad
            | Op::Jump { .. }
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Return { .. }
            | Op::Resume { .. }
            | Op::Unreachable => None,
        }
    }

    /// A number that was read from digits is compared with a constant, and so many digits decide it. More of them could make it
    /// otherwise, so it is a condition all the same. What a twin asks while it reads the digits, whether they overflow, is none:
    /// there are many of these, and hard ones.
    fn undecided(&mut self, step: &Observed<'_>, op: ICmp, a: Term, b: Term) -> Option<Term> {
        use Operation::{Equal, LessSigned, LessUnsigned};
        if self.functions.is_twin(step.site().function) {
            return None;
        }
        let (number, constant) = if self.domain.is_constant(b) { (a, b) } else { (b, a) };
        if !self.domain.is_constant(constant) || self.domain.is_constant(number) || !self.is_number(number) {
            return None;
        }
        let (operation, x, y, is_negated) = match op {
            ICmp::Eq => (Equal, a, b, false),
            ICmp::Ne => (Equal, a, b, true),
            ICmp::Ult => (LessUnsigned, a, b, false),
            ICmp::Uge => (LessUnsigned, a, b, true),
            ICmp::Ugt => (LessUnsigned, b, a, false),
            ICmp::Ule => (LessUnsigned, b, a, true),
            ICmp::Slt => (LessSigned, a, b, false),
            ICmp::Sge => (LessSigned, a, b, true),
            ICmp::Sgt => (LessSigned, b, a, false),
            ICmp::Sle => (LessSigned, b, a, true),
        };
        self.domain.with(|terms| {
            let compared = terms.undecided(operation, x, y)?;
            Some(if is_negated { terms.not(compared) } else { compared })
        })
    }

    /// Whether a term is a number as it was read from digits.
    fn is_number(&mut self, term: Term) -> bool {
        if let Some(&known) = self.numbers.get(&term) {
            return known;
        }
        let is_number = self.domain.with(|terms| is_number(terms, &self.symbols, term));
        self.numbers.insert(term, is_number);
        is_number
    }

    /// An address was computed from that of an object, or from one that was.
    fn note_base(&mut self, step: &Observed<'_>, base: &Operand, address: Term) {
        let begin = match self.symbolic(step, base) {
            Some(base) => self.bases.get(&base).copied(),
            None => Some(number(step.operand(base)) as u64),
        };
        if let Some(begin) = begin {
            self.bases.entry(address).or_insert(begin);
        }
    }

    fn binary(&mut self, step: &Observed<'_>, op: BinaryOp, of: Scalar, a: Term, b: Term) -> Option<Held> {
        let made = semantics::binary(&self.domain, op, of, &a, &b);
        if !self.domain.is_constant(made.traps) {
            let fine = self.domain.with(|terms| terms.not(made.traps));
            let other = Other { holds: made.traps, way: Way::Elsewhere };
            self.condition(step.step(), Kind::NoTrap, fine, Way::Elsewhere, vec![other]);
        }
        Some(Held::Term(made.value))
    }

    /// A choice between values that are no terms went this way.
    fn selected(&mut self, step: &Observed<'_>, asked: Term, holds: bool) {
        let not = self.domain.with(|terms| terms.not(asked));
        let (held, other) = if holds { (asked, not) } else { (not, asked) };
        let other = Other { holds: other, way: Way::Elsewhere };
        self.condition(step.step(), Kind::Select, held, Way::Elsewhere, vec![other]);
    }

    /// An intrinsic: what the replay computes, it computes in terms too.
    fn intrinsic(&mut self, step: &Observed<'_>, call: &Call) -> Option<Held> {
        let name = match &call.callee {
            Callee::Function(id) => step.module().function(*id).name.as_str(),
            Callee::Symbol(_) | Callee::Pointer(_) | Callee::Assembly => "inline assembly",
        };
        let computed = name.strip_prefix("llvm.").and_then(|rest| abi::longest(rest, abi::COMPUTED));
        let (Some(short), CallKind::Computed) = (computed, call.kind) else {
            self.note_lost(step.site(), Reason::Outside(name.to_owned()));
            return None;
        };
        let first = call.arguments.first()?;
        if matches!(short, "expect" | "expect.with.probability" | "launder.invariant.group" | "strip.invariant.group") {
            return self.held(step, first).cloned();
        }
        if let ("fabs", Some(Scalar::Float(kind))) = (short, call.argument_types.first().and_then(scalar)) {
            let value = self.term(step, first, Scalar::Float(kind).width());
            return Some(Held::Term(semantics::magnitude(&self.domain, kind, &value)));
        }
        let Some(Scalar::Int(width)) = call.argument_types.first().and_then(scalar) else {
            self.note_lost(step.site(), Reason::Float);
            return None;
        };
        let argument = |shadow: &Self, at: usize| match call.arguments.get(at) {
            Some(operand) => {
                let term = shadow.term(step, operand, width);
                // Flags are narrower than the values beside them.
                if shadow.domain.width(term) == width { term } else { shadow.domain.constant(width, 0) }
            }
            None => shadow.domain.constant(width, 0),
        };
        let (a, b, c) = (argument(self, 0), argument(self, 1), argument(self, 2));
        if let Some((value, overflows)) = semantics::with_overflow(&self.domain, short, width, &a, &b) {
            return self.pair(&step.instruction().ty, value, overflows);
        }
        let made = semantics::on_integers(&self.domain, short, width, [&a, &b, &c]);
        if made.is_none() {
            self.note_lost(step.site(), Reason::Outside(name.to_owned()));
        }
        made.map(Held::Term)
    }

    /// A branch or switch.
    pub(super) fn choose_way(&mut self, step: &Observed<'_>) {
        match &step.instruction().op {
            Op::Branch { condition, then, otherwise } => {
                let words = step.went_on_with(condition);
                let taken = number(words) & 1 != 0;
                self.note_way(step, Way::Branch(taken));
                let is_asked = self.is_asked(step);
                if is_asked {
                    self.ways.insert(step.step(), Way::Branch(taken));
                }
                let fresh = self.fresh_choice(step, words, &program::Type::Int(1));
                if let Some(term) = fresh.or_else(|| self.symbolic(step, condition)) {
                    self.branched(step, term, taken, is_asked);
                }
                self.enter_block(step, if taken { *then } else { *otherwise });
            }
            Op::Switch { value, value_type, default, cases } => {
                let words = step.went_on_with(value);
                let number = number(words) as u64;
                let taken = cases.iter().position(|case| case.0 == number);
                let target = taken.map_or(*default, |taken| cases[taken].1);
                let way = Way::Case(taken.unwrap_or(cases.len()) as u32);
                self.note_way(step, way);
                let is_asked = self.is_asked(step);
                if is_asked {
                    self.ways.insert(step.step(), way);
                }
                let fresh = self.fresh_choice(step, words, value_type);
                let term = fresh.or_else(|| self.symbolic(step, value));
                if let (Some(term), Some(of)) = (term, scalar(value_type)) {
                    let values: Vec<u128> = cases.iter().map(|case| cut(case.0.into(), of.width())).collect();
                    self.switched(step, term, &values, taken, is_asked);
                }
                self.enter_block(step, target);
            }
            _ => {}
        }
    }

    fn is_asked(&mut self, step: &Observed<'_>) -> bool {
        step.clock >= self.next_asked && self.asked.has(step)
    }

    fn note_way(&mut self, step: &Observed<'_>, way: Way) {
        let (Some(taken), Some(frame)) = (&mut self.taken, self.frames.last()) else { return };
        if taken.note(frame.uses, step, way) {
            self.concerns.settle(step.id());
        }
    }

    fn switched(&mut self, step: &Observed<'_>, term: Term, cases: &[u128], taken: Option<usize>, is_asked: bool) {
        let width = self.domain.width(term);
        let each: Vec<Term> = self.domain.with(|terms| {
            let equal = |case: &u128| {
                let case = terms.constant(width, *case);
                terms.equal(term, case)
            };
            cases.iter().map(equal).collect()
        });
        let none = self.domain.with(|terms| {
            each.iter().fold(terms.constant(1, 1), |all, &case| {
                let not = terms.not(case);
                terms.and(all, not)
            })
        });
        let way = |at: usize| Way::Case(at as u32);
        let ways = || each.iter().copied().chain([none]).enumerate();
        let taken = taken.unwrap_or(each.len());
        let others: Vec<Other> =
            ways().filter(|(at, _)| *at != taken).map(|(at, holds)| Other { holds, way: way(at) }).collect();
        let holds = ways().nth(taken).map_or(none, |(_, holds)| holds);
        if is_asked {
            self.note_chosen(step, holds, others.clone());
        }
        self.condition(step.step(), Kind::Switch, holds, way(taken), others);
    }

    pub(super) fn note_chosen(&mut self, step: &Observed<'_>, term: Term, others: Vec<Other>) {
        // What held before cannot be otherwise now.
        let before = self.held.get(&term).copied().unwrap_or(self.path.conditions.len());
        self.chosen.insert(step.step(), Chosen { before, term, others });
    }

    /// The function is about to return this.
    pub(super) fn returning(&mut self, step: &Observed<'_>) {
        let Op::Return { value: Some(value) } = &step.instruction().op else { return };
        let held = self.held(step, value).cloned();
        if let Some(Held::Term(term)) = held
            && self.is_asked(step)
        {
            self.note_chosen(step, term, Vec::new());
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.returns = held;
        }
    }
}

/// The lowest bits.
pub(super) fn cut(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}
