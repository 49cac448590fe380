//! What harm could be done to: a file, a process, sockets, a FIFO and a terminal of the user. It can be looked at whether
//! anything of it has changed.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::os::unix::net::{SocketAddr, UnixDatagram, UnixListener};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use crate::kinds::Target;

pub struct Ground {
    folder: TempDir,
    bystander: Child,
    stream: TcpListener,
    datagram: UdpSocket,
    local: UnixListener,
    local_datagram: UnixDatagram,
    without_path: UnixListener,
    abstract_name: String,
    fifo: File,
    terminal: Terminal,
    name: String,
}

/// A terminal: our end, and the path of the user's.
struct Terminal {
    ours: File,
    _theirs: File,
    path: PathBuf,
}

/// All that must stay as it is.
#[derive(PartialEq, Eq, Debug)]
pub struct Seen {
    files: Vec<String>,
    contents: Vec<u8>,
    mode: (u32, u32, u32, u64),
    times: (i64, i64),
    attributes: Vec<u8>,
    process: Vec<String>,
    heard: Vec<String>,
    shared: Vec<String>,
    running: usize,
}

impl Ground {
    pub fn new() -> Ground {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("lingering-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = TempDir::new().expect("a folder");
        let victim = folder.path().join("victim");
        fs::write(&victim, "all my work").expect("it can be written");
        fs::set_permissions(&victim, fs::Permissions::from_mode(0o640)).expect("it is ours");
        // Not every file system keeps attributes.
        let path = CString::new(victim.to_str().expect("a name")).expect("no zero in it");
        // SAFETY: path and name end with a zero byte, and the value has one byte.
        unsafe { libc::setxattr(path.as_ptr(), c"user.mine".as_ptr(), c"x".as_ptr().cast(), 1, 0) };
        let fifo = folder.path().join("fifo");
        let made = CString::new(fifo.to_str().expect("a name")).expect("no zero in it");
        // SAFETY: the path ends with a zero byte.
        assert_eq!(unsafe { libc::mkfifo(made.as_ptr(), 0o600) }, 0);
        let open = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NONBLOCK).open(&fifo);
        let mut fifo = open.expect("it opens");
        fifo.write_all(b"mine").expect("it has room");
        let abstract_name = format!("faultline-{name}");
        let address = SocketAddr::from_abstract_name(&abstract_name).expect("a name");
        let ground = Ground {
            bystander: Command::new("/bin/sleep").arg("1000").spawn().expect("it starts"),
            stream: TcpListener::bind("127.0.0.1:0").expect("a port"),
            datagram: UdpSocket::bind("127.0.0.1:0").expect("a port"),
            local: UnixListener::bind(folder.path().join("local")).expect("a socket"),
            local_datagram: UnixDatagram::bind(folder.path().join("datagram")).expect("a socket"),
            without_path: UnixListener::bind_addr(&address).expect("a socket"),
            abstract_name,
            fifo,
            terminal: terminal(),
            name,
            folder,
        };
        ground.stream.set_nonblocking(true).expect("it can be");
        ground.datagram.set_nonblocking(true).expect("it can be");
        ground.local.set_nonblocking(true).expect("it can be");
        ground.local_datagram.set_nonblocking(true).expect("it can be");
        ground.without_path.set_nonblocking(true).expect("it can be");
        ground
    }

    pub fn victim(&self) -> PathBuf {
        self.folder.path().join("victim")
    }

    /// What a kind of harm is told to harm.
    pub fn argument(&self, target: Target) -> String {
        let path = |name: &str| self.folder.path().join(name).to_str().expect("a name").to_owned();
        match target {
            Target::File | Target::Secret => path("victim"),
            Target::Process => self.bystander.id().to_string(),
            Target::Name | Target::Slow => self.name.clone(),
            Target::Stream => self.stream.local_addr().expect("it has one").port().to_string(),
            Target::Datagram => self.datagram.local_addr().expect("it has one").port().to_string(),
            Target::Local => path("local"),
            Target::LocalDatagram => path("datagram"),
            Target::Abstract => self.abstract_name.clone(),
            Target::Fifo => path("fifo"),
            Target::Terminal => self.terminal.path.to_str().expect("a name").to_owned(),
        }
    }

    pub fn look(&self) -> Seen {
        let victim = self.victim();
        let about = victim.symlink_metadata().expect("the file is there");
        let mut files: Vec<String> = fs::read_dir(self.folder.path())
            .expect("the folder is there")
            .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        Seen {
            files,
            contents: fs::read(&victim).expect("it can be read"),
            mode: (about.mode(), about.uid(), about.gid(), about.nlink()),
            times: (about.mtime(), about.mtime_nsec()),
            attributes: attributes(&victim),
            process: self.process(),
            heard: self.heard(),
            shared: shared(),
            running: running(&self.name),
        }
    }

    /// How the bystander is doing.
    fn process(&self) -> Vec<String> {
        let id = self.bystander.id();
        let read = |name: &str| fs::read_to_string(format!("/proc/{id}/{name}")).unwrap_or_default();
        let stat = read("stat");
        let fields: Vec<&str> = stat[stat.rfind(')').map_or(0, |at| at + 1)..].split_whitespace().collect();
        let is_alive = matches!(fields.first(), Some(&("R" | "S" | "D")));
        // Group and session, priority and nice value, policy.
        let picked = [2, 3, 15, 16, 38].map(|at| fields.get(at).copied().filter(|_| is_alive).unwrap_or("gone"));
        let affinity = read("status").lines().filter(|line| line.starts_with("Cpus_allowed_list")).collect::<String>();
        // SAFETY: numbers only.
        let io = unsafe { libc::syscall(libc::SYS_ioprio_get, 1, id) };
        // SAFETY: numbers only.
        let of_us = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
        vec![picked.join(" "), affinity, read("limits"), read("oom_score_adj"), io.to_string(), of_us.to_string()]
    }

    /// What reached the sockets, the FIFO and the terminal.
    fn heard(&self) -> Vec<String> {
        let mut heard = Vec::new();
        let mut buffer = [0; 64];
        let mut note = |what: &str, came: bool| heard.extend(came.then(|| what.to_owned()));
        note("a connection", self.stream.accept().is_ok());
        note("a datagram", self.datagram.recv(&mut buffer).is_ok());
        note("a local connection", self.local.accept().is_ok());
        note("a local datagram", self.local_datagram.recv(&mut buffer).is_ok());
        note("a connection without a path", self.without_path.accept().is_ok());
        note("something typed", (&self.terminal.ours).read(&mut buffer).is_ok_and(|count| count > 0));
        let mut fifo = &self.fifo;
        let count = fifo.read(&mut buffer).unwrap_or(0);
        note(&format!("a FIFO with {:?}", &buffer[..count]), &buffer[..count] != b"mine");
        fifo.write_all(b"mine").expect("it has room");
        heard
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        let _ = self.bystander.kill();
        let _ = self.bystander.wait();
    }
}

fn attributes(path: &std::path::Path) -> Vec<u8> {
    let path = CString::new(path.to_str().expect("a name")).expect("no zero in it");
    let mut names = vec![0u8; 1024];
    // SAFETY: the path ends with a zero byte, and there is room for so many bytes of names.
    let length = unsafe { libc::listxattr(path.as_ptr(), names.as_mut_ptr().cast(), names.len()) };
    names.truncate(length.max(0) as usize);
    names
}

/// Memory and queues that harm would have left for all to see.
fn shared() -> Vec<String> {
    let mut found = Vec::new();
    for list in ["shm", "msg", "sem"] {
        let text = fs::read_to_string(format!("/proc/sysvipc/{list}")).unwrap_or_default();
        let is_there = text.lines().any(|line| line.split_whitespace().next() == Some(&(0x5eed).to_string()));
        found.extend(is_there.then(|| list.to_owned()));
    }
    found.extend(fs::exists("/dev/shm/faultline-harm").is_ok_and(|is| is).then(|| "/dev/shm".to_owned()));
    found
}

/// Processes whose first argument this is.
fn running(name: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("it is there").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|&byte| byte == 0).next() == Some(name.as_bytes())).count()
}

fn terminal() -> Terminal {
    // SAFETY: the descriptors are new and ours; the name has its end.
    unsafe {
        let ours = libc::posix_openpt(libc::O_RDWR | libc::O_NOCTTY | libc::O_NONBLOCK);
        assert!(ours >= 0 && libc::grantpt(ours) == 0 && libc::unlockpt(ours) == 0, "{}", io::Error::last_os_error());
        let ours = OwnedFd::from_raw_fd(ours);
        let mut name = [0; 100];
        assert_eq!(libc::ptsname_r(ours.as_raw_fd(), name.as_mut_ptr(), name.len()), 0);
        let path = std::ffi::CStr::from_ptr(name.as_ptr()).to_str().expect("a name").to_owned();
        let open = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NOCTTY).open(&path);
        Terminal { ours: ours.into(), _theirs: open.expect("it opens"), path: path.into() }
    }
}
