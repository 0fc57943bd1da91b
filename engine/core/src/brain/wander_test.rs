//! Wanderers keep to their rules.

use super::*;
use crate::{Brain, Config, Map, Simulation, StateId, UnitSpec, map::SizeClass, steer::scan};

const COUNT: usize = 60;
const RADIUS: f32 = 0.35;
const TICKS: u64 = 4000;
const TICK_RATE: f32 = 20.0;
/// Cells from a wall within which wanderers are not to loiter.
const BAND: f32 = 0.1;

/// Sixty wanderers in a hall of pillars: spread over it, or all in a lump in the middle.
fn hall(width: usize, height: usize, spacing: f32) -> (Simulation, hecs::World) {
    let row = |y: usize| -> String {
        let pillar = |x: usize| x % 4 == 3 && y % 4 == 2 && x + 3 < width;
        (0..width)
            .map(|x| if pillar(x) { '#' } else { '.' })
            .collect()
    };
    let rows: Vec<String> = (0..height).map(row).collect();
    let map = Map::from_ascii(&rows.join("\n")).unwrap();
    let config = Config {
        tick_rate: TICK_RATE,
        ..Config::default()
    };
    let mut world = hecs::World::new();
    let mut sim = Simulation::new(map, config).unwrap();
    let middle = Vec2::new(width as f32, height as f32) / 2.0;
    let mut places: Vec<Vec2> = (0..400)
        .map(|i| middle + (Vec2::new((i % 20) as f32, (i / 20) as f32) - 9.5) * spacing)
        .collect();
    places.sort_by(|a, b| a.distance(middle).total_cmp(&b.distance(middle)));
    for position in places {
        let spec = UnitSpec {
            position,
            radius: RADIUS,
            brain: Brain::Wander,
            ..UnitSpec::default()
        };
        // Where a pillar stands nobody does.
        if sim.units().len() < COUNT {
            let _ = sim.spawn(&mut world, &spec);
        }
    }
    assert_eq!(sim.units().len(), COUNT);
    (sim, world)
}

fn is_at_wall(map: &Map, at: Vec2) -> bool {
    let cells = &map.nav(SizeClass::SMALLEST).occupancy;
    !walls::is_clear(cells, at, RADIUS + BAND)
}

/// The band's share of the ground that a disc can stand on.
fn share_at_walls(map: &Map) -> f32 {
    let cells = &map.nav(SizeClass::SMALLEST).occupancy;
    let (mut ground, mut edge) = (0_u32, 0_u32);
    for x in 0..map.width() * 20 {
        for y in 0..map.height() * 20 {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5) / 20.0;
            if walls::is_clear(cells, at, RADIUS) {
                ground += 1;
                edge += u32::from(is_at_wall(map, at));
            }
        }
    }
    edge as f32 / ground as f32
}

/// What was seen of one wanderer.
#[derive(Clone, Copy, Default)]
struct Seen {
    walks: bool,
    /// Legs since it was last at home.
    away: u8,
}

#[test]
fn wanderers_keep_to_their_legs_pauses_and_ground() {
    let (mut sim, mut world) = hall(41, 29, 3.2);
    let wandering = sim.config().wandering;
    let least_pause = f64::from(wandering.pause * TICK_RATE);
    let mut seen = [Seen::default(); COUNT];
    let (mut legs, mut homecomings) = (0, 0);
    let mut pauses = Vec::new();
    let (mut at_walls, mut extra) = (0_u32, 0_u32);
    for _ in 0..TICKS {
        sim.tick(&mut world);
        let units = sim.units();
        for (i, mind) in units.mind.iter().enumerate() {
            let (at, seen) = (units.position[i], &mut seen[i]);
            assert_eq!(mind.state, StateId::WANDER);
            at_walls += u32::from(is_at_wall(sim.map(), at));
            let walks = !mind.resting;
            if walks && !seen.walks {
                let way = mind.point.distance(at);
                assert!(way > 0.0, "a leg without length");
                assert!(sim.map().reachable(SizeClass::of(RADIUS), at, mind.point));
                if mind.point == mind.home {
                    seen.away = 0;
                } else {
                    legs += 1;
                    seen.away += 1;
                    assert!(way >= wandering.least, "a leg of {way}");
                    assert!(mind.point.distance(mind.home) <= wandering.radius + 1e-3);
                    // One more only while another stands on its home.
                    let stands_there =
                        |(j, at): (usize, &Vec2)| j != i && at.distance(mind.home) < 2.0 * RADIUS;
                    let is_taken = || units.position.iter().enumerate().any(stands_there);
                    let in_time = seen.away <= wandering.legs;
                    assert!(in_time || is_taken(), "{} legs", seen.away);
                    extra += u32::from(!in_time);
                }
            }
            if !walks && seen.walks {
                pauses.push((mind.until + 1 - sim.now()) as f64);
                if mind.point == mind.home && mind.stalled <= PATIENCE {
                    homecomings += 1;
                    assert!(at.distance(mind.home) < AT_HOME);
                }
            }
            seen.walks = walks;
        }
    }
    assert!(
        legs > 10 * COUNT && homecomings > 4 * COUNT,
        "{legs} legs, {homecomings} times home"
    );
    assert!(
        extra <= legs as u32 / 100,
        "{extra} legs with a home that is taken"
    );
    let mut bins = [0; 4];
    for pause in &pauses {
        assert!(
            (least_pause.floor()..=2.0 * least_pause).contains(pause),
            "a pause of {pause}"
        );
        bins[((pause / least_pause - 1.0).max(0.0) * 3.999) as usize] += 1;
    }
    let even = pauses.len() / 4;
    assert!(
        bins.iter()
            .all(|n| (even * 3 / 4..even * 5 / 4).contains(n)),
        "{bins:?}"
    );
    let (time, area) = (
        at_walls as f32 / (COUNT as u64 * TICKS) as f32,
        share_at_walls(sim.map()),
    );
    assert!(
        time <= 1.5 * area,
        "{time} of the time in {area} of the ground"
    );
}

#[test]
fn wanderers_from_a_packed_lump_go_round_one_another_without_shivering() {
    let (mut sim, mut world) = hall(21, 13, 2.05 * RADIUS);
    let mut headings = [None; COUNT];
    let (mut turned, mut samples) = (0.0_f32, 0_u32);
    let (mut stops, mut arrivals) = (0, 0);
    let mut walked = [false; COUNT];
    for _ in 0..TICKS {
        sim.tick(&mut world);
        let units = sim.units();
        for (i, mind) in units.mind.iter().enumerate() {
            let velocity = units.velocity[i];
            if velocity.length() > 0.01 {
                let heading = directions::angle(velocity);
                if let Some(before) = headings[i] {
                    turned += scan::signed_difference(heading, before).abs();
                    samples += 1;
                }
                headings[i] = Some(heading);
            }
            if walked[i] && mind.resting {
                stops += 1;
                arrivals += u32::from(mind.stalled <= PATIENCE);
            }
            walked[i] = !mind.resting;
        }
    }
    let jitter = turned.to_degrees() / samples as f32;
    assert!(jitter < 7.0, "turns by {jitter} degrees a tick");
    assert!(
        arrivals * 2 > stops,
        "{arrivals} of {stops} walks got there"
    );
    assert!(stops > 15 * COUNT as u32, "{stops} walks");
}

#[test]
fn fsm_17_ten_thousand_targets_are_far_enough_and_in_reach() {
    let map = Map::from_ascii(&"......#.........#...\n...#..#...##....#...\n".repeat(12)).unwrap();
    let mut world = hecs::World::new();
    let mut sim = Simulation::new(map, Config::default()).unwrap();
    let spec = UnitSpec {
        position: Vec2::new(1.5, 1.5),
        ..UnitSpec::default()
    };
    sim.spawn(&mut world, &spec).unwrap();
    sim.tick(&mut world);
    let Wandering { radius, least, .. } = sim.config().wandering;
    let (mut drawn, mut now) = (0, 0);
    while drawn < 10_000 {
        now += 1;
        let draw_unit = |stream| crate::brain::random::unit(1, crate::UnitId(7), now, stream);
        let at = Vec2::new(draw_unit(0) * 20.0, draw_unit(1) * 24.0);
        // At home, or on the way from it.
        let away = Vec2::new(draw_unit(2) * 8.0 - 4.0, draw_unit(3) * 8.0 - 4.0);
        let home = if now % 2 == 0 { at } else { at + away };
        let cells = &sim.map().nav(SizeClass::SMALLEST).occupancy;
        if ![at, home].iter().all(|&p| walls::is_clear(cells, p, 0.4)) {
            continue;
        }
        let Some(target) = sim.with_senses(at, now, |me| draw(me, home)) else {
            assert!(now < 40_000, "most places have targets");
            continue;
        };
        drawn += 1;
        assert!(target.distance(at) >= least && target.distance(home) >= least);
        assert!(target.distance(home) <= radius + 1e-3);
        assert!(sim.reachable(0.4, at, target));
    }
}
