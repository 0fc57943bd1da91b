//! What a game can ask between ticks.

use glam::Vec2;
use hecs::Entity;
use throng::Brain;

use crate::field::{Field, PEACEFUL};

#[test]
fn sync_3_queries_list_units_by_number() {
    let mut field = Field::open(60, 60);
    let mut all: Vec<Entity> = (0..100)
        .map(|i| {
            // Scattered, so that place and number disagree.
            let k = i * 37 % 100;
            let (x, y) = (1.5 + (k % 10) as f32, 1.5 + (k / 10) as f32);
            field.spawn(x, y, (i % 3) as u8, PEACEFUL, Brain::None)
        })
        .collect();
    for i in [90, 50, 13, 2] {
        field.sim.despawn(&mut field.world, all.remove(i)).unwrap();
    }
    field.spawn(4.0, 12.5, 1, PEACEFUL, Brain::None);
    field.tick();
    let units = field.sim.units();
    let (low, high) = (Vec2::new(2.0, 2.0), Vec2::new(7.0, 20.0));
    let found: Vec<Vec<usize>> = vec![
        units.in_rect(high, low).collect(),
        units.in_disc(Vec2::new(5.0, 5.0), 4.0).collect(),
        units.of_team(1).collect(),
    ];
    for rows in found {
        assert!(rows.len() > 10);
        assert!(rows.windows(2).all(|w| units.id[w[0]] < units.id[w[1]]));
    }
    for row in units.in_rect(low, high) {
        let at = units.position[row];
        assert!(at.cmpge(low).all() && at.cmple(high).all());
    }
}
