//! Striking: reach, wind-up, cool-down.

use glam::Vec2;
use throng::{
    Brain, Combat, Event, EventKind, Map, Mind, Order, Senses, Sensor, Stance, State, StateId,
    UnitId, UnitSpec,
};

use crate::field::{FIGHTER, Field, PEACEFUL, changes};

#[test]
fn fsm_9_chase_and_attack_do_not_alternate_at_the_edge_of_the_range() {
    let mut field = Field::open(80, 20);
    let archer = Combat {
        range: 3.0,
        ..FIGHTER
    };
    let archer = field.spawn(5.0, 10.0, 0, archer, Brain::None);
    let prey = field.spawn(8.5, 10.0, 1, PEACEFUL, Brain::None);
    field.order(
        prey,
        Order::Move {
            to: Vec2::new(75.0, 10.0),
        },
    );
    field.order(archer, Order::Attack { target: prey });
    let (mut events, mut close) = (Vec::new(), 0);
    for _ in 0..400 {
        events.extend(field.tick());
        close += usize::from(field.at(archer).distance(field.at(prey)) - 0.8 <= 3.5);
    }
    let between = events.iter().filter(|e| {
        let fights = |state| [StateId::CHASE, StateId::ATTACK].contains(&state);
        matches!(e.kind, EventKind::StateChanged { from, to } if fights(from) && fights(to))
    });
    let between = between.count();
    assert!(between <= 4, "{between} changes between chase and attack");
    assert!(close >= 360, "{close}");
    let blows = events
        .iter()
        .filter(|e| matches!(e.kind, EventKind::Attacked { .. }));
    assert!(blows.count() >= 10);
}

#[test]
fn fsm_11_a_blocked_attacker_goes_on_when_the_way_is_free() {
    let map = "####################\n\
               #..................#\n\
               ########.###########\n\
               ####################";
    let mut field = Field::new(Map::from_ascii(map).unwrap());
    let attacker = field.spawn(2.5, 1.5, 0, FIGHTER, Brain::None);
    let friend = field.spawn(8.5, 1.5, 0, PEACEFUL, Brain::None);
    let prey = field.spawn(16.5, 1.5, 1, PEACEFUL, Brain::None);
    field.order(friend, Order::Hold);
    field.order(attacker, Order::Attack { target: prey });
    field.run(200);
    let held = field.at(attacker).x;
    assert!(held < 8.5, "the lane is blocked");
    field.order(
        friend,
        Order::Move {
            to: Vec2::new(8.5, 2.5),
        },
    );
    while field.at(friend).y < 2.35 {
        field.tick();
        assert!(field.sim.now() < 400);
    }
    field.run(10);
    assert!(field.at(attacker).x > held + 0.2);
    field.run(200);
    assert_eq!(field.doing(attacker), "attack");
}

/// Chooses a target and goes back to striking.
struct Rescan(UnitId);

impl State for Rescan {
    fn name(&self) -> &'static str {
        "rescan"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        mind.set_target(Some(self.0));
        mind.go_back();
    }

    fn execute(&self, _: &Senses, _: &mut Mind) {}
}

/// Has whoever strikes choose anew every five ticks.
struct Scan(StateId);

impl Sensor for Scan {
    fn sense(&self, me: &Senses, mind: &Mind) -> Option<StateId> {
        (me.now().is_multiple_of(5) && mind.state() == StateId::ATTACK).then_some(self.0)
    }
}

#[test]
fn fsm_13_choosing_the_same_target_again_restarts_nothing() {
    for scans in [false, true] {
        let mut field = Field::open(20, 20);
        let fighter = Combat {
            wind_up: 8,
            cooldown: 25,
            ..FIGHTER
        };
        let prey = field.spawn(11.0, 10.0, 1, PEACEFUL, Brain::None);
        let fighter = field.spawn(10.0, 10.0, 0, fighter, Brain::None);
        if scans {
            let rescan = field.sim.add_state(Rescan(UnitId(0)));
            field.sim.add_sensor(Scan(rescan));
        }
        let (mut begun, mut blows) = (None, Vec::new());
        for tick in 0..200 {
            if tick % 5 == 0 {
                field.order(fighter, Order::Attack { target: prey });
            }
            for event in field.tick() {
                match event.kind {
                    EventKind::StateChanged { to, .. } if to == StateId::ATTACK => {
                        begun = begun.or(Some(event.tick));
                    }
                    EventKind::Attacked { .. } => blows.push(event.tick),
                    _ => {}
                }
            }
        }
        let first = begun.unwrap() + 8;
        let expected: Vec<u64> = (0..)
            .map(|i| first + 25 * i)
            .take_while(|&t| t < 200)
            .collect();
        assert_eq!(blows, expected, "with a scan: {scans}");
    }
}

#[test]
fn another_target_resets_neither_wind_up_nor_cool_down() {
    let mut field = Field::open(20, 20);
    let fighter = Combat {
        wind_up: 8,
        cooldown: 25,
        ..FIGHTER
    };
    let fighter = field.spawn(10.0, 10.0, 0, fighter, Brain::None);
    let prey = [
        field.spawn(11.0, 10.0, 1, PEACEFUL, Brain::None),
        field.spawn(9.0, 10.0, 1, PEACEFUL, Brain::None),
    ];
    let mut blows = Vec::new();
    for tick in 0..200 {
        let target = prey[tick % 2];
        field.order(fighter, Order::Attack { target });
        let events = field.tick();
        let landed = events
            .iter()
            .filter(|e| matches!(e.kind, EventKind::Attacked { .. }));
        blows.extend(landed.map(|e| e.tick));
    }
    assert_eq!(blows, [8, 33, 58, 83, 108, 133, 158, 183]);
}

#[test]
fn walls_stop_blows_from_afar() {
    let map = "............\n\
               ......#.....\n\
               ......#.....\n\
               ......#.....\n\
               ............";
    let mut field = Field::new(Map::from_ascii(map).unwrap());
    let archer = Combat {
        range: 5.0,
        stance: Stance::HoldGround,
        ..FIGHTER
    };
    field.spawn(4.5, 2.5, 0, archer, Brain::None);
    let prey = field.spawn(8.5, 2.5, 1, PEACEFUL, Brain::None);
    let struck = |events: &[Event]| {
        events
            .iter()
            .any(|e| matches!(e.kind, EventKind::Attacked { .. }))
    };
    let events = field.run(100);
    assert!(!struck(&events), "the wall is between them");
    let to = Vec2::new(5.5, 0.5);
    field.order(prey, Order::Move { to });
    let events = field.run(150);
    assert!(struck(&events), "past the wall's end it is seen");
}

/// How many of each side live after a fight of three archers with as many slower swordsmen.
fn skirmish(kites: bool) -> ([usize; 2], usize) {
    let mut field = Field::open(70, 40);
    let archer = Combat {
        health: 100.0,
        damage: 12.0,
        range: 5.0,
        notice: 8.0,
        follow: 14.0,
        kites,
        ..FIGHTER
    };
    let sword = Combat {
        health: 100.0,
        damage: 20.0,
        notice: 14.0,
        follow: 20.0,
        leash: 1000.0,
        ..FIGHTER
    };
    for i in 0..3 {
        let y = 18.0 + 2.0 * i as f32;
        field.spawn(30.0, y, 0, archer, Brain::None);
        let spec = UnitSpec {
            position: Vec2::new(20.0, y),
            speed: 0.07,
            team: 1,
            combat: sword,
            brain: Brain::Attack,
            ..UnitSpec::default()
        };
        field.sim.spawn(&mut field.world, &spec).unwrap();
    }
    let events = field.run(1500);
    let alive = [0, 1].map(|team| field.sim.units().of_team(team).count());
    (
        alive,
        (0..6).map(|unit| changes(&events, unit)).max().unwrap(),
    )
}

#[test]
fn archers_that_step_back_between_blows_beat_those_who_must_come_near() {
    let (alive, most) = skirmish(true);
    assert_eq!(alive, [3, 0]);
    // Into the fight, from target to target and home: no flicker in between.
    assert!(most < 20, "{most} changes of state");
    let (alive, _) = skirmish(false);
    assert!(alive[0] < 3, "{alive:?} without stepping back");
}
