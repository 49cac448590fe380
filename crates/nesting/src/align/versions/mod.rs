//! Which sites of two versions of a program are the same.
//!
//! In: the modules of both versions. Out: a map from the sites of the old one to those of the new one; the statements that
//! were added, removed or changed.
//!
//! Functions are matched by name, then by what they have in common. Inside two matched functions the trees of control
//! dependence are matched from the root down (Sumner et al., *Comparison-based Computation of Causal Paths*, section 5.4:
//! maximal tree correspondence). Statements are compared by what they say (`label`): operations, types, names of
//! variables and of functions called, constants; never by numbers.
//!
//! **Departures.** Children are matched in order (a weighted longest common subsequence), so code that changed places counts
//! as removed and added. A statement whose nesting changed (somebody put an `if` around it) is found afterwards by what it
//! says. Where control dependence is no tree, a block hangs on the nearest branch before it.

mod label;
mod tree;
mod correspond;

use std::collections::HashMap;

use abi::{BlockId, FunctionId, InstructionId};
use program::{Function, FunctionKey, Linkage, Module, Shape, Statements};

use label::Labels;

/// What became of the statements of a function.
#[derive(Clone, Debug, Default)]
pub struct FunctionMap {
    /// By instruction of the old function: the same one in the new function.
    sites: Vec<Option<InstructionId>>,
    /// By block of the old function.
    blocks: Vec<Option<BlockId>>,
    /// Roots of statements that correspond but say something else.
    pub changed: Vec<(InstructionId, InstructionId)>,
    pub removed: Vec<InstructionId>,
    pub added: Vec<InstructionId>,
}

/// The sites of the old version in the new one.
#[derive(Debug, Default)]
pub struct SiteMap {
    functions: HashMap<FunctionKey, (FunctionKey, FunctionMap)>,
    /// Functions with a body that have no partner.
    pub removed: Vec<FunctionKey>,
    pub added: Vec<FunctionKey>,
}

impl FunctionMap {
    pub fn site(&self, old: InstructionId) -> Option<InstructionId> {
        self.sites[old.index()]
    }

    pub fn block(&self, old: BlockId) -> Option<BlockId> {
        self.blocks[old.index()]
    }
}

impl SiteMap {
    /// Modules are named by their position in these lists.
    pub fn of(old: &[&Module], new: &[&Module]) -> SiteMap {
        let mut map = SiteMap::default();
        let (pairs, removed, added) = match_functions(old, new);
        (map.removed, map.added) = (removed, added);
        let name =
            |modules: &[&Module], key: FunctionKey| modules[key.module as usize].function(key.function).name.clone();
        let names = pairs.iter().map(|&(a, b)| (name(old, a), name(new, b)));
        let renamed: HashMap<String, String> = names.filter(|(a, b)| a != b).collect();
        for (a, b) in pairs {
            let (old, new) = (old[a.module as usize], new[b.module as usize]);
            let functions = (old.function(a.function), new.function(b.function));
            let (old, new) =
                (Labels { module: old, renamed: &renamed }, Labels { module: new, renamed: &HashMap::new() });
            map.functions.insert(a, (b, match_statements((&old, functions.0), (&new, functions.1))));
        }
        map
    }

    /// The function in the new version, and what became of its statements.
    pub fn function(&self, old: FunctionKey) -> Option<(FunctionKey, &FunctionMap)> {
        self.functions.get(&old).map(|(new, map)| (*new, map))
    }

    /// All functions that have a partner, in the order of the old version.
    pub fn functions(&self) -> Vec<(FunctionKey, FunctionKey, &FunctionMap)> {
        let mut all: Vec<_> = self.functions.iter().map(|(old, (new, map))| (*old, *new, map)).collect();
        all.sort_by_key(|(old, ..)| *old);
        all
    }
}

type Pairs = Vec<(FunctionKey, FunctionKey)>;

/// Functions of the same name (of the same source file, where there are several), then those most alike.
fn match_functions(old: &[&Module], new: &[&Module]) -> (Pairs, Vec<FunctionKey>, Vec<FunctionKey>) {
    let (mut left, mut right) = (bodies(old), bodies(new));
    let mut pairs = Vec::new();
    let name = |modules: &[&Module], key: FunctionKey| modules[key.module as usize].function(key.function).name.clone();
    let file = |modules: &[&Module], key: FunctionKey| {
        let path = &modules[key.module as usize].source_file;
        path.rsplit('/').next().unwrap_or_default().to_string()
    };
    let mut take = |left: &mut Vec<FunctionKey>, fits: &dyn Fn(FunctionKey, FunctionKey) -> bool| {
        left.retain(|&a| match right.iter().position(|&b| fits(a, b)) {
            Some(position) => {
                pairs.push((a, right.remove(position)));
                false
            }
            None => true,
        });
    };
    take(&mut left, &|a, b| name(old, a) == name(new, b) && file(old, a) == file(new, b));
    take(&mut left, &|a, b| name(old, a) == name(new, b));
    let alike = most_alike(old, &left, new, &right);
    left.retain(|a| !alike.iter().any(|(other, _)| other == a));
    right.retain(|b| !alike.iter().any(|(_, other)| other == b));
    pairs.extend(alike);
    (pairs, left, right)
}

fn bodies(modules: &[&Module]) -> Vec<FunctionKey> {
    let of = |(module, position): (&&Module, u32)| -> Vec<FunctionKey> {
        let inside = module.functions.iter().filter(|f| f.linkage != Linkage::Outside);
        inside.map(|f| FunctionKey { module: position, function: f.id }).collect()
    };
    modules.iter().zip(0..).flat_map(of).collect()
}

/// Pairs that share most of what their statements say, the most alike first; at least half of it.
fn most_alike(old: &[&Module], left: &[FunctionKey], new: &[&Module], right: &[FunctionKey]) -> Pairs {
    let labels = |modules: &[&Module], key: &FunctionKey| {
        let module = modules[key.module as usize];
        let function = module.function(key.function);
        let statements = Statements::of(function);
        let renamed = HashMap::new();
        let said = Labels { module, renamed: &renamed };
        let mut labels: Vec<String> = statements.roots().map(|r| said.label(function, &statements, r)).collect();
        labels.sort();
        labels
    };
    let a: Vec<_> = left.iter().map(|key| labels(old, key)).collect();
    let b: Vec<_> = right.iter().map(|key| labels(new, key)).collect();
    let mut scored = Vec::new();
    for (i, a) in a.iter().enumerate() {
        for (j, b) in b.iter().enumerate() {
            let shared = shared(a, b);
            if 4 * shared >= a.len() + b.len() && shared > 0 {
                scored.push((2 * shared * 1000 / (a.len() + b.len()), i, j));
            }
        }
    }
    scored.sort_by_key(|&(score, i, j)| (std::cmp::Reverse(score), i, j));
    let (mut used_left, mut used_right) = (vec![false; a.len()], vec![false; b.len()]);
    let mut pairs = Vec::new();
    for (_, i, j) in scored {
        if !used_left[i] && !used_right[j] {
            (used_left[i], used_right[j]) = (true, true);
            pairs.push((left[i], right[j]));
        }
    }
    pairs
}

/// How many elements two sorted lists have in common.
fn shared(a: &[String], b: &[String]) -> usize {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, count) = (i + 1, j + 1, count + 1),
        }
    }
    count
}

fn match_statements(old: (&Labels<'_>, &Function), new: (&Labels<'_>, &Function)) -> FunctionMap {
    let shapes = (Shape::of(old.1), Shape::of(new.1));
    let statements = (Statements::of(old.1), Statements::of(new.1));
    let trees = (
        tree::Tree::of(old.0, old.1, &shapes.0, &statements.0),
        tree::Tree::of(new.0, new.1, &shapes.1, &statements.1),
    );
    let mut map = FunctionMap {
        sites: vec![None; old.1.instructions.len()],
        blocks: vec![None; old.1.blocks.len()],
        ..FunctionMap::default()
    };
    let mut is_new = vec![true; new.1.instructions.len()];
    for (a, b) in correspond::correspond(&trees.0, &trees.1) {
        let (a, b) = (&trees.0.statements[a], &trees.1.statements[b]);
        is_new[b.root.index()] = false;
        map.sites[a.root.index()] = Some(b.root);
        if a.label != b.label {
            map.changed.push((a.root, b.root));
            continue;
        }
        // What says the same consists of the same instructions.
        let members = statements.0.members(a.root).iter().zip(statements.1.members(b.root));
        for (a, b) in members {
            map.sites[a.index()] = Some(*b);
        }
    }
    map.removed = statements.0.roots().filter(|root| map.sites[root.index()].is_none()).collect();
    map.added = statements.1.roots().filter(|root| is_new[root.index()]).collect();
    map.changed.sort();
    match_blocks(&mut map, &shapes.0, old.1, &shapes.1, new.1);
    map
}

/// Blocks correspond that are entered alike: by the entry, by corresponding choices, by jumps from such; and those whose
/// statements do.
fn match_blocks(map: &mut FunctionMap, old: &Shape, old_body: &Function, new: &Shape, new_body: &Function) {
    if old_body.blocks.is_empty() || new_body.blocks.is_empty() {
        return;
    }
    for (position, site) in map.sites.iter().enumerate() {
        if let Some(site) = site {
            let block = old.block_of(InstructionId(position as u32));
            map.blocks[block.index()].get_or_insert(new.block_of(*site));
        }
    }
    map.blocks[program::ENTRY.index()].get_or_insert(program::ENTRY);
    for &block in old.cfg.order() {
        let Some(partner) = map.blocks[block.index()] else { continue };
        let end = InstructionId(old_body.block(block).end.0 - 1);
        let (targets, partners) = (old.cfg.successors(block), new.cfg.successors(partner));
        let alike = match map.sites[end.index()] {
            Some(site) => new.block_of(site) == partner && targets.len() == partners.len(),
            // Jumps belong to no statement.
            None => targets.len() == 1 && partners.len() == 1,
        };
        if alike {
            for (target, partner) in targets.iter().zip(partners) {
                map.blocks[target.index()].get_or_insert(*partner);
            }
        }
    }
    debug_assert!(map.blocks.iter().flatten().all(|block| block.index() < new_body.blocks.len()));
}

/// A function by its name; for those who know only that.
pub fn find_function(modules: &[&Module], name: &str) -> Option<FunctionKey> {
    let has = |(module, position): (&&Module, u32)| -> Option<FunctionKey> {
        let function: &Function = module.functions.iter().find(|f| f.name == name && f.linkage != Linkage::Outside)?;
        let id: FunctionId = function.id;
        Some(FunctionKey { module: position, function: id })
    };
    modules.iter().zip(0..).find_map(has)
}
