//! Which faults are asked about.

use anyhow::{Result, ensure};

use crate::subject::Subject;

/// Keeps every so many-th fault.
pub fn thin_out(subjects: &mut [Subject], every: usize) {
    for (offset, subject) in subjects.iter_mut().enumerate() {
        for faults in [&mut subject.faults, &mut subject.omissions] {
            // Subjects begin at different ones: the faults of all are in the same order of classes.
            let mut position = offset;
            faults.retain(|_| {
                position += 1;
                position.is_multiple_of(every.max(1))
            });
        }
    }
}

/// The named subjects, and the named faults of others; all if there are no names.
pub fn chosen(mut subjects: Vec<Subject>, names: &[String]) -> Result<Vec<Subject>> {
    for name in names {
        let (subject, fault) = name.split_once('/').unwrap_or((name, ""));
        let known = subjects.iter().find(|known| known.name == subject);
        let known = known.is_some_and(|known| fault.is_empty() || known.all_faults().any(|f| f.name == fault));
        ensure!(known, "there is no subject or fault {name}");
    }
    if !names.is_empty() {
        for subject in &mut subjects {
            let Subject { name, faults, omissions, .. } = subject;
            let whole = names.contains(name);
            for faults in [faults, omissions] {
                faults.retain(|fault| whole || names.contains(&format!("{name}/{}", fault.name)));
            }
        }
        subjects.retain(|subject| names.iter().any(|name| name.split('/').next() == Some(&subject.name)));
    }
    Ok(subjects)
}
