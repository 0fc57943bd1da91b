//! What state machines and orders promise, by the public interface.

use glam::Vec2;
use hecs::{Entity, World};
use throng::{
    Brain, Combat, Config, Event, EventKind, Map, Order, OrderError, Outcome, Position, Post,
    Simulation, Stance, StateId, UnitId, UnitSpec,
};

struct Field {
    sim: Simulation,
    world: World,
}

impl Field {
    fn open(width: u32, height: u32) -> Self {
        Self::new(Map::open(width, height).unwrap())
    }

    fn new(map: Map) -> Self {
        Self {
            sim: Simulation::new(map, Config::default()).unwrap(),
            world: World::new(),
        }
    }

    fn spawn(&mut self, x: f32, y: f32, team: u8, combat: Combat, brain: Brain) -> Entity {
        let spec = UnitSpec {
            position: Vec2::new(x, y),
            team,
            combat,
            brain,
            ..UnitSpec::default()
        };
        self.sim.spawn(&mut self.world, &spec).unwrap()
    }

    fn order(&mut self, unit: Entity, order: Order) {
        self.sim.order(&self.world, &[unit], order, false).unwrap();
    }

    fn tick(&mut self) -> Vec<Event> {
        self.sim.tick(&mut self.world);
        self.sim.events().to_vec()
    }

    fn run(&mut self, ticks: u32) -> Vec<Event> {
        (0..ticks).flat_map(|_| self.tick()).collect()
    }

    fn row(&self, unit: Entity) -> usize {
        let id = *self.world.get::<&UnitId>(unit).unwrap();
        self.sim.units().index_of(id).unwrap()
    }

    fn at(&self, unit: Entity) -> Vec2 {
        self.sim.units().position[self.row(unit)]
    }

    fn doing(&self, unit: Entity) -> &'static str {
        self.sim.units().activity[self.row(unit)].name()
    }
}

const PEACEFUL: Combat = Combat {
    health: 1e6,
    damage: 0.0,
    range: 0.3,
    wind_up: 6,
    cooldown: 30,
    notice: 6.0,
    follow: 9.0,
    leash: 12.0,
    stance: Stance::Passive,
};

const FIGHTER: Combat = Combat {
    damage: 10.0,
    stance: Stance::Aggressive,
    ..PEACEFUL
};

fn changes(events: &[Event], unit: u32) -> usize {
    events
        .iter()
        .filter(|e| e.unit == UnitId(unit) && matches!(e.kind, EventKind::StateChanged { .. }))
        .count()
}

#[test]
fn fsm_2_a_corpse_is_no_target() {
    let mut field = Field::open(30, 30);
    let hunter = field.spawn(10.0, 10.0, 0, FIGHTER, Brain::None);
    let prey = field.spawn(13.0, 10.0, 1, PEACEFUL, Brain::None);
    field.sim.hurt(&field.world, prey, 2e6).unwrap();
    field.tick();
    assert_eq!(field.doing(prey), "dead");
    let events = field.run(200);
    assert!(changes(&events, 0) <= 1);
    assert_eq!(field.doing(hunter), "idle");
    assert_eq!(field.at(hunter), Vec2::new(10.0, 10.0));
    assert_eq!(
        field.sim.order(
            &field.world,
            &[hunter],
            Order::Attack { target: prey },
            false
        ),
        Err(OrderError::NoSuchUnit(prey))
    );
}

#[test]
fn fsm_3_of_two_equal_targets_one_is_taken_and_kept() {
    let mut field = Field::open(40, 40);
    let hunter = field.spawn(20.0, 20.0, 0, FIGHTER, Brain::Attack);
    field.spawn(15.0, 20.0, 1, PEACEFUL, Brain::None);
    field.spawn(25.0, 20.0, 1, PEACEFUL, Brain::None);
    // 5 cells less two radii and the range, at 0.1 a tick; 8 ticks between two looks.
    let way = ((5.0 - 0.8 - 0.3) / 0.1) as u32;
    let events = field.run((way as f32 * 1.2) as u32 + 8);
    assert_eq!(field.doing(hunter), "attack");
    let events = [events, field.run(300)].concat();
    let mut victims: Vec<UnitId> = events
        .iter()
        .filter(|e| matches!(e.kind, EventKind::Attacked { .. }))
        .map(|e| e.unit)
        .collect();
    victims.dedup();
    assert_eq!(victims.len(), 1, "{victims:?}");
}

#[test]
fn fsm_5_a_hunt_ends_with_the_death_of_its_target() {
    let mut field = Field::open(60, 20);
    let near = field.spawn(12.0, 10.0, 0, FIGHTER, Brain::None);
    let far = field.spawn(50.0, 10.0, 0, FIGHTER, Brain::None);
    let prey = Combat {
        health: 15.0,
        ..PEACEFUL
    };
    let prey = field.spawn(10.0, 10.0, 1, prey, Brain::None);
    for hunter in [near, far] {
        field.order(hunter, Order::Attack { target: prey });
    }
    while field.doing(prey) != "dead" {
        field.tick();
        assert!(field.sim.now() < 200);
    }
    field.run(2);
    assert_eq!(field.doing(far), "idle");
    assert_eq!(field.sim.units().outcome[field.row(far)], Outcome::Arrived);
}

#[test]
fn a_target_that_despawns_ends_the_chase_in_the_same_tick() {
    let mut field = Field::open(60, 20);
    let hunter = field.spawn(12.0, 10.0, 0, PEACEFUL, Brain::None);
    let prey = field.spawn(40.0, 10.0, 1, PEACEFUL, Brain::None);
    field.order(hunter, Order::Chase { target: prey });
    field.run(20);
    assert_eq!(field.doing(hunter), "chase");
    field.sim.despawn(&mut field.world, prey).unwrap();
    let events = field.tick();
    assert!(
        events
            .iter()
            .any(|e| e.unit == UnitId(0) && matches!(e.kind, EventKind::Stuck { .. }))
    );
    assert_eq!(field.sim.units().outcome[0], Outcome::Stuck);
}

#[test]
fn fsm_7_a_guard_is_not_baited_off_its_post() {
    let mut field = Field::open(80, 40);
    let post = Vec2::new(20.0, 20.0);
    let guard = field.spawn(post.x, post.y, 0, FIGHTER, Brain::Guard);
    let bait = field.spawn(24.0, 20.0, 1, PEACEFUL, Brain::None);
    field.run(10);
    assert_eq!(field.doing(guard), "chase");
    field.order(
        bait,
        Order::Move {
            to: Vec2::new(54.0, 20.0),
        },
    );
    let mut lost = None;
    for tick in 0..800 {
        field.tick();
        let away = field.at(guard).distance(post);
        assert!(away <= FIGHTER.leash + 1.0, "{away}");
        if lost.is_none() && field.doing(guard) == "return" {
            lost = Some(tick);
        }
        if lost.is_some_and(|lost| tick > lost + 300) {
            assert!(away < 0.5, "{away} from the post");
        }
    }
    assert!(lost.is_some());
    assert_eq!(field.doing(guard), "guard");
}

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
    assert!(changes(&events, 0) <= 5, "{}", changes(&events, 0));
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

#[test]
fn fsm_13_choosing_the_same_target_again_restarts_nothing() {
    let mut field = Field::open(20, 20);
    let fighter = Combat {
        wind_up: 8,
        cooldown: 25,
        ..FIGHTER
    };
    let fighter = field.spawn(10.0, 10.0, 0, fighter, Brain::None);
    let prey = field.spawn(11.0, 10.0, 1, PEACEFUL, Brain::None);
    let (mut begun, mut blows) = (None, Vec::new());
    for tick in 0..200 {
        if tick % 5 == 0 {
            field.order(fighter, Order::Attack { target: prey });
        }
        for event in field.tick() {
            match event.kind {
                EventKind::StateChanged { to, .. } if to == StateId::ATTACK => {
                    begun = Some(event.tick)
                }
                EventKind::Attacked { .. } => blows.push(event.tick),
                _ => {}
            }
        }
    }
    // The weapon is first moved in the tick after the state began.
    let first = begun.unwrap() + 1 + 8;
    let expected: Vec<u64> = (0..)
        .map(|i| first + 25 * i)
        .take_while(|&t| t < 200)
        .collect();
    assert_eq!(blows, expected);
}

#[test]
fn fsm_14_a_target_at_the_edge_of_notice_does_not_flicker() {
    let mut field = Field::open(60, 20);
    let chaser = Combat {
        damage: 0.0,
        leash: 1000.0,
        ..FIGHTER
    };
    field.spawn(10.0, 10.0, 0, chaser, Brain::Chase);
    let prey = field.spawn(30.0, 10.0, 1, PEACEFUL, Brain::None);
    field.run(5);
    let mut events = Vec::new();
    for tick in 0..400 {
        // Discs of 0.4: the gap swings round the notice radius of 6, wherever the chaser is.
        let swing = if tick % 10 < 5 { 0.2 } else { -0.2 };
        let chaser = field.sim.units().position[0].x;
        let x = chaser + 6.8 + swing;
        field.world.get::<&mut Position>(prey).unwrap().0.x = x.min(59.0);
        events.extend(field.tick());
    }
    assert!(changes(&events, 0) <= 2, "{}", changes(&events, 0));
}

#[test]
fn fsm_19_the_same_order_in_every_tick_is_the_same_as_once() {
    let wall = "....................\n\
                ..........#.........\n\
                ..........#.........\n\
                ..........#.........\n\
                ....................";
    let mut hashes = Vec::new();
    for every in [1, u32::MAX] {
        let mut field = Field::new(Map::from_ascii(wall).unwrap());
        let chaser = field.spawn(4.5, 2.5, 0, PEACEFUL, Brain::None);
        let prey = field.spawn(15.5, 2.5, 1, PEACEFUL, Brain::None);
        for tick in 0..250 {
            if tick == 0 || every == 1 {
                field.order(chaser, Order::Chase { target: prey });
            }
            field.tick();
        }
        assert!(field.at(chaser).distance(field.at(prey)) < 1.2);
        hashes.push(field.sim.state_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn an_order_changed_every_tick_never_stalls_the_unit() {
    let mut field = Field::open(80, 20);
    let unit = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let prey = [
        field.spawn(70.0, 9.0, 1, PEACEFUL, Brain::None),
        field.spawn(70.0, 11.0, 1, PEACEFUL, Brain::None),
    ];
    for tick in 0..300 {
        field.order(
            unit,
            Order::Chase {
                target: prey[tick % 2],
            },
        );
        field.tick();
    }
    assert!(field.at(unit).x > 33.0, "{}", field.at(unit));
}

#[test]
fn orders_name_living_units_other_than_oneself() {
    let mut field = Field::open(20, 20);
    let unit = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let order = |order| field.sim.order(&field.world, &[unit], order, false);
    let mut order = order;
    assert_eq!(
        order(Order::Follow { target: unit }),
        Err(OrderError::OwnTarget(unit))
    );
    assert!(matches!(
        order(Order::Patrol {
            to: Vec2::new(f32::NAN, 1.0)
        }),
        Err(OrderError::GoalOutside { .. })
    ));
    assert!(matches!(
        order(Order::Guard {
            post: Post::Point(Vec2::new(99.0, 1.0))
        }),
        Err(OrderError::GoalOutside { .. })
    ));
}

#[test]
fn api_1_a_handle_stays_dead_however_often_its_slot_is_given_again() {
    let mut field = Field::open(20, 20);
    let chaser = field.spawn(5.0, 10.0, 0, PEACEFUL, Brain::None);
    let first = field.spawn(15.0, 10.0, 1, PEACEFUL, Brain::None);
    field.order(chaser, Order::Chase { target: first });
    field.sim.despawn(&mut field.world, first).unwrap();
    for i in 0..70_000 {
        let next = field.spawn(15.0, 10.0, 1, PEACEFUL, Brain::None);
        if i % 10_000 == 0 {
            field.tick();
        }
        field.sim.despawn(&mut field.world, next).unwrap();
    }
    field.tick();
    assert_ne!(field.doing(chaser), "chase");
    assert_eq!(
        field.sim.order(
            &field.world,
            &[chaser],
            Order::Chase { target: first },
            false
        ),
        Err(OrderError::NoSuchUnit(first))
    );
}

#[test]
fn api_7_units_that_come_and_go_in_one_tick_leave_nothing_behind() {
    let mut field = Field::open(60, 60);
    let prey = field.spawn(50.0, 50.0, 1, PEACEFUL, Brain::None);
    for round in 0..3 {
        let units: Vec<Entity> = (0..1000)
            .map(|i| {
                let (x, y) = (1.0 + (i % 40) as f32, 1.0 + (i / 40) as f32);
                field.spawn(x, y, 0, FIGHTER, Brain::Wander)
            })
            .collect();
        for (i, &unit) in units.iter().enumerate() {
            let order = match i % 3 {
                0 => Order::Attack { target: prey },
                1 => Order::Move {
                    to: Vec2::new(30.0, 30.0),
                },
                _ => Order::Guard {
                    post: Post::Unit(prey),
                },
            };
            field
                .sim
                .order(&field.world, &[unit], order, i % 2 == 0)
                .unwrap();
        }
        if round == 1 {
            field.tick();
        }
        for unit in units {
            field.sim.despawn(&mut field.world, unit).unwrap();
        }
        let events = field.tick();
        let ours = UnitId(0);
        assert!(events.iter().all(|e| e.unit == ours), "{events:?}");
        assert_eq!(field.sim.units().len(), 1);
    }
}

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

#[test]
fn a_queue_of_orders_is_worked_off_in_turn() {
    let mut field = Field::open(40, 20);
    let unit = field.spawn(5.0, 10.0, 0, FIGHTER, Brain::None);
    let weak = Combat {
        health: 5.0,
        ..PEACEFUL
    };
    let prey = field.spawn(15.0, 10.0, 1, weak, Brain::None);
    field.order(unit, Order::Attack { target: prey });
    let to = Vec2::new(30.0, 15.0);
    field
        .sim
        .order(&field.world, &[unit], Order::Move { to }, true)
        .unwrap();
    field.run(60);
    assert_eq!(
        field.sim.order_of(&field.world, unit).unwrap(),
        Some(Order::Attack { target: prey })
    );
    let left = field.sim.distance_left(&field.world, unit).unwrap();
    assert!((1.0..6.0).contains(&left.unwrap()), "{left:?}");
    field.run(400);
    assert_eq!(field.doing(prey), "dead");
    assert!(field.at(unit).distance(to) < 0.5);
    assert_eq!(
        field.sim.order_of(&field.world, unit).unwrap(),
        Some(Order::Move { to })
    );
}

#[test]
fn a_patrol_goes_to_and_fro_and_a_follower_keeps_up() {
    let mut field = Field::open(40, 20);
    let scout = field.spawn(5.0, 10.0, 0, FIGHTER, Brain::None);
    let friend = field.spawn(3.0, 10.0, 0, PEACEFUL, Brain::None);
    field.order(
        scout,
        Order::Patrol {
            to: Vec2::new(25.0, 10.0),
        },
    );
    field.order(friend, Order::Follow { target: scout });
    let mut ends = Vec::new();
    for _ in 0..1000 {
        field.tick();
        let x = field.at(scout).x;
        if x < 6.0 && ends.last() != Some(&'a') {
            ends.push('a');
        }
        if x > 24.0 && ends.last() != Some(&'b') {
            ends.push('b');
        }
        assert!(field.at(friend).distance(field.at(scout)) < 3.5);
    }
    assert!(ends.len() >= 4, "{ends:?}");
}

#[test]
fn stances_decide_what_an_idle_unit_does() {
    for (stance, moves, strikes) in [
        (Stance::Aggressive, true, true),
        (Stance::Defensive, true, true),
        (Stance::HoldGround, false, false),
        (Stance::Passive, false, false),
    ] {
        let mut field = Field::open(40, 20);
        let unit = field.spawn(10.0, 10.0, 0, Combat { stance, ..FIGHTER }, Brain::None);
        field.spawn(14.0, 10.0, 1, PEACEFUL, Brain::None);
        let events = field.run(100);
        let struck = events
            .iter()
            .any(|e| matches!(e.kind, EventKind::Attacked { .. }));
        let moved = field.at(unit).distance(Vec2::new(10.0, 10.0)) > 0.5;
        assert_eq!((moved, struck), (moves, strikes), "{stance:?}");
    }
}

fn battle(side: u32, threads: usize, ticks: u32) -> (u64, Vec<Event>, Vec<usize>) {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let mut field = Field::open(60, 40);
        let soldier = Combat {
            health: 60.0,
            ..FIGHTER
        };
        for team in 0..2 {
            for i in 0..side {
                let (file, row) = (i % 12, i / 12);
                let x = if team == 0 {
                    14.0 - row as f32
                } else {
                    45.0 + row as f32
                };
                field.spawn(x, 12.0 + 1.2 * file as f32, team, soldier, Brain::Attack);
            }
        }
        let events = field.run(ticks);
        let alive = [0, 1].map(|team| field.sim.units().of_team(team).count());
        (field.sim.state_hash(), events, alive.to_vec())
    })
}

#[test]
fn armies_fight_until_one_is_gone_with_the_same_hash_on_any_number_of_threads() {
    let (hash, events, alive) = battle(60, 1, 2500);
    assert!(
        alive.contains(&0) && alive.iter().sum::<usize>() > 0,
        "{alive:?}"
    );
    let mut dead = std::collections::BTreeSet::new();
    let mut changes = vec![0; 120];
    for event in &events {
        match event.kind {
            EventKind::Died { .. } => assert!(dead.insert(event.unit), "dies once"),
            EventKind::Attacked { .. } => {
                assert!(!dead.contains(&event.unit), "the dead are let be");
            }
            EventKind::StateChanged { .. } => changes[event.unit.0 as usize] += 1,
            _ => {}
        }
    }
    changes.sort_unstable();
    let last = events.last().unwrap().tick as f32;
    let per_second = changes[60] as f32 / (last / 30.0);
    assert!(per_second < 2.0, "{per_second}");
    for threads in [2, 7] {
        assert_eq!(battle(60, threads, 2500).0, hash, "{threads} threads");
    }
}

#[test]
fn a_corpse_lies_for_its_time() {
    let config = Config {
        corpse: Some(1.0),
        ..Config::default()
    };
    let mut world = World::new();
    let mut sim = Simulation::new(Map::open(10, 10).unwrap(), config).unwrap();
    let spec = UnitSpec {
        position: Vec2::new(5.0, 5.0),
        ..UnitSpec::default()
    };
    let unit = sim.spawn(&mut world, &spec).unwrap();
    sim.hurt(&world, unit, 1000.0).unwrap();
    for _ in 0..20 {
        sim.tick(&mut world);
    }
    assert_eq!(sim.units().activity[0].name(), "dead");
    for _ in 0..20 {
        sim.tick(&mut world);
    }
    assert!(!world.contains(unit) && sim.units().is_empty());
}
