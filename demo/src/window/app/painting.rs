//! What the window shows.

use std::io::Write;

use glam::Vec2;
use throng_render::{Frame, Layer, View, simulation};
use throng_scenes::Scenario;

use super::App;
use crate::picture;
use crate::window::command::Aim;
use crate::window::overlay::{self, Marks};
use crate::window::panel::{self, Wishes};

/// Ticks after which the colours of fields are drawn anew.
const FIELD_REFRESH: u64 = 15;

impl App {
    /// Brings what the device holds of the map and of the cell layers up to date.
    fn refresh(&mut self, rows: &[usize]) {
        let Some(screen) = &mut self.screen else {
            return;
        };
        let (device, queue) = (&screen.gpu.device, &screen.gpu.queue);
        for rect in self.game.take_edits() {
            let side = |at: i32| at.max(0) as u32;
            let area = [side(rect.x0), side(rect.y0), side(rect.x1), side(rect.y1)];
            let map = self.game.simulation().map();
            screen
                .renderer
                .update_map(queue, area, |x, y| simulation::ground(map, x, y));
        }
        let (crowd, layers) = (self.game.simulation(), self.settings.layers);
        // Units move every tick; fields and walls seldom change.
        let moment = if layers.has(Layer::Density) {
            crowd.now()
        } else {
            (crowd.now() / FIELD_REFRESH) ^ (crowd.map().revision() << 32)
        };
        let key = (moment, layers, rows.first().copied().unwrap_or(usize::MAX));
        if self.laid != Some(key) {
            self.laid = Some(key);
            let colours = overlay::cells(crowd, layers, rows);
            // The map itself was taken, so a layer of its size is too.
            let _ =
                screen
                    .renderer
                    .set_cells(device, queue, simulation::size(crowd.map()), &colours);
        }
    }

    pub(super) fn paint(&mut self) {
        let rows = self.game.selected_rows();
        self.refresh(&rows);
        self.cast.update(self.game.simulation());
        let marks = self.marks(&rows);
        let wishes = self.paint_with(&marks);
        if let Some(at) = wishes.look_at {
            self.settings.follow = false;
            self.camera.look_at(at);
        }
        if let Some(name) = wishes.scenario {
            match Scenario::find(name) {
                Ok(scenario) => self.load(scenario),
                Err(error) => self.game.notice = Some(error.to_string()),
            }
        }
        if let Some(mover) = wishes.mover {
            let mut scenario = self.game.scenario().clone();
            scenario.mover = mover;
            self.load(scenario);
        }
        if self.rate.count() {
            self.report();
        }
    }

    fn marks(&self, rows: &[usize]) -> Marks {
        let (view, blend) = (&self.camera.view, self.game.clock.blend());
        let crowd = self.game.simulation();
        let mut marks = Marks::new(crowd, self.settings.layers, view, blend, rows);
        marks.order_markers(&self.orders, view);
        marks.pending(self.game.pending_edits());
        if let Some(at) = self.camera.under_pointer() {
            if let Some(aim) = self.aim {
                marks.aim(at, aim, view);
            } else if self.settings.brush {
                marks.brush(at, self.settings.brush_side);
            } else if let Some(from) = self.press {
                marks.selection_box(from, at);
            }
        }
        marks
    }

    fn frame<'a>(&'a self, marks: &'a Marks) -> Frame<'a> {
        picture::frame(
            self.game.simulation(),
            &self.cast,
            self.camera.view,
            self.settings.layers,
            self.game.clock.blend(),
            self.game.version() ^ self.generation << 56,
            marks,
        )
    }

    fn paint_with(&mut self, marks: &Marks) -> Wishes {
        let Some(mut screen) = self.screen.take() else {
            return Wishes::default();
        };
        let input = screen.ui.take_egui_input(&screen.window);
        let ctx = screen.ui.egui_ctx().clone();
        let view: View = self.camera.view;
        let mut wishes = Wishes::default();
        let output = ctx.run_ui(input, |ui| {
            let (game, settings) = (&mut self.game, &mut self.settings);
            if settings.panel {
                let fps = self.rate.fps;
                wishes = panel::show(ui, game, settings, &mut self.minimap, &view, fps);
            }
            panel::caption(ui.ctx(), game, self.aim.map(Aim::prompt));
            if settings.help {
                crate::window::help::show(ui.ctx());
            }
        });
        screen.paint(&self.frame(marks), output);
        self.screen = Some(screen);
        wishes
    }

    /// The title, and the state line where one is asked for.
    fn report(&self) {
        let Some(screen) = &self.screen else { return };
        let crowd = self.game.simulation();
        let (fps, ms) = (self.rate.fps, self.game.times.mean());
        screen.window.set_title(&format!(
            "throng: {}, {} units, {fps:.0} fps, {ms:.2} ms a tick",
            self.game.scenario().name,
            crowd.units().len(),
        ));
        if self.state_lines {
            let rows: Vec<usize> = self
                .game
                .selection
                .iter()
                .filter_map(|id| crowd.units().index_of(*id))
                .collect();
            let sum: Vec2 = rows.iter().map(|&row| crowd.units().position[row]).sum();
            let mean = sum / rows.len().max(1) as f32;
            let [width, height] = screen.size();
            let goal = self.camera.view.to_screen(mean);
            let _ = writeln!(
                std::io::stderr(),
                "state tick={} units={} selected={} mean={:.2},{:.2} pixel={:.0},{:.0} \
                 size={width}x{height} paused={} walls={} fps={fps:.1}",
                crowd.now(),
                crowd.units().len(),
                rows.len(),
                mean.x,
                mean.y,
                goal.x,
                goal.y,
                self.game.clock.paused,
                crowd
                    .map()
                    .nav(Default::default())
                    .occupancy
                    .count_blocked(),
            );
        }
    }

    /// Saves the crowd as it is seen, without the panel, into the working directory.
    pub(super) fn screenshot(&mut self) {
        let rows = self.game.selected_rows();
        self.cast.update(self.game.simulation());
        let marks = self.marks(&rows);
        let name = format!(
            "throng-{}-{}.png",
            self.game.scenario().name,
            self.game.simulation().now()
        );
        let colours = overlay::cells(self.game.simulation(), self.settings.layers, &rows);
        let saved = picture::save(
            self.game.simulation().map(),
            &self.cast,
            &self.frame(&marks),
            &colours,
            std::path::Path::new(&name),
        );
        self.game.notice = Some(match saved {
            Ok(()) => format!("saved {name}"),
            Err(error) => error.to_string(),
        });
    }
}
