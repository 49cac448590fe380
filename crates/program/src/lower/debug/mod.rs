//! Debug metadata to plain data.
//!
//! LLVM's own metadata rather than the binary's DWARF: it stands in the saved IR beside the allocas it speaks of, so a
//! variable's home is an instruction of the replay, where DWARF would name a register or an offset of optimised code.

mod types;

use std::collections::HashMap;
use std::sync::Arc;

use llvm::{LLVMOpcode, Metadata, MetadataKind};

use self::types::{Types, name_and_surroundings};
use super::{LowerError, Lowering, trial};
use crate::debug::{AddressStep, Debug, FunctionDebug, GlobalVariable, Scope, ScopeId, Variable};
use crate::{Constant, FunctionId, InstructionId, Operand, SourceFile};

/// Reads the debug information of one record of the section of saved IR, as `lower_saved` reads its code.
pub fn read_debug_saved(record: &[u8]) -> Result<Debug, LowerError> {
    let (_, bitcode) = super::saved_bitcode(record)?;
    trial::on_large_stack(|| trial::tried(&bitcode, trial::What::DebugInformation, read_debug_parsed))
}

/// Reads the debug information of one module's bitcode, which must be as LLVM has written it.
pub fn read_debug(bitcode: &[u8]) -> Result<Debug, LowerError> {
    let _reading = trial::reading();
    read_debug_parsed(&llvm::Module::parse(bitcode)?)
}

pub(super) fn read_debug_parsed(source: &llvm::Module) -> Result<Debug, LowerError> {
    // Numbers and positions first: reading the declarations turns them into calls, which have no number, of functions
    // that the module as saved does not have.
    let mut lowering = Lowering::new(source);
    let functions: Vec<_> = source.functions().collect();
    let values: Vec<_> = source.global_values().collect();
    let numbers: Vec<Numbers<'_>> = functions
        .iter()
        .map(|f| f.instructions().into_iter().map(llvm::Instruction::value).zip((0..).map(InstructionId)).collect())
        .collect();
    let declarations: Vec<Vec<Declaration<'_>>> = {
        source.use_debug_intrinsics();
        let all = functions.iter().map(|&function| declarations(source, function)).collect();
        // LLVM prints what an instruction uses by numbering all of the instruction's module first; with the calls gone, an
        // entry belongs to no module and is printed by itself.
        // SAFETY: a declaration refers to an alloca or parameter and to metadata, not to the call it was read from, and the
        // functions were listed before there were any calls.
        unsafe { source.use_debug_records() };
        all
    };
    let mut reading = Reading {
        source,
        types: Types::new(),
        files: HashMap::new(),
        scopes: HashMap::new(),
        functions: functions.iter().map(|_| FunctionDebug::default()).collect(),
        owners: HashMap::new(),
    };
    let ids = (0..).map(FunctionId);
    for (&function, id) in functions.iter().zip(ids.clone()).filter(|(f, _)| !f.is_declaration()) {
        if let Some(subprogram) = function.subprogram(source) {
            reading.owners.insert(subprogram, id);
        }
    }
    for (((&function, id), numbers), declarations) in functions.iter().zip(ids).zip(&numbers).zip(&declarations) {
        reading.function(id, function, numbers, declarations);
    }
    let mut debug = Debug::default();
    for (value, position) in values.into_iter().zip(0..) {
        debug.initial.push(initial_contents(&mut lowering, value));
        if value.kind() == llvm::LLVMValueKind::LLVMGlobalVariableValueKind {
            debug.globals.extend(reading.globals(value, position));
            if value.is_constant_global() {
                debug.constant_globals.insert(position);
            }
        }
    }
    debug.functions = reading.functions;
    debug.types = reading.types.finish();
    Ok(debug)
}

type Numbers<'m> = HashMap<llvm::Value<'m>, InstructionId>;

/// What the compiler says of a variable's home.
struct Declaration<'m> {
    holder: llvm::Value<'m>,
    variable: Metadata<'m>,
    expression: Option<Metadata<'m>>,
}

fn declarations<'m>(source: &'m llvm::Module, function: llvm::Function<'m>) -> Vec<Declaration<'m>> {
    let declares = function.instructions().into_iter().filter(|instruction| is_declare(*instruction));
    let read = |instruction: llvm::Instruction<'m>| match instruction.metadata_arguments(source)[..] {
        [Some(holder), Some(variable), expression] => {
            Some(Declaration { holder: holder.value()?, variable, expression })
        }
        _ => None,
    };
    declares.filter_map(read).collect()
}

/// What cannot be read is not known: that hinders nobody.
fn initial_contents<'m>(lowering: &mut Lowering<'m>, value: llvm::Value<'m>) -> Option<Arc<Constant>> {
    let is_variable = value.kind() == llvm::LLVMValueKind::LLVMGlobalVariableValueKind;
    if !is_variable || value.is_thread_local() {
        return None;
    }
    lowering.shared_constant(value.initialiser()?).ok()
}

struct Reading<'m> {
    source: &'m llvm::Module,
    types: Types<'m>,
    files: HashMap<(String, String), Arc<SourceFile>>,
    scopes: HashMap<Metadata<'m>, (FunctionId, ScopeId)>,
    functions: Vec<FunctionDebug>,
    owners: HashMap<Metadata<'m>, FunctionId>,
}

impl<'m> Reading<'m> {
    fn function(
        &mut self,
        id: FunctionId,
        function: llvm::Function<'m>,
        numbers: &Numbers<'m>,
        declarations: &[Declaration<'m>],
    ) {
        let Some(subprogram) = function.subprogram(self.source).filter(|_| !function.is_declaration()) else { return };
        self.functions[id.index()].name =
            subprogram.operand(2).and_then(Metadata::string).unwrap_or_else(|| function.name());
        self.functions[id.index()].ty = subprogram.operand(4).map(|ty| self.types.id(Some(ty)));
        self.scope(subprogram);
        let parameters: HashMap<_, u32> = function.parameters().zip(0..).collect();
        let mut scope_of = vec![None; numbers.len()];
        for instruction in function.instructions() {
            if let Some(number) = numbers.get(&instruction.value()) {
                let scope = instruction.scope(self.source).and_then(|scope| self.scope(scope));
                scope_of[number.index()] = scope.filter(|(owner, _)| *owner == id).map(|(_, scope)| scope);
            }
        }
        let mut variables = Vec::new();
        for declaration in declarations {
            let operand = match (numbers.get(&declaration.holder), parameters.get(&declaration.holder)) {
                (Some(&number), _) => Operand::Result(number),
                (None, Some(&position)) => Operand::Parameter(position),
                (None, None) => continue,
            };
            variables.extend(self.variable(id, declaration.variable, operand, declaration.expression));
        }
        variables.sort_by_key(|v| v.parameter.unwrap_or(u32::MAX));
        let debug = &mut self.functions[id.index()];
        debug.scope_of = scope_of;
        debug.variables = variables;
    }

    fn variable(
        &mut self,
        function: FunctionId,
        variable: Metadata<'m>,
        holder: Operand,
        expression: Option<Metadata<'m>>,
    ) -> Option<Variable> {
        let (owner, scope) = self.scope(variable.variable_scope()?)?;
        if owner != function {
            return None;
        }
        let text = variable.print();
        Some(Variable {
            name: variable.operand(1).and_then(Metadata::string).unwrap_or_default(),
            ty: self.types.id(variable.operand(3)),
            scope,
            line: variable.variable_line(),
            file: self.file(variable),
            parameter: field(&text, "arg").and_then(|number| number.parse().ok()),
            is_artificial: field(&text, "flags").is_some_and(|flags| flags.contains("DIFlagArtificial")),
            holder,
            path: address_path(expression)?,
        })
    }

    fn globals(&mut self, value: llvm::Value<'m>, position: u32) -> Vec<GlobalVariable> {
        let mut found = Vec::new();
        for (variable, expression) in value.global_debug(self.source) {
            // The text of a literal has a type, but no name.
            let Some(name) = variable.operand(1).and_then(Metadata::string) else { continue };
            let offset = match address_path(expression).as_deref() {
                Some([]) => 0,
                Some([AddressStep::Add(offset)]) => *offset,
                _ => continue,
            };
            let scope = variable.variable_scope();
            found.push(GlobalVariable {
                name,
                within: scope.map(|scope| name_and_surroundings(Some(scope))).unwrap_or_default(),
                ty: self.types.id(variable.operand(3)),
                position,
                owner: scope.and_then(|scope| self.scope(scope)),
                line: variable.variable_line(),
                file: self.file(variable),
                offset,
            });
        }
        found
    }

    /// The function a block belongs to, and its number there; both it and the blocks around it get one when first met.
    fn scope(&mut self, scope: Metadata<'m>) -> Option<(FunctionId, ScopeId)> {
        let mut unknown = Vec::new();
        let mut current = scope;
        let (function, mut parent) = loop {
            if let Some(&(function, id)) = self.scopes.get(&current) {
                break (function, Some(id));
            }
            unknown.push(current);
            match current.kind() {
                MetadataKind::LLVMDISubprogramMetadataKind => break (*self.owners.get(&current)?, None),
                MetadataKind::LLVMDILexicalBlockMetadataKind | MetadataKind::LLVMDILexicalBlockFileMetadataKind => {
                    current = current.operand(1)?;
                }
                _ => return None,
            }
        };
        for block in unknown.into_iter().rev() {
            let scopes = &mut self.functions[function.index()].scopes;
            let id = ScopeId(scopes.len() as u32);
            scopes.push(Scope { parent });
            self.scopes.insert(block, (function, id));
            parent = Some(id);
        }
        parent.map(|id| (function, id))
    }

    fn file(&mut self, variable: Metadata<'m>) -> Option<Arc<SourceFile>> {
        let names = variable.variable_file()?;
        let file = self.files.entry(names).or_insert_with_key(|(directory, name)| {
            Arc::new(SourceFile { directory: directory.clone(), name: name.clone() })
        });
        Some(file.clone())
    }
}

fn is_declare(instruction: llvm::Instruction<'_>) -> bool {
    instruction.opcode() == LLVMOpcode::LLVMCall
        && instruction.callee().as_function().is_some_and(|f| f.name() == "llvm.dbg.declare")
}

/// The operations of an address expression; `None` if it has others than we know.
fn address_path(expression: Option<Metadata<'_>>) -> Option<Vec<AddressStep>> {
    let Some(expression) = expression else { return Some(Vec::new()) };
    let text = expression.print();
    let inside = text.split_once("!DIExpression(")?.1.split_once(')')?.0;
    let mut words = inside.split(',').map(str::trim).filter(|word| !word.is_empty());
    let mut path = Vec::new();
    while let Some(word) = words.next() {
        path.push(match word {
            "DW_OP_deref" => AddressStep::Follow,
            "DW_OP_plus_uconst" => AddressStep::Add(words.next()?.parse().ok()?),
            _ => return None,
        });
    }
    Some(path)
}

/// A field of an entry's text form: `encoding: DW_ATE_signed`.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    // Texts in quotes come first (`name: "..."`) and may hold anything; LLVM escapes quotes within them.
    let mut rest = text;
    while let Some(at) = rest.find(['"', '(', ',']) {
        let is_quote = rest[at..].starts_with('"');
        rest = &rest[at + 1..];
        if is_quote {
            rest = rest.split_once('"')?.1;
            continue;
        }
        let Some(value) = rest.trim_start().strip_prefix(name).and_then(|r| r.strip_prefix(": ")) else { continue };
        let end = value.find([',', ')']).unwrap_or(value.len());
        return Some(&value[..end]);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_found_outside_of_quotes() {
        let text = r#"!DIEnumerator(name: "a, value: 7", value: -3, isUnsigned: true)"#;
        assert_eq!(field(text, "value"), Some("-3"));
        assert_eq!(field(text, "isUnsigned"), Some("true"));
        assert_eq!(field(text, "size"), None);
    }
}
