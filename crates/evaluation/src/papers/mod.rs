//! The papers' tables, with our numbers beside theirs.
//!
//! Their subjects are other programs than ours, on other machines: numbers of the same kind, not of the same thing. What a
//! table needs of a technique that faultline does not have yet, it says so; it fills itself when the technique is there. The
//! tables about omissions are of faults of their own, and stand beside those.

mod path_generation;
mod directed_tests;
pub mod omission;
mod frontier;
mod causal_path;

use crate::document::{Part, Table};
use crate::tables::Results;

/// What there is to show.
pub struct Measured<'a> {
    /// Faults seeded by hand.
    pub seeded: &'a Results,
    /// Faults in programs of other people.
    pub real: Option<&'a Results>,
}

pub fn papers(measured: &Measured<'_>) -> Vec<Part> {
    let chapters: [(&str, Vec<Table>); 4] = [
        (
            "Wang and Roychoudhury, *Automated Path Generation for Software Fault Localization*",
            path_generation::tables(measured),
        ),
        (
            "Artzi, Dolby, Tip and Pistoia, *Directed Test Generation for Effective Fault Localization*",
            directed_tests::tables(measured),
        ),
        (
            "Li, Li, Huo and Feng, *Locating Software Faults Based on Minimum Debugging Frontier Set*",
            frontier::tables(measured),
        ),
        (
            "Sumner, Zhang and Jagannathan, *Comparison-based Computation of Causal Paths for Software Failures*",
            causal_path::tables(measured),
        ),
    ];
    let mut parts = Vec::new();
    for (title, tables) in chapters {
        parts.push(Part::Text(format!("From {title}:")));
        parts.extend(tables.into_iter().map(Part::Table));
    }
    parts
}

/// A row as it is printed in a paper.
fn printed(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|&cell| cell.to_owned()).collect()
}

/// A row for a technique that is not there yet.
fn absent(name: &str, columns: usize) -> Vec<String> {
    unknown(&format!("faultline {name}: not there yet"), columns)
}

/// A row for programs that were not asked about.
fn not_run(columns: usize) -> Vec<String> {
    unknown("ours: `./x eval --real` was not run", columns)
}

fn unknown(what: &str, columns: usize) -> Vec<String> {
    let mut cells = vec![what.to_owned()];
    cells.resize(columns, "-".to_owned());
    cells
}
