//! The command line as the user sees it.

use std::ffi::OsString;
use std::io::Write;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

use crate::commands::{bench, demo, map, path, quality, record, render, replay, run, scenarios};
use crate::exit::{Verdict, flatten};
use crate::output::Output;

/// Crowds of thousands that find their way, give way, arrive and come to rest.
///
/// Without a command it opens the crowd demo in a window; where there is no display it runs the
/// default scenario headless and prints its report.
#[derive(Parser)]
#[command(name = "throng", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Demo(demo::Args),
    Run(run::Args),
    Render(render::Args),
    Bench(bench::Args),
    Quality(quality::Args),
    Path(path::Args),
    Record(record::Args),
    Replay(replay::Args),
    Map(map::Args),
    Scenarios(scenarios::Args),
}

/// Reads the arguments of the process and does what they ask.
pub fn run() -> anyhow::Result<Verdict> {
    dispatch(std::env::args_os())
}

fn dispatch(args: impl IntoIterator<Item = OsString>) -> anyhow::Result<Verdict> {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) if !error.use_stderr() => {
            let mut out = Output::stdout();
            write!(out, "{}", error.render())?;
            out.flush()?;
            return Ok(Verdict::Held);
        }
        Err(error) => anyhow::bail!(usage_line(&error)),
    };
    match cli.command {
        None => demo::run(&demo::Args::default()),
        Some(Command::Demo(args)) => demo::run(&args),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Render(args)) => render::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Quality(args)) => quality::run(&args),
        Some(Command::Path(args)) => path::run(&args),
        Some(Command::Record(args)) => record::run(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Map(args)) => map::run(&args),
        Some(Command::Scenarios(args)) => scenarios::run(&args),
    }
}

/// clap's message, its tips and where to read more, on one line.
fn usage_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command is missing; see 'throng --help'".to_string();
    }
    let mut paragraphs = text.split("\n\n").map(flatten);
    let mut line = paragraphs.next().unwrap_or_default();
    if let Some(rest) = line.strip_prefix("error: ") {
        line = rest.to_string();
    }
    for tip in paragraphs.filter_map(|p| p.strip_prefix("tip: ").map(str::to_string)) {
        line.push_str(&format!("; {tip}"));
    }
    let usage = match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(usage)) => flatten(&usage.to_string()),
        _ => String::new(),
    };
    let command: Vec<&str> = usage
        .strip_prefix("Usage: ")
        .unwrap_or("throng")
        .split(' ')
        .take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect();
    format!("{line}; see '{} --help'", command.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn complaint(line: &str) -> String {
        match Cli::try_parse_from(line.split(' ')) {
            Ok(_) => panic!("'{line}' was taken"),
            Err(error) => usage_line(&error),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_wrong_command_suggests_the_nearest() {
        let line = complaint("throng scenario");
        assert!(
            line.contains("'scenario'") && line.contains("'scenarios'"),
            "{line}"
        );
        assert!(!line.contains('\n'), "{line}");
    }

    #[test]
    fn a_wrong_flag_points_to_the_command_s_help() {
        let line = complaint("throng run x --tick 3");
        assert!(
            line.contains("'--ticks'") && line.ends_with("see 'throng run --help'"),
            "{line}"
        );
    }

    #[test]
    fn a_bad_number_names_the_flag() {
        let line = complaint("throng run x --threads 0");
        assert!(line.contains("--threads") && line.contains('0'), "{line}");
    }
}
