//! Variable arguments: where a call leaves them and how lists of them lead there, by the System V ABI for x86-64.

use program::{Call, FloatKind, Type};

use crate::uses::Area;

/// Where an argument lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Its position in the call.
    pub argument: usize,
    pub area: Area,
    pub offset: u64,
    pub length: u64,
    /// The argument is the address of what lies there a copy of.
    pub is_copy: bool,
}

/// Bytes of the integer registers, which come before the vector registers.
const INTEGERS: u64 = 6 * 8;
const REGISTERS: u64 = INTEGERS + 8 * 16;

/// Where the arguments behind the first `named` lie.
pub fn places(call: &Call, named: usize) -> Vec<Place> {
    let (mut integers, mut vectors, mut stack) = (0, INTEGERS, 0_u64);
    let mut places = Vec::new();
    for (argument, ty) in call.argument_types.iter().enumerate() {
        let copy = call.by_value.iter().find(|(position, _)| *position as usize == argument).map(|(_, size)| *size);
        let length = copy.unwrap_or_else(|| ty.store_size());
        let (next, end, taken) = match ty {
            _ if copy.is_some() => (&mut stack, u64::MAX, length),
            Type::Int(_) | Type::Pointer => (&mut integers, INTEGERS, length.next_multiple_of(8)),
            Type::Float(FloatKind::X87) => (&mut stack, u64::MAX, 16),
            Type::Float(_) | Type::Vector { .. } if length <= 16 => (&mut vectors, REGISTERS, 16),
            _ => (&mut stack, u64::MAX, length),
        };
        let (area, offset) = if end != u64::MAX && *next + taken <= end {
            *next += taken;
            (Area::Registers, *next - taken)
        } else {
            // What is aligned to more than a word keeps its alignment.
            let is_wide = copy.is_none() && length > 8;
            let offset = stack.next_multiple_of(if is_wide { 16 } else { 8 });
            stack = offset + length.next_multiple_of(8).max(if is_wide { 16 } else { 8 });
            (Area::Stack, offset)
        };
        if argument >= named {
            places.push(Place { argument, area, offset, length, is_copy: copy.is_some() });
        }
    }
    places
}

/// What loads from lists of variable arguments told, while the run is walked backwards: for a list at an address, where an
/// area lies. It is kept until the walk comes to where the list was made.
#[derive(Default)]
pub struct Lists(Vec<(u64, Area, u64)>);

impl Lists {
    /// A load from a field of a list met the address of an area.
    pub fn note(&mut self, field: u64, area: Area, address: u64) {
        let list = field.wrapping_sub(match area {
            Area::Registers => 16,
            Area::Stack => 8,
        });
        let known = self.0.iter_mut().find(|known| known.0 == list && known.1 == area);
        match known {
            // The list walks through the area on the stack, towards higher addresses.
            Some(known) => known.2 = known.2.min(address),
            None => self.0.push((list, area, address)),
        }
    }

    /// Lists that lie in a range are copies of what lies in another.
    pub fn copied(&mut self, to: u64, from: u64, length: u64) {
        for (list, _, _) in &mut self.0 {
            if list.wrapping_sub(to) < length {
                *list = list.wrapping_sub(to).wrapping_add(from);
            }
        }
    }

    /// This list was made: its areas are those of the function that made it.
    pub fn started(&mut self, list: u64) -> Vec<(Area, u64)> {
        let mut areas: Vec<(Area, u64)> = Vec::new();
        for (_, area, address) in self.0.extract_if(.., |known| known.0 == list) {
            match areas.iter_mut().find(|known| known.0 == area) {
                Some(known) => known.1 = known.1.min(address),
                None => areas.push((area, address)),
            }
        }
        areas
    }
}

#[cfg(test)]
mod tests {
    use program::{CallKind, Callee};

    use super::*;

    fn call(argument_types: Vec<Type>, by_value: Vec<(u32, u64)>) -> Call {
        Call {
            kind: CallKind::Open,
            callee: Callee::Assembly,
            arguments: Vec::new(),
            argument_types,
            by_value,
            type_hash: 0,
            never_returns: false,
        }
    }

    #[test]
    fn arguments_lie_where_the_abi_puts_them() {
        let (int, double, long_double) = (Type::Int(32), Type::Float(FloatKind::Double), Type::Float(FloatKind::X87));
        let types = [Type::Pointer, int.clone(), double.clone(), long_double, Type::Int(128), Type::Pointer];
        let mut types = types.to_vec();
        types.extend([int.clone(), int, double]);
        let found: Vec<_> = places(&call(types, vec![(5, 20)]), 1).iter().map(|p| (p.area, p.offset)).collect();
        let (registers, stack) = (Area::Registers, Area::Stack);
        let expected = [
            (registers, 8),
            (registers, 48),
            (stack, 0),
            (registers, 16),
            (stack, 16),
            (registers, 32),
            (registers, 40),
        ];
        assert_eq!(found[..7], expected);
        assert_eq!(found[7], (registers, 64));
    }

    #[test]
    fn a_copied_list_leads_to_the_areas_of_the_first() {
        let mut lists = Lists::default();
        lists.note(1008, Area::Stack, 58);
        lists.note(1008, Area::Stack, 50);
        lists.note(1016, Area::Registers, 10);
        lists.copied(1000, 2000, 24);
        lists.note(2008, Area::Stack, 42);
        assert!(lists.started(1000).is_empty());
        assert_eq!(lists.started(2000), [(Area::Stack, 42), (Area::Registers, 10)]);
        assert!(lists.started(2000).is_empty());
    }
}
