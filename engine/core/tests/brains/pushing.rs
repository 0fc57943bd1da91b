//! Who gives way to whom.

use glam::Vec2;
use hecs::Entity;
use throng::{Brain, EventKind, Order};

use crate::field::{FIGHTER, Field, PEACEFUL};

#[test]
fn a_unit_on_hold_is_never_moved_by_a_bit() {
    let mut field = Field::open(30, 12);
    let post = field.spawn(15.3, 6.1, 0, FIGHTER, Brain::None);
    field.order(post, Order::Hold);
    let crowd: Vec<Entity> = (0..20)
        .map(|i| {
            let (x, y) = (2.0 + (i % 4) as f32, 3.0 + (i / 4) as f32);
            field.spawn(x, y, 0, PEACEFUL, Brain::None)
        })
        .collect();
    let to = Vec2::new(27.0, 6.0);
    field
        .sim
        .order(&field.world, &crowd, Order::Move { to }, false)
        .unwrap();
    let enemy = field.spawn(16.2, 6.1, 1, PEACEFUL, Brain::None);
    let mut struck = false;
    for _ in 0..400 {
        let events = field.tick();
        struck |= events
            .iter()
            .any(|e| matches!(e.kind, EventKind::Attacked { .. }));
        let at = field.at(post);
        assert_eq!(
            (at.x.to_bits(), at.y.to_bits()),
            (15.3_f32.to_bits(), 6.1_f32.to_bits())
        );
    }
    assert!(struck, "it strikes at what is in range");
    let _ = enemy;
}
