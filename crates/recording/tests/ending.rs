//! A command that ends removes its folders while its threads still make and fill them. Alone in its file: afterwards this
//! process can make none.

use std::fs;
use std::path::Path;
use std::time::Duration;

use recording::folder::{Folder, remove_all};

/// As a search does: makes folders and writes into them by their path, until there are no more.
fn keep_making(parent: &Path) {
    while let Ok(folder) = Folder::new_in(parent, "test") {
        // Either may fail once the folder is being removed; what counts is what stays.
        let _ = fs::create_dir(folder.path().join("files"));
        for number in 0..20 {
            let _ = fs::write(folder.path().join("files").join(number.to_string()), "contents");
        }
    }
}

#[test]
fn nothing_stays_of_what_threads_are_still_making() {
    let parent = tempfile::tempdir().unwrap();
    std::thread::scope(|threads| {
        for _ in 0..8 {
            threads.spawn(|| keep_making(parent.path()));
        }
        std::thread::sleep(Duration::from_millis(100));
        remove_all(Duration::from_secs(10));
        let left: Vec<_> = fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.is_empty(), "{left:?}");
    });
    assert!(Folder::new_in(parent.path(), "test").is_err());
}
