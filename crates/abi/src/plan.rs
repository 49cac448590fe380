//! The plan of an experiment: what is changed in a run, and when. The faultline process writes it into shared memory,
//! the runtime obeys it.
//!
//! At [`SharedHeader::plan_offset`](crate::SharedHeader) stands a [`PlanHeader`], then its interventions in the order of
//! their clocks, then the bytes some of them refer to.

/// What is done, by the number in [`Intervention::kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum InterventionKind {
    /// A branch goes the other way.
    Switch = 1,
    /// The value that is stored, branched on or switched on becomes the operand.
    Replace = 2,
    /// Bytes of the plan are written to the address in the operand, before the step takes effect.
    Write = 3,
    /// From here on each branch and each switch goes by the next word of the plan, as long as there are any.
    Force = 4,
    /// The run ends here.
    Stop = 5,
    /// From here on the place of this step computes something else: an [`Edit`](crate::Edit), whose number is the operand
    /// and whose code is the length. A run has one at most.
    Edit = 6,
}

impl InterventionKind {
    pub fn from_number(number: u32) -> Option<InterventionKind> {
        Some(match number {
            1 => InterventionKind::Switch,
            2 => InterventionKind::Replace,
            3 => InterventionKind::Write,
            4 => InterventionKind::Force,
            5 => InterventionKind::Stop,
            6 => InterventionKind::Edit,
            _ => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Intervention {
    /// When: the clock of the step it concerns, in the program's first thread.
    pub clock: u64,
    /// A value or an address.
    pub operand: u64,
    /// Where in the plan its bytes begin.
    pub offset: u32,
    /// How many bytes; of an edit, its code.
    pub length: u32,
    /// An [`InterventionKind`].
    pub kind: u32,
    pub unused: u32,
}

/// What every byte of a local holds that was never assigned, where that must be the same in every run. No text, no small
/// number, no address: whoever reads it notices.
pub const UNASSIGNED: u8 = 0xa5;

/// In what locals are filled with: that they are. Below it is the byte, which may be zero.
pub const IS_FILLED: u64 = 0x100;

#[repr(C)]
pub struct PlanHeader {
    /// The run is ended when the clock gets there; `u64::MAX`: never.
    pub budget: u64,
    /// What the program is told the time is at its start: nanoseconds since 1970.
    pub epoch: u64,
    /// What every byte of a local is before it is assigned, for instance [`UNASSIGNED`], with [`IS_FILLED`]. Zero:
    /// whatever is there.
    pub fills: u64,
    /// How many interventions follow.
    pub count: u32,
    /// Bytes of the whole plan.
    pub length: u32,
}

/// What kind of step a tick belongs to: the byte that the place passed to [`TICK`](crate::TICK) points to. Places are told
/// apart by where that byte is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum TickKind {
    /// Nothing about it can be replaced.
    Other = 0,
    Store = 1,
    Branch = 2,
    Switch = 3,
}

impl TickKind {
    pub fn from_number(number: u8) -> TickKind {
        match number {
            1 => TickKind::Store,
            2 => TickKind::Branch,
            3 => TickKind::Switch,
            _ => TickKind::Other,
        }
    }
}
