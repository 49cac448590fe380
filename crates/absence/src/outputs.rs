//! Calls of the program that wrote standard output, and what of their arguments the output shows.
//!
//! A number that is printed whole is shown whole: another one would have been printed otherwise. Library functions are
//! seen as the program calls them, with their formats.

use std::collections::VecDeque;

use execution::Run;
use execution::dependence::Wish;
use failure::output::{Outputs, Target, Written};
use program::library::spoken_name;
use program::{Callee, Op};
use replay::{Observed, Observer, ReplayError, Step};

/// A call that wrote to standard output.
#[derive(Clone, Debug)]
pub struct Writing {
    pub at: Step,
    /// The bytes it wrote.
    pub first: u64,
    pub length: u64,
    /// Arguments that are shown, by position.
    pub shown: Vec<(u32, Part)>,
    /// Memory that is shown: address and length.
    pub memory: Vec<(u64, u64)>,
}

/// How much of an argument is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    Whole,
    /// Its lowest bits.
    Low(u32),
}

impl Writing {
    /// What to ask of it so that all it shows is followed.
    pub fn wishes(&self) -> Vec<Wish> {
        let arguments = self.shown.iter().map(|(position, _)| Wish::Argument(*position));
        let memory = self.memory.iter().map(|&(address, length)| Wish::Memory { address, length });
        arguments.chain(memory).chain([Wish::Execution]).collect()
    }
}

/// The place in the output where it went wrong. Whatever writes before it moves it, so it depends on that like on a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OutputPlace {
    /// Where this call wrote.
    Of(Step),
    /// The end, where something is missing; this step stands for it.
    End(Step),
}

impl OutputPlace {
    /// The use that stands for it.
    pub fn user(self) -> Step {
        match self {
            OutputPlace::Of(at) | OutputPlace::End(at) => at,
        }
    }
}

/// Where the output went wrong, and since when nothing had been written.
#[derive(Clone, Copy, Debug)]
pub struct Silence {
    pub place: OutputPlace,
    pub since: u64,
    pub until: u64,
    /// What is wrong begins with what a call wrote. Else something may be missing that begins as what follows it does.
    pub is_sure: bool,
}

/// Calls kept: the latest.
const MOST: usize = 20_000;
/// Bytes of a text that are looked at.
const LONGEST: u64 = 4096;

/// The calls of the program's own code that wrote, in their order.
pub fn writings(run: &Run<'_>, outputs: &Outputs) -> Result<Vec<Writing>, ReplayError> {
    let mut watcher = Watcher { run, open: Vec::new(), done: VecDeque::new() };
    for window in (0..=run.last_window().0).map(execution::Window) {
        watcher = run.replay(window, watcher)?;
    }
    let Watcher { mut done, open, .. } = watcher;
    // A call that did not come back may have written, too.
    done.extend(open.into_iter().map(|call| Finished { call, until: u64::MAX }));
    let written: Vec<&Written> = outputs.calls().iter().filter(|one| one.target == Target::Output).collect();
    let mut found = Vec::new();
    for Finished { call, until } in done {
        let begin = written.partition_point(|one| one.at.clock < call.at.clock);
        let own = written[begin..].iter().take_while(|one| one.at.clock <= until);
        let is_within = |one: &&&Written| one.at == call.at || one.at.depth > call.at.depth;
        let own: Vec<_> = own.filter(is_within).collect();
        if let (Some(first), Some(last)) = (own.first(), own.last()) {
            let length = last.first + last.length - first.first;
            found.push(Writing { at: call.at, first: first.first, length, shown: call.shown, memory: call.memory });
        }
    }
    found.sort_by_key(|writing| writing.first);
    Ok(found)
}

struct Open {
    at: Step,
    shown: Vec<(u32, Part)>,
    memory: Vec<(u64, u64)>,
}

struct Finished {
    call: Open,
    until: u64,
}

struct Watcher<'a, 'r> {
    run: &'a Run<'r>,
    open: Vec<Open>,
    done: VecDeque<Finished>,
}

impl Watcher<'_, '_> {
    fn text(&self, step: &Observed<'_>, address: u64) -> Vec<u8> {
        let bytes = (0..LONGEST).map(|offset| self.run.functions.byte(step, address.wrapping_add(offset)));
        bytes.take_while(|byte| *byte != 0).collect()
    }
}

impl Observer for Watcher<'_, '_> {
    fn step(&mut self, step: &Observed<'_>) {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &step.instruction().op else { return };
        let Callee::Function(callee) = &call.callee else { return };
        let name = spoken_name(&step.module().function(*callee).name);
        let Some(form) = form(name) else { return };
        let at = step.step();
        if self.run.functions.is_twin(at.site.function) {
            return;
        }
        let word = |position: u32| {
            call.arguments.get(position as usize).and_then(|argument| step.operand(argument).first().copied())
        };
        let (mut shown, mut memory) = (Vec::new(), Vec::new());
        let mut text_at = |address: u64| memory.push((address, self.text(step, address).len() as u64));
        match form {
            Form::Character(position) => shown.push((position, Part::Low(8))),
            Form::Text(position) => word(position).into_iter().for_each(text_at),
            Form::Bytes { address, length } => {
                let length = length.iter().map(|&at| word(at).unwrap_or(0)).product();
                memory.extend(word(address).map(|address| (address, length)));
            }
            Form::Formatted(position) => {
                let format = word(position).map(|address| self.text(step, address)).unwrap_or_default();
                for (conversion, at) in conversions(&format).unwrap_or_default().into_iter().zip(position + 1..) {
                    match conversion {
                        Conversion::Number(part) => shown.push((at, part)),
                        Conversion::Text => word(at).into_iter().for_each(&mut text_at),
                        Conversion::Other => {}
                    }
                }
            }
        }
        memory.retain(|(_, length)| (1..=LONGEST).contains(length));
        self.open.retain(|open| open.at.depth < at.depth);
        self.open.push(Open { at, shown, memory });
    }

    fn returned(&mut self, step: &Observed<'_>) {
        let is_it = |open: &Open| {
            open.at.depth as usize == step.depth
                && open.at.site.instruction == step.id()
                && open.at.site.function.function == step.function().id
        };
        if let Some(position) = self.open.iter().rposition(is_it) {
            let call = self.open.remove(position);
            self.done.push_back(Finished { call, until: step.clock });
            if self.done.len() > MOST {
                self.done.pop_front();
            }
        }
    }
}

/// How a function takes what it writes; arguments by position.
enum Form {
    Character(u32),
    Text(u32),
    /// So many bytes: the product of these.
    Bytes {
        address: u32,
        length: &'static [u32],
    },
    Formatted(u32),
}

fn form(name: &str) -> Option<Form> {
    Some(match name {
        "putchar" | "putchar_unlocked" | "putc" | "putc_unlocked" | "fputc" | "fputc_unlocked" | "_IO_putc" => {
            Form::Character(0)
        }
        "puts" | "fputs" | "fputs_unlocked" => Form::Text(0),
        "fwrite" | "fwrite_unlocked" => Form::Bytes { address: 0, length: &[1, 2] },
        "write" => Form::Bytes { address: 1, length: &[2] },
        "printf" => Form::Formatted(0),
        "fprintf" | "dprintf" => Form::Formatted(1),
        _ => return None,
    })
}

/// What a format does with an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    Number(Part),
    /// A text, whole.
    Text,
    /// It shows something of it.
    Other,
}

/// What a format does with each argument behind it; `None` if it names arguments by position.
fn conversions(format: &[u8]) -> Option<Vec<Conversion>> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let mut low = None;
        let mut is_cut = false;
        loop {
            match rest.next()? {
                b'%' => break,
                b'$' => return None,
                b'*' => found.push(Conversion::Other),
                b'.' => is_cut = true,
                b'h' => low = Some(if low == Some(16) { 8 } else { 16 }),
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                    found.push(Conversion::Number(low.map_or(Part::Whole, Part::Low)));
                    break;
                }
                b'c' => {
                    found.push(Conversion::Number(Part::Low(8)));
                    break;
                }
                b's' => {
                    found.push(if is_cut { Conversion::Other } else { Conversion::Text });
                    break;
                }
                letter
                    if letter.is_ascii_alphabetic() && !matches!(letter, b'l' | b'z' | b'j' | b't' | b'q' | b'L') =>
                {
                    found.push(Conversion::Other);
                    break;
                }
                _ => {}
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_says_what_is_shown_of_each_argument() {
        use Conversion::{Number, Other, Text};
        let of = |format: &str| conversions(format.as_bytes());
        assert_eq!(of("%d items, %5lu%% of %s\n"), Some(vec![Number(Part::Whole), Number(Part::Whole), Text]));
        assert_eq!(of("%hhd %hx %c"), Some(vec![Number(Part::Low(8)), Number(Part::Low(16)), Number(Part::Low(8))]));
        assert_eq!(of("%*d %.3s %f"), Some(vec![Other, Number(Part::Whole), Other, Other]));
        assert_eq!(of("%2$d"), None);
        assert_eq!(of("no more %"), None);
    }
}
