//! Calls as the source writes them: `inventory.take(order, 5)`, `found->second`, `a[i]`, `x == y` where C++ calls functions.

use super::place::{Naming, Object, in_parentheses, pointer_text};
use super::{FunctionDebug, TypeId, TypeShape};
use crate::library::in_words;
use crate::{Call, Callee, Operand};

/// Operators that are written between their operands.
const BETWEEN: [&str; 17] =
    ["==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "+=", "-=", "<=>"];

/// Arguments of a call take no more room than this.
const LONGEST_ARGUMENTS: usize = 40;

/// A function of the source that is called with as many arguments as it has there.
struct Known<'a> {
    debug: &'a FunctionDebug,
    result: TypeId,
    parameters: &'a [TypeId],
}

impl Known<'_> {
    /// Without what a template was given.
    fn operator(&self) -> Option<&str> {
        let sign = self.debug.name.strip_prefix("operator")?;
        let is_sign = |c: char| c.is_ascii_punctuation() && !"_\"".contains(c);
        let end = sign.find(|c| !is_sign(c)).unwrap_or(sign.len());
        let longest = ["->", "[]", "()"].into_iter().chain(BETWEEN).filter(|one| sign[..end].starts_with(one));
        longest.max_by_key(|one| one.len())
    }

    fn is_member(&self) -> bool {
        self.debug.variables.first().is_some_and(|first| first.is_artificial && first.name == "this")
    }
}

impl Naming<'_> {
    /// The result of a call, as an expression.
    pub(super) fn called(&self, call: &Call, depth: u32) -> String {
        let Some(known) = self.known(call) else {
            let name = self.callee(call, depth);
            return format!("{name}({})", self.arguments(&call.arguments, None, depth));
        };
        match (known.operator(), &call.arguments[..]) {
            (Some("->" | "[]"), _) | (Some("*"), [_]) => pointer_text(self.result_object(call, depth)),
            (Some(sign), [left, right]) if BETWEEN.contains(&sign) => {
                let side = |position: usize, operand| self.argument(&known, position, operand, depth);
                format!("{} {sign} {}", side(0, left), side(1, right))
            }
            _ => self.plainly(call, &known, depth),
        }
    }

    /// What the result of a call points to.
    pub(super) fn result_object(&self, call: &Call, depth: u32) -> Object {
        let Some(known) = self.known(call) else {
            return Object { base: self.called(call, depth), through_pointer: true, ty: None };
        };
        let ty = self.target(known.result);
        let through_pointer = !matches!(self.shape(known.result), TypeShape::Reference(_));
        match (known.operator(), &call.arguments[..]) {
            (Some("->"), [pointer]) => Object { base: self.receiver(pointer, depth), through_pointer: true, ty },
            (Some("*"), [pointer]) => Object { base: self.receiver(pointer, depth), through_pointer: true, ty },
            (Some("[]"), [whole, index]) => {
                let index = self.argument(&known, 1, index, depth);
                Object { base: format!("{}[{index}]", self.receiver(whole, depth)), through_pointer, ty }
            }
            _ => Object { base: self.plainly(call, &known, depth), through_pointer, ty },
        }
    }

    /// By the function's name.
    fn plainly(&self, call: &Call, known: &Known<'_>, depth: u32) -> String {
        match &call.arguments[..] {
            [object, rest @ ..] if known.is_member() => {
                let arguments = self.arguments(rest, Some((known, 1)), depth);
                let object = self.object(object, depth - 1);
                let receiver = in_parentheses(&object.base);
                match (known.operator(), receiver.as_str(), object.through_pointer) {
                    (Some("()"), _, false) => format!("{receiver}({arguments})"),
                    // As it is written among members.
                    (_, "this", true) => format!("{}({arguments})", known.debug.name),
                    (_, _, true) => format!("{receiver}->{}({arguments})", known.debug.name),
                    (_, _, false) => format!("{receiver}.{}({arguments})", known.debug.name),
                }
            }
            all => format!("{}({})", self.callee(call, depth), self.arguments(all, Some((known, 0)), depth)),
        }
    }

    fn callee(&self, call: &Call, depth: u32) -> String {
        match &call.callee {
            Callee::Function(function) => {
                let named = self.debug.function(*function).map(|f| f.name.clone()).filter(|name| !name.is_empty());
                in_words(&named.unwrap_or_else(|| self.module.function(*function).name.clone())).into_owned()
            }
            Callee::Symbol(position) => {
                in_words(self.module.globals.get(*position as usize).map_or("?", |g| &g.name)).into_owned()
            }
            Callee::Pointer(pointer) => in_parentheses(&self.value(pointer, depth - 1)),
            Callee::Assembly => "asm".into(),
        }
    }

    /// What debug information says of the function, unless arguments are passed that the source does not have: then nothing
    /// tells which is which.
    fn known(&self, call: &Call) -> Option<Known<'_>> {
        let Callee::Function(id) = &call.callee else { return None };
        let debug = self.debug.function(*id)?;
        let TypeShape::Function { result, parameters, .. } = self.shape(debug.ty?) else { return None };
        (parameters.len() == call.arguments.len()).then_some(Known { debug, result: *result, parameters })
    }

    /// An object whose member is asked for.
    fn receiver(&self, address: &Operand, depth: u32) -> String {
        in_parentheses(&self.object(address, depth - 1).text())
    }

    fn arguments(&self, all: &[Operand], known: Option<(&Known<'_>, usize)>, depth: u32) -> String {
        let texts = all.iter().enumerate().map(|(position, operand)| match known {
            Some((known, first)) => self.argument(known, first + position, operand, depth),
            None => self.value(operand, depth - 1),
        });
        let text = texts.collect::<Vec<_>>().join(", ");
        if text.len() <= LONGEST_ARGUMENTS { text } else { "...".into() }
    }

    /// What is passed by reference is written as the object itself; so is the object of an operator.
    fn argument(&self, known: &Known<'_>, position: usize, operand: &Operand, depth: u32) -> String {
        let is_object = position == 0 && known.is_member() && known.operator().is_some();
        let by_reference =
            known.parameters.get(position).is_some_and(|ty| matches!(self.shape(*ty), TypeShape::Reference(_)));
        match is_object || by_reference {
            true => self.object(operand, depth - 1).text(),
            false => self.value(operand, depth - 1),
        }
    }
}
