//! What comes of an evaluation: results as JSON, tables on the terminal, one page, and a chapter of the book.

use std::path::PathBuf;

use anyhow::{Context, Result};
use testkit::workspace;

use super::curves::curves;
use super::document::{Part, markdown, page, terminal};
use super::folder;
use super::goal::goal;
use super::omissions::Omissions;
use super::papers::{Measured, omission, papers};
use super::row::Row;
use super::subject::read_subjects;
use super::tables::{Results, by_class, classes_of, overall};
use super::weak::{Reasons, weak};

/// Where the faults are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Seeded,
    Mutants,
    Real,
    /// Seeded by hand, too, to keep code from running.
    Omissions,
}

impl Family {
    /// Where the results of the latest evaluation of a family are.
    fn path(self) -> PathBuf {
        folder().join(match self {
            Family::Seeded => "results.json",
            Family::Mutants => "results-mutants.json",
            Family::Real => "results-real.json",
            Family::Omissions => "results-omissions.json",
        })
    }

    /// None: it was not evaluated.
    fn read(self) -> Result<Option<Results>> {
        let path = self.path();
        if !path.exists() {
            return Ok(None);
        }
        let rows: Vec<Row> = serde_json::from_slice(&std::fs::read(&path)?)
            .with_context(|| format!("{} is of another version; evaluate again", path.display()))?;
        Ok(Some(Results::new(rows)))
    }
}

/// Writes the results of a family, shows them, and writes the page of all that is known.
pub fn report(family: Family, rows: Vec<Row>) -> Result<()> {
    std::fs::write(family.path(), serde_json::to_vec_pretty(&rows)?)?;
    print!("{}", terminal(&told(family, rows)));
    let file = folder().join("evaluation.html");
    std::fs::write(&file, page("How well faults are found", &all()?))?;
    println!("\nall results: {}\nthe page: {}", family.path().display(), file.display());
    Ok(())
}

/// Writes the chapter of the book from the latest results.
pub fn write_book() -> Result<()> {
    let parts = all()?;
    let book = workspace().join("book/src");
    for part in &parts {
        if let Part::Plot(plot) = part {
            std::fs::write(book.join("images").join(format!("{}.svg", plot.name)), &plot.svg)?;
        }
    }
    let text = format!("# How well faults are found\n{}", markdown(&parts, "images"));
    let file = book.join("evaluation.md");
    std::fs::write(&file, text)?;
    println!("{} is written", file.display());
    Ok(())
}

/// What is told of a family on the terminal.
fn told(family: Family, rows: Vec<Row>) -> Vec<Part> {
    if family != Family::Omissions {
        return numbers(&Results::new(rows));
    }
    let omissions = Omissions::among(rows);
    let mut parts = omissions.parts();
    parts.extend(omission::tables(&omissions).into_iter().map(Part::Table));
    parts
}

/// What is told of faults of all classes.
fn numbers(results: &Results) -> Vec<Part> {
    let mut parts = vec![Part::Table(overall(results)), Part::Table(by_class(results))];
    parts.extend(["why", "why+suite"].iter().filter_map(|technique| classes_of(results, technique)).map(Part::Table));
    parts
}

fn all() -> Result<Vec<Part>> {
    let mut parts: Vec<Part> =
        include_str!("outcome.md").trim().split("\n\n").map(|text| Part::Text(text.replace('\n', " "))).collect();
    let [seeded, mutants, real] = [Family::Seeded.read()?, Family::Mutants.read()?, Family::Real.read()?];
    let omissions = Family::Omissions.read()?.map(|results| Omissions::among(results.rows));
    if let Some(seeded) = &seeded {
        parts.push(Part::Heading("Faults seeded by hand".into()));
        let subjects = read_subjects(&workspace().join("eval/subjects"))?;
        let there_are: usize = subjects.iter().map(|subject| subject.faults.len()).sum();
        let asked = seeded.faults();
        parts.push(Part::Text(format!(
            "Asked about {asked} of the {there_are} faults that are seeded in {} programs.",
            subjects.len()
        )));
        parts.extend(numbers(seeded));
        parts.extend(goal(seeded));
        parts.extend(curves(seeded).into_iter().map(Part::Plot));
        parts.push(Part::Heading("Where we are weak".into()));
        parts.extend(weak(seeded, "why", &Reasons::read(&workspace().join("eval/weak.toml"))?));
    }
    if let Some(mutants) = &mutants {
        parts.push(Part::Heading("Mutants".into()));
        parts.extend(numbers(mutants));
    }
    if let Some(omissions) = &omissions {
        parts.push(Part::Heading("Faults that keep code from running".into()));
        parts.extend(omissions.parts());
    }
    if let Some(real) = &real {
        parts.push(Part::Heading("Programs of other people".into()));
        parts.push(Part::Table(overall(real)));
    }
    if let Some(seeded) = &seeded {
        parts.push(Part::Heading("Beside the papers".into()));
        parts.extend(papers(&Measured { seeded, real: real.as_ref(), omissions: omissions.as_ref() }));
    }
    Ok(parts)
}
