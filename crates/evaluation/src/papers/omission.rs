//! Paper 002, tables 2 and 3: faults that a plain slice misses, the sizes of slices, and what it takes to find them.

use super::{printed, unknown};
use crate::document::Table;
use crate::facts::{Size, Slices};
use crate::omissions::{Group, Omissions, PLAIN_SLICE, found};
use crate::tables::{CLASS_TOP, median};

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

pub const PAPER: &str = "Zhang, Tallam, Gupta and Gupta, *Towards Locating Execution Omission Errors*";

/// The technique of the paper, and all techniques together.
const OMISSION: &str = "omission";
const WHY: &str = "why";

pub fn tables(omissions: &Omissions) -> Vec<Table> {
    vec![sizes(omissions), effect(omissions)]
}

fn sizes(omissions: &Omissions) -> Table {
    let mut table = Table::new(
        "Table 2: sizes of slices, lines/steps, where the plain slice misses the fault",
        "RS: relevant slice, DS: plain dynamic slice, PS: the plain one pruned, of which `omission` tells the steps only. Ours: medians.",
        &["error", "RS", "DS", "PS"],
    );
    table.rows.extend(PRINTED.map(|[error, relevant, plain, pruned, ..]| printed(&[error, relevant, plain, pruned])));
    for (group, faults) in omissions.groups() {
        let rows = omissions.of(PLAIN_SLICE, group);
        let size = |part: fn(&Slices) -> Size| {
            let sizes = || rows.iter().filter_map(|row| row.slices.as_ref().map(part));
            format!("{}/{}", middle(sizes().map(|size| size.lines as u64)), middle(sizes().map(|size| size.steps)))
        };
        let pruned = omissions.of(OMISSION, group).into_iter().filter_map(|row| Some(row.steps?.pruned));
        table.rows.push(vec![
            format!("ours, {faults} {}", group.name()),
            size(|slices| slices.relevant),
            size(|slices| slices.plain),
            format!("-/{}", middle(pruned)),
        ]);
    }
    table
}

fn effect(omissions: &Omissions) -> Table {
    let note = format!(
        "Verifications are experiments. The paper asks a person to point out what is benign in between; faultline asks nobody. \
         Ours: medians; found: among the lines answered, and in brackets among the first {CLASS_TOP} of them."
    );
    let header = ["error", "verifications", "resulting set, lines/steps", "found"];
    let mut table = Table::new("Table 3: what it takes to find them", &note, &header);
    table.rows.extend(
        PRINTED.map(|[error, _, _, _, verifications, _, slice]| printed(&[error, verifications, slice, "1 of 1"])),
    );
    for technique in [OMISSION, WHY] {
        if omissions.of(technique, Group::All).is_empty() {
            table.rows.push(unknown(&format!("faultline {technique}: not asked"), header.len()));
            continue;
        }
        for (group, faults) in omissions.groups() {
            let rows = omissions.of(technique, group);
            let lines = middle(rows.iter().map(|row| row.lines as u64));
            let steps = middle(rows.iter().filter_map(|row| Some(row.steps?.left)));
            table.rows.push(vec![
                format!("faultline {technique}, {faults} {}", group.name()),
                middle(rows.iter().map(|row| row.experiments)),
                format!("{lines}/{steps}"),
                found(&rows),
            ]);
        }
    }
    table
}

/// The median of what there is.
fn middle(values: impl Iterator<Item = u64>) -> String {
    let values: Vec<f64> = values.map(|value| value as f64).collect();
    if values.is_empty() { "-".to_owned() } else { median(values.into_iter()).to_string() }
}
