//! The supervisor: a thread of ours that the kernel asks about every system call of a run that the filter does not let
//! through. It notes what was refused, by name, and judges what only arguments decide.
//!
//! Where processes have no namespace of their own, it also sees every fork and every signal: a run may signal its own
//! processes, and may have a limited number of them. The session shows what belongs to a run, since none of its processes can
//! leave it.
//!
//! A call may continue only if what was judged is in registers, or if the judgement is for our notes and not for safety:
//! another thread could change memory in between.

use std::collections::BTreeSet;
use std::io;
use std::mem::{MaybeUninit, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use super::calls::{self, HARMFUL_CLONES};
use super::notes::{self, Notes, Opened};

/// What the supervisor knows, shared with whoever waits for the run.
#[derive(Default)]
struct Seen {
    refused: BTreeSet<String>,
    notes: Notes,
    /// A checkpoint that makes runs in the server's place.
    checkpoint: Option<libc::pid_t>,
    forks: u32,
    threads: u32,
    too_many: bool,
}

/// How it judges.
#[derive(Clone, Debug)]
pub struct Rules {
    /// What the kernel contains by itself.
    pub processes_contained: bool,
    pub files_contained: bool,
    /// Files that are opened, and attempts to change files, are noted.
    pub noted: bool,
    /// Processes a run may make, where the supervisor counts them.
    pub most_forks: u32,
    /// The process makes runs: what it forks itself is not counted.
    pub is_server: bool,
    /// What may be written to.
    pub scratch: Arc<Path>,
}

/// A supervisor at work. It ends when the last supervised process is gone; whoever drops this has seen to that, or will.
pub struct Supervision {
    seen: Arc<Mutex<Seen>>,
}

/// Threads a run may make, where the supervisor counts them.
const MOST_THREADS: u32 = 1000;

/// Where the confined process sends its listener to.
pub struct Reception(OwnedFd);

/// Starts a supervisor, which waits for a process that lays filters on itself.
pub fn supervise(rules: Rules) -> io::Result<(Supervision, Reception)> {
    let mut ends = [0; 2];
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC;
    // SAFETY: both descriptors are new and ours.
    let (ours, theirs) = unsafe {
        if libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) != 0 {
            return Err(io::Error::last_os_error());
        }
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    };
    let seen = Arc::new(Mutex::new(Seen::default()));
    let shared = seen.clone();
    std::thread::Builder::new().name("supervisor".to_owned()).spawn(move || {
        if let Some((listener, process)) = receive(ours) {
            Judge { rules, process, seen: shared }.work(&listener);
        }
    })?;
    Ok((Supervision { seen }, Reception(theirs)))
}

impl Supervision {
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Begins another run: what was seen of the one before is forgotten.
    pub fn begin(&self) {
        let mut seen = self.lock();
        seen.refused.clear();
        seen.notes = Notes::default();
        seen.forks = 0;
        seen.threads = 0;
        seen.too_many = false;
    }

    /// Which process makes runs in the server's place, if any does.
    pub fn set_checkpoint(&self, process: Option<libc::pid_t>) {
        self.lock().checkpoint = process;
    }

    /// Names of the calls that were refused.
    pub fn refused(&self) -> Vec<String> {
        self.lock().refused.iter().cloned().collect()
    }

    pub fn has_forked(&self) -> bool {
        self.lock().forks > 0
    }

    /// Whether it wanted more processes than it may have.
    pub fn has_too_many(&self) -> bool {
        self.lock().too_many
    }

    pub fn notes(&self) -> Notes {
        self.lock().notes.clone()
    }
}

impl Reception {
    /// In the confined process: hands the listener over. Only calls that are safe after a fork.
    pub fn send(&self, listener: RawFd) -> Result<(), i32> {
        // SAFETY: all memory is on this stack.
        unsafe {
            let mut process = libc::getpid();
            let mut part = libc::iovec { iov_base: (&raw mut process).cast(), iov_len: size_of::<libc::pid_t>() };
            let mut control = Control::default();
            let mut message: libc::msghdr = zeroed();
            message.msg_iov = &mut part;
            message.msg_iovlen = 1;
            message.msg_control = (&raw mut control).cast();
            message.msg_controllen = libc::CMSG_SPACE(size_of::<RawFd>() as u32) as usize;
            let header = libc::CMSG_FIRSTHDR(&message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
            libc::CMSG_DATA(header).cast::<RawFd>().write_unaligned(listener);
            if libc::sendmsg(self.0.as_raw_fd(), &message, libc::MSG_NOSIGNAL) < 0 {
                return Err(*libc::__errno_location());
            }
            libc::close(listener);
        }
        Ok(())
    }
}

/// Room for one descriptor.
#[derive(Default)]
#[repr(C, align(8))]
struct Control([u8; 32]);

/// The listener, and the process that sent it.
fn receive(from: OwnedFd) -> Option<(OwnedFd, libc::pid_t)> {
    // SAFETY: all memory is on this stack; a descriptor that comes is new and ours.
    unsafe {
        let mut process: libc::pid_t = 0;
        let mut part = libc::iovec { iov_base: (&raw mut process).cast(), iov_len: size_of::<libc::pid_t>() };
        let mut control = Control::default();
        let mut message: libc::msghdr = zeroed();
        message.msg_iov = &mut part;
        message.msg_iovlen = 1;
        message.msg_control = (&raw mut control).cast();
        message.msg_controllen = size_of::<Control>();
        let count = loop {
            let count = libc::recvmsg(from.as_raw_fd(), &mut message, libc::MSG_CMSG_CLOEXEC);
            if count >= 0 || *libc::__errno_location() != libc::EINTR {
                break count;
            }
        };
        let header = libc::CMSG_FIRSTHDR(&message);
        if count <= 0 || header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
            return None;
        }
        let listener = libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned();
        Some((OwnedFd::from_raw_fd(listener), process))
    }
}

/// What is answered.
enum Answer {
    GoesOn,
    /// As if it had been done.
    Pretended,
    /// Not done, for a reason the program can expect.
    Fails(i32),
    /// Refused, and noted.
    Refused(i32),
}

struct Judge {
    rules: Rules,
    /// The confined process as we see it, where there are no namespaces; it leads the session.
    process: libc::pid_t,
    seen: Arc<Mutex<Seen>>,
}

impl Judge {
    fn work(&self, listener: &OwnedFd) {
        loop {
            let mut polled = libc::pollfd { fd: listener.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: the memory is ours, and as long as the kernel takes it to be.
            unsafe {
                if libc::poll(&mut polled, 1, -1) < 0 && *libc::__errno_location() != libc::EINTR {
                    return;
                }
                if polled.revents & libc::POLLIN == 0 {
                    if polled.revents & (libc::POLLHUP | libc::POLLERR) != 0 {
                        return;
                    }
                    continue;
                }
                // The kernel wants it empty.
                let mut asked: libc::seccomp_notif = MaybeUninit::zeroed().assume_init();
                if libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &mut asked) != 0 {
                    // Whoever asked was killed meanwhile.
                    continue;
                }
                let mut answer: libc::seccomp_notif_resp = zeroed();
                answer.id = asked.id;
                match self.judge(&asked) {
                    Answer::GoesOn => answer.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
                    Answer::Pretended => {}
                    Answer::Fails(error) => answer.error = -error,
                    Answer::Refused(error) => {
                        answer.error = -error;
                        self.lock().refused.insert(calls::name(i64::from(asked.data.nr)));
                    }
                }
                // That it was killed meanwhile is its own affair.
                libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &mut answer);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn judge(&self, asked: &libc::seccomp_notif) -> Answer {
        let call = i64::from(asked.data.nr);
        let arguments = &asked.data.args;
        let caller = asked.pid as libc::pid_t;
        if self.rules.noted && notes::is_noted(call) {
            let opened = notes::note(&mut self.lock().notes, &self.rules.scratch, caller, call, arguments);
            if opened == Opened::OfOthers {
                return Answer::Refused(libc::EACCES);
            }
            let is_judged = self.rules.files_contained || !notes::is_about_files(call);
            let is_harmless = is_judged && !calls::is_harmful(call, arguments);
            return if is_harmless { Answer::GoesOn } else { Answer::Refused(libc::EPERM) };
        }
        match call {
            libc::SYS_ioctl => return Answer::Refused(libc::ENOTTY),
            // Nobody else is at work in a run's own files; locks on the user's would reach his programs.
            libc::SYS_flock => return self.lock_of_file(caller, arguments[0]),
            libc::SYS_fcntl if is_lock(arguments[1]) => return self.lock_of_file(caller, arguments[0]),
            _ if self.rules.processes_contained => return Answer::Refused(libc::EPERM),
            _ => {}
        }
        let target = arguments[0] as libc::pid_t;
        match call {
            libc::SYS_clone if arguments[0] & HARMFUL_CLONES != 0 => Answer::Refused(libc::EPERM),
            libc::SYS_clone if arguments[0] & libc::CLONE_THREAD as u64 != 0 => self.thread(),
            libc::SYS_clone | libc::SYS_fork | libc::SYS_vfork => self.fork(caller),
            libc::SYS_kill => match target {
                0 => Answer::GoesOn,
                -1 => Answer::Refused(libc::EPERM),
                ..-1 => self.signal(self.has_group(-target)),
                target => self.signal(self.is_ours(target)),
            },
            libc::SYS_tkill | libc::SYS_tgkill | libc::SYS_rt_sigqueueinfo | libc::SYS_rt_tgsigqueueinfo => {
                self.signal(target == caller || self.is_ours(target))
            }
            libc::SYS_setpgid => self.signal(target == 0 || self.is_ours(target)),
            libc::SYS_sched_setaffinity | libc::SYS_sched_getattr => self.signal(target == 0 || self.is_ours(target)),
            _ => Answer::Refused(libc::EPERM),
        }
    }

    fn signal(&self, is_inside: bool) -> Answer {
        if is_inside { Answer::GoesOn } else { Answer::Refused(libc::EPERM) }
    }

    fn fork(&self, caller: libc::pid_t) -> Answer {
        let mut seen = self.lock();
        if self.rules.is_server && (caller == self.process || seen.checkpoint == Some(caller)) {
            return Answer::GoesOn;
        }
        seen.forks += 1;
        if seen.forks > self.rules.most_forks {
            seen.too_many = true;
            return Answer::Fails(libc::EAGAIN);
        }
        Answer::GoesOn
    }

    fn thread(&self) -> Answer {
        let mut seen = self.lock();
        seen.threads += 1;
        if seen.threads > MOST_THREADS {
            seen.too_many = true;
            return Answer::Fails(libc::EAGAIN);
        }
        Answer::GoesOn
    }

    /// A lock on a file of the run's own goes on; any other is pretended.
    fn lock_of_file(&self, caller: libc::pid_t, descriptor: u64) -> Answer {
        let link = std::fs::read_link(format!("/proc/{caller}/fd/{}", descriptor as i32));
        match link {
            Ok(path) if path.starts_with(&*self.rules.scratch) => Answer::GoesOn,
            Ok(_) => Answer::Pretended,
            Err(_) => Answer::Fails(libc::EBADF),
        }
    }

    /// Whether a process or thread is of the run, and not the server that makes it.
    fn is_ours(&self, process: libc::pid_t) -> bool {
        let is_server = process == self.process || self.lock().checkpoint == Some(process);
        !(is_server && self.rules.is_server) && about(process).is_some_and(|about| about.session == self.process)
    }

    fn has_group(&self, group: libc::pid_t) -> bool {
        processes().any(|id| about(id).is_some_and(|about| about.group == group && about.session == self.process))
    }
}

fn is_lock(control: u64) -> bool {
    let locks = [libc::F_SETLK, libc::F_SETLKW, libc::F_OFD_SETLK, libc::F_OFD_SETLKW];
    locks.contains(&(control as libc::c_int))
}

struct About {
    group: libc::pid_t,
    session: libc::pid_t,
}

fn about(process: libc::pid_t) -> Option<About> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, which stands in brackets, may contain anything.
    let mut fields = text[text.rfind(')')? + 1..].split_whitespace().skip(2);
    let mut number = || fields.next()?.parse().ok();
    Some(About { group: number()?, session: number()? })
}

fn processes() -> impl Iterator<Item = libc::pid_t> {
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|process| process.file_name().to_str()?.parse().ok())
}

/// Kills all processes of a session but those that are spared, and waits until they are gone.
pub fn end_session(session: libc::pid_t, spared: &[libc::pid_t]) {
    // Killing takes a while; new ones may come meanwhile.
    for _ in 0..1000 {
        let is_left = |id: &libc::pid_t| {
            !spared.contains(id) && about(*id).is_some_and(|about| about.session == session) && !is_zombie(*id)
        };
        let found: Vec<libc::pid_t> = processes().filter(is_left).collect();
        if found.is_empty() {
            return;
        }
        for process in found {
            // SAFETY: sends a signal.
            unsafe { libc::kill(process, libc::SIGKILL) };
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
}

fn is_zombie(process: libc::pid_t) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    text.rfind(')').is_none_or(|end| matches!(text[end + 1..].trim_start().chars().next(), Some('Z' | 'X')))
}
