//! The causal path, computed backwards from the failure (the paper's figures 7 and 8).
//!
//! The relevant set holds the differences that the failure was brought about by, as far back as it was followed. The
//! latest of them is taken out, and the smallest set of earlier ones that brings it about is put in. Between one that is
//! made from the other, nothing relevant is defined, so no point there has to be looked at (rule *Def-Free*).

use std::collections::{BTreeMap, BTreeSet};

use comparison::CauseId;
use experiment::shrink::{Begin, Stopped, minimise};

use super::differences::{Differences, Sources};
use super::trial::{Setting, Trials};
use subject::TechniqueError;

/// Whether re-execution is left out where it is known to show nothing new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastPasses {
    Taken,
    /// Every step is shown by an experiment: the slow twin of the other, for tests.
    Never,
}

/// How it is known what a difference was brought about by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Both runs made it from one and the same variable (rule *Definition*).
    Definition,
    /// Experiments show that these bring it about; if `is_minimal`, none of them can be left out.
    Induced { is_minimal: bool },
    /// The versions differ in these, and nothing else that differs before it is enough.
    Edited,
    /// It depends on these; no experiment shows that they are enough.
    Dependence,
    /// Nothing before it differs that it depends on.
    Nothing,
}

/// One step of the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathStep {
    pub id: CauseId,
    /// What brought it about, in the order of execution.
    pub sources: Vec<CauseId>,
    pub how: How,
}

#[derive(Clone, Default, Debug)]
pub struct Path {
    /// From the failure, which is the first, backwards.
    pub steps: Vec<PathStep>,
    /// There was no time, or no leave, for all experiments.
    pub is_cut_short: bool,
}

impl Path {
    /// What nothing stands behind, the earliest first.
    pub fn heads(&self) -> impl Iterator<Item = &PathStep> {
        self.steps.iter().rev().filter(|step| step.sources.is_empty())
    }

    /// The relevant set after each step: that one taken out and its sources put in.
    pub fn relevant_sets(&self) -> impl Iterator<Item = BTreeSet<CauseId>> {
        self.steps.iter().scan(BTreeSet::from([SUBJECT]), |relevant, step| {
            relevant.remove(&step.id);
            relevant.extend(&step.sources);
            Some(relevant.clone())
        })
    }

    /// Whether every step was shown, by an experiment or by how it was made.
    pub fn is_shown(&self) -> bool {
        self.steps.iter().all(|step| !matches!(step.how, How::Dependence))
    }
}

/// Steps of a path that are kept: with more it explains nothing. Without time for experiments, all that differs is on it.
const MOST_STEPS: usize = 2000;

/// Computes the path. At most `most` experiments are made.
pub fn path(trials: &mut Trials<'_, '_>, passes: FastPasses, most: u64) -> Result<Path, TechniqueError> {
    let differences = trials.differences;
    let mut path = Path::default();
    let mut relevant = BTreeMap::from([(differences.key(SUBJECT), SUBJECT)]);
    while let Some((_, id)) = relevant.pop_last() {
        let sources = differences.sources(id);
        let known: Vec<CauseId> = relevant.values().copied().filter(|one| sources.all.contains(one)).collect();
        let (from, how) = brought_about(trials, passes, most, id, &sources, &known)?;
        relevant.extend(from.iter().map(|source| (differences.key(*source), *source)));
        path.is_cut_short |= how == How::Induced { is_minimal: false } || is_spent(trials, most);
        path.steps.push(PathStep { id, sources: from, how });
        if path.steps.len() == MOST_STEPS && !relevant.is_empty() {
            path.is_cut_short = true;
            break;
        }
    }
    Ok(path)
}

/// The failure itself.
pub const SUBJECT: CauseId = CauseId(0);

/// The smallest set of earlier differences that brings one about. Those that are relevant anyway are preferred.
fn brought_about(
    trials: &mut Trials<'_, '_>,
    passes: FastPasses,
    most: u64,
    id: CauseId,
    sources: &Sources,
    known: &[CauseId],
) -> Result<(Vec<CauseId>, How), TechniqueError> {
    let all = &sources.all;
    if trials.differences.is_of_one_version(id)
        || trials.differences.is_edited(id)
        || (!trials.differences.can_be_set(id) && id != SUBJECT && trials.differences.is_changed(id)?)
    {
        return Ok((Vec::new(), How::Nothing));
    }
    if all.is_empty() {
        return without_settable(trials.differences, id, sources);
    }
    if passes == FastPasses::Taken && sources.is_definition && all.len() == 1 {
        return Ok((all.clone(), How::Definition));
    }
    let unproven = || [&all[..], &sources.ends[..], &sources.edited[..]].concat();
    if is_spent(trials, most) {
        return Ok((in_order(trials.differences, unproven()), How::Dependence));
    }
    if !known.is_empty() && known.len() < all.len() && induces(trials, all, known, id)? {
        return minimal(trials, most, all, known, id);
    }
    if induces(trials, all, all, id)? {
        return minimal(trials, most, all, all, id);
    }
    // With all that differs before it made the same, it is not: where the versions differ decides it.
    let edited = without_settable(trials.differences, id, &Sources { ends: Vec::new(), ..sources.clone() })?;
    if edited.1 == How::Edited || trials.differences.is_changed(id)? {
        return Ok(edited);
    }
    Ok((in_order(trials.differences, unproven()), How::Dependence))
}

/// What is behind a difference besides what can be set.
fn without_settable(
    differences: &Differences<'_, '_>,
    id: CauseId,
    sources: &Sources,
) -> Result<(Vec<CauseId>, How), TechniqueError> {
    if differences.is_changed(id)? {
        return Ok((Vec::new(), How::Nothing));
    }
    Ok(if !sources.edited.is_empty() {
        (sources.edited.clone(), How::Edited)
    } else if !sources.ends.is_empty() {
        (sources.ends.clone(), How::Dependence)
    } else {
        (Vec::new(), How::Nothing)
    })
}

fn is_spent(trials: &Trials<'_, '_>, most: u64) -> bool {
    trials.made >= most || trials.subject.is_over()
}

fn in_order(differences: &Differences<'_, '_>, mut ids: Vec<CauseId>) -> Vec<CauseId> {
    ids.sort_by_key(|id| differences.key(*id));
    ids
}

/// Whether some of the candidates bring it about while the others are held.
fn induces(
    trials: &mut Trials<'_, '_>,
    all: &[CauseId],
    chosen: &[CauseId],
    target: CauseId,
) -> Result<bool, TechniqueError> {
    let held: Vec<CauseId> = all.iter().filter(|one| !chosen.contains(one)).copied().collect();
    trials.induces(Setting { failing: chosen, reference: &held }, target)
}

/// Leaves out of a set that brings it about what can be left out, the earliest first.
fn minimal(
    trials: &mut Trials<'_, '_>,
    most: u64,
    all: &[CauseId],
    from: &[CauseId],
    target: CauseId,
) -> Result<(Vec<CauseId>, How), TechniqueError> {
    if let &[_] = from {
        // Without any, the run is the reference, where it is otherwise.
        return Ok((from.to_vec(), How::Induced { is_minimal: true }));
    }
    let mut failed = None;
    let left = minimise(from.len(), Begin::Halves, 1, |questions| {
        let mut answers = Vec::new();
        for kept in questions {
            if is_spent(trials, most) {
                return Err(Stopped);
            }
            let chosen: Vec<CauseId> = kept.iter().map(|position| from[*position]).collect();
            let answer = if chosen.is_empty() { Ok(false) } else { induces(trials, all, &chosen, target) };
            match answer {
                Ok(answer) => answers.push(answer),
                Err(error) => {
                    failed = Some(error);
                    return Err(Stopped);
                }
            }
        }
        Ok(answers)
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let kept = left.kept.into_iter().map(|position| from[position]).collect();
    Ok((kept, How::Induced { is_minimal: left.is_minimal }))
}
