//! The differences that brought about a difference.
//!
//! A backward slice that follows differences only: a step that both runs executed with the same values explains nothing
//! and is left out with all behind it. Dependences are followed in both runs, in turns: where a value differs because one
//! run did *not* assign it, the reason is found in the other. After Johnson et al., *Differential Slicing: Identifying
//! Causal Execution Differences for Security Applications* (2011), whose trace of either run is here a walk over windows.
//!
//! What executed in both runs did so for the same reason, so choices are followed only from steps that are alone; and where a
//! value was taken from one of several ways (a phi), since the choice between them made it.
//! A call of outside code with the same arguments and result may still have brought different bytes, and a copy is as
//! different as what it copies: both are passed through, if somebody loads what they wrote.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use program::{CallKind, Op, Site};
use replay::{ReplayError, Step};

use super::initial::Initial;
use super::order::{Name, Order, Ordinal};
use super::pair::Pair;
use super::side::{Side, Sides};
use super::window::visit_window;
use execution::criterion::Criterion;
use execution::dependence::{Demand, Follow, Kind, Mark, Root, Slot, Source, Walk, Wish};
use execution::slice::SliceError;
use execution::{Action, Run, Window};

/// Walks over a run, at most; each finds what the one before left unexplained.
const MOST_TURNS: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CauseId(pub u32);

/// What a difference is found in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// What is to be explained.
    Subject,
    Statement(Name),
    /// A variable begins with it, by its position in [`Causes::initial`].
    Initial(u32),
}

/// The difference of `from` is behind that of `to`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Behind {
    pub from: CauseId,
    pub to: CauseId,
    pub kind: Kind,
}

#[derive(Default, Debug)]
pub struct Causes {
    /// The subject is the first.
    pub all: Vec<Cause>,
    /// Its execution in the runs it was met in.
    pub executions: Vec<Sides<Option<Step>>>,
    pub edges: Vec<Behind>,
    /// What variables begin with otherwise.
    pub initial: Initial,
    /// Outside functions of which nothing is known, and how often what they did mattered.
    pub unknown: HashMap<String, u64>,
    /// Bytes that somebody changed who was not seen: what is behind them is not known.
    pub unseen: u64,
    /// There were more causes than wanted. The latest are there; before them, executions of a statement by one run alone are
    /// one cause, and of what both executed not everything is there.
    pub is_cut: bool,
    /// Not everything was looked into.
    pub is_unfinished: bool,
    ids: HashMap<Cause, CauseId>,
    /// In which runs each edge was met.
    met_in: HashMap<Behind, Sides<bool>>,
}

impl Causes {
    fn id(&mut self, cause: Cause) -> CauseId {
        *self.ids.entry(cause).or_insert_with(|| {
            self.all.push(cause);
            self.executions.push(Sides::default());
            CauseId(self.all.len() as u32 - 1)
        })
    }

    fn connect(&mut self, side: Side, edge: Behind) {
        if edge.from == edge.to {
            return;
        }
        let edges = &mut self.edges;
        let met_in = self.met_in.entry(edge).or_insert_with(|| {
            edges.push(edge);
            Sides::default()
        });
        *met_in.of_mut(side) = true;
    }

    /// Whether the difference is behind the other in both runs, not in one of them only.
    pub fn is_in_both(&self, edge: &Behind) -> bool {
        self.met_in.get(edge).is_some_and(|met_in| met_in.left && met_in.right)
    }

    /// For each cause, what is behind it.
    pub fn behind(&self) -> Vec<Vec<CauseId>> {
        let mut behind = vec![Vec::new(); self.all.len()];
        for edge in &self.edges {
            behind[edge.to.0 as usize].push(edge.from);
        }
        behind
    }
}

/// Finds the differences behind something that is asked about either run, or both; `most` at most.
pub fn causes(
    pair: &Pair<'_, '_>,
    order: &Order,
    subject: &Sides<Option<Criterion>>,
    most: usize,
) -> Result<Causes, SliceError> {
    let mut causes = Causes { initial: Initial::of(pair)?, ..Causes::default() };
    causes.id(Cause::Subject);
    // Statements of both runs whose operands each run was asked for.
    let mut asked = Sides::<HashSet<Name>>::default();
    let mut side = if subject.left.is_some() { Side::Left } else { Side::Right };
    let mut turns = 0;
    loop {
        let roots = open(&causes, order, side, asked.of(side));
        let criterion = subject.of(side).as_ref().filter(|_| turns < 2);
        if roots.is_empty() && criterion.is_none() && turns > 0 {
            return Ok(causes);
        }
        if turns == MOST_TURNS {
            causes.is_unfinished = true;
            return Ok(causes);
        }
        asked.of_mut(side).extend(roots.values().map(|id| causes.all[id.0 as usize]).filter_map(statement));
        let met;
        (causes, met) = walk(pair.runs.of(side), order, side, criterion, roots, causes, most)?;
        asked.of_mut(side).extend(met);
        side = side.other();
        turns += 1;
    }
}

fn statement(cause: Cause) -> Option<Name> {
    match cause {
        Cause::Subject | Cause::Initial(_) => None,
        Cause::Statement(name) => Some(name),
    }
}

/// Differing statements of both runs of which this one was not asked yet.
fn open(causes: &Causes, order: &Order, side: Side, asked: &HashSet<Name>) -> BTreeMap<Ordinal, CauseId> {
    let mut roots = BTreeMap::new();
    for (position, cause) in (0..).zip(&causes.all) {
        if let Cause::Statement(name @ Name::Shared(number)) = *cause
            && order.differs.get(number)
            && !asked.contains(&name)
            && let Some(ordinal) = order.ordinal(side, name)
        {
            roots.insert(ordinal, CauseId(position));
        }
    }
    roots
}

/// One walk over one run. Returns also the statements it met.
fn walk(
    run: &Run<'_>,
    order: &Order,
    side: Side,
    criterion: Option<&Criterion>,
    roots: BTreeMap<Ordinal, CauseId>,
    causes: Causes,
    most: usize,
) -> Result<(Causes, HashSet<Name>), SliceError> {
    let last_root = roots.last_key_value().map(|(ordinal, _)| order.window(side, *ordinal));
    let last = match criterion {
        Some(Criterion::End { .. }) => run.last_window(),
        Some(Criterion::Step { at, .. }) => run.window_at(at.clock).max(last_root.unwrap_or(Window(0))),
        None => last_root.unwrap_or(Window(0)),
    };
    let first_root = roots.first_key_value().map(|(ordinal, _)| order.window(side, *ordinal));
    let demand = Finder {
        run,
        side,
        most,
        causes,
        users: Vec::new(),
        marks: HashMap::new(),
        standing_for_all: HashMap::new(),
        met: HashSet::new(),
        here: HashMap::new(),
    };
    let mut walk = Walk::new(&run.functions, Follow::DataAndControl, demand);
    walk.begin(run.stack_after(last).into_iter());
    if let Some(Criterion::End { wishes }) = criterion {
        let mark = walk.demand.mark(Users::One(CauseId(0)));
        walk.want_at_top(wishes, mark);
    }
    run.backwards(last, |window, trace| -> Result<_, SliceError> {
        let (here, found) = statements(run, order, side, window, &roots)?;
        walk.demand.here = here;
        let mut now = Vec::new();
        for (at, id) in found {
            let mark = walk.demand.mark(Users::One(id));
            now.push(Root { at, wishes: vec![Wish::Operands], mark });
        }
        let mut waits = first_root.is_some_and(|first| first < window);
        if let Some(Criterion::Step { at, wishes, .. }) = criterion {
            // A window may begin with the clock the one before ended with.
            let (first, last) = (run.window_at(at.clock), run.window_at(at.clock + 1));
            if (first..=last).contains(&window) {
                let mark = walk.demand.subject();
                now.push(Root { at: *at, wishes: wishes.clone(), mark });
            }
            waits |= first < window;
        }
        walk.set_roots(now);
        if walk.window(trace)?.is_break() {
            run.image().budget.go_on().map_err(ReplayError::from)?;
        }
        walk.set_roots(Vec::new());
        Ok(if walk.is_over() && !waits { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    walk.finish();
    Ok((walk.demand.causes, walk.demand.met))
}

type Here = HashMap<Step, (Name, Standing)>;

/// What a statement can explain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// It is different: it explains whatever depends on it.
    Different,
    /// It is the same, but may have brought something different to memory.
    Carries,
    /// It copied, and is as different as what it copied.
    Copies,
}

/// The statements of a window that can explain anything, and those that are asked for.
fn statements(
    run: &Run<'_>,
    order: &Order,
    side: Side,
    window: Window,
    roots: &BTreeMap<Ordinal, CauseId>,
) -> Result<(Here, Vec<(Step, CauseId)>), SliceError> {
    let (mut here, mut found) = (Here::new(), Vec::new());
    visit_window(run, window, order.first(side, window), |step, ordinal, is_statement| {
        if !is_statement {
            return;
        }
        let name = order.name(side, ordinal);
        let standing = match order.is_different(name) {
            true => Some(Standing::Different),
            false => carries(&step.instruction().op),
        };
        if let Some(standing) = standing {
            here.insert(step.step(), (name, standing));
        }
        if let Some(&id) = roots.get(&ordinal) {
            found.push((step.step(), id));
        }
    })?;
    Ok((here, found))
}

fn carries(op: &Op) -> Option<Standing> {
    match op {
        Op::Call(call) | Op::Invoke { call, .. } => match call.kind {
            CallKind::Open => Some(Standing::Carries),
            CallKind::Memory => Some(Standing::Copies),
            CallKind::Closed | CallKind::Logged | CallKind::Setjmp | CallKind::Computed | CallKind::Ignored => None,
        },
        _ => None,
    }
}

/// Who wants a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Users {
    One(CauseId),
    /// For what stands in memory.
    Loaded(Mark),
    /// For which way control came.
    Chosen(Mark),
    Both(Mark, Mark),
}

/// What a place is wanted for on the way to who wants it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Debug)]
struct Purpose {
    /// What stands in memory.
    is_loaded: bool,
    /// Which way control came.
    is_chosen: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct User {
    id: CauseId,
    purpose: Purpose,
}

/// Decides during a walk what is behind a difference.
struct Finder<'a, 'r> {
    run: &'a Run<'r>,
    side: Side,
    most: usize,
    causes: Causes,
    users: Vec<Users>,
    marks: HashMap<Users, Mark>,
    /// Beyond the most: the one that stands for all executions of a statement by this run alone.
    standing_for_all: HashMap<Site, Name>,
    met: HashSet<Name>,
    /// Of the window that is walked over.
    here: Here,
}

impl Finder<'_, '_> {
    /// One and the same for the same users: in a long loop the same few want everything again and again.
    fn mark(&mut self, users: Users) -> Mark {
        let all = &mut self.users;
        *self.marks.entry(users).or_insert_with(|| {
            all.push(users);
            Mark(all.len() as u32)
        })
    }

    /// For the subject: what it was asked about may stand in memory.
    fn subject(&mut self) -> Mark {
        let mark = self.mark(Users::One(CauseId(0)));
        self.mark(Users::Loaded(mark))
    }

    /// Everybody behind a mark, and what for.
    fn everybody(&self, mark: Mark) -> Vec<User> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![(mark, Purpose::default())];
        while let Some((mark, purpose)) = open.pop() {
            if mark.is_nobody() || !seen.insert((mark, purpose)) {
                continue;
            }
            match self.users[mark.0 as usize - 1] {
                Users::One(id) => found.push(User { id, purpose }),
                Users::Loaded(inner) => open.push((inner, Purpose { is_loaded: true, ..purpose })),
                Users::Chosen(inner) => open.push((inner, Purpose { is_chosen: true, ..purpose })),
                Users::Both(a, b) => open.extend([(a, purpose), (b, purpose)]),
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn returns_twice(&self, at: Step) -> bool {
        match &self.run.functions.instruction(at.site).op {
            Op::Call(call) | Op::Invoke { call, .. } => call.kind == CallKind::Setjmp,
            _ => false,
        }
    }

    /// Whether a cause was executed by one run only, so that the choice of it is behind it.
    fn is_alone(&self, id: CauseId) -> bool {
        match self.causes.all[id.0 as usize] {
            Cause::Subject | Cause::Statement(Name::Alone(..)) => true,
            Cause::Statement(Name::Shared(_)) | Cause::Initial(_) => false,
        }
    }
}

impl Demand for Finder<'_, '_> {
    fn pass(&mut self, at: Step, _: Slot, mark: Mark) -> Mark {
        let uses = self.run.functions.uses(at.site.function);
        match uses.instructions[at.site.instruction.index()].action {
            Action::Load { .. } => self.mark(Users::Loaded(mark)),
            Action::Phi => self.mark(Users::Chosen(mark)),
            _ => mark,
        }
    }

    fn meet(&mut self, at: Step, _: Slot, data: Mark, control: Mark) -> Mark {
        let Some(&(name, standing)) = self.here.get(&at) else {
            // The same in both runs; or `setjmp` once more, which is no step: whoever wants that wants the jump.
            return match (self.returns_twice(at), data.is_nobody(), control.is_nobody()) {
                (false, ..) => Mark::NOBODY,
                (true, false, false) => self.merge(data, control),
                (true, false, true) => data,
                (true, true, _) => control,
            };
        };
        let data = self.everybody(data);
        let control = self.everybody(control);
        let (mut data, control): (Vec<CauseId>, Vec<CauseId>) = match standing {
            Standing::Different => {
                let (choosing, control): (Vec<User>, Vec<User>) = control
                    .into_iter()
                    .filter(|user| user.purpose.is_chosen || self.is_alone(user.id))
                    .partition(|user| !self.is_alone(user.id));
                let data = data.into_iter().chain(choosing).map(|user| user.id).collect();
                (data, control.into_iter().map(|user| user.id).collect())
            }
            Standing::Copies => (data.into_iter().map(|user| user.id).collect(), Vec::new()),
            Standing::Carries => {
                let loaded = data.into_iter().filter(|user| user.purpose.is_loaded);
                (loaded.map(|user| user.id).collect(), Vec::new())
            }
        };
        data.sort_unstable();
        data.dedup();
        if data.is_empty() && control.is_empty() {
            return Mark::NOBODY;
        }
        let mut cause = Cause::Statement(name);
        if self.causes.all.len() >= self.most && !self.causes.ids.contains_key(&cause) {
            self.causes.is_cut = true;
            match name {
                Name::Alone(..) => {
                    let site = at.site;
                    cause = Cause::Statement(*self.standing_for_all.entry(site).or_insert(name));
                }
                // There are fewer of these.
                Name::Shared(_) if self.causes.all.len() < 2 * self.most => {}
                Name::Shared(_) => return Mark::NOBODY,
            }
        }
        let from = self.causes.id(cause);
        self.causes.executions[from.0 as usize].of_mut(self.side).get_or_insert(at);
        self.met.insert(name);
        for to in data {
            self.causes.connect(self.side, Behind { from, to, kind: Kind::Data });
        }
        for to in control {
            self.causes.connect(self.side, Behind { from, to, kind: Kind::Control });
        }
        let mark = self.mark(Users::One(from));
        if standing == Standing::Different { mark } else { self.mark(Users::Loaded(mark)) }
    }

    fn merge(&mut self, a: Mark, b: Mark) -> Mark {
        let (a, b) = if a.0 < b.0 { (a, b) } else { (b, a) };
        self.mark(Users::Both(a, b))
    }

    fn end(&mut self, source: Source, _: Mark) {
        match source {
            Source::Unseen => self.causes.unseen += 1,
            Source::Initial | Source::Start => {}
        }
    }

    fn initial(&mut self, address: u64, mark: Mark) {
        let Some(position) = self.causes.initial.find(self.side, address) else { return };
        let from = self.causes.id(Cause::Initial(position));
        for user in self.everybody(mark) {
            self.causes.connect(self.side, Behind { from, to: user.id, kind: Kind::Data });
        }
    }

    fn unknown(&mut self, _: Step, name: &str) {
        *self.causes.unknown.entry(name.to_owned()).or_default() += 1;
    }
}
