//! Paths and inputs as they are compared: which condition went which way, and what was given.

use experiment::Input;
use program::Site;
use symbolic::{Kind, Path, Turn, Way};

use super::similarity::Similarity;

/// A condition of a path, and how it went. Which evaluation of the condition it was does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Met {
    pub site: Site,
    pub went: Went,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Went {
    To(Way),
    /// What has no ways with names: a bound, a trap, how much was read.
    Held,
    Failed,
}

/// A turn of a path, with what is met there instead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    pub turn: Turn,
    /// How many conditions are met before.
    pub position: usize,
    pub met: Met,
}

/// The conditions of a path, and its turns, in its order. An address that was bound to its value is no condition of the
/// program's.
pub(super) fn met(path: &Path) -> (Vec<Met>, Vec<Turning>) {
    let (mut all, mut turns) = (Vec::new(), Vec::new());
    for (number, condition) in path.conditions.iter().enumerate().filter(|(_, one)| one.kind != Kind::Pin) {
        let site = condition.at.site;
        let ways: Vec<Way> = condition.others.iter().map(|other| other.way).collect();
        turns.extend(ways.iter().enumerate().map(|(other, way)| {
            let went = if *way == Way::Elsewhere { Went::Failed } else { Went::To(*way) };
            Turning { turn: Turn { condition: number, other }, position: all.len(), met: Met { site, went } }
        }));
        all.push(Met { site, went: taken(condition.kind, &ways) });
    }
    (all, turns)
}

/// The way that was gone: the one that is not among the others.
fn taken(kind: Kind, others: &[Way]) -> Went {
    match (kind, others.first()) {
        (Kind::Branch, Some(Way::Branch(other))) => Went::To(Way::Branch(!other)),
        (Kind::Switch, Some(Way::Case(_))) => {
            let cases = 0..=others.len() as u32;
            let missing = cases.map(Way::Case).find(|case| !others.contains(case));
            missing.map_or(Went::Held, Went::To)
        }
        _ => Went::Held,
    }
}

/// How many inputs of two are the same, as the paper counts parameters: an argument, a variable of the environment, a byte of
/// standard input or of a file is one.
pub(super) fn similarity(one: &Input, other: &Input) -> Similarity {
    let mut counted = Similarity { same: 0, of: 0 };
    counted.add(&one.arguments, &other.arguments);
    counted.add(&one.stdin, &other.stdin);
    for path in one.files.keys().chain(other.files.keys().filter(|path| !one.files.contains_key(*path))) {
        let of = |input: &Input| input.files.get(path).cloned().unwrap_or_default();
        counted.add(&of(one), &of(other));
    }
    let variables = one.environment.keys().chain(other.environment.keys());
    let variables: std::collections::BTreeSet<_> = variables.collect();
    for name in variables {
        counted.add(&[one.environment.get(name)], &[other.environment.get(name)]);
    }
    counted.or_all()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn given(arguments: &str) -> Input {
        Input {
            arguments: arguments.split(' ').map(OsString::from).collect(),
            stdin: Vec::new(),
            files: Default::default(),
            environment: Default::default(),
        }
    }

    /// Section 4.2: x, y, scale_x and scale_y are arguments. A1 and A2 are as similar to F, so the first comes first; A3 has
    /// nothing in common with it.
    #[test]
    fn tests_of_the_first_suite_are_chosen_in_the_order_of_the_paper() {
        let failing = given("0 0 1 3");
        let suite = [("A1", given("0 0 3 2")), ("A2", given("5 0 1 0")), ("A3", given("3 2 2 4"))];
        let mut left: Vec<_> = suite.iter().collect();
        let mut known = vec![&failing];
        let mut order = Vec::new();
        while !left.is_empty() {
            let likeness = |input: &Input| known.iter().map(|failing| similarity(input, failing)).max();
            // The first of the most similar.
            let best = (0..left.len()).rev().max_by_key(|at| likeness(&left[*at].1)).expect("one is left");
            let (name, input) = left.remove(best);
            order.push(*name);
            if *name == "A1" {
                // It fails, too.
                known.push(input);
            }
        }
        assert_eq!(order, ["A1", "A2", "A3"]);
        assert_eq!(similarity(&suite[0].1, &failing).percent(), 50.0);
        assert_eq!(similarity(&suite[2].1, &failing), Similarity::NONE);
    }

    #[test]
    fn everything_that_is_given_counts() {
        let one = Input { stdin: b"abc".to_vec(), ..given("x y") };
        let other = Input { stdin: b"abd9".to_vec(), ..given("x z") };
        assert_eq!(similarity(&one, &other), Similarity { same: 3, of: 6 });
        let mut with_file = one.clone();
        with_file.files.insert("f".into(), b"12".to_vec());
        with_file.environment.insert("V".into(), None);
        assert_eq!(similarity(&one, &with_file), Similarity { same: 5, of: 8 });
        assert_eq!(similarity(&with_file, &with_file), Similarity::ALL);
        assert_eq!(taken(Kind::Switch, &[Way::Case(0), Way::Case(2)]), Went::To(Way::Case(1)));
        assert_eq!(taken(Kind::Branch, &[Way::Branch(false)]), Went::To(Way::Branch(true)));
    }
}
