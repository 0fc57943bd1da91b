//! A lancer on horseback, seen from above.

use crate::canvas::{Canvas, Tone, disc, ease, lerp, open, oval, polygon, slab, wave};
use crate::sheet::{Clip, Sheet};

const SIDE: u32 = 96;
/// The disc of a horse of 54 pixels in length, before scaling.
const BODY: f32 = 17.0;
const SCALE: f32 = 1.2;

const COAT: (Tone, Tone) = (Tone(196, 134, 80), Tone(140, 90, 50));
const MANE: Tone = Tone(58, 40, 28);
const HOOF: Tone = Tone(48, 38, 32);
const CLOTH: (Tone, Tone) = (Tone::tinted(255, 50), Tone::team(190));
const SLEEVE: Tone = Tone::team(235);
const HELMET: (Tone, Tone) = (Tone(236, 226, 190), Tone(170, 148, 92));
const PLUME: Tone = Tone::tinted(255, 70);
const LEATHER: Tone = Tone(92, 62, 38);
const SKIN: Tone = Tone(236, 188, 148);
const WOOD: Tone = Tone(196, 160, 104);
const STEEL: Tone = Tone(206, 212, 214);
const BLOOD: Tone = Tone(120, 14, 10);

/// Where the parts of horse and rider are.
#[derive(Clone, Copy)]
struct Pose {
    /// How far each hoof is ahead of its place: fore left, fore right, hind left, hind right.
    hooves: [f32; 4],
    /// Stretch of the horse's body and neck, in pixels.
    stretch: f32,
    /// Turn of the horse's head and swing of its tail, in degrees.
    nod: f32,
    tail: f32,
    /// The rider's shift and turn.
    seat: f32,
    twist: f32,
    /// How far the lance is thrust forward, and its turn in degrees.
    thrust: f32,
    point: f32,
}

const STAND: Pose = Pose {
    hooves: [0.0, 1.5, -1.0, 0.5],
    stretch: 0.0,
    nod: 0.0,
    tail: 0.0,
    seat: 0.0,
    twist: 0.0,
    thrust: 0.0,
    point: -4.0,
};

fn horse(canvas: &mut Canvas, pose: &Pose) {
    let places = [(11.0, -5.4), (11.0, 5.4), (-12.0, -5.8), (-12.0, 5.8)];
    for ((x, y), reach) in places.into_iter().zip(pose.hooves) {
        canvas.limb(&[(x, y), (x + reach, y * 1.12)], 3.6, COAT.1);
        canvas.limb(
            &[(x + reach, y * 1.12), (x + reach + 1.6, y * 1.12)],
            3.0,
            HOOF,
        );
    }
    let stretch = pose.stretch;
    canvas.at(-17.0 - stretch * 0.4, 0.0, pose.tail, 1.0, |canvas| {
        canvas.limb(&[(0.0, 0.0), (-5.0, 0.6), (-10.5, -0.6)], 3.2, MANE);
    });
    canvas.at(11.0 + stretch * 0.5, 0.0, pose.nod, 1.0, |canvas| {
        canvas.limb(&[(0.0, 0.0), (9.5 + stretch * 0.6, 0.0)], 8.0, COAT.0);
        canvas.at(10.0 + stretch * 0.6, 0.0, pose.nod * 0.8, 1.0, |canvas| {
            for side in [-1.0, 1.0] {
                let ear = [(-1.5, 1.6 * side), (0.2, 4.2 * side), (1.8, 1.8 * side)];
                canvas.form(&polygon(&ear), COAT.1, COAT.1);
            }
            let face = polygon(&[
                (-2.0, -3.4),
                (3.5, -2.9),
                (9.0, -1.8),
                (9.0, 1.8),
                (3.5, 2.9),
                (-2.0, 3.4),
            ]);
            canvas.form(&face, COAT.0, COAT.1);
            canvas.line(
                &open(&[(2.0, 0.0), (7.0, 0.0)]),
                Tone(236, 224, 204),
                1.5,
                0.9,
            );
            canvas.line(&open(&[(5.4, -2.6), (5.4, 2.6)]), LEATHER, 1.0, 1.0);
        });
        canvas.line(
            &open(&[(-1.0, 0.0), (9.5 + stretch * 0.6, 0.0)]),
            MANE,
            2.6,
            1.0,
        );
    });
    canvas.form(&oval(-1.0, 0.0, 17.0 + stretch * 0.5, 7.6), COAT.0, COAT.1);
}

fn helmet(canvas: &mut Canvas) {
    canvas.form(&oval(2.8, 0.0, 2.8, 2.8), SKIN, SKIN);
    canvas.form(&oval(-0.2, 0.0, 4.9, 4.7), HELMET.0, HELMET.1);
    canvas.limb(&[(-6.0, 0.0), (1.6, 0.0)], 1.8, PLUME);
}

fn lance(canvas: &mut Canvas) {
    canvas.limb(&[(-21.0, 0.0), (22.0, 0.0)], 1.7, WOOD);
    canvas.form(
        &polygon(&[
            (5.0, 0.8),
            (17.5, 0.8),
            (12.5, 3.8),
            (16.0, 7.6),
            (5.0, 6.6),
        ]),
        CLOTH.0,
        CLOTH.1,
    );
    canvas.form(
        &polygon(&[(21.0, -2.1), (29.0, 0.0), (21.0, 2.1)]),
        STEEL,
        STEEL,
    );
}

fn rider(canvas: &mut Canvas, pose: &Pose) {
    canvas.form(&slab(-4.6, 0.0, 9.6, 9.2, 3.0), CLOTH.0, CLOTH.1);
    canvas.line(
        &open(&[(-12.4, -6.8), (-12.4, 6.8)]),
        Tone::tinted(255, 215),
        1.1,
        0.9,
    );
    canvas.line(
        &open(&[(3.2, -7.0), (3.2, 7.0)]),
        Tone::tinted(255, 215),
        1.1,
        0.9,
    );
    for side in [-1.0, 1.0] {
        canvas.limb(&[(-2.0, 6.4 * side), (3.6, 8.4 * side)], 3.6, LEATHER);
        canvas.line(
            &open(&[(4.0, 3.0 * side), (14.0, 3.0 * side)]),
            LEATHER,
            0.9,
            0.9,
        );
    }
    canvas.at(-2.0 + pose.seat, 0.0, pose.twist, 1.0, |canvas| {
        canvas.limb(&[(0.5, -7.0), (5.0, -6.4), (7.5, -2.0)], 3.2, SLEEVE);
        canvas.form(&disc(7.8, -1.6, 1.5), SKIN, SKIN);
        let hand = 5.0 + pose.thrust;
        canvas.limb(&[(0.5, 7.0), (hand * 0.45, 10.2), (hand, 9.6)], 3.2, SLEEVE);
        canvas.at(hand, 9.8, pose.point - pose.twist, 1.0, lance);
        canvas.form(&disc(hand, 9.7, 1.6), SKIN, SKIN);
        canvas.form(&oval(-0.4, 0.0, 5.2, 9.4), CLOTH.0, CLOTH.1);
        canvas.line(
            &open(&[(-3.4, -4.6), (3.6, 4.2)]),
            Tone(244, 240, 226),
            1.3,
            0.9,
        );
        canvas.at(0.2, 0.0, -pose.twist * 0.6, 1.0, helmet);
    });
}

fn draw(pose: Pose) -> Canvas {
    let mut canvas = Canvas::new(SIDE);
    canvas.at(-2.0, 0.0, 0.0, SCALE, |canvas| {
        canvas.haze(0.0, 0.0, (25.0, 14.0), Tone(0, 0, 0), 0.55);
        horse(canvas, &pose);
        rider(canvas, &pose);
    });
    canvas
}

/// The horse goes down on its side, the rider is thrown: `t` from 0 to 1.
fn fallen(t: f32) -> Canvas {
    let mut canvas = Canvas::new(SIDE);
    let down = ease(t, 0.0, 0.7);
    let thrown = ease(t, 0.05, 0.85);
    canvas.at(-2.0, 0.0, 0.0, SCALE, |canvas| {
        canvas.haze(
            0.0,
            0.0,
            (25.0, lerp(14.0, 17.0, down)),
            Tone(0, 0, 0),
            lerp(0.55, 0.3, down),
        );
        let pool = ease(t, 0.6, 1.0);
        if pool > 0.0 {
            canvas.fill(&oval(4.0, -4.0, 13.0 * pool, 9.0 * pool), BLOOD, 0.7);
        }
        // Legs fold out to the side the horse lies on.
        for (x, reach, knee) in [
            (10.0, 5.0, 3.5),
            (6.0, 2.0, 4.5),
            (-9.0, -3.0, 3.5),
            (-13.0, -6.5, 4.0),
        ] {
            let out = lerp(5.4, 16.5, down);
            let bend = (x + reach * 0.4 * down + knee * 0.2, lerp(5.4, 11.0, down));
            canvas.limb(&[(x, 3.0), bend, (x + reach * down, out)], 3.4, COAT.1);
            canvas.limb(
                &[(x + reach * down, out), (x + reach * down + 0.6, out + 1.4)],
                2.8,
                HOOF,
            );
        }
        let sink = Pose {
            hooves: [0.0; 4],
            nod: lerp(0.0, 22.0, down),
            tail: lerp(0.0, -24.0, down),
            stretch: 0.0,
            ..STAND
        };
        canvas.at(
            0.0,
            lerp(0.0, -2.0, down),
            lerp(0.0, -6.0, down),
            1.0,
            |canvas| {
                torso_of(canvas, &sink, down);
            },
        );
        // The rider lands ahead and to the left.
        canvas.at(
            lerp(-2.0, 6.0, thrown),
            lerp(0.0, -17.0, thrown),
            lerp(0.0, -68.0, thrown),
            1.0,
            |canvas| {
                let flat = thrown;
                for side in [-1.0, 1.0] {
                    let foot = (lerp(3.0, -13.5, flat), lerp(7.0, 4.6, flat) * side);
                    canvas.limb(&[(-1.0, 3.6 * side), foot], 3.6, LEATHER);
                    let hand = (lerp(6.0, 9.0, flat), lerp(6.0, 9.5, flat) * side);
                    canvas.limb(&[(1.5, 6.2 * side), hand], 3.2, SLEEVE);
                    canvas.form(&disc(hand.0, hand.1, 1.5), SKIN, SKIN);
                }
                canvas.form(
                    &oval(-flat, 0.0, lerp(4.9, 7.2, flat), lerp(8.8, 6.8, flat)),
                    CLOTH.0,
                    CLOTH.1,
                );
                canvas.at(lerp(0.2, 9.0, flat), 0.0, 0.0, 1.0, helmet);
            },
        );
        canvas.at(
            lerp(5.0, 2.0, thrown),
            lerp(9.8, 15.5, thrown),
            lerp(-4.0, 14.0, thrown),
            1.0,
            |canvas| {
                canvas.at(-4.0 * thrown, 0.0, 0.0, 1.0 - 0.1 * thrown, lance);
            },
        );
    });
    canvas
}

/// The horse's trunk, neck, head and tail without its legs, lying on its side by `down`.
fn torso_of(canvas: &mut Canvas, pose: &Pose, down: f32) {
    let no_legs = Pose {
        hooves: [0.0; 4],
        ..*pose
    };
    canvas.at(-17.0, 0.0, no_legs.tail, 1.0, |canvas| {
        canvas.limb(&[(0.0, 0.0), (-5.0, 1.6), (-9.5, 4.0)], 3.2, MANE);
    });
    canvas.at(11.0, 0.0, no_legs.nod, 1.0, |canvas| {
        canvas.line(
            &open(&[(-1.0, -3.0 * down), (10.0, -3.0 * down)]),
            MANE,
            5.0,
            1.0,
        );
        canvas.limb(&[(0.0, 0.0), (10.0, 0.0)], 7.6, COAT.0);
        canvas.at(11.0, 0.0, 16.0 * down, 1.0, |canvas| {
            let ear = [(-2.0, -2.0), (-3.4, -5.0), (0.8, -3.0)];
            canvas.form(&polygon(&ear), COAT.1, COAT.1);
            let face = polygon(&[
                (-2.0, -3.6),
                (3.5, -3.0),
                (9.0, -1.8),
                (9.0, 1.8),
                (3.5, 3.2),
                (-2.0, 3.8),
            ]);
            canvas.form(&face, COAT.0, COAT.1);
        });
    });
    canvas.form(&oval(-1.0, 0.0, 17.0, lerp(7.6, 8.8, down)), COAT.0, COAT.1);
    canvas.form(
        &slab(-3.0, lerp(0.0, 1.5, down), 8.6, lerp(9.0, 6.8, down), 2.8),
        CLOTH.0,
        CLOTH.1,
    );
}

/// The rider's sheet.
pub fn sheet() -> Sheet {
    let idle = (0..8)
        .map(|i| {
            let (sin, cos) = wave(i as f32 / 8.0);
            let pose = Pose {
                nod: 5.0 * sin,
                tail: 16.0 * cos,
                twist: 1.5 * sin,
                ..STAND
            };
            draw(pose).finish()
        })
        .collect();
    let graze = (0..8)
        .map(|i| {
            let (sin, _) = wave(i as f32 / 16.0);
            let (flick, _) = wave(i as f32 / 4.0);
            let paw = if (2..6).contains(&i) {
                4.5 * flick.max(0.0)
            } else {
                0.0
            };
            let pose = Pose {
                hooves: [0.0, 1.5 + paw, -1.0, 0.5],
                nod: -24.0 * sin,
                tail: 16.0 + 22.0 * flick * sin,
                twist: -10.0 * sin,
                ..STAND
            };
            draw(pose).finish()
        })
        .collect();
    let walk = (0..10)
        .map(|i| {
            let t = i as f32 / 10.0;
            let swing = |lead: f32| wave(t + lead).0 * 8.5;
            let (sin, cos) = wave(t);
            let pose = Pose {
                hooves: [swing(0.0), swing(0.12), swing(0.5), swing(0.62)],
                stretch: 2.4 * sin,
                nod: 2.5 * cos,
                tail: 9.0 * cos,
                seat: -1.4 * sin,
                twist: 2.0 * cos,
                thrust: 1.2 * sin,
                ..STAND
            };
            draw(pose).finish()
        })
        .collect();
    let attack = (0..9)
        .map(|i| {
            let draw_back = [0.0, -2.5, -5.0, -5.5, 4.2, 4.6, 3.2, 1.8, 0.8][i];
            let turn = [0.0, 10.0, 18.0, 20.0, -14.0, -14.0, -8.0, -4.0, 0.0][i];
            let pose = Pose {
                hooves: [
                    3.0 * f32::from(u8::from(i > 3)) + 1.0,
                    2.0,
                    -3.0 * f32::from(u8::from(i > 3)),
                    -1.0,
                ],
                stretch: draw_back * 0.2,
                seat: draw_back * 0.25,
                twist: turn,
                thrust: draw_back,
                point: -4.0 - 3.0 * f32::from(u8::from(i > 3)),
                ..STAND
            };
            draw(pose).finish()
        })
        .collect();
    let hurt = (0..5)
        .map(|i| {
            let jolt = [0.8, 1.0, 0.7, 0.35, 0.1][i];
            let pose = Pose {
                hooves: [4.0 * jolt, -3.0 * jolt, -2.0 * jolt, 3.0 * jolt],
                nod: 20.0 * jolt,
                tail: -26.0 * jolt,
                seat: -3.0 * jolt,
                twist: 22.0 * jolt,
                stretch: -2.0 * jolt,
                ..STAND
            };
            let mut canvas = draw(pose);
            canvas.wash(Tone(255, 255, 255), [0.65, 0.45, 0.25, 0.1, 0.0][i]);
            canvas.finish()
        })
        .collect();
    let die = (0..10).map(|i| fallen(i as f32 / 9.0).finish()).collect();
    Sheet {
        name: "rider",
        about: "A lancer on horseback.",
        body: Some(BODY * SCALE),
        clips: vec![
            Clip {
                name: "idle",
                keys: "rate = 5.0\nvariation = 0.2\nnext = { graze = 1, idle = 7 }",
                frames: idle,
            },
            Clip {
                name: "graze",
                keys: "rate = 6.0\nvariation = 0.2\nnext = { idle = 1 }",
                frames: graze,
            },
            Clip {
                name: "walk",
                keys: "rate = 18.0\ncells = 2.0",
                frames: walk,
            },
            Clip {
                name: "attack",
                keys: "rate = 15.0\nhit = 4\nloops = 1",
                frames: attack,
            },
            Clip {
                name: "hurt",
                keys: "rate = 15.0\nloops = 1",
                frames: hurt,
            },
            Clip {
                name: "die",
                keys: "rate = 14.0\nloops = 1",
                frames: die,
            },
        ],
    }
}
