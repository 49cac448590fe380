//! Leaving out as much as possible: delta debugging, with questions asked several at a time.
//!
//! Parts are left out one after the other: first halves of the whole, then smaller and smaller parts, finally single units.
//! This is repeated until no single unit can be left out: the rest is *1-minimal*. Questions are asked ahead of time, as if
//! the answer to each were no, which it usually is; so the result does not depend on how many are asked at a time.

/// Nobody answers any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// What is left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimised {
    /// Positions among the units, in order.
    pub kept: Vec<usize>,
    /// Every one of these was tried to be left out, in vain.
    pub is_minimal: bool,
}

/// The largest part tried at first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Begin {
    Halves,
    /// Larger parts were tried before.
    Single,
}

/// Leaves out what it can of `count` units. `ask` says of each candidate, given as the units that are kept, whether it
/// will do; it is given up to `width` at a time.
pub fn minimise(
    count: usize,
    begin: Begin,
    width: usize,
    mut ask: impl FnMut(&[Vec<usize>]) -> Result<Vec<bool>, Stopped>,
) -> Minimised {
    let mut kept: Vec<usize> = (0..count).collect();
    let mut size = match begin {
        Begin::Halves => count.div_ceil(2).max(1),
        Begin::Single => 1,
    };
    loop {
        let before = kept.len();
        let mut at = 0;
        while at < kept.len() {
            let parts: Vec<usize> = (at..kept.len()).step_by(size).take(width.max(1)).collect();
            let candidates: Vec<Vec<usize>> = parts.iter().map(|&part| without(&kept, part, size)).collect();
            let Ok(answers) = ask(&candidates) else { return Minimised { kept, is_minimal: false } };
            match answers.iter().position(|will_do| *will_do) {
                Some(first) => {
                    kept.clone_from(&candidates[first]);
                    at = parts[first];
                }
                None => at += parts.len() * size,
            }
        }
        if size > 1 {
            size = size.div_ceil(2).min(kept.len().div_ceil(2)).max(1);
        } else if kept.len() == before {
            return Minimised { kept, is_minimal: true };
        }
    }
}

fn without(kept: &[usize], part: usize, size: usize) -> Vec<usize> {
    let end = (part + size).min(kept.len());
    [&kept[..part], &kept[end..]].concat()
}

/// Zeller and Hildebrandt's *ddmin*, as they wrote it down: subsets, then complements, then finer, nothing remembered.
/// The plain twin of [`minimise`] in tests, and what it is measured against.
pub fn plain_ddmin(count: usize, mut will_do: impl FnMut(&[usize]) -> bool) -> Vec<usize> {
    let mut kept: Vec<usize> = (0..count).collect();
    let mut parts = 2;
    while kept.len() >= 2 {
        let size = kept.len().div_ceil(parts);
        let begins: Vec<usize> = (0..kept.len()).step_by(size).collect();
        let subset = begins.iter().map(|&b| kept[b..(b + size).min(kept.len())].to_vec()).find(|s| will_do(s));
        if let Some(subset) = subset {
            kept = subset;
            parts = 2;
            continue;
        }
        let complement = begins.iter().map(|&b| without(&kept, b, size)).find(|c| will_do(c));
        if let Some(complement) = complement {
            kept = complement;
            parts = (parts - 1).max(2);
        } else if parts < kept.len() {
            parts = (parts * 2).min(kept.len());
        } else {
            break;
        }
    }
    if kept.len() == 1 && will_do(&[]) { Vec::new() } else { kept }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_minimal(kept: &[usize], will_do: impl Fn(&[usize]) -> bool) -> bool {
        (0..kept.len()).all(|at| !will_do(&without(kept, at, 1)))
    }

    fn asking(will_do: impl Fn(&[usize]) -> bool) -> impl FnMut(&[Vec<usize>]) -> Result<Vec<bool>, Stopped> {
        move |candidates| Ok(candidates.iter().map(|candidate| will_do(candidate)).collect())
    }

    #[test]
    fn one_unit_of_two_hundred_takes_few_questions() {
        let mut asked = 0;
        let done = minimise(200, Begin::Halves, 1, |candidates| {
            asked += candidates.len();
            Ok(candidates.iter().map(|candidate| candidate.contains(&137)).collect())
        });
        assert_eq!(done, Minimised { kept: vec![137], is_minimal: true });
        assert!(asked <= 20, "{asked}");
    }

    #[test]
    fn what_is_known_when_it_is_stopped_is_kept() {
        let mut asked = 0;
        let done = minimise(64, Begin::Halves, 1, |candidates| {
            asked += 1;
            if asked > 4 { Err(Stopped) } else { Ok(candidates.iter().map(|c| c.contains(&3)).collect()) }
        });
        assert!(!done.is_minimal && done.kept.contains(&3) && done.kept.len() < 64);
    }

    proptest! {
        /// What is wanted: some units together, or some others; not always monotone.
        #[test]
        fn the_rest_is_minimal_however_many_are_asked_at_a_time(
            count in 1..40usize,
            one in prop::collection::vec(0..40usize, 0..5),
            other in prop::collection::vec(0..40usize, 1..5),
            modulus in 1..4usize,
        ) {
            let will_do = |kept: &[usize]| {
                let has = |wanted: &[usize]| wanted.iter().all(|unit| *unit >= count || kept.contains(unit));
                kept.len() == count || has(&one) || (has(&other) && kept.len().is_multiple_of(modulus))
            };
            let alone = minimise(count, Begin::Halves, 1, asking(will_do));
            prop_assert!(alone.is_minimal && is_minimal(&alone.kept, will_do));
            prop_assert!(will_do(&alone.kept));
            for width in [2, 3, 8] {
                prop_assert_eq!(&minimise(count, Begin::Halves, width, asking(will_do)), &alone);
            }
            let plain = plain_ddmin(count, will_do);
            prop_assert!(will_do(&plain) && is_minimal(&plain, will_do));
        }
    }
}
