//! Paper 004, tables 1 and 2: how long chains to the failure are, and whether they begin at the fault.

use super::{Measured, absent, not_run, printed};
use crate::class::Class;
use crate::document::Table;
use crate::row::Row;
use crate::tables::{mean, median};

/// Program, failures, those that are no omission of code, mean length of the path, paths that begin at the fault.
const SIEMENS: [[&str; 5]; 6] = [
    ["schedule", "28", "20", "8.1", "16"],
    ["schedule2", "28", "12", "7.9", "4"],
    ["print_tokens", "24", "16", "4.21", "4"],
    ["print_tokens2", "32", "20", "12.4", "20"],
    ["replace", "38", "38", "57", "34"],
    ["tcas", "40", "40", "9", "40"],
];

/// Program and version, length of the path, seconds with the fast passes, whether the path has the faulty code.
const REAL: [[&str; 4]; 6] = [
    ["bc 1.06", "4", "634", "no"],
    ["cmp 11 Dec 2001", "3", "16", "yes"],
    ["cmp 9 Mar 2006", "3", "21", "yes"],
    ["cmp 7 May 2006", "7", "48", "yes"],
    ["grep 2.5.1", "7", "109", "yes"],
    ["grep 2.5.1", "9", "384", "yes"],
];

/// Ways to ask whose chains are measured: the paper's, which is told the right version; without it; and all techniques together.
const CHAINS: [&str; 4] = ["causes+right", "causes", "why+right", "why"];

pub fn tables(measured: &Measured<'_>) -> Vec<Table> {
    vec![subjects(measured), all(measured), real(measured)]
}

fn subjects(measured: &Measured<'_>) -> Table {
    let mut table = Table::new(
        "Table 1: chains to the failure, with the right version's run to compare with",
        "¬CO: not an omission of code. Length: the mean of those that there are.",
        &["program", "failures", "¬CO", "length of the path", "begins at the fault"],
    );
    table.rows.extend(SIEMENS.map(|row| printed(&row)));
    let rows = measured.seeded.of(CHAINS[0]);
    if rows.is_empty() {
        table.rows.push(absent(CHAINS[0], 5));
    }
    let mut subjects: Vec<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
    subjects.dedup();
    for subject in subjects {
        let rows: Vec<&Row> = rows.iter().copied().filter(|row| row.subject == subject).collect();
        table.rows.push(vec![
            format!("{subject}, faultline {}", CHAINS[0]),
            rows.len().to_string(),
            rows.iter().filter(|row| is_executed(row)).count().to_string(),
            format!("{:.1}", mean(lengths(&rows))),
            rows.iter().filter(|row| row.is_head).count().to_string(),
        ]);
    }
    table
}

/// The same of all subjects together, by who was told what.
fn all(measured: &Measured<'_>) -> Table {
    let mut table = Table::new(
        "Table 1, all programs: with the right version and without it",
        "Of ¬CO: of those that are not an omission of code. Length, experiments, seconds: medians.",
        &[
            "told",
            "failures",
            "begins at the fault",
            "has the fault",
            "of ¬CO, begins",
            "length",
            "experiments",
            "seconds",
        ],
    );
    let [failures, executed, heads] = [1, 2, 4].map(sum);
    let of_executed = format!("{heads} of {executed}");
    table.rows.push(printed(&[
        "the paper",
        &failures.to_string(),
        &heads.to_string(),
        "-",
        &of_executed,
        "-",
        "-",
        "-",
    ]));
    for technique in CHAINS {
        let rows = measured.seeded.of(technique);
        if rows.is_empty() {
            table.rows.push(absent(technique, 8));
            continue;
        }
        let executed: Vec<&Row> = rows.iter().copied().filter(|row| is_executed(row)).collect();
        let heads = |rows: &[&Row]| rows.iter().filter(|row| row.is_head).count();
        table.rows.push(vec![
            format!("faultline {technique}"),
            rows.len().to_string(),
            heads(&rows).to_string(),
            rows.iter().filter(|row| row.is_in_chain).count().to_string(),
            format!("{} of {}", heads(&executed), executed.len()),
            median(lengths(&rows)).to_string(),
            median(rows.iter().map(|row| row.experiments as f64)).to_string(),
            format!("{:.2}", median(rows.iter().map(|row| row.seconds))),
        ]);
    }
    table
}

/// Of a column of the paper's table.
fn sum(column: usize) -> u32 {
    SIEMENS.iter().filter_map(|row| row[column].parse::<u32>().ok()).sum()
}

fn is_executed(row: &Row) -> bool {
    row.class != Class::MissingCode
}

fn lengths(rows: &[&Row]) -> impl Iterator<Item = f64> {
    rows.iter().filter(|row| row.chain > 0).map(|row| row.chain as f64)
}

fn real(measured: &Measured<'_>) -> Table {
    let mut table = Table::new(
        "Table 2: chains in programs of other people",
        "The paper's: real bugs. Ours: seeded ones; length of the chain in lines of the faulty file.",
        &["program", "length of the path", "seconds", "has the fault"],
    );
    table.rows.extend(REAL.map(|row| printed(&row)));
    let Some(real) = measured.real else {
        table.rows.push(not_run(4));
        return table;
    };
    for technique in CHAINS {
        table.rows.extend(real.of(technique).into_iter().map(|row| {
            let has = match (row.is_head, row.is_in_chain) {
                (true, _) => "yes, begins there",
                (false, true) => "yes",
                (false, false) => "no",
            };
            let name = format!("{}, faultline {technique}", row.name());
            vec![name, row.chain.to_string(), format!("{:.2}", row.seconds), has.to_owned()]
        }));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_s_rows_add_up() {
        for row in SIEMENS {
            let [failures, executed, heads] = [1, 2, 4].map(|column| row[column].parse::<u32>().unwrap());
            assert!(heads <= executed && executed <= failures, "{row:?}");
        }
        assert_eq!([1, 2, 4].map(sum), [190, 146, 118]);
    }
}
