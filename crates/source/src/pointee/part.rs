//! Parts of objects as C writes them behind the object's name: `.slots[2]`.

use program::debug::{Member, MemberRole, TypeShape};

use crate::sources::{Sources, TypeRef};

/// Objects nested deeper are not looked into.
const DEEPEST: u32 = 32;

/// The part of an object that begins at an offset: the one of the wanted type if there is one, or else the largest. `None` if
/// none begins there.
pub fn part(sources: &Sources<'_, '_>, whole: TypeRef, offset: u64, wanted: Option<TypeRef>) -> Option<String> {
    let of_type = wanted.and_then(|wanted| {
        let wanted = (sources.type_text(sources.bare(wanted)), sources.size(wanted));
        first_at(sources, whole, offset, |ty| (sources.type_text(sources.bare(ty)), sources.size(ty)) == wanted)
    });
    of_type.or_else(|| first_at(sources, whole, offset, |_| true))
}

/// The outermost part at an offset that is meant.
fn first_at(
    sources: &Sources<'_, '_>,
    whole: TypeRef,
    offset: u64,
    is_meant: impl Fn(TypeRef) -> bool,
) -> Option<String> {
    let (mut ty, mut offset, mut text) = (whole, offset, String::new());
    for _ in 0..DEEPEST {
        if offset == 0 && is_meant(ty) {
            return Some(text);
        }
        let bare = sources.bare(ty);
        let inner = |ty| TypeRef { module: bare.module, ty };
        match sources.shape(bare) {
            TypeShape::Array { element, .. } => {
                let size = sources.size(inner(*element)).filter(|size| *size > 0)?;
                text += &format!("[{}]", offset / size);
                (ty, offset) = (inner(*element), offset % size);
            }
            TypeShape::Record { members, .. } => {
                let member = members.iter().rev().find(|member| holds(sources, inner(member.ty), member, offset))?;
                // Base classes and anonymous members are passed through unnamed.
                if member.role == MemberRole::Field && !member.name.is_empty() {
                    text += &format!(".{}", member.name);
                }
                (ty, offset) = (inner(member.ty), offset - member.offset_bits / 8);
            }
            _ => return None,
        }
    }
    None
}

fn holds(sources: &Sources<'_, '_>, ty: TypeRef, member: &Member, offset: u64) -> bool {
    let first = member.offset_bits / 8;
    matches!(member.role, MemberRole::Field | MemberRole::Base)
        && offset.checked_sub(first).is_some_and(|within| within < sources.size(ty).unwrap_or(u64::MAX))
}
