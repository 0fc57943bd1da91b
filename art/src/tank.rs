//! A tank with turret and tracks, seen from above.

use crate::canvas::{Canvas, Tone, disc, ease, lerp, open, oval, polygon, slab, star, wave};
use crate::sheet::{Clip, Sheet};

const SIDE: u32 = 96;
/// The disc of a hull of 42 pixels in length, before scaling.
const BODY: f32 = 20.0;
const SCALE: f32 = 1.15;

const HULL: (Tone, Tone) = (Tone::tinted(250, 76), Tone::tinted(190, 40));
const TURRET: (Tone, Tone) = (Tone::tinted(255, 84), Tone::tinted(205, 40));
const GUARD: Tone = Tone::tinted(172, 40);
const TRACK: Tone = Tone(62, 58, 54);
const LINK: Tone = Tone(122, 116, 106);
const GUN: (Tone, Tone) = (Tone(150, 152, 148), Tone(84, 86, 84));
const GRILLE: Tone = Tone(44, 42, 40);
const LAMP: Tone = Tone(255, 232, 150);
const SMOKE: Tone = Tone(70, 66, 62);
const SOOT: Tone = Tone(34, 30, 28);

/// Length over which the marks of the track repeat, in pixels.
const LINKS: f32 = 11.0;

/// What moves on a tank.
#[derive(Clone, Copy, Default)]
struct Pose {
    /// How far the tracks have run, in pixels.
    run: f32,
    /// Shake of the hull, in pixels.
    shake: (f32, f32),
    /// The turret's turn in degrees, and how far the gun is pushed back.
    turn: f32,
    recoil: f32,
    /// Size of the muzzle flash and of the smoke that follows, 0 to 1.
    flash: f32,
    smoke: f32,
    /// Place of the exhaust's puff on its way, 0 to 1.
    puff: f32,
    /// Size of sparks on the armour.
    sparks: f32,
    /// How burnt it is, 0 to 1.
    burnt: f32,
    /// How far the turret has been blown off.
    off: f32,
}

impl Pose {
    fn tone(&self, tone: Tone) -> Tone {
        tone.mix(SOOT, self.burnt * 0.82)
    }

    fn pair(&self, pair: (Tone, Tone)) -> (Tone, Tone) {
        (self.tone(pair.0), self.tone(pair.1))
    }
}

fn tracks(canvas: &mut Canvas, pose: &Pose) {
    for side in [-1.0, 1.0] {
        let y = 13.2 * side;
        canvas.form(
            &slab(0.0, y, 21.0, 4.0, 3.0),
            pose.tone(TRACK),
            pose.tone(TRACK),
        );
        let mut x = -19.0 + pose.run.rem_euclid(LINKS);
        let mut mark = 0;
        while x < 20.0 {
            let (tone, width) = if mark % 2 == 0 {
                (LINK, 2.2)
            } else {
                (LINK.mix(TRACK, 0.55), 1.4)
            };
            canvas.line(
                &open(&[(x, y - 2.9), (x, y + 2.9)]),
                pose.tone(tone),
                width,
                1.0,
            );
            x += LINKS / 2.0;
            mark += 1;
        }
        let guard = slab(-1.0, 10.6 * side, 18.0, 1.7, 0.8);
        canvas.form(&guard, pose.tone(GUARD), pose.tone(GUARD));
    }
}

fn hull(canvas: &mut Canvas, pose: &Pose) {
    let (light, shade) = pose.pair(HULL);
    let body = polygon(&[
        (-19.0, -9.0),
        (14.0, -9.6),
        (20.5, -6.0),
        (20.5, 6.0),
        (14.0, 9.6),
        (-19.0, 9.0),
        (-21.0, 6.0),
        (-21.0, -6.0),
    ]);
    canvas.form(&body, light, shade);
    canvas.line(
        &open(&[(13.4, -9.0), (13.4, 9.0)]),
        shade.mix(SOOT, 0.4),
        1.1,
        0.9,
    );
    for x in [-18.0, -15.6, -13.2, -10.8] {
        canvas.line(&open(&[(x, -5.0), (x, 5.0)]), GRILLE, 1.3, 0.95);
    }
    for side in [-1.0, 1.0] {
        canvas.form(
            &disc(17.0, 5.2 * side, 1.3),
            pose.tone(LAMP),
            pose.tone(LAMP),
        );
        canvas.form(
            &slab(-17.0, 8.0 * side, 2.6, 1.2, 0.8),
            pose.tone(GUN.0),
            pose.tone(GUN.1),
        );
    }
    canvas.line(
        &open(&[(-6.0, 7.2), (8.0, 7.2)]),
        pose.tone(Tone(196, 196, 190)),
        1.5,
        1.0,
    );
}

fn turret(canvas: &mut Canvas, pose: &Pose) {
    let (light, shade) = pose.pair(TURRET);
    let gun = pose.pair(GUN);
    canvas.at(-pose.recoil, 0.0, 0.0, 1.0, |canvas| {
        canvas.limb(&[(6.0, 0.0), (25.0, 0.0)], 3.2, gun.1);
        canvas.line(&open(&[(8.0, 0.0), (24.0, 0.0)]), gun.0, 1.2, 1.0);
        canvas.form(&slab(25.6, 0.0, 2.2, 2.5, 0.8), gun.1, gun.1);
    });
    if pose.smoke > 0.0 {
        let reach = 4.0 + 5.0 * pose.smoke;
        let fade = 0.75 * (1.0 - pose.smoke);
        canvas.haze(
            30.0 + 2.0 * pose.smoke,
            0.0,
            (reach, reach),
            Tone(196, 190, 180),
            fade,
        );
    }
    if pose.flash > 0.0 {
        let f = pose.flash;
        canvas.haze(31.0, 0.0, (9.5 * f, 9.5 * f), Tone(255, 180, 50), 0.9);
        canvas.fill(
            &star(31.0, 0.0, 7, 2.6 * f, 9.0 * f),
            Tone(255, 206, 80),
            1.0,
        );
        canvas.fill(&oval(30.0, 0.0, 5.0 * f, 2.8 * f), Tone(255, 252, 222), 1.0);
    }
    let shell = polygon(&[
        (-9.0, -5.0),
        (-5.5, -8.2),
        (4.0, -8.0),
        (9.2, -4.0),
        (9.2, 4.0),
        (4.0, 8.0),
        (-5.5, 8.2),
        (-9.0, 5.0),
    ]);
    canvas.form(&shell, light, shade);
    canvas.form(&disc(-2.4, -2.6, 3.4), shade, shade.mix(SOOT, 0.3));
    canvas.line(&open(&[(-4.2, -2.6), (-0.6, -2.6)]), light, 1.1, 0.9);
    canvas.form(&disc(3.6, 3.6, 1.6), gun.0, gun.1);
}

fn draw(pose: Pose) -> Canvas {
    let mut canvas = Canvas::new(SIDE);
    canvas.at(-2.0, 0.0, 0.0, SCALE, |canvas| {
        canvas.haze(0.0, 0.0, (27.0, 22.0), Tone(0, 0, 0), 0.6);
        canvas.at(pose.shake.0, pose.shake.1, 0.0, 1.0, |canvas| {
            tracks(canvas, &pose);
            hull(canvas, &pose);
            if pose.puff > 0.0 {
                let reach = 2.0 + 4.0 * pose.puff;
                let fade = 0.55 * (1.0 - pose.puff);
                for side in [-1.0, 1.0] {
                    canvas.haze(
                        -21.0 - 5.0 * pose.puff,
                        8.0 * side,
                        (reach, reach),
                        SMOKE,
                        fade,
                    );
                }
            }
            let (x, y) = (lerp(1.0, -4.0, pose.off), lerp(0.0, 4.5, pose.off));
            if pose.off > 0.0 {
                canvas.form(&disc(1.0, 0.0, 7.0), SOOT, Tone(18, 16, 15));
            }
            canvas.at(x, y, pose.turn, 1.0, |canvas| turret(canvas, &pose));
            if pose.sparks > 0.0 {
                for (x, y, size) in [(9.0, -7.0, 1.0), (-6.0, 8.0, 0.7), (14.0, 5.0, 0.6)] {
                    let size = size * pose.sparks;
                    canvas.haze(x, y, (7.0 * size, 7.0 * size), Tone(255, 180, 60), 0.7);
                    canvas.fill(
                        &star(x, y, 6, 1.2 * size, 6.0 * size),
                        Tone(255, 230, 130),
                        1.0,
                    );
                }
            }
        });
    });
    canvas
}

/// The tank blows up: `t` from 0 to 1.
fn wreck(t: f32) -> Canvas {
    let burnt = ease(t, 0.05, 0.45);
    let off = ease(t, 0.05, 0.5);
    let pose = Pose {
        burnt,
        off,
        turn: 38.0 * off,
        recoil: 3.0 * off,
        shake: (wave(t * 5.0).0 * (1.0 - t), wave(t * 7.0).0 * (1.0 - t)),
        ..Pose::default()
    };
    let mut canvas = draw(pose);
    canvas.at(-2.0, 0.0, 0.0, SCALE, |canvas| {
        let ball = ease(t, 0.0, 0.3);
        let gone = ease(t, 0.3, 0.75);
        let smoke = ease(t, 0.2, 0.6);
        for i in 0..7 {
            let (sin, cos) = wave(i as f32 / 7.0 + 0.05);
            let way = 5.0 + 13.0 * smoke;
            let size = 7.0 + 6.0 * smoke;
            let fade = 0.6 * smoke * (1.0 - ease(t, 0.6, 1.0) * 0.8);
            canvas.haze(cos * way, sin * way * 0.8, (size, size), SMOKE, fade);
        }
        if gone < 1.0 && ball > 0.0 {
            let alive = 1.0 - gone;
            let size = 8.0 + 18.0 * ball;
            canvas.haze(0.0, 0.0, (size, size), Tone(255, 120, 20), 0.95 * alive);
            canvas.fill(
                &star(0.0, 0.0, 11, size * 0.45, size * 0.85),
                Tone(255, 160, 40),
                0.9 * alive,
            );
            canvas.fill(
                &star(0.0, 0.0, 9, size * 0.3, size * 0.55),
                Tone(255, 236, 150),
                alive,
            );
        }
        for i in 0..8 {
            let (sin, cos) = wave(i as f32 / 8.0 + 0.03);
            let way = 8.0 + (18.0 + 3.0 * (i % 3) as f32) * ease(t, 0.0, 0.7);
            let lies = if t > 0.65 { SOOT } else { Tone(255, 190, 80) };
            if t > 0.05 {
                canvas.fill(
                    &disc(cos * way, sin * way, 1.2 + 0.4 * (i % 2) as f32),
                    lies,
                    0.9,
                );
            }
        }
        let embers = ease(t, 0.4, 0.7);
        for (x, y, size) in [(1.0, 0.0, 4.5), (-13.0, 3.0, 3.0), (9.0, -5.0, 2.4)] {
            let flicker = 0.8 + 0.2 * wave(t * 6.0 + x).0;
            canvas.haze(
                x,
                y,
                (size * 1.7, size * 1.7),
                Tone(255, 130, 30),
                0.75 * embers * flicker,
            );
            canvas.haze(
                x,
                y,
                (size * 0.7, size * 0.7),
                Tone(255, 226, 130),
                0.8 * embers * flicker,
            );
        }
    });
    canvas
}

/// The tank's sheet.
pub fn sheet() -> Sheet {
    let idle = (0..6)
        .map(|i| {
            let t = i as f32 / 6.0;
            let shake = (0.25 * wave(2.0 * t).0, 0.25 * wave(3.0 * t).1);
            draw(Pose {
                shake,
                puff: t + 0.08,
                ..Pose::default()
            })
            .finish()
        })
        .collect();
    let scan = (0..12)
        .map(|i| {
            let t = i as f32 / 12.0;
            let turn = 40.0 * (ease(t, 0.0, 0.22) - 2.0 * ease(t, 0.3, 0.65) + ease(t, 0.75, 1.0));
            let shake = (0.25 * wave(4.0 * t).0, 0.0);
            draw(Pose {
                turn,
                shake,
                puff: (2.0 * t).fract() + 0.01,
                ..Pose::default()
            })
            .finish()
        })
        .collect();
    let walk = (0..8)
        .map(|i| {
            let t = i as f32 / 8.0;
            let (sin, cos) = wave(t);
            // The near side of a track runs backwards as the tank goes on.
            let pose = Pose {
                run: -LINKS * t * 2.0,
                shake: (0.4 * sin, 0.35 * wave(2.0 * t).0),
                turn: 1.5 * cos,
                puff: (2.0 * t).fract() * 0.9 + 0.1,
                ..Pose::default()
            };
            draw(pose).finish()
        })
        .collect();
    let attack = (0..10)
        .map(|i| {
            let kick = [0.0, 0.0, 0.0, 1.0, 0.85, 0.6, 0.4, 0.2, 0.1, 0.0][i];
            let pose = Pose {
                shake: (
                    [0.0, 0.3, -0.3, -2.4, -1.6, -0.8, -0.3, 0.2, 0.0, 0.0][i],
                    0.0,
                ),
                recoil: 6.0 * kick,
                flash: [0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.0, 0.0, 0.0][i],
                smoke: [0.0, 0.0, 0.0, 0.0, 0.25, 0.4, 0.55, 0.7, 0.85, 0.0][i],
                ..Pose::default()
            };
            draw(pose).finish()
        })
        .collect();
    let hurt = (0..5)
        .map(|i| {
            let jolt = [0.9, 1.0, 0.6, 0.3, 0.1][i];
            let pose = Pose {
                shake: (-1.6 * jolt, 1.2 * jolt),
                turn: 6.0 * jolt,
                sparks: jolt,
                ..Pose::default()
            };
            let mut canvas = draw(pose);
            canvas.wash(Tone(255, 255, 255), [0.55, 0.3, 0.15, 0.0, 0.0][i]);
            canvas.finish()
        })
        .collect();
    let die = (0..12).map(|i| wreck(i as f32 / 11.0).finish()).collect();
    Sheet {
        name: "tank",
        about: "A tank.",
        body: Some(BODY * SCALE),
        clips: vec![
            Clip {
                name: "idle",
                keys: "rate = 10.0\nvariation = 0.1\nnext = { idle = 12, scan = 1 }",
                frames: idle,
            },
            Clip {
                name: "scan",
                keys: "rate = 7.0\nvariation = 0.2\nnext = { idle = 1 }",
                frames: scan,
            },
            Clip {
                name: "walk",
                keys: "rate = 15.0\ncells = 0.43",
                frames: walk,
            },
            Clip {
                name: "attack",
                keys: "rate = 15.0\nhit = 3\nloops = 1",
                frames: attack,
            },
            Clip {
                name: "hurt",
                keys: "rate = 15.0\nloops = 1",
                frames: hurt,
            },
            Clip {
                name: "die",
                keys: "rate = 12.0\nloops = 1",
                frames: die,
            },
        ],
    }
}
