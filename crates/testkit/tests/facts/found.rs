//! What the libraries find of a run, in the words of facts.

use std::collections::BTreeSet;
use std::path::Path;

use abi::InstructionId;
use anyhow::{Context, Result, bail, ensure};
use execution::criterion::Criterion;
use execution::dependence::graph::Builder;
use execution::dependence::{Follow, Walk, Wish};
use execution::origin::origin;
use execution::slice::{Request, Slice};
use execution::{Run, steps};
use program::{Edge, FunctionKey, Op, Role, role};
use replay::Step;
use source::source_line::{SourceLine, find_line};

use crate::fact::{Fact, Kind, lines_text};

/// Steps of a graph from which origins are read; twins have many for each hop.
const MOST_STEPS: usize = 200_000;
const MOST_HOPS: usize = 1000;

pub struct Looked<'a, 'r> {
    run: &'a Run<'r>,
    file: &'a str,
    text: Vec<&'a str>,
    slice: Option<Slice>,
}

impl<'a, 'r> Looked<'a, 'r> {
    pub fn new(run: &'a Run<'r>, source: &'a Path, text: &'a str, facts: &[Fact]) -> Result<Looked<'a, 'r>> {
        let file = source.to_str().context("the path is text")?;
        let mut looked = Looked { run, file, text: text.lines().collect(), slice: None };
        let mut criteria = Vec::new();
        for fact in facts {
            if let (Kind::Criterion, asked) = fact.parts()? {
                criteria.push(asked);
            }
        }
        ensure!(criteria.len() <= 1, "several criteria");
        if let Some(asked) = criteria.first() {
            let criterion = looked.criterion(asked).with_context(|| format!("criterion: {asked}"))?;
            looked.slice = Some(Request::of(&criterion).slice(run, Follow::DataAndControl, 0)?);
        }
        Ok(looked)
    }

    /// What is so, stated as the fact states it.
    pub fn fact(&self, fact: &Fact) -> Result<String> {
        Ok(match fact.parts()?.0 {
            Kind::Criterion => fact.stated.clone(),
            Kind::Controls => lines_text("controls", self.controlled(fact.line)?),
            Kind::Slice if self.is_in_slice(fact.line)? => "in slice".into(),
            Kind::Slice => "not in slice".into(),
            Kind::Origin => lines_text("origin", self.origin(fact.line)?),
        })
    }

    fn criterion(&self, asked: &str) -> Result<Criterion> {
        let question = match asked.split_once(' ') {
            Some(("line", line)) => return self.last_effect(line.parse()?).map(of_step),
            Some(("output", byte)) => {
                let byte: u64 = byte.parse()?;
                failure::output_byte(self.run, byte.checked_sub(1).context("bytes are counted from 1")?)?
            }
            // Whatever was written, one byte more was expected.
            Some(("missing", "output")) => failure::wrong_output(self.run, b"", b"?")?,
            _ if asked == "failure" => failure::by_itself(self.run)?,
            _ => bail!("this is none"),
        };
        Ok(question.criterion)
    }

    fn line(&self, line: u32) -> Result<SourceLine> {
        Ok(find_line(self.run.image(), self.file, line)?)
    }

    /// The last step on a line that assigned, decided, called or returned.
    fn last_effect(&self, line: u32) -> Result<Step> {
        let line = self.line(line)?;
        let is_meant = |step: &replay::Observed<'_>| {
            let instruction = step.instruction();
            role(&instruction.op, &instruction.ty) == Role::Effect
                && line.functions.iter().any(|part| {
                    (part.module, part.function) == (step.module_position(), step.function().id)
                        && part.sites.binary_search(&step.id()).is_ok()
                })
        };
        steps::last(self.run, is_meant)?.context("nothing with an effect was executed")
    }

    fn is_in_slice(&self, line: u32) -> Result<bool> {
        let slice = self.slice.as_ref().context("the program names no criterion")?;
        Ok(self.line(line)?.functions.iter().any(|part| {
            let key = FunctionKey { module: part.module as u32, function: part.function };
            part.sites.iter().any(|&site| slice.contains(key, site))
        }))
    }

    fn controlled(&self, line: u32) -> Result<BTreeSet<u32>> {
        let mut lines = BTreeSet::new();
        let mut is_predicate = false;
        for part in self.line(line)?.functions {
            let key = FunctionKey { module: part.module as u32, function: part.function };
            let (function, shape) = (self.run.functions.function(key), self.run.functions.shape(key));
            for &site in &part.sites {
                let from = shape.block_of(site);
                if function.block(from).end.0 != site.0 + 1 || !shape.cfg.branches(from) {
                    continue;
                }
                is_predicate = true;
                for &to in shape.cfg.successors(from) {
                    for &block in shape.control.controlled_by(Edge { from, to }) {
                        let block = function.block(block);
                        let ids = (block.first.0..block.end.0).map(InstructionId);
                        lines.extend(ids.filter_map(|id| self.line_of(key, id)));
                    }
                }
            }
        }
        ensure!(is_predicate, "there is no branch on this line");
        Ok(lines)
    }

    fn origin(&self, line: u32) -> Result<BTreeSet<u32>> {
        let at = self.last_effect(line)?;
        let walk =
            Walk::new(&self.run.functions, Follow::DataAndControl, Builder::new(&self.run.functions, MOST_STEPS));
        let graph = Request::of(&of_step(at)).walk(self.run, walk, |builder| builder.root(at))?.demand.graph;
        let hops = origin(&self.run.functions, &graph, MOST_HOPS);
        let first = hops.first().context("the step is not in the graph")?;
        ensure!(!first.is_cut, "the step used more than was looked at");
        let from = first.from.iter().map(|&(position, _)| hops[position].step);
        Ok(from.filter_map(|step| self.line_of(step.site.function, step.site.instruction)).collect())
    }

    /// The line of the program's own file an instruction stands on. The jump at the end of a body, which clang puts at
    /// the closing brace, is none that anybody wrote.
    fn line_of(&self, key: FunctionKey, id: InstructionId) -> Option<u32> {
        let instruction = self.run.functions.function(key).instruction(id);
        let location = instruction.location.filter(|location| location.line != 0)?;
        let module = self.run.functions.module(key).ok()?;
        let file = module.files.get(location.file as usize)?;
        if !self.file.ends_with(file.name.rsplit('/').next()?) {
            return None;
        }
        let written = self.text.get(location.line as usize - 1)?.as_bytes();
        let is_brace = written.get((location.column as usize).wrapping_sub(1)) == Some(&b'}');
        (!is_brace || !matches!(instruction.op, Op::Jump { .. })).then_some(location.line)
    }
}

fn of_step(at: Step) -> Criterion {
    Criterion::of_step(at, vec![Wish::Operands, Wish::Execution])
}
