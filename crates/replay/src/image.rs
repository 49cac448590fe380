//! The program of a recorded run: where it stood in memory, and its code, which is read and compiled when first asked for.

use std::sync::{Arc, OnceLock};

use abi::{Address, FunctionId, ModuleId};
use budget::Budget;
use program::{Constant, Module};
use recording::Recording;
use semantics::wide;

use crate::code::Code;
use crate::compile::compile;
use crate::departure::ReplayError;
use crate::loaded::{Entry, Loaded};

pub struct Image<'r> {
    pub recording: &'r Recording,
    /// Asked now and then by every replay.
    pub budget: Budget,
    loaded: Loaded<'r>,
    /// By module; why one cannot be read.
    contents: Vec<OnceLock<Result<Contents, String>>>,
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
        let loaded = Loaded::of(recording);
        let contents = (0..loaded.count()).map(|_| OnceLock::new()).collect();
        Image { recording, budget: budget.clone(), loaded, contents }
    }

    /// The instrumented function at an address.
    pub fn entry(&self, address: Address) -> Option<Entry> {
        self.loaded.entry(address)
    }

    pub fn module_count(&self) -> usize {
        self.loaded.count()
    }

    pub fn module_position(&self, id: ModuleId) -> Option<usize> {
        self.loaded.position(id)
    }

    /// The same in all runs of a program, where its position is not.
    pub fn module_id(&self, module: usize) -> ModuleId {
        self.loaded.id(module)
    }

    pub fn addresses(&self, module: usize) -> &'r [u64] {
        self.loaded.addresses(module)
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
        let cell = &self.contents[module];
        if let Some(Ok(contents)) = cell.get() {
            return Ok(contents);
        }
        // Reading a large module takes seconds, and cannot be broken off.
        self.budget.go_on()?;
        let id = self.module_id(module);
        let record = self.recording.saved_ir(id).ok_or(ReplayError::MissingModule { module: id })?;
        cell.get_or_init(|| {
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
            module: self.module_id(module),
            reason: format!("it has no {function}"),
        })?;
        // A damaged recording may say that the program entered a function that is only declared.
        if contents.module.function(function).blocks.is_empty() {
            let reason = format!("{function}, which the program entered, has no body");
            return Err(ReplayError::Unreadable { module: self.module_id(module), reason });
        }
        Ok(cell.get_or_init(|| Arc::new(compile(&self.loaded, module, &contents.module, function))))
    }
}
