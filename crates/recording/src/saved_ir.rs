//! The IR an instrumented binary carries, found in its ELF file.

use std::io;
use std::path::{Path, PathBuf};

use abi::{IR_SECTION, IrHeader, MODULES_SECTION, ModuleId};
use memmap2::Mmap;
use object::{Object, ObjectSection};

#[derive(Debug, thiserror::Error)]
pub enum BinaryError {
    #[error("cannot read {}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error(
        "{} is a script, not a program; record the program that it starts (libtool usually puts that in .libs/)",
        path.display()
    )]
    Script { path: PathBuf },
    #[error("{} is not an x86-64 ELF program, so it cannot be recorded", path.display())]
    NotAProgram { path: PathBuf },
    #[error("{} was not compiled by faultline-cc; build it with CC=faultline-cc", path.display())]
    NotInstrumented { path: PathBuf },
    #[error(
        "{} was compiled by another version of faultline-cc ({found} instead of {}); rebuild it",
        path.display(), abi::VERSION
    )]
    OtherVersion { path: PathBuf, found: u32 },
    #[error("the saved IR in {} is damaged; rebuild the program", path.display())]
    Damaged { path: PathBuf },
}

/// One module's record: its id and the bytes to copy, header included and padding not.
pub struct SavedIr<'a> {
    pub id: ModuleId,
    pub record: &'a [u8],
}

/// A mapped ELF file.
pub struct Binary {
    path: PathBuf,
    map: Mmap,
}

impl Binary {
    pub fn open(path: &Path) -> Result<Binary, BinaryError> {
        let path = path.to_path_buf();
        // SAFETY: bytes are read as they are at the moment, and believed only after they were checked. Who makes the file
        // shorter meanwhile ends this process; nobody promised that it could be read.
        let mapped = std::fs::File::open(&path).and_then(|file| unsafe { Mmap::map(&file) });
        match mapped {
            Ok(map) => Ok(Binary { path, map }),
            Err(error) => Err(BinaryError::Io { path, error }),
        }
    }

    /// Whether it is a program that may load shared libraries.
    pub fn loads_libraries(&self) -> bool {
        object::File::parse(&*self.map).is_ok_and(|elf| elf.section_by_name(".dynamic").is_some())
    }

    /// The saved IR of every module.
    pub fn saved_ir(&self) -> Result<Vec<SavedIr<'_>>, BinaryError> {
        let path = || self.path.clone();
        if self.map.starts_with(b"#!") {
            return Err(BinaryError::Script { path: path() });
        }
        let elf = object::File::parse(&*self.map).map_err(|_| BinaryError::NotAProgram { path: path() })?;
        if elf.architecture() != object::Architecture::X86_64 {
            return Err(BinaryError::NotAProgram { path: path() });
        }
        let section = elf.section_by_name(IR_SECTION);
        let (Some(section), Some(_)) = (section, elf.section_by_name(MODULES_SECTION)) else {
            return Err(BinaryError::NotInstrumented { path: path() });
        };
        let bytes = section.data().map_err(|_| BinaryError::Damaged { path: path() })?;
        let mut modules = Vec::new();
        let mut rest = skip_padding(bytes);
        while !rest.is_empty() {
            let header = IrHeader::decode(rest).ok_or_else(|| BinaryError::Damaged { path: path() })?;
            if header.version != abi::VERSION {
                return Err(BinaryError::OtherVersion { path: path(), found: header.version });
            }
            let record = record_length(&header).and_then(|length| rest.split_at_checked(length));
            let (record, after) = record.ok_or_else(|| BinaryError::Damaged { path: path() })?;
            modules.push(SavedIr { id: ModuleId(header.module), record });
            rest = skip_padding(after);
        }
        Ok(modules)
    }
}

/// Bytes of a record: header and compressed bitcode.
pub(crate) fn record_length(header: &IrHeader) -> Option<usize> {
    usize::try_from(header.stored_length).ok()?.checked_add(IrHeader::SIZE)
}

/// Records are padded with zeros, and linkers pad between the sections they join; a record never begins with zero.
fn skip_padding(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&byte| byte != 0).unwrap_or(bytes.len());
    &bytes[start..]
}
