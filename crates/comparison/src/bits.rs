//! Many bits, one after the other, and fast answers to how many of them are set, and where.

/// Words between two counts.
const STRIDE: usize = 8;

/// A bit for each of many things in order. Takes 1 bit each and a fraction more.
#[derive(Clone, Default, Debug)]
pub struct Bits {
    words: Vec<u64>,
    length: u64,
    /// How many bits are set before each stride.
    set_before: Vec<u64>,
    set: u64,
}

impl Bits {
    pub fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(64) {
            if self.words.len().is_multiple_of(STRIDE) {
                self.set_before.push(self.set);
            }
            self.words.push(0);
        }
        if bit && let Some(last) = self.words.last_mut() {
            *last |= 1 << (self.length % 64);
            self.set += 1;
        }
        self.length += 1;
    }

    pub fn len(&self) -> u64 {
        self.length
    }

    /// False beyond the end.
    pub fn get(&self, position: u64) -> bool {
        position < self.length && self.words[(position / 64) as usize] >> (position % 64) & 1 != 0
    }

    /// How many of the bits before a position are not set.
    pub fn clear_before(&self, position: u64) -> u64 {
        let position = position.min(self.length);
        let word = (position / 64) as usize;
        let stride = word / STRIDE;
        let mut set = self.set_before.get(stride).copied().unwrap_or(self.set);
        if stride < self.set_before.len() {
            set += self.words[stride * STRIDE..word].iter().map(|w| u64::from(w.count_ones())).sum::<u64>();
            if let Some(part) = self.words.get(word).filter(|_| !position.is_multiple_of(64)) {
                set += u64::from((part & ((1 << (position % 64)) - 1)).count_ones());
            }
        }
        position - set
    }

    /// The position of the bit that is not set and has so many of the kind before it.
    pub fn nth_clear(&self, count: u64) -> Option<u64> {
        if count >= self.length - self.set {
            return None;
        }
        let bits = (STRIDE * 64) as u64;
        // The last stride with no more clear bits before it.
        let (mut low, mut high) = (0, self.set_before.len());
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle as u64 * bits - self.set_before[middle] <= count {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut rest = count - (low as u64 * bits - self.set_before[low]);
        for (number, word) in self.words.iter().enumerate().skip(low * STRIDE) {
            let clear = u64::from(word.count_zeros());
            if rest < clear {
                let mut left = !word;
                for _ in 0..rest {
                    left &= left - 1;
                }
                return Some(number as u64 * 64 + u64::from(left.trailing_zeros()));
            }
            rest -= clear;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A list of booleans is the slow twin.
        #[test]
        fn agrees_with_a_list(list in proptest::collection::vec(any::<bool>(), 0..3000), dense in any::<bool>()) {
            let mut bits = Bits::default();
            let list: Vec<bool> = list.iter().enumerate().map(|(i, &bit)| if dense { bit } else { i % 97 == 0 }).collect();
            list.iter().for_each(|&bit| bits.push(bit));
            let mut clear = Vec::new();
            for (position, &bit) in (0..).zip(&list) {
                prop_assert_eq!(bits.get(position), bit);
                prop_assert_eq!(bits.clear_before(position), clear.len() as u64);
                if !bit {
                    clear.push(position);
                }
            }
            prop_assert_eq!(bits.clear_before(u64::MAX), clear.len() as u64);
            prop_assert!(!bits.get(list.len() as u64));
            for (count, &position) in (0..).zip(&clear) {
                prop_assert_eq!(bits.nth_clear(count), Some(position));
            }
            prop_assert_eq!(bits.nth_clear(clear.len() as u64), None);
        }
    }
}
