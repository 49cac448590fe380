//! Building a program by one compiler, in a copy of its source; done again only when the compiler has changed.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::program::Program;
use crate::Tools;
use anyhow::{Context, Result, bail};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// As its makers build it.
    Clang,
    /// What recording is measured against; valgrind understands no newer debug information.
    Clang0,
    Faultline,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Clang => "clang",
            Kind::Clang0 => "clang-O0",
            Kind::Faultline => "faultline",
        }
    }

    fn flags(self) -> Option<&'static str> {
        match self {
            Kind::Clang | Kind::Faultline => None,
            Kind::Clang0 => Some("-O0 -gdwarf-4"),
        }
    }
}

/// Returns the folder of the build.
pub fn build(tools: &Tools, program: &Program, kind: Kind, folder: &Path) -> Result<PathBuf> {
    let place = folder.join(kind.name());
    let stamp = place.join("faultline-stamp");
    let compiler = compiler_stamp(tools, kind)?;
    if std::fs::read_to_string(&stamp).is_ok_and(|old| old == compiler) {
        return Ok(place);
    }
    eprintln!("building {} by {}", program.name, kind.name());
    if place.exists() {
        std::fs::remove_dir_all(&place)?;
    }
    let copied = Command::new("cp").arg("-a").arg(folder.join("source")).arg(&place).status()?;
    if !copied.success() {
        bail!("cannot copy the source of {}", program.name);
    }
    for step in [program.prepare, program.build] {
        let output = shell(tools, kind, step, &place).output()?;
        std::fs::write(place.join("build.log"), [&output.stdout[..], &output.stderr[..]].concat())?;
        if !output.status.success() {
            bail!("`{step}` in {}: {}; see build.log there", place.display(), output.status);
        }
    }
    std::fs::write(stamp, compiler)?;
    Ok(place)
}

fn shell(tools: &Tools, kind: Kind, line: &str, folder: &Path) -> Command {
    let plain_cpp = tools.clang.with_file_name("clang++");
    let (cc, cxx) = match kind {
        Kind::Clang | Kind::Clang0 => (&tools.clang, &plain_cpp),
        Kind::Faultline => (&tools.cc, &tools.cpp),
    };
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).current_dir(folder).env("CC", cc).env("CXX", cxx).env("LC_ALL", "C");
    if let Some(flags) = kind.flags() {
        command.env("CFLAGS", flags).env("CXXFLAGS", flags);
    }
    // Root may do what some configure scripts warn of.
    command.env("FORCE_UNSAFE_CONFIGURE", "1");
    command
}

/// Changes whenever the compiler or the runtime it links does.
fn compiler_stamp(tools: &Tools, kind: Kind) -> Result<String> {
    if kind != Kind::Faultline {
        return Ok(tools.clang.display().to_string());
    }
    let library = tools.cc.with_file_name("../lib/faultline");
    let mut stamp = String::new();
    let linked =
        ["libfaultline_runtime.a", "libfaultline_twins.a", "register.o", "unregister.o"].map(|name| library.join(name));
    for file in std::iter::once(&tools.cc).chain(&linked) {
        let about = std::fs::metadata(file).with_context(|| file.display().to_string())?;
        stamp += &format!("{} {}.{}\n", about.len(), about.mtime(), about.mtime_nsec());
    }
    Ok(stamp)
}
