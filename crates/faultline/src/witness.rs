//! Somebody who is asked whether what a step did is correct.

use techniques::asking::{Asked, Verdict, Witness};

use crate::person::Person;

impl Witness for Person {
    fn say(&self, step: &Asked) -> Verdict {
        let Asked { location, deed, left } = step;
        let text = deed.as_ref().map_or_else(|| "this was executed".into(), report::english::deed);
        self.tell(&format!("{}:{}{}: {text}", location.file, location.line, location.in_function()));
        let question = format!("Is this correct? yes, no, unknown, enough ({left} left): ");
        self.ask(&question, verdict).unwrap_or(Verdict::Enough)
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
