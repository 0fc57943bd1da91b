//! Pictures of results.

pub mod bench;
pub mod quality;

use plotters::style::{FontStyle, register_font};

/// Makes the font of the window that of plots too, so that they look the same everywhere.
fn font() -> anyhow::Result<()> {
    register_font(
        "sans-serif",
        FontStyle::Normal,
        epaint_default_fonts::UBUNTU_LIGHT,
    )
    .map_err(|_| anyhow::anyhow!("cannot draw the picture: its font is broken"))
}
