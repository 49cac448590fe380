//! Techniques that ask a solver for inputs and for values.
//!
//! In: the subject of a failing run, or a program with an input. Out: new inputs (`exploring`), and what inputs near the failing one
//! (`generate`), the nearest run that succeeds (`paths`) and the narrowest places of a run (`frontier`) tell of the fault.
//! Deliberately absent: terms and their solving, which are `symbolic`'s and `smt`'s; what other techniques found.

pub mod exploring;
pub mod frontier;
pub mod generate;
pub mod paths;
