//! Blocks of the heap, by the calls that allocated them.

use std::collections::HashMap;
use std::path::Path;

use execution::allocations::MOST;
use findings::{Line, ordinal};
use program::debug::{TypeShape, place_type};
use program::{Op, Operand, Site};
use replay::Observed;

use super::Pointees;
use super::part::part;
use crate::lines::{line_at, shown_path};
use crate::sources::{Sources, TypeRef};

/// Where each stack of calls allocates for the program, and which of those of its line each block is.
pub struct Numbering {
    /// By stack: the call in the program's own code, and its line.
    places: Vec<Option<(Site, Line)>>,
    /// By block, from 1 on.
    ordinals: Vec<u32>,
    /// Blocks of each line.
    counts: HashMap<Line, u32>,
}

impl Pointees<'_, '_> {
    pub(super) fn block(&self, step: &Observed<'_>, address: u64, target: Option<TypeRef>) -> Option<String> {
        let allocations = &self.run.allocations;
        let Some(position) = allocations.at(address, step.clock) else {
            let is_incomplete = allocations.is_incomplete_at(step.clock);
            return is_incomplete
                .then(|| format!("an unknown address (only the first {MOST} blocks of the heap are remembered)"));
        };
        let block = allocations.blocks()[position];
        let numbering = self.numbering.get_or_init(|| self.number());
        let (site, line) = numbering.places[block.stack.index()].as_ref()?;
        let offset = address - block.address;
        let made = self.type_at(*site).or(target);
        let (what, part) = described(self.sources, made, block.size, offset, target);
        let which = match numbering.counts.get(line) {
            Some(2..) => format!("the {} ", ordinal(numbering.ordinals[position].into())),
            _ => "the ".to_owned(),
        };
        let here = line_at(step.module(), step.function(), step.id());
        let at = |line: &Line| spoken(line, here.as_ref());
        let freed = block.freed_before(step.clock).and_then(|stack| numbering.places[stack.index()].as_ref());
        let freed = freed.map_or_else(String::new, |(_, line)| format!(", freed at {}", at(line)));
        Some(format!("{part}{which}{what} allocated at {}{freed}", at(line)))
    }

    fn number(&self) -> Numbering {
        let allocations = &self.run.allocations;
        let places: Vec<_> = allocations.stacks().iter().map(|stack| self.place(stack)).collect();
        let mut counts: HashMap<Line, u32> = HashMap::new();
        let ordinals = allocations.blocks().iter().map(|block| match &places[block.stack.index()] {
            Some((_, line)) => {
                let count = counts.entry(line.clone()).or_default();
                *count += 1;
                *count
            }
            None => 0,
        });
        let ordinals = ordinals.collect();
        Numbering { places, ordinals, counts }
    }

    /// The call that the program itself allocates by: not in a library, nor in a function that gives out memory of any type, as
    /// allocators that programs write for themselves do.
    fn place(&self, stack: &[Site]) -> Option<(Site, Line)> {
        stack.iter().find_map(|site| {
            let functions = &self.run.functions;
            let line =
                line_at(functions.module(site.function).ok()?, functions.function(site.function), site.instruction)?;
            let is_own = !functions.is_twin(site.function) && !Path::new(&line.file).starts_with("/usr");
            (is_own && !self.gives_any_type(*site)).then_some((*site, line))
        })
    }

    fn gives_any_type(&self, site: Site) -> bool {
        let module = site.function.module as usize;
        let result = self.sources.debug(module).result_type(site.function.function);
        let pointee = result.and_then(|ty| self.sources.pointee(TypeRef { module, ty }));
        pointee.is_some_and(|ty| matches!(self.sources.shape(self.sources.bare(ty)), TypeShape::Void))
    }

    /// What the call's result is assigned to points to.
    fn type_at(&self, site: Site) -> Option<TypeRef> {
        let functions = &self.run.functions;
        let (module, function) = (functions.module(site.function).ok()?, functions.function(site.function));
        let position = site.function.module as usize;
        let debug = self.sources.debug(position);
        let ty = function.instructions.iter().find_map(|instruction| match &instruction.op {
            Op::Store { value, address, .. } if *value == Operand::Result(site.instruction) => match address {
                Operand::Result(slot) if function.is_result_slot(*slot) => debug.result_type(function.id),
                _ => place_type(module, debug, function, address, 8),
            },
            Op::Return { value: Some(value) } if *value == Operand::Result(site.instruction) => {
                debug.result_type(function.id)
            }
            _ => None,
        })?;
        let target = self.sources.pointee(TypeRef { module: position, ty })?;
        (!matches!(self.sources.shape(self.sources.bare(target)), TypeShape::Void)).then_some(target)
    }
}

/// What a block is, and the part of it that is pointed to.
fn described(
    sources: &Sources<'_, '_>,
    made: Option<TypeRef>,
    size: u64,
    offset: u64,
    target: Option<TypeRef>,
) -> (String, String) {
    let sized = made.and_then(|ty| Some((ty, sources.size(ty).filter(|one| *one > 0 && size.is_multiple_of(*one))?)));
    let Some((ty, one)) = sized else {
        let part = match offset {
            0 => String::new(),
            end if end == size => "the end of ".to_owned(),
            offset => format!("byte {offset} of "),
        };
        return (format!("{size}-byte block"), part);
    };
    let name = sources.type_text(ty);
    let count = size / one;
    let what = if count == 1 { name } else { format!("{name}[{count}]") };
    if offset == size {
        return (what, "the end of ".to_owned());
    }
    let part = match (offset, offset / one, part(sources, ty, offset % one, target)) {
        (0, ..) => String::new(),
        (_, _, None) => format!("byte {offset} of "),
        (_, element, Some(inner)) => {
            let member = inner.trim_start_matches('.');
            let member = if member.is_empty() { String::new() } else { format!("member {member} of ") };
            if count == 1 { member } else { format!("{member}element {element} of ") }
        }
    };
    (what, part)
}

/// A line as someone says it who is at another one.
fn spoken(line: &Line, here: Option<&Line>) -> String {
    match here {
        Some(here) if here.file == line.file => format!("line {}", line.line),
        _ => format!("{}:{}", shown_path(&line.file), line.line),
    }
}
