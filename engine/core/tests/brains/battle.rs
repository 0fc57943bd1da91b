//! Armies.

use throng::{Brain, Combat, Event, EventKind};

use crate::field::{FIGHTER, Field};

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
