//! The fork servers of one worker: one for the case, with all that is its own; and some for other inputs.
//!
//! Standard input and files can be other ones with each run of a server. Arguments and environment cannot: where they lie,
//! and with them the whole stack, is decided when the program is started. So there is a server for each arguments and
//! environment, as long as they come up again soon.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use recording::plan::Plan;

use crate::case::Case;
use crate::input::Input;
use crate::outcome::{End, Ran};
use crate::sandbox::{Noting, Readable, Walls};
use crate::server::{RunLimits, Server, ServerError};
use crate::timeouts::TIMES_HELD_UP;

/// Those for other inputs, at most.
const MOST: usize = 4;

pub struct Servers {
    case: Case,
    walls: Walls,
    readable: Arc<Readable>,
    own: Option<Server>,
    /// The one that was used last is the last.
    others: Vec<Other>,
}

struct Other {
    arguments: Vec<OsString>,
    environment: BTreeMap<OsString, Option<OsString>>,
    server: Server,
}

impl Other {
    fn is_for(&self, input: &Input) -> bool {
        self.arguments == input.arguments && self.environment == input.environment
    }
}

impl Servers {
    pub fn new(case: Case, walls: Walls, readable: Arc<Readable>) -> Servers {
        Servers { case, walls, readable, own: None, others: Vec::new() }
    }

    /// A run of the case on its own input; if it may begin late, from that clock.
    pub fn run(&mut self, plan: &Plan, begins_late: Option<u64>, limits: &RunLimits) -> Result<Ran, ServerError> {
        let mut server = match self.own.take() {
            Some(server) => server,
            None => {
                let Servers { case, walls, readable, .. } = self;
                Server::start(case, *walls, readable, Noting::Needed, limits.forks, plan.steady)?
            }
        };
        if let Some(clock) = begins_late
            && !server.has_tried_checkpoint(clock)
        {
            server.go_to_checkpoint(clock, limits)?;
        }
        let mut ran = server.run(plan, limits)?;
        if was_held_up(&ran, plan) && server.is_usable() {
            ran = server.run(plan, &RunLimits { patience: limits.patience * TIMES_HELD_UP, ..*limits })?;
        }
        // A run may have taken its server with it.
        self.own = Some(server).filter(Server::is_usable);
        Ok(ran)
    }

    /// A run on another input.
    pub fn run_input(&mut self, input: &Input, plan: &Plan, limits: &RunLimits) -> Result<Ran, ServerError> {
        let was_there = self.others.iter().any(|other| other.is_for(input));
        match self.run_input_once(input, plan, limits) {
            // The server may have been lost to what a run before did.
            Err(_) if was_there => self.run_input_once(input, plan, limits),
            ran => ran,
        }
    }

    fn run_input_once(&mut self, input: &Input, plan: &Plan, limits: &RunLimits) -> Result<Ran, ServerError> {
        let mut other = match self.others.iter().position(|other| other.is_for(input)) {
            Some(position) => self.others.remove(position),
            None => self.start(input, plan, limits)?,
        };
        other.server.set_input(&input.stdin)?;
        other.server.set_files(&input.files)?;
        let ran = other.server.run(plan, limits)?;
        if other.server.is_usable() {
            self.others.push(other);
        }
        Ok(ran)
    }

    fn start(&mut self, input: &Input, plan: &Plan, limits: &RunLimits) -> Result<Other, ServerError> {
        if self.others.len() >= MOST {
            self.others.remove(0);
        }
        let case = input.but_files(&self.case);
        let server = Server::start(&case, self.walls, &self.readable, Noting::All, limits.forks, plan.steady)?;
        let Input { arguments, environment, .. } = input;
        Ok(Other { arguments: arguments.clone(), environment: environment.clone(), server })
    }

    pub fn leave_checkpoint(&mut self, limits: &RunLimits) {
        if let Some(own) = &mut self.own
            && own.leave_checkpoint(limits).is_err()
        {
            self.own = None;
        }
    }
}

/// Whether time was up before the first intervention. Until then it is the failing run, so it was the machine that was busy:
/// that says nothing of the experiment.
fn was_held_up(ran: &Ran, plan: &Plan) -> bool {
    ran.end == End::TooLong && ran.obeyed == 0 && !plan.interventions().is_empty()
}
