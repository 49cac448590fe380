//! The directory: tells the faultline process where the modules and functions of each object are.
//!
//! Each registration is published at once, so that nothing depends on how the program ends. When nobody records,
//! registering does nothing.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use abi::{
    DIRECTORY_FILE, DIRECTORY_FUNCTION, DIRECTORY_MODULE, DIRECTORY_STREAM, FunctionDescriptor, ModuleDescriptor,
    NO_STREAM, VERSION,
};

use crate::lock::lock;
use crate::mapped::set;
use crate::once::of_process;
use crate::shared::{self, Shared};
use crate::signals::Blocked;
use crate::{chunk, experiment, functions, maps, start, syscall};

of_process! {
    static LOCK: AtomicBool = AtomicBool::new(false);
    /// Chunks of the directory so far.
    static SEQUENCE: AtomicU32 = AtomicU32::new(0);
}

const _: abi::RegisterFn = register;

/// The body of `__faultline_register`.
///
/// # Safety
///
/// The pointers are the ends of the object's own tables, which the linker has made of whole descriptors.
pub unsafe extern "C" fn register(
    modules: *const ModuleDescriptor,
    modules_end: *const ModuleDescriptor,
    functions: *const FunctionDescriptor,
    functions_end: *const FunctionDescriptor,
) {
    let _blocked = Blocked::new();
    // SAFETY: the caller vouches for both tables, which stay as long as the object: longer than this call.
    let (modules, functions) = unsafe { (between(modules, modules_end), between(functions, functions_end)) };
    let mut is_remembered = false;
    start::start(|| {
        let _locked = lock(&LOCK);
        functions::remember(functions);
        is_remembered = true;
    });
    let shared = shared::shared();
    if shared.is_none() && !experiment::is_on() {
        return;
    }
    let _locked = lock(&LOCK);
    if !is_remembered {
        functions::remember(functions);
    }
    if let Some(shared) = shared {
        write_object(&shared, modules, functions);
    }
}

/// What lies between two symbols of the linker. They are null in an object that has no such section.
///
/// # Safety
///
/// There are whole descriptors between the two, for `'a`.
unsafe fn between<'a, T>(start: *const T, end: *const T) -> &'a [T] {
    if start.is_null() || end <= start {
        return &[];
    }
    // SAFETY: the caller vouches for it.
    unsafe { core::slice::from_raw_parts(start, (end as usize - start as usize) / size_of::<T>()) }
}

fn write_object(shared: &Shared, modules: &[ModuleDescriptor], functions: &[FunctionDescriptor]) -> Option<()> {
    let mut page = Page::new(shared)?;
    // SAFETY: `register` holds the lock, and the answer is copied at once.
    page.file(unsafe { maps::file_of(modules.as_ptr() as usize) })?;
    for module in modules.iter().filter(|module| module.version == VERSION) {
        page.module(module)?;
    }
    for function in functions {
        // SAFETY: a function's descriptor points to its module's, which is in the same object.
        let module = unsafe { &*function.module };
        if module.version == VERSION {
            page.function(function, module)?;
        }
    }
    page.publish();
    Some(())
}

/// The chunk being written. Its methods give `None` when the faultline process is gone.
struct Page<'a> {
    shared: &'a Shared,
    chunk: u32,
    length: usize,
}

impl<'a> Page<'a> {
    fn new(shared: &'a Shared) -> Option<Page<'a>> {
        let chunk = chunk::take(shared)?;
        let header = shared.chunk_header(chunk);
        set!(header.stream, DIRECTORY_STREAM.0);
        set!(header.sequence, SEQUENCE.fetch_add(1, Ordering::Relaxed));
        set!(header.clock, 0);
        set!(header.hash, 0);
        set!(header.end_clock, 0);
        set!(header.end_hash, 0);
        set!(header.thread, syscall::thread_id());
        set!(header.parent_stream, NO_STREAM);
        set!(header.parent_sequence, 0);
        set!(header.parent_offset, 0);
        set!(header.parent_clock, 0);
        set!(header.parent_hash, 0);
        Some(Page { shared, chunk, length: 0 })
    }

    fn publish(self) {
        let header = self.shared.chunk_header(self.chunk);
        set!(header.length, self.length as u32);
        chunk::publish(self.shared, self.chunk);
    }

    fn left(&self) -> usize {
        self.shared.header().chunk_size as usize - self.length
    }

    /// Begins a new chunk unless this one has room for that many bytes.
    fn reserve(&mut self, length: usize) -> Option<()> {
        if self.left() < length {
            let full = core::mem::replace(self, Page::new(self.shared)?);
            full.publish();
        }
        Some(())
    }

    fn put(&mut self, bytes: &[u8]) {
        let place = (self.shared.chunk_start(self.chunk) as usize + self.length) as *mut u8;
        // Volatile, or this would become a call of memcpy, which may be the program's own and instrumented.
        for (position, &byte) in bytes.iter().enumerate() {
            // SAFETY: `reserve` has seen that there is room in the chunk, which is ours until it is published.
            unsafe { place.add(position).write_volatile(byte) };
        }
        self.length += bytes.len();
    }

    fn file(&mut self, path: &[u8]) -> Option<()> {
        self.reserve(3 + path.len())?;
        self.put(&[DIRECTORY_FILE]);
        self.put(&(path.len() as u16).to_le_bytes());
        self.put(path);
        Some(())
    }

    fn module(&mut self, module: &ModuleDescriptor) -> Option<()> {
        const FIXED: usize = 1 + 16 + 4 + 4;
        let addresses: &[u64] = match module.address_count {
            0 => &[],
            // SAFETY: the descriptor has a table of so many addresses, in the same object.
            count => unsafe { core::slice::from_raw_parts(module.addresses, count as usize) },
        };
        let mut first = 0;
        loop {
            self.reserve(FIXED + 8)?;
            let count = (addresses.len() - first).min((self.left() - FIXED) / 8);
            self.put(&[DIRECTORY_MODULE]);
            self.put(&module.id);
            self.put(&(first as u32).to_le_bytes());
            self.put(&(count as u32).to_le_bytes());
            for address in addresses.iter().skip(first).take(count) {
                self.put(&address.to_le_bytes());
            }
            first += count;
            if first >= addresses.len() {
                return Some(());
            }
        }
    }

    fn function(&mut self, function: &FunctionDescriptor, module: &ModuleDescriptor) -> Option<()> {
        self.reserve(1 + 8 + 16 + 4 + 4)?;
        self.put(&[DIRECTORY_FUNCTION]);
        self.put(&function.entry.to_le_bytes());
        self.put(&module.id);
        self.put(&function.function.to_le_bytes());
        self.put(&function.type_hash.to_le_bytes());
        Some(())
    }
}
