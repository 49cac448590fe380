//! Which source lines the page shows, and how to get to them.

use std::collections::HashMap;

use findings::Location;
use findings::story::SourceText;
use maud::{Markup, html};

use super::visible::visible;

pub struct Places<'s> {
    files: HashMap<&'s str, (usize, &'s SourceText)>,
}

/// The id of a line on the page.
pub fn line_id(file: usize, line: u32) -> String {
    format!("f{file}-{line}")
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path)
}

impl<'s> Places<'s> {
    pub fn new(files: &'s [SourceText]) -> Places<'s> {
        let numbered = files.iter().enumerate();
        Places { files: numbered.map(|(number, file)| (file.path.as_str(), (number, file))).collect() }
    }

    /// Where a line is on the page, if it is.
    pub fn id(&self, at: &Location) -> Option<String> {
        let (number, _) = self.files.get(at.file.as_str())?;
        self.text(at, at.line).map(|_| line_id(*number, at.line))
    }

    /// The text of a line of the same file.
    pub fn text(&self, at: &Location, line: u32) -> Option<&'s str> {
        let (_, file) = self.files.get(at.file.as_str())?;
        let excerpt = file.excerpts.iter().rev().find(|excerpt| excerpt.first <= line)?;
        excerpt.lines.get((line - excerpt.first) as usize).map(String::as_str)
    }

    /// `file.c:12`, leading to the line if it is on the page.
    pub fn link(&self, at: &Location) -> Markup {
        let text = format!("{}:{}", visible(file_name(&at.file)), at.line);
        let whole = format!("{}:{}{}", visible(&at.file), at.line, visible(&at.in_function()));
        html! {
            @match self.id(at) {
                Some(id) => a.at href={ "#" (id) } title=(whole) { (text) },
                None => span.at title=(whole) { (text) },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use findings::story::Excerpt;

    use super::*;

    #[test]
    fn only_shown_lines_have_an_id() {
        let excerpt = |first: u32, count: usize| Excerpt { first, lines: vec![String::new(); count] };
        let file =
            SourceText { path: "a.c".into(), excerpts: vec![excerpt(3, 2), excerpt(10, 1)], ..SourceText::default() };
        let files = [file];
        let places = Places::new(&files);
        let at = |line| Location { file: "a.c".into(), line, column: 1, function: "f".into() };
        let shown: Vec<u32> = (0..20).filter(|line| places.id(&at(*line)).is_some()).collect();
        assert_eq!(shown, [3, 4, 10]);
        assert_eq!(places.id(&Location { file: "b.c".into(), ..at(3) }), None);
    }
}
