//! Many random programs. Those that differ are kept, with the seed in the folder's name.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use anyhow::{Context, Result};
use testkit::csmith::{Verdict as Outcome, check};
use testkit::{Tools, Verdict, parallel, workspace};

/// Tries seeds from `first` on until `count` programs have been compared; those too slow or undefined do not count.
pub fn csmith(tools: &Tools, count: u64, first: u64) -> Result<Verdict> {
    let kept = workspace().join("target/csmith");
    std::fs::create_dir_all(&kept)?;
    let (compared, next, skipped, differing) =
        (AtomicU64::new(0), AtomicU64::new(first), AtomicU64::new(0), AtomicU64::new(0));
    let broken = AtomicBool::new(false);
    let try_seeds = |_| -> Result<()> {
        while !broken.load(Ordering::Relaxed) {
            // Taken before the outcome is known; given back if the seed is skipped.
            if compared.fetch_add(1, Ordering::Relaxed) >= count {
                break;
            }
            let seed = next.fetch_add(1, Ordering::Relaxed);
            let folder = tempfile::Builder::new().prefix("seed-").tempdir_in(&kept)?;
            let outcome = check(tools, seed, folder.path()).with_context(|| format!("seed {seed}"));
            match outcome {
                Ok(Outcome::Same) => {}
                Ok(Outcome::Skipped(_)) => {
                    skipped.fetch_add(1, Ordering::Relaxed);
                    compared.fetch_sub(1, Ordering::Relaxed);
                }
                Ok(Outcome::Differs(what)) => {
                    differing.fetch_add(1, Ordering::Relaxed);
                    let place = kept.join(format!("seed-{seed}"));
                    let _ = std::fs::remove_dir_all(&place);
                    std::fs::rename(folder.keep(), &place)?;
                    println!("seed {seed}: {what} (kept in {})", place.display());
                }
                Err(error) => {
                    broken.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
        Ok(())
    };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    parallel::map(0..threads, try_seeds).into_iter().collect::<Result<()>>()?;
    let differing = differing.into_inner();
    println!(
        "csmith: {count} programs from seed {first}: {} the same, {differing} differ ({} more were too slow to try, or undefined)",
        count - differing,
        skipped.into_inner()
    );
    Ok(if differing == 0 { Verdict::Holds } else { Verdict::DoesNotHold })
}
