//! A command that is watched from outside: how long it takes, how much memory it has, and what it leaves behind.

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::subjects::{Subject, Workshop};

const INTERVAL: Duration = Duration::from_millis(5);

pub struct Watched {
    child: Child,
    /// Held open.
    _input: Option<ChildStdin>,
    begun: Instant,
    /// The only directory for temporary files that it knows.
    temporary: PathBuf,
    output: PathBuf,
    error: PathBuf,
    most_memory: u64,
}

pub struct Ended {
    /// Until the end; since the signal, if it was sent one.
    pub took: Duration,
    pub status: Option<i32>,
    pub signal: Option<i32>,
    pub output: String,
    pub error: String,
    /// Bytes of its own, at any time.
    pub most_memory: u64,
    /// Processes that still run and folders that are still there.
    pub left: Vec<String>,
}

/// When a signal is sent: seconds after the command was started.
#[derive(Clone, Copy, Debug)]
pub struct Moment(f64);

impl Moment {
    /// Spread over some time, the early ones denser, since more different things are done then.
    pub fn several(count: u32, within: f64) -> Vec<Moment> {
        let random = RandomState::new();
        let at = |number: u32| {
            let part = (random.hash_one(number) >> 11) as f64 / (1_u64 << 53) as f64;
            0.05 + within * part * part
        };
        (0..count).map(|number| Moment(at(number))).collect()
    }

    pub fn is_early(self) -> bool {
        self.0 < 0.5
    }
}

impl Watched {
    pub fn start(workshop: &Workshop, subject: &Subject, options: &[&str]) -> Watched {
        let folder = tempfile::tempdir_in(workshop.folder.path()).unwrap().keep();
        let (output, error) = (folder.join("output"), folder.join("error"));
        let temporary = folder.join("temporary");
        fs::create_dir(&temporary).unwrap();
        let mut command = Command::new(&workshop.tools.faultline);
        command
            .arg("why")
            .args(options)
            .args(&subject.options)
            .arg("--")
            .arg(&subject.program)
            .args(&subject.arguments);
        command.env("TMPDIR", &temporary).env("XDG_CACHE_HOME", folder.join("cache")).current_dir(&folder);
        command.stdin(if subject.input_is_open { Stdio::piped() } else { Stdio::null() });
        command.stdout(File::create(&output).unwrap()).stderr(File::create(&error).unwrap());
        let begun = Instant::now();
        let mut child = command.spawn().unwrap();
        let _input = child.stdin.take();
        Watched { child, _input, begun, temporary, output, error, most_memory: 0 }
    }

    /// Waits for its end. If that does not come in time, ends it, which fails the test later.
    pub fn end(self, patience: Duration) -> Ended {
        let since = self.begun;
        self.wait(since, patience)
    }

    /// Sends a signal, unless it has ended before.
    pub fn signal_at(mut self, Moment(seconds): Moment, signal: i32) -> Ended {
        let until = self.begun + Duration::from_secs_f64(seconds);
        while Instant::now() < until && self.child.try_wait().unwrap().is_none() {
            std::thread::sleep(INTERVAL);
        }
        // SAFETY: it is our child, and has not been waited for.
        unsafe { libc::kill(self.child.id() as i32, signal) };
        self.wait(Instant::now(), Duration::from_secs(60))
    }

    fn wait(mut self, since: Instant, patience: Duration) -> Ended {
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if since.elapsed() > patience {
                let _ = self.child.kill();
            }
            self.most_memory = self.most_memory.max(memory(self.child.id()));
            std::thread::sleep(INTERVAL);
        };
        self.ended(status, since.elapsed())
    }

    fn ended(self, status: ExitStatus, took: Duration) -> Ended {
        let read = |path: &Path| {
            let mut bytes = Vec::new();
            File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).unwrap();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let mut left = running(&self.temporary);
        // The kernel may still be taking away what was killed.
        let until = Instant::now() + Duration::from_secs(2);
        while !left.is_empty() && Instant::now() < until {
            std::thread::sleep(INTERVAL);
            left = running(&self.temporary);
        }
        left.extend(fs::read_dir(&self.temporary).unwrap().map(|entry| entry.unwrap().path().display().to_string()));
        Ended {
            took,
            status: status.code(),
            signal: status.signal(),
            output: read(&self.output),
            error: read(&self.error),
            most_memory: self.most_memory,
            left,
        }
    }
}

/// Bytes that are a process's own; zero if it is gone.
fn memory(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let mut pages = text.split_ascii_whitespace().skip(1).map(|word| word.parse::<u64>().unwrap_or(0));
    let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    resident.saturating_sub(shared) * 4096
}

/// Processes that have this directory for temporary files: all that a command has started, and what these have.
fn running(temporary: &Path) -> Vec<String> {
    let mark = format!("TMPDIR={}", temporary.display());
    let all = fs::read_dir("/proc").unwrap().flatten().filter(|entry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
    });
    let shown = |path: PathBuf| {
        let words = fs::read(path.join("cmdline")).unwrap_or_default();
        format!("{}: {}", path.display(), String::from_utf8_lossy(&words).replace('\0', " "))
    };
    all.map(|entry| shown(entry.path())).collect()
}
