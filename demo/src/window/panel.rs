//! The side panel.

use egui::{Color32, Pos2, Rect, RichText, Sense, Ui};
use throng::formation::Formation;
use throng::{Activity, Mover, Outcome, Stage, Steering};
use throng_render::{Layer, Layers, View, simulation};
use throng_scenes::builtin;

use super::clock::{FixedStep, StageTimes};
use super::game::Game;
use super::minimap::Minimap;

/// Width of the panel, in points.
pub const WIDTH: f32 = 264.0;

/// How the keyboard drives a unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Drive {
    /// It does not.
    #[default]
    Off,
    /// W, A, S, D are up, left, down, right.
    Ways,
    /// W and S go on and back, A and D turn.
    Angle,
}

impl Drive {
    /// The next one round.
    pub fn next(self) -> Self {
        match self {
            Self::Off => Self::Ways,
            Self::Ways => Self::Angle,
            Self::Angle => Self::Off,
        }
    }
}

/// What the player sets and the game does not know of.
pub struct Settings {
    /// Whether the panel is shown.
    pub panel: bool,
    /// Whether the keys are shown.
    pub help: bool,
    /// What is drawn.
    pub layers: Layers,
    /// Whether the mouse paints walls.
    pub brush: bool,
    /// Side of the brush, in cells.
    pub brush_side: u32,
    /// Whether the camera follows the selection.
    pub follow: bool,
    /// How W, A, S, D drive the selected unit.
    pub drive: Drive,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            panel: true,
            help: false,
            layers: Layers::default(),
            brush: false,
            brush_side: 3,
            follow: false,
            drive: Drive::Off,
        }
    }
}

/// What the player asked of the window by the panel.
#[derive(Default)]
pub struct Wishes {
    /// Another scenario, by name.
    pub scenario: Option<&'static str>,
    /// Another steering method.
    pub mover: Option<Mover>,
    /// Another place to look at.
    pub look_at: Option<glam::Vec2>,
}

/// Shows what the scenario is about, or what the player is asked for, at the top of the picture.
pub fn caption(ctx: &egui::Context, game: &Game, prompt: Option<&str>) {
    let summary = prompt.unwrap_or(&game.scenario().summary);
    if summary.is_empty() {
        return;
    }
    egui::Area::new(egui::Id::unique("caption"))
        .fixed_pos([14.0, 12.0])
        .interactable(false)
        .show(ctx, |ui| {
            let fill = Color32::from_rgba_unmultiplied(20, 21, 23, 190);
            egui::Frame::new()
                .fill(fill)
                .inner_margin(8.0)
                .corner_radius(4.0)
                .show(ui, |ui| {
                    // The last text's width must not wrap this one.
                    ui.style_mut().wrap_mode = Some(egui::TextWrapMode::Extend);
                    ui.label(
                        RichText::new(summary)
                            .size(15.0)
                            .color(Color32::from_gray(235)),
                    );
                });
        });
}

/// Shows the panel.
pub fn show(
    ui: &mut Ui,
    game: &mut Game,
    settings: &mut Settings,
    minimap: &mut Minimap,
    view: &View,
    fps: f32,
) -> Wishes {
    let mut wishes = Wishes::default();
    let fill = Color32::from_rgba_unmultiplied(24, 25, 27, 236);
    let frame = egui::Frame::new().fill(fill).inner_margin(14.0);
    egui::Panel::right("panel")
        .exact_size(WIDTH)
        .resizable(false)
        .show_separator_line(false)
        .frame(frame)
        .show(ui, |ui| {
            egui::ScrollArea::vertical().show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 5.0;
                scenario(ui, game, &mut wishes);
                time(ui, game);
                figures(ui, game, fps);
                stage_graph(ui, &game.times);
                wishes.look_at = minimap.show(ui, game.simulation(), view);
                crowd(ui, game);
                layers(ui, &mut settings.layers);
                steering(ui, game, &mut wishes);
                tools(ui, game, settings);
            });
        });
    wishes
}

fn scenario(ui: &mut Ui, game: &Game, wishes: &mut Wishes) {
    let name = game.scenario().name.clone();
    egui::ComboBox::from_id_salt("scenario")
        .width(WIDTH - 28.0)
        .height(480.0)
        .selected_text(&name)
        .show_ui(ui, |ui| {
            for entry in builtin::all() {
                let chosen = ui.selectable_label(entry.name == name, entry.name);
                if chosen.on_hover_text(entry.summary).clicked() {
                    wishes.scenario = Some(entry.name);
                }
            }
        });
}

fn time(ui: &mut Ui, game: &mut Game) {
    ui.horizontal(|ui| {
        let label = if game.clock.paused { "Run" } else { "Pause" };
        if ui.button(label).clicked() {
            game.clock.paused = !game.clock.paused;
        }
        if ui.button("Step").clicked() {
            game.clock.step();
        }
        ui.spacing_mut().slider_width = 70.0;
        ui.add(
            egui::Slider::new(&mut game.clock.speed, FixedStep::SPEEDS)
                .logarithmic(true)
                .suffix("x"),
        );
    });
}

fn figures(ui: &mut Ui, game: &Game, fps: f32) {
    let crowd = game.simulation();
    let units = crowd.units();
    let count =
        |holds: &dyn Fn(usize) -> bool| units.living().filter(|&row| holds(row)).count() as u64;
    let moving = |row: usize| units.velocity[row].length_squared() > 1e-6;
    let alive = count(&|_| true);
    let ended = |outcome| units.outcome.iter().filter(|o| **o == outcome).count() as u64;
    let rows = [
        [("fps", fps.round() as u64), ("tick", crowd.now())],
        [("alive", alive), ("selected", game.selection.len() as u64)],
        [
            ("moving", count(&moving)),
            (
                "waiting",
                count(&|row| units.activity[row] == Activity::Wait),
            ),
        ],
        [
            (
                "arrived",
                ended(Outcome::Arrived) + ended(Outcome::SettledNear),
            ),
            ("stuck", ended(Outcome::Stuck) + ended(Outcome::Unreachable)),
        ],
    ];
    egui::Grid::new("figures")
        .num_columns(4)
        .spacing([10.0, 2.0])
        .show(ui, |ui| {
            for row in rows {
                for (label, value) in row {
                    ui.weak(label);
                    ui.label(RichText::new(value.to_string()).monospace());
                }
                ui.end_row();
            }
        });
}

/// Colours of the stages in the graph, by [`Stage::ALL`].
const STAGE_COLOURS: [Color32; Stage::ALL.len()] = [
    Color32::from_rgb(150, 150, 160),
    Color32::from_rgb(86, 156, 230),
    Color32::from_rgb(90, 200, 190),
    Color32::from_rgb(240, 176, 64),
    Color32::from_rgb(224, 100, 84),
    Color32::from_rgb(150, 200, 90),
    Color32::from_rgb(186, 120, 220),
];

fn stage_graph(ui: &mut Ui, times: &StageTimes) {
    ui.horizontal(|ui| {
        ui.weak("ms a tick");
        ui.label(RichText::new(format!("{:.2}", times.mean())).monospace());
    });
    let (rect, _) = ui.allocate_exact_size(egui::vec2(WIDTH - 28.0, 56.0), Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, Color32::from_gray(14));
    let highest = times
        .ticks
        .iter()
        .map(|tick| tick.iter().sum::<f32>())
        .fold(0.1, f32::max);
    let step = rect.width() / StageTimes::KEPT as f32;
    for (index, tick) in times.ticks.iter().enumerate() {
        let x = rect.min.x + index as f32 * step;
        let mut bottom = rect.max.y;
        for (ms, colour) in tick.iter().zip(STAGE_COLOURS) {
            let top = bottom - ms / highest * rect.height();
            let bar = Rect::from_min_max(Pos2::new(x, top), Pos2::new(x + step, bottom));
            painter.rect_filled(bar, 0.0, colour);
            bottom = top;
        }
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 7.0;
        for (stage, colour) in Stage::ALL.into_iter().zip(STAGE_COLOURS) {
            ui.label(RichText::new(stage.name()).small().color(colour));
        }
    });
}

fn crowd(ui: &mut Ui, game: &mut Game) {
    let mut count = game.simulation().units().len();
    ui.horizontal(|ui| {
        ui.weak("units");
        ui.spacing_mut().slider_width = 130.0;
        let slider = egui::Slider::new(&mut count, 1..=100_000).logarithmic(true);
        if ui.add(slider).changed() {
            game.set_count(count);
        }
    });
    if let Some(notice) = &game.notice {
        ui.label(
            RichText::new(notice)
                .small()
                .color(Color32::from_rgb(240, 130, 110)),
        );
    }
}

fn layers(ui: &mut Ui, layers: &mut Layers) {
    ui.separator();
    egui::Grid::new("layers")
        .num_columns(2)
        .spacing([12.0, 2.0])
        .show(ui, |ui| {
            for (index, layer) in Layer::ALL.into_iter().enumerate() {
                let mut shown = layers.has(layer);
                if ui.checkbox(&mut shown, layer.name()).changed() {
                    layers.set(layer, shown);
                }
                if index % 2 == 1 {
                    ui.end_row();
                }
            }
        });
    if layers.has(Layer::Headings) {
        for (meaning, [r, g, b, _]) in simulation::LEGEND {
            let colour = Color32::from_rgb(r, g, b);
            ui.label(
                RichText::new(format!("\u{25a0} {meaning}"))
                    .small()
                    .color(colour),
            );
        }
    }
}

/// The steering methods by their names in the panel.
const MOVERS: [(Mover, &str); 4] = [
    (Mover::Slide, "slide"),
    (Mover::Polar, "polar"),
    (Mover::Scan, "scan"),
    (Mover::Mask, "mask"),
];

fn steering(ui: &mut Ui, game: &mut Game, wishes: &mut Wishes) {
    ui.separator();
    let mover = game.simulation().config().mover;
    ui.horizontal(|ui| {
        for (choice, name) in MOVERS {
            let chosen = ui.selectable_label(mover == choice, name);
            if chosen.on_hover_text("starts the scenario again").clicked() {
                wishes.mover = Some(choice);
            }
        }
    });
    let before = game.simulation().config().steering;
    let mut now: Steering = before;
    let mut step = now.scan_step.to_degrees();
    ui.spacing_mut().slider_width = 96.0;
    ui.add(
        egui::Slider::new(&mut step, 1.0..=45.0)
            .suffix("\u{b0}")
            .text("scan step"),
    );
    ui.add(egui::Slider::new(&mut now.scan_base, 0.0..=1.0).text("base lean"));
    ui.add(egui::Slider::new(&mut now.turn_rate, 0.01..=1.0).text("turn rate"));
    if step != before.scan_step.to_degrees() {
        now.scan_step = step.to_radians();
    }
    if now != before
        && let Err(error) = game.simulation_mut().set_steering(now)
    {
        game.notice = Some(error.to_string());
    }
}

/// Formations by their names in the panel.
const SHAPES: [(Formation, &str); 4] = [
    (Formation::Box, "box"),
    (Formation::Line, "line"),
    (Formation::Wedge, "wedge"),
    (Formation::Column, "column"),
];

fn tools(ui: &mut Ui, game: &mut Game, settings: &mut Settings) {
    ui.separator();
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.brush, "brush");
        ui.spacing_mut().slider_width = 80.0;
        ui.add(egui::Slider::new(&mut settings.brush_side, 1..=12).text("cells"));
    });
    ui.horizontal(|ui| {
        ui.checkbox(&mut settings.follow, "follow");
        if ui.button("Keys (F1)").clicked() {
            settings.help = !settings.help;
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 5.0;
        ui.weak("move as");
        for (shape, name) in SHAPES {
            if ui
                .selectable_label(game.formation == Some(shape), name)
                .clicked()
            {
                game.toggle_formation(shape);
            }
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.weak("drive");
        for (choice, name) in [
            (Drive::Off, "off"),
            (Drive::Ways, "WASD"),
            (Drive::Angle, "angle, speed"),
        ] {
            ui.selectable_value(&mut settings.drive, choice, name);
        }
    });
}
