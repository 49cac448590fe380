//! Where a step is, for a finding.

use std::path::Path;

use abi::InstructionId;
use execution::Run;
use findings::Location;
use program::{Callee, Function, FunctionKey, Op, Operand};
use replay::Step;
use source::lines::{function_name, line_at, shown_path};

/// The source position of a step; of one without a position, that of the one before it. `None` for code without debug
/// information.
pub fn location(run: &Run<'_>, at: Step) -> Option<Location> {
    site_location(run, at.site.function, at.site.instruction)
}

/// The same of a site, executed or not.
pub fn site_location(run: &Run<'_>, key: FunctionKey, site: InstructionId) -> Option<Location> {
    let module = run.functions.module(key).ok()?;
    let function = run.functions.function(key);
    let line = line_at(module, function, site)?;
    let column = function.instruction(site).location.map_or(0, |location| location.column);
    let name = function_name(&run.functions, key);
    Some(Location { file: shown_path(&line.file), line: line.line, column, function: name })
}

/// Whether a file belongs to the system's compiler and libraries, whose templates and inline functions are compiled with the
/// program.
pub fn is_of_system(file: &str) -> bool {
    ["/usr/include/", "/usr/lib/", "/usr/local/include/"].iter().any(|folder| file.starts_with(folder))
}

/// Whether a step is the common end of a function that has several `return`s: it stands at the closing brace, and what is
/// returned was decided before.
pub fn is_common_end(run: &Run<'_>, at: Step) -> bool {
    let function = run.functions.function(at.site.function);
    let Op::Return { value: Some(Operand::Result(loaded)) } = &function.instruction(at.site.instruction).op else {
        return false;
    };
    let Op::Load { address, .. } = &function.instruction(*loaded).op else { return false };
    is_result_slot(function, address)
}

/// Whether an address is that of the place that holds what a function returns in the end, which has no name in the source.
pub fn is_result_slot(function: &Function, address: &Operand) -> bool {
    matches!(address, Operand::Result(slot) if function.is_result_slot(*slot))
}

/// Whether a step is a call of a function that is not the program's own.
pub fn is_outside_call(run: &Run<'_>, at: Step) -> bool {
    let (Op::Call(call) | Op::Invoke { call, .. }) = &run.functions.instruction(at.site).op else {
        return false;
    };
    match &call.callee {
        Callee::Function(id) => {
            let callee = run.functions.by_name(at.site.function, *id);
            callee.is_none_or(|callee| run.functions.is_twin(callee))
        }
        Callee::Symbol(_) | Callee::Assembly => true,
        Callee::Pointer(_) => false,
    }
}

/// The source position that the compiler gave the step itself.
pub fn own_location(run: &Run<'_>, at: Step) -> Option<Location> {
    run.functions.instruction(at.site).location.filter(|own| own.line > 0)?;
    location(run, at)
}

/// Where a step is, if it is one that the programmer wrote.
pub fn written_location(run: &Run<'_>, at: Step) -> Option<Location> {
    let is_seen = !run.functions.is_twin(at.site.function) && !is_common_end(run, at);
    own_location(run, at).filter(|place| is_seen && !is_system_file(place))
}

/// Whether a line is in a file of the system, which is hardly at fault.
pub fn is_system_file(place: &Location) -> bool {
    Path::new(&place.file).starts_with("/usr")
}
