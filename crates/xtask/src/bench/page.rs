//! `bench page`: how long the page of a report takes to open in a browser, for runs of growing length.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use testkit::{Browser, Tools, Verdict, workspace};

/// Turns of the program's loop; one takes about ten steps.
const TURNS: [u64; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// What is held: the page of a run of a million steps is there after this.
const MOST_SECONDS: f64 = 2.0;

/// Sums of digits; a carry is lost in the last turns, and the sum printed is wrong.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static unsigned table[1024];
static unsigned mix(unsigned a, unsigned b) {
    if (a > b)
        return a - b;
    return a + b;
}
int main(int argc, char **argv) {
    long turns = atol(argv[1]);
    unsigned sum = 0;
    for (long i = 0; i < turns - 1; i++) {
        table[i % 1024] = mix(sum, table[(i * 7) % 1024]);
        sum = sum + table[i % 1024] % 10 + 1;
    }
    printf("%u\n", sum);
    return argc != 2;
}
"#;

struct Row {
    turns: u64,
    bytes: u64,
    answered: f64,
    opened: f64,
    walked: f64,
}

pub fn page() -> Result<Verdict> {
    let tools = Tools::find()?;
    let folder = workspace().join("target/bench/page");
    std::fs::create_dir_all(&folder)?;
    let source = folder.join("sums.c");
    std::fs::write(&source, PROGRAM)?;
    let right = folder.join("right.c");
    std::fs::write(&right, PROGRAM.replace("turns - 1", "turns"))?;
    for source in [&source, &right] {
        let built = Command::new(&tools.cc).arg("-g").arg(source).arg("-o").arg(source.with_extension("")).status()?;
        ensure!(built.success(), "{} cannot be compiled", source.display());
    }
    let browser = Browser::open()?;
    let mut rows = Vec::new();
    for turns in TURNS {
        rows.push(measured(&tools, &browser, &folder, turns)?);
    }
    println!("{:>10} {:>10} {:>10} {:>10} {:>10}", "turns", "KiB", "answer s", "open s", "walk s");
    for Row { turns, bytes, answered, opened, walked } in &rows {
        println!("{turns:>10} {:>10} {answered:>10.2} {opened:>10.2} {walked:>10.3}", bytes / 1024);
    }
    let holds = rows.iter().all(|row| row.opened <= MOST_SECONDS);
    let word = if holds { "holds:        " } else { "DOES NOT HOLD:" };
    println!("{word} each page is there within {MOST_SECONDS} s");
    Ok(if holds { Verdict::Holds } else { Verdict::DoesNotHold })
}

fn measured(tools: &Tools, browser: &Browser, folder: &Path, turns: u64) -> Result<Row> {
    let expected = folder.join("expected");
    let said = Command::new(folder.join("right")).arg(turns.to_string()).output()?;
    std::fs::write(&expected, said.stdout)?;
    let page = folder.join(format!("{turns}.html"));
    let begun = std::time::Instant::now();
    let mut why = Command::new(&tools.faultline);
    why.arg("why").arg("--expect").arg(&expected).arg("--html").arg(&page);
    let answer = why.arg("--").arg(folder.join("sums")).arg(turns.to_string()).output()?;
    let answered = begun.elapsed().as_secs_f64();
    ensure!(answer.status.success(), "faultline why: {}", String::from_utf8_lossy(&answer.stderr));
    browser.load(&page)?;
    let timing = browser.value("performance.getEntriesByType('navigation')[0].loadEventEnd")?;
    // From a key to the next picture: what a reader waits for when walking the chain.
    browser.press("j")?;
    let walked = browser.value(
        "(() => { const begun = performance.now(); \
         document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })); \
         document.body.getBoundingClientRect(); return performance.now() - begun; })()",
    )?;
    let seconds = |value: serde_json::Value| value.as_f64().map(|milliseconds| milliseconds / 1000.0);
    Ok(Row {
        turns,
        bytes: std::fs::metadata(&page)?.len(),
        answered,
        opened: seconds(timing).context("the browser tells no time")?,
        walked: seconds(walked).context("the browser tells no time")?,
    })
}
