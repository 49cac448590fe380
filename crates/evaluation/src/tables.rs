//! The tables of an evaluation: each technique over all faults, and over each class of them.

use crate::class::Class;
use crate::document::Table;
use crate::row::Row;

pub const TOPS: [usize; 4] = [1, 3, 5, 10];
/// Classes are compared by how often the fault is among so many lines.
pub const CLASS_TOP: usize = 5;

/// The rows of an evaluation, and what was asked, in the order of its tables.
pub struct Results {
    pub rows: Vec<Row>,
    pub techniques: Vec<String>,
}

impl Results {
    pub fn new(rows: Vec<Row>) -> Results {
        let mut techniques: Vec<String> = Vec::new();
        for row in &rows {
            if !techniques.contains(&row.technique) {
                techniques.push(row.technique.clone());
            }
        }
        Results { rows, techniques }
    }

    pub fn of(&self, technique: &str) -> Vec<&Row> {
        self.rows.iter().filter(|row| row.technique == technique).collect()
    }

    pub fn faults(&self) -> usize {
        self.techniques.first().map_or(0, |technique| self.of(technique).len())
    }
}

pub fn overall(results: &Results) -> Table {
    let note = "found: among the lines answered at all. rank, EXAM, score, size of the answer in lines, experiments, \
                seconds and MiB: medians; head: the chain to the failure begins at the fault; trouble: no proper answer";
    let mut table = Table::new(
        &format!("{} faults: how often the fault is among the first lines", results.faults()),
        note,
        &[
            "technique",
            "top-1",
            "top-3",
            "top-5",
            "top-10",
            "found",
            "rank",
            "EXAM",
            "score",
            "size",
            "head",
            "experiments",
            "seconds",
            "MiB",
            "trouble",
        ],
    );
    for technique in &results.techniques {
        let rows = results.of(technique);
        let mut cells = vec![technique.clone()];
        cells.extend(TOPS.map(|top| percent(within(&rows, top))));
        cells.push(percent(within(&rows, usize::MAX)));
        cells.push(rank(&rows));
        cells.push(exam(&rows));
        cells.push(optional(rows.iter().filter_map(|row| row.score), percent));
        cells.push(format!("{}", median(rows.iter().map(|row| row.lines as f64))));
        let chains = rows.iter().filter(|row| row.chain > 0).count();
        cells.push(if chains == 0 { "-".into() } else { percent(heads(&rows)) });
        cells.push(format!("{}", median(rows.iter().map(|row| row.experiments as f64))));
        cells.push(format!("{:.2}", median(rows.iter().map(|row| row.seconds))));
        cells.push(optional(rows.iter().filter_map(|row| row.memory), |memory| format!("{memory:.0}")));
        cells.push(rows.iter().filter(|row| row.trouble.is_some()).count().to_string());
        table.rows.push(cells);
    }
    table
}

/// Classes down, techniques across.
pub fn by_class(results: &Results) -> Table {
    let mut header = vec!["class", "faults"];
    header.extend(results.techniques.iter().map(String::as_str));
    let title = format!("By class of fault: among the first {CLASS_TOP} lines");
    let mut table = Table::new(&title, "", &header);
    for class in Class::ALL {
        let of_class = |technique: &String| -> Vec<&Row> {
            results.of(technique).into_iter().filter(|row| row.class == class).collect()
        };
        let faults = results.techniques.first().map_or(0, |technique| of_class(technique).len());
        if faults > 0 {
            let mut cells = vec![class.name().to_owned(), faults.to_string()];
            cells.extend(results.techniques.iter().map(|technique| percent(within(&of_class(technique), CLASS_TOP))));
            table.rows.push(cells);
        }
    }
    table
}

/// One technique, in all yardsticks, by class.
pub fn classes_of(results: &Results, technique: &str) -> Option<Table> {
    let all = results.of(technique);
    if all.is_empty() {
        return None;
    }
    let mut table = Table::new(
        &format!("`{technique}` by class of fault"),
        "rank, EXAM, score, experiments, seconds: medians",
        &[
            "class",
            "faults",
            "top-1",
            "top-3",
            "top-5",
            "top-10",
            "rank",
            "EXAM",
            "score",
            "head",
            "experiments",
            "seconds",
        ],
    );
    for class in Class::ALL {
        let rows: Vec<&Row> = all.iter().copied().filter(|row| row.class == class).collect();
        if rows.is_empty() {
            continue;
        }
        let mut cells = vec![class.name().to_owned(), rows.len().to_string()];
        cells.extend(TOPS.map(|top| percent(within(&rows, top))));
        cells.push(rank(&rows));
        cells.push(exam(&rows));
        cells.push(optional(rows.iter().filter_map(|row| row.score), percent));
        cells.push(percent(heads(&rows)));
        cells.push(format!("{}", median(rows.iter().map(|row| row.experiments as f64))));
        cells.push(format!("{:.2}", median(rows.iter().map(|row| row.seconds))));
        table.rows.push(cells);
    }
    Some(table)
}

/// The share of faults among the first lines.
pub fn within(rows: &[&Row], top: usize) -> f64 {
    share(rows, |row| row.is_within(top))
}

fn heads(rows: &[&Row]) -> f64 {
    share(rows, |row| row.is_head)
}

pub fn share(rows: &[&Row], holds: impl Fn(&Row) -> bool) -> f64 {
    rows.iter().filter(|row| holds(row)).count() as f64 / rows.len().max(1) as f64
}

/// Where it is not known how much any run executed, there is none.
fn exam(rows: &[&Row]) -> String {
    let is_known = rows.iter().any(|row| row.executed > 0);
    if is_known { percent(median(rows.iter().map(|row| row.exam))) } else { "-".into() }
}

/// A fault that is not found comes after all that are.
fn rank(rows: &[&Row]) -> String {
    let rank = median(rows.iter().map(|row| row.rank.map_or(f64::INFINITY, |rank| rank as f64)));
    if rank.is_finite() { format!("{rank}") } else { "-".into() }
}

fn optional(values: impl Iterator<Item = f64>, shown: impl Fn(f64) -> String) -> String {
    let values: Vec<f64> = values.collect();
    if values.is_empty() { "-".into() } else { shown(median(values.into_iter())) }
}

pub fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The lower one of two in the middle.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_many_unfound_faults_is_beyond_all_ranks() {
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([f64::INFINITY, 1.0, f64::INFINITY].into_iter()), f64::INFINITY);
        assert_eq!(median(std::iter::empty()), 0.0);
    }
}
