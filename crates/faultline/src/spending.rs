//! What a command may spend: `--budget` and `--memory`.

use std::time::Duration;

use anyhow::{Context, Result};
use budget::Budget;

use crate::memory::Bytes;

#[derive(Clone, Copy, Default, clap::Args)]
pub struct Spending {
    /// Stop searching after this many seconds [default: 60; for `rank`: no limit]
    #[arg(long, value_name = "SECONDS")]
    budget: Option<f64>,
    /// Use at most this much memory, as in 512M or 4G; the report says what was left out for that [default: half of the
    /// machine's]
    #[arg(long, value_name = "BYTES")]
    memory: Option<Bytes>,
}

impl Spending {
    pub fn of(budget: Option<f64>, memory: Option<Bytes>) -> Spending {
        Spending { budget, memory }
    }

    /// What is not given, from another.
    pub fn or(self, other: Spending) -> Spending {
        Spending { budget: self.budget.or(other.budget), memory: self.memory.or(other.memory) }
    }

    /// From now on; with so many seconds where none are given.
    pub fn begin(self, usual: Option<f64>) -> Result<Budget> {
        let budget = match self.budget.or(usual) {
            Some(seconds) => {
                Budget::of(Duration::try_from_secs_f64(seconds).context("--budget takes a number of seconds")?)
            }
            None => Budget::unlimited(),
        };
        let memory = self.memory.map(|Bytes(bytes)| bytes).or(budget::of_machine().map(|bytes| bytes / 2));
        if let Some(bytes) = memory {
            budget.limit_memory(bytes).context("cannot watch memory use")?;
        }
        Ok(budget)
    }
}
