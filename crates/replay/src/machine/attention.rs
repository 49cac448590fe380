//! Where the replay must look up from running code: the recorded end, handlers, surprises, ends of windows, checkpoints.

use super::checkpoint::Checkpoint;
use super::{CAREFUL_TICKS, Ending, Flow, Machine};
use crate::departure::ReplayError;
use crate::log::Position;
use crate::observer::Observer;

/// Ticks after which the budget is asked again: some milliseconds.
const BUDGET_INTERVAL: u64 = 1 << 16;

impl<O: Observer> Machine<'_, '_, O> {
    /// The clock from which ends of blocks must look up: the recorded end, the next interruption, a window's end,
    /// a surprise that should have been met, the next time the budget is asked.
    pub(crate) fn set_attention(&mut self) {
        let end = match self.last {
            Some(last) if self.careful => last.clock,
            Some(last) => last.clock.saturating_sub(CAREFUL_TICKS),
            None => u64::MAX,
        };
        let missed = self.surprises.clock.saturating_add(1);
        let interruption = self.interruptions.last().map_or(u64::MAX, |i| i.at.clock);
        let window = self.until.map_or(u64::MAX, |u| u.0);
        let all = [end, interruption, window, missed, self.known_until, self.checkpoint_due, self.budget_due];
        self.attention = all.into_iter().min().unwrap_or(0);
        let stop = self.interruptions.last().map(|i| Position { chunk: i.at.chunk, offset: i.at.offset });
        self.log.stop_at(stop);
    }

    /// At the end of a block, before its tick, with the clock at or past `attention`. The top frame's `pc` is set.
    #[cold]
    pub(crate) fn attend(&mut self) -> Result<Option<Flow>, ReplayError> {
        if self.clock >= self.budget_due {
            self.image.budget.go_on()?;
            self.budget_due = self.clock.saturating_add(BUDGET_INTERVAL);
            self.set_attention();
        }
        let here = self.log.position();
        if !self.careful && self.is_near_end() {
            self.careful = true;
            self.set_attention();
            return Ok(Some(Flow::Run));
        }
        if let Some(next) = self.interruptions.last()
            && self.clock >= next.at.clock
            && here >= (Position { chunk: next.at.chunk, offset: next.at.offset })
        {
            self.running = true;
            self.begin_handler()?;
            return Ok(Some(Flow::Outside));
        }
        if self.clock >= self.known_until {
            return Ok(Some(Flow::End(Ending::Inside)));
        }
        // Not before a handler that came here: one that jumps away takes back the ticks of a block that was never executed
        // to its end, and what comes after the jump may have met the surprise.
        if self.surprises.clock < self.clock {
            return Err(self.missed_surprise());
        }
        if self
            .until
            .is_some_and(|(clock, position)| self.suspended.is_empty() && self.clock == clock && here == position)
        {
            return Ok(Some(Flow::End(Ending::Window)));
        }
        if self.last.is_some_and(|last| self.is_over(last.clock)) {
            return Ok(Some(Flow::End(Ending::Inside)));
        }
        if self.clock >= self.checkpoint_due && self.suspended.is_empty() {
            self.checkpoint_due = self.clock.saturating_add(self.checkpoint_interval);
            let checkpoint = Checkpoint::take(self);
            self.checkpoints.push(checkpoint);
            self.set_attention();
        }
        Ok(None)
    }

    /// Before a call or a return, with the clock at or past `attention`. The program brings the clock in memory up to date
    /// there, so a handler that saw an older one came before.
    #[cold]
    pub(crate) fn attend_transfer(&mut self) -> Result<Option<Flow>, ReplayError> {
        let here = self.log.position();
        match self.interruptions.last() {
            Some(next)
                if self.clock > next.at.clock
                    && here >= (Position { chunk: next.at.chunk, offset: next.at.offset }) =>
            {
                self.running = true;
                self.begin_handler()?;
                Ok(Some(Flow::Outside))
            }
            _ => Ok(None),
        }
    }

    pub(super) fn is_near_end(&self) -> bool {
        self.last.is_some_and(|last| self.clock >= last.clock.saturating_sub(CAREFUL_TICKS))
    }

    /// Whether nothing follows: the clock is at the recorded end, which lags behind within a block, and neither
    /// entries nor handlers are left that would show the block was gone on with.
    fn is_over(&self, recorded: u64) -> bool {
        let nothing_left = self.log.left() == 0 && self.interruptions.is_empty();
        self.clock >= recorded && (nothing_left || self.clock > recorded.saturating_add(CAREFUL_TICKS))
    }
}
