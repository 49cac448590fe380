//! Programs that take long to look at, each in its own way.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use testkit::{Ending, Tools, run};

const LIMIT: Duration = Duration::from_secs(120);

/// Where programs are compiled and commands run.
pub struct Workshop {
    pub tools: Tools,
    pub folder: TempDir,
}

/// What is asked about.
#[derive(Clone, Default)]
pub struct Subject {
    pub name: &'static str,
    /// Options of `faultline why`.
    pub options: Vec<String>,
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// Standard input stays open, and nothing comes.
    pub input_is_open: bool,
}

impl Workshop {
    pub fn new() -> Workshop {
        Workshop { tools: Tools::find().unwrap(), folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn compile(&self, name: &str, source: &str) -> PathBuf {
        self.compile_with("-O1", name, source)
    }

    fn compile_with(&self, option: &str, name: &str, source: &str) -> PathBuf {
        let (file, program) = (self.path(&format!("{name}.c")), self.path(name));
        std::fs::write(&file, source).unwrap();
        let mut command = Command::new(&self.tools.cc);
        command.args(["-g", "-w", option]).arg(&file).arg("-o").arg(&program);
        let ran = run(&mut command, b"", LIMIT).unwrap();
        assert_eq!(ran.ending, Ending::Exit(0), "{}", String::from_utf8_lossy(&ran.stderr));
        program
    }

    /// Options that say what the output should be.
    fn expecting(&self, name: &str, output: &str) -> Vec<String> {
        let path = self.path(name);
        std::fs::write(&path, output).unwrap();
        vec!["--expect".into(), shown(&path)]
    }

    pub fn endless(&self) -> Subject {
        let source = "#include <stdio.h>
int main(int argc, char **argv) {
    unsigned i = 0, n = 10 + argc;
    while (i != n) { if (i > n) i -= 3; else i += 3; }
    printf(\"%u\\n\", i);
}";
        Subject { name: "endless", program: self.compile("endless", source), ..Subject::default() }
    }

    /// It executes a thousand million instructions of LLVM's.
    pub fn long(&self) -> Subject {
        let source = "#include <stdio.h>
#include <stdlib.h>
static unsigned table[1024];
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    unsigned sum = 1;
    for (long i = 0; i < n; i++) {
        table[(sum >> 3) & 1023] += sum;
        if (sum & 1) sum = sum * 3 + table[i & 1023];
        else sum = sum / 2 + 7;
    }
    printf(\"%u\\n\", (sum & 0) + 1);
    printf(\"%ld\\n\", n - 1);
}";
        Subject {
            name: "long",
            options: self.expecting("long.out", "1\n35000000\n"),
            program: self.compile("long", source),
            arguments: vec!["35000000".into()],
            ..Subject::default()
        }
    }

    /// All lines of the function can change what most others use.
    pub fn large_function(&self) -> Subject {
        let mut body = String::new();
        for i in 0..5000_u32 {
            let (a, b) = (i * 7 % 61, i * 13 % 61);
            match i % 5 {
                0 => writeln!(body, "    if (v[{a}] > x + {i})\n        v[{b}] += step(&v[{a}], x);"),
                1 => writeln!(body, "    p = &v[v[{b}] & 31];\n    *p += x ^ {i};"),
                2 => writeln!(body, "    while (v[{a}] > 1000000)\n        v[{a}] /= 3;"),
                3 => writeln!(body, "    other.field[{b} & 7] = v[{a}];\n    x += other.field[{a} & 7];"),
                _ => writeln!(body, "    q = x & 1 ? p : &v[{a}];\n    *q = *q * 5 + {i};"),
            }
            .unwrap();
        }
        let source = format!(
            "#include <stdio.h>
static struct {{ int field[8]; }} other;
static int step(unsigned *at, unsigned by) {{ *at += by; return *at > 9; }}
static unsigned work(unsigned x) {{
    unsigned v[61] = {{0}}, *p = v, *q = v;
{body}    return v[3] + x;
}}
int main(void) {{
    unsigned all = 0;
    for (unsigned i = 0; i < 20; i++) all += work(i);
    printf(\"%u\\n\", all | 1);
}}"
        );
        Subject {
            name: "large function",
            options: self.expecting("large.out", "2\n"),
            // LLVM itself takes minutes to optimise it.
            program: self.compile_with("-O0", "large", &source),
            ..Subject::default()
        }
    }

    /// Forty tests; each fifth hangs, each third fails.
    pub fn suite(&self) -> Subject {
        let source = "#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    volatile int n = atoi(argv[1]), sum = 0;
    if (n % 5 == 4)
        for (;;) sum++;
    for (int i = 0; i < n * 1000; i++) sum += i % 7;
    printf(\"%d\\n\", n % 3 ? sum : sum + 1);
}";
        let program = self.compile("suite", source);
        let mut list = String::new();
        for n in 0..40 {
            let right: i32 = (0..n * 1000).map(|i| i % 7).sum();
            std::fs::write(self.path(&format!("{n}.out")), format!("{right}\n")).unwrap();
            writeln!(list, "[[test]]\nargs = [\"{n}\"]\nexpect = \"{n}.out\"").unwrap();
        }
        let path = self.path("suite.toml");
        std::fs::write(&path, list).unwrap();
        let mut options = self.expecting("failing.out", "right\n");
        options.extend(["--tests".into(), shown(&path)]);
        Subject { name: "suite", options, program, arguments: vec!["33".into()], ..Subject::default() }
    }

    /// What the check starts hangs, too.
    pub fn hanging_check(&self) -> Subject {
        let program = self.compile("checked", "#include <stdio.h>\nint main(void) { puts(\"wrong\"); }");
        let options = vec!["--check".into(), "sleep 1000 & sleep 1000".into()];
        Subject { name: "hanging check", options, program, ..Subject::default() }
    }

    pub fn much_input(&self) -> Subject {
        let source = "#include <stdio.h>
static unsigned char buffer[65536];
int main(void) {
    unsigned long sum = 0, count;
    while ((count = fread(buffer, 1, sizeof buffer, stdin)) > 0)
        for (unsigned long i = 0; i < count; i++) sum += buffer[i];
    printf(\"%lu\\n\", sum);
}";
        let mut state = 1_u32;
        let mut noise = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        let input: Vec<u8> = (0..200 << 20).map(|_| noise()).collect();
        let path = self.path("much.in");
        std::fs::write(&path, input).unwrap();
        let mut options = self.expecting("much.out", "0\n");
        options.extend(["--stdin".into(), shown(&path)]);
        Subject { name: "much input", options, program: self.compile("much", source), ..Subject::default() }
    }

    /// Also how long it takes without being recorded, in seconds.
    pub fn slow_to_record(&self) -> (Subject, f64) {
        let source = "#include <stdio.h>
#include <stdlib.h>
volatile unsigned long a = 88172645463325252ul, b = 1;
int main(int argc, char **argv) {
    long n = atol(argv[1]);
    while (n > 0) { a ^= a << 13; a ^= a >> 7; a ^= a << 17; b += a; n--; }
    printf(\"%lu\\n\", b | 1);
}";
        let (program, count) = (self.compile("noted", source), "3000000");
        let begun = Instant::now();
        run(Command::new(&program).arg(count), b"", LIMIT).unwrap();
        let took = begun.elapsed().as_secs_f64();
        let options = self.expecting("noted.out", "2\n");
        (Subject { name: "noted", options, program, arguments: vec![count.into()], ..Subject::default() }, took)
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
