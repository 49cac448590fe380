//! Faults made by a machine: small changes of the subjects' right versions, chosen by a seed.
//!
//! A mutant is kept if it compiles, does not compile to what the right version or another mutant does (with optimisation,
//! which drops most of those that are equal in all but their text), fails at least one test, in the same way twice, and passes at
//! least ten. C only.

mod operator;
mod site;

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use testkit::text::Chance;
use testkit::{Ending, Tools, parallel};

use crate::change::change;
use crate::check::{LEAST_FAILING, LEAST_PASSING};
use crate::folder::folder;
use crate::session::Telling;
use crate::subject::{Fault, Subject};
use crate::verdicts::{Behaviour, behaviour};
use crate::version::{Compiler, build};
use operator::Operator;
use site::{Site, sites};

/// A mutant that makes more tests hang takes too long to measure.
const MOST_HANGS: usize = 3;
/// Mutants tried between looks at how many there are.
const BATCH: usize = 16;

/// What is known of a subject while mutants of it are chosen.
struct Ground<'a> {
    subject: &'a Subject,
    right: Vec<Behaviour>,
    /// What has been compiled so far, the right version first.
    code: HashSet<Vec<u8>>,
}

/// A mutant to try, by the position of its subject.
struct Candidate {
    subject: usize,
    site: Site,
    /// Among the candidates of the subject.
    number: usize,
}

/// The subjects, with mutants instead of their faults: `count` in all, or as many as there are. If nothing else is told, some test
/// crashes.
pub fn mutants(
    tools: &Tools,
    subjects: Vec<Subject>,
    count: usize,
    seed: u64,
    telling: Telling,
) -> Result<Vec<Subject>> {
    let in_c: Vec<Subject> = subjects.into_iter().filter(|subject| !subject.is_cpp()).collect();
    let mut grounds = in_c.iter().map(|subject| ground(tools, subject)).collect::<Result<Vec<Ground<'_>>>>()?;
    let mut candidates = candidates(&in_c, seed)?.into_iter();
    let mut chosen: Vec<(usize, Fault)> = Vec::new();
    let mut tried = 0;
    while chosen.len() < count {
        let batch: Vec<Candidate> = candidates.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        tried += batch.len();
        let verdicts = parallel::map(&batch, |candidate| {
            let ground = &grounds[candidate.subject];
            let fault = fault(ground.subject, candidate)?;
            let code = verdict(tools, ground, &fault, telling)?;
            Ok::<_, anyhow::Error>(code.map(|code| (fault, code)))
        });
        for (candidate, verdict) in batch.into_iter().zip(verdicts) {
            // Of two mutants that are the same, the one that was chosen first stays.
            if let Some((fault, code)) = verdict?
                && chosen.len() < count
                && grounds[candidate.subject].code.insert(code)
            {
                chosen.push((candidate.subject, fault));
            }
        }
    }
    eprintln!("{} mutants of {tried} that were tried", chosen.len());
    drop(grounds);
    let mut mutated: Vec<Subject> = in_c;
    for subject in &mut mutated {
        subject.faults.clear();
    }
    for (subject, fault) in chosen {
        mutated[subject].faults.push(fault);
    }
    Ok(mutated)
}

fn ground<'a>(tools: &Tools, subject: &'a Subject) -> Result<Ground<'a>> {
    let place = folder().join(&subject.name).join("right");
    let program = build(tools, Compiler::Clang, subject, &subject.source, &place)?;
    let right = parallel::map(&subject.tests, |test| behaviour(&program, test)).into_iter().collect::<Result<_>>()?;
    let code = optimised(tools, &subject.source)?.context("the right version does not compile")?;
    Ok(Ground { subject, right, code: HashSet::from([code]) })
}

/// In the order in which they are tried: subjects take turns, and for each subject the operators do, so that there are as many
/// mutants of rare operators as there can be.
fn candidates(subjects: &[Subject], seed: u64) -> Result<Vec<Candidate>> {
    let mut chance = Chance::new(seed);
    let mut by_subject = Vec::new();
    for (offset, subject) in subjects.iter().enumerate() {
        let sites = sites(&subject.source).with_context(|| subject.source_name.clone())?;
        let mut by_operator: BTreeMap<Operator, Vec<Site>> = BTreeMap::new();
        for site in sites {
            by_operator.entry(site.operator).or_default().push(site);
        }
        let mut ordered = Vec::new();
        while !by_operator.is_empty() {
            // Subjects begin at different ones, so that a few mutants are of many operators.
            for turn in 0..Operator::ALL.len() {
                let operator = Operator::ALL[(turn + offset) % Operator::ALL.len()];
                let Some(left) = by_operator.get_mut(&operator) else { continue };
                let site = left.swap_remove(chance.below(left.len() as u64) as usize);
                if left.is_empty() {
                    by_operator.remove(&operator);
                }
                ordered.push(site);
            }
        }
        by_subject.push(ordered.into_iter().enumerate());
    }
    let mut all = Vec::new();
    loop {
        let before = all.len();
        for (subject, sites) in by_subject.iter_mut().enumerate() {
            all.extend(sites.next().map(|(number, site)| Candidate { subject, site, number }));
        }
        if all.len() == before {
            return Ok(all);
        }
    }
}

/// A mutant as if a person had seeded it.
fn fault(subject: &Subject, candidate: &Candidate) -> Result<Fault> {
    let Candidate { site, number, .. } = candidate;
    let (operator, line) = (site.operator, site.line(&subject.source));
    let old = &subject.source[site.bytes.clone()];
    let patch = diffy::create_patch(&subject.source, &site.apply(&subject.source)).to_string();
    let change = change(&subject.source, &patch)?;
    let shown = |text: &str| text.split_whitespace().collect::<Vec<&str>>().join(" ");
    Ok(Fault {
        name: format!("mutant-{}-{line}-{number}", operator.name()),
        class: operator.class(old, &site.new),
        kind: None,
        is_unseen: false,
        lines: change.places.iter().flat_map(|place| place.lines()).copied().collect(),
        summary: format!("`{}` became `{}`", shown(old), shown(&site.new)),
        change,
    })
}

/// The optimised code of a mutant that is worth keeping.
fn verdict(tools: &Tools, ground: &Ground<'_>, fault: &Fault, telling: Telling) -> Result<Option<Vec<u8>>> {
    let Some(code) = optimised(tools, &fault.change.text)? else { return Ok(None) };
    if ground.code.contains(&code) {
        return Ok(None);
    }
    let subject = ground.subject;
    let place = folder().join(&subject.name).join("faulty").join(&fault.name);
    let program = build(tools, Compiler::Clang, subject, &fault.change.text, &place)?;
    let (mut failing, mut hangs, mut crashes) = (0, 0, 0);
    for (test, right) in subject.tests.iter().zip(&ground.right) {
        let found = behaviour(&program, test)?;
        if found != *right {
            failing += 1;
            // What it does is left to chance, and so would be what is measured.
            if behaviour(&program, test)? != found {
                return Ok(None);
            }
        }
        hangs += usize::from(found.ending == Ending::TimedOut);
        crashes += usize::from(matches!(found.ending, Ending::Signal(_)));
        if hangs > MOST_HANGS || subject.tests.len() - failing < LEAST_PASSING {
            return Ok(None);
        }
    }
    let is_shown = match telling {
        Telling::Expected => failing >= LEAST_FAILING,
        Telling::Nothing => crashes > 0,
    };
    Ok(is_shown.then_some(code))
}

/// What clang makes of a C program without debug information, which tells mutants apart that behave the same; none if it does
/// not compile.
fn optimised(tools: &Tools, text: &str) -> Result<Option<Vec<u8>>> {
    let mut command = Command::new(&tools.clang);
    // From standard input, so that the name of the file is the same for all.
    command.args(["-std=c11", "-O1", "-w", "-x", "c", "-c", "-", "-o", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let Some(mut stdin) = child.stdin.take() else { bail!("no pipe to the compiler") };
    let output = std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(text.as_bytes())));
        child.wait_with_output()
    })?;
    Ok(output.status.success().then_some(output.stdout))
}

#[cfg(test)]
mod tests {
    use testkit::workspace;

    use super::*;
    use crate::subject::read_subjects;

    #[test]
    fn the_same_seed_gives_the_same_mutants() {
        let mut subjects = read_subjects(&workspace().join("eval/subjects")).unwrap();
        subjects.retain(|subject| !subject.is_cpp());
        let all = |seed| -> Vec<(usize, Site)> {
            candidates(&subjects, seed).unwrap().into_iter().map(|one| (one.subject, one.site)).collect()
        };
        let first = all(1);
        assert_eq!(first, all(1));
        assert_ne!(first, all(2));
        let operators: HashSet<Operator> = first.iter().map(|(_, site)| site.operator).collect();
        assert_eq!(operators.len(), Operator::ALL.len());
        // Each is a fault as a person would seed one.
        for one in candidates(&subjects, 1).unwrap().iter().take(50) {
            let fault = fault(&subjects[one.subject], one).unwrap();
            assert!(!fault.lines.is_empty() && fault.change.text != subjects[one.subject].source);
        }
    }
}
