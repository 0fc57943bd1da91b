//! The program as a newcomer meets it: every mistake ends with one helpful line and the right code.

mod commands;
mod inputs;
mod outputs;
mod program;
