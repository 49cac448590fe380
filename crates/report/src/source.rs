//! Lines of source files, for reports.

use std::collections::HashMap;

use findings::Location;

/// Source files, read when first asked for; one that cannot be read has no lines.
#[derive(Default)]
pub struct Sources {
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    pub fn line(&mut self, at: &Location) -> Option<&str> {
        let lines = self.files.entry(at.file.clone()).or_insert_with(|| {
            let bytes = std::fs::read(&at.file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
        });
        lines.get((at.line as usize).checked_sub(1)?).map(String::as_str)
    }
}
