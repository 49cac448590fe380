//! What `pass` did at an instruction, told to `program` by metadata of kind [`PROBE_METADATA`] in the saved IR:
//! a node of two integers, [`Probe::code`] and an argument.

pub const PROBE_METADATA: &str = "faultline";

/// String attribute of every instrumented function: `"open"` or `"closed"`. Absent: the function is outside.
pub const FUNCTION_ATTRIBUTE: &str = "faultline";
/// String attribute: the function logs its frame's address on entry, after its arguments.
pub const FRAME_ATTRIBUTE: &str = "faultline-frame";
/// String attribute of every instrumented function: its type hash in decimal, see `call_token`.
pub const TYPE_ATTRIBUTE: &str = "faultline-type";
/// String attribute: the function advances the clock once on entry, before its first instruction.
pub const ENTRY_TICK_ATTRIBUTE: &str = "faultline-entry-tick";
/// Named metadata: strings, why functions of this module are outside though they were compiled by us.
pub const LIMITS_METADATA: &str = "faultline.limits";

/// Set in a probe's code when the instruction advances the clock (before it takes effect).
pub const TICKS: u32 = 0x100;
/// Set in a probe's code when the instruction joins the running hash, see [`hash_step`].
pub const HASHES: u32 = 0x200;

/// Set in a store's code when the shadow follows it, see the `watch` module.
pub const SHADOWS: u32 = 0x400;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum Probe {
    /// Nothing but the flags.
    Plain = 0,
    /// An alloca that lives in registers natively; its loads and stores are not logged.
    Local = 1,
    /// An alloca at this offset (the argument) of the frame.
    Frame = 2,
    /// An alloca whose address is logged each time.
    Dynamic = 3,
    /// The result is logged: loads from memory, atomics, inline assembly, intrinsics we do not compute.
    Logged = 4,
    /// A call that may reach instrumented or outside code, decided by the callee's address, see `call_token`.
    /// The argument is the type hash the call is made with.
    Open = 5,
    /// A call that surely reaches the instrumented function it names.
    Closed = 6,
    /// A call that may return twice; each return logs a `Tag::Setjmp` record.
    Setjmp = 7,
    /// A landing pad; logs a `Tag::Landed` record.
    Landing = 8,
    /// A load that is logged only if it differs from what the program itself last saw there, see the `watch` module.
    /// The argument is the site's key.
    Watched = 9,
}

impl Probe {
    pub fn code(self, flags: u32) -> u32 {
        self as u32 | flags
    }

    /// The probe and its flags.
    pub fn decode(code: u32) -> Option<(Probe, u32)> {
        let probe = match code & 0xff {
            0 => Probe::Plain,
            1 => Probe::Local,
            2 => Probe::Frame,
            3 => Probe::Dynamic,
            4 => Probe::Logged,
            5 => Probe::Open,
            6 => Probe::Closed,
            7 => Probe::Setjmp,
            8 => Probe::Landing,
            9 => Probe::Watched,
            _ => return None,
        };
        Some((probe, code & !0xff))
    }
}

/// One step of the running hash that lets a replay check itself. A conditional branch joins with its outcome, a
/// switch with its value, a store (where asked for) with its value xor its address.
pub const fn hash_step(hash: u64, joined: u64) -> u64 {
    hash.wrapping_mul(3).wrapping_add(joined)
}
