//! The tables about directed tests, beside tables 3 and 4 of the paper, and the numbers of its figure 8.

use super::{After, Answer, Asked, SELECTIONS};
use crate::document::{Part, Table};
use crate::tables::{mean, median, percent};

/// A fault is well localized if at most so much of what was executed is read before it.
const WELL: f64 = 0.01;

/// What the paper prints of each selection: the share of faults that are well localized, statements read, their share of
/// those executed, tests and seconds until then.
const PAPER: [[&str; 5]; 5] = [
    ["100", "11.1", "0.75", "46.8", "131.2"],
    ["100", "11.3", "0.9", "99.2", "318.6"],
    ["100", "10", "0.83", "6.5", "14.9"],
    ["100", "10.1", "0.85", "12", "30.7"],
    // Ours alone.
    ["-"; 5],
];

/// How far a reader reads after some tests, who meets the fault's line last among those that are as suspicious.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Read {
    lines: usize,
    share: f64,
}

impl Read {
    fn is_well(self) -> bool {
        // A single line cannot be read in part.
        self.share <= WELL || self.lines <= 1
    }
}

/// A fault that no failing test executed is not found by reading all that was executed.
fn read(after: &After, at: &[u32], executed: usize) -> Read {
    let ours = after.lines.iter().filter(|(line, _, _)| at.contains(line));
    let lines = ours.map(|(_, _, last)| *last).min().unwrap_or(executed);
    Read { lines, share: lines as f64 / executed.max(1) as f64 }
}

/// What was read after each number of tests.
fn reads(answer: &Answer, at: &[u32]) -> Vec<Read> {
    let executed = answer.after.first().map_or(0, |first| first.lines.len());
    answer.after.iter().map(|after| read(after, at, executed)).collect()
}

/// The least that is ever read, and after how many tests it is so for the first time.
fn best(reads: &[Read]) -> Option<(usize, Read)> {
    let least = reads.iter().map(|read| read.lines).min()?;
    reads.iter().copied().enumerate().find(|(_, read)| read.lines == least)
}

pub fn parts(asked: &[Asked]) -> Vec<Part> {
    let usable: Vec<&Asked> = asked.iter().filter(|one| one.answers.iter().all(|a| !a.after.is_empty())).collect();
    let mut sentences = vec![format!("Asked about {} faults; the right version judges generated tests.", usable.len())];
    for one in asked.iter().filter(|one| one.answers.iter().any(|answer| answer.after.is_empty())) {
        let trouble = one.answers.iter().find_map(|answer| answer.trouble.as_deref()).unwrap_or("no test was made");
        sentences.push(format!("`{}` does not count: {trouble}.", one.name));
    }
    let tables = [effectiveness(&usable), effort(&usable), curve(&usable), settled(&usable)];
    let mut parts = vec![Part::Text(sentences.join(" "))];
    parts.extend(tables.into_iter().map(Part::Table));
    parts
}

/// Of a selection, by its position: what was read about each fault after each number of tests, and the answer.
fn of<'a>(asked: &[&'a Asked], selection: usize) -> Vec<(Vec<Read>, &'a Answer)> {
    let answers = asked.iter().map(|one| (&one.answers[selection], &one.at));
    answers.map(|(answer, at)| (reads(answer, at), answer)).collect()
}

fn effectiveness(asked: &[&Asked]) -> Table {
    let note = "what is read at each selection's best; of lines that are as suspicious, the fault's is read last";
    let mut table = Table::new(
        "Table 3: what is read until the fault is found",
        note,
        &["selection", "% well localized", "# lines", "% of those executed", "the paper: %", "#", "% executed"],
    );
    for (position, (selection, paper)) in SELECTIONS.iter().zip(PAPER).enumerate() {
        let all = of(asked, position);
        let bests: Vec<Read> = all.iter().filter_map(|(reads, _)| Some(best(reads)?.1)).collect();
        table.rows.push(vec![
            selection.name().into(),
            percent(bests.iter().filter(|read| read.is_well()).count() as f64 / bests.len().max(1) as f64),
            format!("{:.1}", mean(bests.iter().map(|read| read.lines as f64))),
            percent(mean(bests.iter().map(|read| read.share))),
            paper[0].into(),
            paper[1].into(),
            paper[2].into(),
        ]);
    }
    table
}

fn effort(asked: &[&Asked]) -> Table {
    let note = "tests generated until the ranking is at its best: of each fault, on average; and until as many faults are well \
                localized as ever will be";
    let mut table = Table::new(
        "Table 4: tests and seconds until then",
        note,
        &[
            "selection",
            "tests, mean",
            "median",
            "seconds, mean",
            "median",
            "tests until most are well",
            "the paper: tests",
            "seconds",
        ],
    );
    for (position, (selection, paper)) in SELECTIONS.iter().zip(PAPER).enumerate() {
        let all = of(asked, position);
        let tests = || all.iter().filter_map(|(reads, _)| Some(best(reads)?.0));
        let seconds = || all.iter().filter_map(|(reads, answer)| Some(answer.after[best(reads)?.0].seconds));
        let most = (0..=longest(&all)).map(|tests| well_after(&all, tests)).fold(0.0, f64::max);
        let until = (0..=longest(&all)).find(|tests| well_after(&all, *tests) >= most).unwrap_or(0);
        table.rows.push(vec![
            selection.name().into(),
            format!("{:.1}", mean(tests().map(|tests| tests as f64))),
            format!("{:.0}", median(tests().map(|tests| tests as f64))),
            format!("{:.1}", mean(seconds())),
            format!("{:.1}", median(seconds())),
            until.to_string(),
            paper[3].into(),
            paper[4].into(),
        ]);
    }
    table
}

fn longest(all: &[(Vec<Read>, &Answer)]) -> usize {
    all.iter().map(|(reads, _)| reads.len().saturating_sub(1)).max().unwrap_or(0)
}

/// The share of faults that are well localized after so many tests; who has made fewer has what the last one left.
fn well_after(all: &[(Vec<Read>, &Answer)], tests: usize) -> f64 {
    let then = all.iter().filter_map(|(reads, _)| reads.get(tests).or(reads.last()));
    then.filter(|read| read.is_well()).count() as f64 / all.len().max(1) as f64
}

/// Figure 8, aggregated.
fn curve(asked: &[&Asked]) -> Table {
    const AFTER: [usize; 10] = [0, 1, 2, 3, 5, 7, 10, 20, 50, 100];
    let numbers = AFTER.map(|tests| tests.to_string());
    let header: Vec<&str> = std::iter::once("tests").chain(numbers.iter().map(String::as_str)).collect();
    let mut table = Table::new("Figure 8: lines read after so many tests, and % well localized", "means", &header);
    for (position, selection) in SELECTIONS.iter().enumerate() {
        let all = of(asked, position);
        let cell = |tests: &usize| {
            let then = all.iter().filter_map(|(reads, _)| reads.get(*tests).or(reads.last()));
            format!("{:.1} ({:.0})", mean(then.map(|read| read.lines as f64)), 100.0 * well_after(&all, *tests))
        };
        let mut row = vec![selection.name().to_owned()];
        row.extend(AFTER.iter().map(cell));
        table.rows.push(row);
    }
    table
}

/// Where a search stops by itself.
fn settled(asked: &[&Asked]) -> Table {
    let note = "where `faultline generate` stops by itself; those that never settle are counted at their end";
    let mut table = Table::new(
        "When the ranking has settled",
        note,
        &["selection", "settled", "tests", "seconds", "# lines", "same way", "pass", "otherwise"],
    );
    for (position, selection) in SELECTIONS.iter().enumerate() {
        let all = of(asked, position);
        let last = |(reads, answer): &(Vec<Read>, &Answer)| {
            answer.settled.unwrap_or(usize::MAX).min(reads.len().saturating_sub(1))
        };
        let then = |one: &(Vec<Read>, &Answer)| one.1.after[last(one)].clone();
        let count = |which: fn(&(u64, u64, u64)) -> u64| {
            format!("{:.1}", mean(all.iter().map(|one| which(&then(one).counts) as f64)))
        };
        table.rows.push(vec![
            selection.name().into(),
            all.iter().filter(|(_, answer)| answer.settled.is_some()).count().to_string(),
            format!("{:.1}", mean(all.iter().map(|one| last(one) as f64))),
            format!("{:.1}", mean(all.iter().map(|one| then(one).seconds))),
            format!("{:.1}", mean(all.iter().map(|one| one.0[last(one)].lines as f64))),
            count(|counts| counts.0),
            count(|counts| counts.1),
            count(|counts| counts.2),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(seconds: f64, lines: &[(u32, usize, usize)]) -> After {
        After { seconds, lines: lines.to_vec(), counts: (0, 0, 0) }
    }

    #[test]
    fn a_reader_reads_all_that_are_as_suspicious() {
        let answer = Answer {
            after: vec![
                after(0.1, &[(3, 1, 4), (4, 1, 4), (5, 1, 4), (6, 1, 4)]),
                after(0.2, &[(3, 1, 2), (4, 1, 2), (5, 3, 4), (6, 3, 4)]),
                after(0.3, &[(3, 2, 2), (4, 1, 1), (5, 3, 4), (6, 3, 4)]),
                after(0.4, &[(3, 2, 2), (4, 1, 1), (5, 3, 3), (6, 4, 4)]),
            ],
            ..Answer::default()
        };
        let lines = |at: &[u32]| reads(&answer, at).iter().map(|read| read.lines).collect::<Vec<_>>();
        assert_eq!(lines(&[4, 6]), [4, 2, 1, 1]);
        assert_eq!(lines(&[9]), [4, 4, 4, 4]);
        assert_eq!(best(&reads(&answer, &[4])).map(|(tests, read)| (tests, read.is_well())), Some((2, true)));
        assert_eq!(best(&reads(&answer, &[3])).map(|(tests, read)| (tests, read.is_well())), Some((1, false)));
    }
}
