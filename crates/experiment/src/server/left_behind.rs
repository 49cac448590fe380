//! Processes that a run left behind, where no namespace holds them: found through the kernel's list of children.

use std::fs;

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
