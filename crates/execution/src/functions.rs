//! The functions of a recorded program with what the analyses know of them, computed on first use.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, RwLock};

use abi::{Address, FunctionId, ModuleId};
use program::{Function, FunctionKey, Global, Instruction, Linkage, Module, Shape, Site};
use replay::{Image, Observed, ReplayError};

use crate::uses::Uses;

pub struct Functions<'r> {
    image: &'r Image<'r>,
    uses: RwLock<HashMap<FunctionKey, Arc<Uses>>>,
    shapes: RwLock<HashMap<FunctionKey, Arc<Shape>>>,
    /// For each module whether it has twins of library functions: asked at every branch of a walk.
    twins: Vec<OnceLock<bool>>,
    /// Sorted by address.
    globals: OnceLock<Vec<GlobalAt>>,
}

/// A variable that nobody may write, and what it holds.
pub struct Table {
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// A global variable where it lies in the run.
struct GlobalAt {
    address: u64,
    module: usize,
    /// In the module's list.
    position: usize,
}

impl<'r> Functions<'r> {
    pub fn new(image: &'r Image<'r>) -> Functions<'r> {
        Functions {
            image,
            uses: RwLock::default(),
            shapes: RwLock::default(),
            twins: (0..image.module_count()).map(|_| OnceLock::new()).collect(),
            globals: OnceLock::new(),
        }
    }

    pub fn image(&self) -> &'r Image<'r> {
        self.image
    }

    pub fn key_of(&self, module: ModuleId, function: FunctionId) -> Option<FunctionKey> {
        let module = self.image.module_position(module)? as u32;
        Some(FunctionKey { module, function })
    }

    /// Whether a step is one of the program's `main`.
    pub fn is_main(&self, step: &Observed<'_>) -> bool {
        step.function().name == "main"
    }

    /// The function of the program's that a declaration in the module of `from` names.
    pub fn by_name(&self, from: FunctionKey, declared: FunctionId) -> Option<FunctionKey> {
        if self.module(from).ok()?.function(declared).linkage != Linkage::Outside {
            return Some(FunctionKey { module: from.module, function: declared });
        }
        let address = *self.image.addresses(from.module as usize).get(declared.index())?;
        let entry = self.image.entry(Address(address))?;
        Some(FunctionKey { module: entry.module as u32, function: entry.function })
    }

    /// Whether a function belongs to the twins of library functions, which people do not want to see.
    pub fn is_twin(&self, key: FunctionKey) -> bool {
        let twins = self.twins.get(key.module as usize);
        twins.is_some_and(|known| *known.get_or_init(|| self.module(key).is_ok_and(Module::has_twins)))
    }

    pub fn module(&self, key: FunctionKey) -> Result<&'r Module, ReplayError> {
        Ok(self.image.module(key.module as usize)?)
    }

    /// A function that was executed: its module has been read.
    pub fn function(&self, key: FunctionKey) -> &'r Function {
        match self.module(key) {
            Ok(module) => module.function(key.function),
            Err(error) => unreachable!("a function of a module that was replayed: {error}"),
        }
    }

    /// Of a function that was executed.
    pub fn instruction(&self, site: Site) -> &'r Instruction {
        self.function(site.function).instruction(site.instruction)
    }

    /// Whether a byte belongs to a constant: what a load meets there was there from the beginning.
    pub fn is_constant(&self, address: u64) -> bool {
        self.global(address).is_some_and(|(_, global)| global.is_constant)
    }

    /// A byte of memory when a step is executed, as far as instrumented code or the program's text knows it; else zero.
    pub fn byte(&self, step: &Observed<'_>, address: u64) -> u8 {
        let seen = step.byte(address);
        match self.global(address) {
            // A zero that was stored over a text cannot be told from one that nobody has looked at.
            Some((offset, global)) if global.is_constant || seen == 0 => {
                global.text.get(offset as usize).copied().unwrap_or(seen)
            }
            _ => seen,
        }
    }

    /// The variable an address lies in, and how far in.
    fn global(&self, address: u64) -> Option<(u64, &'r Global)> {
        let (at, global) = self.global_at(address)?;
        Some((address - at.address, global))
    }

    fn global_at(&self, address: u64) -> Option<(&GlobalAt, &'r Global)> {
        let globals = self.globals.get_or_init(|| self.all_globals());
        let after = globals.partition_point(|at| at.address <= address);
        let at = globals[..after].last()?;
        let global = self.image.module(at.module).ok()?.globals.get(at.position)?;
        (address - at.address < global.size).then_some((at, global))
    }

    /// Where the global variable begins that an address lies in, and its bytes.
    pub fn variable_at(&self, address: u64) -> Option<(u64, u64)> {
        let (at, global) = self.global_at(address)?;
        Some((at.address, global.size))
    }

    /// All global variables: where each begins, and its bytes.
    pub fn variables(&self) -> impl Iterator<Item = (u64, u64)> {
        let globals = self.globals.get_or_init(|| self.all_globals());
        globals
            .iter()
            .filter_map(|at| Some((at.address, self.image.module(at.module).ok()?.globals.get(at.position)?.size)))
    }

    /// The constant an address lies in, with what it holds, if the program's text says that.
    pub fn table(&self, address: u64) -> Option<Table> {
        let (at, global) = self.global_at(address)?;
        if !global.is_constant {
            return None;
        }
        let bytes = match &global.initial {
            _ if !global.text.is_empty() => global.text.clone(),
            Some(initial) => self.image.constant_bytes(at.module, initial),
            None => return None,
        };
        Some(Table { address: at.address, bytes })
    }

    /// Where variables of this name lie.
    pub fn addresses_of(&self, name: &str) -> Vec<u64> {
        let mut all = Vec::new();
        for module in 0..self.image.module_count() {
            let Ok(contents) = self.image.module(module) else { continue };
            let addresses = self.image.addresses(module).iter();
            all.extend(addresses.zip(&contents.globals).filter(|(_, g)| g.name == name).map(|(address, _)| *address));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    fn all_globals(&self) -> Vec<GlobalAt> {
        let mut all = Vec::new();
        for module in 0..self.image.module_count() {
            // A module that cannot be read has not been executed.
            let Ok(contents) = self.image.module(module) else { continue };
            let addresses = self.image.addresses(module).iter().copied();
            for (address, (position, global)) in addresses.zip(contents.globals.iter().enumerate()) {
                if global.size > 0 {
                    let order = (address, global.is_constant, global.text.len());
                    all.push((order, GlobalAt { address, module, position }));
                }
            }
        }
        // Where one module declares what another defines, the definition comes last.
        all.sort_by_key(|(order, _)| *order);
        all.into_iter().map(|(_, at)| at).collect()
    }

    pub fn uses(&self, key: FunctionKey) -> Arc<Uses> {
        cached(&self.uses, key, || match self.module(key) {
            Ok(module) => Uses::of(module, module.function(key.function)),
            Err(error) => unreachable!("a function of a module that was replayed: {error}"),
        })
    }

    pub fn shape(&self, key: FunctionKey) -> Arc<Shape> {
        cached(&self.shapes, key, || Shape::of(self.function(key)))
    }
}

fn cached<T>(table: &RwLock<HashMap<FunctionKey, Arc<T>>>, key: FunctionKey, make: impl FnOnce() -> T) -> Arc<T> {
    // A thread that panicked while it held the lock has ended the program: panics abort.
    let known = table.read().ok().and_then(|table| table.get(&key).cloned());
    known.unwrap_or_else(|| {
        let made = Arc::new(make());
        if let Ok(mut table) = table.write() {
            return table.entry(key).or_insert(made).clone();
        }
        made
    })
}
