//! Motion: what is left of the steered velocity after walls and other units had their say.

pub mod walls;
pub(crate) mod relax;
