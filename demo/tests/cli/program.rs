//! The program, run with arguments on files of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A small scenario that runs in no time.
pub const WALK: &str = r#"
name = "walk"
seed = 1
ticks = 200

[map]
ascii = '''
############
#..........#
#..........#
#..........#
############
'''

[[units]]
group = "a"
count = 4
area = [1.0, 1.0, 4.0, 4.0]

[[orders]]
tick = 0
units = "a"
order = "move"
to = [9.5, 2.5]

[expect]
arrived_min = 1.0
"#;

pub fn throng(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
    command.args(args).stdin(Stdio::null());
    command
}

pub fn ended(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code().expect("no signal ends it"),
        text(&output.stdout),
        text(&output.stderr),
    )
}

pub fn run(args: &[&str]) -> (i32, String, String) {
    ended(&throng(args).output().unwrap())
}

/// Runs it and checks that it ends with 2, nothing on stdout and one line on stderr that holds all
/// of `words`.
pub fn refused(args: &[&str], words: &[&str]) {
    let (code, out, err) = run(args);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
    assert_eq!(
        err.lines().count(),
        1,
        "{args:?}: one line is wanted:\n{err}"
    );
    for word in words {
        assert!(err.contains(word), "{args:?}: '{word}' is not in: {err}");
    }
}

/// A fresh folder for the files of a test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let (process, number) = (std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("throng-cli-{process}-{number}-{test}"));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
