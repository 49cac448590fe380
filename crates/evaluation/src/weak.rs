//! Classes of faults that are not found well, with examples and, where somebody has written it down, the reason.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result};

use crate::class::Class;
use crate::document::{Part, Table};
use crate::goal::GOAL;
use crate::row::Row;
use crate::tables::{CLASS_TOP, Results, percent, within};

const EXAMPLES: usize = 3;

/// Why faults of a class are hard, by its name in `faults.toml`; `eval/weak.toml` is written by hand.
pub struct Reasons(BTreeMap<String, String>);

impl Reasons {
    pub fn read(path: &Path) -> Result<Reasons> {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Reasons(toml::from_str(&text).with_context(|| path.display().to_string())?))
    }

    fn of(&self, class: Class) -> &str {
        self.0.get(&class.key()).map_or("Nobody has looked into it yet.", |reason| reason.trim())
    }
}

/// The weakest first.
pub fn weak(results: &Results, technique: &str, reasons: &Reasons) -> Vec<Part> {
    let all = results.of(technique);
    let mut classes: Vec<(f64, Class, Vec<&Row>)> = Class::ALL
        .into_iter()
        .map(|class| {
            let rows: Vec<&Row> = all.iter().copied().filter(|row| row.class == class).collect();
            (within(&rows, CLASS_TOP), class, rows)
        })
        .filter(|(share, _, rows)| !rows.is_empty() && *share < GOAL)
        .collect();
    classes.sort_by(|(a, ..), (b, ..)| a.total_cmp(b));
    let mut parts = Vec::new();
    if classes.is_empty() {
        parts.push(Part::Text(format!(
            "In every class `{technique}` has at least {} of the faults among the first {CLASS_TOP} lines.",
            percent(GOAL)
        )));
    }
    for (share, class, mut rows) in classes {
        // The worst first; of those as bad, always the same.
        rows.retain(|row| !row.is_within(CLASS_TOP));
        rows.sort_by_key(|row| (std::cmp::Reverse(row.rank.unwrap_or(usize::MAX)), row.name()));
        let mut table = Table::new(
            &format!("{}: {} among the first {CLASS_TOP} lines", class.name(), percent(share)),
            reasons.of(class),
            &["fault", "what is wrong", "rank"],
        );
        table.words = 2;
        table.rows.extend(rows.iter().take(EXAMPLES).map(|row| {
            let rank = row.rank.map_or_else(|| "not found".into(), |rank| rank.to_string());
            vec![row.name(), row.summary.clone(), rank]
        }));
        parts.push(Part::Table(table));
    }
    parts
}

#[cfg(test)]
mod tests {
    use testkit::workspace;

    use super::*;

    #[test]
    fn reasons_are_given_for_classes_that_there_are() {
        let reasons = Reasons::read(&workspace().join("eval/weak.toml")).unwrap();
        let classes: Vec<String> = Class::ALL.iter().map(|class| class.key()).collect();
        assert!(reasons.0.keys().all(|key| classes.contains(key)));
    }
}
