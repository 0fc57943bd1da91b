use std::f32::consts::PI;

use super::*;

const IDLE: ClipId = ClipId(0);
const WALK: ClipId = ClipId(1);
const ATTACK: ClipId = ClipId(2);
const HURT: ClipId = ClipId(3);
const DIE: ClipId = ClipId(4);

fn rig() -> Rig {
    let text = "
image = 'x.png'
size = [8, 8]
[[clips]]
name = 'idle'
count = 2
frame_ticks = 10
[[clips]]
name = 'walk'
offset = [0, 8]
count = 8
rate = 10
cells = 0.8
[[clips]]
name = 'attack'
offset = [0, 16]
count = 6
frame_ticks = 2
hit = 4
[[clips]]
name = 'hurt'
offset = [0, 24]
count = 3
frame_ticks = 2
[[clips]]
name = 'die'
offset = [0, 32]
count = 5
frame_ticks = 2
";
    let sheet = Sheet::parse(text, "x.toml", [64, 40]).unwrap();
    Rig::new(&sheet, TickRate::default()).unwrap()
}

/// Steps between two frames of the eight of the walk, the short way round.
fn leap(a: u32, b: u32) -> u32 {
    (b + 8 - a) % 8
}

#[test]
fn a_queueing_unit_does_not_flicker_between_walk_and_idle() {
    let (rig, mut drive) = (rig(), Drive::new(3, 0.0));
    let mut looks = vec![drive.update(&rig, 0, 0.0, 0.0, Action::None)];
    for tick in 1..=100 {
        let speed = if (tick - 1) / 3 % 2 == 0 { 0.09 } else { 0.0 };
        looks.push(drive.update(&rig, tick, speed, 0.0, Action::None));
    }
    let changes = looks.windows(2).filter(|w| w[0].clip != w[1].clip).count();
    assert!(changes <= 2, "{changes} changes of state");
    for pair in looks
        .windows(2)
        .filter(|w| w[0].clip == WALK && w[1].clip == WALK)
    {
        assert!(leap(pair[0].frame, pair[1].frame) <= 1, "{pair:?}");
    }
}

#[test]
fn a_stop_of_one_tick_does_not_make_legs_twitch() {
    let (rig, mut drive) = (rig(), Drive::new(3, 0.0));
    for tick in 0..30 {
        drive.update(&rig, tick, 0.05, 0.0, Action::None);
    }
    let before = drive.look();
    let stop = drive.update(&rig, 30, 0.0, 0.0, Action::None);
    assert_eq!((stop.clip, stop.frame), (WALK, before.frame));
    let after = drive.update(&rig, 31, 0.05, 0.0, Action::None);
    assert!(after.clip == WALK && leap(before.frame, after.frame) <= 1);
}

#[test]
fn a_nudge_of_one_tick_is_no_step() {
    let (rig, mut drive) = (rig(), Drive::new(3, 0.0));
    for tick in 0..40 {
        let speed = if tick == 20 { 0.2 } else { 0.0 };
        assert_eq!(
            drive.update(&rig, tick, speed, 0.0, Action::None).clip,
            IDLE
        );
    }
}

#[test]
fn feet_cover_the_ground_they_walk_over() {
    let rig = rig();
    for speed in [0.02f32, 0.1, 0.37] {
        let mut drive = Drive::new(0, 0.0);
        let mut frames = 0;
        let mut last = drive.update(&rig, 0, speed, 0.0, Action::None).frame;
        let ticks = (8.0 / speed).ceil() as u64;
        for tick in 1..=ticks {
            let look = drive.update(&rig, tick, speed, 0.0, Action::None);
            frames += if tick > 2 { leap(last, look.frame) } else { 0 };
            last = look.frame;
        }
        // Eight cells are ten passes of 0.8 cells, less the two ticks of setting out.
        let missed = (2.0 * speed / 0.1) as i64 + 2;
        assert!(
            (i64::from(frames) - 80).abs() <= missed,
            "{frames} frames at {speed}"
        );
    }
}

#[test]
fn facing_is_kept_at_rest() {
    let (rig, mut drive) = (rig(), Drive::new(0, 0.0));
    for tick in 0..20 {
        drive.update(&rig, tick, 0.1, PI, Action::None);
    }
    for tick in 20..60 {
        // The simulation's heading may be anything for a unit that creeps.
        let look = drive.update(&rig, tick, 0.009, tick as f32, Action::None);
        assert_eq!(look.facing, PI);
    }
    let strike = Action::Attack { start: 60, hit: 66 };
    assert_eq!(drive.update(&rig, 60, 0.0, 1.0, strike).facing, 1.0);
}

#[test]
fn the_blow_is_shown_in_the_tick_it_lands() {
    let rig = rig();
    for wind_up in [0, 1, 5, 8, 45] {
        let mut drive = Drive::new(0, 0.0);
        let action = Action::Attack {
            start: 100,
            hit: 100 + wind_up,
        };
        let shown: Vec<_> = (100..=104 + wind_up)
            .map(|tick| drive.update(&rig, tick, 0.0, 0.0, action))
            .map(|look| (look.clip, look.frame))
            .collect();
        let (before, after) = shown.split_at(wind_up as usize);
        assert!(
            before
                .iter()
                .all(|&(clip, frame)| clip == ATTACK && frame < 4),
            "{shown:?}"
        );
        assert!(before.is_sorted(), "{shown:?}");
        assert_eq!(
            after,
            [
                (ATTACK, 4),
                (ATTACK, 4),
                (ATTACK, 5),
                (ATTACK, 5),
                (IDLE, 0)
            ]
        );
    }
}

#[test]
fn pain_comes_first_and_passes() {
    let (rig, mut drive) = (rig(), Drive::new(0, 0.0));
    for tick in 0..10 {
        drive.update(&rig, tick, 0.1, 0.0, Action::None);
    }
    let struck = Action::Hurt { since: 10 };
    let shown: Vec<_> = (10..18)
        .map(|t| drive.update(&rig, t, 0.1, 0.0, struck).clip)
        .collect();
    assert_eq!(shown, [HURT, HURT, HURT, HURT, HURT, HURT, WALK, WALK]);
}

#[test]
fn the_dead_stay_down() {
    let (rig, mut drive) = (rig(), Drive::new(0, 2.0));
    let dead = Action::Dead { since: 5 };
    let shown = |drive: &mut Drive, tick| drive.update(&rig, tick, 0.0, 0.0, dead);
    assert_eq!((shown(&mut drive, 5).clip, drive.look().frame), (DIE, 0));
    assert_eq!(shown(&mut drive, 9).frame, 2);
    for tick in [15, 1000, 1 << 31, 1 << 40] {
        let look = shown(&mut drive, tick);
        assert_eq!((look.clip, look.frame, look.facing), (DIE, 4, 2.0));
    }
}

#[test]
fn the_state_shows_in_the_tick_it_changes() {
    let (rig, mut drive) = (rig(), Drive::new(0, 0.0));
    drive.update(&rig, 0, 0.0, 0.0, Action::None);
    let strike = Action::Attack { start: 1, hit: 5 };
    assert_eq!(drive.update(&rig, 1, 0.0, 0.0, strike).clip, ATTACK);
    assert_eq!(
        drive
            .update(&rig, 2, 0.0, 0.0, Action::Hurt { since: 2 })
            .clip,
        HURT
    );
    assert_eq!(
        drive
            .update(&rig, 3, 0.0, 0.0, Action::Dead { since: 3 })
            .clip,
        DIE
    );
}
