//! Variable arguments: symbols in registers and on the stack that a list of variable arguments leads to.

use execution::Area;
use execution::dependence::variable::places;
use program::{Op, Site};
use replay::Observed;

use super::Shadow;
use super::frames::{Content, Variable};
use super::registers::Held;
use super::step::number;

/// Lists of variable arguments that were made: where each is, and what symbolic arguments it leads to.
#[derive(Default)]
pub(super) struct Lists {
    all: Vec<List>,
}

struct List {
    address: u64,
    arguments: Vec<Variable>,
    /// Areas of which it is known where they are, so that the arguments are in memory.
    found: Vec<Area>,
}

/// More are forgotten: nobody says when a list is no longer used.
const MOST: usize = 64;

impl Lists {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    fn add(&mut self, list: List) {
        self.all.retain(|known| known.address != list.address);
        if self.all.len() == MOST {
            self.all.remove(0);
        }
        self.all.push(list);
    }

    /// Lists in this memory have copies elsewhere.
    pub fn copied(&mut self, to: u64, from: u64, length: u64) {
        let copies: Vec<List> = self
            .all
            .iter()
            .filter(|list| list.address.wrapping_sub(from) < length)
            .map(|list| List {
                address: list.address.wrapping_sub(from).wrapping_add(to),
                arguments: list.arguments.clone(),
                found: list.found.clone(),
            })
            .collect();
        copies.into_iter().for_each(|copy| self.add(copy));
    }
}

impl Shadow<'_> {
    /// A function with variable arguments begins: what of them is symbolic is kept until it makes a list of them.
    pub(super) fn hand_over_variable(&mut self, caller: Site, held: &[Option<Held>], words: &[u64], named: usize) {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &self.functions.instruction(caller).op else { return };
        let mut variable = Vec::new();
        for place in places(call, named) {
            let what = if place.is_copy {
                let from = words.get(place.argument).copied().unwrap_or(0);
                let cells: Vec<_> = (0..place.length).map(|at| self.memory.get(from.wrapping_add(at))).collect();
                cells.iter().any(Option::is_some).then_some(Content::Cells(cells))
            } else {
                match held.get(place.argument) {
                    Some(Some(Held::Term(term))) => Some(Content::Term(*term)),
                    Some(Some(Held::Bytes(cells))) => Some(Content::Cells(cells.to_vec())),
                    Some(None) | None => None,
                }
            };
            variable.extend(what.map(|what| Variable { area: place.area, offset: place.offset, what }));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.variable = variable;
        }
    }

    /// `va_start`.
    pub(super) fn start_list(&mut self, step: &Observed<'_>) {
        let Op::Call(call) = &step.instruction().op else { return };
        let Some(address) = call.arguments.first().map(|a| number(step.operand(a)) as u64) else { return };
        self.memory.clear(address, execution::LIST);
        let arguments = self.frames.last().map_or_else(Vec::new, |frame| frame.variable.clone());
        self.lists.all.retain(|list| list.address != address);
        if !arguments.is_empty() {
            self.lists.add(List { address, arguments, found: Vec::new() });
        }
    }

    /// `va_copy`.
    pub(super) fn copy_list(&mut self, step: &Observed<'_>) {
        let Op::Call(call) = &step.instruction().op else { return };
        let [to, from, ..] = &call.arguments[..] else { return };
        let (to, from) = (number(step.operand(to)) as u64, number(step.operand(from)) as u64);
        self.lists.copied(to, from, 1);
    }

    /// A load from a list tells where one of its areas is; from now on the arguments are there.
    pub(super) fn load_area(&mut self, step: &Observed<'_>, area: Area) {
        let Op::Load { address, .. } = &step.instruction().op else { return };
        let field = number(step.operand(address)) as u64;
        let base = number(step.result()) as u64;
        let address = field.wrapping_sub(match area {
            Area::Registers => 16,
            Area::Stack => 8,
        });
        let Some(list) = self.lists.all.iter_mut().find(|list| list.address == address && !list.found.contains(&area))
        else {
            return self.load(step, 8);
        };
        list.found.push(area);
        let here: Vec<Variable> = list.arguments.iter().filter(|argument| argument.area == area).cloned().collect();
        for Variable { offset, what, .. } in here {
            let at = base.wrapping_add(offset);
            match what {
                Content::Term(term) => {
                    let bytes = self.domain.width(term).div_ceil(8);
                    self.put(at, bytes.into(), Some(Held::Term(term)));
                }
                Content::Cells(cells) => {
                    for (cell, at) in cells.into_iter().zip(at..) {
                        self.memory.set(at, cell);
                    }
                }
            }
        }
    }
}
