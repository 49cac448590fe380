//! What goes through a recorded program's standard streams is in its recording, and the program does not notice.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use recording::{Capture, NoCapture, Recording, Standard};
use tempfile::TempDir;
use testkit::Tools;

/// Says what it is told to: `out TEXT`, `err TEXT`, `copy` (input to output), `much BYTES`, `status` (what writing gives),
/// `kind` (of its streams), `child` (one that outlives it), `crash`, `hang`.
const PROGRAM: &str = r#"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
static char kind(int descriptor) {
    struct stat about;
    if (fstat(descriptor, &about) != 0) return '-';
    return S_ISREG(about.st_mode) ? 'f' : S_ISFIFO(about.st_mode) ? 'p' : S_ISSOCK(about.st_mode) ? 's' : 'c';
}
int main(int count, char **words) {
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (strcmp(word, "out") == 0) {
            printf("%s", words[++i]);
            fflush(stdout);
        } else if (strcmp(word, "err") == 0) {
            fprintf(stderr, "%s", words[++i]);
        } else if (strcmp(word, "copy") == 0) {
            for (int c; (c = getchar()) != EOF;) putchar(c);
        } else if (strcmp(word, "line") == 0) {
            for (int c; (c = getchar()) != EOF && c != '\n';) putchar(c);
        } else if (strcmp(word, "much") == 0) {
            static char block[65536];
            memset(block, 'm', sizeof block);
            for (long left = atol(words[++i]); left > 0; left -= sizeof block)
                if (write(1, block, sizeof block) < 0) return 9;
        } else if (strcmp(word, "status") == 0) {
            signal(SIGPIPE, SIG_IGN);
            for (int n = 0; n < 1000000; n++)
                if (write(1, "x\n", 2) < 0) return errno == EPIPE ? 40 : errno == EBADF ? 41 : 42;
        } else if (strcmp(word, "kind") == 0) {
            printf("%c%c%c", kind(0), kind(1), kind(2));
        } else if (strcmp(word, "child") == 0) {
            if (fork() == 0) { usleep(300000); dprintf(1, "late"); _exit(0); }
        } else if (strcmp(word, "crash") == 0) {
            *(volatile int *)8 = 1;
        } else if (strcmp(word, "hang") == 0) {
            for (;;) pause();
        }
    }
    return 0;
}
"#;

struct Bench {
    tools: Tools,
    folder: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { tools: Tools::find().expect("the staged tools"), folder: tempfile::tempdir().unwrap() };
        fs::write(bench.path("says.c"), PROGRAM).unwrap();
        let cc = Command::new(&bench.tools.cc).arg(bench.path("says.c")).arg("-o").arg(bench.path("says")).status();
        assert!(cc.unwrap().success());
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a line of shell, in which `RECORD` stands for recording the program.
    fn shell(&self, line: &str, input: Stdio) -> Output {
        let record = format!("{} record -o r.flt", self.tools.faultline.display());
        let line = line.replace("RECORD", &record).replace("SAYS", "./says");
        let mut bash = Command::new("bash");
        bash.arg("-c").arg(format!("set -o pipefail; {line}")).current_dir(self.folder.path()).stdin(input);
        bash.output().unwrap()
    }

    fn recording(&self) -> Recording {
        Recording::open(&self.path("r.flt")).unwrap()
    }

    fn kept(&self, stream: Standard) -> String {
        String::from_utf8(self.recording().standard(stream).unwrap().unwrap()).unwrap()
    }

    fn capture(&self, stream: Standard) -> Capture {
        self.recording().end().unwrap().standard.of(stream).clone()
    }
}

#[test]
fn files() {
    let bench = Bench::new();
    fs::write(bench.path("in"), "skipped\nread\n").unwrap();
    bench.shell("{ read -r line; RECORD -- SAYS out before, copy err bad; } < in > out 2> err", Stdio::null());
    assert_eq!(fs::read_to_string(bench.path("out")).unwrap(), "before,read\n");
    assert_eq!(bench.kept(Standard::Input), "read\n");
    assert_eq!(bench.kept(Standard::Output), "before,read\n");
    assert_eq!(bench.kept(Standard::Error), "bad");
    bench.shell("echo first > out; RECORD -- SAYS out second >> out", Stdio::null());
    assert_eq!(fs::read_to_string(bench.path("out")).unwrap(), "first\nsecond");
    assert_eq!(bench.kept(Standard::Output), "second");
    bench.shell("{ echo first; RECORD -- SAYS out one err two out three kind; echo last; } > out 2>&1", Stdio::null());
    assert_eq!(fs::read_to_string(bench.path("out")).unwrap(), "first\nonetwothreecfflast\n");
    assert_eq!(bench.kept(Standard::Output), "onetwothreecff");
    assert_eq!(bench.kept(Standard::Error), "onetwothreecff");
}

#[test]
fn pipes() {
    let bench = Bench::new();
    let ran = bench.shell("echo hello | RECORD -- SAYS copy kind err bad", Stdio::null());
    assert_eq!((ran.stdout.as_slice(), ran.stderr.as_slice()), (&b"hello\nppp"[..], &b"bad"[..]));
    assert_eq!(bench.kept(Standard::Input), "hello\n");
    assert_eq!(bench.kept(Standard::Output), "hello\nppp");
    assert_eq!(bench.kept(Standard::Error), "bad");
    let ran = bench.shell("RECORD -- SAYS out one err two out three err four 2>&1 | cat", Stdio::null());
    assert_eq!(ran.stdout, b"onetwothreefour");
    assert_eq!(bench.kept(Standard::Output), "onetwothreefour");
    assert_eq!(bench.kept(Standard::Error), "onetwothreefour");
    assert_eq!(bench.capture(Standard::Error), Capture::Whole);
}

#[test]
fn a_reader_that_goes_away_ends_the_program_as_ever() {
    let bench = Bench::new();
    let killed = bench.shell("RECORD -- SAYS much 100000000000 | head -c 5", Stdio::null());
    assert_eq!((killed.status.code(), killed.stdout.as_slice()), (Some(128 + 13), &b"mmmmm"[..]));
    assert!(bench.kept(Standard::Output).starts_with("mmmmmm"));
    let told = bench.shell("RECORD -- SAYS status | head -1", Stdio::null());
    assert_eq!(told.status.code(), Some(40));
}

#[test]
fn devices_and_closed_streams_are_left_alone() {
    let bench = Bench::new();
    let ran = bench.shell("RECORD -- SAYS kind out x < /dev/null > /dev/null", Stdio::null());
    assert!(ran.status.success());
    assert_eq!(bench.capture(Standard::Output), Capture::Nothing(NoCapture::Device));
    assert_eq!(bench.recording().standard(Standard::Output).unwrap(), None);
    let ran = bench.shell("RECORD -- SAYS status >&-", Stdio::null());
    assert_eq!(ran.status.code(), Some(41));
    assert_eq!(bench.capture(Standard::Output), Capture::Nothing(NoCapture::Closed));
}

#[test]
fn much_output_passes_in_little_memory_and_is_cut() {
    let bench = Bench::new();
    let begin = Instant::now();
    let ran = bench
        .shell("{ /usr/bin/env bash -c 'ulimit -v 100000000; RECORD -- SAYS much 104857600'; } | wc -c", Stdio::null());
    assert_eq!(String::from_utf8(ran.stdout).unwrap().trim(), "104857600");
    assert!(begin.elapsed() < Duration::from_secs(30));
    assert_eq!(bench.capture(Standard::Output), Capture::Cut);
    assert_eq!(bench.kept(Standard::Output).len(), 64 << 20);
}

#[test]
fn a_program_that_dies_leaves_what_it_said() {
    let bench = Bench::new();
    let ran = bench.shell("RECORD -- SAYS out words crash | cat", Stdio::null());
    assert_eq!((ran.status.code(), ran.stdout.as_slice()), (Some(128 + 11), &b"words"[..]));
    assert_eq!(bench.kept(Standard::Output), "words");
    let ran = bench.shell("RECORD --time-limit 0.5 -- SAYS out words hang | cat", Stdio::null());
    assert_eq!(ran.stdout, b"words");
    assert_eq!(bench.kept(Standard::Output), "words");
}

#[test]
fn a_reader_that_does_not_read_holds_nobody_up_when_time_is_over() {
    let bench = Bench::new();
    let begin = Instant::now();
    bench.shell("RECORD --time-limit 0.5 -- SAYS much 10000000 | sleep 5 & wait %%; true", Stdio::null());
    assert!(begin.elapsed() < Duration::from_secs(15));
    assert!(!bench.recording().is_truncated());
}

#[test]
fn children_that_live_on_are_heard() {
    let bench = Bench::new();
    let ran = bench.shell("RECORD -- SAYS out early, child | cat", Stdio::null());
    assert_eq!(ran.stdout, b"early,late");
    assert_eq!(bench.kept(Standard::Output), "early,");
}

#[test]
fn input_that_does_not_end_is_no_trouble() {
    let bench = Bench::new();
    let (read, mut write) = std::io::pipe().unwrap();
    write.write_all(b"first\nsecond\n").unwrap();
    let ran = bench.shell("RECORD -- SAYS line", Stdio::from(read));
    assert_eq!(ran.stdout, b"first");
    assert!(bench.kept(Standard::Input).starts_with("first\n"));
    drop(write);
}
