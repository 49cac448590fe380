//! What each pointer of a function may point to, without regard to the order of instructions.
//!
//! Clang's -O0 code keeps every variable in memory. A variable that is only loaded and stored (its address goes nowhere
//! else) is followed as a value: what is loaded from it is one of the things stored to it. All else that is loaded from
//! memory may be a pointer to anything.

use std::collections::{HashMap, HashSet};

use crate::FunctionKey;
use budget::{Budget, Spent};

use super::place::{Base, Bytes, ContainerId, Field, Place};
use super::{Names, VariableId};
use crate::{CastOp, Constant, ConstantOp, Function, InstructionId, Module, Op, Operand, Type};

/// Something a pointer may point to: an object, and where in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub base: Base,
    /// Smallest and greatest offset from the base; none: any.
    pub offset: Option<(i64, i64)>,
    /// The struct around it, and the offsets in that.
    pub field: Option<(ContainerId, (i64, i64))>,
}

pub(super) struct Pointers {
    /// By instruction; at most one for each base.
    targets: Vec<Vec<Target>>,
    followed: HashSet<InstructionId>,
}

/// A pointer that still changes after so many visits moves in a loop.
const MOST_VISITS: u32 = 4;

/// Instructions after which the budget is asked again.
const ASKED_EVERY: usize = 256;

impl Target {
    fn whole(base: Base) -> Target {
        Target { base, offset: Some((0, 0)), field: None }
    }

    fn anywhere(base: Base) -> Target {
        Target { base, offset: None, field: None }
    }

    pub fn place(&self, size: Option<u64>) -> Place {
        let bytes = |(least, most): (i64, i64)| {
            Some(Bytes { begin: least, end: most.checked_add(i64::try_from(size?).ok()?)? })
        };
        let field = self.field.and_then(|(container, span)| Some(Field { container, bytes: bytes(span)? }));
        Place { base: self.base, bytes: self.offset.and_then(bytes), field }
    }
}

impl Pointers {
    pub fn of(module: &Module, function: FunctionKey, names: &mut Names, budget: &Budget) -> Result<Pointers, Spent> {
        let body = module.function(function.function);
        intern_containers(body, names);
        let count = body.instructions.len();
        let mut pointers = Pointers { targets: vec![Vec::new(); count], followed: followed(body) };
        let mut stored: HashMap<InstructionId, Vec<Target>> = HashMap::new();
        let mut visits = vec![0; count];
        let mut changed = true;
        while changed {
            changed = false;
            for (position, instruction) in body.instructions.iter().enumerate() {
                if position.is_multiple_of(ASKED_EVERY) {
                    budget.go_on()?;
                }
                let found = match &instruction.op {
                    Op::Store { value, address: Operand::Result(variable), .. }
                        if pointers.followed.contains(variable) =>
                    {
                        let value = pointers.targets(module, function, names, value);
                        let known = stored.entry(*variable).or_default();
                        changed |= join(known, &value);
                        continue;
                    }
                    Op::Load { address: Operand::Result(variable), .. } if pointers.followed.contains(variable) => {
                        stored.get(variable).cloned().unwrap_or_default()
                    }
                    op => pointers.result(module, function, names, position, op, &instruction.ty),
                };
                if join(&mut pointers.targets[position], &found) {
                    changed = true;
                    visits[position] += 1;
                    if visits[position] > MOST_VISITS {
                        pointers.targets[position]
                            .iter_mut()
                            .for_each(|target| *target = Target::anywhere(target.base));
                    }
                }
            }
        }
        Ok(pointers)
    }

    /// Whether the alloca is a variable that is followed as a value.
    pub fn follows(&self, alloca: InstructionId) -> bool {
        self.followed.contains(&alloca)
    }

    /// Empty if the operand is no pointer, or null.
    pub fn targets(&self, module: &Module, function: FunctionKey, names: &Names, operand: &Operand) -> Vec<Target> {
        match operand {
            Operand::Result(id) => self.targets[id.index()].clone(),
            Operand::Parameter(position) => {
                let parameter = &module.function(function.function).parameters[*position as usize];
                match (parameter.by_value, &parameter.ty) {
                    (true, _) => vec![Target::whole(Base::Copy(function, *position))],
                    (false, Type::Pointer) => vec![Target::whole(Base::Parameter(function, *position))],
                    (false, _) => Vec::new(),
                }
            }
            Operand::Constant(constant) => constant_target(module, names, constant).into_iter().collect(),
        }
    }

    fn result(
        &self,
        module: &Module,
        function: FunctionKey,
        names: &Names,
        position: usize,
        op: &Op,
        ty: &Type,
    ) -> Vec<Target> {
        let of = |operand: &Operand| self.targets(module, function, names, operand);
        let anything = || if may_hold_pointer(ty) { vec![Target::anywhere(Base::Unknown)] } else { Vec::new() };
        match op {
            Op::Alloca { .. } => vec![Target::whole(Base::Local(function, InstructionId(position as u32)))],
            Op::ElementPointer { base, stepped, offset, indices } => {
                let variable = indices.iter().map(|index| span_of(index.stride, stepped)).collect::<Vec<_>>();
                of(base).into_iter().map(|target| step(target, names, stepped, *offset, &variable)).collect()
            }
            Op::Cast { op: CastOp::Bitcast, value, .. } | Op::Freeze { value } => of(value),
            Op::Select { then, otherwise, .. } => {
                let mut all = of(then);
                join(&mut all, &of(otherwise));
                all
            }
            Op::Phi { incoming } => {
                let mut all = Vec::new();
                for (_, value) in incoming {
                    join(&mut all, &of(value));
                }
                all
            }
            // A call may give back a pointer to anything, and to what it was given.
            Op::Call(call) | Op::Invoke { call, .. } => {
                let mut all = anything();
                if !all.is_empty() {
                    for argument in &call.arguments {
                        let given: Vec<Target> =
                            of(argument).into_iter().map(|target| Target::anywhere(target.base)).collect();
                        join(&mut all, &given);
                    }
                }
                all
            }
            Op::Cast { .. }
            | Op::Load { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. }
            | Op::ExtractValue { .. }
            | Op::InsertValue { .. }
            | Op::ExtractElement { .. }
            | Op::InsertElement { .. }
            | Op::Shuffle { .. }
            | Op::LandingPad => anything(),
            Op::Binary { .. }
            | Op::FNeg { .. }
            | Op::ICmp { .. }
            | Op::FCmp { .. }
            | Op::Store { .. }
            | Op::Fence
            | Op::Jump { .. }
            | Op::Branch { .. }
            | Op::Switch { .. }
            | Op::Return { .. }
            | Op::Resume { .. }
            | Op::Unreachable => Vec::new(),
        }
    }
}

/// Allocas that are nothing but the address of loads and stores.
fn followed(function: &Function) -> HashSet<InstructionId> {
    let allocas = function.instructions.iter().zip(0..);
    let mut followed: HashSet<InstructionId> =
        allocas.filter(|(i, _)| matches!(i.op, Op::Alloca { .. })).map(|(_, id)| InstructionId(id)).collect();
    let mut drop = |operand: &Operand| {
        if let Operand::Result(id) = operand {
            followed.remove(id);
        }
    };
    for instruction in &function.instructions {
        match &instruction.op {
            Op::Load { .. } => {}
            Op::Store { value, .. } => drop(value),
            op => op.for_each_operand(&mut drop),
        }
    }
    followed
}

fn intern_containers(function: &Function, names: &mut Names) {
    for instruction in &function.instructions {
        if let Op::ElementPointer { stepped: stepped @ Type::Struct { .. }, .. } = &instruction.op {
            let next = ContainerId(names.containers.len() as u32);
            names.containers.entry(stepped.clone()).or_insert(next);
        }
    }
}

/// How far an index chosen at run time can lead: inside the array it indexes, or anywhere.
fn span_of(stride: u64, stepped: &Type) -> Option<i64> {
    match stepped {
        Type::Array { count, stride: element, .. } if *element == stride => {
            i64::try_from(count.saturating_sub(1).checked_mul(stride)?).ok()
        }
        _ => None,
    }
}

fn step(target: Target, names: &Names, stepped: &Type, offset: i64, variable: &[Option<i64>]) -> Target {
    let span: Option<i64> = variable.iter().copied().try_fold(0i64, |sum, span| sum.checked_add(span?));
    let moved =
        |(least, most): (i64, i64)| Some((least.checked_add(offset)?, most.checked_add(offset)?.checked_add(span?)?));
    let field = match (names.containers.get(stepped), stepped) {
        // The first index steps over whole structs, so only the rest is an offset in one.
        (Some(&container), Type::Struct { size, .. }) if *size > 0 => {
            let inside = offset.rem_euclid(*size as i64);
            Some((container, (inside, inside)))
        }
        _ => target.field.and_then(|(container, span)| Some((container, moved(span)?))),
    };
    Target { base: target.base, offset: target.offset.and_then(moved), field }
}

fn constant_target(module: &Module, names: &Names, constant: &Constant) -> Option<Target> {
    match &constant.op {
        ConstantOp::Address(position) => variable(module, names, *position).map(|v| Target::whole(Base::Global(v))),
        ConstantOp::Offset(inner, offset) => {
            let target = constant_target(module, names, inner)?;
            let moved = |(least, most): (i64, i64)| Some((least.checked_add(*offset)?, most.checked_add(*offset)?));
            Some(Target { offset: target.offset.and_then(moved), ..target })
        }
        ConstantOp::Cast(_, inner) => constant_target(module, names, inner),
        ConstantOp::Zero
        | ConstantOp::Scalar(_)
        | ConstantOp::Bytes(_)
        | ConstantOp::Aggregate(_)
        | ConstantOp::Binary(..)
        | ConstantOp::Compare(..) => None,
    }
}

/// The global variable at a position of the module's table; none for functions.
fn variable(module: &Module, names: &Names, position: u32) -> Option<VariableId> {
    let is_function = (position as usize) < module.functions.len();
    let global = module.globals.get(position as usize).filter(|_| !is_function)?;
    names.variables.get(&global.name).copied()
}

/// Takes `more` into `all`; true if that changed something.
fn join(all: &mut Vec<Target>, more: &[Target]) -> bool {
    let mut changed = false;
    for target in more {
        match all.iter_mut().find(|known| known.base == target.base) {
            None => {
                all.push(*target);
                changed = true;
            }
            Some(known) => {
                let wider = widest(known, target);
                changed |= wider != *known;
                *known = wider;
            }
        }
    }
    changed
}

fn widest(a: &Target, b: &Target) -> Target {
    let wide = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
    let field = match (a.field, b.field) {
        (Some((container, a)), Some((other, b))) if container == other => Some((container, wide(a, b))),
        _ => None,
    };
    Target { base: a.base, offset: a.offset.zip(b.offset).map(|(a, b)| wide(a, b)), field }
}

fn may_hold_pointer(ty: &Type) -> bool {
    match ty {
        Type::Pointer => true,
        Type::Void | Type::Int(_) | Type::Float(_) => false,
        Type::Vector { element, .. } | Type::Array { element, .. } => may_hold_pointer(element),
        Type::Struct { fields, .. } => fields.iter().any(|(field, _)| may_hold_pointer(field)),
    }
}
