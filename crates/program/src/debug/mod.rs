//! What debug information says of a module, as plain data: types of the source, variables and where they live, the
//! blocks in which their names are known; and what global variables hold when the program starts.
//!
//! It is read apart from the code (`read_debug`): a replay does without it, and in C++ it is larger than the code.

mod types;
mod object;
mod place;
mod operation;
mod bits;
mod character;
mod call;

use std::collections::HashSet;
use std::sync::Arc;

use crate::{Constant, FunctionId, InstructionId, Operand, SourceFile};

pub use character::shifted_character;
pub use operation::{as_operand, operation_text};
pub use place::{is_written_call, operand_text, place_text, place_type, value_text, value_type};
pub use types::{Count, Encoding, Member, MemberRole, Qualifier, RecordKind, SourceType, TypeId, TypeShape};

#[derive(Debug, Default)]
pub struct Debug {
    /// Position = [`TypeId`]; the first is `void`.
    pub types: Vec<SourceType>,
    /// By [`FunctionId`]; empty for functions without a body or without debug information.
    pub functions: Vec<FunctionDebug>,
    pub globals: Vec<GlobalVariable>,
    /// What each global value (by its position in `Module::globals`) holds at the start; `None` if it is defined
    /// elsewhere, is another in each thread, or is no variable.
    pub initial: Vec<Option<Arc<Constant>>>,
    /// Positions of global variables that nobody writes, literals among them.
    pub constant_globals: HashSet<u32>,
    /// Of the source, for what only it tells.
    lines: character::Lines,
}

#[derive(Debug, Default)]
pub struct FunctionDebug {
    /// As the source has it; a symbol's name may be mangled.
    pub name: String,
    /// What it takes and returns.
    pub ty: Option<TypeId>,
    /// Position = [`ScopeId`]; the first is the whole function.
    pub scopes: Vec<Scope>,
    /// The innermost block around each instruction, by [`InstructionId`].
    pub scope_of: Vec<Option<ScopeId>>,
    /// Parameters first, then locals, in the order the code declares them.
    pub variables: Vec<Variable>,
}

/// A block of the source, by its position in its function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ScopeId(pub u32);

impl ScopeId {
    pub const FUNCTION: ScopeId = ScopeId(0);
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// `None` for the function itself.
    pub parent: Option<ScopeId>,
}

/// A parameter or local of the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: TypeId,
    pub scope: ScopeId,
    /// Where it is declared; 0 if unknown.
    pub line: u32,
    pub file: Option<Arc<SourceFile>>,
    /// Which parameter it is, from 1.
    pub parameter: Option<u32>,
    /// Made by the compiler: `this`, the length of an array.
    pub is_artificial: bool,
    /// Its address, before `path` is applied: an alloca, or a parameter passed by value in memory.
    pub holder: Operand,
    pub path: Vec<AddressStep>,
}

/// How to come from the address of the holder to that of the variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressStep {
    /// Read the pointer there.
    Follow,
    Add(u64),
}

#[derive(Clone, PartialEq, Debug)]
pub struct GlobalVariable {
    pub name: String,
    /// Namespaces and classes around it, outermost first.
    pub within: Vec<String>,
    pub ty: TypeId,
    /// In `Module::globals`.
    pub position: u32,
    /// A static local: its function and block.
    pub owner: Option<(FunctionId, ScopeId)>,
    /// Where it is declared; 0 if unknown.
    pub line: u32,
    pub file: Option<Arc<SourceFile>>,
    /// From the start of the symbol: parts of an object may be variables of their own.
    pub offset: u64,
}

impl Debug {
    pub fn ty(&self, id: TypeId) -> &SourceType {
        &self.types[id.index()]
    }

    pub fn function(&self, id: FunctionId) -> Option<&FunctionDebug> {
        self.functions.get(id.index()).filter(|f| !f.scopes.is_empty())
    }

    /// What a function returns; `None` for one without debug information.
    pub fn result_type(&self, id: FunctionId) -> Option<TypeId> {
        match self.ty(self.bare(self.functions.get(id.index())?.ty?)).shape {
            TypeShape::Function { result, .. } => Some(result),
            _ => None,
        }
    }
}

impl FunctionDebug {
    /// The blocks around an instruction, innermost first. An instruction that belongs to none is in the function.
    pub fn scopes_around(&self, id: InstructionId) -> impl Iterator<Item = ScopeId> {
        let innermost = self.scope_of.get(id.index()).copied().flatten().unwrap_or(ScopeId::FUNCTION);
        std::iter::successors(Some(innermost), |scope| self.scopes.get(scope.0 as usize)?.parent)
    }

    /// The variable an alloca holds.
    pub fn held_by(&self, holder: &Operand) -> Option<&Variable> {
        self.variables.iter().find(|v| v.holder == *holder)
    }
}

#[cfg(test)]
mod tests;
