//! What lies behind steps of the set: what they were made from, what decided on them, and what lies between them and the
//! failure.

use std::collections::{HashMap, HashSet, VecDeque};

use execution::dependence::Kind;
use execution::dependence::graph::VertexId;
use program::{CallKind, Op, Operand};
use replay::Step;

use super::declared::Declared;
use super::pruned::Pruned;
use subject::Subject;

/// Steps looked at behind one, the nearest.
const MOST_BEHIND: usize = 300;

impl Pruned {
    /// What a statement was made from, up to other statements.
    pub fn behind(&self, statement: Step) -> HashSet<Step> {
        let by_user = self.by_user();
        let mut open: Vec<VertexId> = self.flow.vertex(statement).into_iter().collect();
        let mut seen: HashSet<VertexId> = open.iter().copied().collect();
        while let Some(user) = open.pop() {
            for edge in by_user[user.0 as usize].iter().filter(|edge| edge.kind == Kind::Data) {
                if !self.flow.is_statement[edge.from.0 as usize] && seen.insert(edge.from) {
                    open.push(edge.from);
                }
            }
        }
        seen.into_iter().map(|vertex| self.flow.step(vertex)).collect()
    }

    /// What lies between these uses and the failure, with them and what they found.
    pub fn around(&self, uses: &HashSet<Step>) -> HashSet<Step> {
        let (by_user, by_maker) = (self.by_user(), self.flow.by_maker());
        let is_member = |vertex: &VertexId| self.distance.contains_key(vertex);
        let start: Vec<VertexId> = uses.iter().filter_map(|user| self.flow.vertex(*user)).collect();
        let mut found: HashSet<VertexId> = start.iter().copied().collect();
        let mut open = start.clone();
        while let Some(maker) = open.pop() {
            let users = by_maker[maker.0 as usize].iter().map(|edge| edge.to).filter(is_member);
            open.extend(users.filter(|user| found.insert(*user)));
        }
        // Back to the statements that made what the uses found.
        let mut open = start;
        while let Some(user) = open.pop() {
            for edge in by_user[user.0 as usize].iter().filter(|edge| edge.kind == Kind::Data && is_member(&edge.from))
            {
                if found.insert(edge.from) && !self.flow.is_statement[edge.from.0 as usize] {
                    open.push(edge.from);
                }
            }
        }
        found.into_iter().map(|vertex| self.flow.step(vertex)).collect()
    }

    /// Steps whose values a step used, statements or not, up to those that another statement made of others.
    pub fn near(&self, from: Step) -> Vec<VertexId> {
        let by_user = self.by_user();
        let mut open: VecDeque<VertexId> = self.flow.vertex(from).into_iter().collect();
        let mut seen: HashSet<VertexId> = open.iter().copied().collect();
        let mut found = Vec::new();
        while let Some(user) = open.pop_front() {
            for edge in by_user[user.0 as usize].iter().filter(|edge| edge.kind == Kind::Data) {
                if found.len() < MOST_BEHIND && !self.is_right(edge.from) && seen.insert(edge.from) {
                    found.push(edge.from);
                    open.push_back(edge.from);
                }
            }
        }
        found
    }

    /// Statements that a step depends on, by values and by choices, nearest first; not beyond what is right.
    pub fn upstream(&self, subject: &Subject<'_, '_>, from: Step) -> Vec<(Step, u32)> {
        let Some(start) = self.flow.vertex(from) else { return Vec::new() };
        let by_user = self.by_user();
        let mut reached = HashMap::from([(start, 0)]);
        let mut open = VecDeque::from([start]);
        let mut count = 0;
        while let Some(user) = open.pop_front() {
            let so_far = reached[&user];
            for maker in by_user[user.0 as usize].iter().map(|edge| edge.from) {
                let is_free = !self.is_seen(subject, maker);
                let distance = so_far + u32::from(!is_free);
                if self.is_right(maker) || reached.get(&maker).is_some_and(|known| *known <= distance) {
                    continue;
                }
                reached.insert(maker, distance);
                if is_free { open.push_front(maker) } else { open.push_back(maker) }
            }
            count += usize::from(self.is_seen(subject, user));
            if count > MOST_BEHIND {
                break;
            }
        }
        reached.remove(&start);
        let seen = reached.into_iter().filter(|(vertex, _)| self.is_seen(subject, *vertex));
        let mut found: Vec<(Step, u32)> = seen.map(|(vertex, away)| (self.flow.step(vertex), away)).collect();
        found.sort_by_key(|(step, away)| (*away, std::cmp::Reverse(*step)));
        found
    }

    /// Statements that a step depends on by values, nearest first; not beyond what is right.
    pub fn by_values(&self, subject: &Subject<'_, '_>, from: Step) -> ByValues {
        let Some(start) = self.flow.vertex(from) else { return ByValues::default() };
        let by_user = self.by_user();
        let mut reached = HashMap::from([(start, 0)]);
        let mut open = VecDeque::from([start]);
        while let Some(user) = open.pop_front() {
            let so_far = reached[&user];
            for maker in by_user[user.0 as usize].iter().filter(|edge| edge.kind == Kind::Data).map(|edge| edge.from) {
                let is_free = !self.is_seen(subject, maker) || passes_on(subject, self.flow.step(maker));
                let distance = so_far + u32::from(!is_free);
                if self.is_right(maker) || reached.get(&maker).is_some_and(|known| *known <= distance) {
                    continue;
                }
                reached.insert(maker, distance);
                if is_free { open.push_front(maker) } else { open.push_back(maker) }
            }
        }
        let began = self.began.iter().filter_map(|(vertex, declared)| {
            let away = reached.get(vertex)? + 1;
            Some(Used { step: self.flow.step(*vertex), away, passes_on: false, declared: Some(declared.clone()) })
        });
        let began: Vec<Used> = began.collect();
        reached.remove(&start);
        let steps = reached.keys().map(|vertex| self.flow.step(*vertex)).collect();
        let statements = reached.into_iter().filter(|(vertex, _)| self.is_seen(subject, *vertex));
        let mut statements: Vec<Used> = statements
            .map(|(vertex, away)| {
                let step = self.flow.step(vertex);
                Used { step, away, passes_on: passes_on(subject, step), declared: None }
            })
            .chain(began)
            .collect();
        statements.sort_by_key(|used| (used.away, std::cmp::Reverse(used.step)));
        ByValues { statements, steps }
    }
}

/// What a step depends on by values.
#[derive(Default)]
pub struct ByValues {
    pub statements: Vec<Used>,
    /// Those that pass values on, too.
    pub steps: HashSet<Step>,
}

/// A statement whose value a step used.
#[derive(Clone, Debug)]
pub struct Used {
    /// The statement, or what used a variable as it began.
    pub step: Step,
    /// In statements that made something of it.
    pub away: u32,
    /// It only moved a value: from a call, into one, from one place to another as a whole.
    pub passes_on: bool,
    /// The variable, if it had what it began with.
    pub declared: Option<Declared>,
}

/// Whether a statement only moves what a function returned or was given, or a whole structure.
fn passes_on(subject: &Subject<'_, '_>, at: Step) -> bool {
    let function = subject.run.functions.function(at.site.function);
    match &function.instruction(at.site.instruction).op {
        Op::Return { .. } => true,
        Op::Store { value: Operand::Parameter(_), .. } => true,
        Op::Store { value: Operand::Result(id), .. } => function.instruction(*id).op.call().is_some(),
        op => op.call().is_some_and(|call| {
            // What is copied from a constant is made here: a variable that is declared with its contents.
            call.kind == CallKind::Memory
                && matches!(call.arguments.get(1), Some(Operand::Result(_) | Operand::Parameter(_)))
        }),
    }
}
