//! The machine that measured something.

use std::fs;

use serde::Serialize;

/// What a reader needs to judge a figure.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// Name of the processor, or its architecture where the system does not tell.
    pub cpu: String,
    /// Threads that run at once.
    pub cores: usize,
    /// Name of the operating system, with the kernel's version where it is known.
    pub os: String,
    /// `release` or `debug`.
    pub profile: &'static str,
    /// Version of the engine.
    pub version: &'static str,
}

impl Machine {
    /// The one this runs on.
    pub fn here() -> Self {
        Self {
            cpu: field_of("/proc/cpuinfo", "model name", ':')
                .unwrap_or_else(|| std::env::consts::ARCH.to_string()),
            cores: cores(),
            os: os(),
            profile: if cfg!(debug_assertions) {
                "debug"
            } else {
                "release"
            },
            version: env!("CARGO_PKG_VERSION"),
        }
    }
}

/// Threads that run at once, 1 where the system does not tell.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

fn os() -> String {
    let name = field_of("/etc/os-release", "PRETTY_NAME", '=')
        .unwrap_or_else(|| std::env::consts::OS.to_string());
    match fs::read_to_string("/proc/sys/kernel/osrelease") {
        Ok(kernel) => format!("{name}, kernel {}", kernel.trim()),
        Err(_) => name,
    }
}

/// The value of the first `key<separator>value` line of a file.
fn field_of(path: &str, key: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let value = text
        .lines()
        .filter_map(|line| line.split_once(separator))
        .find_map(|(k, value)| (k.trim() == key).then_some(value))?;
    Some(value.trim().trim_matches('"').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_told() {
        let machine = Machine::here();
        assert!(!machine.cpu.is_empty() && !machine.os.is_empty() && machine.cores >= 1);
    }
}
