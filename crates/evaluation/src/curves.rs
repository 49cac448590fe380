//! The plots of an evaluation: how much is read until faults are found, and how long answers take.

use crate::document::Plot;
use crate::plot::{Labels, Points, Scale, Series, draw};
use crate::row::Row;
use crate::tables::Results;

pub fn curves(results: &Results) -> Vec<Plot> {
    let mut exam = cumulative(results, |row| row.rank.map(|_| row.exam));
    for series in &mut exam {
        // Whoever reads on finds no more.
        let found = series.points.last().map_or(0.0, |(_, share)| *share);
        series.points.push((1.0, found));
    }
    let seconds = cumulative(results, |row| (row.memory.is_some()).then_some(row.seconds));
    let faults = results.faults();
    vec![
        Plot {
            name: "evaluation-exam".into(),
            caption: format!("Faults found, of {faults}, by the share of the executed lines that is read (EXAM)"),
            svg: draw(
                &Labels { title: "Faults found", below: "executed lines read until the fault" },
                [Scale::Share; 2],
                Points::Joined,
                &exam,
            ),
        },
        Plot {
            name: "evaluation-seconds".into(),
            caption: format!("Answers given, of {faults}, by seconds"),
            svg: draw(
                &Labels { title: "Answers given", below: "seconds" },
                [Scale::Logarithmic, Scale::Share],
                Points::Joined,
                &seconds,
            ),
        },
    ]
}

/// For each technique, the share of faults whose value is at most that of the point. Faults without one are never reached.
fn cumulative(results: &Results, value: impl Fn(&Row) -> Option<f64>) -> Vec<Series> {
    let series = results.techniques.iter().map(|technique| {
        let rows = results.of(technique);
        let mut values: Vec<f64> = rows.iter().filter_map(|row| value(row)).collect();
        values.sort_by(f64::total_cmp);
        let mut points: Vec<(f64, f64)> = values.first().map(|first| (*first, 0.0)).into_iter().collect();
        for (count, value) in (1..).zip(&values) {
            points.push((*value, f64::from(count) / rows.len() as f64));
        }
        Series { name: technique.clone(), points }
    });
    series.collect()
}
