//! Paper 003, tables 2 and 5: how far reports are from the fault, and what they cost.

use super::{Measured, absent, not_run, printed};
use crate::document::Table;
use crate::row::Row;
use crate::tables::{percent, share};

/// Bug, state alterations, distance, statements read, seconds.
const REPORTS: [[&str; 5]; 16] = [
    ["1 grep-2.6", "3", "1", "2", "34.27"],
    ["2 grep-2.13", "12", "1", "5", "79.61"],
    ["3 grep-2.18", "11", "2", "13", "86.08"],
    ["4 grep-2.19", "12", "0, 1", "3", "88.01"],
    ["5 gdb-6.8", "15", "1", "2", "149.71"],
    ["6 gdb-6.8", "10", "1", "2", "105.87"],
    ["7 gdb-6.8.50", "42", "0", "1", "378.43"],
    ["8 gdb-7.0", "2", "0", "1", "70.94"],
    ["9 sed-4.2", "8", "0", "1", "35.28"],
    ["10 sed-4.2.2", "4", "0", "1", "31.18"],
    ["11 tar-1.22", "12", "1", "4", "101.10"],
    ["12 tar-1.22", "10", "0", "1", "72.62"],
    ["13 tar-1.22", "33", "0", "1", "268.16"],
    ["14 tar-1.23", "7", "2", "4", "142.96"],
    ["15 tar-1.23", "8", "1", "2", "189.45"],
    ["16 tar-1.26", "14", "0", "3", "162.88"],
];

/// Method, and of 16 bugs how many at distance 0, 1, further, missed.
const DISTANCES: [[&str; 5]; 3] = [
    ["the paper, MDFS", "7", "7", "2", "-"],
    ["the paper, predicate switching", "3", "3", "1", "9"],
    ["the paper, value replacement", "-", "-", "-", "all"],
];

pub fn tables(measured: &Measured<'_>) -> Vec<Table> {
    vec![reports(measured), distances(measured)]
}

fn reports(measured: &Measured<'_>) -> Table {
    let mut table = Table::new(
        "Table 2: reports on programs of other people",
        "The paper's: real bugs, by MDFS. Ours: faults we seeded into Debian's versions, by `why` with one failing run; lines read is \
         the rank of the fault.",
        &["fault", "experiments", "distance", "lines read", "seconds"],
    );
    table.rows.extend(REPORTS.map(|row| printed(&row)));
    match measured.real.map(|real| real.of("why")) {
        None => table.rows.push(not_run(5)),
        Some(rows) => table.rows.extend(rows.into_iter().map(|row| {
            vec![
                row.name(),
                row.experiments.to_string(),
                "-".into(),
                row.rank.map_or_else(|| "not found".into(), |rank| rank.to_string()),
                format!("{:.2}", row.seconds),
            ]
        })),
    }
    table
}

fn distances(measured: &Measured<'_>) -> Table {
    let results = measured.seeded;
    let mut table = Table::new(
        "Table 5: the distance from the first place reported to the fault",
        "In dependences. The paper's: numbers of its 16 bugs, dynamic dependences, one hour each. Ours: percent of the faults of eval/, \
         dependences of the program's text.",
        &["technique", "0", "1", "2", "further or missed"],
    );
    table.rows.extend(DISTANCES.map(|row| printed(&row)));
    for technique in &results.techniques {
        let rows: Vec<&Row> = results.of(technique);
        let at = |distance: u32| percent(share(&rows, |row| row.distance == Some(distance)));
        let near = share(&rows, |row| row.distance.is_some_and(|distance| distance <= 2));
        table.rows.push(vec![format!("faultline {technique}"), at(0), at(1), at(2), percent(1.0 - near)]);
    }
    if results.of("frontier").is_empty() {
        table.rows.push(absent("frontier", 5));
    }
    table
}
