//! A failure in words: as the subject of a sentence, and as a sentence of its own.

use crate::question::Failure;

/// As the subject of a sentence.
pub fn subject(failure: &Failure) -> String {
    match failure {
        Failure::Crash { signal } => format!("the crash with {}", signal_name(*signal)),
        Failure::CrashOutside { signal, function } => format!("the crash with {} in {function}", signal_name(*signal)),
        Failure::Assertion { function } => format!("the call of {function}"),
        Failure::Hang => "the loop that does not end".into(),
        Failure::Waits { function } => format!("the call of {function} that does not return"),
        Failure::Status { status } => format!("the exit status {status}"),
        Failure::WrongByte { byte, found: None, expected: None } => format!("byte {} of standard output", byte + 1),
        Failure::WrongByte { byte, found, expected } => {
            format!("byte {} of standard output, {} instead of {}", byte + 1, byte_text(*found), byte_text(*expected))
        }
    }
}

/// As a sentence, without its full stop.
pub fn sentence(failure: &Failure) -> String {
    match failure {
        Failure::Crash { signal } => format!("the program crashes here with {}", signal_name(*signal)),
        Failure::CrashOutside { signal, function } => {
            format!("the program crashes in `{function}`, called here, with {}", signal_name(*signal))
        }
        Failure::Assertion { function } if function.starts_with("__assert") => "this assertion fails".into(),
        Failure::Assertion { function } => format!("the program stops itself here by calling `{function}`"),
        Failure::Hang => "this loop does not end".into(),
        Failure::Waits { function } => format!("the program waits in `{function}`, called here, and does not end"),
        Failure::Status { status } => format!("the program ends with exit status {status}"),
        Failure::WrongByte { byte, found: None, expected: None } => {
            format!("this writes byte {} of standard output", byte + 1)
        }
        Failure::WrongByte { byte, found: None, expected: _ } => {
            format!("standard output ends after {byte} bytes, but more was expected")
        }
        Failure::WrongByte { byte, found, expected } => {
            format!("byte {} of standard output is {} instead of {}", byte + 1, byte_text(*found), byte_text(*expected))
        }
    }
}

fn byte_text(byte: Option<u8>) -> String {
    match byte {
        Some(b'\n') => "a newline".into(),
        Some(byte) if byte.is_ascii_graphic() || byte == b' ' => format!("`{}`", char::from(byte)),
        Some(byte) => format!("byte {byte:#04x}"),
        None => "nothing".into(),
    }
}

/// The name of a signal of Linux, and what the common ones mean.
pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT (interrupt)",
        3 => "SIGQUIT",
        4 => "SIGILL (illegal instruction)",
        5 => "SIGTRAP",
        6 => "SIGABRT (abort)",
        7 => "SIGBUS (invalid memory access)",
        8 => "SIGFPE (arithmetic error)",
        9 => "SIGKILL",
        11 => "SIGSEGV (invalid memory access)",
        13 => "SIGPIPE (broken pipe)",
        14 => "SIGALRM",
        15 => "SIGTERM",
        other => return format!("signal {other}"),
    };
    name.into()
}
