//! What `faultline-cc` promises as a drop-in: the same command line, given to clang and to faultline-cc in two equal
//! folders, leaves the same files, says the same and ends the same.

mod stage;
mod same;

mod outputs;
mod inputs;
mod dependencies;
mod handed_over;
mod headers;
mod linking;
mod library_twins;
mod levels;
mod failures;
mod refused;
mod build_systems;
