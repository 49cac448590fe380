//! Types of the source. A work list rather than recursion: types refer to each other in circles and long chains.

use std::collections::HashMap;

use llvm::{Metadata, MetadataKind};

use super::field;
use crate::debug::{Count, Encoding, Member, MemberRole, Qualifier, RecordKind, SourceType, TypeId, TypeShape};

// Of DWARF.
const ARRAY: u16 = 0x01;
const CLASS: u16 = 0x02;
const ENUMERATION: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER: u16 = 0x0f;
const REFERENCE: u16 = 0x10;
const STRUCTURE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const UNION: u16 = 0x17;
const INHERITANCE: u16 = 0x1c;
const MEMBER_POINTER: u16 = 0x1f;
const CONST: u16 = 0x26;
const VOLATILE: u16 = 0x35;
const RESTRICT: u16 = 0x37;
const RVALUE_REFERENCE: u16 = 0x42;
const TEMPLATE_ALIAS: u16 = 0x43;
const ATOMIC: u16 = 0x47;

// Of LLVM's `DIFlags`.
const DECLARED_ONLY: i32 = 1 << 2;
const VIRTUAL: i32 = 1 << 5;
const STATIC: i32 = 1 << 12;
const BIT_FIELD: i32 = 1 << 19;

// Positions of operands, the same for derived and composite types.
const SCOPE: usize = 1;
const NAME: usize = 2;
const BASE: usize = 3;
const ELEMENTS: usize = 4;
const IDENTIFIER: usize = 7;

/// A type's metadata; of an array of several dimensions, how many of them are left out: `int [2][3]` is one entry, but
/// two arrays.
type Entry<'m> = (Metadata<'m>, usize);

pub(super) struct Types<'m> {
    ids: HashMap<Entry<'m>, TypeId>,
    /// Types that have an id; those behind `read` are not read yet.
    entries: Vec<Entry<'m>>,
    read: Vec<SourceType>,
}

impl<'m> Types<'m> {
    pub fn new() -> Types<'m> {
        Types { ids: HashMap::new(), entries: Vec::new(), read: Vec::new() }
    }

    /// The id of a type; no type is `void`.
    pub fn id(&mut self, ty: Option<Metadata<'m>>) -> TypeId {
        ty.map_or(TypeId::VOID, |ty| self.entry((ty, 0)))
    }

    fn entry(&mut self, entry: Entry<'m>) -> TypeId {
        *self.ids.entry(entry).or_insert_with(|| {
            self.entries.push(entry);
            TypeId(self.entries.len() as u32)
        })
    }

    /// Reads all types that were asked for, and those they are made of.
    pub fn finish(mut self) -> Vec<SourceType> {
        while self.read.len() < self.entries.len() {
            let ty = self.read(self.entries[self.read.len()]);
            self.read.push(ty);
        }
        let void = SourceType { name: String::new(), size: 0, shape: TypeShape::Void };
        std::iter::once(void).chain(self.read).collect()
    }

    fn read(&mut self, (entry, dimension): Entry<'m>) -> SourceType {
        let name = name_and_surroundings(Some(entry)).join("::");
        let size = entry.size_in_bits() / 8;
        let shape = match entry.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => TypeShape::Base(encoding(&entry.print())),
            MetadataKind::LLVMDIDerivedTypeMetadataKind => self.derived(entry),
            MetadataKind::LLVMDICompositeTypeMetadataKind => self.composite(entry, dimension),
            MetadataKind::LLVMDISubroutineTypeMetadataKind => self.function(entry),
            _ => TypeShape::Base(Encoding::Other),
        };
        SourceType { name, size, shape }
    }

    fn derived(&mut self, entry: Metadata<'m>) -> TypeShape {
        let base = self.id(entry.operand(BASE));
        match entry.tag() {
            POINTER => TypeShape::Pointer(base),
            REFERENCE | RVALUE_REFERENCE => TypeShape::Reference(base),
            MEMBER_POINTER => TypeShape::MemberPointer,
            CONST => TypeShape::Qualified(Qualifier::Const, base),
            VOLATILE => TypeShape::Qualified(Qualifier::Volatile, base),
            RESTRICT => TypeShape::Qualified(Qualifier::Restrict, base),
            ATOMIC => TypeShape::Qualified(Qualifier::Atomic, base),
            TYPEDEF | TEMPLATE_ALIAS => TypeShape::Alias(base),
            _ => TypeShape::Base(Encoding::Other),
        }
    }

    fn composite(&mut self, entry: Metadata<'m>, dimension: usize) -> TypeShape {
        let elements: Vec<_> =
            entry.operand(ELEMENTS).map(Metadata::operands).unwrap_or_default().into_iter().flatten().collect();
        let record = |kind, members| TypeShape::Record {
            kind,
            members,
            is_complete: entry.type_flags() & DECLARED_ONLY == 0,
            identifier: entry.operand(IDENTIFIER).and_then(Metadata::string).unwrap_or_default(),
        };
        match entry.tag() {
            STRUCTURE => record(RecordKind::Struct, self.members(&elements)),
            CLASS => record(RecordKind::Class, self.members(&elements)),
            UNION => record(RecordKind::Union, self.members(&elements)),
            ARRAY => {
                let is_last = dimension + 1 >= elements.len();
                TypeShape::Array {
                    element: if is_last { self.id(entry.operand(BASE)) } else { self.entry((entry, dimension + 1)) },
                    count: elements.get(dimension).map_or(Count::Unknown, |range| count(*range)),
                }
            }
            ENUMERATION => TypeShape::Enum {
                underlying: self.id(entry.operand(BASE)),
                names: elements.iter().filter_map(|e| enumerator(*e)).collect(),
            },
            _ => TypeShape::Base(Encoding::Other),
        }
    }

    fn members(&mut self, elements: &[Metadata<'m>]) -> Vec<Member> {
        let mut members = Vec::new();
        for member in elements {
            let flags = member.type_flags();
            let role = match member.tag() {
                MEMBER if flags & STATIC != 0 => continue,
                MEMBER if flags & BIT_FIELD != 0 => MemberRole::BitField,
                MEMBER => MemberRole::Field,
                INHERITANCE if flags & VIRTUAL != 0 => MemberRole::VirtualBase,
                INHERITANCE => MemberRole::Base,
                // Member functions, nested types, static variables.
                _ => continue,
            };
            members.push(Member {
                name: member.type_name(),
                ty: self.id(member.operand(BASE)),
                offset_bits: member.offset_in_bits(),
                size_bits: member.size_in_bits(),
                role,
            });
        }
        members
    }

    fn function(&mut self, entry: Metadata<'m>) -> TypeShape {
        let mut types = entry.operand(3).map(Metadata::operands).unwrap_or_default();
        // An absent type at the end stands for `...`, at the front for `void`.
        let is_variadic = types.len() > 1 && types.last().is_some_and(Option::is_none);
        if is_variadic {
            types.pop();
        }
        let mut ids = types.into_iter().map(|ty| self.id(ty)).collect::<Vec<_>>().into_iter();
        TypeShape::Function { result: ids.next().unwrap_or(TypeId::VOID), parameters: ids.collect(), is_variadic }
    }
}

/// The name of a type, namespace or class with those around it, outermost first; nothing where a name is missing.
pub(super) fn name_and_surroundings(entry: Option<Metadata<'_>>) -> Vec<String> {
    let mut names = Vec::new();
    let mut current = entry;
    while let Some(entry) = current {
        match entry.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind
            | MetadataKind::LLVMDIDerivedTypeMetadataKind
            | MetadataKind::LLVMDICompositeTypeMetadataKind
            | MetadataKind::LLVMDINamespaceMetadataKind => {}
            _ => break,
        }
        match entry.operand(NAME).and_then(Metadata::string) {
            Some(name) => names.push(name),
            // An anonymous namespace adds nothing; an anonymous type has no name at all.
            None if matches!(entry.kind(), MetadataKind::LLVMDINamespaceMetadataKind) => {}
            None => return Vec::new(),
        }
        current = entry.operand(SCOPE);
    }
    names.reverse();
    names
}

fn encoding(text: &str) -> Encoding {
    match field(text, "encoding") {
        Some("DW_ATE_boolean") => Encoding::Boolean,
        Some("DW_ATE_signed") => Encoding::Signed,
        Some("DW_ATE_unsigned") => Encoding::Unsigned,
        Some("DW_ATE_signed_char") => Encoding::SignedChar,
        Some("DW_ATE_unsigned_char") => Encoding::UnsignedChar,
        Some("DW_ATE_float") => Encoding::Float,
        Some("DW_ATE_complex_float") => Encoding::ComplexFloat,
        Some("DW_ATE_UTF") => Encoding::Utf,
        _ => Encoding::Other,
    }
}

fn count(range: Metadata<'_>) -> Count {
    let Some(count) = range.operand(0) else { return Count::Unknown };
    if let Some(value) = count.value() {
        // -1 is how `int a[]` was written once.
        let n = value.integer_words().first().copied().unwrap_or(u64::MAX);
        return if n == u64::MAX { Count::Unknown } else { Count::Known(n) };
    }
    match count.kind() {
        MetadataKind::LLVMDILocalVariableMetadataKind => {
            Count::Variable(count.operand(1).and_then(Metadata::string).unwrap_or_default())
        }
        _ => Count::Unknown,
    }
}

fn enumerator(entry: Metadata<'_>) -> Option<(String, i128)> {
    let value = field(&entry.print(), "value")?.parse().ok()?;
    Some((entry.operand(0).and_then(Metadata::string)?, value))
}
