//! The memory shared with the faultline process: where it is, and what lies where in it.

use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicU32, Ordering};

use abi::{
    CHUNK_HEADERS_OFFSET, ChunkHeader, MAILBOX_OFFSET, Mailbox, PlanHeader, SHARED_MAGIC, SLOT_COUNT, SLOTS_OFFSET,
    SharedHeader, Slot, VERSION,
};

use crate::mapped::Mapped;
use crate::once::of_process;
use crate::{scratch, syscall};

/// Where we map the shared memory if we can: far from where the kernel puts mappings of its own choice, so that the
/// program's own addresses are those of a run without recording; and no number that a person would think of.
const SHARED_ADDRESS: usize = 0x10c7_2e40_0000;

of_process! {
    static SHARED: AtomicPtr<SharedHeader> = AtomicPtr::new(ptr::null_mut());
    /// The faultline process.
    static RECORDER: AtomicU32 = AtomicU32::new(0);
}

/// The memory shared with the faultline process, mapped until the process ends. It is as large as its header said when it was
/// attached, and laid out as `abi` has it.
#[derive(Clone, Copy)]
pub struct Shared {
    header: *mut SharedHeader,
}

impl Shared {
    /// That of an experiment, by its mailbox: there is none but in such memory.
    pub fn with(mailbox: &'static Mailbox) -> Shared {
        Shared { header: (&raw const *mailbox).wrapping_byte_sub(MAILBOX_OFFSET).cast_mut().cast() }
    }

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

    /// From now on this process is recorded there.
    pub fn begin_recording(&self) {
        SHARED.store(self.header, Ordering::Release);
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

/// From now on this process is not recorded.
pub fn stop_recording() {
    SHARED.store(ptr::null_mut(), Ordering::Release);
}

/// Maps the shared memory and declares this process the recorded one.
pub fn attach(file: i32) -> Option<Shared> {
    let length = syscall::status(file)?.st_size as usize;
    if length < CHUNK_HEADERS_OFFSET {
        return None;
    }
    let base = syscall::map_shared(SHARED_ADDRESS, length, file)?;
    let shared = Shared { header: base.cast() };
    if fits(shared.header(), length) && declare(&shared) {
        RECORDER.store(syscall::parent_process_id(), Ordering::Relaxed);
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
