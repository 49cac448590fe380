//! What is asked of the whole graph, and its slices.

use std::collections::{BTreeMap, HashSet};

use execution::criterion::Criterion;
use execution::dependence::{Follow, Wish};
use program::{Op, Site};
use replay::Step;

use crate::bytes::Maker;
use crate::relevant::Answers;
use crate::whole_graph::WholeGraph;

/// A step that is asked about.
pub struct Asked {
    at: Step,
    /// It is the last execution of the site at this depth: what it called may have made the clock go on.
    is_end: bool,
    wishes: Vec<Wish>,
    /// Who made the values it wants, and who decided that it executes.
    found: Option<[Vec<Maker>; 2]>,
}

impl Asked {
    /// `end`: the last step of the run.
    pub fn of(criterion: &Criterion, end: Option<Step>) -> Option<Asked> {
        Some(match criterion {
            Criterion::Step { at, wishes, .. } => Asked { at: *at, is_end: false, wishes: wishes.clone(), found: None },
            Criterion::End { wishes } => Asked { at: end?, is_end: true, wishes: wishes.clone(), found: None },
        })
    }

    fn is(&self, at: Step) -> bool {
        self.at == Step { clock: if self.is_end { self.at.clock } else { at.clock }, ..at }
    }
}

impl WholeGraph<'_> {
    /// Notes what is wanted of a step that is about to be added.
    pub fn ask(&mut self, at: Step) {
        for position in 0..self.criteria.len() {
            if !self.criteria[position].is(at) {
                continue;
            }
            let function = self.functions.function(at.site.function);
            let uses = self.functions.uses(at.site.function);
            let frame = self.frames.last().expect("a function");
            let mut makers = [Vec::new(), Vec::new()];
            for wish in &self.criteria[position].wishes {
                match *wish {
                    Wish::Operands => {
                        let used = uses.operands(&uses.instructions[at.site.instruction.index()]);
                        makers[0].extend(used.iter().map(|register| frame.registers[register.0 as usize]));
                    }
                    Wish::Argument(argument) => {
                        if let Op::Call(call) | Op::Invoke { call, .. } = &function.instruction(at.site.instruction).op
                        {
                            makers[0].push(self.operand(function, &call.arguments[argument as usize]));
                        }
                    }
                    Wish::Memory { address, length } => {
                        makers[0].extend((0..length).map(|b| self.memory.get(address.wrapping_add(b)).unlooked.maker));
                    }
                    Wish::Local(local) => makers[0].push(frame.registers[local.index()]),
                    Wish::Execution => makers[1].push(self.reason()),
                    Wish::Result => unreachable!("no criterion of these tests asks for it"),
                }
            }
            self.criteria[position].found = Some(makers);
        }
    }

    /// How often each site is among the steps a criterion, by its position, depends on, and itself.
    pub fn slice(&self, criterion: usize, follow: Follow<'_>) -> Option<BTreeMap<Site, u32>> {
        let Asked { at, found, .. } = self.criteria.get(criterion)?;
        let [values, execution] = found.as_ref()?;
        let mut open = values.clone();
        let follows_control = !matches!(follow, Follow::Data);
        if follows_control {
            open.extend(execution);
        }
        let mut answers = Answers::default();
        let mut seen = HashSet::new();
        let mut steps = HashSet::new();
        while let Some(maker) = open.pop() {
            if maker == 0 || !seen.insert(maker) {
                continue;
            }
            let made = &self.made[maker as usize];
            steps.insert(made.step);
            open.extend(&made.from);
            if follows_control {
                open.push(made.because);
            }
            if let Follow::Relevant(potential) = follow {
                for wait in self.waits.get(&maker).into_iter().flatten() {
                    let branches = answers.branches(self.functions, potential, wait, &self.passed);
                    open.extend(branches.iter().map(|branch| branch.maker));
                }
            }
            if let Follow::Summary(potential) = follow {
                for wait in self.waits.get(&maker).into_iter().flatten() {
                    let branches = answers.summaries(self.functions, potential, wait, &self.passed);
                    open.extend(branches.iter().map(|branch| branch.maker));
                }
            }
        }
        let mut counts = BTreeMap::new();
        for at in steps.into_iter().map(|step| self.steps[step as usize]).chain([*at]) {
            *counts.entry(at.site).or_default() += 1;
        }
        Some(counts)
    }
}
