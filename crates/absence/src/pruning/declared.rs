//! Variables that still had what they began with when they were used: no step made that, so it stands at the declaration.

use std::collections::HashMap;

use abi::FunctionId;
use execution::dependence::Source;
use execution::dependence::flow::Flow;
use execution::dependence::graph::VertexId;
use execution::noted::Noted;
use findings::{Line, Location};
use program::{CallKind, FunctionKey, Op, Operand};
use replay::Step;
use source::lines::{declared_line, shown_path};

use subject::Subject;

/// A variable and its declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declared {
    pub name: String,
    pub location: Location,
    /// It is a local of the same name that hides the variable: what was meant for the one may have gone to the other.
    pub is_namesake: bool,
}

/// The variables that steps of a flow found as they were before the run began, with these steps.
pub fn declared(subject: &Subject<'_, '_>, flow: &Flow, notes: &HashMap<Step, Noted>) -> Vec<(VertexId, Declared)> {
    let mut found = Vec::new();
    let mut known: HashMap<Location, Vec<Declared>> = HashMap::new();
    for &(_, vertex) in flow.sources.iter().filter(|(source, _)| *source == Source::Initial) {
        let at = flow.step(vertex);
        let Some(variable) = variable(subject, at, notes.get(&at)) else { continue };
        let namesakes = known.entry(variable.location.clone()).or_insert_with(|| namesakes(subject, &variable));
        found.extend(namesakes.iter().map(|namesake| (vertex, namesake.clone())));
        found.push((vertex, variable));
    }
    found
}

/// What a load or a copy reads.
fn variable(subject: &Subject<'_, '_>, at: Step, noted: Option<&Noted>) -> Option<Declared> {
    let function = subject.run.functions.function(at.site.function);
    let (address, position) = match &function.instruction(at.site.instruction).op {
        Op::Load { address, .. } => (address, 0),
        op => (op.call().filter(|call| call.kind == CallKind::Memory)?.arguments.get(1)?, 1),
    };
    let debug = subject.sources.function(at.site.function.module as usize, at.site.function.function);
    let local = match address {
        Operand::Result(_) => debug.and_then(|debug| Some((debug.held_by(address)?, &debug.name))),
        Operand::Parameter(_) | Operand::Constant(_) => None,
    };
    if let Some((local, function)) = local {
        let location = place(declared_line(local.file.as_deref(), local.line)?, function);
        return Some(Declared { name: local.name.clone(), location, is_namesake: false });
    }
    let symbol = subject.sources.symbol(*noted?.operands.get(position)?)?;
    // What a twin of the library keeps for itself is nobody's mistake.
    let owner = symbol.ty.map(|ty| FunctionKey { module: ty.module as u32, function: FunctionId(0) });
    if owner.is_some_and(|owner| subject.run.functions.is_twin(owner)) {
        return None;
    }
    let location = place(symbol.declared?.clone(), "");
    Some(Declared { name: symbol.name.to_owned(), location, is_namesake: false })
}

/// Locals that hide a variable of the whole program.
fn namesakes(subject: &Subject<'_, '_>, variable: &Declared) -> Vec<Declared> {
    let mut found = Vec::new();
    let is_global = variable.location.function.is_empty();
    for module in (0..subject.sources.module_count()).filter(|_| is_global) {
        for function in &subject.sources.debug(module).functions {
            let same = function.variables.iter().filter(|local| local.name == variable.name);
            let lines = same.filter_map(|local| declared_line(local.file.as_deref(), local.line));
            let places = lines.map(|line| place(line, &function.name));
            let places = places.filter(|place| place.file == variable.location.file);
            found.extend(places.map(|location| Declared { location, is_namesake: true, ..variable.clone() }));
        }
    }
    found
}

fn place(line: Line, function: &str) -> Location {
    Location { file: shown_path(&line.file), line: line.line, column: 0, function: function.to_owned() }
}
