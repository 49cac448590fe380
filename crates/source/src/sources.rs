//! The debug information of all modules of a run, and what only the whole program can answer: the definition of a
//! type that a module merely declares, the symbol at an address, the global of a name.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use crate::lines::declared_line;
use abi::FunctionId;
use findings::Line;
use program::Linkage;
use program::debug::{Debug, FunctionDebug, GlobalVariable, TypeId, TypeShape};
use program::library::in_words;
use replay::{Image, ReplayError};

/// A type of one of the modules.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TypeRef {
    /// Position in the image's list.
    pub module: usize,
    pub ty: TypeId,
}

pub struct Sources<'i, 'r> {
    pub image: &'i Image<'r>,
    debugs: Vec<Arc<Debug>>,
    /// Complete records by C++ identifier, or else by name.
    complete: HashMap<String, TypeRef>,
    symbols: BTreeMap<u64, Symbol>,
    /// Text literals by their addresses, read when first asked for.
    literals: OnceLock<BTreeMap<u64, Vec<u8>>>,
}

/// Longer literals are cut where they are shown.
const SHOWN: usize = 40;

struct Symbol {
    name: String,
    /// One past the last address.
    end: u64,
    ty: Option<TypeRef>,
    declared: Option<Line>,
}

/// What stands at an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolAt<'s> {
    pub name: &'s str,
    /// Bytes from the symbol's start.
    pub offset: u64,
    pub ty: Option<TypeRef>,
    /// Where a variable is declared.
    pub declared: Option<&'s Line>,
}

impl<'i, 'r> Sources<'i, 'r> {
    pub fn new(image: &'i Image<'r>) -> Result<Sources<'i, 'r>, ReplayError> {
        let mut debugs = Vec::new();
        for entry in image.recording.modules() {
            let record = image.recording.saved_ir(entry.id).ok_or(ReplayError::MissingModule { module: entry.id })?;
            let debug = program::read_debug_shared(record)
                .map_err(|e| ReplayError::Unreadable { module: entry.id, reason: e.to_string() })?;
            debugs.push(debug);
        }
        let complete = complete_types(&debugs);
        let symbols = symbols(image, &debugs)?;
        Ok(Sources { image, debugs, complete, symbols, literals: OnceLock::new() })
    }

    /// Addresses of the other variables that are declared on the same line as the one at this address, or so many lines away
    /// from it, each with one past its last.
    pub fn declared_beside(&self, address: u64, lines: u32) -> Vec<(u64, u64)> {
        let Some(own) = self.symbol(address) else { return Vec::new() };
        let Some(Line { file, line }) = own.declared else { return Vec::new() };
        let is_beside = |other: &Line| other.file == *file && other.line.abs_diff(*line) <= lines;
        let begin = address - own.offset;
        let others = self.symbols.iter().filter(|(at, _)| **at != begin);
        let beside = others.filter(|(_, symbol)| symbol.declared.as_ref().is_some_and(is_beside));
        beside.map(|(at, symbol)| (*at, symbol.end)).collect()
    }

    pub fn debug(&self, module: usize) -> &Debug {
        &self.debugs[module]
    }

    pub fn module_count(&self) -> usize {
        self.debugs.len()
    }

    pub fn function(&self, module: usize, function: FunctionId) -> Option<&FunctionDebug> {
        self.debugs.get(module)?.function(function)
    }

    /// Looks through names and qualifiers, and from a mere declaration to the definition if there is one.
    pub fn bare(&self, ty: TypeRef) -> TypeRef {
        let debug = self.debug(ty.module);
        let bare = TypeRef { ty: debug.bare(ty.ty), ..ty };
        let entry = debug.ty(bare.ty);
        match &entry.shape {
            TypeShape::Record { is_complete: false, identifier, .. } => {
                let key = if identifier.is_empty() { &entry.name } else { identifier };
                self.complete.get(key).copied().unwrap_or(bare)
            }
            _ => bare,
        }
    }

    /// What a pointer of this type points to; `None` if it is of another type.
    pub fn pointee(&self, ty: TypeRef) -> Option<TypeRef> {
        let bare = self.bare(ty);
        match self.shape(bare) {
            TypeShape::Pointer(to) | TypeShape::Reference(to) => Some(TypeRef { module: bare.module, ty: *to }),
            _ => None,
        }
    }

    /// Of a type that [`Sources::bare`] gave.
    pub fn shape(&self, ty: TypeRef) -> &TypeShape {
        &self.debug(ty.module).ty(ty.ty).shape
    }

    pub fn size(&self, ty: TypeRef) -> Option<u64> {
        let bare = self.bare(ty);
        self.debug(bare.module).size(bare.ty)
    }

    pub fn type_text(&self, ty: TypeRef) -> String {
        self.debug(ty.module).type_text(ty.ty)
    }

    /// The function or variable an address lies in.
    pub fn symbol(&self, address: u64) -> Option<SymbolAt<'_>> {
        let (start, symbol) = self.symbols.range(..=address).next_back()?;
        let Symbol { name, end, ty, declared } = symbol;
        (address < *end).then(|| SymbolAt { name, offset: address - start, ty: *ty, declared: declared.as_ref() })
    }

    /// `counter`, `table[3]`, or `record+8`.
    pub fn symbol_text(&self, symbol: &SymbolAt<'_>) -> String {
        let SymbolAt { name, offset, ty, .. } = *symbol;
        let name = in_words(name);
        if offset == 0 {
            return name.into_owned();
        }
        let element = ty.map(|ty| self.bare(ty)).and_then(|bare| match self.shape(bare) {
            TypeShape::Array { element, .. } => self.size(TypeRef { module: bare.module, ty: *element }),
            _ => None,
        });
        match element {
            Some(size) if size > 0 && offset % size == 0 => format!("{name}[{}]", offset / size),
            _ => format!("{name}+{offset}"),
        }
    }

    /// The text of the literal that an address lies in, from there on, as C writes it.
    pub fn literal(&self, address: u64) -> Option<String> {
        let text = self.literal_bytes(address)?;
        let is_text = text.iter().all(|byte| byte.is_ascii_graphic() || b" \n\t\r".contains(byte));
        let (shown, end) = if text.len() > SHOWN { (&text[..SHOWN], "\"...") } else { (text, "\"") };
        is_text.then(|| format!("\"{}{end}", shown.escape_ascii()))
    }

    /// The same as it is, whole.
    pub fn literal_text(&self, address: u64) -> Option<String> {
        String::from_utf8(self.literal_bytes(address)?.to_vec()).ok()
    }

    fn literal_bytes(&self, address: u64) -> Option<&[u8]> {
        let literals = self.literals.get_or_init(|| {
            let mut literals = BTreeMap::new();
            for (position, debug) in self.debugs.iter().enumerate() {
                let Ok(module) = self.image.module(position) else { continue };
                let named = module.globals.iter().zip(self.image.addresses(position)).zip(&debug.initial);
                for ((global, &address), initial) in named {
                    if let Some(constant) = initial.as_ref().filter(|_| global.name.starts_with(".str") && address != 0)
                    {
                        literals.insert(address, self.image.constant_bytes(position, constant));
                    }
                }
            }
            literals
        });
        let (first, bytes) = literals.range(..=address).next_back()?;
        let rest = bytes.get((address - first) as usize..).filter(|rest| !rest.is_empty())?;
        rest.split(|byte| *byte == 0).next()
    }

    /// Global variables that `name`, with or without namespaces, may mean in a module; the module's own first. Static
    /// locals are not among them.
    pub fn globals(&self, module: usize, name: &str) -> Option<(usize, &GlobalVariable)> {
        let parts: Vec<&str> = name.split("::").filter(|part| !part.is_empty()).collect();
        let (last, around) = parts.split_last()?;
        let order = std::iter::once(module).chain((0..self.debugs.len()).filter(|m| *m != module));
        order.into_iter().find_map(|m| {
            let fits = |g: &&GlobalVariable| {
                g.owner.is_none()
                    && g.name == *last
                    && g.within.ends_with(&around.iter().map(|s| s.to_string()).collect::<Vec<_>>())
            };
            Some((m, self.debugs[m].globals.iter().find(fits)?))
        })
    }

    /// Where a global variable lies in this run; `None` if it is another in each thread.
    pub fn global_address(&self, module: usize, global: &GlobalVariable) -> Option<u64> {
        let address = *self.image.addresses(module).get(global.position as usize)?;
        (address != 0).then(|| address.wrapping_add(global.offset))
    }
}

fn complete_types(debugs: &[Arc<Debug>]) -> HashMap<String, TypeRef> {
    let mut complete = HashMap::new();
    for (module, debug) in debugs.iter().enumerate() {
        for (position, entry) in debug.types.iter().enumerate() {
            if let TypeShape::Record { is_complete: true, identifier, .. } = &entry.shape {
                let key = if identifier.is_empty() { &entry.name } else { identifier };
                if !key.is_empty() {
                    complete.entry(key.clone()).or_insert(TypeRef { module, ty: TypeId(position as u32) });
                }
            }
        }
    }
    complete
}

fn symbols(image: &Image<'_>, debugs: &[Arc<Debug>]) -> Result<BTreeMap<u64, Symbol>, ReplayError> {
    let mut symbols = BTreeMap::new();
    for (position, debug) in debugs.iter().enumerate() {
        let module = image.module(position)?;
        let named: HashMap<u32, &GlobalVariable> =
            debug.globals.iter().filter(|g| g.offset == 0).map(|g| (g.position, g)).collect();
        for ((index, global), &address) in module.globals.iter().enumerate().zip(image.addresses(position)) {
            if address == 0 {
                continue;
            }
            let symbol = match module.functions.get(index) {
                Some(function) => {
                    let name = debug.functions.get(index).filter(|f| !f.name.is_empty()).map(|f| &f.name);
                    // The body of an outside function ends we do not know where.
                    let known = function.linkage != Linkage::Outside;
                    let name = name.filter(|_| known).unwrap_or(&function.name).clone();
                    Symbol { name, end: address.saturating_add(1), ty: None, declared: None }
                }
                None => {
                    let variable = named.get(&(index as u32));
                    // Literals and the like have names nobody wrote.
                    if variable.is_none() && global.name.starts_with(['.', '_']) {
                        continue;
                    }
                    Symbol {
                        name: variable.map_or_else(|| global.name.clone(), |v| v.name.clone()),
                        end: address.saturating_add(global.size.max(1)),
                        ty: variable.map(|v| TypeRef { module: position, ty: v.ty }),
                        declared: variable.and_then(|v| declared_line(v.file.as_deref(), v.line)),
                    }
                }
            };
            let better = symbols.get(&address).is_none_or(|old: &Symbol| old.ty.is_none() && symbol.ty.is_some());
            if better {
                symbols.insert(address, symbol);
            }
        }
    }
    Ok(symbols)
}
