//! What faultline promises of time and memory, tried on what takes long: an answer comes within the budget, a tenth of it and
//! two seconds; Ctrl-C brings it within a second; whatever ends the command, nothing of it is left.
//!
//! With `FAULTLINE_PROMISES=all` everything is tried, which takes half an hour on a machine that does nothing else; without, a part of it.

mod subjects;
mod watched;

use std::time::Duration;

use serde_json::Value;
use subjects::{Subject, Workshop};
use watched::{Ended, Moment, Watched};

fn is_all_tried() -> bool {
    std::env::var("FAULTLINE_PROMISES").is_ok_and(|asked| asked == "all")
}

/// Seconds. Other tests want the processors, too; alone, the promise is kept to the letter.
fn indulgence() -> f64 {
    if is_all_tried() { 0.0 } else { 4.0 }
}

/// Asks why with each of these budgets (all three, if everything is tried), and gives the answers.
fn within_budgets(workshop: &Workshop, subject: &Subject, some: &[f64]) -> Vec<Value> {
    let budgets = if is_all_tried() { &[1.0, 5.0, 20.0] } else { some };
    let ask = |&budget: &f64| {
        let ended = within_budget(workshop, subject, budget);
        assert!(matches!(ended.status, Some(0 | 3)), "{}: {:?}: {}", subject.name, ended.status, ended.error);
        let answer: Value = serde_json::from_str(&ended.output).expect("an answer is written");
        if answer["findings"].as_array().is_none_or(Vec::is_empty) {
            assert!(!limits(&answer).is_empty(), "{}: why nothing was found", subject.name);
        }
        answer
    };
    budgets.iter().map(ask).collect()
}

/// Asks why, and sees that no more time and memory is taken than was promised.
fn within_budget(workshop: &Workshop, subject: &Subject, budget: f64) -> Ended {
    let watched =
        Watched::start(workshop, subject, &["--format", "json", "--memory", "1G", "--budget", &budget.to_string()]);
    let ended = watched.end(Duration::from_secs_f64(budget * 2.0 + 60.0));
    let (took, promised) = (ended.took.as_secs_f64(), budget * 1.1 + 2.0);
    eprintln!("{}: {budget} s: {took:.2} s, {} MB", subject.name, ended.most_memory >> 20);
    assert!(took <= promised + indulgence(), "{}: {took:.2} s of {budget}\n{}", subject.name, ended.error);
    // It looks twenty times a second.
    assert!(ended.most_memory < (1 << 30) + (256 << 20), "{}: {} bytes", subject.name, ended.most_memory);
    assert_eq!(ended.left, Vec::<String>::new(), "{}", subject.name);
    ended
}

fn limits(answer: &Value) -> Vec<String> {
    let all = answer["limits"].as_array().into_iter().flatten();
    all.filter_map(|limit| limit.as_str().map(str::to_owned)).collect()
}

#[test]
fn an_endless_loop_is_told_within_the_budget() {
    let workshop = Workshop::new();
    let answers = within_budgets(&workshop, &workshop.endless(), &[1.0, 5.0]);
    let told: Vec<String> = answers.iter().map(|answer| limits(answer).join("\n")).collect();
    // A part of a second shows nothing.
    assert!(told[0].contains("the run had not ended after 0."), "{}", told[0]);
    assert!(told[1].contains("was treated as a hang"), "{}", told[1]);
    assert!(!answers[1]["findings"].as_array().unwrap().is_empty(), "{}", answers[1]);
}

#[test]
fn a_run_of_a_thousand_million_instructions_is_given_up_in_time() {
    let workshop = Workshop::new();
    let answers = within_budgets(&workshop, &workshop.long(), &[1.0, 5.0]);
    let is_told = |limit: &String| limit.contains("the time budget ran out") || limit.contains("had not ended");
    assert!(limits(&answers[0]).iter().any(is_told), "{}", answers[0]);
    assert!(!answers[0].to_string().contains("not end\""), "{}", answers[0]);
}

#[test]
fn a_function_of_ten_thousand_lines_is_given_up_in_time() {
    let workshop = Workshop::new();
    within_budgets(&workshop, &workshop.large_function(), &[1.0, 5.0]);
}

#[test]
fn a_suite_of_forty_tests_of_which_some_hang_is_given_up_in_time() {
    let workshop = Workshop::new();
    within_budgets(&workshop, &workshop.suite(), &[1.0, 5.0]);
}

#[test]
fn a_check_that_hangs_does_not_keep_the_answer_back() {
    let workshop = Workshop::new();
    let subject = workshop.hanging_check();
    for budget in if is_all_tried() { &[1.0, 5.0][..] } else { &[1.0] } {
        let ended = within_budget(&workshop, &subject, *budget);
        assert_eq!(ended.status, Some(3), "{}", ended.error);
    }
    // What a check has not said after ten seconds it will not say.
    if is_all_tried() {
        let ended = within_budget(&workshop, &subject, 20.0);
        assert_eq!(ended.status, Some(2), "{}", ended.output);
        assert!(ended.error.contains("was stopped because it did not end within 10 seconds"), "{}", ended.error);
    }
}

#[test]
fn two_hundred_megabytes_of_input_are_given_up_in_time() {
    let workshop = Workshop::new();
    within_budgets(&workshop, &workshop.much_input(), &[1.0]);
}

/// Standard input that never ends is read in vain.
#[test]
fn input_that_does_not_end_does_not_keep_the_answer_back() {
    let workshop = Workshop::new();
    let subject = Subject { input_is_open: true, ..workshop.endless() };
    for answer in within_budgets(&workshop, &subject, &[1.0]) {
        let told = limits(&answer);
        assert!(told.iter().any(|limit| limit.contains("while the program's input was being read")), "{told:?}");
    }
}

#[test]
fn memory_that_does_not_suffice_is_told_as_a_limit() {
    let workshop = Workshop::new();
    let subject = workshop.endless();
    let watched = Watched::start(&workshop, &subject, &["--format", "json", "--memory", "60M", "--budget", "8"]);
    let ended = watched.end(Duration::from_secs(90));
    let answer: Value = serde_json::from_str(&ended.output).expect("an answer is written");
    let told = limits(&answer).join("\n");
    assert!(told.contains("the memory limit was reached") || told.contains("--memory"), "{told}");
    assert!(ended.most_memory < 400 << 20, "{} bytes", ended.most_memory);
    assert_eq!(ended.left, Vec::<String>::new());
}

/// It takes many times as long to record as to run, since all it reads must be written down.
#[test]
fn a_run_that_is_slow_to_record_is_not_taken_for_one_that_hangs() {
    let workshop = Workshop::new();
    let (subject, took) = workshop.slow_to_record();
    let timeout = (took * 5.0).max(0.25).to_string();
    let options = ["--format", "json", "--budget", "8", "--timeout", &timeout];
    let ended = Watched::start(&workshop, &subject, &options).end(Duration::from_secs(90));
    let answer: Value = serde_json::from_str(&ended.output).unwrap_or_else(|_| panic!("no answer: {}", ended.error));
    assert!(!answer.to_string().contains("not end"), "{answer}");
}

#[test]
fn control_c_brings_the_answer_within_a_second() {
    let workshop = Workshop::new();
    let subject = workshop.long();
    for moment in Moment::several(if is_all_tried() { 50 } else { 4 }, 12.0) {
        let watched = Watched::start(&workshop, &subject, &["--format", "json", "--budget", "60"]);
        let ended = watched.signal_at(moment, libc::SIGINT);
        eprintln!("{moment:?}: {:.2} s after it", ended.took.as_secs_f64());
        assert!(ended.took.as_secs_f64() <= 1.0 + indulgence(), "{moment:?}: {:?}", ended.took);
        assert_eq!(ended.left, Vec::<String>::new(), "{moment:?}");
        // Before the command has begun to listen, it ends as any other.
        if ended.signal == Some(libc::SIGINT) && moment.is_early() {
            continue;
        }
        assert!(matches!(ended.status, Some(0 | 3)), "{moment:?}: {:?} {:?}", ended.status, ended.signal);
        let answer: Value = serde_json::from_str(&ended.output).expect("an answer is written");
        assert!(
            limits(&answer).join("\n").to_lowercase().contains("the search was interrupted"),
            "{moment:?}: {answer}"
        );
    }
}

#[test]
fn a_command_that_is_asked_to_end_leaves_nothing_behind() {
    let workshop = Workshop::new();
    let subjects = [workshop.long(), workshop.hanging_check(), workshop.suite()];
    let count = if is_all_tried() { 50 } else { 6 };
    for (number, moment) in Moment::several(count, 6.0).into_iter().enumerate() {
        let signal = [libc::SIGTERM, libc::SIGHUP][number % 2];
        let subject = &subjects[number % subjects.len()];
        let ended = Watched::start(&workshop, subject, &["--budget", "60"]).signal_at(moment, signal);
        eprintln!("{}: {moment:?}: {:.2} s after it", subject.name, ended.took.as_secs_f64());
        assert!(ended.took.as_secs_f64() <= 1.0 + indulgence(), "{moment:?}: {:?}", ended.took);
        assert_eq!(ended.left, Vec::<String>::new(), "{}: {moment:?}", subject.name);
        assert_eq!((ended.signal, ended.output.as_str()), (Some(signal), ""), "{}: {moment:?}", subject.name);
    }
}
