//! A game's own states, written against the public interface only.

#[path = "../examples/worker.rs"]
mod worker;

use worker::Job;

#[test]
fn workers_dig_carry_home_and_go_back_to_the_mine() {
    let (sim, world, workers) = worker::run(6, 3000);
    for worker in workers {
        let mind = sim.mind(&world, worker).unwrap();
        let job: Job = mind.data();
        // A round is some 30 cells of way at 0.1 a tick, and 40 ticks of digging.
        assert!(job.delivered >= 5 * 5, "{job:?}");
        assert!(["gather", "deliver"].contains(&sim.state_name(mind.state())));
    }
}

#[test]
fn the_game_s_own_data_is_part_of_the_state() {
    let (a, ..) = worker::run(3, 500);
    let (b, ..) = worker::run(3, 500);
    assert_eq!(a.state_hash(), b.state_hash());
    let (c, ..) = worker::run(3, 501);
    assert_ne!(a.state_hash(), c.state_hash());
}

#[test]
fn a_worker_that_is_hurt_runs_and_then_resumes() {
    use glam::Vec2;
    use throng::{StateId, UnitSpec};

    let (mut sim, mut world, workers) = worker::run(1, 200);
    sim.hurt(&world, workers[0], 10.0).unwrap();
    let at = sim.units().position[0] + Vec2::new(1.5, 0.0);
    let wolf = UnitSpec {
        position: at,
        team: 1,
        ..UnitSpec::default()
    };
    let wolf = sim.spawn(&mut world, &wolf).unwrap();
    for _ in 0..3 {
        sim.tick(&mut world);
    }
    let state = |sim: &throng::Simulation, world: &hecs::World| {
        sim.mind(world, workers[0]).unwrap().state()
    };
    assert_eq!(state(&sim, &world), StateId::FLEE);
    sim.despawn(&mut world, wolf).unwrap();
    for _ in 0..200 {
        sim.tick(&mut world);
    }
    let name = sim.state_name(state(&sim, &world));
    assert!(["gather", "deliver"].contains(&name), "{name}");
}
