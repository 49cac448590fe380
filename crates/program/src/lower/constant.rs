//! Constants as trees.

use std::sync::Arc;

use llvm::{LLVMIntPredicate, LLVMOpcode, LLVMValueKind};

use super::{Lowering, Problem};
use crate::{BinaryOp, CastOp, Constant, ConstantOp, ICmp, Type};

impl<'m> Lowering<'m> {
    pub(super) fn shared_constant(&mut self, value: llvm::Value<'m>) -> Result<Arc<Constant>, Problem> {
        if let Some(known) = self.constants.get(&value) {
            return Ok(known.clone());
        }
        let lowered = Arc::new(self.constant(value)?);
        self.constants.insert(value, lowered.clone());
        Ok(lowered)
    }

    pub(super) fn constant(&mut self, value: llvm::Value<'m>) -> Result<Constant, Problem> {
        use LLVMValueKind::*;
        let ty = self.ty(value.ty())?;
        let unsupported = || Problem::Constant(value.print());
        let op = match value.kind() {
            LLVMFunctionValueKind
            | LLVMGlobalAliasValueKind
            | LLVMGlobalIFuncValueKind
            | LLVMGlobalVariableValueKind => ConstantOp::Address(*self.positions.get(&value).ok_or_else(unsupported)?),
            LLVMUndefValueValueKind
            | LLVMPoisonValueKind
            | LLVMConstantAggregateZeroValueKind
            | LLVMConstantPointerNullValueKind => ConstantOp::Zero,
            LLVMConstantExprValueKind => self.expression(value)?,
            LLVMConstantIntValueKind if matches!(ty, Type::Int(_)) => scalar(value.integer_words(), &ty),
            LLVMConstantFPValueKind if matches!(ty, Type::Float(_)) => scalar(value.float_words(), &ty),
            // Text, and tables of bytes: by far the largest constants.
            LLVMConstantDataArrayValueKind if value.is_constant_bytes() => ConstantOp::Bytes(value.constant_bytes().into()),
            LLVMConstantArrayValueKind
            | LLVMConstantStructValueKind
            | LLVMConstantVectorValueKind
            | LLVMConstantDataArrayValueKind
            | LLVMConstantDataVectorValueKind
            // Splats may be stored as a single scalar of vector type.
            | LLVMConstantIntValueKind
            | LLVMConstantFPValueKind => {
                let count = match &ty {
                    Type::Vector { count, .. } | Type::Array { count, .. } => *count as u32,
                    Type::Struct { fields, .. } => fields.len() as u32,
                    Type::Void | Type::Int(_) | Type::Float(_) | Type::Pointer => return Err(unsupported()),
                };
                let elements = (0..count)
                    .map(|i| self.constant(value.constant_element(i).ok_or_else(unsupported)?))
                    .collect::<Result<_, _>>()?;
                ConstantOp::Aggregate(elements)
            }
            // LLVM-C has no kind for `dso_local_equivalent` and `no_cfi` and calls them instructions. Both stand for
            // the function they name.
            LLVMInstructionValueKind if value.is_constant() && value.operand_count() == 1 => {
                self.constant(value.operand(0))?.op
            }
            LLVMArgumentValueKind
            | LLVMBasicBlockValueKind
            | LLVMMemoryUseValueKind
            | LLVMMemoryDefValueKind
            | LLVMMemoryPhiValueKind
            | LLVMBlockAddressValueKind
            | LLVMConstantTokenNoneValueKind
            | LLVMMetadataAsValueValueKind
            | LLVMInlineAsmValueKind
            | LLVMInstructionValueKind
            | LLVMConstantTargetNoneValueKind
            | LLVMConstantPtrAuthValueKind => return Err(unsupported()),
        };
        Ok(Constant { ty, op })
    }

    fn expression(&mut self, value: llvm::Value<'m>) -> Result<ConstantOp, Problem> {
        let unsupported = || Problem::Constant(value.print());
        let opcode = value.expression_opcode();
        if let Some(op) = binary_op(opcode) {
            let lhs = self.constant(value.operand(0))?;
            let rhs = self.constant(value.operand(1))?;
            return Ok(ConstantOp::Binary(op, Box::new(lhs), Box::new(rhs)));
        }
        if let Some(op) = cast_op(opcode) {
            return Ok(ConstantOp::Cast(op, Box::new(self.constant(value.operand(0))?)));
        }
        match opcode {
            LLVMOpcode::LLVMICmp => {
                let op = icmp(value.icmp_predicate());
                let lhs = self.constant(value.operand(0))?;
                let rhs = self.constant(value.operand(1))?;
                Ok(ConstantOp::Compare(op, Box::new(lhs), Box::new(rhs)))
            }
            LLVMOpcode::LLVMGetElementPtr => {
                let path = self.element_path(value)?;
                if !path.variable.is_empty() {
                    return Err(unsupported());
                }
                Ok(ConstantOp::Offset(Box::new(self.constant(value.operand(0))?), path.offset))
            }
            _ => Err(unsupported()),
        }
    }

    /// What the indices of a `getelementptr` (instruction or constant) add to its base.
    pub(super) fn element_path(&mut self, value: llvm::Value<'m>) -> Result<ElementPath<'m>, Problem> {
        if self.ty(value.ty())? != Type::Pointer {
            return Err(Problem::Shape("getelementptr on a vector of pointers"));
        }
        let mut path = ElementPath { offset: 0, variable: Vec::new() };
        // The first index steps over whole objects of the source type, the others into them.
        let mut stepped = value.element_pointer_source();
        for position in 1..value.operand_count() {
            let index = value.operand(position);
            let is_first = position == 1;
            if !is_first && stepped.kind() == llvm::TypeKind::LLVMStructTypeKind {
                let field = constant_index(index).ok_or(Problem::Shape("a field chosen at run time"))?;
                let fields = stepped.fields(self.source);
                let (ty, offset) = usize::try_from(field)
                    .ok()
                    .and_then(|f| fields.get(f))
                    .ok_or(Problem::Shape("a field beyond its struct"))?;
                path.offset = path.offset.wrapping_add(*offset as i64);
                stepped = *ty;
                continue;
            }
            if !is_first {
                stepped = stepped.elements().ok_or(Problem::Shape("an index into a scalar"))?.0;
            }
            let stride = stepped.alloc_size(self.source);
            match constant_index(index) {
                Some(index) => path.offset = path.offset.wrapping_add(index.wrapping_mul(stride as i64)),
                None => path.variable.push((index, stride)),
            }
        }
        Ok(path)
    }
}

/// Bytes known now, and indices with their strides.
pub(super) struct ElementPath<'m> {
    pub offset: i64,
    pub variable: Vec<(llvm::Value<'m>, u64)>,
}

/// An integer constant, sign-extended from its type.
fn constant_index(value: llvm::Value<'_>) -> Option<i64> {
    if value.kind() != LLVMValueKind::LLVMConstantIntValueKind {
        return None;
    }
    let bits = value.ty().bits();
    let low = *value.integer_words().first()?;
    let unused = 64 - bits.min(64);
    Some((low << unused) as i64 >> unused)
}

fn scalar(words: Vec<u64>, ty: &Type) -> ConstantOp {
    if words.iter().all(|&w| w == 0) {
        return ConstantOp::Zero;
    }
    match words[..] {
        [word] => ConstantOp::Scalar(word),
        _ => {
            let bytes = words.iter().flat_map(|w| w.to_le_bytes()).take(ty.store_size() as usize);
            ConstantOp::Bytes(bytes.collect())
        }
    }
}

pub(super) fn binary_op(opcode: LLVMOpcode) -> Option<BinaryOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMAdd => BinaryOp::Add,
        LLVMSub => BinaryOp::Sub,
        LLVMMul => BinaryOp::Mul,
        LLVMUDiv => BinaryOp::UDiv,
        LLVMSDiv => BinaryOp::SDiv,
        LLVMURem => BinaryOp::URem,
        LLVMSRem => BinaryOp::SRem,
        LLVMShl => BinaryOp::Shl,
        LLVMLShr => BinaryOp::LShr,
        LLVMAShr => BinaryOp::AShr,
        LLVMAnd => BinaryOp::And,
        LLVMOr => BinaryOp::Or,
        LLVMXor => BinaryOp::Xor,
        LLVMFAdd => BinaryOp::FAdd,
        LLVMFSub => BinaryOp::FSub,
        LLVMFMul => BinaryOp::FMul,
        LLVMFDiv => BinaryOp::FDiv,
        LLVMFRem => BinaryOp::FRem,
        _ => return None,
    })
}

pub(super) fn cast_op(opcode: LLVMOpcode) -> Option<CastOp> {
    use LLVMOpcode::*;
    Some(match opcode {
        LLVMTrunc => CastOp::Trunc,
        LLVMZExt => CastOp::ZExt,
        LLVMSExt => CastOp::SExt,
        LLVMFPTrunc => CastOp::FpTrunc,
        LLVMFPExt => CastOp::FpExt,
        LLVMFPToUI => CastOp::FpToUi,
        LLVMFPToSI => CastOp::FpToSi,
        LLVMUIToFP => CastOp::UiToFp,
        LLVMSIToFP => CastOp::SiToFp,
        LLVMPtrToInt => CastOp::PtrToInt,
        LLVMIntToPtr => CastOp::IntToPtr,
        // Between address spaces of 64-bit pointers (others are refused with their type) the bits stay.
        LLVMBitCast | LLVMAddrSpaceCast => CastOp::Bitcast,
        _ => return None,
    })
}

pub(super) fn icmp(predicate: LLVMIntPredicate) -> ICmp {
    use LLVMIntPredicate::*;
    match predicate {
        LLVMIntEQ => ICmp::Eq,
        LLVMIntNE => ICmp::Ne,
        LLVMIntUGT => ICmp::Ugt,
        LLVMIntUGE => ICmp::Uge,
        LLVMIntULT => ICmp::Ult,
        LLVMIntULE => ICmp::Ule,
        LLVMIntSGT => ICmp::Sgt,
        LLVMIntSGE => ICmp::Sge,
        LLVMIntSLT => ICmp::Slt,
        LLVMIntSLE => ICmp::Sle,
    }
}
