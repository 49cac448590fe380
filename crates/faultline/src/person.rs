//! Somebody who is asked whether what a step did is correct.

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal};
use std::sync::Mutex;

use anyhow::{Context, Result};
use techniques::asking::{Asked, Verdict, Witness};

/// Somebody at a terminal, or a script in their place.
pub struct Person {
    answers: Mutex<Box<dyn BufRead + Send>>,
}

impl Person {
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
}

impl Witness for Person {
    fn say(&self, step: &Asked) -> Verdict {
        let Asked { location, deed, left } = step;
        let text = deed.as_ref().map_or_else(|| "this was executed".into(), report::english::deed);
        // Over what shows the progress.
        let begin = if io::stderr().is_terminal() { "\r\x1b[K" } else { "" };
        eprintln!("{begin}{}:{}{}: {text}", location.file, location.line, location.in_function());
        let mut answers = self.answers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        loop {
            eprint!("Is this correct? yes, no, unknown, enough ({left} left): ");
            let mut line = String::new();
            match answers.read_line(&mut line) {
                Ok(0) | Err(_) => {
                    eprintln!();
                    return Verdict::Enough;
                }
                Ok(_) => {}
            }
            match verdict(line.trim()) {
                Some(verdict) => return verdict,
                None => eprintln!("`{}` is not one of these; the first letter is enough.", line.trim()),
            }
        }
    }
}

/// The paper's words are understood as well.
fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "yes" | "y" | "benign" | "b" => Some(Verdict::Benign),
        "no" | "n" | "corrupted" | "c" => Some(Verdict::Corrupted),
        "unknown" | "u" | "don't know" | "d" | "" => Some(Verdict::Unknown),
        "enough" | "e" | "quit" | "q" => Some(Verdict::Enough),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_first_letters_are_understood() {
        assert_eq!(["y", "benign"].map(verdict), [Some(Verdict::Benign); 2]);
        assert_eq!(["no", "c"].map(verdict), [Some(Verdict::Corrupted); 2]);
        assert_eq!(["", "don't know"].map(verdict), [Some(Verdict::Unknown); 2]);
        assert_eq!((verdict("q"), verdict("maybe")), (Some(Verdict::Enough), None));
    }
}
