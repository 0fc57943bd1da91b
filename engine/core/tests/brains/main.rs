//! What state machines and orders promise, by the public interface.

mod battle;
mod blows;
mod field;
mod flight;
mod handles;
mod machine;
mod orders;
mod posts;
mod pushing;
mod reading;
mod targets;
