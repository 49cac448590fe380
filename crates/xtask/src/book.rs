//! The pages of the book that tell of techniques, made from what stands at the head of their folders.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use techniques::{APART, TECHNIQUES};
use testkit::{Verdict, workspace};

/// Crates with folders of techniques.
const TECHNIQUE_CRATES: [&str; 3] = ["techniques", "absence", "solving"];

/// A page, and where it belongs in the repository.
struct Page {
    path: PathBuf,
    text: String,
}

/// Writes the pages, and the book itself where mdBook is there to make it.
pub fn book() -> Result<Verdict> {
    let root = workspace();
    for page in pages(&root)? {
        std::fs::write(root.join(&page.path), &page.text)?;
    }
    match Command::new("mdbook").arg("build").arg(root.join("book")).arg("-d").arg(root.join("target/book")).status() {
        Ok(status) => ensure!(status.success(), "mdbook failed"),
        Err(_) => println!("the pages are written; mdbook, which makes a book of them, is not installed"),
    }
    Ok(Verdict::Holds)
}

/// Pages that are not as their headers have it.
pub fn stale(root: &Path) -> Result<Vec<String>> {
    let is_right = |page: &Page| std::fs::read_to_string(root.join(&page.path)).is_ok_and(|text| text == page.text);
    let stale = pages(root)?.into_iter().filter(|page| !is_right(page));
    Ok(stale
        .map(|page| format!("{} is not what its technique says; ./x book writes it", page.path.display()))
        .collect())
}

fn pages(root: &Path) -> Result<Vec<Page>> {
    let folder = Path::new("book/src/techniques");
    let mut pages = Vec::new();
    let mut index = "# Techniques\n\n`faultline why` puts these together; `--technique NAME` uses one alone. `frontier` and `paths` are used only alone.\n\n\
        | technique | answers | reference |\n|---|---|---|\n"
        .to_owned();
    let mut contents = "- [Techniques](techniques/index.md)\n".to_owned();
    for technique in TECHNIQUES.iter().chain(APART) {
        let name = technique.name;
        let source = TECHNIQUE_CRATES.iter().map(|krate| root.join(format!("crates/{krate}/src/{name}/mod.rs")));
        let source = source.into_iter().find(|path| path.exists()).with_context(|| format!("no folder of {name}"))?;
        let source = std::fs::read_to_string(&source).with_context(|| source.display().to_string())?;
        let (title, text) = header(&source);
        let reference = text.split("## Reference\n").nth(1).unwrap_or_default().replace('\n', " ");
        ensure!(!title.is_empty() && !reference.is_empty(), "the header of {name} has no title or no reference");
        index += &format!("| [`{name}`]({name}.md) | {} | {} |\n", technique.summary, reference.trim());
        contents += &format!("  - [{title}](techniques/{name}.md)\n");
        pages.push(Page { path: folder.join(format!("{name}.md")), text: format!("# {title}\n\n{text}") });
    }
    pages.push(Page { path: folder.join("index.md"), text: index });
    let summary = PathBuf::from("book/src/SUMMARY.md");
    let text = std::fs::read_to_string(root.join(&summary))?;
    let others = text.lines().filter(|line| !line.contains("](techniques/"));
    let mut text = String::new();
    for line in others {
        // They stand before the chapter about other tools.
        if line.contains("](comparison.md)") {
            text += &contents;
        }
        text += &format!("{line}\n");
    }
    pages.push(Page { path: summary, text });
    Ok(pages)
}

/// The first line of a file's header without its full stop, and the rest, its headings one level down.
fn header(source: &str) -> (String, String) {
    let mut lines = source.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim_start);
    let title = lines.next().unwrap_or_default().trim_end_matches('.').to_owned();
    let mut text = String::new();
    for line in lines.skip_while(|line| line.is_empty()) {
        let heading = if line.starts_with("# ") { "#" } else { "" };
        text += &format!("{heading}{line}\n");
    }
    (title, text)
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn a_header_becomes_a_page() {
        let source = "//! Guessing.\n//!\n//! # How\n//! By chance.\n\nuse std::fmt;\n//! not this\n";
        assert_eq!(header(source), ("Guessing".to_owned(), "## How\nBy chance.\n".to_owned()));
    }
}
