//! Order logs replay to the same hashes, and say so when they do not.

use throng_scenes::{LogError, Recorder, Recording, RunOptions, Runner, Scenario};

fn log_of(name: &str, ticks: u64) -> Vec<u8> {
    let options = RunOptions {
        seed: Some(3),
        ticks: Some(ticks),
    };
    let mut runner = Runner::new(Scenario::find(name).unwrap(), options).unwrap();
    let mut recorder = Recorder::new(Vec::new(), &runner).unwrap();
    while !runner.is_done() {
        runner.step().unwrap();
        recorder.tick(&runner).unwrap();
    }
    recorder.finish(&runner).unwrap()
}

fn error(log: &[u8]) -> LogError {
    Recording::read(log).err().expect("the log is refused")
}

/// The log with its checksum made right again.
fn resealed(log: &[u8]) -> Vec<u8> {
    let LogError::Checksum { found, computed } = error(log) else {
        panic!("the checksum is right");
    };
    String::from_utf8(log.to_vec())
        .unwrap()
        .replace(&found, &computed)
        .into_bytes()
}

#[test]
fn runs_with_orders_edits_and_pointers_replay() {
    for (name, ticks) in [
        ("door_switch", 160),
        ("article", 60),
        ("article_2_slide", 40),
    ] {
        let recording = Recording::read(log_of(name, ticks).as_slice()).unwrap();
        assert_eq!(recording.ticks(), ticks);
        assert_eq!(recording.scenario().name, name);
        assert_eq!(recording.scenario().seed, 3);
        assert_eq!(
            recording.replay().unwrap().verify().unwrap(),
            None,
            "{name}"
        );
    }
}

#[test]
fn the_first_tick_that_differs_is_named() {
    let log = String::from_utf8(log_of("article", 30)).unwrap();
    let line = log.lines().nth(13).unwrap();
    let mut damaged = line.to_owned();
    let hash = damaged.find("\"hash\":\"").unwrap() + 8;
    damaged.replace_range(hash..hash + 16, "0123456789abcdef");
    let log = resealed(log.replace(line, &damaged).as_bytes());
    let divergence = Recording::read(log.as_slice())
        .unwrap()
        .replay()
        .unwrap()
        .verify()
        .unwrap()
        .unwrap();
    assert_eq!(
        (divergence.tick, divergence.logged),
        (12, 0x0123_4567_89ab_cdef)
    );
}

#[test]
fn a_log_that_is_cut_anywhere_is_refused() {
    let log = log_of("article_1_wall", 6);
    for length in 0..log.len() {
        let error = error(&log[..length]);
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    let whole_lines = log.iter().rposition(|b| *b == b'{').unwrap();
    assert!(matches!(
        error(&log[..whole_lines]),
        LogError::Truncated { ticks: 6 }
    ));
}

#[test]
fn a_log_with_a_changed_byte_is_refused() {
    let log = log_of("article_1_wall", 6);
    for at in 0..log.len() {
        let mut damaged = log.clone();
        damaged[at] ^= 1;
        assert!(Recording::read(damaged.as_slice()).is_err(), "byte {at}");
    }
}

#[test]
fn other_files_and_versions_are_told() {
    assert!(matches!(error(b"hello\n"), LogError::NotALog(_)));
    assert!(matches!(error(b"{}\n"), LogError::NotALog(_)));
    assert!(matches!(error(b"\xff\xfe"), LogError::NotALog(_)));
    assert_eq!(
        error(b"{\"throng_log\":9}\n").to_string(),
        "line 1: log version 9 is not known; this version reads 1"
    );
}
