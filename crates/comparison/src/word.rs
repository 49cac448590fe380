//! What the words of a value mean, so that they can be compared between two runs.
//!
//! Addresses differ between recordings for no reason: other arguments, another version, another layout. So a pointer is
//! compared by the object it points into and how far: a global variable or function by its name, a literal by what it
//! says, a local by its function, a block of the heap by the call that made it, which the alignment knows.

/// What a pointer points into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Object {
    /// A variable, literal or function: the same number in both runs.
    Named(u64),
    /// A block of the heap, by its number in the run.
    Block(u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    Number(u64),
    /// A pointer, not null, to memory of which no object is known.
    Somewhere,
    Pointer {
        object: Object,
        offset: u64,
    },
    /// A number of the type, but one that is the address of something.
    Address {
        number: u64,
        object: Object,
        offset: u64,
    },
}

/// What is noted of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Note {
    Word(Word),
    /// It makes a block of the heap, with this number from now on.
    Makes(u32),
}

/// Which call made a block.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Maker {
    /// One that the other run does not have.
    #[default]
    Alone,
    /// A call of both runs, by its number among the statements they share.
    Shared(u64),
}

/// The makers of a run's blocks, by number.
#[derive(Default, Debug)]
pub struct Makers(Vec<Maker>);

impl Makers {
    pub fn set(&mut self, block: u32, maker: Maker) {
        let position = block as usize;
        if self.0.len() <= position {
            self.0.resize(position + 1, Maker::Alone);
        }
        self.0[position] = maker;
    }

    fn get(&self, block: u32) -> Maker {
        self.0.get(block as usize).copied().unwrap_or_default()
    }
}

/// Whether two words mean the same. Where that cannot be known, they count as the same: a difference that is told is one.
pub fn is_same(left: Word, left_makers: &Makers, right: Word, right_makers: &Makers) -> bool {
    let same_object = |a: Object, b: Object| match (a, b) {
        (Object::Named(a), Object::Named(b)) => a == b,
        (Object::Block(a), Object::Block(b)) => left_makers.get(a) == right_makers.get(b),
        (Object::Named(_), Object::Block(_)) | (Object::Block(_), Object::Named(_)) => false,
    };
    match (left, right) {
        (Word::Number(a), Word::Number(b)) => a == b,
        (Word::Number(a), Word::Address { number: b, .. }) | (Word::Address { number: a, .. }, Word::Number(b)) => {
            a == b
        }
        // Null, and what is no address.
        (Word::Number(_), Word::Somewhere | Word::Pointer { .. })
        | (Word::Somewhere | Word::Pointer { .. }, Word::Number(_)) => false,
        (Word::Somewhere, _) | (_, Word::Somewhere) => true,
        (
            Word::Pointer { object: a, offset: x } | Word::Address { object: a, offset: x, .. },
            Word::Pointer { object: b, offset: y } | Word::Address { object: b, offset: y, .. },
        ) => {
            let same_number = match (left, right) {
                (Word::Address { number: a, .. }, Word::Address { number: b, .. }) => a == b,
                _ => false,
            };
            same_number || (same_object(a, b) && x == y)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_are_compared_by_what_they_mean() {
        let (mut left, mut right) = (Makers::default(), Makers::default());
        left.set(0, Maker::Shared(7));
        right.set(3, Maker::Shared(7));
        right.set(0, Maker::Shared(8));
        left.set(1, Maker::Alone);
        let block = |block, offset| Word::Pointer { object: Object::Block(block), offset };
        let same = |a, b| is_same(a, &left, b, &right);
        assert!(same(block(0, 8), block(3, 8)));
        assert!(!same(block(0, 8), block(3, 16)));
        assert!(!same(block(0, 8), block(0, 8)));
        // Blocks that the other run does not have could be anything to each other, but are none of those it has.
        assert!(same(block(1, 0), block(5, 0)));
        assert!(!same(block(1, 0), block(3, 0)));
        let named = Word::Pointer { object: Object::Named(1), offset: 0 };
        assert!(same(named, named) && !same(named, block(3, 0)));
        for pointer in [named, block(0, 0), Word::Somewhere] {
            assert!(!same(pointer, Word::Number(0)), "null is no pointer to anything");
            assert!(same(pointer, Word::Somewhere));
        }
        let number = |number| Word::Address { number, object: Object::Named(2), offset: 4 };
        assert!(same(number(1000), number(2000)) && same(number(1000), Word::Number(1000)));
        assert!(!same(number(1000), Word::Number(2000)));
    }
}
