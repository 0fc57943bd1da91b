//! Writes the demo's art: `cargo run -p throng-art [FOLDER]`, by default into `demo/assets`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../demo/assets")),
        PathBuf::from,
    );
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, bytes) in throng_art::files()? {
        let path = folder.join(name);
        std::fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
