//! The graph that is cut: what the failure depends on, with summary control dependences.

use execution::dependence::whole::{WholeBuilder, WholeGraph};
use execution::dependence::{Follow, Walk};
use execution::slice::{Reach, Request};
use findings::Limit;
use fixedbitset::FixedBitSet;
use graph::{Domain, VertexId};
use program::Op;
use replay::Step;

use super::Procedures;
use super::unwritten::unwritten;
use subject::notebook::spent;
use subject::{Subject, TechniqueError};

/// Steps of the graph, at most: the latest.
const MOST_STEPS: usize = 10_000_000;

pub struct States {
    pub whole: WholeGraph,
    /// Vertices whose values an experiment can change.
    pub narrow: FixedBitSet,
    /// Steps of the program's own code.
    pub own: FixedBitSet,
    pub limits: Vec<Limit>,
}

impl States {
    pub fn of(subject: &Subject<'_, '_>, procedures: Procedures) -> Result<States, TechniqueError> {
        let (run, question) = (subject.run, subject.question);
        let budget = subject.preparation();
        let mut limits = Vec::new();
        let follow = match (subject.potential()?, procedures) {
            (Some(potential), Procedures::Inside) => Follow::Summary(potential),
            (Some(potential), Procedures::Between) => Follow::Relevant(potential),
            (None, _) => {
                limits.push(Limit::NoPotential { spent: Some(spent(subject.budget)) });
                Follow::DataAndControl
            }
        };
        let walk = Walk::new(&run.functions, follow, WholeBuilder::new(MOST_STEPS));
        // A choice that the failure stands at may be wrong itself.
        let choice = question.criterion.step(run).filter(|at| is_choice(subject, *at));
        let root = |builder: &mut WholeBuilder| match choice {
            Some(at) => builder.root_at(at),
            None => builder.root(),
        };
        let reach = question.reach();
        let request = Request::of(&question.criterion).and_choices(unwritten(subject)?).within(reach).budget(&budget);
        let walk = request.walk(run, walk, root)?;
        let is_short = walk.cut.is_some() && (reach == Reach::ALL || budget.is_over());
        let whole = walk.demand.finish(walk.keys);
        if whole.is_cut || is_short {
            limits.push(Limit::LatestSteps { steps: whole.steps() as u64 });
        }
        for function in whole.unknown.keys() {
            limits.push(Limit::UnknownEffects { function: function.as_str().into() });
        }
        limits.sort_by_key(|limit| format!("{limit:?}"));
        let (narrow, own) = (whole.changeable(&run.functions), whole.own(&run.functions));
        Ok(States { whole, narrow, own, limits })
    }

    /// Everything up to the failure.
    pub fn domain(&self) -> Domain {
        Domain::whole(&self.whole.graph, VertexId(0))
    }

    pub fn step(&self, vertex: VertexId) -> Option<Step> {
        self.whole.step(vertex)
    }

    /// How many steps of the program's own lie on the shortest way from each vertex to one of these, itself included.
    pub fn distances(&self, to: &[VertexId]) -> Vec<u32> {
        let mut ends = FixedBitSet::with_capacity(self.whole.graph.len());
        to.iter().for_each(|vertex| ends.insert(vertex.index()));
        let mut all = FixedBitSet::with_capacity(self.whole.graph.len());
        all.insert_range(..);
        self.whole.graph.distances(&ends, &all, &self.own)
    }
}

fn is_choice(subject: &Subject<'_, '_>, at: Step) -> bool {
    matches!(subject.run.functions.instruction(at.site).op, Op::Branch { .. } | Op::Switch { .. })
}
