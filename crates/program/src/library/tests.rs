//! The tables are consistent with themselves and with the C library's own declarations.

use super::effect::{Channel, Effect, Term};
use super::{FAMILIES, known, spoken_name};

#[test]
fn every_table_is_sorted_and_a_name_stands_once() {
    for table in FAMILIES {
        for pair in table.windows(2) {
            assert!(pair[0].name < pair[1].name, "{} stands before {}", pair[0].name, pair[1].name);
        }
    }
    let mut names: Vec<_> = FAMILIES.iter().flat_map(|table| table.iter().map(|known| known.name)).collect();
    names.sort_unstable();
    for pair in names.windows(2) {
        assert_ne!(pair[0], pair[1], "in two tables");
    }
}

#[test]
fn every_name_is_found() {
    for entry in FAMILIES.iter().flat_map(|table| table.iter()) {
        assert_eq!(known(entry.name).map(|found| found.name), Some(entry.name));
    }
    assert!(known("no_such_function").is_none());
    assert_eq!(spoken_name("__faultline_twin_strlen"), "strlen");
    assert_eq!(spoken_name("__isoc99_scanf"), "scanf");
    assert_eq!(spoken_name("__faultline_twin___isoc99_scanf"), "scanf");
}

#[test]
fn only_what_returns_gives_a_result() {
    for entry in FAMILIES.iter().flat_map(|table| table.iter()).filter(|entry| !entry.returns()) {
        let speaks_of_result = entry.effects.iter().any(|effect| terms(effect).contains(&Term::Result));
        assert!(!speaks_of_result, "{} does not return", entry.name);
    }
}

/// All terms an effect is made of, outermost first.
pub fn terms(effect: &Effect) -> Vec<Term> {
    let channel = |channel: &Channel| match *channel {
        Channel::Stream(term) | Channel::Descriptor(term) => vec![term],
        Channel::StandardInput | Channel::StandardOutput | Channel::StandardError => Vec::new(),
    };
    let mut found = match effect {
        Effect::Reads(at, extent) | Effect::Writes(at, extent) => vec![*at, *extent],
        Effect::Copies(to, from, extent) => vec![*to, *from, *extent],
        Effect::Aliases(i) | Effect::Opens(i) | Effect::Calls(i) => vec![Term::Arg(*i)],
        Effect::Borrows(term) | Effect::Allocates(term) | Effect::Frees(term) => vec![*term],
        Effect::Input(from, at, extent) | Effect::Output(from, at, extent) => {
            [channel(from), vec![*at, *extent]].concat()
        }
        Effect::OutputCharacter(to, i) | Effect::OutputNumber(to, i) => [channel(to), vec![Term::Arg(*i)]].concat(),
        Effect::InputFormatted(to, i) | Effect::OutputFormatted(to, i) => [channel(to), vec![Term::Arg(*i)]].concat(),
        Effect::InputCharacter(of) | Effect::Reopens(of) | Effect::Closes(of) | Effect::Seeks(of) => channel(of),
        Effect::Redirects(from, to) => [channel(from), channel(to)].concat(),
        Effect::Exits(status) => status.iter().map(|&i| Term::Arg(i)).collect(),
        Effect::Pure | Effect::Fails | Effect::Jumps | Effect::From(_) | Effect::ChangesWorld | Effect::Waits => {
            Vec::new()
        }
    };
    let mut at = 0;
    while at < found.len() {
        match found[at] {
            Term::Product(a, b) | Term::Least(a, b) => found.extend([*a, *b]),
            Term::TextWithin(a) | Term::TextOf(a) => found.push(*a),
            Term::Formatted(i) => found.push(Term::Arg(i)),
            _ => {}
        }
        at += 1;
    }
    found
}

/// Headers that declare most of what the tables name.
const HEADERS: &str = "assert ctype dirent err errno error fcntl fenv getopt grp inttypes langinfo libgen libintl locale \
    malloc math poll pthread pwd regex sched search setjmp signal stdio stdio_ext stdlib string strings sys/file sys/ioctl \
    sys/mman sys/random sys/resource sys/select sys/socket sys/stat sys/time sys/times sys/uio sys/utsname sys/wait \
    syslog termios time unistd utime wchar wctype";

fn clang(arguments: &[&str], source: &str) -> (String, String) {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut child = Command::new("clang-19")
        .args(arguments)
        .args(["-x", "c", "-", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("clang-19 is there");
    child.stdin.take().expect("a pipe").write_all(source.as_bytes()).expect("clang reads");
    let output = child.wait_with_output().expect("clang ends");
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Parameters of each function that the headers declare, and whether it takes more.
fn declared() -> std::collections::HashMap<String, (usize, bool)> {
    let mut source: String = "#define _GNU_SOURCE\n#define __NO_CTYPE\n".into();
    source.extend(HEADERS.split_whitespace().map(|header| format!("#include <{header}.h>\n")));
    let names = FAMILIES.iter().flat_map(|table| table.iter().map(|known| known.name));
    let uses = |names: &[&str]| -> String {
        names.iter().map(|name| format!("#undef {name}\nvoid *use_{name} = (void *)&{name};\n")).collect()
    };
    let names: Vec<_> = names.filter(|name| !name.starts_with("_Z")).collect();
    let (_, errors) = clang(&["-w", "-fsyntax-only", "-ferror-limit=0"], &(source.clone() + &uses(&names)));
    let is_declared = |name: &&str| !errors.contains(&format!("undeclared identifier '{name}'"));
    let names: Vec<_> = names.into_iter().filter(is_declared).collect();
    let (ir, errors) = clang(&["-w", "-S", "-emit-llvm"], &(source + &uses(&names)));
    assert!(!ir.is_empty(), "{errors}");
    let declarations = ir.lines().filter(|line| line.starts_with("declare "));
    declarations
        .filter_map(|line| {
            let (name, rest) = line.split_once('@')?.1.split_once('(')?;
            let parameters: Vec<_> = rest.rsplit_once(')')?.0.split(", ").filter(|p| !p.is_empty()).collect();
            let is_variadic = parameters.last() == Some(&"...");
            Some((name.to_string(), (parameters.len() - usize::from(is_variadic), is_variadic)))
        })
        .collect()
}

#[test]
fn arguments_are_those_of_the_declarations() {
    let declared = declared();
    assert!(declared.len() > 300, "only {} functions are declared", declared.len());
    for entry in FAMILIES.iter().flat_map(|table| table.iter()) {
        let Some(&(count, is_variadic)) = declared.get(entry.name) else { continue };
        for term in entry.effects.iter().flat_map(terms) {
            match term {
                Term::Arg(i) | Term::At(i) => {
                    assert!(usize::from(i) < count || is_variadic, "{} has no argument {i}", entry.name);
                }
                Term::Rest(i) => {
                    assert!(is_variadic && usize::from(i) == count, "{}: variable arguments from {i}", entry.name);
                }
                _ => {}
            }
        }
    }
}
