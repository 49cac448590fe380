//! `examples/bisect-run`, used as its head says: the commit that broke a program is found, with a page that tells why.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;
use testkit::{Tools, workspace};

/// Sums the even numbers of its input. `{condition}` differs from commit to commit.
const PROGRAM: &str = "
#include <stdio.h>
int main(void) {
    int number, sum = 0;
    while (scanf(\"%d\", &number) == 1)
        if ({condition})
            sum += number;
    printf(\"%d\\n\", sum);
    return 0;
}
";

/// The third is the first bad one; the fourth does not even build.
const CONDITIONS: [&str; 6] = [
    "number % 2 == 0",
    "!(number % 2)",
    "number > 2 && number % 2 == 0",
    "number > 2 && number % 2 == zero",
    "number > 2 && !(number % 2)",
    "number >= 3 && !(number % 2)",
];

fn git(folder: &Path, arguments: &[&str]) -> Output {
    let tools = Tools::find().expect("the tools are built");
    let ours = tools.faultline.parent().expect("a folder of tools").display().to_string();
    let path = format!("{ours}:{}", std::env::var("PATH").unwrap_or_default());
    let identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"];
    let mut git = Command::new("git");
    git.args(identity).args(arguments).current_dir(folder).env("PATH", path).env("GIT_CONFIG_GLOBAL", "/dev/null");
    let output = git.output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

fn one_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn the_commit_that_broke_it_is_found() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it can be written");
    git(folder, &["init", "--quiet"]);
    let mut commits = Vec::new();
    for condition in CONDITIONS {
        write("program.c", &PROGRAM.replace("{condition}", condition));
        git(folder, &["add", "program.c"]);
        git(folder, &["commit", "--quiet", "--message", condition]);
        commits.push(one_line(&git(folder, &["rev-parse", "HEAD"])));
    }
    write("case.in", "1 2 3 4\n");
    write("case.out", "6\n");
    git(folder, &["bisect", "start", &commits[5], &commits[0]]);
    let script = workspace().join("examples/bisect-run").display().to_string();
    let case = ["$CC -g program.c -o program", "--stdin", "case.in", "--expect", "case.out", "--", "./program"];
    let mut arguments = vec!["bisect", "run", script.as_str()];
    arguments.extend(case);
    git(folder, &arguments);
    assert_eq!(one_line(&git(folder, &["rev-parse", "refs/bisect/bad"])), commits[2]);
    let page = std::fs::read_to_string(folder.join(format!("why-{}.html", &commits[2][..7]))).expect("a page");
    assert!(page.contains("number &gt; 2"), "the page does not show the condition");
}
