//! The brain `worker`: a state machine by the public interface, in scenarios.

use std::path::Path;

use throng::Order;
use throng_scenes::worker::Job;
use throng_scenes::{RunOptions, Runner, Scenario, builtin};

fn run_for(runner: &mut Runner, ticks: u64) {
    for _ in 0..ticks {
        runner.step().unwrap();
    }
}

fn job(runner: &Runner, unit: u32) -> (&'static str, Job) {
    let entity = runner.entity(unit).unwrap();
    let mind = runner.simulation().mind(runner.world(), entity).unwrap();
    (runner.simulation().state_name(mind.state()), mind.data())
}

fn lone() -> Runner {
    let text = "
        name = 'lone'
        ticks = 4000
        map = { empty = [30, 10] }
        units = [{ group = 'a', count = 1, area = [3.6, 4.6, 4.4, 5.4],
                   brain = 'worker', mine = [24.5, 5.5], store = [4.5, 5.5] }]";
    let scenario = Scenario::parse(text, Path::new("")).unwrap();
    Runner::new(scenario, RunOptions::default()).unwrap()
}

#[test]
fn a_worker_brings_home_a_load_a_round() {
    let mut runner = lone();
    let mut loads = Vec::new();
    for tick in 0..2400_u64 {
        run_for(&mut runner, 1);
        let (_, job) = job(&runner, 0);
        if job.delivered as usize / 5 > loads.len() {
            loads.push(tick);
        }
        assert_eq!(job.delivered as usize, 5 * loads.len());
    }
    // Twenty cells each way at 0.1 a tick, and 60 ticks of digging.
    assert_eq!(loads.len(), 5, "{loads:?}");
    for two in loads.windows(2) {
        assert!((440..=480).contains(&(two[1] - two[0])), "{loads:?}");
    }
}

#[test]
fn an_order_takes_a_worker_off_and_it_goes_on_with_what_it_carries() {
    let mut runner = lone();
    while job(&runner, 0).0 != "deliver" {
        run_for(&mut runner, 1);
    }
    run_for(&mut runner, 50);
    let entity = runner.entity(0).unwrap();
    let to = glam::Vec2::new(15.5, 1.5);
    let (simulation, world) = runner.parts_mut();
    simulation
        .order(world, &[entity], Order::Move { to }, false)
        .unwrap();
    run_for(&mut runner, 2);
    assert!(!["deliver", "gather"].contains(&job(&runner, 0).0));
    assert_eq!(job(&runner, 0).1.ore, 5);
    while job(&runner, 0).0 != "deliver" {
        run_for(&mut runner, 1);
        assert!(runner.simulation().now() < 1000);
    }
    let at = runner.simulation().units().position[0];
    assert!(at.distance(to) < 1.0, "{at} before it goes on");
    assert_eq!(job(&runner, 0).1.delivered, 0);
    run_for(&mut runner, 250);
    assert_eq!(job(&runner, 0).1.delivered, 5);
    assert_eq!(job(&runner, 0).0, "gather");
}

#[test]
fn every_worker_of_the_built_in_loop_delivers_to_the_store_of_its_crew() {
    let scenario = Scenario::find("worker_loop").unwrap();
    assert!(builtin::all().iter().any(|b| b.name == "worker_loop"));
    let mut runner = Runner::new(scenario, RunOptions::default()).unwrap();
    let count = runner.scenario().unit_count() as u32;
    let mut delivered = vec![0; count as usize];
    while !runner.is_done() {
        runner.step().unwrap();
        for unit in 0..count {
            let total = job(&runner, unit).1.delivered;
            if total > delivered[unit as usize] {
                delivered[unit as usize] = total;
                let entry = &runner.scenario().units;
                let crew = entry.iter().find(|e| e.group == runner.group_of(unit));
                let store = crew.unwrap().store.unwrap();
                let away = runner.simulation().units().position[unit as usize].distance(store);
                assert!(away < 5.0, "delivered {away} from the store");
            }
        }
    }
    // Some 90 cells of way a round at 0.1 a tick, and the digging.
    assert!(delivered.iter().all(|&ore| ore >= 10), "{delivered:?}");
}
