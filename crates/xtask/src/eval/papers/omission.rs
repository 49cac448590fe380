//! Paper 002, tables 2 and 3: faults that a plain slice misses, the sizes of slices, and what it takes to find them.

use super::{absent, printed};
use crate::eval::document::Table;
use crate::eval::facts::Size;
use crate::eval::omissions::{Omissions, found};
use crate::eval::row::Row;
use crate::eval::tables::{CLASS_TOP, median};

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

/// The technique of the paper, and all techniques together.
const OMISSION: &str = "omission";
const ALL: [&str; 2] = ["why", "why+suite"];

pub fn tables(omissions: &Omissions) -> Vec<Table> {
    vec![sizes(omissions), effect(omissions)]
}

fn sizes(omissions: &Omissions) -> Table {
    let mut table = Table::new(
        "Table 2: sizes of slices, lines/steps, where the plain slice misses the fault",
        "RS: relevant slice, DS: plain dynamic slice, PS: the plain one pruned, of which faultline tells the steps only. Ours: medians.",
        &["error", "RS", "DS", "PS"],
    );
    table.rows.extend(PRINTED.map(|[error, relevant, plain, pruned, ..]| printed(&[error, relevant, plain, pruned])));
    if omissions.results.of(OMISSION).is_empty() {
        table.rows.push(absent(OMISSION, 4));
    }
    for (name, rows) in groups(omissions, OMISSION) {
        let size = |part: fn(&Row) -> Option<Size>| {
            let sizes = || rows.iter().filter_map(|row| part(row));
            let lines = optional(sizes().map(|size| size.lines as u64));
            format!("{lines}/{}", optional(sizes().map(|size| size.steps)))
        };
        table.rows.push(vec![
            format!("ours, {name}"),
            size(|row| row.slices.map(|slices| slices.relevant)),
            size(|row| row.slices.map(|slices| slices.plain)),
            format!("-/{}", optional(rows.iter().filter_map(|row| row.steps).map(|steps| steps.pruned))),
        ]);
    }
    table
}

fn effect(omissions: &Omissions) -> Table {
    let note = format!(
        "Verifications are experiments. The paper asks a person to point out what is benign in between; faultline asks nobody. Ours: medians; \
         found: among the lines answered, and in brackets among the first {CLASS_TOP} of them."
    );
    let mut table = Table::new(
        "Table 3: what it takes to find them",
        &note,
        &["error", "verifications", "resulting set, lines/steps", "found"],
    );
    table.rows.extend(
        PRINTED.map(|[error, _, _, _, verifications, _, slice]| printed(&[error, verifications, slice, "1 of 1"])),
    );
    for technique in [OMISSION].into_iter().chain(ALL) {
        if omissions.results.of(technique).is_empty() {
            table.rows.push(absent(technique, 4));
            continue;
        }
        for (name, rows) in groups(omissions, technique) {
            let lines = optional(rows.iter().map(|row| row.lines as u64));
            let steps = optional(rows.iter().filter_map(|row| row.steps).map(|steps| steps.left));
            table.rows.push(vec![
                format!("faultline {technique}, {name}"),
                optional(rows.iter().map(|row| row.experiments)),
                format!("{lines}/{steps}"),
                found(&rows),
            ]);
        }
    }
    table
}

/// All that count, and those of each kind.
fn groups<'a>(omissions: &'a Omissions, technique: &str) -> Vec<(String, Vec<&'a Row>)> {
    let all = omissions.results.of(technique);
    let mut groups = vec![(format!("{} faults", all.len()), all)];
    groups.extend(
        omissions
            .kinds()
            .into_iter()
            .map(|(kind, faults)| (format!("{faults} of kind {}", kind.name()), omissions.of_kind(technique, kind))),
    );
    groups.retain(|(_, rows)| !rows.is_empty());
    groups
}

/// The median of what there is.
fn optional(values: impl Iterator<Item = u64>) -> String {
    let values: Vec<f64> = values.map(|value| value as f64).collect();
    if values.is_empty() { "-".to_owned() } else { median(values.into_iter()).to_string() }
}
