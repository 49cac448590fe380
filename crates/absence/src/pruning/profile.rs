//! Values that places of the program have in tests that pass (value profiles): the range that a value could have been from.

use std::collections::{BTreeSet, HashMap, HashSet};

use abi::StreamId;
use execution::Run;
use execution::noted::values_at;
use experiment::sandbox::Walls;
use experiment::{LabError, Limits, Verdict};
use program::Site;
use recording::folder::Folder;
use replay::Image;

use super::pruned::Pruned;
use subject::trying::tested::tested;
use subject::{Subject, TechniqueError};

/// Tests that are looked at, at most.
const MOST_TESTS: usize = 12;
/// Values that are remembered of a place.
const MOST_VALUES: usize = 64;

/// What passing tests show; nothing if there are none.
#[derive(Default)]
pub struct Profile {
    seen: HashMap<Site, BTreeSet<u64>>,
}

impl Profile {
    /// Runs tests of the suite, as long as there is time, and notes the values of all places in a set.
    pub fn of(subject: &Subject<'_, '_>, set: &Pruned) -> Result<Profile, TechniqueError> {
        let mut profile = Profile::default();
        if subject.tests.is_empty() {
            return Ok(profile);
        }
        let sites: HashSet<Site> = set.flow.steps.iter().map(|at| at.site).collect();
        let walls = Walls::needed().ok_or(LabError::NoWalls)?;
        let limits = Limits { time: subject.lab.patience(), ..Limits::default() };
        let folder = Folder::new("profile").map_err(LabError::Io)?;
        for (number, test) in subject.tests.iter().take(MOST_TESTS).enumerate() {
            if subject.is_over() {
                break;
            }
            subject.progress.tried("tests, for their values", number, subject.tests.len().min(MOST_TESTS));
            let path = folder.path().join(format!("{number}.flt"));
            let tested = tested(test, walls, &limits, &path, subject.budget, |recording| {
                let image = Image::within(recording, subject.budget);
                values_at(&Run::new(&image, StreamId::MAIN)?, &sites, MOST_VALUES)
            });
            let (verdict, values) = match tested {
                Ok(tested) => tested,
                // What other tests have shown remains.
                Err(error) if error.spent().is_some() => break,
                Err(error) => return Err(error.into()),
            };
            if verdict == Verdict::Right {
                for (site, values) in values {
                    profile.seen.entry(site).or_default().extend(values);
                }
            }
        }
        Ok(profile)
    }

    /// Adds the values of a place to those of the failing run.
    pub fn add_to(&self, place: Site, own: &mut Vec<u64>) {
        if let Some(seen) = self.seen.get(&place) {
            own.extend(seen);
            own.sort_unstable();
            own.dedup();
        }
    }
}
