//! The SAT solver: the one file that knows `batsat`. Clauses are added, then questions are asked under assumptions; what is
//! learnt stays.
//!
//! The solver cannot be given something to ask that lives only as long as a question. So it runs for a stretch, stops, and is
//! continued if nobody wants it to stop. Stretches are counted in conflicts, not in time, so that a search that is not
//! interrupted goes the same way each time; only where conflicts are rare does the clock end them.

use std::cell::Cell;
use std::time::{Duration, Instant};

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, Var, clause, lbool};

use crate::clock;

/// A variable or its negation. One variable is constant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub const TRUE: Literal = Literal(0);
    pub const FALSE: Literal = Literal(1);

    pub fn constant(value: bool) -> Literal {
        if value { Literal::TRUE } else { Literal::FALSE }
    }

    pub fn is_constant(self) -> bool {
        self.0 <= 1
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn word(self) -> u32 {
        self.0
    }

    /// Negated if the other one is.
    pub fn flipped_as(self, other: Literal) -> Literal {
        Literal(self.0 ^ (other.0 & 1))
    }

    /// Not negated.
    pub fn variable(self) -> Literal {
        Literal(self.0 & !1)
    }

    fn inner(self) -> Lit {
        Lit::new(Var::unsafe_from_idx(self.0 >> 1), !self.is_negated())
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Satisfied,
    /// [`Sat::core`] says by which assumptions.
    Contradicted,
    Stopped(Reached),
}

/// What ended a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    Conflicts,
    Time,
    Memory,
    Asked,
}

/// How long a search may be.
#[derive(Clone, Copy)]
pub(crate) struct Patience<'a> {
    pub conflicts: u64,
    /// By [`clock::used`].
    pub until: Option<Duration>,
    pub bytes: usize,
    pub stop: &'a dyn Fn() -> bool,
}

pub(crate) struct Sat {
    solver: Solver<Watch>,
    /// Literals of all clauses that were added.
    literals: usize,
    clause: Vec<Lit>,
}

/// In conflicts: a tenth of a second, mostly.
const STRETCH: u64 = 1200;
const LONGEST_TIME: Duration = Duration::from_millis(600);
/// What a variable takes in lists of the solver and of gates, roughly; and a literal of a clause with its share of what
/// watches the clause.
const PER_VARIABLE: usize = 120;
const PER_LITERAL: usize = 16;

impl Sat {
    pub fn new() -> Sat {
        // Small questions learn little; without a minimum they would forget it at once.
        let options = SolverOpts { min_learnts_lim: 2000, ..SolverOpts::default() };
        let mut sat = Sat { solver: Solver::new(options, Watch::default()), literals: 0, clause: Vec::new() };
        let constant = sat.variable();
        sat.clause(&[constant]);
        sat
    }

    /// A new variable.
    pub fn variable(&mut self) -> Literal {
        Literal(self.solver.new_var_default().idx() << 1)
    }

    pub fn variables(&self) -> usize {
        self.solver.num_vars() as usize
    }

    pub fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }

    /// Roughly what is allocated.
    pub fn bytes(&self) -> usize {
        PER_VARIABLE * self.variables() + PER_LITERAL * (self.literals + self.solver.cb().learnt)
    }

    pub fn clause(&mut self, literals: &[Literal]) {
        self.clause.clear();
        self.clause.extend(literals.iter().map(|literal| literal.inner()));
        self.literals += literals.len();
        // Whether the clauses contradict each other shows when asked.
        self.solver.add_clause_reuse(&mut self.clause);
    }

    pub fn solve(&mut self, assumptions: &[Literal], patience: Patience<'_>) -> Verdict {
        let assumptions: Vec<Lit> = assumptions.iter().map(|literal| literal.inner()).collect();
        let fixed = self.bytes() - PER_LITERAL * self.solver.cb().learnt;
        self.solver.cb_mut().most_learnt = patience.bytes.saturating_sub(fixed) / PER_LITERAL;
        let mut conflicts_left = patience.conflicts;
        loop {
            let left = patience.until.map_or(LONGEST_TIME, |until| until.saturating_sub(clock::used()));
            let granted = STRETCH.min(conflicts_left);
            let watch = self.solver.cb_mut();
            watch.conflicts_left = granted;
            // No less time passes than is used.
            watch.end = Some(Instant::now() + left.min(LONGEST_TIME));
            watch.reached.set(None);
            let result = self.solver.solve_limited(&assumptions);
            if result == lbool::TRUE {
                return Verdict::Satisfied;
            }
            if result == lbool::FALSE {
                return Verdict::Contradicted;
            }
            let watch = self.solver.cb();
            conflicts_left -= granted - watch.conflicts_left;
            if watch.reached.get() == Some(Reached::Memory) {
                return Verdict::Stopped(Reached::Memory);
            }
            if conflicts_left == 0 {
                return Verdict::Stopped(Reached::Conflicts);
            }
            if patience.until.is_some_and(|until| clock::used() >= until) {
                return Verdict::Stopped(Reached::Time);
            }
            if (patience.stop)() {
                return Verdict::Stopped(Reached::Asked);
            }
        }
    }

    /// Of the last question, if it was satisfied.
    pub fn value(&self, literal: Literal) -> bool {
        self.solver.value_lit(literal.inner()) == lbool::TRUE
    }

    /// Is the assumption among those that contradicted each other in the last question?
    pub fn is_in_core(&self, assumption: Literal) -> bool {
        self.solver.unsat_core_contains_var(assumption.inner().var())
    }
}

/// What the solver asks and tells while it searches.
#[derive(Default)]
struct Watch {
    conflicts_left: u64,
    /// Literals of learnt clauses, those that were forgotten again not counted.
    learnt: usize,
    most_learnt: usize,
    end: Option<Instant>,
    asked: Cell<u32>,
    reached: Cell<Option<Reached>>,
}

/// The clock is looked at each time so many decisions have been made.
const BETWEEN_LOOKS: u32 = 64;

impl Callbacks for Watch {
    fn on_new_clause(&mut self, literals: &[Lit], kind: clause::Kind) {
        if kind == clause::Kind::Learnt {
            self.learnt += literals.len();
            self.conflicts_left = self.conflicts_left.saturating_sub(1);
        }
    }

    fn on_delete_clause(&mut self, literals: &[Lit]) {
        self.learnt = self.learnt.saturating_sub(literals.len());
    }

    fn stop(&self) -> bool {
        if self.reached.get().is_some() {
            return true;
        }
        let reached = if self.conflicts_left == 0 {
            Some(Reached::Conflicts)
        } else if self.learnt > self.most_learnt {
            Some(Reached::Memory)
        } else {
            self.asked.set(self.asked.get().wrapping_add(1));
            let is_due = self.asked.get().is_multiple_of(BETWEEN_LOOKS);
            (is_due && self.end.is_some_and(|end| Instant::now() >= end)).then_some(Reached::Time)
        };
        self.reached.set(reached);
        reached.is_some()
    }
}
