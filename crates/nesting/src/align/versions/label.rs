//! What a statement says, without numbers.

use std::collections::HashMap;
use std::fmt::Write;

use abi::InstructionId;
use program::{Call, Callee, ConstantOp, Function, Module, Op, Operand, Statements};

/// Deeper trees than this are cut off: their difference would be elsewhere too.
const DEEPEST: usize = 24;

/// What the statements of a module say.
pub struct Labels<'a> {
    pub module: &'a Module,
    /// Functions that are called otherwise in the other version.
    pub renamed: &'a HashMap<String, String>,
}

impl Labels<'_> {
    /// The text of a statement: operations, types, names of variables and functions, constants.
    pub fn label(&self, function: &Function, statements: &Statements, root: InstructionId) -> String {
        let (module, renamed) = (self.module, self.renamed);
        let mut writer = Writer { module, renamed, function, statements, root, text: String::new() };
        writer.instruction(root, 0);
        writer.text
    }
}

struct Writer<'a> {
    module: &'a Module,
    renamed: &'a HashMap<String, String>,
    function: &'a Function,
    statements: &'a Statements,
    root: InstructionId,
    text: String,
}

impl Writer<'_> {
    fn instruction(&mut self, id: InstructionId, depth: usize) {
        let instruction = self.function.instruction(id);
        self.operation(&instruction.op);
        self.text.push(' ');
        self.say(&instruction.ty.to_string());
        self.text.push('(');
        let mut operands = Vec::new();
        instruction.op.for_each_operand(|operand| operands.push(operand));
        for operand in operands {
            self.operand(operand, depth + 1);
            self.text.push(',');
        }
        self.text.push(')');
    }

    fn operand(&mut self, operand: &Operand, depth: usize) {
        match operand {
            Operand::Parameter(position) => {
                let name = self.function.parameters.get(*position as usize).map_or("", |p| &p.name);
                self.say(name);
            }
            Operand::Constant(constant) => match constant.op {
                ConstantOp::Address(position) => {
                    let name = self.module.globals.get(position as usize).map_or("", |global| &global.name);
                    // Literals are numbered.
                    self.say(if name.starts_with(".str") { ".str" } else { name });
                }
                _ => self.say(&self.module.constant_text(constant)),
            },
            Operand::Result(id) => {
                let instruction = self.function.instruction(*id);
                let is_own = self.statements.root(*id) == Some(self.root) && *id != self.root;
                match &instruction.op {
                    Op::Alloca { .. } => self.say(without_number(&instruction.name)),
                    _ if depth > DEEPEST => self.text.push('…'),
                    Op::Call(call) | Op::Invoke { call, .. } if !is_own => self.callee(call),
                    _ if is_own => self.instruction(*id, depth),
                    // The value of another statement, or shared with one.
                    _ => self.instruction(*id, DEEPEST.max(depth)),
                }
            }
        }
    }

    fn callee(&mut self, call: &Call) {
        match call.callee {
            Callee::Function(id) => {
                let name = &self.module.function(id).name;
                self.say(self.renamed.get(name).unwrap_or(name));
            }
            Callee::Symbol(position) => {
                let name = self.module.globals.get(position as usize).map_or("", |global| &global.name);
                self.say(name);
            }
            Callee::Pointer(_) => self.say("pointer"),
            Callee::Assembly => self.say("assembly"),
        }
    }

    fn operation(&mut self, op: &Op) {
        // Writing to a string does not fail.
        let _ = match op {
            Op::Binary { op, .. } => write!(self.text, "{op:?}"),
            Op::ICmp { op, .. } => write!(self.text, "{op:?}"),
            Op::FCmp { op, .. } => write!(self.text, "f{op:?}"),
            Op::Cast { op, .. } => write!(self.text, "{op:?}"),
            Op::ReadModifyWrite { op, .. } => write!(self.text, "atomic {op:?}"),
            Op::ElementPointer { offset, indices, .. } => {
                let strides: Vec<u64> = indices.iter().map(|index| index.stride).collect();
                write!(self.text, "element {offset} {strides:?}")
            }
            Op::ExtractValue { path, .. } => write!(self.text, "extract {path:?}"),
            Op::InsertValue { path, .. } => write!(self.text, "insert {path:?}"),
            Op::Shuffle { mask, .. } => write!(self.text, "shuffle {mask:?}"),
            Op::Switch { cases, .. } => {
                let values: Vec<u64> = cases.iter().map(|&(value, _)| value).collect();
                write!(self.text, "switch {values:?}")
            }
            Op::Call(call) | Op::Invoke { call, .. } => {
                self.text.push_str("call ");
                self.callee(call);
                Ok(())
            }
            Op::FNeg { .. } => write!(self.text, "negate"),
            Op::Select { .. } => write!(self.text, "select"),
            Op::Freeze { .. } => write!(self.text, "freeze"),
            Op::Phi { .. } => write!(self.text, "phi"),
            Op::Alloca { .. } => write!(self.text, "alloca"),
            Op::Load { .. } => write!(self.text, "load"),
            Op::Store { value_type, .. } => write!(self.text, "store {value_type}"),
            Op::CompareExchange { .. } => write!(self.text, "compare and exchange"),
            Op::Fence => write!(self.text, "fence"),
            Op::ExtractElement { .. } => write!(self.text, "extract element"),
            Op::InsertElement { .. } => write!(self.text, "insert element"),
            Op::LandingPad => write!(self.text, "landing"),
            Op::Jump { .. } => write!(self.text, "jump"),
            Op::Branch { .. } => write!(self.text, "branch"),
            Op::Return { .. } => write!(self.text, "return"),
            Op::Resume { .. } => write!(self.text, "resume"),
            Op::Unreachable => write!(self.text, "unreachable"),
        };
    }

    fn say(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

/// LLVM numbers variables of the same name, in the order of the function.
fn without_number(name: &str) -> &str {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    if bare.is_empty() { name } else { bare }
}
