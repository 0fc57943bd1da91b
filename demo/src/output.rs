//! Where results go: a file, or stdout for `-`.

use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context;

/// A FILE argument of a command that writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// `-`.
    Stdout,
    /// Anything else.
    File(PathBuf),
}

impl FromStr for Target {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(if text == "-" {
            Self::Stdout
        } else {
            Self::File(text.into())
        })
    }
}

impl Target {
    /// Opens the target. Done before the work starts, so that a wrong path costs no run.
    pub fn create(&self) -> anyhow::Result<Output> {
        let (name, sink): (_, Box<dyn Write>) = match self {
            Self::Stdout => ("stdout".to_string(), Box::new(io::stdout().lock())),
            Self::File(path) => {
                let name = path.display().to_string();
                let file = File::create(path).with_context(|| format!("cannot write {name}"))?;
                (name, Box::new(file))
            }
        };
        Ok(Output {
            name,
            sink: BufWriter::with_capacity(1 << 16, sink),
        })
    }
}

/// An open target. Its errors name it.
pub struct Output {
    name: String,
    sink: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// stdout, for tables and reports.
    pub fn stdout() -> Self {
        Self {
            name: "stdout".to_string(),
            sink: BufWriter::new(Box::new(io::stdout().lock())),
        }
    }

    /// Writes `value` as indented JSON with a line end.
    pub fn json<T: serde::Serialize>(&mut self, value: &T) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(value).context("a report that JSON cannot hold")?;
        writeln!(self, "{text}")?;
        self.flush()?;
        Ok(())
    }

    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write {}: {error}", self.name))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.sink.write(bytes).map_err(|e| self.named(e))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush().map_err(|e| self.named(e))
    }
}

/// Refuses more than one `-` among the outputs of a command: they would be mixed.
pub fn only_one_stdout<'a>(
    targets: impl IntoIterator<Item = &'a Option<Target>>,
) -> anyhow::Result<bool> {
    let n = targets
        .into_iter()
        .filter(|t| **t == Some(Target::Stdout))
        .count();
    anyhow::ensure!(
        n <= 1,
        "only one output can be '-' (stdout); give the others a file name"
    );
    Ok(n == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_is_stdout() {
        assert_eq!("-".parse(), Ok(Target::Stdout));
        assert_eq!("a.json".parse(), Ok(Target::File("a.json".into())));
    }

    #[test]
    fn two_dashes_are_refused() {
        assert!(only_one_stdout([&Some(Target::Stdout), &None]).unwrap());
        assert!(!only_one_stdout([&None]).unwrap());
        assert!(only_one_stdout([&Some(Target::Stdout), &Some(Target::Stdout)]).is_err());
    }
}
