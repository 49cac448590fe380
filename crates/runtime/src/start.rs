//! The start: finding the shared memory, or finding that nobody records.
//!
//! Runs once, at the first registration or the first instrumented function, whichever comes first; that is in a
//! constructor. When the variable is absent this costs one look through the environment.

use core::ffi::c_char;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering};

use abi::{
    CHUNK_HEADERS_OFFSET, ChunkHeader, MAILBOX_OFFSET, MODE_SERVE, Mailbox, PlanHeader, SHARED_MAGIC, SHARED_VARIABLE,
    SLOT_COUNT, SLOTS_OFFSET, SharedHeader, Slot, VERSION,
};

use crate::mapped::Mapped;
use crate::once::{self, of_process};
use crate::{fork, keeper, plan, scratch, serve, syscall};

/// Where we map the shared memory if we can: far from where the kernel puts mappings of its own choice, so that the
/// program's own addresses are those of a run without recording; and no number that a person would think of.
const SHARED_ADDRESS: usize = 0x10c7_2e40_0000;

of_process! {
    static STARTED: AtomicBool = AtomicBool::new(false);
    static LOCK: AtomicBool = AtomicBool::new(false);
    static SHARED: AtomicPtr<SharedHeader> = AtomicPtr::new(ptr::null_mut());
    /// The faultline process.
    static RECORDER: AtomicU32 = AtomicU32::new(0);
}

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

/// The memory shared with the faultline process, mapped until the process ends. It is as large as its header said when it was
/// attached, and laid out as `abi` has it.
#[derive(Clone, Copy)]
pub struct Shared {
    header: *mut SharedHeader,
}

impl Shared {
    pub fn header(&self) -> &SharedHeader {
        // SAFETY: the header lies there as long as the process lives; what changes in it is atomic.
        unsafe { &*self.header }
    }

    pub fn base(&self) -> usize {
        self.header as usize
    }

    pub fn length(&self) -> usize {
        let header = self.header();
        (header.data_offset + header.chunk_count as u64 * header.chunk_size) as usize
    }

    pub fn slot(&self, index: usize) -> Mapped<Slot> {
        if index >= SLOT_COUNT {
            syscall::trap();
        }
        // SAFETY: there are so many slots, aligned, in memory that stays.
        unsafe { Mapped::at((self.base() + SLOTS_OFFSET + index * size_of::<Slot>()) as *mut Slot) }
    }

    /// Must be a chunk there is.
    pub fn chunk_header(&self, chunk: u32) -> Mapped<ChunkHeader> {
        if chunk >= self.header().chunk_count {
            syscall::trap();
        }
        let place = self.base() + CHUNK_HEADERS_OFFSET + chunk as usize * size_of::<ChunkHeader>();
        // SAFETY: there are so many headers, aligned, in memory that stays.
        unsafe { Mapped::at(place as *mut ChunkHeader) }
    }

    /// Whose turn it is with the chunk.
    pub fn chunk_state(&self, chunk: u32) -> &AtomicU32 {
        // SAFETY: an atomic number in memory that stays.
        unsafe { &(*self.chunk_header(chunk).place()).state }
    }

    /// Address of the chunk's first byte.
    pub fn chunk_start(&self, chunk: u32) -> u64 {
        let header = self.header();
        self.base() as u64 + header.data_offset + chunk as u64 * header.chunk_size
    }

    pub fn mailbox(&self) -> &'static Mailbox {
        // SAFETY: the mailbox lies there as long as the process lives, and is made of atomic numbers.
        unsafe { &*((self.base() + MAILBOX_OFFSET) as *const Mailbox) }
    }

    /// The plan of an experiment, if there is one, and how many bytes there are for it.
    pub fn plan(&self) -> Option<(Mapped<PlanHeader>, usize)> {
        let offset = self.header().plan_offset as usize;
        let room = self.length().checked_sub(offset)?;
        if offset == 0 || !offset.is_multiple_of(align_of::<PlanHeader>()) || room < size_of::<PlanHeader>() {
            return None;
        }
        // SAFETY: a header fits there, aligned, in memory that stays.
        Some((unsafe { Mapped::at((self.base() + offset) as *mut PlanHeader) }, room))
    }

    /// Whether this address lies in it.
    pub fn contains(&self, address: usize) -> bool {
        (self.base()..self.base() + self.length()).contains(&address)
    }

    pub fn recorder_is_gone(&self) -> bool {
        syscall::parent_process_id() != RECORDER.load(Ordering::Relaxed)
    }
}

/// The shared memory; `None` when this process is not recorded.
pub fn shared() -> Option<Shared> {
    let header = SHARED.load(Ordering::Acquire);
    if header.is_null() { None } else { Some(Shared { header }) }
}

/// The shared memory of a process that is recorded or part of an experiment.
pub fn experiment() -> Option<Shared> {
    shared().or_else(|| {
        let mailbox = plan::experiment()?;
        Some(Shared { header: (&raw const *mailbox).wrapping_byte_sub(MAILBOX_OFFSET).cast_mut().cast() })
    })
}

/// From now on this process is not recorded.
pub fn stop_recording() {
    SHARED.store(ptr::null_mut(), Ordering::Release);
}

/// Starts the runtime if that has not happened. Signals must be blocked. `before_serving`: what a server does once, and
/// not each of its children.
pub fn start(before_serving: impl FnOnce()) {
    once::join();

    if STARTED.load(Ordering::Acquire) && keeper::is_there() {
        return;
    }
    let _locked = lock(&LOCK);
    keeper::become_keeper();
    if STARTED.load(Ordering::Acquire) {
        return;
    }
    if let Some(file) = take_variable() {
        let attached = attach(file);
        // The mapping is enough; a program gone wild could do more with the file.
        syscall::close(file);
        if let Some(shared) = attached {
            RECORDER.store(syscall::parent_process_id(), Ordering::Relaxed);
            fork::prepare();
            plan::begin(&shared);
            if shared.header().mode == MODE_SERVE {
                before_serving();
                // Returns in each child; none of them is recorded.
                serve::serve(&shared);
            } else {
                SHARED.store(shared.header, Ordering::Release);
            }
        }
    }
    STARTED.store(true, Ordering::Release);
}

pub struct Locked {
    word: &'static AtomicBool,
}

/// A spin lock, for work that happens a few times in a process. Signals must be blocked.
pub fn lock(word: &'static AtomicBool) -> Locked {
    while word.compare_exchange_weak(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
        core::hint::spin_loop();
    }
    Locked { word }
}

impl Drop for Locked {
    fn drop(&mut self) {
        self.word.store(false, Ordering::Release);
    }
}

/// The file descriptor the variable names. Removes the variable: programs this one starts go on unrecorded.
fn take_variable() -> Option<i32> {
    // SAFETY: `environ` is null or a list of texts that end with a zero byte, itself ended by a null; this runs before the program's
    // own code, so nobody changes it meanwhile.
    unsafe {
        if environ.is_null() {
            return None;
        }
        let mut place = environ;
        while !(*place).is_null() {
            if let Some(value) = value_of(*place) {
                let mut next = place;
                while !(*next).is_null() {
                    *next = *next.add(1);
                    next = next.add(1);
                }
                return parse(value);
            }
            place = place.add(1);
        }
        None
    }
}

/// What follows `FAULTLINE_SHARED=`.
///
/// # Safety
///
/// The text ends with a zero byte.
unsafe fn value_of(entry: *const c_char) -> Option<*const c_char> {
    let mut place = entry;
    for &byte in SHARED_VARIABLE.as_bytes().iter().chain(b"=") {
        // SAFETY: all bytes before were those of the name, none of which is zero; so the text has not ended before this one.
        unsafe {
            if *place as u8 != byte {
                return None;
            }
            place = place.add(1);
        }
    }
    Some(place)
}

/// `VERSION:FD`; `None` when the version is not ours.
///
/// # Safety
///
/// The text ends with a zero byte.
unsafe fn parse(mut text: *const c_char) -> Option<i32> {
    let mut next = || {
        // SAFETY: the text stays at its zero byte once it is there.
        unsafe {
            let byte = *text as u8;
            text = text.add(usize::from(byte != 0));
            byte
        }
    };
    let mut number = || {
        let mut value = 0u32;
        let mut digits = 0;
        loop {
            let byte = next();
            if !byte.is_ascii_digit() {
                return if digits == 0 { None } else { Some((value, byte)) };
            }
            value = value.checked_mul(10)?.checked_add((byte - b'0') as u32)?;
            digits += 1;
        }
    };
    let (version, separator) = number()?;
    let (file, end) = number()?;
    if version == VERSION && separator == b':' && end == 0 { i32::try_from(file).ok() } else { None }
}

/// Maps the shared memory and declares this process the recorded one.
fn attach(file: i32) -> Option<Shared> {
    let length = syscall::status(file)?.st_size as usize;
    if length < CHUNK_HEADERS_OFFSET {
        return None;
    }
    let base = syscall::map_shared(SHARED_ADDRESS, length, file)?;
    let shared = Shared { header: base.cast() };
    if fits(shared.header(), length) && declare(&shared) {
        return Some(shared);
    }
    // SAFETY: mapped above, and `shared` ends here.
    unsafe { syscall::unmap(base as usize, length) };
    None
}

fn fits(header: &SharedHeader, length: usize) -> bool {
    header.magic == SHARED_MAGIC
        && header.version == VERSION
        && header.chunk_count > 0
        && header.chunk_size >= scratch::SIZE as u64
        && header.chunk_size.checked_mul(header.chunk_count as u64).and_then(|all| all.checked_add(header.data_offset))
            == Some(length as u64)
        && header.data_offset as usize >= CHUNK_HEADERS_OFFSET + header.chunk_count as usize * size_of::<ChunkHeader>()
}

/// False when another process, or another copy of this runtime, records there already.
fn declare(shared: &Shared) -> bool {
    let header = shared.header();
    header.mapped_at.store(shared.base() as u64, Ordering::Release);
    header.process.compare_exchange(0, syscall::process_id(), Ordering::AcqRel, Ordering::Relaxed).is_ok()
}
