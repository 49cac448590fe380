//! What an exploration did, and why it did not do more.

use std::collections::{BTreeMap, BTreeSet};

use experiment::{End, Outcome};
use smt::Statistics;
use symbolic::Reason;

use super::recorded::Recorded;

/// Counts.
#[derive(Clone, Default, Debug)]
pub struct Tally {
    /// Runs on inputs that were found.
    pub runs: u64,
    /// Runs that were recorded.
    pub recorded: u64,
    /// Recorded runs that went the way of an earlier one.
    pub duplicates: u64,
    /// Inputs that were found again.
    pub repeated: u64,
    /// Turns that no input makes.
    pub never: u64,
    /// Turns of which it was not found out in time whether an input makes them.
    pub unknown: u64,
    /// Turns that were left out, since many like them were tried.
    pub alike: u64,
    /// Inputs that were never followed, since there were too many.
    pub forgotten: u64,
    /// Recorded runs whose replay departed.
    pub departed: u64,
    /// Runs that were ended by a signal.
    pub crashes: u64,
    pub wrong: u64,
    /// Predicted ways that came, and all.
    pub came: u64,
    pub predicted: u64,
    /// The same where nothing was lost or given up.
    pub exact_came: u64,
    pub exact_predicted: u64,
    /// Questions to the solver, and seconds.
    pub questions: u64,
    pub solving: f64,
    /// What was lost, and where.
    pub lost: BTreeMap<(Place, Reason), Lost>,
    /// Why runs could not be followed, and how many.
    pub troubles: BTreeMap<String, u64>,
}

/// Where something was lost.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    pub function: String,
    /// And the line, if they are known.
    pub file: Option<(String, u32)>,
}

/// How often, and in how many runs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lost {
    pub runs: u64,
    pub count: u64,
}

impl Tally {
    pub(super) fn ended(&mut self, end: End, outcome: Outcome) {
        self.crashes += u64::from(matches!(end, End::Killed(_)));
        let is_wrong = !matches!(outcome, Outcome::Passes | Outcome::CannotTell | Outcome::Refused);
        self.wrong += u64::from(is_wrong);
    }

    pub(super) fn predicted(&mut self, came: Option<bool>, is_exact: bool) {
        let Some(came) = came else { return };
        self.predicted += 1;
        self.came += u64::from(came);
        if is_exact {
            self.exact_predicted += 1;
            self.exact_came += u64::from(came);
        }
    }

    pub(super) fn add_lost(&mut self, recorded: &Recorded) {
        let mut counted = BTreeSet::new();
        for (place, reason, count) in &recorded.places {
            let key = (place.clone(), reason.clone());
            let known = self.lost.entry(key.clone()).or_default();
            known.runs += u64::from(counted.insert(key));
            known.count += count;
        }
    }

    pub(super) fn add_questions(&mut self, statistics: &Statistics) {
        self.questions += statistics.questions();
        self.solving += statistics.time.as_secs_f64();
    }
}
