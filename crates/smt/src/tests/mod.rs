//! Random terms, made twice: simplified, and as a plain list of steps with arithmetic of its own. What is clever is compared
//! with what is plain.

mod random;
mod blast;
mod ask;
mod judge;
mod deep;
mod simplify;
