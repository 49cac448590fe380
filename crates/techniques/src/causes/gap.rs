//! Where in the failing version that stands which only the reference did.
//!
//! If the failing version has the statement, it is there, though nobody executed it. If it has not, it has a gap: between the
//! statements of both versions that stand around it in the reference's text. What the failing version has in the gap came
//! to stand there instead.

use abi::InstructionId;
use comparison::Pair;
use findings::Location;
use program::Site;
use replay::Step;
use source::lines::line_at;

use subject::place::site_location;

/// Whether the failing version has a statement itself, or a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    NotExecuted,
    Gap,
}

/// `None` if the failing version has not even the function.
pub fn gap(pair: &Pair<'_, '_>, at: Step) -> Option<(Location, Standing)> {
    let of_failing = |site: Site| site_location(pair.runs.right, site.function, site.instruction);
    let Some(map) = pair.map else {
        return Some((of_failing(at.site)?, Standing::NotExecuted));
    };
    let (failing, sites) = map.function(at.site.function)?;
    if let Some(site) = sites.site(at.site.instruction) {
        return Some((of_failing(failing.at(site))?, Standing::NotExecuted));
    }
    let functions = &pair.runs.left.functions;
    let (module, function) = (functions.module(at.site.function).ok()?, functions.function(at.site.function));
    let line = |id: InstructionId| line_at(module, function, id).map_or(0, |line| line.line);
    let count = function.instructions.len() as u32;
    let partner = |id: InstructionId| Some((line(id), sites.site(id)?));
    let before: Option<(u32, InstructionId)> = (0..at.site.instruction.0).rev().map(InstructionId).find_map(partner);
    let after = (at.site.instruction.0 + 1..count).map(InstructionId).find_map(partner);
    let is_between =
        |id: &InstructionId| before.is_none_or(|(_, first)| first < *id) && after.is_none_or(|(_, last)| *id < last);
    let instead = sites.added.iter().copied().filter(is_between).find_map(|id| of_failing(failing.at(id)));
    let near = || {
        // What was changed beside it is part of the same edit. A condition stands before what hinges on it.
        let own = line(at.site.instruction);
        let is_changed = |site: InstructionId| sites.changed.iter().any(|(_, changed)| *changed == site);
        let distance = |(line, site): &(u32, InstructionId)| (!is_changed(*site), line.abs_diff(own));
        let nearest = after.into_iter().chain(before).min_by_key(distance)?;
        of_failing(failing.at(nearest.1))
    };
    Some((instead.or_else(near)?, Standing::Gap))
}
