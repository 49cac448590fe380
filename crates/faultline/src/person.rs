//! Somebody at a terminal who answers questions, or a script in their place.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::sync::Mutex;

use anyhow::{Context, Result};

pub struct Person {
    answers: Mutex<Box<dyn BufRead + Send>>,
}

impl Person {
    /// `is_input_free`: standard input is not what the program reads.
    pub fn new(is_input_free: bool) -> Result<Person> {
        let answers: Box<dyn BufRead + Send> = if is_input_free || io::stdin().is_terminal() {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let terminal = File::open("/dev/tty").context(
                "--ask needs someone to answer, but there is no terminal and standard input is the program's input; name that \
                 with --stdin FILE, and answer on standard input",
            )?;
            Box::new(BufReader::new(terminal))
        };
        Ok(Person { answers: Mutex::new(answers) })
    }

    /// Says something, over what shows the progress.
    pub fn tell(&self, text: &str) {
        let begin = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
        eprintln!("{begin}{text}");
    }

    /// Asks until the answer is understood; none if nobody answers any more.
    pub fn ask<T>(&self, question: &str, understand: impl Fn(&str) -> Option<T>) -> Option<T> {
        let mut answers = self.answers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        loop {
            eprint!("{question}");
            let mut line = String::new();
            match answers.read_line(&mut line) {
                Ok(0) | Err(_) => {
                    eprintln!();
                    return None;
                }
                Ok(_) => {}
            }
            match understand(line.trim()) {
                Some(answer) => return Some(answer),
                None => eprintln!("`{}` is not one of these; the first letter is enough.", line.trim()),
            }
        }
    }
}
