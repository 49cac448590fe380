//! What an address means in the source: `p->next->value`, `a[i].x`, `*q`.
//!
//! The IR's address computation is read backwards and laid over the types of debug information. Offsets alone do not
//! say whether a struct or its first field is meant; the size of the access decides.
//! What has no name in the source (a temporary, memory reached through a call's result) is named by what it is in
//! the IR; the text is for people, never to be parsed.

use super::character::Side;
use super::object::{Object, is_numbered, pointer_text};
use super::operation::{as_operand, operation_text};
use super::{AddressStep, Debug, TypeId, TypeShape, Variable};
use crate::library::in_words;
use crate::model::RESULT_SLOT;
use crate::{
    BinaryOp, Callee, Constant, ConstantOp, FCmp, Function, Global, ICmp, InstructionId, Module, Op, Operand, Type,
};

/// Chains of computations longer than this are cut.
pub(super) const DEEPEST: u32 = 24;

/// The current value of an operand, where indices are to be shown by value (`a[3]`) rather than by name (`a[i]`).
pub type ValueOf<'a> = Option<&'a dyn Fn(&Operand) -> Option<u64>>;

/// The object of `size` bytes at an address, as an expression of C.
pub fn place_text(
    module: &Module,
    debug: &Debug,
    function: &Function,
    address: &Operand,
    size: u64,
    value_of: ValueOf<'_>,
) -> String {
    let naming = Naming { module, debug, function, value_of };
    naming.fit(naming.object(address, DEEPEST), size).text()
}

/// A value, as an expression of C: what was loaded, or how it was computed.
pub fn value_text(
    module: &Module,
    debug: &Debug,
    function: &Function,
    operand: &Operand,
    value_of: ValueOf<'_>,
) -> String {
    Naming { module, debug, function, value_of }.value(operand, DEEPEST)
}

/// The type that the object of `size` bytes at an address has in the source, where that is known.
pub fn place_type(module: &Module, debug: &Debug, function: &Function, address: &Operand, size: u64) -> Option<TypeId> {
    let naming = Naming { module, debug, function, value_of: None };
    naming.fit(naming.object(address, DEEPEST), size).ty.filter(|ty| debug.size(*ty) == Some(size))
}

/// The type that a value has in the source, where that is known: of what is loaded, passed or called for. A `char` stays one
/// where it is widened to be compared or passed.
pub fn value_type(module: &Module, debug: &Debug, function: &Function, value: &Operand) -> Option<TypeId> {
    match value {
        Operand::Constant(_) => None,
        Operand::Parameter(position) => {
            let name = &function.parameters.get(*position as usize)?.name;
            let variables = &debug.function(function.id)?.variables;
            variables.iter().find(|variable| variable.parameter.is_some() && variable.name == *name).map(|v| v.ty)
        }
        Operand::Result(id) => {
            let instruction = function.instruction(*id);
            match &instruction.op {
                Op::Load { address, .. } => place_type(module, debug, function, address, instruction.ty.store_size()),
                Op::Call(call) | Op::Invoke { call, .. } => match call.callee {
                    Callee::Function(callee) => debug.result_type(callee),
                    _ => None,
                },
                // Of other types a cast makes another.
                Op::Cast { value, .. } => value_type(module, debug, function, value).filter(|ty| debug.is_char(*ty)),
                Op::Freeze { value } => value_type(module, debug, function, value),
                _ => None,
            }
        }
    }
}

/// Whether a call stands in the source by this name, on the line that debug information has for it; where the source cannot be
/// read, it is taken to.
pub fn is_written_call(module: &Module, debug: &Debug, function: &Function, call: InstructionId, name: &str) -> bool {
    Naming { module, debug, function, value_of: None }.has_word(function.instruction(call), name)
}

/// One of the two operands of an operation, as it stands there: a comparison may have a character where its operand has only
/// a number.
pub fn operand_text(
    module: &Module,
    debug: &Debug,
    function: &Function,
    operation: &Operand,
    operand: &Operand,
) -> String {
    let naming = Naming { module, debug, function, value_of: None };
    naming.compared(operation, operand).unwrap_or_else(|| naming.value(operand, DEEPEST))
}

/// Bytes of a literal that are shown.
const LONGEST_LITERAL: usize = 24;

pub(super) struct Naming<'a> {
    pub(super) module: &'a Module,
    pub(super) debug: &'a Debug,
    pub(super) function: &'a Function,
    pub(super) value_of: ValueOf<'a>,
}

impl Naming<'_> {
    pub(super) fn object(&self, address: &Operand, depth: u32) -> Object {
        if depth == 0 {
            return Object::named("...".into(), None);
        }
        if let Some(variable) = self.variable(address) {
            return match variable.path[..] {
                [] => Object::named(variable.name.clone(), Some(variable.ty)),
                // What the holder holds is the variable's address; only a load of it means the variable.
                _ => Object::named(format!("&{}", variable.name), None),
            };
        }
        match address {
            Operand::Parameter(n) => self.parameter(*n),
            Operand::Constant(constant) => self.constant(constant, depth),
            Operand::Result(id) => {
                let instruction = self.function.instruction(*id);
                match &instruction.op {
                    Op::Alloca { .. } => Object::named(temporary(&instruction.name), None),
                    Op::Load { address, .. } => self.pointed_to(address, depth),
                    Op::ElementPointer { base, offset: 0, indices, .. } if indices.is_empty() => {
                        self.first_member(self.object(base, depth - 1), &instruction.name)
                    }
                    Op::ElementPointer { base, offset, indices, .. } => {
                        self.advance(self.object(base, depth - 1), *offset, indices, depth)
                    }
                    Op::Cast { value, from: Type::Pointer, .. } => self.object(value, depth - 1),
                    Op::Call(call) | Op::Invoke { call, .. } => self.result_object(call, depth),
                    _ => Object { base: self.value(address, depth - 1), through_pointer: true, ty: None },
                }
            }
        }
    }

    fn variable(&self, holder: &Operand) -> Option<&Variable> {
        self.debug.function(self.function.id)?.held_by(holder)
    }

    fn parameter(&self, position: u32) -> Object {
        let name = self.function.parameters.get(position as usize).map_or("", |p| &p.name);
        let variable = self.debug.function(self.function.id).and_then(|f| f.variables.iter().find(|v| v.name == name));
        let ty = variable.and_then(|v| self.target(v.ty));
        let base = if name.is_empty() { format!("p{position}") } else { name.into() };
        Object { base, through_pointer: true, ty }
    }

    /// What the pointer at an address points to.
    fn pointed_to(&self, address: &Operand, depth: u32) -> Object {
        if let Some(variable) = self.variable(address)
            && variable.path == [AddressStep::Follow]
        {
            return Object::named(variable.name.clone(), Some(variable.ty));
        }
        let pointer = self.fit(self.object(address, depth - 1), 8);
        let ty = pointer.ty.and_then(|ty| self.target(ty));
        let is_reference = pointer.ty.is_some_and(|ty| matches!(self.shape(ty), TypeShape::Reference(_)));
        Object { base: pointer.text(), through_pointer: !is_reference, ty }
    }

    pub(super) fn shape(&self, ty: TypeId) -> &TypeShape {
        &self.debug.ty(self.debug.bare(ty)).shape
    }

    pub(super) fn target(&self, pointer: TypeId) -> Option<TypeId> {
        match self.shape(pointer) {
            TypeShape::Pointer(to) | TypeShape::Reference(to) => Some(*to),
            _ => None,
        }
    }

    fn constant(&self, constant: &Constant, depth: u32) -> Object {
        match &constant.op {
            ConstantOp::Address(position) => {
                let named = self.debug.globals.iter().find(|g| g.position == *position && g.offset == 0);
                match named {
                    Some(global) => Object::named(global.name.clone(), Some(global.ty)),
                    None => {
                        let global = self.module.globals.get(*position as usize);
                        match global.and_then(literal) {
                            Some(base) => Object { base, through_pointer: true, ty: None },
                            None => Object::named(in_words(global.map_or("?", |g| &g.name)).into(), None),
                        }
                    }
                }
            }
            ConstantOp::Offset(base, offset) => self.advance(self.constant(base, depth - 1), *offset, &[], depth),
            _ => Object { base: self.module.constant_text(constant), through_pointer: true, ty: None },
        }
    }

    /// The address of an object, as an expression.
    fn address(&self, operand: &Operand, depth: u32) -> String {
        let object = self.object(operand, depth);
        let Operand::Result(id) = operand else { return pointer_text(object) };
        // An array becomes the address of its first element by being named.
        let decays = is_numbered(&self.function.instruction(*id).name, "arraydecay");
        match decays && object.ty.is_some_and(|ty| matches!(self.shape(ty), TypeShape::Array { .. })) {
            true => object.text(),
            false => pointer_text(object),
        }
    }

    pub(super) fn value(&self, operand: &Operand, depth: u32) -> String {
        if depth == 0 {
            return "...".into();
        }
        let id = match operand {
            Operand::Parameter(n) => {
                return self.function.parameters.get(*n as usize).map_or_else(String::new, |p| p.name.clone());
            }
            Operand::Constant(constant) => {
                return match constant.ty {
                    Type::Pointer if constant.op == ConstantOp::Zero => "NULL".into(),
                    Type::Pointer => {
                        let object = self.constant(constant, depth);
                        let is_array = object.ty.is_some_and(|ty| matches!(self.shape(ty), TypeShape::Array { .. }));
                        if is_array { object.text() } else { pointer_text(object) }
                    }
                    _ => self.module.constant_text(constant),
                };
            }
            Operand::Result(id) => *id,
        };
        let instruction = self.function.instruction(id);
        match &instruction.op {
            Op::Load { address, .. } => self.fit(self.object(address, depth), instruction.ty.store_size()).text(),
            Op::Cast { value, .. } | Op::Freeze { value } => self.value(value, depth - 1),
            Op::ICmp { op, lhs, rhs, operand_type } => {
                let sign = comparison(*op);
                let left = self.as_written(instruction, lhs, rhs, Side::Left(sign));
                let right = self.as_written(instruction, rhs, lhs, Side::Right(sign));
                // `if (x)` and `!x` are comparisons with zero, unless the source has the zero.
                match (op, &right) {
                    (ICmp::Ne, None) if is_zero(rhs) => return self.value(lhs, depth - 1),
                    (ICmp::Eq, None) if is_zero(rhs) && *operand_type == Type::Pointer => {
                        return format!("!{}", as_operand(self.value(lhs, depth - 1)));
                    }
                    _ => {}
                }
                let left = left.unwrap_or_else(|| self.value(lhs, depth - 1));
                operation_text(left, sign, right.unwrap_or_else(|| self.value(rhs, depth - 1)))
            }
            Op::FCmp { op, lhs, rhs, .. } => match float_comparison(*op) {
                Some(sign) => operation_text(self.value(lhs, depth - 1), sign, self.value(rhs, depth - 1)),
                None => "...".into(),
            },
            Op::FNeg { value } => format!("-{}", as_operand(self.value(value, depth - 1))),
            Op::Binary { op: BinaryOp::Sub, lhs, rhs } if is_zero(lhs) => {
                format!("-{}", as_operand(self.value(rhs, depth - 1)))
            }
            Op::Binary { op: BinaryOp::Xor, lhs, rhs } if is_true(rhs) => {
                format!("!{}", as_operand(self.value(lhs, depth - 1)))
            }
            Op::Binary { op, lhs, rhs } => match (self.bit_field(id, depth), operator(*op)) {
                (Some(member), _) => member,
                (None, Some("+")) if self.is_decrement(id, *op, lhs, rhs) => {
                    format!("--{}", as_operand(self.value(lhs, depth - 1)))
                }
                (None, Some(sign)) => match self.character_class(lhs, rhs).filter(|_| *op == BinaryOp::And) {
                    Some((name, character)) => format!("{name}({})", self.value(&character, depth - 1)),
                    None => operation_text(self.value(lhs, depth - 1), sign, self.value(rhs, depth - 1)),
                },
                (None, None) => "...".into(),
            },
            Op::Call(call) | Op::Invoke { call, .. } => self.called(call, depth),
            Op::Alloca { .. } | Op::ElementPointer { .. } => self.address(operand, depth),
            Op::Phi { .. }
            | Op::Select { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. }
            | Op::Fence
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::ExtractElement { .. }
            | Op::InsertElement { .. }
            | Op::Shuffle { .. }
            | Op::LandingPad
            | Op::Jump { .. }
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Return { .. }
            | Op::Resume { .. }
            | Op::Unreachable => "...".into(),
        }
    }

    /// Whether one less than a variable is computed, and goes back there. (`x - 1` is another instruction.)
    fn is_decrement(&self, id: InstructionId, op: BinaryOp, lhs: &Operand, rhs: &Operand) -> bool {
        let Operand::Result(loaded) = lhs else { return false };
        let Op::Load { address: from, .. } = &self.function.instruction(*loaded).op else { return false };
        op == BinaryOp::Add
            && number(rhs) == Some(-1)
            && self.function.instructions.iter().any(|instruction| {
                matches!(&instruction.op, Op::Store { value, address, .. } if *value == Operand::Result(id) && address == from)
            })
    }
}

/// A constant integer, with its sign.
pub(super) fn number(operand: &Operand) -> Option<i64> {
    let Operand::Constant(constant) = operand else { return None };
    let Type::Int(bits @ 1..=64) = constant.ty else { return None };
    let word = match constant.op {
        ConstantOp::Zero => 0,
        ConstantOp::Scalar(word) => word,
        _ => return None,
    };
    Some((word << (64 - bits)) as i64 >> (64 - bits))
}

/// The text of a string literal as C writes it, if it is short.
fn literal(global: &Global) -> Option<String> {
    let text = global.text.strip_suffix(&[0]).filter(|_| global.name.starts_with(".str"))?;
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || b" \n\t".contains(byte);
    (text.len() <= LONGEST_LITERAL && text.iter().all(is_plain)).then(|| format!("\"{}\"", text.escape_ascii()))
}

/// clang's name for an alloca that holds no variable of the source.
fn temporary(name: &str) -> String {
    match name.trim_end_matches(".addr") {
        "" => "(temporary)".into(),
        RESULT_SLOT => "(return value)".into(),
        name => name.into(),
    }
}

fn is_zero(operand: &Operand) -> bool {
    matches!(operand, Operand::Constant(constant) if matches!(constant.op, ConstantOp::Zero | ConstantOp::Scalar(0)))
}

fn is_true(operand: &Operand) -> bool {
    matches!(operand, Operand::Constant(constant) if constant.ty == Type::Int(1) && constant.op == ConstantOp::Scalar(1))
}

pub(super) fn comparison(op: ICmp) -> &'static str {
    match op {
        ICmp::Eq => "==",
        ICmp::Ne => "!=",
        ICmp::Ugt | ICmp::Sgt => ">",
        ICmp::Uge | ICmp::Sge => ">=",
        ICmp::Ult | ICmp::Slt => "<",
        ICmp::Ule | ICmp::Sle => "<=",
    }
}

/// Of the comparisons clang makes of C's operators.
fn float_comparison(op: FCmp) -> Option<&'static str> {
    Some(match op {
        FCmp::Oeq => "==",
        FCmp::Une => "!=",
        FCmp::Ogt => ">",
        FCmp::Oge => ">=",
        FCmp::Olt => "<",
        FCmp::Ole => "<=",
        FCmp::False
        | FCmp::One
        | FCmp::Ord
        | FCmp::Uno
        | FCmp::Ueq
        | FCmp::Ugt
        | FCmp::Uge
        | FCmp::Ult
        | FCmp::Ule
        | FCmp::True => return None,
    })
}

fn operator(op: BinaryOp) -> Option<&'static str> {
    Some(match op {
        BinaryOp::Add | BinaryOp::FAdd => "+",
        BinaryOp::Sub | BinaryOp::FSub => "-",
        BinaryOp::Mul | BinaryOp::FMul => "*",
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::FDiv => "/",
        BinaryOp::URem | BinaryOp::SRem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::LShr | BinaryOp::AShr => ">>",
        BinaryOp::And => "&",
        BinaryOp::Or => "|",
        BinaryOp::Xor => "^",
        BinaryOp::FRem => return None,
    })
}
