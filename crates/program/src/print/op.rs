//! Instructions without what surrounds them.

use std::fmt::{self, Display, Formatter};

use super::Text;
use crate::{BinaryOp, Call, CallKind, Callee, CastOp, FCmp, ICmp, Op, Operand, RmwOp, Storage, Type};

/// An operation and the type of its result.
impl Display for Text<'_, (&Op, &Type)> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (op, ty) = self.shown;
        let text = |operand| self.module.text::<&Operand>(operand);
        match op {
            Op::Binary { op, lhs, rhs } => write!(f, "{} {ty} {}, {}", binary(*op), text(lhs), text(rhs)),
            Op::FNeg { value } => write!(f, "fneg {ty} {}", text(value)),
            Op::ICmp { op, lhs, rhs, operand_type } => {
                write!(f, "icmp {} {operand_type} {}, {}", icmp(*op), text(lhs), text(rhs))
            }
            Op::FCmp { op, lhs, rhs, operand_type } => {
                write!(f, "fcmp {} {operand_type} {}, {}", fcmp(*op), text(lhs), text(rhs))
            }
            Op::Cast { op, value, from } => write!(f, "{} {from} {} to {ty}", cast(*op), text(value)),
            Op::Select { condition, condition_type, then, otherwise } => {
                write!(f, "select {condition_type} {}, {ty} {}, {}", text(condition), text(then), text(otherwise))
            }
            Op::Freeze { value } => write!(f, "freeze {ty} {}", text(value)),
            Op::Phi { incoming } => {
                write!(f, "phi {ty}")?;
                for (position, (block, value)) in incoming.iter().enumerate() {
                    write!(f, "{} {block}: {}", if position == 0 { "" } else { "," }, text(value))?;
                }
                Ok(())
            }
            Op::Alloca { storage, allocated, size, count } => {
                write!(f, "alloca {allocated}, {size} bytes * {}, ", text(count))?;
                match storage {
                    Storage::Local => write!(f, "local"),
                    Storage::Frame(offset) => write!(f, "frame+{offset}"),
                    Storage::Dynamic => write!(f, "dynamic"),
                }
            }
            Op::Load { address, local, watched } => {
                let mark = if watched.is_some() { " watched" } else { local_mark(*local) };
                write!(f, "load {ty} {}{mark}", text(address))
            }
            Op::Store { value, value_type, address, local, .. } => {
                write!(f, "store {value_type} {} to {}{}", text(value), text(address), local_mark(*local))
            }
            Op::ElementPointer { base, offset, indices, .. } => {
                write!(f, "element {}{offset:+}", text(base))?;
                indices.iter().try_for_each(|i| write!(f, " + i{} {} * {}", i.bits, text(&i.index), i.stride))
            }
            Op::ReadModifyWrite { op, address, value, value_type } => {
                write!(f, "atomic {} {value_type} {}, {}", rmw(*op), text(address), text(value))
            }
            Op::CompareExchange { address, expected, replacement, value_type } => {
                write!(f, "atomic compare {value_type} {}, {}, {}", text(address), text(expected), text(replacement))
            }
            Op::Fence => write!(f, "fence"),
            Op::ExtractValue { aggregate, aggregate_type, path } => {
                write!(f, "extract {aggregate_type} {} at {path:?}", text(aggregate))
            }
            Op::InsertValue { aggregate, value, value_type, path } => {
                write!(f, "insert {value_type} {} into {ty} {} at {path:?}", text(value), text(aggregate))
            }
            Op::ExtractElement { vector, vector_type, index } => {
                write!(f, "extract {vector_type} {} at {}", text(vector), text(index))
            }
            Op::InsertElement { vector, element, index } => {
                write!(f, "insert {} into {ty} {} at {}", text(element), text(vector), text(index))
            }
            Op::Shuffle { left, right, operand_type, mask } => {
                write!(f, "shuffle {operand_type} {}, {}, [", text(left), text(right))?;
                for (position, lane) in mask.iter().enumerate() {
                    let separator = if position == 0 { "" } else { ", " };
                    match lane {
                        Some(lane) => write!(f, "{separator}{lane}")?,
                        None => write!(f, "{separator}_")?,
                    }
                }
                write!(f, "]")
            }
            Op::Call(call) => write!(f, "call {}", self.module.text((call, ty))),
            Op::Invoke { call, normal, unwind } => {
                write!(f, "invoke {} to {normal} unwind {unwind}", self.module.text((call, ty)))
            }
            Op::LandingPad => write!(f, "landing pad {ty}"),
            Op::Jump { target } => write!(f, "jump {target}"),
            Op::Branch { condition, then, otherwise } => write!(f, "branch {}, {then}, {otherwise}", text(condition)),
            Op::Switch { value, value_type, default, cases } => {
                write!(f, "switch {value_type} {}, default {default}", text(value))?;
                cases.iter().try_for_each(|(case, target)| write!(f, ", {case}: {target}"))
            }
            Op::Return { value: Some(value) } => write!(f, "return {}", text(value)),
            Op::Return { value: None } => write!(f, "return"),
            Op::Resume { value } => write!(f, "resume {}", text(value)),
            Op::Unreachable => write!(f, "unreachable"),
        }
    }
}

impl Display for Text<'_, (&Call, &Type)> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (call, ty) = self.shown;
        let kind = match call.kind {
            CallKind::Open => "open",
            CallKind::Closed => "closed",
            CallKind::Logged => "logged",
            CallKind::Setjmp => "setjmp",
            CallKind::Computed => "computed",
            CallKind::Ignored => "ignored",
            CallKind::Memory => "memory",
        };
        write!(f, "{kind} {ty} ")?;
        match &call.callee {
            Callee::Function(id) => write!(f, "@{}", self.module.function(*id).name)?,
            Callee::Symbol(position) => {
                write!(f, "@{}", self.module.globals.get(*position as usize).map_or("?", |global| &global.name))?;
            }
            Callee::Pointer(pointer) => write!(f, "{}", self.module.text(pointer))?,
            Callee::Assembly => write!(f, "assembly")?,
        }
        write!(f, "(")?;
        for (position, (argument, ty)) in call.arguments.iter().zip(&call.argument_types).enumerate() {
            write!(f, "{}{ty} {}", if position == 0 { "" } else { ", " }, self.module.text(argument))?;
        }
        write!(f, ")")?;
        if call.type_hash != 0 {
            write!(f, " type {:#x}", call.type_hash)?;
        }
        if call.never_returns { write!(f, " never returns") } else { Ok(()) }
    }
}

fn local_mark(local: Option<crate::InstructionId>) -> &'static str {
    match local {
        Some(_) => " local",
        None => "",
    }
}

pub(super) fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::URem => "urem",
        BinaryOp::SRem => "srem",
        BinaryOp::Shl => "shl",
        BinaryOp::LShr => "lshr",
        BinaryOp::AShr => "ashr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::FAdd => "fadd",
        BinaryOp::FSub => "fsub",
        BinaryOp::FMul => "fmul",
        BinaryOp::FDiv => "fdiv",
        BinaryOp::FRem => "frem",
    }
}

pub(super) fn cast(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
        CastOp::FpTrunc => "fptrunc",
        CastOp::FpExt => "fpext",
        CastOp::FpToUi => "fptoui",
        CastOp::FpToSi => "fptosi",
        CastOp::UiToFp => "uitofp",
        CastOp::SiToFp => "sitofp",
        CastOp::PtrToInt => "ptrtoint",
        CastOp::IntToPtr => "inttoptr",
        CastOp::Bitcast => "bitcast",
    }
}

pub(super) fn icmp(op: ICmp) -> &'static str {
    match op {
        ICmp::Eq => "eq",
        ICmp::Ne => "ne",
        ICmp::Ugt => "ugt",
        ICmp::Uge => "uge",
        ICmp::Ult => "ult",
        ICmp::Ule => "ule",
        ICmp::Sgt => "sgt",
        ICmp::Sge => "sge",
        ICmp::Slt => "slt",
        ICmp::Sle => "sle",
    }
}

fn fcmp(op: FCmp) -> &'static str {
    match op {
        FCmp::False => "false",
        FCmp::Oeq => "oeq",
        FCmp::Ogt => "ogt",
        FCmp::Oge => "oge",
        FCmp::Olt => "olt",
        FCmp::Ole => "ole",
        FCmp::One => "one",
        FCmp::Ord => "ord",
        FCmp::Uno => "uno",
        FCmp::Ueq => "ueq",
        FCmp::Ugt => "ugt",
        FCmp::Uge => "uge",
        FCmp::Ult => "ult",
        FCmp::Ule => "ule",
        FCmp::Une => "une",
        FCmp::True => "true",
    }
}

fn rmw(op: RmwOp) -> &'static str {
    match op {
        RmwOp::Exchange => "exchange",
        RmwOp::Add => "add",
        RmwOp::Sub => "sub",
        RmwOp::And => "and",
        RmwOp::Nand => "nand",
        RmwOp::Or => "or",
        RmwOp::Xor => "xor",
        RmwOp::Max => "max",
        RmwOp::Min => "min",
        RmwOp::UMax => "umax",
        RmwOp::UMin => "umin",
        RmwOp::FAdd => "fadd",
        RmwOp::FSub => "fsub",
        RmwOp::FMax => "fmax",
        RmwOp::FMin => "fmin",
        RmwOp::Other => "other",
    }
}
