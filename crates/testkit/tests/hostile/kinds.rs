//! The kinds of harm that `tests/experiments/hostile.c` can do, what each is done to, and what it is called when refused.

use Target::*;

/// What a kind of harm is done to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// A file of the user.
    File,
    /// The same, only read: programs that nobody has changed may do that.
    Secret,
    /// A process of the user.
    Process,
    /// Nothing; what is left running has this name.
    Name,
    /// A port of TCP, or of UDP.
    Stream,
    Datagram,
    /// A socket with a path; one of datagrams; one without a path.
    Local,
    LocalDatagram,
    Abstract,
    Fifo,
    Terminal,
    /// Nothing, and it takes long.
    Slow,
}

pub struct Kind {
    pub name: &'static str,
    pub target: Target,
    /// The system call that is refused whatever the kernel contains.
    pub call: Option<&'static str>,
}

const fn kind(name: &'static str, target: Target) -> Kind {
    Kind { name, target, call: None }
}

const fn call(name: &'static str, target: Target, call: &'static str) -> Kind {
    Kind { name, target, call: Some(call) }
}

#[rustfmt::skip]
pub const KINDS: &[Kind] = &[
    kind("unlink", File), kind("write", File), kind("append", File), kind("read_truncating", File),
    kind("openat2", File), kind("create", File), kind("creat", File), kind("truncate", File), kind("rename", File),
    kind("rename_exchange", File), kind("link", File), kind("link_descriptor", File), kind("symlink", File),
    kind("mkdir", File), kind("fifo", File), kind("device", File), kind("temporary", File),
    kind("chmod", File), kind("fchmod", File), kind("fchmodat", File), kind("fchmodat2", File), kind("chown", File),
    kind("fchown", File), kind("lchown", File), kind("utime", File), kind("utimes", File), kind("futimens", File),
    kind("setxattr", File), kind("fsetxattr", File), kind("removexattr", File), call("flags", File, "ioctl"),
    kind("shared_mapping", File), call("by_handle", File, "name_to_handle_at"), kind("through_proc", File),
    kind("shell", File), kind("remove_program", File), kind("chdir_and_write", File), kind("read_secret", Secret),
    kind("list_secret", Secret), kind("flock", File),
    kind("inherited", File), kind("poison_input", File), kind("parents_descriptors", File), kind("parents_memory", File),
    kind("scribble", File), kind("close_all", File), kind("truncate_all", File),
    kind("kill", Process), kind("kill_all", Process), kind("kill_group", Process), kind("stop", Process),
    kind("tkill", Process), kind("tgkill", Process), kind("sigqueue", Process), kind("pidfd_signal", Process),
    kind("own_parent", Process), kind("stop_parent", Process), call("signal_by_owner", Process, "fcntl"),
    call("priority", Process, "setpriority"), call("priority_of_user", Process, "setpriority"),
    call("io_priority", Process, "ioprio_set"), call("limits_of_other", Process, "prlimit64"),
    kind("affinity", Process), kind("scheduler", Process), kind("out_of_memory_score", Process),
    call("ptrace", Process, "ptrace"), call("read_memory", Process, "process_vm_readv"),
    call("write_memory", Process, "process_vm_writev"), call("madvise_of_other", Process, "process_madvise"),
    call("get_descriptor", Process, "pidfd_getfd"), call("compare", Process, "kcmp"),
    call("move_pages", Process, "move_pages"), call("migrate", Process, "migrate_pages"),
    kind("daemon", Name), kind("vfork", Name), kind("raw_fork", Name), kind("raw_clone", Name),
    call("sibling", Name, "clone"), kind("clone3", Name), call("new_namespace", Name, "clone"),
    kind("close_and_linger", Name),
    kind("fork_flood", Slow), kind("raw_fork_flood", Slow), kind("thread_flood", Slow), kind("memory", Slow),
    kind("shared_memory", Slow), kind("lift_limits", Name), kind("print", Name), kind("loop", Slow),
    kind("sleep", Slow),
    call("connect", Stream, "socket"), call("datagram", Datagram, "socket"), call("local", Local, "socket"),
    call("local_datagram", LocalDatagram, "socket"), call("pair_datagram", LocalDatagram, "socketpair"),
    call("abstract", Abstract, "socket"), call("netlink", Name, "socket"), call("vsock", Name, "socket"),
    call("packet", Name, "socket"), call("crypto", Name, "socket"), call("io_uring", Name, "io_uring_setup"),
    call("shm", Name, "shmget"), call("msg", Name, "msgget"), call("sem", Name, "semget"), call("mq", Name, "mq_open"),
    kind("posix_shm", Name), call("memory_file", Name, "memfd_create"), kind("fifo_write", Fifo), kind("fifo_read", Fifo),
    kind("terminal_write", Terminal), kind("terminal_read", Terminal), call("terminal_type", Terminal, "ioctl"),
    kind("own_terminal", Terminal),
    call("mount", File, "mount"), call("umount", Name, "umount2"), call("remount", Name, "mount"),
    call("pivot", Name, "pivot_root"), call("chroot", Name, "chroot"), call("unshare", Name, "unshare"),
    call("setns", Name, "setns"), call("fsopen", Name, "fsopen"), call("open_tree", Name, "open_tree"),
    call("move_mount", Name, "move_mount"), call("mount_setattr", Name, "mount_setattr"),
    call("hostname", Name, "sethostname"), call("domain", Name, "setdomainname"), call("settime", Name, "clock_settime"),
    call("settimeofday", Name, "settimeofday"), call("adjtime", Name, "clock_adjtime"), call("reboot", Name, "reboot"),
    call("kexec", Name, "kexec_load"), call("module", Name, "init_module"), call("module_file", Name, "finit_module"),
    call("no_module", Name, "delete_module"), call("swap", Name, "swapon"), call("no_swap", Name, "swapoff"),
    call("bpf", Name, "bpf"), call("perf", Name, "perf_event_open"), call("page_faults", Name, "userfaultfd"),
    call("key", Name, "add_key"), call("request_key", Name, "request_key"), call("keyring", Name, "keyctl"),
    call("quota", Name, "quotactl"), call("accounting", Name, "acct"), call("kernel_log", Name, "syslog"),
    call("ports", Name, "iopl"), call("port", Name, "ioperm"), call("segments", Name, "modify_ldt"),
    call("personality", Name, "personality"), call("fanotify", Name, "fanotify_init"), call("hang_up", Name, "vhangup"),
    call("sync", Name, "sync"), kind("x32", Name), kind("i386", Name), kind("setuid_program", Name),
    kind("capabilities", Name), call("secure_computing", Name, "seccomp"),
];

/// Harm to the directory a run works in, or from there.
#[rustfmt::skip]
pub const IN_DIRECTORY: &[Kind] = &[
    kind("deep", File), kind("without_mode", File), kind("link_out", File), kind("hard_link_out", File),
    kind("move_directory", File), kind("many_files", File),
];
