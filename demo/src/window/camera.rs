//! The camera and what moves it: keys, the window's edge, the middle button, the wheel.

use glam::Vec2;
use throng_render::View;

/// A camera over a map.
#[derive(Clone, Debug)]
pub struct Camera {
    /// What is seen.
    pub view: View,
    /// Which way the held keys pan, each axis -1 to 1.
    pub keys: Vec2,
    /// Where the pointer is, in pixels; `None` outside the window.
    pub pointer: Option<Vec2>,
    dragging: bool,
    map: Vec2,
}

/// Panning by keys or edge, in pixels per second.
const PAN: f32 = 900.0;
/// Pixels from the window's border in which the pointer pans.
const EDGE: f32 = 3.0;
/// Scale by one notch of the wheel.
const NOTCH: f32 = 1.18;

impl Camera {
    /// Sees the whole of a map of `map` cells.
    pub fn over(map: (u32, u32), size: [u32; 2]) -> Self {
        let map = Vec2::new(map.0 as f32, map.1 as f32);
        let bounds = [-1.0, -1.0, map.x + 2.0, map.y + 2.0];
        Self {
            view: View::fit(bounds, size),
            keys: Vec2::ZERO,
            pointer: None,
            dragging: false,
            map,
        }
    }

    /// Takes a new size of the window.
    pub fn resize(&mut self, size: [u32; 2]) {
        self.view.size = size;
    }

    /// Lets `seconds` pass: held keys and the edge pan. `edge` tells whether the edge may.
    pub fn update(&mut self, seconds: f32, edge: bool) {
        let mut way = self.keys;
        let [width, height] = self.view.size.map(|side| side as f32);
        if let Some(at) = self.pointer.filter(|_| edge && !self.dragging) {
            let push = |at: f32, side: f32| {
                f32::from(u8::from(at >= side - 1.0 - EDGE)) - f32::from(u8::from(at <= EDGE))
            };
            way += Vec2::new(push(at.x, width), push(at.y, height));
        }
        if way != Vec2::ZERO {
            self.view
                .pan(way.clamp(-Vec2::ONE, Vec2::ONE) * PAN * seconds);
            self.stay();
        }
    }

    /// The pointer moved; with the middle button down the map moves with it.
    pub fn pointer_to(&mut self, at: Vec2) {
        if let Some(before) = self.pointer.filter(|_| self.dragging) {
            self.view.pan(before - at);
            self.stay();
        }
        self.pointer = Some(at);
    }

    /// The middle button went down or up.
    pub fn drag(&mut self, down: bool) {
        self.dragging = down;
    }

    /// The wheel turned by `notches`, away from the user is nearer.
    pub fn zoom(&mut self, notches: f32) {
        let [width, height] = self.view.size.map(|side| side as f32);
        let at = self.pointer.unwrap_or(Vec2::new(width, height) * 0.5);
        self.view.zoom_at(at, NOTCH.powf(notches));
        self.stay();
    }

    /// Puts a point of the world in the middle.
    pub fn look_at(&mut self, at: Vec2) {
        self.view.centre = at;
        self.stay();
    }

    /// The point of the world under the pointer.
    pub fn under_pointer(&self) -> Option<Vec2> {
        self.pointer.map(|at| self.view.to_world(at))
    }

    fn stay(&mut self) {
        self.view.keep_inside(self.map.x, self.map.y);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dragging_keeps_the_map_under_the_pointer() {
        let mut camera = Camera::over((64, 64), [640, 640]);
        camera.zoom(4.0);
        camera.pointer_to(Vec2::new(300.0, 300.0));
        let before = camera.under_pointer();
        camera.drag(true);
        camera.pointer_to(Vec2::new(340.0, 280.0));
        let moved = before
            .zip(camera.under_pointer())
            .map(|(a, b)| a.distance(b));
        assert!(moved.is_some_and(|distance| distance < 1e-3), "{moved:?}");
    }

    #[test]
    fn the_edge_pans_only_where_it_may() {
        let mut camera = Camera::over((64, 64), [640, 640]);
        camera.pointer_to(Vec2::new(639.0, 300.0));
        let start = camera.view.centre;
        camera.update(0.1, false);
        assert_eq!(camera.view.centre, start);
        camera.update(0.1, true);
        assert!(camera.view.centre.x > start.x && camera.view.centre.y == start.y);
    }

    #[test]
    fn the_camera_never_leaves_the_map() {
        let mut camera = Camera::over((64, 32), [640, 640]);
        camera.keys = Vec2::new(1.0, 1.0);
        for _ in 0..100 {
            camera.update(1.0, false);
        }
        assert_eq!(camera.view.centre, Vec2::new(64.0, 32.0));
    }
}
