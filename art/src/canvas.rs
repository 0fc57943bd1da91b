//! A small drawing kit on top of `tiny-skia`: outlined, softly shaded shapes seen from above.
//!
//! Coordinates are pixels of the finished frame with the unit's centre as origin, x forward and y
//! to the unit's right. Everything is drawn four times as large and averaged down.

use image::{Rgba, RgbaImage};
use tiny_skia::{
    Color, FillRule, GradientStop, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Point,
    RadialGradient, Rect, Shader, SpreadMode, Stroke, Transform,
};

/// Drawn pixels per finished pixel, along each axis.
const OVERSAMPLE: u32 = 4;

/// Width of the dark line around shapes, in pixels.
const LINE: f32 = 1.25;

/// The dark line's colour. Pixels without cover carry it too, so that filters find no bright rim.
const DARK: Tone = Tone(26, 21, 17);

/// An opaque colour. Plain colours have no less green than the lesser of red and blue: magenta
/// stands for the team's colour. Upon the team's colour only greys keep their hue where edges are
/// smoothed; other colours want a dark line between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tone(pub u8, pub u8, pub u8);

impl Tone {
    /// The team's colour, `light` of 255 bright.
    pub const fn team(light: u8) -> Self {
        Self(light, 0, light)
    }

    /// The team's colour with grey mixed in.
    pub const fn tinted(light: u8, grey: u8) -> Self {
        Self(light, grey, light)
    }

    /// A mix: `share` of the other.
    pub fn mix(self, other: Self, share: f32) -> Self {
        let part = |a: u8, b: u8| {
            (f32::from(a) + (f32::from(b) - f32::from(a)) * share.clamp(0.0, 1.0)).round() as u8
        };
        Self(
            part(self.0, other.0),
            part(self.1, other.1),
            part(self.2, other.2),
        )
    }

    fn with_alpha(self, alpha: f32) -> Color {
        let mut colour = Color::from_rgba8(self.0, self.1, self.2, 255);
        colour.set_alpha(alpha.clamp(0.0, 1.0));
        colour
    }
}

/// One frame being drawn.
pub struct Canvas {
    pixmap: Pixmap,
    view: Transform,
}

impl Canvas {
    /// An empty frame of `side` x `side` pixels.
    pub fn new(side: u32) -> Self {
        let drawn = side * OVERSAMPLE;
        let half = drawn as f32 / 2.0;
        let scale = OVERSAMPLE as f32;
        Self {
            pixmap: Pixmap::new(drawn, drawn).expect("a frame has an area"),
            view: Transform::from_row(scale, 0.0, 0.0, scale, half, half),
        }
    }

    /// Draws with the origin moved to `(x, y)`, turned by `degrees` and scaled.
    pub fn at(&mut self, x: f32, y: f32, degrees: f32, scale: f32, draw: impl FnOnce(&mut Self)) {
        let outer = self.view;
        self.view = outer
            .pre_translate(x, y)
            .pre_rotate(degrees)
            .pre_scale(scale, scale);
        draw(self);
        self.view = outer;
    }

    /// Fills a shape with one colour.
    pub fn fill(&mut self, path: &Path, tone: Tone, alpha: f32) {
        self.paint(path, Shader::SolidColor(tone.with_alpha(alpha)));
    }

    /// A shape with a dark line around it, lit in its middle.
    pub fn form(&mut self, path: &Path, light: Tone, shade: Tone) {
        self.line(path, DARK, 2.0 * LINE, 1.0);
        self.lit(path, light, shade);
    }

    /// A shape lit in its middle.
    pub fn lit(&mut self, path: &Path, light: Tone, shade: Tone) {
        let bounds = path.bounds();
        let centre = Point::from_xy(
            (bounds.left() + bounds.right()) / 2.0,
            (bounds.top() + bounds.bottom()) / 2.0,
        );
        let reach = bounds.width().max(bounds.height()) / 2.0;
        self.paint(
            path,
            glow(centre, reach, &[(0.2, light, 1.0), (1.0, shade, 1.0)]),
        );
    }

    /// A round glow or shadow that fades to nothing at its rim.
    pub fn haze(&mut self, x: f32, y: f32, radii: (f32, f32), tone: Tone, alpha: f32) {
        let outer = self.view;
        self.view = outer.pre_translate(x, y).pre_scale(radii.0, radii.1);
        let stops = [
            (0.0, tone, alpha),
            (0.55, tone, alpha * 0.75),
            (1.0, tone, 0.0),
        ];
        let path = disc(0.0, 0.0, 1.0);
        self.paint(&path, glow(Point::zero(), 1.0, &stops));
        self.view = outer;
    }

    /// A line along a path.
    pub fn line(&mut self, path: &Path, tone: Tone, width: f32, alpha: f32) {
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let paint = Paint {
            shader: Shader::SolidColor(tone.with_alpha(alpha)),
            ..Paint::default()
        };
        self.pixmap
            .stroke_path(path, &paint, &stroke, self.view, None);
    }

    /// A limb: a thick round line through points, with a dark line around it.
    pub fn limb(&mut self, points: &[(f32, f32)], width: f32, tone: Tone) {
        let path = open(points);
        self.line(&path, DARK, width + 2.0 * LINE, 1.0);
        self.line(&path, tone, width, 1.0);
    }

    /// Lays a colour over everything solid drawn so far, keeping its outline.
    pub fn wash(&mut self, tone: Tone, share: f32) {
        let share = (share.clamp(0.0, 1.0) * 255.0).round() as u32;
        for pixel in self.pixmap.pixels_mut() {
            let alpha = u32::from(pixel.alpha());
            // Hazes and shadows keep their colour.
            let share = share * alpha.saturating_sub(150) / 105;
            let part = |from: u8, to: u8| {
                let to = u32::from(to) * alpha / 255;
                ((u32::from(from) * (255 - share) + to * share + 127) / 255) as u8
            };
            let (r, g, b) = (pixel.red(), pixel.green(), pixel.blue());
            let (r, g, b) = (part(r, tone.0), part(g, tone.1), part(b, tone.2));
            *pixel = tiny_skia::PremultipliedColorU8::from_rgba(r, g, b, pixel.alpha())
                .expect("a mix of premultiplied colours is one");
        }
    }

    /// The finished frame, straight alpha.
    pub fn finish(self) -> RgbaImage {
        let side = self.pixmap.width() / OVERSAMPLE;
        let pixels = self.pixmap.pixels();
        RgbaImage::from_fn(side, side, |x, y| {
            let mut sum = [0u32; 4];
            for row in y * OVERSAMPLE..(y + 1) * OVERSAMPLE {
                for column in x * OVERSAMPLE..(x + 1) * OVERSAMPLE {
                    let pixel = pixels[(row * self.pixmap.width() + column) as usize];
                    let parts = [pixel.red(), pixel.green(), pixel.blue(), pixel.alpha()];
                    for (sum, part) in sum.iter_mut().zip(parts) {
                        *sum += u32::from(part);
                    }
                }
            }
            let [r, g, b, alpha] = sum;
            let whole = OVERSAMPLE * OVERSAMPLE;
            if alpha < whole / 2 {
                return Rgba([DARK.0, DARK.1, DARK.2, 0]);
            }
            let straight = |part: u32| coarse((part * 255 + alpha / 2) / alpha);
            Rgba([
                straight(r),
                straight(g),
                straight(b),
                coarse((alpha + whole / 2) / whole),
            ])
        })
    }

    fn paint(&mut self, path: &Path, shader: Shader<'_>) {
        let paint = Paint {
            shader,
            ..Paint::default()
        };
        self.pixmap
            .fill_path(path, &paint, FillRule::Winding, self.view, None);
    }
}

/// The nearest of 32 levels from 0 to 255: no one sees the difference in a sprite, and files are
/// much smaller.
fn coarse(level: u32) -> u8 {
    ((level.min(255) * 31 + 127) / 255 * 255 / 31) as u8
}

fn glow(centre: Point, reach: f32, stops: &[(f32, Tone, f32)]) -> Shader<'static> {
    let stops = stops
        .iter()
        .map(|&(at, tone, alpha)| GradientStop::new(at, tone.with_alpha(alpha)))
        .collect();
    let identity = Transform::identity();
    RadialGradient::new(centre, 0.0, centre, reach, stops, SpreadMode::Pad, identity)
        .expect("a glow has a reach")
}

/// A disc.
pub fn disc(x: f32, y: f32, radius: f32) -> Path {
    oval(x, y, radius, radius)
}

/// An ellipse along the axes.
pub fn oval(x: f32, y: f32, rx: f32, ry: f32) -> Path {
    let bounds = Rect::from_ltrb(x - rx, y - ry, x + rx, y + ry).expect("radii are positive");
    PathBuilder::from_oval(bounds).expect("an ellipse has an area")
}

/// A rectangle with rounded corners, by its centre and half its sides.
pub fn slab(x: f32, y: f32, rx: f32, ry: f32, round: f32) -> Path {
    let (left, top, right, bottom) = (x - rx, y - ry, x + rx, y + ry);
    // Control points at this share of the radius draw a quarter circle.
    let bend = round * 0.5523;
    let mut path = PathBuilder::new();
    path.move_to(left + round, top);
    path.line_to(right - round, top);
    path.cubic_to(
        right - round + bend,
        top,
        right,
        top + round - bend,
        right,
        top + round,
    );
    path.line_to(right, bottom - round);
    path.cubic_to(
        right,
        bottom - round + bend,
        right - round + bend,
        bottom,
        right - round,
        bottom,
    );
    path.line_to(left + round, bottom);
    path.cubic_to(
        left + round - bend,
        bottom,
        left,
        bottom - round + bend,
        left,
        bottom - round,
    );
    path.line_to(left, top + round);
    path.cubic_to(
        left,
        top + round - bend,
        left + round - bend,
        top,
        left + round,
        top,
    );
    path.close();
    path.finish().expect("a slab has an area")
}

/// A closed polygon.
pub fn polygon(points: &[(f32, f32)]) -> Path {
    trace(points, true)
}

/// A line through points.
pub fn open(points: &[(f32, f32)]) -> Path {
    trace(points, false)
}

fn trace(points: &[(f32, f32)], closed: bool) -> Path {
    let mut path = PathBuilder::new();
    for (index, &(x, y)) in points.iter().enumerate() {
        if index == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    if closed {
        path.close();
    }
    path.finish().expect("at least two points")
}

/// A star of `points` rays that reach from `inner` to `outer`.
pub fn star(x: f32, y: f32, points: u32, inner: f32, outer: f32) -> Path {
    let corners: Vec<_> = (0..2 * points)
        .map(|i| {
            let (sin, cos) = wave(i as f32 / (2 * points) as f32);
            let reach = if i % 2 == 0 { outer } else { inner };
            (x + cos * reach, y + sin * reach)
        })
        .collect();
    polygon(&corners)
}

/// Sine and cosine of a share of a turn: the same on every machine.
pub fn wave(turns: f32) -> (f32, f32) {
    let angle = turns * std::f32::consts::TAU;
    (libm::sinf(angle), libm::cosf(angle))
}

/// Rises from 0 to 1 between `from` and `to`, smoothly.
pub fn ease(at: f32, from: f32, to: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// From one number to another.
pub fn lerp(a: f32, b: f32, share: f32) -> f32 {
    a + (b - a) * share
}
