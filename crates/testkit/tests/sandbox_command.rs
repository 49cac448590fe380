//! What a user sees of the sandbox: what it keeps a program from is told before anything else, with what mends it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use testkit::Tools;

struct Subject {
    tools: Tools,
    folder: TempDir,
    program: PathBuf,
}

fn subject(source: &str) -> Subject {
    let tools = Tools::find().expect("the tools are built");
    let folder = TempDir::new().expect("a folder");
    let (text, program) = (folder.path().join("program.c"), folder.path().join("program"));
    fs::write(&text, source).expect("it can be written");
    let built = Command::new(&tools.cc).args(["-g", "-w"]).arg(&text).arg("-o").arg(&program).status();
    assert!(built.expect("faultline-cc runs").success());
    Subject { tools, folder, program }
}

impl Subject {
    /// `faultline why`, in a directory of its own.
    fn why(&self, options: &[&str]) -> Output {
        let here = self.folder.path().join("here");
        let _ = fs::create_dir(&here);
        let temporary = self.folder.path().join("tmp");
        let _ = fs::create_dir(&temporary);
        Command::new(&self.tools.faultline)
            .args(["why", "--budget", "10"])
            .args(options)
            .arg("--")
            .arg(&self.program)
            .current_dir(here)
            .env("TMPDIR", temporary)
            .env("FAULTLINE_CACHE", "")
            .stdin(std::process::Stdio::null())
            .output()
            .expect("faultline runs")
    }

    fn file(&self, name: &str, contents: &str) -> String {
        let path = self.folder.path().join(name);
        fs::write(&path, contents).expect("it can be written");
        path.to_str().expect("a name").to_owned()
    }
}

fn text(bytes: &[u8]) -> String {
    // Lines are broken anywhere.
    String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds up what it keeps in a file of the current directory; counts one too many.
const KEEPS_A_FILE: &str = r#"
#include <stdio.h>
int main(void) {
    FILE *kept = fopen("kept.txt", "w");
    if (!kept) {
        printf("cannot keep anything\n");
        return 3;
    }
    int count = 0;
    for (int i = 0; i <= 3; i++)
        count++;
    fprintf(kept, "%d", count);
    fclose(kept);
    printf("count %d\n", count);
    return 0;
}
"#;

#[test]
fn what_the_sandbox_keeps_a_program_from_is_told_first() {
    let subject = subject(KEEPS_A_FILE);
    let expected = subject.file("right", "count 3\n");
    let told = text(&subject.why(&["--expect", &expected]).stdout);
    assert!(told.starts_with("Beware: The program changes "), "{told}");
    assert!(told.contains("kept.txt, which the sandbox prevents"), "{told}");
    assert!(told.contains("use --dir DIR"), "{told}");
    assert!(!subject.folder.path().join("here/kept.txt").exists());
    let json = subject.why(&["--expect", &expected, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    assert!(json["caveats"][0].as_str().is_some_and(|caveat| caveat.contains("kept.txt")), "{json}");

    let here = subject.folder.path().join("here").to_str().expect("a name").to_owned();
    let mended = subject.why(&["--expect", &expected, "--dir", &here]);
    let told = text(&mended.stdout);
    assert!(told.starts_with("Failure: Line 1 of the output is `count 4` instead of `count 3`"), "{told}");
    assert!(told.contains("1. "), "{told}");
    assert_eq!(fs::read_dir(here).expect("it is there").count(), 0);
}

#[test]
fn calls_that_are_refused_are_named_and_can_be_allowed() {
    let subject = subject(
        "#include <stdio.h>\n#include <sys/socket.h>\nint main(void) {\n    int made = socket(AF_UNIX, SOCK_STREAM, 0);\n    \
         printf(\"%s\\n\", made < 0 ? \"no socket\" : \"a socket\");\n    return 1;\n}\n",
    );
    let told = text(&subject.why(&["--expect-exit", "0"]).stdout);
    assert!(told.starts_with("Beware: The sandbox refused system calls that the program makes (socket)"), "{told}");
    assert!(told.contains("use --allow socket"), "{told}");
    let expected = subject.file("right", "two sockets\n");
    let told = text(&subject.why(&["--expect", &expected, "--allow", "socket"]).stdout);
    assert!(told.starts_with("Failure: Line 1 of the output is `a socket`"), "{told}");
    let wrong = subject.why(&["--allow", "no_such_call"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("there is no system call no_such_call"));
}

#[test]
fn checks_are_in_the_sandbox_and_end() {
    let subject = subject("#include <stdio.h>\nint main(void) {\n    printf(\"4\\n\");\n    return 0;\n}\n");
    let victim = subject.file("victim", "mine");
    let changes = subject.why(&["--check", &format!("echo > {victim}; false")]);
    assert_eq!(changes.status.code(), Some(2), "{}", text(&changes.stdout));
    let told = text(&changes.stderr);
    assert!(told.contains("tries to change") && told.contains("$TMPDIR"), "{told}");
    assert_eq!(fs::read_to_string(&victim).expect("it is there"), "mine");
    // What it needs to keep, it can keep below $TMPDIR.
    let keeps = "sort $FAULTLINE_STDOUT > $TMPDIR/sorted && grep -q 3 $TMPDIR/sorted";
    let judged = subject.why(&["--check", keeps]);
    assert!(matches!(judged.status.code(), Some(0 | 3)), "{}", text(&judged.stderr));
    let begun = Instant::now();
    let hangs = subject.why(&["--check", "sleep 1000"]);
    assert!(matches!(hangs.status.code(), Some(2 | 3)), "{}", text(&hangs.stderr));
    assert!(begun.elapsed() < Duration::from_secs(40));
}

#[test]
fn nobody_else_can_look_into_what_is_made() {
    // The program says how its own directory, a copy, can be looked into.
    let subject = subject(
        "#include <stdio.h>\n#include <sys/stat.h>\nint main(void) {\n    struct stat about;\n    stat(\"..\", &about);\n    \
         printf(\"%o\\n\", about.st_mode & 0777);\n    return 1;\n}\n",
    );
    let open = subject.folder.path().join("open");
    fs::create_dir(&open).expect("it can be made");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).expect("it is ours");
    let expected = subject.file("right", "600\n");
    let told = text(&subject.why(&["--expect", &expected, "--dir", open.to_str().expect("a name")]).stdout);
    assert!(told.contains("is `700` instead of `600`"), "{told}");
}

#[test]
fn changed_runs_read_what_the_unchanged_one_read_and_nothing_else_of_the_user() {
    let subject = subject(
        "#include <stdio.h>\n#include <string.h>\nint main(int count, char **words) {\n    char line[100] = \"?\";\n    \
         const char *name = NAMES[0];\n    if (count > 1)\n        name = NAMES[1];\n    FILE *file = fopen(name, \"r\");\n    \
         if (file)\n        fgets(line, sizeof line, file);\n    printf(\"%s\\n\", line);\n    return 0;\n}\n"
            .replace("NAMES[0]", "\"../mine\"")
            .replace("NAMES[1]", "\"../secret\"")
            .as_str(),
    );
    subject.file("mine", "mine");
    subject.file("secret", "secret");
    // If the other file could be read, the switched run would be right.
    let expected = subject.file("right", "secret\n");
    let output = subject.why(&["--expect", &expected, "--technique", "switch"]);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
    // Since changed runs are in the same place as the unchanged one, that one must have read its file.
    let told = text(&subject.why(&["--expect", &expected]).stdout);
    assert!(told.contains("is `mine` instead of `secret`"), "{told}");
}
