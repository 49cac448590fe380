//! A function's statements as a tree: below each choice what depends on it.

use std::hash::{DefaultHasher, Hash, Hasher};

use abi::{BlockId, InstructionId};
use program::{Edge, Function, Shape, Statements};

use super::label::Labels;

/// A statement by its position in [`Tree::statements`].
pub type Position = usize;

pub struct Statement {
    pub root: InstructionId,
    pub label: String,
    /// What makes statements comparable at all: the first word of the label and what it is about.
    pub topic: String,
    /// The words of the label, sorted.
    pub words: Vec<String>,
    /// What depends on the choice it makes, by the ordinal of the successor; in order.
    pub below: Vec<Vec<Position>>,
    /// Of the label and of all below.
    pub hash: u64,
}

pub struct Tree {
    /// In the order of blocks, so what is below a statement stands behind it.
    pub statements: Vec<Statement>,
    /// Those that depend on no choice, in order.
    pub top: Vec<Position>,
}

impl Tree {
    pub fn of(labels: &Labels<'_>, function: &Function, shape: &Shape, statements: &Statements) -> Tree {
        let mut tree = Tree { statements: Vec::new(), top: Vec::new() };
        // The statement that ends each block, if it has a choice.
        let mut choice: Vec<Option<Position>> = vec![None; function.blocks.len()];
        for &block in shape.cfg.order() {
            let above = above(shape, block);
            let body = function.block(block);
            for root in (body.first.0..body.end.0).map(InstructionId).filter(|&id| statements.is_root(id)) {
                let label = labels.label(function, statements, root);
                let position = tree.statements.len();
                let is_choice = root.0 + 1 == body.end.0 && shape.cfg.branches(block);
                let outcomes = if is_choice { shape.cfg.successors(block).len() } else { 0 };
                if is_choice {
                    choice[block.index()] = Some(position);
                }
                let topic = topic(&label);
                let words = words(&label);
                let below = vec![Vec::new(); outcomes];
                tree.statements.push(Statement { root, label, topic, words, below, hash: 0 });
                let list = above.and_then(|edge| {
                    let ordinal = shape.cfg.successors(edge.from).iter().position(|&to| to == edge.to)?;
                    Some((choice[edge.from.index()]?, ordinal))
                });
                match list {
                    Some((parent, ordinal)) => tree.statements[parent].below[ordinal].push(position),
                    None => tree.top.push(position),
                }
            }
        }
        for position in (0..tree.statements.len()).rev() {
            let mut hasher = DefaultHasher::new();
            let statement = &tree.statements[position];
            statement.label.hash(&mut hasher);
            for list in &statement.below {
                list.len().hash(&mut hasher);
                list.iter().for_each(|&below| tree.statements[below].hash.hash(&mut hasher));
            }
            tree.statements[position].hash = hasher.finish();
        }
        tree
    }
}

/// The nearest choice before a block that it depends on.
fn above(shape: &Shape, block: BlockId) -> Option<Edge> {
    let before = |edge: &&Edge| shape.cfg.position(edge.from) < shape.cfg.position(block);
    shape.control.parents(block).iter().filter(before).max_by_key(|edge| shape.cfg.position(edge.from)).copied()
}

fn words(label: &str) -> Vec<String> {
    let mut words: Vec<String> =
        label.split([' ', '(', ')', ',']).filter(|word| !word.is_empty()).map(String::from).collect();
    words.sort();
    words
}

/// A store is about where it stores to, a call about whom it calls; other statements about themselves.
fn topic(label: &str) -> String {
    let word = label.split([' ', '(']).next().unwrap_or_default();
    let about = match word {
        // Value and address: `store TYPE void(VALUE,ADDRESS,)`.
        "store" => label.trim_end_matches([',', ')']).rsplit([',', '(']).next(),
        "call" => label.split(' ').nth(1),
        _ => None,
    };
    format!("{word} {}", about.unwrap_or_default())
}
