//! Source files of the run: which are shown, how often their lines were executed, which values they had.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use findings::Line;
use findings::story::{Excerpt, LineFacts, SourceText, ValueTold};
use program::{FunctionKey, Site};
use replay::Step;
use source::lines::{line_of, shown_path};
use source::told::{Told, tell};

use super::observe::Seen;
use crate::why::Diagnosis;
use subject::{Subject, TechniqueError};

/// Files shown.
const MOST_FILES: usize = 12;
/// Lines of all files together: a browser reads some thousands in the blink of an eye.
const MOST_SHOWN: usize = 6000;
/// A longer file is shown in parts: so many lines around those that matter.
const WHOLE: usize = 2000;
const AROUND: u32 = 40;
/// Lines with values, those nearest to the failure; and values of each, the latest.
const MOST_LINES: usize = 400;
const MOST_VALUES: usize = 4;
/// Findings whose files are shown whatever they have to do with the failure.
const FIRST_FINDINGS: usize = 20;

/// Lines that the failure depends on.
pub struct Chosen {
    by_line: HashMap<Line, Depended>,
}

#[derive(Default)]
struct Depended {
    /// By site: how many of its executions.
    sites: HashMap<Site, u64>,
    /// The latest, at most as many as are shown.
    latest: Vec<Step>,
    distance: u32,
}

impl Chosen {
    /// The steps whose values are told.
    pub fn steps(&self) -> impl Iterator<Item = Step> + '_ {
        self.by_line.values().flat_map(|depended| depended.latest.iter().copied())
    }
}

/// Finds the lines that the failure depends on, and the steps that tell most of them.
pub fn choose(subject: &Subject<'_, '_>, diagnosis: &Diagnosis) -> Result<Chosen, TechniqueError> {
    let nearness = subject.nearness()?;
    let mut lines: HashMap<Site, Option<Line>> = HashMap::new();
    let mut by_line: HashMap<Line, Depended> = HashMap::new();
    let telling = diagnosis.way.iter().map(|passage| passage.step).chain(diagnosis.steps.iter().flatten().copied());
    let telling: BTreeSet<Step> = telling.collect();
    // Later steps come first.
    for (vertex, &step) in (0..).map(execution::dependence::graph::VertexId).zip(&nearness.graph.steps) {
        if nearness.is_twin(vertex) {
            continue;
        }
        let site = step.site;
        let line = lines.entry(site).or_insert_with(|| own_line(subject, site));
        let Some(line) = line else { continue };
        let depended =
            by_line.entry(line.clone()).or_insert_with(|| Depended { distance: u32::MAX, ..Depended::default() });
        *depended.sites.entry(site).or_default() += 1;
        depended.distance = depended.distance.min(nearness.distance(vertex).unwrap_or(u32::MAX));
        if depended.latest.len() < MOST_VALUES || telling.contains(&step) {
            depended.latest.push(step);
        }
    }
    let mut order: Vec<(u32, Line)> =
        by_line.iter().map(|(line, depended)| (depended.distance, line.clone())).collect();
    order.sort();
    for (_, line) in order.iter().skip(MOST_LINES) {
        if let Some(depended) = by_line.get_mut(line) {
            depended.latest.clear();
        }
    }
    Ok(Chosen { by_line })
}

/// The line that the compiler gave a site itself.
fn own_line(subject: &Subject<'_, '_>, site: Site) -> Option<Line> {
    let functions = &subject.run.functions;
    let location = functions.instruction(site).location?;
    line_of(functions.module(site.function).ok()?, location)
}

pub fn files(
    subject: &Subject<'_, '_>,
    diagnosis: &Diagnosis,
    chosen: &Chosen,
    seen: &Seen,
) -> Result<Vec<SourceText>, TechniqueError> {
    let steps: BTreeSet<Step> = chosen.steps().collect();
    let told = tell(subject.run, subject.sources, &steps)?;
    let mut facts = facts(subject, seen);
    for (line, depended) in &chosen.by_line {
        let of_file = facts.entry(shown_path(&line.file)).or_default();
        let own = of_file.entry(line.line).or_insert_with(|| LineFacts { line: line.line, ..LineFacts::default() });
        own.in_slice = depended.sites.values().copied().max().unwrap_or(0);
        own.values = values(depended, &told, seen);
    }
    let mut order: Vec<String> = Vec::new();
    let findings = &diagnosis.findings;
    for finding in &findings.findings {
        let at = &finding.location;
        let of_file = facts.entry(at.file.clone()).or_default();
        let own = of_file.entry(at.line).or_insert_with(|| LineFacts { line: at.line, ..LineFacts::default() });
        own.suspicion = own.suspicion.max(finding.score);
    }
    for omitted in &diagnosis.omitted {
        let at = &omitted.location;
        let of_file = facts.entry(at.file.clone()).or_default();
        let own = of_file.entry(at.line).or_insert_with(|| LineFacts { line: at.line, ..LineFacts::default() });
        own.omitted = own.omitted.or(Some(omitted.condition));
    }
    let named = findings.findings.iter().take(FIRST_FINDINGS).map(|finding| &finding.location.file);
    let named = named.chain(findings.chain.iter().map(|link| &link.location.file)).cloned();
    let mut near: Vec<(u32, String)> =
        chosen.by_line.iter().map(|(line, d)| (d.distance, shown_path(&line.file))).collect();
    near.sort();
    for file in named.chain(near.into_iter().map(|(_, file)| file)) {
        if !order.contains(&file) {
            order.push(file);
        }
    }
    let mut texts = Vec::new();
    let mut room = MOST_SHOWN;
    for path in order {
        if texts.len() == MOST_FILES || room == 0 {
            break;
        }
        let Some(facts) = facts.remove(&path) else { continue };
        let facts: Vec<LineFacts> = facts.into_values().collect();
        let excerpts = excerpts(&path, &facts, findings.chain.iter().map(|link| &link.location), room.min(WHOLE));
        let shown: usize = excerpts.iter().map(|excerpt| excerpt.lines.len()).sum();
        room = room.saturating_sub(shown);
        if shown > 0 {
            texts.push(SourceText { path, excerpts, facts });
        }
    }
    Ok(texts)
}

/// How often lines with code were executed, by file and number; none of library twins.
fn facts(subject: &Subject<'_, '_>, seen: &Seen) -> BTreeMap<String, BTreeMap<u32, LineFacts>> {
    let mut facts: BTreeMap<String, BTreeMap<u32, LineFacts>> = BTreeMap::new();
    let image = subject.run.image();
    let mut paths: HashMap<(usize, u32), Option<String>> = HashMap::new();
    for position in 0..image.module_count() {
        // A module that cannot be read was not executed.
        let Ok(module) = image.module(position) else { continue };
        if module.has_twins() {
            continue;
        }
        for function in &module.functions {
            let counts = seen.counts.get(&FunctionKey { module: position as u32, function: function.id });
            for (index, instruction) in function.instructions.iter().enumerate() {
                let Some(location) = instruction.location.filter(|location| location.line > 0) else { continue };
                let path = paths
                    .entry((position, location.file))
                    .or_insert_with(|| line_of(module, location).map(|line| shown_path(&line.file)));
                let Some(path) = path else { continue };
                let count = counts.map_or(0, |counts| counts[index]);
                // A file has many instructions; its name is copied once.
                if !facts.contains_key(path.as_str()) {
                    facts.insert(path.clone(), BTreeMap::new());
                }
                let Some(of_file) = facts.get_mut(path.as_str()) else { continue };
                let own = of_file
                    .entry(location.line)
                    .or_insert_with(|| LineFacts { line: location.line, ..LineFacts::default() });
                own.executions = own.executions.max(count);
            }
        }
    }
    facts
}

/// What was assigned, decided, called or returned, in the order of execution; the same in a row once.
fn values(depended: &Depended, told: &HashMap<Step, Told>, seen: &Seen) -> Vec<ValueTold> {
    let mut steps = depended.latest.clone();
    steps.sort();
    let mut values: Vec<ValueTold> = Vec::new();
    for step in steps {
        let Some(told) = told.get(&step) else { continue };
        let text = told.to_string();
        if values.last().is_some_and(|last| last.text == text) {
            continue;
        }
        let execution = seen.executions.get(&step).copied().unwrap_or(1);
        values.push(ValueTold { text, execution, clock: step.clock });
    }
    values
}

/// The whole file, or of a long one what matters.
fn excerpts<'a>(
    path: &str,
    facts: &[LineFacts],
    chain: impl Iterator<Item = &'a findings::Location>,
    most: usize,
) -> Vec<Excerpt> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().collect();
    let matters = facts.iter().filter(|facts| facts.suspicion > 0.0 || facts.in_slice > 0).map(|facts| facts.line);
    let matters = matters.chain(chain.filter(|at| at.file == path).map(|at| at.line)).collect();
    parts(lines.len() as u32, &matters, most)
        .into_iter()
        .map(|(first, last)| {
            let range = first as usize - 1..last as usize;
            Excerpt { first, lines: lines[range].iter().map(|line| (*line).to_owned()).collect() }
        })
        .collect()
}

/// First and last lines of what is shown of a file that has so many: about `most` lines, not many more.
fn parts(count: u32, matters: &BTreeSet<u32>, most: usize) -> Vec<(u32, u32)> {
    if count == 0 {
        return Vec::new();
    }
    if count as usize <= most {
        return vec![(1, count)];
    }
    let mut parts: Vec<(u32, u32)> = Vec::new();
    let mut shown = 0;
    for &line in matters.iter().filter(|line| **line <= count) {
        let (first, last) = (line.saturating_sub(AROUND).max(1), (line + AROUND).min(count));
        match parts.last_mut() {
            Some((_, end)) if first <= *end + 1 => {
                shown += last.max(*end) - *end;
                *end = last.max(*end);
            }
            _ => {
                shown += last - first + 1;
                parts.push((first, last));
            }
        }
        if shown as usize >= most {
            break;
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_files_are_shown_whole() {
        assert_eq!(parts(3000, &BTreeSet::new(), 3000), [(1, 3000)]);
        assert_eq!(parts(0, &BTreeSet::new(), 3000), []);
    }

    #[test]
    fn of_long_files_what_matters_is_shown() {
        let shown = |lines: &[u32]| parts(5000, &lines.iter().copied().collect(), 3000);
        assert_eq!(shown(&[]), []);
        assert_eq!(shown(&[10, 4999, 6000]), [(1, 50), (4959, 5000)]);
        assert_eq!(shown(&[100, 181, 263]), [(60, 221), (223, 303)]);
        let everywhere: Vec<u32> = (1..=5000).collect();
        let all: u32 = shown(&everywhere).iter().map(|(first, last)| last - first + 1).sum();
        assert!((3000..3100).contains(&all), "{all}");
    }
}
