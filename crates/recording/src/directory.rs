//! The directory stream, decoded: which modules and functions the program had, and where. The encoder is the
//! runtime's; `abi::directory` describes the records.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use abi::{Address, DIRECTORY_FILE, DIRECTORY_FUNCTION, DIRECTORY_MODULE, FunctionId, ModuleId};

use crate::format::{u32_at, u64_at};

/// A module as it was loaded. The same module linked into two objects has two entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleEntry {
    pub id: ModuleId,
    /// The executable or shared library.
    pub file: PathBuf,
    /// See `abi::ModuleDescriptor::addresses`.
    pub addresses: Vec<u64>,
}

/// A function that outside code can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FunctionEntry {
    pub entry: Address,
    pub module: ModuleId,
    /// Which of [`Directory::modules`] it is in.
    pub instance: usize,
    pub function: FunctionId,
    pub type_hash: u32,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Directory {
    pub files: Vec<PathBuf>,
    pub modules: Vec<ModuleEntry>,
    pub functions: Vec<FunctionEntry>,
    /// Where the modules of the current file begin.
    first_of_file: usize,
}

impl Directory {
    /// Adds what one chunk says. Chunks must come in their order. `None` if it makes no sense.
    pub fn add(&mut self, mut bytes: &[u8]) -> Option<()> {
        while let Some((&tag, rest)) = bytes.split_first() {
            bytes = match tag {
                DIRECTORY_FILE => self.add_file(rest)?,
                DIRECTORY_MODULE => self.add_module(rest)?,
                DIRECTORY_FUNCTION => self.add_function(rest)?,
                _ => return None,
            };
        }
        Some(())
    }

    fn add_file<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (length, rest) = bytes.split_first_chunk()?;
        let (path, rest) = rest.split_at_checked(u16::from_le_bytes(*length) as usize)?;
        self.files.push(OsString::from_vec(path.to_vec()).into());
        self.first_of_file = self.modules.len();
        Some(rest)
    }

    fn add_module<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (fixed, rest) = bytes.split_at_checked(24)?;
        let id = module_id(fixed)?;
        let first = u32_at(fixed, 16) as usize;
        let (addresses, rest) = rest.split_at_checked((u32_at(fixed, 20) as usize).checked_mul(8)?)?;
        let addresses = addresses.chunks_exact(8).map(|address| u64_at(address, 0));
        if first == 0 {
            let file = self.files.last()?.clone();
            self.modules.push(ModuleEntry { id, file, addresses: addresses.collect() });
        } else {
            let module = self.modules.last_mut().filter(|m| m.id == id && m.addresses.len() == first)?;
            module.addresses.extend(addresses);
        }
        Some(rest)
    }

    fn add_function<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (record, rest) = bytes.split_at_checked(32)?;
        let module = module_id(&record[8..])?;
        let in_file = self.modules.get(self.first_of_file..)?.iter().position(|entry| entry.id == module);
        self.functions.push(FunctionEntry {
            entry: Address(u64_at(record, 0)),
            module,
            instance: self.first_of_file + in_file?,
            function: FunctionId(u32_at(record, 24)),
            type_hash: u32_at(record, 28),
        });
        Some(rest)
    }
}

fn module_id(bytes: &[u8]) -> Option<ModuleId> {
    bytes.first_chunk().copied().map(ModuleId)
}
