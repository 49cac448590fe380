//! Where a step is, for a finding.

use execution::Run;
use execution::dependence::Moment;
use execution::lines::{function_name, line_at, shown_path};
use findings::Location;

/// The source position of a step; of one without a position, that of the one before it. `None` for code without debug
/// information.
pub fn location(run: &Run<'_>, at: Moment) -> Option<Location> {
    let module = run.functions.module(at.function).ok()?;
    let function = run.functions.function(at.function);
    let line = line_at(module, function, at.instruction)?;
    let column = function.instruction(at.instruction).location.map_or(0, |location| location.column);
    let name = function_name(&run.functions, at.function);
    Some(Location { file: shown_path(&line.file), line: line.line, column, function: name })
}

/// The source position that the compiler gave the step itself.
pub fn own_location(run: &Run<'_>, at: Moment) -> Option<Location> {
    run.functions.function(at.function).instruction(at.instruction).location.filter(|own| own.line > 0)?;
    location(run, at)
}
