//! `faultline doctor`: checks whether this machine has what faultline needs, and says what to do if it has not.

use std::process::{Command, ExitCode, Stdio};

use experiment::sandbox::{FileWall, Namespaces, Walls};

/// Check that this machine has what faultline needs
///
/// Prints one line for each requirement. The exit status is 1 if something is missing that faultline cannot work without.
#[derive(clap::Args)]
pub struct Arguments {}

struct Check {
    what: &'static str,
    is_there: fn() -> bool,
    /// Nothing works without it; the rest only limits what can be done.
    needed: bool,
    advice: &'static str,
}

const CHECKS: &[Check] = &[
    Check {
        what: "clang-19",
        is_there: has_clang,
        needed: true,
        advice: "programs cannot be compiled; install the package clang-19",
    },
    Check {
        what: "memory shared by descriptor (memfd)",
        is_there: has_memory_files,
        needed: true,
        advice: "programs cannot be recorded; Linux 3.17 or later is needed",
    },
    Check {
        what: "tracing (ptrace)",
        is_there: can_trace,
        needed: false,
        advice: "reports cannot show the address that a crash accessed; allow ptrace (in a container: --cap-add SYS_PTRACE)",
    },
    Check {
        what: "fixed addresses (personality)",
        is_there: can_fix_addresses,
        needed: false,
        advice: "addresses differ from run to run; allow personality (in a container: --security-opt seccomp=unconfined)",
    },
    Check {
        what: "filtering of system calls (seccomp)",
        is_there: filters_calls,
        needed: false,
        advice: "no experiments are possible, because nothing can be run in a sandbox",
    },
    Check {
        what: "protection of your files (Landlock)",
        is_there: has_landlock,
        needed: false,
        advice: "experiments can read all your files, and without user namespaces no experiments are possible; Linux 5.13 or \
                 later with Landlock enabled is needed (lsm=landlock,...)",
    },
    Check {
        what: "supervision of system calls (seccomp notification)",
        is_there: can_supervise,
        needed: false,
        advice: "reports cannot name the system calls that the sandbox refuses, and without user namespaces no experiments are \
                 possible; Linux 5.5 or later is needed, and faultline must not run under another supervisor",
    },
    Check {
        what: "user namespaces",
        is_there: has_user_namespaces,
        needed: false,
        advice: "programs in the sandbox may not change modes, owners or times of files, and may start only a few processes; \
                 allow user namespaces (in a container: --security-opt seccomp=unconfined, on Ubuntu: the sysctl \
                 kernel.apparmor_restrict_unprivileged_userns=0, elsewhere: user.max_user_namespaces)",
    },
    Check {
        what: "mounting in user namespaces",
        is_there: can_mount,
        needed: false,
        advice: "programs in the sandbox may not change modes, owners or times of files; Linux 5.12 or later is needed",
    },
];

pub fn run(_: &Arguments) -> anyhow::Result<ExitCode> {
    let (mut complete, mut told) = (true, String::new());
    for check in CHECKS {
        if (check.is_there)() {
            told += &format!("ok       {}\n", check.what);
        } else {
            told += &format!("missing  {}: {}\n", check.what, check.advice);
            complete &= !check.needed;
        }
    }
    crate::answer::write_text(&told)?;
    Ok(if complete { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn has_clang() -> bool {
    let version = Command::new("clang-19").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}

fn has_memory_files() -> bool {
    // SAFETY: the name ends with a zero byte.
    let file = unsafe { libc::memfd_create(c"faultline".as_ptr(), libc::MFD_CLOEXEC) };
    // SAFETY: the descriptor made above, which nobody else has.
    file >= 0 && unsafe { libc::close(file) } == 0
}

/// Whether a forked child can do it; a child's rights are ours.
fn child_can(attempt: fn() -> bool) -> bool {
    // SAFETY: the child makes system calls only, and ends.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::_exit(if attempt() { 0 } else { 1 });
        }
        let mut status = 0;
        child > 0 && libc::waitpid(child, &mut status, 0) == child && status == 0
    }
}

fn can_trace() -> bool {
    // SAFETY: the child waits for its end, which comes from here; it is no other process, since it is waited for here.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::pause();
            libc::_exit(0);
        }
        if child < 0 {
            return false;
        }
        let seized = libc::ptrace(libc::PTRACE_SEIZE, child, 0, 0) == 0;
        libc::kill(child, libc::SIGKILL);
        let mut status = 0;
        libc::waitpid(child, &mut status, libc::__WALL);
        seized
    }
}

fn can_fix_addresses() -> bool {
    // SAFETY: changes what the child's next program finds, and there is none.
    child_can(|| unsafe { libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong) } >= 0)
}

fn filters_calls() -> bool {
    Walls::of_this_machine().calls
}

fn has_landlock() -> bool {
    Walls::of_this_machine().files != FileWall::None
}

fn can_supervise() -> bool {
    Walls::of_this_machine().supervisor
}

fn has_user_namespaces() -> bool {
    Walls::of_this_machine().namespaces != Namespaces::None
}

fn can_mount() -> bool {
    Walls::of_this_machine().namespaces == Namespaces::All
}
