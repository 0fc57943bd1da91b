//! What the units of the demo look like: its sheets, and which unit plays which.

use throng::Simulation;
use throng::sprite::{Atlas, Part, Rig, Sheet, TickRate, Troupe, troupe};
use throng_render::{UnitColumns, simulation};

/// Textures of this size are had everywhere.
const TEXTURE_LIMIT: u32 = 2048;

/// Description and image of each sheet, by their numbers in the atlas.
const SHEETS: [(&str, &[u8]); 3] = [
    (
        include_str!("../assets/soldier.toml"),
        include_bytes!("../assets/soldier.png"),
    ),
    (
        include_str!("../assets/rider.toml"),
        include_bytes!("../assets/rider.png"),
    ),
    (
        include_str!("../assets/tank.toml"),
        include_bytes!("../assets/tank.png"),
    ),
];

const SOLDIER: usize = 0;
const RIDER: usize = 1;
const TANK: usize = 2;

/// Units at least so large are tanks, radius in cells.
const TANK_RADIUS: f32 = 0.48;

/// Others at least so large ride, radius in cells.
const RIDER_RADIUS: f32 = 0.42;

/// The sprites of a simulation's units.
pub struct Cast {
    atlas: Atlas,
    troupe: Troupe,
}

impl Cast {
    /// Sprites for a simulation of so many ticks a second.
    pub fn new(tick_rate: f32) -> Self {
        let sheets = SHEETS.map(|(text, png)| {
            let image = image::load_from_memory(png)
                .expect("an image of ours")
                .into_rgba8();
            let sheet = Sheet::parse(text, "a sheet of ours", image.dimensions().into());
            (sheet.expect("a sheet of ours"), image)
        });
        let parts = sheets.each_ref().map(|(sheet, image)| (sheet, Some(image)));
        let atlas = Atlas::pack(&parts, TEXTURE_LIMIT).expect("our sheets are small");
        // Beyond a thousand ticks a second pastimes run at the pace of thirty.
        let ticks = TickRate::per_second(f64::from(tick_rate)).unwrap_or_default();
        let rig = |(sheet, _)| Rig::new(sheet, ticks).expect("a sheet of ours");
        let rigs = parts.map(rig).into();
        Self {
            atlas,
            troupe: Troupe::new(rigs),
        }
    }

    /// The texture with all frames.
    pub fn atlas(&self) -> &Atlas {
        &self.atlas
    }

    /// Takes in what the units did up to the last tick.
    pub fn update(&mut self, crowd: &Simulation) {
        let units = crowd.units();
        self.troupe
            .update(crowd.now(), units, &self.atlas, |row| Part {
                sheet: kind(units.radius[row]),
                action: troupe::action(units, row, crowd.now()),
            });
    }

    /// The units as they are drawn, dressed as the last [`update`](Self::update) left them.
    pub fn columns<'a>(&'a self, crowd: &'a Simulation) -> UnitColumns<'a> {
        UnitColumns {
            heading: self.troupe.facings(),
            lying: self.troupe.lying(),
            ..simulation::columns(crowd, self.troupe.frames())
        }
    }
}

/// The sheet of a unit, by its radius in cells.
fn kind(radius: f32) -> usize {
    if radius >= TANK_RADIUS {
        TANK
    } else if radius >= RIDER_RADIUS {
        RIDER
    } else {
        SOLDIER
    }
}

#[cfg(test)]
mod tests {
    use throng::sprite::ClipId;

    use super::*;

    #[test]
    fn our_sheets_load_and_every_kind_has_every_clip() {
        let cast = Cast::new(30.0);
        for (number, (text, png)) in SHEETS.iter().enumerate() {
            let image = image::load_from_memory(png).unwrap();
            let sheet = Sheet::parse(text, "sheet", [image.width(), image.height()]).unwrap();
            for name in ["idle", "walk", "attack", "hurt", "die"] {
                let clip = sheet.find(name).unwrap();
                let frames = cast.atlas().frames(number, clip).len();
                assert!(
                    frames >= if name == "walk" { 8 } else { 4 },
                    "{number} {name}"
                );
            }
        }
        assert!(cast.atlas().frames(SHEETS.len(), ClipId(0)).is_empty());
    }

    #[test]
    fn small_units_walk_larger_ones_ride_and_the_largest_are_tanks() {
        let kinds = [0.4, 0.45, 0.5].map(kind);
        assert_eq!(kinds, [SOLDIER, RIDER, TANK]);
    }
}
