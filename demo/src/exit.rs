//! How the program ends: one line on stderr and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

/// What a command that did its work found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done, and every check held: exit code 0.
    Held,
    /// Done, but a check failed (`expect`, `--verify`, a row of `path`): exit code 1.
    Missed,
}

impl Verdict {
    /// `Held` when `held` is true.
    pub fn of(held: bool) -> Self {
        if held { Self::Held } else { Self::Missed }
    }
}

/// Turns the result of a command into the exit code, and an error into one line on stderr.
///
/// A reader that closed the pipe has what it wanted: that ends quietly with 0.
pub fn code(result: anyhow::Result<Verdict>) -> ExitCode {
    match result {
        Ok(Verdict::Held) => ExitCode::SUCCESS,
        Ok(Verdict::Missed) => ExitCode::from(1),
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            complain(&one_line(&error));
            ExitCode::from(2)
        }
    }
}

/// Writes one line to stderr. A stderr that cannot be written leaves nobody to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "throng: {line}");
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The chain of causes on one line; a cause that its parent already quotes is not repeated.
fn one_line(error: &anyhow::Error) -> String {
    let mut line = String::new();
    for cause in error.chain() {
        let text = flatten(&cause.to_string());
        if line.contains(&text) {
            continue;
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        line.push_str(&text);
    }
    line
}

/// Joins the lines of a message.
pub fn flatten(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn causes_are_joined_and_not_repeated() {
        let inner: anyhow::Result<()> = Err(io::Error::other("disk\nfull").into());
        let error = inner.context("a.json: disk full").unwrap_err();
        assert_eq!(one_line(&error), "a.json: disk full");
        let inner: anyhow::Result<()> = Err(io::Error::other("disk\nfull").into());
        let error = inner.context("cannot write a.json").unwrap_err();
        assert_eq!(one_line(&error), "cannot write a.json: disk full");
    }

    #[test]
    fn a_closed_pipe_is_found_below_context() {
        let pipe: anyhow::Result<()> = Err(io::Error::from(io::ErrorKind::BrokenPipe).into());
        assert!(is_closed_pipe(
            &pipe.context("writing the report").unwrap_err()
        ));
    }
}
