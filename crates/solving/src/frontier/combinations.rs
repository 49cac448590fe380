//! Combinations of a cut's members, fewest first, without those that contain one that is polluted: a bigger one would say less.

/// All combinations of so many members, one after the other.
pub struct Combinations {
    members: usize,
    /// The last one that was given; none before the first.
    last: Option<Vec<usize>>,
}

impl Combinations {
    pub fn of(members: usize) -> Combinations {
        Combinations { members, last: None }
    }

    /// The next that contains none of these.
    pub fn next(&mut self, polluted: &[Vec<usize>]) -> Option<Vec<usize>> {
        loop {
            let next = self.advanced()?;
            self.last = Some(next.clone());
            let contains = |smaller: &Vec<usize>| smaller.iter().all(|one| next.contains(one));
            if !polluted.iter().any(contains) {
                return Some(next);
            }
        }
    }

    fn advanced(&self) -> Option<Vec<usize>> {
        let Some(last) = &self.last else { return (self.members > 0).then(|| vec![0]) };
        let size = last.len();
        // The last position that can still move up.
        let movable = (0..size).rev().find(|&at| last[at] < self.members - (size - at));
        match movable {
            Some(at) => {
                let first = last[at] + 1;
                Some(last[..at].iter().copied().chain(first..first + size - at).collect())
            }
            None => (size < self.members).then(|| (0..=size).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(members: usize, polluted: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut combinations = Combinations::of(members);
        std::iter::from_fn(|| combinations.next(polluted)).collect()
    }

    #[test]
    fn each_comes_once_and_the_fewest_first() {
        let expected: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        assert_eq!(all(3, &[]), expected);
        assert_eq!(all(0, &[]), Vec::<Vec<usize>>::new());
        assert_eq!(all(6, &[]).len(), 63);
    }

    #[test]
    fn what_contains_a_polluted_one_is_left_out() {
        assert_eq!(all(3, &[vec![1]]), [vec![0], vec![2], vec![0, 2]]);
        assert_eq!(all(3, &[vec![0, 2]]), [vec![0], vec![1], vec![2], vec![0, 1], vec![1, 2]]);
    }
}
