//! The processes that a command has started, and that these have started.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// Kills all of them, until there are none or it is late.
pub fn end_all(latest: Instant) {
    loop {
        let running = descendants();
        for process in &running {
            // SAFETY: a signal to a process that descends from this one.
            unsafe { libc::kill(*process, libc::SIGKILL) };
        }
        if running.is_empty() || Instant::now() >= latest {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Those that have not ended, in no particular order.
fn descendants() -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
    let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let mut by_parent: HashMap<i32, Vec<(i32, char)>> = HashMap::new();
    for number in numbers {
        // It may have ended meanwhile.
        let Some((parent, state)) = status(number) else { continue };
        by_parent.entry(parent).or_default().push((number, state));
    }
    let mut found = Vec::new();
    let mut open = vec![std::process::id() as i32];
    while let Some(parent) = open.pop() {
        for &(child, state) in by_parent.get(&parent).into_iter().flatten() {
            open.push(child);
            if !matches!(state, 'Z' | 'X') {
                found.push(child);
            }
        }
    }
    found
}

/// The parent of a process, and what it is doing.
fn status(process: i32) -> Option<(i32, char)> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name stands in parentheses, and may have some of its own.
    let (_, rest) = text.rsplit_once(')')?;
    let mut words = rest.split_ascii_whitespace();
    let state = words.next()?.chars().next()?;
    Some((words.next()?.parse().ok()?, state))
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn children_and_their_children_are_ended() {
        let mut child = Command::new("sh")
            .args(["-c", "sleep 600 & sleep 600 & wait"])
            .stdin(Stdio::null())
            .spawn()
            .expect("there is a shell");
        let patience = Instant::now() + Duration::from_secs(20);
        let is_own = |process: &i32| *process != child.id() as i32;
        while descendants().into_iter().filter(is_own).count() < 2 && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
        let all = descendants();
        assert!(all.len() >= 3, "{all:?}");
        end_all(patience);
        assert!(descendants().is_empty());
        assert!(!child.wait().unwrap().success());
    }
}
