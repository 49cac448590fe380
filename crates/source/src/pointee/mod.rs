//! What an address points to, as a programmer would say it: `&line[4]`, `&stack.slots[2]`, the 2nd struct node allocated at
//! line 13.
//!
//! Variables of all functions on the stack are found by where their frames lie, which the replay knows at every step of every
//! window; blocks of the heap by what the run allocated. An address of neither is given no name: numbers mean nothing to a
//! reader, and are others in the next run.

mod block;
mod part;

use std::cell::OnceCell;

use execution::Run;
use program::debug::{FunctionDebug, TypeShape, Variable};
use program::{Op, Operand, Storage};
use replay::{Observed, Running};

use crate::sources::{Sources, TypeRef};
use block::Numbering;
use part::part;

/// What is below is no address of anything, but a number somebody made a pointer.
const LOWEST: u64 = 1 << 16;
/// The same for what is above: no process has memory there.
const HIGHEST: u64 = 1 << 47;

pub struct Pointees<'a, 'r> {
    run: &'a Run<'r>,
    sources: &'a Sources<'a, 'a>,
    numbering: OnceCell<Numbering>,
}

/// A variable in memory that an address lies in.
struct Local<'s> {
    running: Running<'s>,
    variable: &'s Variable,
    offset: u64,
    is_innermost: bool,
}

impl<'a, 'r> Pointees<'a, 'r> {
    pub fn new(run: &'a Run<'r>, sources: &'a Sources<'a, 'a>) -> Pointees<'a, 'r> {
        Pointees { run, sources, numbering: OnceCell::new() }
    }

    /// What an address points to when a step is executed; `None` if nobody knows. `target`: what the source says that a pointer
    /// there points to, which tells a struct from its first member.
    pub fn name(&self, step: &Observed<'_>, address: u64, target: Option<TypeRef>) -> Option<String> {
        if !(LOWEST..HIGHEST).contains(&address) {
            return Some(format!("{address:#x}"));
        }
        // What points to anything may point to the whole.
        let target = target.filter(|ty| !matches!(self.sources.shape(self.sources.bare(*ty)), TypeShape::Void));
        self.sources
            .literal(address)
            .or_else(|| self.symbol(address, target))
            .or_else(|| self.local(step, address, target))
            .or_else(|| self.block(step, address, target))
    }

    fn symbol(&self, address: u64, target: Option<TypeRef>) -> Option<String> {
        let symbol = self.sources.symbol(address)?;
        let whole = symbol.ty.map(|ty| part(self.sources, ty, symbol.offset, target));
        Some(match whole {
            Some(Some(part)) => format!("&{}{part}", program::library::in_words(symbol.name)),
            Some(None) | None => format!("&{}", self.sources.symbol_text(&symbol)),
        })
    }

    fn local(&self, step: &Observed<'_>, address: u64, target: Option<TypeRef>) -> Option<String> {
        let Local { running, variable, offset, is_innermost } = self.find_local(step, address)?;
        let ty = TypeRef { module: running.module_position(), ty: variable.ty };
        let place = match part(self.sources, ty, offset, target) {
            Some(part) => format!("&{}{part}", variable.name),
            None => format!("(char *)&{} + {offset}", variable.name),
        };
        let is_same =
            running.function().id == step.function().id && running.module_position() == step.module_position();
        let own = self.sources.function(step.module_position(), step.function().id);
        let is_hidden = own.is_some_and(|own| own.variables.iter().any(|other| other.name == variable.name));
        let function = program::library::in_words(&running.function().name);
        Some(match (is_innermost, is_same, is_hidden) {
            (true, ..) | (false, false, false) => place,
            (false, true, _) => format!("{place} of an outer call of {function}"),
            (false, false, true) => format!("{place} in {function}"),
        })
    }

    fn find_local<'s>(&'s self, step: &'s Observed<'_>, address: u64) -> Option<Local<'s>> {
        for (outwards, running) in step.running().enumerate() {
            let debug = self.sources.function(running.module_position(), running.function().id);
            if let Some((variable, offset)) = debug.and_then(|debug| self.variable(&running, debug, address)) {
                return Some(Local { running, variable, offset, is_innermost: outwards == 0 });
            }
            if running.is_above(address) {
                return None;
            }
        }
        None
    }

    /// The variable of a function on the stack that an address lies in, and how far in.
    fn variable<'s>(
        &self,
        running: &Running<'_>,
        debug: &'s FunctionDebug,
        address: u64,
    ) -> Option<(&'s Variable, u64)> {
        debug.variables.iter().filter(|variable| variable.path.is_empty()).find_map(|variable| {
            let offset = address.checked_sub(self.address_of(running, &variable.holder)?)?;
            let ty = TypeRef { module: running.module_position(), ty: variable.ty };
            let size = self.sources.size(ty).or_else(|| self.size_of(running, &variable.holder))?;
            (offset < size).then_some((variable, offset))
        })
    }

    fn address_of(&self, running: &Running<'_>, holder: &Operand) -> Option<u64> {
        let is_known = match holder {
            Operand::Result(id) => match running.function().instruction(*id).op {
                Op::Alloca { storage: Storage::Dynamic, .. } => {
                    // Behind it, it has been executed.
                    let shape = self.run.functions.shape(running.site().function);
                    let at = running.site().instruction;
                    *id < at && shape.dominators.dominates(shape.block_of(*id), shape.block_of(at))
                }
                _ => true,
            },
            Operand::Parameter(_) | Operand::Constant(_) => true,
        };
        running.address_of(holder).filter(|address| is_known && *address != 0)
    }

    /// The bytes of an array whose length only the run knows.
    fn size_of(&self, running: &Running<'_>, holder: &Operand) -> Option<u64> {
        let Operand::Result(id) = holder else { return None };
        let Op::Alloca { size, count, .. } = &running.function().instruction(*id).op else { return None };
        size.checked_mul(running.word(count)?)
    }
}
