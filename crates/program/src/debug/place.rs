//! What an address means in the source: `p->next->value`, `a[i].x`, `*q`.
//!
//! The IR's address computation is read backwards and laid over the types of debug information. Offsets alone do not
//! say whether a struct or its first field is meant; the size of the access decides.
//! What has no name in the source (a temporary, memory reached through a call's result) is named by what it is in
//! the IR; the text is for people, never to be parsed.

use std::cmp::Reverse;

use super::character::Side;
use super::operation::{as_operand, operation_text};
use super::{AddressStep, Count, Debug, Member, MemberRole, TypeId, TypeShape, Variable};
use crate::library::in_words;
use crate::model::RESULT_SLOT;
use crate::{
    BinaryOp, Callee, Constant, ConstantOp, ElementIndex, FCmp, Function, Global, ICmp, InstructionId, Module, Op,
    Operand, Type,
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
    value_of: ValueOf<'a>,
}

/// An expression for an object in memory.
pub(super) struct Object {
    pub(super) base: String,
    /// `base` is a pointer to the object rather than the object.
    pub(super) through_pointer: bool,
    pub(super) ty: Option<TypeId>,
}

impl Object {
    fn named(base: String, ty: Option<TypeId>) -> Object {
        Object { base, through_pointer: false, ty }
    }

    pub(super) fn text(self) -> String {
        match self.through_pointer {
            // Prefix operators follow each other without parentheses.
            true if self.base.starts_with('*') => format!("*{}", self.base),
            true => format!("*{}", in_parentheses(&self.base)),
            false => self.base,
        }
    }

    pub(super) fn member(self, name: &str, ty: TypeId) -> Object {
        // Anonymous structs and base classes are passed through unnamed.
        if name.is_empty() {
            return Object { ty: Some(ty), ..self };
        }
        let operator = if self.through_pointer { "->" } else { "." };
        Object::named(format!("{}{operator}{name}", in_parentheses(&self.base)), Some(ty))
    }

    /// The element at an index, `self` being the array or what the pointer points to.
    fn element(self, index: &str, ty: Option<TypeId>) -> Object {
        Object::named(format!("{}[{index}]", in_parentheses(&self.base)), ty)
    }
}

/// Postfix operators bind to the last part of an expression only.
pub(super) fn in_parentheses(text: &str) -> String {
    let is_simple = !text.starts_with(['*', '&', '-']) && as_operand(text.into()) == text;
    if is_simple { text.into() } else { format!("({text})") }
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

    fn advance(&self, mut object: Object, offset: i64, indices: &[ElementIndex], depth: u32) -> Object {
        let mut offset = offset;
        for ElementIndex { index, bits, stride } in indices {
            if object.ty.is_some_and(|ty| matches!(self.shape(ty), TypeShape::Record { .. }))
                && (!object.through_pointer || self.array_within(&object, offset, *stride))
            {
                (object, offset) = (self.descend(object, offset, Some(*stride)), 0);
            }
            let text = self.index(index, *bits, depth);
            let ty = self.element_type(object.ty, *stride);
            object = match ty {
                // The element of an array, or of what a pointer to its first element points to.
                Some((element, is_array)) if is_array || object.through_pointer => {
                    self.indexed(object, is_array, &text, element)
                }
                _ => object.element(&text, None),
            };
        }
        if offset == 0 { object } else { self.descend(object, offset, None) }
    }

    /// Whether steps of `stride` bytes go over an array inside what a pointer points to, rather than over an array of that.
    fn array_within(&self, object: &Object, offset: i64, stride: u64) -> bool {
        let inner = Object { base: String::new(), through_pointer: false, ty: object.ty };
        let inner = self.descend(inner, offset, Some(stride));
        self.element_type(inner.ty, stride).is_some_and(|(_, is_array)| is_array)
    }

    fn indexed(&self, object: Object, is_array: bool, index: &str, element: TypeId) -> Object {
        let base = match (is_array, object.through_pointer) {
            // `(*p)[i]`, p being a pointer to an array.
            (true, true) => Object::named(object.text(), None),
            _ => object,
        };
        base.element(index, Some(element))
    }

    /// The type that steps of `stride` bytes go over, and whether it is the element of an array.
    fn element_type(&self, ty: Option<TypeId>, stride: u64) -> Option<(TypeId, bool)> {
        let ty = ty?;
        if let TypeShape::Array { element, count } = self.shape(ty)
            && (self.debug.size(*element) == Some(stride) || matches!(count, Count::Variable(_)))
        {
            return Some((*element, true));
        }
        (self.debug.size(ty) == Some(stride)).then_some((ty, false))
    }

    fn index(&self, index: &Operand, bits: u32, depth: u32) -> String {
        if let Some(word) = self.value_of.and_then(|value_of| value_of(index)) {
            let unused = 64 - bits.min(64);
            return ((word << unused) as i64 >> unused).to_string();
        }
        self.value(index, depth.saturating_sub(1))
    }

    /// The part of an object at an offset; stops at an array of this stride if one is given.
    fn descend(&self, mut object: Object, mut offset: i64, stride: Option<u64>) -> Object {
        for _ in 0..DEEPEST {
            let Some(ty) = object.ty else { break };
            let size = self.debug.size(ty).unwrap_or(0) as i64;
            if object.through_pointer && size > 0 && !(0..size).contains(&offset) {
                // Beyond one object: the pointer points into an array.
                let index = offset.div_euclid(size);
                offset = offset.rem_euclid(size);
                object = object.element(&index.to_string(), Some(ty));
                if offset == 0 && stride.is_none() {
                    return object;
                }
                continue;
            }
            let at = offset as u64;
            match self.shape(ty) {
                TypeShape::Record { members, .. } => {
                    let within = members.iter().filter(|m| {
                        let size = self.debug.size(m.ty).unwrap_or(u64::MAX / 8);
                        let first = m.offset_bits / 8;
                        matches!(m.role, MemberRole::Field | MemberRole::Base)
                            && (first..first.saturating_add(size)).contains(&at)
                            && !self.is_empty(m.ty, DEEPEST)
                    });
                    // A base class may have room for a member at its end, and how long a type is may be unknown (a class whose
                    // constructor is elsewhere): the member that begins last is meant.
                    let Some(member) = within.min_by_key(|m| Reverse(m.offset_bits)) else { break };
                    offset -= (member.offset_bits / 8) as i64;
                    object = object.member(&member.name, member.ty);
                }
                TypeShape::Array { element, .. } => {
                    let element_size = self.debug.size(*element).unwrap_or(0);
                    if stride.is_some() || element_size == 0 {
                        break;
                    }
                    let index = (at / element_size).to_string();
                    offset = (at % element_size) as i64;
                    object = self.indexed(object, true, &index, *element);
                }
                _ => break,
            }
            if offset == 0 && stride.is_none() {
                return object;
            }
        }
        match offset {
            0 => object,
            _ => Object { base: format!("{} + {offset}", pointer_text(object)), through_pointer: true, ty: None },
        }
    }

    /// An access smaller than the object means its first part.
    pub(super) fn fit(&self, mut object: Object, size: u64) -> Object {
        for _ in 0..DEEPEST {
            let Some(ty) = object.ty else { break };
            match self.shape(ty) {
                TypeShape::Record { members, .. }
                    if self.debug.size(ty).is_none_or(|all| all > size) || members.len() == 1 =>
                {
                    let is_first =
                        |m: &&Member| m.offset_bits < 8 && self.debug.size(m.ty).is_some_and(|size| size > 0);
                    let mut first = members.iter().filter(is_first).filter(|m| !self.is_empty(m.ty, DEEPEST));
                    match (first.next(), first.next()) {
                        (Some(member), None) if matches!(member.role, MemberRole::Field | MemberRole::Base) => {
                            object = object.member(&member.name, member.ty);
                        }
                        // Bit-fields that share bytes, or a union: no single member is meant.
                        _ => break,
                    }
                }
                TypeShape::Array { element, .. } if self.debug.size(ty).is_none_or(|all| all > size) => {
                    object = self.indexed(object, true, "0", *element);
                }
                _ => break,
            }
        }
        object
    }

    /// A class without members, whose only byte belongs to others.
    pub(super) fn is_empty(&self, ty: TypeId, depth: u32) -> bool {
        match self.shape(ty) {
            TypeShape::Record { members, is_complete: true, .. } if depth > 0 => {
                members.iter().all(|m| m.role == MemberRole::Base && self.is_empty(m.ty, depth - 1))
            }
            _ => false,
        }
    }

    /// What a step of no bytes leads to: clang names the step for the member that it takes. Without such a member, the
    /// object stays what it is.
    fn first_member(&self, object: Object, step: &str) -> Object {
        let mut open: Vec<TypeId> = object.ty.into_iter().collect();
        for _ in 0..DEEPEST {
            let Some(ty) = open.pop() else { break };
            let TypeShape::Record { members, .. } = self.shape(ty) else { continue };
            let at_start = |m: &&Member| m.offset_bits == 0;
            let is_meant = |m: &&Member| m.role == MemberRole::Field && is_numbered(step, &m.name);
            if let Some(member) = members.iter().filter(at_start).find(is_meant) {
                return object.member(&member.name, member.ty);
            }
            open.extend(members.iter().filter(at_start).filter(|m| m.name.is_empty()).map(|m| m.ty));
        }
        object
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

/// Whether LLVM calls a value by a name, maybe with a number behind it.
fn is_numbered(name: &str, wanted: &str) -> bool {
    !wanted.is_empty()
        && name.strip_prefix(wanted).is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
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

/// The address of an object, as an expression.
pub(super) fn pointer_text(object: Object) -> String {
    if object.through_pointer { object.base } else { format!("&{}", object.base) }
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
