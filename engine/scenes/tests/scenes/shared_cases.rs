//! The public scenario cases, where they are at hand.

use std::path::{Path, PathBuf};

use throng_scenes::{Problem, RunOptions, Runner, Scenario};

fn cases() -> Option<PathBuf> {
    let shared = std::env::var_os("THRONG_SHARED").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
        PathBuf::from,
    );
    let cases = shared.join("cases");
    if cases.is_dir() {
        return Some(cases);
    }
    println!("skipped: no scenario cases at {}", cases.display());
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    let (folders, rest): (Vec<_>, Vec<_>) = entries.partition(|p| p.is_dir());
    let mut all: Vec<_> = rest
        .into_iter()
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    all.extend(folders.iter().flat_map(|f| files(f)));
    all.sort();
    all
}

/// All cases are read and set up, but for those that need an order, a brain or a size of later
/// work, which say so by key.
#[test]
fn every_case_is_set_up_or_refused_for_what_is_not_built() {
    let Some(cases) = cases() else { return };
    let files = files(&cases);
    assert!(files.len() > 30, "{} cases", files.len());
    let mut refused = Vec::new();
    for file in &files {
        let made = Scenario::load(file).and_then(|s| Runner::new(s, RunOptions::default()));
        let Err(error) = made else { continue };
        let later = matches!(
            *error.problem,
            Problem::Unsupported { .. } | Problem::Spawn(_)
        );
        assert!(
            later && error.line.is_some() && error.key.is_some(),
            "{error}"
        );
        refused.push(file.file_stem().unwrap().to_string_lossy().into_owned());
    }
    refused.sort();
    for name in &refused {
        let known = [
            "chase_round_wall",
            "firewalker_2000",
            "two_islands",
            "wander_pillars",
        ];
        assert!(known.contains(&name.as_str()), "{name} is refused");
    }
}
