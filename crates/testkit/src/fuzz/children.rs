//! Reading inputs in children, so that nothing they do to a process goes unnoticed.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// What an input did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harm {
    Panic,
    /// A signal, or an exit that nobody asked for.
    Death,
    Hang,
}

/// Inputs of a child: a fork is cheap beside so many.
const BATCH: u64 = 5000;
/// Bytes of address space a child may have beyond what it begins with: a claimed length must not be believed.
const MOST_MEMORY: u64 = 4 << 30;

/// What a child tells while it works.
#[repr(C)]
struct Shared {
    /// The input it is at.
    at: AtomicU64,
}

/// Memory that children share with us.
struct Page(*mut Shared);

impl Page {
    fn new() -> Result<Page> {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, zeroed, which is a valid `Shared`.
        let page = unsafe { libc::mmap(ptr::null_mut(), size_of::<Shared>(), access, kind, -1, 0) };
        if page == libc::MAP_FAILED {
            bail!("no memory to share with a child: {}", std::io::Error::last_os_error());
        }
        Ok(Page(page.cast()))
    }

    fn get(&self) -> &Shared {
        // SAFETY: mapped until dropped, and only atomics.
        unsafe { &*self.0 }
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // SAFETY: mapped by us, not used any more.
        unsafe { libc::munmap(self.0.cast(), size_of::<Shared>()) };
    }
}

/// Reads inputs of these numbers, and gives those that did harm.
pub fn run_all(
    numbers: Range<u64>,
    patience: Duration,
    read: &dyn Fn(u64),
    tell: &mut dyn FnMut(u64),
) -> Result<Vec<(u64, Harm)>> {
    let page = Page::new()?;
    let mut harm = Vec::new();
    let mut next = numbers.start;
    while next < numbers.end {
        let batch = next..numbers.end.min(next + BATCH);
        page.get().at.store(batch.start, Ordering::SeqCst);
        let child = start(batch.clone(), page.get(), read)?;
        let ended = wait(child, page.get(), patience);
        let at = page.get().at.load(Ordering::SeqCst);
        next = match ended {
            Ended::Done => batch.end,
            Ended::Harmed(what) => {
                harm.push((at, what));
                at + 1
            }
        };
        tell(next - numbers.start);
    }
    Ok(harm)
}

const DONE: i32 = 0;
const PANICKED: i32 = 93;

enum Ended {
    Done,
    Harmed(Harm),
}

fn start(batch: Range<u64>, shared: &Shared, read: &dyn Fn(u64)) -> Result<libc::pid_t> {
    let memory = std::fs::read_to_string("/proc/self/statm")?;
    let pages: u64 = memory.split_whitespace().next().unwrap_or("0").parse()?;
    // SAFETY: the child uses nothing that other threads of this process could hold but the allocator, whose locks the C
    // library sees to, and ends without cleaning up what is the parent's.
    let child = unsafe { libc::fork() };
    if child < 0 {
        bail!("cannot fork: {}", std::io::Error::last_os_error());
    }
    if child > 0 {
        return Ok(child);
    }
    silence(pages * 4096 + MOST_MEMORY);
    let done = catch_unwind(AssertUnwindSafe(|| {
        for number in batch {
            shared.at.store(number, Ordering::SeqCst);
            read(number);
        }
    }));
    // SAFETY: ends this child at once.
    unsafe { libc::_exit(if done.is_ok() { DONE } else { PANICKED }) }
}

/// Nobody reads what a child says of its crashes, and it must not take all memory.
fn silence(memory: u64) {
    std::panic::set_hook(Box::new(|_| {}));
    let limit = libc::rlimit { rlim_cur: memory, rlim_max: memory };
    let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: calls that take no memory of ours but to read it.
    unsafe {
        libc::setrlimit(libc::RLIMIT_AS, &limit);
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        libc::dup2(nowhere, 1);
        libc::dup2(nowhere, 2);
    }
}

fn wait(child: libc::pid_t, shared: &Shared, patience: Duration) -> Ended {
    let mut pause = Duration::from_micros(200);
    let (mut seen, mut since) = (u64::MAX, Instant::now());
    loop {
        let mut status = 0;
        // SAFETY: waits for a child of ours.
        let waited = unsafe { libc::waitpid(child, &mut status, libc::WNOHANG) };
        if waited == child || waited < 0 {
            return match libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)) {
                Some(DONE) if waited == child => Ended::Done,
                Some(PANICKED) => Ended::Harmed(Harm::Panic),
                _ => Ended::Harmed(Harm::Death),
            };
        }
        let at = shared.at.load(Ordering::SeqCst);
        if at != seen {
            (seen, since) = (at, Instant::now());
        } else if since.elapsed() > patience {
            // SAFETY: a child of ours that nobody has waited for.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, &mut status, 0);
            }
            return Ended::Harmed(Harm::Hang);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_harm_is_seen() {
        let read = |number: u64| match number {
            3 => panic!("on purpose"),
            // SAFETY: ends the child.
            5 => unsafe { libc::abort() },
            7 => std::thread::sleep(Duration::from_secs(60)),
            9 => drop(vec![1u8; 64 << 30]),
            _ => {}
        };
        let mut told = 0;
        let harm = run_all(0..12, Duration::from_millis(500), &read, &mut |done| told = done).unwrap();
        assert_eq!(harm, [(3, Harm::Panic), (5, Harm::Death), (7, Harm::Hang), (9, Harm::Death)]);
        assert_eq!(told, 12);
    }
}
