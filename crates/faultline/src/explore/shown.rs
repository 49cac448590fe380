//! Progress: a line that is written over on a terminal, plain lines now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use techniques::exploring::Exploration;

use super::told;

pub struct Shown {
    last: Instant,
}

const ON_TERMINAL: Duration = Duration::from_millis(100);
const ELSEWHERE: Duration = Duration::from_secs(10);

impl Shown {
    pub fn new() -> Shown {
        Shown { last: Instant::now() }
    }

    pub fn show(&mut self, found: &Exploration) {
        let is_terminal = io::stderr().is_terminal();
        let pause = if is_terminal { ON_TERMINAL } else { ELSEWHERE };
        if self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let line = told::progress(found);
        if is_terminal {
            eprint!("\r\x1b[K{line}");
            let _ = io::stderr().flush();
        } else {
            eprintln!("faultline: {line}");
        }
    }

    pub fn finish(&self) {
        if io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
    }
}
