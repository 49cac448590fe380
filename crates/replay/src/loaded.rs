//! Where the program stood in memory in the recorded run: which function at which address.

use std::collections::HashMap;

use abi::{Address, FunctionId, ModuleId};
use recording::Recording;

/// The modules, in the recording's order.
pub struct Loaded<'r> {
    modules: Vec<(ModuleId, &'r [u64])>,
    by_id: HashMap<ModuleId, usize>,
    entries: HashMap<u64, Entry>,
}

/// An instrumented function that outside code can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Position in the list of modules.
    pub module: usize,
    pub function: FunctionId,
    pub type_hash: u32,
}

impl<'r> Loaded<'r> {
    pub fn of(recording: &'r Recording) -> Loaded<'r> {
        let modules: Vec<_> = recording.modules().iter().map(|m| (m.id, &m.addresses[..])).collect();
        let by_id: HashMap<_, _> = modules.iter().enumerate().map(|(i, (id, _))| (*id, i)).collect();
        let entries = recording
            .functions()
            .iter()
            .filter_map(|f| {
                let module = *by_id.get(&f.module)?;
                Some((f.entry.0, Entry { module, function: f.function, type_hash: f.type_hash }))
            })
            .collect();
        Loaded { modules, by_id, entries }
    }

    pub fn entry(&self, address: Address) -> Option<Entry> {
        self.entries.get(&address.0).copied()
    }

    pub fn count(&self) -> usize {
        self.modules.len()
    }

    pub fn position(&self, id: ModuleId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    pub fn id(&self, module: usize) -> ModuleId {
        self.modules[module].0
    }

    /// Of the module's functions and variables.
    pub fn addresses(&self, module: usize) -> &'r [u64] {
        self.modules[module].1
    }
}
