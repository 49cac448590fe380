//! Source lines of a run: where they are, and their text.

use std::collections::HashMap;
use std::path::Path;

use findings::Line;
use program::{Function, FunctionKey, Module, SourceFile, SourceLocation};

use execution::Functions;

/// Where debug information has a declaration; `None` if it does not know.
pub fn declared_line(file: Option<&SourceFile>, line: u32) -> Option<Line> {
    let file = file.filter(|_| line > 0)?;
    Some(Line { file: Path::new(&file.directory).join(&file.name).display().to_string(), line })
}

pub fn line_of(module: &Module, location: SourceLocation) -> Option<Line> {
    let file = module.files.get(location.file as usize)?;
    let path = Path::new(&file.directory).join(&file.name);
    (location.line > 0).then(|| Line { file: path.display().to_string(), line: location.line })
}

/// The line of an instruction; of one without a position, that of the one before it.
pub fn line_at(module: &Module, function: &Function, instruction: abi::InstructionId) -> Option<Line> {
    let before = function.instructions[..=instruction.index()].iter().rev();
    let location = before.filter_map(|i| i.location).find(|l| l.line > 0).or(function.location)?;
    line_of(module, location)
}

/// Reads source files when first asked for; a file that cannot be read has no text.
#[derive(Default)]
pub struct Texts {
    files: HashMap<String, Vec<String>>,
}

impl Texts {
    pub fn get(&mut self, line: &Line) -> Option<&str> {
        self.lines(&line.file).get((line.line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// All lines of a file.
    pub fn lines(&mut self, file: &str) -> &[String] {
        self.files.entry(file.to_owned()).or_insert_with(|| {
            let bytes = std::fs::read(file).unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(String::from).collect()
        })
    }
}

/// A path, relative to the current directory if it is below it.
pub fn shown_path(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(file);
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// A function and an instruction of it, for people.
pub fn function_name(functions: &Functions<'_>, key: FunctionKey) -> String {
    program::library::in_words(&functions.function(key).name).into_owned()
}
