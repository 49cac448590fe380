//! What is claimed by the tests that were generated.

use experiment::End;
use failure::text::signal_name;
use findings::{Generation, Limit, OtherEnd, Signal, Tried};
use spectrum::Formula;

use super::{Ended, Generated, Verdict};
use subject::Found;
use subject::telling::suspicion;

/// Other failures that are told of.
const MOST_OTHERS: usize = 8;

pub fn found(generated: &Generated) -> Found {
    let mut found = suspicion::found(&generated.measured, Formula::Ochiai, "generate");
    let count = |verdict| generated.count(verdict);
    found.tried = vec![Tried::Generated {
        selection: generated.selection.name().into(),
        tests: generated.made() as u64,
        failing: count(Verdict::Fails),
        passing: count(Verdict::Passes),
        otherwise: count(Verdict::FailsOtherwise),
        undecided: count(Verdict::Undecided) + count(Verdict::Pending),
        questions: generated.questions,
        ended: ended(generated.ended),
    }];
    found.tried.extend(generated.others.iter().take(MOST_OTHERS).map(|other| Tried::OtherFailure {
        end: other_end(other.end),
        location: other.location.clone(),
        tests: other.tests.len() as u64,
        example: other.tests.first().map(|test| Generated::name(*test)).unwrap_or_default(),
    }));
    found.experiments = generated.tests.len() as u64 + generated.shrinking;
    found.limits.extend(limits(generated));
    found
}

fn limits(generated: &Generated) -> Vec<Limit> {
    let mut limits = Vec::new();
    if let Some(((function, line), _)) = generated.lost.iter().max_by_key(|(_, runs)| **runs) {
        let (function, line) = (function.as_str().into(), *line);
        limits.push(Limit::InputNotFollowed { places: generated.lost.len() as u64, function, line });
    }
    for (kind, count) in [
        (findings::Untried::Undecided, generated.unknown),
        (findings::Untried::Alike, generated.alike),
        (findings::Untried::NotRun, generated.not_run),
        (findings::Untried::Beyond, generated.beyond),
    ] {
        if count > 0 {
            limits.push(Limit::NotGenerated { kind, count });
        }
    }
    if generated.others.len() > MOST_OTHERS {
        limits.push(Limit::MoreOtherFailures { count: (generated.others.len() - MOST_OTHERS) as u64 });
    }
    limits
}

fn ended(ended: Ended) -> Generation {
    match ended {
        Ended::Settled => Generation::Settled,
        Ended::Exhausted => Generation::Exhausted,
        Ended::Enough | Ended::Stopped => Generation::Enough,
        Ended::Spent => Generation::Spent,
    }
}

fn other_end(end: End) -> OtherEnd {
    match end {
        End::Killed(number) => OtherEnd::Signal { signal: Signal { number, name: signal_name(number) } },
        End::Exited(status) => OtherEnd::Status { status },
        End::TooLong | End::Budget => OtherEnd::Hang,
        End::Stopped | End::Forks | End::Memory | End::Disk => OtherEnd::Stopped,
    }
}
