//! Carries the decisions out: puts log, clock and hash into the code.
//!
//! Per function, five values ride in registers (as promotable allocas): the slot, the cursor into the log, the ticks
//! that remain, the running hash, the mask that leads to the shadow. The cursor is written back to the slot with each entry, the other two at the end
//! of each block and before each call, so that memory tells the truth whenever the program may be killed.
//! Accesses to memory that others may see are made volatile: the optimiser neither drops nor reorders them against
//! the log.

mod arithmetic;
mod call;
mod memory;
mod entry;
mod function;
mod runtime;
mod state;
mod tick;
mod sites;

use llvm::Module;

use crate::builder::Builder;
use crate::decide::Decisions;
use crate::descriptor;
use crate::save::{self, Saved};

pub fn instrument<'m>(module: &'m Module, decisions: &Decisions<'m>, saved: &Saved) {
    let builder = Builder::new(module);
    let addresses = descriptor::addresses(module, decisions, &builder);
    let runtime = runtime::Runtime::declare(module, &builder);
    let sites = sites::Sites::new(module, &builder);
    for decision in &decisions.functions {
        function::instrument(module, &builder, &runtime, &sites, decision);
    }
    sites.emit(module);
    descriptor::emit(module, decisions, &builder, saved.module, addresses);
    save::embed(module, saved);
}
