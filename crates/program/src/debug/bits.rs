//! Bit-fields by their names. clang reads one by shifting and masking the integer that it shares with others.

use super::object::Object;
use super::place::{DEEPEST, Naming, number};
use super::{Member, MemberRole, TypeShape};
use crate::{BinaryOp, InstructionId, Op, Operand, Type};

impl Naming<'_> {
    /// A member of so many bits, which clang reads by shifting and masking what it lies in.
    pub(super) fn bit_field(&self, id: InstructionId, depth: u32) -> Option<String> {
        let result = self.function.instruction(id);
        let Type::Int(all) = result.ty else { return None };
        let all = u64::from(all);
        if !result.name.starts_with("bf.") {
            return None;
        }
        let binary = |operand: &Operand| {
            let Operand::Result(id) = operand else { return None };
            match &self.function.instruction(*id).op {
                Op::Binary { op, lhs, rhs } => Some((*op, lhs, u64::try_from(number(rhs)?).ok()?)),
                _ => None,
            }
        };
        let (op, value, by) = binary(&Operand::Result(id))?;
        let (whole, low, width) = match (op, binary(value)) {
            (BinaryOp::And, Some((BinaryOp::LShr, whole, low))) => (whole, low, u64::from(by.trailing_ones())),
            (BinaryOp::And, _) => (value, 0, u64::from(by.trailing_ones())),
            (BinaryOp::AShr, Some((BinaryOp::Shl, whole, left))) => {
                (whole, by.checked_sub(left)?, all.checked_sub(by)?)
            }
            (BinaryOp::AShr | BinaryOp::LShr, _) => (value, by, all.checked_sub(by)?),
            _ => return None,
        };
        let Operand::Result(load) = whole else { return None };
        let Op::Load { address, .. } = &self.function.instruction(*load).op else { return None };
        let (object, offset) = match address {
            Operand::Result(step) => match &self.function.instruction(*step).op {
                Op::ElementPointer { base, offset, indices, .. } if indices.is_empty() => {
                    (self.object(base, depth - 1), *offset)
                }
                _ => (self.object(address, depth - 1), 0),
            },
            _ => (self.object(address, depth - 1), 0),
        };
        self.bits_of(object, u64::try_from(offset).ok()?.checked_mul(8)?.checked_add(low)?, width)
    }

    /// The member that has just these bits of an object.
    fn bits_of(&self, mut object: Object, mut first: u64, width: u64) -> Option<String> {
        for _ in 0..DEEPEST {
            let TypeShape::Record { members, .. } = self.shape(object.ty?) else { return None };
            let is_it = |m: &&Member| m.role == MemberRole::BitField && (m.offset_bits, m.size_bits) == (first, width);
            if let Some(member) = members.iter().find(is_it) {
                return Some(object.member(&member.name, member.ty).text());
            }
            let around = members.iter().find(|m| {
                let size = self.debug.size(m.ty).unwrap_or(0).saturating_mul(8);
                matches!(m.role, MemberRole::Field | MemberRole::Base)
                    && (m.offset_bits..m.offset_bits.saturating_add(size)).contains(&first)
                    && !self.is_empty(m.ty, DEEPEST)
            })?;
            first -= around.offset_bits;
            object = object.member(&around.name, around.ty);
        }
        None
    }
}
