//! Paper 002, tables 2 and 3: faults that a plain slice misses, the sizes of slices, and what it takes to find them.
//!
//! As in the paper, an omission is a fault whose lines the plain dynamic slice of the failure does not have.

use std::collections::BTreeSet;

use super::{Measured, absent, printed};
use crate::eval::document::Table;
use crate::eval::facts::Size;
use crate::eval::row::Row;
use crate::eval::tables::median;

/// Error, relevant slice, dynamic slice, pruned slice (each lines/steps), verifications, expanded edges, resulting slice.
const PRINTED: [[&str; 7]; 9] = [
    ["flex V1-F9", "963/88K", "946/83K", "13/31", "5", "5", "17/51"],
    ["flex V2-F14", "849/157K", "714/27K", "9/476", "4", "1", "7/24"],
    ["flex V3-F10", "600/103K", "80/6.8K", "8/294", "1", "1", "4/2"],
    ["flex V4-F6", "894/265K", "629/29K", "2/4", "6", "5", "8/28"],
    ["flex V5-F6", "108/915", "104/873", "9/15", "2", "2", "10/27"],
    ["grep V4-F2", "489/32K", "416/3K", "416/3K", "313", "62", "103/2177"],
    ["gzip V2-F3", "48/618", "6/9", "3/5", "1", "1", "5/7"],
    ["sed V3-F2", "575/392K", "498/118K", "18/76", "36", "2", "25/74"],
    ["sed V3-F3", "222/5.0K", "202/3.8K", "202/3.8k", "115", "1", "26/74"],
];

pub fn tables(measured: &Measured<'_>) -> Vec<Table> {
    let results = measured.seeded;
    let omissions: BTreeSet<String> =
        results.of("plain slice").into_iter().filter(|row| row.rank.is_none()).map(Row::name).collect();
    let asked: Vec<&Row> =
        results.of("plain slice").into_iter().filter(|row| omissions.contains(&row.name())).collect();

    let mut sizes = Table::new(
        "Table 2: sizes of slices, lines/steps, where the plain slice misses the fault",
        "RS: relevant slice, DS: plain dynamic slice, PS: pruned one. Ours: medians.",
        &["error", "RS", "DS", "PS"],
    );
    sizes.rows.extend(PRINTED.map(|[error, relevant, plain, pruned, ..]| printed(&[error, relevant, plain, pruned])));
    let size = |part: fn(&Row) -> Option<Size>| {
        let sizes: Vec<Size> = asked.iter().filter_map(|row| part(row)).collect();
        let lines = median(sizes.iter().map(|size| size.lines as f64));
        format!("{lines}/{}", median(sizes.iter().map(|size| size.steps as f64)))
    };
    sizes.rows.push(vec![
        format!("ours, {} of {} faults", asked.len(), results.faults()),
        size(|row| row.slices.map(|slices| slices.relevant)),
        size(|row| row.slices.map(|slices| slices.plain)),
        "-".into(),
    ]);

    let mut effect = Table::new(
        "Table 3: what it takes to find them",
        "Verifications are experiments. The paper asks a person to point out what is benign in between; faultline asks nobody. \
         Ours: medians; found: in the lines answered, and among the first five.",
        &["error", "verifications", "lines of the answer", "found"],
    );
    effect.rows.extend(PRINTED.map(|[error, .., verifications, _, slice]| {
        let lines = slice.split('/').next().unwrap_or(slice);
        printed(&[error, verifications, lines, "1/1"])
    }));
    for technique in ["omission", "why", "why+suite"] {
        let rows: Vec<&Row> = results.of(technique).into_iter().filter(|row| omissions.contains(&row.name())).collect();
        if results.of(technique).is_empty() {
            effect.rows.push(absent(technique, 4));
            continue;
        }
        let found = rows.iter().filter(|row| row.rank.is_some()).count();
        let first = rows.iter().filter(|row| row.is_within(5)).count();
        effect.rows.push(vec![
            format!("faultline {technique}"),
            format!("{}", median(rows.iter().map(|row| row.experiments as f64))),
            format!("{}", median(rows.iter().map(|row| row.lines as f64))),
            format!("{found}/{}, {first} in the first five", rows.len()),
        ]);
    }
    vec![sizes, effect]
}
