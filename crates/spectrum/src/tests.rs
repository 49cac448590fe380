//! The worked examples of Artzi, Dolby, Tip and Pistoia, *Directed Test Generation for Effective Fault Localization*,
//! figures 3 to 7; formulas against values computed by hand and against a slow plain twin.

use proptest::prelude::*;

use super::*;

/// Runs of the paper: their name, whether they fail, and what they execute. `8=0` is ⟨8, 0⟩.
type Runs<'a> = [(&'a str, Group, &'a str)];

const ALL_LINES: &str = "18 19 20 22=true 23 24 25 26 29 12";
const SUITE_1: &Runs<'_> = &[
    ("F", Group::Failing, "8=3.1 8=0 13 14 31"),
    ("A1", Group::Failing, "8=3.6 8=0 13 14 31"),
    ("A2", Group::Passing, "8=1 8=8.6 13 14 31"),
    ("A3", Group::Passing, "8=3.6 13 14 31"),
];
const SUITE_2: &Runs<'_> = &[
    ("F", Group::Failing, "18 19 20 22=true 23 24 25 26 29 12 8=3.1 8=0 13 14 31"),
    ("B1", Group::Passing, "18 19 20 22=false 29 12"),
    ("B2", Group::Passing, "18 19 20 22=false 29 12"),
    ("B3", Group::Passing, "18 19 20 22=false 29 12"),
];

fn spectrum<'a>(runs: &Runs<'a>, common: &'a str) -> Spectrum<&'a str> {
    let mut spectrum = Spectrum::default();
    for (_, ending, executed) in runs {
        spectrum.add(*ending, executed.split_whitespace().chain(common.split_whitespace()));
    }
    spectrum
}

fn ochiai<'a>(spectrum: &Spectrum<&'a str>) -> Vec<Ranked<&'a str>> {
    rank(spectrum.deeds().map(|(deed, counts)| (*deed, Formula::Ochiai.suspicion(counts))))
}

fn suspicion_of(ranking: &[Ranked<&str>], what: &str) -> f64 {
    ranking.iter().find(|ranked| ranked.what == what).map_or(f64::NAN, |ranked| ranked.suspicion)
}

/// As the paper prints it: two digits.
fn printed(suspicion: f64) -> String {
    format!("{suspicion:.2}")
}

#[test]
fn suite_1_singles_out_the_call_that_returned_zero() {
    let ranking = ochiai(&spectrum(SUITE_1, ALL_LINES));
    assert_eq!((ranking[0].what, ranking[0].suspicion), ("8=0", 1.0));
    assert_eq!(ranking[0].ranks, 1..=1);
    // Figure 5. Its rows of ⟨8, 1⟩ and ⟨8, 3.6⟩ name other runs than figure 4 has, but as many of each kind.
    for line in "12 13 14 18 19 20 23 24 25 26 29 31 22=true 8=3.1".split(' ') {
        assert_eq!(printed(suspicion_of(&ranking, line)), "0.71", "{line}");
    }
    assert_eq!(printed(suspicion_of(&ranking, "8=3.6")), "0.50");
    assert_eq!(printed(suspicion_of(&ranking, "8=1")), "0.00");
    assert_eq!(printed(suspicion_of(&ranking, "8=8.6")), "0.00");
}

#[test]
fn suite_2_cannot_tell_ten_apart() {
    let ranking = ochiai(&spectrum(SUITE_2, ""));
    // Figure 7, row by row.
    let worst: Vec<&str> = ranking.iter().take_while(|ranked| ranked.suspicion == 1.0).map(|r| r.what).collect();
    assert_eq!(worst, ["13", "14", "22=true", "23", "24", "25", "26", "31", "8=0", "8=3.1"]);
    assert!(ranking[..10].iter().all(|ranked| ranked.ranks == (1..=10)));
    for line in ["12", "18", "19", "20", "29"] {
        assert_eq!(printed(suspicion_of(&ranking, line)), "0.50", "{line}");
    }
    assert!(ranking[10..15].iter().all(|ranked| ranked.ranks == (11..=15)));
    assert_eq!((ranking[15].what, ranking[15].suspicion), ("22=false", 0.0));
}

fn counts(failing_with: u32, failing_without: u32, passing_with: u32, passing_without: u32) -> Counts {
    Counts { failing_with, failing_without, passing_with, passing_without }
}

#[test]
fn values_computed_by_hand() {
    // Three of four failing runs, two of ten passing ones.
    let some = counts(3, 1, 2, 8);
    let near = |formula: Formula, wanted: f64| {
        let value = formula.suspicion(some);
        assert!((value - wanted).abs() < 1e-12, "{}: {value} instead of {wanted}", formula.name());
    };
    near(Formula::Ochiai, 3.0 / 20f64.sqrt());
    near(Formula::Tarantula, 0.75 / 0.95);
    near(Formula::DStar, 3.0);
    near(Formula::Barinel, 0.6);
    near(Formula::Op2, 3.0 - 2.0 / 11.0);
}

#[test]
fn what_exactly_the_failing_runs_did_is_most_suspicious() {
    for formula in Formula::ALL {
        assert_eq!(formula.score(counts(4, 0, 0, 6)), 1.0, "{}", formula.name());
    }
}

#[test]
fn nothing_is_divided_by_nothing() {
    for formula in Formula::ALL {
        for with in [counts(0, 0, 0, 0), counts(0, 3, 0, 0), counts(0, 0, 0, 3), counts(2, 0, 0, 0), counts(0, 0, 2, 0)]
        {
            let score = formula.score(with);
            assert!((0.0..=1.0).contains(&score), "{} of {with:?}: {score}", formula.name());
        }
    }
}

/// The formulas once more, from the lists of runs themselves.
fn slow_suspicion(formula: Formula, runs: &[(bool, bool)]) -> f64 {
    let count = |fails: bool, did: bool| runs.iter().filter(|run| **run == (fails, did)).count() as f64;
    let (ef, nf, ep, np) = (count(true, true), count(true, false), count(false, true), count(false, false));
    let value = match formula {
        Formula::Ochiai => ef / ((ef + nf) * (ef + ep)).sqrt(),
        Formula::Tarantula => {
            let of_failing = if ef + nf == 0.0 { 0.0 } else { ef / (ef + nf) };
            let of_passing = if ep + np == 0.0 { 0.0 } else { ep / (ep + np) };
            of_failing / (of_failing + of_passing)
        }
        Formula::DStar if ef == 0.0 => 0.0,
        Formula::DStar => ef.powi(2) / (ep + nf),
        Formula::Barinel => 1.0 - ep / (ep + ef),
        Formula::Op2 => ef - ep / (ep + np + 1.0),
    };
    if value.is_nan() { 0.0 } else { value }
}

proptest! {
    #[test]
    fn formulas_agree_with_their_twin(runs in prop::collection::vec((any::<bool>(), any::<bool>()), 0..40)) {
        let mut spectrum = Spectrum::default();
        for (fails, did) in &runs {
            let ending = if *fails { Group::Failing } else { Group::Passing };
            spectrum.add(ending, did.then_some("it"));
        }
        for (_, counts) in spectrum.deeds() {
            for formula in Formula::ALL {
                let (fast, slow) = (formula.suspicion(counts), slow_suspicion(formula, &runs));
                prop_assert!(fast == slow || (fast - slow).abs() < 1e-9, "{}: {fast} {slow}", formula.name());
                let score = formula.score(counts);
                prop_assert!((0.0..=1.0).contains(&score));
            }
        }
    }

    #[test]
    fn ranks_are_those_of_counting(values in prop::collection::vec(0..6u32, 0..30)) {
        let ranking = rank(values.iter().map(|value| (*value, f64::from(*value) / 5.0)));
        prop_assert_eq!(ranking.len(), values.len());
        for ranked in &ranking {
            let above = values.iter().filter(|value| **value > ranked.what).count();
            let same = values.iter().filter(|value| **value == ranked.what).count();
            prop_assert_eq!(ranked.ranks.clone(), above + 1..=above + same);
        }
    }

    #[test]
    fn the_score_keeps_the_order(a in any::<[u8; 2]>(), b in any::<[u8; 2]>()) {
        // Two things of the same spectrum of 300 failing and 300 passing runs.
        let of = |[failing, passing]: [u8; 2]| {
            counts(failing.into(), 300 - u32::from(failing), passing.into(), 300 - u32::from(passing))
        };
        for formula in Formula::ALL {
            let by_suspicion = formula.suspicion(of(a)).total_cmp(&formula.suspicion(of(b)));
            let by_score = formula.score(of(a)).total_cmp(&formula.score(of(b)));
            prop_assert!(by_suspicion == by_score || by_score == std::cmp::Ordering::Equal, "{}", formula.name());
        }
    }
}
