//! In: a compiler command line, as clang understands it. Out: runs of clang, with the instrumentation between the
//! front end and the code generator, and the runtime added to what is linked.
//! Deliberately absent: knowledge of recordings, and a parser of compiler options.
//!
//! The second absence is what makes this a true drop-in. clang's own driver reads the command line, response files,
//! configuration files and environment included: asked with `-###`, it prints the jobs it would run. Of those jobs
//! only three kinds concern us, and only they are changed:
//!
//! * a C or C++ source compiled to an object or assembly becomes three: front end at -O0, instrumentation, code
//!   generation at the level the user asked for (`compile`, `cc1`);
//! * what such a job will read (precompiled headers, preprocessed sources) is made with the same front-end options;
//! * a link gets the runtime (`link`).
//!
//! Everything else is clang's: if no job concerns us, clang is executed with the very arguments we were given.

mod own_option;
mod clang;
mod job;
mod installed;
mod cc1;
mod compile;
mod link;
mod run;

pub use run::main;
