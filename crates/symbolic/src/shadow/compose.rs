//! Structures in registers, as the bytes of their memory images.

use program::{Operand, Type};
use replay::Observed;
use smt::Term;

use super::Shadow;
use super::memory::{Cell, assemble};
use super::registers::Held;
use super::step::scalar;

impl Shadow<'_> {
    pub(super) fn extract_value(
        &mut self,
        step: &Observed<'_>,
        aggregate: &Operand,
        aggregate_type: &Type,
        path: &[u32],
    ) -> Option<Held> {
        let Held::Bytes(cells) = self.held(step, aggregate)?.clone() else { return None };
        let (ty, offset) = member(aggregate_type, path)?;
        let (first, size) = (offset as usize, ty.store_size() as usize);
        let part = cells.get(first..first + size)?;
        let words = step.operand(aggregate);
        match scalar(ty) {
            Some(of) => {
                let byte =
                    |at: usize| words.get((first + at) / 8).map_or(0, |word| (word >> (8 * ((first + at) % 8))) as u8);
                let all = assemble(&self.domain, part, byte)?;
                Some(Held::Term(self.domain.part(all, 0, of.width())))
            }
            None => part.iter().any(Option::is_some).then(|| Held::Bytes(part.into())),
        }
    }

    pub(super) fn insert_value(
        &mut self,
        step: &Observed<'_>,
        aggregate: &Operand,
        value: &Operand,
        value_type: &Type,
        path: &[u32],
    ) -> Option<Held> {
        let ty = &step.instruction().ty;
        let mut cells = match self.held(step, aggregate) {
            Some(Held::Bytes(cells)) => cells.to_vec(),
            Some(Held::Term(_)) | None => vec![None; ty.store_size() as usize],
        };
        let (_, offset) = member(ty, path)?;
        let (first, size) = (offset as usize, value_type.store_size() as usize);
        let place = cells.get_mut(first..first + size)?;
        match self.held(step, value) {
            Some(Held::Term(term)) => {
                let whole = self.domain.with(|terms| terms.zero_extend(*term, 8 * size as u32));
                for (cell, part) in place.iter_mut().zip(0..) {
                    *cell = Some(Cell { whole, part });
                }
            }
            Some(Held::Bytes(bytes)) => place.clone_from_slice(bytes),
            None => place.fill(None),
        }
        cells.iter().any(Option::is_some).then(|| Held::Bytes(cells.into()))
    }

    /// A structure of a value and a truth.
    pub(super) fn pair(&mut self, ty: &Type, value: Term, truth: Term) -> Option<Held> {
        let Type::Struct { fields, size } = ty else { return None };
        let mut cells = vec![None; *size as usize];
        for ((field, offset), term) in fields.iter().zip([value, truth]) {
            let bytes = field.store_size() as u32;
            let whole = self.domain.with(|terms| terms.zero_extend(term, 8 * bytes));
            if self.domain.is_constant(whole) {
                continue;
            }
            for (cell, part) in cells[*offset as usize..].iter_mut().take(bytes as usize).zip(0..) {
                *cell = Some(Cell { whole, part });
            }
        }
        Some(Held::Bytes(cells.into()))
    }

    /// Whether the bytes of a result are those of the run.
    pub(super) fn are_right(&self, step: &Observed<'_>, cells: &[Option<Cell>]) -> bool {
        let words = step.result();
        let byte = |at: usize| words.get(at / 8).map_or(0, |word| (word >> (8 * (at % 8))) as u8);
        let mut cells = cells.iter().enumerate();
        cells.all(|(at, cell)| cell.is_none_or(|cell| cell.value(&self.domain) == byte(at)))
    }
}

/// The type at the end of a path, and its offset in bytes.
fn member<'t>(ty: &'t Type, path: &[u32]) -> Option<(&'t Type, u64)> {
    path.iter().try_fold((ty, 0), |(ty, offset), &index| match ty {
        Type::Struct { fields, .. } => fields.get(index as usize).map(|(field, at)| (field, offset + at)),
        Type::Array { element, stride, .. } => Some((&**element, offset + u64::from(index) * stride)),
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer | Type::Vector { .. } => None,
    })
}
