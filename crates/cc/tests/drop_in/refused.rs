//! What cannot work together is refused in one sentence.

use std::process::{Command, Output};

use crate::same::{MAIN, TWICE, Twin};
use crate::stage::Stage;

fn run(line: &str, twin: &Twin) -> Output {
    Command::new(Stage::shared().c()).args(line.split(' ')).current_dir(twin.faultline.path(".")).output().unwrap()
}

#[test]
fn sanitizers_are_refused() {
    let twin = Twin::c(&[MAIN, TWICE]);
    for line in [
        "-fsanitize=address -c main.c",
        "-fsanitize=undefined main.c twice.c -o x",
        "-fsanitize=thread -S main.c",
        "-fsanitize=address,undefined -fno-sanitize=address -c main.c",
    ] {
        let output = run(line, &twin);
        assert_eq!(output.status.code(), Some(1), "{line}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.contains("cannot be combined with faultline"), "{text}");
    }
    assert!(!twin.faultline.files().contains("main.o"));
}

#[test]
fn sanitizers_are_refused_when_linking() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-c main.c twice.c").succeeds();
    let output = run("-fsanitize=address main.o twice.o -o x", &twin);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("(asan)"));
}

#[test]
fn sanitizers_turned_off_again_are_not() {
    let mut twin = Twin::c(&[MAIN, TWICE]);
    twin.run("-fno-sanitize=all -c main.c").succeeds();
    twin.run("-fsanitize=address -fno-sanitize=address main.c twice.c -o x").succeeds().same_behaviour("x");
    twin.run("-fsanitize=address -fno-sanitize=all -c main.c").succeeds();
}
