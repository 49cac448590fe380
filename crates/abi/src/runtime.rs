//! The functions of the runtime that instrumented code calls: `pass` declares them as this table says, and the runtime checks its
//! own against the types that the table is made from.

use crate::{FunctionDescriptor, ModuleDescriptor, Slot};

/// What is passed to the runtime or comes back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passed {
    Pointer,
    /// An integer of 32 bits.
    Word,
    /// An integer of 64 bits.
    Long,
}

/// What a call leaves as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Preserves {
    /// As C has it.
    AsC,
    /// Every register but the result's and `r11` (LLVM's `preserve_all`).
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuntimeFunction {
    pub symbol: &'static str,
    pub preserves: Preserves,
    pub parameters: &'static [Passed],
    pub result: Option<Passed>,
}

/// A type of a parameter or result.
trait IsPassed {
    const AS: Passed;
}

impl<T> IsPassed for *const T {
    const AS: Passed = Passed::Pointer;
}

impl<T> IsPassed for *mut T {
    const AS: Passed = Passed::Pointer;
}

impl IsPassed for u32 {
    const AS: Passed = Passed::Word;
}

impl IsPassed for u64 {
    const AS: Passed = Passed::Long;
}

/// Of each function its Rust type and its entry of the table, from one signature.
macro_rules! runtime_functions {
    ($(
        $(#[$about:meta])*
        $name:ident, $alias:ident = $symbol:literal, $preserves:ident,
            ($($parameter:ident: $ty:ty),*) $(-> $result:ty)?;
    )+) => {$(
        pub type $alias = unsafe extern "C" fn($($parameter: $ty),*) $(-> $result)?;
        $(#[$about])*
        pub const $name: RuntimeFunction = RuntimeFunction {
            symbol: $symbol,
            preserves: Preserves::$preserves,
            parameters: &[$(<$ty as IsPassed>::AS),*],
            result: runtime_functions!(@result $($result)?),
        };
    )+};
    (@result) => { None };
    (@result $result:ty) => { Some(<$result as IsPassed>::AS) };
}

runtime_functions! {
    /// Gives this thread a slot. Called when the word at [`SLOT_PLACE`](crate::SLOT_PLACE) is null.
    THREAD, ThreadFn = "__faultline_thread", All, () -> *mut Slot;

    /// Makes room for at least [`RED_ZONE`](crate::RED_ZONE) bytes; cursor and limit change.
    ROOM, RoomFn = "__faultline_room", All, (slot: *mut Slot);

    /// `remaining` fell below zero; gives the value to go on with. `site` points to the byte that stands for the place and says
    /// its [`TickKind`](crate::TickKind); null, where there is no value. `first` and `second` are the operands of what made the
    /// value, `before` is what the variable had that it is assigned to: zero where there is none
    /// ([`AtHand`](crate::AtHand)).
    TICK, TickFn = "__faultline_tick", All,
        (slot: *mut Slot, value: u64, site: *const u8, first: u64, second: u64, before: u64) -> u64;

    /// A watched load met a value its shadow did not have. `what` is the site's key, and the number of bytes shifted left by
    /// 32. Logs a surprise and brings the shadow up to date.
    SURPRISE, SurpriseFn = "__faultline_surprise", All, (slot: *mut Slot, address: u64, value: u64, what: u64);

    /// Instrumented code has moved memory; moves the shadow.
    MOVED, MovedFn = "__faultline_moved", All, (slot: *mut Slot, to: u64, from: u64, length: u64);

    /// An instrumented function was entered from outside. Writes the [`Entered`](crate::Tag::Entered) record, ensures room for
    /// the arguments, which the caller of this logs, and keeps in `saved` (two words) what [`LEAVE`] needs.
    ENTER, EnterFn = "__faultline_enter", AsC, (slot: *mut Slot, entry: u64, saved: *mut u64);

    /// That function returns to outside.
    LEAVE, LeaveFn = "__faultline_leave", AsC, (slot: *mut Slot, saved: *mut u64);

    /// A call that may return twice returned; `level` is the slot's level as it was before the call. Leaves abandoned
    /// signal handlers, writes the [`Setjmp`](crate::Tag::Setjmp) record up to the result, ensures room, clears the token.
    SETJMP, SetjmpFn = "__faultline_setjmp", AsC, (slot: *mut Slot, frame: u64, instruction: u32, level: u32);

    /// Likewise for a landing pad, which leaves no signal handlers.
    LANDED, LandedFn = "__faultline_landed", AsC, (slot: *mut Slot, frame: u64, instruction: u32);

    /// Raises the machine's divide error, as the division it stands for would have.
    DIVIDE_ERROR, DivideErrorFn = "__faultline_divide_error", AsC, ();

    /// Called once for each executable and shared library, by an object that is linked into it (`runtime/object`).
    REGISTER, RegisterFn = "__faultline_register", AsC,
        (
            modules: *const ModuleDescriptor,
            modules_end: *const ModuleDescriptor,
            functions: *const FunctionDescriptor,
            functions_end: *const FunctionDescriptor
        );
}
