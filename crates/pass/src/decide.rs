//! Decides what each instruction does towards log, clock and hash, and writes it into the module as metadata and
//! attributes: the one place that `instrument` and, through the saved IR, the replay take it from.

use std::collections::{HashMap, HashSet};

use abi::{HASHES, IntrinsicClass, Probe, SHADOWS, TICKS, site_key};
use llvm::{Function, Instruction, LLVMOpcode, LLVMValueKind, Module, TypeKind, Value};
use llvm_sys::LLVMAttributeFunctionIndex;
use llvm_sys::core::*;

use crate::{Check, Options, eligible, locals, type_hash};

pub struct Decisions<'m> {
    /// Instrumented functions, with their position in the module.
    pub functions: Vec<FunctionDecision<'m>>,
}

pub struct FunctionDecision<'m> {
    pub function: Function<'m>,
    pub id: u32,
    pub is_open: bool,
    pub type_hash: u32,
    /// Bytes and alignment of the frame, if its address is logged.
    pub frame: Option<(u64, u64)>,
    /// Parameters passed by value in memory, by position.
    pub by_value: Vec<u32>,
    /// The clock advances on entry.
    pub entry_tick: bool,
    /// One for each instruction of the function, in order.
    pub probes: Vec<InstructionProbe>,
}

#[derive(Clone, Copy)]
pub struct InstructionProbe {
    pub probe: Probe,
    pub flags: u32,
    pub argument: u64,
}

impl InstructionProbe {
    const NONE: InstructionProbe = InstructionProbe { probe: Probe::Plain, flags: 0, argument: 0 };

    pub fn ticks(self) -> bool {
        self.flags & TICKS != 0
    }

    /// The shadow follows this store.
    pub fn shadows(self) -> bool {
        self.flags & SHADOWS != 0
    }

    pub fn hashes(self) -> bool {
        self.flags & HASHES != 0
    }
}

pub fn decide<'m>(module: &'m Module, options: &Options) -> Decisions<'m> {
    let resolvers = eligible::resolvers(module);
    let mut inside = HashSet::new();
    let mut limits = Vec::new();
    for function in module.functions().filter(|f| !f.is_declaration()) {
        match eligible::eligible(module, function, &resolvers) {
            Ok(()) => {
                inside.insert(function);
            }
            Err(why) => limits.push(format!("{} {why}", function.name())),
        }
    }
    let open: HashSet<_> = inside.iter().copied().filter(|f| is_open(*f, &inside)).collect();
    let functions: Vec<_> = module
        .functions()
        .enumerate()
        .filter(|(_, f)| inside.contains(f))
        .map(|(id, f)| decide_function(module, f, id as u32, &inside, &open, options))
        .collect();
    for decision in &functions {
        annotate(module, decision);
    }
    for limit in &limits {
        add_limit(module, limit);
    }
    Decisions { functions }
}

/// Whether code we do not see the calls of can reach the function.
fn is_open<'m>(function: Function<'m>, inside: &HashSet<Function<'m>>) -> bool {
    !function.is_private()
        || function.value().users().into_iter().any(|user| {
            let Some(call) = user.as_instruction() else { return true };
            !(matches!(call.opcode(), LLVMOpcode::LLVMCall | LLVMOpcode::LLVMInvoke)
                && call.callee() == function.value()
                && call.called_type() == function.function_type()
                && call.arguments().all(|a| a != function.value())
                && inside.contains(&call.block().function()))
        })
}

fn decide_function<'m>(
    module: &Module,
    function: Function<'m>,
    id: u32,
    inside: &HashSet<Function<'m>>,
    open: &HashSet<Function<'m>>,
    options: &Options,
) -> FunctionDecision<'m> {
    let instructions = function.instructions();
    let returns_twice = instructions.iter().any(|i| is_setjmp(*i));
    let lands = instructions.iter().any(|i| i.opcode() == LLVMOpcode::LLVMLandingPad);
    // After a second return, what registers hold is anybody's guess: keep everything in memory.
    let unlogged = if returns_twice { HashSet::new() } else { locals::unlogged(function) };
    let layout = frame_layout(module, function, &unlogged);
    let endless = endless_jumps(function);
    let source_file = module.source_file();

    let probes: Vec<_> = instructions
        .iter()
        .enumerate()
        .map(|(position, &instruction)| {
            use LLVMOpcode::*;
            let probe = |probe, flags, argument| InstructionProbe { probe, flags, argument };
            match instruction.opcode() {
                LLVMAlloca if unlogged.contains(&instruction) => probe(Probe::Local, 0, 0),
                LLVMAlloca => match layout.offsets.get(&instruction) {
                    Some(&offset) => probe(Probe::Frame, 0, offset),
                    None => probe(Probe::Dynamic, 0, 0),
                },
                LLVMLoad if is_local(instruction.operand(0), &unlogged) => InstructionProbe::NONE,
                LLVMLoad if is_watched(instruction) => {
                    probe(Probe::Watched, 0, site_key(&source_file, id, position as u32).into())
                }
                LLVMLoad => probe(Probe::Logged, 0, 0),
                LLVMStore => {
                    let hashes = options.check == Check::Stores && is_narrow(instruction.operand(0));
                    let shadows = !is_local(instruction.operand(1), &unlogged) && instruction.is_plain_access();
                    let flags = [(hashes, HASHES), (shadows, SHADOWS)].into_iter().filter(|f| f.0).map(|f| f.1);
                    probe(Probe::Plain, flags.fold(TICKS, |all, flag| all | flag), 0)
                }
                LLVMAtomicRMW | LLVMAtomicCmpXchg => probe(Probe::Logged, TICKS, 0),
                LLVMBr if instruction.successors().len() == 2 => probe(Probe::Plain, TICKS | HASHES, 0),
                LLVMBr if endless.contains(&instruction) => probe(Probe::Plain, TICKS, 0),
                LLVMSwitch => {
                    let hashes = if is_narrow(instruction.operand(0)) { HASHES } else { 0 };
                    probe(Probe::Plain, TICKS | hashes, 0)
                }
                LLVMLandingPad => probe(Probe::Landing, 0, 0),
                LLVMCall | LLVMInvoke => decide_call(module, instruction, inside, open),
                _ => InstructionProbe::NONE,
            }
        })
        .collect();

    let entry_tick = needs_entry_tick(function, &probes);
    let by_value =
        (0..function.parameters().count() as u32).filter(|i| function.has_attribute(i + 1, "byval")).collect();
    let needs_frame = !layout.offsets.is_empty() || returns_twice || lands;
    FunctionDecision {
        function,
        id,
        is_open: open.contains(&function),
        type_hash: type_hash::of_function(module, function),
        frame: needs_frame.then_some((layout.size.max(16), layout.alignment)),
        by_value,
        entry_tick,
        probes,
    }
}

fn decide_call<'m>(
    module: &Module,
    call: Instruction<'m>,
    inside: &HashSet<Function<'m>>,
    open: &HashSet<Function<'m>>,
) -> InstructionProbe {
    let probe = |probe, flags, argument| InstructionProbe { probe, flags, argument };
    if call.callee().kind() == LLVMValueKind::LLVMInlineAsmValueKind {
        return probe(Probe::Logged, 0, 0);
    }
    if let Some(function) = call.callee().as_function() {
        if function.is_intrinsic() {
            return match abi::classify(&function.name()) {
                IntrinsicClass::Computed if computes(call) => InstructionProbe::NONE,
                IntrinsicClass::Ignored => InstructionProbe::NONE,
                IntrinsicClass::Memory => probe(Probe::Plain, TICKS, 0),
                IntrinsicClass::Computed | IntrinsicClass::Logged => probe(Probe::Logged, 0, 0),
            };
        }
        if inside.contains(&function) && !open.contains(&function) {
            return probe(Probe::Closed, 0, type_hash::of_call(module, call).into());
        }
    }
    let kind = if is_setjmp(call) { Probe::Setjmp } else { Probe::Open };
    let is_indirect = call.callee().kind() == LLVMValueKind::LLVMGlobalIFuncValueKind;
    let type_hash = if is_indirect { abi::NO_TYPE } else { type_hash::of_call(module, call) };
    probe(kind, 0, type_hash.into())
}

/// The replay computes intrinsics on scalars only.
fn computes(call: Instruction<'_>) -> bool {
    let result = call.ty();
    let scalar = |v: Value<'_>| is_narrow(v);
    let overflow_pair = result.kind() == TypeKind::LLVMStructTypeKind;
    (overflow_pair || is_narrow(call.value())) && call.arguments().all(scalar)
}

/// Values of up to 64 bits that `Builder::widen` takes.
fn is_narrow(value: Value<'_>) -> bool {
    let ty = value.ty();
    match ty.kind() {
        TypeKind::LLVMIntegerTypeKind => ty.bits() <= 64,
        TypeKind::LLVMPointerTypeKind | TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => true,
        _ => false,
    }
}

/// Plain loads of whole bytes up to eight. A volatile or atomic one may be read just once, so it is logged as it is.
fn is_watched(load: Instruction<'_>) -> bool {
    let ty = load.ty();
    let whole = ty.kind() != TypeKind::LLVMIntegerTypeKind || matches!(ty.bits(), 8 | 16 | 32 | 64);
    whole && load.is_plain_access() && is_narrow(load.value())
}

/// Whether entering the function must advance the clock: if nothing else in its first block does, or not before a call.
/// So every execution of a function has a tick of its own, and clock, depth of the stack and site name a step.
fn needs_entry_tick(function: Function<'_>, probes: &[InstructionProbe]) -> bool {
    let entry = function.blocks().first().map_or(0, |b| b.instructions().count());
    let first_call =
        probes[..entry].iter().position(|p| matches!(p.probe, Probe::Open | Probe::Closed | Probe::Setjmp));
    let first_tick = probes[..entry].iter().position(|p| p.ticks());
    match (first_call, first_tick) {
        (Some(call), Some(tick)) => call < tick,
        (None, Some(_)) => false,
        (_, None) => true,
    }
}

fn is_setjmp(instruction: Instruction<'_>) -> bool {
    matches!(instruction.opcode(), LLVMOpcode::LLVMCall)
        && instruction.callee().kind() != LLVMValueKind::LLVMInlineAsmValueKind
        && instruction.has_call_attribute(LLVMAttributeFunctionIndex, "returns_twice")
}

fn is_local<'m>(address: Value<'m>, unlogged: &HashSet<Instruction<'m>>) -> bool {
    address.as_instruction().is_some_and(|i| unlogged.contains(&i))
}

struct FrameLayout<'m> {
    offsets: HashMap<Instruction<'m>, u64>,
    size: u64,
    alignment: u64,
}

/// Lays the locals that live in memory out as -O0 code does, the first at the highest address, so that what runs over
/// one of them meets the neighbour it would have met.
fn frame_layout<'m>(module: &Module, function: Function<'m>, unlogged: &HashSet<Instruction<'m>>) -> FrameLayout<'m> {
    let mut layout = FrameLayout { offsets: HashMap::new(), size: 0, alignment: 16 };
    let Some(entry) = function.blocks().first().copied() else { return layout };
    let mut members: Vec<_> = entry
        .instructions()
        .filter(|i| i.opcode() == LLVMOpcode::LLVMAlloca && !unlogged.contains(i))
        .filter_map(|i| {
            let size = i.alloca_type().alloc_size(module).saturating_mul(i.operand(0).as_integer()?);
            Some((i, size, u64::from(i.alignment()).max(1)))
        })
        .collect();
    members.reverse();
    for (alloca, size, alignment) in members {
        let offset = layout.size.next_multiple_of(alignment);
        layout.offsets.insert(alloca, offset);
        layout.size = offset + size;
        layout.alignment = layout.alignment.max(alignment);
    }
    layout.size = layout.size.next_multiple_of(layout.alignment);
    layout
}

/// Unconditional jumps that close a circle no branch is on: without a tick there, an endless loop would never meet
/// the clock.
fn endless_jumps<'m>(function: Function<'m>) -> HashSet<Instruction<'m>> {
    let only_successor = |jump: Instruction<'m>| match jump.successors()[..] {
        [next] if jump.opcode() == LLVMOpcode::LLVMBr => Some(next),
        _ => None,
    };
    let mut settled = HashSet::new();
    let mut endless = HashSet::new();
    for block in function.blocks() {
        let mut path = Vec::new();
        let mut current = block;
        while settled.insert(current) {
            path.push(current);
            let Some(next) = only_successor(current.terminator()) else { break };
            if path.contains(&next) {
                endless.insert(current.terminator());
                break;
            }
            current = next;
        }
    }
    endless
}

fn annotate(module: &Module, decision: &FunctionDecision<'_>) {
    let kind = module.metadata_kind(abi::PROBE_METADATA);
    // SAFETY: texts are given with their lengths; metadata and attributes are made in the module's context, of numbers and
    // texts only, and put on a function of the module and its instructions.
    unsafe {
        let context = module.context();
        let attribute = |name: &str, value: &str| {
            let attribute = LLVMCreateStringAttribute(
                context,
                name.as_ptr().cast(),
                name.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(decision.function.raw(), LLVMAttributeFunctionIndex, attribute);
        };
        attribute(abi::FUNCTION_ATTRIBUTE, if decision.is_open { "open" } else { "closed" });
        attribute(abi::TYPE_ATTRIBUTE, &decision.type_hash.to_string());
        if let Some((size, _)) = decision.frame {
            attribute(abi::FRAME_ATTRIBUTE, &size.to_string());
        }
        if decision.entry_tick {
            attribute(abi::ENTRY_TICK_ATTRIBUTE, "");
        }
        let i64 = LLVMInt64TypeInContext(context);
        for (instruction, probe) in decision.function.instructions().into_iter().zip(&decision.probes) {
            let code = probe.probe.code(probe.flags);
            if code == 0 {
                continue;
            }
            let integer = |n: u64| LLVMValueAsMetadata(LLVMConstInt(i64, n, 0));
            let mut operands = [integer(code.into()), integer(probe.argument)];
            let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), operands.len());
            LLVMSetMetadata(instruction.raw(), kind, LLVMMetadataAsValue(context, node));
        }
    }
}

fn add_limit(module: &Module, limit: &str) {
    // SAFETY: the text is given with its length; the node is made in the module's context, and the name is copied.
    unsafe {
        let context = module.context();
        let mut text = [LLVMMDStringInContext2(context, limit.as_ptr().cast(), limit.len())];
        let node = LLVMMDNodeInContext2(context, text.as_mut_ptr(), text.len());
        let name = std::ffi::CString::new(abi::LIMITS_METADATA).unwrap_or_default();
        LLVMAddNamedMetadataOperand(module.raw(), name.as_ptr(), LLVMMetadataAsValue(context, node));
    }
}
