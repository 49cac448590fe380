//! A question as SMT-LIB 2 text: to be read, kept, and given to other solvers. Each term gets a definition, so text is as
//! long as there are terms, however often they are shared.

use std::fmt::Write;

use crate::ask::Query;
use crate::hash::Set;
use crate::operation::Operation;
use crate::term::{Term, Terms, View};

/// The whole question, up to `(check-sat)`.
pub fn dump(terms: &Terms, query: Query<'_>) -> String {
    let mut text = String::from("(set-logic QF_BV)\n");
    for term in cone(terms, query) {
        define(terms, term, &mut text);
    }
    for (kind, constraints) in [("known", query.known), ("wanted", query.wanted)] {
        for (place, constraint) in constraints.iter().enumerate() {
            line(&mut text, format_args!("(assert (= {} #b1)) ; {kind} {place}", Named(terms, *constraint)));
        }
    }
    text.push_str("(check-sat)\n");
    text
}

/// All that the query is made of, operands first: they are older.
fn cone(terms: &Terms, query: Query<'_>) -> Vec<Term> {
    let mut cone = Set::default();
    let constraints = query.known.iter().chain(query.wanted).copied();
    let mut waiting: Vec<Term> = constraints.filter(|constraint| cone.insert(*constraint)).collect();
    while let Some(term) = waiting.pop() {
        waiting.extend(terms.operands(term).filter(|operand| cone.insert(*operand)));
    }
    let mut cone: Vec<Term> = cone.into_iter().collect();
    cone.sort_unstable();
    cone
}

/// Writing to a string does not fail.
fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(arguments);
    debug_assert!(written.is_ok());
    text.push('\n');
}

/// A term where it is used: a constant as it is, others by name.
struct Named<'t>(&'t Terms, Term);

impl std::fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Named(terms, term) = *self;
        match terms.view(term) {
            View::Constant(value) => Number(terms.width(term), value).fmt(f),
            View::Symbol(symbol) => symbol.fmt(f),
            _ => term.fmt(f),
        }
    }
}

struct Number(u32, u128);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Number(width, value) = *self;
        if width.is_multiple_of(4) {
            write!(f, "#x{value:0digits$x}", digits = width as usize / 4)
        } else {
            write!(f, "#b{value:0digits$b}", digits = width as usize)
        }
    }
}

fn define(terms: &Terms, term: Term, text: &mut String) {
    let width = terms.width(term);
    let named = |term: Term| Named(terms, term);
    let mut defined = |meaning: std::fmt::Arguments<'_>| {
        line(text, format_args!("(define-fun {term} () (_ BitVec {width}) {meaning})"));
    };
    match terms.view(term) {
        View::Constant(_) => {}
        View::Symbol(symbol) => {
            let seed = terms.value(term);
            line(text, format_args!("(declare-const {symbol} (_ BitVec {width})) ; {seed} under the seed"));
        }
        View::Binary(operation, a, b) => {
            let (a, b) = (named(a), named(b));
            match operation {
                Operation::Equal | Operation::LessUnsigned | Operation::LessSigned => {
                    defined(format_args!("(ite ({} {a} {b}) #b1 #b0)", name(operation)));
                }
                _ => defined(format_args!("({} {a} {b})", name(operation))),
            }
        }
        View::Not(a) => defined(format_args!("(bvnot {})", named(a))),
        View::Concat(high, low) => defined(format_args!("(concat {} {})", named(high), named(low))),
        View::Extract(a, low) => {
            defined(format_args!("((_ extract {} {low}) {})", low + width - 1, named(a)));
        }
        View::ZeroExtend(a) => {
            defined(format_args!("((_ zero_extend {}) {})", width - terms.width(a), named(a)));
        }
        View::SignExtend(a) => {
            defined(format_args!("((_ sign_extend {}) {})", width - terms.width(a), named(a)));
        }
        View::Choose(condition, a, b) => {
            defined(format_args!("(ite (= {} #b1) {} {})", named(condition), named(a), named(b)));
        }
        View::Table(index, table) => {
            let mut chain = String::new();
            let of_index = terms.width(index);
            let entries = terms.entries(table);
            for (at, entry) in (0u128..).zip(entries) {
                let (at, entry) = (Number(of_index, at), Number(width, *entry));
                line(&mut chain, format_args!("  (ite (= {} {at}) {entry}", named(index)));
            }
            let ends = ")".repeat(entries.len());
            defined(format_args!("\n{chain}  {}{ends}", Number(width, 0)));
        }
    }
}

fn name(operation: Operation) -> &'static str {
    match operation {
        Operation::Add => "bvadd",
        Operation::Subtract => "bvsub",
        Operation::Multiply => "bvmul",
        Operation::Divide => "bvudiv",
        Operation::Remainder => "bvurem",
        Operation::ShiftLeft => "bvshl",
        Operation::ShiftRight => "bvlshr",
        Operation::ShiftRightArithmetic => "bvashr",
        Operation::And => "bvand",
        Operation::Or => "bvor",
        Operation::Xor => "bvxor",
        Operation::Not => "bvnot",
        Operation::Equal => "=",
        Operation::LessUnsigned => "bvult",
        Operation::LessSigned => "bvslt",
        Operation::Concat => "concat",
        Operation::Extract => "extract",
        Operation::ZeroExtend => "zero_extend",
        Operation::SignExtend => "sign_extend",
        Operation::Choose => "ite",
        Operation::Constant | Operation::Symbol | Operation::Table => unreachable!("{operation:?} has no name"),
    }
}
