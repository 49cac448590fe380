//! The program dependence graph of a faulty version, by lines, and how much of it is read until a fault is found: the score
//! of Renieris and Reiss, as Wang and Roychoudhury use it (*Automated Path Generation for Software Fault Localization*, §5.2).
//!
//! Vertices are lines with code. There is an edge from a line to each that may use what it computes, decides or passes on:
//! through registers, through memory as far as places may overlap, from conditions to what hangs on them, from calls to
//! the functions they may enter and back. CodeSurfer, which the paper used, has statements where we have lines.

use std::collections::{BTreeSet, HashMap, VecDeque};

use anyhow::Result;
use program::potential::{Place, Potential};
use program::{Call, Callee, FunctionKey, InstructionId, Linkage, Module, Op, Operand};
use serde::{Deserialize, Serialize};

use crate::failing_run::FailingRun;

#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub struct DependenceGraph {
    pub lines: BTreeSet<u32>,
    /// From what is used to its user.
    pub edges: BTreeSet<(u32, u32)>,
}

impl DependenceGraph {
    /// 1 − |DS*| / |PDG|: the part of the program that need not be read by somebody who begins at the blamed lines and goes
    /// along dependences, all that are as near at a time, until one of the faulty lines has been read.
    pub fn score(&self, blamed: &[u32], faulty: &[u32]) -> f64 {
        let blamed: Vec<u32> = blamed.iter().copied().filter(|line| self.lines.contains(line)).collect();
        let distance = self.distances(&blamed);
        let Some(radius) = faulty.iter().filter_map(|line| distance.get(line)).min() else { return 0.0 };
        let read = distance.values().filter(|distance| *distance <= radius).count();
        1.0 - read as f64 / self.lines.len() as f64
    }

    /// Edges between a blamed line and the nearest faulty one.
    pub fn distance(&self, blamed: u32, faulty: &[u32]) -> Option<u32> {
        let distances = self.distances(&[blamed]);
        faulty.iter().filter_map(|line| distances.get(line)).min().copied()
    }

    /// How many edges each line is from a blamed one, along them or against them but not in turn.
    fn distances(&self, blamed: &[u32]) -> HashMap<u32, u32> {
        let mut onwards: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut backwards: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(from, to) in &self.edges {
            onwards.entry(from).or_default().push(to);
            backwards.entry(to).or_default().push(from);
        }
        let mut nearest: HashMap<u32, u32> = HashMap::new();
        for next in [onwards, backwards] {
            let mut known: HashMap<u32, u32> = blamed.iter().map(|line| (*line, 0)).collect();
            let mut open: VecDeque<u32> = blamed.iter().copied().collect();
            while let Some(line) = open.pop_front() {
                let distance = known[&line] + 1;
                for &other in next.get(&line).into_iter().flatten() {
                    known.entry(other).or_insert_with(|| {
                        open.push_back(other);
                        distance
                    });
                }
            }
            for (line, distance) in known {
                let so_far = nearest.entry(line).or_insert(distance);
                *so_far = distance.min(*so_far);
            }
        }
        nearest
    }
}

/// The graph of the program that failed.
pub fn dependence_graph(failing: &FailingRun<'_, '_>) -> Result<DependenceGraph> {
    let potential = failing.run.potential()?;
    let image = failing.run.image();
    let mut builder = Builder { failing, potential, graph: DependenceGraph::default(), stores: Vec::new() };
    let modules = (0..image.recording.modules().len()).map(|module| image.module(module).map(|known| &**known));
    let modules = modules.collect::<Result<Vec<&Module>, _>>()?;
    let ours: Vec<(u32, &Module)> = (0..).zip(modules).filter(|(_, module)| !module.has_twins()).collect();
    let mut functions = Vec::new();
    for &(position, module) in &ours {
        let inside = module.functions.iter().filter(|function| function.linkage != Linkage::Outside);
        functions.extend(inside.map(|function| (module, FunctionKey { module: position, function: function.id })));
    }
    for &(module, key) in &functions {
        builder.collect_stores(module, key);
    }
    for &(module, key) in &functions {
        builder.add_function(module, key);
    }
    Ok(builder.graph)
}

struct Builder<'a, 'r> {
    failing: &'a FailingRun<'a, 'r>,
    potential: Potential<'r>,
    graph: DependenceGraph,
    /// Everything that writes memory itself, with its line.
    stores: Vec<(FunctionKey, Vec<Place>, u32)>,
}

impl Builder<'_, '_> {
    fn line(&self, module: &Module, key: FunctionKey, instruction: InstructionId) -> Option<u32> {
        let location = self.potential.function(key).instruction(instruction).location?;
        let line = source::lines::line_of(module, location)?;
        self.failing.is_ours(&line.file).then_some(line.line)
    }

    /// The line a function begins at, which stands for its parameters.
    fn head(&self, module: &Module, key: FunctionKey) -> Option<u32> {
        let line = source::lines::line_of(module, self.potential.function(key).location?)?;
        self.failing.is_ours(&line.file).then_some(line.line)
    }

    fn edge(&mut self, from: Option<u32>, to: Option<u32>) {
        self.graph.lines.extend(from.into_iter().chain(to));
        if let (Some(from), Some(to)) = (from, to)
            && from != to
        {
            self.graph.edges.insert((from, to));
        }
    }

    fn collect_stores(&mut self, module: &Module, key: FunctionKey) {
        let function = self.potential.function(key);
        for (id, instruction) in (0..).map(InstructionId).zip(&function.instructions) {
            // What a call of a function with a body writes, the stores in it write.
            let enters = instruction.op.call().is_some_and(|call| !self.entered(call, module).is_empty());
            let places = if enters { Vec::new() } else { self.potential.may_define(key, id) };
            if let Some(line) = self.line(module, key, id).filter(|_| !places.is_empty()) {
                self.stores.push((key, places, line));
            }
        }
    }

    /// The functions with a body that a call may enter. A subject is one module.
    fn entered(&self, call: &Call, module: &Module) -> Vec<program::FunctionId> {
        let inside = |id: &program::FunctionId| module.function(*id).linkage != Linkage::Outside;
        match &call.callee {
            Callee::Function(id) => Some(*id).filter(inside).into_iter().collect(),
            Callee::Pointer(_) | Callee::Symbol(_) => {
                let of_type = module.functions.iter().filter(|function| function.type_hash == call.type_hash);
                of_type.map(|function| function.id).filter(inside).collect()
            }
            Callee::Assembly => Vec::new(),
        }
    }

    fn add_function(&mut self, module: &Module, key: FunctionKey) {
        let function = self.potential.function(key);
        let shape = program::Shape::of(function);
        let head = self.head(module, key);
        for (id, instruction) in (0..).map(InstructionId).zip(&function.instructions) {
            let here = self.line(module, key, id);
            self.edge(None, here);
            let deciders = shape.control.parents(shape.block_of(id));
            for edge in deciders {
                let decides = InstructionId(function.block(edge.from).end.0 - 1);
                self.edge(self.line(module, key, decides), here);
            }
            if deciders.is_empty() {
                self.edge(head, here);
            }
            let mut used = Vec::new();
            instruction.op.for_each_operand(|operand| match operand {
                Operand::Result(of) => used.push(Some(*of)),
                Operand::Parameter(_) => used.push(None),
                Operand::Constant(_) => {}
            });
            for of in used {
                let from = of.map_or(head, |of| self.line(module, key, of));
                self.edge(from, here);
            }
            match &instruction.op {
                Op::Load { address, .. } => self.add_load(key, address, instruction.ty.store_size(), id, here, module),
                Op::Call(call) | Op::Invoke { call, .. } => {
                    for callee in self.entered(call, module) {
                        let callee = FunctionKey { module: key.module, function: callee };
                        self.edge(here, self.head(module, callee));
                        self.add_returns(module, callee, here);
                    }
                    // Outside code reads what its arguments point to.
                    if self.entered(call, module).is_empty() {
                        for argument in &call.arguments {
                            self.add_reading_call(key, argument, id, here, module);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn add_returns(&mut self, module: &Module, callee: FunctionKey, caller: Option<u32>) {
        let function = self.potential.function(callee);
        for (id, instruction) in (0..).map(InstructionId).zip(&function.instructions) {
            if matches!(instruction.op, Op::Return { .. }) {
                self.edge(self.line(module, callee, id), caller);
            }
        }
    }

    fn add_load(
        &mut self,
        key: FunctionKey,
        address: &Operand,
        size: u64,
        at: InstructionId,
        here: Option<u32>,
        module: &Module,
    ) {
        let places = self.potential.places(key, address, Some(size));
        self.add_reads(key, &places, at, here, module);
    }

    /// What a pointer given to outside code points to.
    fn add_reading_call(
        &mut self,
        key: FunctionKey,
        argument: &Operand,
        at: InstructionId,
        here: Option<u32>,
        module: &Module,
    ) {
        let places = self.potential.places(key, argument, None);
        // An argument that is no pointer may be anything to the analysis, and reads nothing.
        if !places.contains(&Place::UNKNOWN) {
            self.add_reads(key, &places, at, here, module);
        }
    }

    fn add_reads(&mut self, key: FunctionKey, places: &[Place], at: InstructionId, here: Option<u32>, module: &Module) {
        let reaching = self.potential.reaching_definitions(key, at, places);
        let mut lines: Vec<u32> =
            reaching.definitions.iter().filter_map(|definition| self.line(module, key, *definition)).collect();
        // What came from before the call, or through one, may have been written by any other function.
        for (writer, written, line) in &self.stores {
            let overlaps = || written.iter().any(|a| places.iter().any(|b| self.potential.may_overlap(a, b)));
            if *writer != key && overlaps() {
                lines.push(*line);
            }
        }
        for line in lines {
            self.edge(Some(line), here);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use testkit::Tools;

    use super::*;
    use crate::failing_run::with_failing_run;
    use crate::technique::{Expected, Question};

    const PROGRAM: &str = "#include <stdio.h>
int twice(int x)
{
    return x + x;
}
int main(void)
{
    int a = 3;
    int b = 0;
    if (a > 2)
        b = twice(a);
    printf(\"%d\\n\", b);
    return 1;
}
";

    #[test]
    fn lines_depend_on_what_they_use_and_hang_on() {
        let tools = Tools::find().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let [source, program, expected] = ["p.c", "p", "expected"].map(|name| folder.path().join(name));
        std::fs::write(&source, PROGRAM).unwrap();
        std::fs::write(&expected, "7\n").unwrap();
        let made = Command::new(&tools.cc).arg("-g").arg(&source).arg("-o").arg(&program).status().unwrap();
        assert!(made.success());
        let question = Question {
            program: &program,
            args: &[],
            stdin: None,
            dir: None,
            expected: Some(Expected { output: &expected, status: 0 }),
            suite: None,
            right: None,
            timeout: 10,
            budget: 10,
        };
        let graph = with_failing_run(&tools, &question, "p.c", dependence_graph).unwrap();
        assert_eq!(graph.lines, BTreeSet::from([2, 4, 6, 8, 9, 10, 11, 12, 13]));
        for edge in [(8, 10), (8, 11), (10, 11), (11, 2), (2, 4), (4, 11), (9, 12), (11, 12), (6, 8), (6, 10)] {
            assert!(graph.edges.contains(&edge), "{edge:?} in {:?}", graph.edges);
        }
        for edge in [(8, 9), (9, 10), (8, 12), (10, 12), (12, 13), (6, 11), (9, 11)] {
            assert!(!graph.edges.contains(&edge), "{edge:?} in {:?}", graph.edges);
        }
    }

    fn chain(length: u32) -> DependenceGraph {
        DependenceGraph { lines: (1..=length).collect(), edges: (1..length).map(|line| (line, line + 1)).collect() }
    }

    #[test]
    fn what_is_not_read_counts() {
        let graph = chain(10);
        assert_eq!(graph.score(&[4], &[4]), 0.9);
        // Lines 2 to 6.
        assert_eq!(graph.score(&[4], &[2]), 0.5);
        // Both blamed lines and what is next to each.
        assert!((graph.score(&[4, 9], &[5]) - 0.4).abs() < 1e-9);
    }

    #[test]
    fn an_empty_report_and_an_unreachable_fault_count_nothing() {
        let mut graph = chain(10);
        graph.lines.insert(20);
        assert_eq!(graph.score(&[], &[4]), 0.0);
        assert_eq!(graph.score(&[4], &[20]), 0.0);
        assert_eq!(graph.score(&[99], &[4]), 0.0);
    }

    #[test]
    fn siblings_are_not_on_a_directed_way() {
        let graph = DependenceGraph { lines: [1, 2, 3].into(), edges: [(1, 2), (1, 3)].into() };
        assert_eq!(graph.score(&[2], &[3]), 0.0);
    }
}
