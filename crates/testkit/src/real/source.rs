//! Debian's source packages, fetched without touching the system's own list of sources.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Unpacks the source of a package as `folder`, unless it is there.
pub fn fetch(package: &str, folder: &Path) -> Result<()> {
    if folder.exists() {
        return Ok(());
    }
    let parent = folder.parent().context("a folder to unpack in")?;
    let apt = private_apt(&parent.join("../apt"))?;
    let unpacking = tempfile::tempdir_in(parent)?;
    run(apt_get(&apt).args(["source", "--quiet=2", package]).current_dir(unpacking.path()))?;
    let unpacked = std::fs::read_dir(unpacking.path())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.is_dir())
        .with_context(|| format!("apt-get source {package} unpacked nothing"))?;
    std::fs::rename(unpacked, folder)?;
    Ok(())
}

/// A configuration that has, for every source of binary packages the system uses, the sources of the same place.
fn private_apt(folder: &Path) -> Result<PathBuf> {
    for part in ["lists/partial", "cache/archives/partial"] {
        std::fs::create_dir_all(folder.join(part))?;
    }
    let folder = folder.canonicalize()?;
    let list = folder.join("sources.list");
    if !list.exists() {
        let output = Command::new("apt-get")
            .args(["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Identifier: Packages"])
            .arg("Origin: Debian")
            .output()
            .context("cannot run apt-get; real programs are fetched from Debian")?;
        let keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
        let places = String::from_utf8(output.stdout)?;
        let lines: String = places.lines().map(|place| format!("deb-src [signed-by={keys}] {place}\n")).collect();
        if lines.is_empty() {
            bail!("apt knows no source of Debian packages; run `apt-get update` first");
        }
        std::fs::write(&list, lines)?;
        if let Err(error) = run(apt_get(&folder).args(["update", "--quiet=2"])) {
            std::fs::remove_file(&list)?;
            return Err(error);
        }
    }
    Ok(folder)
}

fn apt_get(folder: &Path) -> Command {
    let mut command = Command::new("apt-get");
    for (option, value) in [
        ("Dir::Etc::SourceList", folder.join("sources.list")),
        ("Dir::Etc::SourceParts", PathBuf::from("/dev/null")),
        ("Dir::State::Lists", folder.join("lists")),
        ("Dir::Cache", folder.join("cache")),
    ] {
        command.arg("-o").arg(format!("{option}={}", value.display()));
    }
    command
}

fn run(command: &mut Command) -> Result<()> {
    let output = command.output()?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}
