//! Two armies of 2,000 that fight until one is gone.

use std::collections::BTreeSet;

use throng::{EventKind, StateId};
use throng_scenes::{RunOptions, Runner, Scenario};

/// States in which a unit has a target.
const FIGHTS: [StateId; 3] = [StateId::CHASE, StateId::ATTACK, StateId::KITE];

/// Ticks in which the fight is compared on other numbers of threads: they hold the clash.
const COMPARED: usize = 900;

/// Fights the battle on so many threads, to its end or for so many ticks, and hands every tick to
/// `look`; the hash after each.
fn fight(threads: usize, ticks: usize, mut look: impl FnMut(&Runner) + Send) -> Vec<u64> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let scenario = Scenario::find("battle").unwrap();
        let runner = Runner::new(scenario, RunOptions::default()).unwrap();
        let mut runner = runner.unmeasured();
        let mut hashes = Vec::new();
        while hashes.len() < ticks {
            runner.step().unwrap();
            look(&runner);
            hashes.push(runner.state_hash());
            let units = runner.simulation().units();
            if (0..2).any(|team| units.of_team(team).next().is_none()) {
                break;
            }
            assert!(!runner.is_done(), "the fight does not end");
        }
        hashes
    })
}

#[test]
fn two_armies_of_2000_fight_until_one_is_gone() {
    let (mut dead, mut dead_when_compared) = (BTreeSet::new(), 0);
    let (mut changes, mut living_ticks) = ([0_u32; 4000], [0_u32; 4000]);
    let (mut tick_rate, mut survivors) = (0.0, 0);
    let hashes = fight(2, usize::MAX, |runner| {
        let simulation = runner.simulation();
        let units = simulation.units();
        tick_rate = simulation.config().tick_rate;
        assert_eq!(runner.scenario().unit_count(), 4000);
        for event in simulation.events() {
            match event.kind {
                EventKind::Died { .. } => assert!(dead.insert(event.unit), "dies once"),
                EventKind::Attacked { .. } => assert!(!dead.contains(&event.unit)),
                EventKind::StateChanged { .. } => changes[event.unit.0 as usize] += 1,
                _ => {}
            }
        }
        for row in units.living() {
            living_ticks[units.id[row].0 as usize] += 1;
            let mind = simulation.mind(runner.world(), units.entity[row]).unwrap();
            if FIGHTS.contains(&mind.state()) {
                let target = mind.target().expect("who fights has a target");
                assert!(!dead.contains(&target), "{:?} at a corpse", units.id[row]);
            }
        }
        survivors = units.living().count();
        if simulation.now() == COMPARED as u64 {
            dead_when_compared = dead.len();
        }
    });
    assert!(survivors > 0 && dead.len() + survivors == 4000);
    let mut rates: Vec<f32> = (0..4000)
        .map(|unit| changes[unit] as f32 * tick_rate / living_ticks[unit].max(1) as f32)
        .collect();
    rates.sort_by(f32::total_cmp);
    assert!(
        rates[2000] < 2.0,
        "{} changes of state a second",
        rates[2000]
    );
    assert!(dead_when_compared > 800, "{dead_when_compared} dead");
    for threads in [1, 7] {
        let other = fight(threads, COMPARED, |_| {});
        let differs = hashes.iter().zip(&other).position(|(a, b)| a != b);
        assert_eq!(
            differs, None,
            "first tick that differs on {threads} threads"
        );
    }
}
