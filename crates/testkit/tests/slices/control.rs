//! Control dependence of a program's functions against its definition.

#[path = "../../../program/src/shape/tests/by_definition.rs"]
mod by_definition;

use by_definition::{Slow, check_control};
use execution::Run;
use program::{BlockId, Cfg, ControlDependence, Edge, FunctionKey, Shape};

/// The twin is slow; functions with more blocks take too long.
const MOST_BLOCKS: usize = 400;

/// Checks all functions of the program's own. How many there were, and how many of them were too long.
pub fn check(run: &Run<'_>) -> (usize, usize) {
    let image = run.image();
    let (mut checked, mut long) = (0, 0);
    for (position, _) in image.recording.modules().iter().enumerate() {
        let module = image.module(position).expect("a module that was replayed");
        for function in module.functions.iter().filter(|function| !function.blocks.is_empty()) {
            let key = FunctionKey { module: position as u32, function: function.id };
            if run.functions.is_twin(key) {
                continue;
            }
            if function.blocks.len() > MOST_BLOCKS {
                long += 1;
                continue;
            }
            let shape = Shape::of(function);
            check_control(&shape.cfg, &Slow::of(&shape.cfg), &shape.control);
            checked += 1;
        }
    }
    (checked, long)
}
