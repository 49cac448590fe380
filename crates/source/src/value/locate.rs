//! Finds the object an expression names in a state.
//!
//! Types are checked on the way whether or not the bytes are known, so that an expression can be judged once, before
//! anything is replayed: in a state of which nothing is known every object is unknown, but has its type.

use std::collections::HashMap;

use abi::{FunctionId, InstructionId};
use program::debug::{AddressStep, GlobalVariable, MemberRole, ScopeId, TypeShape, Variable};

use super::Expression;
use crate::sources::{Sources, TypeRef};
use crate::state::{Byte, Bytes, Frame, Home};

/// What an expression is looked up in.
pub struct Scene<'a> {
    pub sources: &'a Sources<'a, 'a>,
    pub memory: &'a dyn Bytes,
    pub frame: &'a Frame,
    pub visible: &'a Visible,
    /// Addresses of thread-local variables, by module and position of the global.
    pub thread_locals: &'a HashMap<(usize, u32), u64>,
}

/// The blocks whose names can be used at some instructions of a function.
#[derive(Clone, Debug)]
pub struct Visible {
    pub module: usize,
    pub function: FunctionId,
    /// With how deep each is nested.
    scopes: Vec<(ScopeId, u32)>,
    /// Names declared after this line are not known yet.
    line: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Located {
    pub ty: TypeRef,
    pub content: Content,
    /// A bit-field: first bit and width, from the start of the content.
    pub bits: Option<(u64, u64)>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Content {
    Unknown,
    Memory(u64),
    /// Not in memory: a register-resident local, or a value that was computed.
    Held(Vec<u8>),
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LocateError {
    #[error("there is no variable `{name}` here{}", offer(near))]
    NoVariable { name: String, near: Vec<String> },
    #[error("`{ty}` has no member `{name}`{}", offer(near))]
    NoMember { ty: String, name: String, near: Vec<String> },
    #[error("`{ty}` has no members")]
    NoRecord { ty: String },
    #[error("`{ty}` is not a pointer")]
    NoPointer { ty: String },
    #[error("`{ty}` is neither an array nor a pointer")]
    NoArray { ty: String },
    #[error("`{ty}` is not an integer, so it cannot be an index")]
    NoIndex { ty: String },
    #[error("the size of `{ty}` is unknown")]
    NoSize { ty: String },
    #[error("a number is not a variable")]
    Number,
}

fn offer(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!("; there is {}", names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
    }
}

enum Found<'a> {
    Local(&'a Variable),
    Global(usize, &'a GlobalVariable),
}

impl Visible {
    /// What can be named at any of these instructions of a function.
    pub fn at(
        sources: &Sources<'_, '_>,
        module: usize,
        function: FunctionId,
        sites: impl IntoIterator<Item = InstructionId>,
        line: u32,
    ) -> Visible {
        let mut scopes: Vec<(ScopeId, u32)> = Vec::new();
        if let Some(debug) = sources.function(module, function) {
            for site in sites {
                let around: Vec<_> = debug.scopes_around(site).collect();
                for (scope, depth) in around.iter().rev().zip(0..) {
                    if !scopes.iter().any(|(known, _)| known == scope) {
                        scopes.push((*scope, depth));
                    }
                }
            }
        }
        Visible { module, function, scopes, line }
    }

    fn depth(&self, scope: ScopeId) -> Option<u32> {
        self.scopes.iter().find(|(known, _)| *known == scope).map(|(_, depth)| *depth)
    }

    /// Locals and static locals, each with the depth of its block; a name may occur several times.
    fn named<'a>(&self, sources: &'a Sources<'_, '_>) -> Vec<(u32, u32, &'a str, Found<'a>)> {
        let locals = sources.function(self.module, self.function).into_iter().flat_map(|f| &f.variables);
        let locals = locals.filter_map(|v| Some((self.depth(v.scope)?, v.line, &*v.name, Found::Local(v))));
        let statics = sources.debug(self.module).globals.iter().filter_map(|g| {
            let (_, scope) = g.owner.filter(|(function, _)| *function == self.function)?;
            Some((self.depth(scope)?, g.line, &*g.name, Found::Global(self.module, g)))
        });
        let mut all: Vec<_> = locals.chain(statics).filter(|(_, line, ..)| *line <= self.line).collect();
        // The innermost first; in one block the one declared last.
        all.sort_by_key(|(depth, line, ..)| std::cmp::Reverse((*depth, *line)));
        all
    }

    fn find<'a>(&self, sources: &'a Sources<'_, '_>, name: &str) -> Option<Found<'a>> {
        let local = self.named(sources).into_iter().find(|(_, _, known, _)| *known == name).map(|found| found.3);
        local.or_else(|| sources.globals(self.module, name).map(|(module, global)| Found::Global(module, global)))
    }

    /// Names of the parameters and locals in scope, innermost first, shadowed ones left out; those the compiler made
    /// are not among them, save `this`.
    pub fn names(&self, sources: &Sources<'_, '_>) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (_, _, name, found) in self.named(sources) {
            let is_made = matches!(found, Found::Local(v) if v.is_artificial) && name != "this";
            if !is_made && !name.is_empty() && !names.iter().any(|known| known == name) {
                names.push(name.into());
            }
        }
        names
    }
}

impl<'a> Scene<'a> {
    pub fn locate(&self, expression: &Expression) -> Result<Located, LocateError> {
        match expression {
            Expression::Name(name) => self.name(name),
            Expression::Number(_) => Err(LocateError::Number),
            Expression::Member(of, name) => {
                let object = self.locate(of)?;
                // Who writes `p.x` for a pointer means `p->x`.
                let is_pointer = matches!(self.shape(object.ty), TypeShape::Pointer(_));
                let record = if is_pointer { self.follow(&object)? } else { object };
                self.member(&record, name)
            }
            Expression::Arrow(of, name) => {
                let pointer = self.locate(of)?;
                self.member(&self.follow(&pointer)?, name)
            }
            Expression::Follow(of) => self.follow(&self.locate(of)?),
            Expression::Index(of, index) => {
                let array = self.locate(of)?;
                let index = self.index(index)?;
                self.element(&array, index)
            }
        }
    }

    fn shape(&self, ty: TypeRef) -> &TypeShape {
        self.sources.shape(self.sources.bare(ty))
    }

    fn text(&self, ty: TypeRef) -> String {
        self.sources.type_text(ty)
    }

    fn name(&self, name: &str) -> Result<Located, LocateError> {
        if let Some(found) = self.visible.find(self.sources, name) {
            return Ok(self.past_reference(self.found(&found)));
        }
        // A member of the object a member function works on.
        if let Some(this) = self.visible.find(self.sources, "this") {
            let object = self.follow(&self.found(&this))?;
            if let Ok(member) = self.member(&object, name) {
                return Ok(member);
            }
        }
        Err(LocateError::NoVariable { name: name.into(), near: self.near(name) })
    }

    fn near(&self, name: &str) -> Vec<String> {
        let globals = (0..self.sources.module_count()).flat_map(|m| &self.sources.debug(m).globals);
        let globals = globals.filter(|g| g.owner.is_none()).map(|g| g.name.clone());
        nearest(name, self.visible.names(self.sources).into_iter().chain(globals))
    }

    /// The object a variable of the source is.
    fn found(&self, found: &Found<'_>) -> Located {
        match found {
            Found::Local(variable) => {
                let ty = TypeRef { module: self.visible.module, ty: variable.ty };
                Located { ty, content: self.local(variable), bits: None }
            }
            Found::Global(module, global) => self.global(*module, global),
        }
    }

    pub fn global(&self, module: usize, global: &GlobalVariable) -> Located {
        let in_thread = || Some(self.thread_locals.get(&(module, global.position))?.wrapping_add(global.offset));
        let address = self.sources.global_address(module, global).or_else(in_thread);
        let ty = TypeRef { module, ty: global.ty };
        Located { ty, content: address.map_or(Content::Unknown, Content::Memory), bits: None }
    }

    fn local(&self, variable: &Variable) -> Content {
        let mut content = match self.frame.home(&variable.holder) {
            Home::Unset => Content::Unknown,
            Home::Address(address) => Content::Memory(address),
            Home::Register(words) => Content::Held(words.iter().flat_map(|w| w.to_le_bytes()).collect()),
        };
        for step in &variable.path {
            content = match step {
                AddressStep::Follow => self.pointer(&content).map_or(Content::Unknown, Content::Memory),
                AddressStep::Add(bytes) => at_offset(content, *bytes),
            };
        }
        content
    }

    /// The pointer an object holds.
    fn pointer(&self, content: &Content) -> Option<u64> {
        let bytes = match content {
            Content::Unknown => return None,
            Content::Memory(address) => {
                (0..8).map(|i| self.memory.byte(address.wrapping_add(i)).value()).collect::<Option<Vec<_>>>()?
            }
            Content::Held(bytes) => bytes.clone(),
        };
        Some(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?))
    }

    /// A reference is what it refers to.
    fn past_reference(&self, object: Located) -> Located {
        let bare = self.sources.bare(object.ty);
        match self.sources.shape(bare) {
            TypeShape::Reference(to) => {
                let content = self.pointer(&object.content).map_or(Content::Unknown, Content::Memory);
                Located { ty: TypeRef { module: bare.module, ty: *to }, content, bits: None }
            }
            _ => object,
        }
    }

    fn follow(&self, object: &Located) -> Result<Located, LocateError> {
        let bare = self.sources.bare(object.ty);
        match self.sources.shape(bare) {
            TypeShape::Pointer(to) => {
                let content = self.pointer(&object.content).map_or(Content::Unknown, Content::Memory);
                Ok(Located { ty: TypeRef { module: bare.module, ty: *to }, content, bits: None })
            }
            TypeShape::Array { element, .. } => {
                Ok(Located { ty: TypeRef { module: bare.module, ty: *element }, ..object.clone() })
            }
            _ => Err(LocateError::NoPointer { ty: self.text(object.ty) }),
        }
    }

    fn member(&self, object: &Located, name: &str) -> Result<Located, LocateError> {
        if !matches!(self.shape(object.ty), TypeShape::Record { .. }) {
            return Err(LocateError::NoRecord { ty: self.text(object.ty) });
        }
        match self.member_within(object, name, MOST_NESTED) {
            Some(member) => Ok(self.past_reference(member)),
            None => {
                let mut names = Vec::new();
                self.member_names(object.ty, &mut names, MOST_NESTED);
                Err(LocateError::NoMember {
                    ty: self.text(object.ty),
                    name: name.into(),
                    near: nearest(name, names.into_iter()),
                })
            }
        }
    }

    /// Looks also into base classes and anonymous members.
    fn member_within(&self, object: &Located, name: &str, depth: u32) -> Option<Located> {
        let bare = self.sources.bare(object.ty);
        let TypeShape::Record { members, .. } = self.sources.shape(bare) else { return None };
        let part = |member: &program::debug::Member| Located {
            ty: TypeRef { module: bare.module, ty: member.ty },
            content: at_offset(object.content.clone(), member.offset_bits / 8),
            bits: (member.role == MemberRole::BitField).then_some((member.offset_bits % 8, member.size_bits)),
        };
        if let Some(member) = members.iter().find(|m| m.name == name && !is_base(m.role)) {
            return Some(part(member));
        }
        let unnamed = members.iter().filter(|m| m.role == MemberRole::Base || m.name.is_empty());
        unnamed.take_while(|_| depth > 0).find_map(|m| self.member_within(&part(m), name, depth - 1))
    }

    fn member_names(&self, ty: TypeRef, names: &mut Vec<String>, depth: u32) {
        let bare = self.sources.bare(ty);
        let TypeShape::Record { members, .. } = self.sources.shape(bare) else { return };
        for member in members {
            if is_base(member.role) || member.name.is_empty() {
                if depth > 0 {
                    self.member_names(TypeRef { module: bare.module, ty: member.ty }, names, depth - 1);
                }
            } else {
                names.push(member.name.clone());
            }
        }
    }

    /// `None`: not known.
    fn index(&self, expression: &Expression) -> Result<Option<i64>, LocateError> {
        if let Expression::Number(number) = expression {
            return Ok(Some(*number));
        }
        let object = self.locate(expression)?;
        let value = super::read(self, &object, super::Extent::SCALAR);
        match value.shape {
            super::Shape::Integer { value } | super::Shape::Enumerator { value, .. } => Ok(Some(value as i64)),
            super::Shape::Character { code } => Ok(Some(code.into())),
            super::Shape::Boolean { value } => Ok(Some(value.into())),
            super::Shape::Unknown if self.is_integer(object.ty) => Ok(None),
            _ => Err(LocateError::NoIndex { ty: self.text(object.ty) }),
        }
    }

    fn is_integer(&self, ty: TypeRef) -> bool {
        use program::debug::Encoding::{Boolean, Signed, SignedChar, Unsigned, UnsignedChar, Utf};
        match self.shape(ty) {
            TypeShape::Base(encoding) => {
                matches!(encoding, Boolean | Signed | SignedChar | Unsigned | UnsignedChar | Utf)
            }
            TypeShape::Enum { .. } => true,
            _ => false,
        }
    }

    fn element(&self, array: &Located, index: Option<i64>) -> Result<Located, LocateError> {
        let bare = self.sources.bare(array.ty);
        if !matches!(self.sources.shape(bare), TypeShape::Array { .. } | TypeShape::Pointer(_)) {
            return Err(LocateError::NoArray { ty: self.text(array.ty) });
        }
        let first = self.follow(array)?;
        let size = self.stride(first.ty).ok_or_else(|| LocateError::NoSize { ty: self.text(first.ty) })?;
        let content = match (first.content, index, size) {
            (content, Some(0), _) => content,
            (content, Some(index), Some(size)) => at_offset(content, (index as u64).wrapping_mul(size)),
            _ => Content::Unknown,
        };
        Ok(self.past_reference(Located { ty: first.ty, content, bits: None }))
    }

    /// The size of a type; `Some(None)` if only the run knows it and it is not known now.
    fn stride(&self, ty: TypeRef) -> Option<Option<u64>> {
        if let Some(size) = self.sources.size(ty) {
            return Some(Some(size));
        }
        let bare = self.sources.bare(ty);
        match self.sources.shape(bare) {
            TypeShape::Array { element, .. } => {
                let element = self.stride(TypeRef { module: bare.module, ty: *element })?;
                Some(self.count(ty).and_then(|count| element?.checked_mul(count)))
            }
            _ => None,
        }
    }

    /// How many elements an array has now.
    pub fn count(&self, array: TypeRef) -> Option<u64> {
        use program::debug::Count;
        match self.shape(array) {
            TypeShape::Array { count: Count::Known(count), .. } => Some(*count),
            TypeShape::Array { count: Count::Variable(name), .. } => {
                let found = self.visible.find(self.sources, name)?;
                let value = super::read(self, &self.found(&found), super::Extent::SCALAR);
                match value.shape {
                    super::Shape::Integer { value } => u64::try_from(value).ok(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The bytes of an object, as far as they are known.
    pub(super) fn bytes(&self, content: &Content, length: u64) -> Vec<Byte> {
        match content {
            Content::Unknown => vec![Byte::Unknown; length as usize],
            Content::Memory(address) => (0..length).map(|i| self.memory.byte(address.wrapping_add(i))).collect(),
            Content::Held(bytes) => {
                (0..length as usize).map(|i| bytes.get(i).map_or(Byte::Unknown, |b| Byte::Known(*b))).collect()
            }
        }
    }
}

/// Base classes and anonymous members nested deeper are not looked into.
const MOST_NESTED: u32 = 16;

fn is_base(role: MemberRole) -> bool {
    matches!(role, MemberRole::Base | MemberRole::VirtualBase)
}

pub(super) fn at_offset(content: Content, bytes: u64) -> Content {
    match content {
        Content::Unknown => Content::Unknown,
        Content::Memory(address) => Content::Memory(address.wrapping_add(bytes)),
        Content::Held(held) => Content::Held(held.get(bytes as usize..).unwrap_or_default().to_vec()),
    }
}

/// The names most like the wanted one, the best first.
pub fn nearest(wanted: &str, names: impl Iterator<Item = String>) -> Vec<String> {
    const MOST: usize = 3;
    const LIKE_ENOUGH: f64 = 0.7;
    let mut rated: Vec<(f64, String)> = names
        .map(|name| (strsim::jaro_winkler(&wanted.to_lowercase(), &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= LIKE_ENOUGH)
        .collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    rated.dedup_by(|a, b| a.1 == b.1);
    rated.into_iter().map(|(_, name)| name).take(MOST).collect()
}
