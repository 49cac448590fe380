//! Instructions, one opcode after the other.

use abi::Probe;
use llvm::{LLVMAtomicRMWBinOp, LLVMOpcode, LLVMRealPredicate};

use super::Problem;
use super::constant::{binary_op, cast_op, icmp};
use super::function::{Body, Mark};
use crate::{ElementIndex, FCmp, Op, Operand, RmwOp, Storage, Type};

impl<'m> Body<'_, 'm> {
    pub(super) fn op(&mut self, source: llvm::Instruction<'m>, mark: Mark) -> Result<Op, Problem> {
        use LLVMOpcode::*;
        let opcode = source.opcode();
        Ok(match opcode {
            LLVMAlloca => {
                let allocated = source.alloca_type();
                Op::Alloca {
                    storage: storage(mark)?,
                    size: allocated.alloc_size(self.lowering.source),
                    allocated: self.ty(allocated)?,
                    count: self.operand(source.operand(0))?,
                }
            }
            LLVMLoad => {
                let local = self.local(source.operand(0))?;
                let watched = match (mark.probe, local) {
                    (Probe::Logged, None) | (Probe::Plain, Some(_)) => None,
                    (Probe::Watched, None) => Some(mark.argument as u32),
                    (Probe::Plain, None) => return Err(Problem::MissingProbe("a load from memory")),
                    (probe, Some(_)) => return Err(Problem::WrongProbe { probe, on: "a load of a local" }),
                    (probe, None) => return Err(Problem::WrongProbe { probe, on: "a load" }),
                };
                Op::Load { address: self.operand(source.operand(0))?, local, watched }
            }
            LLVMStore => {
                plain(mark, "a store")?;
                Op::Store {
                    value: self.operand(source.operand(0))?,
                    value_type: self.ty(source.operand(0).ty())?,
                    address: self.operand(source.operand(1))?,
                    local: self.local(source.operand(1))?,
                    shadowed: mark.shadows,
                }
            }
            LLVMAtomicCmpXchg => {
                logged(mark, "an atomic compare and exchange")?;
                Op::CompareExchange {
                    address: self.operand(source.operand(0))?,
                    expected: self.operand(source.operand(1))?,
                    replacement: self.operand(source.operand(2))?,
                    value_type: self.ty(source.operand(1).ty())?,
                }
            }
            LLVMAtomicRMW => {
                logged(mark, "an atomic read-modify-write")?;
                Op::ReadModifyWrite {
                    op: rmw(source.rmw_operation()),
                    address: self.operand(source.operand(0))?,
                    value: self.operand(source.operand(1))?,
                    value_type: self.ty(source.operand(1).ty())?,
                }
            }
            LLVMLandingPad => match mark.probe {
                Probe::Landing => Op::LandingPad,
                Probe::Plain => return Err(Problem::MissingProbe("a landing pad")),
                probe => return Err(Problem::WrongProbe { probe, on: "a landing pad" }),
            },
            LLVMCall => Op::Call(self.call(source, mark)?),
            LLVMInvoke => {
                let (normal, unwind) = source.invoke_destinations();
                Op::Invoke { call: self.call(source, mark)?, normal: self.block(normal)?, unwind: self.block(unwind)? }
            }
            LLVMRet | LLVMBr | LLVMSwitch | LLVMUnreachable | LLVMResume => {
                plain(mark, "a terminator")?;
                self.terminator(source)?
            }
            LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
            | LLVMAnd | LLVMOr | LLVMXor | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMTrunc
            | LLVMZExt | LLVMSExt | LLVMFPTrunc | LLVMFPExt | LLVMFPToUI | LLVMFPToSI | LLVMUIToFP | LLVMSIToFP
            | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMFNeg | LLVMICmp | LLVMFCmp
            | LLVMSelect | LLVMFreeze | LLVMPHI | LLVMGetElementPtr | LLVMFence | LLVMExtractValue
            | LLVMInsertValue | LLVMExtractElement | LLVMInsertElement | LLVMShuffleVector => {
                plain(mark, "a computation")?;
                self.computation(source)?
            }
            // None is emitted by clang for C and C++ on x86-64 Linux in a function `pass` instruments: `va_arg` is
            // spelled out, computed and assembly gotos leave their function outside, funclets are Windows'.
            LLVMVAArg | LLVMIndirectBr | LLVMCallBr | LLVMCleanupRet | LLVMCatchRet | LLVMCatchPad | LLVMCleanupPad
            | LLVMCatchSwitch | LLVMUserOp1 | LLVMUserOp2 => {
                return Err(Problem::Opcode(format!("{opcode:?}")));
            }
        })
    }

    fn terminator(&mut self, source: llvm::Instruction<'m>) -> Result<Op, Problem> {
        let successors =
            source.successors().into_iter().map(|block| self.block(block)).collect::<Result<Vec<_>, _>>()?;
        Ok(match source.opcode() {
            LLVMOpcode::LLVMRet => Op::Return {
                value: match source.operand_count() {
                    0 => None,
                    _ => Some(self.operand(source.operand(0))?),
                },
            },
            LLVMOpcode::LLVMBr => match successors[..] {
                [target] => Op::Jump { target },
                [then, otherwise] => Op::Branch { condition: self.operand(source.operand(0))?, then, otherwise },
                _ => return Err(Problem::Shape("a branch with more than two targets or none")),
            },
            LLVMOpcode::LLVMSwitch => {
                let value_type = self.ty(source.operand(0).ty())?;
                if !value_type.is_scalar64() {
                    return Err(Problem::Shape("a switch on more than 64 bits"));
                }
                let [default, targets @ ..] = &successors[..] else {
                    return Err(Problem::Shape("a switch without default"));
                };
                // Operands: the value, the default block, then each case's value and block.
                let cases = targets
                    .iter()
                    .zip((2..).step_by(2))
                    .map(|(&target, position)| (source.operand(position).integer_words()[0], target))
                    .collect();
                Op::Switch { value: self.operand(source.operand(0))?, value_type, default: *default, cases }
            }
            LLVMOpcode::LLVMUnreachable => Op::Unreachable,
            LLVMOpcode::LLVMResume => Op::Resume { value: self.operand(source.operand(0))? },
            other => return Err(Problem::Opcode(format!("{other:?}"))),
        })
    }

    fn computation(&mut self, source: llvm::Instruction<'m>) -> Result<Op, Problem> {
        let opcode = source.opcode();
        if let Some(op) = binary_op(opcode) {
            return Ok(Op::Binary { op, lhs: self.operand(source.operand(0))?, rhs: self.operand(source.operand(1))? });
        }
        if let Some(op) = cast_op(opcode) {
            return Ok(Op::Cast {
                op,
                value: self.operand(source.operand(0))?,
                from: self.ty(source.operand(0).ty())?,
            });
        }
        Ok(match opcode {
            LLVMOpcode::LLVMFNeg => Op::FNeg { value: self.operand(source.operand(0))? },
            LLVMOpcode::LLVMICmp => Op::ICmp {
                op: icmp(source.value().icmp_predicate()),
                lhs: self.operand(source.operand(0))?,
                rhs: self.operand(source.operand(1))?,
                operand_type: self.ty(source.operand(0).ty())?,
            },
            LLVMOpcode::LLVMFCmp => Op::FCmp {
                op: fcmp(source.fcmp_predicate()),
                lhs: self.operand(source.operand(0))?,
                rhs: self.operand(source.operand(1))?,
                operand_type: self.ty(source.operand(0).ty())?,
            },
            LLVMOpcode::LLVMSelect => Op::Select {
                condition: self.operand(source.operand(0))?,
                condition_type: self.ty(source.operand(0).ty())?,
                then: self.operand(source.operand(1))?,
                otherwise: self.operand(source.operand(2))?,
            },
            LLVMOpcode::LLVMFreeze => Op::Freeze { value: self.operand(source.operand(0))? },
            LLVMOpcode::LLVMPHI => Op::Phi {
                incoming: source
                    .incoming()
                    .into_iter()
                    .map(|(value, block)| Ok((self.block(block)?, self.operand(value)?)))
                    .collect::<Result<_, Problem>>()?,
            },
            LLVMOpcode::LLVMGetElementPtr => self.element_pointer(source)?,
            LLVMOpcode::LLVMFence => Op::Fence,
            LLVMOpcode::LLVMExtractValue => Op::ExtractValue {
                aggregate: self.operand(source.operand(0))?,
                aggregate_type: self.ty(source.operand(0).ty())?,
                path: source.value_path(),
            },
            LLVMOpcode::LLVMInsertValue => Op::InsertValue {
                aggregate: self.operand(source.operand(0))?,
                value: self.operand(source.operand(1))?,
                value_type: self.ty(source.operand(1).ty())?,
                path: source.value_path(),
            },
            LLVMOpcode::LLVMExtractElement => Op::ExtractElement {
                vector: self.operand(source.operand(0))?,
                vector_type: self.ty(source.operand(0).ty())?,
                index: self.operand(source.operand(1))?,
            },
            LLVMOpcode::LLVMInsertElement => Op::InsertElement {
                vector: self.operand(source.operand(0))?,
                element: self.operand(source.operand(1))?,
                index: self.operand(source.operand(2))?,
            },
            LLVMOpcode::LLVMShuffleVector => Op::Shuffle {
                left: self.operand(source.operand(0))?,
                right: self.operand(source.operand(1))?,
                operand_type: self.ty(source.operand(0).ty())?,
                mask: source.shuffle_mask(),
            },
            other => return Err(Problem::Opcode(format!("{other:?}"))),
        })
    }

    fn element_pointer(&mut self, source: llvm::Instruction<'m>) -> Result<Op, Problem> {
        let path = self.lowering.element_path(source.value())?;
        let indices = path
            .variable
            .into_iter()
            .map(|(index, stride)| match self.ty(index.ty())? {
                Type::Int(bits) => Ok(ElementIndex { index: self.operand(index)?, bits, stride }),
                _ => Err(Problem::Shape("an index that is not an integer")),
            })
            .collect::<Result<_, _>>()?;
        let base: Operand = self.operand(source.operand(0))?;
        // No value of this type need ever be loaded, so one that is not modelled is no obstacle.
        let stepped = self.ty(source.value().element_pointer_source()).unwrap_or(Type::Void);
        Ok(Op::ElementPointer { base, stepped, offset: path.offset, indices })
    }
}

fn plain(mark: Mark, on: &'static str) -> Result<(), Problem> {
    match mark.probe {
        Probe::Plain => Ok(()),
        probe => Err(Problem::WrongProbe { probe, on }),
    }
}

fn logged(mark: Mark, on: &'static str) -> Result<(), Problem> {
    match mark.probe {
        Probe::Logged => Ok(()),
        Probe::Plain => Err(Problem::MissingProbe(on)),
        probe => Err(Problem::WrongProbe { probe, on }),
    }
}

fn storage(mark: Mark) -> Result<Storage, Problem> {
    match mark.probe {
        Probe::Local => Ok(Storage::Local),
        Probe::Frame => Ok(Storage::Frame(mark.argument)),
        Probe::Dynamic => Ok(Storage::Dynamic),
        Probe::Plain => Err(Problem::MissingProbe("an alloca")),
        probe => Err(Problem::WrongProbe { probe, on: "an alloca" }),
    }
}

fn fcmp(predicate: LLVMRealPredicate) -> FCmp {
    use LLVMRealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FCmp::False,
        LLVMRealOEQ => FCmp::Oeq,
        LLVMRealOGT => FCmp::Ogt,
        LLVMRealOGE => FCmp::Oge,
        LLVMRealOLT => FCmp::Olt,
        LLVMRealOLE => FCmp::Ole,
        LLVMRealONE => FCmp::One,
        LLVMRealORD => FCmp::Ord,
        LLVMRealUNO => FCmp::Uno,
        LLVMRealUEQ => FCmp::Ueq,
        LLVMRealUGT => FCmp::Ugt,
        LLVMRealUGE => FCmp::Uge,
        LLVMRealULT => FCmp::Ult,
        LLVMRealULE => FCmp::Ule,
        LLVMRealUNE => FCmp::Une,
        LLVMRealPredicateTrue => FCmp::True,
    }
}

fn rmw(operation: LLVMAtomicRMWBinOp) -> RmwOp {
    use LLVMAtomicRMWBinOp::*;
    match operation {
        LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::Max,
        LLVMAtomicRMWBinOpMin => RmwOp::Min,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        LLVMAtomicRMWBinOpFMax => RmwOp::FMax,
        LLVMAtomicRMWBinOpFMin => RmwOp::FMin,
        LLVMAtomicRMWBinOpUIncWrap | LLVMAtomicRMWBinOpUDecWrap => RmwOp::Other,
    }
}
