//! What could not be examined, and what must be known first.

use findings::{Caveat, Experiments, Limit, Read, Remedy, Spent, Untried};

use super::counted;
use super::difference::other;
use super::neighbour::unexamined;

pub fn limit(limit: &Limit) -> String {
    match limit {
        Limit::Stated { text } => text.clone(),
        Limit::Unfinished { spent, doing } => format!("{} while {doing}; this is what was known by then", ran_out(*spent)),
        Limit::Interrupted => "the search was interrupted; this is the best answer so far".into(),
        Limit::OtherThread => {
            "experiments can change only the first thread, and the failure is in another; none were made".into()
        }
        Limit::NeedsTests { technique } => format!("{technique} needs a suite of tests; name one with --tests"),
        Limit::NoTimeFor { technique, answers, remedy } => {
            let remedy = match remedy {
                Remedy::None => "the search was interrupted",
                Remedy::Memory => "a higher --memory or a longer --budget allows it",
                Remedy::Budget => "a longer --budget allows it",
            };
            format!("there was no time for {technique}: {answers}; {remedy}")
        }
        Limit::GivenUp { spent, technique, answers } => {
            format!("{} before {technique} had finished: {answers}", ran_out(*spent))
        }
        Limit::NotUsable { technique, error } => format!("{technique} could not be used: {error}"),
        Limit::OtherRunsUnknown { because: None } => {
            "there was no time to try on other inputs what prevents the failure; a longer --budget allows it".into()
        }
        Limit::OtherRunsUnknown { because: Some(because) } => {
            format!("what prevents the failure was not tried on other inputs: {because}")
        }
        Limit::NoChain { spent } => format!("{} before it was known how the failure came about", ran_out(*spent)),
        Limit::NotAllTried { kind, tried, of } => {
            let what = match kind {
                Experiments::Switches => "switches",
                Experiments::Edits => "small edits",
                Experiments::Values => "other values",
            };
            format!("the time budget ran out after {tried} of {of} {what}; a longer --budget allows more")
        }
        Limit::TriedLate { spent } => format!(
            "{} before all that the failure depends on was known; conditions it depends on may have been tried late",
            ran_out(*spent)
        ),
        Limit::LastEvaluations { of, considered } => {
            format!("of {of} evaluations of conditions, only the last {considered} were considered")
        }
        Limit::CombinationsLeftOut { examined } => format!(
            "{} of values and conditions were examined; others that may repair the run together were not",
            counted(*examined, "combination")
        ),
        Limit::NotReplayed { runs } => format!(
            "{} could not be replayed, so it is not known whether they reach the place of the failure",
            counted(*runs, "changed run")
        ),
        Limit::NotChecked { changes } => format!(
            "for {} that {} the failure, it was not checked whether the program reaches the same place again",
            counted(*changes, "change"),
            if *changes == 1 { "prevents" } else { "prevent" }
        ),
        Limit::UnknownEffects { function } => {
            format!("the effects of `{}` are unknown; it was assumed to read only its arguments", function.0)
        }
        Limit::LatestSteps { steps } => {
            format!("of what the failure depends on, only the latest {steps} steps were examined")
        }
        Limit::NoPotential { spent } => {
            let because = spent.map_or_else(
                || "the run is long".into(),
                |spent| format!("{} before it was known what could have been assigned where", ran_out(spent)),
            );
            format!("{because}, so lines that prevented something are not among those it depends on")
        }
        Limit::UnassignedUnknown { because } => {
            let because = because.as_deref().unwrap_or("the run is long");
            format!("{because}, so it is not known whether it reads local variables that were never assigned")
        }
        Limit::NoTestPasses => "no test passes, so only what failing tests have in common can be reported".into(),
        Limit::UndecidedTests { names } => format!("the oracle could not judge these tests: {}", names.join(", ")),
        Limit::TestsNotRun { count } => {
            format!("there was no time to run {}; a longer --budget allows more", counted(*count, "test"))
        }
        Limit::InputNotFollowed { places: 1, function, line } => format!(
            "what `{}` at line {line} makes of the input is not followed, so conditions on that were not reversed",
            function.0
        ),
        Limit::InputNotFollowed { places, function, line } => format!(
            "what becomes of the input is not followed at {}, most often in `{}` at line {line}; conditions on that were not \
             reversed",
            counted(*places, "place"),
            function.0
        ),
        Limit::NotGenerated { kind, count } => not_generated(*kind, *count),
        Limit::MoreOtherFailures { count } => format!("{} on the way are not listed", counted(*count, "more failure")),
        Limit::OtherInputsNotJudged => {
            "--expect is the output for one input only, so no other input could be judged: the failing input was forced along other \
             paths instead; --reference PROG or --check CMD can judge other inputs"
                .into()
        }
        Limit::PathsNotExamined { kind, count } => unexamined(*kind, *count),
        Limit::PathCut => "the run has too many branches; only the first ones could be reversed".into(),
        Limit::PathsUnfinished { branches } => format!(
            "not all paths were examined: the failing run has {} that could be reversed; a smaller input has fewer",
            counted(*branches, "branch evaluation")
        ),
        Limit::ReferenceNotRecorded { error } => {
            format!("the reference cannot be recorded, so it says only what is right: {error}")
        }
        Limit::NotDeterministic { which } => format!("{} is not deterministic, so it was not compared", other(*which)),
        Limit::NothingDiffers { which } => {
            format!("nothing that experiments could ask about differs between {} and the failing run", other(*which))
        }
        Limit::MoreDifferences => "the runs differ in more than was examined; only the latest differences were".into(),
        Limit::UnknownDifferences { function } => {
            format!("the effects of `{}` are unknown; differences may come through it", function.0)
        }
        Limit::WayCutShort => {
            "not every step towards the failure was tested by an experiment; a longer --budget allows more".into()
        }
        Limit::NoRepairToCompare => {
            "there is no run to compare with, since no change repairs this one; use --reference PROG to name a version that works"
                .into()
        }
        Limit::RepairsNotComparable => "no repaired run could be compared with the failing one".into(),
        Limit::NoOmissions { spent: Some(spent) } => format!(
            "{} before it was known what could have been assigned where, so omissions were not searched for",
            ran_out(*spent)
        ),
        Limit::NoOmissions { spent: None } => {
            "the place where the failure appears is not in the recording, so omissions were not searched for".into()
        }
        Limit::LatestInstructions { count } => {
            format!("of what the failure depends on, only the latest {count} instructions were searched for omissions")
        }
        Limit::OmissionsNotReplayed { runs } => format!(
            "{} could not be replayed, so it is not known what they show about omissions",
            counted(*runs, "changed run")
        ),
        Limit::LikeliestUses => {
            "only the most likely places that the failure depends on were searched for old values".into()
        }
        Limit::OmissionsUnfinished => {
            "the time budget ran out before the search for omissions finished; a longer --budget allows more".into()
        }
        Limit::PageSteps { steps } => {
            format!("the page counts and draws only the latest {steps} steps that the failure depends on")
        }
        Limit::TooLongBeside => "the run is too long to be shown beside a repaired one".into(),
        Limit::NotListed { experiments } => {
            format!("{experiments} experiments changed something other than a step of the first thread, and are not listed")
        }
        Limit::PageRows { rows, shown } => format!("the page shows the first {shown} of {rows} rows of experiments"),
        Limit::PageNotWritten { error } => format!("{error} before the page was made; it was not written"),
        Limit::MissingSources { files } => format!(
            "these source files cannot be read, so their lines are not shown: {}; put them where they were when the program was compiled",
            files.join(", ")
        ),
    }
}

/// Why a search ended, as a clause.
fn ran_out(spent: Spent) -> &'static str {
    match spent {
        Spent::Time => "the time budget ran out",
        Spent::Memory => "the memory limit was reached",
        Spent::Interrupted => "the search was interrupted",
    }
}

pub fn caveat(caveat: &Caveat) -> String {
    match caveat {
        Caveat::Stated { text } => text.clone(),
        Caveat::Unassigned { reads, fill } => {
            let all: Vec<String> = reads.iter().map(read).collect();
            let reads = format!("the program reads local variables that were never assigned: {}", all.join(", "));
            let Some(byte) = fill else { return reads };
            let filled = format!("each byte of a local variable that was not assigned is {}", byte.0);
            if all.is_empty() {
                return format!(
                    "the program does not always fail, or not always in the same way, unless {filled}, as in the runs \
                     examined here. So it seems to read some before they are assigned, but which is not known"
                );
            }
            format!("{reads}. In the runs examined here {filled}; outside it is whatever happens to be there")
        }
    }
}

fn read(read: &Read) -> String {
    let at = &read.location;
    format!("`{}` at {}:{}{}", read.expression.0, at.file, at.line, at.in_function())
}

fn not_generated(kind: Untried, count: u64) -> String {
    match kind {
        Untried::Undecided => {
            format!(
                "for {}, the solver did not find out in time whether an input reverses them",
                counted(count, "condition")
            )
        }
        Untried::Alike => format!(
            "{} not reversed, since the same condition had been chosen many times in the same run",
            were(count, "evaluation of conditions", "evaluations of conditions")
        ),
        Untried::NotRun => format!("{} not be run or replayed", could(count, "generated input")),
        Untried::Beyond => {
            format!("{} left out, since the run has too many", were(count, "condition", "conditions"))
        }
    }
}

fn were(count: u64, one: &str, many: &str) -> String {
    if count == 1 { format!("1 {one} was") } else { format!("{count} {many} were") }
}

fn could(count: u64, what: &str) -> String {
    format!("{} could", counted(count, what))
}
