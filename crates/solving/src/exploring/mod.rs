//! New inputs for a program, one path each, found by solving what the paths of known runs hinged on.
//!
//! In: a lab, whose case is the first input. Out: inputs with what they reached, and why there are no more.
//! Deliberately absent: what inputs are wanted for. A closure scores them; who asks decides when to stop.
//!
//! The search is generational: a recorded run is replayed with symbols for its input; each condition of its path is turned,
//! with all before it kept; the inputs that a solver finds are run, many at a time; the most promising of them are recorded,
//! and turned in their place, at conditions behind the one that they were made by. A run shows whether it went the way that
//! was predicted.

mod given;
mod joined;
mod recorded;
mod tally;
mod waiting;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;

use budget::Budget;
use experiment::{End, Input, Lab, Outcome, Shown, Trial};
use program::{FunctionKey, Site};
use replay::{ReplayError, Step};
use symbolic::{Condition, Turn, Turned, Turner, Way};

pub use recorded::Reading;
use recorded::{Recorded, record};
use subject::error::TechniqueError;
pub use tally::{Lost, Place, Tally};
use waiting::{Hope, Waiting};

/// An input that was found, and what it led to.
#[derive(Clone, Debug)]
pub struct Kept {
    pub input: Input,
    /// The run that it was made from; none for the first.
    pub parent: Option<usize>,
    pub end: End,
    pub outcome: Outcome,
    /// Ways of branches that no earlier run had gone.
    pub new_ways: usize,
}

/// What has been found so far.
#[derive(Default)]
pub struct Exploration {
    pub kept: Vec<Kept>,
    pub tally: Tally,
    /// Every way that control went in a recorded run.
    pub covered: HashSet<(Site, Way)>,
    /// Of these, how many the first run went.
    pub covered_first: usize,
    /// There is no condition left to turn.
    pub is_exhausted: bool,
}

/// An input that was run, but not recorded.
struct Ran {
    input: Input,
    end: End,
    outcome: Outcome,
    origin: Option<Origin>,
    aims: Aims,
}

/// How an input was made.
#[derive(Clone, Copy)]
struct Origin {
    parent: usize,
    /// The first condition that has not been turned yet, and the turn before it; none if another input was made without one.
    from: usize,
    turned: Option<(Step, Way)>,
    given_up: usize,
}

/// Which turns of a run are tried.
#[derive(Clone, Copy)]
struct From {
    /// The first condition that is turned.
    condition: usize,
    /// What is hoped of turns that lead to nothing new.
    hope: Hope,
}

/// What an input was made to reach.
#[derive(Clone, Copy, Default)]
struct Aims {
    way: Option<(Site, Way)>,
    evaluations: [u64; 2],
}

/// Inputs that are run at a time.
const BATCH: usize = 64;
/// Inputs that wait; of more, those of which the least is hoped are forgotten.
const MOST_WAITING: usize = 1 << 14;
/// Turns of one run at one way of one site from which nothing new is hoped: loops make thousands.
const MOST_ALIKE: usize = 6;
/// The same where something is.
const MOST_NEW: usize = 32;

/// Explores until `each`, which hears of every input that was run, or of a recorded one that is kept, breaks off; or until
/// the budget is over; or until nothing is left to turn.
pub fn explore(
    lab: &Lab,
    reading: &Reading,
    budget: &Budget,
    mut each: impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
) -> Result<Exploration, TechniqueError> {
    let mut search = Search {
        lab,
        budget,
        reading,
        found: Exploration::default(),
        waiting: Waiting::new(),
        paths: HashSet::new(),
        turned_paths: HashSet::new(),
        asked: HashSet::new(),
        ends: HashSet::new(),
        evaluations: HashSet::new(),
        aimed: HashSet::new(),
        variables: BTreeSet::new(),
        words: HashMap::new(),
        undecided: HashMap::new(),
    };
    let first = reading.first(lab)?;
    let ran = &lab.baseline().ran;
    let outcome = lab.judge_input(&first, &[], ran)?;
    search.asked.insert(first.hash());
    search.add(Hope::NewEnd, Ran { input: first, end: ran.end, outcome, origin: None, aims: Aims::default() });
    while let Some(ran) = search.next() {
        if budget.is_over() || search.follow(ran, &mut each)?.is_break() {
            return Ok(search.found);
        }
    }
    search.found.is_exhausted = true;
    Ok(search.found)
}

/// A word, by what compared another one with it.
type Word = (Site, Vec<u8>);

struct Search<'a> {
    lab: &'a Lab,
    budget: &'a Budget,
    reading: &'a Reading,
    found: Exploration,
    waiting: Waiting<(Site, Way), Ran>,
    /// Paths of recorded runs: clock and hash at the end.
    paths: HashSet<(u64, u64)>,
    /// The same as the symbols have it. One path may be another in them, where code that is not instrumented reads.
    turned_paths: HashSet<u64>,
    /// Inputs that were run.
    asked: HashSet<blake3::Hash>,
    /// How runs ended badly, as it looks from outside.
    ends: HashSet<blake3::Hash>,
    /// Evaluations of conditions, with the way they took in a recorded run.
    evaluations: HashSet<u64>,
    /// The same with the way they were asked to take.
    aimed: HashSet<u64>,
    /// Variables of the environment that were set to see what that does.
    variables: BTreeSet<String>,
    /// Words that were put where others were compared with them, by which site; and where in which inputs.
    words: HashMap<Word, HashSet<(usize, u64)>>,
    /// Turns that the solver could not decide, by their sites.
    undecided: HashMap<Site, u32>,
}

/// Rounds of a loop that are told apart exactly; of more, those between two powers of two are alike.
const FEW_ROUNDS: u32 = 4;
const MANY_ROUNDS: u32 = 128;

/// An evaluation of a condition with its way; where it cannot be known which way that is, any other than the run's is one.
fn evaluation(condition: &Condition, way: Way, other: usize, exact: u32) -> u64 {
    let at = &condition.evaluation;
    let rounded = |times: u32| if times < exact { times } else { exact + times.ilog2() };
    let mut hasher = DefaultHasher::new();
    match way {
        Way::Elsewhere => (at.place, rounded(at.count), condition.kind as u8, other).hash(&mut hasher),
        way => (at.place, way, rounded(at.in_a_row(way))).hash(&mut hasher),
    }
    exact.hash(&mut hasher);
    hasher.finish()
}

/// The same, with few rounds told apart, and with many.
fn evaluations(condition: &Condition, way: Way, other: usize) -> [u64; 2] {
    [FEW_ROUNDS, MANY_ROUNDS].map(|exact| evaluation(condition, way, other, exact))
}

impl Search<'_> {
    fn add(&mut self, hope: Hope, ran: Ran) {
        /// Of what was not made by a turn.
        const NOWHERE: Site = Site {
            function: FunctionKey { module: u32::MAX, function: abi::FunctionId(u32::MAX) },
            instruction: abi::InstructionId(u32::MAX),
        };
        let place =
            ran.origin.and_then(|origin| origin.turned).map_or((NOWHERE, Way::Elsewhere), |(at, way)| (at.site, way));
        let size = ran.input.stdin.len() + ran.input.files.values().map(Vec::len).sum::<usize>();
        self.waiting.add(hope, place, size, ran);
    }

    fn next(&mut self) -> Option<Ran> {
        let covered = &self.found.covered;
        self.waiting.next(|ran, hope| match hope {
            Hope::NewWay if ran.aims.way.is_none_or(|way| covered.contains(&way)) => Hope::NewEvaluation,
            hope => hope,
        })
    }

    /// Records a run and turns its path.
    fn follow(
        &mut self,
        ran: Ran,
        each: &mut impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TechniqueError> {
        let asked = ran.origin.and_then(|origin| origin.turned);
        self.found.tally.recorded += 1;
        let recorded = match record(self.lab, &ran.input, self.reading, asked.map(|(at, _)| at), self.budget) {
            Err(TechniqueError::Replay(ReplayError::Departed { .. })) if ran.origin.is_some() => {
                self.found.tally.departed += 1;
                return Ok(ControlFlow::Continue(()));
            }
            // One run that cannot be recorded is no reason to end the search.
            Err(error) if ran.origin.is_some() && error.spent().is_none() => {
                *self.found.tally.troubles.entry(error.to_string()).or_default() += 1;
                return Ok(ControlFlow::Continue(()));
            }
            other => other?,
        };
        let Recorded { shadowed, path, .. } = &recorded;
        self.found.tally.add_lost(&recorded);
        if let (Some(origin), Some((at, way))) = (ran.origin, asked) {
            let came = match way {
                Way::Elsewhere => None,
                way => Some(shadowed.ways.get(&at) == Some(&way)),
            };
            self.found.tally.predicted(came, origin.given_up == 0 && recorded.is_exact());
        }
        let number = self.found.kept.len();
        let mut new_ways = 0;
        if self.paths.insert(*path) {
            let before = self.found.covered.len();
            self.found.covered.extend(shadowed.taken.iter().copied());
            new_ways = self.found.covered.len() - before;
            if ran.origin.is_none() {
                self.found.covered_first = new_ways;
            }
            let kept = Kept {
                input: ran.input.clone(),
                parent: ran.origin.map(|origin| origin.parent),
                end: ran.end,
                outcome: ran.outcome,
                new_ways,
            };
            self.found.kept.push(kept.clone());
            if each(&self.found, Some(&kept)).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        } else {
            self.found.tally.duplicates += 1;
        }
        if !self.turned_paths.insert(shadowed.path.identity) {
            return Ok(ControlFlow::Continue(()));
        }
        let conditions = &shadowed.path.conditions;
        let before = self.evaluations.len();
        self.evaluations
            .extend(conditions.iter().flat_map(|condition| evaluations(condition, condition.went, usize::MAX)));
        // What is before the turn that led here was turned in the run that this one was made of. Where this one came to
        // something new, it may pay to do so again.
        let from = match self.evaluations.len() > before {
            true if new_ways > 0 => From { condition: 0, hope: Hope::AfterNewWay },
            true => From { condition: 0, hope: Hope::AfterNew },
            false => From { condition: ran.origin.map_or(0, |origin| origin.from), hope: Hope::Little },
        };
        let mut batch = self.with_variables(&recorded, &ran.input, number);
        self.with_words(&recorded, &ran.input, (number, from), &mut batch);
        if new_ways > 0 {
            self.with_others(&ran.input, number, &mut batch);
        }
        self.turn_all(&recorded, &ran.input, number, from, &mut batch, each)
    }

    /// Inputs in which a variable is set that the program asked for in vain.
    fn with_variables(
        &mut self,
        recorded: &Recorded,
        input: &Input,
        parent: usize,
    ) -> Vec<(Input, Origin, Aims, Hope)> {
        let mut made = Vec::new();
        for name in &recorded.shadowed.unset {
            if name.is_empty() || name.contains('=') || !self.variables.insert(name.clone()) {
                continue;
            }
            let mut changed = input.clone();
            changed.environment.insert(name.into(), Some(OsString::new()));
            let origin = Origin { parent, from: 0, turned: None, given_up: 0 };
            if self.asked.insert(changed.hash()) {
                made.push((changed, origin, Aims::default(), Hope::NewEvaluation));
            }
        }
        made
    }

    /// Inputs in which texts stand that others were compared with.
    fn with_words(
        &mut self,
        recorded: &Recorded,
        input: &Input,
        (parent, from): (usize, From),
        batch: &mut Vec<(Input, Origin, Aims, Hope)>,
    ) {
        let shadowed = &recorded.shadowed;
        let mut alike: HashMap<Site, usize> = HashMap::new();
        for compared in &shadowed.compared {
            let word = (compared.at.site, compared.wanted.clone());
            let places = self.words.entry(word).or_default();
            let is_first = places.is_empty();
            let hope = match places.insert((compared.input, compared.span.start)) {
                true if is_first => Hope::NewWord,
                true => Hope::NewEvaluation,
                false => from.hope,
            };
            let count = alike.entry(compared.at.site).or_insert(0);
            *count += 1;
            if *count > MOST_NEW {
                self.found.tally.alike += 1;
                continue;
            }
            let turned = Some((compared.at, Way::Elsewhere));
            let origin = Origin { parent, from: compared.before, turned, given_up: 1 };
            let given = self.reading.given(input, &compared.inputs(shadowed.symbols.inputs()));
            self.wait(batch, given, origin, Aims::default(), hope);
        }
    }

    fn turn_all(
        &mut self,
        recorded: &Recorded,
        input: &Input,
        parent: usize,
        from: From,
        batch: &mut Vec<(Input, Origin, Aims, Hope)>,
        each: &mut impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TechniqueError> {
        let budget = self.budget;
        let mut turner = Turner::new(&recorded.shadowed, self.reading.question);
        let mut alike = HashMap::new();
        let mut hopes: Vec<(Hope, Turn, Aims)> = Vec::new();
        for turn in turner.turns(from.condition) {
            let Some((condition, other)) = turner.at(turn) else { continue };
            let way = (other.way != Way::Elsewhere).then_some((condition.at.site, other.way));
            let aims = Aims { way, evaluations: evaluations(condition, other.way, turn.other) };
            let is_new = aims.evaluations.map(|one| !self.evaluations.contains(&one) && !self.aimed.contains(&one));
            let hope = match (aims.way, is_new) {
                (Some(way), _) if !self.found.covered.contains(&way) => Hope::NewWay,
                (_, [true, _]) => Hope::NewEvaluation,
                (_, [false, true]) => Hope::NewRound,
                (_, [false, false]) => from.hope,
            };
            hopes.push((hope, turn, aims));
        }
        // A solver that is asked about a path from its beginning to its end remembers more; but what is new comes first.
        hopes.sort_by_key(|(hope, turn, _)| (*hope < Hope::NewRound, *turn));
        for (hope, turn, aims) in hopes {
            if budget.is_over() {
                break;
            }
            let Some((condition, other)) = turner.at(turn) else { continue };
            let count = alike.entry((condition.at.site, other.way, hope == Hope::Little)).or_insert(0);
            *count += 1;
            if *count > if hope == Hope::Little { MOST_ALIKE } else { MOST_NEW } {
                self.found.tally.alike += 1;
                continue;
            }
            let site = condition.at.site;
            turner.limit(self.question(site, hope));
            match turner.turn(turn, &|| budget.is_over()) {
                Turned::To(found) => {
                    self.aimed.extend(aims.evaluations);
                    let turned = Some((condition.at, other.way));
                    let origin = Origin { parent, from: turn.condition + 1, turned, given_up: found.given_up };
                    // What goes on where a run that came to something new has ended is more than just another input.
                    let longer = if matches!(hope, Hope::AfterNew | Hope::AfterNewWay) { Hope::Longer } else { hope };
                    let both = found.longer.iter().map(|inputs| (inputs, longer)).chain([(&found.inputs, hope)]);
                    for (inputs, hope) in both {
                        self.wait(batch, self.reading.given(input, inputs), origin, aims, hope);
                    }
                    if batch.len() >= BATCH && self.run(batch, each)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Turned::Never(core) => {
                    self.found.tally.never += 1;
                    self.renumber(&mut turner, turn, (input, parent), (aims, hope), batch);
                    if hope >= Hope::NewRound
                        && let Some((found, first)) = turner.guess(turn, &core, &|| budget.is_over())
                    {
                        let turned = Some((condition.at, Way::Elsewhere));
                        let origin = Origin { parent, from: first, turned, given_up: found.given_up };
                        self.wait(batch, self.reading.given(input, &found.inputs), origin, aims, hope);
                    }
                }
                Turned::Unknown(_) => {
                    self.found.tally.unknown += 1;
                    *self.undecided.entry(site).or_default() += 1;
                    turner.limit(self.question(site, Hope::Little));
                    self.renumber(&mut turner, turn, (input, parent), (aims, hope), batch);
                }
            }
        }
        self.found.tally.add_questions(turner.statistics());
        self.run(batch, each)
    }

    /// What a question about a condition may cost: less and less where none could be decided. Products of unknowns are hard
    /// wherever they are asked about, and there are others to ask. But what leads to a new way is asked with as much patience
    /// again when it has been asked for twice as often, and with more each time: nothing else may lead there.
    fn question(&self, site: Site, hope: Hope) -> smt::Limits {
        let undecided = self.undecided.get(&site).copied().unwrap_or(0);
        let less = 1 << (2 * undecided).min(6);
        let smt::Limits { conflicts, time, bytes } = self.reading.question;
        if hope == Hope::NewWay && undecided >= 4 && undecided.is_power_of_two() {
            let more = undecided / 4;
            return smt::Limits { conflicts: conflicts * u64::from(more), time: time * more, bytes };
        }
        smt::Limits { conflicts: conflicts / less, time: time / less as u32, bytes }
    }

    /// Where no input of the same layout makes a turn, one with other numbers in it may.
    fn renumber(
        &mut self,
        turner: &mut Turner<'_>,
        turn: Turn,
        (input, parent): (&Input, usize),
        (aims, hope): (Aims, Hope),
        batch: &mut Vec<(Input, Origin, Aims, Hope)>,
    ) {
        let budget = self.budget;
        let Some((condition, _)) = turner.at(turn).filter(|_| hope >= Hope::NewRound) else { return };
        if let Some((found, first)) = turner.renumber(turn, &|| budget.is_over()) {
            let turned = Some((condition.at, Way::Elsewhere));
            let origin = Origin { parent, from: first, turned, given_up: found.given_up };
            self.wait(batch, self.reading.given(input, &found.inputs), origin, aims, hope);
        }
    }

    /// Puts an input among those that are to be run, unless it has been there.
    fn wait(
        &mut self,
        batch: &mut Vec<(Input, Origin, Aims, Hope)>,
        input: Input,
        origin: Origin,
        aims: Aims,
        hope: Hope,
    ) {
        match self.asked.insert(input.hash()) {
            true => batch.push((input, origin, aims, hope)),
            false => self.found.tally.repeated += 1,
        }
    }

    /// Runs inputs, to see what is to be hoped of them.
    fn run(
        &mut self,
        batch: &mut Vec<(Input, Origin, Aims, Hope)>,
        each: &mut impl FnMut(&Exploration, Option<&Kept>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, TechniqueError> {
        let trials: Vec<Trial> = batch.iter().map(|(input, ..)| Trial::from(input.clone())).collect();
        let mut shown: Vec<Option<Shown>> = trials.iter().map(|_| None).collect();
        self.lab.try_inputs(&trials, |position, one| {
            shown[position] = Some(one);
            ControlFlow::Continue(())
        })?;
        let mut flow = ControlFlow::Continue(());
        for ((input, origin, aims, hope), shown) in batch.drain(..).zip(shown) {
            let Some(Shown { outcome, ran: Some(ran) }) = shown else { continue };
            self.found.tally.runs += 1;
            self.found.tally.ended(ran.end, outcome);
            let is_wrong = !matches!(outcome, Outcome::Passes | Outcome::CannotTell | Outcome::Refused);
            let hope = if is_wrong && self.ends.insert(signature(&ran)) { Hope::NewEnd } else { hope };
            self.add(hope, Ran { input, end: ran.end, outcome, origin: Some(origin), aims });
        }
        self.found.tally.forgotten += self.waiting.forget_beyond(MOST_WAITING);
        if each(&self.found, None).is_break() {
            flow = ControlFlow::Break(());
        }
        Ok(flow)
    }
}

/// What a run looks like from outside.
fn signature(ran: &experiment::Ran) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?}", ran.end).as_bytes()).update(&ran.output).update(&ran.error);
    hasher.finalize()
}
