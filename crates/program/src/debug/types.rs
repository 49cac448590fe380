//! Types as the source has them.

use std::fmt::{self, Display, Formatter};

use super::Debug;

/// Position of a type in its module.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

impl TypeId {
    pub const VOID: TypeId = TypeId(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct SourceType {
    /// With namespaces; empty if the type has none of its own.
    pub name: String,
    /// In bytes; 0 where debug information has none. See [`Debug::size`].
    pub size: u64,
    pub shape: TypeShape,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TypeShape {
    Void,
    Base(Encoding),
    Pointer(TypeId),
    /// `&` and `&&` of C++.
    Reference(TypeId),
    /// `int S::*`: an offset or a function, not an address.
    MemberPointer,
    Alias(TypeId),
    Qualified(Qualifier, TypeId),
    Record {
        kind: RecordKind,
        members: Vec<Member>,
        /// False: only declared in this module.
        is_complete: bool,
        /// The same for the same C++ type in every module; may be empty.
        identifier: String,
    },
    Array {
        element: TypeId,
        count: Count,
    },
    Enum {
        underlying: TypeId,
        names: Vec<(String, i128)>,
    },
    Function {
        result: TypeId,
        parameters: Vec<TypeId>,
        is_variadic: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    Boolean,
    Signed,
    Unsigned,
    SignedChar,
    UnsignedChar,
    Float,
    ComplexFloat,
    /// `char8_t`, `char16_t`, `char32_t`.
    Utf,
    /// Something we do not show other than by its bytes.
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordKind {
    Struct,
    Class,
    Union,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// Empty for a base class, and for an anonymous struct or union.
    pub name: String,
    pub ty: TypeId,
    pub offset_bits: u64,
    /// Of a bit-field its width, otherwise the type's size.
    pub size_bits: u64,
    pub role: MemberRole,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemberRole {
    Field,
    BitField,
    Base,
    /// Where a virtual base lies only the object itself knows.
    VirtualBase,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    Known(u64),
    /// The value of this (artificial) variable: a variable-length array.
    Variable(String),
    /// `int a[]`.
    Unknown,
}

impl Debug {
    /// Looks through names and qualifiers.
    pub fn bare(&self, mut id: TypeId) -> TypeId {
        // A circle of aliases cannot be written in C, but metadata could hold one.
        for _ in 0..self.types.len() {
            match self.ty(id).shape {
                TypeShape::Alias(to) | TypeShape::Qualified(_, to) => id = to,
                _ => break,
            }
        }
        id
    }

    /// Whether this is plain `char`: its signed and unsigned relatives are small numbers to most programs.
    pub fn is_char(&self, id: TypeId) -> bool {
        self.ty(self.bare(id)).name == "char"
    }

    /// Bytes an object of the type takes; `None` for a variable-length or incomplete one.
    pub fn size(&self, id: TypeId) -> Option<u64> {
        let bare = self.ty(self.bare(id));
        match &bare.shape {
            TypeShape::Void | TypeShape::Function { .. } => None,
            TypeShape::Reference(_) => Some(8),
            TypeShape::Record { is_complete: false, .. } => None,
            TypeShape::Array { element, count: Count::Known(n) } => self.size(*element)?.checked_mul(*n),
            TypeShape::Array { count: Count::Variable(_) | Count::Unknown, .. } => None,
            _ => Some(bare.size),
        }
    }

    /// What an array of arrays has in the end.
    fn elements(&self, mut array: TypeId) -> TypeId {
        while let TypeShape::Array { element, .. } = self.ty(array).shape {
            array = element;
        }
        array
    }

    /// The type as C writes it: `struct list *`, `const char [10]`.
    pub fn type_text(&self, id: TypeId) -> String {
        TypeText(self, id, 16).to_string()
    }
}

/// A type to be displayed; the number bounds the nesting.
struct TypeText<'a>(&'a Debug, TypeId, u32);

impl Display for TypeText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let TypeText(debug, id, depth) = *self;
        if depth == 0 {
            return f.write_str("...");
        }
        let of = |id| TypeText(debug, id, depth - 1);
        let ty = debug.ty(id);
        match &ty.shape {
            TypeShape::Void => f.write_str("void"),
            TypeShape::Base(_) | TypeShape::Alias(_) => f.write_str(&ty.name),
            TypeShape::Pointer(to) => match &debug.ty(*to).shape {
                TypeShape::Function { result, parameters, is_variadic } => {
                    write!(f, "{} (*)(", of(*result))?;
                    parameters_text(f, parameters, *is_variadic, &of)
                }
                TypeShape::Array { .. } => {
                    write!(f, "{} (*)", of(debug.elements(*to)))?;
                    counts_text(f, debug, *to)
                }
                TypeShape::Pointer(_) => write!(f, "{}*", of(*to)),
                _ => write!(f, "{} *", of(*to)),
            },
            TypeShape::Reference(to) => write!(f, "{} &", of(*to)),
            TypeShape::MemberPointer => write!(f, "{}::*", ty.name),
            TypeShape::Qualified(qualifier, to) => {
                let word = match qualifier {
                    Qualifier::Const => "const",
                    Qualifier::Volatile => "volatile",
                    Qualifier::Restrict => "restrict",
                    Qualifier::Atomic => "_Atomic",
                };
                match &debug.ty(*to).shape {
                    TypeShape::Pointer(_) | TypeShape::Reference(_) => write!(f, "{}{word}", of(*to)),
                    _ => write!(f, "{word} {}", of(*to)),
                }
            }
            TypeShape::Record { kind, .. } => {
                let word = match kind {
                    RecordKind::Struct => "struct",
                    RecordKind::Class => "class",
                    RecordKind::Union => "union",
                };
                named(f, word, &ty.name)
            }
            TypeShape::Enum { .. } => named(f, "enum", &ty.name),
            TypeShape::Array { .. } => {
                write!(f, "{} ", of(debug.elements(id)))?;
                counts_text(f, debug, id)
            }
            TypeShape::Function { result, parameters, is_variadic } => {
                write!(f, "{} (", of(*result))?;
                parameters_text(f, parameters, *is_variadic, &of)
            }
        }
    }
}

fn named(f: &mut Formatter<'_>, word: &str, name: &str) -> fmt::Result {
    if name.is_empty() { write!(f, "{word} {{...}}") } else { write!(f, "{word} {name}") }
}

fn counts_text(f: &mut Formatter<'_>, debug: &Debug, mut array: TypeId) -> fmt::Result {
    while let TypeShape::Array { element, count } = &debug.ty(array).shape {
        match count {
            Count::Known(n) => write!(f, "[{n}]")?,
            Count::Variable(_) | Count::Unknown => f.write_str("[]")?,
        }
        array = *element;
    }
    Ok(())
}

fn parameters_text<'a>(
    f: &mut Formatter<'_>,
    parameters: &[TypeId],
    is_variadic: bool,
    of: &dyn Fn(TypeId) -> TypeText<'a>,
) -> fmt::Result {
    for (position, parameter) in parameters.iter().enumerate() {
        write!(f, "{}{}", if position == 0 { "" } else { ", " }, of(*parameter))?;
    }
    if is_variadic {
        f.write_str(if parameters.is_empty() { "..." } else { ", ..." })?;
    }
    f.write_str(")")
}
