//! No top-level module of a crate is in a cycle with another: each can be read with only those that it uses in mind.
//!
//! A module's children count as the module. The root of a crate does not count: it names all modules, and what it shows of
//! them (`pub use`) counts as theirs. Tests do not count either. Paths are read from tokens, so those in macros count, and
//! those in strings and comments do not.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// What is wrong with the crates.
pub fn cycles<'a>(root: &Path, members: impl IntoIterator<Item = &'a str>) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for member in members {
        for begin in ["src/lib.rs", "src/main.rs"].map(|name| Path::new(member).join(name)) {
            if root.join(&begin).exists() {
                let cycles = Modules::read(root, &begin)?.cycles();
                faults.extend(cycles.iter().map(|cycle| format!("{member}: {cycle}")));
            }
        }
    }
    Ok(faults)
}

/// The top-level modules of a crate, and which uses which.
#[derive(Default)]
struct Modules {
    names: BTreeSet<String>,
    /// What the root shows, and the module that has it.
    shown: BTreeMap<String, String>,
    /// Modules of which the root shows everything.
    shown_whole: Vec<String>,
    /// By module, what it defines itself.
    defined: BTreeMap<String, BTreeSet<String>>,
    /// From a module to a name below the root, and where that is written.
    paths: Vec<(String, String, String)>,
}

impl Modules {
    fn read(root: &Path, begin: &Path) -> Result<Modules> {
        let mut modules = Modules::default();
        // Files to read, with the modules that they are and the folder of their children.
        let folder = begin.parent().context("a file in a folder")?;
        let mut files = vec![(begin.to_owned(), Vec::new(), folder.to_owned())];
        while let Some((file, path, folder)) = files.pop() {
            let text = std::fs::read_to_string(root.join(&file)).with_context(|| file.display().to_string())?;
            let tokens = text.parse().map_err(|error| anyhow!("{}: {error}", file.display()))?;
            let mut reader = Reader { file: &file, modules: &mut modules, children: Vec::new() };
            reader.read(tokens, &path);
            for child in reader.children {
                let below: PathBuf = child[path.len()..].iter().collect();
                let flat = folder.join(&below).with_extension("rs");
                let file = if root.join(&flat).exists() { flat } else { folder.join(&below).join("mod.rs") };
                files.push((file, child, folder.join(below)));
            }
        }
        Ok(modules)
    }

    /// The module that has what is called so below the root; none if the root itself has it.
    fn module_of(&self, name: &str) -> Option<&str> {
        let defines = |module: &&String| self.defined.get(*module).is_some_and(|defined| defined.contains(name));
        let shown = || self.shown.get(name).or_else(|| self.shown_whole.iter().find(defines));
        self.names.get(name).or_else(shown).map(String::as_str)
    }

    /// One cycle of each knot of modules, the shortest.
    fn cycles(&self) -> Vec<String> {
        let mut uses: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
        for (from, name, place) in &self.paths {
            if let Some(to) = self.module_of(name).filter(|to| to != from) {
                uses.entry(from).or_default().entry(to).or_insert(place);
            }
        }
        let (mut cycles, mut told) = (Vec::new(), BTreeSet::new());
        for module in uses.keys() {
            let Some(cycle) = shortest_cycle(&uses, module).filter(|cycle| cycle.iter().all(|m| !told.contains(m)))
            else {
                continue;
            };
            let steps = cycle.iter().zip(cycle.iter().cycle().skip(1));
            let steps: Vec<String> = steps.map(|(from, to)| format!("{from} uses {to} ({})", uses[from][to])).collect();
            cycles.push(format!("modules are in a cycle: {}", steps.join(", ")));
            told.extend(cycle);
        }
        cycles
    }
}

/// From a module back to it; empty-handed if there is no way back.
fn shortest_cycle<'a>(uses: &BTreeMap<&'a str, BTreeMap<&'a str, &str>>, begin: &'a str) -> Option<Vec<&'a str>> {
    let mut from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([begin]);
    while let Some(module) = queue.pop_front() {
        for to in uses.get(module).into_iter().flat_map(BTreeMap::keys) {
            if *to == begin {
                let mut cycle = vec![module];
                while let Some(before) = from.get(cycle[cycle.len() - 1]) {
                    cycle.push(before);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if !from.contains_key(to) {
                from.insert(to, module);
                queue.push_back(to);
            }
        }
    }
    None
}

/// Reads a file's tokens.
struct Reader<'a> {
    file: &'a Path,
    modules: &'a mut Modules,
    /// Modules that are in files of their own.
    children: Vec<Vec<String>>,
}

impl Reader<'_> {
    /// Reads what stands in a module; `path` is empty for the root.
    fn read(&mut self, tokens: TokenStream, path: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = if is_for_tests(&tokens[at..]) {
                after_item(&tokens, at + 2)
            } else if let [TokenTree::Ident(keyword), TokenTree::Ident(name), ..] = &tokens[at..]
                && keyword == "mod"
            {
                self.module(path, &name.to_string(), tokens.get(at + 2));
                at + 3
            } else if path.is_empty() && is_ident(&tokens[at], "use") {
                let end = after_item(&tokens, at);
                self.shown(&tokens[at + 1..end]);
                end
            } else {
                self.path(&tokens[at..], path);
                self.definition(&tokens[at..], path);
                if let TokenTree::Group(group) = &tokens[at] {
                    self.read(group.stream(), path);
                }
                // Not into a path, whose `super::super` is read as a whole.
                let is_super =
                    is_ident(&tokens[at], "super") && at + 3 < tokens.len() && is_ident(&tokens[at + 3], "super");
                if is_super { at + self.supers(&tokens[at..]) * 3 } else { at + 1 }
            };
        }
    }

    fn module(&mut self, path: &[String], name: &str, next: Option<&TokenTree>) {
        if name == "tests" {
            return;
        }
        let module: Vec<String> = path.iter().cloned().chain([name.to_owned()]).collect();
        if path.is_empty() {
            self.modules.names.insert(name.to_owned());
        }
        match next {
            Some(TokenTree::Group(body)) => self.read(body.stream(), &module),
            _ => self.children.push(module),
        }
    }

    /// What a `use` of the root shows: names of modules' things.
    fn shown(&mut self, tokens: &[TokenTree]) {
        let tokens = match tokens {
            [TokenTree::Ident(begin), _, _, rest @ ..] if begin == "crate" || begin == "self" => rest,
            _ => tokens,
        };
        let [TokenTree::Ident(module), TokenTree::Punct(_), TokenTree::Punct(_), rest @ ..] = tokens else { return };
        let module = module.to_string();
        for leaf in leaves(rest) {
            match leaf.as_str() {
                "*" => self.modules.shown_whole.push(module.clone()),
                _ => drop(self.modules.shown.insert(leaf, module.clone())),
            }
        }
    }

    /// How many `super` a path begins with.
    fn supers(&self, tokens: &[TokenTree]) -> usize {
        tokens.chunks(3).take_while(|part| is_ident(&part[0], "super") && is_path(part)).count()
    }

    /// Notes what a path names below the root.
    fn path(&mut self, tokens: &[TokenTree], path: &[String]) {
        let Some(module) = path.first() else { return };
        let supers = self.supers(tokens);
        let rest = match supers {
            0 if is_ident(&tokens[0], "crate") && is_path(tokens) => &tokens[3..],
            _ if supers == path.len() => &tokens[supers * 3..],
            _ => return,
        };
        let names = match rest.first() {
            Some(TokenTree::Ident(name)) => vec![name.to_string()],
            Some(TokenTree::Group(group)) => heads(group),
            _ => return,
        };
        let place = format!("{}:{}", self.file.display(), tokens[0].span().start().line);
        self.modules.paths.extend(names.into_iter().map(|name| (module.clone(), name, place.clone())));
    }

    /// Notes what a top-level module defines.
    fn definition(&mut self, tokens: &[TokenTree], path: &[String]) {
        const KEYWORDS: [&str; 8] = ["struct", "enum", "union", "fn", "const", "static", "type", "trait"];
        if let ([module], [TokenTree::Ident(keyword), TokenTree::Ident(name), ..]) = (path, tokens)
            && KEYWORDS.iter().any(|known| keyword == known)
        {
            self.modules.defined.entry(module.clone()).or_default().insert(name.to_string());
        }
    }
}

fn is_ident(token: &TokenTree, word: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == word)
}

/// Whether a word is followed by `::` and something.
fn is_path(tokens: &[TokenTree]) -> bool {
    let is_colon = |token: Option<&TokenTree>| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == ':');
    is_colon(tokens.get(1)) && is_colon(tokens.get(2))
}

/// Whether an attribute stands here that keeps what follows for tests.
fn is_for_tests(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(hash), TokenTree::Group(group), ..] = tokens else { return false };
    let text = group.stream().to_string();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let is_for_tests = words[0] == "test" || (words[0] == "cfg" && words.contains(&"test") && !words.contains(&"not"));
    hash.as_char() == '#' && group.delimiter() == Delimiter::Bracket && is_for_tests
}

/// Behind the `;` or the braces that an item ends with.
fn after_item(tokens: &[TokenTree], begin: usize) -> usize {
    let is_use = tokens[begin..].iter().take(4).any(|token| is_ident(token, "use"));
    let ends = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_use,
        _ => false,
    };
    tokens[begin..].iter().position(ends).map_or(tokens.len(), |end| begin + end + 1)
}

/// The first name of each path in braces.
fn heads(group: &Group) -> Vec<String> {
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let parts = tokens.split(|token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ','));
    parts.filter_map(|part| part.first()).map(TokenTree::to_string).collect()
}

/// The names that a tree of uses brings.
fn leaves(tokens: &[TokenTree]) -> Vec<String> {
    let mut found = Vec::new();
    for part in tokens.split(|token| matches!(token, TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';'))) {
        match part.last() {
            Some(TokenTree::Group(group)) => found.extend(leaves(&group.stream().into_iter().collect::<Vec<_>>())),
            Some(last) => found.push(last.to_string()),
            None => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cycles of a crate of these files.
    fn cycles_of(files: &[(&str, &str)]) -> Vec<String> {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        Modules::read(root.path(), Path::new("lib.rs")).unwrap().cycles()
    }

    #[test]
    fn a_way_there_and_back_is_a_cycle() {
        let found = cycles_of(&[
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::{c, b::{self, B}};"),
            ("b.rs", "fn f() {\n    let x = vec![super::a::A];\n}"),
            ("c.rs", "use std::fmt;"),
        ]);
        assert_eq!(found, ["modules are in a cycle: a uses b (a.rs:1), b uses a (b.rs:2)"]);
    }

    #[test]
    fn children_count_as_their_module() {
        let files = [
            ("lib.rs", "mod a; mod b;"),
            ("a/mod.rs", "mod part;"),
            ("a/part.rs", "mod deep { use super::super::super::b::B; use super::super::own; }"),
            ("b.rs", "use crate::a;"),
        ];
        assert_eq!(cycles_of(&files).len(), 1);
        // Within a module, children and parents may use each other.
        let files =
            [("lib.rs", "mod a;"), ("a.rs", "mod part; use part::P;"), ("a/part.rs", "use super::A; use crate::a::B;")];
        assert!(cycles_of(&files).is_empty());
    }

    #[test]
    fn what_the_root_shows_counts_as_the_modules() {
        let shown = |line: &str| {
            let root = format!("mod a; mod b; {line}");
            cycles_of(&[
                ("lib.rs", &root),
                ("a.rs", "use crate::Thing;"),
                ("b.rs", "use crate::a::A; pub struct Thing;"),
            ])
        };
        assert_eq!(shown("pub use b::{self, inner::{Other as Thing}};").len(), 1);
        assert_eq!(shown("pub use b::*;").len(), 1);
        assert!(shown("pub struct Thing;").is_empty());
    }

    #[test]
    fn tests_strings_and_comments_do_not_count() {
        let found = cycles_of(&[
            ("lib.rs", "mod a; mod b; #[cfg(test)] mod guard;"),
            ("a.rs", "use crate::b::B; mod tests;"),
            (
                "b.rs",
                "// crate::a\nconst X: &str = \"crate::a\"; #[cfg(test)] use crate::{a}; #[cfg(test)] mod checks { use crate::a::A; }\n\
                 #[test] fn f() { crate::a::f() }",
            ),
        ]);
        assert!(found.is_empty(), "{found:?}");
    }
}
