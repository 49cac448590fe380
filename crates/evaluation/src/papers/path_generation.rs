//! Paper 000, table 4: how the scores of reports are distributed.

use super::Measured;
use crate::document::Table;
use crate::row::{BLAMED, Row};
use crate::tables::share;

/// The score in percent from which on a row of the table counts, and what four methods reached, in percent of programs.
const PRINTED: [(u32, &str, [&str; 4]); 11] = [
    (100, "100%", ["0.00", "5.43", "4.55", "0.93"]),
    (90, "90-99%", ["16.51", "30.23", "26.36", "34.58"]),
    (80, "80-89%", ["9.17", "6.20", "10.91", "8.41"]),
    (70, "70-79%", ["11.93", "6.20", "13.64", "8.41"]),
    (60, "60-69%", ["13.76", "9.30", "4.55", "5.61"]),
    (50, "50-59%", ["19.27", "10.08", "6.36", "4.67"]),
    (40, "40-49%", ["3.67", "3.88", "1.82", "7.48"]),
    (30, "30-39%", ["6.42", "10.08", "3.64", "4.67"]),
    (20, "20-29%", ["1.83", "3.10", "7.27", "9.35"]),
    (10, "10-19%", ["0.00", "10.85", "0.00", "1.87"]),
    (0, "0-9%", ["17.43", "4.65", "20.91", "14.02"]),
];

pub fn tables(measured: &Measured<'_>) -> Vec<Table> {
    let results = measured.seeded;
    let mut header = vec!["score", "NN/Perm", "CT/relevance", "CT/infected", "APG"];
    header.extend(results.techniques.iter().map(String::as_str));
    let missing = if results.techniques.iter().any(|name| name == "paths") {
        String::new()
    } else {
        " Faultline has no path generation of its own yet (`paths`).".to_owned()
    };
    let note = format!(
        "Percent of faults. NN/Perm, CT and APG: the paper's, on the Siemens programs. Ours: on the programs of eval/; the report \
         is the first {BLAMED} lines, the graph has lines where theirs has statements.{missing}"
    );
    let mut table = Table::new("Table 4: distribution of scores, 1 − |DS∗| / |PDG|", &note, &header);
    for (from, name, theirs) in PRINTED {
        let mut cells = vec![name.to_owned()];
        cells.extend(theirs.map(str::to_owned));
        for technique in &results.techniques {
            let rows: Vec<&Row> = results.of(technique).into_iter().filter(|row| row.score.is_some()).collect();
            cells.push(format!("{:.2}", 100.0 * share(&rows, |row| bucket(row.score.unwrap_or(0.0)) == from)));
        }
        table.rows.push(cells);
    }
    vec![table]
}

/// Scores are counted in whole percents.
fn bucket(score: f64) -> u32 {
    let percent = (100.0 * score).round() as u32;
    if percent >= 100 { 100 } else { percent / 10 * 10 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_belongs_to_a_row() {
        for (score, row) in [(1.0, 100), (0.996, 100), (0.99, 90), (0.899, 90), (0.5, 50), (0.04, 0), (0.0, 0)] {
            assert_eq!(bucket(score), row);
            assert!(PRINTED.iter().any(|(from, ..)| *from == row));
        }
    }

    #[test]
    fn what_is_printed_is_a_distribution() {
        for method in 0..4 {
            let sum: f64 = PRINTED.iter().map(|(_, _, row)| row[method].parse::<f64>().unwrap()).sum();
            assert!((sum - 100.0).abs() < 0.1, "{method}: {sum}");
        }
    }
}
