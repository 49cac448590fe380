//! Which of the critical predicates is the likeliest fault, by site.
//!
//! A right output is hardly ever made by accident: where several predicates can make it, the one that others depend on is
//! the likelier cause. A crash or a hang is avoided by whatever keeps the program from getting there, so there the
//! nearest comes first, and before it those with which the program still comes to the place of the crash and goes on. That an
//! assertion does not fail if its own condition is reversed says nothing, and is left out.

use std::cmp::Reverse;
use std::collections::HashMap;

use program::Site;
use replay::Step;

use super::Critical;
use subject::trying::explained::explained;
use subject::trying::still::{Looks, brink};
use subject::{Subject, TechniqueError};

/// Critical predicates of one site.
#[derive(Debug)]
pub struct CriticalSite {
    /// The nearest to the failure first.
    pub critical: Vec<Critical>,
    /// How many other critical sites depend on it.
    pub explains: usize,
    /// Of a crash or an assertion: whether the program, with it reversed, comes there again and does not fail.
    pub comes_back: bool,
}

/// Sites whose repaired runs are looked at.
const MOST_RECORDED: usize = 40;
/// Sites whose dependences on each other are looked at.
const MOST_SITES: usize = 200;

/// Runs that are looked at for it are told.
pub fn rank(
    subject: &Subject<'_, '_>,
    critical: &[Critical],
    looks: &mut Looks,
) -> Result<Vec<CriticalSite>, TechniqueError> {
    let mut order: Vec<Site> = Vec::new();
    let mut by_site: HashMap<_, Vec<Critical>> = HashMap::new();
    for one in critical {
        let key = one.predicate.at.site;
        let members = by_site.entry(key).or_default();
        if members.is_empty() {
            order.push(key);
        }
        members.push(one.clone());
    }
    let mut sites: Vec<CriticalSite> = order
        .into_iter()
        .filter_map(|key| by_site.remove(&key))
        .map(|critical| CriticalSite { critical, explains: 0, comes_back: false })
        .collect();
    for site in &mut sites {
        site.critical.sort_by_key(|one| (one.repair, Reverse(one.predicate.at.clock)));
    }
    sites.sort_by_key(|site| {
        let nearest = &site.critical[0];
        (!nearest.is_in_slice, Reverse(nearest.predicate.at.clock))
    });
    if !subject.is_hard_to_satisfy() {
        if let Some(brink) = brink(subject)? {
            sites.retain(|site| !brink.is_at(site.critical[0].predicate.at));
            for site in sites.iter_mut().take(MOST_RECORDED).filter(|site| site.critical[0].with.is_none()) {
                site.comes_back = brink.is_visited(subject, &[site.critical[0].intervention()], looks)?;
            }
            sites.sort_by_key(|site| !site.comes_back);
        }
        return Ok(sites);
    }
    let near: Vec<Step> = sites.iter().take(MOST_SITES).map(|site| site.critical[0].predicate.at).collect();
    if near.len() > 1 {
        let explained = explained(subject, &near)?;
        for (site, explains) in sites.iter_mut().zip(explained) {
            site.explains = explains;
        }
    }
    sites.sort_by_key(|site| {
        let nearest = &site.critical[0];
        let is_single = nearest.with.is_none();
        (nearest.repair, !is_single, !nearest.is_in_slice, Reverse(site.explains))
    });
    Ok(sites)
}
