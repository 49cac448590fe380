//! Work spread over the machine's cores.

use std::sync::Mutex;

/// Calls `work` for every element of `tasks`, on as many threads as there are cores; results in the order of tasks.
pub fn map<T: Send, R: Send>(tasks: impl IntoIterator<Item = T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let queue = Mutex::new(tasks.into_iter().enumerate().collect::<Vec<_>>().into_iter());
    let done = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
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
