//! Motion: what is left of the steered velocity after walls and other units had their say.

pub(crate) mod relax;
pub mod walls;
