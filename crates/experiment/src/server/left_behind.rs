//! Processes that a run left behind, where no namespace of process ids holds them.

use std::fs;
use std::os::unix::fs::MetadataExt;

/// Kills all descendants of a process, which adopts those whose parents are gone.
pub fn kill_descendants(process: libc::pid_t) {
    // Killing takes a while; new ones may come meanwhile.
    for _ in 0..100 {
        let found = descendants(process);
        if found.is_empty() {
            return;
        }
        for descendant in found {
            // SAFETY: sends a signal.
            unsafe { libc::kill(descendant, libc::SIGKILL) };
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
}

/// Kills all processes of a user namespace that a run had for itself.
pub fn kill_in_namespace(namespace: u64) {
    for _ in 0..100 {
        let Ok(processes) = fs::read_dir("/proc") else { return };
        let belongs =
            |id: libc::pid_t| fs::metadata(format!("/proc/{id}/ns/user")).is_ok_and(|about| about.ino() == namespace);
        let ids = processes.flatten().filter_map(|process| process.file_name().to_str()?.parse().ok());
        let found: Vec<libc::pid_t> = ids.filter(|&id| belongs(id)).collect();
        if found.is_empty() {
            return;
        }
        for process in found {
            // SAFETY: sends a signal.
            unsafe { libc::kill(process, libc::SIGKILL) };
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
}

fn descendants(process: libc::pid_t) -> Vec<libc::pid_t> {
    let mut found = Vec::new();
    let mut open = vec![process];
    while let Some(parent) = open.pop() {
        let Ok(threads) = fs::read_dir(format!("/proc/{parent}/task")) else { continue };
        for thread in threads.flatten() {
            let Ok(children) = fs::read_to_string(thread.path().join("children")) else { continue };
            let children: Vec<libc::pid_t> = children.split_whitespace().filter_map(|id| id.parse().ok()).collect();
            open.extend(&children);
            found.extend(children);
        }
    }
    found
}
