//! The program as it was loaded in the recorded run: which function stands at which address, and its code.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use abi::{Address, FunctionId, ModuleId};
use budget::Budget;
use program::{Constant, Module};
use recording::Recording;

use semantics::wide;

use crate::ReplayError;
use crate::code::Code;
use crate::compile::compile;

pub struct Image<'r> {
    pub recording: &'r Recording,
    /// Asked now and then by every replay.
    pub budget: Budget,
    modules: Vec<Loaded<'r>>,
    by_id: HashMap<ModuleId, usize>,
    entries: HashMap<u64, Entry>,
}

/// An instrumented function that outside code can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Position in the image's list of modules.
    pub module: usize,
    pub function: FunctionId,
    pub type_hash: u32,
}

struct Loaded<'r> {
    id: ModuleId,
    addresses: &'r [u64],
    contents: OnceLock<Result<Contents, String>>,
}

struct Contents {
    module: Arc<Module>,
    codes: Vec<OnceLock<Arc<Code>>>,
}

pub type ImageError = ReplayError;

impl<'r> Image<'r> {
    pub fn new(recording: &'r Recording) -> Image<'r> {
        Image::within(recording, &Budget::unlimited())
    }

    /// Replays are given up when the budget is spent.
    pub fn within(recording: &'r Recording, budget: &Budget) -> Image<'r> {
        let modules: Vec<Loaded<'r>> = recording
            .modules()
            .iter()
            .map(|m| Loaded { id: m.id, addresses: &m.addresses, contents: OnceLock::new() })
            .collect();
        let by_id: HashMap<_, _> = modules.iter().enumerate().map(|(i, m)| (m.id, i)).collect();
        let entries = recording
            .functions()
            .iter()
            .filter_map(|f| {
                let module = *by_id.get(&f.module)?;
                Some((f.entry.0, Entry { module, function: f.function, type_hash: f.type_hash }))
            })
            .collect();
        Image { recording, budget: budget.clone(), modules, by_id, entries }
    }

    /// The instrumented function at an address.
    pub fn entry(&self, address: Address) -> Option<Entry> {
        self.entries.get(&address.0).copied()
    }

    pub fn module_count(&self) -> usize {
        self.modules.len()
    }

    pub fn module_position(&self, id: ModuleId) -> Option<usize> {
        self.by_id.get(&id).copied()
    }

    /// The same in all runs of a program, where its position is not.
    pub fn module_id(&self, module: usize) -> ModuleId {
        self.modules[module].id
    }

    pub fn addresses(&self, module: usize) -> &'r [u64] {
        self.modules[module].addresses
    }

    pub fn module(&self, module: usize) -> Result<&Arc<Module>, ReplayError> {
        Ok(&self.contents(module)?.module)
    }

    /// The bytes of a constant of a module, with the addresses of the recorded run.
    pub fn constant_bytes(&self, module: usize, constant: &Constant) -> Vec<u8> {
        let addresses = self.addresses(module);
        let mut words = vec![0; wide::words(&constant.ty)];
        wide::constant(constant, &|i| addresses.get(i as usize).copied().unwrap_or(0), &mut words);
        words.iter().flat_map(|w| w.to_le_bytes()).take(constant.ty.store_size() as usize).collect()
    }

    fn contents(&self, module: usize) -> Result<&Contents, ReplayError> {
        let loaded = &self.modules[module];
        if let Some(Ok(contents)) = loaded.contents.get() {
            return Ok(contents);
        }
        // Reading a large module takes seconds, and cannot be broken off.
        self.budget.go_on()?;
        let id = loaded.id;
        let record = self.recording.saved_ir(id).ok_or(ReplayError::MissingModule { module: id })?;
        loaded
            .contents
            .get_or_init(|| {
                let module = program::lower_shared(record).map_err(|e| e.to_string())?;
                let codes = module.functions.iter().map(|_| OnceLock::new()).collect();
                Ok(Contents { module, codes })
            })
            .as_ref()
            .map_err(|reason| ReplayError::Unreadable { module: id, reason: reason.clone() })
    }

    /// The code of a function, compiled when first asked for.
    pub fn code(&self, module: usize, function: FunctionId) -> Result<&Arc<Code>, ReplayError> {
        let contents = self.contents(module)?;
        let cell = contents.codes.get(function.index()).ok_or_else(|| ReplayError::Unreadable {
            module: self.modules[module].id,
            reason: format!("it has no {function}"),
        })?;
        // A damaged recording may say that the program entered a function that is only declared.
        if contents.module.function(function).blocks.is_empty() {
            let reason = format!("{function}, which the program entered, has no body");
            return Err(ReplayError::Unreadable { module: self.modules[module].id, reason });
        }
        Ok(cell.get_or_init(|| Arc::new(compile(self, module, &contents.module, function))))
    }
}
