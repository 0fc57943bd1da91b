//! The sprites of all units of a simulation, from tick to tick.

use super::atlas::{Atlas, FrameId, NO_FRAME};
use super::drive::{Action, Drive, Rig};
use crate::components::UnitId;
use crate::units::Units;

/// What one unit plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Which of the troupe's rigs, and the sheet of the same number in the atlas.
    pub sheet: usize,
    /// What its brain has it do besides moving.
    pub action: Action,
}

/// Drives a sprite for each unit and keeps what they show as columns in the order of
/// [`Units`], ready for a renderer. It reads the simulation and never writes to it.
#[derive(Clone, Debug)]
pub struct Troupe {
    rigs: Vec<Rig>,
    /// The members, ascending, and the sprite of each.
    ids: Vec<UnitId>,
    drives: Vec<Drive>,
    /// The sprites of the next members while they are being put together.
    next: Vec<Drive>,
    frames: Vec<FrameId>,
    facings: Vec<f32>,
    lying: Vec<bool>,
}

/// Ticks for which a blow that was taken shows before anything else.
const FLINCH: u64 = 6;

/// What the brain of the unit in a row of `units` has it do, after the tick that ended at `now`: its
/// wind-up and blow, the blow it took, its death.
pub fn action(units: &Units, row: usize, now: u64) -> Action {
    let (mind, combat) = (&units.mind[row], &units.combat[row]);
    // Minds number ticks as they begin, sprites as they end.
    if !units.is_alive(row) {
        return Action::Dead {
            since: mind.since + 1,
        };
    }
    let hurt = mind.hurt_at.saturating_add(1);
    if hurt <= now && now - hurt < FLINCH {
        return Action::Hurt { since: hurt };
    }
    let (wind, wind_up) = (u64::from(mind.wind), u64::from(combat.wind_up));
    if wind > 0 {
        let start = now.saturating_sub(wind);
        return Action::Attack {
            start,
            hit: start + wind_up + 1,
        };
    }
    match (mind.ready_at + 2).checked_sub(u64::from(combat.cooldown)) {
        // Decided in one tick, the blow lands in the next.
        Some(hit) if mind.ready_at > 0 && hit > wind_up => Action::Attack {
            start: hit - wind_up - 1,
            hit,
        },
        _ => Action::None,
    }
}

impl Troupe {
    /// A troupe of kinds of units, numbered as their sheets are in the atlas.
    pub fn new(rigs: Vec<Rig>) -> Self {
        Self {
            rigs,
            ids: Vec::new(),
            drives: Vec::new(),
            next: Vec::new(),
            frames: Vec::new(),
            facings: Vec::new(),
            lying: Vec::new(),
        }
    }

    /// Takes in the tick that ended at `now`. `part` says for a row of `units` what it plays; a
    /// unit whose sheet has no rig shows nothing. Call it once a tick, drawn or not: nothing else
    /// runs on when units are out of sight.
    pub fn update(
        &mut self,
        now: u64,
        units: &Units,
        atlas: &Atlas,
        mut part: impl FnMut(usize) -> Part,
    ) {
        self.recast(units);
        self.frames.clear();
        self.facings.clear();
        self.lying.clear();
        for (row, drive) in self.drives.iter_mut().enumerate() {
            let Part { sheet, action } = part(row);
            let frame = self.rigs.get(sheet).and_then(|rig| {
                let (speed, heading) = (units.velocity[row].length(), units.heading[row]);
                let look = drive.update(rig, now, speed, heading, action);
                atlas.frame(sheet, look.clip, look.frame)
            });
            self.frames.push(frame.unwrap_or(NO_FRAME));
            self.facings.push(drive.look().facing);
            self.lying.push(matches!(action, Action::Dead { .. }));
        }
    }

    /// Makes the members those of `units`.
    fn recast(&mut self, units: &Units) {
        if self.ids == units.id {
            return;
        }
        self.next.clear();
        // Both lists are in order of units: one walk along both finds who came and who went.
        let mut known = self.ids.iter().zip(&self.drives).peekable();
        for (id, &heading) in units.id.iter().zip(&units.heading) {
            while known.next_if(|(other, _)| *other < id).is_some() {}
            let drive = known
                .next_if(|(other, _)| *other == id)
                .map(|(_, drive)| *drive);
            self.next
                .push(drive.unwrap_or_else(|| Drive::new(u64::from(id.0), heading)));
        }
        std::mem::swap(&mut self.drives, &mut self.next);
        self.ids.clone_from(&units.id);
    }

    /// The frame each unit shows, [`NO_FRAME`] for none; a row for each of the last update's units.
    pub fn frames(&self) -> &[FrameId] {
        &self.frames
    }

    /// Where each unit's picture faces, radians: as its heading, but still while it stands.
    pub fn facings(&self) -> &[f32] {
        &self.facings
    }

    /// Which units lie dead, to be drawn below the others.
    pub fn lying(&self) -> &[bool] {
        &self.lying
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use image::RgbaImage;

    use super::*;
    use crate::sprite::{Sheet, TickRate};

    fn stage() -> (Troupe, Atlas) {
        let text = "
image = 'x.png'
size = [8, 8]
[[clips]]
name = 'idle'
count = 1
rate = 1
[[clips]]
name = 'walk'
offset = [0, 8]
count = 4
rate = 1
cells = 1.0
";
        let sheet = Sheet::parse(text, "x.toml", [32, 16]).unwrap();
        let image = RgbaImage::new(32, 16);
        let atlas = Atlas::pack(&[(&sheet, Some(&image))], 1024).unwrap();
        (
            Troupe::new(vec![Rig::new(&sheet, TickRate::default()).unwrap()]),
            atlas,
        )
    }

    /// Units of the given numbers and speeds.
    fn units(rows: &[(u32, f32)]) -> Units {
        let mut units = Units::default();
        for &(id, speed) in rows {
            units.id.push(UnitId(id));
            units.velocity.push(Vec2::new(speed, 0.0));
            units.heading.push(id as f32);
        }
        units
    }

    #[test]
    fn each_unit_keeps_its_own_sprite_when_others_come_and_go() {
        let (mut troupe, atlas) = stage();
        let mut alone = troupe.clone();
        for tick in 0..100 {
            let mut rows = vec![(5, 0.07)];
            if tick > 20 {
                rows.insert(0, (2, 0.0));
            }
            if (10..60).contains(&tick) {
                rows.push((9, 0.2));
            }
            troupe.update(tick, &units(&rows), &atlas, |_| Part::default());
            alone.update(tick, &units(&[(5, 0.07)]), &atlas, |_| Part::default());
            let row = usize::from(tick > 20);
            assert_eq!(troupe.frames()[row], alone.frames()[0], "tick {tick}");
            assert_eq!(troupe.frames().len(), rows.len());
        }
    }

    #[test]
    fn blow_flinch_and_death_show_in_the_tick_in_which_they_happen() {
        let map = crate::Map::open(10, 10).unwrap();
        let mut world = hecs::World::new();
        let mut sim = crate::Simulation::new(map, crate::Config::default()).unwrap();
        let mut spawn = |x: f32, team: u8, damage: f32| {
            let combat = crate::Combat {
                health: 25.0,
                damage,
                ..Default::default()
            };
            let spec = crate::UnitSpec {
                position: Vec2::new(x, 5.0),
                team,
                combat,
                ..Default::default()
            };
            sim.spawn(&mut world, &spec).unwrap()
        };
        let (striker, victim) = (spawn(4.0, 0, 10.0), spawn(5.0, 1, 0.0));
        let order = crate::Order::Attack { target: victim };
        sim.order(&world, &[striker], order, false).unwrap();
        let (mut blows, mut deaths) = (0, 0);
        for _ in 0..300 {
            sim.tick(&mut world);
            let (now, units) = (sim.now(), sim.units());
            for event in sim.events() {
                match event.kind {
                    crate::EventKind::Attacked { .. } => {
                        blows += 1;
                        let shown = action(units, 0, now);
                        assert!(
                            matches!(shown, Action::Attack { hit, .. } if hit == now),
                            "{shown:?} at {now}"
                        );
                        if units.is_alive(1) {
                            assert_eq!(action(units, 1, now), Action::Hurt { since: now });
                        }
                    }
                    crate::EventKind::Died { .. } => {
                        deaths += 1;
                        assert_eq!(action(units, 1, now), Action::Dead { since: now });
                    }
                    _ => {}
                }
            }
        }
        assert_eq!((blows, deaths), (3, 1));
    }

    #[test]
    fn a_unit_without_a_sheet_shows_nothing_and_keeps_its_heading() {
        let (mut troupe, atlas) = stage();
        let part = |row| Part {
            sheet: row,
            ..Part::default()
        };
        troupe.update(1, &units(&[(1, 0.1), (2, 0.1)]), &atlas, part);
        assert_ne!(troupe.frames()[0], NO_FRAME);
        assert_eq!((troupe.frames()[1], troupe.facings()[1]), (NO_FRAME, 2.0));
    }
}
