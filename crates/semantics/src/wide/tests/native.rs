//! Compiles each case to machine code, runs it on many operands, and compares bit by bit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use program::{FloatKind, Type};

use super::operands::Chance;
use crate::wide::{Trap, words};

/// Bytes an operand or result has in the pipe.
const SLOT: usize = 64;

const BUILTINS: &str = "/usr/lib/llvm-19/lib/clang/19/lib/linux/libclang_rt.builtins-x86_64.a";

type Evaluate = dyn Fn(&[Vec<u64>], &mut [u64]) -> Result<(), Trap>;
type Applies = dyn Fn(&[Vec<u64>]) -> bool;

pub struct Case {
    /// IR that makes `%r` of `%a`, `%b` and `%c`.
    pub body: String,
    /// Declarations the body needs.
    pub declarations: Vec<String>,
    pub operands: Vec<Type>,
    pub result: Type,
    pub evaluate: Box<Evaluate>,
    /// Operands on which the case says something.
    pub applies: Box<Applies>,
}

/// As LLVM writes it.
pub fn ir_type(ty: &Type) -> String {
    match ty {
        Type::Float(FloatKind::X87) => "x86_fp80".into(),
        Type::Float(FloatKind::Quad) => "fp128".into(),
        Type::Vector { element, count, .. } => format!("<{count} x {}>", ir_type(element)),
        Type::Array { element, count, .. } => format!("[{count} x {}]", ir_type(element)),
        Type::Struct { fields, .. } => {
            let fields: Vec<_> = fields.iter().map(|(field, _)| ir_type(field)).collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer => ty.to_string(),
    }
}

/// Runs all cases, each on `rounds` operands, compiled with this level of optimisation.
pub fn check(cases: &[Case], rounds: usize, level: &str) {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("faultline-wide-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a directory for the program");
    let program = compile(cases, &directory, level);

    let mut chance = Chance(1);
    let mut input = Vec::new();
    let mut asked = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        for _ in 0..rounds {
            let operands: Vec<_> = case.operands.iter().map(|ty| chance.value(ty)).collect();
            if (case.applies)(&operands) {
                input.extend((number as u32).to_le_bytes());
                for position in 0..3 {
                    let mut slot = [0; SLOT];
                    let words = operands.get(position).into_iter().flatten();
                    slot.chunks_mut(8).zip(words).for_each(|(bytes, word)| bytes.copy_from_slice(&word.to_le_bytes()));
                    input.extend(slot);
                }
                asked.push((case, operands));
            }
        }
    }
    let output = run(&program, input);
    assert_eq!(output.len(), asked.len() * (1 + SLOT), "the program answers every question");
    let _ = std::fs::remove_dir_all(&directory);

    let mut complaints = String::new();
    let mut wrong = 0;
    let mut shown = BTreeMap::new();
    for ((case, operands), answer) in asked.iter().zip(output.chunks(1 + SLOT)) {
        let expected = match answer[0] {
            1 => Err(Trap::DivideError),
            _ => {
                Ok(answer[1..].chunks(8).map(|bytes| u64::from_le_bytes(bytes.try_into().expect("8 bytes"))).collect())
            }
        };
        let mut computed: Vec<u64> = vec![0; words(&case.result)];
        let computed = (case.evaluate)(operands, &mut computed).map(|()| {
            computed.resize(SLOT / 8, 0);
            computed
        });
        if computed != expected {
            wrong += 1;
            let shown: &mut u32 = shown.entry(&case.body).or_default();
            *shown += 1;
            if *shown <= 3 {
                let _ = writeln!(
                    complaints,
                    "{}\n  on {operands:x?}\n  machine {expected:x?}\n  we      {computed:x?}",
                    case.body
                );
            }
        }
    }
    assert!(wrong == 0, "{wrong} of {} differ:\n{complaints}", asked.len());
}

fn compile(cases: &[Case], directory: &Path, level: &str) -> std::path::PathBuf {
    let mut ir = String::from("target triple = \"x86_64-pc-linux-gnu\"\n");
    let mut driver = String::from(DRIVER);
    let declarations: BTreeSet<_> = cases.iter().flat_map(|case| &case.declarations).collect();
    for declaration in declarations {
        let _ = writeln!(ir, "{declaration}");
    }
    for (number, case) in cases.iter().enumerate() {
        let _ = writeln!(ir, "define void @case{number}(ptr %pa, ptr %pb, ptr %pc, ptr %pr) {{");
        for (name, ty) in ["a", "b", "c"].iter().zip(&case.operands) {
            let _ = writeln!(ir, "  %{name} = load {}, ptr %p{name}, align 1", ir_type(ty));
        }
        let _ = writeln!(ir, "  {}\n  store {} %r, ptr %pr, align 1\n  ret void\n}}", case.body, ir_type(&case.result));
        let _ = writeln!(driver, "extern void case{number}(char *, char *, char *, char *);");
    }
    driver.push_str("static void (*table[])(char *, char *, char *, char *) = {\n");
    (0..cases.len()).for_each(|number| {
        let _ = writeln!(driver, "case{number},");
    });
    driver.push_str("};\n");

    let write = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text).expect("the directory is ours");
        path
    };
    let (ir, driver, program) = (write("cases.ll", &ir), write("driver.c", &driver), directory.join("program"));
    let status = Command::new("clang-19")
        .args(["-Wno-override-module", level, "-o"])
        .args([&program, &ir, &driver])
        // The library programs are linked with, and for what it lacks (bfloat) clang's own.
        .args(["-lm", "-lgcc", BUILTINS])
        .status()
        .expect("clang-19 is installed");
    assert!(status.success(), "clang-19 compiles the cases");
    program
}

fn run(program: &Path, input: Vec<u8>) -> Vec<u8> {
    let mut child =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it was just built");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer does not panic").expect("the program reads all its input");
    assert!(output.status.success(), "the program ended with {}", output.status);
    output.stdout
}

const DRIVER: &str = r#"
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static void (*table[])(char *, char *, char *, char *);
static sigjmp_buf back;
static void divide_error(int signal) { siglongjmp(back, 1); }
int main(void) {
    struct { uint32_t number; char a[64], b[64], c[64]; } question;
    struct { char trapped; char value[64]; } answer;
    signal(SIGFPE, divide_error);
    while (fread(&question, sizeof question, 1, stdin) == 1) {
        memset(&answer, 0, sizeof answer);
        if (sigsetjmp(back, 1) == 0)
            table[question.number](question.a, question.b, question.c, answer.value);
        else
            answer.trapped = 1;
        fwrite(&answer, sizeof answer, 1, stdout);
    }
    return 0;
}
"#;
