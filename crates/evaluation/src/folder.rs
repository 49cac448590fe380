//! Where an evaluation works.

use std::path::PathBuf;

use testkit::workspace;

/// Where everything goes that an evaluation makes.
pub fn folder() -> PathBuf {
    workspace().join("target/eval")
}
