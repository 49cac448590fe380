//! Objects in memory as expressions, and their parts: elements of arrays, members of structs, bases of classes.

use std::cmp::Reverse;

use super::operation::as_operand;
use super::place::{DEEPEST, Naming};
use super::{Count, Member, MemberRole, TypeId, TypeShape};
use crate::{ElementIndex, Operand};

/// An expression for an object in memory.
pub(super) struct Object {
    pub(super) base: String,
    /// `base` is a pointer to the object rather than the object.
    pub(super) through_pointer: bool,
    pub(super) ty: Option<TypeId>,
}

impl Object {
    pub(super) fn named(base: String, ty: Option<TypeId>) -> Object {
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
    pub(super) fn element(self, index: &str, ty: Option<TypeId>) -> Object {
        Object::named(format!("{}[{index}]", in_parentheses(&self.base)), ty)
    }
}

/// Postfix operators bind to the last part of an expression only.
pub(super) fn in_parentheses(text: &str) -> String {
    let is_simple = !text.starts_with(['*', '&', '-']) && as_operand(text.into()) == text;
    if is_simple { text.into() } else { format!("({text})") }
}

/// The address of an object, as an expression.
pub(super) fn pointer_text(object: Object) -> String {
    if object.through_pointer { object.base } else { format!("&{}", object.base) }
}

impl Naming<'_> {
    pub(super) fn advance(&self, mut object: Object, offset: i64, indices: &[ElementIndex], depth: u32) -> Object {
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

    pub(super) fn indexed(&self, object: Object, is_array: bool, index: &str, element: TypeId) -> Object {
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
    pub(super) fn descend(&self, mut object: Object, mut offset: i64, stride: Option<u64>) -> Object {
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
    pub(super) fn first_member(&self, object: Object, step: &str) -> Object {
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
}

/// Whether LLVM calls a value by a name, maybe with a number behind it.
pub(super) fn is_numbered(name: &str, wanted: &str) -> bool {
    !wanted.is_empty()
        && name.strip_prefix(wanted).is_some_and(|number| number.bytes().all(|digit| digit.is_ascii_digit()))
}
