//! The model as text, for `faultline dump` and for tests: one line per instruction,
//! `i42  %x = add i32 i40, 1    ; foo.c:12:7`.
//!
//! Operands are written by their ids (`i40`, `p0`), since names need not be unique; a result's name is shown where it is made.

mod op;

use std::fmt::{self, Display, Formatter};

use crate::{
    Constant, ConstantOp, FloatKind, Function, FunctionId, InstructionId, Linkage, Module, Operand, SourceLocation,
    Type,
};

/// A part of a module, to be displayed.
pub struct Text<'a, T> {
    module: &'a Module,
    shown: T,
}

impl Module {
    /// A whole function: its head, then its blocks.
    pub fn function_text(&self, id: FunctionId) -> Text<'_, &Function> {
        self.text(self.function(id))
    }

    /// One instruction, with its id and place in the source.
    pub fn instruction_text<'a>(
        &'a self,
        function: &'a Function,
        id: InstructionId,
    ) -> Text<'a, (&'a Function, InstructionId)> {
        self.text((function, id))
    }

    pub fn location_text(&self, location: SourceLocation) -> Text<'_, SourceLocation> {
        self.text(location)
    }

    pub fn constant_text(&self, constant: &Constant) -> String {
        self.text(constant).to_string()
    }

    fn text<T>(&self, shown: T) -> Text<'_, T> {
        Text { module: self, shown }
    }
}

/// All functions that are instrumented, in order.
impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "module {} {}", self.id, self.source_file)?;
        for limit in &self.limits {
            writeln!(f, "limit: {limit}")?;
        }
        for function in self.functions.iter().filter(|function| function.linkage != Linkage::Outside) {
            write!(f, "\n{}", self.text(function))?;
        }
        Ok(())
    }
}

impl Display for Text<'_, &Function> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let function = self.shown;
        write!(f, "{} @{}(", function.id, function.name)?;
        for (position, parameter) in function.parameters.iter().enumerate() {
            let separator = if position == 0 { "" } else { ", " };
            let by_value = if parameter.by_value { " by value" } else { "" };
            write!(f, "{separator}p{position} {}{by_value}", parameter.ty)?;
            if !parameter.name.is_empty() {
                write!(f, " %{}", parameter.name)?;
            }
        }
        if function.is_variadic {
            write!(f, "{}...", if function.parameters.is_empty() { "" } else { ", " })?;
        }
        write!(f, ") {}", function.return_type)?;
        match function.linkage {
            Linkage::Outside => write!(f, " outside")?,
            Linkage::Open => write!(f, " open")?,
            Linkage::Closed => write!(f, " closed")?,
        }
        if function.linkage != Linkage::Outside {
            write!(f, " type {:#x}", function.type_hash)?;
        }
        if function.logs_frame {
            write!(f, " logs frame")?;
        }
        if let Some(location) = function.location {
            write!(f, "    ; {}", self.module.text(location))?;
        }
        writeln!(f)?;
        for (position, block) in function.blocks.iter().enumerate() {
            writeln!(f, "bb{position} {}:", block.name)?;
            for id in block.first.0..block.end.0 {
                writeln!(f, "  {}", self.module.instruction_text(function, InstructionId(id)))?;
            }
        }
        Ok(())
    }
}

impl Display for Text<'_, (&Function, InstructionId)> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (function, id) = self.shown;
        let instruction = function.instruction(id);
        write!(f, "{:<4} ", id.to_string())?;
        if instruction.ty != Type::Void {
            match &instruction.name[..] {
                "" => write!(f, "{id} = ")?,
                name => write!(f, "%{name} = ")?,
            }
        }
        write!(f, "{}", self.module.text((&instruction.op, &instruction.ty)))?;
        if instruction.ticks {
            write!(f, " ticks")?;
        }
        if instruction.hashes {
            write!(f, " hashes")?;
        }
        if let Some(location) = instruction.location {
            write!(f, "    ; {}", self.module.text(location))?;
        }
        Ok(())
    }
}

impl Display for Text<'_, SourceLocation> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let SourceLocation { file, line, column } = self.shown;
        write!(f, "{}:{line}", self.module.files[file as usize].name)?;
        if column != 0 { write!(f, ":{column}") } else { Ok(()) }
    }
}

impl Display for Text<'_, &Operand> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.shown {
            Operand::Parameter(position) => write!(f, "p{position}"),
            Operand::Result(id) => write!(f, "{id}"),
            Operand::Constant(constant) => write!(f, "{}", self.module.text(&**constant)),
        }
    }
}

impl Display for Text<'_, &Constant> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = |constant| self.module.text(constant);
        match &self.shown.op {
            ConstantOp::Zero => match self.shown.ty {
                Type::Pointer => write!(f, "null"),
                Type::Int(_) | Type::Float(_) => write!(f, "0"),
                Type::Void => write!(f, "nothing"),
                Type::Vector { .. } | Type::Array { .. } | Type::Struct { .. } => write!(f, "zero"),
            },
            ConstantOp::Scalar(bits) => match self.shown.ty {
                Type::Int(width) => {
                    let unused = 64 - width.min(64);
                    // An i1 is a truth value, not -1.
                    if width == 1 { write!(f, "{bits}") } else { write!(f, "{}", (bits << unused) as i64 >> unused) }
                }
                Type::Float(FloatKind::Single) if !f32::from_bits(*bits as u32).is_nan() => {
                    write!(f, "{:?}", f32::from_bits(*bits as u32))
                }
                Type::Float(FloatKind::Double) if !f64::from_bits(*bits).is_nan() => {
                    write!(f, "{:?}", f64::from_bits(*bits))
                }
                _ => write!(f, "{bits:#x}"),
            },
            ConstantOp::Bytes(bytes) => {
                write!(f, "0x")?;
                bytes.iter().rev().try_for_each(|byte| write!(f, "{byte:02x}"))
            }
            ConstantOp::Address(position) => {
                let name = self.module.globals.get(*position as usize).map_or("?", |global| &global.name);
                write!(f, "@{name}")
            }
            ConstantOp::Aggregate(elements) => {
                write!(f, "{{")?;
                for (position, element) in elements.iter().enumerate() {
                    write!(f, "{}{} {}", if position == 0 { "" } else { ", " }, element.ty, text(element))?;
                }
                write!(f, "}}")
            }
            ConstantOp::Offset(base, offset) => write!(f, "{}{offset:+}", text(base)),
            ConstantOp::Cast(op, value) => write!(f, "{}({} {})", op::cast(*op), value.ty, text(value)),
            ConstantOp::Binary(op, lhs, rhs) => write!(f, "{}({}, {})", op::binary(*op), text(lhs), text(rhs)),
            ConstantOp::Compare(op, lhs, rhs) => {
                write!(f, "icmp {}({} {}, {})", op::icmp(*op), lhs.ty, text(lhs), text(rhs))
            }
        }
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => write!(f, "void"),
            Type::Int(bits) => write!(f, "i{bits}"),
            Type::Float(kind) => f.write_str(match kind {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Single => "float",
                FloatKind::Double => "double",
                FloatKind::X87 => "x87",
                FloatKind::Quad => "quad",
            }),
            Type::Pointer => write!(f, "ptr"),
            Type::Vector { element, count, .. } => write!(f, "<{count} x {element}>"),
            Type::Array { element, count, .. } => write!(f, "[{count} x {element}]"),
            Type::Struct { fields, .. } => {
                write!(f, "{{")?;
                for (position, (field, _)) in fields.iter().enumerate() {
                    write!(f, "{}{field}", if position == 0 { "" } else { ", " })?;
                }
                write!(f, "}}")
            }
        }
    }
}
