//! The filter of system calls: a list of those that a plain C or C++ program needs. Any other call is refused, and the
//! supervisor notes its name.
//!
//! Calls that have a harmful form are listed with the forms that are harmless. Some calls are harmless only where the kernel
//! contains what they do: signals where processes have a namespace of their own, modes and times of files where everything
//! but the scratch directory is mounted read-only. Elsewhere the supervisor judges them, or they are refused.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::sync::{Arc, LazyLock, Mutex};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// What the kernel contains by itself, and what is to be seen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Contained {
    /// Processes are in a namespace of their own.
    pub processes: bool,
    /// Nothing but the scratch directory can be changed, not even modes and times.
    pub files: bool,
    /// The supervisor is to see which files the program opens and which it tries to change.
    pub noted: bool,
    /// Calls the user lets through.
    pub allowed: &'static [i64],
}

/// What is done about a call that is not let through.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Otherwise {
    /// The supervisor hears of it and answers.
    Supervised,
    /// It fails as if not permitted. For kernels that do not let us supervise.
    Refused,
}

/// Calls that are harmless in every form.
#[rustfmt::skip]
const PLAIN: &[libc::c_long] = &[
    // Reading and writing what is open.
    libc::SYS_read, libc::SYS_write, libc::SYS_readv, libc::SYS_writev, libc::SYS_pread64, libc::SYS_pwrite64,
    libc::SYS_preadv, libc::SYS_pwritev, libc::SYS_preadv2, libc::SYS_pwritev2, libc::SYS_lseek, libc::SYS_close,
    libc::SYS_close_range, libc::SYS_dup, libc::SYS_dup2, libc::SYS_dup3, libc::SYS_pipe, libc::SYS_pipe2,
    libc::SYS_sendfile, libc::SYS_splice, libc::SYS_tee, libc::SYS_vmsplice, libc::SYS_copy_file_range,
    libc::SYS_fsync, libc::SYS_fdatasync, libc::SYS_sync_file_range, libc::SYS_ftruncate, libc::SYS_fallocate,
    libc::SYS_readahead, libc::SYS_fadvise64,
    libc::SYS_poll, libc::SYS_ppoll, libc::SYS_select, libc::SYS_pselect6, libc::SYS_epoll_create,
    libc::SYS_epoll_create1, libc::SYS_epoll_ctl, libc::SYS_epoll_wait, libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2, libc::SYS_eventfd, libc::SYS_eventfd2, libc::SYS_signalfd, libc::SYS_signalfd4,
    libc::SYS_timerfd_create, libc::SYS_timerfd_settime, libc::SYS_timerfd_gettime,
    // Talking over a pair of sockets; others cannot be made.
    libc::SYS_sendto, libc::SYS_recvfrom, libc::SYS_sendmsg, libc::SYS_recvmsg, libc::SYS_shutdown,
    libc::SYS_getsockopt, libc::SYS_setsockopt, libc::SYS_getsockname, libc::SYS_getpeername,
    // Looking at files.
    libc::SYS_stat, libc::SYS_fstat, libc::SYS_lstat, libc::SYS_newfstatat, libc::SYS_statx, libc::SYS_access,
    libc::SYS_faccessat, libc::SYS_faccessat2, libc::SYS_readlink, libc::SYS_readlinkat, libc::SYS_getdents,
    libc::SYS_getdents64, libc::SYS_getcwd, libc::SYS_statfs, libc::SYS_fstatfs, libc::SYS_getxattr,
    libc::SYS_lgetxattr, libc::SYS_fgetxattr, libc::SYS_listxattr, libc::SYS_llistxattr, libc::SYS_flistxattr,
    libc::SYS_chdir, libc::SYS_fchdir, libc::SYS_umask,
    // Memory.
    libc::SYS_mmap, libc::SYS_munmap, libc::SYS_mprotect, libc::SYS_mremap, libc::SYS_msync, libc::SYS_mincore,
    libc::SYS_madvise, libc::SYS_brk, libc::SYS_mlock, libc::SYS_mlock2, libc::SYS_munlock, libc::SYS_munlockall,
    libc::SYS_pkey_alloc, libc::SYS_pkey_free, libc::SYS_pkey_mprotect, libc::SYS_get_mempolicy,
    // Its own signals, time and threads.
    libc::SYS_rt_sigaction, libc::SYS_rt_sigprocmask, libc::SYS_rt_sigreturn, libc::SYS_rt_sigpending,
    libc::SYS_rt_sigtimedwait, libc::SYS_rt_sigsuspend, libc::SYS_sigaltstack, libc::SYS_pause, libc::SYS_alarm,
    libc::SYS_nanosleep, libc::SYS_clock_nanosleep, libc::SYS_clock_gettime, libc::SYS_clock_getres,
    libc::SYS_gettimeofday, libc::SYS_time, libc::SYS_times, libc::SYS_getitimer, libc::SYS_setitimer,
    libc::SYS_timer_create, libc::SYS_timer_settime, libc::SYS_timer_gettime, libc::SYS_timer_getoverrun,
    libc::SYS_timer_delete, libc::SYS_futex, libc::SYS_futex_waitv, libc::SYS_set_robust_list,
    libc::SYS_set_tid_address, libc::SYS_rseq, libc::SYS_membarrier, libc::SYS_restart_syscall,
    libc::SYS_sched_yield, libc::SYS_sched_getaffinity, libc::SYS_sched_getparam, libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max, libc::SYS_sched_get_priority_min, libc::SYS_sched_rr_get_interval,
    libc::SYS_getcpu, libc::SYS_arch_prctl,
    // Who it is, and what it may use.
    libc::SYS_getpid, libc::SYS_gettid, libc::SYS_getppid, libc::SYS_getpgrp, libc::SYS_getpgid, libc::SYS_getsid,
    libc::SYS_getuid, libc::SYS_geteuid, libc::SYS_getgid, libc::SYS_getegid, libc::SYS_getresuid,
    libc::SYS_getresgid, libc::SYS_getgroups, libc::SYS_setuid, libc::SYS_setgid, libc::SYS_setreuid,
    libc::SYS_setregid, libc::SYS_setresuid, libc::SYS_setresgid, libc::SYS_setfsuid, libc::SYS_setfsgid,
    libc::SYS_capget, libc::SYS_uname, libc::SYS_sysinfo, libc::SYS_getrusage, libc::SYS_getrlimit,
    libc::SYS_setrlimit, libc::SYS_getpriority, libc::SYS_ioprio_get, libc::SYS_getrandom,
    // Making itself smaller.
    libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self,
    // Its end, and that of its children.
    libc::SYS_exit, libc::SYS_exit_group, libc::SYS_wait4, libc::SYS_waitid, libc::SYS_pidfd_open,
];

/// What the wall around files judges: it knows where a path leads, and this wall does not.
#[rustfmt::skip]
const BY_PATH: &[libc::c_long] = &[
    libc::SYS_creat, libc::SYS_execve, libc::SYS_execveat, libc::SYS_link, libc::SYS_linkat, libc::SYS_mkdir,
    libc::SYS_mkdirat, libc::SYS_rename, libc::SYS_renameat, libc::SYS_renameat2, libc::SYS_rmdir, libc::SYS_symlink,
    libc::SYS_symlinkat, libc::SYS_unlink, libc::SYS_unlinkat,
];

/// Modes, owners, times and attributes of files, which Landlock does not know; and `truncate`, which it knows since its
/// third version.
#[rustfmt::skip]
const ABOUT_FILES: &[libc::c_long] = &[
    libc::SYS_chmod, libc::SYS_fchmod, libc::SYS_fchmodat, SYS_FCHMODAT2, libc::SYS_chown, libc::SYS_fchown,
    libc::SYS_lchown, libc::SYS_fchownat, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat, libc::SYS_utimensat,
    libc::SYS_setxattr, libc::SYS_lsetxattr, libc::SYS_fsetxattr, libc::SYS_removexattr, libc::SYS_lremovexattr,
    libc::SYS_fremovexattr, libc::SYS_truncate,
];

const SYS_FCHMODAT2: libc::c_long = 452;

/// What reaches other processes, unless there are none to be reached.
#[rustfmt::skip]
const ABOUT_PROCESSES: &[libc::c_long] = &[
    libc::SYS_kill, libc::SYS_tkill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal, libc::SYS_setsid, libc::SYS_setpgid, libc::SYS_fork, libc::SYS_vfork,
    libc::SYS_sched_setaffinity, libc::SYS_sched_setscheduler, libc::SYS_sched_setparam, libc::SYS_sched_setattr,
    libc::SYS_sched_getattr,
];

/// Newer calls that the C library can do without: as if this kernel had none. Their arguments are in memory, where no filter
/// sees them.
const UNKNOWN: &[libc::c_long] = &[libc::SYS_clone3, libc::SYS_openat2];

/// Requests to a terminal or file that only ask.
const HARMLESS_REQUESTS: &[u64] = &[
    0x5401,      // TCGETS
    0x540f,      // TIOCGPGRP
    0x5413,      // TIOCGWINSZ
    0x541b,      // FIONREAD
    0x5421,      // FIONBIO
    0x5450,      // FIONCLEX
    0x5451,      // FIOCLEX
    0x802c_542a, // TCGETS2
    0x8008_6601, // FS_IOC_GETFLAGS
];

/// Not `F_SETOWN` and `F_SETSIG`, which send signals to others, nor leases and notifications.
const HARMLESS_FILE_CONTROLS: &[libc::c_int] = &[
    libc::F_DUPFD,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_GETLK,
    libc::F_OFD_GETLK,
    libc::F_DUPFD_CLOEXEC,
    libc::F_SETPIPE_SZ,
    libc::F_GETPIPE_SZ,
    libc::F_GET_SEALS,
];

const HARMLESS_PROCESS_CONTROLS: &[libc::c_int] = &[
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_DUMPABLE,
    libc::PR_SET_PDEATHSIG,
    libc::PR_GET_PDEATHSIG,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_SECCOMP,
    libc::PR_SET_TIMERSLACK,
    libc::PR_GET_TIMERSLACK,
    libc::PR_SET_THP_DISABLE,
    libc::PR_GET_THP_DISABLE,
    0x53564d41, // PR_SET_VMA: names for mappings
];

/// Namespaces of its own would give a run rights that walls do not expect; siblings would be children of ours.
pub const HARMFUL_CLONES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT
    | libc::CLONE_PTRACE) as u64;

/// The filter, as the kernel reads it. Most of the list are calls that are harmless in every form: they are told by their
/// numbers alone, by ranges, since the kernel compiles a filter anew for every process that lays it on. Whatever else
/// there is, seccompiler's part judges.
pub fn filter(contained: Contained, otherwise: Otherwise) -> io::Result<Arc<[libc::sock_filter]>> {
    /// Filters that were made, by what they are for.
    type Made = HashMap<(Contained, Otherwise), Arc<[libc::sock_filter]>>;
    static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(filter) = made.get(&(contained, otherwise)) {
        return Ok(filter.clone());
    }
    let (plain, judged): (Rules, Rules) = rules(contained)?.into_iter().partition(|(_, forms)| forms.is_empty());
    let unknown = UNKNOWN.iter().filter(|call| !contained.allowed.contains(call));
    let mut filter = beginning(unknown.copied());
    filter.extend(allowing(&plain.into_keys().collect::<Vec<_>>()));
    filter.extend(judging(judged, otherwise)?);
    let filter: Arc<[libc::sock_filter]> = filter.into();
    made.insert((contained, otherwise), filter.clone());
    Ok(filter)
}

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_AT_LEAST: u16 = (libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K) as u16;
const IF_GREATER: u16 = (libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K) as u16;

/// Where the kernel shows a filter what kind of call it is (`AUDIT_ARCH_X86_64`), and its number.
const ARCHITECTURE: u32 = 4;
const NUMBER: u32 = 0;
const X86_64: u32 = 0xc000_003e;

fn instruction(code: u16, k: u32) -> libc::sock_filter {
    libc::sock_filter { code, jt: 0, jf: 0, k }
}

/// Goes on with the next instruction if it holds, otherwise after so many more.
fn unless(code: u16, k: u32, skipped: u8) -> libc::sock_filter {
    libc::sock_filter { code, jt: 0, jf: skipped, k }
}

/// Ends processes that make calls of another architecture; loads the number; answers calls that there are to be none of.
fn beginning(unknown: impl Iterator<Item = i64>) -> Vec<libc::sock_filter> {
    let mut filter = vec![
        instruction(LOAD, ARCHITECTURE),
        libc::sock_filter { code: IF_EQUAL, jt: 1, jf: 0, k: X86_64 },
        instruction(RETURN, libc::SECCOMP_RET_KILL_PROCESS),
        instruction(LOAD, NUMBER),
    ];
    for call in unknown {
        filter.push(unless(IF_EQUAL, call as u32, 1));
        filter.push(instruction(RETURN, libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32));
    }
    filter
}

/// Lets calls through by their numbers, which are sorted.
fn allowing(calls: &[i64]) -> Vec<libc::sock_filter> {
    let mut filter = Vec::new();
    for range in calls.chunk_by(|call, next| call + 1 == *next) {
        let (first, last) = (range[0] as u32, range[range.len() - 1] as u32);
        filter.push(unless(IF_AT_LEAST, first, 2));
        filter.push(libc::sock_filter { code: IF_GREATER, jt: 1, jf: 0, k: last });
        filter.push(instruction(RETURN, libc::SECCOMP_RET_ALLOW));
    }
    filter
}

/// Lets calls through by these rules.
fn judging(rules: Rules, otherwise: Otherwise) -> io::Result<Vec<libc::sock_filter>> {
    let refuse = match otherwise {
        Otherwise::Supervised => STAND_IN,
        Otherwise::Refused => SeccompAction::Errno(libc::EPERM as u32),
    };
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(rules, refuse, SeccompAction::Allow, arch).map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    let stand_in = u32::from(STAND_IN);
    let plain = |i: seccompiler::sock_filter| libc::sock_filter {
        code: i.code,
        jt: i.jt,
        jf: i.jf,
        k: if i.code == RETURN && i.k == stand_in { libc::SECCOMP_RET_USER_NOTIF } else { i.k },
    };
    Ok(program.into_iter().map(plain).collect())
}

/// seccompiler has no name for notification: this action stands for it until the filter is made.
const STAND_IN: SeccompAction = SeccompAction::Trace(0x5eed);

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// What is let through without a question.
fn rules(contained: Contained) -> io::Result<Rules> {
    let mut rules: Rules = PLAIN.iter().map(|&call| (call, Vec::new())).collect();
    if !contained.noted {
        rules.extend(BY_PATH.iter().map(|&call| (call, Vec::new())));
        // Opening for reading only must not make a file empty: older walls around files do not see that.
        for (call, flags) in [(libc::SYS_open, 1), (libc::SYS_openat, 2)] {
            let forms = [
                form(&[has(flags, libc::O_TRUNC as u64, 0)]),
                form(&[has(flags, libc::O_ACCMODE as u64, libc::O_WRONLY as u64)]),
                form(&[has(flags, libc::O_ACCMODE as u64, libc::O_RDWR as u64)]),
            ];
            rules.insert(call, forms.into_iter().collect::<io::Result<_>>()?);
        }
        // Files and FIFOs; no devices, no sockets.
        for (call, mode) in [(libc::SYS_mknod, 1), (libc::SYS_mknodat, 2)] {
            let kinds = [0, libc::S_IFREG, libc::S_IFIFO];
            let forms = kinds.map(|kind| form(&[has(mode, u64::from(libc::S_IFMT), u64::from(kind))]));
            rules.insert(call, forms.into_iter().collect::<io::Result<_>>()?);
        }
    }
    if contained.files && !contained.noted {
        rules.extend(ABOUT_FILES.iter().map(|&call| (call, Vec::new())));
    }
    if contained.processes {
        rules.extend(ABOUT_PROCESSES.iter().map(|&call| (call, Vec::new())));
        rules.insert(libc::SYS_clone, vec![form(&[has(0, HARMFUL_CLONES, 0)])?]);
    }
    let one_of = |argument, values: &[u64]| -> io::Result<Vec<SeccompRule>> {
        values.iter().map(|&value| form(&[is(argument, value)])).collect()
    };
    let numbers = |values: &[libc::c_int]| values.iter().map(|&value| value as u64).collect::<Vec<_>>();
    rules.insert(libc::SYS_ioctl, one_of(1, HARMLESS_REQUESTS)?);
    rules.insert(libc::SYS_fcntl, one_of(1, &numbers(HARMLESS_FILE_CONTROLS))?);
    rules.insert(libc::SYS_prctl, one_of(0, &numbers(HARMLESS_PROCESS_CONTROLS))?);
    // A pair that is connected already, and can send to nobody else.
    let pairs = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
    let pairs = pairs.map(|kind| form(&[is(0, libc::AF_UNIX as u64), has(1, 0xf, kind as u64)]));
    rules.insert(libc::SYS_socketpair, pairs.into_iter().collect::<io::Result<_>>()?);
    // Only of itself.
    rules.insert(libc::SYS_prlimit64, vec![form(&[is(0, 0)])?]);
    rules.insert(libc::SYS_setpriority, vec![form(&[is(0, u64::from(libc::PRIO_PROCESS)), is(1, 0)])?]);
    rules.insert(libc::SYS_personality, vec![form(&[is(0, 0xffff_ffff)])?]);
    // A filter of its own makes it smaller; a supervisor of its own would come before ours.
    rules.insert(libc::SYS_seccomp, vec![form(&[is(0, u64::from(libc::SECCOMP_SET_MODE_FILTER)), is(1, 0)])?]);
    rules.extend(contained.allowed.iter().map(|&call| (call, Vec::new())));
    Ok(rules)
}

/// Whether a call that the wall around files judges has a form which that wall may not see.
pub fn is_harmful(call: i64, arguments: &[u64; 6]) -> bool {
    let opens = |flags: u64| {
        let flags = flags as libc::c_int;
        flags & libc::O_TRUNC != 0 && !matches!(flags & libc::O_ACCMODE, libc::O_WRONLY | libc::O_RDWR)
    };
    let makes = |mode: u64| !matches!(mode as libc::mode_t & libc::S_IFMT, 0 | libc::S_IFREG | libc::S_IFIFO);
    match call {
        libc::SYS_open => opens(arguments[1]),
        libc::SYS_openat => opens(arguments[2]),
        libc::SYS_mknod => makes(arguments[1]),
        libc::SYS_mknodat => makes(arguments[2]),
        _ => false,
    }
}

/// A form of a call: all of these hold.
fn form(conditions: &[io::Result<SeccompCondition>]) -> io::Result<SeccompRule> {
    let conditions: io::Result<Vec<SeccompCondition>> = conditions
        .iter()
        .map(|condition| match condition {
            Ok(condition) => Ok(condition.clone()),
            Err(error) => Err(io::Error::other(error.to_string())),
        })
        .collect();
    SeccompRule::new(conditions?).map_err(io::Error::other)
}

/// The argument is this number. The kernel looks at 32 bits of these arguments, and so do we.
fn is(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Eq, value)
}

/// These bits of the argument are so.
fn has(argument: u8, mask: u64, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(mask), value)
}

fn condition(argument: u8, how: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, how, value).map_err(io::Error::other)
}

/// The number of a call, by its name.
pub fn number(name: &str) -> Option<i64> {
    name.parse::<syscalls::Sysno>().ok().map(|call| i64::from(call.id()))
}

/// The name of a call.
pub fn name(number: i64) -> String {
    match usize::try_from(number).ok().and_then(syscalls::Sysno::new) {
        Some(call) => call.name().to_owned(),
        None => format!("system call {number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a filter answers: the obvious way to read it.
    fn answer(filter: &[libc::sock_filter], number: u32, architecture: u32, arguments: &[u64; 6]) -> u32 {
        let mut data = [number, architecture, 0, 0].to_vec();
        data.extend(arguments.iter().flat_map(|&argument| [argument as u32, (argument >> 32) as u32]));
        let (mut at, mut accumulator) = (0, 0);
        loop {
            let libc::sock_filter { code, jt, jf, k } = filter[at];
            at += 1;
            let mut jump = |holds: bool| at += usize::from(if holds { jt } else { jf });
            match u32::from(code) {
                0x20 => accumulator = data[k as usize / 4],
                0x54 => accumulator &= k,
                0x05 => at += k as usize,
                0x15 => jump(accumulator == k),
                0x25 => jump(accumulator > k),
                0x35 => jump(accumulator >= k),
                0x06 => return k,
                other => panic!("instruction {other:#x}"),
            }
        }
    }

    fn all_kinds() -> impl Iterator<Item = (Contained, Otherwise)> {
        (0..16).map(|bits| {
            let otherwise = if bits & 8 == 0 { Otherwise::Supervised } else { Otherwise::Refused };
            let allowed: &[i64] = if bits & 1 == 0 { &[] } else { &[libc::SYS_socket, libc::SYS_openat2] };
            let contained = Contained { processes: bits & 2 == 0, files: bits & 4 == 0, noted: bits & 1 == 0, allowed };
            (contained, otherwise)
        })
    }

    /// The filter with ranges answers as one that is all seccompiler's.
    #[test]
    fn ranges_answer_as_rules_do() {
        for (contained, otherwise) in all_kinds() {
            let filter = filter(contained, otherwise).expect("a filter");
            let rules = rules(contained).expect("rules");
            let slow = judging(rules, otherwise).expect("a filter");
            let mut random = 1_u64;
            for number in (0..600).chain(0x4000_0000..0x4000_0200) {
                for _ in 0..40 {
                    random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let small = random >> 58;
                    let arguments = [small, random >> 33 & 0xf, small & 3, random >> 20, small << 12, 0];
                    let is_unknown =
                        UNKNOWN.contains(&i64::from(number)) && !contained.allowed.contains(&i64::from(number));
                    let expected = match is_unknown {
                        true => libc::SECCOMP_RET_ERRNO | libc::ENOSYS as u32,
                        false => answer(&slow, number, X86_64, &arguments),
                    };
                    assert_eq!(answer(&filter, number, X86_64, &arguments), expected, "call {number} {arguments:?}");
                }
            }
        }
    }

    #[test]
    fn calls_of_another_architecture_end_the_process() {
        for (contained, otherwise) in all_kinds() {
            let filter = filter(contained, otherwise).expect("a filter");
            for number in 0..600 {
                assert_eq!(answer(&filter, number, 0x4000_0003, &[0; 6]), libc::SECCOMP_RET_KILL_PROCESS);
            }
        }
    }

    #[test]
    fn a_filter_is_short() {
        for (contained, otherwise) in all_kinds() {
            let filter = filter(contained, otherwise).expect("a filter");
            let slow = judging(rules(contained).expect("rules"), otherwise).expect("a filter");
            assert!(filter.len() * 2 < slow.len(), "{} instructions, {} by rules", filter.len(), slow.len());
        }
    }
}
