//! Modules read once for all recordings of one program.
//!
//! Reading a module takes longer than recording a short run of it, and a suite has hundreds of those.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::{LowerError, lower_saved, read_debug_saved};
use crate::debug::Debug;
use crate::{Module, ModuleId};

/// As [`lower_saved`], but what has been read before is not read again.
pub fn lower_shared(record: &[u8]) -> Result<Arc<Module>, LowerError> {
    static KEPT: Kept<Module> = Kept::new();
    KEPT.get(record, lower_saved)
}

/// As [`read_debug_saved`], but what has been read before is not read again.
pub fn read_debug_shared(record: &[u8]) -> Result<Arc<Debug>, LowerError> {
    static KEPT: Kept<Debug> = Kept::new();
    KEPT.get(record, read_debug_saved)
}

/// So many bytes of saved IR at most: who looks at many programs one after the other needs those before no more.
const MOST: usize = 64 << 20;

struct Kept<T>(Mutex<Option<Things<T>>>);

struct Things<T> {
    by_module: HashMap<(ModuleId, usize), Arc<T>>,
    bytes: usize,
}

impl<T> Kept<T> {
    const fn new() -> Kept<T> {
        Kept(Mutex::new(None))
    }

    /// The lock is not held while a module is read: others may be read beside it, and at worst one is read twice.
    fn get(&self, record: &[u8], read: fn(&[u8]) -> Result<T, LowerError>) -> Result<Arc<T>, LowerError> {
        let header = abi::IrHeader::decode(record).ok_or(LowerError::NotSavedIr)?;
        let key = (ModuleId(header.module), record.len());
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thing) = lock().as_ref().and_then(|things| things.by_module.get(&key)) {
            return Ok(thing.clone());
        }
        let thing = Arc::new(read(record)?);
        let mut kept = lock();
        if kept.as_ref().is_some_and(|things| things.bytes + record.len() > MOST) {
            *kept = None;
        }
        let things = kept.get_or_insert_with(|| Things { by_module: HashMap::new(), bytes: 0 });
        if things.by_module.insert(key, thing.clone()).is_none() {
            things.bytes += record.len();
        }
        Ok(thing)
    }
}
