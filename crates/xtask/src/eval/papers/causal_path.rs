//! Paper 004, tables 1 and 2: how long chains to the failure are, and whether they begin at the fault.

use super::{Measured, absent, not_run, printed};
use crate::eval::class::Class;
use crate::eval::document::Table;
use crate::eval::row::Row;
use crate::eval::tables::mean;

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

/// The techniques whose chains are measured: the one of the paper first, then what puts all together.
const CHAINS: [&str; 2] = ["causes", "why"];

pub fn tables(measured: &Measured<'_>) -> Vec<Table> {
    vec![subjects(measured), real(measured)]
}

fn subjects(measured: &Measured<'_>) -> Table {
    let mut table = Table::new(
        "Table 1: chains to the failure",
        "¬CO: not an omission of code. The paper compares with the right version's run; ours have no right version.",
        &["program", "failures", "¬CO", "length of the path", "begins at the fault"],
    );
    table.rows.extend(SIEMENS.map(|row| printed(&row)));
    for technique in CHAINS {
        let rows = measured.seeded.of(technique);
        if rows.is_empty() {
            table.rows.push(absent(technique, 5));
            continue;
        }
        let mut subjects: Vec<&str> = rows.iter().map(|row| row.subject.as_str()).collect();
        subjects.dedup();
        let groups = subjects.iter().map(|subject| {
            let of_subject: Vec<&Row> = rows.iter().copied().filter(|row| row.subject == *subject).collect();
            (format!("{subject}, faultline {technique}"), of_subject)
        });
        for (name, rows) in groups.chain([(format!("all, faultline {technique}"), rows.clone())]) {
            let executed = rows.iter().filter(|row| row.class != Class::MissingCode).count();
            let lengths = rows.iter().filter(|row| row.chain > 0).map(|row| row.chain as f64);
            table.rows.push(vec![
                name,
                rows.len().to_string(),
                executed.to_string(),
                format!("{:.1}", mean(lengths)),
                rows.iter().filter(|row| row.is_head).count().to_string(),
            ]);
        }
    }
    table
}

fn real(measured: &Measured<'_>) -> Table {
    let mut table = Table::new(
        "Table 2: chains in programs of other people",
        "The paper's: real bugs. Ours: seeded ones; length of the chain in lines of the faulty file.",
        &["program", "length of the path", "seconds", "has the fault"],
    );
    table.rows.extend(REAL.map(|row| printed(&row)));
    match measured.real {
        None => table.rows.push(not_run(4)),
        Some(real) => table.rows.extend(real.of("why").into_iter().map(|row| {
            let has = if row.is_in_chain { "yes" } else { "no" };
            vec![row.name(), row.chain.to_string(), format!("{:.2}", row.seconds), has.to_owned()]
        })),
    }
    table
}
