//! The keys, as F1 shows them.

const KEYS: [(&str, &str); 24] = [
    ("left drag, click", "select; Shift adds"),
    ("double click", "select all of a kind in view"),
    ("Ctrl A", "select everything"),
    (
        "right click",
        "move, attack an enemy, follow a friend; Shift queues",
    ),
    ("S  H  W", "stop; hold the place; wander"),
    ("A  P  G", "then click: attack-move, patrol, guard"),
    ("V", "then click: look there"),
    ("F5 - F8", "move as box, line, wedge, column"),
    ("Ctrl 0-9, 0-9", "store, recall a control group"),
    ("Esc", "select nothing, leave modes"),
    ("arrows, edge", "move the camera"),
    ("middle drag, wheel", "move, zoom to the pointer"),
    ("Home", "show the whole map"),
    ("F", "camera follows the selection"),
    ("E", "drive with W A S D, by angle and speed, or not"),
    ("B", "brush: left paints, right erases"),
    ("Space", "pause"),
    ("N or .", "one tick"),
    ("+  -", "faster, slower"),
    ("R", "start the scenario again"),
    ("Tab", "side panel"),
    ("F12", "save a picture"),
    ("F1", "this list"),
    ("Q", "quit"),
];

/// Shows the list in the middle of the window.
pub fn show(ctx: &egui::Context) {
    egui::Window::new("Keys")
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false)
        .show(ctx, |ui| {
            egui::Grid::new("keys")
                .num_columns(2)
                .spacing([24.0, 4.0])
                .show(ui, |ui| {
                    for (keys, meaning) in KEYS {
                        ui.strong(keys);
                        ui.label(meaning);
                        ui.end_row();
                    }
                });
        });
}
