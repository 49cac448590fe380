//! `faultline clean`: removes what is kept between commands.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::answer::write_text;
use crate::cache;

/// Remove what is kept between commands: outcomes of experiments, and leftovers of commands that were killed
///
/// Outcomes are kept for a day in $FAULTLINE_CACHE, or in $XDG_CACHE_HOME/faultline, or in ~/.cache/faultline. Your recordings
/// are not removed.
#[derive(clap::Args)]
pub struct Arguments {}

/// Folders of compilers younger than this may be in use.
const OLD: Duration = Duration::from_secs(24 * 3600);

pub fn run(_: &Arguments) -> Result<ExitCode> {
    let mut told = String::new();
    match cache::outcomes() {
        Some(folder) => {
            let removed = remove_outcomes(&folder).with_context(|| format!("cannot clean {}", folder.display()))?;
            told += &format!(
                "{}: removed {} files with outcomes ({} bytes)\n",
                folder.display(),
                removed.files,
                removed.bytes
            );
        }
        None => told += &format!("no outcomes are kept, because {} is empty\n", cache::VARIABLE),
    }
    if let Some(folder) = cache::modules() {
        remove_outcomes(&folder).with_context(|| format!("cannot clean {}", folder.display()))?;
    }
    let temporary = std::env::temp_dir();
    let cannot_clean = || format!("cannot clean {}", temporary.display());
    let folders = recording::folder::sweep().with_context(cannot_clean)?;
    let folders = folders + remove_left_by_compilers(&temporary).with_context(cannot_clean)?;
    if folders > 0 {
        told += &format!("{}: removed {folders} folders of commands that were killed\n", temporary.display());
    }
    write_text(&told)?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Default)]
struct Removed {
    files: u64,
    bytes: u64,
}

/// Removes files that are named by a hash.
fn remove_outcomes(folder: &Path) -> io::Result<Removed> {
    let mut removed = Removed::default();
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(removed),
        other => other?,
    };
    for entry in entries {
        let entry = entry?;
        // Nothing that somebody else has put there.
        let name = entry.file_name().into_encoded_bytes();
        let is_ours = name.len() == 64 && name.iter().all(u8::is_ascii_hexdigit) || name.starts_with(b".tmp");
        let about = entry.metadata()?;
        if is_ours && about.is_file() {
            fs::remove_file(entry.path())?;
            removed.files += 1;
            removed.bytes += about.len();
        }
    }
    // It stays if anything is left in it.
    let _ = fs::remove_dir(folder);
    Ok(removed)
}

/// Folders of a `faultline-cc` that was killed. They bear no mark, but no compiler runs for a day.
fn remove_left_by_compilers(temporary: &Path) -> io::Result<u32> {
    const PREFIX: &[u8] = b"faultline-cc-";
    let mut removed = 0;
    for entry in fs::read_dir(temporary)? {
        let entry = entry?;
        let name = entry.file_name().into_encoded_bytes();
        let random = name.strip_prefix(PREFIX).unwrap_or_default();
        let is_name = random.len() == 6 && random.iter().all(u8::is_ascii_alphanumeric);
        // Of the entry itself: a link is nobody's folder.
        let Some(about) = entry.metadata().ok().filter(|about| is_name && about.is_dir()) else { continue };
        // SAFETY: asks only.
        let is_mine = std::os::unix::fs::MetadataExt::uid(&about) == unsafe { libc::geteuid() };
        let is_old = about.modified()?.elapsed().is_ok_and(|age| age > OLD);
        if is_mine && is_old && recording::folder::remove_tree(&entry.path()).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}
