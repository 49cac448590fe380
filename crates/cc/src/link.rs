//! What a link gets from us: the twins of library functions and the runtime, found beside the tools, and the object
//! that registers each executable and shared library with it.

use std::ffi::OsString;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::ExitStatus;

use anyhow::{Result, bail};

use crate::installed::library_folder;
use crate::job::Job;

/// Arguments for the driver that add the runtime to this link; none where it cannot be or is not yet due.
///
/// Every executable and shared library has a copy of the runtime and calls only that one: whether others are
/// instrumented, and in which order they are loaded, makes no difference. The copies find each other when they run.
pub fn runtime_arguments(linker: &Job) -> Result<Vec<OsString>> {
    let relocatable = linker.has("-r") || linker.has("--relocatable");
    let for_our_target = linker.arguments.windows(2).any(|pair| pair[0] == "-m" && pair[1] == "elf_x86_64");
    let shared = linker.has("-shared") || linker.has("-Bshareable");
    // The runtime stands on the C library. Without one the program is freestanding and compiled as such.
    let hosted = shared || linker.has("-lc");
    if relocatable || !for_our_target || !hosted {
        return Ok(Vec::new());
    }
    let folder = library_folder()?;
    // `-x none`, lest a language the user set for the last source be taken for that of the object.
    let mut arguments: Vec<OsString> = vec!["-x".into(), "none".into()];
    let unregister = shared.then_some("unregister.o");
    for name in ["register.o"].into_iter().chain(unregister).chain(["libfaultline_twins.a", "libfaultline_runtime.a"]) {
        let file = folder.join(name);
        if !file.exists() {
            bail!("the runtime of faultline is incomplete: {} is missing", file.display());
        }
        arguments.push(file.into());
    }
    arguments.extend(wrapped_twins(linker));
    Ok(arguments)
}

/// `--wrap=NAME` sends calls of a function elsewhere; calls of its twin must go there too.
fn wrapped_twins(linker: &Job) -> Vec<OsString> {
    let mut arguments = linker.arguments.iter().filter_map(|argument| argument.to_str());
    let mut wrapped = Vec::new();
    while let Some(argument) = arguments.next() {
        let name = match argument.strip_prefix("--wrap").or_else(|| argument.strip_prefix("-wrap")) {
            Some("") => arguments.next(),
            Some(joined) => joined.strip_prefix('='),
            None => None,
        };
        wrapped.extend(name.filter(|name| pass::twins().any(|twin| twin == *name)));
    }
    let define = |name: &str| OsString::from(format!("-Wl,--defsym={}{name}=__wrap_{name}", pass::TWIN_PREFIX));
    wrapped.into_iter().map(define).collect()
}

/// Sanitizer runtimes on the linker's line; the driver puts them there when linking with `-fsanitize=`.
pub fn sanitizer_runtime(linker: &Job) -> Option<String> {
    const HARMLESS: [&str; 3] = ["builtins", "profile", "crt"];
    linker.arguments.iter().find_map(|argument| {
        let name = Path::new(argument).file_name()?.to_str()?;
        let runtime = name.strip_prefix("libclang_rt.").or_else(|| name.strip_prefix("clang_rt."))?;
        let harmless = HARMLESS.iter().any(|prefix| runtime.starts_with(prefix));
        (!harmless).then(|| runtime.split(['-', '.', '_']).next().unwrap_or(runtime).to_string())
    })
}

/// Runs the linker.
pub fn link(linker: &Job, scratch: &Path) -> Result<ExitStatus> {
    let mut arguments = linker.arguments.clone();
    // Start-up code of -ffast-math: it makes the machine round tiny numbers to zero, which the replay would not.
    arguments.retain(|argument| !argument.as_bytes().ends_with(b"/crtfastmath.o"));
    /// Well below what Linux lets a command line have.
    const LONGEST_LINE: usize = 1 << 20;
    if arguments.iter().map(|argument| argument.len() + 1).sum::<usize>() > LONGEST_LINE {
        arguments = vec![response_file(&arguments, scratch)?];
    }
    linker.run_with(&arguments)
}

fn response_file(arguments: &[OsString], scratch: &Path) -> Result<OsString> {
    let path = scratch.join("linker-arguments");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path)?);
    for argument in arguments {
        file.write_all(b"\"")?;
        for &byte in argument.as_bytes() {
            if byte == b'"' || byte == b'\\' {
                file.write_all(b"\\")?;
            }
            file.write_all(&[byte])?;
        }
        file.write_all(b"\"\n")?;
    }
    file.flush()?;
    let mut reference = OsString::from("@");
    reference.push(path);
    Ok(reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linker(line: &str) -> Job {
        Job { program: "/usr/bin/ld".into(), arguments: line.split_whitespace().map(OsString::from).collect() }
    }

    #[test]
    fn links_without_our_runtime() {
        assert!(runtime_arguments(&linker("-m elf_x86_64 -r -o a.o b.o")).unwrap().is_empty());
        assert!(runtime_arguments(&linker("-m elf_i386 -o a b.o -lc")).unwrap().is_empty());
        assert!(runtime_arguments(&linker("-m elf_x86_64 -o a b.o")).unwrap().is_empty());
    }

    #[test]
    fn sanitizers_are_known_by_their_runtimes() {
        assert_eq!(sanitizer_runtime(&linker("a.o /lib/linux/libclang_rt.asan_static-x86_64.a")), Some("asan".into()));
        assert_eq!(sanitizer_runtime(&linker("a.o /lib/linux/libclang_rt.profile-x86_64.a")), None);
        assert_eq!(sanitizer_runtime(&linker("a.o -lc")), None);
    }
}
