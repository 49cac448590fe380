//! Where a C program can be mutated, found in its syntax tree.

use std::ops::Range;

use anyhow::{Context, Result, ensure};
use tree_sitter::{Node, Parser};

use super::operator::{Operator, replacements};

/// A change of a few bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    pub operator: Operator,
    pub bytes: Range<usize>,
    pub new: String,
}

impl Site {
    pub fn apply(&self, source: &str) -> String {
        format!("{}{}{}", &source[..self.bytes.start], self.new, &source[self.bytes.end..])
    }

    /// From 1 on.
    pub fn line(&self, source: &str) -> usize {
        source[..self.bytes.start].matches('\n').count() + 1
    }
}

/// Every change that the operators can make to the bodies of functions, in the order of the text.
pub fn sites(source: &str) -> Result<Vec<Site>> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_c::LANGUAGE.into()).context("the parser and the grammar are of different ages")?;
    let tree = parser.parse(source, None).context("the parser gave up")?;
    ensure!(!tree.root_node().has_error(), "the parser does not understand the source");
    let mut sites = Vec::new();
    let mut cursor = tree.root_node().walk();
    for top in tree.root_node().children(&mut cursor) {
        if let Some(body) = top.child_by_field_name("body").filter(|_| top.kind() == "function_definition") {
            collect(body, source, &mut sites);
        }
    }
    Ok(sites)
}

fn collect(at: Node<'_>, source: &str, sites: &mut Vec<Site>) {
    let text = |of: Node<'_>| &source[of.byte_range()];
    let mut add = |operator, bytes: Range<usize>, new: String| sites.push(Site { operator, bytes, new });
    match at.kind() {
        "binary_expression" | "assignment_expression" | "update_expression" => {
            if let Some(token) = at.child_by_field_name("operator") {
                let (operator, others) = replacements(text(token));
                for other in others {
                    add(operator, token.byte_range(), (*other).to_owned());
                }
            }
        }
        "unary_expression" => {
            if let Some(token) = at.child_by_field_name("operator").filter(|token| text(*token) == "!") {
                add(Operator::DroppedNegation, token.byte_range(), String::new());
            }
        }
        "if_statement" | "while_statement" | "do_statement" => {
            if let Some(condition) = at.child_by_field_name("condition") {
                add(Operator::Negated, condition.byte_range(), format!("(!{})", text(condition)));
            }
        }
        "for_statement" | "conditional_expression" => {
            if let Some(condition) = at.child_by_field_name("condition") {
                add(Operator::Negated, condition.byte_range(), format!("!({})", text(condition)));
            }
        }
        "number_literal" => {
            // Anything else than a plain number would be written in a way of its own.
            if let (Ok(number), Some(operator)) = (text(at).parse::<i64>(), constant_operator(at)) {
                add(operator, at.byte_range(), (number + 1).to_string());
                if number > 0 {
                    add(operator, at.byte_range(), (number - 1).to_string());
                }
            }
        }
        "expression_statement" if at.parent().is_some_and(|parent| parent.kind() == "compound_statement") => {
            add(Operator::Deleted, whole_lines(source, at.byte_range()), String::new());
        }
        "break_statement" if is_in_loop(at) => add(Operator::Jump, at.byte_range(), "continue;".to_owned()),
        "continue_statement" => add(Operator::Jump, at.byte_range(), "break;".to_owned()),
        "argument_list" => {
            let mut cursor = at.walk();
            let arguments: Vec<Node<'_>> = at.named_children(&mut cursor).collect();
            for pair in arguments.windows(2) {
                let between = &source[pair[0].end_byte()..pair[1].start_byte()];
                let swapped = format!("{}{between}{}", text(pair[1]), text(pair[0]));
                // The same twice is no change.
                if text(pair[0]) != text(pair[1]) {
                    add(Operator::SwappedArguments, pair[0].start_byte()..pair[1].end_byte(), swapped);
                }
            }
        }
        "subscript_expression" => {
            if let Some(index) = at.child_by_field_name("index") {
                for change in ["+ 1", "- 1"] {
                    add(Operator::Index, index.byte_range(), format!("({}) {change}", text(index)));
                }
            }
        }
        _ => {}
    }
    let mut cursor = at.walk();
    for child in at.children(&mut cursor) {
        collect(child, source, sites);
    }
}

/// Whether a number is a value to begin with or one used later; none: it is part of a type.
fn constant_operator(at: Node<'_>) -> Option<Operator> {
    let mut around = at.parent();
    while let Some(outer) = around {
        match outer.kind() {
            "array_declarator" | "case_statement" => return None,
            "init_declarator" => return Some(Operator::Initialiser),
            "compound_statement" => break,
            _ => around = outer.parent(),
        }
    }
    Some(Operator::Constant)
}

/// A `break` that leaves a loop, not a switch.
fn is_in_loop(at: Node<'_>) -> bool {
    let mut around = at.parent();
    while let Some(outer) = around {
        match outer.kind() {
            "while_statement" | "for_statement" | "do_statement" => return true,
            "switch_statement" => return false,
            _ => around = outer.parent(),
        }
    }
    false
}

/// The lines of a statement with their ends, if it has them for itself.
fn whole_lines(source: &str, bytes: Range<usize>) -> Range<usize> {
    let begin = source[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
    let end = source[bytes.end..].find('\n').map_or(source.len(), |at| bytes.end + at + 1);
    let is_alone = source[begin..bytes.start].trim().is_empty() && source[bytes.end..end].trim().is_empty();
    if is_alone { begin..end } else { bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "int size = 3;\nint f(int a, int b)\n{\n    int t[4] = {0};\n    int i = 7;\n    if (a < b && !b)\n        \
                          t[a] = g(a, b);\n    a += 2;\n    for (;;)\n        break;\n    return a - i;\n}\n";

    fn changes(operator: Operator) -> Vec<(usize, String, String)> {
        let sites = sites(SOURCE).unwrap().into_iter().filter(|site| site.operator == operator);
        sites.map(|site| (site.line(SOURCE), SOURCE[site.bytes].to_owned(), site.new)).collect()
    }

    fn change(line: usize, old: &str, new: &str) -> (usize, String, String) {
        (line, old.to_owned(), new.to_owned())
    }

    #[test]
    fn operators_find_their_places() {
        assert_eq!(changes(Operator::Relational), [change(6, "<", "<="), change(6, "<", ">"), change(6, "<", ">=")]);
        assert_eq!(changes(Operator::Logical), [change(6, "&&", "||")]);
        assert_eq!(changes(Operator::Negated), [change(6, "(a < b && !b)", "(!(a < b && !b))")]);
        assert_eq!(changes(Operator::DroppedNegation), [change(6, "!", "")]);
        assert_eq!(changes(Operator::SwappedArguments), [change(7, "a, b", "b, a")]);
        assert_eq!(changes(Operator::Index), [change(7, "a", "(a) + 1"), change(7, "a", "(a) - 1")]);
        assert_eq!(changes(Operator::Assignment), [change(8, "+=", "-="), change(8, "+=", "=")]);
        assert_eq!(changes(Operator::Deleted), [change(8, "    a += 2;\n", "")]);
        assert_eq!(changes(Operator::Jump), [change(10, "break;", "continue;")]);
        assert_eq!(changes(Operator::Arithmetic), [change(11, "-", "+")]);
        // Neither the size of an array nor what stands outside functions.
        assert_eq!(changes(Operator::Constant), [change(8, "2", "3"), change(8, "2", "1")]);
        assert_eq!(changes(Operator::Initialiser), [change(4, "0", "1"), change(5, "7", "8"), change(5, "7", "6")]);
    }

    #[test]
    fn a_change_leaves_the_rest_alone() {
        for site in sites(SOURCE).unwrap() {
            let mutated = site.apply(SOURCE);
            assert_ne!(mutated, SOURCE);
            assert!(mutated.starts_with(&SOURCE[..site.bytes.start]) && mutated.ends_with(&SOURCE[site.bytes.end..]));
        }
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(sites("int f( {").is_err());
    }
}
