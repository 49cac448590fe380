//! What comes of an evaluation: results as JSON, tables on the terminal, one page, and a chapter of the book.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use testkit::workspace;

use crate::curves::curves;
use crate::document::{Part, markdown, page, terminal};
use crate::folder::folder;
use crate::goal::goal;
use crate::omissions::Omissions;
use crate::papers::{Measured, omission, papers};
use crate::row::Row;
use crate::subject::read_subjects;
use crate::tables::{Results, by_class, classes_of, overall};
use crate::weak::{Reasons, weak};

/// Where the faults are from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Family {
    Seeded,
    Mutants,
    Real,
    /// Of each kind of mistake, in programs of other people.
    Mistakes,
    /// In programs made for it, by somebody who had not read any technique.
    Blind,
    /// The same, and they crash.
    Crashes,
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
            Family::Mistakes => "results-mistakes.json",
            Family::Blind => "results-blind.json",
            Family::Crashes => "results-crashes.json",
            Family::Omissions => "results-omissions.json",
        })
    }

    /// Which state of the project was measured, as far as that is known.
    fn measured(self) -> Option<Part> {
        let commit = std::fs::read_to_string(self.path().with_extension("commit")).ok()?;
        Some(Part::Text(format!("Measured at commit {}.", commit.trim())))
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
    std::fs::write(family.path().with_extension("commit"), commit()?)?;
    print!("{}", terminal(&told(family, rows)));
    let file = folder().join("evaluation.html");
    std::fs::write(&file, page("How well faults are found", &all()?))?;
    println!("\nall results: {}\nthe page: {}", family.path().display(), file.display());
    Ok(())
}

/// The state of the project, in a few letters.
fn commit() -> Result<String> {
    let git = |arguments: &[&str]| -> Result<String> {
        let output =
            Command::new("git").args(arguments).current_dir(workspace()).output().context("git cannot be run")?;
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let is_clean = git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(if is_clean { format!("`{commit}`") } else { format!("`{commit}`, with changes") })
}

/// Writes the chapter of the book from the latest results. Sections of what was not asked about stay as they are.
pub fn write_book() -> Result<()> {
    let book = workspace().join("book/src");
    let file = book.join("evaluation.md");
    let before = std::fs::read_to_string(&file).unwrap_or_default();
    let mut text = format!("# How well faults are found\n{}", markdown(&introduction(), "images"));
    for section in sections()? {
        match section.parts {
            Some(parts) => {
                for part in &parts {
                    if let Part::Plot(plot) = part {
                        std::fs::write(book.join("images").join(format!("{}.svg", plot.name)), &plot.svg)?;
                    }
                }
                text += &markdown(&[Part::Heading(section.heading.into())], "images");
                text += &markdown(&parts, "images");
            }
            None => text += &kept(&before, section.heading),
        }
    }
    std::fs::write(&file, text)?;
    println!("{} is written", file.display());
    Ok(())
}

/// A section of a chapter as it stands there; empty if it has none.
fn kept(chapter: &str, heading: &str) -> String {
    let sections = chapter.split("\n## ").skip(1);
    let kept = sections.filter(|section| section.lines().next() == Some(heading));
    kept.map(|section| format!("\n## {}\n", section.trim_end())).collect()
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

fn introduction() -> Vec<Part> {
    include_str!("outcome.md").trim().split("\n\n").map(|text| Part::Text(text.replace('\n', " "))).collect()
}

/// Everything that is known.
fn all() -> Result<Vec<Part>> {
    let mut parts = introduction();
    for section in sections()? {
        if let Some(of_section) = section.parts {
            parts.push(Part::Heading(section.heading.into()));
            parts.extend(of_section);
        }
    }
    Ok(parts)
}

struct Section {
    heading: &'static str,
    /// None: it was not asked about.
    parts: Option<Vec<Part>>,
}

fn sections() -> Result<Vec<Section>> {
    let [seeded, mutants, real] = [Family::Seeded.read()?, Family::Mutants.read()?, Family::Real.read()?];
    let omissions = Family::Omissions.read()?.map(|results| Omissions::among(results.rows));
    let mut weaknesses = None;
    let mut of_seeded = None;
    if let Some(seeded) = &seeded {
        let subjects = read_subjects(&workspace().join("eval/subjects"))?;
        let there_are: usize = subjects.iter().map(|subject| subject.faults.len()).sum();
        let asked = seeded.faults();
        let sentence =
            format!("Asked about {asked} of the {there_are} faults that are seeded in {} programs.", subjects.len());
        let mut parts = measured(Family::Seeded, vec![Part::Text(sentence)]);
        parts.extend(numbers(seeded));
        parts.extend(goal(seeded));
        parts.extend(curves(seeded).into_iter().map(Part::Plot));
        of_seeded = Some(parts);
        weaknesses = Some(weak(seeded, "why", &Reasons::read(&workspace().join("eval/weak.toml"))?));
    }
    let of_omissions = omissions.as_ref().map(|omissions| {
        let mut parts = measured(Family::Omissions, omissions.parts());
        parts.push(Part::Text(format!("From {}:", omission::PAPER)));
        parts.extend(omission::tables(omissions).into_iter().map(Part::Table));
        parts
    });
    let of_papers = seeded.as_ref().map(|seeded| papers(&Measured { seeded, real: real.as_ref() }));
    let section = |heading, parts| Section { heading, parts };
    Ok(vec![
        section("Faults seeded by hand", of_seeded),
        section("Where we are weak", weaknesses),
        section("Mutants", mutants.as_ref().map(|mutants| measured(Family::Mutants, numbers(mutants)))),
        section("Faults that keep code from running", of_omissions),
        section(
            "Programs of other people",
            real.as_ref().map(|real| measured(Family::Real, vec![Part::Table(overall(real))])),
        ),
        section("Beside the papers", of_papers),
    ])
}

/// What was measured, and of which state of the project.
fn measured(family: Family, parts: Vec<Part>) -> Vec<Part> {
    family.measured().into_iter().chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::kept;

    #[test]
    fn a_section_that_was_not_asked_about_stays() {
        let chapter = "# Title\n\nText.\n\n## One\n\nA.\n\n## Two\n\nB.\n\n**C**\n";
        assert_eq!(kept(chapter, "One"), "\n## One\n\nA.\n");
        assert_eq!(kept(chapter, "Two"), "\n## Two\n\nB.\n\n**C**\n");
        assert_eq!(kept(chapter, "Three"), "");
    }
}
