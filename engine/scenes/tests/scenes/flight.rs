//! The brain `flee` and the interrupt of those who are badly hurt, in the built-in scenario.

use std::collections::BTreeSet;

use throng::{EventKind, StateId};
use throng_scenes::{RunOptions, Runner, Scenario};

#[test]
fn the_herd_gets_away_and_comes_back_and_hurt_guards_run() {
    let scenario = Scenario::find("flight").unwrap();
    let mut runner = Runner::new(scenario, RunOptions::default()).unwrap();
    runner.step().unwrap();
    let home = runner.simulation().units().position.clone();
    let (mut ran, mut struck) = (BTreeSet::new(), 0);
    let mut low = BTreeSet::new();
    while !runner.is_done() {
        runner.step().unwrap();
        let units = runner.simulation().units();
        for event in runner.simulation().events() {
            let (unit, row) = (event.unit.0, units.index_of(event.unit).unwrap());
            match (runner.group_of(unit), event.kind) {
                (group, EventKind::StateChanged { to, .. }) if to == StateId::FLEE => {
                    ran.insert(unit);
                    if group == "guards" {
                        assert!(units.health[row] < 50.0, "a healthy guard runs");
                    }
                }
                ("herd", EventKind::Attacked { .. }) => struck += 1,
                ("guards", EventKind::Attacked { .. }) if units.health[row] < 50.0 => {
                    low.insert(unit);
                }
                _ => {}
            }
        }
        for &unit in &low {
            let row = units.index_of(throng::UnitId(unit));
            let Some(row) = row.filter(|&row| units.is_alive(row)) else {
                continue;
            };
            assert!(
                ran.contains(&unit),
                "unit {unit} stays with {}",
                units.health[row]
            );
        }
    }
    assert!(low.len() >= 4, "{} guards were badly hurt", low.len());
    assert_eq!(struck, 0, "the herd is never caught");
    let units = runner.simulation().units();
    for (unit, home) in home.iter().enumerate() {
        if runner.group_of(unit as u32) == "herd" {
            assert!(ran.contains(&(unit as u32)), "unit {unit} stayed");
            let away = units.position[unit].distance(*home);
            assert!(away < 1.0, "unit {unit} is {away} from its place");
        }
    }
}
