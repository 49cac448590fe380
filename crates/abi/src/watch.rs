//! Watched loads: what a program reads back from memory it wrote itself need not be logged.
//!
//! Each recorded thread has a shadow of the program's memory: the byte at `address ^ slot.shadow` is what this thread's
//! instrumented code last stored to or loaded from `address`; zero if it never did. Instrumented stores and copies go
//! to both. A watched load compares: where memory and shadow agree nothing is logged, and the replay, which keeps the
//! same shadow, knows the value. Where they differ somebody else has written (the kernel, a library, another thread,
//! a signal handler, which all have no part in this shadow): the value is logged as a surprise, and goes to the shadow.
//!
//! Surprises have a log of their own beside the stream's. The replay recognises the load that met one by the clock
//! and the site's key: between two ticks no site executes twice.

use crate::StreamId;

/// A surprise as it stands in its log: key (4 bytes), ticks since the stream's last surprise (2; [`FAR`] if they do not
/// fit, and then the clock itself in 8), and the value in as many bytes as the load has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SurpriseHeader {
    pub key: u32,
    pub clock: u64,
}

pub const FAR: u16 = u16::MAX;

/// Bytes of the longest surprise: header and value.
pub const LONGEST_SURPRISE: usize = 4 + 2 + 8 + 8;

impl SurpriseHeader {
    /// Gives the bytes and how many of them count.
    #[inline]
    pub fn encode(self, last_clock: u64) -> ([u8; 14], usize) {
        let mut out = [0; 14];
        out[..4].copy_from_slice(&self.key.to_le_bytes());
        let since = self.clock.wrapping_sub(last_clock);
        if since < FAR as u64 {
            out[4..6].copy_from_slice(&(since as u16).to_le_bytes());
            (out, 6)
        } else {
            out[4..6].copy_from_slice(&FAR.to_le_bytes());
            out[6..].copy_from_slice(&self.clock.to_le_bytes());
            (out, 14)
        }
    }

    /// The header at the start of `bytes`, and its length.
    pub fn decode(bytes: &[u8], last_clock: u64) -> Option<(SurpriseHeader, usize)> {
        let key = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?);
        match u16::from_le_bytes(bytes.get(4..6)?.try_into().ok()?) {
            FAR => {
                let clock = u64::from_le_bytes(bytes.get(6..14)?.try_into().ok()?);
                Some((SurpriseHeader { key, clock }, 14))
            }
            since => Some((SurpriseHeader { key, clock: last_clock.wrapping_add(since as u64) }, 6)),
        }
    }
}

/// The stream that holds another's surprises.
#[inline]
pub const fn surprises_of(stream: StreamId) -> StreamId {
    StreamId(stream.0 | SURPRISES)
}

/// Set in the ids of streams of surprises.
pub const SURPRISES: u32 = 1 << 30;

/// The key of a site, told to both sides by the probe.
pub fn site_key(source_file: &str, function: u32, instruction: u32) -> u32 {
    let mut hash = 0x811c_9dc5_u32;
    let mut join = |byte: u8| hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
    source_file.bytes().for_each(&mut join);
    function.to_le_bytes().into_iter().for_each(&mut join);
    instruction.to_le_bytes().into_iter().for_each(&mut join);
    hash
}

/// The program's memory lies in these windows of 2^40 bytes (address bits 40 to 46) when addresses are not
/// randomised: a fixed executable, a relocatable one with its heap, and mappings with the stack.
pub const PROGRAM_WINDOWS: [u64; 3] = [0x00, 0x55, 0x7f];

/// Bytes of a window.
pub const WINDOW: usize = 1 << 40;

/// Where the runtime maps memory of its own.
pub const RUNTIME_WINDOWS: [u64; 2] = [0x10, 0x11];

/// Windows where programs that choose addresses themselves are likely to map memory, and those that the kernel takes when
/// its own is full: shadows go there last.
const fn is_popular(window: u64) -> bool {
    window.is_multiple_of(16) || window.is_power_of_two() || window >= 0x78
}

/// The shadow masks, one per thread or level of signal handlers: each moves the program's windows to ones that neither
/// the program nor another mask uses.
pub const fn shadow_masks() -> ([u64; SHADOW_COUNT], usize) {
    let mut taken = [false; 128];
    let mut i = 0;
    while i < PROGRAM_WINDOWS.len() {
        taken[PROGRAM_WINDOWS[i] as usize] = true;
        i += 1;
    }
    let mut i = 0;
    while i < RUNTIME_WINDOWS.len() {
        taken[RUNTIME_WINDOWS[i] as usize] = true;
        i += 1;
    }
    let mut masks = [0; SHADOW_COUNT];
    let mut found = 0;
    let mut mask = 1;
    // Twice around: the second time popular windows will do.
    while mask < 256 && found < SHADOW_COUNT {
        let [a, b, c] = PROGRAM_WINDOWS;
        let [a, b, c] = [a ^ (mask % 128), b ^ (mask % 128), c ^ (mask % 128)];
        // Two popular windows differ in two of the low four bits at most: none is another's shadow.
        let is_apart = (mask & 0xf).count_ones() == 3;
        let is_wanted = mask >= 128 || is_apart && !(is_popular(a) || is_popular(b) || is_popular(c));
        if is_wanted && !taken[a as usize] && !taken[b as usize] && !taken[c as usize] {
            taken[a as usize] = true;
            taken[b as usize] = true;
            taken[c as usize] = true;
            masks[found] = (mask % 128) << 40;
            found += 1;
        }
        mask += 1;
    }
    (masks, found)
}

/// How many shadows there may be at once.
pub const SHADOW_COUNT: usize = 32;
