//! Keeping what goes through the program's standard streams, without the program noticing.
//!
//! A regular file is left to the program; what it wrote is copied when the program has ended. Between the program and a pipe stands
//! a pipe of ours, from which everything is passed on at once. Terminals and devices are left alone: programs behave
//! differently when they find something else in their place.

mod file;
mod forward;
mod keep;
mod kind;

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

use super::Drained;
use crate::standard::{Capture, Captures, NoCapture, Standard};
use file::FileRange;
use forward::Forward;
pub use forward::{Forwarded, Haste, Stop};
use keep::Keep;
use kind::Kind;
pub use kind::closed_at_start;

/// What is to be done about the standard streams, before the program starts.
pub struct Plan {
    captures: Captures,
    limit: u64,
    /// What the program gets in the place of its standard streams.
    redirections: Vec<(OwnedFd, Standard)>,
    forwards: Vec<Forward>,
    files: Vec<FileRange>,
}

impl Plan {
    /// `limit` is how many bytes of each stream are kept; none are wanted if it is `None`.
    pub fn new(limit: Option<u64>) -> Plan {
        let plan = Plan {
            captures: Captures::default(),
            limit: limit.unwrap_or(0),
            redirections: Vec::new(),
            forwards: Vec::new(),
            files: Vec::new(),
        };
        if limit.is_some() { plan.complete() } else { plan }
    }

    /// For a program whose standard streams are these files.
    pub fn of_files(limit: Option<u64>, files: &[File; 3]) -> io::Result<Plan> {
        let mut plan = Plan::new(None);
        plan.limit = limit.unwrap_or(0);
        for (stream, file) in Standard::ALL.into_iter().zip(files) {
            plan.redirections.push((file.try_clone()?.into(), stream));
            if limit.is_some() {
                plan.files.push(FileRange::new(stream, stream.bit(), file.as_raw_fd())?);
                *plan.captures.of_mut(stream) = Capture::Whole;
            }
        }
        Ok(plan)
    }

    fn complete(mut self) -> Plan {
        let kinds = Standard::ALL.map(Kind::of);
        let [input, output, error] = &kinds;
        let is_two_way = input.is_socket() && (input.is_same(output) || input.is_same(error));
        self.add(Standard::Input, input, Standard::Input.bit());
        if is_two_way {
            let socket = Capture::Nothing(NoCapture::Socket);
            self.captures = Captures { input: socket.clone(), output: socket.clone(), error: socket };
        } else if output.is_same(error) {
            self.add(Standard::Output, output, Standard::Output.bit() | Standard::Error.bit());
        } else {
            self.add(Standard::Output, output, Standard::Output.bit());
            self.add(Standard::Error, error, Standard::Error.bit());
        }
        self
    }

    /// Plans for a stream, and for the others that are one with it.
    fn add(&mut self, stream: Standard, kind: &Kind, streams: u32) {
        let added = match kind {
            Kind::Nothing(why) => Err(why.clone()),
            Kind::File(_) => {
                let range = FileRange::new(stream, streams, stream.descriptor());
                range.map(|range| self.files.push(range)).map_err(failed)
            }
            Kind::Pipe(_) | Kind::Socket(_) => self.interpose(stream, kind, streams),
        };
        let capture = match added {
            Ok(()) => Capture::Whole,
            Err(why) => Capture::Nothing(why),
        };
        for one in Standard::ALL.into_iter().filter(|one| one.bit() & streams != 0) {
            *self.captures.of_mut(one) = capture.clone();
        }
    }

    /// Puts a pipe of ours between the program and what it has.
    fn interpose(&mut self, stream: Standard, kind: &Kind, streams: u32) -> Result<(), NoCapture> {
        let is_input = stream == Standard::Input;
        if is_input && kind.is_socket() {
            return Err(NoCapture::Socket);
        }
        let (read, write) = kind.another(stream).map_err(failed)?;
        let (ours, programs) = if is_input { (write, read) } else { (read, write) };
        for one in Standard::ALL.into_iter().filter(|one| one.bit() & streams != 0) {
            let copy = programs.try_clone().map_err(failed)?;
            self.redirections.push((copy, one));
        }
        self.forwards.push(Forward { stream, ours, streams, limit: self.limit });
        Ok(())
    }

    /// Descriptors of ours, and which of the program's they become.
    pub fn redirections(&self) -> Vec<(i32, i32)> {
        self.redirections.iter().map(|(ours, stream)| (ours.as_raw_fd(), stream.descriptor())).collect()
    }
}

fn failed(error: io::Error) -> NoCapture {
    NoCapture::Failed { error: error.to_string() }
}

impl Plan {
    /// What is to be forwarded while the program runs; it has its ends now, and ours of them are closed.
    pub fn started(&mut self) -> Vec<Forward> {
        self.redirections.clear();
        std::mem::take(&mut self.forwards)
    }

    /// Keeps what the program left in files. Gives what there is of each stream.
    pub fn finish(mut self, forwarded: Vec<Forwarded>, drained: &mut Drained) -> Captures {
        for range in std::mem::take(&mut self.files) {
            let streams = range.streams();
            let mut keep = Keep::new(streams, self.limit);
            let copied = range.copy(&mut keep, drained);
            self.settle(streams, copied.map(|()| keep.is_cut()));
        }
        for Forwarded { streams, is_cut, left } in forwarded {
            self.settle(streams, Ok(is_cut));
            if let Some((source, sink)) = left {
                forward::leave_behind(&source, sink);
            }
        }
        self.captures
    }

    fn settle(&mut self, streams: u32, outcome: io::Result<bool>) {
        let capture = match outcome {
            Ok(false) => Capture::Whole,
            Ok(true) => Capture::Cut,
            Err(error) => Capture::Nothing(failed(error)),
        };
        for one in Standard::ALL.into_iter().filter(|one| one.bit() & streams != 0) {
            *self.captures.of_mut(one) = capture.clone();
        }
    }
}
