//! Gives undefined behaviour the meaning it has in clang's -O0 code, and removes what instrumentation cannot live
//! with. What comes out is what is saved, instrumented and replayed.

mod attributes;
mod computed_goto;
mod interposition;
mod conditions;
mod invoke;
mod rewrite;
mod strip;
mod twins;

pub use twins::TWINS;

use llvm::Module;

use crate::{Options, Twins};

pub fn prepare(module: &Module, options: &Options) {
    if options.twins == Twins::Used {
        twins::use_twins(module);
    }
    interposition::expect_stand_ins(module);
    computed_goto::expand(module);
    for function in module.functions() {
        attributes::strip(module, function);
        if function.is_declaration() {
            continue;
        }
        strip::strip(module, function);
        conditions::take_apart(module, function);
        rewrite::rewrite(module, function);
        invoke::split_normal_destinations(module, function);
    }
}
