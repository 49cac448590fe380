//! Two recorded runs that are to be compared.

use std::sync::Arc;

use abi::{InstructionId, ModuleId};
use program::{Module, Site};
use replay::{Image, ReplayError};

use super::side::{Side, Sides};
use execution::Run;
use nesting::align::versions::SiteMap;
use source::sources::Sources;

#[derive(Clone, Copy)]
pub struct Pair<'a, 'r> {
    pub runs: Sides<&'a Run<'r>>,
    pub sources: Sides<&'a Sources<'a, 'r>>,
    /// None: both are of one program.
    pub map: Option<&'a SiteMap>,
}

/// Which sites of two programs are the same; none if they are one and the same program.
pub fn site_map(left: &Image<'_>, right: &Image<'_>) -> Result<Option<SiteMap>, ReplayError> {
    let modules = |image: &Image<'_>| -> Vec<ModuleId> { image.recording.modules().iter().map(|m| m.id).collect() };
    if modules(left) == modules(right) {
        return Ok(None);
    }
    let read = |image: &'_ Image<'_>| -> Result<Vec<Arc<Module>>, ReplayError> {
        (0..image.module_count()).map(|position| image.module(position).cloned()).collect()
    };
    let (left, right) = (read(left)?, read(right)?);
    let left: Vec<&Module> = left.iter().map(|m| &**m).collect();
    let right: Vec<&Module> = right.iter().map(|m| &**m).collect();
    Ok(Some(SiteMap::of(&left, &right)))
}

impl Pair<'_, '_> {
    /// The same site in the other program.
    pub fn site(&self, side: Side, site: Site) -> Option<Site> {
        let Some(map) = self.map else { return Some(site) };
        match side {
            Side::Left => {
                let (new, sites) = map.function(site.function)?;
                Some(new.at(sites.site(site.instruction)?))
            }
            Side::Right => {
                let (old, _, sites) = map.functions().into_iter().find(|(_, new, _)| *new == site.function)?;
                let count = self.runs.left.functions.function(old).instructions.len() as u32;
                let same = (0..count).map(InstructionId).find(|id| sites.site(*id) == Some(site.instruction))?;
                Some(old.at(same))
            }
        }
    }
}
