//! Which instructions concern the shadow at the moment. Most of a run has nothing to do with symbols; of such an instruction
//! the shadow learns nothing, and each costs a look into a table.

use std::cell::Cell;
use std::rc::Rc;

use abi::InstructionId;
use execution::{Action, Uses};

/// Of interest while a register of the function is symbolic.
pub(super) const REGISTERS: u8 = 1;
/// Of interest while memory is symbolic, too, or may become so.
pub(super) const MEMORY: u8 = 2;
/// Of interest always.
pub(super) const ALWAYS: u8 = 4;
/// Of interest while it is noted which ways control goes.
pub(super) const WAYS: u8 = 8;

/// Of a function, by instruction: the conditions under which each is of interest.
#[derive(Clone)]
pub(super) struct Concerns(Rc<[Cell<u8>]>);

impl Concerns {
    pub fn none() -> Concerns {
        Concerns(Rc::new([]))
    }

    pub fn of(uses: &Uses) -> Concerns {
        Concerns(uses.instructions.iter().map(|used| Cell::new(of_action(used.action))).collect())
    }

    #[inline(always)]
    pub fn meet(&self, id: InstructionId, alert: u8) -> bool {
        self.0.get(id.index()).is_some_and(|concern| concern.get() & alert != 0)
    }

    /// All is known of the ways that control goes here.
    pub fn settle(&self, id: InstructionId) {
        if let Some(concern) = self.0.get(id.index()) {
            concern.set(concern.get() & !WAYS);
        }
    }
}

fn of_action(action: Action) -> u8 {
    match action {
        Action::Nothing | Action::Leave => 0,
        Action::Pure
        | Action::Phi
        | Action::LoadLocal { .. }
        | Action::StoreLocal { .. }
        | Action::Jump
        | Action::Return => REGISTERS,
        Action::Branch => REGISTERS | WAYS,
        Action::Load { .. }
        | Action::LoadArea { .. }
        | Action::Store { .. }
        | Action::Copy
        | Action::Fill
        | Action::Atomic { .. } => REGISTERS | MEMORY,
        Action::StartList | Action::CopyList | Action::Call | Action::Invoke => ALWAYS,
    }
}
