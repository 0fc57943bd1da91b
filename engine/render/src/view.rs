//! The camera: which part of the world is seen, and how large.

use glam::Vec2;

/// A camera looking straight down. World units are cells, x right and y down, as on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The point of the world in the middle of the picture, in cells.
    pub centre: Vec2,
    /// Pixels per cell.
    pub scale: f32,
    /// Width and height of the picture, in pixels.
    pub size: [u32; 2],
}

impl View {
    /// Pixels per cell are kept between these two.
    pub const SCALE_RANGE: [f32; 2] = [0.05, 256.0];

    /// The view that shows the whole box `x, y, width, height` (in cells) as large as it fits.
    pub fn fit(bounds: [f32; 4], size: [u32; 2]) -> Self {
        let [x, y, width, height] = bounds;
        let scale = (size[0] as f32 / width.max(1e-3)).min(size[1] as f32 / height.max(1e-3));
        Self {
            centre: Vec2::new(x + width * 0.5, y + height * 0.5),
            scale: Self::clamp_scale(scale),
            size,
        }
    }

    /// Where a point of the world is on the screen, in pixels from the top left corner.
    pub fn to_screen(&self, world: Vec2) -> Vec2 {
        (world - self.centre) * self.scale + self.half_size()
    }

    /// The point of the world under a pixel.
    pub fn to_world(&self, pixel: Vec2) -> Vec2 {
        (pixel - self.half_size()) / self.scale + self.centre
    }

    /// The visible box as `[x0, y0, x1, y1]`, in cells.
    pub fn visible(&self) -> [f32; 4] {
        let half = self.half_size() / self.scale;
        let (low, high) = (self.centre - half, self.centre + half);
        [low.x, low.y, high.x, high.y]
    }

    /// Scales by `factor`, keeping the point of the world under `pixel` where it is.
    pub fn zoom_at(&mut self, pixel: Vec2, factor: f32) {
        let anchor = self.to_world(pixel);
        self.scale = Self::clamp_scale(self.scale * factor);
        self.centre = anchor - (pixel - self.half_size()) / self.scale;
    }

    /// Moves by a distance on the screen, in pixels.
    pub fn pan(&mut self, pixels: Vec2) {
        self.centre += pixels / self.scale;
    }

    /// Keeps the middle of the picture inside the box `[0, 0, width, height]`.
    pub fn keep_inside(&mut self, width: f32, height: f32) {
        self.centre = self.centre.clamp(Vec2::ZERO, Vec2::new(width, height));
    }

    /// Whether there is anything to draw into.
    pub fn is_empty(&self) -> bool {
        self.size.contains(&0)
    }

    fn half_size(&self) -> Vec2 {
        Vec2::new(self.size[0] as f32, self.size[1] as f32) * 0.5
    }

    fn clamp_scale(scale: f32) -> f32 {
        let [low, high] = Self::SCALE_RANGE;
        if scale.is_nan() {
            1.0
        } else {
            scale.clamp(low, high)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let mut view = View::fit([0.0, 0.0, 64.0, 48.0], [640, 480]);
        let pixel = Vec2::new(100.0, 333.0);
        let before = view.to_world(pixel);
        view.zoom_at(pixel, 3.7);
        assert!((view.to_world(pixel) - before).length() < 1e-3);
        assert!((view.scale - 37.0).abs() < 1e-3);
    }

    #[test]
    fn screen_and_world_are_inverse() {
        let view = View {
            centre: Vec2::new(3.5, -2.0),
            scale: 12.0,
            size: [801, 77],
        };
        let pixel = Vec2::new(17.0, 70.0);
        assert!((view.to_screen(view.to_world(pixel)) - pixel).length() < 1e-3);
    }

    #[test]
    fn an_empty_box_or_window_gives_a_finite_view() {
        for view in [
            View::fit([0.0; 4], [640, 480]),
            View::fit([0.0, 0.0, 9.0, 9.0], [0, 0]),
        ] {
            assert!(view.scale.is_finite() && view.scale > 0.0);
        }
    }
}
