//! When experiments have shown what there is to be shown.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use program::Site;
use replay::Step;

/// Whether more experiments are likely to show anything new.
pub struct Settling {
    /// Experiments that are worth trying whatever the others show; they come first.
    worthwhile: usize,
    pub done: usize,
    begun: Instant,
    /// When a site last turned out critical for the first time.
    news: Option<News>,
    sites: HashSet<Site>,
}

/// How much had been tried by then, and how long it had taken.
#[derive(Clone, Copy)]
struct News {
    done: usize,
    took: Duration,
}

/// So many experiments at least without anything new,
const PATIENCE: usize = 1000;
/// or so long, where each of them takes long.
const LONG: Duration = Duration::from_secs(4);

impl Settling {
    pub fn new(worthwhile: usize) -> Settling {
        Settling { worthwhile, done: 0, begun: Instant::now(), news: None, sites: HashSet::new() }
    }

    /// A change of this step made the run right.
    pub fn repaired(&mut self, at: Step) {
        if self.sites.insert(at.site) {
            self.news = Some(News { done: self.done, took: self.begun.elapsed() });
        }
    }

    /// As much again as it took to find the last has brought nothing; or, without any success, all that is
    /// worthwhile has been tried, and some more.
    pub fn is_settled(&self) -> bool {
        match self.news {
            Some(News { done, took }) => self.done >= 2 * done + PATIENCE || self.begun.elapsed() >= 2 * took + LONG,
            None => self.done >= self.worthwhile + PATIENCE,
        }
    }
}
