//! What a picture is made from: plain data, so that any game can fill it.

use glam::Vec2;
use throng::spatial::Cells;

use crate::{Layers, Mark, View};

/// The units of a tick as columns of one length (the shortest counts), in the order of their ids:
/// units at the same height are drawn in that order.
#[derive(Clone, Copy, Debug, Default)]
pub struct UnitColumns<'a> {
    /// Centres after the last tick, in cells.
    pub position: &'a [Vec2],
    /// Centres one tick before, in cells.
    pub previous: &'a [Vec2],
    /// Headings in radians, 0 = right, growing clockwise on the screen.
    pub heading: &'a [f32],
    /// Radii in cells; drawn to 2 % between 0.05 and 12.
    pub radius: &'a [f32],
    /// Team numbers; colours repeat after [`TEAM_COLOURS`].
    pub team: &'a [u8],
    /// Frame of the atlas each unit shows, [`UnitColumns::BODY`] for a plain body. May be empty:
    /// then all are plain bodies.
    pub frame: &'a [u16],
    /// Which units lie on the ground and are drawn below all others. May be empty: then none.
    pub lying: &'a [bool],
    /// Where the units are, so that those out of view need not be looked at one by one. Without it
    /// they are.
    pub cells: Option<Cells<'a>>,
}

impl UnitColumns<'_> {
    /// The frame number of a unit without a sprite.
    pub const BODY: u16 = u16::MAX;

    /// How many units there are.
    pub fn len(&self) -> usize {
        self.position
            .len()
            .min(self.previous.len())
            .min(self.heading.len())
            .min(self.radius.len())
            .min(self.team.len())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One picture.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The camera.
    pub view: View,
    /// Which layers are drawn.
    pub layers: Layers,
    /// A number that changes whenever the units do; they are uploaded only then, or when the
    /// camera leaves what was uploaded.
    pub tick: u64,
    /// Where between the last two ticks this picture is: 0 the one before, 1 the last.
    pub blend: f32,
    /// The units.
    pub units: UnitColumns<'a>,
    /// Marks drawn below the units.
    pub below: &'a [Mark],
    /// Marks drawn above the units.
    pub above: &'a [Mark],
}

/// Colours of the teams, as sRGB.
pub const TEAM_COLOURS: [[u8; 3]; 16] = [
    [64, 132, 240],
    [226, 66, 58],
    [240, 186, 48],
    [86, 186, 84],
    [168, 96, 220],
    [240, 130, 44],
    [56, 196, 196],
    [236, 112, 178],
    [232, 232, 226],
    [108, 120, 134],
    [154, 108, 70],
    [176, 214, 62],
    [44, 92, 160],
    [142, 40, 66],
    [120, 214, 160],
    [250, 220, 150],
];
