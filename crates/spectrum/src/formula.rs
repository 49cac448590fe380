//! From counts to suspicion. Each formula is that of its paper; see the table in [`Formula::suspicion`].

/// How many runs did something, and how many did not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Counts {
    pub failing_with: u32,
    pub failing_without: u32,
    pub passing_with: u32,
    pub passing_without: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Formula {
    #[default]
    Ochiai,
    Tarantula,
    DStar,
    Barinel,
    Op2,
}

impl Formula {
    pub const ALL: [Formula; 5] = [Formula::Ochiai, Formula::Tarantula, Formula::DStar, Formula::Barinel, Formula::Op2];

    pub fn name(self) -> &'static str {
        match self {
            Formula::Ochiai => "ochiai",
            Formula::Tarantula => "tarantula",
            Formula::DStar => "dstar",
            Formula::Barinel => "barinel",
            Formula::Op2 => "op2",
        }
    }

    /// The formula's own value. The more, the more suspicious; comparable only within one spectrum. What no failing run
    /// did has none, or (Op2) a negative one.
    pub fn suspicion(self, counts: Counts) -> f64 {
        let failing_with = f64::from(counts.failing_with);
        let failing = failing_with + f64::from(counts.failing_without);
        let passing_with = f64::from(counts.passing_with);
        let passing = passing_with + f64::from(counts.passing_without);
        match self {
            // Abreu, Zoeteweij and van Gemund, 2006.
            Formula::Ochiai => ratio(failing_with, (failing * (failing_with + passing_with)).sqrt()),
            // Jones and Harrold, 2005.
            Formula::Tarantula => {
                let (in_failing, in_passing) = (ratio(failing_with, failing), ratio(passing_with, passing));
                ratio(in_failing, in_failing + in_passing)
            }
            // Wong, Debroy, Gao and Li, 2014, with the exponent 2. Infinite for what exactly the failing runs did.
            Formula::DStar => {
                let against = passing_with + f64::from(counts.failing_without);
                if failing_with == 0.0 { 0.0 } else { failing_with * failing_with / against }
            }
            // Abreu, Zoeteweij and van Gemund, 2009, for single faults.
            Formula::Barinel => ratio(failing_with, failing_with + passing_with),
            // Naish, Lee and Ramamohanarao, 2011.
            Formula::Op2 => failing_with - passing_with / (passing + 1.0),
        }
    }

    /// The same order, between 0 and 1.
    pub fn score(self, counts: Counts) -> f64 {
        let suspicion = self.suspicion(counts);
        match self {
            Formula::Ochiai | Formula::Tarantula | Formula::Barinel => suspicion,
            Formula::DStar if suspicion.is_infinite() => 1.0,
            Formula::DStar => suspicion / (suspicion + 1.0),
            // Between -1 and the number of failing runs.
            Formula::Op2 => {
                let failing = f64::from(counts.failing_with + counts.failing_without);
                (suspicion + 1.0) / (failing + 1.0)
            }
        }
    }
}

/// Nothing of nothing is nothing.
fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}
