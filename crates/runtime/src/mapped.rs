//! Structs in memory that others look at: the faultline process, or whatever comes after the program is killed.

use core::ptr::NonNull;

/// Such a struct, of those in `abi` or like them. Its fields are read and written one at a time ([`get`], [`set`]), volatile, in
/// the order in which the source has it.
#[repr(transparent)]
pub struct Mapped<T>(NonNull<T>);

impl<T> Clone for Mapped<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Mapped<T> {}

impl<T> PartialEq for Mapped<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Mapped<T> {
    /// # Safety
    ///
    /// Not null: the struct lies there, aligned, in memory that can be read and written for as long as any copy of this is used. It is made
    /// of numbers and pointers, so that any bytes are a value of each field.
    pub const unsafe fn at(place: *mut T) -> Mapped<T> {
        // SAFETY: the caller vouches that something lies there.
        Mapped(unsafe { NonNull::new_unchecked(place) })
    }

    pub fn place(self) -> *mut T {
        self.0.as_ptr()
    }

    pub fn address(self) -> usize {
        self.place() as usize
    }
}

/// Reads a field.
macro_rules! get {
    ($at:ident.$($field:tt)+) => {{
        let place = $at.place();
        // SAFETY: whoever made the `Mapped` vouches for the memory and for its content.
        unsafe { (&raw const (*place).$($field)+).read_volatile() }
    }};
}

/// Writes a field.
macro_rules! set {
    ($at:ident.$field:ident $(.$within:ident)?, $value:expr) => {{
        let (place, value) = ($at.place(), $value);
        // SAFETY: whoever made the `Mapped` vouches for the memory.
        unsafe { (&raw mut (*place).$field $(.$within)?).write_volatile(value) }
    }};
    ($at:ident.$field:ident[$index:expr] $(.$within:ident)?, $value:expr) => {{
        let (place, index, value) = ($at.place(), $index, $value);
        // SAFETY: as above; the index is checked.
        unsafe { (&raw mut (*place).$field[index] $(.$within)?).write_volatile(value) }
    }};
}

pub(crate) use {get, set};
