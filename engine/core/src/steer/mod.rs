//! Steering: the angular scan and its mask form.

pub mod directions;
