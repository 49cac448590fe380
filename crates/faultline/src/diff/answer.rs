//! What `faultline diff` answers, as plain values; JSON as they are.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use anyhow::Result;
use comparison::{
    Comparison, Difference, FirstByte, Link, Name, Pair, Side, Sides, Standing, Why, executions, first_byte, written,
};
use execution::unexamined;
use findings::Line;
use program::{Op, Operand};
use recording::{Capture, Standard};
use replay::Step;
use serde::Serialize;
use source::operands::operands;
use source::told::{Told, tell};

use super::{Arguments, MOST_CAUSES};
use source::lines::{Texts, function_name, line_at};

#[derive(Serialize)]
pub struct Answer {
    /// Whether both are of one program, rather than of two versions.
    pub one_program: bool,
    /// Both did the same, with the same values, and wrote the same.
    pub same: bool,
    /// Standard streams that were not compared, or not to their ends, because a recording does not have them.
    pub not_compared: Vec<&'static str>,
    pub a: RunAnswer,
    pub b: RunAnswer,
    /// How many statements of the program's own were executed by both, and how many sites among these had other values.
    pub shared: u64,
    pub differing: usize,
    pub parting: Option<PartingAnswer>,
    pub first_value: Option<Both>,
    pub output: Option<ByteAnswer>,
    pub error_output: Option<ByteAnswer>,
    /// Statements that changed between the versions and were executed.
    pub changes: Vec<ChangeAnswer>,
    /// What the runs differ in, in the end.
    pub subject: Option<String>,
    /// Whether the chain leads to the subject. If not, it has the first statements that differ, whatever they led to.
    pub explained: bool,
    pub chain: Vec<LinkAnswer>,
    /// How many links are left out, and where: after so many.
    pub omitted: usize,
    pub omitted_after: usize,
    pub limits: Vec<String>,
}

#[derive(Serialize)]
pub struct RunAnswer {
    pub recording: String,
    pub ending: String,
    /// Statements of the program's own that only this run executed.
    pub alone: u64,
}

#[derive(Serialize)]
pub struct StepAnswer {
    pub clock: u64,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: String,
    /// The line in the source.
    pub source: Option<String>,
    pub text: String,
    /// Of a choice: what it used.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub operands: Vec<OperandAnswer>,
}

#[derive(Serialize)]
pub struct OperandAnswer {
    pub expression: String,
    pub value: String,
}

#[derive(Serialize)]
pub struct Both {
    pub a: StepAnswer,
    pub b: StepAnswer,
}

#[derive(Serialize)]
pub struct PartingAnswer {
    /// `choice`, `end of a`, `end of b` or `otherwise`.
    pub why: &'static str,
    pub at: Option<Both>,
    pub next_a: Option<StepAnswer>,
    pub next_b: Option<StepAnswer>,
}

#[derive(Serialize)]
pub struct ByteAnswer {
    /// Counted from 1, as `cmp` does.
    pub byte: u64,
    pub line: u64,
    pub column: u64,
    pub a: Option<u8>,
    pub b: Option<u8>,
}

#[derive(Serialize)]
pub struct ChangeAnswer {
    /// `changed`, `added` or `removed`.
    pub kind: &'static str,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub function: String,
    /// The line in the version that has it; of a changed one, in the new version, and in the old one.
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_source: Option<String>,
    /// How often it was executed before anything else differed, and in all.
    pub before: u64,
    pub all: u64,
}

#[derive(Serialize)]
pub struct LinkAnswer {
    /// Counted from 1.
    pub number: usize,
    /// `differs`, `only in a`, `only in b`, `brings` (the same call in both, that may have brought different bytes), or
    /// `subject`.
    pub standing: &'static str,
    pub a: Option<StepAnswer>,
    pub b: Option<StepAnswer>,
    /// How often.
    pub count: u64,
    /// The links this one depends on.
    pub behind: Vec<usize>,
}

/// Tells steps, of both runs.
struct Teller<'a> {
    pair: &'a Pair<'a, 'a>,
    told: Sides<HashMap<Step, Told>>,
    texts: Texts,
}

impl<'a> Teller<'a> {
    fn new(pair: &'a Pair<'a, 'a>, steps: &Sides<BTreeSet<Step>>) -> Result<Teller<'a>> {
        let told = |side: Side| tell(pair.runs.of(side), pair.sources.of(side), steps.of(side));
        Ok(Teller { pair, told: Sides { left: told(Side::Left)?, right: told(Side::Right)? }, texts: Texts::default() })
    }

    fn step(&mut self, side: Side, at: Step) -> Result<StepAnswer> {
        let run = self.pair.runs.of(side);
        let (module, function) = (run.functions.module(at.site.function)?, run.functions.function(at.site.function));
        let line = line_at(module, function, at.site.instruction);
        let name = function_name(&run.functions, at.site.function);
        let text = match (self.told.of(side).get(&at), &function.instruction(at.site.instruction).op) {
            (Some(Told::Assigns { place, value }), Op::Store { value: Operand::Parameter(_), .. }) => {
                format!("{name} is given {place} = {value}")
            }
            (Some(Told::Assigns { value, .. }), Op::Store { address: Operand::Result(to), .. })
                if function.is_result_slot(*to) =>
            {
                format!("{name} returns {value}")
            }
            (Some(told), _) => told.to_string(),
            (None, _) => "continues".into(),
        };
        Ok(StepAnswer {
            clock: at.clock,
            source: line.as_ref().and_then(|line| self.texts.get(line)).map(|text| text.trim().to_owned()),
            file: line.as_ref().map(|l| l.file.clone()),
            line: line.map(|l| l.line),
            function: name,
            text,
            operands: Vec::new(),
        })
    }

    fn with_operands(&mut self, side: Side, at: Step) -> Result<StepAnswer> {
        let mut step = self.step(side, at)?;
        let used = operands(self.pair.runs.of(side), self.pair.sources.of(side), at)?;
        step.operands = used.into_iter().map(|(expression, value)| OperandAnswer { expression, value }).collect();
        Ok(step)
    }
}

pub fn answer(pair: &Pair<'_, '_>, comparison: &Comparison, arguments: &Arguments) -> Result<Answer> {
    let survey = &comparison.survey;
    let (links, omitted_after, omitted) = shown(comparison, arguments.limit);
    let names: Vec<Name> = links.iter().filter_map(|link| link.1.name).collect();
    let mut executed = executions(pair, &survey.order, &names)?;
    // Where nothing is known to be behind the subject, or there is none, there are still statements that differ.
    let listed: Vec<_> =
        if comparison.chain.len() > 1 { &[][..] } else { &survey.differing[..] }.iter().take(arguments.limit).collect();
    let mut steps = Sides::<BTreeSet<Step>>::default();
    for execution in executed.values() {
        steps.left.extend(execution.left);
        steps.right.extend(execution.right);
    }
    let both = listed.iter().map(|differing| differing.first).chain(survey.first_value());
    for both in both.chain(survey.parting.and_then(|parting| parting.at)) {
        steps.left.insert(both.left);
        steps.right.insert(both.right);
    }
    if let Some(parting) = &survey.parting {
        steps.left.extend(parting.next.left);
        steps.right.extend(parting.next.right);
    }
    let mut teller = Teller::new(pair, &steps)?;
    let mut chain = Vec::new();
    for &(number, link) in &links {
        let moments = link.name.and_then(|name| executed.remove(&name)).unwrap_or_default();
        chain.push(link_answer(&mut teller, number, link, moments)?);
    }
    for (number, differing) in (1..).zip(&listed) {
        chain.push(LinkAnswer {
            number,
            standing: "differs",
            a: Some(teller.step(Side::Left, differing.first.left)?),
            b: Some(teller.step(Side::Right, differing.first.right)?),
            count: differing.count,
            behind: Vec::new(),
        });
    }
    let output = byte_answer(pair, Standard::Output)?;
    let error_output = byte_answer(pair, Standard::Error)?;
    let ending = |side: Side| {
        crate::ending::sentences(pair.runs.of(side).image().recording).into_iter().next().unwrap_or_default()
    };
    let endings = (ending(Side::Left), ending(Side::Right));
    let not_compared = not_compared(pair, [(Standard::Output, &output), (Standard::Error, &error_output)]);
    let is_same = survey.is_same()
        && output.is_none()
        && error_output.is_none()
        && endings.0 == endings.1
        && not_compared.is_empty();
    let parting = parting_answer(&mut teller, comparison)?;
    let first_value = match survey.first_value() {
        Some(first) => {
            Some(Both { a: teller.step(Side::Left, first.left)?, b: teller.step(Side::Right, first.right)? })
        }
        None => None,
    };
    let changes = change_answers(pair, comparison, &mut teller.texts)?;
    let (omitted, omitted_after) = match listed.len() {
        0 => (omitted, omitted_after),
        shown => (survey.differing.len() - shown, shown),
    };
    Ok(Answer {
        one_program: pair.map.is_none(),
        same: is_same,
        not_compared,
        a: RunAnswer { recording: arguments.left.display().to_string(), ending: endings.0, alone: survey.alone.left },
        b: RunAnswer { recording: arguments.right.display().to_string(), ending: endings.1, alone: survey.alone.right },
        shared: survey.shared,
        differing: survey.differing.len(),
        parting,
        first_value,
        output,
        error_output,
        changes,
        subject: comparison.subject.as_ref().map(|subject| subject_text(&subject.difference)),
        explained: comparison.chain.len() > 1,
        chain,
        omitted,
        omitted_after,
        limits: limits(pair, comparison),
    })
}

/// The links that are shown, with their numbers: if there are too many, most of the first and some of the last. And how
/// many are left out, after which.
fn shown(comparison: &Comparison, limit: usize) -> (Vec<(usize, &Link)>, usize, usize) {
    // The subject stands for itself.
    let links = &comparison.chain[..comparison.chain.len().saturating_sub(1)];
    let all: Vec<(usize, &Link)> = (1..).zip(links).collect();
    if all.len() <= limit {
        return (all, links.len(), 0);
    }
    let last = limit / 4;
    let first = limit - last;
    let omitted = all.len() - limit;
    let shown = all.iter().take(first).chain(all.iter().skip(first + omitted)).copied().collect();
    (shown, first, omitted)
}

fn link_answer(
    teller: &mut Teller<'_>,
    number: usize,
    link: &Link,
    moments: Sides<Option<Step>>,
) -> Result<LinkAnswer> {
    let standing = match link.standing {
        Standing::Differs => "differs",
        Standing::Alone(Side::Left) => "only in a",
        Standing::Alone(Side::Right) => "only in b",
        Standing::Brings => "brings",
        Standing::Subject => "subject",
    };
    let a = moments.left.map(|at| teller.step(Side::Left, at)).transpose()?;
    let b = moments.right.map(|at| teller.step(Side::Right, at)).transpose()?;
    let behind = link.behind.iter().map(|position| position + 1).collect();
    Ok(LinkAnswer { number, standing, a, b, count: link.count, behind })
}

fn parting_answer(teller: &mut Teller<'_>, comparison: &Comparison) -> Result<Option<PartingAnswer>> {
    let Some(parting) = comparison.survey.parting else { return Ok(None) };
    let at = match parting.at {
        Some(at) => Some(Both {
            a: teller.with_operands(Side::Left, at.left)?,
            b: teller.with_operands(Side::Right, at.right)?,
        }),
        None => None,
    };
    let why = match parting.why {
        Why::Choice => "choice",
        Why::Ends(Side::Left) => "end of a",
        Why::Ends(Side::Right) => "end of b",
        Why::Otherwise => "otherwise",
    };
    let next_a = parting.next.left.map(|at| teller.step(Side::Left, at)).transpose()?;
    let next_b = parting.next.right.map(|at| teller.step(Side::Right, at)).transpose()?;
    Ok(Some(PartingAnswer { why, at, next_a, next_b }))
}

fn byte_answer(pair: &Pair<'_, '_>, stream: Standard) -> Result<Option<ByteAnswer>> {
    let first = written(pair, stream)?.and_then(|both| first_byte(&both.left, &both.right));
    let answer = |FirstByte { byte, bytes, line, column }| ByteAnswer {
        byte: byte + 1,
        line,
        column,
        a: bytes.left,
        b: bytes.right,
    };
    Ok(first.map(answer))
}

/// The streams of which no byte was found to differ, and that at least one recording does not have whole.
fn not_compared(pair: &Pair<'_, '_>, streams: [(Standard, &Option<ByteAnswer>); 2]) -> Vec<&'static str> {
    let is_whole = |side: Side, stream| {
        let end = pair.runs.of(side).image().recording.end();
        end.is_some_and(|end| *end.standard.of(stream) == Capture::Whole)
    };
    let is_missing = |stream| !(is_whole(Side::Left, stream) && is_whole(Side::Right, stream));
    let missing = streams.into_iter().filter(|(stream, byte)| byte.is_none() && is_missing(*stream));
    missing.map(|(stream, _)| stream.name()).collect()
}

/// Lines with changed statements that were executed; those executed before anything differed first.
fn change_answers(pair: &Pair<'_, '_>, comparison: &Comparison, texts: &mut Texts) -> Result<Vec<ChangeAnswer>> {
    let Some(map) = pair.map else { return Ok(Vec::new()) };
    let mut old_sites = HashMap::new();
    for (old, new, function) in map.functions() {
        old_sites.extend(function.changed.iter().map(|(from, to)| ((new, *to), (old, *from))));
    }
    let mut by_line: BTreeMap<(Option<Line>, &'static str, String), ChangeAnswer> = BTreeMap::new();
    for (&(side, key, site), executed) in &comparison.survey.executed {
        let place = |side: Side, key, site| -> Result<Option<Line>> {
            let functions = &pair.runs.of(side).functions;
            Ok(line_at(functions.module(key)?, functions.function(key), site))
        };
        let line = place(side, key, site)?;
        let old = match old_sites.get(&(key, site)) {
            Some(&(key, site)) if side == Side::Right => place(Side::Left, key, site)?,
            _ => None,
        };
        let kind = match (side, &old) {
            (Side::Left, _) => "removed",
            (Side::Right, Some(_)) => "changed",
            (Side::Right, None) => "added",
        };
        let function = function_name(&pair.runs.of(side).functions, key);
        let mut text =
            |line: &Option<Line>| line.as_ref().and_then(|l| texts.get(l)).map(|text| text.trim().to_owned());
        let change = by_line.entry((line.clone(), kind, function.clone())).or_insert_with(|| ChangeAnswer {
            kind,
            source: text(&line),
            old_source: text(&old),
            file: line.as_ref().map(|l| l.file.clone()),
            line: line.as_ref().map(|l| l.line),
            function,
            before: 0,
            all: 0,
        });
        change.before = change.before.max(executed.before);
        change.all = change.all.max(executed.all);
    }
    let mut changes: Vec<ChangeAnswer> = by_line.into_values().collect();
    changes.sort_by_key(|change| change.before == 0);
    Ok(changes)
}

fn subject_text(difference: &Difference) -> String {
    match difference {
        Difference::Failure { side, failure } => {
            let of = if *side == Side::Left { "A" } else { "B" };
            format!("{} in {of}", failure::text::subject(failure))
        }
        Difference::Output { byte, .. } => format!("byte {} of standard output", byte + 1),
        Difference::Status(status) => format!("the exit status, {} in A and {} in B", status.left, status.right),
    }
}

fn limits(pair: &Pair<'_, '_>, comparison: &Comparison) -> Vec<String> {
    let mut limits = comparison.subject.as_ref().map(|subject| subject.limits.clone()).unwrap_or_default();
    let mut unknown: Vec<_> = comparison.causes.unknown.keys().collect();
    unknown.sort();
    for name in unknown {
        limits.push(format!("the effects of {name} are unknown; assumed to read only its arguments"));
    }
    if comparison.causes.unseen > 0 {
        limits.push(format!(
            "{} bytes were changed by code that was not recorded: another thread, the kernel, a signal handler, or \
             `va_start`; the causes behind them were not followed",
            comparison.causes.unseen
        ));
    }
    if comparison.causes.is_cut {
        limits.push(format!("only the latest {MOST_CAUSES} differences were examined"));
    }
    if comparison.causes.is_unfinished {
        limits.push("not every difference was followed to its end".into());
    }
    for (side, name) in [(Side::Left, "A"), (Side::Right, "B")] {
        let run = pair.runs.of(side);
        limits.extend(unexamined::limits(run).into_iter().map(|limit| format!("in {name}, {limit}")));
        for stream in [Standard::Output, Standard::Error] {
            let kept = run.image().recording.end().map(|end| end.standard.of(stream));
            match kept {
                Some(Capture::Whole) => {}
                Some(Capture::Cut) => {
                    limits.push(format!("{name} contains only the beginning of its {}", stream.name()))
                }
                Some(Capture::Nothing(_)) | None => {
                    limits.push(format!("{name} was recorded without its {}", stream.name()));
                }
            }
        }
    }
    limits
}
