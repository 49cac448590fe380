//! The values of the failing run as a network: what flowed where, and what correct outputs say of it.

use std::collections::{HashMap, HashSet};

use execution::Functions;
use execution::dependence::Kind;
use execution::dependence::flow::{Flow, FlowEdge};
use execution::dependence::graph::VertexId;
use execution::noted::Noted;
use program::{Callee, Op, Operand};
use replay::Step;

use super::alternatives::{Alternatives, Progression, largest};
use super::confidence::{Evidence, Network, Pin, Through, Vertex};
use super::preimage::bits_of;
use crate::outputs::{Part, Writing};

/// Puts together what flowed, the values that were noted of it, and what outputs that are right pin, or somebody's word.
pub fn network<'m>(
    functions: &Functions<'m>,
    flow: &Flow,
    notes: &HashMap<Step, Noted>,
    right: &[Writing],
    benign: &HashSet<Step>,
) -> Network<'m> {
    let by_user = flow.by_user();
    let by_maker = flow.by_maker();
    let mut network = Network::default();
    for vertex in flow.vertices() {
        let at = flow.step(vertex);
        let noted = notes.get(&at);
        let instruction = functions.instruction(at.site);
        let ty = match &instruction.op {
            Op::Store { value_type, .. } | Op::Switch { value_type, .. } => value_type,
            Op::Return { .. } => &functions.function(at.site.function).return_type,
            _ => &instruction.ty,
        };
        let bits = if matches!(instruction.op, Op::Branch { .. }) { Some(1) } else { bits_of(ty) };
        let value = bits.zip(noted.and_then(|noted| noted.result)).map(|(bits, word)| (bits, word & largest(bits)));
        let data = by_maker[vertex.0 as usize].iter().filter(|edge| edge.kind == Kind::Data);
        let users = data.map(|edge| (edge.to.0 as usize, through(functions, flow, notes, &by_user, *edge))).collect();
        let operands = noted.map(|noted| noted.operands.clone()).unwrap_or_default();
        network.vertices.push(Vertex { value, op: Some(&instruction.op), operands, users, pins: Vec::new() });
    }
    let mut number = 0;
    for writing in right {
        pin_shown(functions, flow, &by_user, writing, &mut network, &mut number);
    }
    for vertex in flow.vertices().filter(|vertex| benign.contains(&flow.step(*vertex))) {
        let vertex = &mut network.vertices[vertex.0 as usize];
        let Some((bits, value)) = vertex.value else { continue };
        vertex.pins.push(Pin { allowed: Alternatives::only(bits, value), evidence: Evidence::output(number) });
        number += 1;
    }
    for (number, choice) in led_to(flow, &by_user, right).into_iter().enumerate() {
        pin_choice(functions, flow, choice, Evidence::choice(number), &mut network);
    }
    network
}

/// How the value of an edge is taken by its user.
fn through(
    functions: &Functions<'_>,
    flow: &Flow,
    notes: &HashMap<Step, Noted>,
    by_user: &[Vec<FlowEdge>],
    edge: FlowEdge,
) -> Through {
    let (maker, user) = (flow.step(edge.from), flow.step(edge.to));
    let op = |at: Step| &functions.instruction(at.site).op;
    match op(user) {
        Op::Load { local, .. } => {
            let Op::Store { value_type, local: stored, .. } = op(maker) else { return Through::Opaque };
            let loaded = &functions.instruction(user.site).ty;
            if loaded.store_size() != value_type.store_size() || bits_of(loaded) != bits_of(value_type) {
                return Through::Opaque;
            }
            let is_whole = match (local, stored) {
                (Some(local), Some(stored)) => local == stored,
                (None, None) => {
                    let address = |at: Step, position: usize| notes.get(&at)?.operands.get(position).copied();
                    let is_same = address(user, 0).is_some() && address(user, 0) == address(maker, 1);
                    // Others may have written parts of it since.
                    let stores = by_user[edge.to.0 as usize].iter().filter(|other| {
                        other.kind == Kind::Data && !is_operand(functions, user, flow.step(other.from))
                    });
                    is_same && stores.count() == 1
                }
                _ => false,
            };
            if is_whole { Through::Same } else { Through::Opaque }
        }
        Op::Store { .. } => match positions(functions, user, maker)[..] {
            [0] => Through::Same,
            _ => Through::Opaque,
        },
        Op::Return { .. } | Op::Branch { .. } | Op::Switch { .. } => match positions(functions, user, maker)[..] {
            [_] => Through::Same,
            _ => Through::Opaque,
        },
        // The one that was taken.
        Op::Phi { .. } if maker.depth == user.depth => Through::Same,
        _ => match positions(functions, user, maker)[..] {
            [position] => Through::Operand(position),
            _ => Through::Opaque,
        },
    }
}

/// Whether a step made a register that another one names.
fn is_operand(functions: &Functions<'_>, user: Step, maker: Step) -> bool {
    !positions(functions, user, maker).is_empty()
}

/// Where among the operands of a step what another one made stands: results of the same call, arguments of the caller's,
/// what a function called returned.
fn positions(functions: &Functions<'_>, user: Step, maker: Step) -> Vec<usize> {
    let body = functions.function(user.site.function);
    let mut found = Vec::new();
    let mut position = 0;
    body.instruction(user.site.instruction).op.for_each_operand(|operand| {
        let is_it = match operand {
            Operand::Result(id) if maker.depth == user.depth => {
                maker.site.function == user.site.function && *id == maker.site.instruction
            }
            Operand::Result(id) if maker.depth == user.depth + 1 => {
                let returns = &functions.instruction(maker.site).op;
                let call = body.instruction(*id).op.call();
                matches!(returns, Op::Return { .. })
                    && call.is_some_and(|call| match &call.callee {
                        Callee::Function(callee) => {
                            functions.by_name(user.site.function, *callee) == Some(maker.site.function)
                        }
                        Callee::Symbol(_) | Callee::Pointer(_) | Callee::Assembly => false,
                    })
            }
            Operand::Parameter(_) => maker.depth + 1 == user.depth,
            Operand::Result(_) | Operand::Constant(_) => false,
        };
        if is_it {
            found.push(position);
        }
        position += 1;
    });
    found
}

/// What an output shows can have been nothing else.
fn pin_shown(
    functions: &Functions<'_>,
    flow: &Flow,
    by_user: &[Vec<FlowEdge>],
    writing: &Writing,
    network: &mut Network<'_>,
    number: &mut usize,
) {
    let Some(sink) = flow.vertex(writing.at) else { return };
    let call = functions.instruction(writing.at.site).op.call();
    let Some(call) = call else { return };
    for edge in by_user[sink.0 as usize].iter().filter(|edge| edge.kind == Kind::Data) {
        let maker = flow.step(edge.from);
        let mut parts = Vec::new();
        for &(position, part) in &writing.shown {
            let argument = call.arguments.get(position as usize);
            let is_it = matches!(argument, Some(Operand::Result(id)) if *id == maker.site.instruction)
                && (maker.depth, maker.site.function) == (writing.at.depth, writing.at.site.function);
            parts.extend(is_it.then_some(part));
        }
        let vertex = &mut network.vertices[edge.from.0 as usize];
        let Some((bits, value)) = vertex.value else { continue };
        let op = &functions.instruction(maker.site).op;
        // A byte of memory that is shown.
        if let Op::Store { value_type, .. } = op
            && value_type.store_size() == 1
            && !writing.memory.is_empty()
        {
            parts.push(Part::Whole);
        }
        for part in parts {
            let allowed = match part {
                Part::Whole => Alternatives::only(bits, value),
                Part::Low(low) if low >= bits => Alternatives::only(bits, value),
                Part::Low(low) => {
                    let first = value & largest(low);
                    Alternatives::of(bits, vec![Progression::up_to(first, 1 << low, largest(bits))])
                }
            };
            vertex.pins.push(Pin { allowed, evidence: Evidence::output(*number) });
            *number += 1;
        }
    }
}

/// The choices without which an output that is right would not have been written.
fn led_to(flow: &Flow, by_user: &[Vec<FlowEdge>], right: &[Writing]) -> Vec<VertexId> {
    let mut open: Vec<VertexId> = right.iter().filter_map(|writing| flow.vertex(writing.at)).collect();
    let mut seen: HashSet<VertexId> = open.iter().copied().collect();
    let mut choices = Vec::new();
    while let Some(vertex) = open.pop() {
        for edge in by_user[vertex.0 as usize].iter().filter(|edge| edge.kind == Kind::Control) {
            if seen.insert(edge.from) {
                open.push(edge.from);
                choices.push(edge.from);
            }
        }
    }
    choices.sort_unstable();
    choices
}

/// A choice went the right way.
fn pin_choice(functions: &Functions<'_>, flow: &Flow, choice: VertexId, by: Evidence, network: &mut Network<'_>) {
    let at = flow.step(choice);
    let vertex = &mut network.vertices[choice.0 as usize];
    let Some((bits, value)) = vertex.value else { return };
    let allowed = match &functions.instruction(at.site).op {
        Op::Branch { .. } => Alternatives::only(bits, value),
        Op::Switch { cases, default, .. } => {
            let Some((_, taken)) = cases.iter().find(|(case, _)| *case == value) else { return };
            if taken == default {
                return;
            }
            let same = cases.iter().filter(|(_, to)| to == taken);
            Alternatives::of(bits, same.map(|(case, _)| Progression::single(*case)).collect())
        }
        _ => return,
    };
    vertex.pins.push(Pin { allowed, evidence: by });
}
