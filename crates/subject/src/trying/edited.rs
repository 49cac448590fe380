//! An edit as a programmer would write it.

use abi::{Edit, Operation, Rewrite};
use findings as claims;
use program::debug::{operand_text, operation_text, place_text, shifted_character, value_text};
use program::{Op, Operand, Type, making};
use replay::Step;
use source::told::value as value_told;

use crate::place::is_result_slot;
use crate::{Subject, TechniqueError};

/// What would be written, and what is: `i <= n` instead of `i < n`.
pub fn edited(subject: &Subject<'_, '_>, at: Step, edit: Edit) -> Result<claims::Edit, TechniqueError> {
    let (module, function) =
        (subject.run.functions.module(at.site.function)?, subject.run.functions.function(at.site.function));
    let debug = subject.sources.debug(at.site.function.module as usize);
    let text = |operand: &Operand| value_text(module, debug, function, operand, None);
    let mut is_result = false;
    let (assigned, value) = match &function.instruction(at.site.instruction).op {
        Op::Store { address, value, value_type, .. } => {
            is_result = is_result_slot(function, address);
            (Some(place_text(module, debug, function, address, value_type.store_size(), None)), value)
        }
        Op::Branch { condition, .. } => (None, condition),
        _ => return Ok(claims::Edit::Unnamed),
    };
    let whole = |made: String| match &assigned {
        Some(_) if is_result => format!("return {made}"),
        Some(place) if made == format!("--{place}") => made,
        Some(place) => format!("{place} = {made}"),
        None => made,
    };
    let now = whole(text(value));
    let made = making(function, value);
    let operand = |operand: &Operand| operand_text(module, debug, function, value, operand);
    let operands = made.as_ref().map(|made| (operand(made.first), operand(made.second)));
    let (first, second) = operands.unwrap_or_default();
    let is_condition = matches!(function.instruction(at.site.instruction).op, Op::Branch { .. });
    let other = match edit.rewrite {
        Rewrite::Constant if is_condition => {
            return Ok(claims::Edit::Always { condition: now.into(), outcome: edit.number != 0 });
        }
        Rewrite::Keep => return Ok(claims::Edit::Without { written: now.into() }),
        Rewrite::Constant => constant(subject, at, edit),
        Rewrite::Add => shifted(&text(value), edit.number as i64),
        Rewrite::Not => format!("!({})", text(value)),
        Rewrite::First => first,
        Rewrite::Second => second,
        Rewrite::Compute => {
            let second = shifted(&second, edit.number as i64);
            operation_text(first, symbol(edit.operation), second)
        }
        Rewrite::Reversed => operation_text(second, symbol(edit.operation), first),
    };
    Ok(claims::Edit::Instead { written: now.into(), other: whole(other).into() })
}

fn constant(subject: &Subject<'_, '_>, at: Step, edit: Edit) -> String {
    match &subject.run.functions.instruction(at.site).op {
        Op::Store { value_type, .. } => value_told(value_type, &[edit.number]),
        _ => value_told(&Type::Int(64), &[edit.number]),
    }
}

/// Plus or minus a little; a number is the next number, a character the next character.
fn shifted(text: &str, by: i64) -> String {
    if let Some(character) = shifted_character(text, by).filter(|_| by != 0) {
        return character;
    }
    match (text.parse::<i64>(), by) {
        (_, 0) => text.to_owned(),
        (Ok(number), _) => number.wrapping_add(by).to_string(),
        (Err(_), _) => operation_text(text.to_owned(), "+", by.to_string()),
    }
}

fn symbol(operation: Operation) -> &'static str {
    match operation {
        Operation::Equal | Operation::FloatEqual => "==",
        Operation::NotEqual | Operation::FloatNotEqual => "!=",
        Operation::Above | Operation::Greater | Operation::FloatGreater => ">",
        Operation::AboveOrEqual | Operation::GreaterOrEqual | Operation::FloatGreaterOrEqual => ">=",
        Operation::Below | Operation::Less | Operation::FloatLess => "<",
        Operation::BelowOrEqual | Operation::LessOrEqual | Operation::FloatLessOrEqual => "<=",
        Operation::Plus | Operation::FloatPlus => "+",
        Operation::Minus | Operation::FloatMinus => "-",
        Operation::Times | Operation::FloatTimes => "*",
        Operation::Divide | Operation::DivideUnsigned | Operation::FloatDivide => "/",
        Operation::Remainder | Operation::RemainderUnsigned => "%",
        Operation::And => "&",
        Operation::Or => "|",
        Operation::Xor => "^",
        Operation::ShiftLeft => "<<",
        Operation::ShiftRight | Operation::ShiftRightSigned => ">>",
    }
}
