//! How mutants differ from the right version: the usual mutation operators.

use crate::class::Class;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Operator {
    Relational,
    Arithmetic,
    Logical,
    Bitwise,
    Constant,
    Initialiser,
    Negated,
    DroppedNegation,
    Deleted,
    Jump,
    SwappedArguments,
    Index,
    Assignment,
    Increment,
}

impl Operator {
    pub const ALL: [Operator; 14] = [
        Operator::Relational,
        Operator::Arithmetic,
        Operator::Logical,
        Operator::Bitwise,
        Operator::Constant,
        Operator::Initialiser,
        Operator::Negated,
        Operator::DroppedNegation,
        Operator::Deleted,
        Operator::Jump,
        Operator::SwappedArguments,
        Operator::Index,
        Operator::Assignment,
        Operator::Increment,
    ];

    /// In the names of mutants.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Relational => "relation",
            Operator::Arithmetic => "arithmetic",
            Operator::Logical => "logic",
            Operator::Bitwise => "bits",
            Operator::Constant => "constant",
            Operator::Initialiser => "initialiser",
            Operator::Negated => "negated",
            Operator::DroppedNegation => "unnegated",
            Operator::Deleted => "deleted",
            Operator::Jump => "jump",
            Operator::SwappedArguments => "arguments",
            Operator::Index => "index",
            Operator::Assignment => "assignment",
            Operator::Increment => "increment",
        }
    }

    /// The class that a person would put such a fault in.
    pub fn class(self, old: &str, new: &str) -> Class {
        match self {
            Operator::Relational | Operator::Logical => match (old, new) {
                ("<", "<=") | (">", ">=") | ("&&", "||") => Class::RelaxedCondition,
                ("<=", "<") | (">=", ">") | ("||", "&&") => Class::TightenedCondition,
                _ => Class::WrongCondition,
            },
            Operator::Negated | Operator::DroppedNegation | Operator::Jump => Class::WrongCondition,
            Operator::Constant => Class::WrongConstant,
            Operator::Initialiser => Class::WrongInitialisation,
            Operator::Deleted => Class::MissingCode,
            Operator::Arithmetic
            | Operator::Bitwise
            | Operator::SwappedArguments
            | Operator::Index
            | Operator::Assignment
            | Operator::Increment => Class::WrongAssignment,
        }
    }
}

/// What a token of an expression may become, and the operator that changes it so.
pub fn replacements(token: &str) -> (Operator, &'static [&'static str]) {
    match token {
        "<" => (Operator::Relational, &["<=", ">", ">="]),
        "<=" => (Operator::Relational, &["<", ">="]),
        ">" => (Operator::Relational, &[">=", "<", "<="]),
        ">=" => (Operator::Relational, &[">", "<="]),
        "==" => (Operator::Relational, &["!=", "<=", ">="]),
        "!=" => (Operator::Relational, &["==", "<", ">"]),
        "+" => (Operator::Arithmetic, &["-", "*"]),
        "-" => (Operator::Arithmetic, &["+"]),
        "*" => (Operator::Arithmetic, &["+", "/"]),
        "/" => (Operator::Arithmetic, &["*", "%"]),
        "%" => (Operator::Arithmetic, &["/"]),
        "&&" => (Operator::Logical, &["||"]),
        "||" => (Operator::Logical, &["&&"]),
        "&" => (Operator::Bitwise, &["|"]),
        "|" => (Operator::Bitwise, &["&"]),
        "^" => (Operator::Bitwise, &["|"]),
        "<<" => (Operator::Bitwise, &[">>"]),
        ">>" => (Operator::Bitwise, &["<<"]),
        "+=" => (Operator::Assignment, &["-=", "="]),
        "-=" => (Operator::Assignment, &["+=", "="]),
        "*=" => (Operator::Assignment, &["/="]),
        "/=" => (Operator::Assignment, &["*="]),
        "%=" => (Operator::Assignment, &["/="]),
        "|=" => (Operator::Assignment, &["&=", "="]),
        "&=" => (Operator::Assignment, &["|="]),
        "++" => (Operator::Increment, &["--"]),
        "--" => (Operator::Increment, &["++"]),
        _ => (Operator::Relational, &[]),
    }
}
