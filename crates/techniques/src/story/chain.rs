//! The links of a chain with what each used.

use execution::dependence::Kind;
use findings::story::{ChainStep, EdgeKind};
use source::operands::operands;

use crate::why::Diagnosis;
use subject::{Subject, TechniqueError};

/// Values told of a step.
const MOST_USED: usize = 6;

pub fn chain(subject: &Subject<'_, '_>, diagnosis: &Diagnosis) -> Result<Vec<ChainStep>, TechniqueError> {
    let mut steps = Vec::new();
    for passage in &diagnosis.way {
        let mut used = operands(subject.run, subject.sources, passage.step)?;
        used.truncate(MOST_USED);
        steps.push(ChainStep {
            link: passage.link.clone(),
            used,
            clock: Some(passage.step.clock),
            by: passage.by.map(edge_kind),
        });
    }
    Ok(steps)
}

pub fn edge_kind(kind: Kind) -> EdgeKind {
    match kind {
        Kind::Data => EdgeKind::Data,
        Kind::Control => EdgeKind::Control,
    }
}
