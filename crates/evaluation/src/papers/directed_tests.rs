//! Paper 001, tables 3 and 4: how much is read until the fault is found, and how many tests that takes.

use super::{Measured, absent, printed};
use crate::document::Table;
use crate::row::Row;
use crate::tables::{mean, percent, share};

/// A fault is well localized if at most so much of what was executed is read before it.
const WELL: f64 = 0.01;

const READ: [(&str, [&str; 3]); 4] = [
    ("the paper, Base", ["100", "11.1", "0.75"]),
    ("the paper, Coverage", ["100", "11.3", "0.9"]),
    ("the paper, PCS", ["100", "10", "0.83"]),
    ("the paper, IS", ["100", "10.1", "0.85"]),
];

const TESTS: [(&str, [&str; 2]); 4] = [
    ("the paper, Base", ["46.8", "131.2"]),
    ("the paper, Coverage", ["99.2", "318.6"]),
    ("the paper, PCS", ["6.5", "14.9"]),
    ("the paper, IS", ["12", "30.7"]),
];

pub fn tables(measured: &Measured<'_>) -> Vec<Table> {
    vec![read(measured), tests(measured)]
}

fn read(measured: &Measured<'_>) -> Table {
    let results = measured.seeded;
    let executed = mean(results.rows.iter().map(|row| row.executed as f64));
    let note = format!(
        "The paper's averages over four web applications (it prints 100 as that of 77, 100, 100 and 100). Our failing runs execute {executed:.0} lines \
         on average, so one percent is about one line. A fault that is not among the lines answered counts as all that was \
         executed."
    );
    let mut table = Table::new(
        "Table 3: what is read until the fault is found",
        &note,
        &["technique", "% well localized", "# lines", "% of those executed"],
    );
    table.rows.extend(READ.map(|(name, [well, lines, part])| printed(&[name, well, lines, part])));
    for technique in &results.techniques {
        let rows = results.of(technique);
        // A single line cannot be read in part.
        let well = |row: &Row| row.exam <= WELL || row.rank == Some(1);
        table.rows.push(vec![
            format!("faultline {technique}"),
            format!("{:.0}", 100.0 * share(&rows, well)),
            format!("{:.1}", mean(rows.iter().map(|row| row.exam * row.executed as f64))),
            percent(mean(rows.iter().map(|row| row.exam))).trim_end_matches('%').to_owned(),
        ]);
    }
    table
}

fn tests(measured: &Measured<'_>) -> Table {
    let results = measured.seeded;
    let mut table = Table::new(
        "Table 4: tests and seconds until then",
        "The paper's: tests generated until the ranking is at its best. `rank` is given a suite; its seconds are those of \
         running and ranking it.",
        &["technique", "# tests", "seconds"],
    );
    table.rows.extend(TESTS.map(|(name, [tests, seconds])| printed(&[name, tests, seconds])));
    for technique in ["rank", "generate"] {
        let rows = results.of(technique);
        table.rows.push(if rows.is_empty() {
            absent(technique, 3)
        } else {
            vec![
                format!("faultline {technique}"),
                format!("{:.1}", mean(rows.iter().map(|row| row.experiments as f64))),
                format!("{:.1}", mean(rows.iter().map(|row| row.seconds))),
            ]
        });
    }
    table
}
