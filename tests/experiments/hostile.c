/* Does nothing, wrongly; does harm if the first predicate of `main` is switched, or if there is a third argument.

   The first argument is the kind of harm, the second what it is done to: a file of the user, a process, a socket. It prints
   `refused` if it could not be done and `done` if it could. Harm that could hurt the machine is bounded or done with arguments
   that the kernel does not take: that it was refused before the kernel looked at them shows by EPERM. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>

static const char *victim; /* the second argument */
static char beside[4200];  /* a new name in the victim's directory */
static char directory[4200];

static int ok(long result) { return result >= 0; }
/* The kernel was asked: it answered with anything but EPERM. */
static int asked(long result) { return result >= 0 || errno != EPERM; }
static int process(void) { return atoi(victim); }

/* Files. */
static int do_unlink(void) { return ok(unlink(victim)); }
static int do_write(void) { return ok(open(victim, O_WRONLY)); }
static int do_append(void) { return ok(open(victim, O_WRONLY | O_APPEND)); }
static int do_read_truncating(void) { return ok(open(victim, O_RDONLY | O_TRUNC)); }
static int do_openat2(void) {
    struct { unsigned long long flags, mode, resolve; } how = {O_WRONLY | O_TRUNC, 0, 0};
    return ok(syscall(SYS_openat2, AT_FDCWD, victim, &how, sizeof how));
}
static int do_create(void) { return ok(open(beside, O_WRONLY | O_CREAT, 0666)); }
static int do_creat(void) { return ok(creat(victim, 0666)); }
static int do_truncate(void) { return ok(truncate(victim, 0)); }
static int do_rename(void) { return ok(rename(victim, beside)); }
static int do_rename_exchange(void) { return ok(renameat2(AT_FDCWD, victim, AT_FDCWD, directory, RENAME_EXCHANGE)); }
static int do_link(void) { return ok(link(victim, beside)); }
static int do_link_descriptor(void) {
    int file = open(victim, O_PATH);
    return ok(linkat(file, "", AT_FDCWD, beside, AT_EMPTY_PATH));
}
static int do_symlink(void) { return ok(symlink("/", beside)); }
static int do_mkdir(void) { return ok(mkdir(beside, 0777)); }
static int do_fifo(void) { return ok(mkfifo(beside, 0666)); }
static int do_device(void) { return ok(mknod(beside, S_IFBLK | 0666, 0)); }
static int do_temporary(void) { return ok(open(directory, O_TMPFILE | O_RDWR, 0666)); }
static int do_chmod(void) { return ok(chmod(victim, 0)); }
static int do_fchmod(void) { return ok(fchmod(open(victim, O_RDONLY), 0777)); }
static int do_fchmodat(void) { return ok(syscall(SYS_fchmodat, AT_FDCWD, victim, 0777)); }
static int do_fchmodat2(void) { return ok(syscall(452, AT_FDCWD, victim, 0777, 0)); }
static int do_chown(void) { return ok(chown(victim, getuid(), getgid())); }
static int do_fchown(void) { return ok(fchown(open(victim, O_RDONLY), getuid(), getgid())); }
static int do_lchown(void) { return ok(lchown(victim, getuid(), getgid())); }
static int do_utime(void) { return ok(utime(victim, &(struct utimbuf){1, 1})); }
static int do_utimes(void) { return ok(utimes(victim, (struct timeval[2]){{1, 0}, {1, 0}})); }
static int do_futimens(void) { return ok(futimens(open(victim, O_RDONLY), (struct timespec[2]){{1, 0}, {1, 0}})); }
static int do_setxattr(void) { return ok(setxattr(victim, "user.harm", "x", 1, 0)); }
static int do_fsetxattr(void) { return ok(fsetxattr(open(victim, O_RDONLY), "user.harm", "x", 1, 0)); }
static int do_removexattr(void) { return ok(removexattr(victim, "user.mine")); }
static int do_flags(void) {
    int flags = 0x20; /* append only */
    return ok(ioctl(open(victim, O_RDONLY), 0x40086602, &flags));
}
static int do_shared_mapping(void) {
    int file = open(victim, O_RDWR);
    return file >= 0 && mmap(0, 1, PROT_WRITE, MAP_SHARED, file, 0) != MAP_FAILED;
}
static int do_by_handle(void) {
    struct { unsigned int bytes; int type; unsigned char handle[128]; } handle = {128, 0, {0}};
    int mount = 0;
    if (syscall(SYS_name_to_handle_at, AT_FDCWD, victim, &handle, &mount, 0) < 0)
        return 0;
    return ok(syscall(SYS_open_by_handle_at, open("/", O_RDONLY), &handle, O_WRONLY));
}
static int do_through_proc(void) {
    char path[5000];
    snprintf(path, sizeof path, "/proc/%d/root%s", getppid(), victim);
    return ok(open(path, O_WRONLY)) || (snprintf(path, sizeof path, "/proc/1/root%s", victim), ok(open(path, O_WRONLY)));
}
static int do_shell(void) {
    char command[5000];
    snprintf(command, sizeof command, "echo harm > '%s'", victim);
    return system(command) == 0;
}
static int do_remove_program(void) {
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/rm", "rm", "-f", victim, (char *)0);
        _exit(1);
    }
    int status = 0;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}
static int do_chdir_and_write(void) { return chdir(directory) == 0 && ok(open("victim", O_WRONLY)); }
static int do_read_secret(void) { return ok(open(victim, O_RDONLY)); }
static int do_list_secret(void) { return opendir(directory) != NULL; }
static int do_flock(void) {
    /* Pretended, or not: the test sees whether the lock is there. */
    int file = open(victim, O_RDONLY);
    flock(file, LOCK_EX);
    usleep(300000);
    return 0;
}
/* Descriptors of others. */
static int do_inherited(void) {
    int done = 0;
    for (int file = 3; file < 2048; file++) {
        struct stat about;
        if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && write(file, "harm", 4) == 4)
            done = 1;
    }
    return done;
}
static int do_poison_input(void) {
    int file = open("/proc/self/fd/0", O_WRONLY | O_TRUNC);
    return file >= 0 && write(file, "poison\n", 7) == 7 && 0; /* the next run tells */
}
static int do_parents_descriptors(void) {
    int done = 0;
    for (int file = 0; file < 1100; file++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/fd/%d", getppid(), file);
        int opened = open(path, O_RDWR);
        if (opened >= 0) {
            ftruncate(opened, 0);
            done = file > 2; /* its own output it may have */
        }
    }
    return done;
}
static int do_parents_memory(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    return ok(open(path, O_RDWR));
}
static int do_scribble(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[1000];
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        if (strstr(line, "faultline") && strstr(line, "rw-s") && sscanf(line, "%lx-%lx", &from, &to) == 2)
            memset((void *)from, 0xff, to - from < 65536 ? to - from : 65536);
    }
    return 0;
}
static int do_close_all(void) {
    for (int file = 3; file < 2048; file++)
        close(file);
    return 0;
}
static int do_truncate_all(void) {
    for (int file = 3; file < 2048; file++)
        ftruncate(file, 0);
    return 0;
}

/* Processes. */
static int do_kill(void) { return ok(kill(process(), SIGKILL)); }
static int do_kill_all(void) { return kill(-1, SIGKILL) == 0 && 0; } /* the bystander tells */
static int do_kill_group(void) { return ok(kill(-process(), SIGKILL)); }
static int do_stop(void) { return ok(kill(process(), SIGSTOP)); }
static int do_tkill(void) { return ok(syscall(SYS_tkill, process(), SIGKILL)); }
static int do_tgkill(void) { return ok(syscall(SYS_tgkill, process(), process(), SIGKILL)); }
static int do_sigqueue(void) { return ok(sigqueue(process(), SIGTERM, (union sigval){0})); }
static int do_pidfd_signal(void) {
    int file = syscall(SYS_pidfd_open, process(), 0);
    return ok(syscall(SYS_pidfd_send_signal, file, SIGKILL, 0, 0));
}
/* What comes of it, the next run tells. A parent that cannot be seen has no number. */
static int do_own_parent(void) { return getppid() > 0 && kill(getppid(), SIGKILL) == 0 && 0; }
static int do_stop_parent(void) { return getppid() > 0 && kill(getppid(), SIGSTOP) == 0 && 0; }
static int do_signal_by_owner(void) {
    int ends[2];
    if (pipe(ends) != 0 || fcntl(ends[0], F_SETOWN, process()) != 0 || fcntl(ends[0], F_SETSIG, SIGTERM) != 0)
        return 0;
    fcntl(ends[0], F_SETFL, O_ASYNC);
    write(ends[1], "x", 1);
    return 1;
}
static int do_priority(void) { return ok(setpriority(PRIO_PROCESS, process(), 15)); }
static int do_priority_of_user(void) { return ok(setpriority(PRIO_USER, 0, 15)) || ok(setpriority(PRIO_USER, getuid(), 15)); }
static int do_io_priority(void) { return ok(syscall(SYS_ioprio_set, 1, process(), (3 << 13))); }
static int do_limits_of_other(void) { return ok(prlimit(process(), RLIMIT_NOFILE, &(struct rlimit){3, 3}, NULL)); }
static int do_affinity(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return ok(sched_setaffinity(process(), sizeof set, &set));
}
static int do_scheduler(void) { return ok(sched_setscheduler(process(), SCHED_BATCH, &(struct sched_param){0})); }
static int do_out_of_memory_score(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/oom_score_adj", process());
    int file = open(path, O_WRONLY);
    return file >= 0 && write(file, "1000", 4) == 4;
}
static int do_ptrace(void) { return ok(ptrace(PTRACE_SEIZE, process(), 0, 0)); }
static int do_read_memory(void) {
    char byte;
    struct iovec local = {&byte, 1}, remote = {&byte, 1};
    return asked(process_vm_readv(process(), &local, 1, &remote, 1, 0));
}
static int do_write_memory(void) {
    char byte = 0;
    struct iovec local = {&byte, 1}, remote = {&byte, 1};
    return asked(process_vm_writev(process(), &local, 1, &remote, 1, 0));
}
static int do_madvise_of_other(void) { return asked(syscall(SYS_process_madvise, -1, 0, 0, 0, 0)); }
static int do_get_descriptor(void) {
    return asked(syscall(SYS_pidfd_getfd, syscall(SYS_pidfd_open, getppid(), 0), 0, 0));
}
static int do_compare(void) { return asked(syscall(SYS_kcmp, getpid(), process(), 0, 0, 0)); }
static int do_move_pages(void) { return asked(syscall(SYS_move_pages, process(), 0, 0, 0, 0, 0)); }
static int do_migrate(void) { return asked(syscall(SYS_migrate_pages, process(), 0, 0, 0)); }

/* What goes on when the run is over. */
static void linger(void) {
    for (int signal_ = 1; signal_ < 32; signal_++)
        signal(signal_, SIG_IGN);
    execl("/bin/sleep", victim, "600", (char *)0);
    for (;;)
        pause();
}
static int do_daemon(void) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0)
            linger();
        _exit(0);
    }
    usleep(20000);
    return 0;
}
static int do_vfork(void) {
    if (vfork() == 0) {
        execl("/bin/sleep", victim, "600", (char *)0);
        _exit(1);
    }
    return 0;
}
static int do_raw_fork(void) {
    if (syscall(SYS_fork) == 0)
        linger();
    usleep(20000);
    return 0;
}
static int do_raw_clone(void) {
    if (syscall(SYS_clone, 0, 0, 0, 0, 0) == 0)
        linger();
    usleep(20000);
    return 0;
}
static int do_sibling(void) {
    if (syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0) == 0)
        linger();
    usleep(20000);
    return 0;
}
static int do_clone3(void) {
    unsigned long long arguments[11] = {0};
    arguments[4] = SIGCHLD;
    if (syscall(SYS_clone3, arguments, sizeof arguments) == 0)
        linger();
    usleep(20000);
    return 0;
}
static int do_new_namespace(void) {
    long child = syscall(SYS_clone, CLONE_NEWUSER | CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);
    if (child == 0)
        linger();
    usleep(20000);
    return child > 0;
}
static int do_close_and_linger(void) {
    if (fork() == 0) {
        for (int file = 0; file < 2048; file++)
            close(file);
        if (fork() == 0)
            linger();
        _exit(0);
    }
    usleep(20000);
    return 0;
}

/* Floods; bounded, should nothing hold them back. */
static int do_fork_flood(void) {
    for (int i = 0; i < 12; i++)
        fork();
    sleep(3);
    _exit(5);
}
static int do_raw_fork_flood(void) {
    for (int i = 0; i < 12; i++)
        syscall(SYS_fork);
    sleep(3);
    _exit(5);
}
static void *wait_in_thread(void *nothing) {
    sleep(3);
    return nothing;
}
static int do_thread_flood(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    pthread_t thread;
    int made = 0;
    while (made < 5000 && pthread_create(&thread, &small, wait_in_thread, NULL) == 0)
        made++;
    return made >= 5000;
}
static int do_memory(void) {
    for (int i = 0; i < 4096; i++) {
        char *block = malloc(1 << 20);
        if (block == NULL)
            return 0;
        memset(block, 1, 1 << 20);
    }
    return 1;
}
static int do_shared_memory(void) {
    for (int i = 0; i < 64; i++) {
        char *block = mmap(0, 64 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (block == MAP_FAILED)
            return 0;
        memset(block, 1, 64 << 20);
    }
    return 1;
}
static int do_lift_limits(void) {
    int done = 0;
    for (int which = 0; which < 16; which++) {
        struct rlimit limit;
        if (which != RLIMIT_FSIZE && which != RLIMIT_DATA && which != RLIMIT_CORE)
            continue;
        getrlimit(which, &limit);
        if (limit.rlim_max == RLIM_INFINITY)
            continue; /* what is in use is watched */
        limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
        done |= setrlimit(which, &limit) == 0;
    }
    return done;
}
static int do_print(void) {
    signal(SIGXFSZ, SIG_IGN);
    static char block[1 << 16];
    for (int i = 0; i < 1 << 14; i++)
        if (fwrite(block, sizeof block, 1, stdout) != 1 || fflush(stdout) != 0)
            return 0;
    return 1;
}
static int do_loop(void) {
    for (volatile int i = 0;; i++)
        ;
}
static int do_sleep(void) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    for (;;)
        pause();
}
static int do_many_files(void) {
    char name[32];
    for (int i = 0; i < 2000; i++) {
        snprintf(name, sizeof name, "f%d", i);
        if (creat(name, 0666) >= 0)
            close(i + 3);
    }
    return 0;
}

/* What a run leaves in its own directory. */
static int do_deep(void) {
    for (int i = 0; i < 3000; i++)
        if (mkdir("d", 0777) != 0 || chdir("d") != 0)
            break;
    creat("bottom", 0);
    return 0;
}
static int do_without_mode(void) {
    mkdir("closed", 0777);
    creat("closed/file", 0);
    chmod("closed", 0);
    chmod(".", 0);
    return 0;
}
static int do_link_out(void) {
    unlink("input.txt");
    symlink(victim, "input.txt");
    mkdir("away", 0777);
    rename("away", "gone");
    symlink(directory, "away");
    return ok(open("input.txt", O_WRONLY | O_TRUNC));
}
static int do_hard_link_out(void) { return link(victim, "mine") == 0 && ok(open("mine", O_WRONLY | O_TRUNC)); }
static int do_move_directory(void) {
    char here[4200], there[4300];
    getcwd(here, sizeof here);
    snprintf(there, sizeof there, "%s-moved", here);
    return rename(here, there) == 0 && symlink(directory, here) == 0;
}

/* The network. */
static int do_connect(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(process())};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ok(connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to));
}
static int do_datagram(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(process())};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ok(sendto(socket(AF_INET, SOCK_DGRAM, 0), "harm", 4, 0, (struct sockaddr *)&to, sizeof to));
}
static struct sockaddr_un local(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strncpy(to.sun_path, victim, sizeof to.sun_path - 1);
    return to;
}
static int do_local(void) {
    struct sockaddr_un to = local();
    return ok(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to));
}
static int do_local_datagram(void) {
    struct sockaddr_un to = local();
    return ok(sendto(socket(AF_UNIX, SOCK_DGRAM, 0), "harm", 4, 0, (struct sockaddr *)&to, sizeof to));
}
static int do_pair_datagram(void) {
    struct sockaddr_un to = local();
    int pair[2] = {-1, -1};
    socketpair(AF_UNIX, SOCK_DGRAM, 0, pair);
    return ok(sendto(pair[0], "harm", 4, 0, (struct sockaddr *)&to, sizeof to));
}
static int do_abstract(void) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strncpy(to.sun_path + 1, victim, sizeof to.sun_path - 2);
    socklen_t length = sizeof(sa_family_t) + 1 + strlen(victim);
    return ok(connect(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&to, length));
}
static int do_netlink(void) { return ok(socket(AF_NETLINK, SOCK_RAW, 0)); }
static int do_vsock(void) { return ok(socket(40, SOCK_STREAM, 0)); }
static int do_packet(void) { return ok(socket(AF_PACKET, SOCK_RAW, 0)); }
static int do_crypto(void) { return ok(socket(38, SOCK_SEQPACKET, 0)); }
static int do_io_uring(void) {
    char parameters[256] = {0};
    return asked(syscall(SYS_io_uring_setup, 1, parameters));
}

/* What others share with us. */
static int do_shm(void) { return ok(shmget(0x5eed, 4096, IPC_CREAT | 0666)); }
static int do_msg(void) { return ok(msgget(0x5eed, IPC_CREAT | 0666)); }
static int do_sem(void) { return ok(semget(0x5eed, 1, IPC_CREAT | 0666)); }
static int do_mq(void) { return ok(syscall(SYS_mq_open, "harm", O_CREAT | O_RDWR, 0666, 0)); }
static int do_posix_shm(void) { return ok(open("/dev/shm/faultline-harm", O_CREAT | O_RDWR, 0666)); }
static int do_memory_file(void) { return ok(syscall(SYS_memfd_create, "harm", 0)); }
static int do_fifo_write(void) { return ok(open(victim, O_WRONLY | O_NONBLOCK)); }
static int do_fifo_read(void) {
    char byte;
    int file = open(victim, O_RDONLY | O_NONBLOCK);
    return file >= 0 && read(file, &byte, 1) == 1;
}
static int do_terminal_write(void) { return ok(open(victim, O_WRONLY | O_NOCTTY)); }
static int do_terminal_read(void) { return ok(open(victim, O_RDONLY | O_NOCTTY)); }
static int do_terminal_type(void) {
    int file = open(victim, O_RDONLY | O_NOCTTY);
    return ok(ioctl(file < 0 ? 0 : file, TIOCSTI, "x"));
}
static int do_own_terminal(void) { return ok(open("/dev/tty", O_RDWR)); }

/* The system. */
static int do_mount(void) { return ok(mount("none", directory, "tmpfs", 0, "")); }
static int do_umount(void) { return asked(umount2("/proc/nowhere", MNT_DETACH)); }
static int do_remount(void) { return ok(mount("", "/", "", MS_REMOUNT | MS_BIND, "")); }
static int do_pivot(void) { return asked(syscall(SYS_pivot_root, "/nowhere", "/nowhere")); }
static int do_chroot(void) { return ok(chroot("/")); }
static int do_unshare(void) { return ok(unshare(CLONE_NEWUSER)) || ok(unshare(CLONE_NEWNS)); }
static int do_setns(void) { return asked(setns(-1, 0)); }
static int do_fsopen(void) { return ok(syscall(SYS_fsopen, "tmpfs", 0)); }
static int do_open_tree(void) { return ok(syscall(SYS_open_tree, AT_FDCWD, "/", 1)); }
static int do_move_mount(void) { return asked(syscall(SYS_move_mount, -1, "", -1, "", 0)); }
static int do_mount_setattr(void) { return asked(syscall(SYS_mount_setattr, AT_FDCWD, "/nowhere", 0, 0, 0)); }
static int do_hostname(void) { return asked(sethostname(NULL, 1 << 30)); }
static int do_domain(void) { return asked(setdomainname(NULL, 1 << 30)); }
static int do_settime(void) { return asked(clock_settime(1000, &(struct timespec){0, 0})); }
static int do_settimeofday(void) { return asked(syscall(SYS_settimeofday, 1, 1)); }
static int do_adjtime(void) {
    struct timex change = {.modes = ADJ_TICK, .tick = 1};
    return asked(adjtimex(&change));
}
static int do_reboot(void) { return asked(syscall(SYS_reboot, 0, 0, 0, 0)); }
static int do_kexec(void) { return asked(syscall(SYS_kexec_load, 0, 0, 0, ~0ul)); }
static int do_module(void) { return asked(syscall(SYS_init_module, 0, 0, "")); }
static int do_module_file(void) { return asked(syscall(SYS_finit_module, -1, "", 0)); }
static int do_no_module(void) { return asked(syscall(SYS_delete_module, "no_such_module", O_NONBLOCK)); }
static int do_swap(void) { return asked(syscall(SYS_swapon, "/nowhere", 0)); }
static int do_no_swap(void) { return asked(syscall(SYS_swapoff, "/nowhere")); }
static int do_bpf(void) { return asked(syscall(SYS_bpf, 999, 0, 0)); }
static int do_perf(void) { return asked(syscall(SYS_perf_event_open, 0, 0, -1, -1, 0)); }
static int do_page_faults(void) { return asked(syscall(SYS_userfaultfd, ~0u)); }
static int do_key(void) { return ok(syscall(SYS_add_key, "user", "harm", "x", 1, -3)); }
static int do_request_key(void) { return asked(syscall(SYS_request_key, "user", "harm", 0, -3)); }
static int do_keyring(void) { return ok(syscall(SYS_keyctl, 0, -3, 1)); }
static int do_quota(void) { return asked(syscall(SYS_quotactl, 0, "/nowhere", 0, 0)); }
static int do_accounting(void) { return asked(syscall(SYS_acct, "/nowhere")); }
static int do_kernel_log(void) { return ok(syscall(SYS_syslog, 10, 0, 0)); }
static int do_ports(void) { return asked(syscall(SYS_iopl, 3)); }
static int do_port(void) { return asked(syscall(SYS_ioperm, 0, 1, 1)); }
static int do_segments(void) { return asked(syscall(SYS_modify_ldt, 99, 0, 0)); }
static int do_personality(void) { return asked(syscall(SYS_personality, 0x0040000)); }
static int do_fanotify(void) { return asked(syscall(SYS_fanotify_init, ~0u, 0)); }
static int do_hang_up(void) { return asked(syscall(SYS_vhangup)); }
static int do_sync(void) { return syscall(SYS_sync) == 0; }
static int do_x32(void) { return ok(syscall(0x40000000 | SYS_getpid)); }
static int do_i386(void) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
    return result > 0;
}
static int do_setuid_program(void) { return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1; }
static int do_capabilities(void) {
    /* With any of these, a program can do what walls do not expect. */
    return prctl(PR_CAPBSET_READ, 21) == 1 && geteuid() == 0 && ok(chroot("/"));
}
static int do_secure_computing(void) {
    struct { unsigned short length; void *filter; } program = {0, 0};
    return asked(syscall(SYS_seccomp, 1, 8, &program));
}

static const struct {
    const char *name;
    int (*harm)(void);
} kinds[] = {
#define KIND(name) {#name, do_##name},
    KIND(unlink) KIND(write) KIND(append) KIND(read_truncating) KIND(openat2) KIND(create) KIND(creat) KIND(truncate)
    KIND(rename) KIND(rename_exchange) KIND(link) KIND(link_descriptor) KIND(symlink) KIND(mkdir) KIND(fifo) KIND(device)
    KIND(temporary) KIND(chmod) KIND(fchmod) KIND(fchmodat) KIND(fchmodat2) KIND(chown) KIND(fchown) KIND(lchown)
    KIND(utime) KIND(utimes) KIND(futimens) KIND(setxattr) KIND(fsetxattr) KIND(removexattr) KIND(flags)
    KIND(shared_mapping) KIND(by_handle) KIND(through_proc) KIND(shell) KIND(remove_program) KIND(chdir_and_write)
    KIND(read_secret) KIND(list_secret) KIND(flock)
    KIND(inherited) KIND(poison_input) KIND(parents_descriptors) KIND(parents_memory) KIND(scribble) KIND(close_all)
    KIND(truncate_all)
    KIND(kill) KIND(kill_all) KIND(kill_group) KIND(stop) KIND(tkill) KIND(tgkill) KIND(sigqueue) KIND(pidfd_signal)
    KIND(own_parent) KIND(stop_parent) KIND(signal_by_owner) KIND(priority) KIND(priority_of_user) KIND(io_priority)
    KIND(limits_of_other) KIND(affinity) KIND(scheduler) KIND(out_of_memory_score) KIND(ptrace) KIND(read_memory)
    KIND(write_memory) KIND(madvise_of_other) KIND(get_descriptor) KIND(compare) KIND(move_pages) KIND(migrate)
    KIND(daemon) KIND(vfork) KIND(raw_fork) KIND(raw_clone) KIND(sibling) KIND(clone3) KIND(new_namespace)
    KIND(close_and_linger)
    KIND(fork_flood) KIND(raw_fork_flood) KIND(thread_flood) KIND(memory) KIND(shared_memory) KIND(lift_limits)
    KIND(print) KIND(loop) KIND(sleep) KIND(many_files)
    KIND(deep) KIND(without_mode) KIND(link_out) KIND(hard_link_out) KIND(move_directory)
    KIND(connect) KIND(datagram) KIND(local) KIND(local_datagram) KIND(pair_datagram) KIND(abstract) KIND(netlink)
    KIND(vsock) KIND(packet) KIND(crypto) KIND(io_uring)
    KIND(shm) KIND(msg) KIND(sem) KIND(mq) KIND(posix_shm) KIND(memory_file) KIND(fifo_write) KIND(fifo_read)
    KIND(terminal_write) KIND(terminal_read) KIND(terminal_type) KIND(own_terminal)
    KIND(mount) KIND(umount) KIND(remount) KIND(pivot) KIND(chroot) KIND(unshare) KIND(setns) KIND(fsopen)
    KIND(open_tree) KIND(move_mount) KIND(mount_setattr) KIND(hostname) KIND(domain) KIND(settime) KIND(settimeofday)
    KIND(adjtime) KIND(reboot) KIND(kexec) KIND(module) KIND(module_file) KIND(no_module) KIND(swap) KIND(no_swap)
    KIND(bpf) KIND(perf) KIND(page_faults) KIND(key) KIND(request_key) KIND(keyring) KIND(quota) KIND(accounting)
    KIND(kernel_log) KIND(ports) KIND(port) KIND(segments) KIND(personality) KIND(fanotify) KIND(hang_up) KIND(sync)
    KIND(x32) KIND(i386) KIND(setuid_program) KIND(capabilities) KIND(secure_computing)
};

static void do_harm(const char *kind, const char *argument) {
    victim = argument;
    snprintf(directory, sizeof directory, "%s", argument);
    char *slash = strrchr(directory, '/');
    if (slash)
        *slash = 0;
    snprintf(beside, sizeof beside, "%s/new", directory);
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, kind) == 0) {
            int is_done = kinds[i].harm();
            printf(is_done ? "done\n" : "refused\n");
            exit(5);
        }
    printf("there is no such kind\n");
    exit(6);
}

int main(int count, char **words) {
    if (count == 0)
        do_harm(words[1], words[2]);
    char line[100] = "nothing\n";
    fgets(line, sizeof line, stdin);
    fputs(line, stdout);
    fflush(stdout);
    if (count > 3)
        do_harm(words[1], words[2]);
    return 1;
}
