//! The machine itself: what is called, how often and in which order.

use std::sync::{Arc, Mutex};

use throng::{Brain, Mind, Senses, Sensor, State, StateId};

use crate::field::{Field, PEACEFUL};

type Log = Arc<Mutex<Vec<&'static str>>>;

/// A state that writes down what is called, and does as it is told.
struct Noted {
    calls: [&'static str; 3],
    log: Log,
    /// Where it goes from `enter`, and from `execute`.
    on_enter: Option<StateId>,
    on_execute: Option<Step>,
}

#[derive(Clone, Copy)]
enum Step {
    To(StateId),
    Back,
}

impl State for Noted {
    fn name(&self) -> &'static str {
        self.calls[1]
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        self.log.lock().unwrap().push(self.calls[0]);
        if let Some(next) = self.on_enter {
            mind.change(next);
        }
    }

    fn execute(&self, _: &Senses, mind: &mut Mind) {
        self.log.lock().unwrap().push(self.calls[1]);
        match self.on_execute {
            Some(Step::To(next)) => mind.change(next),
            Some(Step::Back) => mind.go_back(),
            None => {}
        }
    }

    fn exit(&self, _: &Senses, mind: &mut Mind) {
        self.log.lock().unwrap().push(self.calls[2]);
        // Without effect: it is on its way already.
        mind.change(StateId::WANDER);
    }
}

fn noted(calls: [&'static str; 3], log: &Log) -> Noted {
    Noted {
        calls,
        log: log.clone(),
        on_enter: None,
        on_execute: None,
    }
}

fn taken(log: &Log) -> Vec<&'static str> {
    std::mem::take(&mut log.lock().unwrap())
}

#[test]
fn a_change_is_exit_then_enter_once_each_and_going_back_is_one_call() {
    let mut field = Field::open(10, 10);
    let log = Log::default();
    let errand = field.sim.add_state(Noted {
        on_execute: Some(Step::Back),
        ..noted(["+errand", "errand", "-errand"], &log)
    });
    let work = field.sim.add_state(Noted {
        on_execute: Some(Step::To(errand)),
        ..noted(["+work", "work", "-work"], &log)
    });
    let unit = field.spawn(5.0, 5.0, 0, PEACEFUL, Brain::State(work));
    field.tick();
    assert_eq!(taken(&log), ["+work", "work", "-work", "+errand"]);
    field.tick();
    assert_eq!(taken(&log), ["errand", "-errand", "+work"]);
    let mind = field.sim.mind(&field.world, unit).unwrap();
    assert_eq!((mind.state(), mind.previous()), (work, errand));
}

#[test]
fn a_change_inside_enter_runs_the_same_steps_in_the_same_tick() {
    let mut field = Field::open(10, 10);
    let log = Log::default();
    let end = field.sim.add_state(noted(["+end", "end", "-end"], &log));
    let fork = field.sim.add_state(Noted {
        on_enter: Some(end),
        ..noted(["+fork", "fork", "-fork"], &log)
    });
    let unit = field.spawn(5.0, 5.0, 0, PEACEFUL, Brain::State(fork));
    field.tick();
    // A state that only decides is never executed.
    assert_eq!(taken(&log), ["+fork", "-fork", "+end", "end"]);
    let mind = field.sim.mind(&field.world, unit).unwrap();
    assert_eq!((mind.state(), mind.previous()), (end, fork));
}

/// Hands on to itself for ever.
struct Ring(Log);

impl State for Ring {
    fn name(&self) -> &'static str {
        "ring"
    }

    fn enter(&self, _: &Senses, mind: &mut Mind) {
        self.0.lock().unwrap().push("+ring");
        mind.change(mind.state());
    }

    fn execute(&self, _: &Senses, _: &mut Mind) {
        self.0.lock().unwrap().push("ring");
    }
}

#[test]
fn a_state_that_hands_on_for_ever_does_not_hold_up_the_tick() {
    let mut field = Field::open(10, 10);
    let log = Log::default();
    let ring = field.sim.add_state(Ring(log.clone()));
    field.spawn(5.0, 5.0, 0, PEACEFUL, Brain::State(ring));
    field.run(3);
    let calls = taken(&log);
    assert_eq!(calls.iter().filter(|&&call| call == "ring").count(), 3);
    assert!(calls.len() < 100, "{}", calls.len());
}

/// Interrupts with a state once, at a tick.
struct Alarm(u64, StateId);

impl Sensor for Alarm {
    fn sense(&self, me: &Senses, _: &Mind) -> Option<StateId> {
        (me.now() == self.0).then_some(self.1)
    }
}

#[test]
fn a_sensor_replaces_any_state_and_the_unit_goes_back_to_what_it_did() {
    let mut field = Field::open(10, 10);
    let log = Log::default();
    let shelter = field.sim.add_state(Noted {
        on_execute: Some(Step::Back),
        ..noted(["+shelter", "shelter", "-shelter"], &log)
    });
    let work = field.sim.add_state(noted(["+work", "work", "-work"], &log));
    field.sim.add_sensor(Alarm(2, shelter));
    field.spawn(5.0, 5.0, 0, PEACEFUL, Brain::State(work));
    field.run(4);
    assert_eq!(
        taken(&log),
        [
            "+work", "work", "work", "-work", "+shelter", "shelter", "-shelter", "+work", "work"
        ]
    );
}

#[test]
fn an_interrupted_errand_still_goes_back_to_what_was_done_before_it() {
    let mut field = Field::open(10, 10);
    let log = Log::default();
    let stunned = field
        .sim
        .add_state(noted(["+stunned", "stunned", "-stunned"], &log));
    let shelter = field.sim.add_state(Noted {
        on_execute: Some(Step::Back),
        ..noted(["+shelter", "shelter", "-shelter"], &log)
    });
    let errand = field
        .sim
        .add_state(noted(["+errand", "errand", "-errand"], &log));
    let work = field.sim.add_state(Noted {
        on_execute: Some(Step::To(errand)),
        ..noted(["+work", "work", "-work"], &log)
    });
    field.sim.add_sensor(Alarm(1, stunned));
    // An interrupt of an interrupt takes its place.
    field.sim.add_sensor(Alarm(2, shelter));
    let unit = field.spawn(5.0, 5.0, 0, PEACEFUL, Brain::State(work));
    let states = |field: &Field| {
        let mind = field.sim.mind(&field.world, unit).unwrap();
        (mind.state(), mind.previous())
    };
    field.tick();
    assert_eq!(states(&field), (errand, work));
    field.tick();
    assert_eq!(states(&field), (stunned, errand));
    field.tick();
    assert_eq!(states(&field), (errand, work));
    assert_eq!(
        taken(&log),
        [
            "+work", "work", "-work", "+errand", "-errand", "+stunned", "stunned", "-stunned",
            "+shelter", "shelter", "-shelter", "+errand"
        ]
    );
}
