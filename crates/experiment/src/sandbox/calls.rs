//! The wall around system calls: what reaches beyond files and processes of the run is refused, as if not permitted.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

#[rustfmt::skip]
const REFUSED: &[libc::c_long] = &[
    // The network, and services of this machine.
    libc::SYS_socket, libc::SYS_connect, libc::SYS_bind, libc::SYS_listen, libc::SYS_accept, libc::SYS_accept4,
    libc::SYS_io_uring_setup,
    // Other processes.
    libc::SYS_ptrace, libc::SYS_process_madvise, libc::SYS_pidfd_getfd, libc::SYS_kcmp,
    // The system.
    libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root, libc::SYS_chroot, libc::SYS_unshare, libc::SYS_setns,
    libc::SYS_fsopen, libc::SYS_move_mount, libc::SYS_open_tree, libc::SYS_settimeofday, libc::SYS_clock_settime,
    libc::SYS_adjtimex, libc::SYS_clock_adjtime, libc::SYS_sethostname, libc::SYS_setdomainname, libc::SYS_reboot,
    libc::SYS_swapon, libc::SYS_swapoff, libc::SYS_kexec_load, libc::SYS_kexec_file_load, libc::SYS_init_module,
    libc::SYS_finit_module, libc::SYS_delete_module, libc::SYS_bpf, libc::SYS_perf_event_open, libc::SYS_quotactl,
    libc::SYS_acct, libc::SYS_syslog, libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl,
    libc::SYS_userfaultfd,
];

/// The filter, as the kernel reads it.
pub fn filter() -> io::Result<Vec<libc::sock_filter>> {
    let rules: BTreeMap<i64, _> = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let refuse = SeccompAction::Errno(libc::EPERM as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(io::Error::other)?;
    let program: BpfProgram = filter.try_into().map_err(io::Error::other)?;
    let plain = |i: seccompiler::sock_filter| libc::sock_filter { code: i.code, jt: i.jt, jf: i.jf, k: i.k };
    Ok(program.into_iter().map(plain).collect())
}
