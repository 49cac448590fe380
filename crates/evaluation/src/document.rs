//! What an evaluation says, as a terminal, the book and a page show it.

use std::fmt::Write;

/// A part of a document, in its order.
pub enum Part {
    Heading(String),
    /// A paragraph.
    Text(String),
    Table(Table),
    Plot(Plot),
}

#[derive(Default)]
pub struct Table {
    pub title: String,
    /// What its numbers mean.
    pub note: String,
    pub header: Vec<String>,
    /// So many columns are words, and stand to the left; numbers stand to the right.
    pub words: usize,
    pub rows: Vec<Vec<String>>,
}

pub struct Plot {
    /// Of its file, without the ending.
    pub name: String,
    /// What it shows, in a sentence.
    pub caption: String,
    pub svg: String,
}

const STYLE: &str = include_str!("page.css");

impl Table {
    pub fn new(title: &str, note: &str, header: &[&str]) -> Table {
        let header = header.iter().map(|&name| name.to_owned()).collect();
        Table { title: title.to_owned(), note: note.to_owned(), header, words: 1, rows: Vec::new() }
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.header).chain(&self.rows)
    }
}

/// Columns of equal width.
pub fn terminal(parts: &[Part]) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Heading(heading) => text += &format!("\n== {heading} ==\n"),
            Part::Text(paragraph) => text += &format!("\n{paragraph}\n"),
            Part::Plot(_) => {}
            Part::Table(table) => {
                let columns = table.header.len();
                let width = |column: usize| {
                    let cells = table.lines().filter_map(|line| line.get(column));
                    cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
                };
                let widths: Vec<usize> = (0..columns).map(width).collect();
                text += &format!("\n{}\n", table.title);
                for line in table.lines() {
                    let cells = line.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
                        if column < table.words { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                    });
                    text += &format!("{}\n", cells.collect::<Vec<String>>().join("  ").trim_end());
                }
                if !table.note.is_empty() {
                    text += &format!("({})\n", table.note);
                }
            }
        }
    }
    text
}

/// `images`: where plots are, as seen from the page.
pub fn markdown(parts: &[Part], images: &str) -> String {
    let mut text = String::new();
    let row = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    for part in parts {
        match part {
            Part::Heading(heading) => text += &format!("\n## {heading}\n"),
            Part::Text(paragraph) => text += &format!("\n{paragraph}\n"),
            Part::Plot(plot) => text += &format!("\n![{}]({images}/{}.svg)\n", plot.caption, plot.name),
            Part::Table(table) => {
                text += &format!("\n**{}**\n\n", table.title);
                text += &row(&table.header);
                let numbers = table.header.len().saturating_sub(table.words);
                text += &format!("|{}{}\n", "---|".repeat(table.words), "---:|".repeat(numbers));
                for line in &table.rows {
                    text += &row(line);
                }
                if !table.note.is_empty() {
                    text += &format!("\n*{}*\n", table.note);
                }
            }
        }
    }
    text
}

/// One file with all that it needs.
pub fn page(title: &str, parts: &[Part]) -> String {
    let mut body = String::new();
    for part in parts {
        // Writing to a string cannot fail.
        let _ = match part {
            Part::Heading(heading) => writeln!(body, "<h2>{}</h2>", inline(heading)),
            Part::Text(paragraph) => writeln!(body, "<p>{}</p>", inline(paragraph)),
            Part::Plot(plot) => {
                writeln!(body, "<figure>{}<figcaption>{}</figcaption></figure>", plot.svg, inline(&plot.caption))
            }
            Part::Table(table) => writeln!(body, "{}", html_table(table)),
        };
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>\n{STYLE}</style></head>\n\
         <body><h1>{title}</h1>\n{body}</body></html>\n"
    )
}

fn html_table(table: &Table) -> String {
    let row = |cells: &[String], kind: &str| {
        let cell = |(column, text): (usize, &String)| {
            let class = if column < table.words { " class=\"words\"" } else { "" };
            format!("<{kind}{class}>{}</{kind}>", inline(text))
        };
        let cells: String = cells.iter().enumerate().map(cell).collect();
        format!("<tr>{cells}</tr>\n")
    };
    let rows: String = table.rows.iter().map(|line| row(line, "td")).collect();
    format!(
        "<table><caption>{}</caption>\n<thead>{}</thead>\n<tbody>{rows}</tbody></table>\n<p class=\"note\">{}</p>",
        inline(&table.title),
        row(&table.header, "th"),
        inline(&table.note)
    )
}

/// Text with `code` and *emphasis* as the book has them.
fn inline(text: &str) -> String {
    let marked = |text: &str, mark: char, kind: &str, plain: &dyn Fn(&str) -> String| -> String {
        let pieces = text.split(mark).enumerate();
        let piece = |(position, piece): (usize, &str)| match position % 2 {
            0 => plain(piece),
            _ => format!("<{kind}>{}</{kind}>", escaped(piece)),
        };
        pieces.map(piece).collect()
    };
    marked(text, '`', "code", &|text| marked(text, '*', "em", &escaped))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Vec<Part> {
        let mut table = Table::new("Ranks", "a < b", &["technique", "rank"]);
        table.rows.push(vec!["why".into(), "12".into()]);
        vec![Part::Table(table)]
    }

    #[test]
    fn a_table_looks_the_same_everywhere() {
        assert_eq!(terminal(&table()), "\nRanks\ntechnique  rank\nwhy          12\n(a < b)\n");
        assert_eq!(
            markdown(&table(), "i"),
            "\n**Ranks**\n\n| technique | rank |\n|---|---:|\n| why | 12 |\n\n*a < b*\n"
        );
        assert!(page("t", &table()).contains("<tr><td class=\"words\">why</td><td>12</td></tr>"));
        assert!(page("t", &table()).contains("a &lt; b"));
        assert_eq!(inline("`a * b` of *c* & d"), "<code>a * b</code> of <em>c</em> &amp; d");
    }
}
