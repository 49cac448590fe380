//! The log of a stream: bytes without framing. The replayer knows from the IR what comes next.
//!
//! In order of execution, a function entered logs:
//! the record [`Tag::Entered`] and its arguments if it was entered from outside; the address of its frame if it has
//! [`crate::FRAME_ATTRIBUTE`]; the addresses of its by-value parameters. An instruction with [`crate::Probe::Logged`]
//! or [`crate::Probe::Dynamic`] logs its result. Values are stored as LLVM stores their type: store size, little
//! endian, no alignment; struct padding is undefined.
//!
//! While control is outside (during a call to code that is not instrumented, and below the first function of a
//! thread) what follows is always a record, begun by a tag and a check byte.

/// First byte of a record. The second is [`check_byte`] of the hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Tag {
    /// The outside call returned. Then: its result, unless void.
    Returned = 0xa1,
    /// Outside code entered an instrumented function. Then: entry address (8 bytes), arguments (by-value parameters
    /// as pointers).
    Entered = 0xa2,
    /// A call that may return twice returned. Then: frame address (8), instruction id (4), result.
    Setjmp = 0xa3,
    /// An exception landed. Then: frame address (8), instruction id of the landing pad (4), the landing pad's value.
    Landed = 0xa4,
    /// The outside call returned, though functions it had called back never did: an exception flew over them and was
    /// caught outside. Then: the token the call was made with (8), its result, unless void.
    Crossed = 0xa6,
    /// Only in the stream of a signal handler, as its last record: control left it by `longjmp`.
    Left = 0xa5,
}

impl Tag {
    pub fn decode(byte: u8) -> Option<Tag> {
        Some(match byte {
            0xa1 => Tag::Returned,
            0xa2 => Tag::Entered,
            0xa3 => Tag::Setjmp,
            0xa4 => Tag::Landed,
            0xa5 => Tag::Left,
            0xa6 => Tag::Crossed,
            _ => return None,
        })
    }
}

#[inline]
pub const fn check_byte(hash: u64) -> u8 {
    (hash ^ (hash >> 8)) as u8
}

/// Entries are written without a check as long as the straight line since the last one logs at most this much; so
/// a slot's limit stands this far before the end of its chunk.
pub const RED_ZONE: usize = 4096;
