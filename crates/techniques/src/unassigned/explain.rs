//! What is claimed of reads of what was never assigned.

use findings::{Caveat, Claim, Evidence, EvidenceKind, Finding, Location, Read, Tried};
use program::debug::value_text;
use program::{Function, Op, Operand};
use replay::Step;
use source::lines::{declared_line, shown_path};

use super::{Named, Unassigned};
use subject::place::location;
use subject::{Fineness, Subject, Suspect};

/// What a step of the program's own code reads, and where. `None` without debug information.
pub fn named(subject: &Subject<'_, '_>, at: Step) -> Option<Named> {
    let run = subject.run;
    let location = location(run, at)?;
    let module = run.functions.module(at.site.function).ok()?;
    let function = run.functions.function(at.site.function);
    let debug = subject.sources.debug(at.site.function.module as usize);
    let text = value_text(module, debug, function, &Operand::Result(at.site.instruction), None);
    let of_function = subject.sources.function(at.site.function.module as usize, at.site.function.function);
    let variable = places(function, at).find_map(|place| {
        let (debug, holder) = (of_function?, holder(function, place)?);
        let local = debug.held_by(&holder)?;
        let line = declared_line(local.file.as_deref(), local.line)?;
        let file = shown_path(&line.file);
        Some((local.name.clone(), Location { file, line: line.line, column: 0, function: location.function.clone() }))
    });
    let is_call = function.instruction(at.site.instruction).op.call().is_some();
    Some(Named { text, is_call, location, step: Some(at), variable })
}

/// Where a load or a call may read.
fn places(function: &Function, at: Step) -> impl Iterator<Item = &Operand> {
    let op = &function.instruction(at.site.instruction).op;
    let loaded = match op {
        Op::Load { address, .. } => Some(address),
        _ => None,
    };
    loaded.into_iter().chain(op.call().into_iter().flat_map(|call| &call.arguments))
}

/// The local that an address leads into.
fn holder(function: &Function, address: &Operand) -> Option<Operand> {
    let mut address = address;
    loop {
        let Operand::Result(made) = address else { return None };
        match &function.instruction(*made).op {
            Op::Alloca { .. } => return Some(address.clone()),
            Op::ElementPointer { base, .. } => address = base,
            _ => return None,
        }
    }
}

/// `fills`: the byte that locals are filled with in all runs, if they are.
pub fn caveat(known: &Unassigned, fills: Option<u8>) -> Option<Caveat> {
    let read = |named: &Named| Read { expression: named.text.as_str().into(), location: named.location.clone() };
    let reads: Vec<Read> = known.reads.iter().map(read).collect();
    let fill = fills.map(|byte| format!("{byte:#x}").into());
    (fill.is_some() || !reads.is_empty()).then_some(Caveat::Unassigned { reads, fill })
}

pub fn tried(known: &Unassigned) -> Vec<Tried> {
    if !known.matters || known.reads.is_empty() {
        return Vec::new();
    }
    vec![Tried::FilledLocals { is_right_with_zeros: known.is_right_with_zeros }]
}

/// The declarations and the reads. Where the failure has nothing to do with them, there are none.
pub fn suspects(known: &Unassigned) -> Vec<Suspect> {
    if !known.matters {
        return Vec::new();
    }
    let shown = Claim::UnassignedMatters { is_right_with_zeros: known.is_right_with_zeros };
    let mut found: Vec<Suspect> = Vec::new();
    let mut add = |location: &Location, step: Option<Step>, claim: Claim| {
        let place = (&location.file, location.line);
        if found.iter().any(|one| (&one.finding.location.file, one.finding.location.line) == place) {
            return;
        }
        let rank = found.len() as u32 + 1;
        let finding = Finding {
            rank,
            location: location.clone(),
            score: 1.0 / f64::from(rank),
            techniques: vec!["unassigned".into()],
            claims: vec![claim, shown.clone()],
            evidence: vec![Evidence { kind: EvidenceKind::Experiment, claim: shown.clone() }],
        };
        // What would repair it is written at the declaration, or before the read.
        found.push(Suspect { finding, steps: step.into_iter().collect(), fineness: Fineness::Fine, tier: rank });
    };
    for read in &known.reads {
        let Named { text, is_call, location: Location { line, .. }, .. } = read;
        if let Some((name, declared)) = &read.variable {
            let variable = if *is_call { name } else { text };
            add(declared, None, Claim::NeverAssigned { variable: variable.as_str().into(), line: *line });
        }
        let expression = text.as_str().into();
        add(&read.location, read.step, Claim::ReadsUnassigned { expression, is_call: *is_call });
    }
    found
}
