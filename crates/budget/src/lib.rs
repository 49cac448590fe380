//! What may be spent on an answer: time, memory, the user's patience.
//!
//! In: how long an answer may take, and requests to stop waiting. Out: whether to continue, cheap enough to be asked in inner
//! loops.
//! Deliberately absent: signals (who receives one calls [`Budget::interrupt`]), output, what is being computed.
//!
//! An answer has three phases. While there is time for the *search*, everything continues. When the search [is
//! over](Budget::is_over), nothing new is started, but what was started may finish, so that its result is not lost. When the
//! budget [is spent](Budget::spent), that is given up as well. Then [`Budget::finish`] grants a last phase to put the answer
//! together. The promise is that an answer takes no more than the budget, a tenth of it, and two seconds.

mod memory;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

pub use memory::of_machine;

/// Why there is nothing more to spend.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Spent {
    #[error("the time budget ran out")]
    Time,
    #[error("the memory limit was reached")]
    Memory,
    #[error("the search was interrupted")]
    Interrupted,
}

/// Clones share what is spent.
#[derive(Clone, Debug)]
pub struct Budget {
    whole: Arc<Shared>,
    /// Of a part: when it is over and spent, whatever is left of the whole.
    part: Option<Instant>,
}

#[derive(Debug)]
struct Shared {
    begun: Instant,
    /// None: no end.
    total: Option<Duration>,
    /// Nanoseconds that were spent waiting for somebody, which do not count.
    waited: AtomicU64,
    /// Since when somebody is waited for, in nanoseconds after the beginning; zero: nobody is.
    waiting: AtomicU64,
    /// Nanoseconds after the beginning; zero: nobody has.
    interrupted: AtomicU64,
    /// More memory is in use than there may be, now; at any time.
    is_short: AtomicBool,
    was_short: AtomicBool,
    /// Bytes.
    most_memory: AtomicU64,
    is_last_stretch: AtomicBool,
}

/// After the end of the search: until what was begun is given up, until the answer must be put together, and until nobody
/// waits for that any more. Each is a part of the whole budget, and something besides.
const GIVEN_UP: Allowance = Allowance { hundredths: 3, besides: Duration::from_millis(500) };
const PUT_TOGETHER: Allowance = Allowance { hundredths: 5, besides: Duration::from_millis(900) };
const ABANDONED: Allowance = Allowance { hundredths: 6, besides: Duration::from_millis(1100) };
/// The same after somebody has interrupted.
const GIVEN_UP_AT_ONCE: Duration = Duration::from_millis(250);
const PUT_TOGETHER_AT_ONCE: Duration = Duration::from_millis(500);
const ABANDONED_AT_ONCE: Duration = Duration::from_millis(650);

struct Allowance {
    hundredths: u32,
    besides: Duration,
}

/// Somebody is waited for.
pub struct Waiting<'b>(&'b Budget);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let whole = &self.0.whole;
        let waited = self.0.waited().as_nanos() as u64;
        whole.waiting.store(0, Ordering::Relaxed);
        whole.waited.store(waited, Ordering::Relaxed);
    }
}

impl Budget {
    /// It begins now.
    pub fn of(total: Duration) -> Budget {
        Budget::with(Some(total))
    }

    /// What takes as long as it takes.
    pub fn unlimited() -> Budget {
        Budget::with(None)
    }

    fn with(total: Option<Duration>) -> Budget {
        let whole = Arc::new(Shared {
            begun: Instant::now(),
            total,
            waited: AtomicU64::new(0),
            waiting: AtomicU64::new(0),
            interrupted: AtomicU64::new(0),
            is_short: AtomicBool::new(false),
            was_short: AtomicBool::new(false),
            most_memory: AtomicU64::new(u64::MAX),
            is_last_stretch: AtomicBool::new(false),
        });
        Budget { whole, part: None }
    }

    /// A part of it, from now on. A part has no stretches: when it is over, it is spent.
    pub fn part(&self, time: Duration) -> Budget {
        let end = Instant::now().checked_add(time);
        Budget { whole: self.whole.clone(), part: self.part.into_iter().chain(end).min() }
    }

    /// How long it has taken so far, waiting included.
    pub fn elapsed(&self) -> Duration {
        self.whole.begun.elapsed()
    }

    pub fn total(&self) -> Option<Duration> {
        self.whole.total
    }

    /// When the search is over; none: never.
    pub fn end(&self) -> Option<Instant> {
        let whole = self.end_with(&Allowance { hundredths: 0, besides: Duration::ZERO });
        self.part.into_iter().chain(whole).min()
    }

    /// What is left for the search.
    pub fn left(&self) -> Duration {
        self.end().map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    /// Whether nothing new should be begun.
    pub fn is_over(&self) -> bool {
        self.was_interrupted() || self.whole.is_short.load(Ordering::Relaxed) || self.left().is_zero()
    }

    /// Whether what was begun must be given up, too, and why.
    pub fn spent(&self) -> Option<Spent> {
        let is_last = self.whole.is_last_stretch.load(Ordering::Relaxed);
        let (allowance, at_once) =
            if is_last { (&PUT_TOGETHER, PUT_TOGETHER_AT_ONCE) } else { (&GIVEN_UP, GIVEN_UP_AT_ONCE) };
        if self.whole.is_short.load(Ordering::Relaxed) {
            Some(Spent::Memory)
        } else if self.is_past(self.interrupted_and(at_once)) {
            Some(Spent::Interrupted)
        } else if self.is_past(self.end_with(allowance)) || self.is_past(self.part) {
            Some(Spent::Time)
        } else {
            None
        }
    }

    /// The same as an error, for whoever has nothing to show yet.
    pub fn go_on(&self) -> Result<(), Spent> {
        self.spent().map_or(Ok(()), Err)
    }

    /// Whether the answer must be given by somebody else, since whoever works on it does not ask.
    pub fn is_abandoned(&self) -> bool {
        self.is_past(self.interrupted_and(ABANDONED_AT_ONCE)) || self.is_past(self.end_with(&ABANDONED))
    }

    /// The search is over: what follows puts the answer together.
    pub fn finish(&self) {
        self.whole.is_last_stretch.store(true, Ordering::Relaxed);
    }

    /// Somebody wants the best that is known by now.
    pub fn interrupt(&self) {
        // The first counts.
        let _ = self.whole.interrupted.compare_exchange(0, self.nanoseconds(), Ordering::Relaxed, Ordering::Relaxed);
    }

    pub fn was_interrupted(&self) -> bool {
        self.whole.interrupted.load(Ordering::Relaxed) != 0
    }

    /// As long as what is given back lives, somebody is waited for, and no time is spent.
    pub fn wait(&self) -> Waiting<'_> {
        self.whole.waiting.store(self.nanoseconds(), Ordering::Relaxed);
        Waiting(self)
    }

    /// After the beginning; never zero.
    fn nanoseconds(&self) -> u64 {
        (self.elapsed().as_nanos() as u64).max(1)
    }

    fn waited(&self) -> Duration {
        let since = self.whole.waiting.load(Ordering::Relaxed);
        let now = if since == 0 { 0 } else { self.nanoseconds().saturating_sub(since) };
        Duration::from_nanos(self.whole.waited.load(Ordering::Relaxed) + now)
    }

    fn end_with(&self, Allowance { hundredths, besides }: &Allowance) -> Option<Instant> {
        let total = self.whole.total?;
        // A budget of so many years that they cannot be added has no end.
        self.whole
            .begun
            .checked_add(total.checked_add(total / 100 * *hundredths)?.checked_add(*besides + self.waited())?)
    }

    fn interrupted_and(&self, patience: Duration) -> Option<Instant> {
        let interrupted = self.whole.interrupted.load(Ordering::Relaxed);
        (interrupted != 0).then(|| self.whole.begun + Duration::from_nanos(interrupted) + patience)
    }

    fn is_past(&self, end: Option<Instant>) -> bool {
        end.is_some_and(|end| Instant::now() >= end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_follow_each_other_and_keep_the_promise() {
        for seconds in [0.0, 1.0, 5.0, 60.0, 3600.0] {
            let total = Duration::from_secs_f64(seconds);
            let budget = Budget::of(total);
            let ends = [&GIVEN_UP, &PUT_TOGETHER, &ABANDONED].map(|allowance| budget.end_with(allowance).unwrap());
            assert!(budget.end().unwrap() < ends[0] && ends.is_sorted(), "{seconds}");
            // What is left must do for writing.
            let promised = budget.whole.begun + total.mul_f64(1.1) + Duration::from_secs(2);
            assert!(promised - ends[2] > Duration::from_millis(800), "{seconds}");
        }
        assert!(ABANDONED_AT_ONCE < Duration::from_secs(1));
    }

    #[test]
    fn what_was_begun_may_end_after_the_search_is_over() {
        let budget = Budget::of(Duration::ZERO);
        assert!(budget.is_over());
        assert_eq!(budget.spent(), None);
        std::thread::sleep(GIVEN_UP.besides);
        assert_eq!(budget.spent(), Some(Spent::Time));
        budget.finish();
        assert_eq!(budget.go_on(), Ok(()));
        assert!(!budget.is_abandoned());
    }

    #[test]
    fn time_that_somebody_takes_to_think_is_not_spent() {
        let budget = Budget::of(Duration::from_millis(200));
        let waiting = budget.wait();
        std::thread::sleep(Duration::from_millis(300));
        assert!(!budget.is_over());
        drop(waiting);
        assert!(!budget.is_over() && budget.left() > Duration::from_millis(50));
        std::thread::sleep(Duration::from_millis(200));
        assert!(budget.is_over());
    }

    #[test]
    fn an_interruption_is_heard_by_all_who_share_the_budget() {
        let budget = Budget::unlimited();
        let other = budget.clone();
        assert!(!other.is_over() && other.left() == Duration::MAX);
        budget.interrupt();
        assert!(other.is_over());
        std::thread::sleep(GIVEN_UP_AT_ONCE);
        assert_eq!(other.spent(), Some(Spent::Interrupted));
        assert!(!other.is_abandoned());
        std::thread::sleep(ABANDONED_AT_ONCE - GIVEN_UP_AT_ONCE);
        assert!(other.is_abandoned());
    }

    #[test]
    fn a_part_ends_before_the_whole_and_never_after_it() {
        let whole = Budget::of(Duration::from_secs(3600));
        let part = whole.part(Duration::ZERO);
        assert!(part.is_over() && part.spent() == Some(Spent::Time));
        assert!(!whole.is_over() && whole.spent().is_none());
        assert!(part.part(Duration::from_secs(60)).is_over());
        let long = whole.part(Duration::from_secs(7200));
        assert!(long.left() <= Duration::from_secs(3600));
        whole.interrupt();
        assert!(long.is_over());
    }

    #[test]
    fn a_budget_that_cannot_be_counted_has_no_end() {
        let budget = Budget::of(Duration::MAX);
        assert!(!budget.is_over() && budget.go_on().is_ok() && !budget.is_abandoned());
    }
}
