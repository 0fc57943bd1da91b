//! Which layers of a picture are shown.

use std::str::FromStr;

use crate::RenderError;

/// One layer, in the order from the bottom to the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum Layer {
    /// Ground, water and walls.
    Map = 1 << 0,
    /// The cells that block land units.
    Occupancy = 1 << 1,
    /// Distance to the goal of the shown order, as colours.
    Distance = 1 << 2,
    /// Units per cell, as colours.
    Density = 1 << 3,
    /// Directions of the flow field of the shown order.
    Flow = 1 << 4,
    /// Sector borders.
    Sectors = 1 << 5,
    /// Rings, order lines and order markers of the selected units.
    Selection = 1 << 6,
    /// The units.
    Units = 1 << 7,
    /// Health bars.
    Health = 1 << 8,
    /// The velocity of each unit as a line.
    Velocity = 1 << 9,
    /// The headings of the selected unit and what blocks them.
    Headings = 1 << 10,
}

impl Layer {
    /// All layers, bottom first.
    pub const ALL: [Self; 11] = [
        Self::Map,
        Self::Occupancy,
        Self::Distance,
        Self::Density,
        Self::Flow,
        Self::Sectors,
        Self::Selection,
        Self::Units,
        Self::Health,
        Self::Velocity,
        Self::Headings,
    ];

    /// The name used in lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Occupancy => "occupancy",
            Self::Distance => "distance",
            Self::Density => "density",
            Self::Flow => "flow",
            Self::Sectors => "sectors",
            Self::Selection => "selection",
            Self::Units => "units",
            Self::Health => "health",
            Self::Velocity => "velocity",
            Self::Headings => "headings",
        }
    }
}

/// A set of layers. Parses from a comma-separated list such as `map,units,flow`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers(u16);

impl Layers {
    /// No layer at all.
    pub const NONE: Self = Self(0);

    /// Whether `layer` is in the set.
    pub fn has(self, layer: Layer) -> bool {
        self.0 & layer as u16 != 0
    }

    /// Adds or removes `layer`.
    pub fn set(&mut self, layer: Layer, shown: bool) {
        if shown {
            self.0 |= layer as u16;
        } else {
            self.0 &= !(layer as u16);
        }
    }

    /// The set with `layer` added.
    #[must_use]
    pub fn with(mut self, layer: Layer) -> Self {
        self.set(layer, true);
        self
    }
}

impl Default for Layers {
    /// Map, units, selection and health bars.
    fn default() -> Self {
        Self::NONE
            .with(Layer::Map)
            .with(Layer::Units)
            .with(Layer::Selection)
            .with(Layer::Health)
    }
}

impl FromStr for Layers {
    type Err = RenderError;

    fn from_str(list: &str) -> Result<Self, RenderError> {
        let mut layers = Self::NONE;
        for name in list
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
        {
            let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name);
            layers.set(layer.ok_or_else(|| unknown(name))?, true);
        }
        Ok(layers)
    }
}

fn unknown(name: &str) -> RenderError {
    RenderError::UnknownLayer {
        name: name.to_owned(),
        known: Layer::ALL.map(Layer::name).join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_layers() {
        let layers: Layers = "map, flow,units".parse().expect("all three exist");
        assert!(layers.has(Layer::Map) && layers.has(Layer::Flow) && layers.has(Layer::Units));
        assert!(!layers.has(Layer::Density));
    }

    #[test]
    fn an_unknown_layer_is_refused_with_the_names_there_are() {
        let error = "map,fog".parse::<Layers>().expect_err("there is no fog");
        let text = error.to_string();
        assert!(
            text.contains("\"fog\"") && text.contains("occupancy"),
            "{text}"
        );
    }
}
