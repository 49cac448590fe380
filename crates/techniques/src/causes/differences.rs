//! The differences behind the failure, as the computation of the path sees them: steps that can be given the value they
//! have in the other run, and what is between them.
//!
//! Left is the reference, right the failing run.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use comparison::{
    Behind, Cause, CauseId, Causes, Ignored, InitialValue, Name, Order, Pair, Side, Sides, executions, survey,
};
use execution::dependence::Kind;
use execution::noted::{Noted, note};
use program::Op;
use replay::Step;

use super::caller::caller;
use super::decided::add_reasons;
use super::definition::{feeds_address, stores_indirectly};
use super::edits::Edits;
use subject::TechniqueError;

/// Differences looked at; of more, the latest.
const MOST: usize = 50_000;

/// All that differs between two runs and stands behind the failure.
pub struct Differences<'a, 'r> {
    pub pair: Pair<'a, 'r>,
    pub order: Order,
    /// What is to be explained.
    pub subject: comparison::Subject,
    pub causes: Causes,
    /// The executions of each.
    executions: Vec<Sides<Option<Step>>>,
    behind: Vec<Vec<Behind>>,
    /// What each of those that can be set was set to, in both runs.
    values: HashMap<CauseId, Sides<u64>>,
    edits: Edits,
}

/// Where a difference comes from.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sources {
    /// The nearest differences before it that can be set, in the order of execution.
    pub all: Vec<CauseId>,
    /// Others that nothing differs behind, as bytes from outside.
    pub ends: Vec<CauseId>,
    /// Others that only one version has, or that the versions have in different words.
    pub edited: Vec<CauseId>,
    /// Both runs made the value here from the same variables (the paper's rule *Definition*).
    pub is_definition: bool,
}

impl<'a, 'r> Differences<'a, 'r> {
    /// Compares a reference (left) with the failing run (right). `None` if nothing differs that could be asked about.
    /// `edited`: a step of the place that computes something else in the reference.
    pub fn of(pair: Pair<'a, 'r>, edited: Option<Step>) -> Result<Option<Differences<'a, 'r>>, TechniqueError> {
        let order = survey(&pair, &Sides::<Ignored>::default())?.order;
        let Some(subject) = comparison::subject(&pair, &order)? else { return Ok(None) };
        if subject.criteria.left.is_none() && subject.criteria.right.is_none() {
            return Ok(None);
        }
        let mut causes = comparison::causes(&pair, &order, &subject.criteria, MOST)?;
        let edits = pair.map.map(Edits::of).or(edited.map(Edits::at)).unwrap_or_default();
        add_reasons(&pair, &order, &subject, &edits, &mut causes)?;
        let mut behind = vec![Vec::new(); causes.all.len()];
        for edge in &causes.edges {
            behind[edge.to.0 as usize].push(*edge);
        }
        let executions = executions_of(&pair, &order, &causes)?;
        let values = HashMap::new();
        let mut found = Differences { pair, order, subject, causes, executions, behind, values, edits };
        found.values = found.read_values()?;
        Ok(Some(found))
    }

    /// A step of one of the runs; of the failing one, if both have it.
    pub fn step(&self, id: CauseId) -> Option<(Side, Step)> {
        let Sides { left, right } = self.executions[id.0 as usize];
        right.map(|at| (Side::Right, at)).or(left.map(|at| (Side::Left, at)))
    }

    pub fn execution(&self, id: CauseId, side: Side) -> Option<Step> {
        *self.executions[id.0 as usize].of(side)
    }

    /// Its name among the statements of both runs; `None` for the subject, and for what variables begin with.
    pub fn name(&self, id: CauseId) -> Option<Name> {
        match self.causes.all[id.0 as usize] {
            Cause::Subject | Cause::Initial(_) => None,
            Cause::Statement(name) => Some(name),
        }
    }

    /// What differences are sorted by: first what variables begin with, the subject last.
    pub fn key(&self, id: CauseId) -> (u64, u8, u64) {
        match self.causes.all[id.0 as usize] {
            Cause::Initial(position) => (0, 0, position.into()),
            Cause::Statement(name) => {
                let (shared, side, ordinal) = self.order.key(name);
                (shared + 1, side, ordinal)
            }
            Cause::Subject => (u64::MAX, u8::MAX, u64::MAX),
        }
    }

    /// A place in a variable that the versions begin with different contents in, if it is that.
    pub fn initial(&self, id: CauseId) -> Option<&InitialValue> {
        match self.causes.all[id.0 as usize] {
            Cause::Initial(position) => self.causes.initial.all.get(position as usize),
            Cause::Statement(_) | Cause::Subject => None,
        }
    }

    /// A step that it is directly behind.
    pub fn reader(&self, id: CauseId) -> Option<CauseId> {
        self.causes.edges.iter().find(|edge| edge.from == id).map(|edge| edge.to)
    }

    /// The values of a step that can be set.
    pub fn values(&self, id: CauseId) -> Option<Sides<u64>> {
        self.values.get(&id).copied()
    }

    pub fn can_be_set(&self, id: CauseId) -> bool {
        self.values.contains_key(&id)
    }

    /// Whether the versions have this statement in different words, or the call that it is told by.
    pub fn is_changed(&self, id: CauseId) -> Result<bool, TechniqueError> {
        if self.pair.map.is_none() {
            return Ok(false);
        }
        Ok(self.says_otherwise(id)
            || matches!(caller(self, id)?, Some((Side::Right, call)) if self.edits.is_changed(call)))
    }

    /// Whether the reference computes something else here.
    pub fn is_edited(&self, id: CauseId) -> bool {
        self.execution(id, Side::Right).is_some_and(|at| self.edits.is_edited(at))
    }

    fn says_otherwise(&self, id: CauseId) -> bool {
        self.execution(id, Side::Right).is_some_and(|at| self.edits.is_changed(at))
    }

    /// Whether only one of the versions has this statement.
    pub fn is_of_one_version(&self, id: CauseId) -> bool {
        self.step(id).is_some_and(|(side, at)| self.edits.is_of_one_version(side, at))
    }

    /// The nearest differences before one, through all that cannot be set.
    pub fn sources(&self, of: CauseId) -> Sources {
        let (mut all, mut ends, mut edited) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut is_definition = self.can_be_set(of) && !self.says_otherwise(of);
        let mut seen = HashSet::new();
        let mut open: Vec<(CauseId, &Behind)> = self.behind[of.0 as usize].iter().map(|edge| (of, edge)).collect();
        while let Some((to, edge)) = open.pop() {
            let from = edge.from;
            is_definition &= to == of && self.is_value(edge);
            if !seen.insert(from) {
                continue;
            }
            if self.can_be_set(from) {
                all.insert(self.key(from), from);
                continue;
            }
            let before = &self.behind[from.0 as usize];
            // An outside call that both made alike brought the same: they have the same input.
            let is_different = self.name(from).is_some_and(|name| self.order.is_different(name));
            if self.initial(from).is_some()
                || self.is_of_one_version(from)
                || (is_different && self.says_otherwise(from))
            {
                edited.insert(self.key(from), from);
            } else if is_different && before.is_empty() {
                ends.insert(self.key(from), from);
            }
            open.extend(before.iter().map(|edge| (from, edge)));
        }
        // A step may depend on itself through others, as far as the executions of one run tell.
        all.remove(&self.key(of));
        let mut ends: Vec<CauseId> = ends.into_values().collect();
        // Why only one run did something should be known: an edit is a better reason than none, and what the failing run
        // does a better one than what it does not.
        let is_done = |id: &CauseId| self.execution(*id, Side::Right).is_some();
        if !edited.is_empty() {
            ends.retain(|id| matches!(self.name(*id), Some(Name::Shared(_))));
        } else if ends.iter().any(is_done) {
            ends.retain(is_done);
        }
        Sources { all: all.into_values().collect(), ends, edited: edited.into_values().collect(), is_definition }
    }

    /// Whether both runs took a variable's value, rather than its choice of a place, or through other steps.
    fn is_value(&self, edge: &Behind) -> bool {
        let (Some((side, from)), Some((other, to))) = (self.step(edge.from), self.step(edge.to)) else { return false };
        edge.kind == Kind::Data
            && side == other
            && self.can_be_set(edge.from)
            && self.causes.is_in_both(edge)
            && !feeds_address(&self.pair.runs.of(side).functions, from, to)
    }

    /// Whether this is a statement of both runs that stores a number or a pointer, or chooses, in code of the program.
    fn is_settable(&self, id: CauseId) -> bool {
        let Sides { left: Some(left), right: Some(right) } = self.executions[id.0 as usize] else { return false };
        let op = |side: Side, at: Step| {
            let functions = &self.pair.runs.of(side).functions;
            (!functions.is_twin(at.site.function)).then(|| &functions.instruction(at.site).op)
        };
        match (op(Side::Left, left), op(Side::Right, right)) {
            (Some(Op::Store { value_type: a, .. }), Some(Op::Store { value_type: b, .. })) => a == b && a.is_scalar64(),
            (Some(Op::Branch { .. }), Some(Op::Branch { .. })) => true,
            (Some(Op::Switch { .. }), Some(Op::Switch { .. })) => true,
            _ => false,
        }
    }

    /// Whether this stores through a pointer or an index.
    fn is_indirect(&self, id: CauseId) -> bool {
        self.execution(id, Side::Right).is_some_and(|at| stores_indirectly(&self.pair.runs.right.functions, at))
    }

    fn read_values(&self) -> Result<HashMap<CauseId, Sides<u64>>, TechniqueError> {
        let ids = (1..self.causes.all.len() as u32).map(CauseId);
        let ids: Vec<CauseId> = ids.filter(|id| self.is_settable(*id)).collect();
        let noted = |side: Side| -> Result<HashMap<Step, Noted>, TechniqueError> {
            let steps = ids.iter().filter_map(|id| self.execution(*id, side)).collect();
            Ok(note(self.pair.runs.of(side), &steps)?)
        };
        let (left, right) = (noted(Side::Left)?, noted(Side::Right)?);
        let both = |id: &CauseId| {
            let left = left.get(&self.execution(*id, Side::Left)?)?;
            let right = right.get(&self.execution(*id, Side::Right)?)?;
            let values = Sides { left: left.result?, right: right.result? };
            // What is stored elsewhere cannot be put right by another value.
            let is_moved = match self.pair.map {
                None => left.operands.get(1) != right.operands.get(1),
                Some(_) => values.left == values.right,
            };
            (!is_moved || !self.is_indirect(*id)).then_some((*id, values))
        };
        Ok(ids.iter().filter_map(both).collect())
    }
}

fn executions_of(
    pair: &Pair<'_, '_>,
    order: &Order,
    causes: &Causes,
) -> Result<Vec<Sides<Option<Step>>>, TechniqueError> {
    let named = |cause: &Cause| match cause {
        Cause::Subject | Cause::Initial(_) => None,
        Cause::Statement(name) => Some(*name),
    };
    let names: BTreeSet<Name> = causes.all.iter().filter_map(named).collect();
    let found = executions(pair, order, &names.into_iter().collect::<Vec<_>>())?;
    Ok(causes
        .all
        .iter()
        .map(|cause| named(cause).and_then(|name| found.get(&name).copied()).unwrap_or_default())
        .collect())
}
