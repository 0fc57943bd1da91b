//! The sprites of the demo, drawn by code: no picture comes from elsewhere.
//!
//! Units are seen from above and face +x. Light comes from straight above, as the renderer turns
//! them. Magenta stands for the team's colour.

pub mod canvas;
pub mod rider;
pub mod sheet;
pub mod soldier;
pub mod tank;

use anyhow::Result;

use sheet::File;

/// All files of the demo's art, by name.
///
/// # Errors
/// When an image cannot be encoded.
pub fn files() -> Result<Vec<File>> {
    let sheets = [soldier::sheet(), rider::sheet(), tank::sheet()];
    let mut files = Vec::new();
    for sheet in &sheets {
        files.extend(sheet.files()?);
    }
    Ok(files)
}
