//! Saved IR is tried by a process of its own before this one reads it.
//!
//! LLVM's reader trusts what it reads: malicious bitcode, or bitcode that was damaged and given a matching hash again, can
//! crash it, make it wait for ever, or make it take all the memory there is. So a child, forked for that, reads the module
//! first, within limits; if it does not come to an end of its own, the module is refused. What the child survives, the
//! parent survives: both do the same, from the same moment on, with the same bytes and the same memory around them. But where LLVM
//! reads memory that is none of the module's, what is there decides, and the next command finds something else there. So a
//! module that LLVM finds fault with is refused, though the child has survived it.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use super::LowerError;

/// Who reads a module holds it, shared; who forks holds it alone: a lock of LLVM's that another thread has at that moment
/// would never be free in the child.
static READING: RwLock<()> = RwLock::new(());

/// Bytes. LLVM reads nested constants and metadata by recursion.
const STACK: usize = 256 << 20;
/// Bytes of address space that reading a module may take.
const MOST_MEMORY: u64 = 8 << 30;
/// Seconds of processor time: some, and more for a long module.
const SECONDS: u64 = 5;
const SECONDS_PER_MEGABYTE: u64 = 10;
/// How much longer than that it may take on a busy machine.
const BUSY: u32 = 10;

/// Held while LLVM is used.
pub(super) fn reading() -> RwLockReadGuard<'static, ()> {
    READING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with enough stack for LLVM, however small that of the caller is.
pub(super) fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    // The work is given to whoever does it: this thread, if there cannot be another.
    let work = Mutex::new(Some(work));
    let take = || work.lock().unwrap_or_else(PoisonError::into_inner).take();
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || take().map(|work| work()));
        let done = match worker {
            Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => take().map(|work| work()),
        };
        done.expect("either the thread was started and did it, or nobody has taken it")
    })
}

static KEPT: OnceLock<PathBuf> = OnceLock::new();

/// From now on, which modules were survived is kept in this folder, for later commands: nearly all modules of a program,
/// and the library's twins, stay as they are from one command to the next.
pub fn keep_trials_in(folder: PathBuf) {
    // The first one stays.
    let _ = KEPT.set(folder);
}

/// Files in that folder; beyond, it is emptied.
const MOST_KEPT: usize = 10_000;

fn is_kept(name: &blake3::Hash) -> bool {
    KEPT.get().is_some_and(|folder| folder.join(name.to_hex().as_str()).is_file())
}

/// Where that is not possible, the module is tried again, next time.
fn keep(name: &blake3::Hash) -> std::io::Result<()> {
    let Some(folder) = KEPT.get() else { return Ok(()) };
    std::fs::create_dir_all(folder)?;
    let all: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    if all.len() >= MOST_KEPT {
        for entry in all {
            std::fs::remove_file(entry.path())?;
        }
    }
    std::fs::File::create(folder.join(name.to_hex().as_str())).map(drop)
}

/// What is read of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum What {
    Code,
    DebugInformation,
}

/// Reads bitcode; if nobody has done so before, after a child has. Child and parent then do exactly the same with the same memory: the
/// parent does nothing else between the fork and the end of its own reading, so that where LLVM reads beyond what is its own, it
/// finds the same there.
pub(super) fn tried<T>(
    bitcode: &[u8],
    what: What,
    read: impl Fn(&llvm::Module) -> Result<T, LowerError>,
) -> Result<T, LowerError> {
    static TRIED: Mutex<Option<HashSet<blake3::Hash>>> = Mutex::new(None);
    let tried = || TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    // What another version of this code has survived is another matter.
    let version = concat!(env!("CARGO_PKG_VERSION"), ", LLVM 19, not mended");
    let kind: &[u8] = match what {
        What::Code => b"code",
        What::DebugInformation => b"debug information",
    };
    let name = blake3::Hasher::new().update(version.as_bytes()).update(kind).update(bitcode).finalize();
    if tried().as_ref().is_some_and(|tried| tried.contains(&name)) || is_kept(&name) {
        let _reading = reading();
        return read(&llvm::Module::parse(bitcode)?);
    }
    let seconds = SECONDS + SECONDS_PER_MEGABYTE * (bitcode.len() as u64 >> 20);
    let whole = |bitcode: &[u8]| {
        let source = whole(bitcode)?;
        read(&source)
    };
    // That our own code refuses a module in an orderly way is the parent's to find out.
    match in_child(seconds, || !matches!(whole(bitcode), Err(LowerError::Llvm(_)))) {
        // If there can be no child, the hash, which agrees, must do.
        Err(_) | Ok(Ended::Well) => {}
        Ok(Ended::Refused) => return Err(LowerError::Llvm(not_well_formed())),
        Ok(Ended::Panicked) => return Err(LowerError::Harmful("LLVM cannot read it".into())),
        Ok(Ended::Killed(signal)) => return Err(LowerError::Harmful(format!("LLVM crashes with signal {signal}"))),
        Ok(Ended::ByItself(status)) => return Err(LowerError::Harmful(format!("LLVM fails with status {status}"))),
        Ok(Ended::TooLong) => return Err(LowerError::Harmful("LLVM does not finish reading it".into())),
    }
    let done = {
        let _reading = reading();
        whole(bitcode)
    };
    tried().get_or_insert_default().insert(name);
    let _ = keep(&name);
    done
}

/// Parses a module and has LLVM check it.
pub(super) fn whole(bitcode: &[u8]) -> Result<llvm::Module, LowerError> {
    let source = llvm::Module::parse(bitcode)?;
    // To say what is wrong, LLVM prints it, and may read memory that is none of the module's: the next time it may die.
    if source.was_mended() {
        return Err(not_well_formed().into());
    }
    source.verify()?;
    Ok(source)
}

fn not_well_formed() -> llvm::LlvmError {
    llvm::LlvmError("it is not well formed".into())
}

/// How a child ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ended {
    Well,
    Refused,
    Panicked,
    Killed(i32),
    ByItself(i32),
    TooLong,
}

const WELL: i32 = 0;
/// Statuses that LLVM does not use.
const REFUSED: i32 = 92;
const PANICKED: i32 = 93;

/// Forks a child that does this and no more, with at most so many seconds of processor time. The work says whether all
/// is well.
fn in_child(seconds: u64, work: impl FnOnce() -> bool) -> std::io::Result<Ended> {
    let memory = address_space().map(|bytes| bytes.saturating_add(MOST_MEMORY));
    let nobody_reads = READING.write().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: of the locks that other threads may hold, the allocator's are seen to by the C library, and LLVM's nobody
    // holds now. The child never returns from here.
    let child = unsafe { libc::fork() };
    if child == 0 {
        limit(seconds, memory);
        let done = catch_unwind(AssertUnwindSafe(work));
        let status = match done {
            Ok(true) => WELL,
            Ok(false) => REFUSED,
            Err(_) => PANICKED,
        };
        // SAFETY: ends the child at once; nothing of the parent's is cleaned up twice.
        unsafe { libc::_exit(status) }
    }
    drop(nobody_reads);
    if child < 0 {
        return Err(std::io::Error::last_os_error());
    }
    let patience = Duration::from_secs(seconds) * BUSY;
    Ok(wait(child, Instant::now() + patience))
}

/// Limits the calling process, which is the child, and makes it silent: LLVM tells of its crashes at length.
fn limit(seconds: u64, memory: Option<u64>) {
    std::panic::set_hook(Box::new(|_| {}));
    let set = |which, most: u64| {
        // At the harder one a process is killed without a word, which would look like somebody else's doing.
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most.saturating_add(5) };
        // SAFETY: a limit that cannot be set is one that is stricter already.
        unsafe { libc::setrlimit(which, &limit) };
    };
    set(libc::RLIMIT_CPU, seconds);
    set(libc::RLIMIT_CORE, 0);
    if let Some(memory) = memory {
        set(libc::RLIMIT_AS, memory);
    }
    // SAFETY: system calls that take no memory; handlers of the parent's are none of the child's.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR | libc::O_CLOEXEC);
        for stream in 0..3 {
            libc::dup2(nowhere, stream);
        }
        for signal in [libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL, libc::SIGFPE, libc::SIGXCPU] {
            libc::signal(signal, libc::SIG_DFL);
        }
    }
}

/// Bytes of address space in use.
fn address_space() -> Option<u64> {
    const PAGE: u64 = 4096;
    let about = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(about.split_whitespace().next()?.parse::<u64>().ok()? * PAGE)
}

fn wait(child: libc::pid_t, deadline: Instant) -> Ended {
    let mut pause = Duration::from_micros(100);
    let mut is_killed = false;
    loop {
        let mut status = 0;
        // SAFETY: waits for a child of ours.
        let waited = unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) };
        if waited == child {
            return match () {
                _ if is_killed || libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGXCPU => {
                    Ended::TooLong
                }
                _ if libc::WIFSIGNALED(status) => Ended::Killed(libc::WTERMSIG(status)),
                _ => match libc::WEXITSTATUS(status) {
                    WELL => Ended::Well,
                    REFUSED => Ended::Refused,
                    PANICKED => Ended::Panicked,
                    other => Ended::ByItself(other),
                },
            };
        }
        if waited < 0 && std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
            // Somebody else has waited for it, so what became of it is not known; that the hash agrees must do.
            return Ended::Well;
        }
        if !is_killed && Instant::now() >= deadline {
            is_killed = true;
            // SAFETY: a child of ours that nobody has waited for yet.
            unsafe { libc::kill(child, libc::SIGKILL) };
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_that_dies_panics_or_hangs_is_told_apart() {
        assert_eq!(in_child(10, || true).unwrap(), Ended::Well);
        assert_eq!(in_child(10, || false).unwrap(), Ended::Refused);
        assert_eq!(in_child(10, || panic!("on purpose")).unwrap(), Ended::Panicked);
        // SAFETY: ends the child only.
        assert_eq!(in_child(10, || unsafe { libc::abort() }).unwrap(), Ended::Killed(libc::SIGABRT));
        // SAFETY: as above.
        assert_eq!(in_child(10, || unsafe { libc::_exit(1) }).unwrap(), Ended::ByItself(1));
        let turning = || {
            let mut number = 0u64;
            loop {
                number = std::hint::black_box(number.wrapping_add(1));
            }
        };
        assert_eq!(in_child(1, turning).unwrap(), Ended::TooLong);
    }

    #[test]
    fn a_child_cannot_take_all_memory() {
        let greedy = || {
            let mut taken: Vec<Vec<u8>> = Vec::new();
            loop {
                taken.push(vec![0; 1 << 30]);
            }
        };
        assert_eq!(in_child(60, greedy).unwrap(), Ended::Killed(libc::SIGABRT));
    }
}
