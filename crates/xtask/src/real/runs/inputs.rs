//! The files that runs find in their folder, the same every time.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use testkit::real::Program;
use testkit::text::{lines, noise};

/// Small programs for bc and dc.
const CALCULATIONS: [(&str, &str); 17] = [
    ("add.bc", "1+2\n3*4-5\n(7+8)*9/4\n-5%3\n2^10\n"),
    ("pi.bc", "scale=60\n4*a(1)\n"),
    ("functions.bc", "scale=30\ns(1)\nc(1)\ne(2)\nl(10)\nj(2,3.5)\nsqrt(2)\n"),
    ("factorial.bc", "define f(n) {\n if (n <= 1) return (1);\n return (n * f(n-1));\n}\nf(80)\nf(120)\n"),
    (
        "primes.bc",
        "for (i = 2; i < 300; i++) {\n p = 1\n for (j = 2; j*j <= i; j++) if (i % j == 0) p = 0\n if (p) i\n}\n",
    ),
    ("loops.bc", "i=0\nwhile (i < 20) {\n i += 1\n if (i == 5) continue\n if (i > 15) break\n i*i\n}\n"),
    ("arrays.bc", "for (i=0;i<50;i++) a[i]=i^3\nt=0\nfor (i=49;i>=0;i--) t=t*3+a[i]\nt\nlength(t)\n"),
    ("strings.bc", "print \"text \", 5, \"\\n\"\n\"more\"\nscale(1.2345)\nlength(12345.678)\n"),
    ("bases.bc", "ibase=16\nFF\nobase=2\nAA\nobase=A0\n123456789\nibase=A\n"),
    (
        "recursion.bc",
        "define a(m,n) {\n if (m==0) return (n+1)\n if (n==0) return (a(m-1,1))\n return (a(m-1,a(m,n-1)))\n}\na(2,6)\n",
    ),
    ("errors.bc", "1+\n2**3\nundefined(1)\n)\n5\n"),
    ("divide.bc", "scale=100\n1/7\n22/7\n1/0\n3\n"),
    ("roots.bc", "scale=50\nsqrt(3)\nsqrt(1000000)\nsqrt(-1)\n"),
    ("power.bc", "2^500\n3^-2\nscale=20\n1.0001^1000\n"),
    ("series.bc", "scale=25\ne=1\nt=1\nfor (i=1;i<25;i++) { t=t/i; e=e+t }\ne\ne-e(1)\n"),
    ("simple.dc", "1 2 + p\n10 k 355 113 / p\n[hello]P\n5 3 ^ n 10 P\nf\n"),
    ("macros.dc", "[d 1 - d 0 <m]sm 10 lmx f\n2 k 10 3 / p 16 o 255 p\n"),
];

pub fn make(program: &Program, clang: &Path, folder: &Path) -> Result<()> {
    let text = lines(40_000, 1);
    let small = lines(1_500, 2) + "\nhello\n\nxxx line region here\nlast";
    let other: String =
        text.lines().enumerate().filter(|(n, _)| n % 41 != 7).map(|(n, line)| edited(n, line)).collect();
    let spaced = text.replace(' ', "  ").replace("the\n", "the \t\n");
    let files: [(&str, Vec<u8>); 15] = [
        ("text", text.clone().into()),
        ("other", other.into()),
        ("upper", text.to_uppercase().into()),
        ("spaced", spaced.into()),
        ("blank", small.replace('\n', "\n\n").into()),
        ("small", small.clone().into()),
        ("numbers", numbers().into()),
        ("one", b"1".into()),
        ("empty", Vec::new()),
        ("zeros", vec![0; 100_000]),
        ("noise", noise(20_000, 3)),
        ("patterns", b"fault\n^record\nworld$\n[0-9][0-9]*5\n".into()),
        ("script.sed", b"# a script\n1,3s/[a-z]/&&/\n/error/{\n  s/e/E/g\n  p\n}\n$!{/^the/d}\n".into()),
        ("quit.bc", b"quit\n".into()),
        ("two words", b"a file with a space in its name\n".into()),
    ];
    for (name, bytes) in
        files.into_iter().chain(CALCULATIONS.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())))
    {
        std::fs::write(folder.join(name), bytes)?;
    }
    for (name, seed) in [("folder", 4), ("folder2", 5)] {
        let below = folder.join(name).join("below");
        std::fs::create_dir_all(&below)?;
        std::fs::write(folder.join(name).join("first.txt"), lines(3_000, 4))?;
        std::fs::write(below.join("second.txt"), lines(3_000, seed))?;
        std::fs::write(below.join(format!("only-{seed}")), "value\n")?;
    }
    match program.name {
        "gzip" => compressed(&clang.join("gzip"), folder),
        "jsoncpp" => copy_json(clang, folder),
        "cjson" => copy_all(&clang.join("fuzzing/inputs"), folder),
        _ => Ok(()),
    }
}

fn edited(n: usize, line: &str) -> String {
    match n % 29 {
        3 => format!("{line} changed\n"),
        11 => format!("inserted {n}\n{line}\n"),
        _ => format!("{line}\n"),
    }
}

fn numbers() -> String {
    (0..2_000u64).map(|n| format!("{} one {:x} two\n", n * n * 7919 % 100_003, n * 31)).collect()
}

/// Whole, damaged and cut short.
fn compressed(gzip: &Path, folder: &Path) -> Result<()> {
    let output = Command::new(gzip).args(["-nc", "text"]).current_dir(folder).output()?;
    let mut bytes = output.stdout;
    std::fs::write(folder.join("text.gz"), &bytes)?;
    std::fs::write(folder.join("truncated.gz"), &bytes[..bytes.len() / 2])?;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x5a;
    std::fs::write(folder.join("corrupt.gz"), &bytes)?;
    Ok(())
}

fn copy_json(clang: &Path, folder: &Path) -> Result<()> {
    let from = clang.join("test/data");
    for entry in std::fs::read_dir(&from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            std::fs::copy(&path, folder.join(path.file_name().context("a file has a name")?))?;
        }
    }
    Ok(())
}

fn copy_all(from: &Path, folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    Ok(())
}

/// jsoncpp's runs: its own files, read back and compared by its test runner, and its unit tests.
pub fn json_lines(folder: &Path) -> Result<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".json"))
        .collect();
    names.sort();
    let mut text = String::from("jsoncpp_test\njsoncpp_test --list-tests\n");
    for name in names.iter().take(50) {
        text += &format!("jsontestrunner_exe {name}\njsontestrunner_exe --strict {name}\n");
    }
    Ok(text)
}
