//! The map in small, with the crowd and the box that is seen.

use std::time::{Duration, Instant};

use egui::{Color32, ColorImage, Pos2, Rect, Sense, Stroke, TextureHandle, TextureOptions};
use glam::Vec2;
use throng::Simulation;
use throng_render::{Ground, TEAM_COLOURS, View, simulation};

/// Width and height that the small map fits into, in points.
const ROOM: [f32; 2] = [236.0, 118.0];
/// How often the crowd on it is drawn anew.
const REFRESH: Duration = Duration::from_millis(250);

/// The small map.
#[derive(Default)]
pub struct Minimap {
    texture: Option<TextureHandle>,
    ground: Vec<Color32>,
    size: [usize; 2],
    revision: Option<u64>,
    drawn: Option<Instant>,
}

impl Minimap {
    /// Forgets the map, when another takes its place.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Shows it; the point of the world that was clicked or dragged to, if any.
    pub fn show(&mut self, ui: &mut egui::Ui, crowd: &Simulation, view: &View) -> Option<Vec2> {
        let map = crowd.map();
        let (width, height) = (map.width() as f32, map.height() as f32);
        let scale = (ROOM[0] / width).min(ROOM[1] / height);
        self.refresh(ui.ctx(), crowd, scale);
        let size = egui::vec2(width, height) * scale;
        // The room is the same for maps of any shape, so that what is below stays where it is.
        let (room, response) = ui.allocate_exact_size(ROOM.into(), Sense::click_and_drag());
        let rect = Rect::from_center_size(room.center(), size);
        let painter = ui.painter_at(rect);
        if let Some(texture) = &self.texture {
            let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
        let [x0, y0, x1, y1] = view.visible();
        let corner = |x: f32, y: f32| rect.min + egui::vec2(x, y) * scale;
        let seen = Rect::from_min_max(corner(x0, y0), corner(x1, y1));
        painter.rect_stroke(
            seen,
            0.0,
            Stroke::new(1.5, Color32::WHITE),
            egui::StrokeKind::Inside,
        );
        let pointer = response.interact_pointer_pos()?;
        Some(Vec2::new(pointer.x - rect.min.x, pointer.y - rect.min.y) / scale)
    }

    fn refresh(&mut self, ctx: &egui::Context, crowd: &Simulation, scale: f32) {
        let map = crowd.map();
        if self.revision != Some(map.revision()) {
            self.revision = Some(map.revision());
            // No more pixels than are shown.
            let side = |cells: u32| ((cells as f32 * scale).ceil() as usize).max(1);
            self.size = [side(map.width()), side(map.height())];
            let [columns, rows] = self.size;
            self.ground = (0..columns * rows)
                .map(|index| {
                    let x = (index % columns) as u32 * map.width() / columns as u32;
                    let y = (index / columns) as u32 * map.height() / rows as u32;
                    colour(simulation::ground(map, x, y))
                })
                .collect();
            self.drawn = None;
        }
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < REFRESH) {
            return;
        }
        self.drawn = Some(Instant::now());
        let mut image = ColorImage::new(self.size, self.ground.clone());
        let units = crowd.units();
        for (at, team) in units
            .living()
            .map(|row| (units.position[row], units.team[row]))
        {
            let (x, y) = ((at.x * scale) as usize, (at.y * scale) as usize);
            if x < self.size[0] && y < self.size[1] {
                let [r, g, b] = TEAM_COLOURS[usize::from(team) % TEAM_COLOURS.len()];
                image.pixels[y * self.size[0] + x] = Color32::from_rgb(r, g, b);
            }
        }
        match &mut self.texture {
            Some(texture) => texture.set(image, TextureOptions::NEAREST),
            None => {
                self.texture = Some(ctx.load_texture("minimap", image, TextureOptions::NEAREST));
            }
        }
    }
}

fn colour(ground: Ground) -> Color32 {
    match ground {
        Ground::Land => Color32::from_rgb(82, 92, 50),
        Ground::Swamp => Color32::from_rgb(56, 62, 38),
        Ground::Shallow => Color32::from_rgb(74, 110, 108),
        Ground::Water => Color32::from_rgb(26, 60, 90),
        Ground::Wall => Color32::from_rgb(136, 130, 122),
    }
}
