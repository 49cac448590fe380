//! The answer of `faultline diff` as text.

use std::io::{self, Write};

use super::answer::{Answer, Both, ByteAnswer, ChangeAnswer, LinkAnswer, PartingAnswer, StepAnswer};
use source::lines::shown_path;

pub fn text(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let what = if answer.one_program { "one program" } else { "two versions of a program" };
    writeln!(out, "A and B are runs of {what}")?;
    writeln!(out, "  A  {}: {}", answer.a.recording, answer.a.ending)?;
    writeln!(out, "  B  {}: {}", answer.b.recording, answer.b.ending)?;
    let is_alike = answer.chain.is_empty()
        && answer.parting.is_none()
        && answer.subject.is_none()
        && answer.output.is_none()
        && answer.error_output.is_none()
        && answer.a.ending == answer.b.ending;
    if answer.same {
        writeln!(
            out,
            "\nno difference: both runs executed the same {}, with the same values",
            statements(answer.shared)
        )?;
    } else if is_alike && !answer.not_compared.is_empty() {
        let shared = statements(answer.shared);
        writeln!(
            out,
            "\nno difference in what was compared: both runs executed the same {shared}, with the same values"
        )?;
        writeln!(out, "{}", not_compared(answer))?;
    }
    if let Some(parting) = &answer.parting {
        write_parting(out, parting)?;
    }
    if let Some(first) = &answer.first_value {
        write_first_value(out, answer, first)?;
    }
    for (name, byte) in [("standard output", &answer.output), ("standard error", &answer.error_output)] {
        if let Some(byte) = byte {
            write_byte(out, name, byte)?;
        }
    }
    write_changes(out, &answer.changes)?;
    write_chain(out, answer)?;
    if !answer.limits.is_empty() {
        writeln!(out)?;
    }
    for limit in &answer.limits {
        writeln!(out, "limit: {limit}")?;
    }
    Ok(())
}

/// What was not compared, so that nobody takes it to be equal.
fn not_compared(answer: &Answer) -> String {
    let streams = answer.not_compared.join(" and ");
    let was = if answer.not_compared.len() == 1 { "was" } else { "were" };
    format!("{streams} {was} not compared: at least one recording does not contain all of it (see the limits)")
}

fn statements(count: u64) -> String {
    if count == 1 { "1 statement".into() } else { format!("{count} statements") }
}

fn place(step: &StepAnswer) -> String {
    match (&step.file, step.line) {
        (Some(file), Some(line)) => format!("{}:{line}", shown_path(file)),
        _ => "an unknown place".into(),
    }
}

fn place_in(step: &StepAnswer) -> String {
    format!("{} in {}", place(step), step.function)
}

/// The source of a statement that both have; both sources, if they are not the same.
fn write_source(out: &mut impl Write, indent: &str, a: Option<&StepAnswer>, b: Option<&StepAnswer>) -> io::Result<()> {
    let source = |step: Option<&StepAnswer>| step.and_then(|step| step.source.clone());
    match (source(a), source(b)) {
        (Some(a), Some(b)) if a != b => {
            writeln!(out, "{indent}A: {a}")?;
            writeln!(out, "{indent}B: {b}")
        }
        (Some(source), _) | (None, Some(source)) => writeln!(out, "{indent}{source}"),
        (None, None) => Ok(()),
    }
}

/// Where it is in both, shown once if that is the same line.
fn both_places(a: &StepAnswer, b: &StepAnswer) -> String {
    let (in_a, in_b) = (place_in(a), place_in(b));
    if in_a == in_b { in_a } else { format!("{in_a} (in B {})", place(b)) }
}

fn write_parting(out: &mut impl Write, parting: &PartingAnswer) -> io::Result<()> {
    let next = |step: &Option<StepAnswer>| match step {
        Some(step) => format!("continues at {}: {}", place_in(step), step.text),
        None => "ends there".into(),
    };
    let Some(Both { a, b }) = &parting.at else {
        writeln!(out, "\nThe runs part at the start:")?;
        writeln!(out, "  A  {}", next(&parting.next_a))?;
        return writeln!(out, "  B  {}", next(&parting.next_b));
    };
    match parting.why {
        "choice" => writeln!(out, "\nThe runs part at {}:", both_places(a, b))?,
        "end of a" => writeln!(out, "\nA ends after {}, B continues:", both_places(a, b))?,
        "end of b" => writeln!(out, "\nB ends after {}, A continues:", both_places(a, b))?,
        _ => writeln!(out, "\nThe runs part after {}:", both_places(a, b))?,
    }
    write_source(out, "    ", Some(a), Some(b))?;
    for (name, step, after) in [("A", a, &parting.next_a), ("B", b, &parting.next_b)] {
        let used: Vec<String> = step.operands.iter().map(|o| format!("{} = {}", o.expression, o.value)).collect();
        let used = if used.is_empty() { String::new() } else { format!(" ({})", used.join(", ")) };
        writeln!(out, "  {name}  {}{used}", step.text)?;
        writeln!(out, "     {}", next(after))?;
    }
    Ok(())
}

fn write_first_value(out: &mut impl Write, answer: &Answer, Both { a, b }: &Both) -> io::Result<()> {
    let parting = answer.parting.as_ref().and_then(|parting| parting.at.as_ref());
    let is_parting = parting.is_some_and(|at| (at.a.clock, &at.a.text, at.a.line) == (a.clock, &a.text, a.line));
    if is_parting {
        return writeln!(out, "  No value differs before that.");
    }
    let when = match parting {
        Some(at) if a.clock < at.a.clock => ", before that",
        Some(_) => ", after that",
        None => "",
    };
    writeln!(out, "\nThe first value that differs{when}, at {}:", both_places(a, b))?;
    write_source(out, "    ", Some(a), Some(b))?;
    writeln!(out, "  A  {}", a.text)?;
    writeln!(out, "  B  {}", b.text)
}

fn write_byte(out: &mut impl Write, name: &str, byte: &ByteAnswer) -> io::Result<()> {
    let shown = |byte: Option<u8>| match byte {
        Some(b'\n') => "a newline".into(),
        Some(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("`{}`", char::from(byte)),
        Some(byte) => format!("byte {byte:#04x}"),
        None => "nothing".to_string(),
    };
    let ByteAnswer { byte, line, column, a, b } = byte;
    let (a, b) = (shown(*a), shown(*b));
    writeln!(
        out,
        "\nThe first byte of {name} that differs is {byte} (line {line}, column {column}): {a} in A, {b} in B"
    )
}

fn write_changes(out: &mut impl Write, changes: &[ChangeAnswer]) -> io::Result<()> {
    let times = |n: u64| if n == 1 { "once".into() } else { format!("{n} times") };
    let (before, after): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.before > 0);
    for (title, list) in [
        ("Changed statements executed before anything differed:", before),
        ("Changed statements executed later:", after),
    ] {
        if list.is_empty() {
            continue;
        }
        writeln!(out, "\n{title}")?;
        for change in list {
            let place = match (&change.file, change.line) {
                (Some(file), Some(line)) => format!("{}:{line}", shown_path(file)),
                _ => "an unknown place".into(),
            };
            let executed = match (change.before, change.all) {
                (0, all) => times(all),
                (before, all) if before == all => times(all),
                (before, all) => format!("{}, {all} in total", times(before)),
            };
            writeln!(out, "  {place} in {}: {}, executed {executed}", change.function, change.kind)?;
            if let Some(old) = change.old_source.as_ref().filter(|old| Some(*old) != change.source.as_ref()) {
                writeln!(out, "    - {old}")?;
            }
            let sign = if change.kind == "removed" { "-" } else { "+" };
            if let Some(source) = &change.source {
                writeln!(out, "    {sign} {source}")?;
            }
        }
    }
    Ok(())
}

fn write_chain(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    if answer.chain.is_empty() {
        return match &answer.subject {
            Some(subject) => writeln!(out, "\nNo difference was found that led to {subject}."),
            None => Ok(()),
        };
    }
    match &answer.subject {
        Some(subject) if answer.explained => writeln!(out, "\nWhat led to {subject}, in the order of execution:")?,
        Some(subject) => {
            writeln!(out, "\nThe causes of {subject} could not be followed. Statements with different values:")?;
        }
        None if answer.not_compared.is_empty() => {
            writeln!(out, "\nNeither the output nor the ending differs. Statements with different values:")?;
        }
        None => {
            let not_compared = not_compared(answer);
            writeln!(out, "\nThe endings do not differ; {not_compared}. Statements with different values:")?;
        }
    }
    for (position, link) in answer.chain.iter().enumerate() {
        if answer.omitted > 0 && position == answer.omitted_after {
            writeln!(out, "\n  … {} more (see --limit)", answer.omitted)?;
        }
        write_link(out, link)?;
    }
    if answer.omitted > 0 && answer.chain.len() == answer.omitted_after {
        writeln!(out, "\n  … {} more (see --limit)", answer.omitted)?;
    }
    Ok(())
}

fn write_link(out: &mut impl Write, link: &LinkAnswer) -> io::Result<()> {
    let place = match (&link.a, &link.b) {
        (Some(a), Some(b)) => both_places(a, b),
        (Some(step), None) | (None, Some(step)) => place_in(step),
        (None, None) => "an unknown place".into(),
    };
    let times = match link.count {
        1 => String::new(),
        2 => ", and once more".into(),
        count => format!(", and {} more times", count - 1),
    };
    let standing = match link.standing {
        "only in a" => ", only in A",
        "only in b" => ", only in B",
        "brings" => ", which may have brought different bytes",
        _ => "",
    };
    let behind = match &link.behind[..] {
        [] => String::new(),
        numbers => {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            format!(", depends on {}", numbers.join(", "))
        }
    };
    writeln!(out, "\n{:>3}. {place}{standing}{times}{behind}", link.number)?;
    write_source(out, "       ", link.a.as_ref(), link.b.as_ref())?;
    for (name, step) in [("A", &link.a), ("B", &link.b)] {
        if let Some(step) = step {
            writeln!(out, "     {name}  {}", step.text)?;
        }
    }
    Ok(())
}
