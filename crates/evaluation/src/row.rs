//! One fault and one technique, measured. Here, after the answer, and nowhere else, a fault's lines are read.

use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Steps};
use crate::class::Class;
use crate::facts::{Facts, Slices};
use crate::kind::Kind;
use crate::subject::Fault;

/// For the score, a report is its first lines: about as many as one reads before one begins to search.
pub const BLAMED: usize = 5;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub subject: String,
    pub fault: String,
    pub class: Class,
    /// Of omissions only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(default)]
    pub is_unseen: bool,
    /// What is wrong, in words.
    pub summary: String,
    /// The fault's lines.
    pub at: Vec<u32>,
    pub technique: String,
    /// Of the fault's first line, from 1 on; none: it is not among the lines answered.
    pub rank: Option<usize>,
    /// How many lines the failing run executed.
    pub executed: usize,
    /// Lines read until the fault's, of those that the failing run executed (EXAM); 1 if it is not among those answered.
    pub exam: f64,
    /// 1 − |DS*| / |PDG|, the first lines of the answer being the report; none where there is no such graph.
    pub score: Option<f64>,
    /// Dependences between the first line answered and the fault; none: no way leads from one to the other.
    pub distance: Option<u32>,
    /// Sizes of the failure's slices.
    pub slices: Option<Slices>,
    /// How many lines were answered.
    pub lines: usize,
    /// Lines of the chain from the cause to the failure.
    pub chain: usize,
    /// The chain begins at a line of the fault.
    pub is_head: bool,
    pub is_in_chain: bool,
    pub seconds: f64,
    pub experiments: u64,
    #[serde(default)]
    pub steps: Option<Steps>,
    /// In MiB.
    pub memory: Option<f64>,
    pub trouble: Option<String>,
}

impl Row {
    pub fn new(subject: &str, fault: &Fault, technique: &str, answer: &Answer, facts: &Facts) -> Row {
        let rank = answer.lines.iter().position(|line| fault.lines.contains(line)).map(|position| position + 1);
        let share = |rank: usize| (rank as f64 / facts.executed.max(1) as f64).min(1.0);
        let report = &answer.lines[..answer.lines.len().min(BLAMED)];
        Row {
            subject: subject.to_owned(),
            fault: fault.name.clone(),
            class: fault.class,
            kind: fault.kind,
            is_unseen: fault.is_unseen,
            summary: fault.summary.clone(),
            at: fault.lines.clone(),
            technique: technique.to_owned(),
            rank,
            executed: facts.executed,
            exam: rank.map_or(1.0, share),
            score: facts.graph.as_ref().map(|graph| graph.score(report, &fault.lines)),
            distance: answer.lines.first().and_then(|first| facts.graph.as_ref()?.distance(*first, &fault.lines)),
            slices: facts.slices,
            lines: answer.lines.len(),
            chain: answer.chain.len(),
            is_head: answer.chain.first().is_some_and(|line| fault.lines.contains(line)),
            is_in_chain: answer.chain.iter().any(|line| fault.lines.contains(line)),
            seconds: answer.seconds,
            experiments: answer.experiments,
            steps: answer.steps,
            memory: answer.memory,
            trouble: answer.trouble.clone(),
        }
    }

    pub fn name(&self) -> String {
        format!("{}/{}", self.subject, self.fault)
    }

    pub fn is_within(&self, top: usize) -> bool {
        self.rank.is_some_and(|rank| rank <= top)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::{Change, Place};
    use crate::dependence_graph::DependenceGraph;

    #[test]
    fn an_answer_is_measured_by_the_first_line_of_the_fault() {
        let change = Change { text: String::new(), places: vec![Place::Lines(vec![7, 8])] };
        let fault = Fault {
            name: "f".into(),
            class: Class::MultiLine,
            kind: None,
            is_unseen: false,
            lines: vec![7, 8],
            summary: String::new(),
            change,
        };
        let graph = DependenceGraph { lines: (1..=10).collect(), edges: (1..10).map(|l| (l, l + 1)).collect() };
        let facts = Facts { made_from: String::new(), executed: 8, slices: None, graph: Some(graph) };
        let answer = Answer { lines: vec![3, 8, 7], chain: vec![7, 3], ..Answer::default() };
        let row = Row::new("s", &fault, "why", &answer, &facts);
        // Lines 3, 7 and 8 are blamed.
        assert_eq!((row.rank, row.exam, row.score), (Some(2), 0.25, Some(0.7)));
        assert_eq!(row.distance, Some(4));
        assert!(row.is_head && row.is_within(3) && !row.is_within(1));
        let nothing = Row::new("s", &fault, "why", &Answer::default(), &facts);
        assert_eq!((nothing.rank, nothing.exam, nothing.score), (None, 1.0, Some(0.0)));
    }
}
