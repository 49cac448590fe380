//! A program's own tests, under both builds.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use testkit::real::Program;

/// Test by test, how it came out.
#[derive(Debug, Default)]
pub struct Suite(BTreeMap<String, String>);

pub struct Suites {
    pub clang: Suite,
    pub faultline: Suite,
    pub differences: Vec<String>,
}

impl fmt::Display for Suite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passed = self.0.values().filter(|outcome| matches!(outcome.as_str(), "PASS" | "OK" | "XFAIL")).count();
        let skipped = self.0.values().filter(|outcome| outcome.as_str() == "SKIP").count();
        write!(f, "{passed} pass, {} fail, {skipped} skip", self.0.len() - passed - skipped)
    }
}

/// Runs the tests in both builds, unless their results are there already, and compares them.
pub fn compare(program: &Program, clang: &Path, faultline: &Path) -> Result<Suites> {
    let (clang, faultline) = (suite(program, clang)?, suite(program, faultline)?);
    let mut differences = Vec::new();
    for name in clang.0.keys().chain(faultline.0.keys()) {
        let [by_clang, by_faultline] =
            [&clang, &faultline].map(|suite| suite.0.get(name).map_or("missing", String::as_str));
        let difference = format!("test {name}: {by_clang} by clang, {by_faultline} by faultline-cc");
        if by_clang != by_faultline && !differences.contains(&difference) {
            differences.push(difference);
        }
    }
    Ok(Suites { clang, faultline, differences })
}

fn suite(program: &Program, folder: &Path) -> Result<Suite> {
    let log = folder.join("faultline-check.log");
    if !log.exists() {
        eprintln!("testing {}", folder.display());
        // The status says less than the log: tests may fail by clang too.
        let output = Command::new("sh")
            .args(["-c", &format!("{} 2>&1", program.check)])
            .current_dir(folder)
            .env("LC_ALL", "C")
            .stdin(std::process::Stdio::null())
            .output()
            .context("cannot run the program's tests")?;
        std::fs::write(&log, output.stdout)?;
    }
    // Names of tests may contain where they are.
    let text = String::from_utf8_lossy(&std::fs::read(&log)?).replace(&folder.display().to_string(), "");
    Ok(read(&text))
}

/// Understands automake's lines (`PASS: name`) and those of jsoncpp: `Testing name: OK`, or `TESTING: name` and on a
/// later line `OK`.
fn read(log: &str) -> Suite {
    const OUTCOMES: [&str; 6] = ["PASS", "FAIL", "SKIP", "XFAIL", "XPASS", "ERROR"];
    let mut suite = Suite::default();
    let mut lines = log.lines();
    while let Some(line) = lines.next() {
        let found = match line.split_once(": ") {
            Some((outcome, name)) if OUTCOMES.contains(&outcome) => Some((name, outcome)),
            Some(("TESTING", name)) => {
                let outcome = lines.by_ref().find(|line| matches!(line.trim(), "OK" | "FAILED" | "parsing failed"));
                outcome.map(|outcome| (name, outcome))
            }
            Some((name, outcome)) if name.starts_with("Testing ") => Some((name, outcome)),
            _ => None,
        };
        if let Some((name, outcome)) = found {
            // A name may come twice, from two folders.
            let mut key = name.trim().to_string();
            while suite.0.contains_key(&key) {
                key.push('\'');
            }
            suite.0.insert(key, outcome.trim().to_string());
        }
    }
    suite
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_of_both_kinds_are_read() {
        let suite =
            read("PASS: help\nFAIL: list\nSKIP: big\n# TOTAL: 3\nTesting A/b: OK\nTESTING: x.json \nOK\nPASS: help\n");
        assert_eq!(suite.0.len(), 6);
        assert_eq!(suite.0["list"], "FAIL");
        assert_eq!(suite.0["Testing A/b"], "OK");
        assert_eq!(suite.0["x.json"], "OK");
        assert_eq!(suite.to_string(), "4 pass, 1 fail, 1 skip");
    }
}
