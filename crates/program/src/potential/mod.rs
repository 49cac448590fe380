//! What could have been defined: facts about memory that hold in every run, for what did not happen in this one.
//!
//! In: all modules of a program. Out: the places an instruction may write, through calls too; the definitions that
//! could reach a use if a branch went the other way (condition (iv) of definition 1 in Zhang, Tallam, Gupta and Gupta,
//! *Towards Locating Execution Omission Errors*); the branches that decide which definition reaches a use (algorithm 2 of
//! Li, Li, Huo and Feng, *Locating Software Faults Based on Minimum Debugging Frontier Set*).
//! Deliberately absent: a run. The dynamic conditions are the caller's.
//!
//! How: within a function, the objects each pointer may point to, without regard to the order of instructions
//! (`pointers`). Over the program, which objects pointers from elsewhere may reach (`escape`) and what each function may
//! write (`writes`). On demand, searches of one control-flow graph (`reach`).
//!
//! Conservative, so that a definition that could reach is not missed, under these assumptions: an index of an array
//! stays inside it; a pointer to a struct points to one of that type where another field of the same struct is compared
//! with it; outside code writes what its arguments point to and keeps pointers, unless `library` knows better; different
//! variables do not overlap. A run that breaks them (that is what bugs do) is seen by the dynamic analyses.

mod place;
mod pointers;
mod outside;
mod calls;
mod escape;
mod writes;
mod reach;
mod untaken;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};

use crate::FunctionKey;
use budget::{Budget, Spent};

pub use place::{Base, Bytes, ContainerId, Field, Place, VariableId};
pub use reach::Use;
pub use untaken::Untaken;

use crate::{Edge, Function, FunctionId, Module, Operand, Shape, Type};
use escape::Escape;
use pointers::Pointers;

/// The facts of a whole program. Its modules are named by their position in the list given to [`Potential::of`].
pub struct Potential<'m> {
    modules: Vec<&'m Module>,
    names: Names,
    /// By module and function.
    functions: Vec<Vec<Facts>>,
    escape: Escape,
    /// Ways of branches that were asked about.
    untaken: Mutex<HashMap<(FunctionKey, Edge), Arc<Untaken>>>,
}

struct Facts {
    pointers: Pointers,
    shape: OnceLock<Shape>,
    /// Places other than its own variables that a call of the function may write.
    writes: HashSet<Place>,
    /// There are so many that only the objects they are part of are known.
    is_coarse: bool,
    /// By instruction, what each may define; computed when first asked for.
    defined: OnceLock<Vec<Vec<Place>>>,
}

/// What the modules' names and types refer to, over the whole program.
#[derive(Default)]
struct Names {
    /// Variables of the same name are one: a variable with external linkage is declared in many modules. Static ones of
    /// the same name in several modules are taken together, which errs on the safe side.
    variables: HashMap<String, VariableId>,
    /// Functions with a body that other modules can call.
    functions: HashMap<String, Vec<FunctionKey>>,
    /// Functions whose address is used other than for a call, by the hash of their type.
    address_taken: HashMap<u32, Vec<FunctionKey>>,
    containers: HashMap<Type, ContainerId>,
}

impl<'m> Potential<'m> {
    /// Of a program of hundreds of thousands of lines it takes minutes, so it is given up when the budget is spent.
    pub fn of(modules: &[&'m Module], budget: &Budget) -> Result<Potential<'m>, Spent> {
        let mut potential = Potential::without_calls(modules, budget)?;
        writes::close_over_calls(&mut potential, budget)?;
        Ok(potential)
    }

    /// Before it is known what functions write that are called.
    fn without_calls(modules: &[&'m Module], budget: &Budget) -> Result<Potential<'m>, Spent> {
        let mut names = calls::names(modules);
        let facts = |module: u32, function: &Function, names: &mut Names| -> Result<Facts, Spent> {
            let key = FunctionKey { module, function: function.id };
            Ok(Facts {
                pointers: Pointers::of(modules[module as usize], key, names, budget)?,
                shape: OnceLock::new(),
                writes: HashSet::new(),
                is_coarse: false,
                defined: OnceLock::new(),
            })
        };
        let mut functions: Vec<Vec<Facts>> = Vec::new();
        for (module, position) in modules.iter().zip(0..) {
            let all = module.functions.iter().map(|function| facts(position, function, &mut names));
            functions.push(all.collect::<Result<_, _>>()?);
        }
        let mut potential = Potential {
            modules: modules.to_vec(),
            names,
            functions,
            escape: Escape::default(),
            untaken: Mutex::default(),
        };
        potential.escape = escape::escape(&potential, budget)?;
        Ok(potential)
    }

    pub fn function(&self, function: FunctionKey) -> &'m Function {
        self.modules[function.module as usize].function(function.function)
    }

    /// The variable's name for places, if the program has one of this name.
    pub fn variable(&self, name: &str) -> Option<VariableId> {
        self.names.variables.get(name).copied()
    }

    /// The control flow of a function, computed when first asked for.
    pub fn shape(&self, function: FunctionKey) -> &Shape {
        self.facts(function).shape.get_or_init(|| Shape::of(self.function(function)))
    }

    /// The places an access of this many bytes (unknown: any number) to this address may touch.
    pub fn places(&self, function: FunctionKey, address: &Operand, size: Option<u64>) -> Vec<Place> {
        let module = self.modules[function.module as usize];
        let targets = self.facts(function).pointers.targets(module, function, &self.names, address);
        if targets.is_empty() {
            return vec![Place::UNKNOWN];
        }
        targets.iter().map(|target| target.place(size)).collect()
    }

    /// Whether two places may share a byte.
    pub fn may_overlap(&self, a: &Place, b: &Place) -> bool {
        let apart = |a: Option<Bytes>, b: Option<Bytes>| a.zip(b).is_some_and(|(a, b)| !a.meets(b));
        if a.base.is_variable() && b.base.is_variable() {
            return a.base == b.base && !apart(a.bytes, b.bytes);
        }
        if let Some((a, b)) = a.field.zip(b.field)
            && a.container == b.container
        {
            return a.bytes.meets(b.bytes);
        }
        match (a.base.is_variable(), b.base.is_variable()) {
            (true, _) => self.escape.may_point(&b.base, &a.base),
            (_, true) => self.escape.may_point(&a.base, &b.base),
            (false, false) => true,
        }
    }

    fn facts(&self, function: FunctionKey) -> &Facts {
        &self.functions[function.module as usize][function.function.index()]
    }

    fn all(&self) -> impl Iterator<Item = FunctionKey> + use<> {
        let counts: Vec<u32> = self.functions.iter().map(|functions| functions.len() as u32).collect();
        let of = |(count, module)| (0..count).map(move |f| FunctionKey { module, function: FunctionId(f) });
        counts.into_iter().zip(0..).flat_map(of)
    }
}

#[cfg(test)]
mod tests;
