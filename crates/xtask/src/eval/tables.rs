//! The tables of an evaluation, and its results as JSON.

use anyhow::Result;
use serde::Serialize;

use super::class::Class;
use super::folder;
use super::technique::Technique;

const TOPS: [usize; 4] = [1, 3, 5, 10];
/// Classes are compared by how often the fault is among so many lines.
const CLASS_TOP: usize = 5;

/// One fault, one technique.
#[derive(Debug, Serialize)]
pub struct Row {
    pub subject: String,
    pub fault: String,
    pub class: Class,
    /// The fault's lines.
    pub at: Vec<u32>,
    pub technique: String,
    /// Of the fault's first line, from 1 on; none: it is not among the lines answered.
    pub rank: Option<usize>,
    /// Lines read until then, of all lines with code.
    pub share: f64,
    /// How many were answered.
    pub lines: usize,
    pub seconds: f64,
    pub experiments: u64,
    pub trouble: Option<String>,
}

pub fn show(rows: &[Row], techniques: &[Technique]) -> Result<()> {
    let path = folder().join("results.json");
    std::fs::write(&path, serde_json::to_vec_pretty(rows)?)?;
    println!(
        "{:<12} {:>6} {:>6} {:>6} {:>6} {:>6} {:>7} {:>8} {:>8} {:>8} {:>8}",
        "technique", "faults", "top-1", "top-3", "top-5", "top-10", "found", "rank", "share", "seconds", "trouble"
    );
    for technique in techniques {
        let rows: Vec<&Row> = rows.iter().filter(|row| row.technique == technique.name).collect();
        print!("{:<12} {:>6}", technique.name, rows.len());
        for top in TOPS {
            print!(" {:>5.1}%", 100.0 * within(&rows, top));
        }
        // A fault that is not found comes after all that are.
        let rank = median(rows.iter().map(|row| row.rank.map_or(f64::INFINITY, |rank| rank as f64)));
        println!(
            " {:>6.1}% {:>8} {:>7.1}% {:>8.2} {:>8}",
            100.0 * within(&rows, usize::MAX),
            if rank.is_finite() { format!("{rank}") } else { "-".into() },
            100.0 * median(rows.iter().map(|row| row.share)),
            median(rows.iter().map(|row| row.seconds)),
            rows.iter().filter(|row| row.trouble.is_some()).count()
        );
    }
    println!("\nrank, share of lines read, seconds: medians. By class: in the first {CLASS_TOP} lines\n");
    print!("{:<22} {:>6}", "class", "faults");
    for technique in techniques {
        print!(" {:>10}", technique.name);
    }
    println!();
    for class in Class::ALL {
        let of_class: Vec<&Row> = rows.iter().filter(|row| row.class == class).collect();
        if of_class.is_empty() {
            continue;
        }
        print!("{:<22} {:>6}", class.name(), of_class.len() / techniques.len().max(1));
        for technique in techniques {
            let rows: Vec<&Row> = of_class.iter().copied().filter(|row| row.technique == technique.name).collect();
            print!(" {:>9.1}%", 100.0 * within(&rows, CLASS_TOP));
        }
        println!();
    }
    println!("\nall results: {}", path.display());
    Ok(())
}

/// The share of faults among the first lines.
fn within(rows: &[&Row], top: usize) -> f64 {
    let found = rows.iter().filter(|row| row.rank.is_some_and(|rank| rank <= top)).count();
    found as f64 / rows.len().max(1) as f64
}

/// The lower one of two in the middle.
fn median(values: impl Iterator<Item = f64>) -> f64 {
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
