//! One file per command: its arguments and what it does.

pub mod bench;
pub mod demo;
pub mod map;
pub mod path;
pub mod quality;
pub mod record;
pub mod render;
pub mod replay;
pub mod run;
pub mod scenarios;

/// A pool of exactly `threads` workers, or one per core.
pub fn pool(threads: Option<u16>) -> anyhow::Result<rayon::ThreadPool> {
    let threads = threads.map_or_else(crate::machine::cores, usize::from);
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|e| anyhow::anyhow!("cannot start {threads} threads ({e}); try fewer"))
}
