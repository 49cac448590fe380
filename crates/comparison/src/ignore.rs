//! Variables whose values do not count: times, process ids and the like.

use std::collections::{BTreeSet, HashSet};

use abi::InstructionId;
use program::debug::place_text;
use program::{FunctionKey, Op, Operand, Site};
use replay::ReplayError;

use super::pair::Pair;
use super::side::Sides;
use source::source_line::{LineError, find_file, path_of};
use source::sources::Sources;
use source::value::nearest;

/// `FILE:VAR`, as people write it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub file: String,
    pub name: String,
}

#[derive(Debug, thiserror::Error)]
pub enum IgnoreError {
    #[error("`{text}` is not FILE:VARIABLE, as in main.c:now")]
    NotAVariable { text: String },
    #[error("{file} has no assignment to a variable `{name}`{}", offer(near))]
    NoVariable { file: String, name: String, near: Vec<String> },
    #[error(transparent)]
    File(#[from] LineError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

fn offer(near: &[String]) -> String {
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) }
}

impl Variable {
    pub fn parse(text: &str) -> Result<Variable, IgnoreError> {
        match text.rsplit_once(':') {
            Some((file, name)) if !file.is_empty() && !name.is_empty() => {
                Ok(Variable { file: file.into(), name: name.into() })
            }
            _ => Err(IgnoreError::NotAVariable { text: text.into() }),
        }
    }
}

/// The assignments that do not count, in one run's program.
#[derive(Default, Debug)]
pub struct Ignored(HashSet<Site>);

impl Ignored {
    /// In both programs; it is enough that one of them has a variable.
    pub fn in_either(pair: &Pair<'_, '_>, variables: &[Variable]) -> Result<Sides<Ignored>, IgnoreError> {
        let mut ignored = Sides::<Ignored>::default();
        for variable in variables {
            let left = Ignored::of(pair.sources.left, std::slice::from_ref(variable));
            let right = Ignored::of(pair.sources.right, std::slice::from_ref(variable));
            match (left, right) {
                (Err(error), Err(_)) => return Err(error),
                (left, right) => {
                    ignored.left.0.extend(left.unwrap_or_default().0);
                    ignored.right.0.extend(right.unwrap_or_default().0);
                }
            }
        }
        Ok(ignored)
    }

    /// Assignments to these variables by name, to parts of them too; not those through pointers.
    pub fn of(sources: &Sources<'_, '_>, variables: &[Variable]) -> Result<Ignored, IgnoreError> {
        let mut ignored = Ignored::default();
        for variable in variables {
            let file = find_file(sources.image, &variable.file)?;
            let mut others = BTreeSet::new();
            let before = ignored.0.len();
            ignored.add(sources, &file, &variable.name, &mut others)?;
            if ignored.0.len() == before {
                let near = nearest(&variable.name, others.into_iter());
                return Err(IgnoreError::NoVariable { file, name: variable.name.clone(), near });
            }
        }
        Ok(ignored)
    }

    fn add(
        &mut self,
        sources: &Sources<'_, '_>,
        file: &str,
        name: &str,
        others: &mut BTreeSet<String>,
    ) -> Result<(), ReplayError> {
        for position in 0..sources.module_count() {
            let module = sources.image.module(position)?;
            let is_meant: Vec<bool> = module.files.iter().map(|f| path_of(f) == file).collect();
            for function in &module.functions {
                let is_inside = |location: program::SourceLocation| is_meant[location.file as usize];
                for (id, instruction) in (0..).map(InstructionId).zip(&function.instructions) {
                    let location = instruction.location.or(function.location);
                    let Op::Store { value, value_type, address, .. } = &instruction.op else { continue };
                    if !location.is_some_and(is_inside) {
                        continue;
                    }
                    let size = value_type.store_size();
                    let place = place_text(module, sources.debug(position), function, address, size, None);
                    let whole = place.split(['.', '[', '-']).next().unwrap_or_default();
                    if place == name || whole == name {
                        let key = FunctionKey { module: position as u32, function: function.id };
                        self.0.insert(key.at(id));
                    } else if !matches!(value, Operand::Parameter(_)) {
                        others.insert(whole.into());
                    }
                }
            }
        }
        Ok(())
    }

    pub fn contains(&self, site: Site) -> bool {
        !self.0.is_empty() && self.0.contains(&site)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_split_at_the_last_colon() {
        assert_eq!(Variable::parse("a.c:x").unwrap(), Variable { file: "a.c".into(), name: "x".into() });
        for wrong in ["a.c", ":x", "a.c:", ""] {
            assert!(Variable::parse(wrong).is_err(), "{wrong}");
        }
    }
}
