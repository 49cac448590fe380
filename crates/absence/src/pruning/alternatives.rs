//! Sets of values that a step could have made instead of the one it made.
//!
//! A few arithmetic progressions of unsigned numbers: enough for what addition, comparison, remainders, shifts and masks
//! leave over. Sets may be larger than what they stand for, never smaller.

/// Values of so many bits, at most 64.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alternatives {
    pub bits: u32,
    parts: Vec<Progression>,
}

/// `first`, `first + step`, … `last`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Progression {
    pub first: u64,
    pub last: u64,
    pub step: u64,
}

/// Progressions kept; a set that needs more is taken for all values.
const MOST: usize = 64;
/// How far the common members of two progressions are looked for.
const SEARCHED: u64 = 4096;

/// The largest number of so many bits.
pub fn largest(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

impl Progression {
    pub fn single(value: u64) -> Progression {
        Progression { first: value, last: value, step: 1 }
    }

    pub fn interval(first: u64, last: u64) -> Progression {
        Progression { first, last, step: 1 }
    }

    /// From `first` on as far as `most`.
    pub fn up_to(first: u64, step: u64, most: u64) -> Progression {
        let last = first + (most - first) / step * step;
        Progression { first, last, step }.tidy()
    }

    fn tidy(self) -> Progression {
        if self.first == self.last { Progression { step: 1, ..self } } else { self }
    }

    pub fn is_single(self) -> bool {
        self.first == self.last
    }

    fn contains(self, value: u64) -> bool {
        (self.first..=self.last).contains(&value) && (value - self.first).is_multiple_of(self.step)
    }

    fn count(self) -> u128 {
        u128::from((self.last - self.first) / self.step) + 1
    }

    /// Those within bounds.
    fn within(self, least: u64, most: u64) -> Option<Progression> {
        if most < self.first || self.last < least || most < least {
            return None;
        }
        let skipped = least.saturating_sub(self.first).div_ceil(self.step);
        let first = self.first.checked_add(skipped.checked_mul(self.step)?)?;
        let most = most.min(self.last);
        (first <= most).then(|| Progression::up_to(first, self.step, most))
    }

    /// Those of both; more, where that is hard to tell.
    fn and(self, other: Progression) -> Option<Progression> {
        let (fine, coarse) = if self.step <= other.step { (self, other) } else { (other, self) };
        let coarse = coarse.within(fine.first, fine.last)?;
        if fine.step == 1 {
            return Some(coarse);
        }
        let common = gcd(fine.step, coarse.step);
        let rounds = (fine.step / common).min(SEARCHED);
        let mut first = coarse.first;
        for _ in 0..rounds {
            if first > coarse.last {
                return None;
            }
            if fine.contains(first) {
                // Common members repeat with the least common multiple of the steps.
                return match (fine.step / common).checked_mul(coarse.step) {
                    Some(step) => Some(Progression::up_to(first, step, coarse.last)),
                    None => Some(Progression::single(first)),
                };
            }
            match first.checked_add(coarse.step) {
                Some(next) => first = next,
                None => return None,
            }
        }
        if rounds < SEARCHED { None } else { Some(coarse) }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Alternatives {
    /// Every value of its type.
    pub fn any(bits: u32) -> Alternatives {
        Alternatives { bits, parts: vec![Progression::interval(0, largest(bits))] }
    }

    pub fn only(bits: u32, value: u64) -> Alternatives {
        Alternatives::of(bits, vec![Progression::single(value & largest(bits))])
    }

    /// Progressions that have no member in common.
    pub fn of(bits: u32, mut parts: Vec<Progression>) -> Alternatives {
        if parts.len() > MOST {
            return Alternatives::any(bits);
        }
        parts.sort_unstable();
        parts.dedup();
        Alternatives { bits, parts }
    }

    pub fn parts(&self) -> &[Progression] {
        &self.parts
    }

    pub fn is_any(&self) -> bool {
        self.parts[..] == [Progression::interval(0, largest(self.bits))]
    }

    /// The one value there is.
    pub fn single(&self) -> Option<u64> {
        match self.parts[..] {
            [part] if part.is_single() => Some(part.first),
            _ => None,
        }
    }

    pub fn contains(&self, value: u64) -> bool {
        self.parts.iter().any(|part| part.contains(value))
    }

    /// How many there are, or more.
    pub fn count(&self) -> u128 {
        self.parts.iter().map(|part| part.count()).sum::<u128>().min(1 << self.bits.min(64))
    }

    /// Those of both.
    pub fn and(&self, other: &Alternatives) -> Alternatives {
        if self.is_any() {
            return other.clone();
        }
        if other.is_any() {
            return self.clone();
        }
        let parts = self.parts.iter().flat_map(|a| other.parts.iter().filter_map(|b| a.and(*b))).collect();
        Alternatives::of(self.bits, parts)
    }

    /// Those within bounds.
    pub fn within(&self, least: u64, most: u64) -> Vec<Progression> {
        self.parts.iter().filter_map(|part| part.within(least, most)).collect()
    }

    /// All `a - by`.
    pub fn lowered(&self, by: u64) -> Alternatives {
        let (most, by) = (largest(self.bits), by & largest(self.bits));
        let mut parts = Vec::new();
        let high = self.parts.iter().filter_map(|part| part.within(by, most));
        parts.extend(high.map(|part| Progression { first: part.first - by, last: part.last - by, ..part }));
        if by > 0 {
            // Below zero they come in again at the top.
            let low = self.parts.iter().filter_map(|part| part.within(0, by - 1));
            let wrapped = |value: u64| value.wrapping_sub(by) & most;
            parts.extend(low.map(|part| Progression { first: wrapped(part.first), last: wrapped(part.last), ..part }));
        }
        Alternatives::of(self.bits, parts)
    }

    /// All `from - a`.
    pub fn subtracted(&self, from: u64) -> Alternatives {
        let most = largest(self.bits);
        // -a - 1 turns the order around.
        let turned = |part: &Progression| Progression { first: most - part.last, last: most - part.first, ..*part };
        let complement = Alternatives::of(self.bits, self.parts.iter().map(turned).collect());
        complement.lowered(from.wrapping_add(1).wrapping_neg())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(set: &Alternatives) -> Vec<u64> {
        (0..=largest(set.bits)).filter(|&value| set.contains(value)).collect()
    }

    /// Progressions of numbers of five bits.
    fn progressions() -> Vec<Progression> {
        let mut all = Vec::new();
        for step in [1, 2, 3, 5, 8] {
            for first in 0..32 {
                for last in (first..32).step_by(step as usize) {
                    all.push(Progression { first, last, step }.tidy());
                }
            }
        }
        all.dedup();
        all
    }

    #[test]
    fn sums_and_differences_wrap_around() {
        for part in progressions() {
            let set = Alternatives::of(5, vec![part]);
            for by in [0, 1, 7, 16, 31] {
                let mut lower: Vec<u64> = members(&set).iter().map(|a| a.wrapping_sub(by) & 31).collect();
                lower.sort_unstable();
                assert_eq!(members(&set.lowered(by)), lower, "{part:?} - {by}");
                let mut turned: Vec<u64> = members(&set).iter().map(|a| by.wrapping_sub(*a) & 31).collect();
                turned.sort_unstable();
                assert_eq!(members(&set.subtracted(by)), turned, "{by} - {part:?}");
                assert_eq!(set.lowered(by).count(), set.count());
            }
        }
    }

    #[test]
    fn what_two_sets_have_in_common_is_found() {
        let all: Vec<_> = progressions().into_iter().step_by(17).collect();
        for &a in &all {
            for &b in &all {
                let both: Vec<u64> = (0..32).filter(|&value| a.contains(value) && b.contains(value)).collect();
                let found = Alternatives::of(5, vec![a]).and(&Alternatives::of(5, vec![b]));
                assert_eq!(members(&found), both, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn the_largest_numbers_are_no_trouble() {
        let any = Alternatives::any(64);
        assert_eq!(
            any.lowered(5),
            Alternatives::of(
                64,
                vec![Progression::interval(0, u64::MAX - 5), Progression::interval(u64::MAX - 4, u64::MAX),]
            )
        );
        assert_eq!(Alternatives::only(64, 3).lowered(5).single(), Some(u64::MAX - 1));
        assert_eq!(Alternatives::only(64, 3).subtracted(1).single(), Some(u64::MAX - 1));
        assert_eq!(any.count(), 1 << 64);
    }
}
