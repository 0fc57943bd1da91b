//! A foot soldier with rifle, pack and helmet, seen from above.

use crate::canvas::{Canvas, Tone, disc, ease, lerp, open, oval, slab, star, wave};
use crate::sheet::{Clip, Sheet};

const SIDE: u32 = 64;
/// The drawing is laid out for a body of 12 pixels.
const SCALE: f32 = 1.25;

const TUNIC: (Tone, Tone) = (Tone::tinted(255, 50), Tone::team(205));
const SLEEVE: Tone = Tone::team(240);
const TROUSERS: Tone = Tone::team(155);
const BOOT: Tone = Tone(92, 66, 44);
const SKIN: Tone = Tone(236, 188, 148);
const HELMET: (Tone, Tone) = (Tone::tinted(222, 160), Tone::tinted(146, 78));
const GLINT: Tone = Tone::tinted(250, 214);
const PACK: (Tone, Tone) = (Tone(204, 172, 112), Tone(150, 120, 74));
const WOOD: Tone = Tone(134, 84, 44);
const STEEL: Tone = Tone(70, 74, 76);
const BLOOD: Tone = Tone(120, 14, 10);

/// Where the parts of a standing soldier are.
#[derive(Clone, Copy)]
struct Pose {
    /// Left and right foot ahead of the body.
    feet: (f32, f32),
    /// The body's shift forward and its turn, in pixels and degrees.
    lean: f32,
    twist: f32,
    /// The head's turn, in degrees, and its height as a scale.
    gaze: f32,
    head: f32,
    /// Breadth of the chest, as a scale.
    chest: f32,
    /// The rifle: where its butt is, and where it points in degrees.
    rifle: (f32, f32, f32),
    /// Size of the muzzle flash, 0 to 1.
    flash: f32,
}

/// Rifle held across the body, muzzle up to the left.
const PORT: (f32, f32, f32) = (2.5, 7.5, -38.0);
/// Rifle at the shoulder.
const AIM: (f32, f32, f32) = (0.8, 4.5, -3.0);

const STAND: Pose = Pose {
    feet: (2.5, 0.5),
    lean: 0.0,
    twist: 0.0,
    gaze: 0.0,
    head: 1.0,
    chest: 1.0,
    rifle: PORT,
    flash: 0.0,
};

fn rifle_between(a: (f32, f32, f32), b: (f32, f32, f32), t: f32) -> (f32, f32, f32) {
    (lerp(a.0, b.0, t), lerp(a.1, b.1, t), lerp(a.2, b.2, t))
}

/// A point of the rifle, `along` pixels from its butt.
fn on_rifle((x, y, degrees): (f32, f32, f32), along: f32) -> (f32, f32) {
    let (sin, cos) = wave(degrees / 360.0);
    (x + cos * along, y + sin * along)
}

fn rifle(canvas: &mut Canvas, (x, y, degrees): (f32, f32, f32), flash: f32) {
    canvas.at(x, y, degrees, 1.0, |canvas| {
        canvas.limb(&[(0.0, 0.0), (11.0, 0.0)], 2.6, WOOD);
        canvas.limb(&[(11.0, 0.0), (19.5, 0.0)], 1.1, STEEL);
        if flash > 0.0 {
            canvas.haze(
                20.0,
                0.0,
                (7.0 * flash, 7.0 * flash),
                Tone(255, 190, 60),
                0.8,
            );
            canvas.fill(
                &star(22.0, 0.0, 6, 1.6 * flash, 6.0 * flash),
                Tone(255, 214, 90),
                1.0,
            );
            canvas.fill(&disc(21.0, 0.0, 2.2 * flash), Tone(255, 252, 220), 1.0);
        }
    });
}

fn helmet(canvas: &mut Canvas, scale: f32) {
    canvas.at(0.0, 0.0, 0.0, scale, |canvas| {
        canvas.form(&oval(3.2, 0.0, 3.2, 3.0), SKIN, SKIN);
        canvas.form(&oval(-0.4, 0.0, 5.6, 5.4), HELMET.0, HELMET.1);
        canvas.fill(&oval(-0.9, -0.9, 2.6, 2.4), GLINT, 0.55);
    });
}

fn soldier(pose: Pose) -> Canvas {
    let mut canvas = Canvas::new(SIDE);
    canvas.at(0.0, 0.0, 0.0, SCALE, |canvas| {
        canvas.haze(0.0, 0.0, (14.0, 15.0), Tone(0, 0, 0), 0.55);
        for (side, foot) in [(-1.0, pose.feet.0), (1.0, pose.feet.1)] {
            let y = 5.2 * side;
            canvas.limb(&[(-1.0, y), (foot, y)], 4.2, TROUSERS);
            canvas.limb(&[(foot, y), (foot + 3.4, y)], 3.4, BOOT);
        }
        canvas.at(pose.lean, 0.0, pose.twist, 1.0, |canvas| {
            canvas.at(0.0, 0.0, 0.0, pose.chest, |canvas| {
                canvas.form(&slab(-6.2, 0.0, 3.0, 5.2, 2.0), PACK.0, PACK.1);
                canvas.form(&oval(-0.6, 0.0, 5.4, 11.2), TUNIC.0, TUNIC.1);
            });
            let (right, left) = (on_rifle(pose.rifle, 3.6), on_rifle(pose.rifle, 10.5));
            canvas.limb(
                &[(0.6, 9.2), ((right.0 + 2.0) * 0.6, 10.2), right],
                3.6,
                SLEEVE,
            );
            canvas.limb(&[(0.6, -9.2), (left.0 * 0.75, -9.4), left], 3.6, SLEEVE);
            rifle(canvas, pose.rifle, pose.flash);
            for hand in [right, left] {
                canvas.form(&disc(hand.0, hand.1, 1.7), SKIN, SKIN);
            }
            canvas.at(0.4, 0.0, pose.gaze, 1.0, |canvas| helmet(canvas, pose.head));
        });
    });
    canvas
}

/// A soldier who falls on his back: `t` from 0, upright, to 1, still.
fn fallen(t: f32) -> Canvas {
    let mut canvas = Canvas::new(SIDE);
    let down = ease(t, 0.0, 0.75);
    let bounce = wave(ease(t, 0.7, 1.0) / 2.0).0;
    canvas.at(lerp(0.0, 1.5, down), 0.0, 0.0, SCALE, |canvas| {
        let pool = ease(t, 0.6, 1.0);
        canvas.haze(
            0.0,
            0.0,
            (lerp(14.0, 17.0, down), 14.0),
            Tone(0, 0, 0),
            lerp(0.55, 0.3, down),
        );
        if pool > 0.0 {
            canvas.fill(&oval(-6.0, 2.0, 11.0 * pool, 8.5 * pool), BLOOD, 0.75);
            canvas.fill(&oval(1.0, 4.0, 7.0 * pool, 6.5 * pool), BLOOD, 0.75);
        }
        rifle(
            canvas,
            (
                lerp(2.5, -4.0, down),
                lerp(7.5, 15.0, down),
                lerp(-38.0, 24.0, down),
            ),
            0.0,
        );
        for side in [-1.0, 1.0] {
            let spread = lerp(4.6, 7.0 + side, down);
            let foot = lerp(1.5, 14.0 - side * 1.5, down) + bounce;
            canvas.limb(
                &[(lerp(-1.0, 5.0, down), 4.2 * side), (foot, spread * side)],
                4.4,
                TROUSERS,
            );
            canvas.limb(
                &[
                    (foot + 0.8, spread * side),
                    (foot + 3.4, (spread + 0.8) * side),
                ],
                3.4,
                BOOT,
            );
        }
        let hands = (lerp(6.0, -4.0, down), lerp(4.0, 15.0, down));
        for side in [-1.0, 1.0] {
            let hand = (hands.0 - 3.0 * side * down, hands.1 * side);
            canvas.limb(&[(lerp(0.6, -4.5, down), 8.0 * side), hand], 3.6, SLEEVE);
            canvas.form(&disc(hand.0, hand.1, 1.7), SKIN, SKIN);
        }
        let (long, broad) = (lerp(5.4, 8.8, down), lerp(11.2, 6.9, down));
        canvas.form(
            &oval(lerp(-0.6, -0.5, down), 0.0, long, broad),
            TUNIC.0,
            TUNIC.1,
        );
        if pool > 0.0 {
            canvas.fill(&oval(-1.5, 1.8, 3.2 * pool, 2.6 * pool), BLOOD, 0.9);
        }
        let strap = down * 0.9;
        canvas.line(
            &open(&[(-6.0, -4.5), (4.5, 4.5)]),
            Tone::tinted(120, 50),
            1.6,
            strap,
        );
        canvas.form(
            &oval(lerp(0.0, -11.6, down), 0.6, 3.9, 3.7),
            SKIN,
            Tone(206, 156, 120),
        );
        let roll = ease(t, 0.35, 0.95);
        canvas.at(
            lerp(0.4, -17.0, roll),
            lerp(0.0, -3.5, roll),
            40.0 * roll,
            1.0,
            |canvas| {
                helmet_alone(canvas);
            },
        );
    });
    canvas
}

fn helmet_alone(canvas: &mut Canvas) {
    canvas.form(&oval(-0.4, 0.0, 5.4, 5.2), HELMET.0, HELMET.1);
    canvas.fill(&oval(-0.9, -0.9, 2.6, 2.4), GLINT, 0.55);
}

/// The soldier's sheet.
pub fn sheet() -> Sheet {
    let idle = (0..6)
        .map(|i| {
            let (sin, _) = wave(i as f32 / 6.0);
            soldier(Pose {
                chest: 1.0 + 0.02 * sin,
                gaze: 4.0 * sin,
                ..STAND
            })
            .finish()
        })
        .collect();
    let look = (0..10)
        .map(|i| {
            let t = i as f32 / 10.0;
            let turn = 48.0 * (ease(t, 0.0, 0.2) - ease(t, 0.3, 0.5) * 2.0 + ease(t, 0.75, 1.0));
            soldier(Pose {
                gaze: -turn,
                twist: -turn * 0.15,
                ..STAND
            })
            .finish()
        })
        .collect();
    let walk = (0..10)
        .map(|i| {
            let (sin, cos) = wave(i as f32 / 10.0);
            let (bob, _) = wave(i as f32 / 5.0);
            let pose = Pose {
                feet: (sin * 11.0 + 0.2, -sin * 11.0 + 0.2),
                lean: 1.2,
                twist: 9.0 * sin,
                gaze: -7.0 * sin,
                head: 1.0 + 0.03 * bob,
                rifle: (2.5 + 0.6 * cos, 7.5, -38.0 - 4.0 * sin),
                ..STAND
            };
            soldier(pose).finish()
        })
        .collect();
    let attack = (0..9)
        .map(|i| {
            let aim = ease(i as f32, 0.0, 3.0) - ease(i as f32, 6.0, 9.0);
            let kick = [0.0, 0.0, 0.0, 0.0, 1.0, 0.6, 0.25, 0.0, 0.0][i];
            let mut rifle = rifle_between(PORT, AIM, aim);
            rifle.0 -= 3.0 * kick;
            let pose = Pose {
                feet: (2.5 + 3.0 * aim, 0.5 - 4.0 * aim),
                lean: aim - 1.8 * kick,
                twist: 14.0 * aim,
                gaze: -12.0 * aim,
                rifle: (rifle.0, rifle.1, rifle.2 - 12.0 * aim),
                flash: [0.0, 0.0, 0.0, 0.0, 1.0, 0.55, 0.0, 0.0, 0.0][i],
                ..STAND
            };
            soldier(pose).finish()
        })
        .collect();
    let hurt = (0..5)
        .map(|i| {
            let jolt = [0.8, 1.0, 0.7, 0.35, 0.1][i];
            let pose = Pose {
                feet: (2.5 + 2.0 * jolt, 0.5 - 5.0 * jolt),
                lean: -4.0 * jolt,
                twist: 24.0 * jolt,
                gaze: 20.0 * jolt,
                rifle: (2.5 - 2.0 * jolt, 7.5, -38.0 - 30.0 * jolt),
                ..STAND
            };
            let mut canvas = soldier(pose);
            canvas.wash(Tone(255, 255, 255), [0.65, 0.45, 0.25, 0.1, 0.0][i]);
            canvas.finish()
        })
        .collect();
    let die = (0..10).map(|i| fallen(i as f32 / 9.0).finish()).collect();
    Sheet {
        name: "soldier",
        about: "A foot soldier.",
        body: Some(12.0 * SCALE),
        clips: vec![
            Clip {
                name: "idle",
                keys: "rate = 5.0\nvariation = 0.2\nnext = { idle = 9, look = 1 }",
                frames: idle,
            },
            Clip {
                name: "look",
                keys: "rate = 6.0\nvariation = 0.2\nnext = { idle = 1 }",
                frames: look,
            },
            Clip {
                name: "walk",
                keys: "rate = 16.0\ncells = 1.0",
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
