//! Calls as the source writes them: `inventory.take(order, 5)`, `found->second`, `a[i]`, `x == y` where C++ calls functions.

use cpp_demangle::{DemangleOptions, Symbol};

use super::object::{Object, in_parentheses, pointer_text};
use super::operation::as_operand;
use super::place::Naming;
use super::{FunctionDebug, TypeId, TypeShape};
use crate::library::in_words;
use crate::{Call, Callee, Operand};

/// Operators that are written between their operands.
const BETWEEN: [&str; 30] = [
    "==", "!=", "<=", ">=", "<", ">", "<=>", "<<", ">>", "&&", "||", "+", "-", "*", "/", "%", "&", "|", "^", "=", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
];

/// Those of them that give what they have changed, or written to, by reference.
const CHANGING: [&str; 13] = ["<<", ">>", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];

/// Arguments of a call take no more room than this.
const LONGEST_ARGUMENTS: usize = 40;

/// A function of the source that is called with as many arguments as it has there.
struct Known<'a> {
    debug: &'a FunctionDebug,
    symbol: &'a str,
    result: TypeId,
    parameters: &'a [TypeId],
}

/// The sign of an operator, by a function's name without what its template was given.
fn operator(name: &str) -> Option<&'static str> {
    let (scope, sign) = name.rsplit_once("operator")?;
    let all = ["->", "[]", "()"].into_iter().chain(BETWEEN);
    all.filter(|_| scope.is_empty() || scope.ends_with("::")).find(|one| *one == sign)
}

/// Whether a function is what makes a condition of an object, which nobody writes.
fn is_to_bool(symbol: &str) -> bool {
    symbol.starts_with("_Z") && in_words(symbol).ends_with("::operator bool")
}

/// What a function takes that debug information does not know, by its mangled name: for each parameter of the source,
/// whether it is a reference.
fn references(symbol: &str) -> Option<Vec<bool>> {
    let options = DemangleOptions::new().no_return_type();
    let text = Symbol::new(symbol).ok()?.demangle_with_options(&options).ok()?;
    let list = &text[text.rfind("operator")?..];
    // `operator()(int)`
    let list = list.strip_prefix("operator()").unwrap_or(list);
    let list = &list[list.find('(')? + 1..list.rfind(')')?];
    let (mut depth, mut parts, mut begin) = (0, Vec::new(), 0);
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[begin..]);
    Some(parts.into_iter().map(|part| part.trim_end().ends_with('&')).collect())
}

impl Known<'_> {
    fn operator(&self) -> Option<&'static str> {
        operator(&in_words(self.symbol))
    }

    fn is_member(&self) -> bool {
        self.debug.variables.first().is_some_and(|first| first.is_artificial && first.name == "this")
    }
}

impl Naming<'_> {
    /// The result of a call, as an expression.
    pub(super) fn called(&self, call: &Call, depth: u32) -> String {
        if let [object] = &call.arguments[..]
            && self.symbol(call).is_some_and(is_to_bool)
        {
            return self.object(object, depth - 1).text();
        }
        let Some(known) = self.known(call) else {
            if let Some(text) = self.between(call, depth) {
                return text;
            }
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
            let gives_reference = self.unknown_operator(call).is_some_and(|sign| CHANGING.contains(&sign));
            return Object { base: self.called(call, depth), through_pointer: !gives_reference, ty: None };
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
            (Some(sign), [_, _]) if BETWEEN.contains(&sign) => {
                Object { base: self.called(call, depth), through_pointer, ty }
            }
            _ => Object { base: self.plainly(call, &known, depth), through_pointer, ty },
        }
    }

    /// The operator that is called, where only the function's symbol tells.
    fn unknown_operator(&self, call: &Call) -> Option<&'static str> {
        operator(&in_words(self.symbol(call)?)).filter(|sign| BETWEEN.contains(sign))
    }

    fn symbol(&self, call: &Call) -> Option<&str> {
        match &call.callee {
            Callee::Function(function) => Some(&self.module.function(*function).name),
            Callee::Symbol(position) => Some(&self.module.globals.get(*position as usize)?.name),
            Callee::Pointer(_) | Callee::Assembly => None,
        }
    }

    /// Such an operator between its operands: `std::cout << "x"`.
    fn between(&self, call: &Call, depth: u32) -> Option<String> {
        let sign = self.unknown_operator(call)?;
        let [left, right] = &call.arguments[..] else { return None };
        let is_reference = match references(self.symbol(call)?)?[..] {
            [left, right] if left => right,
            // A member: what it is called for comes first.
            [right] => right,
            _ => return None,
        };
        let left = self.object(left, depth - 1).text();
        let right = if is_reference { self.object(right, depth - 1).text() } else { self.value(right, depth - 1) };
        Some(format!("{left} {sign} {}", as_operand(right)))
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
        let symbol = &self.module.function(*id).name;
        (parameters.len() == call.arguments.len()).then_some(Known { debug, symbol, result: *result, parameters })
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
