//! The differences behind a difference, found by a few walks over both runs, are those found by asking one step at a time.

use std::collections::{BTreeSet, HashMap};
use std::process::Command;
use std::time::Duration;

use abi::StreamId;
use comparison::{Cause, Ignored, Name, Order, Pair, Side, Sides, causes, executions, site_map, subject, survey};
use execution::Run;
use execution::criterion::Criterion;
use execution::dependence::graph::{Builder, VertexId};
use execution::dependence::{Follow, Kind, Walk, Wish};
use execution::slice::Request;
use program::{Call, Callee, Op, Statements};
use recording::Recording;
use replay::{Image, Step};
use source::sources::Sources;
use testkit::{Build, Fixture, Tools, compile, run, workspace};

/// What is behind what (the subject, if none), and whether as its choice.
type Edges = BTreeSet<(Name, Option<Name>, bool)>;

/// Each statement of a run by its step.
fn names(pair: &Pair<'_, '_>, order: &Order) -> Sides<HashMap<Step, Name>> {
    let mut names = Sides::<HashMap<Step, Name>>::default();
    for side in [Side::Left, Side::Right] {
        let all: Vec<Name> = (0..order.count(side)).map(|ordinal| order.name(side, ordinal)).collect();
        for (name, execution) in executions(pair, order, &all).unwrap() {
            names.of_mut(side).insert(execution.of(side).unwrap(), name);
        }
    }
    names
}

/// Asks of each step, in a walk of its own, what it used directly.
fn one_by_one(pair: &Pair<'_, '_>, order: &Order, criteria: &Sides<Option<Criterion>>) -> Edges {
    let names = names(pair, order);
    let steps = Sides {
        left: names.left.iter().map(|(at, name)| (*name, *at)).collect::<HashMap<_, _>>(),
        right: names.right.iter().map(|(at, name)| (*name, *at)).collect(),
    };
    let mut edges = Edges::new();
    let mut known = BTreeSet::new();
    let mut open: Vec<(Side, Option<Name>, Criterion)> = Vec::new();
    for side in [Side::Left, Side::Right] {
        open.extend(criteria.of(side).clone().map(|criterion| (side, None, criterion)));
    }
    while let Some((side, user, criterion)) = open.pop() {
        let run = *pair.runs.of(side);
        let Criterion::Step { at, .. } = criterion else { panic!("the run ends by returning") };
        let builder = Builder::new(&run.functions, usize::MAX);
        let walk = Walk::new(&run.functions, Follow::DataAndControl, builder);
        let graph = Request::of(&criterion).walk(run, walk, |builder| builder.root(at)).unwrap().demand.graph;
        for edge in graph.used_by(VertexId(0)) {
            let Some(&name) = names.of(side).get(&graph.step(edge.from)) else { continue };
            let is_alone = matches!(user, None | Some(Name::Alone(..)));
            // What both executed did so for the same reason; but which way control came may have decided its value.
            let is_control = edge.kind == Kind::Control && is_alone;
            let is_passed = edge.kind == Kind::Control
                && !is_alone
                && !(chooses(pair, side, at) && decides(pair, side, graph.step(edge.from)));
            if !order.is_different(name) || is_passed || Some(name) == user {
                continue;
            }
            edges.insert((name, user, is_control));
            if !known.insert(name) {
                continue;
            }
            for side in [Side::Left, Side::Right] {
                if let Some(&at) = steps.of(side).get(&name) {
                    // What is given to a function of the program's, its parameters tell.
                    let mut wishes = if calls_inside(pair, side, at) { Vec::new() } else { vec![Wish::Operands] };
                    wishes.extend(matches!(name, Name::Alone(..)).then_some(Wish::Execution));
                    open.push((side, Some(name), Criterion::of_step(at, wishes)));
                }
            }
        }
    }
    edges
}

/// Whether a statement has a value from one of several ways.
fn chooses(pair: &Pair<'_, '_>, side: Side, at: Step) -> bool {
    let function = pair.runs.of(side).functions.function(at.site.function);
    let members = Statements::of(function);
    members.members(at.site.instruction).iter().any(|id| matches!(function.instruction(*id).op, Op::Phi { .. }))
}

fn decides(pair: &Pair<'_, '_>, side: Side, at: Step) -> bool {
    let function = pair.runs.of(side).functions.function(at.site.function);
    matches!(function.instruction(at.site.instruction).op, Op::Branch { .. } | Op::Switch { .. })
}

fn calls_inside(pair: &Pair<'_, '_>, side: Side, at: Step) -> bool {
    let functions = &pair.runs.of(side).functions;
    match &functions.instruction(at.site).op {
        Op::Call(Call { callee: Callee::Function(callee), .. }) => {
            functions.by_name(at.site.function, *callee).is_some()
        }
        _ => false,
    }
}

/// Line and instruction of a statement.
fn place(pair: &Pair<'_, '_>, order: &Order, name: Name) -> String {
    let executions = executions(pair, order, &[name]).unwrap();
    let (side, at) = match executions[&name] {
        Sides { left: Some(at), .. } => (Side::Left, at),
        Sides { right, .. } => (Side::Right, right.unwrap()),
    };
    let function = pair.runs.of(side).functions.function(at.site.function);
    let line = function.instruction(at.site.instruction).location.map_or(0, |location| location.line);
    format!("{name:?} ({} {} on line {line}, {at:?})", function.name, at.site.instruction)
}

fn check(left: &str, right: &str, program: &Fixture) -> usize {
    let tools = Tools::find().unwrap();
    // Compiled once: in another folder it would be another program.
    let folder = tempfile::tempdir().unwrap();
    let built = compile(&tools, program, Build::Faultline2, folder.path()).unwrap();
    let record = |argument: &str, name: &str| {
        let path = folder.path().join(name);
        let mut command = Command::new(&tools.faultline);
        command.arg("record").arg("-o").arg(&path).arg("--").arg(&built).arg(argument);
        run(&mut command, b"", Duration::from_secs(60)).unwrap();
        Recording::open(&path).unwrap()
    };
    let recordings = Sides { left: record(left, "left.flt"), right: record(right, "right.flt") };
    let images = Sides { left: Image::new(&recordings.left), right: Image::new(&recordings.right) };
    // Short windows, so that there are several.
    let replayed = |image| Run::with_windows(image, StreamId::MAIN, 50).unwrap();
    let runs = Sides { left: replayed(&images.left), right: replayed(&images.right) };
    let sources = Sides { left: Sources::new(&images.left).unwrap(), right: Sources::new(&images.right).unwrap() };
    assert!(site_map(&images.left, &images.right).unwrap().is_none());
    let pair = Pair {
        runs: Sides { left: &runs.left, right: &runs.right },
        sources: Sides { left: &sources.left, right: &sources.right },
        map: None,
    };
    let order = survey(&pair, &Sides::<Ignored>::default()).unwrap().order;
    let Some(subject) = subject(&pair, &order).unwrap() else { return 0 };
    let found = causes(&pair, &order, &subject.criteria, usize::MAX).unwrap();
    assert!(!found.is_cut && !found.is_unfinished);
    let name = |id: usize| match found.all[id] {
        Cause::Subject | Cause::Initial(_) => None,
        Cause::Statement(name) => Some(name),
    };
    let edge = |edge: &comparison::Behind| {
        (name(edge.from.0 as usize).unwrap(), name(edge.to.0 as usize), edge.kind == Kind::Control)
    };
    let edges: Edges = found.edges.iter().map(edge).collect();
    let expected = one_by_one(&pair, &order, &subject.criteria);
    let told = |edges: Vec<&(Name, Option<Name>, bool)>| -> Vec<String> {
        let place = |name: Name| place(&pair, &order, name);
        edges
            .iter()
            .map(|(from, to, _)| format!("{} behind {}", place(*from), to.map_or("subject".into(), place)))
            .collect()
    };
    let missing = told(expected.difference(&edges).collect());
    let wrong = told(edges.difference(&expected).collect());
    assert!(missing.is_empty() && wrong.is_empty(), "{left} and {right}: missing {missing:#?}, wrong {wrong:#?}");
    edges.len()
}

#[test]
fn walks_over_both_runs_find_what_asking_step_by_step_finds() {
    let program = Fixture::read(&workspace().join("tests/execution/differences/mixture.c")).unwrap();
    let pairs = [("1", "2"), ("3", "9"), ("4", "19"), ("5", "20"), ("7", "8"), ("11", "12"), ("30", "0"), ("6", "6")];
    let found: Vec<usize> = pairs.iter().map(|(left, right)| check(left, right, &program)).collect();
    assert_eq!(found.last(), Some(&0), "one and the same");
    assert!(found.iter().filter(|count| **count > 10).count() >= 4, "{found:?}");
}
