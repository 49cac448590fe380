//! Small edits.
//!
//! # What it finds
//! Conditions and assignments that are written wrongly: with a small change of one of them, made at every execution, the run
//! would have been right.
//!
//! # How
//! Every condition and every assignment that the run executed is edited in a run of its own: another comparison, another
//! operator, an operand one more or less, another number, only one operand, operands exchanged. Cruder edits follow: always
//! or never, a constant, nothing at all. The program is not compiled again: the edit is made where the value is stored or
//! branched on. Places that the failure depends on come first. Of several places with edits that make the run right, those
//! come first where only finer ones do, and among them those that fewer right lines of the output depend on.
//!
//! # Where it departs from the paper
//! Papers on mutants judge each line by what its mutants do to a suite of tests. Here one failing run must become right as
//! a whole, which few edits bring about; no suite is needed.
//!
//! # What it misses
//! What is missing, what is wrong in several places, and operands that no small change makes right. What a call is given or
//! returns is edited where it arrives. Many wrong edits keep a program from crashing or hanging. So where the expected
//! output is not known, only the finer edits count, and of these only those with which the program reaches the place of the
//! crash, or the condition that failed, again and continues; the later they make a difference, the better. For a hang or a
//! wrong exit status nothing is tried.
//!
//! # Reference
//! Moon, Kim, Kim and Yoo, *Ask the Mutants: Mutating Faulty Programs for Fault Localization*; Papadakis and Le Traon,
//! *Metallaxis-FL*.

pub mod edits;
mod explain;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use abi::{Edit, InstructionId};
use execution::dependence::graph::VertexId;
use execution::first_difference::first_differences;
use execution::sites::{ExecutedSite, executed_sites};
use experiment::{Change, Intervention};
use findings::Tried;
use program::{FunctionKey, Site, assigned_before};
use replay::Step;

use edits::edits;
use subject::place::own_location;
use subject::trying::explained::explained;
use subject::trying::settling::Settling;
use subject::trying::still::{Brink, Looks, brink};
use subject::{Effort, Fineness, Found, Remedy, Repair, RepairingEdit, Subject, TechniqueError};

/// Experiments that are made even if none of them repairs the run, unless all are asked for.
const WORTHWHILE: usize = 6000;
/// Sites whose dependences on each other are looked at.
const MOST_SITES: usize = 200;
/// Sites of which runs are recorded to see whether they come to the place of a crash again; and runs of each.
const MOST_RECORDED: usize = 40;
const MOST_RECORDED_OF_SITE: usize = 3;

/// An edit of one site.
#[derive(Clone, Copy)]
struct Candidate {
    site: ExecutedSite,
    edit: Edit,
    fineness: Fineness,
    /// The how many-th of its site.
    turn: usize,
    closeness: Closeness,
    /// The step of the site that is nearest to the failure.
    nearest: Step,
}

/// How a site stands to the failure; the closest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Closeness {
    is_outside_slice: bool,
    /// Lines of the output that are right and depend on it.
    right_lines: u32,
    distance: u32,
}

/// Edits of one site that make the run better. Where a crude one does, the finer ones show no more than it: it comes first.
struct RepairingSite {
    repairs: Vec<(Candidate, Repair)>,
    /// How many others depend on it.
    explains: usize,
    /// Where nothing else is known of what is right: whether the program comes to where it failed again, and goes on.
    comes_back: bool,
}

/// How the experiments went.
struct Made {
    experiments: usize,
    candidates: usize,
    sites: usize,
    is_settled: bool,
    runs: u64,
    /// Of a crash or a failed assertion: how many edits kept the program from it.
    avoided: Option<u64>,
    looks: Looks,
}

impl Candidate {
    fn edit_of(&self) -> (Site, Edit) {
        (self.site.first.site, self.edit)
    }

    fn intervention(&self) -> Intervention {
        Intervention { clock: self.site.first.clock, change: Change::Edit(self.edit) }
    }

    fn experiment(&self) -> Vec<Intervention> {
        vec![self.intervention()]
    }
}

impl RepairingSite {
    /// The finest edit that makes the run right.
    fn remedy(&self) -> Option<Remedy> {
        let all = self.repairs.iter().filter(|(_, repair)| *repair == Repair::All);
        let (finest, _) = all.min_by_key(|(one, _)| (one.fineness, one.turn))?;
        Some(Remedy { changes: finest.experiment(), edited: Some(finest.site.first) })
    }

    /// The finest edits that make the run right.
    fn edits(&self) -> Vec<RepairingEdit> {
        let mut all: Vec<Candidate> =
            self.repairs.iter().filter(|(_, repair)| *repair == Repair::All).map(|(one, _)| *one).collect();
        all.sort_by_key(|one| (one.fineness, one.turn));
        all.iter().take(MOST_EDITS).map(|one| RepairingEdit { first: one.site.first, edit: one.edit }).collect()
    }
}

/// Edits of a site that are told as preventing the failure.
const MOST_EDITS: usize = 4;

pub fn find(subject: &Subject<'_, '_>) -> Result<Found, TechniqueError> {
    let oracle = subject.lab.oracle();
    let is_right_known = oracle.output.is_some() || oracle.check.is_some();
    let brink = if is_right_known { None } else { brink(subject)? };
    if !is_right_known && brink.is_none() {
        return Ok(Found { tried: vec![Tried::NoEdits], ..Found::default() });
    }
    let mut all = candidates(subject)?;
    if let Some(brink) = &brink {
        // What decided that the program gives up must not be edited away.
        all.retain(|one| one.fineness == Fineness::Fine && !brink.is_at(one.site.first));
    }
    let sites = all.iter().map(|one| one.site.first).collect::<HashSet<_>>().len();
    let experiments: Vec<_> = all.iter().map(Candidate::experiment).collect();
    let worthwhile = if subject.effort == Effort::Everything { all.len() } else { WORTHWHILE.min(all.len()) };
    let mut settling = Settling::new(worthwhile);
    let (mut repairing, mut is_settled) = (Vec::new(), false);
    let done = subject.lab.try_all(&experiments, |position, outcome| {
        settling.done += 1;
        subject.progress.tried("small edits", settling.done, experiments.len());
        let repair = Repair::of(outcome);
        subject.note("edit", all[position].nearest, repair, all[position].fineness);
        if let Some(repair) = repair {
            repairing.push((position, repair));
        }
        is_settled = subject.effort == Effort::UntilSettled && settling.is_settled();
        if is_settled || subject.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    repairing.sort_unstable();
    let mut tried = Made {
        experiments: done.count,
        candidates: all.len(),
        sites,
        is_settled,
        runs: done.runs as u64,
        avoided: brink.as_ref().map(|_| repairing.len() as u64),
        looks: Looks::default(),
    };
    let mut sites = rank(subject, repairing.into_iter().map(|(position, repair)| (all[position], repair)))?;
    if let Some(brink) = &brink {
        sites = come_back(subject, brink, sites, &mut tried.looks)?;
        tried.runs += tried.looks.runs;
    }
    let suspects = explain::suspects(subject, &sites)?;
    let (said, limits) = (vec![explain::tried(&tried, &sites)], explain::limits(&tried));
    let remedies = Some(sites.iter().filter_map(RepairingSite::remedy).collect());
    let edits = sites.iter().flat_map(RepairingSite::edits).collect();
    Ok(Found { suspects, limits, tried: said, experiments: tried.runs, remedies, edits, ..Found::default() })
}

/// Leaves only what brings the program to where it failed, and further. Of many edits that do, those come first that
/// make a difference only late: what the program did until then was no failure.
fn come_back(
    subject: &Subject<'_, '_>,
    brink: &Brink,
    sites: Vec<RepairingSite>,
    looks: &mut Looks,
) -> Result<Vec<RepairingSite>, TechniqueError> {
    let edits: Vec<_> = sites.iter().flat_map(|site| &site.repairs).map(|(one, _)| one.edit_of()).collect();
    let mut begins = first_differences(subject.run, &edits)?.into_iter();
    let mut late: Vec<(Option<Step>, RepairingSite)> = Vec::new();
    for mut site in sites {
        let mut repairs: Vec<_> = begins.by_ref().take(site.repairs.len()).zip(site.repairs).collect();
        repairs.sort_by_key(|(begin, _)| Reverse(*begin));
        let latest = repairs.first().and_then(|(begin, _)| *begin);
        site.repairs = repairs.into_iter().map(|(_, repair)| repair).collect();
        late.push((latest, site));
    }
    late.sort_by_key(|(latest, _)| Reverse(*latest));
    let mut sites: Vec<RepairingSite> = late.into_iter().map(|(_, site)| site).collect();
    let beyond = sites.split_off(sites.len().min(MOST_RECORDED));
    looks.left_out += beyond.iter().map(|site| site.repairs.len() as u64).sum::<u64>();
    for site in &mut sites {
        let mut kept = Vec::new();
        for (candidate, repair) in site.repairs.iter().take(MOST_RECORDED_OF_SITE) {
            if brink.is_visited(subject, &[candidate.intervention()], looks)? {
                kept.push((*candidate, *repair));
            }
        }
        site.comes_back = !kept.is_empty();
        if !site.comes_back {
            // Where one comes back, the others of its place would say no more.
            looks.left_out += site.repairs.len().saturating_sub(MOST_RECORDED_OF_SITE) as u64;
        }
        site.repairs = kept;
    }
    sites.retain(|site| site.comes_back);
    Ok(sites)
}

/// What is tried, in this order: the first edit of each site, then the second of each, and so on.
fn candidates(subject: &Subject<'_, '_>) -> Result<Vec<Candidate>, TechniqueError> {
    let nearness = subject.nearness()?;
    let mut nearest: HashMap<_, (u32, Step)> = HashMap::new();
    for (vertex, &step) in (0..).map(VertexId).zip(&nearness.graph.steps) {
        if let Some(distance) = nearness.distance(vertex) {
            let known = nearest.entry(step.site).or_insert((distance, step));
            // Steps of the graph are numbered from the latest on, and of those as near the latest tells most.
            if distance < known.0 {
                *known = (distance, step);
            }
        }
    }
    let right = subject.right_lines()?;
    let mut all = Vec::new();
    let mut assigned: HashMap<FunctionKey, HashSet<InstructionId>> = HashMap::new();
    for site in executed_sites(subject.run)? {
        // What has no place of its own, like a parameter's arrival, nobody wrote.
        let Some(location) = own_location(subject.run, site.first) else { continue };
        let near = nearest.get(&site.first.site).copied();
        let closeness = Closeness {
            is_outside_slice: near.is_none(),
            right_lines: right.depending_on(&location.file, location.line),
            distance: near.map_or(u32::MAX, |(distance, _)| distance),
        };
        let nearest = near.map_or(site.first, |(_, step)| step);
        let function = subject.run.functions.function(site.first.site.function);
        let assigned = assigned.entry(site.first.site.function).or_insert_with(|| assigned_before(function));
        let turns = edits(function, assigned, site.first.site.instruction).into_iter().enumerate();
        all.extend(turns.map(|(turn, (edit, fineness))| Candidate { site, edit, fineness, turn, closeness, nearest }));
    }
    all.sort_by_key(|one| (one.turn, one.closeness));
    Ok(all)
}

/// The likeliest first. What is written wrongly makes later values wrong, so of several places that could make the run right
/// those come first that others depend on.
fn rank(
    subject: &Subject<'_, '_>,
    repairs: impl Iterator<Item = (Candidate, Repair)>,
) -> Result<Vec<RepairingSite>, TechniqueError> {
    let mut by_site: HashMap<_, Vec<(Candidate, Repair)>> = HashMap::new();
    for (candidate, repair) in repairs {
        by_site.entry(candidate.site.first.site).or_default().push((candidate, repair));
    }
    let site = |repairs| RepairingSite { repairs, explains: 0, comes_back: false };
    let mut sites: Vec<RepairingSite> = by_site.into_values().map(site).collect();
    for site in &mut sites {
        site.repairs.sort_by_key(|(one, repair)| (*repair, Reverse(one.fineness), one.turn));
    }
    let order = |site: &RepairingSite| {
        let (best, repair) = site.repairs[0];
        (repair, best.fineness, Reverse(site.explains), best.closeness, best.site.first)
    };
    sites.sort_by_key(order);
    let steps: Vec<Step> = sites.iter().take(MOST_SITES).map(|site| site.repairs[0].0.nearest).collect();
    for (site, explains) in sites.iter_mut().zip(explained(subject, &steps)?) {
        site.explains = explains;
    }
    sites.sort_by_key(order);
    Ok(sites)
}
