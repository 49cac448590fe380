//! Work spread over the machine's cores.

use std::sync::Mutex;

/// Calls `work` for every element of `tasks`, on as many threads as there are cores; results in the order of tasks.
pub fn map<T: Send, R: Send>(tasks: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    spread(tasks, |_| {}, work)
}

/// The same, each thread on a core of its own, with all programs that it starts: what they measure is what they take with
/// one core, whatever the others do.
pub fn map_apart<T: Send, R: Send>(tasks: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    spread(tasks, stay_on, work)
}

fn spread<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    begin: impl Fn(usize) + Sync,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(tasks.into_iter().enumerate().collect::<Vec<_>>().into_iter());
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for number in 0..threads {
            let (queue, done, begin, work) = (&queue, &done, &begin, &work);
            scope.spawn(move || {
                begin(number);
                loop {
                    let Some((position, task)) = queue.lock().unwrap().next() else { break };
                    let result = work(task);
                    done.lock().unwrap().push((position, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap();
    done.sort_by_key(|(position, _)| *position);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Keeps this thread on the so many-th of the cores that it may use. Where that is refused, it goes on as it is.
fn stay_on(number: usize) {
    let size = size_of::<libc::cpu_set_t>();
    // SAFETY: a set of cores is plain numbers, and the system is told how large it is.
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size, &mut allowed) != 0 {
            return;
        }
        let cores = (0..libc::CPU_SETSIZE as usize).filter(|core| libc::CPU_ISSET(*core, &allowed));
        if let Some(core) = cores.into_iter().nth(number) {
            let mut own: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(core, &mut own);
            libc::sched_setaffinity(0, size, &own);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_tasks() {
        assert_eq!(map(0..100, |n| n * 2), (0..100).map(|n| n * 2).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_done_apart_has_one_core() {
        let cores = || std::thread::available_parallelism().unwrap().get();
        let before = cores();
        assert!(map_apart(0..8, |_| cores()).into_iter().all(|seen| seen == 1));
        assert_eq!(cores(), before);
    }
}
