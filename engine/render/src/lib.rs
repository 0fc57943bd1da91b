//! Rendering of crowds with [wgpu]: the map, all units in one instanced draw, rings, bars, lines
//! and debug layers.
//!
//! Everything shown is plain data in a [`Frame`]; a game with a window and a device of its own
//! gives them to a [`Renderer`] (see the example `own_window`), pictures without a window are made
//! by [`Offscreen`].
//!
//! A unit costs 16 bytes of upload a tick and nothing between ticks: the shader moves it between
//! the last two ticks by [`Frame::blend`].

mod atlas;
mod cells;
mod error;
mod fan;
mod frame;
mod gather;
mod gpu;
mod ground;
mod layers;
mod mark;
mod noise;
mod offscreen;
mod order;
mod pipeline;
mod renderer;
pub mod simulation;
mod texture;
mod units;
mod view;

pub use error::RenderError;
pub use frame::{Frame, TEAM_COLOURS, UnitColumns};
pub use gpu::Gpu;
pub use ground::Ground;
pub use layers::{Layer, Layers};
pub use mark::Mark;
pub use offscreen::Offscreen;
pub use renderer::{DrawStats, Renderer};
pub use view::View;
